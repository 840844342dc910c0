"""Personas on Discord, over real sockets: their name stands before their words from the first to the last edit."""

from bot.db.pool import Database
from bot.domain import PlaceSetting
from bot.store.place_settings import PlaceSettings
from tests import discord_bot, people
from tests.discord_bot import DiscordBot
from tests.model_server import Reply
from tests.rows import one


async def chooses(bot: DiscordBot, name: str) -> None:
    """Has a persona or household speak in the channel."""
    place = people.caller(space=bot.guild.guild_id, channel=bot.channel.channel_id)
    settings = PlaceSettings(bot.app.database)
    await settings.set(place, PlaceSetting.PERSONA, name, everywhere=False, now=bot.app.clock())


async def test_a_name_stands_before_every_version_of_an_answer(database: Database) -> None:
    """While it grows and when it is whole; what is recorded is without it."""
    text = " ".join(f"Cup number {number} is for the guests." for number in range(20))
    async with discord_bot.running(database, answer=Reply(text=text, pieces=30, pace=0.05)) as bot:
        await chooses(bot, "household")
        bot.slow_lately()
        ann = bot.person("Ann")
        reply = await bot.asks(ann, bot.channel, "Write some lines on tea.")
        versions = [edit.content for edit in reply.edits if edit.content]
    assert (f"**Ferris:** {text}", True) == (versions[-1], len(versions) > 2)
    assert [] == [said for said in versions if not said.startswith("**Ferris:** ")]
    assert text == await one(database, "SELECT content FROM message WHERE role = 'hathi'")


async def test_the_archivist_confirms_what_was_asked_to_be_kept(database: Database) -> None:
    """And a thread speaks as its channel does."""
    async with discord_bot.running(database) as bot:
        await chooses(bot, "household")
        ann = bot.person("Ann")
        kept = await bot.asks(ann, bot.channel, "Remember that the kiln is hot on Fridays.")
        thread = await ann.start_thread(bot.channel, "glazes")
        found = await bot.asks(ann, thread, "When is the kiln hot?")
    assert kept.text.startswith("**Alder:** ")
    assert found.text.startswith("**Ferris:** ")
