"""`!missed` on Discord: what only whoever asks is told, by slash or by a button, of what they can read."""

from bot.commands import missed
from bot.db.pool import Database
from tests import discord_bot
from tests.cogs.commands.test_reply_reasons import choose, private, type_command


async def test_what_one_can_read_is_told_to_them_alone(database: Database) -> None:
    """By slash at once; typed or in plain words by a button, for whoever presses it; with the way to each message.

    What was asked for alone is told alone.
    """
    async with discord_bot.running(database) as bot:
        ann, bob, eve = (bot.person(name) for name in ("Ann", "Bob", "Eve"))
        owner, board = bot.knows(bot.guild.owner), bot.guild.private_channel("board", seen_by=[bob, eve])
        for channel in (bot.channel, board):
            await type_command(bot, owner, channel, "!memory mode all")
        said = await eve.say(bot.channel, "We decided to paint the gate turquoise.")
        await eve.say(bot.channel, "I will order the paint on Friday.")
        await eve.say(board, "We decided to sell the orchard.")
        typed = await type_command(bot, ann, bot.channel, "!missed today")
        # What was typed came by the gateway, after what Eve said; a slash command may overtake both.
        await bot.settled()
        by_slash = await choose(ann, bot.channel, "missed", time="today")
        spoken = await bot.asks(ann, bot.channel, "what happened today?")
        alone = await bot.asks(ann, bot.channel, "what was decided today?")
        for offered, tells_plans in ((typed, True), (spoken, True), (alone, False)):
            assert missed.IN_PRIVATE == offered.text
            (custom_id,) = [one for one in offered.custom_ids if "missed" in one]
            by_ann = await private(await ann.press(offered, custom_id))
            by_bob = await private(await bob.press(offered, custom_id))
            assert ("turquoise" in by_ann.text, "orchard" in by_ann.text) == (True, False)
            assert ("turquoise" in by_bob.text, "orchard" in by_bob.text) == (True, True)
            assert tells_plans == ("Friday" in by_ann.text)
    assert by_slash.ephemeral
    assert ("turquoise" in by_slash.text, "orchard" in by_slash.text) == (True, False)
    assert f"/{bot.channel.channel_id}/{said.message_id}" in by_slash.text


async def test_times_are_discord_s_own(database: Database) -> None:
    """Of the while and of each thing, whatever the zone of the server; and a memory's number stands once."""
    async with discord_bot.running(database) as bot:
        ann, eve = (bot.person(name) for name in ("Ann", "Eve"))
        owner = bot.knows(bot.guild.owner)
        await type_command(bot, owner, bot.channel, "!memory mode all")
        await type_command(bot, owner, bot.channel, "!settings timezone Europe/Berlin")
        await eve.say(bot.channel, "We decided to paint the gate turquoise.")
        await type_command(bot, eve, bot.channel, "!remember The ladder is in the shed.")
        await bot.settled()
        told = await choose(ann, bot.channel, "missed", time="today")
    title = told.text.partition("\n")[0]
    assert (2, False, False) == (title.count("<t:"), " CE" in told.text, "UTC" in told.text), told.text
    assert told.text.count("<t:") == 4
    assert told.text.count("#1") == 1
