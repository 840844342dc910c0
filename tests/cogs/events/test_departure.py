"""How Hathi learns that it is in a server no more."""

from datetime import UTC, datetime, timedelta

from bot.db.pool import Database
from tests import discord_bot
from tests.rows import column, one
from tests.waiting import becomes


async def test_a_server_that_removes_hathi_is_gone_and_one_with_an_outage_is_not(database: Database) -> None:
    """Whoever adds it again finds everything as it was."""
    async with discord_bot.running(database) as bot:
        second = bot.discord.guild("Tigers")
        there, ann = second.text_channel("lobby"), bot.person("Ann")
        second.join(ann)
        for channel in (bot.channel, there):
            await bot.asks(ann, channel, "How are you?")
        bot.guild.outage()
        second.leave(bot.discord.bot)

        async def gone() -> list[int]:
            return await column(database, "SELECT space_id FROM space WHERE gone_at IS NOT NULL")

        await becomes([second.guild_id], gone)
        bot.guild.recover()


async def test_a_server_that_removed_hathi_while_it_was_away_is_noticed(database: Database) -> None:
    """By the list each session begins with: missing once it is noted, missing a day later it is gone."""
    at = datetime.now(UTC)
    async with discord_bot.world() as place:
        second = place.discord.guild("Tigers")
        there, ann = second.text_channel("lobby"), place.newcomer("Ann")
        second.join(ann)
        async with discord_bot.connected(place, database, clock=lambda: at) as bot:
            for channel in (bot.channel, there, ann.direct):
                await bot.asks(ann, channel, "How are you?")
        second.leave(place.discord.bot)
        place.guild.unavailable = True
        for days, (missed, gone) in ((1, (1, 0)), (2, (1, 1))):
            async with discord_bot.connected(place, database, clock=lambda days=days: at + timedelta(days=days)):

                async def noted() -> tuple[int, int]:
                    return (
                        await one(database, "SELECT count(*) FROM space WHERE missed_at IS NOT NULL"),
                        await one(database, "SELECT count(*) FROM space WHERE gone_at IS NOT NULL"),
                    )

                await becomes((missed, gone), noted)
    assert [second.guild_id] == await column(database, "SELECT space_id FROM space WHERE gone_at IS NOT NULL")
