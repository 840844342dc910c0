"""The laws of what is edited, deleted and missed on Discord."""

import asyncio
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot import errors
from bot.db import statements
from bot.db.pool import Database
from bot.domain import (
    Actor,
    Caller,
    ChannelId,
    Fact,
    MemoryId,
    Message,
    MessageId,
    PlaceSetting,
    Role,
    Source,
    SpaceId,
    new_id,
)
from bot.lifecycle import discord_edits
from bot.lifecycle.discord_edits import Deleted, DiscordEdits, Missing
from bot.store import ledgers, sessions
from bot.store.archivist import Author
from bot.store.place_settings import PlaceSettings
from bot.store.trail import TurnRecord
from tests import people
from tests.bot.lifecycle.mortal_database import MortalDatabase
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import one, rows

ANN, BOB = people.caller(admin=True), people.caller("Bob", person=8)
SPACE = SpaceId(1)
_spaces = itertools.count(1000)

FILE: Final = """
INSERT INTO attachment (space_id, message_id, attachment_id, channel_id, name, called, size, state, content,
                        search, read_at)
VALUES ($1, $2, $3, 10, 'plan.txt', '{plan.txt}', 9, 'text', $4, '', now())"""

LONG: Final = """
INSERT INTO session (space_id, session_id, channel_id, number, state, opened_at, closed_at)
SELECT 1, 5000 + n, 10, 100 + n, 'summarised', now(), now() FROM generate_series(1, 5) AS n;
INSERT INTO note (space_id, session_id, number, channel_id, actor, author_id, author, content, written_at, expires_at)
SELECT 1, 5000 + n, 1, 10, 'person', 7, 'Ann', 'zqfull', now(), now() FROM generate_series(1, 5) AS n;
INSERT INTO chunk (space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, people, text,
                   model, created_at)
SELECT 1, 5000 + n, 10, 5000 + n, 5000 + n, '', ARRAY[5000 + n], '{7}', 'zqfull', 'm', now()
FROM generate_series(1, 5) AS n;
INSERT INTO chat_summary (space_id, summary_id, channel_id, session_id, chunk_id, text, raw, message_count, model,
                          created_at)
SELECT 1, 5000 + n, 10, CASE WHEN n < 6 THEN 5000 + n END, CASE WHEN n > 5 THEN 4995 + n END, 'zqfull', '', 1, 'm',
       now()
FROM generate_series(1, 10) AS n;
INSERT INTO condensation (space_id, condensation_id, channel_id, after_session_id, first_chunk_id, through_chunk_id,
                          chunks, text, model, created_at)
SELECT 1, 5000 + n, 10, 0, 5001, 5000 + n, n, 'zqfull', 'm', now() FROM generate_series(1, 5) AS n"""
"""What a channel with five sessions has, as of a ledger and its summaries."""
IN_BATCHES: Final = (
    "discord_edits.erase_summaries_of_place",
    "condensation.erase_of_place",
    "chunk.of_place",
    "chunk.erase",
    "discord_edits.lock_sessions_of_place",
    "discord_edits.lock_place",
)


@dataclass
class Desk:
    """A room, and what follows Discord in it."""

    here: Room
    database: Database
    retraction: DiscordEdits

    async def fetch(self, query: Any, *args: object) -> list[Any]:
        return await rows(self.database, query, *args)

    async def value(self, query: Any, *args: object) -> Any:
        return await one(self.database, query, *args)

    async def said(self, text: str, by: Caller | None = None) -> MessageId:
        """The number of a message, answered."""
        await self.here.say(text, by)
        query = "SELECT max(message_id) FROM message WHERE content = $1 AND role = 'person'"
        return MessageId(await self.value(query, text))

    async def delete(self, *ids: int, space: SpaceId = SPACE) -> Deleted:
        return await self.retraction.deleted(space, [*map(MessageId, ids)], self.here.clock.forward(seconds=1))

    async def edit(self, message_id: int, text: str) -> bool:
        at = self.here.clock.forward(seconds=1)
        return await self.retraction.edited(SPACE, MessageId(message_id), text, at, "english")

    async def keep(self, text: str, *evidence: int, by: Caller | None = None, **fields: Any) -> int:
        """The number of a memory that rests on these messages."""
        who = by or self.here.caller
        reason = fields.pop("reason", "remember")
        given: dict[str, Any] = {"topic": "things", "importance": 6, "source": Source.USER} | fields
        fact = Fact(
            content=text, evidence=tuple(map(MessageId, evidence)), author_id=who.person_id, author=who.name, **given
        )
        author = Author(actor=Actor.PERSON, person_id=who.person_id, reason=reason)
        (saved,) = await self.here.app.archivist.save(
            who.space_id, who.origin_id, [fact], author, now=self.here.clock()
        )
        return saved.memory.memory_id

    async def memories(self) -> list[Any]:
        return await self.fetch("SELECT content, evidence, author FROM memory ORDER BY memory_id")

    async def contents(self) -> list[str]:
        return [content for content, _, _ in await self.memories()]

    async def traces(self, word: str) -> dict[str, int]:
        """The tables in which a word stands, and in how many rows: whatever the column."""
        return await traces(self.database, word)


async def traces(database: Database, word: str) -> dict[str, int]:
    found: dict[str, int] = {}
    async with database.connection() as connection:
        tables = await connection.fetch(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        for (table,) in tables:
            query: Any = f"SELECT count(*) FROM {table} AS t WHERE t::text ILIKE '%' || $1 || '%'"
            if count := await connection.fetchval(query, word):
                found[table] = count
    return found


@pytest.fixture
async def desk(database: Database, clock: Clock) -> Any:
    async with room(database, clock, who=ANN) as here:
        await here.app.enter(BOB, channel_name="general", mode="all")
        yield Desk(here, database, DiscordEdits(database, here.app.archivist))


async def test_an_edit_changes_text_words_and_time(desk: Desk) -> None:
    """What is found afterwards is the new text, by its own words."""
    message = await desk.said("The cellar is damp.")
    assert await desk.edit(message, "The attic is dry.")
    found = await desk.fetch(
        "SELECT content, edited_at, search @@ to_tsquery('english', 'attic & !cellar') FROM message"
        " WHERE message_id = $1",
        message,
    )
    assert [("The attic is dry.", desk.here.clock(), True)] == found


async def test_an_older_edit_never_overwrites_a_newer_one(desk: Desk) -> None:
    """Whichever event comes first, the later edit stays, in the message and in what it asked to remember.

    One that is told of twice is followed once: the second time it is only said to be recorded.
    """
    message = await desk.said("Remember that the vault is red.")
    first, second = desk.here.clock.forward(seconds=1), desk.here.clock.forward(seconds=1)
    edits = [
        await desk.retraction.edited(SPACE, message, f"Remember that the vault is {colour}.", at, "english")
        for colour, at in (("blue", second), ("green", first), ("pink", second))
    ]
    content = await desk.value("SELECT content FROM message WHERE message_id = $1", message)
    assert ([True, False, True], "Remember that the vault is blue.", ["the vault is blue."]) == (
        edits,
        content,
        await desk.contents(),
    )


async def test_a_hidden_an_unknown_and_hathis_message_is_left_alone(desk: Desk) -> None:
    """Only what a person said and may be shown is edited."""
    message = await desk.said("The cellar is damp.")
    reply = await desk.value("SELECT message_id FROM message WHERE role = 'hathi'")
    before = await desk.fetch("SELECT * FROM message WHERE message_id <> $1", message)
    await desk.keep("The cellar is damp.", message)
    await desk.here.run("!forget 1")
    edits = [await desk.edit(number, "Something else.") for number in (message, reply, 5)]
    assert ([False] * 3, {}) == (edits, await desk.traces("something else"))
    assert len(before) == await desk.value("SELECT count(*) FROM message WHERE message_id <> $1", message)


async def test_what_a_message_asked_to_remember_follows_its_edit(desk: Desk) -> None:
    """The memory says the new words, keeps importance and pin, and the old words are in no table."""
    message = await desk.said("Remember that the vault is zqred7.")
    await desk.here.run("!pin 1")
    await desk.edit(message, "Remember that the vault is blue.")
    found = await desk.fetch("SELECT content, importance, pinned, evidence FROM memory")
    assert [("the vault is blue.", 8, True, [message])] == found
    # Hathi's confirmation told the old words, and is gone with them.
    assert {} == await desk.traces("zqred7")
    events = await desk.fetch("SELECT memory_id, kind FROM memory_event ORDER BY event_id")
    assert [(1, "saved"), (1, "pinned"), (2, "saved"), (2, "pinned"), (1, "superseded")] == events


async def test_an_edit_that_asks_nothing_any_more_takes_the_memory_away(desk: Desk) -> None:
    """Whoever takes the request out of the message does not want it remembered."""
    message = await desk.said("Remember that my code is 4417.")
    await desk.edit(message, "Never mind.")
    tombs = await desk.value("SELECT count(*) FROM tombstone")
    assert ([], 1) == (await desk.contents(), tombs)


@pytest.mark.parametrize("wish", ["off", "explicit", "opted out"])
@pytest.mark.parametrize("asked", ["Remember that the vault is ", "The vault is "])
async def test_an_edit_brings_nothing_in_that_may_not_be_kept(desk: Desk, wish: str, asked: str) -> None:
    """Where nothing new may be recorded, the old words go and no new ones come."""
    message = await desk.said(f"{asked}red.")
    if wish == "opted out":
        await desk.here.app.people.opt_out(desk.here.caller.person_id, desk.here.clock())
    else:
        await desk.here.app.spaces.set_mode(desk.here.caller, wish, now=desk.here.clock())
    assert not await desk.edit(message, f"{asked}blue.")
    assert ([], {}, {}) == (await desk.contents(), await desk.traces("vault is red"), await desk.traces("blue"))


async def test_a_message_goes_with_the_memories_that_alone_rested_on_it(desk: Desk) -> None:
    """Forgetting one takes what was made of it, and then nothing holds the message any more; undo brings all back."""
    message = await desk.said("The harbour cook is Ollapodrida.")
    first = await desk.keep("The harbour cook is Ollapodrida.", message)
    await desk.keep("The cook at the harbour is Ollapodrida.", message, by=BOB, made_from=(MemoryId(first),))
    in_sight: Any = "SELECT count(*) FROM message WHERE hidden_at IS NULL AND content LIKE '%Ollapodrida%'"
    await desk.here.run(f"!forget {first}")
    hidden = await desk.value(in_sight)
    await desk.here.run("!undo")
    assert (0, 1) == (hidden, await desk.value(in_sight))
    await desk.here.run(f"!forget {first}")
    desk.here.clock.forward(minutes=11)
    await desk.here.app.schedule.upkeep()
    assert {} == await desk.traces("ollapodrida")


async def test_what_was_made_of_a_file_goes_when_an_edit_takes_it_out(desk: Desk) -> None:
    """What the message itself says, and another file, hold what was made of them."""
    message = await desk.said("Here are the plans for the mill.")
    async with desk.database.connection() as connection:
        for number, text in enumerate(("The cellar gets a skylight.", "The roof stays flat."), 1):
            await connection.execute(FILE, SPACE, message, number, text)
    for text in ("The cellar gets a skylight.", "The roof stays flat.", "There are plans for the mill."):
        await desk.keep(text, message, by=BOB)
    at = desk.here.clock.forward(seconds=1)
    await desk.retraction.edited(SPACE, message, "Here are the plans for the mill.", at, "english", files=[2])
    assert ["The roof stays flat.", "There are plans for the mill."] == await desk.contents()
    assert {} == await desk.traces("skylight")


@pytest.mark.parametrize(
    ("now", "left"),
    [
        ("The vault is blue.", ["The vault is blue."]),
        ("The vault isn't red.", ["The vault isn't red."]),
        ("The vault is red. So is the door.", ["The vault is red. So is the door."]),
        ("", []),
    ],
)
async def test_what_was_kept_of_a_message_that_nothing_recorded_follows_its_edit(
    desk: Desk, now: str, left: list[str]
) -> None:
    """Somebody had it kept by "remember this", in a channel that records only what is said to Hathi."""
    await desk.keep("The vault is red.", 77, reason="asked")
    assert not await desk.edit(77, now)
    assert left == await desk.contents()


async def test_what_a_list_gave_goes_when_its_line_is_gone(desk: Desk) -> None:
    """Of a pasted list nothing is recorded but what it gave; an edited command changes nothing."""
    await desk.here.say("Remember these:\n- the vault is red\n- the sea is blue")
    message = await desk.value("SELECT evidence[1] FROM memory LIMIT 1")
    await desk.keep("the roof is green", 78, reason="remember")
    await desk.here.run("!edit 1 The vault is surely red.", people.caller("Root", person=9, admin=True))
    await desk.edit(message, "Remember these:\n- nothing there\n- the sea is blue")
    await desk.edit(78, "!remember the roof is brown")
    assert ["the sea is blue", "the roof is green"] == await desk.contents()


@pytest.mark.parametrize(
    ("now", "left"),
    [
        ("We decided to use Zig.", []),
        ("We decided not to use Rust.", []),
        ("We  decided: to use Rust!", ["The team uses Rust."]),
        ("We decided to use Rust on Friday.", ["The team uses Rust."]),
    ],
)
async def test_what_was_made_of_old_words_goes_with_them(desk: Desk, now: str, left: list[str]) -> None:
    """What was distilled goes once the message does not say it any more; a comma or a word more changes nothing."""
    message = await desk.said("We decided to use Rust.")
    await desk.keep("The team uses Rust.", message, source=Source.SUMMARY)
    await desk.edit(message, now)
    assert left == await desk.contents()


async def test_what_was_kept_word_for_word_follows_an_edit(desk: Desk) -> None:
    """Also where nobody asked for it in that message, as one that is pointed at; its author and topic stay right."""
    message = await desk.said("The vault is zqred7.", BOB)
    await desk.keep("The vault is zqred7.", message, by=BOB, topic="vault")
    await desk.edit(message, "The vault is blue.")
    assert [("The vault is blue.", [message], "Bob")] == await desk.memories()
    assert {} == await desk.traces("zqred7")


async def test_a_deleted_message_is_gone_with_all_that_rests_only_on_it(desk: Desk) -> None:
    """Message, Hathi's reply, memory with its older versions; a tombstone and events without text are left."""
    message = await desk.said("Remember that the vault is zqred7.")
    await desk.here.run("!edit 1 the vault is zqred7 and heavy")
    done = await desk.delete(message)
    assert Deleted(messages=1, replies=1, memories=1) == done
    assert {} == await desk.traces("zqred7")
    kinds = [kind for (kind,) in await desk.fetch("SELECT kind FROM memory_event ORDER BY event_id")]
    tombs = [memory_id for (memory_id,) in await desk.fetch("SELECT memory_id FROM tombstone ORDER BY memory_id")]
    assert (["saved", "saved", "superseded", "forgotten"], [1, 2]) == (kinds, tombs)


async def test_a_memory_is_handed_to_nobody_else(desk: Desk) -> None:
    """It goes with its author's words, though Bob said the same later; with his alone it only loses those."""
    one, two = await desk.said("The vault is red."), await desk.said("Yes, the vault is red.", BOB)
    three, four = await desk.said("The safe is blue."), await desk.said("Yes, the safe is blue.", BOB)
    for text, by_ann, by_bob in (("The vault is red.", one, two), ("The safe is blue.", three, four)):
        await desk.keep(text, by_ann)
        await desk.keep(text, by_bob, by=BOB)
    assert [1, 0] == [(await desk.delete(one)).memories, (await desk.delete(four)).memories]
    assert [("The safe is blue.", [three], "Ann")] == await desk.memories()


async def test_what_an_approval_held_stays(desk: Desk) -> None:
    """An "ok" that is deleted takes nothing along that Ann said; her words take it."""
    one, two = await desk.said("The vault is zqred7."), await desk.said("Perfect, keep that.", BOB)
    await desk.keep("The vault is zqred7.", one, two)
    assert 0 == (await desk.delete(two)).memories
    assert [("The vault is zqred7.", [one], "Ann")] == await desk.memories()
    assert 1 == (await desk.delete(one)).memories
    assert {} == await desk.traces("zqred7")


async def test_a_line_of_hathis_holds_no_memory(desk: Desk) -> None:
    """A memory whose last words by a person are gone goes, whatever Hathi said."""
    other = await desk.said("What is the capital of France?", BOB)
    reply = await desk.value("SELECT message_id FROM message WHERE reply_to = $1", other)
    message = await desk.said("The vault is red.")
    await desk.keep("The vault is red.", message, reply)
    assert 1 == (await desk.delete(message)).memories


async def test_a_memory_outlives_a_message_that_has_only_grown_old(desk: Desk) -> None:
    """Evidence past its days is not retracted evidence."""
    await desk.keep("The vault is red.", 5)
    assert ["The vault is red."] == await desk.contents()
    assert 1 == (await desk.delete(5)).memories


async def test_what_is_forgotten_and_deleted_cannot_be_undone(desk: Desk) -> None:
    """A deletion within the ten minutes of undo ends them."""
    message = await desk.said("Remember that the vault is zqred7.")
    await desk.here.run("!forget 1")
    await desk.delete(message)
    assert {} == await desk.traces("zqred7")
    with pytest.raises(errors.NotFound):
        await desk.here.run("!undo")


async def test_hathis_quotations_of_a_deleted_message_go_too(desk: Desk) -> None:
    """A reply with its words in it, to whomever, is gone, and the summary of the session it stood in is made again."""
    message = await desk.said("The vault\nis zqred7 and very heavy.")
    await desk.here.reset()
    asked = await desk.said("Tell me about vaults.", BOB)
    quoting = Message(
        space_id=SPACE,
        channel_id=ChannelId(10),
        message_id=MessageId(new_id(desk.here.clock())),
        role=Role.HATHI,
        author_id=None,
        author="Hathi",
        content="Ann said: The vault\n    is zqred7 and very heavy.",
        said_at=desk.here.clock(),
        reply_to=asked,
    )
    async with desk.database.connection() as connection:
        await connection.execute(
            "UPDATE message SET content = $1 WHERE role = 'hathi' AND reply_to = $2", quoting.content, asked
        )
    await desk.here.reset()
    done = await desk.delete(message)
    states = [state for (state,) in await desk.fetch("SELECT state FROM session ORDER BY number")]
    assert (["discarded", "closed", "open"], {}) == (states, await desk.traces("zqred7"))
    assert (2, 2) == (done.replies, done.summaries)


async def test_a_session_is_summarised_again_from_what_is_left(desk: Desk) -> None:
    """The new summary holds the rest, the old facts stand once, and what was erased does not come back."""
    message = await desk.said("We decided to use zqrust7.")
    await desk.said("We decided to use Zig.", BOB)
    await desk.here.reset()
    before = await desk.fetch("SELECT * FROM memory WHERE content LIKE '%Zig%'")
    done = await desk.delete(message)
    waiting = await desk.fetch("SELECT state, message_count FROM session WHERE number = 1")
    await desk.here.app.schedule.upkeep()
    after = await desk.fetch("SELECT * FROM memory")
    summaries = await desk.fetch("SELECT text ILIKE '%Zig%', withheld_at FROM chat_summary")
    assert ((1, 1, 1), [("closed", 2)]) == ((done.messages, done.memories, done.summaries), waiting)
    assert (1, before, [(True, None)], {}) == (len(after), after, summaries, await desk.traces("zqrust7"))
    assert [("summarised", 1)] == await desk.fetch("SELECT state, fact_count FROM session WHERE number = 1")


async def test_nothing_is_summarised_where_nothing_of_a_person_is_left(desk: Desk) -> None:
    """Its chat summary goes, and the session waits for none."""
    message = await desk.said("We decided to use Rust.")
    await desk.here.reset()
    await desk.delete(message)
    states = await desk.fetch("SELECT state, next_attempt_at FROM session WHERE number = 1")
    assert ([("discarded", None)], 0) == (states, await desk.value("SELECT count(*) FROM chat_summary"))


async def test_a_summary_in_the_making_is_made_of_nothing_deleted(desk: Desk) -> None:
    """Whoever distils a session from which something is deleted meanwhile finds the lease lost."""
    message = await desk.said("We decided to use zqrust7.")
    await desk.said("We decided to use Zig.")
    app, now = desk.here.app, desk.here.clock.forward(seconds=1)
    closed = await app.sessions.reset(desk.here.caller, discard=False, min_messages=1, now=now)
    assert closed is not None
    claimed = await app.sessions.claim(SPACE, closed.session_id, now=now)
    assert claimed is not None
    said, _ = await app.summaries.distiller.read(SPACE, closed.session_id)
    distilled = await app.summaries.distiller.distil(SPACE, closed.session_id, said)
    await desk.delete(message)
    with pytest.raises(errors.LeaseLost):
        await app.sessions.finish(claimed, distilled, [*distilled.read], (), now=desk.here.clock())
    await app.schedule.upkeep()
    assert ({}, 1) == (await desk.traces("zqrust7"), len(await desk.contents()))


async def test_a_deletion_waits_for_the_summary_that_is_just_being_written(desk: Desk) -> None:
    """Both take the session before the space: neither holds what the other waits for."""
    message = await desk.said("We decided to use zqrust7.")
    await desk.here.run("!reset")
    await desk.here.app.background.settled(20)
    async with desk.database.transaction() as writer:
        await writer.execute("UPDATE session SET fact_count = 1 WHERE space_id = 1 AND number = 1")
        deletion = asyncio.create_task(desk.delete(message))
        waiting = (
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        for _ in range(2000):
            if await desk.value(waiting):
                break
        await writer.execute("SELECT 1 FROM space WHERE space_id = 1 FOR NO KEY UPDATE")
    assert (1, {}) == ((await deletion).messages, await desk.traces("zqrust7"))


async def test_what_a_merge_changed_is_not_kept_of_what_is_erased(desk: Desk) -> None:
    """The tags a memory had before it was said again go with it."""
    one, two = await desk.said("The vault is red."), await desk.said("The vault is so red.")
    for message in (one, two):
        await desk.keep("The vault is red.", message, tags=("zqtag7",))
    await desk.delete(one, two)
    assert {} == await desk.traces("zqtag7")


async def test_where_memory_is_off_by_now_no_summary_is_made_again(desk: Desk) -> None:
    """What is left of the session is not distilled against the channel's mode."""
    message = await desk.said("We decided to use Rust.")
    await desk.said("We decided to use Zig.")
    await desk.here.reset()
    await desk.here.app.spaces.set_mode(desk.here.caller, "off", now=desk.here.clock())
    await desk.delete(message)
    assert [("discarded",)] == await desk.fetch("SELECT state FROM session WHERE number = 1")


async def test_a_reset_that_was_taken_back_is_not_summarised_after_all(desk: Desk) -> None:
    """Its facts stay taken back when something of it is deleted; its chat summary goes."""
    message = await desk.said("We decided to use Rust.")
    await desk.said("We decided to use Zig.")
    await desk.here.reset()
    await desk.here.run("!undo")
    await desk.delete(message)
    await desk.here.app.schedule.upkeep()
    living = await desk.value("SELECT count(*) FROM memory WHERE forgotten_at IS NULL")
    assert (0, 0) == (living, await desk.value("SELECT count(*) FROM chat_summary"))


async def test_a_deleted_question_is_not_answered_any_more(desk: Desk) -> None:
    """Its turn is told of, and ends when its reply is gone; whoever answers it records none and saves no memory."""
    turn = desk.here.turn("Remember that the vault is red.")
    turns, question = desk.here.app.turns, turn.message.message_id
    await turns.record(turn)
    await turns.claim(turn, now=desk.here.clock())
    await turns.sending(turn, "Noted.", whole=True)
    assert (question,) == (await desk.delete(question)).turns
    reply = Message(
        space_id=SPACE,
        channel_id=turn.caller.channel_id,
        message_id=MessageId(new_id(desk.here.clock())),
        role=Role.HATHI,
        author_id=None,
        author="Hathi",
        content="Noted.",
        said_at=desk.here.clock(),
    )
    assert not await turns.answered(turn, reply, TurnRecord())
    with pytest.raises(errors.NotFound):
        await desk.here.app.commands.remembering.save(turn.caller, "the vault is red.", evidence=(question,))
    left = await desk.fetch("SELECT state, failure, kept FROM turn")
    assert ([("sending", "deleted", None)], 0) == (left, await desk.value("SELECT count(*) FROM message"))


async def test_a_deleted_reply_of_hathis_just_goes(desk: Desk) -> None:
    """Its question, memory and summary stay as they are, whichever of its messages was deleted."""
    await desk.said("Remember that the vault is red.")
    await desk.here.reset()
    part = new_id(desk.here.clock())
    async with desk.database.connection() as connection:
        await connection.execute("UPDATE turn SET reply_ids = reply_ids || $1::bigint", part)
    before = [await desk.memories(), await desk.fetch("SELECT * FROM session"), await desk.fetch("TABLE chat_summary")]
    done = await desk.delete(part)
    after = [await desk.memories(), await desk.fetch("SELECT * FROM session"), await desk.fetch("TABLE chat_summary")]
    assert (1, before) == (done.messages, after)
    assert [("person",)] == await desk.fetch("SELECT role FROM message")


async def test_what_was_never_recorded_changes_nothing(desk: Desk) -> None:
    """Of an unknown message, an unknown space and no message at all nothing goes."""
    await desk.said("The vault is red.")
    nothing = [await desk.delete(5), await desk.delete(5, space=SpaceId(99)), await desk.delete()]
    assert ([Deleted()] * 3, 2) == (nothing, await desk.value("SELECT count(*) FROM message"))


async def test_the_wall_between_spaces_holds_for_deletions(desk: Desk) -> None:
    """The same message number in another space stays."""
    message = await desk.said("The vault is red.")
    await desk.here.app.enter(people.caller(space=2), channel_name="general", mode="all")
    async with desk.database.connection() as connection:
        await connection.execute(
            "INSERT INTO message (space_id, message_id, channel_id, session_id, role, author, content, said_at, search)"
            " SELECT 2, message_id, channel_id, session_id, role, author, content, said_at, search FROM message"
            " WHERE role = 'person'"
        )
    await desk.delete(message)
    assert [(2,)] == await desk.fetch("SELECT space_id FROM message")


async def test_many_deleted_at_once_go_together_or_not_at_all(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """120 messages are one transaction: a failure in it leaves everything, and the next try takes everything."""
    ids = [await desk.said(f"Remember that box {n} is zqfull.") for n in range(120)]
    with monkeypatch.context() as broken:
        broken.setattr(sessions.Sql, "summarise_again", "SELECT 1 / 0")
        with pytest.raises(Exception, match=r"."):
            await desk.delete(*ids)
    assert (240, 120) == (await desk.value("SELECT count(*) FROM message"), len(await desk.contents()))
    done = await desk.delete(*ids)
    assert (120, 120, 120, {}) == (done.messages, done.replies, done.memories, await desk.traces("zqfull"))


async def test_deletions_at_once_end_as_one_after_the_other(desk: Desk) -> None:
    """Ten overlapping deletions, beside savings and forgettings, leave no deadlock and no word."""
    ids = [await desk.said(f"Remember that box {n} is zqfull.") for n in range(10)]
    jobs = [desk.retraction.deleted(SPACE, ids[n:] + ids[:n], desk.here.clock()) for n in range(10)]
    more = [desk.keep(f"Crate {n} is empty.") for n in range(10)]
    await asyncio.gather(*jobs, *more, desk.here.app.archivist.erase([SPACE], now=desk.here.clock()))
    assert ({}, 10) == (await desk.traces("zqfull"), len(await desk.contents()))


@pytest.fixture
def thread() -> Caller:
    """Ann in a public thread of the channel."""
    return replace(people.caller(channel=77, sees=(10, 77), admin=True), origin=ChannelId(10))


async def test_a_channel_that_is_gone_takes_everything_of_its_audience(desk: Desk, thread: Caller) -> None:
    """Messages, sessions, threads, turns, memories of that origin, asked for or distilled; another channel stays."""
    other, place_settings = people.caller(channel=11), PlaceSettings(desk.here.app.database)
    for who in (thread, other):
        await desk.here.app.enter(who, channel_name="another", mode="all")
        await place_settings.set(who, PlaceSetting.MODEL, "small", everywhere=False, now=desk.here.clock())
    await place_settings.set(thread, PlaceSetting.MODEL, "small", everywhere=True, now=desk.here.clock())
    for who in (None, thread):
        await desk.said("We decided to use zqrust7.", who)
        await desk.here.run("!reset")
        await desk.said("Remember that the vault is zqrust7.", who)
        await desk.here.run("!remember the safe is zqrust7")
    await desk.said("The attic is dry.", other)
    await desk.here.app.background.settled(20)
    done = await desk.retraction.place_gone(SPACE, ChannelId(10), desk.here.clock.forward(seconds=1))
    assert ({}, 8, 3) == (await desk.traces("zqrust7"), done.messages, done.memories)
    rows = [await desk.fetch(f"SELECT DISTINCT channel_id FROM {t}") for t in ("channel", "session", "message", "turn")]
    assert [[(11,)]] * 4 == rows
    assert [(0,), (11,)] == await desk.fetch("SELECT channel_id FROM place_setting ORDER BY channel_id")


async def test_a_public_thread_that_is_gone_takes_only_what_rests_on_it(desk: Desk, thread: Caller) -> None:
    """What was said in the channel, and what was kept without a message, stays."""
    await desk.here.app.enter(thread, channel_name="a thread", mode="all")
    outside = await desk.said("The attic is dry.")
    inside = await desk.said("Remember that the vault is zqred7.", thread)
    await desk.keep("The attic is dry.", outside)
    await desk.keep("The cellar is dry, and the vault zqred7.", outside, inside)
    await desk.keep("The roof is new.", by=thread)
    await desk.retraction.place_gone(SPACE, ChannelId(77), desk.here.clock.forward(seconds=1))
    assert ({}, [(10,)]) == (await desk.traces("zqred7"), await desk.fetch("SELECT channel_id FROM channel"))
    assert [("The attic is dry.", [outside], "Ann"), ("The roof is new.", [], "Ann")] == await desk.memories()


async def test_a_gone_place_is_cleared_by_whoever_begins_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after any batch and run again, nothing is left; and once more is nothing."""
    monkeypatch.setattr(discord_edits, "BATCH", 3)
    for n in range(6):
        await desk.said(f"Remember that box {n} is zqfull.")
        await desk.here.run(f"!remember crate {n} is zqfull")
    whole, batches = DiscordEdits.retract, itertools.count(1)

    async def dies(self: DiscordEdits, *args: Any, **named: Any) -> Deleted:
        if next(batches) % 2 == 0:
            raise errors.DatabaseDown
        return await whole(self, *args, **named)

    monkeypatch.setattr(DiscordEdits, "retract", dies)
    deaths = 0
    for _ in range(20):
        try:
            await desk.retraction.place_gone(SPACE, ChannelId(10), desk.here.clock())
        except errors.DatabaseDown:
            deaths += 1
        else:
            break
    assert (4, {}) == (deaths, await desk.traces("zqfull"))
    assert Deleted() == await desk.retraction.place_gone(SPACE, ChannelId(10), desk.here.clock())


async def test_what_a_gone_place_has_goes_a_batch_at_a_time(
    desk: Desk, thread: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its ledger, summaries, sessions and threads too; killed at any statement, whoever begins again goes on."""
    for batch in (discord_edits, "BATCH"), (discord_edits, "ROWS_A_BATCH"), (ledgers, "AT_ONCE"):
        monkeypatch.setattr(*batch, 2)
    await desk.here.app.enter(thread, channel_name="a thread", mode="all")
    await desk.here.app.enter(replace(thread, channel_id=ChannelId(78)), channel_name="another", mode="all")
    async with desk.database.connection() as connection:
        await connection.execute(LONG)
    mortal = MortalDatabase(desk.database)
    retraction = DiscordEdits(mortal, desk.here.app.archivist)
    deaths = await mortal.outlived(lambda: retraction.place_gone(SPACE, ChannelId(10), desk.here.clock()))
    places = ("session", "chunk", "chat_summary", "condensation", "channel")
    left = [await desk.value(f"SELECT count(*) FROM {table} WHERE channel_id <> 11") for table in places]
    assert ({}, [0] * 5, True) == (await desk.traces("zqfull"), left, deaths > 10)
    taken = {name: mortal.most[statements.named(name)] for name in IN_BATCHES}
    assert dict.fromkeys(IN_BATCHES, 2) == taken


async def test_a_question_in_a_place_that_is_gone_is_told_of(desk: Desk) -> None:
    """Whoever answers it is to stop."""
    turn = desk.here.turn("How are you?")
    await desk.here.app.turns.record(turn)
    done = await desk.retraction.place_gone(SPACE, ChannelId(10), desk.here.clock())
    assert (turn.message.message_id,) == done.turns


async def test_what_was_missed_is_told_from_history(desk: Desk, thread: Caller) -> None:
    """Gone, edited later than known, and never recorded; replies, what is outside and what was forgotten are none."""
    await desk.here.app.enter(thread, channel_name="a thread", mode="all")
    before = await desk.said("Earlier.")
    kept, changed, gone = [await desk.said(text) for text in ("One is here.", "Two is here.", "Three is here.")]
    await desk.said("In a thread.", thread)
    replies = [
        key for (key,) in await desk.fetch("SELECT message_id FROM message WHERE reply_to = ANY ($1)", [kept, changed])
    ]
    forgotten = await desk.said("Remember that the vault is red.")
    await desk.here.run("!forget 1")
    desk.here.clock.forward(minutes=11)
    await desk.here.app.schedule.upkeep()
    new = MessageId(new_id(desk.here.clock()))
    part = MessageId(max(replies) + 1)
    async with desk.database.connection() as connection:
        await connection.execute(
            "UPDATE turn SET reply_ids = reply_ids || $1::bigint WHERE turn_id = $2", part, changed
        )
        await connection.execute("DELETE FROM turn WHERE turn_id = $1", forgotten)
    at = desk.here.clock()
    seen = [*((key, None) for key in (kept, *replies, part, forgotten, new)), (changed, at)]
    found = await desk.retraction.missed(SPACE, ChannelId(10), kept, seen)
    answer = await desk.value("SELECT message_id FROM message WHERE reply_to = $1", gone)
    assert Missing(gone=(gone, answer), edited=(changed,), unrecorded=(new,)) == found
    assert before not in found.gone


async def test_what_is_said_while_history_is_read_does_not_look_deleted(desk: Desk) -> None:
    """Without an end, history ends at the newest message seen; with one, at that."""
    one, two = await desk.said("One is here."), await desk.said("Two is here.")
    live = await desk.retraction.missed(SPACE, ChannelId(10), one, [(one, None)])
    empty = await desk.retraction.missed(SPACE, ChannelId(10), MessageId(one - 1), [])
    until = await desk.retraction.missed(SPACE, ChannelId(10), one, [(one, None)], until_id=two)
    assert ((), (), True) == (live.gone, empty.gone, two in until.gone)


async def test_the_last_message_of_each_channel_is_known(desk: Desk) -> None:
    """Channels in which nothing was taken in yet are none of them; the latest comes first."""
    other = people.caller(channel=11)
    for channel in (11, 12):
        await desk.here.app.enter(people.caller(channel=channel), channel_name="another", mode="all")
    first, second = await desk.said("One is here."), await desk.said("Two is here.", other)
    seen = await desk.retraction.last_seen([SPACE])
    assert [(11, second), (10, first)] == [(each.channel_id, each.last_message_id) for each in seen]


SAYINGS = (
    "The {w} stands in the hall.",
    "Remember that the vault is {w}.",
    "We decided to use {w}.",
    "my\nfavourite\nword is {w}!",
)
STEPS = st.lists(
    st.tuples(st.sampled_from(["say", "say", "ask", "reset"]), st.integers(0, 3), st.booleans()), min_size=1, max_size=7
)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, picked=st.sets(st.integers(0, 6), min_size=1))
async def test_no_row_tells_what_was_deleted(
    database: Database, steps: Sequence[tuple[str, int, bool]], picked: set[int]
) -> None:
    """After any history, in no column of any table is a word of a deleted message, then or after the next summaries."""
    clock, space = Clock(), next(_spaces)
    ann, bob = people.caller(space=space, admin=True), people.caller("Bob", space=space, person=8)
    async with room(database, clock, who=ann) as here:
        await here.app.enter(bob, channel_name="general", mode="all")
        desk = Desk(here, database, DiscordEdits(database, here.app.archivist))
        said: list[tuple[MessageId, str]] = []
        for kind, form, is_bobs in steps:
            if kind == "reset":
                await here.reset()
                continue
            word = f"zq{space}x{len(said)}q"
            text = "What did we decide to use?" if kind == "ask" else SAYINGS[form].format(w=word)
            said.append((await desk.said(text, bob if is_bobs else ann), word))
        chosen = [pair for at, pair in enumerate(said) if at in picked]
        rest = {word: await traces(database, word) for pair in said if pair not in chosen for word in pair[1:]}
        await desk.delete(*(key for key, _ in chosen), space=SpaceId(space))
        now = [await traces(database, word) for _, word in chosen]
        clock.forward(seconds=5)
        await here.app.schedule.upkeep()
        later = [await traces(database, word) for _, word in chosen]
        kept = {word: bool(await traces(database, word)) for word in rest}
        waiting = await desk.value("SELECT count(*) FROM session WHERE space_id = $1 AND state = 'closed'", space)
    assert ([{}] * len(chosen), [{}] * len(chosen), 0) == (now, later, waiting)
    assert {word: bool(found) for word, found in rest.items()} == kept


async def test_an_answer_that_showed_both_sides_goes_with_either(desk: Desk) -> None:
    """What contradicts what was just saved is quoted there."""
    first = await desk.said("Remember that the vault is zqred7.")
    await desk.said("Remember that the vault is zqblue8.")
    await desk.delete(first)
    assert {} == await desk.traces("zqred7")
    assert {} != await desk.traces("zqblue8")


async def test_no_word_of_a_deleted_message_stays_in_a_memory_that_others_hold_too(desk: Desk) -> None:
    """What rests on hers and on his goes with hers."""
    one, two = await desk.said("The vault is zqred7."), await desk.said("So it is, since May.", BOB)
    await desk.keep("Ann and Bob agree that the vault is zqred7.", one, two)
    await desk.delete(one)
    assert {} == await desk.traces("zqred7")


async def test_a_deletion_far_from_everything_is_one_look(desk: Desk) -> None:
    """A reply's parts are looked for within a day of its question, not in all that was ever asked."""
    await desk.said("The vault is red.")
    part = new_id(desk.here.clock() + timedelta(days=2))
    async with desk.database.connection() as connection:
        await connection.execute("UPDATE turn SET reply_ids = reply_ids || $1::bigint", part)
    assert Deleted() == await desk.delete(part)
