"""A restart with 2,000 guilds, each request taking Discord 60 ms: how soon what was missed is answered.

Each guild has ten channels in which Hathi was spoken to. While it was away people talked to each other in one channel
of every guild, and in fifty guilds somebody asked Hathi something. Seconds count from the start of the process, its
own start-up among them; `reads` are the histories that were read until the last question was answered.
"""

import contextlib
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import asyncpg

from bot.db import embedded
from tests.benchmarks import bots, servers
from tests.benchmarks.timing import p50
from tests.discord_server.faults import ALWAYS
from tests.discord_server.guilds import Guild
from tests.discord_server.messages import Message
from tests.discord_server.server import DiscordServer
from tests.model_server import ModelServer, Reply

GUILDS: Final = 2000
KNOWN: Final = 10
"""Channels a guild in which Hathi was spoken to."""
ASKED: Final = 50
LATENCY: Final = timedelta(milliseconds=60)
WITHIN: Final = timedelta(minutes=10)
_FILL: Final = """
INSERT INTO space (space_id, language, created_at) SELECT DISTINCT space_id, 'english', now() FROM said;
INSERT INTO upkeep (space_id, next_due_at) SELECT space_id, now() + interval '1 hour' FROM space;
INSERT INTO channel (space_id, channel_id, name, mode, open_session_id, session_count, last_message_id, created_at)
SELECT space_id, channel_id, 'room', 'addressed', channel_id, 1, message_id, now() FROM said;
INSERT INTO session (space_id, session_id, channel_id, number, state, opened_at)
SELECT space_id, channel_id, channel_id, 1, 'open', now() FROM said;
INSERT INTO message (space_id, message_id, channel_id, session_id, role, author_id, author, content, said_at, search)
SELECT space_id, message_id, channel_id, channel_id, 'person', author_id, 'Ann', 'Hello.', now(), '' FROM said;
ANALYZE"""


@dataclass
class _Missed:
    """What was said in the guilds."""

    guilds: list[Guild]
    heard: list[Message]
    """Before Hathi went away."""
    asked: list[Message]


async def run(*, small: bool) -> dict[str, float]:
    guilds, asked = (20, 5) if small else (GUILDS, ASKED)
    with servers.folder() as folder:
        async with (
            embedded.owned(folder) as postgres,
            DiscordServer.started() as discord,
            ModelServer(always=Reply(text="Fine.")) as model,
        ):
            dsn = await servers.database(postgres, "catchup")
            missed = await _said(discord, guilds, asked)
            await _fill(dsn, missed)
            home = missed.guilds[0]
            bot = bots.process(
                bots.HATHI, discord=discord, model=model, guild=home, channels=[*home.channels.values()], dsn=dsn
            )
            discord.faults.slow(LATENCY, ALWAYS)
            model.on_request = discord.world.changes.tell
            try:
                return await _answered(bot, missed.asked)
            finally:
                if bot.process is not None:
                    await bot.end()


async def _said(discord: DiscordServer, guilds: int, asked: int) -> _Missed:
    """All that was said, before Hathi went and after."""
    ann, missed = discord.user("Ann"), _Missed([], [], [])
    for number in range(guilds):
        guild = discord.guild(f"Guild {number}")
        guild.members[discord.bot.user_id].joined_at = datetime(2020, 1, 1, tzinfo=UTC)
        guild.join(ann)
        missed.guilds.append(guild)
        rooms = [guild.text_channel(f"room-{n}") for n in range(KNOWN)]
        missed.heard += [await ann.say(room, "Hello.") for room in rooms]
    for number, guild in enumerate(missed.guilds):
        rooms = [*guild.channels.values()]
        if number % (guilds // asked) == 0 and len(missed.asked) < asked:
            missed.asked.append(await ann.say(rooms[1], f"Question {number}?", mentions=[discord.bot]))
        await ann.say(rooms[0], "Well, back to work.")
    return missed


async def _fill(dsn: str, missed: _Missed) -> None:
    """A database that has heard what was said before."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(
            "CREATE TEMPORARY TABLE said (space_id bigint, channel_id bigint, message_id bigint, author_id bigint)"
        )
        rows = list[tuple[int, int, int, int]]()
        for each in missed.heard:
            assert each.channel.guild is not None
            place = each.channel.guild.guild_id, each.channel.channel_id
            rows.append((*place, each.message_id, each.author.user_id))
        await connection.copy_records_to_table("said", records=rows)
        await connection.execute(_FILL)
    finally:
        await connection.close()


async def _answered(bot: bots.Bot, asked: list[Message]) -> dict[str, float]:
    """Seconds from the start of the process until the questions have their replies."""
    began, took = time.monotonic(), dict[int, float]()

    def look() -> bool:
        for question in asked:
            if question.message_id not in took and bot.reply_to(question) is not None:
                took[question.message_id] = time.monotonic() - began
        return len(took) == len(asked)

    await bot.start()
    ready = time.monotonic() - began
    with contextlib.suppress(TimeoutError):
        await bot.discord.until(look, within=WITHIN)
    reads = [r for r in bot.discord.requested("GET", "/messages") if r.status]
    return {
        "connected_s": ready,
        "p50_s": p50([*took.values()]),
        "last_s": max(took.values()),
        "lost": len(asked) - len(took),
        "reads": len(reads),
    }
