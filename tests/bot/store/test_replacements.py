"""The laws of answers that are taken back and given anew."""

import pytest

from bot import errors
from bot.config import ChunkSettings, MemorySettings, Roles
from bot.db.pool import Database
from bot.domain import MessageId
from bot.store import replacements
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import one, rows

SMALL = MemorySettings(chunks=ChunkSettings(messages=4, skip=0))


async def last(database: Database) -> MessageId:
    """The question of the last answer."""
    return MessageId(await one(database, "SELECT max(turn_id) FROM turn"))


async def test_a_chunk_goes_with_the_answer_it_was_made_of(database: Database, clock: Clock) -> None:
    """What the ledger told of the old answer is made again, of what is left."""
    async with (
        ModelServer(always=Reply(text="Elephants are grey.")) as server,
        # Summed up by extraction, which needs no model.
        room(database, clock, models=Roles(reasoning=roles(server.base_url).reasoning), memory=SMALL) as r,
    ):
        await r.say("We decided to buy an elephant on Friday. Tell me about elephants.")
        await r.say("Tell me more about elephants.")
        reply_id = await one(database, "SELECT max(message_id) FROM message WHERE role = 'hathi'")
        await r.app.creator.run([r.caller.space_id])
        held = "SELECT count(*) FROM chunk WHERE messages @> ARRAY[$1::bigint]"
        assert await one(database, held, reply_id)
        await r.app.replacements.begin(r.caller, await last(database), now=r.clock())
        assert 0 == await one(database, held, reply_id)
    assert 1 == await one(database, "SELECT count(*) FROM message WHERE role = 'hathi'")


async def test_it_is_answered_as_any_that_was_recorded(database: Database, clock: Clock) -> None:
    """The turn waits for its worker, and whoever takes it over knows which messages its answer takes the place of."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say("Tell me about elephants.")
        sent = await one(database, "SELECT reply_ids FROM turn")
        done = await r.app.replacements.begin(r.caller, await last(database), now=r.clock())
        assert (tuple(sent), "Tell me about elephants.") == (done.turn.replaces, done.turn.message.content)
        assert [("recorded", None, {}, [])] == await rows(database, "SELECT state, stock, trail, shown FROM turn")
        clock.forward(hours=1)
        (left,) = await r.app.turns.left_behind(r.caller.space_id, r.caller.channel_id, now=r.clock(), alone=True)
        assert (done.turn.replaces, done.turn.message.said_at) == (left.replaces, left.said_at)


async def _again(r: Room, database: Database) -> None:
    await r.app.replacements.begin(r.caller, await last(database), now=r.clock())


async def test_who_may_have_it_and_when(database: Database, clock: Clock) -> None:
    """Only who asked, only the last, only what a model said, only while its session goes on, and once at a time."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        bob = await r.app.enter(people.caller("Bob", person=77), channel_name="general", mode="all")
        await r.say("Tell me about elephants.")
        first = await last(database)
        with pytest.raises(errors.NotAllowed, match=replacements.ASKERS_ALONE):
            await r.app.replacements.look(bob, first)
        assert first == (await r.app.replacements.look(r.caller, first)).message.message_id
        await r.say("Tell me about zebras.", by=bob)
        with pytest.raises(errors.NotFound, match=replacements.NOT_LAST):
            await _begun(r, first)
        with pytest.raises(errors.NotFound):
            await _begun(r, MessageId(1))
        await r.say("Tell me about lions.")
        await _again(r, database)
        with pytest.raises(errors.NotAllowed, match=replacements.AT_IT):
            await _again(r, database)
        await r.say("remember that the mill is old")
        with pytest.raises(errors.NotFound):
            await _again(r, database)


async def _begun(r: Room, turn_id: MessageId) -> None:
    await r.app.replacements.begin(r.caller, turn_id, now=r.clock())


async def test_a_memory_of_an_earlier_answer_stays(database: Database, clock: Clock) -> None:
    """What a model saved for another question is none of this one, though it rests on this one too by now."""
    save = Reply(calls=(("memory_save", {"content": "Ann prefers tea.", "topic": "tea"}),))
    async with (
        ModelServer(save, Reply(text="Fine."), Reply(text="Well."), save, Reply(text="Good.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say("I prefer tea. Tell me about elephants.")
        await r.say("Tell me about zebras.")
        await _again(r, database)
        assert [(None, 1)] == await rows(database, "SELECT forgotten_at, seen_count FROM memory")
