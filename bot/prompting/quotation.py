"""Chooses what of a text is quoted to a person: the sentence that answers, with what it needs around it; pure."""

import re
from collections.abc import Sequence
from typing import Final

from bot.language.questions import answer_kinds
from bot.language.questions.answer_kind_words import AnswerKind
from bot.text import markdown, pasted_lists, sentences, stop_words, trigrams

_CUT: Final = "\u2026"
_FENCE: Final = "```"
_STEM: Final = 5
"""Letters by which forms of one word are known."""
NEAR: Final = 200
"""Characters up to which what speaks of the question too, and what goes on about it, is quoted with what answers."""
_HALF: Final = 0.5
"""The share of a question's words by which a sentence of a short text is known to be the one that answers."""
_LOOSE: Final = frozenset({AnswerKind.PERSON, AnswerKind.PLACE, AnswerKind.NAME})
"""Kinds that many a sentence seems to tell which does not."""
_FRAGMENT: Final = 3
"""Words of a sentence that says nothing without the one before: "all red"."""
_LEANS: Final = re.compile(
    r"\W*(?:and|but|so|or|then|also|because|instead|otherwise|again|it|its|it's|this|that|that's|these|those|they|"
    r"they're|their|them|he|he's|his|him|she|she's|her|there|both|neither|either|which|who|where|after that|yes|no|"
    r"yeah|yep|nope)\b",
    re.IGNORECASE,
)
"""How a sentence begins that can hardly be understood without the one before."""
_OPEN: Final = ("?", ":")
"""How a sentence ends that the next one answers or fills."""
_CLOSING: Final = "!\"')]*_\u201d\u2019"
"""What may stand behind that."""
_KIND: Final = 1.5
"""What a sentence that tells the kind of thing that is asked for is worth, in words of the question."""


def part(text: str, question: str, room: int) -> str:
    """The sentence of a text that answers best, with what it needs around it, in at most so many characters.

    That are the sentences it leans on and those that lean on it; and up to `NEAR` characters those beside it that speak
    of the question, and what goes on about it where it does not tell the kind of thing that is asked for. Of a list it
    is the entry that answers best. A text that fits is left whole where it has code, or no sentence that answers, or is
    short and none surely does. What is left out is marked; a sentence that is too long by itself is cut at a word.
    What is hidden in the text stays so.
    """
    return markdown.still_hidden(text, _part(text, question, _unhidden(text, room)))


def _part(text: str, question: str, room: int) -> str:
    entry = _entry(text, question)
    if entry:
        return f"{_CUT}{beginning(entry, room - 2)}"
    said = sentences.split(text)
    worth = _worth(said, question)
    if len(text) <= room and (_FENCE in text or not any(worth)):
        return text
    first, last = _needed(text, said, worth, room)
    answer = _between(text, said, first, last)
    is_told = _tells(answer, question)
    if len(text) <= min(NEAR, room) and not (is_told or _is_about(answer, question)):
        return text
    return _shown(text, said, (first, last), room, [each > 0 for each in worth], goes_on=not is_told)


def most(text: str, question: str, room: int) -> str:
    """A text whole where it fits into so many characters; else the sentence that answers best, and what fits beside."""
    if len(text) <= room:
        return text
    said = sentences.split(text)
    room = _unhidden(text, room)
    needed = _needed(text, said, _worth(said, question), room)
    return markdown.still_hidden(text, _shown(text, said, needed, room, [True] * len(said), goes_on=True, near=room))


def _unhidden(text: str, room: int) -> int:
    """The room that is left where what is hidden in a text has to be hidden again."""
    return room - 2 * len(markdown.SPOILER) if markdown.SPOILER in text else room


def _shown(
    text: str,
    said: Sequence[str],
    needed: tuple[int, int],
    room: int,
    speaks: Sequence[bool],
    *,
    goes_on: bool,
    near: int = NEAR,
) -> str:
    """The sentences that are needed, and those beside them that speak of the question, or go on, up to `near`."""
    if not said:
        return beginning(text, room)
    first, last = needed
    # The marks count, too.
    room -= 2 * len(_CUT)
    # What comes after says more about it than what came before.
    while (
        last < len(said) and (goes_on or speaks[last]) and len(_between(text, said, first, last + 1)) <= min(near, room)
    ):
        last += 1
    while first > 0 and speaks[first - 1] and len(_between(text, said, first - 1, last)) <= min(near, room):
        first -= 1
    shown = beginning(_between(text, said, first, last), room)
    return f"{_CUT if first else ''}{shown}{_CUT if last < len(said) and not shown.endswith(_CUT) else ''}"


def _entry(text: str, question: str) -> str:
    """The one entry of a list that answers best; empty where it is no list, or several answer as well."""
    listed = pasted_lists.read(text)
    worth = _worth(listed.things, question) if listed.is_list else []
    best = max(worth, default=0.0)
    return listed.things[worth.index(best)] if best and worth.count(best) == 1 else ""


def _needed(text: str, said: Sequence[str], worth: Sequence[float], room: int) -> tuple[int, int]:
    """From which sentence on to before which one is needed to understand the best, as far as it fits.

    Of those that answer as well as each other it is all where they stand near together, else the first.
    """
    room -= 2 * len(_CUT)
    most_worth = max(worth, default=0.0)
    best = [at for at, each in enumerate(worth) if each == most_worth] or [0]
    first, last = best[0], best[-1] + 1
    last = last if len(_between(text, said, first, last)) <= min(NEAR, room) else first + 1
    while first > 0 and _hangs(said, first) and len(_between(text, said, first - 1, last)) <= room:
        first -= 1
    while last < len(said) and _hangs(said, last) and len(_between(text, said, first, last + 1)) <= room:
        last += 1
    return first, last


def _hangs(said: Sequence[str], at: int) -> bool:
    """Whether a sentence is hardly understood without the one before, or is what that one leaves open."""
    is_open = said[at - 1].rstrip(_CLOSING).endswith(_OPEN)
    return bool(_LEANS.match(said[at])) or is_open or len(said[at].split()) <= _FRAGMENT


def beginning(text: str, room: int) -> str:
    """The text, cut at a word where it does not fit into so many characters, and marked then."""
    if len(text) <= room:
        return text
    blank = text.rfind(" ", 0, room)
    return text[: blank if blank > 0 else room - 1].rstrip() + _CUT


def _tells(sentence: str, question: str) -> bool:
    """Whether a sentence surely tells the kind of thing that is asked for; not of a question that asks for none."""
    return answer_kinds.answering(question, answer_kinds.wanted(question) - _LOOSE)(sentence)


def _is_about(sentence: str, question: str) -> bool:
    """Whether a sentence has half of a question's words, so that what stands around it is of something else."""
    wanted = _wanted(question)
    return len(wanted & _stems(sentence)) >= _HALF * len(wanted) > 0


def _worth(said: Sequence[str], question: str) -> list[float]:
    """How well each sentence answers: the words of the question in it, and that it tells what is asked for."""
    wanted = _wanted(question)
    has_kind = answer_kinds.answering(question, answer_kinds.wanted(question))
    return [len(wanted & _stems(one)) + _KIND * has_kind(one) for one in said]


def _wanted(question: str) -> frozenset[str]:
    """The words of a question that tell what it is about."""
    return _stems(question) - _stems(" ".join(stop_words.ASKING | stop_words.FUNCTION))


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
