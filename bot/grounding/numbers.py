"""Reads numbers and their units, and checks that an answer's numbers were shown or follow by arithmetic."""

import bisect
import itertools
import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from bot.grounding import number_words, texts, vocabulary
from bot.text import patterns

_CURRENCY: Final = "$\u20ac\u00a3"
_NUMBER: Final = re.compile(
    rf"(?<![\w.,/])(?<![a-z]-)(?P<currency>[{_CURRENCY}] ?)?"
    r"(?P<digits>\d{1,3}(?: (?=\d{3}(?![\d.,]))\d{3})+|\d+(?:[.,']\d+)*)"
    r"(?P<ordinal>(?:st|nd|rd|th|er|eme|e|\u00ba|\u00aa)\b)?"
    rf"(?:[ -]?(?P<magnitude>{patterns.any_of(number_words.MAGNITUDES)})\b)?"
    rf"(?:[ -]?(?P<unit>[%\u00b0{_CURRENCY}]|[a-z]+))?"
)
_WORD: Final = re.compile(r"[a-z]+")
_LOOSE: Final = re.compile(
    r"\d(?:(?<=[^\W\d]\d)|(?<=[#/]\d)|(?<=[^\W\d]-\d)|(?P<begins>))\d*(?:\.\d+)*(?:(?=[_/]|-?[^\W\d])|(?P<ends>))"
)
"""Digits; where they both begin and end, they are no part of a word, a path or a name."""
_ARTICLED: Final = re.compile(number_words.ARTICLED)
_SPELT_OUT: Final = tuple((re.compile(one), other) for one, other in number_words.SPELT_OUT)
_MAY_BE_SPELT: Final = re.compile(r"hal[bf]|quart|hour|stunde|heure|hora|cuarto|cent|ciento|fortnight|eineinhalb")
_TOTAL: Final = re.compile(vocabulary.TOTALS)
_DIFFERENCE: Final = re.compile(vocabulary.DIFFERENCES)
_PERCENT: Final = number_words.UNITS["percent"]
_PERIOD: Final = re.compile(
    r"\b(?:(?:an?|per|every|each|pro|jede[nrs]?|im|par|al|por|cada|chaque) |(?<=\d)/)"
    rf"(?P<unit>{'|'.join(one for one in number_words.PERIODS if not one.endswith(('ly', 'lich')))})\b"
    r"(?! (?:ago|later|from|long|off|and))"
    rf"|\b(?P<adverb>{'|'.join(one for one in number_words.PERIODS if one.endswith(('ly', 'lich')))})\b"
)
_MOST_PARTS: Final = 3
_MOST_SUMMED: Final = 4
_MOST_EACH: Final = 8
"""Numbers of one evidence that are reckoned with."""
_STARTS: Final = (
    frozenset(phrase.split()[0] for table in number_words.WORDS.values() for phrase in table)
    | number_words.ORDINALS.keys()
)
"""Words numbers begin with."""
_UNMISTAKABLE: Final = {
    name: {word: value for word, value in table.items() if word not in number_words.ALSO_WORDS}
    for name, table in number_words.WORDS.items()
}
_LONGEST_PHRASE: Final = 3
"""Words of a number: `treinta y siete`."""


class Quantity(NamedTuple):
    """One number with its unit; a tuple, as a text may have hundreds."""

    text: str
    """As it was written, folded."""
    values: frozenset[float]
    """What it may mean: `1.200` is one and a fifth, or one thousand two hundred."""
    unit: tuple[str, float] | None = None
    follows: str = ""
    """The word after it."""
    is_version: bool = False
    is_ordinal: bool = False
    """In digits: `18th`."""
    is_loose: bool = False
    """Whether it is part of a name: `3B`."""


def spelt_out(text: str) -> str:
    """A folded text with lengths of time that are said in words as numbers: `half an hour` as `30 minutes`."""
    if _MAY_BE_SPELT.search(text):
        for pattern, number in _SPELT_OUT:
            text = pattern.sub(number, text)
    return text


def quantities(text: str, languages: Sequence[str], *, is_evidence: bool = False) -> tuple[Quantity, ...]:
    """The numbers of a folded text, in digits and in words; of other languages than these only what is no other word.

    Of evidence also an article before a unit, and the digits inside of names, so that `PR-12` lets `PR 12` pass.
    """
    text = spelt_out(text)
    if is_evidence:
        text = _ARTICLED.sub("1 ", text)
    found = list(_spoken(text, languages))
    if is_evidence:
        found += (
            Quantity(text=one[0], values=_values(one[0]), is_loose=True)
            for one in _LOOSE.finditer(text)
            if one["begins"] is None or one["ends"] is None
        )
    return tuple(found)


def has_any(text: str, languages: Sequence[str]) -> bool:
    """Whether `quantities` would find any; quicker."""
    return any(True for _one in _spoken(spelt_out(text), languages))


def periods(text: str) -> frozenset[str]:
    """What numbers of a folded text are counted by: a month, a person, every night."""
    found = (one["unit"] or one["adverb"] for one in _PERIOD.finditer(text))
    return frozenset(number_words.PERIODS[unit] for unit in found)


class ShownNumbers:
    """The numbers of the evidence, sorted for look-up."""

    def __init__(self, shown: Sequence[Quantity]) -> None:
        self._shown = shown
        self._values = sorted(value for one in shown for value in one.values)
        self._bare = sorted(value for one in shown if not one.unit for value in one.values)
        measured: dict[str, list[float]] = {}
        for one in shown:
            if one.unit:
                measured.setdefault(one.unit[0], []).extend(value * one.unit[1] for value in one.values)
        self._measured = {kind: sorted(values) for kind, values in measured.items()}
        self._versions = {one.text for one in shown if one.is_version}
        self._begun = {part for version in self._versions for part in _beginnings(version)}
        self._groups: dict[str, ShownNumbers | None] = {}

    def has(self, one: Quantity) -> bool:
        """Whether a number is among them, in its own unit or in another of the same kind."""
        if one.is_version and (one.text in self._begun or not self._versions.isdisjoint(_beginnings(one.text))):
            return True
        if not one.unit:
            return any(_is_near(value, self._values) for value in one.values)
        kind, factor = one.unit
        measured = self._measured.get(kind, ())
        return any(_is_near(value * factor, measured, 1e-6) or _is_near(value, self._bare) for value in one.values)

    def alike(self, one: Quantity) -> "ShownNumbers | None":
        """Those of them that count the same thing as a number does; None where there are none."""
        if one.unit:
            return self._group(f" {one.unit[0]}")
        if not one.follows or one.follows in vocabulary.ALL_FUNCTION or one.follows in vocabulary.META:
            return None
        return self._group(texts.stem(one.follows))

    def _group(self, key: str) -> "ShownNumbers | None":
        """Those with a unit of a kind, a blank before it, or with a stem after them; read once for all who ask."""
        if key not in self._groups:
            if key[0] == " ":
                same = [one for one in self._shown if one.unit and one.unit[0] == key[1:]]
            else:
                same = [one for one in self._shown if one.follows and texts.stem(one.follows) == key]
            self._groups[key] = ShownNumbers(same) if same else None
        return self._groups[key]


def is_moved(one: Quantity, told: Iterable[ShownNumbers]) -> bool:
    """Whether the evidence counts the same thing with another number: 27 chairs, not 14."""
    same = [alike for each in told if (alike := each.alike(one))]
    return bool(same) and not any(each.has(one) for each in same)


def reckoned(text: str, shown: Sequence[Sequence[Quantity]], *, is_halved: bool) -> tuple[float, ...]:
    """The sums, differences and shares of shown numbers that the text announces in words.

    Called a total: the sum of a number of each evidence, or of all numbers of one. Called more or less: the difference
    of two. Where halves or percents were spoken of: that share of another number.
    """
    plain = [[value for each in group for value in each.values][:_MOST_EACH] for group in shown]
    every = [value for group in plain for value in group][: _MOST_EACH * 2]
    found: set[float] = set()
    is_several = len(every) > 1
    if is_several and _TOTAL.search(text):
        found |= {sum(group) for group in plain if len(group) > 1}
        for size in range(2, min(_MOST_SUMMED, len(plain)) + 1):
            for groups in itertools.combinations(plain[:_MOST_SUMMED], size):
                found |= {sum(each) for each in itertools.product(*groups)}
    if is_several and _DIFFERENCE.search(text):
        found |= {abs(value - other) for value, other in itertools.combinations(every, 2)}
    shares = [value / 100 for group in shown for each in group if each.unit == _PERCENT for value in each.values]
    for share in (*shares, *([0.5] if is_halved else [])):
        found |= {value * share for value in every}
    return tuple(sorted(value for value in found if not math.isnan(value)))


def is_reckoned(one: Quantity, reckoned: Sequence[float]) -> bool:
    """Whether a number is among those reckoned."""
    return any(_is_near(value, reckoned) for value in one.values)


def is_count(one: Quantity, counts: Collection[int], *, listed: int) -> bool:
    """Whether a number counts what the answer itself lists: "two things", "there are two:", or items of a list."""
    is_meta = not one.follows or one.follows in vocabulary.META
    return (is_meta and any(value in counts for value in one.values)) or (listed > 1 and listed in one.values)


def _spoken(text: str, languages: Sequence[str]) -> Iterator[Quantity]:
    yield from _in_digits(text)
    yield from _in_words(text, languages)


def _in_digits(text: str) -> Iterator[Quantity]:
    for found in _NUMBER.finditer(text):
        currency, digits, ordinal, magnitude, unit = found.groups("")
        values = _values(digits)
        if magnitude:
            values = frozenset(value * number_words.MAGNITUDES[magnitude] for value in values)
        yield Quantity(
            text=digits + ordinal,
            values=values,
            unit=number_words.UNITS.get(currency.strip()) or number_words.UNITS.get(unit),
            follows=unit,
            is_version="." in digits,
            is_ordinal=bool(ordinal),
        )


def _in_words(text: str, languages: Sequence[str]) -> Iterator[Quantity]:
    if _STARTS.isdisjoint(_WORD.findall(text)):
        return
    tables = [table if name in languages else _UNMISTAKABLE[name] for name, table in number_words.WORDS.items()]
    tokens = list(_WORD.finditer(text))
    end = 0
    for at in [at for at, token in enumerate(tokens) if token[0] in _STARTS]:
        length, value = _phrase(tokens, at, text, tables) if at >= end else (0, 0)
        if not length:
            continue
        length, value = _compound(tokens, at, length, value, text, tables)
        following = _after(tokens, at + length, text)
        if not (tokens[at][0] in number_words.ORDINALS and following in _NO_PLACES):
            yield Quantity(
                text=text[tokens[at].start() : tokens[at + length - 1].end()],
                values=frozenset({float(value)}),
                unit=number_words.UNITS.get(following),
                follows=following,
            )
        end = at + length


def _compound(
    tokens: Sequence[re.Match[str]], at: int, length: int, value: float, text: str, tables: Sequence[dict[str, int]]
) -> tuple[int, float]:
    """The whole of a number that is said in parts, as "four hundred and fifty": how many words, and which."""
    for _part in range(_MOST_PARTS):
        factor = number_words.MAGNITUDES.get(_after(tokens, at + length, text), 0.0)
        if factor <= value or not factor:
            return length, value
        value, length = value * factor, length + 1
        skipped = 1 if _after(tokens, at + length, text) == "and" else 0
        start = at + length + skipped
        if start < len(tokens) and _after(tokens, start, text) in _STARTS:
            more, rest = _phrase(tokens, start, text, tables)
            if rest < factor:
                value, length = value + rest, length + skipped + more
    return length, value


def _after(tokens: Sequence[re.Match[str]], at: int, text: str) -> str:
    """The word right after a number, a blank or a hyphen between them; empty where there is none."""
    if at >= len(tokens):
        return ""
    return tokens[at][0] if text[tokens[at - 1].end() : tokens[at].start()] in {" ", "-"} else ""


_NO_PLACES: Final = frozenset({"half", "one", "thing", "thought", "part"})
"""What "second" before it counts nothing that was shown."""


def _phrase(tokens: Sequence[re.Match[str]], at: int, text: str, tables: Sequence[dict[str, int]]) -> tuple[int, float]:
    """How many words from here on are one number, and which; none for most words."""
    for length in range(min(_LONGEST_PHRASE, len(tokens) - at), 0, -1):
        parts = tokens[at : at + length]
        joined = text[parts[0].start() : parts[-1].end()]
        phrase = " ".join(part[0] for part in parts)
        if length > 1 and len(joined) != len(phrase):
            continue
        for table in tables:
            if phrase in table:
                return length, table[phrase]
    word = tokens[at][0]
    if word in number_words.ORDINALS and text[tokens[at].end() : tokens[at].end() + 1] != ",":
        return 1, number_words.ORDINALS[word]
    return 0, 0


def _values(digits: str) -> frozenset[float]:
    """What digits may mean, as points and commas are used both ways."""
    if digits.isdecimal():
        return frozenset({float(digits)})
    digits = digits.replace(" ", "").replace("'", "")
    marks = [mark for mark in digits if mark in ".,"]
    if not marks:
        return frozenset({float(digits)})
    groups = re.split(r"[.,]", digits)
    values: set[float] = set()
    if all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3:
        values.add(float("".join(groups)))
    if len(marks) == 1 or (marks[-1] not in marks[:-1] and all(len(group) == 3 for group in groups[1:-1])):
        values.add(float(f"{''.join(groups[:-1])}.{groups[-1]}"))
    return frozenset(values)


def _beginnings(version: str) -> list[str]:
    """A version and what it begins with: `3.11.2`, `3.11`, `3`."""
    parts = version.split(".")
    return [".".join(parts[:end]) for end in range(len(parts), 0, -1)]


def _is_near(value: float, ordered: Sequence[float], by: float = 1e-9) -> bool:
    """Whether one of some numbers in order is the same, but for what reckoning loses."""
    if not ordered:
        return False
    at = bisect.bisect_left(ordered, value)
    if at < len(ordered) and math.isclose(value, ordered[at], rel_tol=by):
        return True
    return at > 0 and math.isclose(value, ordered[at - 1], rel_tol=by)
