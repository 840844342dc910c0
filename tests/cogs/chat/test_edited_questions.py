"""The laws of questions that are edited right after they were asked."""

import asyncio

import pytest

from bot.db.pool import Database
from cogs.chat import edited_questions
from tests import discord_bot
from tests.cogs.chat.test_plain_requests import ids, living
from tests.discord_bot import DiscordBot
from tests.discord_server.messages import Message
from tests.discord_server.users import User
from tests.model_server import Reply
from tests.rows import rows
from tests.waiting import becomes

ELEPHANTS, ZEBRAS = "Tell me about elephants.", "Tell me about zebras."
GREY, STRIPED = "Elephants are grey.", "Zebras are striped."
TEA = "Ann prefers tea."
SAVE = Reply(calls=(("memory_save", {"content": TEA, "topic": "tea"}),))


async def asked(bot: DiscordBot, asker: User, text: str, *steps: Reply) -> tuple[Message, Message]:
    """A question, and its whole answer."""
    bot.model.steps.extend(steps)
    question = await bot.says_to_hathi(asker, bot.channel, text)
    return question, await bot.answer(question)


async def edit(bot: DiscordBot, asker: User, question: Message, text: str) -> None:
    await asker.edit(question, f"<@{bot.discord.bot.user_id}> {text}")


async def is_followed(database: Database, text: str) -> None:
    """Return when an edit stands in the record."""

    async def stands() -> bool:
        return bool(await rows(database, "SELECT 1 FROM message WHERE content = $1", text))

    await becomes(True, stands)


async def test_the_answer_follows_the_question(database: Database) -> None:
    """The same message says what the new wording is answered with, and the old answer is known to nobody."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        question, answer = await asked(bot, ann, ELEPHANTS, Reply(text=GREY))
        bot.model.steps.append(Reply(text=STRIPED))
        await edit(bot, ann, question, ZEBRAS)
        await bot.until(lambda: answer.text == STRIPED)
        await bot.settled()
        assert [answer] == bot.channel.said_by(bot.discord.bot)
        assert (False, True) == (GREY in bot.world.prompts[-1], ZEBRAS in bot.world.prompts[-1])
        assert ["hathi:again"] == ids(answer)
    assert [("person", ZEBRAS), ("hathi", STRIPED)] == await rows(
        database, "SELECT role, content FROM message ORDER BY message_id"
    )


async def test_what_the_old_answer_saved_is_undone(database: Database) -> None:
    """As by Regenerate."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        question, answer = await asked(bot, ann, f"I prefer tea. {ELEPHANTS}", SAVE, Reply(text=GREY))
        assert [TEA] == await living(database)
        bot.model.steps.append(Reply(text=STRIPED))
        await edit(bot, ann, question, ZEBRAS)
        await bot.until(lambda: answer.text == STRIPED)
        await bot.settled()
        assert [] == await living(database)


async def test_an_answer_of_memory_alone_follows_too(database: Database) -> None:
    """No model is needed for that, and none is offered to give it anew."""
    async with discord_bot.running(database, roles={}) as bot:
        ann = bot.person("Ann")
        for told in ("!remember The kiln code is heron.", "!remember The boat code is otter."):
            await bot.asks(ann, bot.channel, told)
        question, answer = await asked(bot, ann, "What is the kiln code?")
        assert "heron" in answer.text
        await edit(bot, ann, question, "What is the boat code?")
        await bot.until(lambda: "otter" in answer.text)
        await bot.settled()
        assert ("heron" in answer.text, "hathi:again" in ids(answer)) == (False, False)


async def test_a_question_becomes_a_request(database: Database) -> None:
    """What is asked for by now is done, and told in the place of the answer."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        question, answer = await asked(bot, ann, "remembr the mill is old", Reply(text="Is it?"))
        await edit(bot, ann, question, "remember that the mill is old")
        await bot.until(lambda: "saved" in answer.text)
        await bot.settled()
        assert ["the mill is old"] == await living(database)


async def test_edited_while_it_is_written(database: Database) -> None:
    """What was being written ends there, and the new wording is answered in its place."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        bot.model.steps.append(Reply(text=GREY, silent=asyncio.Event()))
        question = await bot.says_to_hathi(ann, bot.channel, ELEPHANTS)
        await bot.until(lambda: bot.model.requests)
        bot.model.steps.append(Reply(text=STRIPED))
        await edit(bot, ann, question, ZEBRAS)
        answer = await bot.stands(STRIPED)
        await bot.settled()
        assert (STRIPED, [answer]) == (answer.text, bot.channel.said_by(bot.discord.bot))
    assert [("answered", None)] == await rows(database, "SELECT state, failure FROM turn")


async def test_edited_when_half_of_it_stands(database: Database) -> None:
    """The half goes with the rest."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        bot.slow_lately()
        bot.model.steps.append(Reply(text=f"{GREY} They eat grass all day.", pieces=2, gate=asyncio.Event()))
        question = await bot.says_to_hathi(ann, bot.channel, ELEPHANTS)
        answer = await bot.stands(GREY)
        bot.model.steps.append(Reply(text=STRIPED))
        await edit(bot, ann, question, ZEBRAS)
        await bot.until(lambda: answer.text == STRIPED)
        await bot.settled()
        assert [answer] == bot.channel.said_by(bot.discord.bot)


async def test_once_another_was_answered_nothing_is_asked_anew(database: Database) -> None:
    """The talk went on from the old answer."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        question, answer = await asked(bot, ann, ELEPHANTS, Reply(text=GREY))
        await asked(bot, bot.person("Bob"), "How are you today, old friend?", Reply(text="Fine."))
        await edit(bot, ann, question, ZEBRAS)
        await is_followed(database, ZEBRAS)
        await bot.settled()
        assert (GREY, 2) == (answer.text, len(bot.model.requests))


@pytest.mark.parametrize("text", ["remember that the mill is old", ELEPHANTS])
async def test_what_was_done_and_what_says_the_same_stays(database: Database, text: str) -> None:
    """A confirmation stands as its memory follows, and a preview of a link is no other wording."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        question, answer = await asked(bot, ann, text, Reply(text=GREY))
        told, requests = answer.text, len(bot.model.requests)
        await edit(bot, ann, question, "remember that the mill is new" if "mill" in text else text)
        if "mill" in text:
            await is_followed(database, "remember that the mill is new")
        await bot.settled()
        assert requests == len(bot.model.requests)
        assert told == answer.text or "the mill is new" in answer.text


async def test_so_often_and_no_more(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the bound an edit is followed in the record, and the answer stays."""
    monkeypatch.setattr(edited_questions, "EDITS", 1)
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        question, answer = await asked(bot, ann, ELEPHANTS, Reply(text=GREY))
        bot.model.steps.append(Reply(text=STRIPED))
        await edit(bot, ann, question, ZEBRAS)
        await bot.until(lambda: answer.text == STRIPED)
        await bot.settled()
        await edit(bot, ann, question, "Tell me about lions.")
        await is_followed(database, "Tell me about lions.")
        await bot.settled()
        assert (STRIPED, 2) == (answer.text, len(bot.model.requests))


async def test_what_is_looked_up_follows_its_command(database: Database) -> None:
    """In the message of the old answer, also where there is nothing to be listed now, and again something."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        for told in ("!remember The kiln code is heron.", "!remember The boat is green."):
            await bot.asks(ann, bot.channel, told)
        command = await ann.say(bot.channel, "!recall kiln")
        answer = await bot.answer(command)
        assert "heron" in answer.text
        for words, told in (("boat", "green"), ("submarines", "I don't have"), ("kiln code", "heron")):
            await ann.edit(command, f"!recall {words}")
            await bot.until(lambda told=told: told in answer.text)
            await bot.settled()
        assert [answer] == bot.world.replies(command)


async def test_what_a_command_did_is_not_done_again(database: Database) -> None:
    """Its edit is followed by nothing, and that of one that looked is not by an act."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        kept = await ann.say(bot.channel, "!remember The boat is green.")
        looked = await ann.say(bot.channel, "!recall boat")
        await bot.answer(kept)
        await bot.answer(looked)
        await ann.edit(kept, "!remember The boat is red.")
        await ann.edit(looked, "!remember The boat is blue.")
        last = await ann.say(bot.channel, "!recall boat")
        await bot.answer(last)
        await bot.settled()
        assert ["The boat is green."] == await living(database)
