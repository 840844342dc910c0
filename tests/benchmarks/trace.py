"""The way of one message through the program: statements, connections, functions, modules and switches between them.

Each kind of message is said three times on the loopback Discord, to Hathi in this process, and the third is traced: one
memory matches the question, and the model's reply comes in one piece. A function counts when it is entered, not when it
resumes after an await; a switch is a function entered whose module is not that of the one entered before it. What the
log and the metrics do is left out.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Generator
from contextlib import AsyncExitStack, contextmanager
from types import FrameType
from typing import Any, Final

import asyncpg

from bot.config import DatabaseSettings
from bot.db import pool
from tests import discord_bot
from tests.benchmarks import servers
from tests.benchmarks.watched import WatchedDatabase
from tests.discord_bot import DiscordBot
from tests.model_server import Reply

PARTS: Final = tuple(f"{servers.ROOT}/{part}/" for part in ("bot", "cogs"))
LEFT_OUT: Final = (f"{servers.ROOT}/bot/log.py", f"{servers.ROOT}/bot/infra/metrics.py")
COMPREHENSIONS: Final = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
"""Lines of the function they stand in; from Python 3.12 on most are no functions at all."""
RUNS: Final = 3
HEARD_WITHIN: Final = 0.2
"""Seconds after which a message that nothing answers was taken in."""
FACT: Final = "The boiler in the cellar is serviced by Quillwort every spring."
SAID: Final = "Ann said that the boiler in the cellar is serviced by Quillwort every spring (#1)."

Figures = dict[str, int]
Say = Callable[[int], Awaitable[None]]
"""Says something for the given time, and returns when nothing is done about it any more."""


class _Tracer:
    """Counts the functions of the program that are entered in this thread."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures
        self._modules = set[str]()
        self._last = ""

    def __call__(self, frame: FrameType, event: str, _arg: object) -> None:
        module = frame.f_code.co_filename
        if event != "call" or not module.startswith(PARTS) or module in LEFT_OUT:
            return
        if frame.f_code.co_name in COMPREHENSIONS or _resumes(frame):
            return
        self._figures["functions"] += 1
        self._figures["switches"] += module != self._last
        self._modules.add(module)
        self._figures["modules"] = len(self._modules)
        self._last = module


def _resumes(frame: FrameType) -> bool:
    """Whether a coroutine or generator goes on, which the argument of RESUME tells (Python's `dis`, "RESUME")."""
    return frame.f_lasti >= 0 and frame.f_code.co_code[frame.f_lasti + 1] & 3 != 0


@contextmanager
def _traced(database: WatchedDatabase) -> Generator[Figures]:
    """The figures of what is done in the block, complete at its end."""
    figures: Figures = dict.fromkeys(("statements", "connections", "functions", "modules", "switches"), 0)
    with database.watched() as use:
        sys.setprofile(_Tracer(figures))
        try:
            yield figures
        finally:
            sys.setprofile(None)
            figures |= {"statements": len(use.statements), "connections": use.connections}


class _Talk:
    """What is said to Hathi in its one channel, each kind in its own way."""

    def __init__(self, bot: DiscordBot) -> None:
        self._bot = bot
        self._ann = bot.guild.owner
        bot.knows(self._ann)

    async def plain_question(self, number: int) -> None:
        await self._asks(f"Write a haiku about paint number {number}.")

    async def recall_question(self, _number: int) -> None:
        await self._asks("Who services the boiler in the cellar, did we say?")

    async def recall_command(self, _number: int) -> None:
        await self._commands("!recall boiler cellar")

    async def memories(self, _number: int) -> None:
        await self._commands("!memories")

    async def remember(self, number: int) -> None:
        await self._commands(f"!remember The shed has the number {number} on its door.")

    async def reset(self, _number: int) -> None:
        await self._commands("!reset")

    async def overheard(self, number: int) -> None:
        await self._ann.say(self._bot.channel, f"the weather is number {number} again")
        await self._rest()

    async def _asks(self, text: str) -> None:
        await self._bot.asks(self._ann, self._bot.channel, text)
        await self._rest()

    async def _commands(self, text: str) -> None:
        before = self._said()
        await self._ann.say(self._bot.channel, text)
        await self._bot.until(lambda: self._said() > before)
        await self._rest()

    def _said(self) -> int:
        return len(self._bot.channel.said_by(self._bot.discord.bot))

    async def _rest(self) -> None:
        """Return when what was said is done with, and all that goes on after the reply."""
        await asyncio.sleep(HEARD_WITHIN)
        await self._bot.settled()


def _answer(body: dict[str, Any]) -> Reply:
    """The model's words on a prompt that holds the fact, and on any other."""
    asked = str(body["messages"][-1]["content"])
    return Reply(text=SAID if "services the boiler" in asked else "Fresh coat on the wall.", pieces=1)


async def _forget_talk(dsn: str) -> None:
    """Leave nothing said that is not evidence, so that one row matches a question: the memory."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute("DELETE FROM turn")
        await connection.execute("DELETE FROM message WHERE message_id <> ALL (SELECT unnest(evidence) FROM memory)")
    finally:
        await connection.close()


async def run(*, small: bool) -> dict[str, Any]:
    del small  # it takes some seconds
    traced = dict[str, Any]()
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(servers.postgres())
        dsn = await servers.database(server, "trace")
        database = WatchedDatabase(await stack.enter_async_context(pool.opened(dsn, DatabaseSettings())))
        bot = await stack.enter_async_context(discord_bot.running(database, answer=_answer))
        await bot.caught_up()
        talk = _Talk(bot)
        await talk._commands(f"!remember {FACT}")
        kinds: dict[str, Say] = {
            "plain_question": talk.plain_question,
            "recall_question": talk.recall_question,
            "recall_command": talk.recall_command,
            "memories": talk.memories,
            "remember": talk.remember,
            "reset": talk.reset,
            "overheard": talk.overheard,
        }
        for name, say in kinds.items():
            for number in range(1, RUNS + 1):
                await _forget_talk(dsn)
                if name == "reset":
                    # There is something to be summarised.
                    await talk.plain_question(number)
                if number < RUNS:
                    await say(number)
            with _traced(database) as figures:
                await say(RUNS)
            traced[name] = figures
    return traced
