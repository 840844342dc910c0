"""A streamed answer on Discord: from the model's first token to the first text in the channel.

The model speaks for about four seconds; `first_text` is of answers that are streamed, so the first ones, by which Hathi
learns that this model is not a quick one, are counted like all others.
"""

import time
from datetime import timedelta
from typing import Any, Final

from tests.benchmarks import bots, servers
from tests.benchmarks.timing import p50
from tests.discord_server.messages import Message
from tests.model_server import Reply

ANSWER: Final = " ".join(f"Sentence {n} of a long answer about releases, backups and gardens." for n in range(1, 28))
PIECES: Final = 160
PACE: Final = 0.025
THINKS: Final = 0.3


class _Model:
    def __init__(self) -> None:
        self.first_token = 0.0

    def __call__(self, _body: dict[str, Any]) -> Reply:
        self.first_token = time.monotonic() + THINKS
        return Reply(text=ANSWER, pieces=PIECES, pace=PACE, delay=THINKS)


async def run(*, small: bool) -> dict[str, float]:
    model, waits, edits = _Model(), list[float](), list[float]()
    async with servers.postgres() as server:
        dsn = await servers.database(server, "streams")
        async with bots.bot(bots.HATHI, dsn=dsn, channels=5, answer=Reply(text="Yes.")) as bot:
            bot.model.always = model
            for number in range(1 if small else 15):
                question = await bot.ask(bot.channels[number % 5], f"Tell me a long story, number {number}.")

                await bot.discord.until(lambda asked=question: _whole(bot, asked), within=timedelta(seconds=60))
                reply = _whole(bot, question)
                assert reply is not None
                waits.append((reply.at - model.first_token) * 1000)
                edits.append(len(reply.edits) - 1)
    return {"p50_ms": p50(waits), "slowest_ms": max(waits), "edits": p50(edits)}


def _whole(bot: bots.Bot, question: Message) -> Message | None:
    """The reply, once all of the answer stands in it."""
    reply = bot.reply_to(question)
    return reply if reply is not None and ANSWER in reply.text else None
