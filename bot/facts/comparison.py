"""Compares two facts: the same in other words, a contradiction, a change of one by the other, or two things; pure.

Facts differ in parts: numbers, times, dates, names, words that exclude each other, whether they deny. Of one thing only
one part is another in a contradiction; where two are, they speak of two things ("the red kayak leaks at the bow").
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.facts import fact_reading, fact_words
from bot.facts.fact_reading import FactReading

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


_LEAST: Final = 2
"""Parts that two facts of one thing have in common at least."""
_HALF: Final = 0.5
"""The share of the shorter one's parts that a change of it has too."""
_NEARLY_ALL: Final = 0.75
"""The share with which one that has no word of its own says the same."""
_MOST: Final = 0.8
"""The share from which on one of them may deny the other."""
_LOOSE: Final = frozenset({"part of day", "rate"})
"""Kinds of values that one of two texts that say the same may leave out."""
_OF_CHANGE: Final = frozenset({"back", "before", "after", "afterwards"})
"""Words that tell of a change where one is told of, and of another thing elsewhere."""
_APART: Final = Comparison(relation=Relation.DIFFERENT)


def compare(earlier: Said, later: Said) -> Comparison:
    """How what was said later stands to what was said earlier."""
    return compare_read(earlier.read, later.read)


def compare_read(old: FactReading, new: FactReading) -> Comparison:
    """The same of facts that are read already."""
    old, new = _by_names(old, new), _by_names(new, old)
    common = len(old.words & new.words) + len(old.names & new.names) + len(old.all_values & new.all_values)
    alike = common / max(1, min(old.size, new.size))
    if common < _LEAST or new.adds or old.adds:
        return _APART
    differing = _differing(old, new)
    if len(differing) == 1:
        return _otherwise(old, new, differing[0], alike)
    if not differing and _is_same(old, new, alike):
        return Comparison(relation=Relation.SAME, is_fuller=new.size > old.size)
    says_more = bool(new.words - old.words or new.names - old.names or new.all_values - old.all_values)
    if not differing and says_more and _changed(old, new) and alike >= _HALF and not _heads_differ(old, new):
        return Comparison(relation=Relation.UPDATE, kind=ContradictionKind.VALUE)
    return _APART


def _changed(old: FactReading, new: FactReading) -> bool:
    """Whether only what was said later tells that something has changed."""
    return new.tells_of_change and not old.tells_of_change


def _otherwise(old: FactReading, new: FactReading, kind: ContradictionKind, alike: float) -> Comparison:
    """What two facts are to each other that differ in one part."""
    only_old, only_new, changed = old.words - new.words, new.words - old.words, _changed(old, new)
    if _is_of_another(old, new, kind) or (old.shifts ^ new.shifts) - (_OF_CHANGE if changed else frozenset()):
        return _APART
    if only_old and only_new and (not changed or kind is ContradictionKind.NEGATION or _heads_differ(old, new)):
        return _APART
    if kind is ContradictionKind.NEGATION and not changed and (alike < _MOST or only_old or only_new):
        return _APART
    relation = Relation.UPDATE if changed else Relation.CONTRADICTION
    return Comparison(relation=relation, kind=kind, is_sure=not (only_old and only_new))


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
    if old.contrasts or new.contrasts or any(old.of(kind) != new.of(kind) for kind in (old.kinds | new.kinds) - _LOOSE):
        return False
    numbers, others = ([value for value in each.values if value[0] == "number"] for each in (old, new))
    if numbers != others or (len(numbers) > 1 and old.exclusive) or _are_turned_round(old, new):
        return False
    fewest = min(len(old.words - new.words), len(new.words - old.words))
    return fewest == 0 and alike >= _NEARLY_ALL


def _are_turned_round(old: FactReading, new: FactReading) -> bool:
    """Whether things that are related have changed places: "Ann beat Bob", and Bob Ann."""
    if (old.relates or new.relates) and _placed(old, new) != _placed(new, old):
        return True
    return not (old.lists and new.lists) and _placed_names(old, new) != _placed_names(new, old)


def _placed(one: FactReading, other: FactReading) -> list[str]:
    """The parts of one that the other has too, in order, each once."""
    return [*dict.fromkeys(word for word in one.order if word in other.order)]


def _placed_names(one: FactReading, other: FactReading) -> list[str]:
    """The names in order, without whoever says it."""
    return [name for name in _placed(one, other) if name in one.names - one.writer - other.writer]


def _is_of_another(old: FactReading, new: FactReading, kind: ContradictionKind) -> bool:
    """Whether what differs is what they tell of, and not what they tell of it."""
    if kind is ContradictionKind.NAME:
        if (old.writer or new.writer) and old.names - new.names <= old.writer and new.names - old.names <= new.writer:
            return True
        if old.head in old.names - new.names and new.head in new.names - old.names:
            return fact_words.ROLES.isdisjoint(old.words & new.words)
    return False


def _differing(old: FactReading, new: FactReading) -> list[ContradictionKind]:
    found: list[ContradictionKind] = []
    for kind in sorted(old.kinds | new.kinds):
        here, there = old.of(kind), new.of(kind)
        if here - there and there - here:
            found.append(_kind_of(kind))
    if {"unit", "number"} <= {kind for kind in old.kinds | new.kinds if old.of(kind) != new.of(kind)}:
        # Of a number in other units both are others.
        found = [*dict.fromkeys(found)]
    if old.names - new.names and new.names - old.names:
        found.append(ContradictionKind.NAME)
    if old.is_denial != new.is_denial:
        found.append(ContradictionKind.NEGATION)
    return found


def _kind_of(kind: str) -> ContradictionKind:
    if kind in _DATES:
        return ContradictionKind.DATE
    return ContradictionKind.NUMBER if kind in _KINDS or kind.endswith(" no.") else ContradictionKind.VALUE


def _by_names(one: FactReading, other: FactReading) -> FactReading:
    """One fact with what is a name in the other as a name too; and both with the names that they may begin with."""
    named = {fact_reading.meaning(name): name for name in other.names | one.names}
    if one.may_be_named and other.may_be_named and one.head != other.head:
        named = {reading.head: reading.head for reading in (one, other)} | named
    moved = one.words & named.keys()
    return replace(one, words=one.words - moved, names=one.names | {named[word] for word in moved})
