"""The laws of the button under a reset that makes memory of the talk that is not recorded."""

import asyncio
import json
from typing import Any

import pytest

from bot.commands import including
from bot.commands.resets import TALK_LEFT
from bot.config import Roles
from bot.db.pool import Database
from bot.domain import Right
from bot.lifecycle import model_facts
from cogs.chat.recent_messages import RecentMessages
from cogs.events import include_button
from tests import discord_bot
from tests.cogs.chat.test_plain_requests import ids, pressable
from tests.cogs.commands.test_reply_reasons import private
from tests.discord_bot import DiscordBot
from tests.discord_server.messages import Message
from tests.discord_server.users import User
from tests.model_server import ModelServer, Reply, Status
from tests.rows import one, rows
from tests.waiting import becomes, eventually

SHIP, TEA, JUICE = "We decided to ship the release on Friday.", "I prefer tea over coffee.", "I prefer juice over milk."
WITHOUT: dict[str, Any] = {"roles": Roles()}
"""Settings of a Hathi without a model."""


async def reset(bot: DiscordBot, line: str = "!reset") -> Message:
    """The message of a reset, once all is done."""
    given = await bot.guild.owner.say(bot.channel, line)
    notice = await bot.answer(given)
    await bot.settled()
    return notice


async def told(bot: DiscordBot, by: User, notice: Message) -> str:
    """What whoever pressed it is told last, alone."""
    pressed = await by.press(notice, pressable(notice, "include"))
    await bot.until(lambda: [each for each in _private(pressed) if each.content != include_button.READING])
    return _private(pressed)[-1].content


def _private(pressed: Any) -> list[Message]:
    return [message for message in pressed.messages if message is not pressed.message and message.ephemeral]


async def memories(database: Database) -> list[Any]:
    return await rows(
        database, "SELECT content, author_id, evidence FROM memory WHERE forgotten_at IS NULL ORDER BY memory_id"
    )


async def test_talk_becomes_memory_and_is_not_kept(database: Database) -> None:
    """By who may reset alone; of nobody who declines; its authors are told; once; and it goes with its words."""
    async with discord_bot.running(database, **WITHOUT) as bot:
        ann, bob, cyd = bot.person("Ann"), bot.world.newcomer("Bob"), bot.person("Cyd")
        owner = bot.knows(bot.guild.owner)
        await bot.answer(await cyd.say(bot.channel, "!memory off me"))
        ship, tea = await ann.say(bot.channel, SHIP), await bob.say(bot.channel, TEA)
        await cyd.say(bot.channel, JUICE)
        await bot.asks(owner, bot.channel, "The mill by the river was built in 1871.")
        notice = await reset(bot)
        assert TALK_LEFT in notice.content.splitlines()
        assert ["hathi:undo", "hathi:include"] == ids(notice)[-2:]
        before = await memories(database)
        assert Right.MANAGE_MESSAGES in (await private(await ann.press(notice, pressable(notice, "include")))).content
        await owner.press(notice, pressable(notice, "include"))
        answer = await bot.stands("Included 2 messages")
        assert ["hathi:forget", "hathi:forget", "hathi:exclude"] == ids(answer)
        made = [row for row in await memories(database) if row not in before]
        assert [
            (f'Ann said: "{SHIP}"', ann.user_id, [ship.message_id]),
            (f'Bob said: "{TEA}"', bob.user_id, [tea.message_id]),
        ] == made
        assert 0 == await one(
            database, "SELECT count(*) FROM message WHERE message_id IN ($1, $2)", ship.message_id, tea.message_id
        )
        await bot.until(lambda: bot.world.replies(tea))
        assert [] == bot.world.replies(ship)
        assert including.NO_TALK == await told(bot, owner, notice)
        await ann.delete(ship)
        await becomes([*before, made[1]], lambda: memories(database))


async def test_where_nothing_was_said_to_hathi_there_is_talk_all_the_same(database: Database) -> None:
    """It reaches back to the last reset and no further; and it can be taken back, and included anew."""
    async with discord_bot.running(database, **WITHOUT) as bot:
        ann, owner = bot.person("Ann"), bot.knows(bot.guild.owner)
        await ann.say(bot.channel, TEA)
        await bot.asks(owner, bot.channel, "hello")
        await reset(bot)
        await ann.say(bot.channel, SHIP)
        notice = await reset(bot)
        assert ["hathi:include"] == ids(notice)
        await ann.say(bot.channel, JUICE)
        await owner.press(notice, pressable(notice, "include"))
        answer = await bot.stands("Included 1 message")
        assert [f'Ann said: "{SHIP}"'] == [content for content, *_ in await memories(database)]
        await owner.press(answer, pressable(answer, "exclude"))
        await bot.stands("Took back 1 memory")
        assert [] == await memories(database)
        await owner.press(notice, pressable(notice, "include"))
        await bot.until(lambda: len([m for m in bot.channel.said_by(bot.discord.bot) if "Included" in m.content]) == 1)
        assert [f'Ann said: "{SHIP}"'] == [content for content, *_ in await memories(database)]


@pytest.mark.parametrize("line", ["!reset discard", "!memory mode all"])
async def test_where_talk_is_recorded_or_nothing_is_wanted_there_is_no_button(database: Database, line: str) -> None:
    """Nor under a reset that discards, after which what was said is not to be read again either."""
    async with discord_bot.running(database, **WITHOUT) as bot:
        owner = bot.knows(bot.guild.owner)
        await bot.asks(owner, bot.channel, "The mill by the river was built in 1871.")
        if line.startswith("!memory"):
            await bot.answer(await owner.say(bot.channel, line))
        notice = await reset(bot, line if "reset" in line else "!reset")
        assert TALK_LEFT not in notice.content
        assert "hathi:include" not in ids(notice)


async def test_a_model_that_fails_leaves_nothing_half_done(database: Database) -> None:
    """One sentence says so, and after a restart it can be pressed again."""
    async with discord_bot.world(model=ModelServer(always=Status(status=400))) as world:
        async with discord_bot.connected(world, database) as bot:
            ann, owner = bot.person("Ann"), bot.knows(bot.guild.owner)
            await ann.say(bot.channel, SHIP)
            notice = await reset(bot)
            assert including.NOT_MADE == await told(bot, owner, notice)
            assert 0 == await one(database, "SELECT count(*) FROM memory")
            assert 0 == await one(database, "SELECT count(*) FROM chunk")
        async with discord_bot.connected(world, database, **WITHOUT) as again:
            again.knows(ann)
            await owner.press(notice, pressable(notice, "include"))
            await again.stands("Included 1 message")
    assert [f'Ann said: "{SHIP}"'] == [content for content, *_ in await memories(database)]


async def test_what_is_deleted_while_a_model_reads_it_is_not_kept(database: Database) -> None:
    """Nothing of that reading is; who presses meanwhile is told that it is read already."""
    gate = asyncio.Event()
    fact = {"room": "general", "topic": "tea", "content": TEA, "importance": 9, "entities": [], "key_phrases": []}
    text = json.dumps({"summary": "They talked.", "facts": [fact | {"evidence": [1]}]})
    async with (
        discord_bot.world(model=ModelServer(Reply(text=text, gate=gate), always=Reply(text=text))) as world,
        discord_bot.connected(world, database) as bot,
    ):
        ann, owner = bot.person("Ann"), bot.knows(bot.guild.owner)
        tea, ship = await ann.say(bot.channel, TEA), await ann.say(bot.channel, SHIP)
        notice = await reset(bot)
        first = await owner.press(notice, pressable(notice, "include"))
        await bot.until(lambda: bot.model.requests)
        assert include_button.AT_IT == await told(bot, owner, notice)
        await ann.delete(ship)
        await eventually(lambda: _recent(bot).changed_at(ship.message_id))
        gate.set()
        await bot.until(lambda: including.CHANGED in [message.content for message in _private(first)])
        assert [] == await memories(database)
        await owner.press(notice, pressable(notice, "include"))
        await bot.stands("Included 1 message")
        query = "SELECT content, evidence, importance FROM memory"
        assert [(TEA, [tea.message_id], model_facts.MODEL_CAP)] == await rows(database, query)


def _recent(bot: DiscordBot) -> RecentMessages:
    found = bot.client.get_cog("RecentMessages")
    assert isinstance(found, RecentMessages)
    return found
