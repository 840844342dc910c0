"""Commands as they are carried out: within bounds, and for whoever can read their answer by then."""

import asyncio
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot import app, domain
from bot.db.pool import Database
from cogs.commands.dispatch import COMMANDS, Dispatcher, ResetNotice
from tests import discord_bot, waiting
from tests.cogs.commands.test_reply_reasons import form, whole
from tests.discord_server.permissions import Overwrite, Permission
from tests.model_server import Reply
from tests.rows import contents, rows

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
        helped, waits = (sum(words in text for text in said) for words in ("remember that", "please wait"))
        assert (COMMANDS, 1) == (helped, waits)


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
        async with asyncio.timeout(waiting.WITHIN.total_seconds()):
            await found.wait()
        news.set_overwrites({bot.guild.everyone: _HIDDEN, bot.discord.bot: _SEEN, ann: _SEEN})
        # Events come in order: what was answered later tells that the change was heard of.
        await bot.asks(ben, elsewhere, "Have you heard?")
        gate.set()
        answer = await bot.answer(asked)
        assert "just changed" in answer.text
        assert "Nightjar" not in answer.text


async def test_a_reset_is_told_where_hathi_sees_nothing_any_more(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reset that was chosen from Discord's list tells of its summary in its answer where it sees nothing else."""
    tellers: list[ResetNotice] = []
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
        await bot.until(lambda: chosen.original and "Conversation history cleared" in chosen.original.text)
        assert chosen.original is not None
        told = chosen.original.text
        assert told.startswith("[memory] Summarized 2 messages")
        # That somebody else makes the summary is told in place of what was begun, and of nothing else.
        await tellers[0].announce(domain.Reply(text="Somebody else is at it."))
        assert told == chosen.original.text


@pytest.mark.parametrize("typed", [True, False])
async def test_marks_in_a_command_are_read(database: Database, typed: bool) -> None:
    """What a command is given to keep reaches memory and the model as text people read, as a question does."""
    async with discord_bot.running(database) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        text = f"{ben.mention} owns the deploys in <#{bot.channel.channel_id}> <:wave:12>"
        if typed:
            await bot.answer(await ann.say(bot.channel, f"!remember {text} importance:9"))
        else:
            await ann.slash(bot.channel, "remember", {"text": text, "importance": 9})
            await bot.stands("saved")
        await bot.asks(ann, bot.channel, "Whom do I ask about deploys?")
        assert ["@Ben owns the deploys in #general :wave:"] == await contents(database)
        assert "@Ben owns the deploys in #general :wave:" in bot.world.prompts[-1]


async def test_what_is_kept_of_a_namesake_is_about_who_is_mentioned(database: Database) -> None:
    """By a command and in plain words, though two are called so here."""
    async with discord_bot.running(database) as bot:
        ann, ben, other = bot.person("Ann"), bot.person("Ben"), bot.person("Ben")
        for each in (ben, other):
            await bot.answer(await each.say(bot.channel, "!memory"))
        await bot.answer(await ann.say(bot.channel, f"!remember {other.mention} is allergic to nuts"))
        await bot.asks(ann, bot.channel, f"Remember that {ben.mention} dances.")
        assert [(other.user_id,), (ben.user_id,)] == await rows(
            database, "SELECT subject_id FROM memory ORDER BY memory_id"
        )


async def test_nobody_keeps_anything_by_hathi_s_name(database: Database) -> None:
    """What is kept by that very name is Hathi's own; somebody who is called so is another."""
    async with discord_bot.running(database) as bot:
        said = await bot.person("Hathi").say(bot.channel, "!remember I approve the payments")
        await bot.answer(said)
        assert [("Hathi (2)",)] == await rows(database, "SELECT author FROM memory")


@pytest.mark.parametrize("typed", [True, False])
async def test_what_was_said_of_somebody_is_found_by_a_mention(database: Database, typed: bool) -> None:
    """A mention in a search is the name that stands in what was said."""
    async with discord_bot.running(database) as bot:
        ann, ben = bot.person("Ann"), bot.person("Benedict")
        await bot.asks(ann, bot.channel, f"{ben.mention} wants the budget doubled.")
        if typed:
            found = await bot.answer(await ann.say(bot.channel, f"!recall {ben.mention}"))
        else:
            asked = await ann.slash(bot.channel, "recall", {"query": ben.mention})
            await bot.until(lambda: asked.original and asked.original.components)
            found = asked.original
        assert found is not None
        assert "@Benedict wants the budget doubled." in found.text


async def test_no_name_is_taken_for_an_argument(database: Database) -> None:
    """A name of several words stays whole in an argument, and one that looks like an argument is none."""
    async with discord_bot.running(database) as bot:
        ann, lee, zed = bot.person("Ann"), bot.person("Ann Lee"), bot.person("Zed importance:1")
        await bot.answer(await ann.say(bot.channel, f"!remember Tea is brewed at noon topic:{lee.mention}"))
        await bot.answer(await ann.say(bot.channel, f"!remember Coffee is brewed by {zed.mention}"))
        assert ["Tea is brewed at noon", "Coffee is brewed by @Zed importance:1"] == await contents(database)
        async with database.connection() as connection:
            rows = await connection.fetch("SELECT topic, importance FROM memory ORDER BY memory_id")
    assert ("@ann lee", 8, 8) == (rows[0]["topic"], rows[0]["importance"], rows[1]["importance"])


async def test_marks_of_what_is_not_known_stay(database: Database) -> None:
    """A command's mark of somebody unknown, or of a channel that not all here may know of, stays as it was given."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        hidden = bot.guild.private_channel("takeover-plans", seen_by=[ann])
        text = f"<@4242424242> plans in <#{hidden.channel_id}>"
        await ann.slash(bot.channel, "remember", {"text": text})
        await bot.stands("saved")
        assert [text] == await contents(database)


async def test_a_memory_put_right_in_a_form_is_read_too(database: Database) -> None:
    """What is written into the form of a list is read as what `!edit` is given."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await bot.answer(await ann.say(bot.channel, "!remember I play chess."))
        listed = await whole(ann, await bot.answer(await ann.say(bot.channel, "!me")))
        asked = await form(ann, listed, 1)
        fixed = await ann.submit(asked, {"text": f"I play go with {ann.mention}."})
        await bot.until(lambda: fixed.followups)
        assert "I play go with @Ann." in await contents(database)


async def test_a_mark_is_no_prefix(database: Database) -> None:
    """A prefix is what people's clients send: the mark of an emoji is not taken for its name."""
    async with discord_bot.running(database) as bot:
        told = await bot.answer(await bot.guild.owner.say(bot.channel, "!settings prefix <:a:12>"))
        assert "1 to 5 visible characters" in told.content


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
        assert "Erased for good" in (await bot.answer(await ann.say(ann.direct, "!mydata erase confirm"))).text
