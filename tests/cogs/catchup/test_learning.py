"""The laws of learning what was said in a channel before, on a Discord of our own."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from bot.db.pool import Database
from bot.presentation import learned
from cogs.access.permissions import can_read
from cogs.catchup.past_messages import NO_CHANNEL, PastMessages
from tests import discord_bot
from tests.discord_bot import DiscordBot
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.users import User
from tests.model_server import Reply
from tests.rows import column, one, rows

FACT = "We decided to use Rust."


class Unpaced:
    """Lets every request begin at once, and counts them."""

    def __init__(self) -> None:
        self.turns = 0

    async def turn(self) -> None:
        self.turns += 1


def distilled(body: dict[str, Any]) -> Reply:
    """What the model makes of anything: a summary, and the first line as a fact."""
    if "response_format" not in body:
        return Reply(text="Fine.")
    fact = {"room": "decisions", "topic": "t", "content": FACT, "importance": 5, "evidence": [1]}
    return Reply(text=json.dumps({"summary": "They talked.", "facts": [fact]}))


def reader(bot: DiscordBot) -> PastMessages:
    found = bot.client.get_cog("PastMessages")
    assert isinstance(found, PastMessages)
    return found


@asynccontextmanager
async def learning(
    database: Database, *said: str, **settings: Any
) -> AsyncGenerator[tuple[DiscordBot, User, User, Unpaced]]:
    """A channel of mode `all` in which Ann said something before Hathi came; its operator, and Ann."""
    async with discord_bot.world(answer=distilled) as place:
        ann = place.newcomer("Ann")
        for text in said:
            await ann.say(place.channel, text)
        async with discord_bot.connected(place, database, **settings) as bot:
            owner = place.discord.world.owner = bot.knows(place.guild.owner)
            pace = Unpaced()
            reader(bot).pace = pace  # pyright: ignore[reportAttributeAccessIssue]
            await bot.answer(await owner.say(bot.channel, "!memory mode all"))
            yield bot, owner, bot.knows(ann), pace


async def asked(bot: DiscordBot, owner: User, line: str = "since:1d wait:0") -> Message:
    """What is told of learning the channel."""
    return await bot.answer(await owner.say(bot.channel, f"!learn <#{bot.channel.channel_id}> {line}"))


async def agreed(bot: DiscordBot, owner: User, line: str = "since:1d wait:0") -> Message:
    """The announcement."""
    told = await asked(bot, owner, line)
    await owner.press(told, f"hathi:learn:{bot.channel.channel_id}")
    return await bot.stands(f"“{learned.LEAVE}”")


async def test_what_was_said_before_is_read_once_it_was_agreed_to(database: Database) -> None:
    """An estimate first; then every word of people's, once, in a session that is not the open one; and facts."""
    said = [FACT, *(f"Line {n} of our talk." for n in range(130))]
    async with learning(database, *said) as (bot, owner, ann, pace):
        told = await asked(bot, owner)
        assert "131 of them by people" in told.content
        assert 0 == await one(database, "SELECT count(*) FROM message")
        before = pace.turns
        await owner.press(told, f"hathi:learn:{bot.channel.channel_id}")
        notice = await bot.stands(f"“{learned.LEAVE}”")
        await bot.settled()
        # The announcement is looked for; two pages, and the one with nothing on it is not asked for.
        assert 3 <= pace.turns - before <= 4
        assert "131 of them kept" in notice.content
        await bot.app.schedule.upkeep()
        await bot.settled()
        assert said == await column(
            database, "SELECT content FROM message WHERE author_id = $1 ORDER BY message_id", ann.user_id
        )
        assert [("open", 0), ("summarised", 131)] == await rows(
            database, "SELECT state, message_count FROM session ORDER BY number"
        )
        assert 131 == await one(database, "SELECT sum(cardinality(messages)) FROM chunk")
        assert [FACT] == await column(database, "SELECT content FROM memory")
        assert "done" == await one(database, "SELECT state FROM learning")


async def test_anybody_leaves_theirs_out_with_one_press(database: Database) -> None:
    """Under the announcement, told to the presser alone: what was read of it goes, with what was made of it."""
    async with learning(database, FACT, *(f"Line {n}." for n in range(20))) as (bot, owner, ann, _):
        notice = await agreed(bot, owner)
        await bot.settled()
        await bot.app.schedule.upkeep()
        assert [FACT] == await column(database, "SELECT content FROM memory")
        pressed = await ann.press(notice, f"hathi:leave:{bot.channel.channel_id}")
        await bot.until(lambda: any(message.ephemeral for message in pressed.messages))
        await bot.settled()
        assert [] == await column(database, "SELECT message_id FROM message WHERE author_id = $1", ann.user_id)
        assert [] == await column(database, "SELECT content FROM memory WHERE forgotten_at IS NULL")


async def test_it_is_agreed_to_by_whoever_asked_and_announced_once(database: Database) -> None:
    """Another's press does nothing; a worker that died after it was announced is not followed by a second one."""
    async with learning(database, *(f"Line {n}." for n in range(3))) as (bot, owner, ann, _):
        told = await asked(bot, owner, "since:1d")
        button = f"hathi:learn:{bot.channel.channel_id}"
        await ann.press(told, button)
        assert "asked" == await one(database, "SELECT state FROM learning")
        await owner.press(told, button)
        await bot.stands(f"“{learned.LEAVE}”")
        await bot.settled()
        async with database.connection() as connection:
            await connection.execute("UPDATE learning SET notice_id = NULL, begins_at = NULL")
        ((space_id, channel_id),) = await rows(database, "SELECT space_id, channel_id FROM learning")
        await bot.app.learner.work(space_id, channel_id)
        said = [each for each in bot.channel.said_by(bot.discord.bot) if f"“{learned.LEAVE}”" in each.content]
        assert [each.message_id for each in said] == await column(database, "SELECT notice_id FROM learning")
        assert 0 == await one(database, "SELECT count(*) FROM message")


async def test_a_channel_nobody_may_see_is_not_told_of(database: Database) -> None:
    """Who manages the server and does not see a channel finds none; so does a name that is no channel's."""
    async with learning(database, "Hello.") as (bot, _, __, ___):
        hidden = bot.guild.private_channel("hidden", seen_by=[])
        manager = bot.person("Meg", held=[bot.guild.role("managers", Permission.MANAGE_GUILD)])
        for named in (f"<#{hidden.channel_id}>", "#hidden", "#nowhere"):
            told = await bot.answer(await manager.say(bot.channel, f"!learn {named} since:1d"))
            assert NO_CHANNEL in told.content
        assert [] == await rows(database, "SELECT * FROM learning")


async def test_where_hathi_may_not_read_any_more_it_stops_and_says_so(database: Database) -> None:
    """In the announcement, which it may still edit."""
    async with learning(database, *(f"Line {n}." for n in range(3))) as (bot, owner, _, __):
        notice = await agreed(bot, owner, "since:1d")
        await bot.settled()
        bot.channel.overwrite(bot.guild.everyone, Overwrite(deny=Permission.READ_MESSAGE_HISTORY))
        ((space_id, channel_id),) = await rows(database, "SELECT space_id, channel_id FROM learning")
        channel = bot.client.get_channel(channel_id)
        await bot.until(lambda: not can_read(channel))
        async with database.connection() as connection:
            await connection.execute("UPDATE learning SET begins_at = asked_at")
        await bot.app.learner.work(space_id, channel_id)
        assert [("stopped", "closed")] == await rows(database, "SELECT state, why FROM learning")
        assert "I stopped" in notice.content
