"""Chooses the part of a long text that speaks of a question: about 600 characters, in whole lines; no I/O."""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.recall.parsing import TOKEN
from bot.recall.query import Term
from bot.text import markdown, trigrams

LENGTH: Final = 600
"""Characters of a passage."""
MOST_ALIKE: Final = 2000
"""Words of all texts that are looked up, as they may be forms of a word that is asked for."""
_CUT: Final = "…"
_SIGN: Final = re.compile(r"[\W_]+")
_NOTHING: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """The position of a query word in a text."""

    start: int
    end: int
    word: str
    """As it is indexed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """The part of a text that best matches a query."""

    text: str
    held: frozenset[str] = frozenset()
    """The words it holds, as they are indexed."""


def alike(texts: Iterable[str], terms: Sequence[Term]) -> list[str]:
    """Words of the texts that may be forms of the query's; the index decides which are.

    Forms of a word begin alike; where a language also puts something before it, they hold its stem.
    """
    begin = tuple({trigrams.folded(term.token)[: trigrams.BEGINNING] for term in terms})
    stems = [stem for term in terms if len(stem := trigrams.folded(term.word)) >= trigrams.BEGINNING]
    if not begin:
        return []
    plainly = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, begin))})\w*(?:['.\-/]\w+)*")
    found: dict[str, None] = {}
    for text in texts:
        small = text.lower()
        if small.isascii():
            found |= dict.fromkeys(plainly.findall(small))
            found |= dict.fromkeys(word for stem in stems for word in _around(small, stem))
        else:
            words = dict.fromkeys(TOKEN.findall(small))
            found |= dict.fromkeys(word for word in words if _may_be(_parts(word), begin, stems))
    return [*itertools.islice(found, MOST_ALIKE)]


def spots(text: str, terms: Sequence[Term], forms: Mapping[str, Sequence[str]]) -> list[Spot]:
    """Where the words stand, in order; `forms` tells under which words the index has each word of the text."""
    wanted = {term.word for term in terms}
    small = text.lower()
    # The small letters of a few signs are more than one: then only words written small are found.
    where = small if len(small) == len(text) else text
    found = [
        Spot(start=at, end=at + len(token), word=word)
        for token, indexed in forms.items()
        if (hits := _hits(indexed, wanted, terms))
        for at in _standing(where, token)
        for word in hits
    ]
    # What is written without blanks is indexed by pairs of letters, which stand within a longer run.
    for term in terms:
        if trigrams.is_letter(term.word[:1]):
            found += [
                Spot(start=match.start(), end=match.end(), word=term.word)
                for match in re.finditer(re.escape(term.word), text)
            ]
    return sorted(found, key=lambda spot: (spot.start, spot.end, spot.word))


def best(text: str, found: Sequence[Spot], weights: Mapping[str, float]) -> Passage:
    """The passage whose words weigh most, the first of equals; the text's beginning where there is none."""
    if not found:
        return Passage(text=around(text, 0, 0))
    window = found[_window(found, weights)]
    start, end = window[0].start, max(spot.end for spot in window)
    return Passage(text=around(text, start, end), held=frozenset(spot.word for spot in window))


def best_rows(text: str, found: Sequence[Spot], weights: Mapping[str, float]) -> Passage:
    """The rows of a table whose words weigh most, with the heads of its columns; its beginning where no row has a word.

    Each row tells of something of its own: words of several, or of the heads alone, stand together by chance.
    """
    heads_end = _end_of_line(text, 0)
    rows: dict[int, set[str]] = {}
    for spot in found:
        if spot.start > heads_end:
            rows.setdefault(text.rfind("\n", 0, spot.start) + 1, set()).add(spot.word)
    if not rows:
        return Passage(text=around(text, 0, 0))
    most = max(rows.values(), key=lambda words: sum(weights.get(word, 0.0) for word in words))
    lines = [text[start : _end_of_line(text, start)] for start, words in rows.items() if words == most]
    told = [text[:heads_end]]
    for line in lines:
        if len(told) > 1 and sum(map(len, told)) + len(line) > LENGTH:
            break
        told.append(line[:LENGTH])
    heads = {spot.word for spot in found if spot.start <= heads_end}
    return Passage(text="\n".join(told), held=frozenset(most | heads))


def around(text: str, start: int, end: int) -> str:
    """What stands there with whole lines around it, as many as fit: one before, those after, then those before.

    A line that is too long by itself is cut between words, and marked.
    """
    first = text.rfind("\n", 0, start) + 1
    last = _end_of_line(text, end)
    if last - first > LENGTH:
        room = max(0, LENGTH - (end - start)) // 2
        first, last = _within(text, first, start, room), _within_end(text, end, last, room)
    # A heading is worth more than a line further on.
    first = _line_before(text, first, last)
    while (more := _line_after(text, first, last)) != last:
        last = more
    while (more := _line_before(text, first, last)) != first:
        first = more
    ahead = _CUT if first > 0 and text[first - 1] != "\n" else ""
    behind = _CUT if last < len(text) and text[last] != "\n" else ""
    return markdown.still_hidden(text, f"{ahead}{text[first:last].strip()}{behind}", _CUT)


def _window(found: Sequence[Spot], weights: Mapping[str, float]) -> slice:
    """Of the runs of spots that fit into one passage the one whose words weigh most together, the first of equals."""
    there: Counter[str] = Counter()
    weight = most = 0.0
    end, chosen = 0, slice(0, 1)
    for start, spot in enumerate(found):
        while end < len(found) and (end == start or found[end].end - spot.start <= LENGTH):
            word = found[end].word
            weight += 0.0 if there[word] else weights.get(word, 0.0)
            there[word] += 1
            end += 1
        # Not by what adding and taking away leaves of a sum.
        if weight > most + _NOTHING:
            most, chosen = weight, slice(start, end)
        there[spot.word] -= 1
        weight -= 0.0 if there[spot.word] else weights.get(spot.word, 0.0)
    return chosen


def _line_before(text: str, first: int, last: int) -> int:
    """Where the line before begins, if what is taken begins a line and there is room for one more."""
    if first == 0 or text[first - 1] != "\n":
        return first
    before = text.rfind("\n", 0, first - 1) + 1
    return before if last - before <= LENGTH else first


def _line_after(text: str, first: int, last: int) -> int:
    """Where the line after ends, if what is taken ends a line and there is room for one more."""
    if last == len(text) or text[last] != "\n":
        return last
    after = _end_of_line(text, last + 1)
    return after if after - first <= LENGTH else last


def _within(text: str, first: int, start: int, room: int) -> int:
    """The beginning of the line, or of a word in it that is so near."""
    if start - first <= room:
        return first
    blank = text.find(" ", start - room, start)
    return start - room if blank < 0 else blank + 1


def _within_end(text: str, end: int, last: int, room: int) -> int:
    """The end of the line, or of a word in it that is so near."""
    if last - end <= room:
        return last
    blank = text.rfind(" ", end, end + room)
    return end + room if blank < 0 else blank


def _end_of_line(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _hits(indexed: Sequence[str], wanted: set[str], terms: Sequence[Term]) -> list[str]:
    """The words asked for that a word of the text is a form of."""
    loose = [(term.word, trigrams.prefix(term.word)) for term in terms if term.is_loose]
    return [
        *wanted.intersection(indexed),
        *(word for word, start in loose if start and word not in indexed and any(w.startswith(start) for w in indexed)),
    ]


def _standing(text: str, token: str) -> Iterator[int]:
    """Where a word stands by itself."""
    at = text.find(token)
    while at >= 0:
        end = at + len(token)
        if not (_is_word(text[at - 1 : at]) or _is_word(text[end : end + 1])):
            yield at
        at = text.find(token, end)


def _around(text: str, stem: str) -> Iterator[str]:
    """The words that hold a stem."""
    at = text.find(stem)
    while at >= 0:
        end = at + len(stem)
        while at > 0 and _is_word(text[at - 1]):
            at -= 1
        while end < len(text) and _is_word(text[end]):
            end += 1
        yield text[at:end]
        at = text.find(stem, end)


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _may_be(parts: Sequence[str], begin: tuple[str, ...], stems: Sequence[str]) -> bool:
    return any(part.startswith(begin) for part in parts) or any(stem in parts[0] for stem in stems)


def _parts(word: str) -> list[str]:
    plain = word.lower() if word.isascii() else trigrams.folded(word)
    return [plain, *_SIGN.split(plain)]
