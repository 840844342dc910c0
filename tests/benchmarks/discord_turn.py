"""A question on Discord: from message to model request, and from the model's end to the reply, beside a bare bot.

The bare bot is one of 30 lines with discord.py and the openai SDK and no memory, asked in turns with Hathi over the
loopback Discord; questions that Hathi answers from memory are another turn, and left out.

`inbound_p50_ms` is from the event of a message to the model's request, `outbound_p50_ms` from the end of the model's
reply to the message on Discord with the whole of it; `floor_ms` is the sum of both of the bare bot, `ratio_to_floor`
Hathi's sum over it. `in_bot_ratio` and `out_bot_ratio` are each part over the bare bot's, `cpu_ratio` the processor's
seconds of a turn of Hathi's process and Postgres together over those of the bare bot's process, and `p95_ratio` the
95th percentile of both parts together over their median.

The same with `large_` before it is measured once more, beside the bare bot again, with `rows` memories (`--rows`, a
million if need be) in the guild that asks, one of a hundred in the short tier. `worst_growth` is the most that the
memories add: the greatest of inbound, outbound and processor over the same without them, each by the bare bot's time.
"""

import random
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, Final

import psutil

from tests.benchmarks import bots, community, servers
from tests.benchmarks.community import Community
from tests.benchmarks.timing import p50, p95, rounds
from tests.benchmarks.vocabulary import Vocabulary
from tests.discord_server.messages import Message
from tests.model_server import Reply

REPLY: Final = "The release is planned for Friday; Ann builds it and Ben looks after the backup."
CHANNELS: Final = 10
ROWS: Final = 100_000
"""Memories of the large guild, unless told."""
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

    async def turns(self, count: int) -> _Part:
        before = self._cpu
        times = [await self._turn(number) for number in range(count)]
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
        is_growing = reply is not None and REPLY not in reply.content and reply.content[:9] == REPLY[:9]
        return None if is_growing else reply

    async def _turn(self, number: int) -> tuple[float, float]:
        """Milliseconds inbound and outbound of one question that the model answers."""
        while True:
            channel = self._bot.channels[number % CHANNELS]
            question = await self._bot.ask(channel, self._vocabulary.question(self._chosen))
            await self._bot.discord.until(lambda: self._whole(question), within=timedelta(seconds=30))
            reply = self._whole(question)
            assert reply is not None
            if REPLY in reply.content:
                return (self._asked - question.at) * 1000, (reply.at - self._ended) * 1000


async def run(*, small: bool, rows: int | None = None) -> dict[str, float]:
    turns, count = 10 if small else 100, rounds(small=small)
    rows = rows or (1000 if small else ROWS)
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(servers.postgres())
        postgres = await servers.postmaster(server)
        floor = await stack.enter_async_context(
            bots.bot(bots.FLOOR, dsn=None, channels=CHANNELS, answer=Reply(text=REPLY))
        )
        found: list[dict[str, float]] = []
        for name, stored in (("discord_turns", 0), ("large_discord_turns", rows)):
            dsn = await servers.database(server, name)
            async with bots.bot(
                bots.HATHI, dsn=dsn, channels=CHANNELS, answer=Reply(text=REPLY), before=partial(_fill, dsn, stored)
            ) as hathi:
                ours, bare = _Probe(hathi, postgres), _Probe(floor)
                parts = [(await ours.turns(turns), await bare.turns(turns)) for _ in range(count)]
            each = [_figures(ours, bare) for ours, bare in parts]
            found.append({key: p50([figures[key] for figures in each]) for key in each[0]})
    plain, large = found
    growth = [large[key] / plain[key] for key in ("in_bot_ratio", "out_bot_ratio", "cpu_ratio")]
    return {
        **plain,
        **{f"large_{key}": value for key, value in large.items()},
        "rows": rows,
        "worst_growth": max(growth),
    }


async def _fill(dsn: str, rows: int, hathi: bots.Bot) -> None:
    """Give the bot's guild so many memories, said in its channels."""
    if rows:
        short = rows // SHORT_OF
        channels = [channel.channel_id for channel in hathi.channels]
        await community.load(
            dsn,
            Community(spaces=1, first=hathi.guild.guild_id, short=short, long=rows - short, channels=channels),
        )


def _figures(ours: _Part, bare: _Part) -> dict[str, float]:
    inbound, outbound = p50(ours.inbound), p50(ours.outbound)
    floor_in, floor_out = p50(bare.inbound), p50(bare.outbound)
    both = [sum(pair) for pair in zip(ours.inbound, ours.outbound, strict=True)]
    return {
        "inbound_p50_ms": inbound,
        "outbound_p50_ms": outbound,
        "floor_ms": floor_in + floor_out,
        "ratio_to_floor": (inbound + outbound) / (floor_in + floor_out),
        "in_bot_ratio": inbound / floor_in,
        "out_bot_ratio": outbound / floor_out,
        "cpu_ratio": ours.cpu / bare.cpu,
        "p95_ratio": p95(both) / p50(both),
        "cpu_ms": ours.cpu * 1000 / len(ours.inbound),
        "floor_in_ms": floor_in,
        "floor_out_ms": floor_out,
        "floor_cpu_ms": bare.cpu * 1000 / len(bare.inbound),
    }
