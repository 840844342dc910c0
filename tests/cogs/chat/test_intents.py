"""Hathi without the message-content intent: what works goes on, and what does not is said at the start."""

import json
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.connection.client import NO_CONTENT
from bot.db.pool import Database
from bot.domain import ChannelId, MessageId, SpaceId
from bot.presentation import introduction
from tests import discord_bot
from tests.bot.commands.test_settling import CHANGED
from tests.cogs.ui.test_buttons import done as summary
from tests.discord_bot import DiscordBot
from tests.discord_server.wire import Intent
from tests.model_server import Reply
from tests.rows import column, one, rows

WITHOUT = {"privileged": Intent.NONE}
CODE = "Remember that the vault code is 4417"


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    async with discord_bot.running(database, server=WITHOUT) as running:
        yield running


async def test_what_is_missing_is_said(database: Database) -> None:
    """The log of the start names the intent that is off and what does not work without it; with it nothing is said."""
    for server, expected in ((WITHOUT, [NO_CONTENT]), ({}, [])):
        with capture_logs() as lines:
            async with discord_bot.running(database, server=server) as bot:
                assert bool(expected) is not bot.client.intents.message_content
        assert expected == [line["meaning"] for line in lines if line["event"] == "discord.no_message_content"]


async def test_what_is_addressed_works(bot: DiscordBot) -> None:
    """Mentions, replies that ping, direct messages and commands behind a mention work as ever."""
    ann = bot.person("Ann")
    first = await bot.asks(ann, bot.channel, "What is a walrus?")
    await bot.answer(await ann.say(bot.channel, "And a seal?", reply_to=first))
    await bot.asks(ann, ann.direct, "And an otter?")
    assert ["walrus", "seal", "otter"] == [
        word for word, prompt in zip(("walrus", "seal", "otter"), bot.world.prompts, strict=True) if word in prompt
    ]
    helped = await bot.answer(await ann.say(bot.channel, f"{bot.discord.bot.mention} status"))
    assert helped.text
    assert 3 == len(bot.model.requests)


async def test_commands_are_named_as_they_are_heard(bot: DiscordBot, database: Database) -> None:
    """In a guild every command that is named begins with the mention without which it is not heard, and then works."""
    ann, guild = bot.world.newcomer("Ann"), bot.discord.guild("Tigers", with_bot=False)
    told = (await bot.asks(ann, bot.channel, "How are you?")).text
    assert told.endswith(bot.notice())
    off = await bot.answer(await ann.say(bot.channel, f"{bot.discord.bot.mention} !memory off me"))
    assert "@Hathi !memory on me" in off.text
    assert await one(database, "SELECT opted_out_at FROM person WHERE person_id = $1", ann.user_id)
    lobby = guild.text_channel("lobby")
    bot.discord.invite(guild)
    await bot.stands(introduction.to_community(bot.client.mention("privacy"), [introduction.NO_INTENT]), lobby)
    chosen = await ann.slash(bot.channel, "help")
    (helped,) = await chosen.until_told()
    assert "typed too: @Hathi !recall, or @Hathi !help recall" in helped.text


async def test_a_nickname_and_another_prefix_are_named(bot: DiscordBot) -> None:
    """The mention is that of the name Hathi has in the guild, and the prefix stands behind it."""
    owner = bot.knows(bot.guild.owner)
    bot.guild.change_member(bot.discord.bot, nick="Elephant")
    said = await bot.answer(await owner.say(bot.channel, f"{bot.discord.bot.mention} !settings prefix ?"))
    assert said.text.endswith("a mention of me and ? (such as @Elephant ?help).")
    await bot.answer(await owner.say(bot.channel, f"{bot.discord.bot.mention} ?memory mode explicit"))
    refused = await bot.asks(owner, bot.channel, "Remember that the kettle is blue.")
    # In an answer the name is a mention as Discord writes it.
    named = refused.text.replace(bot.discord.bot.mention, "@Elephant")
    assert " @Elephant ?remember." in named
    wrong = await bot.answer(await owner.say(bot.channel, f"{bot.discord.bot.mention} ?forget"))
    assert "@Elephant ?forget <id>" in wrong.text


async def test_a_summary_names_commands_as_they_are_heard(bot: DiscordBot) -> None:
    """What a reset saved is told with them, at once and when a later try has told it."""
    owner, settle = bot.knows(bot.guild.owner), "; @Hathi !settle {} shows both sides"
    before = CHANGED.replace("now 5591", "5519")
    await bot.answer(await bot.person("Ann").say(bot.channel, f"{bot.discord.bot.mention} !remember {before}"))
    await bot.asks(owner, bot.channel, f"By the way: {CHANGED}")
    fact = {"topic": "alarm", "content": CHANGED, "importance": 6, "evidence": [1]}
    bot.model.steps.append(Reply(text=json.dumps({"summary": "They decided.", "facts": [fact]})))
    reset = await bot.answer(await owner.say(bot.channel, f"{bot.discord.bot.mention} !reset"))
    await bot.until(lambda: settle.format(2) in reset.text)
    made = summary(2, "late")
    (first, second) = made.saved
    done = replace(
        made,
        saved=(replace(first, contradicts=(second.memory,)),),
        space_id=SpaceId(bot.guild.guild_id),
        channel_id=bot.channel.channel_id,
        notice=(ChannelId(bot.channel.channel_id), MessageId(reset.message_id)),
    )
    bot.client.dispatch("summary_done", done)
    await bot.until(lambda: "topic=late" in reset.text)
    assert settle.format(first.memory.memory_id) in reset.text


async def test_in_direct_messages_commands_need_no_mention(bot: DiscordBot) -> None:
    """Discord shows Hathi everything that is said there."""
    ann = bot.world.newcomer("Ann")
    assert bot.notice(is_direct=True) in (await bot.asks(ann, ann.direct, "How are you?")).text
    assert "!memory on me" in (await bot.answer(await ann.say(ann.direct, "!memory off me"))).text


async def test_slash_commands_work(bot: DiscordBot) -> None:
    """Commands from Discord's list work without any text of messages."""
    ann = bot.person("Ann")
    saved = await ann.slash(bot.channel, "remember", {"text": "The cake is in the cellar", "topic": "cake"})
    await bot.until(lambda: saved.original and "cake" in saved.original.text)


async def test_what_can_not_be_read_is_left_alone(bot: DiscordBot, database: Database) -> None:
    """What people say to each other comes without its text, and is neither answered nor recorded, in no mode."""
    ann = bot.person("Ann")
    me = bot.discord.bot.mention
    await bot.answer(await bot.guild.owner.say(bot.channel, f"{me} memory mode all"))
    await bot.answer(await bot.guild.owner.say(bot.channel, f"{me} channel enable"))
    await ann.say(bot.channel, "Lunch at noon?")
    await bot.asks(ann, bot.channel, "Are you there?")
    assert 1 == len(bot.model.requests)
    assert ["Are you there?", "Fine."] == await column(database, "SELECT content FROM message ORDER BY message_id")


async def said(database: Database) -> list[tuple[Any, ...]]:
    """What people said, each with the files it came with, as far as it is recorded."""
    query = """
        SELECT content, ARRAY(SELECT name FROM attachment a WHERE a.message_id = m.message_id) AS files
        FROM message m WHERE role = 'person' ORDER BY message_id"""
    return await rows(database, query)


async def remembered(database: Database) -> list[str]:
    query = "SELECT content FROM memory WHERE forgotten_at IS NULL AND superseded_by IS NULL ORDER BY memory_id"
    return await column(database, query)


@pytest.mark.parametrize("where", ["guild", "thread"])
async def test_an_edit_that_is_not_shown_erases_nothing(bot: DiscordBot, database: Database, where: str) -> None:
    """An edit without the mention comes without its text and files: what was said and is remembered of it stays."""
    ann = bot.person("Ann")
    room = bot.channel if where == "guild" else await ann.start_thread(bot.channel, "aside")
    asked = await ann.say(room, CODE, mentions=[bot.discord.bot], files={"plan.txt": b"A plan."})
    await bot.answer(asked)
    await bot.settled()
    before = await said(database), await remembered(database)
    await ann.edit(asked, CODE)
    await bot.asks(ann, room, "Are you there?")
    assert before == ((await said(database))[:1], await remembered(database))
    assert (1, 1) == (len(before[0]), len(before[1]))
    assert [["plan.txt"]] == [files for _, files in before[0]]


async def test_an_edit_that_is_shown_is_followed(bot: DiscordBot, database: Database) -> None:
    """What mentions Hathi still, and what is said to it directly, comes with its text, and is recorded as it is now."""
    ann = bot.person("Ann")
    asked = [await bot.says_to_hathi(ann, channel, CODE) for channel in (bot.channel, ann.direct)]
    for question in asked:
        await bot.answer(question)
    await ann.edit(asked[0], f"{bot.discord.bot.mention} {CODE.replace('4417', '4418')}")
    await ann.edit(asked[1], CODE.replace("4417", "4419"))
    for question in asked:
        await bot.asks(ann, question.channel, "Are you there?")
    assert {"4418", "4419"} <= {text[-4:] for text, _ in await said(database)}
    assert ["4418", "4419"] == sorted(text[-4:] for text in await remembered(database))


async def test_files_that_are_left_stand_alone(bot: DiscordBot, database: Database) -> None:
    """Whoever takes the words out of a reply that still pings Hathi is followed: that such a message is empty is so."""
    ann = bot.person("Ann")
    first = await bot.asks(ann, bot.channel, "What is a walrus?")
    again = await ann.say(bot.channel, "And this?", reply_to=first, files={"plan.txt": b"A plan."})
    await bot.answer(again)
    await ann.edit(again, "")
    await bot.asks(ann, bot.channel, "Are you there?")
    texts = [text for text, _ in await said(database)]
    assert ["What is a walrus?", "[attachment: plan.txt]", "Are you there?"] == texts


async def test_an_edit_after_the_intent_is_gone_erases_nothing(database: Database) -> None:
    """What was overheard with the intent stays as it was said, edited live or while Hathi was away; what can be seen
    is followed.
    """
    async with discord_bot.world() as place:
        ann = place.newcomer("Ann")
        async with discord_bot.connected(place, database) as bot:
            bot.knows(ann)
            await bot.answer(await bot.knows(place.guild.owner).say(place.channel, "!memory mode all"))
            overheard = [await ann.say(place.channel, f"The code of vault {number} is 44") for number in (1, 2)]
            asked = await bot.says_to_hathi(ann, place.channel, "Which code?")
            await bot.answer(asked)
        place.discord.world.privileged = Intent.NONE
        await ann.edit(overheard[0], "The code of vault 1 is 45")
        await ann.edit(asked, f"{place.discord.bot.mention} Which vault?")
        async with discord_bot.connected(place, database) as bot:
            bot.knows(ann)
            await bot.caught_up()
            await ann.edit(overheard[1], "The code of vault 2 is 45")
            await bot.asks(ann, place.channel, "Are you there?")
            await bot.settled()
    assert ["The code of vault 1 is 44", "The code of vault 2 is 44", "Which vault?", "Are you there?"] == [
        text for text, _ in await said(database)
    ]
