"""Divides the words of a search in a large space: the text index finds what is rare, and what is common is read for.

The index has no order but that of its words: of one that a hundred thousand rows hold it would name all of them. So it
is asked for the rare words, and for pairs of common ones that few rows hold; rows that hold but one common word are
looked for among the newest. In a small space the index is asked for all.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.db.pool import Connection
from bot.domain import Caller, SpaceId
from bot.store import word_counts
from bot.store.word_counts import Counted

INDEXED: Final = 2_000
"""Rows that the index may name, as far as is known."""
POSTINGS: Final = 20_000
"""Rows with a word, of all the words whose pairs the index is asked for: it goes through them to find the pairs."""
WALKED: Final = 2_000
"""The newest rows that are read for what is common."""
LEAST_WALKED: Final = 20
"""Of each channel, however many there are."""
LIFT: Final = 4
"""So many times as often as by chance two words of a question stand together: what is asked of was spoken of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """One thing that is looked for."""

    query: str
    """As a text query."""
    rows: int
    """About how many rows hold it; none where they are few."""

    @classmethod
    def any_of(cls, query: str, words: Iterable[str], counted: Counted, beginnings: Iterable[str] = ()) -> "Sought":
        """What any of these words answers, or one that begins with one of the others."""
        held = sum(counted.rows.get(word, 0) for word in words)
        return cls(query=query, rows=held + sum(counted.beginnings.get(start, 0) for start in beginnings))

    @classmethod
    def all_of(cls, query: str, readings: Iterable[Sequence[str]], counted: Counted) -> "Sought":
        """What only all words of one of these answer: a text's in each language that it is looked for in."""
        return cls(query=query, rows=sum(min(counted.rows.get(word, 0) for word in words) for words in readings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Divided:
    """What is looked for, by how it is found."""

    rare: str
    """A text query for the index: what few rows hold."""
    indexed: str
    """The same, and pairs of what many do."""
    walked: str
    """The one that the newest rows are held against; empty where the index is asked for everything."""
    rows: tuple[int, ...]
    """About how many rows hold each thing; none of what the index finds."""
    hits: int
    """About how many hold any."""

    def walk(self, channels: int) -> int:
        """How many of the newest rows of each of so many channels are read."""
        return walk(channels) if self.walked else 0


def walk(channels: int) -> int:
    """How many of the newest rows of each of so many channels are read, where any are."""
    return max(LEAST_WALKED, WALKED // max(1, channels))


async def of_text(connection: Connection, caller: Caller, text: str, *, most: int | None = None) -> Divided:
    """How the words of a text are looked for in the memories of the caller's space; the index names at most so many."""
    (found,) = await of_texts(connection, caller.space_id, caller.language, [text], most=most)
    return found


async def of_texts(
    connection: Connection, space_id: SpaceId, language: str, texts: Sequence[str], *, most: int | None = None
) -> list[Divided]:
    """How the words of each text are looked for among the memories of a space."""
    found = await connection.fetch(word_counts.Sql.of_texts, space_id, language, [*texts])
    sought: list[list[Sought]] = [[] for _ in texts]
    for row in found:
        sought[row["place"] - 1].append(Sought(query=row["query"], rows=row["rows"]))
    counted = Counted(total=found[0]["total"] if found else 0)
    return [divided(each, counted, most=most) for each in sought]


def divided(sought: Sequence[Sought], counted: Counted, *, most: int | None = None) -> Divided:
    """How each thing is looked for, in a space of which these words are counted."""
    most = INDEXED if most is None else most
    if sum(one.rows for one in sought) <= most:
        everything = _any(one.query for one in sought)
        return Divided(rare=everything, indexed=everything, walked="", rows=(0,) * len(sought), hits=0)
    by_rows = sorted(sought, key=lambda one: one.rows)
    first = _within((one.rows for one in by_rows), most)
    rare, common = [one.query for one in by_rows[:first]], by_rows[first:]
    rows = tuple(one.rows if one in common else 0 for one in sought)
    missed = math.prod(1 - min(1.0, n / counted.total) for n in rows)
    return Divided(
        rare=_any(rare),
        indexed=_any([*rare, *_pairs(common, counted.total)]),
        walked=_any(one.query for one in common),
        rows=rows,
        hits=round(counted.total * (1 - missed)),
    )


def _pairs(common: Sequence[Sought], total: int) -> list[str]:
    """The pairs of common things, the rarest first, that few rows hold, as far as can be told."""
    read = common[: _within((one.rows for one in common), POSTINGS)]
    pairs = sorted(
        (LIFT * one.rows * other.rows / total, f"({one.query}) & ({other.query})")
        for one, other in itertools.combinations(read, 2)
    )
    return [query for _, query in pairs[: _within((rows for rows, _ in pairs), INDEXED)]]


def _within(rows: Iterable[float], most: int) -> int:
    """How many of the first come to no more rows than that."""
    return sum(so_far <= most for so_far in itertools.accumulate(rows))


def _any(queries: Iterable[str]) -> str:
    return " | ".join(f"({query})" for query in queries)
