"""What is kept of what is said on Discord, by the channel's mode and each person's wish."""

from collections.abc import AsyncGenerator

import pytest

from bot.db.pool import Database
from tests import discord_bot
from tests.discord_bot import DiscordBot
from tests.discord_server.permissions import Overwrite, Permission
from tests.model_server import Reply

QUESTION, ANSWER, REMARK = "zebrafinch", "quokkasong", "walrusdream"
"""Words that stand nowhere else."""


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    async with discord_bot.running(database, answer=Reply(text=f"It is a {ANSWER}.")) as running:
        yield running


async def _mode(bot: DiscordBot, mode: str) -> None:
    await bot.answer(await bot.guild.owner.say(bot.channel, f"!memory mode {mode}"))


@pytest.mark.parametrize("mode", ["off", "explicit"])
async def test_modes_that_keep_no_message(bot: DiscordBot, database: Database, mode: str) -> None:
    """In `off` and `explicit` no text that anybody said is in any table; yet the model is shown it, live."""
    ann = bot.person("Ann")
    await _mode(bot, mode)
    await ann.say(bot.channel, f"A {REMARK}, by the way")
    await bot.asks(ann, bot.channel, f"What is a {QUESTION}?")
    await bot.asks(ann, bot.channel, "Are you sure?")
    await bot.settled()
    assert ([], [], []) == (
        await _holding(database, QUESTION),
        await _holding(database, ANSWER),
        await _holding(database, REMARK),
    )
    assert QUESTION in bot.world.prompts[1]
    assert ANSWER in bot.world.prompts[1]
    assert REMARK in bot.world.prompts[1]


async def test_live_history_is_the_newest(bot: DiscordBot) -> None:
    """Of a channel of which nothing is kept the newest of what was said to Hathi is shown, however much there is."""
    ann = bot.person("Ann")
    await _mode(bot, "off")
    await bot.asks(ann, bot.channel, "What was first?")
    for number in range(60):
        await ann.say(bot.channel, f"chatter {number}")
    await bot.asks(ann, bot.channel, f"What is a {QUESTION}?")
    await bot.asks(ann, bot.channel, "Are you sure?")
    assert QUESTION in bot.world.prompts[2]
    assert ANSWER in bot.world.prompts[2]


async def test_live_history_ends_at_a_reset(bot: DiscordBot) -> None:
    """After a reset nothing that was said before is shown any more, in a channel of which nothing is kept too."""
    await _mode(bot, "off")
    await bot.asks(bot.knows(bot.guild.owner), bot.channel, f"What is a {QUESTION}?")
    await bot.answer(await bot.guild.owner.say(bot.channel, "!reset"))
    await bot.asks(bot.guild.owner, bot.channel, "What was that?")
    assert QUESTION not in bot.world.prompts[1]


async def test_live_history_without_the_right_to_read(bot: DiscordBot) -> None:
    """Where Hathi may not read the history, a question is answered without it and without a reference."""
    await _mode(bot, "off")
    bot.channel.overwrite(bot.discord.bot, Overwrite(deny=Permission.READ_MESSAGE_HISTORY))
    await bot.says_to_hathi(bot.person("Ann"), bot.channel, "What is this?")
    assert f"It is a {ANSWER}." == (await bot.stands(ANSWER)).text


async def test_explicit_keeps_what_is_given(bot: DiscordBot, database: Database) -> None:
    """In `explicit` what somebody gives with !remember is kept and found again, and nothing else."""
    ann = bot.person("Ann")
    await _mode(bot, "explicit")
    await bot.answer(await ann.say(bot.channel, f"!remember The {QUESTION} sings topic:birds"))
    assert "memory" in await _holding(database, QUESTION)
    assert "message" not in await _holding(database, QUESTION)


async def test_addressed_keeps_what_is_said_to_hathi(bot: DiscordBot, database: Database) -> None:
    """By default question and answer are kept, and nothing people say to each other."""
    ann = bot.person("Ann")
    await ann.say(bot.channel, f"A {REMARK}, by the way")
    await bot.asks(ann, bot.channel, f"What is a {QUESTION}?")
    assert (["message"], ["message"], []) == (
        await _holding(database, QUESTION),
        await _holding(database, ANSWER),
        await _holding(database, REMARK),
    )


async def test_all_overhears(bot: DiscordBot, database: Database) -> None:
    """In `all` what people say to each other is kept, unanswered, and shown to the model as what was said."""
    ann = bot.person("Ann")
    await _mode(bot, "all")
    await ann.say(bot.channel, f"A {REMARK}, by the way")
    await bot.asks(ann, bot.channel, "What did I say?")
    assert ["message"] == await _holding(database, REMARK)
    assert 1 == len(bot.model.requests)
    assert REMARK in bot.world.prompts[0]


async def test_who_opted_out_is_not_recorded(bot: DiscordBot, database: Database) -> None:
    """Nothing of somebody who opted out is kept, overheard or asked; their question is answered all the same."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    await _mode(bot, "all")
    await bot.answer(await ann.say(bot.channel, "!memory off me"))
    await ann.say(bot.channel, f"A {REMARK}, by the way")
    assert ANSWER in (await bot.asks(ann, bot.channel, f"What is a {QUESTION}?")).text
    await bot.settled()
    kept = [await _holding(database, word) for word in (REMARK, QUESTION, ANSWER)]
    assert [[], [], []] == kept
    await bot.asks(ben, bot.channel, "What did Ann say?")
    assert REMARK not in bot.world.prompts[1]


async def _holding(database: Database, word: str) -> list[str]:
    """The tables in which a word stands, whatever the column."""
    found: list[str] = []
    async with database.connection() as connection:
        tables = await connection.fetch(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        for row in tables:
            name = row["relname"]
            if await connection.fetchval(f"SELECT EXISTS (SELECT 1 FROM {name} t WHERE t::text ILIKE '%{word}%')"):  # pyright: ignore[reportArgumentType]
                found.append(name)
    return sorted(found)


async def test_live_history_of_who_opted_out_is_without_what_was_forgotten(bot: DiscordBot) -> None:
    """Whoever opted out has Discord's own history in their prompt, without what somebody has had forgotten."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    await bot.asks(ann, bot.channel, f"Remember that the {QUESTION} sings.")
    await bot.answer(await ben.say(bot.channel, "!memory off me"))
    await bot.asks(ben, bot.channel, "What is this?")
    await bot.answer(await ann.say(bot.channel, "!forget 1"))
    await bot.asks(ben, bot.channel, "And this?")
    assert QUESTION in bot.world.prompts[-2]
    assert QUESTION not in bot.world.prompts[-1]
    assert "What is this?" in bot.world.prompts[-1]


async def test_live_history_off_is_without_others_who_opted_out(bot: DiscordBot) -> None:
    """Where nothing is kept, the words of who opted out are in nobody's prompt but their own."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    await _mode(bot, "off")
    await bot.asks(ann, bot.channel, f"A {QUESTION}?")
    await bot.answer(await ann.say(bot.channel, "!memory off me"))
    await bot.asks(ben, bot.channel, "And this?")
    await bot.asks(ann, bot.channel, "And that?")
    assert QUESTION not in bot.world.prompts[1]
    assert QUESTION in bot.world.prompts[2]
