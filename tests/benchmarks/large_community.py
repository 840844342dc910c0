"""Makes one community of any size among ten thousand small ones: memories, ten times as many messages, and sessions.

Everything is copied in as text, with its words taken apart here as the server would: a million memories in minutes.
"""

import itertools
import random
import sys
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from bot.domain import Caller, ChannelId, PersonId, SpaceId
from tests import tallies
from tests.benchmarks import community
from tests.benchmarks.community import NOW
from tests.benchmarks.vocabulary import Vocabulary

SPACE: Final = SpaceId(900_001)
"""The community that is asked."""
SEEN: Final = 20
"""Its channels that whoever asks sees."""
UNSEEN: Final = 5
PEOPLE: Final = 200
SESSION: Final = 50
"""Messages of a session."""
KEPT: Final = 5
"""Memories that are made of one."""
SPACES: Final = 10_000
"""Others around it."""
OUTSIDE: Final = 10
"""Memories of each of them."""
ROOMS: Final = ("projects", "people", "architecture", "config", "decisions", "preferences", "procedures", "general")
_YEAR: Final = timedelta(days=365)
_BEGAN: Final = NOW - _YEAR
_EPOCH_MS: Final = 1_420_070_400_000
"""Since when Discord's ids count."""
_PAUSE: Final = 20
"""Seconds between two messages of a session."""
_SENTENCES: Final = 150_000
"""Different ones that are said; more are said again with another day."""
_NEVER: Final = "\\N"
"""No value, in text that is copied."""
_AT_ONCE: Final = 5_000
"""Lines that are copied in one piece."""
_IMPORTANCE: Final = random.Random(2).choices(range(1, 11), (2, 4, 12, 15, 30, 15, 12, 7, 2, 1), k=1013)
_SOURCES: Final = random.Random(1).choices(("summary", "user", "directive"), (80, 19.9, 0.1), k=10_007)
_MESSAGE: Final = "space_id message_id channel_id session_id role author_id author content reply_to said_at search"
_MEMORY: Final = (
    "space_id memory_id tier room topic content importance importance_set source tags author_id author channel_id"
    " session_id evidence content_hash pinned created_at said_at reinforced_at last_used_at aged_at search"
)


def caller(channel: int = 0) -> Caller:
    """Somebody who manages the community, in one of its channels; told what everyone there sees."""
    visible = tuple(ChannelId(SPACE * 100 + n) for n in range(SEEN))
    return Caller(
        space_id=SPACE,
        channel_id=visible[channel],
        person_id=PersonId(1000),
        name="person 0",
        is_admin=True,
        is_moderator=True,
        visible=visible,
    )


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    words: str
    """As they are searched, of a message."""
    weighed: str
    """The same of a memory."""


@dataclass(slots=True)
class _Talk:
    """What all communities talk about, drawn once."""

    lexemes: dict[str, list[str]]
    chosen: random.Random = field(default_factory=lambda: random.Random(42))
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    sentences: list[_Sentence] = field(default_factory=list[_Sentence])

    def draw(self, count: int) -> None:
        """Makes so many sentences."""
        for text in self.vocabulary.sentences(self.chosen, [self.chosen.randint(4, 24) for _ in range(count)]):
            words = text[:-1].lower().split()
            self.sentences.append(_Sentence(text, self.vector(words, 0, ""), self.vector(words, 2, "B")))

    def vector(self, words: Sequence[str], after: int, weight: str) -> str:
        """Words as a text vector, behind so many others."""
        found = (
            f"'{lexeme}':{place + after}{weight}"
            for place, word in enumerate(words, 1)
            for lexeme in self.lexemes[word]
        )
        return " ".join(found)


async def load(dsn: str, memories: int, *, spaces: int = SPACES) -> float:
    """Fill a migrated database; the seconds it took."""
    started = time.monotonic()
    async with community.filling(dsn, "message", "memory", "memory_event", "session") as connection:
        talk = _Talk(await _lexemes(connection))
        talk.draw(min(_SENTENCES, max(1_000, memories)))
        sizes = [(int(SPACE), memories), *((1 + n, OUTSIDE) for n in range(spaces))]
        await _make_places(connection, sizes)
        for table, columns, lines in (
            ("session", _SESSION, _sessions(sizes)),
            ("message", _MESSAGE, _messages(talk, sizes)),
            ("memory", _MEMORY, _memories(talk, sizes)),
            ("memory_event", _EVENT, _events(sizes)),
        ):
            await connection.copy_to_table(table, source=_pieces(lines), columns=columns.split(), format="text")
        await tallies.fill(connection)
    took = time.monotonic() - started
    print(f"loaded {memories} memories in {took:.0f} s", file=sys.stderr)
    return took


_SESSION: Final = (
    "space_id session_id channel_id number state opened_at closed_at first_message_id last_message_id message_count"
    " fact_count"
)
_EVENT: Final = "space_id memory_id kind actor at"


async def _lexemes(connection: Any) -> dict[str, list[str]]:
    """What each word is searched by."""
    every = Vocabulary().every
    found = await connection.fetch(
        "SELECT word, tsvector_to_array(search_vector('english', word)) AS lexemes FROM unnest($1::text[]) AS word",
        [*every, *(f"{day:%B}".lower() for day in _months())],
    )
    return {row["word"].lower(): row["lexemes"] for row in found}


def _months() -> list[datetime]:
    return [datetime(2026, month, 1, tzinfo=UTC) for month in range(1, 13)]


async def _make_places(connection: Any, sizes: Sequence[tuple[int, int]]) -> None:
    await connection.copy_records_to_table(
        "space",
        columns=("space_id", "language", "memory_count", "created_at"),
        records=[(space, "english", count, _BEGAN) for space, count in sizes],
    )
    await connection.copy_records_to_table(
        "upkeep", columns=("space_id", "next_due_at"), records=[(space, NOW) for space, _ in sizes]
    )
    channels = [
        (space, space * 100 + n, -(-count // KEPT // (SEEN + UNSEEN)) + 2, n + 1)
        for space, count in sizes
        for n in range(SEEN + UNSEEN)
    ]
    await connection.copy_records_to_table(
        "channel",
        columns=("space_id", "channel_id", "name", "mode", "created_at", "session_count", "open_session_id"),
        records=[
            (space, channel, f"room {channel}", "all", _BEGAN, number, session)
            for space, channel, number, session in channels
        ],
    )
    await connection.copy_records_to_table(
        "session",
        columns=("space_id", "session_id", "channel_id", "number", "state", "opened_at"),
        records=[(space, session, channel, number, "open", NOW) for space, channel, number, session in channels],
    )
    people = [(1000 + n, [int(SPACE)]) for n in range(PEOPLE)]
    await connection.copy_records_to_table("person", columns=("person_id", "spaces"), records=people)
    await connection.copy_records_to_table(
        "member",
        columns=("space_id", "person_id", "name", "likeness", "first_seen_at", "last_seen_at"),
        records=[(int(SPACE), 1000 + n, f"person {n}", f"person {n}", _BEGAN, NOW) for n in range(PEOPLE)],
    )


async def _pieces(lines: Iterator[str]) -> AsyncGenerator[bytes]:
    piece: list[str] = []
    for line in lines:
        piece.append(line)
        if len(piece) == _AT_ONCE:
            yield "".join(piece).encode()
            piece = []
    yield "".join(piece).encode()


@dataclass(frozen=True, slots=True)
class _Session:
    """One of a space, by its number among all of them."""

    space: int
    number: int
    of: int
    """How many there are."""
    memories: int
    """So many were made of it."""
    began: int
    """In seconds since everything began."""
    session_id: int

    @property
    def channel_id(self) -> int:
        return self.space * 100 + self.number % (SEEN + UNSEEN)

    @classmethod
    def every(cls, sizes: Sequence[tuple[int, int]]) -> Iterator["_Session"]:
        """All of them."""
        last, key = _YEAR.total_seconds() - 3600, itertools.count()
        for space, count in sizes:
            of = -(-count // KEPT)
            for number in range(of):
                began = int(last * (number + 1) / of)
                # No two messages have the same id.
                session_id = (_BEGAN_MS + began * 1000) << 22 | next(key) & 0x3FFFFF
                yield cls(space, number, of, min(KEPT, count - number * KEPT), began, session_id)


_BEGAN_MS: Final = int(_BEGAN.timestamp() * 1000) - _EPOCH_MS
_STEP: Final = (_PAUSE * 1000) << 22
"""Between the ids of two messages of a session."""
_DAY: Final = 86_400
_DAY_BEGAN: Final = _BEGAN.hour * 3600
_DAYS: Final = [_BEGAN + timedelta(days=n) for n in range(_YEAR.days + 2)]
_DATES: Final = [f"{day:%Y-%m-%d}" for day in _DAYS]
_TIMES: Final = [f" {second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}+00" for second in range(_DAY)]


def _at(second: int) -> str:
    day, of_day = divmod(second + _DAY_BEGAN, _DAY)
    return _DATES[day] + _TIMES[of_day]


def _sessions(sizes: Sequence[tuple[int, int]]) -> Iterator[str]:
    for s in _Session.every(sizes):
        yield (
            f"{s.space}\t{s.session_id}\t{s.channel_id}\t{s.number // (SEEN + UNSEEN) + 1}\tsummarised\t{_at(s.began)}"
            f"\t{_at(s.began + SESSION * _PAUSE)}\t{s.session_id}\t{s.session_id + (SESSION - 1) * _STEP}\t{SESSION}"
            f"\t{s.memories}\n"
        )


def _messages(talk: _Talk, sizes: Sequence[tuple[int, int]]) -> Iterator[str]:
    days = [talk.vector([f"{day:%B}".lower()], 30, "") + f" '{day.day}':30 '{day.year}':32" for day in _DAYS]
    said, authors = [f"{one.text}\t" for one in talk.sentences], [f"{1000 + n}\tperson {n}\t" for n in range(PEOPLE)]
    words = [one.words for one in talk.sentences]
    count, luck = len(said), random.Random(5)
    for s in _Session.every(sizes):
        first, key, second = luck.randrange(count), s.session_id, s.began + _DAY_BEGAN
        space, place = f"{s.space}\t", f"\t{s.channel_id}\t{s.session_id}\tperson\t"
        for n in range(first, first + SESSION * s.memories // KEPT):
            which, (day, of_day) = n * 7919 % count, divmod(second, _DAY)
            reply = _NEVER if n % 10 else key - _STEP
            yield (
                f"{space}{key}{place}{authors[n * n % PEOPLE]}{said[which]}{reply}\t{_DATES[day]}{_TIMES[of_day]}\t"
                f"{words[which]} {days[day]}\n"
            )
            key, second = key + _STEP, second + _PAUSE


def _memories(talk: _Talk, sizes: Sequence[tuple[int, int]]) -> Iterator[str]:
    luck, topics = random.Random(7), talk.vocabulary.content
    named = [talk.lexemes[topic] for topic in topics]
    for s in _Session.every(sizes):
        at, is_new = _at(s.began), (s.of - s.number) / s.of * _YEAR.days < 2
        for place in range(s.memories):
            number, one = s.number * KEPT + place + 1, talk.sentences[luck.randrange(len(talk.sentences))]
            drawn = luck.randrange(2**30)
            importance, source = _IMPORTANCE[drawn % 1013], _SOURCES[drawn % 10_007]
            # Some topics are common, and most are not, as with all that is named.
            topic, rest, of = int(300 * luck.random() ** 2), drawn // 300 % 300, drawn // 7 % 300
            domain, kind = topics[of], ("fact", "decision", "plan")[drawn % 3]
            pinned, room, author = drawn % 5003 == 0, ROOMS[drawn % len(ROOMS)], drawn % PEOPLE
            is_short = is_new or pinned or importance >= 9 or source == "directive"
            first = s.session_id + place * 10 * _STEP
            evidence = f"{first},{first + _STEP}" if drawn % 2 else f"{first}"
            words = (
                "".join(f"'{word}':1A " for word in (*named[topic], *named[rest]))
                + one.weighed
                + "".join(f" '{word}':40C" for word in named[of])
            )
            yield (
                f"{s.space}\t{number}\t{'short' if is_short else 'long'}\t{room}\t{topics[topic]} {topics[rest]}"
                f"\t{one.text}\t{importance}\t{importance}\t{source}\t{{auto,domain:{domain},type:{kind}}}"
                f"\t{1000 + author}\tperson {author}\t{s.channel_id}\t{s.session_id}\t{{{evidence}}}"
                f"\t\\\\x{number:032x}\t{'t' if pinned else 'f'}\t{at}\t{at}\t{at}\t{at}"
                f"\t{_NEVER if is_short else at}\t{words}\n"
            )


def _events(sizes: Sequence[tuple[int, int]]) -> Iterator[str]:
    for s in _Session.every(sizes):
        at = _at(s.began + SESSION * _PAUSE)
        for place in range(s.memories):
            yield f"{s.space}\t{s.number * KEPT + place + 1}\tsaved\tsummary\t{at}\n"
