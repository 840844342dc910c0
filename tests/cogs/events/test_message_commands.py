"""The commands under right-click → Apps: what they do, for whom, and that they need no message-content intent."""

from typing import Any

import pytest

from bot.db.pool import Database
from cogs.events.message_commands import KNOWN, ME, NO_WORDS, NOT_YOU, NOTHING_TO_KEEP, REMEMBER, WHY
from tests import discord_bot
from tests.discord_bot import DiscordBot
from tests.discord_server.messages import Message
from tests.discord_server.users import User
from tests.discord_server.wire import Intent
from tests.rows import rows

SERVERS: dict[str, dict[str, Any]] = {"with the intent": {}, "without it": {"privileged": Intent.NONE}}


async def told(who: User, target: Message | User, name: str, bot: DiscordBot) -> Message:
    """The one answer, which only whoever chose the command sees."""
    channel = bot.channel if isinstance(target, User) else None
    (message,) = await (await who.point_at(target, name, channel)).until_told()
    assert message.ephemeral
    return message


async def memories(database: Database) -> list[tuple[Any, ...]]:
    return await rows(database, "SELECT content, author, author_id FROM memory WHERE forgotten_at IS NULL")


@pytest.mark.parametrize("served", SERVERS.values(), ids=SERVERS)
async def test_anybodys_message_is_remembered_as_theirs(served: dict[str, Any], database: Database) -> None:
    """Whoever chose it is told in private what was kept; its author is told that it was, and by whom."""
    async with discord_bot.running(database, server=served) as bot:
        ann, bob = bot.person("Ann"), bot.person("Bob")
        said = await ann.say(bot.channel, "The stall costs 45 euros a day.")
        kept = await told(bob, said, REMEMBER, bot)
        assert "The stall costs 45 euros a day." in kept.text
        await bot.until(lambda: bot.world.replies(said))
        (notice,) = bot.world.replies(said)
        assert "Bob had me remember this message of yours as #1" in notice.text
        again = await told(bob, said, REMEMBER, bot)
        assert "#1" in again.text
    assert [("The stall costs 45 euros a day.", "Ann", ann.user_id)] == await memories(database)


@pytest.mark.parametrize("served", SERVERS.values(), ids=SERVERS)
async def test_what_is_known_about_a_message_is_looked_up(served: dict[str, Any], database: Database) -> None:
    """By its words, and not told to be itself what was found."""
    async with discord_bot.running(database, server=served) as bot:
        ann, bob = bot.person("Ann"), bot.person("Bob")
        await bot.asks(ann, bot.channel, "remember that the stall at the spring market costs 45 euros")
        asked = await bob.say(bot.channel, "What is the price of a stall at the spring market?")
        found = await told(bob, asked, KNOWN, bot)
        nothing = await told(bob, await bob.say(bot.channel, "…"), KNOWN, bot)
    assert "the stall at the spring market costs 45 euros" in found.text
    assert "What is the price" not in found.text
    assert NO_WORDS == nothing.text


@pytest.mark.parametrize("served", SERVERS.values(), ids=SERVERS)
async def test_an_answer_is_explained_and_remembered(served: dict[str, Any], database: Database) -> None:
    """Of Hathi's own messages; another's is no answer, and says so."""
    async with discord_bot.running(database, server=served) as bot:
        ann = bot.person("Ann")
        asked = bot.world.newcomer("Cem")
        answer = await bot.asks(ann, bot.channel, "How are you?")
        why = await told(ann, answer, WHY, bot)
        assert "### Why I said that" in why.text
        assert "no reply of mine" in (await told(ann, await asked.say(bot.channel, "Hello you"), WHY, bot)).text


async def test_what_may_not_be_kept_is_not(database: Database) -> None:
    """Of somebody who opted out, in a channel of mode off, and a message without words."""
    async with discord_bot.running(database) as bot:
        owner, ann, bob = bot.knows(bot.guild.owner), bot.person("Ann"), bot.person("Bob")
        await bot.answer(await ann.say(bot.channel, "!memory off me"))
        said = await ann.say(bot.channel, "My diary lies in the attic.")
        assert NOTHING_TO_KEEP == (await told(bob, said, REMEMBER, bot)).text
        await bot.answer(await owner.say(bot.channel, "!memory mode off"))
        refused = await told(bob, await bob.say(bot.channel, "The key is under the mat."), REMEMBER, bot)
        assert "!memory mode" in refused.text or "memory mode" in refused.text
    assert [] == await memories(database)


@pytest.mark.parametrize("served", SERVERS.values(), ids=SERVERS)
async def test_one_is_told_of_oneself_alone(served: dict[str, Any], database: Database) -> None:
    """What is known about me, on me; on another it says that only they are told."""
    async with discord_bot.running(database, server=served) as bot:
        ann, bob = bot.person("Ann"), bot.person("Bob")
        await bot.asks(ann, bot.channel, "remember that I own three horses")
        own, others = await told(ann, ann, ME, bot), await told(bob, ann, ME, bot)
    assert "three horses" in own.text
    assert NOT_YOU == others.text
