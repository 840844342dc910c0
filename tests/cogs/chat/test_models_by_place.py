"""The laws of which model answers where, as people on Discord find it."""

from bot.config import ModelSettings
from bot.db.pool import Database
from tests import discord_bot
from tests.model_server import ModelServer, Reply
from tests.rows import rows

QUESTION = "Write a haiku about paint."


async def test_who_manages_a_server_chooses_the_model_of_a_channel(database: Database) -> None:
    """From the next question on, and nowhere else; others are refused, and everybody chooses for their own messages."""
    async with ModelServer(always=Reply(text="Well.")) as other:
        small = ModelSettings.model_validate({"base_url": other.base_url, "model": "small-1"})
        async with discord_bot.running(database, models={"small": small}) as bot:
            owner, ann, elsewhere = bot.knows(bot.guild.owner), bot.person("Ann"), bot.guild.text_channel("elsewhere")
            before = await bot.asks(ann, bot.channel, QUESTION)
            refused = await bot.asks(ann, bot.channel, "!model small")
            told = await bot.asks(owner, bot.channel, "!model small")
            after = await bot.asks(ann, bot.channel, QUESTION)
            apart = await bot.asks(ann, elsewhere, QUESTION)
            direct = [await bot.asks(ann, ann.direct, text) for text in (QUESTION, "!model small", QUESTION)]
            await bot.settled()
    assert ("Manage Server" in refused.content, "small (this channel" in told.content) == (True, True)
    answers = [before, after, apart, direct[0], direct[2]]
    assert ["Fine.", "Well.", "Fine.", "Fine.", "Well."] == [answer.content.split("\n")[0] for answer in answers]
    assert {(bot.guild.guild_id, bot.channel.channel_id), (ann.direct.channel_id, 0)} == {
        *await rows(database, "SELECT space_id, channel_id FROM place_setting")
    }
