"""A space that was lived in, and made-up export files, for the tests of export and import."""

import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bot import domain, transfer
from bot.db.pool import Database
from bot.domain import (
    TERMINAL_SPACE,
    Actor,
    Fact,
    MessageId,
    PlaceSetting,
    Role,
    SessionId,
    Source,
    SpaceId,
    Turn,
    WorkerId,
)
from bot.recall.librarian import Librarian
from bot.store.archivist import Ageing, Archivist, Author
from bot.store.chunks import Distilled
from bot.store.place_settings import PlaceSettings
from bot.store.sessions import Claimed, Sessions
from bot.store.spaces import Spaces
from bot.store.trail import ToolUse, Trail, TurnRecord
from bot.store.turns import HATHI, Turns
from bot.transfer import records
from tests import people
from tests.conftest import Clock
from tests.rows import rows

ANN: Final = people.caller("Ann", space=0, channel=0, person=0, admin=True)
ODD: Final = (
    'Zoë said "no\\n": \\u0000',
    "שלום עולם \u202babc\u202c",
    "🐘🏴󠁧󠁢󠁳󠁣󠁴󠁿 first\nsecond\r\n\tthird",
    "\u2028'); DROP TABLE memory; --",
)
SPACE_TABLES: Final = (
    "space",
    "upkeep",
    "channel",
    "place_setting",
    "person",
    "member",
    "session",
    "message",
    "turn",
    "chat_summary",
    "chunk",
    "tracker",
    "memory",
    "memory_event",
    "tombstone",
)


@dataclass
class Life:
    """One space as it is lived in."""

    database: Database
    clock: Clock

    def __post_init__(self) -> None:
        self.archivist = Archivist(self.database)
        self.librarian = Librarian(self.database)
        self.turns = Turns(self.database, WorkerId("a worker"))
        self.sessions = Sessions(self.database, self.archivist, WorkerId("a worker"))

    async def enter(self) -> None:
        await Spaces(self.database).ensure(
            ANN, channel_name="terminal", mode="all", language="english", now=self.clock()
        )

    async def say(self, text: str, *, answer: str | None = "I see.", shown: tuple[int, ...] = ()) -> Turn:
        turn = people.turn(ANN, text, self.clock.forward(seconds=1.000007))
        assert await self.turns.record(turn) is not None
        if answer is not None:
            await self.turns.claim(turn, now=self.clock())
            await self.turns.sending(turn, answer, whole=True)
            at = self.clock.forward(seconds=1)
            reply = domain.Message(
                space_id=ANN.space_id,
                channel_id=ANN.channel_id,
                message_id=MessageId(domain.new_id(at)),
                role=Role.HATHI,
                author_id=None,
                author=HATHI,
                content=answer,
                said_at=at,
            )
            record = TurnRecord(
                shown=tuple(map(domain.MemoryId, shown)),
                trail=Trail(history=2, tools=(ToolUse(tool="a", outcome="done"),)),
                model="m",
                tokens_in=3,
                durations={"model": 0.125},
            )
            assert await self.turns.answered(turn, reply, record)
        return turn

    async def keep(self, *texts: str, evidence: tuple[MessageId, ...] = (), **fields: Any) -> list[int]:
        facts = [
            Fact(content=text, topic="things", importance=8, source=Source.USER, evidence=evidence, **fields)
            for text in texts
        ]
        author = Author(actor=Actor.PERSON, person_id=ANN.person_id, reason="remember")
        saved = await self.archivist.save(ANN.space_id, ANN.channel_id, facts, author, now=self.clock())
        return [one.memory.memory_id for one in saved]

    async def reset(self, *facts: str) -> SessionId:
        closed = await self.sessions.reset(ANN, discard=False, min_messages=1, now=self.clock.forward(minutes=1))
        assert closed is not None
        claimed = await self.sessions.claim(ANN.space_id, closed.session_id, now=self.clock())
        assert isinstance(claimed, Claimed)
        async with self.database.connection() as connection:
            said = await self.librarian.session_messages(connection, ANN.space_id, closed.session_id)
        read = {message.message_id: message.content for message in said}
        found = tuple(
            Fact(content=f, topic="talk", importance=6, source=Source.SUMMARY, evidence=(said[0].message_id,))
            for f in facts
        )
        distilled = Distilled(text=f"They spoke. {ODD[0]}", facts=found, raw='{"a": "\\u00e9"}', model="m", read=read)
        await self.sessions.finish(claimed, distilled, [*read], (), now=self.clock.forward(minutes=1))
        return closed.session_id

    async def live(self) -> None:
        """Every kind of row there can be, and things forgotten."""
        await self.enter()
        await PlaceSettings(self.database).set(ANN, PlaceSetting.MODEL, "small", everywhere=True, now=self.clock())
        first = await self.say("The vault code is 4417.")
        for odd in ODD:
            await self.say(odd, answer=odd[::-1], shown=(1, 2))
        (vault,) = await self.keep("The vault code is 4417.", evidence=(first.message.message_id,), author="Ann")
        await self.keep(*ODD, "Bob likes tea.", tags=("domain:kitchen", "type:taste"))
        await self.keep("bob likes TEA")
        await self.archivist.edit(ANN, domain.MemoryId(vault), "The vault code is 5521.", now=self.clock())
        await self.archivist.pin(ANN, domain.MemoryId(2), pinned=True, now=self.clock())
        await self.reset("Ann moved to Lisbon.")
        self.clock.forward(days=40)
        await self.archivist.age([ANN.space_id], Ageing(), now=self.clock())
        await self.archivist.decay([ANN.space_id], now=self.clock())
        secret = await self.say("My locker is number 77.", answer=None)
        (locker,) = await self.keep("My locker is number 77.", evidence=(secret.message.message_id,))
        await self.archivist.forget(ANN, domain.MemoryId(locker), now=self.clock())
        # Nobody is at work on the question about the locker any more.
        self.clock.forward(minutes=2)
        await self.say("What now?")
        await self.say("Still in hand", answer=None)


async def exported(database: Database, file: Path, space_id: SpaceId = TERMINAL_SPACE) -> list[bytes]:
    """The lines of a fresh export, with the time of exporting taken out of the header."""
    await transfer.export_to(database, file, space_id=space_id)
    lines = file.read_bytes().splitlines(keepends=True)
    header = json.loads(lines[0])
    del header["exported_at"]
    return [json.dumps(header).encode(), *lines[1:]]


async def contents(database: Database) -> dict[str, list[Any]]:
    return {table: await rows(database, f"SELECT * FROM {table} ORDER BY 1, 2") for table in SPACE_TABLES}


async def lived(database: Database, clock: Clock) -> Life:
    life = Life(database, clock)
    await life.live()
    return life


def write(file: Path, rows: list[dict[str, Any]]) -> None:
    """The rows as an export file."""
    counts = {kind: sum(row["kind"] == kind for row in rows) for kind in records.KINDS}
    header = {"hathi_export": 1, "space_id": 0, "exported_at": "2026-01-01T00:00:00Z", "counts": counts}
    lines = [header, *rows, {"kind": "end", "lines": len(rows) + 2}]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


def community(messages: int = 3, memories: int = 3) -> list[dict[str, Any]]:
    """A plain space with so many rows."""
    luck, start = random.Random(7), datetime(2026, 1, 1, tzinfo=UTC)
    words = ["tea", "vault", "Lisbon", "kiln", "rota", "market", "ladder", "paint", "ferry", "🐘", "שלום"]

    def at(n: int) -> str:
        return (start + timedelta(minutes=n, microseconds=n)).isoformat(timespec="microseconds")

    def text(n: int) -> str:
        return f"{n}: " + " ".join(luck.choices(words, k=12))

    rows: list[dict[str, Any]] = [
        {
            "kind": "space",
            "language": "english",
            "time_zone": "UTC",
            "prefix": "!",
            "settings": {},
            "memory_count": memories,
            "created_at": at(0),
        },
        {
            "kind": "channel",
            "channel_id": 0,
            "name": "terminal",
            "mode": "all",
            "open_session_id": 1,
            "session_count": 1,
            "last_message_id": None,
            "ledger_through": None,
            "facts_through": None,
            "created_at": at(0),
        },
        {
            "kind": "session",
            "session_id": 1,
            "channel_id": 0,
            "number": 1,
            "state": "open",
            "opened_at": at(0),
            "closed_at": None,
            "closed_by": None,
            "first_message_id": None,
            "last_message_id": None,
            "message_count": 0,
            "fact_count": 0,
            "attempts": 0,
            "next_attempt_at": None,
            "undone_at": None,
        },
    ]
    rows += [
        {
            "kind": "message",
            "message_id": n,
            "channel_id": 0,
            "session_id": 1,
            "role": "person",
            "author_id": 0,
            "author": "Ann",
            "content": text(n),
            "reply_to": None,
            "cut_off": False,
            "said_at": at(n),
            "edited_at": None,
        }
        for n in range(messages)
    ]
    rows += [
        {
            "kind": "memory",
            "memory_id": n,
            "tier": "long",
            "room": "general",
            "topic": "x",
            "content": text(n),
            "importance": 5,
            "importance_set": 6,
            "source": "summary",
            "tags": ["auto", "domain:x"],
            "entities": [],
            "key_phrases": [],
            "metadata": {},
            "subject_id": None,
            "author_id": 0,
            "author": "Ann",
            "channel_id": 0,
            "session_id": 1,
            "evidence": [n],
            "seen_count": 1,
            "pinned": False,
            "created_at": at(n),
            "said_at": at(n),
            "reinforced_at": at(n),
            "last_used_at": at(n),
            "aged_at": at(n + 9),
            "superseded_by": None,
        }
        for n in range(1, memories + 1)
    ]
    return rows
