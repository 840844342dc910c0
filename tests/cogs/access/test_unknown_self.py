"""Hathi on a server that does not tell it of its own membership, as Discord always does: it goes without."""

from typing import Any

import pytest

from bot.db.pool import Database
from tests import discord_bot
from tests.discord_server import wire
from tests.faults import discord


@pytest.fixture(autouse=True)
def _untold(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guild comes without any member."""
    discord.prepare(monkeypatch)
    told = wire.guild_create

    def without_members(*place: Any, **named: Any) -> wire.Json:
        return told(*place, **named) | {"members": []}

    monkeypatch.setattr(wire, "guild_create", without_members)


async def test_commands_are_answered(database: Database) -> None:
    """What is typed is answered, lists too, in a channel and in a thread."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        assert bot.client.guilds[0].get_member(bot.discord.bot.user_id) is None
        for place in (bot.channel, await ann.start_thread(bot.channel, "aside")):
            for command in ("remember The cake is in the cellar", "recall cake", "status", "memories"):
                reply = await bot.answer(await ann.say(place, f"!{command}"))
                assert "wrong" not in reply.text
            assert "cellar" in reply.text


async def test_slash_commands_are_answered(database: Database) -> None:
    """What is chosen from Discord's list comes with what Hathi may do there."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        saved = await ann.slash(bot.channel, "remember", {"text": "The cake is in the cellar", "topic": "cake"})
        await bot.until(lambda: saved.original and "cake" in saved.original.text)
        for command, options in (("recall", {"query": "cake"}), ("note list", {}), ("memories", {})):
            chosen = await ann.slash(bot.channel, command, options)
            await bot.until(lambda each=chosen: each.original and each.original.text)
            assert chosen.original is not None
            assert "wrong" not in chosen.original.text


async def test_what_was_missed_is_caught_up_with(database: Database) -> None:
    """Whether a channel can be read is not known, so it is tried."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, "First?")
        bot.discord.invalidate()
        await bot.asks(ann, bot.channel, "Missed?")


async def test_a_new_guild_is_greeted(database: Database) -> None:
    """Whether Hathi may write is not known, so it is tried."""
    async with discord_bot.running(database) as bot:
        guild = bot.discord.guild("Walruses", with_bot=False)
        lobby = guild.text_channel("lobby")
        bot.discord.invite(guild)
        assert "Nothing is stored yet" in (await bot.stands("remember", lobby)).text
