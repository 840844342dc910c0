"""Compares two facts: the same in other words, a contradiction, a change of one by the other, or two things; pure.

Facts differ in parts: numbers, times, dates, names, words that exclude each other, whether they deny. Of one thing only
one part is another in a contradiction; where two are, they speak of two things ("the red kayak leaks at the bow").
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.facts import fact_order, fact_reading, fact_words
from bot.facts.fact_reading import NAME, WORD, FactReading
from bot.facts.fact_values import LABELLED, LETTER

_KINDS: Final = (
    "number",
    "time",
    "date",
    "weekday",
    "month",
    "year",
    "rate",
    "times",
    "length",
    "unit",
    "place",
    "code",
    LETTER,
)
_DATES: Final = frozenset({"time", "date", "weekday", "month", "year", "rate", "times", "length"})


class Relation(StrEnum):
    """How a fact stands to another."""

    SAME = "same"
    CONTRADICTION = "contradiction"
    UPDATE = "update"
    DIFFERENT = "different"


class ContradictionKind(StrEnum):
    """How two texts of one subject contradict each other."""

    NUMBER = "another number"
    DATE = "another date"
    NAME = "another name"
    NEGATION = "the opposite"
    VALUE = "something else"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A fact as somebody said it."""

    text: str
    by: str = ""
    """Whoever "I" is in it."""

    @property
    def read(self) -> FactReading:
        """What is compared of it."""
        return fact_reading.read(self.text, self.by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What comparing two facts gave."""

    relation: Relation
    kind: ContradictionKind | None = None
    """What they contradict each other in."""
    is_fuller: bool = False
    """Whether the later one says all of the earlier one and more."""
    is_sure: bool = False
    """Of a change: whether nothing else is told of otherwise."""


_NAME: Final = "name"
_DENIAL: Final = "denial"
_LEAST: Final = 2
"""Parts that two facts of one thing have in common at least."""
_HALF: Final = 0.5
"""The share of the shorter one's parts that a change of it has too."""
_NEARLY_ALL: Final = 0.75
"""The share with which one that has no word of its own says the same."""
_MOST: Final = 0.8
"""The share from which on one of them may deny the other."""
_LONG: Final = 4
"""Digits of a number that hardly anything else has too."""
_LOOSE: Final = frozenset({"part of day", "rate"})
"""Kinds of values that one of two texts that say the same may leave out."""
_OF_CHANGE: Final = frozenset({"only", "back", "before", "after", "afterwards"})
"""Words that tell of a change where one is told of, and of another thing elsewhere."""
_APART: Final = Comparison(relation=Relation.DIFFERENT)


def compare(earlier: Said, later: Said) -> Comparison:
    """How what was said later stands to what was said earlier."""
    return compare_read(earlier.read, later.read)


def compare_read(old: FactReading, new: FactReading) -> Comparison:
    """The same of facts that are read already; why something changed makes no other thing of it."""
    found = _compared(old, new)
    if found.is_sure or (old.unreasoned, new.unreasoned) == (None, None):
        return found
    bare = _compared(old.unreasoned or old, new.unreasoned or new)
    return bare if bare.is_sure else found


def _compared(old: FactReading, new: FactReading) -> Comparison:
    old, new = _by_names(old, new), _by_names(new, old)
    common = len(old.words & new.words) + len(old.names & new.names) + len(old.all_values & new.all_values)
    alike = common / max(1, min(old.size, new.size))
    differing, place = _differing(old, new), fact_order.difference(old, new)
    is_sure = _is_sure(old, new, differing)
    changed = new.tells_of_change and (not old.tells_of_change or is_sure)
    is_moved = changed and place is not None and place.is_of_place
    is_of_one = is_moved or (place is not None and (place.is_opposite or place.is_of_one(changed=changed)))
    is_value = place is not None and place.is_value
    is_one = common >= _LEAST or is_of_one or is_value or (common > 0 and changed and is_sure)
    if new.adds or old.adds or not is_one or len({*differing.values()}) > 1:
        return _APART
    opposed = fact_order.are_opposed(old, new)
    if is_of_one and not differing:
        relation = Relation.UPDATE if changed else Relation.CONTRADICTION
        return Comparison(
            relation=relation, kind=ContradictionKind.VALUE, is_sure=is_moved or (changed and not opposed)
        )
    is_of_many = place is not None and place.is_of_many
    if not changed and (opposed or is_of_many or fact_order.are_of_other_times(old, new)):
        return _APART
    if differing:
        found = _otherwise(old, new, *{*differing.values()}, alike=alike, changed=changed)
        return replace(found, is_sure=is_sure and found.relation is Relation.UPDATE)
    return _not_otherwise(old, new, alike=alike, changed=changed)


def _not_otherwise(old: FactReading, new: FactReading, *, alike: float, changed: bool) -> Comparison:
    """What two facts are to each other that differ in no part."""
    if _is_same(old, new, alike):
        return Comparison(relation=Relation.SAME, is_fuller=new.size > old.size)
    says_more = bool(new.words - old.words or new.names - old.names or new.all_values - old.all_values)
    if says_more and changed and alike >= _HALF and not _heads_differ(old, new):
        return Comparison(relation=Relation.UPDATE, kind=ContradictionKind.VALUE)
    return _APART


def _is_sure(old: FactReading, new: FactReading, differing: Mapping[str, ContradictionKind]) -> bool:
    """Whether they differ in nothing else, neither in what they tell of nor in what they tell of it."""
    names = len(old.names - new.names), len(new.names - old.names)
    return (
        bool(differing)
        and (old.words, old.shifts) == (new.words, new.shifts)
        and names == ((1, 1) if _NAME in differing else (0, 0))
        and all(old.of(kind) == new.of(kind) for kind in (old.kinds | new.kinds) - differing.keys())
        and not fact_order.have_other_verbs(old, new)
        and not fact_order.qualifies(old, new)
        and not fact_order.are_opposed(old, new)
    )


def _otherwise(
    old: FactReading, new: FactReading, kind: ContradictionKind, *, alike: float, changed: bool
) -> Comparison:
    """What two facts are to each other that differ in one part."""
    only_old, only_new = old.words - new.words, new.words - old.words
    if _is_of_another(old, new, kind) or (old.shifts ^ new.shifts) - (_OF_CHANGE if changed else {"only"}):
        return _APART
    if only_old and only_new and (not changed or kind is ContradictionKind.NEGATION or _heads_differ(old, new)):
        return _APART
    if kind is ContradictionKind.NEGATION and not changed and (alike < _MOST or only_old or only_new):
        return _APART
    return Comparison(relation=Relation.UPDATE if changed else Relation.CONTRADICTION, kind=kind)


def _heads_differ(old: FactReading, new: FactReading) -> bool:
    """Whether they begin with different things, each of which the other does not name."""
    first_old, first_new = old.order[:1], new.order[:1]
    return (
        first_old != first_new
        and new.words.union(new.names).isdisjoint(first_old)
        and (old.words.union(old.names).isdisjoint(first_new))
    )


def _is_same(old: FactReading, new: FactReading, alike: float) -> bool:
    """Whether they say the same, as far as that is certain."""
    if (old.tells_of_change, old.names, old.shifts) != (new.tells_of_change, new.names, new.shifts):
        return False
    kinds = (old.kinds | new.kinds) - _LOOSE
    if old.contrasts or new.contrasts or any(old.sequence(kind) != new.sequence(kind) for kind in kinds):
        return False
    if (len(old.sequence("number")) > 1 and old.exclusive) or _are_turned_round(old, new):
        return False
    fewest = min(len(old.words - new.words), len(new.words - old.words))
    return fewest <= (_has_telling_value(old) and fact_order.difference(old, new) is None) and alike >= _NEARLY_ALL


def _has_telling_value(one: FactReading) -> bool:
    """Whether it gives a value that hardly anything else has too: a code, or a long number that is not round."""
    return any(
        kind == "code" or (kind == "number" and len(text) >= _LONG and not text.endswith("00"))
        for kind, text in one.values
    )


def _are_turned_round(old: FactReading, new: FactReading) -> bool:
    """Whether things that are related have changed places: "Ann beat Bob", and Bob Ann."""
    names = (old.names & new.names) - old.writer - new.writer
    in_order = ([*dict.fromkeys(text for text in each.order if text in names)] for each in (old, new))
    return fact_order.are_turned_round(old, new) or (not (old.lists and new.lists) and next(in_order) != next(in_order))


def _is_of_another(old: FactReading, new: FactReading, kind: ContradictionKind) -> bool:
    """Whether what differs is what they tell of, and not what they tell of it."""
    if kind is ContradictionKind.NAME:
        if min(fact_order.places(old, old.names - new.names), fact_order.places(new, new.names - old.names)) > 1:
            return True
        if (old.writer or new.writer) and old.names - new.names <= old.writer and new.names - old.names <= new.writer:
            return True
        if old.head in old.names - new.names and new.head in new.names - old.names:
            return fact_words.ROLES.isdisjoint(old.words & new.words)
    return kind is ContradictionKind.NUMBER and fact_order.are_of_other_numbers(old, new)


def _differing(old: FactReading, new: FactReading) -> dict[str, ContradictionKind]:
    """The kinds of parts in which each says what the other does not, and what that is to whoever is asked."""
    kinds = {kind: (old.of(kind), new.of(kind)) for kind in sorted(old.kinds | new.kinds)}
    found = {kind: _kind_of(kind) for kind, (here, there) in kinds.items() if here - there and there - here}
    if old.names - new.names and new.names - old.names:
        found[_NAME] = ContradictionKind.NAME
    if old.is_denial != new.is_denial:
        found[_DENIAL] = ContradictionKind.NEGATION
    return found


def _kind_of(kind: str) -> ContradictionKind:
    if kind in _DATES:
        return ContradictionKind.DATE
    return ContradictionKind.NUMBER if kind in _KINDS or kind.endswith(LABELLED) else ContradictionKind.VALUE


def _by_names(one: FactReading, other: FactReading) -> FactReading:
    """One fact with what is a name in the other as a name too; and both with the names that they may begin with."""
    named = {fact_reading.meaning(name): name for name in other.names | one.names}
    if one.may_be_named and other.may_be_named and one.head != other.head:
        named = {reading.head: reading.head for reading in (one, other)} | named
    moved = one.words & named.keys()
    frame = tuple((NAME, named[text]) if sort == WORD and text in moved else (sort, text) for sort, text in one.frame)
    names = one.names | {named[word] for word in moved}
    return replace(one, words=one.words - moved, names=names, frame=frame)
