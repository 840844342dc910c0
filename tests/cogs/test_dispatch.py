"""Commands as they are carried out: within bounds, and for whoever can read their answer by then."""

import asyncio
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot import app, domain
from bot.db.pool import Database
from cogs.dispatch import COMMANDS, Dispatcher, Told
from tests import discord_bot
from tests.discord_server.permissions import Overwrite, Permission
from tests.model_server import Reply

_HIDDEN = Overwrite(deny=Permission.VIEW_CHANNEL)
_SEEN = Overwrite(allow=Permission.VIEW_CHANNEL)


async def test_too_many_commands_are_refused_once(database: Database) -> None:
    """Of commands that are too many nothing is done; their author is told so once, not as often as they gave them."""
    now = app.utc_now()
    async with discord_bot.running(database, clock=lambda: now) as bot:
        ann = bot.person("Ann")
        for _ in range(COMMANDS + 5):
            await ann.say(bot.channel, "!help")
        await bot.asks(bot.person("Ben"), bot.channel, "Are you still there?")
        await bot.settled()
        said = [message.content for message in bot.channel.said_by(bot.discord.bot)]
        assert (COMMANDS, 1) == (sum("!remember" in text for text in said), sum("please wait" in text for text in said))


async def test_a_listing_is_for_those_who_read_it(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found for a command is not shown where, by then, somebody may read it who may not know it."""
    async with discord_bot.running(database) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        news, elsewhere = bot.guild.text_channel("news"), bot.guild.text_channel("elsewhere")
        await bot.answer(await ann.say(news, "!remember The merger is called Nightjar topic:merger"))
        run, found, gate = bot.app.commands.run, asyncio.Event(), asyncio.Event()

        async def held(*args: Any, **named: Any) -> domain.Reply:
            reply = await run(*args, **named)
            found.set()
            await gate.wait()
            return reply

        monkeypatch.setattr(bot.app.commands, "run", held)
        asked = await ben.say(bot.channel, "!recall merger")
        async with asyncio.timeout(discord_bot.WITHIN.total_seconds()):
            await found.wait()
        news.set_overwrites({bot.guild.everyone: _HIDDEN, bot.discord.bot: _SEEN, ann: _SEEN})
        # Events come in order: what was answered later tells that the change was heard of.
        await bot.asks(ben, elsewhere, "Have you heard?")
        gate.set()
        answer = await bot.answer(asked)
        assert "just changed" in answer.content
        assert "Nightjar" not in str([answer.content, answer.embeds])


async def test_a_reset_is_told_where_hathi_sees_nothing_any_more(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reset that was chosen from Discord's list tells of its summary in its answer where it sees nothing else."""
    tellers: list[Told] = []
    run = Dispatcher.run

    async def noted(self: Dispatcher, *args: Any, **named: Any) -> domain.Reply:
        tellers.append(args[3])
        return await run(self, *args, **named)

    monkeypatch.setattr(Dispatcher, "run", noted)
    async with discord_bot.running(database) as bot:
        owner = bot.knows(bot.guild.owner)
        await bot.asks(owner, bot.channel, "We took Postgres for the shop.")
        bot.channel.overwrite(bot.discord.bot, _HIDDEN)
        bot.model.steps.append(Reply(text='{"summary": "The shop runs on Postgres.", "facts": []}'))
        chosen = await owner.slash(bot.channel, "reset")
        await bot.until(lambda: chosen.original and "Conversation history cleared" in chosen.original.content)
        assert chosen.original is not None
        told = chosen.original.content
        assert told.startswith("[memory] Summarized 2 messages")
        # That somebody else makes the summary is told in place of what was begun, and of nothing else.
        await tellers[0].announce(domain.Reply(text="Somebody else is at it."))
        assert told == chosen.original.content


async def test_erasing_asks_nothing_of_discord(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person's data is erased though Discord can't tell at that moment what they can read."""

    async def down(*_: object) -> discord.Member:
        raise discord.DiscordServerError(
            SimpleNamespace(status=HTTPStatus.SERVICE_UNAVAILABLE, reason="down"),  # pyright: ignore[reportArgumentType]
            "down",
        )

    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, "How are you?")
        monkeypatch.setattr(discord.Guild, "fetch_member", down)
        assert "Erased for good" in (await bot.answer(await ann.say(ann.direct, "!mydata erase confirm"))).content
