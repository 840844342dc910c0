"""Mentions that are answered in threads of their own."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta

import pytest

from bot.db.pool import Database
from cogs.chat import own_threads
from tests import discord_bot
from tests.discord_bot import DiscordBot, World
from tests.discord_server import opening
from tests.discord_server.channels import Channel
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.threads import Thread
from tests.discord_server.users import User
from tests.discord_server.wire import Intent
from tests.model_server import Reply
from tests.rows import column, rows
from tests.waiting import WITHIN, becomes

QUESTION = "How do we make pancakes?"
ANSWER = "Beat two eggs into flour."
_LISTENER = "discord.py: on_message"


async def _switched(bot: DiscordBot, to: str = "on", channel: Channel | None = None) -> str:
    """What the owner is answered to `!channel threads …`."""
    said = await bot.guild.owner.say(channel or bot.channel, f"!channel threads {to}")
    return (await bot.answer(said)).content


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    """Hathi, with threads switched on in its channel."""
    async with discord_bot.running(database, answer=Reply(text=ANSWER)) as running:
        await _switched(running)
        yield running


async def _said(bot: DiscordBot, user: User, channel: Channel, text: str, *, to_hathi: bool = True) -> Message:
    """A message, once all is done that follows from it."""
    heard = bot.client.wait_for("message")
    said = await user.say(channel, text, mentions=[bot.discord.bot] if to_hathi else ())
    async with asyncio.timeout(WITHIN.total_seconds()):
        await heard
        await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == _LISTENER))
    await bot.settled()
    return said


def _answers(world: World, channel: Channel) -> list[str]:
    """What Hathi itself said in a channel or a thread."""
    return [message.content for message in channel.said_by(world.discord.bot) if message.kind in {0, 19}]


async def _asked(bot: DiscordBot, user: User, text: str = QUESTION) -> tuple[Message, Thread]:
    """A question in the channel, and the thread that was made from it."""
    asked = await _said(bot, user, bot.channel, text)
    assert asked.thread is not None
    return asked, asked.thread


async def test_a_mention_is_answered_in_a_thread_of_its_own(bot: DiscordBot) -> None:
    """Named by what was asked; nothing is said in the channel itself."""
    before = len(_answers(bot.world, bot.channel))
    asked, thread = await _asked(bot, bot.person("Ann"))
    assert (QUESTION, bot.discord.bot) == (thread.name, thread.owner)
    assert ([ANSWER], before) == (_answers(bot.world, thread), len(_answers(bot.world, bot.channel)))
    assert [] == bot.world.replies(asked)


async def test_there_no_mention_is_needed(bot: DiscordBot) -> None:
    """Whoever goes on is answered, and what was asked first is part of the talk."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    _, thread = await _asked(bot, ann)
    further = await _said(bot, ben, thread, "And with oat milk?", to_hathi=False)
    assert 1 == len(bot.world.replies(further))
    assert [True, True] == [text in bot.world.prompts[-1] for text in (QUESTION, ANSWER)]
    # In the channel it still is.
    assert [] == bot.world.replies(await _said(bot, ben, bot.channel, "And with rice milk?", to_hathi=False))


@pytest.mark.parametrize("mode", ["off", "explicit"])
async def test_where_nothing_is_recorded_the_thread_has_its_question_too(bot: DiscordBot, mode: str) -> None:
    """It is read where it stands: in the channel."""
    await bot.answer(await bot.guild.owner.say(bot.channel, f"!memory mode {mode}"))
    _, thread = await _asked(bot, bot.person("Ann"))
    await _said(bot, bot.person("Ben"), thread, "And with oat milk?", to_hathi=False)
    await _said(bot, bot.person("Ben"), thread, "And with rice milk?", to_hathi=False)
    said = (QUESTION, ANSWER, "And with oat milk?")
    assert [True] * 3 == [text in bot.world.prompts[-1] for text in said]


async def test_the_thread_is_its_channels_audience(bot: DiscordBot, database: Database) -> None:
    """What is said and remembered there is the channel's."""
    asked, thread = await _asked(bot, bot.person("Ann"))
    await _said(bot, bot.person("Ann"), thread, "remember that the pan is iron", to_hathi=False)
    assert [bot.channel.channel_id] == await column(database, "SELECT channel_id FROM memory")
    assert [(bot.channel.channel_id, thread.channel_id)] == await rows(
        database, "SELECT channel_id, place_id FROM message WHERE message_id = $1", asked.message_id
    )


@pytest.mark.parametrize(
    "text", ["", "hello", "thank you, that will be all", "remember that the pan is iron", "forget #1", "!status"]
)
async def test_what_begins_no_talk_is_answered_in_the_channel(bot: DiscordBot, text: str) -> None:
    """A greeting, a request to memory, a command, a mention alone."""
    said = await _said(bot, bot.person("Ann"), bot.channel, text)
    assert (None, 1) == (said.thread, len(bot.world.replies(said)))


async def test_what_goes_on_elsewhere_is_answered_there(bot: DiscordBot) -> None:
    """A reply to Hathi, a mention in a thread of people's, and direct messages."""
    ann = bot.person("Ann")
    first = await bot.answer(await ann.say(bot.channel, "!status"))
    reply = await ann.say(bot.channel, QUESTION, reply_to=first)
    await bot.answer(reply)
    theirs = await ann.start_thread(bot.channel, "pancakes")
    there = await _said(bot, ann, theirs, QUESTION)
    assert (None, None, 1) == (reply.thread, there.thread, len(bot.world.replies(there)))
    assert [] == bot.world.replies(await _said(bot, ann, theirs, "And with oat milk?", to_hathi=False))
    assert ANSWER in (await bot.asks(ann, ann.direct, QUESTION)).content


async def test_off_has_answers_where_they_are_asked(bot: DiscordBot) -> None:
    """In threads that were made before too it takes a mention again."""
    ann = bot.person("Ann")
    _, thread = await _asked(bot, ann)
    assert "!channel threads on" in await _switched(bot, "off")
    said = await _said(bot, ann, bot.channel, QUESTION)
    assert (None, 1) == (said.thread, len(bot.world.replies(said)))
    assert [] == bot.world.replies(await _said(bot, ann, thread, "And with oat milk?", to_hathi=False))
    assert 1 == len(bot.world.replies(await _said(bot, ann, thread, "And with oat milk?")))


async def test_it_is_read_with_the_talk_it_was_asked_in(bot: DiscordBot) -> None:
    """What was said before it in the channel, and what it replies to."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    far = await ben.say(bot.channel, "The gate code is 4417.")
    for number in range(15):
        await ben.say(bot.channel, f"Lap {number} is over.")
    asked = await ann.say(bot.channel, "can you explain this?", reply_to=far, mentions=[bot.discord.bot])
    await bot.until(lambda: asked.thread is not None and _answers(bot.world, asked.thread))
    assert [True, True] == [text in bot.world.prompts[-1] for text in ("4417", "Lap 14")]


async def test_who_may_not_open_threads_answers_in_the_channel(database: Database) -> None:
    """The manager is told when they switch it on, and Discord is not asked for what it would refuse."""
    async with discord_bot.running(database, answer=Reply(text=ANSWER)) as bot:
        denied = Overwrite(deny=Permission.CREATE_PUBLIC_THREADS | Permission.SEND_MESSAGES_IN_THREADS)
        bot.channel.overwrite(bot.discord.bot, denied)
        told = await _switched(bot)
        assert "Create Public Threads and Send Messages in Threads" in told
        said = await _said(bot, bot.person("Ann"), bot.channel, QUESTION)
        assert (None, 1) == (said.thread, len(bot.world.replies(said)))
        assert [] == [request for request in bot.discord.rest.requests if request.path.endswith("/threads")]


async def test_where_no_thread_can_be_made_it_is_said(database: Database) -> None:
    """In a forum every post is one; and without the intent it takes a mention everywhere."""
    async with discord_bot.running(database, server={"privileged": Intent.NONE}) as bot:
        ann, forum = bot.guild.owner, bot.guild.forum("help")
        post = await ann.post(forum, "Pancakes", QUESTION)
        said = await ann.say(post, "!channel threads on", mentions=[bot.discord.bot])
        assert "no thread can be made" in (await bot.answer(said)).content
        said = await ann.say(bot.channel, "!channel threads on", mentions=[bot.discord.bot])
        told = (await bot.answer(said)).content
        assert (True, False) == ("only what mentions me" in told, "no thread can be made" in told)


@pytest.mark.parametrize("kind", ["failed", "slow", "refused"])
async def test_where_discord_makes_none_it_is_answered_in_the_channel(
    bot: DiscordBot, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Whether it fails, takes too long, or says no."""
    monkeypatch.setattr(own_threads, "MADE_WITHIN", timedelta(seconds=0.2))
    match kind:
        case "failed":
            bot.discord.faults.fail(10, method="POST", path="/threads$")
        case "slow":
            bot.discord.faults.slow(timedelta(seconds=5), method="POST", path="/threads$")
        case _:
            bot.discord.faults.fail(method="POST", path="/threads$", status=403, code=50013)
    said = await _said(bot, bot.person("Ann"), bot.channel, QUESTION)
    assert [ANSWER] == [reply.content for reply in bot.world.replies(said)]


async def test_a_thread_whose_making_was_not_confirmed_is_found(bot: DiscordBot) -> None:
    """Discord made it, and its answer was lost: it is one thread, and the answer is in it."""
    bot.discord.faults.fail(method="POST", path="/threads$", after_effect=True)
    asked, thread = await _asked(bot, bot.person("Ann"))
    assert ([ANSWER], []) == (_answers(bot.world, thread), bot.world.replies(asked))


async def test_a_thread_that_somebody_else_made_is_theirs(bot: DiscordBot) -> None:
    """Made while Hathi was about to: the answer stands in the channel."""
    ann = bot.person("Ann")
    bot.discord.faults.slow(timedelta(seconds=0.3), method="POST", path="/threads$")
    asked = await bot.says_to_hathi(ann, bot.channel, QUESTION)
    thread = await ann.start_thread(bot.channel, "pancakes", on=asked)
    assert (ANSWER, []) == ((await bot.answer(asked)).content, _answers(bot.world, thread))


async def test_who_has_had_many_made_is_answered_in_the_channel(
    bot: DiscordBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One person can't fill a channel with threads; others have theirs."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    asked = [await _said(bot, ann, bot.channel, f"{QUESTION} {n}") for n in range(own_threads.THREADS + 1)]
    assert [True] * own_threads.THREADS + [False] == [said.thread is not None for said in asked]
    assert 1 == len(bot.world.replies(asked[-1]))
    assert (await _said(bot, ben, bot.channel, QUESTION)).thread is not None


async def test_who_deletes_the_question_takes_the_answer_along(bot: DiscordBot, database: Database) -> None:
    """Though the one stands in the channel and the other in the thread."""
    ann = bot.person("Ann")
    asked, _ = await _asked(bot, ann)
    gone = bot.client.wait_for("raw_message_delete")
    await ann.delete(asked)
    await gone
    await becomes([], lambda: column(database, "SELECT content FROM message"))


# --- over restarts


async def test_the_question_is_not_missing_in_the_thread(database: Database) -> None:
    """What is caught up with is compared: the question is recorded there, and stands in the channel."""
    async with discord_bot.world(answer=Reply(text=ANSWER)) as world:
        async with discord_bot.connected(world, database) as bot:
            await _switched(bot)
            ann = bot.person("Ann")
            kept, thread = await _asked(bot, ann)
            deleted, other = await _asked(bot, ann, "How do we make waffles?")
        missed = [await ann.say(place, "And with oat milk?") for place in (thread, other)]
        await ann.delete(deleted)
        async with discord_bot.connected(world, database) as bot:
            for question in missed:
                await bot.answer(question)
            await bot.caught_up()
            await bot.settled()
        found = await column(database, "SELECT message_id FROM message WHERE role = 'person'")
    assert {kept.message_id, *(question.message_id for question in missed)} == {*found}


@pytest.mark.parametrize("has_thread", [False, True])
async def test_what_was_asked_while_it_was_away_is_answered_once(database: Database, *, has_thread: bool) -> None:
    """In a thread; in the one that was made before Hathi was killed, where it came so far."""
    async with discord_bot.world(answer=Reply(text=ANSWER)) as world:
        async with discord_bot.connected(world, database) as bot:
            await _switched(bot)
            ann = bot.person("Ann")
        asked = await ann.say(world.channel, QUESTION, mentions=[world.discord.bot])
        if has_thread:
            opening.begin(world.channel, world.discord.bot, QUESTION, starter=asked)
        async with discord_bot.connected(world, database) as bot:
            bot.knows(ann)
            await world.until(lambda: asked.thread is not None and _answers(world, asked.thread))
            await bot.caught_up()
            await bot.settled()
        assert asked.thread is not None
        assert ([ANSWER], [], 1) == (_answers(world, asked.thread), world.replies(asked), len(world.channel.threads))


async def test_an_archived_thread_is_let_be(database: Database) -> None:
    """What was made before Hathi was killed and put away since: the answer stands in the channel."""
    async with discord_bot.world(answer=Reply(text=ANSWER)) as world:
        async with discord_bot.connected(world, database) as bot:
            await _switched(bot)
            ann = bot.person("Ann")
        asked = await ann.say(world.channel, QUESTION, mentions=[world.discord.bot])
        opening.begin(world.channel, world.discord.bot, QUESTION, starter=asked).archive(locked=True)
        async with discord_bot.connected(world, database) as bot:
            bot.knows(ann)
            assert ANSWER == (await bot.answer(asked)).content
