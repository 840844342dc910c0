"""What becomes of files that come with messages on Discord, over real sockets: kept with their message, or not."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import Caller, ChannelId, Message, MessageId, PersonId, Role, SpaceId
from bot.layers.stored_artifacts import StoredArtifacts
from bot.layers.walk import Finding, WalkQuestion
from bot.llm.tokens import estimate
from bot.prompting import nearby
from bot.recall.file_search import AttachmentSearch
from bot.store.files import attachments
from bot.store.files.attachments import AttachedFile, Attachments, Contents
from bot.store.turn_trails import TurnTrails
from cogs.chat import incoming_files
from tests import discord_bot
from tests.discord_bot import DiscordBot
from tests.discord_server.channels import Channel
from tests.discord_server.permissions import Overwrite, Permission
from tests.faults import discord
from tests.faults.discord import Rows
from tests.pdf_files import pdf
from tests.waiting import eventually

NOTES = {"notes.md": b"# Safety\nThe vault was painted red in spring.\n"}


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    async with discord_bot.running(database) as running:
        yield running


@pytest.fixture
async def rows(dsn: str) -> AsyncGenerator[Rows]:
    """A look at the database."""
    async with discord.rows(dsn) as found:
        yield found


async def _mode(bot: DiscordBot, mode: str, channel: Channel | None = None) -> None:
    place = channel or bot.channel
    await bot.answer(await bot.guild.owner.say(place, f"!memory mode {mode}"))


async def _files(database: Database) -> list[tuple[str, str, str]]:
    async with database.connection() as connection:
        found = await connection.fetch("SELECT name, state, content FROM attachment ORDER BY attachment_id")
    return [(row["name"], row["state"], row["content"]) for row in found]


async def _look(bot: DiscordBot, database: Database, text: str, *channels: Channel) -> Finding:
    """What is found on a question in the first of these channels, by somebody who sees them all."""
    ids = tuple(ChannelId(channel.channel_id) for channel in channels or (bot.channel,))
    caller = Caller(
        space_id=SpaceId(bot.guild.guild_id),
        channel_id=ids[0],
        person_id=PersonId(5),
        name="Eve",
        is_admin=False,
        visible=ids,
    )
    question = Message(
        space_id=caller.space_id,
        channel_id=ids[0],
        message_id=MessageId(5),
        role=Role.PERSON,
        author_id=caller.person_id,
        author="Eve",
        content=text,
        said_at=bot.app.clock(),
    )
    stored = StoredArtifacts(bot.app.librarian, bot.app.attachments, AttachmentSearch(database), TurnTrails(database))
    return await stored.look(WalkQuestion(caller=caller, question=question, session_id=None))


async def test_a_file_that_comes_with_a_question_is_read_and_found(bot: DiscordBot, database: Database) -> None:
    """From Discord to the passage that answers, with where its message stands."""
    ann = bot.person("Ann")
    asked = await ann.say(bot.channel, "Please read", mentions=[bot.discord.bot], files=NOTES)
    await bot.answer(asked)
    await bot.settled()
    (found,) = (await _look(bot, database, "What colour was the vault painted?")).evidence
    assert ("A1", "notes.md, attached to a message", "# Safety\nThe vault was painted red in spring.", "Ann") == (
        found.label,
        found.title,
        found.content,
        found.author,
    )
    assert (bot.channel.channel_id, asked.message_id) == found.message
    linked = f"https://discord.com/channels/{bot.guild.guild_id}/{bot.channel.channel_id}/{asked.message_id}"
    assert ["A1"] == [one.label for one in (await _look(bot, database, f"What was {linked}?")).evidence]


@pytest.mark.parametrize("lines", [300, 3_000])
async def test_of_a_long_file_both_ends_are_shown(lines: int, bot: DiscordBot) -> None:
    """What a prompt has no room for is left out of its middle, and never all of it: a log tells most at its end."""
    log = "\n".join(["LINE one", *(f"INFO frame {at} ok" for at in range(lines)), "FATAL out of memory"])
    ann = bot.person("Ann")
    asked = await ann.say(bot.channel, "What is wrong?", mentions=[bot.discord.bot], files={"b.log": log.encode()})
    await bot.answer(asked)
    block = bot.world.prompts[-1].partition(nearby.FILES_HEADING)[2]
    assert ("LINE one" in block, "…" in block, "FATAL out of memory" in block) == (True, True, True)
    assert estimate(block) < 2000


async def test_a_pdf_is_read(bot: DiscordBot, database: Database) -> None:
    """In a process of its own, in the background."""
    files = {"plan.pdf": pdf("The vault was painted red."), "broken.pdf": b"%PDF-1.4"}
    await bot.answer(await bot.person("Ann").say(bot.channel, "Read", mentions=[bot.discord.bot], files=files))
    await bot.settled()
    assert [("plan.pdf", "text", "The vault was painted red."), ("broken.pdf", "unreadable", "")] == (
        await _files(database)
    )


async def test_an_overheard_file_is_read_where_everything_is_kept(bot: DiscordBot, database: Database) -> None:
    """In mode `all`; in `addressed` it is no part of what was said to Hathi, and is not even fetched."""
    ann = bot.person("Ann")
    # The channel is caught up with by then: what was said before is not seen as something missed.
    await bot.asks(ann, bot.channel, "How are you?")
    await ann.say(bot.channel, "By the way", files={"aside.md": b"The vault."})
    await _mode(bot, "all")
    await ann.say(bot.channel, "By the way", files=NOTES)
    await bot.until(lambda: bot.discord.fetched)
    await bot.settled()
    assert (["notes.md"], ["notes.md"]) == (bot.discord.fetched, [name for name, _, _ in await _files(database)])


async def test_files_of_threads_and_direct_messages_are_read(bot: DiscordBot, database: Database) -> None:
    """A public thread's belong to the readers of its channel and stand in the thread; a person's own are theirs."""
    ann = bot.person("Ann")
    thread = await ann.start_thread(bot.channel, "plans")
    await bot.answer(await ann.say(thread, "Please read", mentions=[bot.discord.bot], files=NOTES))
    await bot.answer(await ann.say(ann.direct, "Please read", files={"own.md": b"The cellar is damp."}))
    await bot.settled()
    (found,) = (await _look(bot, database, "What colour was the vault painted?")).evidence
    assert found.message is not None
    assert thread.channel_id == found.message[0]
    assert () == (await _look(bot, database, "Is the cellar damp in own.md?")).evidence
    assert ["notes.md", "own.md"] == [name for name, _, _ in await _files(database)]


@pytest.mark.parametrize("mode", ["off", "explicit"])
async def test_where_nothing_is_kept_a_file_is_read_for_its_turn_alone(
    bot: DiscordBot, database: Database, mode: str
) -> None:
    """The question is answered with what the file says, and nothing of it stays."""
    await _mode(bot, mode)
    ann = bot.person("Ann")
    await bot.answer(await ann.say(bot.channel, "Please read", mentions=[bot.discord.bot], files=NOTES))
    await bot.settled()
    assert (True, []) == ("The vault was painted red" in bot.world.prompts[-1], await _files(database))


async def test_of_who_opted_out_no_file_is_kept(bot: DiscordBot, database: Database) -> None:
    """Their wish holds for their files as for their words: they are read for their own question alone."""
    ann = bot.person("Ann")
    await bot.answer(await ann.say(bot.channel, "!memory off me"))
    await bot.answer(await ann.say(bot.channel, "Please read", mentions=[bot.discord.bot], files=NOTES))
    await bot.settled()
    assert (True, []) == ("The vault was painted red" in bot.world.prompts[-1], await _files(database))


async def test_a_question_is_answered_whatever_becomes_of_its_file(bot: DiscordBot, database: Database) -> None:
    """Discord does not hand it over: that is noted, and the question recorded and answered all the same."""
    bot.discord.files_status = 500
    ann = bot.person("Ann")
    await bot.answer(await ann.say(bot.channel, "Please read", mentions=[bot.discord.bot], files=NOTES))
    await bot.settled()
    assert [("notes.md", "failed", "")] == await _files(database)


async def test_an_answer_does_not_wait_for_a_file(bot: DiscordBot, database: Database) -> None:
    """While Discord holds the file back it is waited for a moment and no longer; it is kept when it comes."""
    bot.discord.files_open.clear()
    ann = bot.person("Ann")
    reply = await bot.answer(await ann.say(bot.channel, "Please read", mentions=[bot.discord.bot], files=NOTES))
    assert ("Fine.", []) == (reply.text, await _files(database))
    bot.discord.files_open.set()
    await bot.settled()
    assert ["text"] == [state for _, state, _ in await _files(database)]


async def test_only_five_files_of_a_message_and_none_that_is_too_large_or_no_text_are_fetched(
    bot: DiscordBot, database: Database
) -> None:
    """What is not read is known by its name and state."""
    files = {
        "photo.png": b"\x89PNG",
        "large.txt": b"x" * (2**20 + 1),
        "data.bin": b"\0" * 9,
        "thing": b"\0\1",
        "a.md": b"a",
        "b.md": b"b",
    }
    ann = bot.person("Ann")
    await bot.answer(await ann.say(bot.channel, "Please read", mentions=[bot.discord.bot], files=files))
    await bot.settled()
    assert ["thing", "a.md"] == bot.discord.fetched
    states = [
        ("photo.png", "unreadable"),
        ("large.txt", "too_large"),
        ("data.bin", "unreadable"),
        ("thing", "unreadable"),
        ("a.md", "text"),
    ]
    assert states == [(name, state) for name, state, _ in await _files(database)]


async def test_when_too_many_wait_more_are_not_read(
    bot: DiscordBot, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flood of files costs no memory; its messages are answered."""
    monkeypatch.setattr(incoming_files, "MOST_WAITING", 2)
    monkeypatch.setattr(incoming_files, "ARRIVING", timedelta(0))
    bot.discord.files_open.clear()
    ann = bot.person("Ann")
    for number in range(4):
        await bot.answer(
            await ann.say(bot.channel, "Read", mentions=[bot.discord.bot], files={f"{number}.md": b"text"})
        )
    bot.discord.files_open.set()
    await bot.settled()
    assert ["0.md", "1.md"] == [name for name, _, _ in await _files(database)]


async def test_who_sends_many_slow_files_holds_up_their_own(
    bot: DiscordBot, database: Database, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of a person's are read at a time, and so many of their messages wait; another's file is read meanwhile.

    Who sends more is told once that those are not read.
    """
    gate, reading, read = asyncio.Event(), list[str](), Attachments.read

    async def slowly(self: Attachments, file: AttachedFile) -> Contents:
        reading.append(file.name)
        if file.name.endswith(".pdf"):
            await gate.wait()
        return await read(self, file)

    monkeypatch.setattr(Attachments, "read", slowly)
    monkeypatch.setattr(incoming_files, "WAITING_SHARE", 3)
    mal, ben = bot.person("Mal"), bot.person("Ben")
    await _mode(bot, "all")
    for number in range(5):
        await mal.say(bot.channel, "Look", files={f"{number}.pdf": b"%PDF-1.4"})
    await eventually(lambda: len(reading) >= 2)
    await ben.say(bot.channel, "Look", files=NOTES)
    await rows.until("SELECT count(*) = 1 FROM attachment")
    assert ["0.pdf", "1.pdf", "notes.md"] == sorted(reading)
    gate.set()
    await bot.settled()
    assert ["0.pdf", "1.pdf", "2.pdf", "notes.md"] == sorted(name for name, _, _ in await _files(database))
    refusal = incoming_files.TOO_MANY.format(count=incoming_files.WAITING_SHARE)
    assert 1 == len([one for one in bot.channel.said_by(bot.discord.bot) if one.text == refusal])


async def test_the_files_of_what_was_missed_are_read(database: Database, rows: Rows) -> None:
    """A message that came while Hathi was away is taken in with its files, when it is back."""
    async with discord_bot.world() as place:
        async with discord_bot.connected(place, database) as bot:
            ann = bot.person("Ann")
            await bot.asks(ann, bot.channel, "How are you?")
        await ann.say(place.channel, "Please read", mentions=[place.discord.bot], files=NOTES)
        async with discord_bot.connected(place, database):
            await rows.until("SELECT count(*) = 1 FROM attachment WHERE state = 'text'")


async def test_a_private_channels_file_is_found_there_alone(bot: DiscordBot, database: Database) -> None:
    """Nowhere else, by its words, its name or a link to its message; not even that it is there."""
    secret = bot.guild.text_channel("secret")
    ann = bot.person("Ann")
    secret.overwrite(bot.guild.everyone, Overwrite(deny=Permission.VIEW_CHANNEL))
    for user in (ann, bot.discord.bot):
        secret.overwrite(user, Overwrite(allow=Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES))
    asked = await ann.say(secret, "Please read", mentions=[bot.discord.bot], files=NOTES)
    await bot.answer(asked)
    await bot.settled()
    text = f"What colour was the vault painted in notes.md, {asked.message_id}?"
    there, here = await _look(bot, database, text, secret), await _look(bot, database, text)
    assert (["A1"], (), 0) == ([one.label for one in there.evidence], here.evidence, here.looked)


async def test_a_deleted_message_takes_its_files(bot: DiscordBot, database: Database, rows: Rows) -> None:
    """Deleted on Discord, deleted here."""
    ann = bot.person("Ann")
    asked = await ann.say(bot.channel, "Please read", mentions=[bot.discord.bot], files=NOTES)
    await bot.answer(asked)
    await bot.settled()
    assert 1 == len(await _files(database))
    await ann.delete(asked)
    await rows.until("SELECT count(*) = 0 FROM attachment")


async def test_a_file_that_is_taken_out_of_a_message_is_erased(bot: DiscordBot, database: Database, rows: Rows) -> None:
    """An edit takes away what it takes away on Discord, and fetches again what could not be had before."""
    ann = bot.person("Ann")
    bot.discord.files_status = 500
    files = NOTES | {"other.md": b"The cellar is damp."}
    asked = await ann.say(bot.channel, "Please read", mentions=[bot.discord.bot], files=files)
    await bot.answer(asked)
    await bot.settled()
    bot.discord.files_status = 200
    await ann.edit(asked, asked.text, without="notes.md")
    await rows.until("SELECT count(*) = 1 AND bool_and(state = 'text') FROM attachment")
    assert [("other.md", "text", "The cellar is damp.")] == await _files(database)


async def test_a_file_taken_out_as_the_database_goes_is_erased_when_it_is_back(
    bot: DiscordBot, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edit is followed with its files or not at all, and until it is."""
    ann, erase = bot.person("Ann"), attachments.keep_only_in
    gone = [errors.DatabaseDown()]

    async def keep_only_in(*args: Any) -> tuple[list[str], list[str]]:
        if gone:
            raise gone.pop()
        return await erase(*args)

    monkeypatch.setattr(attachments, "keep_only_in", keep_only_in)
    asked = await ann.say(bot.channel, "Please read", mentions=[bot.discord.bot], files=NOTES)
    await bot.answer(asked)
    await rows.until("SELECT count(*) = 1 FROM attachment")
    await ann.edit(asked, asked.text, without="notes.md")
    await rows.until("SELECT count(*) = 0 FROM attachment")
