"""The laws of plain words on Discord: what they are answered with, and what can be pressed under it."""

import pytest

from bot.commands import forgetting, hello
from bot.config import Roles
from bot.db.pool import Database
from bot.text import notices
from tests import discord_bot
from tests.cogs.commands.test_reply_reasons import private
from tests.discord_server.messages import Message
from tests.model_server import Reply
from tests.rows import one, rows

TALK = "Quite so."


async def living(database: Database) -> list[str]:
    async with database.connection() as connection:
        found = await connection.fetch("SELECT content FROM memory WHERE forgotten_at IS NULL ORDER BY memory_id")
    return [row["content"] for row in found]


def ids(reply: Message) -> list[str]:
    """What can be pressed under a reply, without the numbers."""
    return [custom_id.rpartition(":")[0] for custom_id in reply.custom_ids]


def pressable(reply: Message, kind: str) -> str:
    (found,) = [custom_id for custom_id in reply.custom_ids if custom_id.startswith(f"hathi:{kind}:")]
    return found


async def test_what_was_forgotten_is_brought_back_by_its_button(database: Database) -> None:
    """A memory, and what was only said; after a restart too."""
    async with discord_bot.world(answer=Reply(text=TALK)) as world:
        async with discord_bot.connected(world, database) as bot:
            ann = bot.person("Ann")
            await bot.asks(ann, bot.channel, "could you remember that I'm allergic to nuts?")
            await bot.asks(ann, bot.channel, "My PIN is 4417.")
            memory = await bot.asks(ann, bot.channel, "forget that I'm allergic to nuts")
            said = await bot.asks(ann, bot.channel, "please forget my PIN")
            assert [["hathi:restore"]] * 2 == [ids(memory), ids(said)]
            assert [] == await living(database)
        async with discord_bot.connected(world, database) as again:
            ann = again.knows(ann)
            await (await ann.press(said, pressable(said, "restore"))).until_answered()
            await again.until(lambda: "[memory] back" in said.text)
            await (await ann.press(memory, pressable(memory, "restore"))).until_answered()
            await again.until(lambda: "[memory] back" in memory.content)
        shown = await one(database, "SELECT hidden_at IS NULL FROM message WHERE content LIKE 'My PIN%'")
    assert ["I'm allergic to nuts"] == await living(database)
    assert shown is True
    assert [["hathi:forget"], []] == [ids(memory), ids(said)]


@pytest.mark.parametrize(
    ("question", "again"),
    [
        ("what do you know about me?", "me"),
        ("was weißt du über mich?", "me"),
        ("what do you remember?", "memories"),
        ("what did I ask you to remember?", "memories by:me sort:new"),
        ("what did I tell you today?", "memories by:me sort:new said:today"),
    ],
)
async def test_a_list_in_talk_is_short(question: str, again: str, database: Database) -> None:
    """Three memories as they were said, nothing technical; all of it for whoever presses, after a restart too."""
    async with discord_bot.world(answer=Reply(text=TALK)) as world:
        async with discord_bot.connected(world, database) as bot:
            ann = bot.person("Ann")
            for number in range(5):
                await bot.asks(ann, bot.channel, f"remember that I own {number} jars")
            listed = await bot.asks(ann, bot.channel, question)
        assert 3 == listed.content.count(" jars\u201d")
        assert not any(odd in listed.content for odd in ("importance", "http", "!forget", "!edit", "page:"))
        assert [f"hathi:all:{again}"] == [one for one in listed.custom_ids if ":all" in one]
        async with discord_bot.connected(world, database) as bot:
            whole = await private(await bot.knows(ann).press(listed, f"hathi:all:{again}"))
    assert 5 == whole.text.count(" jars")


async def test_several_are_forgotten_by_a_button_of_whoever_asked(database: Database) -> None:
    """Others who press it are told so; the reply then tells what is gone, and can take it back."""
    async with discord_bot.running(database) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        for thing in ("the shed key is red", "the shed code is 12"):
            await bot.asks(ann, bot.channel, f"remember that {thing}")
        asked = await bot.asks(ann, bot.channel, "forget the shed")
        assert ["hathi:agree"] == ids(asked)
        refused = await private(await ben.press(asked, pressable(asked, "agree")))
        assert refused.text == forgetting.ASKERS_ALONE
        assert 2 == len(await living(database))
        await ann.press(asked, pressable(asked, "agree"))
        await bot.until(lambda: "[memory] forgotten" in asked.text)
        assert [] == await living(database)
        await ann.press(asked, pressable(asked, "restore"))
        await bot.until(lambda: "[memory] back" in asked.text)
    assert 2 == len(await living(database))


async def test_a_typed_yes_is_as_good_as_the_button(database: Database) -> None:
    """In reply to what was asked, with no mention; whatever stands under it does nothing any more."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        for thing in ("the shed key is red", "the shed code is 12"):
            await bot.asks(ann, bot.channel, f"remember that {thing}")
        asked = await bot.asks(ann, bot.channel, "forget the shed")
        done = await bot.answer(await ann.say(bot.channel, "yes", reply_to=asked))
        assert done.text.startswith("[memory] forgotten: #")
        await ann.press(asked, pressable(asked, "agree"))
        await bot.until(lambda: asked.text == notices.FORGOTTEN)
    assert [] == await living(database)


async def test_after_a_no_the_button_does_nothing(database: Database) -> None:
    """Neither under what was asked last nor under what was asked before it; whoever presses it is told."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, "remember that the mill is old")
        everything = await bot.asks(ann, bot.channel, "forget everything about me")
        await bot.asks(ann, bot.channel, "forget everything")
        done = await bot.asks(ann, bot.channel, "nein, doch nicht")
        assert done.text == forgetting.KEPT_ALL
        told = await private(await ann.press(everything, pressable(everything, "agree")))
    assert told.text == forgetting.NOT_ASKED
    assert ["the mill is old"] == await living(database)


async def test_which_holds_is_said_in_reply(database: Database) -> None:
    """By whoever was asked, right after, or later in reply to the question; as its buttons do."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        for day in ("3rd", "13th"):
            asked = await bot.asks(ann, bot.channel, f"remember my birthday is march {day}")
        await bot.asks(ann, bot.channel, "The loft is dusty.")
        settled = await bot.answer(await ann.say(bot.channel, "the newer one, typo sry", reply_to=asked))
    assert settled.text.startswith("[memory] #2 holds.")
    async with database.connection() as connection:
        (replaced,) = await connection.fetch("SELECT content FROM memory WHERE superseded_by IS NOT NULL")
    assert replaced["content"] == "my birthday is march 3rd"


async def test_everything_goes_by_the_button(database: Database) -> None:
    """What `!mydata erase` tells stands above it; what it erased is told in its place."""
    async with discord_bot.running(database) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        await bot.asks(ben, bot.channel, "remember that the loft is dusty")
        await bot.asks(ann, bot.channel, "remember that the mill is old")
        asked = await bot.asks(ann, bot.channel, "delete everything you know about me")
        assert asked.text.startswith("This would erase")
        await ann.press(asked, pressable(asked, "agree"))
        await bot.until(lambda: asked.text.startswith("Erased for good:"))
    assert ["the loft is dusty"] == await living(database)


async def test_a_list_is_kept_line_by_line(database: Database) -> None:
    """Each line is a memory of its own that goes with the message, as what a command kept does."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        said = await bot.says_to_hathi(ann, bot.channel, "remember these:\n- the mill is old\n- the loft is dusty")
        told = await bot.answer(said)
        assert ["the mill is old", "the loft is dusty"] == await living(database)
        await ann.delete(said)
        await bot.settled()
        async with database.connection() as connection:
            while await connection.fetchval("SELECT count(*) FROM memory"):
                await bot.settled()
    assert told.text.startswith("[memory] saved: 2 memories")


@pytest.mark.parametrize("mode", ["addressed", "off"])
async def test_no_set_text_is_a_models_own_words(database: Database, mode: str) -> None:
    """Neither as it is recorded nor as Discord has it where nothing is recorded; what the model said is."""
    async with discord_bot.running(database, answer=Reply(text=TALK)) as bot:
        ann = bot.person("Ann")
        await bot.answer(await bot.knows(bot.guild.owner).say(bot.channel, f"!memory mode {mode}"))
        helped = await bot.asks(ann, bot.channel, "what can you do?")
        await bot.asks(ann, bot.channel, "The mill is old, I think.")
        await bot.asks(ann, bot.channel, "And the loft is dusty.")
        own = [str(said["content"]) for said in bot.model.requests[-1]["messages"] if said["role"] == "assistant"]
    assert helped.text.startswith(hello.HELP.partition("\n")[0])
    assert [TALK] == own


async def test_a_statement_is_heard_as_far_as_it_is_kept(database: Database) -> None:
    """Without a model, a short sign that says what is true of the channel."""
    async with discord_bot.running(database, roles=Roles()) as bot:
        ann, owner = bot.person("Ann"), bot.knows(bot.guild.owner)
        heard = [(await bot.asks(ann, bot.channel, text)).text for text in ("The mill is old.", "The loft is dusty.")]
        await bot.answer(await owner.say(bot.channel, "!memory mode off"))
        unkept = (await bot.asks(owner, bot.channel, "The roof leaks.")).text
    assert [hello.HEARD, hello.HEARD_BRIEFLY, hello.NOT_KEPT] == [*heard, unkept]


async def test_what_was_said_of_the_same_is_forgotten_by_a_button(database: Database) -> None:
    """By whoever said it alone: another's press finds nothing of theirs."""
    async with discord_bot.running(database, answer=Reply(text=TALK)) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        await bot.asks(ann, bot.channel, "Just so you know, the vault code is 4417.")
        await bot.asks(ann, bot.channel, "remember that the vault code is 4417")
        told = await bot.asks(ann, bot.channel, "forget #1")
        assert ["hathi:restore", "hathi:unsay"] == ids(told)
        refused = await private(await ben.press(told, pressable(told, "unsay")))
        assert refused.text == forgetting.NOTHING
        await ann.press(told, pressable(told, "unsay"))
        await bot.until(lambda: ["hathi:restore"] * 2 == ids(told))
    assert True is await one(database, "SELECT hidden_at IS NOT NULL FROM message WHERE content LIKE 'Just so%'")


async def test_that_is_what_hathi_s_own_words_tell_of(database: Database) -> None:
    """In reply to what confirmed that it was kept, or told its author so, "forget that" forgets it."""
    async with discord_bot.running(database, answer=Reply(text=TALK)) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        own = await bot.asks(ann, bot.channel, "remember that the stall costs 40 euros")
        said = await ann.say(bot.channel, "I vote for the harbour.")
        await bot.answer(await ben.say(bot.channel, "remember this", reply_to=said, mentions=[bot.discord.bot]))
        notice = await bot.stands("Ben had me remember this message of yours")
        assert 2 == len(await living(database))
        for told in (own, notice):
            asked = await ann.say(bot.channel, "forget that", reply_to=told, mentions=[bot.discord.bot])
            assert notices.FORGOT in (await bot.answer(asked)).text
        assert [] == await living(database)


@pytest.mark.parametrize("secret", ["please don't remember this: my PIN is heron", "off the record, my PIN is heron"])
async def test_what_is_said_not_to_be_remembered_is_told_to_nobody(database: Database, secret: str) -> None:
    """Neither kept, nor read among the last messages, nor found by Discord's search."""
    async with discord_bot.running(database, roles=Roles()) as bot:
        ann, ben = bot.person("ann"), bot.person("ben")
        told = await bot.asks(ann, bot.channel, secret)
        asked = [await bot.asks(ben, bot.channel, question) for question in ("what is the PIN?", "what did ann say?")]
        kept = await rows(database, "SELECT content FROM message WHERE content LIKE '%heron%'")
    assert told.text.startswith("I keep nothing of that message")
    assert [False, False] == ["heron" in answer.text for answer in asked]
    assert [] == kept
