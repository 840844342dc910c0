"""What a model's tools add to a turn outside the models: a round of them, a delegation, and the first text after one.

`round_p50_ms` is from the end of a model's call of a tool to its next request, with what the tool did;
`delegation_p50_ms` is the same of a task handed to another model, without the time that model took. `first_text_p50_ms`
is from a message to the first text shown, where a tool was called before it, without what the models took. The models
are a scripted server in this process, so what it does to answer counts too.
"""

import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any, Final

from bot.config import DatabaseSettings, Roles, RoleSettings
from bot.db import pool
from bot.turn.delivery import Keep
from tests import people
from tests.benchmarks import servers
from tests.benchmarks.timing import p50
from tests.conftest import Clock
from tests.conversations import RecordedReply, Room, room
from tests.model_server import ModelServer, Reply

ROUND, DELEGATION = 8, 12
"""Milliseconds that may be added at p50."""
ROUNDS: Final = 60
WHO: Final = people.caller("Ada", admin=True)
MEMORIES: Final = 200
ROOMS: Final = ("shed", "mill", "barn", "loft", "well", "gate", "yard", "dock")


class _Timed(ModelServer):
    """Notes when each request came, and when its answer was out."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.came, self.left = list[float](), list[float]()
        self.on_request = lambda: self.came.append(time.perf_counter())
        self.on_reply = lambda: self.left.append(time.perf_counter())

    def forget(self) -> None:
        self.came.clear()
        self.left.clear()
        self.requests.clear()

    @property
    def took(self) -> float:
        """Seconds that its answers took."""
        return sum(left - came for came, left in zip(self.came, self.left, strict=True))


class _FirstText(RecordedReply):
    """Notes when the first text was shown."""

    shown_at: float = 0.0

    async def show(self, text: str, keep: Keep) -> None:
        await super().show(text, keep)
        self.shown_at = self.shown_at or time.perf_counter()


def _calling(name: str, field: str) -> Any:
    """A model that calls a tool once, each time with something new, and then answers."""

    def answer(body: dict[str, Any]) -> Reply:
        if body["messages"][-1]["role"] == "tool" or "tools" not in body:
            return Reply(text="That is how it is. It was so before.")
        return Reply(calls=((name, {field: f"ladders in the {ROOMS[len(str(body)) % len(ROOMS)]}"}),))

    return answer


async def run(*, small: bool) -> dict[str, float]:
    rounds = 3 if small else ROUNDS
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(servers.postgres())
        address = await servers.database(server, "tools")
        database = await stack.enter_async_context(pool.opened(address, DatabaseSettings()))
        alone = await stack.enter_async_context(_Timed(always=_calling("memory_recall", "topic")))
        clock = Clock()
        asking = await stack.enter_async_context(room(database, clock, who=WHO, models=Roles(reasoning=_role(alone))))
        for n in range(10 if small else MEMORIES):
            await asking.run(f"!remember The {ROOMS[n % len(ROOMS)]} holds {n} ladders and the spare handles.")
        in_rounds, texts = list[float](), list[float]()
        for n in range(rounds):
            shown, began = await _asked(asking, alone, n)
            in_rounds.append((alone.came[1] - alone.left[0]) * 1000)
            texts.append((shown - began - alone.took) * 1000)
    return {
        "round_p50_ms": p50(in_rounds),
        "delegation_p50_ms": p50(await _delegations(rounds)),
        "first_text_p50_ms": p50(texts),
    }


async def _asked(asking: Room, server: _Timed, number: int) -> tuple[float, float]:
    """When the first text of an answer was shown, and when it was asked for."""
    server.forget()
    reply, turn = _FirstText(), asking.turn(f"Tell me about ladders, please, number {number}.")
    began = time.perf_counter()
    await asking.app.conversation.answer(turn, reply.delivery)
    return reply.shown_at or time.perf_counter(), began


async def _delegations(rounds: int) -> Sequence[float]:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(servers.postgres())
        address = await servers.database(server, "delegations")
        database = await stack.enter_async_context(pool.opened(address, DatabaseSettings()))
        thinker = await stack.enter_async_context(_Timed(always=_calling("llm_call", "prompt")))
        worker = await stack.enter_async_context(_Timed(always=Reply(text="Nothing was found.")))
        models = Roles(reasoning=_role(thinker), execution=_role(worker))
        asking = await stack.enter_async_context(room(database, Clock(), who=WHO, models=models))
        found = list[float]()
        for n in range(rounds):
            worker.forget()
            await _asked(asking, thinker, n)
            found.append((thinker.came[1] - thinker.left[0] - worker.took) * 1000)
    return found


def _role(server: ModelServer) -> RoleSettings:
    given: dict[str, Any] = {"base_url": server.base_url, "model": "scripted", "max_context": 16384}
    return RoleSettings(**given)
