"""Tells what a text lacks that an answer would have: the kind, the person, the day that is asked for; pure."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from bot.dates import times
from bot.domain import Memory, Message, PersonId, Role
from bot.language.questions import answer_kinds, asking_clauses, named_owners, owners, seeking
from bot.language.questions.answer_kind_words import AnswerKind
from bot.language.statements import assertions
from bot.recall.query import ParsedQuery
from bot.text import trigrams

ASKS: Final = 0.2
"""Of the score of what asks something beside what it states: the answer stands after it."""
KIND: Final = 0.25
"""Of the score of what tells nothing of the kind that is asked for."""
PERSON: Final = 0.3
"""Of what is neither by nor about the person who is asked about."""
DAY: Final = 0.3
"""Of what was said at another time than the one asked about, and tells of none in it."""
RETOLD: Final = 0.5
"""Of a chat summary: what it was made of tells the same in the words that were said."""

_WRITTEN_LARGE: Final = frozenset({AnswerKind.PERSON, AnswerKind.NAME, AnswerKind.PLACE})
"""Kinds that are known by their capitals: who writes all in small letters may name one with any word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What a text lacks."""

    states: bool = True
    """False for what only asks, requests or is small talk."""
    asks: bool = False
    """Whether it asks something beside what it states."""
    lacks_kind: bool = False
    lacks_person: bool = False
    lacks_day: bool = False
    is_retold: bool = False
    """Whether it is a summary of what others said."""

    @property
    def malus(self) -> float:
        """What that takes of its score, as a share."""
        lacks = KIND * self.lacks_kind + PERSON * self.lacks_person + DAY * self.lacks_day
        return ASKS * self.asks + RETOLD * self.is_retold + lacks


Sight = Callable[[Memory | Message, Sequence[str]], Signs]
"""Reads an item, with the texts that stand just before it."""


def sight(parsed: ParsedQuery, authors: Collection[PersonId | None], zone: str) -> Sight:
    """What reads the signs of items, for one query; `authors` said what may answer it.

    Who says "I" is asked about as much as whoever is named, if anything of theirs is there.
    """
    counts_questions = assertions.asks_what_was_asked(parsed.query.text)
    kinds = frozenset() if counts_questions else answer_kinds.wanted(parsed.query.text)
    if answer_kinds.asks_when_it_was(parsed.query.text):
        # The day on which it was told tells it too.
        kinds -= {AnswerKind.TIME}
    has_kind = answer_kinds.answering(parsed.query.text, kinds)
    surely = frozenset(person for person, sure in parsed.named.items() if sure == 1.0)
    surely = surely or frozenset(parsed.named).intersection(authors)
    # What is on at a time that is to come is seldom told with the day.
    been = [span for span in parsed.times.spans if span.start is None or span.start <= parsed.query.as_of]
    names = trigrams.words(" ".join([*parsed.names, *(parsed.asker if surely else ())]))
    is_told = _telling(parsed)
    # A list of results has it all; a question for questions is answered by them.
    is_free = counts_questions or not parsed.query.is_question

    def read(item: Memory | Message, before: Sequence[str]) -> Signs:
        whole = item.content
        told = whole if isinstance(item, Memory) or counts_questions else assertions.stated(whole)
        near = (whole, *before)
        return Signs(
            states=bool(told) and (is_free or is_told(item, told, before)),
            asks=told != whole,
            lacks_kind=bool(kinds) and not (has_kind(told) or (kinds <= _WRITTEN_LARGE and told.islower())),
            lacks_person=bool(surely)
            and item.author_id not in surely
            and not any(_holds_any(one, names) for one in near),
            lacks_day=bool(been) and not _is_of_day(item, been, zone),
            is_retold=isinstance(item, Message) and item.role is Role.HATHI,
        )

    return read


def _telling(parsed: ParsedQuery) -> Callable[[Memory | Message, str, Sequence[str]], bool]:
    """What tells whether an item's statement may answer at all.

    It does not that only repeats what is asked, or seeks the same, nor what is somebody else's where one's own or
    another's is asked for, nor the words of others where somebody's are: "I" is whoever says it.
    """
    text = parsed.query.text
    repeated = frozenset[str]() if answer_kinds.is_yes_or_no(text) else trigrams.words(text)
    seeks_too = seeking.only_seeks if repeated and not seeking.asks_for_seekers(text) else None
    asking = asking_clauses.asking(text)
    things = owners.own_things(asking)
    asker, own_names = parsed.asker_id, trigrams.words(" ".join(parsed.asker))
    is_of_saying = len(parsed.names) == 1 and answer_kinds.asks_what_was_said(text)
    sayer = owners.sayer(text, parsed.names) if is_of_saying else None
    of_times = trigrams.words(" ".join(span.words for span in parsed.times.spans))
    theirs = named_owners.asked(text, of_times)
    own_words, of_self = owners.asks_own_words(asking), owners.asks_of_self(asking)

    def is_of_asker(item: Memory | Message, told: str) -> bool:
        if asker is None or item.author_id == asker or not (own_words or of_self):
            return True
        if own_words:
            return any(owners.reports(told, name) for name in parsed.asker)
        return not owners.tells_of_self(told, own_names)

    def is_anothers(item: Memory | Message, told: str, before: Sequence[str]) -> bool:
        # Whoever answers a question for them may be them, by another name.
        is_own = item.author_id in parsed.named or named_owners.is_named(before, theirs.names)
        return named_owners.is_anothers(told, theirs, is_own=is_own) or owners.is_anothers(
            told, things, own_names, is_askers=item.author_id == asker
        )

    def tells(item: Memory | Message, told: str, before: Sequence[str]) -> bool:
        if not is_of_asker(item, told):
            return False
        if repeated and trigrams.words(told) <= repeated:
            return False
        if seeks_too is not None and seeks_too(told):
            return False
        if sayer is not None and item.author_id not in parsed.named and not owners.reports(told, sayer):
            return False
        return not is_anothers(item, told, before)

    return tells


def _holds_any(text: str, names: Collection[str]) -> bool:
    return not trigrams.words(text).isdisjoint(names)


def _is_of_day(item: Memory | Message, asked: Sequence[times.Span], zone: str) -> bool:
    """Whether it was said at a time that is asked about, or soon after, or tells of one in it, whenever it was said."""
    said = item.said_at
    for span in asked:
        if (span.start is None or span.start <= said) and (span.end is None or said < span.end + times.TOLD_WITHIN):
            return True
    told = times.read(item.content, as_of=said, zone=zone).spans
    # "Until Friday" is no time of its own: it would be part of every time before.
    return any(one.overlaps(span) for one in told if one.start and one.end for span in asked)
