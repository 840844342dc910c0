"""Chooses what of a text is quoted to a person: the sentence that answers, with what fits around it; pure."""

from collections.abc import Sequence
from typing import Final

from bot.language.questions import answer_kinds
from bot.text import sentences, stop_words, trigrams

_CUT: Final = "\u2026"
_STEM: Final = 5
"""Letters by which forms of one word are known."""
_KIND: Final = 1.5
"""What a sentence that tells the kind of thing that is asked for is worth, in words of the question."""


def part(text: str, question: str, room: int) -> str:
    """The text if it fits into so many characters, else the sentence of it that answers best and what fits around it.

    What is left out is marked; a sentence that is too long by itself is cut at a word.
    """
    if len(text) <= room:
        return text
    said = sentences.split(text)
    if not said:
        return beginning(text, room)
    best = max(range(len(said)), key=_worth(said, question).__getitem__)
    first, last = best, best + 1
    # What comes after says more about it than what came before.
    while last < len(said) and len(_between(text, said, first, last + 1)) <= room:
        last += 1
    while first > 0 and len(_between(text, said, first - 1, last)) <= room:
        first -= 1
    shown = beginning(_between(text, said, first, last), room)
    return f"{_CUT if first else ''}{shown}{_CUT if last < len(said) and not shown.endswith(_CUT) else ''}"


def beginning(text: str, room: int) -> str:
    """The text, cut at a word where it does not fit into so many characters, and marked then."""
    if len(text) <= room:
        return text
    blank = text.rfind(" ", 0, room)
    return text[: blank if blank > 0 else room - 1].rstrip() + _CUT


def _worth(said: Sequence[str], question: str) -> list[float]:
    """How well each sentence answers: the words of the question in it, and that it tells what is asked for."""
    wanted = _stems(question) - _stems(" ".join(stop_words.ASKING | stop_words.FUNCTION))
    kinds = answer_kinds.wanted(question)
    return [len(wanted & _stems(one)) + _KIND * any(answer_kinds.tells(one, kind) for kind in kinds) for one in said]


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in trigrams.words(text))


def _between(text: str, said: Sequence[str], first: int, last: int) -> str:
    """The text from one sentence to before another, as it was written."""
    start = at = 0
    for number, sentence in enumerate(said[:last]):
        at = text.index(sentence, at)
        start = at if number == first else start
        at += len(sentence)
    return text[start:at]
