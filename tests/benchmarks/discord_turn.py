"""A question on Discord: from message to model request, and from the model's end to the reply, beside a bare bot.

`inbound_p50_ms` is from the event of a message to the model's request, `outbound_p50_ms` from the end of the model's
reply to the message on Discord, over the loopback Discord; `ratio_to_floor` is their sum against the same of a bot of
30 lines with discord.py and the openai SDK and no memory, asked in turns with it.
"""

import random
import time
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any, Final

from tests.benchmarks import bots, servers
from tests.benchmarks.timing import p50, rounds
from tests.benchmarks.vocabulary import Vocabulary
from tests.discord_server.messages import Message
from tests.model_server import Reply

REPLY: Final = "The release is planned for Friday; Ann builds it and Ben looks after the backup."
CHANNELS: Final = 10


class _Probe:
    """One bot, and when its model was asked and had answered."""

    def __init__(self, bot: bots.Bot) -> None:
        self._bot = bot
        self._asked = self._ended = 0.0
        self._chosen, self._vocabulary = random.Random(5), Vocabulary()
        bot.model.always = self._answer
        bot.model.on_reply = self._note_end

    def _answer(self, _body: dict[str, Any]) -> Reply:
        self._asked = time.monotonic()
        return Reply(text=REPLY, pieces=8)

    def _note_end(self) -> None:
        self._ended = time.monotonic()

    def _whole(self, question: Message) -> Message | None:
        reply = self._bot.reply_to(question)
        return reply if reply is not None and REPLY in reply.content else None

    async def turn(self, number: int) -> tuple[float, float]:
        """Milliseconds inbound and outbound of one question."""
        channel = self._bot.channels[number % CHANNELS]
        question = await self._bot.ask(channel, self._vocabulary.question(self._chosen))
        await self._bot.discord.until(lambda: self._whole(question), within=timedelta(seconds=30))
        reply = self._whole(question)
        assert reply is not None
        return (self._asked - question.at) * 1000, (reply.at - self._ended) * 1000


async def run(*, small: bool) -> dict[str, float]:
    turns = 10 if small else 100
    inbound, outbound, floors, ratios = [], [], [], []
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(servers.postgres())
        dsn = await servers.database(server, "discord_turns")
        hathi = await stack.enter_async_context(
            bots.bot(bots.HATHI, dsn=dsn, channels=CHANNELS, answer=Reply(text=REPLY))
        )
        floor = await stack.enter_async_context(
            bots.bot(bots.FLOOR, dsn=None, channels=CHANNELS, answer=Reply(text=REPLY))
        )
        ours, bare = _Probe(hathi), _Probe(floor)
        for _ in range(rounds(small=small)):
            pairs = [(await ours.turn(n), await bare.turn(n)) for n in range(turns)]
            sums = [
                p50([pair[which][0] for pair in pairs]) + p50([pair[which][1] for pair in pairs]) for which in (0, 1)
            ]
            inbound.append(p50([pair[0][0] for pair in pairs]))
            outbound.append(p50([pair[0][1] for pair in pairs]))
            floors.append(sums[1])
            ratios.append(sums[0] / sums[1])
    return {
        "inbound_p50_ms": p50(inbound),
        "outbound_p50_ms": p50(outbound),
        "floor_ms": p50(floors),
        "ratio_to_floor": p50(ratios),
    }
