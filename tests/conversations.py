"""A whole application at a scripted terminal, for tests."""

import contextlib
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from bot import app
from bot.app import App
from bot.config import ModelSettings, Roles, RoleSettings, Settings
from bot.db.pool import Database
from bot.domain import Caller, Message, MessageId, Reply, Saved, Surroundings, Turn, WorkerId
from bot.lifecycle.summaries import SummaryDone
from bot.turn.delivery import Delivery, Keep
from tests import people
from tests.conftest import Clock


@dataclass
class RecordedReply:
    """A venue where nothing else is said, and where replies go: kept whole, with their notes."""

    text: str = ""
    notes: list[str] = field(default_factory=list[str])
    finished: int = 0
    around: Surroundings = field(default_factory=Surroundings)

    @property
    def delivery(self) -> Delivery:
        return Delivery(venue=self, sink=self)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None: ...

    async def show(self, text: str, keep: Keep) -> None:
        await keep(text)
        self.text = text

    async def finish(self, text: str, notes: Sequence[str], reply: Reply | None = None) -> tuple[MessageId, ...]:
        self.text = text
        self.notes += notes
        self.finished += 1
        return ()

    async def history(self, turn: Turn) -> tuple[Message, ...]:
        return ()

    async def surroundings(self, turn: Turn) -> Surroundings:
        return self.around

    def stands(self, ids: Iterable[MessageId], since: float) -> bool:
        return True

    def tell_author(self, saved: Saved, keeper: Caller) -> None: ...

    async def withdraw(self) -> None:
        self.text = ""

    def audience(self, caller: Caller) -> Caller:
        return caller


class Live(RecordedReply):
    """A venue where something was said that is kept nowhere."""

    said: tuple[Message, ...] = ()

    async def history(self, turn: Turn) -> tuple[Message, ...]:
        return self.said


@dataclass
class Room:
    """One channel of one application, and what is said in it."""

    app: App
    clock: Clock
    caller: Caller
    later: list[Reply] = field(default_factory=list[Reply])
    summaries: list[SummaryDone] = field(default_factory=list[SummaryDone])

    async def say(self, text: str, by: Caller | None = None) -> RecordedReply:
        """What Hathi answers."""
        recorded_reply = RecordedReply()
        self.clock.forward(seconds=1)
        await self.app.conversation.answer(people.turn(by or self.caller, text, self.clock()), recorded_reply.delivery)
        return recorded_reply

    async def overhear(self, text: str, by: Caller | None = None) -> None:
        """What is said to others, and kept all the same."""
        self.clock.forward(seconds=1)
        said = people.said(by or self.caller, text, self.clock())
        await self.app.turns.overhear(said, language="english")

    def turn(self, text: str) -> Turn:
        """A question not asked yet."""
        self.clock.forward(seconds=1)
        return people.turn(self.caller, text, self.clock())

    async def run(self, line: str, by: Caller | None = None) -> str:
        """What a command answers at once."""
        name, _, rest = line.removeprefix("!").partition(" ")
        self.clock.forward(seconds=1)
        return (await self.app.commands.run(by or self.caller, name, rest, self.tell_later)).text

    async def reset(self, line: str = "!reset") -> str:
        """What a reset says at once and, when all is done, at last."""
        first = await self.run(line)
        await self.app.background.settled(20)
        return "\n".join([first, *(reply.text for reply in self.later)])

    async def tell_later(self, reply: Reply) -> None:
        self.later.append(reply)


def roles(base_url: str | None, **fields: Any) -> Roles:
    """Reasoning and summarizer on one server; none without an address."""
    if base_url is None:
        return Roles()
    given: dict[str, Any] = {"base_url": base_url, "model": "scripted", "timeout": 5} | fields
    return Roles(reasoning=RoleSettings(**given), summarizer=RoleSettings(**given))


@contextlib.asynccontextmanager
async def room(
    database: Database,
    clock: Clock,
    *,
    models: Roles | None = None,
    choosable: Mapping[str, ModelSettings] | None = None,
    who: Caller | None = None,
    worker: WorkerId | None = None,
    **settings: Any,
) -> AsyncGenerator[Room]:
    """An application on the database, and somebody in a channel of it."""
    summaries: list[SummaryDone] = []

    async def announce(done: SummaryDone) -> None:
        summaries.append(done)

    chosen = Settings(roles=models or Roles(), models={**(choosable or {})}, **settings)
    async with app.opened(chosen, database, announce=announce, alone=False, clock=clock, worker=worker) as opened:
        caller = await opened.enter(who or people.caller(), channel_name="general", mode="all")
        yield Room(app=opened, clock=clock, caller=caller, summaries=summaries)
