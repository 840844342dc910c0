"""What is read in messages: their content, or the texts among their components."""

from collections.abc import AsyncGenerator
from typing import Any

import discord
import pytest

from bot import errors
from bot.db.pool import Database
from cogs.tell.error_notices import told_of_outage
from cogs.text import message_words
from cogs.ui import buttons, layouts
from tests import discord_bot
from tests.discord_bot import DiscordBot
from tests.discord_server import message_wire


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    async with discord_bot.running(database) as running:
        yield running


def channel_of(bot: DiscordBot) -> discord.TextChannel:
    found = bot.client.get_channel(bot.channel.channel_id)
    assert isinstance(found, discord.TextChannel)
    return found


async def test_texts_are_read_however_deep_they_stand(bot: DiscordBot) -> None:
    """In a box, beside a button and alone, in their order; no label of a button; before it is parsed and afterwards."""
    entry = discord.ui.Section[Any](layouts.text("two"), layouts.text("three"), accessory=buttons.ask())
    drawn = layouts.boxed(layouts.text("one"), entry, *layouts.rows([buttons.why(1)]), layouts.text("four"))
    sent = await channel_of(bot).send(view=drawn)
    (stands,) = bot.channel.said_by(bot.discord.bot)
    whole = "one\ntwo\nthree\nfour"
    assert (whole, whole, "") == (
        message_words.read(sent),
        message_words.read_raw(message_wire.message(stands)),
        sent.content,
    )
    plain = await channel_of(bot).send("five")
    assert ("five", []) == (message_words.read(plain), message_words.texts(plain))


@pytest.mark.parametrize("is_layout", [False, True])
async def test_who_was_told_of_an_outage_is_known_by_the_words_of_it(bot: DiscordBot, *, is_layout: bool) -> None:
    """Whichever kind of message tells so, where Hathi says it in reply; others may say the same."""
    ann, channel = bot.person("Ann"), channel_of(bot)
    asked = await ann.say(bot.channel, "Are you there?")
    words = f"{errors.DatabaseDown()} (incident 1)"
    said: dict[str, Any] = {"view": layouts.told(words)} if is_layout else {"content": words}
    await channel.send(**said, reference=discord.MessageReference(message_id=asked.message_id, channel_id=channel.id))
    await ann.say(bot.channel, words, reply_to=asked)
    history = [message async for message in channel.history()]
    assert [asked.message_id] == told_of_outage(history, bot.client.user)
