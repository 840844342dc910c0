"""What people ask to have removed reaches who owns the server, and one press removes it."""

from bot.db.pool import Database
from tests import discord_bot
from tests.cogs.commands.test_reply_reasons import private
from tests.rows import rows


async def test_the_owner_is_told_and_forgets_with_one_press(database: Database) -> None:
    """The text, who asks and who said it, directly and once; the press acts with the owner's rights in the server."""
    async with discord_bot.running(database) as bot:
        owner, ann, ben = bot.knows(bot.guild.owner), bot.person("Ann"), bot.person("Ben")
        await bot.answer(await ben.say(bot.channel, "!memory"))
        await bot.answer(await ann.say(bot.channel, f"!remember {ben.mention} is allergic to nuts"))
        short = await bot.answer(await ben.say(bot.channel, "!me"))
        shown = await private(await ben.press(short, "hathi:all"))
        await ben.press(shown, "hathi:theirs:1")
        await bot.until(lambda: "hathi:asks:1" in shown.custom_ids)
        asked = await ben.press(shown, "hathi:asks:1")
        await bot.until(lambda: any("are asked to remove #1" in message.text for message in asked.messages))
        await bot.until(lambda: owner.direct.said_by(bot.discord.bot))
        await bot.answer(await ben.say(bot.channel, "!mydata remove 1"))
        await bot.settled()
        (told,) = owner.direct.said_by(bot.discord.bot)
        assert "Ben asks to have #1 removed" in told.text
        assert "said by Ann" in told.text
        assert "\u201c@Ben is allergic to nuts\u201d" in told.text
        button = f"hathi:remove:{bot.channel.channel_id}:1"
        await owner.press(told, button)
        await bot.until(lambda: "forgotten: #1" in told.text)
        assert [(True,)] == await rows(database, "SELECT forgotten_at IS NOT NULL FROM memory")


async def test_a_list_offers_one_press_for_each(database: Database) -> None:
    """Who manages the server forgets in the list; what others said about oneself can't be changed in one's own."""
    async with discord_bot.running(database) as bot:
        owner, ann, ben = bot.knows(bot.guild.owner), bot.person("Ann"), bot.person("Ben")
        await bot.answer(await ben.say(bot.channel, "!memory"))
        await bot.answer(await ann.say(bot.channel, f"!remember {ben.mention} is allergic to nuts"))
        await bot.answer(await ben.say(bot.channel, "!mydata remove 1"))
        shown = await bot.answer(await owner.say(bot.channel, "!memory requests"))
        assert "nuts" in shown.text
        await owner.press(shown, "hathi:open:1")
        await bot.until(lambda: "hathi:forget:1" in shown.custom_ids)
        await owner.press(shown, "hathi:forget:1")
        await bot.until(lambda: "forgotten" in shown.text)
        assert ("nuts" in shown.text, shown.custom_ids) == (False, ["hathi:restore:1"])
        assert [(True,)] == await rows(database, "SELECT forgotten_at IS NOT NULL FROM memory")
