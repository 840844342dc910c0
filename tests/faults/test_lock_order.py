"""Two transactions of one space at once: whatever step one of them is at, they never wait for each other."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Any, Final

import pytest

from bot import errors
from bot.config import ChunkSettings, MemorySettings
from bot.db.pool import Database
from bot.domain import Caller, MessageId
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.faults import crashes
from tests.faults.points import Happens, Points, WatchedDatabase, but_reads
from tests.rows import one
from tests.waiting import becomes

SMALL: Final = MemorySettings(chunks=ChunkSettings(messages=4, skip=0))
WAITS: Final = """
SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')"""


@dataclass
class Space:
    """What was said in a space before and after a reset was asked for there, and a command that is in hand."""

    ann: Caller
    given: MessageId
    """The reset's message."""
    said: MessageId
    """After that, as the question."""
    asked: MessageId
    """A question that nobody has answered yet."""
    command: MessageId


Work = Callable[[Room, Space], Awaitable[Any]]


@dataclass
class Stage:
    """A Hathi that can be halted at every step, and another one beside it."""

    halted: Room
    points: Points
    beside: Room
    database: Database

    async def prepare(self) -> Space:
        """A fresh space, of somebody who is in no other."""
        number, r = crashes.new_space(), self.beside
        ann = await r.app.enter(people.caller(space=number, person=number), channel_name="general", mode="all")
        said = list[MessageId]()
        for text in ("We decided to use Rust.", "Fine.", "!reset", "The vault is green.", "So it is."):
            message = people.said(ann, text, r.clock.forward(seconds=1))
            said.append(message.message_id)
            if text != "!reset":
                await r.app.turns.overhear(message, language="english")
        asked = people.turn(ann, "And the cellar?", r.clock.forward(seconds=1))
        await r.app.creator.run([ann.space_id])
        await r.app.turns.record(asked)
        command = people.said(ann, "!remember", r.clock.forward(seconds=1)).message_id
        assert await self.halted.app.commands_in_hand.take(ann, command)
        return Space(ann=ann, given=said[2], said=said[3], asked=asked.message.message_id, command=command)

    async def steps(self, work: Work) -> list[int]:
        """The steps of a transaction at which it has locked something more."""
        space = await self.prepare()
        with self._armed():
            await work(self.halted, space)
            names = [*self.points.names]
        return [n for n, name in enumerate(names[: names.index("commit")], 1) if but_reads([name])]

    async def at_once(self, first: Work, second: Work, step: int) -> None:
        """The second begins when the first is at a step, which goes on when the second is done or waits for it."""
        space = await self.prepare()
        here, goes_on = asyncio.Event(), asyncio.Event()

        async def happens(number: int, _name: str) -> None:
            if number == step:
                here.set()
                await goes_on.wait()

        with self._armed(happens):
            async with asyncio.TaskGroup() as both:
                both.create_task(_ended(first(self.halted, space))).add_done_callback(lambda _: here.set())
                await here.wait()
                other = both.create_task(_ended(second(self.beside, space)))

                async def is_settled() -> bool:
                    return other.done() or await one(self.database, WAITS)

                await becomes(True, is_settled)
                goes_on.set()

    @contextlib.contextmanager
    def _armed(self, happens: Happens | None = None) -> Generator[None]:
        """A block in which the steps count."""
        self.points.names.clear()
        self.points.happens, self.points.armed = happens or self.points.happens, True
        yield
        self.points.armed = False


async def _ended(work: Awaitable[Any]) -> None:
    """It is done, or the other was first and what it was to be done with is gone."""
    with contextlib.suppress(errors.LeaseLost, errors.UserError):
        await work


async def reset(r: Room, space: Space) -> None:
    await r.app.sessions.reset(space.ann, discard=False, min_messages=1, now=r.clock(), said=space.given)


async def remember(r: Room, space: Space) -> None:
    async with r.app.commands_in_hand.carrying_out(space.ann.space_id, space.command):
        await r.app.commands.run(space.ann, "remember", "The bridge is red.", r.tell_later, said=space.command)


async def edit(r: Room, space: Space) -> None:
    await r.app.discord_edits.edited(space.ann.space_id, space.said, "The vault is red.", r.clock(), "english")


async def delete(r: Room, space: Space) -> None:
    await r.app.discord_edits.deleted(space.ann.space_id, [space.said, space.asked, space.command], r.clock())


async def opt_out(r: Room, space: Space) -> None:
    await r.app.people.opt_out(space.ann.person_id, r.clock())


PAIRS: Final[dict[str, tuple[Work, Work]]] = {
    "reset, edit": (reset, edit),
    "reset, deletion": (reset, delete),
    "reset, opting out": (reset, opt_out),
    "command, its deletion": (remember, delete),
}


@pytest.fixture
async def stage(database: Database, clock: Clock) -> AsyncGenerator[Stage]:
    points = Points()
    watched = WatchedDatabase(database.pool, points)
    async with room(watched, clock, memory=SMALL) as halted, room(database, clock, memory=SMALL) as beside:
        yield Stage(halted, points, beside, database)


@pytest.mark.parametrize(("first", "second"), PAIRS.values(), ids=PAIRS.keys())
async def test_nobody_waits_for_who_waits_for_them(stage: Stage, first: Work, second: Work) -> None:
    """Each ends, the second begun at any step of the first: rows are locked in one order everywhere."""
    for step in await stage.steps(first):
        await stage.at_once(first, second, step)
