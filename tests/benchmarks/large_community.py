"""Makes one community of any size among ten thousand small ones: memories, ten times as many messages, and sessions.

Most is said in one of its channels. Each session has left its summary, its part of the ledger and a thread, and as much
was forgotten.

Everything is copied in with its words taken apart here as the server would, messages as Postgres's own binary rows
(https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS), which it takes in a third of the time: a
million memories in minutes.
"""

import asyncio
import itertools
import random
import struct
import sys
import time
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
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
"""Who speak; of a large community many more were only met."""
NOTING: Final = 2
"""Who of them made a third of the memories, and said nothing else."""
SESSION: Final = 50
"""Messages of a session."""
KEPT: Final = 5
"""Memories that are made of one."""
SPACES: Final = 10_000
"""Others around it."""
OUTSIDE: Final = 10
"""Memories of each of them."""
ROOMS: Final = ("projects", "people", "architecture", "config", "decisions", "preferences", "procedures", "general")
RENAMED: Final = tuple(room for room in ROOMS if room not in {"preferences", "procedures"})
"""Those that may have another name."""
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
_FILLED: Final = ("message", "memory", "memory_event", "session", "tally", "chat_summary", "chunk", "tombstone")
_MESSAGE: Final = "space_id message_id channel_id session_id said_at reply_to role author_id author content search"
_MEMORY: Final = (
    "space_id memory_id tier room topic content importance importance_set source tags subject_id author_id author"
    " metadata channel_id session_id evidence content_hash pinned created_at said_at reinforced_at last_used_at aged_at"
    " search"
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
    places: Mapping[str, list[int]]
    """Where each of its words stands, as they are searched."""


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
            places: dict[str, list[int]] = {}
            for place, word in enumerate(text[:-1].lower().split(), 1):
                for lexeme in self.lexemes[word]:
                    places.setdefault(lexeme, []).append(place)
            self.sentences.append(_Sentence(text, places))


async def load(dsn: str, memories: int, *, spaces: int = SPACES) -> float:
    """Fill a migrated database; the seconds it took."""
    started = time.monotonic()
    async with community.filling(dsn, *_FILLED) as connection:
        talk = _Talk(await _lexemes(connection))
        talk.draw(min(_SENTENCES, max(1_000, memories)))
        sizes = [(int(SPACE), memories), *((1 + n, OUTSIDE) for n in range(spaces))]
        # Side by side: each takes a processor.
        await asyncio.gather(_copy_messages(dsn, talk, sizes), _copy_memories(connection, talk, sizes))
        await _make_places(connection, sizes)
    took = time.monotonic() - started
    print(f"loaded {memories} memories in {took:.0f} s", file=sys.stderr)
    return took


async def _copy_messages(dsn: str, talk: _Talk, sizes: Sequence[tuple[int, int]]) -> None:
    async with community.connected(dsn) as connection:
        rows = itertools.chain([_BINARY_BEGINS], _messages(talk, sizes), [_BINARY_ENDS])
        await _copy(connection, "message", _MESSAGE, rows, "binary")


async def _copy_memories(connection: Any, talk: _Talk, sizes: Sequence[tuple[int, int]]) -> None:
    for table, columns, lines in (
        ("session", _SESSION, _sessions(sizes)),
        ("memory", _MEMORY, _memories(talk, sizes)),
        ("memory_event", _EVENT, _events(sizes)),
    ):
        await _copy(connection, table, columns, (line.encode() for line in lines), "text")
    await tallies.fill(connection)
    await connection.execute(_LEFT)


async def _copy(connection: Any, table: str, columns: str, rows: Iterable[bytes], form: str) -> None:
    """Fills an empty table with rows that nobody need look at again: seen by everybody from the first moment."""
    async with connection.transaction():
        await connection.execute(f"TRUNCATE {table}")
        await connection.copy_to_table(table, source=_pieces(rows), columns=columns.split(), format=form, freeze=True)


_SESSION: Final = (
    "space_id session_id channel_id number state opened_at closed_at first_message_id last_message_id message_count"
    " fact_count"
)
_EVENT: Final = "space_id memory_id kind actor actor_id reason at"
_LEFT: Final = """
CREATE TEMPORARY TABLE told ON COMMIT DROP AS
SELECT s.*, m.content AS text, strip(m.search) AS search FROM session s
JOIN memory m ON m.space_id = s.space_id AND m.session_id = s.session_id AND m.evidence[1] = s.first_message_id;
INSERT INTO chunk (space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, people, text,
                   model, created_at, search)
SELECT space_id, last_message_id, channel_id, session_id, first_message_id, '',
       ARRAY[first_message_id, last_message_id], ARRAY[1000 + number % 200], text, 'scripted', closed_at, search
FROM told;
INSERT INTO chat_summary (space_id, summary_id, channel_id, session_id, text, raw, message_count, model, created_at)
SELECT space_id, session_id, channel_id, session_id, text, '', message_count, 'scripted', closed_at FROM told;
INSERT INTO chat_summary (space_id, summary_id, channel_id, chunk_id, text, raw, message_count, model, created_at)
SELECT DISTINCT ON (space_id, channel_id) space_id, last_message_id, channel_id, last_message_id, text, '',
       message_count, 'scripted', closed_at FROM told ORDER BY space_id, channel_id, number DESC;
INSERT INTO channel (space_id, channel_id, name, mode, created_at, session_count, open_session_id, last_message_id,
                     origin_id)
SELECT space_id, last_message_id, 'thread ' || number, 'all', closed_at, 1, last_message_id, last_message_id, channel_id
FROM told;
INSERT INTO tombstone (space_id, memory_id, channel_id, evidence, content_mac, at)
SELECT space_id, -session_id, channel_id, ARRAY[session_id + 1], sha256(int8send(session_id)), closed_at FROM told"""
"""What each session has left."""


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
        (space, space * 100 + n, -(-count // KEPT) + 1, n + 1) for space, count in sizes for n in range(SEEN + UNSEEN)
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
    names = [f"person {n}" for n in range(PEOPLE)] + [f"guest{n}" for n in range(sizes[0][1] // KEPT)]
    people = [(1000 + n, [int(SPACE)]) for n in range(len(names))]
    await connection.copy_records_to_table("person", columns=("person_id", "spaces"), records=people)
    await connection.copy_records_to_table(
        "member",
        columns=("space_id", "person_id", "name", "likeness", "first_seen_at", "last_seen_at"),
        records=[(int(SPACE), 1000 + n, name, name, _BEGAN, NOW) for n, name in enumerate(names)],
    )


async def _pieces(rows: Iterable[bytes]) -> AsyncGenerator[bytes]:
    waiting = iter(rows)
    while piece := b"".join(itertools.islice(waiting, _AT_ONCE)):
        yield piece


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
        # Most is said in the first.
        return self.space * 100 + (0 if self.number % 5 else self.number // 5 % (SEEN + UNSEEN))

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
            f"{s.space}\t{s.session_id}\t{s.channel_id}\t{s.number + 1}\tsummarised\t{_at(s.began)}"
            f"\t{_at(s.began + SESSION * _PAUSE)}\t{s.session_id}\t{s.session_id + (SESSION - 1) * _STEP}\t{SESSION}"
            f"\t{s.memories}\n"
        )


_BINARY_BEGINS: Final = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_BINARY_ENDS: Final = struct.pack(">h", -1)
_FIXED: Final = struct.Struct(">hiqiqiqiqiq")
"""How many columns there are, and those that are numbers, each behind its length."""
_NUMBER: Final = struct.Struct(">iq")
_NONE: Final = struct.pack(">i", -1)
_VECTOR: Final = struct.Struct(">ii")
_SINCE_2000: Final = int((_BEGAN - datetime(2000, 1, 1, tzinfo=UTC)).total_seconds())


def _sized(value: bytes) -> bytes:
    """A column behind its length."""
    return struct.pack(">i", len(value)) + value


def _vector(places: Mapping[str, Sequence[int]]) -> bytes:
    """The words of a text vector, each behind how often it stands there."""
    return b"".join(
        lexeme.encode() + b"\0" + struct.pack(f">{len(at) + 1}H", len(at), *at) for lexeme, at in places.items()
    )


def _messages(talk: _Talk, sizes: Sequence[tuple[int, int]]) -> Iterator[bytes]:
    months = [talk.lexemes[f"{month:%B}".lower()] for month in _months()]
    # A word stands once in a vector: a sentence that names the month has it already.
    dates = [_vector({f"{day.day}": [30], f"{day.year}": [32]}) for day in _DAYS]
    dates_with_month = [
        date + _vector({months[day.month - 1][0]: [31]}) for day, date in zip(_DAYS, dates, strict=True)
    ]
    named = [frozenset(number for number, of in enumerate(months) if of[0] in one.places) for one in talk.sentences]
    month_of = [day.month - 1 for day in _DAYS]
    authors = [_sized(b"person") + _NUMBER.pack(8, 1000 + n) + _sized(f"person {n}".encode()) for n in range(PEOPLE)]
    said = [(_sized(one.text.encode()), _vector(one.places), len(one.places)) for one in talk.sentences]
    count, luck, fixed, number, head = len(said), random.Random(5), _FIXED.pack, _NUMBER.pack, _VECTOR.pack
    for s in _Session.every(sizes):
        first, key, second = luck.randrange(count), s.session_id, s.began
        space, channel, session = s.space, s.channel_id, s.session_id
        for n in range(first, first + SESSION * s.memories // KEPT):
            which, at = n * 7919 % count, (second + _DAY_BEGAN) // _DAY
            text, words, held = said[which]
            date, more = (dates[at], 2) if month_of[at] in named[which] else (dates_with_month[at], 3)
            reply = _NONE if n % 10 else number(8, key - _STEP)
            yield b"".join(
                (
                    fixed(11, 8, space, 8, key, 8, channel, 8, session, 8, (_SINCE_2000 + second) * 1_000_000),
                    reply,
                    authors[n * n % PEOPLE],
                    text,
                    head(4 + len(words) + len(date), held + more),
                    words,
                    date,
                )
            )
            key, second = key + _STEP, second + _PAUSE


def _memories(talk: _Talk, sizes: Sequence[tuple[int, int]]) -> Iterator[str]:
    luck, topics = random.Random(7), talk.vocabulary.content
    named = [talk.lexemes[topic] for topic in topics]
    weighed = [
        " ".join(f"'{lexeme}':{','.join(f'{at + 2}B' for at in places)}" for lexeme, places in one.places.items())
        for one in talk.sentences
    ]
    for s in _Session.every(sizes):
        at, is_new = _at(s.began), (s.of - s.number) / s.of * _YEAR.days < 2
        for place in range(s.memories):
            number, which = s.number * KEPT + place + 1, luck.randrange(len(talk.sentences))
            drawn = luck.randrange(2**30)
            importance, source = _IMPORTANCE[drawn % 1013], _SOURCES[drawn % 10_007]
            # Some topics are common, and most are not, as with all that is named.
            topic, rest, of = int(300 * luck.random() ** 2), drawn // 300 % 300, drawn // 7 % 300
            domain, kind = topics[of], ("fact", "decision", "plan")[drawn % 3]
            pinned, room, author = drawn % 5003 == 0, ROOMS[drawn % len(ROOMS)], drawn % PEOPLE
            author = author if drawn % 3 else NOTING
            subject = 1000 + drawn // 2 % PEOPLE if drawn % 2 else _NEVER
            asked = f'{{"removal_asked_at": "{at}"}}' if drawn % 4999 == 1 else "{}"
            is_short = is_new or pinned or importance >= 9 or source == "directive"
            first = s.session_id + place * 10 * _STEP
            evidence = f"{first},{first + _STEP}" if drawn % 2 else f"{first}"
            words = (
                "".join(f"'{word}':1A " for word in (*named[topic], *named[rest]))
                + weighed[which]
                + "".join(f" '{word}':40C" for word in named[of])
            )
            yield (
                f"{s.space}\t{number}\t{'short' if is_short else 'long'}\t{room}\t{topics[topic]} {topics[rest]}"
                f"\t{talk.sentences[which].text}\t{importance}\t{importance}\t{source}\t{{auto,domain:{domain},type:{kind}}}"
                f"\t{subject}\t{1000 + author}\tperson {author}\t{asked}\t{s.channel_id}\t{s.session_id}"
                f"\t{{{evidence}}}\t\\\\x{number:032x}\t{'t' if pinned else 'f'}\t{at}\t{at}\t{at}\t{at}"
                f"\t{_NEVER if is_short else at}\t{words}\n"
            )


def _events(sizes: Sequence[tuple[int, int]]) -> Iterator[str]:
    for s in _Session.every(sizes):
        at = _at(s.began + SESSION * _PAUSE)
        for place in range(s.memories):
            of = f"{s.space}\t{s.number * KEPT + place + 1}"
            yield f"{of}\tsaved\tsummary\t{_NEVER}\tsession:{s.session_id}\t{at}\n"
            if place < 2:
                yield f"{of}\tmoved\tperson\t{1000 + place * NOTING}\trename\t{at}\n"
