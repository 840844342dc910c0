"""Tells what kinds of answer a question wants, and whether a text tells one of them; pure, in one pass."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from bot.language.questions import answer_kind_words
from bot.language.questions.answer_kind_words import LANGUAGES, AnswerKind
from bot.text import patterns, trigrams

_TELLS: Final = {kind: re.compile(tells, re.IGNORECASE) for kind, tells in answer_kind_words.TELLS.items()}
_FIGURE: Final = re.compile(answer_kind_words.FIGURE, re.IGNORECASE)
_SHORTEST: Final = 3
_BEFORE: Final = 40
"""Characters before what is counted in which its number stands."""
_SELF: Final = re.compile(answer_kind_words.SELF, re.IGNORECASE)
_STRICTER: Final = {
    AnswerKind.DURATION: frozenset({AnswerKind.COUNT}),
    AnswerKind.AGE: frozenset({AnswerKind.COUNT}),
    AnswerKind.MEASURE: frozenset({AnswerKind.AMOUNT}),
    AnswerKind.COUNT: frozenset({AnswerKind.AMOUNT}),
    AnswerKind.PHONE: frozenset({AnswerKind.COUNT, AnswerKind.PERSON}),
    AnswerKind.LINK: frozenset({AnswerKind.PLACE}),
    AnswerKind.CODE: frozenset({AnswerKind.AMOUNT}),
}
"""What a kind rules out that its words would also ask for."""


def wanted(question: str) -> frozenset[AnswerKind]:
    """The kinds of answer a question wants; none where it may be anything, or yes or no."""
    plain = question.translate(patterns.STRAIGHT_QUOTES)
    found = {kind for each in LANGUAGES for kind in _found(each.wants, plain)}
    if not found and not is_yes_or_no(question):
        found = {kind for each in LANGUAGES for kind in _found(each.named, plain)}
    return frozenset(found.difference(*(_STRICTER.get(kind, ()) for kind in found)))


def is_yes_or_no(question: str) -> bool:
    """Whether it begins as one that yes or no is an answer to."""
    plain = question.translate(patterns.STRAIGHT_QUOTES)
    return any(patterns.compiled(each.yes_or_no).match(plain) for each in LANGUAGES)


def answering(question: str, kinds: Collection[AnswerKind]) -> Callable[[str], bool]:
    """What tells whether a text has something of these kinds that answers the question.

    A name that the question has itself does not, nor does a number of other things than are counted.
    """
    asked, things = trigrams.words(question), counted(question)

    def answers(text: str, kind: AnswerKind) -> bool:
        if kind is AnswerKind.NAME:
            return tells_name(text, asked)
        if kind is AnswerKind.COUNT and things:
            return any(tells_count(text, of) for of in things)
        return tells(text, kind)

    return lambda text: any(answers(text, kind) for kind in kinds)


def tells(text: str, kind: AnswerKind) -> bool:
    """Whether a text tells something of a kind, of whatever it may be; somebody who says "I" names a person."""
    plain = text.translate(patterns.STRAIGHT_QUOTES)
    return _TELLS[kind].search(plain) is not None or (kind is AnswerKind.PERSON and tells_of_self(plain))


def tells_name(text: str, apart_from: Collection[str]) -> bool:
    """Whether a text tells a name, written as one or said to be one, that is none of these words in small letters."""
    plain = text.translate(patterns.STRAIGHT_QUOTES)
    return any(found[0].lower() not in apart_from for found in _TELLS[AnswerKind.NAME].finditer(plain))


def counted(question: str) -> tuple[str, ...]:
    """The words for what is counted: of "how many cars fit in" the cars; none where it asks for no count."""
    plain = question.translate(patterns.STRAIGHT_QUOTES)
    found = (patterns.compiled(each.counted).search(plain) for each in LANGUAGES)
    return tuple(match[1].lower() for match in found if match is not None)


def tells_count(text: str, of: str) -> bool:
    """Whether a text tells how many there are of something, or has a number where it doesn't name that at all."""
    plain = text.translate(patterns.STRAIGHT_QUOTES).lower()
    stem = of[: max(_SHORTEST, len(of) - 2)]
    named = [match.start() for match in re.finditer(rf"\b{re.escape(stem)}", plain)]
    if not named:
        return _FIGURE.search(plain) is not None
    return any(_FIGURE.search(plain, max(0, at - _BEFORE), at) for at in named)


def tells_of_self(text: str) -> bool:
    """Whether somebody tells something of themselves."""
    return _SELF.search(text) is not None


def tells_little(word: str) -> bool:
    """Whether a word of a question only tells what is done with a thing, or what kind of answer is wanted."""
    return any(
        patterns.compiled(each.figure).search(word) or patterns.compiled(each.doing).fullmatch(word)
        for each in LANGUAGES
    )


def wants_newest(question: str) -> bool | None:
    """Whether it asks how things are, or came out in the end: what was said last of it answers that.

    False where it asks how they were before: what was said first does. None where it asks what happened.
    """
    plain = question.translate(patterns.STRAIGHT_QUOTES)
    if any(patterns.compiled(language.former).search(plain) for language in LANGUAGES):
        return False
    if any(patterns.compiled(language.present).search(plain) for language in LANGUAGES):
        return True
    return None if any(patterns.compiled(language.past).search(plain) for language in LANGUAGES) else True


def asks_when_it_was(question: str) -> bool:
    """Whether it asks when something was: then the day on which it was told tells it too."""
    plain = question.translate(patterns.STRAIGHT_QUOTES)
    return any(patterns.compiled(language.was_when).search(plain) for language in LANGUAGES)


def asks_what_was_said(question: str) -> bool:
    """Whether it asks for what somebody said: their own words answer that, and not what was made of them."""
    plain = question.translate(patterns.STRAIGHT_QUOTES)
    return any(patterns.compiled(language.saying).search(plain) for language in LANGUAGES)


def asks_for_decisions(question: str) -> bool:
    """Whether it asks for what was decided, whatever it was: that is known by how it is told, and by no word of it."""
    plain = question.translate(patterns.STRAIGHT_QUOTES)
    return any(patterns.compiled(language.deciding).search(plain) for language in LANGUAGES)


def _found(table: Mapping[AnswerKind, str], plain: str) -> Iterator[AnswerKind]:
    return (kind for kind, pattern in table.items() if patterns.compiled(pattern).search(plain))
