"""Fifty channels with ten questions each, all at once: every one answered, in its channel's order, and how soon.

`ratio_to_ideal` is the time to the last reply over that of a bot that costs nothing: ten answers of 200 ms one after
the other, in all channels at once. `floor_ratio_to_ideal` is the same of a bot of 30 lines with discord.py and the
openai SDK, without memory, history and order, asked in turns with it: what this machine can do at all.

`in_bot_ratio` is of a burst of its own, one message in each of a hundred channels at once, none of which needs a
recall, with a model that is silent until all have come to it: the time from the first message said to the last request
that reached the model, over that of the bare bot. `in_s` and `floor_in_s` are the seconds.
"""

import asyncio
import contextlib
import itertools
import time
from datetime import timedelta
from typing import Any, Final

from tests.benchmarks import bots, servers
from tests.benchmarks.timing import p50, rounds
from tests.discord_server.messages import Message
from tests.model_server import Reply

THINKS: Final = 0.2
"""Seconds the model takes for an answer."""
WITHIN: Final = timedelta(seconds=120)
AT_ONCE: Final = 100
"""Channels that ask one question each, and are answered when all have asked."""
ASKED: Final = "Write a haiku about room {}."
"""What needs nothing that was said before."""


async def run(*, small: bool) -> dict[str, float]:
    channels, questions, at_once = (4, 3, 6) if small else (50, 10, AT_ONCE)
    answered, lost, disordered, ratios, floors = 0, 0, 0, [], []
    async with contextlib.AsyncExitStack() as stack:
        dsn = await servers.database(await stack.enter_async_context(servers.postgres()), "bursts")
        bot, floor = [
            await stack.enter_async_context(bots.bot(words, dsn=dsn, channels=at_once, answer=_answer))
            for words in (bots.HATHI, bots.FLOOR)
        ]
        inbound = [(await _asked_at_once(bot), await _asked_at_once(floor)) for _ in range(rounds(small=small))]
        for number in range(rounds(small=small)):
            asked, took = await _burst(bot, channels, questions, number)
            ratios.append(took / (questions * THINKS))
            floors.append((await _burst(floor, channels, questions, number))[1] / (questions * THINKS))
            replies = [
                bot.replies(channel, (q.message_id for q in of))
                for channel, of in zip(bot.channels[:channels], asked, strict=True)
            ]
            answered += sum(len(found) for found in replies)
            lost += sum(len(of) - len(found) for of, found in zip(asked, replies, strict=True))
            disordered += sum(_disordered(found, of) for found, of in zip(replies, asked, strict=True))
    return {
        "answered": answered,
        "lost": lost,
        "out_of_order": disordered,
        "ratio_to_ideal": p50(ratios),
        "floor_ratio_to_ideal": p50(floors),
        "in_bot_ratio": p50([ours / bare for ours, bare in inbound]),
        "in_s": p50([ours for ours, _ in inbound]),
        "floor_in_s": p50([bare for _, bare in inbound]),
    }


async def _asked_at_once(bot: bots.Bot) -> float:
    """Seconds from the first message to the last request for an answer, of which none is given before."""
    all_asked, came = asyncio.Event(), list[float]()

    def answer(_body: dict[str, Any]) -> Reply:
        came.append(time.monotonic())
        if len(came) == len(bot.channels):
            all_asked.set()
        return Reply(text="Fine.", pieces=4, silent=all_asked)

    before, bot.model.always = bot.model.always, answer
    started = time.monotonic()
    asked = [await bot.ask(channel, ASKED.format(n), by=n) for n, channel in enumerate(bot.channels)]
    async with asyncio.timeout(WITHIN.total_seconds()):
        await all_asked.wait()
    await bot.discord.until(lambda: all(map(bot.reply_to, asked)), within=WITHIN)
    bot.model.always = before
    return came[-1] - started


async def _burst(bot: bots.Bot, channels: int, questions: int, number: int) -> tuple[list[list[Message]], float]:
    """What was asked in each of so many channels, and the seconds until all was answered or the patience was over."""
    started = time.monotonic()
    asked = [
        [await bot.ask(channel, f"Round {number}, question {n} of room {c}?", by=n) for n in range(questions)]
        for c, channel in enumerate(bot.channels[:channels])
    ]

    def is_over() -> bool:
        return all(
            len(bot.replies(channel, (q.message_id for q in of))) == len(of)
            for channel, of in zip(reversed(bot.channels[:channels]), reversed(asked), strict=True)
        )

    try:
        await bot.discord.until(is_over, within=WITHIN)
    except TimeoutError:
        await asyncio.sleep(0)
    return asked, time.monotonic() - started


def _disordered(replies: dict[int, list[Message]], asked: list[Message]) -> int:
    """Replies that came before one to an earlier question of their channel."""
    at = [replies[question.message_id][0].at for question in asked if question.message_id in replies]
    return sum(later < earlier for earlier, later in itertools.pairwise(at))


def _answer(body: dict[str, Any]) -> Reply:
    return Reply(text=f"You asked: {body['messages'][-1]['content'][-60:]}", pieces=4, delay=THINKS)
