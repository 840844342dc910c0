"""Whether a regular expression may take longer than linear in the text it is tried on, by its structure alone.

Python's matcher tries one way after another. It is slow where a run of text can be read in many ways before all of them
fail: by a loop that a search enters anew at every place of the run (`a+b` in `aaa…`), by two loops that may share the
run (`a*a*b`), or by one loop that reads it in two ways (`(a|a)*b`, which is exponential). In each a word leads from one
place of the expression to itself, to another place, and from that one to itself: Weber and Seidl, "On the degree of
ambiguity of finite automata" (1991).

It errs to the safe side but for two things: a repeat of at most `MANY` is taken for a number of steps, of which two are
looked at, and what looks back at more than one character is taken to hold.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from re import _constants as code  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
from re import _parser as parser  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
from typing import Any, Final

MANY: Final = 400
"""Repeats beyond which a bound is none; those below it are a constant, and what that costs is measured."""
_COPIES: Final = 2
_SAMPLES: Final = "aZq5_ \n\t!\u00e9\u0301\u8a9e.\U0001f600"
_READ_BY: Final = int(re.IGNORECASE | re.DOTALL | re.ASCII)
_END: Final = -1
"""Stands for the character after the last."""

_Holds = Callable[[int, int], bool]
"""Whether something is so between two characters."""


@dataclass(frozen=True, slots=True, eq=False)
class _Check:
    """What must hold for a step that reads nothing: whether it may hold between two characters, and surely does."""

    may: _Holds
    surely: _Holds


def _exact(holds: _Holds) -> _Check:
    return _Check(may=holds, surely=holds)


@dataclass(slots=True, eq=False)
class _Place:
    """One place of an expression: it leads on without reading, or by reading one of some characters."""

    on: list[tuple["_Place", _Check | None]] = field(default_factory=list)
    reads: int | None = None
    """The characters, as bits."""
    then: "_Place | None" = None
    looks: bool = False
    """Whether it only looks ahead."""


class Expression:
    """An expression as an automaton; `searched` where it is looked for anywhere, `whole` where it must end the text."""

    def __init__(self, pattern: re.Pattern[Any], *, searched: bool = True, whole: bool = False) -> None:
        tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
        self._flags = tree.state.flags | (pattern.flags & ~re.DEBUG)
        self._signs = "".join(sorted({*_SAMPLES, *_literals(tree)}))
        self._sets: dict[tuple[Any, ...], int] = {}
        """By the part and the flags it is read by."""
        self._groups: dict[int, int] = {}
        self._all = (1 << len(self._signs)) - 1
        self._behind: list[int] = [1 << self._signs.index("\n")]
        """What is asked of a character once it was read."""
        self._words = self._bits(lambda sign: sign.isalnum() or sign == "_")
        self._accepted = _Place()
        self._at_end = _exact(lambda _, after: after == _END)
        end = _Place(on=[(self._accepted, self._at_end if whole else None)])
        self._leaves: list[_Place] = []
        self._steps: dict[_Place, list[tuple[_Place, tuple[_Check, ...]]]] = {}
        self._ahead: dict[_Place, frozenset[_Place]] = {}
        self._group: dict[_Place, int] = {}
        self._led_to: dict[_Place, int] = {}
        first = self._sequence(tree, end, self._flags, looks=False)
        self._merge()
        self._start = _Place(reads=self._all)
        self._start.then = _Place(on=[(self._start, None), (first, None)] if searched else [(first, None)])
        self._searched = searched
        self._sure: set[_Place] = set()

    # The automaton.

    def _bits(self, holds: Callable[[str], bool]) -> int:
        return sum(1 << at for at, sign in enumerate(self._signs) if holds(sign))

    def _sequence(self, parts: Iterable[Any], then: _Place, flags: int, *, looks: bool) -> _Place:
        for part in reversed(list(parts)):
            then = self._part(part, then, flags, looks=looks)
        return then

    def _part(self, part: Any, then: _Place, flags: int, *, looks: bool) -> _Place:
        kind, value = part
        if (reads := self._set_of(part, flags)) is not None:
            leaf = _Place(reads=reads, then=then, looks=looks)
            self._leaves.append(leaf)
            return leaf
        match kind:
            case code.BRANCH:
                return _Place(on=[(self._sequence(one, then, flags, looks=looks), None) for one in value[1]])
            case code.SUBPATTERN:
                group, add, remove, inner = value
                if group is not None and len(inner) == 1:
                    self._groups[group] = self._set_of(inner[0], flags) or self._all
                return self._sequence(inner, then, (flags | add) & ~remove, looks=looks)
            case code.ATOMIC_GROUP:
                return self._sequence(value, then, flags, looks=looks)
            case code.MAX_REPEAT | code.MIN_REPEAT | code.POSSESSIVE_REPEAT:
                return self._repeat(kind, value, then, flags, looks=looks)
            case code.ASSERT | code.ASSERT_NOT:
                return self._assertion(kind, value, then, flags)
            case code.AT:
                return _Place(on=[(then, self._position(value, flags))])
            case code.FAILURE:
                # What can't be: Python 3.13 reads `(?!)` so.
                return _Place(on=[])
            case code.GROUPREF_EXISTS:
                _, yes, no = value
                ways = [self._sequence(one, then, flags, looks=looks) for one in (yes, no or ())]
                return _Place(on=[(way, None) for way in ways])
            case _:
                raise NotImplementedError(f"{kind} is not known here")

    def _repeat(self, kind: Any, value: Any, then: _Place, flags: int, *, looks: bool) -> _Place:
        low, high, inner = value
        first = then
        if high > MANY:
            loop = _Place()
            # A loop that gives nothing back is left only where it can't go on.
            alone = self._set_of(inner[0], flags) if len(inner) == 1 and kind is code.POSSESSIVE_REPEAT else None
            left = None if alone is None else self._not_ahead(alone)
            loop.on = [(self._sequence(inner, loop, flags, looks=looks), None), (then, left)]
            first = loop
        else:
            for _ in range(min(high - low, _COPIES)):
                first = _Place(on=[(self._sequence(inner, first, flags, looks=looks), None), (then, None)])
        for _ in range(min(low, _COPIES)):
            first = self._sequence(inner, first, flags, looks=looks)
        return first

    def _not_ahead(self, reads: int) -> _Check:
        return _exact(lambda _, after: after == _END or not reads >> after & 1)

    def _assertion(self, kind: Any, value: Any, then: _Place, flags: int) -> _Place:
        way, inner = value
        wanted = kind is code.ASSERT
        if way < 0:
            alone = self._set_of(inner[0], flags) if len(inner) == 1 else None
            if alone is None:
                last = self._set_of(inner[-1], flags) if wanted and len(inner) else None
                self._behind += [] if last is None else [last]
                return _Place(
                    on=[
                        (
                            then,
                            _Check(
                                may=lambda before, _: last is None or bool(last >> before & 1),
                                surely=lambda _b, _a: False,
                            ),
                        )
                    ]
                )
            self._behind.append(alone)
            return _Place(on=[(then, _exact(lambda before, _: bool(alone >> before & 1) is wanted))])
        seen = _Place()
        first = self._sequence(inner, seen, flags, looks=True)
        ways = self._ways(_Place(reads=0, then=first), seen)
        done = {leaf for leaf, _ in ways if leaf is seen or (seen, ()) in self._ways(leaf, seen)}

        def reads(leaf: _Place, after: int) -> bool:
            return leaf is seen or (after != _END and bool((leaf.reads or 0) >> after & 1))

        def may(before: int, after: int) -> bool:
            return any(reads(leaf, after) and all(one.may(before, after) for one in checks) for leaf, checks in ways)

        def surely(before: int, after: int) -> bool:
            return any(
                leaf in done and reads(leaf, after) and all(one.surely(before, after) for one in checks)
                for leaf, checks in ways
            )

        check = (
            _Check(may=may, surely=surely)
            if wanted
            else _Check(
                may=lambda before, after: not surely(before, after), surely=lambda before, after: not may(before, after)
            )
        )
        looked = [(first, None)] if any(leaf not in done for leaf, _ in ways) else []
        return _Place(on=[*looked, (then, check)])

    def _position(self, value: Any, flags: int) -> _Check:
        """What holds within a text, where its beginning never is."""
        words, line = self._words, self._signs.index("\n")
        match value:
            case code.AT_BOUNDARY | code.AT_NON_BOUNDARY:
                edge = value is code.AT_BOUNDARY
                return _exact(
                    lambda before, after: (
                        (bool(words >> before & 1) is not (after != _END and bool(words >> after & 1))) is edge
                    )
                )
            case code.AT_BEGINNING if flags & re.MULTILINE:
                return _exact(lambda before, _: before == line)
            case code.AT_END if flags & re.MULTILINE:
                return _exact(lambda _, after: after in {_END, line})
            case code.AT_END | code.AT_END_STRING:
                return self._at_end
            case _:
                return _exact(lambda _before, _after: False)

    def _set_of(self, part: Any, flags: int) -> int | None:
        """The characters that a part which reads exactly one reads; none for other parts."""
        kind, value = part
        if kind is code.SUBPATTERN and len(value[3]) == 1:
            return None if value[0] is not None else self._set_of(value[3][0], (flags | value[1]) & ~value[2])
        if kind is code.GROUPREF:
            return self._groups.get(value, self._all)
        if kind is code.BRANCH:
            sets = [self._set_of(one[0], flags) if len(one) == 1 else None for one in value[1]]
            return None if None in sets else _joined(each for each in sets if each is not None)
        if kind not in {code.LITERAL, code.NOT_LITERAL, code.ANY, code.IN, code.CATEGORY, code.RANGE}:
            return None
        key = kind, tuple(value) if isinstance(value, list) else value, int(flags) & _READ_BY
        if key not in self._sets:
            self._sets[key] = self._bits(lambda sign: _reads(part, sign, flags))
        return self._sets[key]

    def _merge(self) -> None:
        """Of characters that no part tells apart only the first is tried."""
        line = 1 << self._signs.index("\n")
        sets = {self._words, line, *self._sets.values()}
        kinds: dict[tuple[int, ...], int] = {}
        for at in range(len(self._signs)):
            kinds.setdefault(tuple(each >> at & 1 for each in sets), at)
        self._all = _joined(1 << at for at in kinds.values())
        for leaf in self._leaves:
            leaf.reads = (leaf.reads or 0) & self._all
        read: dict[tuple[int, ...], int] = {}
        behind = [self._words, *self._behind]
        self._like = {at: read.setdefault(tuple(each >> at & 1 for each in behind), at) for at in _ones(self._all)}
        """For every character the first that is the same once it was read."""

    # What is asked of it.

    def _next(self, leaf: _Place, before: int, after: int) -> Iterator[_Place]:
        """What may read the character `after` once the leaf has read `before`."""
        for other, checks in self._ways(leaf):
            if (
                other.reads is not None
                and other.reads >> after & 1
                and all(check.may(before, after) for check in checks)
            ):
                yield other

    def _ways(self, leaf: _Place, end: _Place | None = None) -> list[tuple[_Place, tuple[_Check, ...]]]:
        """The leaves that may come next, and the end, each with what must hold for it."""
        end = end or self._accepted
        if leaf not in self._steps or end is not self._accepted:
            assert leaf.then is not None
            found: list[tuple[_Place, tuple[_Check, ...]]] = []
            seen: set[tuple[_Place, tuple[_Check, ...]]] = set()
            waiting: list[tuple[_Place, tuple[_Check, ...]]] = [(leaf.then, ())]
            while waiting:
                place, checks = one = waiting.pop()
                if one in seen:
                    continue
                seen.add(one)
                if place.reads is not None or place is end:
                    found.append(one)
                waiting += [
                    (on, (*checks, check) if check and check not in checks else checks) for on, check in place.on
                ]
            if end is not self._accepted:
                return found
            self._steps[leaf] = found
        return self._steps[leaf]

    def trouble(self) -> str:
        """Why it may take longer than linear; empty where it may not."""
        # Where a loop may end after a part of it, what fails beyond that part is given back, and the rest stands.
        wholes = self._loops()
        known = -1
        while known < len(self._sure):
            # What leads into a loop that ends well ends well itself.
            known = len(self._sure)
            self._sure |= {leaf for whole in wholes for leaf in whole if not self._can_fail(leaf, whole)}
        failing = [loop for whole in wholes for loop in self._loops_in(whole - self._sure)]
        for loop in failing:
            leaf = min(loop, key=self._leaves.index)
            if self._leads(leaf, leaf, loop, loop, apart=True):
                return f"a loop reads {self._shown(leaf)} in two ways"
            if self._searched and self._leads(self._start, leaf, loop, None):
                return f"a search enters a loop of {self._shown(leaf)} anew at each of its places"
            for other in failing:
                if other is not loop and any(self._leads(start, leaf, loop, other) for start in other):
                    return f"two loops may share what is {self._shown(leaf)}"
        return ""

    def _shown(self, leaf: _Place) -> str:
        assert leaf.reads is not None
        return repr("".join(sign for at, sign in enumerate(self._signs) if leaf.reads >> at & 1)[:12])

    def _can_fail(self, leaf: _Place, loop: frozenset[_Place]) -> bool:
        """Whether the matcher may stand behind the leaf with no way on."""
        if leaf.looks:
            return True
        assert leaf.reads is not None
        # A loop of one character goes on as long as it can; it needs a way out only where it can't.
        goes_on = leaf.reads if len(loop) == 1 else 0
        return not all(
            self._is_sure(leaf, before, after)
            for before in _ones(leaf.reads)
            for after in (*_ones(self._all & ~goes_on), _END)
        )

    def _is_sure(self, leaf: _Place, before: int, after: int, *, more: int = 2) -> bool:
        """Whether the expression ends well from behind the leaf, whatever comes beyond `after`."""
        for place, checks in self._ways(leaf):
            if not all(check.surely(before, after) for check in checks):
                continue
            if place is self._accepted:
                return True
            if after == _END or not (place.reads or 0) >> after & 1 or place.looks:
                continue
            if place in self._sure or (
                more and all(self._is_sure(place, after, beyond, more=more - 1) for beyond in (*_ones(self._all), _END))
            ):
                return True
        return False

    def _loops(self) -> list[frozenset[_Place]]:
        """The leaves that lead back to themselves, with those that they lead to and that lead to them."""
        return self._loops_in({self._start, *self._leaves})

    def _loops_in(self, leaves: AbstractSet[_Place]) -> list[frozenset[_Place]]:
        ahead = {leaf: self._ahead_of(leaf) & leaves for leaf in leaves}
        groups = map(frozenset, _strongly_joined(list(leaves), ahead))
        return [
            group
            for group in groups
            if self._start not in group and (len(group) > 1 or any(leaf in ahead[leaf] for leaf in group))
        ]

    def _leads(
        self,
        start: _Place,
        goal: _Place,
        loop: frozenset[_Place],
        around: frozenset[_Place] | None,
        *,
        apart: bool = False,
    ) -> bool:
        """Whether a word leads from the start to itself and to the goal, and from the goal to itself.

        The search stays at its start by itself (`around` is None). With `apart` start and goal are one, and the word
        leads it to itself in two ways.
        """
        assert start.reads is not None
        assert goal.reads is not None
        useful = self._useful(start, goal, loop)
        if not useful:
            return False
        return any(
            self._leads_by(sign, start, goal, loop, around, useful, apart=apart)
            for sign in {self._like[at] for at in _ones(start.reads & goal.reads)}
        )

    def _useful(self, start: _Place, goal: _Place, loop: frozenset[_Place]) -> set[tuple[_Place, _Place]]:
        """Pairs on a way from (start, goal) to (goal, goal) by the same characters, whatever must hold between."""
        if not self._leads_to(start) & self._group[goal]:
            return set()
        before: dict[tuple[_Place, _Place], list[tuple[_Place, _Place]]] = {}
        waiting = [(start, goal)]
        seen = {(start, goal)}
        while waiting:
            walker, last = pair = waiting.pop()
            lasts = self._ahead_of(last) & loop
            for place in self._ahead_of(walker) if lasts else ():
                if not self._leads_to(place) & self._group[goal]:
                    continue
                for other in lasts:
                    if (place.reads or 0) & (other.reads or 0):
                        new = (place, other)
                        before.setdefault(new, []).append(pair)
                        if new not in seen:
                            seen.add(new)
                            waiting.append(new)
        found: set[tuple[_Place, _Place]] = set()
        back = [(goal, goal)] if (goal, goal) in before else []
        while back:
            pair = back.pop()
            if pair not in found:
                found.add(pair)
                back += before.get(pair, ())
        return found

    def _ahead_of(self, leaf: _Place) -> frozenset[_Place]:
        """The leaves that may come next, whatever must hold for it."""
        if leaf not in self._ahead:
            self._ahead[leaf] = frozenset(place for place, _ in self._ways(leaf) if place.reads is not None)
        return self._ahead[leaf]

    def _leads_to(self, leaf: _Place) -> int:
        """The groups of leaves that a leaf leads to, each by its bit, whatever must hold between."""
        if not self._led_to:
            leaves = [self._start, *self._leaves]
            # Each group comes after those that it leads to.
            for at, group in enumerate(_strongly_joined(leaves, {one: self._ahead_of(one) for one in leaves})):
                self._group.update(dict.fromkeys(group, 1 << at))
                ahead = frozenset[_Place]().union(*map(self._ahead_of, group))
                led = _joined(self._group[place] | self._led_to.get(place, 0) for place in ahead)
                self._led_to.update(dict.fromkeys(group, led))
        return self._led_to[leaf]

    def _leads_by(
        self,
        sign: int,
        start: _Place,
        goal: _Place,
        loop: frozenset[_Place],
        around: frozenset[_Place] | None,
        useful: set[tuple[_Place, _Place]],
        *,
        apart: bool,
    ) -> bool:
        """The same by a word that ends on that character, as it is to follow itself."""
        stays = None if around is None or apart else start
        waiting: list[tuple[_Place | None, _Place, _Place, int, bool]] = [(stays, start, goal, sign, False)]
        seen = {*waiting}
        while waiting:
            one, walker, last, before, parted = waiting.pop()
            for after in _ones(_joined(place.reads or 0 for place, _ in self._ways(last) if place in loop)):
                ends = [place for place in self._next(last, before, after) if place in loop]
                walkers = list(self._next(walker, before, after)) if ends else []
                ones: list[_Place | None] = [None]
                if walkers and one is not None and around is not None:
                    ones = [place for place in self._next(one, before, after) if place in around]
                for new_walker, new_last in itertools.product(walkers, ends):
                    if (new_walker, new_last) not in useful or (apart and new_walker not in loop):
                        continue
                    gone = parted or (apart and new_walker is not new_last)
                    for new_one in ones:
                        new = (new_one, new_walker, new_last, self._like[after], gone)
                        if new[:4] == (stays, goal, goal, sign) and (gone or not apart):
                            return True
                        if new not in seen:
                            seen.add(new)
                            waiting.append(new)
        return False


def trouble(pattern: re.Pattern[Any], *, searched: bool = True, whole: bool = False) -> str:
    """Why the expression may take longer than linear; empty where it may not."""
    return Expression(pattern, searched=searched, whole=whole).trouble()


def _joined(sets: Iterable[int]) -> int:
    found = 0
    for each in sets:
        found |= each
    return found


def _ones(bits: int) -> Iterator[int]:
    at = 0
    while bits:
        if bits & 1:
            yield at
        bits >>= 1
        at += 1


def _literals(tree: Any) -> Iterator[str]:
    """The characters an expression names, with those beside its ranges."""
    for kind, value in tree:
        if kind in {code.LITERAL, code.NOT_LITERAL}:
            yield chr(value)
        elif kind is code.RANGE:
            yield from (chr(at) for at in (value[0] - 1, value[0], value[1], value[1] + 1) if 0 <= at < 0x110000)
        else:
            for part in value if isinstance(value, tuple | list) else (value,):
                if isinstance(part, parser.SubPattern):
                    yield from _literals(part)
                elif isinstance(part, list):
                    for each in part:
                        yield from _literals(each if isinstance(each, parser.SubPattern) else [each])
                elif kind is code.IN:
                    yield from _literals([part])


def _reads(part: Any, sign: str, flags: int) -> bool:
    kind, value = part
    forms = {sign, sign.lower(), sign.upper()} if flags & re.IGNORECASE else {sign}
    match kind:
        case code.LITERAL:
            return any(len(form) == 1 and ord(form) == value for form in forms)
        case code.NOT_LITERAL:
            return not any(len(form) == 1 and ord(form) == value for form in forms)
        case code.RANGE:
            return any(len(form) == 1 and value[0] <= ord(form) <= value[1] for form in forms)
        case code.ANY:
            return bool(flags & re.DOTALL) or sign != "\n"
        case code.CATEGORY:
            return _CATEGORIES[value](sign)
        case _:
            negated = bool(value) and value[0][0] is code.NEGATE
            return any(_reads(each, sign, flags) for each in value[negated:]) is not negated


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


_CATEGORIES: Final[dict[Any, Callable[[str], bool]]] = {
    code.CATEGORY_DIGIT: str.isdecimal,
    code.CATEGORY_NOT_DIGIT: lambda sign: not sign.isdecimal(),
    code.CATEGORY_SPACE: str.isspace,
    code.CATEGORY_NOT_SPACE: lambda sign: not sign.isspace(),
    code.CATEGORY_WORD: _is_word,
    code.CATEGORY_NOT_WORD: lambda sign: not _is_word(sign),
}


def _strongly_joined(places: list[_Place], ahead: dict[_Place, frozenset[_Place]]) -> list[list[_Place]]:
    """Groups of places each of which leads to every other: Tarjan's algorithm, without recursion."""
    index: dict[_Place, int] = {}
    low: dict[_Place, int] = {}
    stack: list[_Place] = []
    on_stack: set[_Place] = set()
    found: list[list[_Place]] = []
    for root in places:
        if root in index:
            continue
        walk = [(root, iter(ahead[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while walk:
            place, rest = walk[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    walk.append((other, iter(ahead[other])))
                    break
                if other in on_stack:
                    low[place] = min(low[place], index[other])
            else:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[place])
                if low[place] == index[place]:
                    group: list[_Place] = []
                    while not group or group[-1] is not place:
                        group.append(stack.pop())
                        on_stack.discard(group[-1])
                    found.append(group)
    return found
