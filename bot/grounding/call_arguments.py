"""Tells whether a model gives a tool nothing to read but what the asker's own message says; pure.

Where others' words stand in a prompt, they may have a model look up what it was shown elsewhere, and so tell it to whom
the tool belongs. Words are compared, and so every word tells something that is not one of grammar: a name, a number and
a long word, and a short word or a single letter as well.
"""

import itertools
import json
import re
import string
from collections.abc import Iterator, Mapping
from typing import Any, Final

from bot.grounding import texts, vocabulary

_SIGN: Final = re.compile(r"[^\w\s]")
_ORDINARY: Final = frozenset(string.punctuation)
_ENDINGS: Final = ("s", "es", "n", "en", "e")
"""Of the plural, in four languages."""
_SHORTEST: Final = 3
_OF_A_SCHEMA: Final = frozenset({"const", "default", "enum"})


def may_call(arguments: str, asked: str, parameters: Mapping[str, Any]) -> bool:
    """Whether the telling words of a call's arguments, JSON as the model wrote it, stand in what the asker said.

    A word stands there in another form too (`kilns` for `kiln`), a number only as it is. What a tool's own schema has,
    the names and the choices it offers, tells nothing.
    """
    try:
        given = list(_texts(json.loads(arguments or "{}")))
        known = [asked, *_own(parameters)]
    except (ValueError, RecursionError):
        return False
    said = texts.folded("\n".join(known))
    words = {form for word in texts.words(said) for form in _forms(word)}
    pairs, signs = {*_pairs(said)}, _ORDINARY.union(said)

    def stands(word: str) -> bool:
        if word in words or word in vocabulary.ALL_FUNCTION:
            return True
        # Where no blanks stand between words, two letters beside each other are looked for.
        is_blankless = bool(texts.BLANKLESS.search(word))
        return is_blankless and pairs.issuperset(_pairs(word)) and signs.issuperset(word)

    return all(
        signs.issuperset(_SIGN.findall(text)) and all(map(stands, texts.words(text)))
        for text in map(texts.folded, given)
    )


def _forms(word: str) -> Iterator[str]:
    """A word as one and as many. Stems would not do, which take a name for endings: that of `kilnrosa` is `kiln`."""
    yield word
    if word.isalpha():
        yield from (word + ending for ending in _ENDINGS)
        yield from (word[: -len(ending)] for ending in _ENDINGS if word.endswith(ending) and len(word) > _SHORTEST)


def _pairs(text: str) -> Iterator[str]:
    """Every two letters that stand beside each other."""
    return map("".join, itertools.pairwise(text))


def _texts(value: Any) -> Iterator[str]:
    """All that a JSON value tells, keys included."""
    match value:
        case dict():
            for key, each in value.items():  # pyright: ignore[reportUnknownVariableType]
                yield str(key)  # pyright: ignore[reportUnknownArgumentType]
                yield from _texts(each)
        case list():
            for each in value:  # pyright: ignore[reportUnknownVariableType]
                yield from _texts(each)
        case bool() | None:
            pass
        case _:
            yield str(value)


def _own(schema: Any) -> Iterator[str]:
    """The names and choices in a schema."""
    match schema:
        case dict():
            for key, value in schema.items():  # pyright: ignore[reportUnknownVariableType]
                if key in _OF_A_SCHEMA:
                    yield from _texts(value)
                elif key == "properties" and isinstance(value, dict):
                    yield from map(str, value)  # pyright: ignore[reportUnknownArgumentType]
                    yield from (text for each in value.values() for text in _own(each))  # pyright: ignore[reportUnknownVariableType]
                else:
                    yield from _own(value)
        case list():
            for each in schema:  # pyright: ignore[reportUnknownVariableType]
                yield from _own(each)
        case _:
            pass
