"""A question on Discord: from message to model request, and from the model's end to the reply, beside a bare bot.

The bare bot is one of 30 lines with discord.py and the openai SDK and no memory, asked in turns with Hathi over the
loopback Discord. `inbound_p50_ms` is from the event of a question to the model's request, `outbound_p50_ms` from the
end of the model's reply to the message on Discord, and `ratio_to_floor` is their sum against the bare bot's
(`floor_ms`); it is looked whether memory has the answer, and questions that memory answers are left out.

The others are of turns without a recall, which ask for something new and nothing of memory. `in_bot_ratio` is from
message to model request, `out_bot_ratio` from the model's end to the last edit, each over the bare bot's; `cpu_ratio`
the processor's seconds of Hathi's process and Postgres together over those of the bare bot's process; `p95_ratio` the
95th percentile of both parts together over their median. With `large_` before it the same is told once more, with
`rows` memories in the guild that asks (`--rows`, a million if need be), one of a hundred in the short tier, beside the
bare bot again; `worst_growth` is the most that the memories add to any of inbound, outbound and processor.
"""

import random
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final

import psutil

from bot.config import DatabaseSettings
from bot.db import pool
from bot.domain import SpaceId
from bot.store.archivist import Archivist
from bot.store.word_counts import WordSampler
from tests.benchmarks import bots, community, servers
from tests.benchmarks.community import Community
from tests.benchmarks.timing import p50, p95, rounds
from tests.benchmarks.vocabulary import Vocabulary
from tests.discord_server.messages import Message
from tests.model_server import Reply

REPLY: Final = "The release is planned for Friday; Ann builds it and Ben looks after the backup."
CHANNELS: Final = 10
TALK: Final = "Write a haiku about {}."
"""What needs nothing that was said before."""
ROWS: Final = 100_000
"""Memories of the large guild, unless told."""
FEW_ROWS: Final = 1000
SHORT_OF: Final = 100
"""One of so many memories is in the short tier."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """Some turns of one bot: milliseconds inbound and outbound of each, and the processor's seconds of all."""

    inbound: Sequence[float]
    outbound: Sequence[float]
    cpu: float


class _Probe:
    """One bot, and when its model was asked and had answered."""

    def __init__(self, bot: bots.Bot, *processes: psutil.Process) -> None:
        """`processes` work for the bot, and for nobody else meanwhile."""
        self._bot = bot
        self._processes = processes
        self._asked = self._ended = 0.0
        self._chosen, self._vocabulary = random.Random(5), Vocabulary()
        bot.model.always = self._answer
        bot.model.on_reply = self._note_end

    async def questions(self, count: int) -> _Part:
        return await self._turns(count, self._vocabulary.question)

    async def talk(self, count: int) -> _Part:
        return await self._turns(count, lambda chosen: TALK.format(" ".join(self._vocabulary.words(chosen, 6))))

    async def _turns(self, count: int, said: Callable[[random.Random], str]) -> _Part:
        before = self._cpu
        times = [await self._turn(number, said) for number in range(count)]
        return _Part(
            inbound=[inbound for inbound, _ in times],
            outbound=[outbound for _, outbound in times],
            cpu=self._cpu - before,
        )

    @property
    def _cpu(self) -> float:
        return self._bot.cpu + sum(map(servers.cpu, self._processes))

    def _answer(self, _body: dict[str, Any]) -> Reply:
        self._asked = time.monotonic()
        return Reply(text=REPLY, pieces=8)

    def _note_end(self) -> None:
        self._ended = time.monotonic()

    def _whole(self, question: Message) -> Message | None:
        """The reply, unless it is being written."""
        reply = self._bot.reply_to(question)
        is_growing = reply is not None and REPLY not in reply.text and reply.text[:9] == REPLY[:9]
        return None if is_growing else reply

    async def _turn(self, number: int, said: Callable[[random.Random], str]) -> tuple[float, float]:
        """Milliseconds inbound and outbound of one message that the model answers."""
        while True:
            channel = self._bot.channels[number % CHANNELS]
            question = await self._bot.ask(channel, said(self._chosen))
            await self._bot.discord.until(partial(self._whole, question), within=timedelta(seconds=30))
            reply = self._whole(question)
            assert reply is not None
            if REPLY in reply.text:
                return (self._asked - question.at) * 1000, (reply.at - self._ended) * 1000


async def run(*, small: bool, rows: int | None = None) -> dict[str, float]:
    turns, count = 10 if small else 100, rounds(small=small)
    rows = rows or (FEW_ROWS if small else ROWS)
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(servers.postgres())
        postgres = await servers.postmaster(server)
        floor = await stack.enter_async_context(
            bots.bot(bots.FLOOR, dsn=None, channels=CHANNELS, answer=Reply(text=REPLY))
        )
        questions: list[tuple[_Part, _Part]] = []
        talk: dict[int, list[tuple[_Part, _Part]]] = {0: [], rows: []}
        for stored, parts in talk.items():
            dsn = await servers.database(server, f"with_{stored}_memories")
            async with bots.bot(
                bots.HATHI, dsn=dsn, channels=CHANNELS, answer=Reply(text=REPLY), before=partial(_fill, dsn, stored)
            ) as hathi:
                ours, bare = _Probe(hathi, postgres), _Probe(floor)
                for _ in range(count):
                    parts.append((await ours.talk(turns), await bare.talk(turns)))
                if not stored:
                    questions = [(await ours.questions(turns), await bare.questions(turns)) for _ in range(count)]
    plain, large = _middle(talk[0]), _middle(talk[rows])
    return {
        **_of_questions(questions),
        **plain,
        **{f"large_{key}": value for key, value in large.items()},
        "rows": rows,
        "worst_growth": max(large[key] / plain[key] for key in ("in_bot_ratio", "out_bot_ratio", "cpu_ratio")),
    }


async def _fill(dsn: str, rows: int, hathi: bots.Bot) -> None:
    """Give the bot's guild so many memories, said in its channels, and see to what the upkeep would do meanwhile."""
    if rows:
        short, guild = rows // SHORT_OF, SpaceId(hathi.guild.guild_id)
        channels = [channel.channel_id for channel in hathi.channels]
        await community.load(dsn, Community(spaces=1, first=guild, short=short, long=rows - short, channels=channels))
        async with pool.opened(dsn, DatabaseSettings()) as database:
            now = datetime.now(UTC)
            await WordSampler(database).look([guild], now=now)
            # At its start Hathi would do it for minutes, beside what is measured: no other time as much fades at once.
            await Archivist(database).decay([guild], now=now)


def _of_questions(rounds_: Sequence[tuple[_Part, _Part]]) -> dict[str, float]:
    ours = [(p50(part.inbound), p50(part.outbound)) for part, _ in rounds_]
    floors = [p50(part.inbound) + p50(part.outbound) for _, part in rounds_]
    return {
        "inbound_p50_ms": p50([inbound for inbound, _ in ours]),
        "outbound_p50_ms": p50([outbound for _, outbound in ours]),
        "floor_ms": p50(floors),
        "ratio_to_floor": p50([sum(each) / floor for each, floor in zip(ours, floors, strict=True)]),
    }


def _middle(rounds_: Sequence[tuple[_Part, _Part]]) -> dict[str, float]:
    figures = [_figures(ours, bare) for ours, bare in rounds_]
    return {key: p50([each[key] for each in figures]) for key in figures[0]}


def _figures(ours: _Part, bare: _Part) -> dict[str, float]:
    inbound, outbound = p50(ours.inbound), p50(ours.outbound)
    both = [sum(pair) for pair in zip(ours.inbound, ours.outbound, strict=True)]
    return {
        "in_bot_ratio": inbound / p50(bare.inbound),
        "out_bot_ratio": outbound / p50(bare.outbound),
        "cpu_ratio": ours.cpu / bare.cpu,
        "p95_ratio": p95(both) / p50(both),
        "in_ms": inbound,
        "out_ms": outbound,
        "cpu_ms": ours.cpu * 1000 / len(ours.inbound),
    }
