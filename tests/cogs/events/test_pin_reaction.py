"""What a 📌 on one of Hathi's answers does; on what people say, see test_pinned_messages."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.commands import resting
from bot.db.pool import Database
from bot.language.tags import tagging
from bot.store.spaces import PIN
from bot.text import normalize
from cogs.chat import marked_messages
from cogs.commands import dispatch
from cogs.events.pin_reaction import KEPT, NOT_KEPT
from tests import discord_bot, outages
from tests.discord_bot import DiscordBot
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.users import User
from tests.model_server import Reply
from tests.rows import contents, rows
from tests.waiting import WITHIN, becomes

QUESTION = "How do we make pancakes?"
ANSWER = "Beat two eggs into flour and milk, and fry it in butter."
SAVED = "[memory] saved: topic=pancakes (imp=8) #1, in my words"
_LISTENER = "discord.py: on_raw_reaction_add"


async def react(bot: DiscordBot, user: User, message: Message, emoji: str = PIN) -> None:
    """Return when the reaction was heard and all is done that follows."""
    heard = bot.client.wait_for("raw_reaction_add")
    await user.react(message, emoji)
    async with asyncio.timeout(WITHIN.total_seconds()):
        await heard
        await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == _LISTENER))


async def again(bot: DiscordBot, user: User, message: Message) -> None:
    """Take the reaction away and give it once more."""
    await user.unreact(message, PIN)
    await react(bot, user, message)


def told(bot: DiscordBot, answer: Message) -> list[str]:
    """What Hathi said in reply to its own answer."""
    return [message.text for message in bot.world.replies(answer)]


def marks(bot: DiscordBot, message: Message) -> list[str]:
    """Hathi's own reactions on a message."""
    return [emoji for emoji, users in message.reactions.items() if bot.discord.bot.user_id in users]


async def test_a_pinned_answer_is_kept_and_marked(database: Database) -> None:
    """As a memory of weight 8 in Hathi's words, theirs to forget who pinned it; told by a mark and no message."""
    async with discord_bot.running(database, answer=Reply(text=ANSWER)) as bot:
        ann, bob = bot.person("Ann"), bot.person("Bob")
        question = await bot.says_to_hathi(ann, bot.channel, QUESTION)
        answer = await bot.answer(question)
        await react(bot, bob, answer)
        assert ([KEPT], []) == (marks(bot, answer), told(bot, answer))
    assert [(ANSWER, 8, "user", "Hathi", bob.user_id, [question.message_id, answer.message_id])] == await rows(
        database, "SELECT content, importance, source, author, author_id, evidence FROM memory"
    )


async def test_it_is_filed_and_tagged_by_the_question(database: Database) -> None:
    """What the model wrote names neither the topic nor a domain."""
    answer = Reply(text="Deploy the server to kubernetes, then invoice the taxes.")
    async with discord_bot.running(database, answer=answer) as bot:
        ann = bot.person("Ann")
        await react(bot, ann, await bot.asks(ann, bot.channel, QUESTION))
        expected = [*tagging.Registry(bot.app.settings.domains).inferred(QUESTION, workflow="note")]
    assert [("pancakes", expected)] == await rows(database, "SELECT topic, tags FROM memory")


async def test_the_same_again_is_one_memory(database: Database) -> None:
    """By the same person, by another, in words, and after a restart."""
    async with discord_bot.world(answer=Reply(text=ANSWER)) as place:
        async with discord_bot.connected(place, database) as bot:
            ann, bob = bot.person("Ann"), bot.person("Bob")
            answer = await bot.asks(ann, bot.channel, QUESTION)
            await react(bot, ann, answer)
            await again(bot, ann, answer)
            await react(bot, bob, answer)
        async with discord_bot.connected(place, database) as bot:
            await again(bot, bob, answer)
            assert ([KEPT], []) == (marks(bot, answer), told(bot, answer))
            kept = await bot.answer(await ann.say(bot.channel, "keep this", reply_to=answer))
            assert "known already" in kept.text
    assert [ANSWER] == await contents(database)


async def test_what_was_kept_in_words_is_kept_once(database: Database) -> None:
    """A 📌 on an answer that somebody approved of before marks it as kept."""
    async with discord_bot.running(database, answer=Reply(text=ANSWER)) as bot:
        ann = bot.person("Ann")
        answer = await bot.asks(ann, bot.channel, QUESTION)
        assert SAVED == (await bot.asks(ann, bot.channel, "this will do nicely")).content
        await react(bot, ann, answer)
        assert ([KEPT], []) == (marks(bot, answer), told(bot, answer))
    assert [ANSWER] == await contents(database)


async def test_any_part_of_a_long_answer_counts(database: Database) -> None:
    """A 📌 on the last message of an answer that took several keeps all of it, and so do words in reply to it."""
    text = "\n".join(f"{n}. Beat {n} eggs into flour and milk, and fry them in butter." for n in range(1, 50))
    async with discord_bot.running(database, answer=Reply(text=text)) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, QUESTION)
        *_, last = parts = bot.channel.said_by(bot.discord.bot)
        await react(bot, ann, last)
        assert (True, [KEPT]) == (len(parts) > 1, marks(bot, last))
        assert "known already" in (await bot.answer(await ann.say(bot.channel, "keep this", reply_to=last))).content
    assert [text] == await contents(database)


async def test_what_is_no_answer_of_hathis_is_ignored(database: Database) -> None:
    """A 📌 on a command's reply, and other reactions on an answer."""
    async with discord_bot.running(database, answer=Reply(text=ANSWER)) as bot:
        ann = bot.person("Ann")
        answer = await bot.asks(ann, bot.channel, QUESTION)
        listed = await bot.answer(await ann.say(bot.channel, "!memories"))
        for message, emoji in ((listed, PIN), (answer, "📍"), (answer, "👍")):
            await react(bot, ann, message, emoji)
        assert ([], [answer, listed]) == (await contents(database), bot.channel.said_by(bot.discord.bot))
        assert ([], []) == (marks(bot, answer), marks(bot, listed))


async def test_bots_keep_nothing(database: Database) -> None:
    """A 📌 of another bot, or of Hathi itself, is none."""
    async with discord_bot.running(database, answer=Reply(text=ANSWER)) as bot:
        ann, robot = bot.person("Ann"), bot.discord.world.user("robot", bot=True)
        bot.guild.join(robot)
        answer = await bot.asks(ann, bot.channel, QUESTION)
        for user in (robot, bot.discord.bot):
            await react(bot, user, answer)
        assert ([], [PIN]) == (await contents(database), marks(bot, answer))


@pytest.mark.parametrize("mode", ["off", "explicit"])
async def test_where_the_mode_forbids_it_nothing_happens(database: Database, mode: str) -> None:
    """An answer that is recorded is not kept once the channel keeps no more; nothing is said."""
    async with discord_bot.running(database, answer=Reply(text=ANSWER)) as bot:
        ann = bot.person("Ann")
        answer = await bot.asks(ann, bot.channel, QUESTION)
        await bot.answer(await bot.guild.owner.say(bot.channel, f"!memory mode {mode}"))
        unrecorded = await bot.asks(ann, bot.channel, QUESTION)
        for pinned in (answer, unrecorded):
            await react(bot, ann, pinned)
        assert ([], [], []) == (await contents(database), marks(bot, answer), marks(bot, unrecorded))


async def test_where_words_ask_it_the_mode_is_told(database: Database) -> None:
    """In words the same request is refused in a sentence: words wait for an answer."""
    async with discord_bot.running(database, answer=Reply(text=ANSWER)) as bot:
        ann = bot.person("Ann")
        await bot.answer(await bot.guild.owner.say(bot.channel, "!memory mode off"))
        await bot.asks(ann, bot.channel, QUESTION)
        refused = await bot.asks(ann, bot.channel, "this will do nicely")
        assert "Nothing was kept: memory is off" in refused.text


async def test_whose_wish_forbids_it_keeps_nothing(database: Database) -> None:
    """Neither who opted out pins an answer, nor is an answer to somebody who opted out since pinned by others."""
    async with discord_bot.running(database, answer=Reply(text=ANSWER)) as bot:
        ann, bob = bot.person("Ann"), bot.person("Bob")
        answer = await bot.asks(ann, bot.channel, QUESTION)
        for who, pins in ((bob, bob), (ann, bob)):
            await bot.answer(await who.say(bot.channel, "!memory off me"))
            await react(bot, pins, answer)
            await bot.answer(await bob.say(bot.channel, "!memory on me"))
            await bob.unreact(answer, PIN)
        assert ([], []) == (await contents(database), marks(bot, answer))


@pytest.mark.parametrize("text", ["Hello there!", "no " * (normalize.MAX_LENGTH // 3) + "longer"])
async def test_what_can_not_be_kept_is_marked_as_such(database: Database, text: str) -> None:
    """An answer with nothing in it, or longer than a memory may be."""
    async with discord_bot.running(database, answer=Reply(text=text)) as bot:
        ann, bob = bot.person("Ann"), bot.person("Bob")
        answer = await bot.asks(ann, bot.channel, QUESTION)
        await react(bot, ann, answer)
        await again(bot, ann, answer)
        await react(bot, bob, answer)
        assert ([NOT_KEPT], [], []) == (marks(bot, answer), told(bot, answer), await contents(database))


async def test_to_take_the_pin_away_forgets_nothing(database: Database) -> None:
    """What was kept stays until it is forgotten."""
    async with discord_bot.running(database, answer=Reply(text=ANSWER)) as bot:
        ann = bot.person("Ann")
        answer = await bot.asks(ann, bot.channel, QUESTION)
        await react(bot, ann, answer)
        heard = bot.client.wait_for("raw_reaction_remove")
        await ann.unreact(answer, PIN)
        await heard
        assert [ANSWER] == await contents(database)


async def test_who_deletes_the_question_takes_it_back(database: Database) -> None:
    """With the question its answer is no memory any more, whoever kept it."""
    async with discord_bot.running(database, answer=Reply(text=ANSWER)) as bot:
        ann, bob = bot.person("Ann"), bot.person("Bob")
        question = await bot.says_to_hathi(ann, bot.channel, QUESTION)
        await react(bot, bob, await bot.answer(question))
        assert [ANSWER] == await contents(database)
        gone = bot.client.wait_for("raw_message_delete")
        await ann.delete(question)
        await gone
        await becomes([], lambda: contents(database))


async def test_what_is_forgotten_is_not_kept_again(database: Database) -> None:
    """An answer that went with a forgotten memory is none any more, though Discord still shows it."""
    async with discord_bot.running(database, answer=Reply(text=ANSWER)) as bot:
        ann = bot.person("Ann")
        answer = await bot.asks(ann, bot.channel, QUESTION)
        await react(bot, ann, answer)
        await bot.answer(await ann.say(bot.channel, "!forget 1"))
        await again(bot, ann, answer)
        assert [KEPT] == marks(bot, answer)
    assert [] == await rows(database, "SELECT 1 FROM memory WHERE forgotten_at IS NULL")


async def test_in_direct_messages_and_threads(database: Database) -> None:
    """A 📌 works wherever Hathi answers, after a restart too; each place keeps its own."""
    async with discord_bot.world(answer=Reply(text=ANSWER)) as place:
        async with discord_bot.connected(place, database) as bot:
            ann = bot.person("Ann")
            thread = await ann.start_thread(bot.channel, "pancakes")
            answers = [await bot.asks(ann, each, QUESTION) for each in (ann.direct, thread)]
        async with discord_bot.connected(place, database) as bot:
            for answer in answers:
                await react(bot, bot.knows(ann), answer)
                assert [KEPT] == marks(bot, answer)
    assert [ANSWER, ANSWER] == await contents(database)


async def test_an_answer_is_waited_for_that_is_still_written(database: Database) -> None:
    """A 📌 on the beginning of an answer keeps all of it once it is there."""
    async with discord_bot.running(database) as bot:
        ann, gate, text = bot.person("Ann"), asyncio.Event(), f"{ANSWER} {'Then flip it and fry it. ' * 5}".rstrip()
        bot.slow_lately()
        bot.model.steps.append(Reply(text=text, pieces=2, gate=gate))
        question = await bot.says_to_hathi(ann, bot.channel, QUESTION)
        await bot.until(lambda: bot.world.replies(question))
        (begun,) = bot.world.replies(question)
        assert text != begun.text
        heard = bot.client.wait_for("raw_reaction_add")
        await ann.react(begun, PIN)
        await heard
        gate.set()
        await bot.until(lambda: marks(bot, begun))
    assert [text] == await contents(database)


async def test_who_is_remembered_by_a_mark_is_told_under_the_next_answer_to_them(database: Database) -> None:
    """The mark is confirmed by a mark, and by no message of its own."""
    said = iter([ANSWER, "Whisk the eggs for ten minutes.", ANSWER])
    async with discord_bot.running(database, answer=lambda _: Reply(text=next(said))) as bot:
        ann, bob = bot.person("Ann"), bot.world.newcomer("Bob")
        first, second = [await bot.asks(ann, bot.channel, QUESTION) for _ in range(2)]
        await react(bot, bob, first)
        await react(bot, bob, second)
        assert ([], []) == (told(bot, first), told(bot, second))
        assert ([KEPT], [KEPT]) == (marks(bot, first), marks(bot, second))
        assert (await bot.asks(bob, bot.channel, QUESTION)).content.endswith(f"\n{bot.notice()}")


async def test_too_many_are_not_kept(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pins are counted as commands are; the first one too many is marked as not kept, what follows is passed over."""
    monkeypatch.setattr(dispatch, "COMMANDS", 2)
    async with discord_bot.running(database, answer=Reply(text=ANSWER)) as bot:
        ann = bot.person("Ann")
        answers = [await bot.asks(ann, bot.channel, QUESTION) for _ in range(4)]
        for answer in answers:
            await react(bot, ann, answer)
        assert [[KEPT], [KEPT], [NOT_KEPT], []] == [marks(bot, answer) for answer in answers]


@pytest.mark.parametrize("right", [Permission.ADD_REACTIONS, Permission.READ_MESSAGE_HISTORY])
async def test_where_it_may_not_react_it_is_kept_all_the_same(database: Database, right: Permission) -> None:
    """In silence, and without a request that Discord would refuse."""
    async with discord_bot.running(database, answer=Reply(text=ANSWER)) as bot:
        ann = bot.person("Ann")
        answer = await bot.asks(ann, bot.channel, QUESTION)
        bot.channel.overwrite(bot.discord.bot, Overwrite(deny=right))
        await react(bot, ann, answer)
        refused = [request for request in bot.discord.rest.requests if request.status == 403]
        assert ([ANSWER], [], [], []) == (await contents(database), marks(bot, answer), told(bot, answer), refused)


async def test_who_marks_where_hathi_may_not_write_is_told_by_the_next_answer(database: Database) -> None:
    """Wherever that is, also in direct messages."""
    async with discord_bot.running(database, answer=Reply(text=ANSWER)) as bot:
        ann, bob = bot.person("Ann"), bot.world.newcomer("Bob")
        answer = await bot.asks(ann, bot.channel, QUESTION)
        bot.channel.overwrite(bot.discord.bot, Overwrite(deny=Permission.SEND_MESSAGES))
        await react(bot, bob, answer)
        assert bot.notice(is_direct=True) in (await bot.asks(bob, bob.direct, QUESTION)).content


async def test_while_the_database_is_away_nothing_is_said(
    database: Database, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is an answer at all can't be told then; the log has it, and the next 📌 is kept."""
    monkeypatch.setattr(marked_messages, "PATIENCE", timedelta(0))
    async with outages.frail(dsn) as (frail, wire), discord_bot.running(frail, answer=Reply(text=ANSWER)) as bot:
        ann = bot.person("Ann")
        answer = await bot.asks(ann, bot.channel, QUESTION)
        await wire.cut()
        with capture_logs() as lines:
            await react(bot, ann, answer)
        assert (True, []) == ("approvals.database_down" in [line["event"] for line in lines], marks(bot, answer))
        await wire.mend()
        await again(bot, ann, answer)
        assert [KEPT] == marks(bot, answer)
    assert [ANSWER] == await contents(database)


# --- whose words they are

STALL = "The stall costs 45 euros, Quillwort told me."
NOTES = {"notes.md": b"# Safety\nThe vault was painted red in spring.\n"}


async def _overheard(bot: DiscordBot) -> Message:
    """An answer that tells what somebody said to others, in a channel that records only what is said to Hathi."""
    await bot.answer(await bot.guild.owner.say(bot.channel, "!memory mode addressed"))
    await bot.person("Ann").say(bot.channel, STALL)
    answer = await bot.asks(bot.person("Ben"), bot.channel, "what did Ann just say?")
    assert "45 euros" in answer.text
    return answer


@pytest.mark.parametrize("model", ["Ann said that the stall costs 45 euros (M1).", None])
async def test_what_is_not_recorded_is_not_kept_as_hathis_words(database: Database, model: str | None) -> None:
    """Who wants it kept is told to reply to the message itself; in words, and by a 📌."""
    chosen: dict[str, Any] = {"roles": {}} if model is None else {"answer": Reply(text=model)}
    async with discord_bot.running(database, **chosen) as bot:
        answer = await _overheard(bot)
        assert resting.NOT_THERE == (await bot.asks(bot.person("Ben"), bot.channel, "keep that")).content
        await react(bot, bot.person("Ben"), answer)
        assert ([NOT_KEPT], []) == (marks(bot, answer), await contents(database))


async def test_nor_is_the_message_replied_to(database: Database) -> None:
    """What a model tells freely of it is known to be made from it."""
    async with discord_bot.running(database, answer=Reply(text="Quillwort sells stalls.")) as bot:
        await bot.answer(await bot.guild.owner.say(bot.channel, "!memory mode addressed"))
        ann, ben = bot.person("Ann"), bot.person("Ben")
        said = await ann.say(bot.channel, STALL)
        asked = await ben.say(
            bot.channel, "can you explain this to me?", reply_to=said, ping=False, mentions=[bot.discord.bot]
        )
        answer = await bot.answer(asked)
        assert "Quillwort sells stalls." in answer.content
        await react(bot, ben, answer)
        assert ([NOT_KEPT], []) == (marks(bot, answer), await contents(database))


async def test_of_a_file_the_passage_is_kept(database: Database) -> None:
    """Not the remark it came with; as its sender's, resting on the message that brought it."""
    async with discord_bot.running(database, roles={}) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        sent = await ann.say(bot.channel, "Here is something", mentions=[bot.discord.bot], files=NOTES)
        await bot.answer(sent)
        await bot.settled()
        answer = await bot.asks(ben, bot.channel, "What colour was the vault painted?")
        await react(bot, ben, answer)
        assert [KEPT] == marks(bot, answer)
    assert [("The vault was painted red in spring.", "Ann", ann.user_id, [sent.message_id])] == await rows(
        database, "SELECT content, author, author_id, evidence FROM memory"
    )


async def test_whoever_is_quoted_is_told_that_it_is_kept(database: Database) -> None:
    """In reply to their own message, once; who pins what they said themselves is told by the confirmation."""
    async with discord_bot.running(database, roles={}) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        said = await bot.says_to_hathi(ann, bot.channel, "The gate code is 4417.")
        await bot.answer(said)
        answer = await bot.asks(ben, bot.channel, "What is the gate code?")
        for _ in range(2):
            await again(bot, ben, answer)
        lines = [text for text in told(bot, said) if "of yours as #1" in text]
        assert ["Ben had me remember this message of yours as #1"] == [text.partition(",")[0] for text in lines]
