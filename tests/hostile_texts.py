"""Texts made to be slow to read: 44 shapes, each of any length."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

_UNIT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "one letter": "a",
        "one wide letter": "語",
        "letters with marks": "e\u0301",
        "marks alone": "\u0301",
        "emoji joined": "👩\u200d🚀\u200d",
        "emoji": "😂 ",
        "digits": "1",
        "blanks": " ",
        "blanks and a letter": "x" + 60 * " ",
        "lines": "\n",
        "exclamation marks": "!",
        "question marks": "? ",
        "stops": ".",
        "commas": "a, ",
        "apostrophes": "'",
        "quotes opened": '"a ',
        "typographic quotes": "\u201ca ",
        "brackets opened": "[",
        "half links": "[a](",
        "brackets in brackets": "(a[b{",
        "angle brackets": "<@",
        "mentions": "<@123456789012345678> ",
        "backticks": "`a",
        "fences": "```\n",
        "asterisks": "*a _b ",
        "quoted lines": "> a\n",
        "list items": "1. a\n- b\n",
        "a link without end": "https://a.b/",
        "dotted words": "a.b-c_d/",
        "titles": "Mr. ",
        "dates": "3 May 2024 and ",
        "times": "before last week until yesterday at 3:15 ",
        "number words": "twenty one hundred and ",
        "names": "Ruth Ezra Nakamura's ",
        "sayings": "I said that you said we decided ",
        "denials": "not never no longer don't ",
        "questions": "what did we who it when was ",
        "requests": "please remember that you ",
        "references": "issue #12 acme/nexus#7 a1b2c3d4 ",
        "labels": "(#42, M1) said. ",
    }
)
_STARTS: Final[Mapping[str, str]] = MappingProxyType(
    {"half links": "!", "a link without end": "https://", "quotes opened": "He said: ", "brackets opened": '{"a":'}
)
_END: Final = "%x"
"""Where a run that is looked for to the end of a text, or of a word, breaks off at last."""
_PART: Final[Mapping[str, Callable[[int], str]]] = MappingProxyType(
    {
        "different dates": lambda n: f"{n % 28 + 1} {('May', 'July')[n // 28 % 2]} {2020 + n // 56} and ",
        "different hours": lambda n: f"{n // 60 % 24}:{n % 60:02} and ",
        "different numbers": lambda n: f"{1000 + 7 * n} and ",
        "different prices": lambda n: f"{1000 + 7 * n} € and ",
    }
)
"""Those of which no two parts are the same, so that nothing is read once for all."""
NAMES: Final = (*_UNIT, *_PART)


def text(shape: str, length: int) -> str:
    """A text of a shape and of exactly that many characters."""
    if part := _PART.get(shape):
        return "".join(map(part, range(length)))[: length - len(_END)] + _END
    start, unit = _STARTS.get(shape, ""), _UNIT[shape]
    return (start + unit * (length // len(unit) + 1))[: length - len(_END)] + _END
