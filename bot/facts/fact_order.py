"""Holds the builds of two facts against each other: what stands where, and which small words before it; pure."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.facts import fact_reading, fact_words
from bot.facts.fact_reading import NAME, OWNS, SMALL, WORD, FactReading, Part
from bot.facts.fact_values import LABELLED, LETTER

_LONGEST: Final = 2
"""Parts of a place in which two texts of one build may differ."""
_LINKS: Final = fact_words.LINKS | {OWNS}
_OWNERS: Final = frozenset((SMALL, word) for word in fact_words.OWNERS)
_ATTRIBUTES: Final = frozenset(fact_reading.meaning(word) for word in fact_words.ATTRIBUTES | fact_words.ROLES)
_NO_PLACES: Final = frozenset(fact_reading.meaning(word) for word in fact_words.NO_PLACES)
_DOERS: Final = frozenset({"by", "of"})
_BEING: Final = frozenset({(SMALL, "be"), (SMALL, "was")})
_Sides = Mapping[str, frozenset[tuple[int, int]]]


def _sides(table: str) -> _Sides:
    """On which side of which line each word stands."""
    found: dict[str, frozenset[tuple[int, int]]] = {}
    for line, choices in enumerate(table.strip().splitlines()):
        for side, words in enumerate(choices.split("/")):
            for word in words.split():
                found[word] = found.get(word, frozenset()) | {(line, side)}
    return found


_ANYWHERE: Final = _sides(fact_words.OPPOSITES)
_TENSES: Final = _sides(fact_words.TENSES)
_WAYS: Final = _sides(fact_words.WAYS)
_POSITIONS: Final = _sides(fact_words.POSITIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The one place in which two texts of one build differ."""

    old: tuple[Part, ...]
    new: tuple[Part, ...]
    before: tuple[Part, ...]
    after: tuple[Part, ...]
    is_of_thing: bool
    """Whether they begin with a thing, and not with somebody."""

    @property
    def is_name(self) -> bool:
        """Whether a name stands there."""
        return any(sort == NAME for sort, _ in (*self.old, *self.new))

    @property
    def is_opposite(self) -> bool:
        """Whether a small word stands there against its opposite."""
        (old, *more), (new, *others) = self.old, self.new
        if more or others or (old[0], new[0]) != (SMALL, SMALL):
            return False
        return _exclude(_ANYWHERE, old[1], new[1]) or (self._follows_verb and _exclude(_POSITIONS, old[1], new[1]))

    def is_of_one(self, *, changed: bool) -> bool:
        """Whether a word or name stands there of which a thing has one: what it is called, where it is."""
        if any(sort not in {NAME, WORD} or text in _NO_PLACES for sort, text in (*self.old, *self.new)):
            return False
        if not self.before:
            return self.is_name and any(text in fact_words.ROLES for _, text in self.after)
        small = self._small_before
        if not fact_words.USES.isdisjoint(small):
            return changed or (self.is_name and self.is_of_thing)
        *others, last = small or [""]
        if last in fact_words.PLACES:
            return not fact_words.STATES.isdisjoint(others) or (others == ["be"] and self.is_of_thing)
        if last == "be":
            return not self.after and any(text in _ATTRIBUTES for _, text in self.before)
        return last in fact_words.CALLED

    @property
    def is_of_place(self) -> bool:
        """Whether each says where a thing is, by small words of its own: "under the mat", "in the drawer"."""
        verb = self._small_before[-1:]
        return (
            self.is_of_thing
            and not self.after
            and bool(verb)
            and verb[0] in {"be", *fact_words.STATES}
            and all(map(_is_place, (self.old, self.new)))
        )

    @property
    def is_of_many(self) -> bool:
        """Whether a name stands there right behind a word, which may hold of others as well: "Ann met Bob"."""
        return self.is_name and bool(self.before) and self.before[-1][0] == WORD

    @property
    def is_value(self) -> bool:
        """Whether a value stands there, and what both say besides is more than pronouns and forms of "be"."""
        rest = (*self.before, *self.after)
        return all(sort not in {NAME, WORD, SMALL} for sort, _ in (*self.old, *self.new)) and (
            any(sort != SMALL or text in fact_words.TELLING_VERBS for sort, text in rest)
        )

    @property
    def _small_before(self) -> list[str]:
        """The small words right before it."""
        found: list[str] = []
        for sort, text in reversed(self.before):
            if sort != SMALL:
                break
            found.insert(0, text)
        return found

    @property
    def _follows_verb(self) -> bool:
        return any(map(_is_verb, self.before))


def _is_place(told: tuple[Part, ...]) -> bool:
    (_, small), *where = told
    return small in fact_words.WHERE and [sort in {NAME, WORD} and text not in _NO_PLACES for sort, text in where] == [
        True
    ]


def difference(old: FactReading, new: FactReading) -> Difference | None:
    """Where two texts differ that say the same word for word besides, if they do."""
    one, other = old.frame, new.frame
    least = min(len(one), len(other))
    first = next((place for place in range(least) if one[place] != other[place]), least)
    last = next((place for place in range(least - first) if one[-1 - place] != other[-1 - place]), least - first)
    here, there = one[first : len(one) - last], other[first : len(other) - last]
    if not (0 < len(here) <= _LONGEST and 0 < len(there) <= _LONGEST):
        return None
    before, after = one[:first], one[len(one) - last :]
    is_of_thing = not old.may_be_named and bool(before) and (before[0][0] not in {NAME, SMALL} or before[0] in _OWNERS)
    return Difference(old=here, new=there, before=before, after=after, is_of_thing=is_of_thing)


def places(one: FactReading, names: frozenset[str]) -> int:
    """In how many places names of these stand: "Ann Lee" is one."""
    standing = [sort == NAME and text in names for sort, text in one.frame]
    return sum(here and not before for before, here in zip([False, *standing], standing, strict=False))


def have_other_verbs(old: FactReading, new: FactReading) -> bool:
    """Whether each has a small verb of its own that tells more than that something is, or has been made so."""
    here, there = (fact_words.TELLING_VERBS.intersection(_small(each)) for each in (old, new))
    return bool(here - there and there - here)


def qualifies(old: FactReading, new: FactReading) -> bool:
    """Whether a value or name of one alone begins it or stands before its verb, and so says what it is told of.

    Whose role a text tells of may begin it.
    """
    if old.frame[:1] != new.frame[:1] and not fact_words.ROLES.isdisjoint(old.words & new.words):
        return False
    return _qualifies(old, new) or _qualifies(new, old)


def _qualifies(one: FactReading, other: FactReading) -> bool:
    own = {part for part in one.frame if part[0] not in {SMALL, WORD}}.difference(other.frame)
    places = [place for place, part in enumerate(one.frame) if part in own]
    if not places:
        return False
    before, after = one.frame[: places[0]], one.frame[places[-1] + 1 :]
    if any(map(_is_verb, after)):
        return True
    # Behind a verb that is not small, or it begins the text.
    return not any(map(_is_verb, before)) and (
        all(sort == SMALL for sort, _ in before) or any(sort == WORD for sort, _ in after)
    )


def are_of_other_numbers(old: FactReading, new: FactReading) -> bool:
    """Whether a number or letter tells which of several things each is told of: "kiln 1 is broken", and kiln 2."""
    here, there = _number(old), _number(new)
    return here is not None and there is not None and here != there


def _number(one: FactReading) -> Part | None:
    """The number that says what is told of: behind the word it begins with, or before its verb."""
    before = ""
    for place, part in enumerate(one.frame[:-1]):
        if _is_verb(part):
            return None
        is_label = part[0].endswith(LABELLED) or (part[0] in {"number", LETTER} and before == WORD)
        after = one.frame[place + 1 :]
        if is_label and after[0][0] != "unit" and (place <= 1 or any(map(_is_verb, after))):
            return part
        before = part[0]
    return None


def _is_verb(part: Part) -> bool:
    return part[0] == SMALL and part[1] in fact_words.VERBS


def are_opposed(old: FactReading, new: FactReading) -> bool:
    """Whether a small word stands in one whose opposite stands in the other in its place."""
    here, there = _small_before(old), _small_before(new)
    return _any_exclude(_ANYWHERE, _small(old), _small(new)) or any(
        _any_exclude(sides, here[part], there[part])
        for part in here.keys() & there.keys()
        for sides in (_WAYS, _POSITIONS)
    )


def are_of_other_times(old: FactReading, new: FactReading) -> bool:
    """Whether one tells how something is, and the other how it was."""
    return _any_exclude(_TENSES, _small(old), _small(new))


def _small(one: FactReading) -> Counter[str]:
    return Counter(text for sort, text in one.frame if sort == SMALL)


def _small_before(one: FactReading) -> dict[Part | None, Counter[str]]:
    """The small words before each other part, and at the end, where there are any."""
    found: dict[Part | None, Counter[str]] = {}
    small = list[str]()
    for part in (*one.frame, None):
        if part is not None and part[0] == SMALL:
            small.append(part[1])
        elif small:
            found.setdefault(part, Counter()).update(small)
            small.clear()
    return found


def _any_exclude(sides: _Sides, here: Counter[str], there: Counter[str]) -> bool:
    return any(_exclude(sides, one, other) for one in here - there for other in there - here)


def _exclude(sides: _Sides, one: str, other: str) -> bool:
    ours, theirs = sides.get(one, frozenset[tuple[int, int]]()), sides.get(other, frozenset[tuple[int, int]]())
    return any(line == line_of and side != side_of for line, side in ours for line_of, side_of in theirs)


def are_turned_round(old: FactReading, new: FactReading) -> bool:
    """Whether things that are related have changed places: "Ann beat Bob", and Bob Ann.

    Of two that changed places one must be told behind a small word that the other has not taken over: "the dog is fed
    by Ann" is Ann feeding the dog, "Ann is afraid of the dog" is not the dog being afraid of her. "Is" joins them
    either way.
    """
    ours, theirs = _roles(old), _roles(new)
    here, there = ([text for text in one if text in other] for one, other in ((ours, theirs), (theirs, ours)))
    if old.relates or new.relates:
        return here != there
    if here == there:
        return any(_is_agent(old, ours[text]) != _is_agent(new, theirs[text]) for text in here[1:])
    first_at, last_at = _places(new)
    return any(
        last_at[second] < first_at[first] and not _may_swap(ours[second], theirs[first])
        for number, second in enumerate(here)
        for first in here[:number]
        if not (old.lists and new.lists and {first, second} <= old.names & new.names)
    )


def _places(one: FactReading) -> tuple[dict[str, int], dict[str, int]]:
    """Where each name and word stands first, and last."""
    places = {text: place for place, text in enumerate(one.order)}
    return {text: place for place, text in reversed([*enumerate(one.order)])}, places


def _may_swap(second: frozenset[str], first: frozenset[str]) -> bool:
    return bool(second or first) and (second != first or second <= {"be", "was"})


def _roles(one: FactReading) -> dict[str, frozenset[str]]:
    """The names and words in order, each once, with the verbs and prepositions before it."""
    found: dict[str, frozenset[str]] = {}
    small, role, before = set[str](), frozenset[str](), ""
    for sort, text in one.frame:
        if sort == SMALL:
            small.add(text)
        elif sort in {NAME, WORD} and text not in one.writer:
            # "Ann Lee" is one.
            role = role if not small and sort == before == NAME else _LINKS.intersection(small)
            found.setdefault(text, role)
        if sort != SMALL and (sort, text) not in one.exclusive:
            small = set[str]()
        before = sort
    return found


def _is_agent(one: FactReading, role: frozenset[str]) -> bool:
    """Whether it is told who does it: "bitten by", "scared of"."""
    return not role.isdisjoint(_DOERS) and not _BEING.isdisjoint(one.frame)
