"""What is edited, deleted and moved out of sight on Discord, live: memory and answers in the making follow."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from structlog.testing import capture_logs

from bot.db.pool import Database
from bot.domain import ChannelId
from cogs.catchup import backlog, edits_and_deletions
from cogs.catchup.discord_recovery import DiscordRecovery
from cogs.catchup.edits_and_deletions import EditsAndDeletions
from tests import discord_bot, outages
from tests.discord_bot import DiscordBot
from tests.discord_server.channels import Channel
from tests.discord_server.users import User
from tests.faults import discord
from tests.faults.discord import Rows, texts
from tests.model_server import Reply
from tests.waiting import eventually

SECRET: Final = "the vault code is 4417"
STORY: Final = "This much of the story was shown at once. The rest of it is held back for as long as it takes."


@pytest.fixture(autouse=True)
def _prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    discord.prepare(monkeypatch)


@pytest.fixture
async def rows(dsn: str) -> AsyncGenerator[Rows]:
    """A look at the database."""
    async with discord.rows(dsn) as found:
        yield found


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    """Hathi on Discord."""
    async with discord_bot.running(database) as found:
        yield found


async def _remember(bot: DiscordBot, rows: Rows, channel: Channel, text: str = SECRET, by: User | None = None) -> Any:
    """A message by which something was remembered."""
    asked = await bot.says_to_hathi(by or bot.person("Ann"), channel, f"Please remember that {text}.")
    await bot.answer(asked)
    assert [1] == await rows.all("SELECT count(*) FROM memory WHERE content LIKE $1", f"%{text}%")
    return asked


async def _gone(rows: Rows, text: str = SECRET) -> None:
    """Return once nothing that holds the text is left in any table."""
    for table in ("message", "memory"):
        await rows.until(f"SELECT count(*) = 0 FROM {table} WHERE content LIKE $1", f"%{text}%")


async def test_an_edit_is_followed(bot: DiscordBot, rows: Rows) -> None:
    """The record has the new text, what was to be remembered is remembered in its new words, and nothing is answered
    twice.
    """
    asked = await _remember(bot, rows, bot.channel)
    await asked.author.edit(asked, f"{bot.discord.bot.mention} Please remember that the vault code is 9999.")
    await rows.until("SELECT count(*) = 1 FROM memory WHERE content LIKE '%9999%'")
    await _gone(rows)
    await bot.settled()
    assert 1 == len(bot.world.replies(asked))


async def test_an_edit_in_a_thread_the_cache_does_not_have_is_followed(bot: DiscordBot, rows: Rows) -> None:
    """Discord tells of an edit in a thread it has told nothing else of: the record follows, as anywhere."""
    ann = bot.person("Ann")
    thread = await ann.start_thread(bot.channel, "aside")
    asked = await _remember(bot, rows, thread, by=ann)
    guild = bot.client.get_guild(bot.guild.guild_id)
    assert guild is not None
    guild._threads.clear()
    await ann.edit(asked, f"{bot.discord.bot.mention} Never mind <#{bot.channel.channel_id}>.")
    await _gone(rows)
    assert ["Never mind #general."] == await rows.said(thread)


async def test_a_deleted_message_takes_its_memory_along(bot: DiscordBot, rows: Rows) -> None:
    """With a message go its row, what was remembered of it alone, and the reply that repeats it."""
    asked = await _remember(bot, rows, bot.channel)
    await asked.author.delete(asked)
    await _gone(rows)


@pytest.mark.parametrize("way", ["deleted", "deleted in bulk", "edited"])
async def test_what_was_shown_and_never_recorded_takes_the_reply_along(
    bot: DiscordBot, rows: Rows, database: Database, way: str
) -> None:
    """Discord tells of a message that no table holds: the reply that was shown it goes, and no other."""
    ann, bob = bot.person("Ann"), bot.person("Bob")
    around, beside = [await ann.say(bot.channel, f"The {thing} is in the hall.") for thing in ("bust", "vase")]
    asked = [await bot.says_to_hathi(bob, bot.channel, text) for text in ("What does she mean?", "What else?")]
    for question in asked:
        await bot.answer(question)
    trail = {"sources": [{"label": "R1", "memory_id": None, "message": [bot.channel.channel_id, around.message_id]}]}
    async with database.connection() as connection:
        await connection.execute("UPDATE turn SET trail = $1 WHERE turn_id = (SELECT min(turn_id) FROM turn)", trail)
    if way == "edited":
        await ann.edit(around, "The bust is gone.")
    else:
        await bot.guild.owner.delete(around, *([beside] if way == "deleted in bulk" else []))
    await rows.until("SELECT count(*) = 1 FROM message WHERE role = 'hathi'")
    answered = await rows.all("SELECT reply_to FROM message WHERE role = 'hathi'")
    assert (["What does she mean?", "What else?"], [asked[1].message_id]) == (await rows.said(bot.channel), answered)


async def test_a_bulk_deletion_takes_all_of_them(bot: DiscordBot, rows: Rows) -> None:
    """Messages deleted at once go at once, and those beside them stay."""
    kept = await bot.says_to_hathi(bot.person("Bob"), bot.channel, "Do I stay?")
    await bot.answer(kept)
    asked = await _remember(bot, rows, bot.channel)
    await bot.guild.owner.delete(asked, *bot.world.replies(asked))
    await _gone(rows)
    assert ["Do I stay?"] == await rows.said(bot.channel)


async def test_a_deleted_channel_takes_all_that_was_said_in_it(bot: DiscordBot, rows: Rows) -> None:
    """With a channel go its messages, its memories, its threads' messages and its row."""
    room = bot.guild.text_channel("vault")
    asked = await _remember(bot, rows, room)
    thread = await asked.author.start_thread(room, "aside")
    await bot.asks(asked.author, thread, "Anything else?")
    room.delete()
    await _gone(rows)
    ids = [room.channel_id, thread.channel_id]
    await rows.until("SELECT count(*) = 0 FROM channel WHERE channel_id = ANY ($1::bigint[])", ids)
    assert [0] == await rows.all("SELECT count(*) FROM message")


async def test_a_deleted_thread_takes_what_was_said_in_it(bot: DiscordBot, rows: Rows) -> None:
    """With a thread go its messages and what rests on them; what its parent holds stays."""
    ann = bot.person("Ann")
    await bot.asks(ann, bot.channel, "Do I stay?")
    thread = await ann.start_thread(bot.channel, "aside")
    await _remember(bot, rows, thread)
    thread.delete()
    await _gone(rows)
    assert ["Do I stay?"] == await rows.said(bot.channel)


async def test_hathis_own_reply_may_be_deleted(bot: DiscordBot, rows: Rows) -> None:
    """A moderator who deletes a reply deletes it from the record too; the question stays, and is not asked again."""
    asked = await bot.says_to_hathi(bot.person("Ann"), bot.channel, "How are you?")
    reply = await bot.answer(asked)
    await bot.guild.owner.delete(reply)
    await rows.until("SELECT count(*) = 0 FROM message WHERE role = 'hathi'")
    await bot.settled()
    assert (["How are you?"], []) == (await rows.said(bot.channel), bot.world.replies(asked))


@pytest.mark.parametrize("how", ["message", "bulk", "channel"])
async def test_an_answer_to_a_deleted_question_is_stopped_and_taken_back(
    database: Database, rows: Rows, how: str
) -> None:
    """What was shown of it goes, the model is let go, and the next question is answered."""
    gate = asyncio.Event()
    replies = iter([Reply(text=STORY, pieces=2, gate=gate)])
    async with discord_bot.running(database, answer=lambda _: next(replies, Reply(text="Fine."))) as bot:
        ann, room = bot.person("Ann"), bot.guild.text_channel("room")
        asked = await bot.says_to_hathi(ann, room, "A long story?")
        await bot.until(lambda: bot.world.replies(asked))
        match how:
            case "message":
                await ann.delete(asked)
            case "bulk":
                await bot.guild.owner.delete(asked, await ann.say(room, "and this"))
            case _:
                room.delete()
        await bot.settled()
        async with asyncio.timeout(discord.WITHIN.total_seconds()):
            await bot.model.dropped.wait()
        if how != "channel":
            await bot.until(lambda: not room.said_by(bot.discord.bot))
            assert [("failed", "deleted")] == await rows.turns(asked)
        await rows.until("SELECT count(*) = 0 FROM message")
        assert "Fine." == (await bot.asks(ann, bot.channel, "And now?")).text


async def test_a_question_deleted_in_the_queue_is_never_answered(database: Database, rows: Rows) -> None:
    """A question that waits behind another and is deleted meanwhile gets no answer; the one after it does."""
    gate = asyncio.Event()
    replies = iter([Reply(text=STORY, pieces=2, gate=gate)])
    async with discord_bot.running(database, answer=lambda _: next(replies, Reply(text="Fine."))) as bot:
        ann = bot.person("Ann")
        first = await bot.says_to_hathi(ann, bot.channel, "A long story?")
        await bot.until(lambda: bot.world.replies(first))
        second = await bot.says_to_hathi(ann, bot.channel, "Never mind?")
        third = await bot.says_to_hathi(ann, bot.channel, "And I?")
        await rows.state(second, third, state="claimed")
        await ann.delete(second)
        await rows.state(second, state="failed")
        gate.set()
        await rows.state(first, third)
        assert [1, 0, 1] == [len(bot.world.replies(each)) for each in (first, second, third)]


async def test_a_thread_is_a_conversation_of_its_own_with_the_audience_of_its_parent(
    bot: DiscordBot, rows: Rows
) -> None:
    """What was said in the channel is not the history of its thread, but what was remembered there may be shown."""
    await _remember(bot, rows, bot.channel, "the mascot is a heron")
    ann = bot.person("Ann")
    await bot.asks(ann, bot.channel, "Is it snowing on Tuesday?")
    thread = await ann.start_thread(bot.channel, "aside")
    await bot.asks(ann, thread, "What do you think of the mascot?")
    assert "heron" in bot.world.prompts[-1]
    assert "snowing" not in bot.world.prompts[-1]


async def test_what_is_said_in_a_private_thread_stays_there(bot: DiscordBot, rows: Rows) -> None:
    """A private thread is an audience of its own: what is remembered in it is shown in it, and not in its parent."""
    ann = bot.person("Ann")
    thread = await ann.start_thread(bot.channel, "whispers", private=True)
    thread.add(bot.discord.bot)
    await _remember(bot, rows, thread, "the mascot is a heron", ann)
    await bot.asks(ann, thread, "What do you think of the mascot?")
    assert "heron" in bot.world.prompts[-1]
    await bot.asks(ann, bot.channel, "What do you think of the mascot?")
    assert "heron" not in bot.world.prompts[-1]


async def test_a_forum_post_is_answered_in_its_post(bot: DiscordBot, rows: Rows) -> None:
    """A question that opens a post is answered there, and the posts of a forum are conversations of their own."""
    ann, forum = bot.person("Ann"), bot.guild.forum("ideas")
    posts = [await ann.post(forum, name, f"{bot.discord.bot.mention} What of {name}?") for name in ("paint", "glue")]
    for post in posts:
        asked = post.messages[0]
        await bot.answer(asked)
        assert ["Fine."] == texts(bot.world.replies(asked))
    assert [["What of paint?"], ["What of glue?"]] == [await rows.said(post) for post in posts]
    assert "paint" not in bot.world.prompts[-1] or "glue" not in bot.world.prompts[-1]


async def test_a_channel_that_becomes_private_hides_its_memories_at_once(bot: DiscordBot, rows: Rows) -> None:
    """Who can read what decides as an answer is made: the memories of a channel closed off are shown nowhere else."""
    ann, room = bot.person("Ann"), bot.guild.text_channel("room")
    await _remember(bot, rows, room, "the mascot is a heron")
    await bot.asks(ann, bot.channel, "What do you think of the mascot?")
    assert "heron" in bot.world.prompts[-1]
    room.overwrite(bot.guild.everyone, discord.hidden())
    room.overwrite(bot.guild.bot_role, discord.seen())
    await bot.asks(ann, bot.channel, "And what of the mascot now?")
    assert "heron" not in bot.world.prompts[-1]


def _edits(bot: DiscordBot) -> EditsAndDeletions:
    found = bot.client.get_cog("EditsAndDeletions")
    assert isinstance(found, EditsAndDeletions)
    return found


async def _until_logged(event: str, work: Callable[[], Awaitable[object]]) -> None:
    """Do something, and return once the log has the event it leads to."""
    with capture_logs() as lines:
        await work()
        await eventually(lambda: event in {line["event"] for line in lines})


@pytest.mark.parametrize(("patience", "event"), [(None, "database.down"), (timedelta(0), "changes.postponed")])
@pytest.mark.parametrize("how", ["message", "edit", "bulk", "channel", "thread"])
async def test_what_changes_while_the_database_is_away_is_followed_when_it_is_back(
    dsn: str, rows: Rows, monkeypatch: pytest.MonkeyPatch, how: str, patience: timedelta | None, event: str
) -> None:
    """However long it is away, what is edited or deleted meanwhile is edited and deleted in memory, and no more is."""
    if patience is not None:
        monkeypatch.setattr(edits_and_deletions, "PATIENCE", patience)
    async with outages.frail(dsn) as (frail, wire), discord_bot.running(frail) as bot:
        ann, room = bot.person("Ann"), bot.guild.text_channel("room")
        place = await ann.start_thread(room, "aside") if how == "thread" else room
        await _remember(bot, rows, bot.channel, "the mascot is a heron")
        asked = await _remember(bot, rows, place, by=ann)
        await bot.settled()

        async def change() -> None:
            # Whoever reads first meanwhile finds it away.
            await wire.cut()
            match how:
                case "message":
                    await ann.delete(asked)
                case "edit":
                    await ann.edit(asked, f"{bot.discord.bot.mention} Never mind.")
                case "bulk":
                    await bot.guild.owner.delete(asked, *bot.world.replies(asked))
                case _:
                    place.delete()

        await _until_logged(event, change)
        await wire.mend()
        await _gone(rows)
        assert ["Please remember that the mascot is a heron."] == await rows.said(bot.channel)


async def test_changes_that_waited_are_followed_in_their_order(
    dsn: str, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of several edits the last one stands; a change that can't be followed at all is logged, and keeps none back."""
    monkeypatch.setattr(edits_and_deletions, "PATIENCE", timedelta(0))

    async def broken() -> None:
        raise RuntimeError

    async with outages.frail(dsn) as (frail, wire), discord_bot.running(frail) as bot:
        ann, waiting = bot.person("Ann"), _edits(bot).backlog
        first, second = [await bot.says_to_hathi(ann, bot.channel, text) for text in ("One?", "Gone?")]
        for asked in (first, second):
            await bot.answer(asked)
        await wire.cut()
        await _until_logged("changes.postponed", lambda: ann.edit(first, f"{bot.discord.bot.mention} Two?"))
        waiting.add(ChannelId(bot.channel.channel_id), broken)
        await ann.edit(first, f"{bot.discord.bot.mention} Three?")
        await ann.delete(second)
        await eventually(lambda: waiting.count >= 4)
        await _until_logged("changes.followed", wire.mend)
        assert (["Three?"], 0) == (await rows.said(bot.channel), waiting.count)


async def test_of_more_changes_than_can_wait_the_history_tells(
    dsn: str, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A channel whose changes find no room is compared with what is recorded when the database is back."""
    monkeypatch.setattr(edits_and_deletions, "PATIENCE", timedelta(0))
    monkeypatch.setattr(backlog, "MOST", 0)
    async with outages.frail(dsn) as (frail, wire), discord_bot.running(frail) as bot:
        ann, recovery = bot.person("Ann"), bot.client.get_cog("DiscordRecovery")
        assert isinstance(recovery, DiscordRecovery)
        room = bot.guild.text_channel("room")
        edited = await bot.says_to_hathi(ann, bot.channel, "One?")
        deleted = await bot.says_to_hathi(ann, room, "Gone?")
        for asked in (edited, deleted):
            await bot.answer(asked)
        await bot.caught_up()
        await wire.cut()
        await _until_logged("changes.postponed", lambda: ann.edit(edited, f"{bot.discord.bot.mention} Two?"))
        await _until_logged("changes.postponed", lambda: ann.delete(deleted))
        await wire.mend()
        await recovery.look()
        await bot.caught_up()
        assert (["Two?"], []) == (await rows.said(bot.channel), await rows.said(room))
