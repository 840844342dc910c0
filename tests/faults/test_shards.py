"""Several Hathis on one database: by shards, in a rolling deploy, and while Postgres is started anew."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator
from typing import Any, Final

import pytest
import pytest_asyncio

from bot.config import DatabaseSettings
from bot.db import embedded, pool
from bot.db.pool import Database
from tests import discord_bot
from tests.benchmarks import bots, servers
from tests.conftest import cloned
from tests.discord_bot import World
from tests.discord_server.messages import Message
from tests.faults import discord
from tests.faults.discord import Rows
from tests.model_server import Reply

QUESTIONS: Final = 12


class Two:
    """Two processes, each with one of two shards, and what was asked of them."""

    def __init__(self, world: World, rows: Rows, processes: tuple[bots.Bot, bots.Bot]) -> None:
        self.world = world
        self.rows = rows
        self.processes = processes
        self.guilds = (world.guild, world.discord.guild("Second"))

    async def worker_of(self, *questions: Message) -> set[int]:
        """The pids of the processes that answered these questions."""
        found = await self.rows.all(
            "SELECT worker FROM turn WHERE turn_id = ANY ($1::bigint[])", [each.message_id for each in questions]
        )
        return {int(worker.split("/")[-2]) for worker in found}

    def pid(self, shard: int) -> int:
        """The process that has a shard."""
        process = self.processes[shard].process
        assert process is not None
        return process.pid


def _echo(body: dict[str, Any]) -> Reply:
    return Reply(text=f"You asked: {body['messages'][-1]['content'][-40:]}", pieces=4)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def two(server: str) -> AsyncGenerator[Two]:
    """Both processes, ready, each heard of what its shard's guild said."""
    async with cloned(server) as dsn, discord.rows(dsn) as rows, discord_bot.world(answer=_echo, shards=2) as world:
        processes = (
            discord.process(world, dsn, SHARD_IDS="0", SHARD_COUNT="2"),
            discord.process(world, dsn, SHARD_IDS="1", SHARD_COUNT="2"),
        )
        found = Two(world, rows, processes)
        async with discord.started(*processes):
            yield found


@pytest.mark.asyncio(loop_scope="module")
async def test_each_guild_is_answered_by_the_process_of_its_shard(two: Two) -> None:
    """Every question of either guild is answered once, by the one process whose shard the guild is on."""
    asked: dict[int, list[Message]] = {}
    for guild in two.guilds:
        ann, room = two.world.discord.user("Ann"), guild.text_channel("room")
        guild.join(ann)
        shard = (guild.guild_id >> 22) % 2
        asked[shard] = [await ann.say(room, f"Question {n}?", mentions=[two.world.discord.bot]) for n in range(3)]
    await two.rows.state(*asked[0], *asked[1])
    assert [1] * 6 == [len(two.world.replies(each)) for each in (*asked[0], *asked[1])]
    assert [{two.pid(0)}, {two.pid(1)}] == [await two.worker_of(*asked[shard]) for shard in (0, 1)]


@pytest.mark.asyncio(loop_scope="module")
async def test_direct_messages_are_answered_by_the_first_shard(two: Two) -> None:
    """What somebody writes to Hathi alone is answered once, by the process that has shard 0."""
    ben = two.world.discord.user("Ben")
    asked = await ben.say(ben.direct, "Only you?")
    await two.rows.state(asked)
    assert 1 == len(two.world.replies(asked))
    assert {two.pid(0)} == await two.worker_of(asked)


@pytest.mark.asyncio(loop_scope="module")
async def test_what_one_erases_the_other_does_not_tell(two: Two) -> None:
    """Ann has all of hers erased by direct message, while the process of the guild's shard answers Ben with it."""
    ann, ben, hathi = two.world.discord.user("Ann"), two.world.discord.user("Ben"), two.world.discord.bot
    guild = next(each for each in two.guilds if (each.guild_id >> 22) % 2)
    room = guild.text_channel("party")
    guild.join(ann)
    guild.join(ben)
    await two.rows.state(await ann.say(room, "My canary word is xylophonium-7731.", mentions=[hathi]))
    gate, asked_before = asyncio.Event(), len(two.world.prompts)
    two.world.model.steps.append(Reply(text="Ann's canary word is xylophonium-7731, cheers!", pieces=2, gate=gate))
    toast = await ben.say(room, "A toast to the animals of Ann, please!", mentions=[hathi])
    await two.world.until(lambda: len(two.world.prompts) > asked_before)
    assert "xylophonium-7731" in two.world.prompts[asked_before]
    await ann.say(ann.direct, "!mydata erase confirm")
    await two.rows.until("SELECT count(*) = 0 FROM message WHERE author_id = $1", ann.user_id)
    gate.set()
    await two.rows.state(toast)
    assert [False] == ["xylophonium" in reply.text for reply in two.world.replies(toast)]
    assert [] == await two.rows.all("SELECT content FROM message WHERE content LIKE '%xylophonium%'")


@pytest.mark.asyncio(loop_scope="module")
async def test_daily_jobs_are_done_by_one_of_them(two: Two) -> None:
    """Of the jobs both would begin at their start, each is claimed and finished once."""
    await two.rows.until(
        "SELECT count(*) = 2 FROM job_run WHERE job IN ('decay', 'retention') AND finished_at IS NOT NULL"
    )
    assert ["decay", "retention"] == await two.rows.all(
        "SELECT job FROM job_run WHERE job IN ('decay', 'retention') ORDER BY job"
    )


@pytest.mark.asyncio(loop_scope="module")
async def test_commands_are_told_to_discord_once(two: Two) -> None:
    """Both know the same commands; Discord is told of them by one, and by none that starts later."""
    assert 1 == len(two.world.discord.requested("PUT", "/commands"))


async def test_one_process_runs_as_many_shards_as_discord_advises(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Questions of each shard's guild and direct messages are answered, also when either has lost its session."""
    discord.prepare(monkeypatch)
    async with discord_bot.running(database, server={"shards": 2}, shard_count=None) as bot:
        assert [0, 1] == [*bot.client.shards]
        ann, second = bot.person("Ann"), bot.discord.guild("Second")
        second.join(ann)
        rooms = bot.channel, second.text_channel("room"), ann.direct
        for number, lost in enumerate((None, 0, 1), start=2):
            if lost is not None:
                bot.discord.invalidate(lost)
            await bot.until(lambda number=number: bot.discord.identifies == number)
            replies = [await bot.asks(ann, room, f"Question {number}?") for room in rooms]
            assert ["Fine."] * 3 == [reply.text for reply in replies]


async def test_two_on_one_shard_answer_each_question_once(server: str) -> None:
    """In a rolling deploy the old and the new process hear the same questions; each has one reply.

    The old one is told to end while questions come, and the new one answers all that is left: what the old one leaves
    without a word it finds at its next look, within twenty seconds.
    """
    async with cloned(server) as dsn, discord.rows(dsn) as rows, discord_bot.world(answer=_echo) as world:
        old, new = discord.process(world, dsn), discord.process(world, dsn)
        async with discord.started(old, new):
            assert old.process is not None
            rooms = [world.guild.text_channel(f"room-{n}") for n in range(3)]
            ann = world.newcomer("Ann")
            asked = list[Message]()
            for number in range(QUESTIONS):
                if number == QUESTIONS // 2:
                    await rows.state(*asked[:3])
                    old.process.send_signal(signal.SIGTERM)
                asked.append(
                    await ann.say(rooms[number % 3], f"Question {number} of {QUESTIONS}?", mentions=[world.discord.bot])
                )
            await rows.state(*asked)
            assert 0 == await asyncio.wait_for(old.process.wait(), discord.WITHIN.total_seconds())
            assert [1] * QUESTIONS == [len(world.replies(each)) for each in asked]
            assert [1] * QUESTIONS == [len(await rows.replies(each)) for each in asked]


async def test_messages_that_come_while_postgres_is_started_anew_are_all_answered() -> None:
    """Whatever was recorded, being answered or just said when the database went is answered once when it is back."""
    with servers.folder() as folder:
        async with embedded.owned(folder) as address:
            dsn = await servers.database(address, "restarted")
            async with (
                pool.opened(dsn, DatabaseSettings()) as database,
                discord_bot.running(database, answer=_echo) as bot,
            ):
                ann = bot.person("Ann")
                rooms = [bot.guild.text_channel(f"room-{n}") for n in range(4)]
                asked = [await bot.says_to_hathi(ann, room, f"Before in {room.name}?") for room in rooms]
                await bot.answer(asked[0])
                postmaster = (folder / "postgres" / "cluster" / "postmaster.pid").read_text("ascii").split()[0]
                os.kill(int(postmaster), signal.SIGINT)
                asked += [await bot.says_to_hathi(ann, room, f"Meanwhile in {room.name}?") for room in rooms]
                await bot.until(lambda: all(bot.world.replies(each) for each in asked))
                await bot.settled()
                assert [1] * 8 == [len(bot.world.replies(each)) for each in asked]
                async with database.connection() as connection:
                    assert ["answered"] == [row[0] for row in await connection.fetch("SELECT DISTINCT state FROM turn")]
