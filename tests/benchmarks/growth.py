"""What one question, command, completion, change or job takes in a community of a thousand, and of a million memories.

Each operation has its median and its 95th of 100, in milliseconds, by how many memories the community has (`--rows`),
with ten times as many messages, among 10,000 other communities. `worst_growth` is how many times longer one takes in
the largest than in the smallest, by the medians, where that is the most, and `worst_growth_of` which; what takes less
than a millisecond counts as one. `plans` has, of the three that take longest in the largest, the statement that takes
longest and the plan by which it is run. Jobs do a day's, an hour's or a forget's work each time; those that ask a model
are left out. `load_s` is how long the largest took to fill.
"""

import itertools
import random
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any, Final, cast

import asyncpg

from bot import app
from bot.app import App
from bot.config import DatabaseSettings, Settings
from bot.db import pool
from bot.db.pool import Database
from bot.domain import Caller, MessageId, PersonId, new_id
from bot.lifecycle.residue import ResidueCheck
from bot.store.archivist import Ageing
from bot.store.memory_lag import MemoryLag
from bot.store.word_counts import WordSampler
from tests import people
from tests.benchmarks import community, large_community, servers
from tests.benchmarks.large_community import SPACE, caller
from tests.benchmarks.timing import milliseconds, p50, p95
from tests.benchmarks.vocabulary import Vocabulary
from tests.benchmarks.watched import Asked, WatchedDatabase
from tests.conftest import Clock
from tests.conversations import RecordedReply, roles

ROWS: Final = (1_000, 100_000, 1_000_000)
SMALL_ROWS: Final = (60, 200)
REPLY: Final = "The oven is warm by seven; Ann brings the tins and Ben the flour."
WARMED: Final = 6
"""Times before it is timed: a prepared statement has its last plan after the fifth."""
TIMES: Final = 25
OLD: Final = 1_000
"""Memories that are changed, more than all operations together change."""
PATIENCE: Final = 25.0
"""Seconds after which an operation is not timed again."""
TO_ITS_END: Final = 600.0
"""Seconds after which what is done in the background is not waited for any longer."""
SLOWEST: Final = 3
WEIGHED: Final = ("message", "memory", "memory_event", "tally", "turn")
"""Tables whose rows are weighed once all was run."""
FLOOR: Final = 1.0
"""Milliseconds below which growth says nothing."""

Do = Callable[[], Awaitable[object]]


@dataclass
class Bench:
    """Everything that is measured, in one community."""

    app: App
    clock: Clock
    database: Database
    old: Iterator[tuple[int, int]]
    """Memories that are there for long and a message each rests on, no two the same, by their numbers."""
    chosen: random.Random = field(default_factory=lambda: random.Random(11))
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    rooms: Iterator[str] = field(default_factory=lambda: iter(large_community.RENAMED))
    """Those that are renamed: each once, as what is in one is moved behind the command."""
    languages: Iterator[str] = field(default_factory=lambda: itertools.cycle(("german", "english")))
    numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    @property
    def caller(self) -> Caller:
        """Somebody in one of the channels."""
        return caller(self.chosen.randrange(large_community.SEEN))

    def word(self) -> str:
        return self.vocabulary.rarities(self.chosen, 1)[0]

    def topic(self) -> str:
        words = self.vocabulary.content
        return f"{words[int(300 * self.chosen.random() ** 2)]} {self.chosen.choice(words)}"

    def day(self) -> str:
        """One of the last hundred, as it is written."""
        return f"{self.clock() - timedelta(days=self.chosen.randrange(1, 100)):%d %B}"

    async def run(self, line: str, by: Caller | None = None) -> object:
        """A command as it is typed; its message has a second of its own."""
        self.clock.forward(seconds=1)
        name, _, rest = line.partition(" ")
        return await self.app.commands.run(by or self.caller, name, rest, silent, said=MessageId(new_id(self.clock())))

    async def say(self, text: str, by: Caller | None = None) -> None:
        """Something said to Hathi, and answered."""
        self.clock.forward(seconds=1)
        reply = RecordedReply()
        await self.app.conversation.answer(people.turn(by or self.caller, text, self.clock()), reply.delivery)
        assert reply.finished == 1

    async def remember(self) -> None:
        sentence = " ".join(self.vocabulary.rarities(self.chosen, 7))
        saved = cast("Any", await self.run(f"remember The {sentence} number {next(self.numbers)} is kept."))
        assert saved is not None

    async def remember_and_say(self) -> None:
        """A turn for which what was known of names may be old."""
        await self.remember()
        await self.say(f"I like the {self.word()} today.")

    async def reset(self) -> None:
        """With its summary, which a model makes; and back."""
        by = self.caller
        await self.say(f"The {self.word()} is by the {self.word()} today.", by)
        await self.run("reset", by)
        await self.app.background.settled(20)
        await self.run("undo", by)

    async def forget_new(self) -> None:
        async with self.database.connection() as connection:
            newest = await connection.fetchval(
                "SELECT memory_id FROM memory WHERE space_id = $1 AND (channel_id + 0) = ANY ($2::bigint[]) "
                "AND forgotten_at IS NULL AND superseded_by IS NULL ORDER BY memory_id DESC LIMIT 1",
                SPACE,
                caller().visible,
            )
        await self.run(f"forget {newest}")

    async def edited(self) -> None:
        text = " ".join(self.vocabulary.rarities(self.chosen, 6))
        at = self.clock.forward(seconds=1)
        message = MessageId(next(self.old)[1])
        assert await self.app.discord_edits.edited(SPACE, message, f"It was {text}.", at, "english")

    async def deleted(self) -> None:
        at = self.clock.forward(seconds=1)
        await self.app.discord_edits.deleted(SPACE, [MessageId(next(self.old)[1])], at)

    async def pin(self) -> None:
        """By somebody who managed the community once."""
        person = PersonId(1000 + large_community.NOTING)
        by = replace(self.caller, person_id=person, is_admin=False, is_moderator=False)
        async with self.database.connection() as connection:
            number = await connection.fetchval(
                "SELECT memory_id FROM memory WHERE space_id = $1 AND author_id = $2 AND forgotten_at IS NULL "
                "AND superseded_by IS NULL AND (channel_id + 0) = ANY ($3::bigint[]) ORDER BY memory_id LIMIT 1",
                SPACE,
                by.person_id,
                by.visible,
            )
        await self.run(f"pin {number}", by)
        await self.run(f"unpin {number}", by)

    async def explain(self) -> None:
        by = self.caller
        await self.say(f"I like the {self.word()} today.", by)
        await self.run("why", by)

    async def discard(self) -> None:
        by = self.caller
        await self.say(f"I like the {self.word()} today.", by)
        await self.run("reset discard", by)
        await self.run("undo", by)

    async def export(self) -> None:
        """Until the first page of memories, of whoever made most of them."""
        person, readable = PersonId(1000 + large_community.NOTING), {SPACE: self.caller.visible}
        async with aclosing(self.app.personal_data.exported(person, readable, now=self.clock())) as told:
            async for one in told:
                if one["kind"] == "memory":
                    return
        raise AssertionError

    async def rename(self) -> None:
        room = next(self.rooms)
        await self.run(f"room rename {room} old-{room}")

    async def rename_all(self) -> None:
        """With all that it leaves to be done in the background."""
        await self.rename()
        await self.app.background.settled(TO_ITS_END)

    async def forget_and_erase(self) -> None:
        await self.run(f"forget {next(self.old)[0]}")
        await self.later(minutes=11, job=self.app.archivist.erase)

    async def later(self, *, job: Callable[..., Awaitable[object]], **passed: float) -> None:
        """Does a job of the space once there is something to do again."""
        self.clock.forward(**passed)
        await job([SPACE], now=self.clock())

    async def upkeep(self) -> None:
        """An hour later, when every space is due."""
        self.clock.forward(hours=1)
        await self.app.schedule.tidy()

    def operations(self) -> dict[str, tuple[Do, int]]:
        """Each by its name, with how often it is timed."""
        reader, v = self.app.librarian, self.vocabulary
        archivist, schedule = self.app.archivist, self.app.schedule
        residue = ResidueCheck(self.database, self.app.metrics)
        lag = MemoryLag(self.database, self.clock)

        def words(n: int) -> str:
            return " ".join(v.rarities(self.chosen, n))

        return {
            "turn without a recall": (
                lambda: self.say(f"I like the {self.word()} and the {self.word()} today."),
                TIMES,
            ),
            "question about the past": (lambda: self.say(f"What did we decide about the {words(2)}?"), TIMES),
            "question about a person": (lambda: self.say(f"What did person {self.chosen.randrange(200)} say?"), TIMES),
            "question about a day": (lambda: self.say(f"What did we talk about on {self.day()}?"), TIMES),
            "question with an unknown word": (
                lambda: self.say(f"Who spoke of the {self.chosen.choice(v.content[:5])}zu by the {self.word()}?"),
                TIMES,
            ),
            "!missed": (lambda: self.run("missed"), TIMES),
            "!recall three words": (lambda: self.run(f"recall {words(3)}"), TIMES),
            "!recall a common word": (lambda: self.run(f"recall {self.chosen.choice(v.content[:5])}"), TIMES),
            "!recall strategy:literal": (lambda: self.run(f"recall {words(3)} strategy:literal"), TIMES),
            "!recall strategy:keywords": (lambda: self.run(f"recall {words(3)} strategy:keywords"), TIMES),
            "!memories": (lambda: self.run("memories"), TIMES),
            "!memories topic": (lambda: self.run(f"memories {self.topic()}"), TIMES),
            "!memories room": (lambda: self.run("memories people"), TIMES),
            "!memories page:50": (lambda: self.run("memories page:50"), TIMES),
            "!memories tag": (lambda: self.run("memories tag:plan"), TIMES),
            "!memories by:me": (lambda: self.run("memories by:me"), TIMES),
            "!me": (lambda: self.run("me"), TIMES),
            "!palace": (lambda: self.run("palace"), TIMES),
            "!palace room": (lambda: self.run("palace people"), TIMES),
            "!tags": (lambda: self.run("tags"), TIMES),
            "!sessions": (lambda: self.run("sessions"), TIMES),
            "!status": (lambda: self.run("status"), TIMES),
            "!memories sort:new": (lambda: self.run("memories sort:new min:7"), TIMES),
            "!recall tag": (lambda: self.run(f"recall {words(2)} tag:plan"), TIMES),
            "!recall as of a day": (lambda: self.run(f"recall {words(2)} as_of:{self.clock():%Y-%m-%d}"), TIMES),
            "turn, and !why": (self.explain, TIMES),
            "!wake": (lambda: self.run("wake"), TIMES),
            "!notes": (lambda: self.run("notes"), TIMES),
            "!memory erase": (lambda: self.run("memory erase"), TIMES),
            "!summary": (lambda: self.run("summary"), TIMES),
            "!summary where there is none": (lambda: reader.unsummed(SPACE, self.caller.channel_id), TIMES),
            "!memory requests": (lambda: self.run("memory requests"), TIMES),
            "!mydata erase": (lambda: self.run("mydata erase", replace(self.caller, person_id=PersonId(1003))), TIMES),
            "!mydata export": (self.export, TIMES),
            "completion of a topic": (lambda: reader.topics(self.caller, self.word()[:3], limit=25), TIMES),
            "completion of a room": (lambda: reader.rooms(self.caller, "p", limit=25), TIMES),
            "completion of a tag": (lambda: reader.tags(self.caller, self.word()[:3], limit=25), TIMES),
            "completion of a number": (
                lambda: reader.changeable(self.caller, str(next(self.old)[0])[:2], limit=25),
                TIMES,
            ),
            "completion of a memory": (lambda: reader.changeable(self.caller, self.word()[:4], limit=25), TIMES),
            "!remember": (self.remember, TIMES),
            "!forget a new one": (self.forget_new, TIMES),
            "!forget an old one": (lambda: self.run(f"forget {next(self.old)[0]}"), TIMES),
            "!undo": (lambda: self.run("undo"), TIMES),
            "!note": (lambda: self.run(f"note The {words(3)} waits."), TIMES),
            "turn after a memory was made": (self.remember_and_say, TIMES),
            "!reset, with its summary and !undo": (self.reset, TIMES),
            "!pin, with its !unpin": (self.pin, TIMES),
            "!reset discard, with its !undo": (self.discard, TIMES),
            "!edit": (lambda: self.run(f"edit {next(self.old)[0]} The {words(3)} is told anew."), TIMES),
            "message edited": (self.edited, TIMES),
            "message deleted": (self.deleted, TIMES),
            "!age preview": (lambda: self.run("age preview"), TIMES),
            "!age": (lambda: self.run("age"), TIMES),
            "!room rename": (self.rename, 1),
            "!room rename, to its end": (self.rename_all, 1),
            "!settings language": (lambda: self.run(f"settings language {next(self.languages)}"), 3),
            "job erasure, with a forget": (self.forget_and_erase, TIMES),
            "job residue": (lambda: self.later(days=1, job=residue.check), TIMES),
            "job ageing": (lambda: self.later(days=1, job=partial(archivist.age, ageing=Ageing())), TIMES),
            "job decay": (lambda: self.later(days=1, job=archivist.decay), 3),
            "job retention": (
                lambda: self.later(days=1, job=partial(self.app.jobs.retain, keep=timedelta(days=365))),
                3,
            ),
            "job tally": (lambda: archivist.recount(SPACE), 3),
            "job departures": (lambda: self.app.departures.erase_due(now=self.clock()), TIMES),
            "job unfinished": (schedule.finish_erasures, TIMES),
            "job overdue": (schedule.overdue, 3),
            "job lag": (lambda: lag.look([SPACE]), TIMES),
            "job upkeep": (self.upkeep, 3),
        }


async def silent(_reply: object) -> None:
    """What comes later is no part of what is timed."""


async def run(*, small: bool, rows: Sequence[int] | None = None) -> dict[str, Any]:
    sizes = rows or (SMALL_ROWS if small else ROWS)
    figures: dict[str, dict[str, list[float]]] = {}
    plans: dict[str, str] = {}
    weights: dict[str, dict[str, list[int]]] = {}
    took = 0.0
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(servers.postgres())
        model = await stack.enter_async_context(servers.model(REPLY))
        for size in sizes:
            dsn = await servers.database(server, f"growth_{size}")
            took = await large_community.load(dsn, size, spaces=5 if small else large_community.SPACES)
            plans = await measured(dsn, size, model, figures, small=small)
            weights[str(size)] = await _weights(dsn)
    worst = max((_growth(of, sizes), name) for name, of in figures.items())
    told = {"worst_growth": worst[0], "worst_growth_of": worst[1], "plans": plans, "load_s": took, "bytes": weights}
    return figures | told


async def measured(
    dsn: str, size: int, model: str, figures: dict[str, dict[str, list[float]]], *, small: bool
) -> dict[str, str]:
    """Adds the figures of one community to those of others; the plans of what took longest."""
    clock = Clock()
    clock.now = community.NOW
    async with AsyncExitStack() as stack:
        database = WatchedDatabase(await stack.enter_async_context(pool.opened(dsn, DatabaseSettings())))
        made = await stack.enter_async_context(
            app.opened(Settings(roles=roles(model)), database, announce=silent, alone=False, clock=clock)
        )
        bench = Bench(made, clock, database, await old(database))
        # As the hourly upkeep does.
        await WordSampler(database).look([SPACE], now=clock())
        middles: dict[str, float] = {}
        longest: dict[str, Asked] = {}
        for name, (do, times) in bench.operations().items():
            noted, values = await _timed(database, do, min(2, times) if small else times)
            figures.setdefault(name, {})[str(size)] = [p50(values), p95(values)]
            print(f"{size:9} {name:28} {p50(values):10.2f} {p95(values):10.2f}", file=sys.stderr, flush=True)
            middles[name] = p50(values)
            if noted:
                longest[name] = max(noted, key=lambda asked: asked.ms)
        slowest = sorted(longest, key=lambda name: -middles[name])[:SLOWEST]
        return {name: await _plan(dsn, longest[name]) for name in slowest}


async def old(database: Database) -> Iterator[tuple[int, int]]:
    """What is there for long and may be changed, in no order: again and again where there are few."""
    async with database.connection() as connection:
        found = await connection.fetch(
            "SELECT memory_id, evidence[1] FROM memory WHERE space_id = $1 AND channel_id = ANY ($2::bigint[]) "
            "AND forgotten_at IS NULL AND superseded_by IS NULL "
            "AND memory_id < 0.9 * (SELECT memory_count FROM space WHERE space_id = $1) "
            "ORDER BY hashint8(memory_id) LIMIT $3",
            SPACE,
            caller().visible,
            OLD,
        )
    return itertools.cycle([(row[0], row[1]) for row in found])


async def _timed(database: WatchedDatabase, do: Do, times: int) -> tuple[list[Asked], list[float]]:
    """The statements of one more time, and the milliseconds of each that counts."""
    began, warmed, values = time.monotonic(), min(times, WARMED), list[float]()
    while not values or (len(values) < warmed + times and time.monotonic() - began <= PATIENCE):
        values.append(await milliseconds(do()))
    with database.watched() as use:
        await do()
    return use.statements, values[warmed:] or values[-1:]


async def _weights(dsn: str) -> dict[str, list[int]]:
    """What a row takes in the largest tables: bytes, those of its indexes, and how many rows there are."""
    async with community.connected(dsn) as connection:
        counted = {
            table: (row["rows"], row["held"], row["indexes"])
            for table in WEIGHED
            for row in await connection.fetch(
                f"SELECT count(*) AS rows, pg_table_size('{table}') AS held, pg_indexes_size('{table}') AS indexes"
                f" FROM {table}"
            )
        }
    return {table: [held // rows, indexes // rows, rows] for table, (rows, held, indexes) in counted.items() if rows}


async def _plan(dsn: str, asked: Asked) -> str:
    """The plan by which a statement is run from the sixth time on; what it changes is taken back."""
    connection: Any = await asyncpg.connect(dsn)
    told = list[str]()
    connection.add_log_listener(lambda _, message: told.append(message.message))
    try:
        await connection.execute("LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0")
        await connection.execute("SET auto_explain.log_analyze = on; SET auto_explain.log_parameter_max_length = 0")
        await connection.execute("SET client_min_messages = log")
        for _ in range(WARMED):
            transaction = connection.transaction()
            await transaction.start()
            await connection.fetch(asked.query, *asked.args)
            await transaction.rollback()
    finally:
        await connection.close()
    return next(plan for plan in reversed(told) if asked.query.splitlines()[0] in plan)


def _growth(of: Mapping[str, Sequence[float]], sizes: Sequence[int]) -> float:
    first, last = of[str(sizes[0])][0], of[str(sizes[-1])][0]
    return max(FLOOR, last) / max(FLOOR, first)
