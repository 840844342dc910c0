"""The test's side of the driver: jobs in, what came of them out; and what lies in one space afterwards."""

import asyncio
import contextlib
import dataclasses
import itertools
import json
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bot.db.pool import Database
from tests.faults.driver import Job

ROOT: Final = Path(__file__).parents[2]
NOW: Final = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
LIMIT: Final = 30.0
"""Seconds one job may take."""
_spaces = itertools.count(1000)


def new_space() -> int:
    """A space nobody has used."""
    return next(_spaces)


def later(**units: float) -> str:
    """So long after the beginning of all tests, as jobs take it."""
    return (NOW + timedelta(**units)).isoformat()


@dataclass(frozen=True)
class Done:
    """How one process ended, and what it told until then."""

    code: int
    out: str
    points: list[str]

    @property
    def killed(self) -> bool:
        """Whether it was killed."""
        return self.code == -signal.SIGKILL


class Driver:
    """Runs jobs, one process each; several at once by several drivers."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def run(self, job: Job) -> Done:
        """What came of it. A job that fails otherwise than by its kill fails the test."""
        self._writer.write(json.dumps(dataclasses.asdict(job)).encode() + b"\n")
        async with asyncio.timeout(LIMIT):
            line = await self._reader.readline()
        answer = json.loads(line)
        told = answer["told"]
        failed = [value for kind, value in told if kind == "failed"]
        assert not failed, failed[0]
        return Done(
            code=answer["code"],
            out="".join(value for kind, value in told if kind == "out"),
            points=[value for kind, value in told if kind == "point"],
        )


@contextlib.contextmanager
def served(folder: Path) -> Generator[Path]:
    """Where drivers are served: by one process, which has imported everything, until the block ends."""
    socket = folder / "drivers"
    command = [sys.executable, "-m", "tests.faults.driver", str(socket)]
    # It ends with its standard input, at the latest with this process.
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield socket


@contextlib.asynccontextmanager
async def driver(drivers: Path) -> AsyncGenerator[Driver]:
    """A driver, gone with the block."""
    reader, writer = await asyncio.open_unix_connection(drivers, limit=2**22)
    try:
        yield Driver(reader, writer)
    finally:
        writer.close()
        await writer.wait_closed()


@dataclass(frozen=True)
class Found:
    """Everything in one space that a crash could have spoilt."""

    questions: list[Any] = field(default_factory=list[Any])
    replies: list[Any] = field(default_factory=list[Any])
    turns: list[Any] = field(default_factory=list[Any])
    memories: list[Any] = field(default_factory=list[Any])
    sessions: list[Any] = field(default_factory=list[Any])
    summaries: list[Any] = field(default_factory=list[Any])
    events: list[Any] = field(default_factory=list[Any])
    tombstones: list[Any] = field(default_factory=list[Any])
    channels: list[Any] = field(default_factory=list[Any])

    @property
    def living(self) -> list[Any]:
        """Memories that are neither forgotten nor superseded."""
        return [m for m in self.memories if m["forgotten_at"] is None and m["superseded_by"] is None]


async def found(database: Database, space: int) -> Found:
    """What lies in the space."""
    order = "ORDER BY"
    queries: dict[str, Any] = {
        "questions": f"SELECT * FROM message WHERE space_id = $1 AND role = 'person' {order} message_id",
        "replies": f"SELECT * FROM message WHERE space_id = $1 AND role = 'hathi' {order} message_id",
        "turns": f"SELECT * FROM turn WHERE space_id = $1 {order} turn_id",
        "memories": f"SELECT * FROM memory WHERE space_id = $1 {order} memory_id",
        "sessions": f"SELECT * FROM session WHERE space_id = $1 {order} number",
        "summaries": f"SELECT * FROM chat_summary WHERE space_id = $1 AND session_id IS NOT NULL {order} summary_id",
        "events": f"SELECT * FROM memory_event WHERE space_id = $1 {order} event_id",
        "tombstones": f"SELECT * FROM tombstone WHERE space_id = $1 {order} memory_id",
        "channels": f"SELECT * FROM channel WHERE space_id = $1 {order} channel_id",
    }
    async with database.connection() as connection:
        return Found(**{name: [*await connection.fetch(query, space)] for name, query in queries.items()})


_OF_SPACES: Final = """
SELECT c.relname AS name, array_agg(quote_ident(a.attname)) AS columns
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
  AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
GROUP BY c.relname HAVING bool_or(a.attname = 'space_id')"""
"""The tables in which something lies of spaces."""


async def copied(database: Database, space: int, to: Sequence[int]) -> None:
    """Give other spaces all that lies in one, as if the same had been said there at the same time."""
    async with database.transaction() as connection:
        # What refers to other rows may come before them.
        await connection.execute("SET LOCAL session_replication_role = replica")
        for table in await connection.fetch(_OF_SPACES):
            values = ["other.space_id" if name == "space_id" else f"had.{name}" for name in table["columns"]]
            copying: Any = (
                f"INSERT INTO {table['name']} ({', '.join(table['columns'])}) OVERRIDING SYSTEM VALUE "
                f"SELECT {', '.join(values)} FROM {table['name']} AS had, unnest($2::bigint[]) AS other (space_id) "
                "WHERE had.space_id = $1"
            )
            await connection.execute(copying, space, to)


def whole(held: Found) -> None:
    """What holds of a space at any time: nothing twice, one open session a channel, replies where they belong."""
    answered = [r["reply_to"] for r in held.replies]
    assert sorted(set(answered)) == sorted(answered), "a question has two replies"
    asked_in = {q["message_id"]: q["session_id"] for q in held.questions}
    assert [asked_in[r["reply_to"]] for r in held.replies] == [r["session_id"] for r in held.replies]
    assert sorted(asked_in) == sorted(t["turn_id"] for t in held.turns), "a question without a turn, or the reverse"
    assert sorted(r["reply_to"] for r in held.replies) == sorted(
        t["turn_id"] for t in held.turns if t["state"] == "answered"
    ), "a reply without its turn being answered, or the reverse"
    for turn in held.turns:
        assert turn["kept"] is None or turn["state"] == "sending"
    open_ = [s["session_id"] for s in held.sessions if s["state"] == "open"]
    assert [c["open_session_id"] for c in held.channels] == open_, "one open session, and the channel points to it"
    assert len({m["content_hash"] for m in held.living}) == len(held.living), "a fact twice"
    assert len({s["session_id"] for s in held.summaries}) == len(held.summaries), "two summaries of a session"
    assert {s["session_id"] for s in held.summaries} == {
        s["session_id"] for s in held.sessions if s["state"] == "summarised"
    }, "a summary without its session being summarised, or the reverse"
    per_memory = [e["memory_id"] for e in held.events if e["kind"] == "saved"]
    assert sorted(per_memory) == [m["memory_id"] for m in held.memories], "a memory without its event, or the reverse"
