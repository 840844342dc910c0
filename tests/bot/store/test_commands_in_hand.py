"""The laws of commands in hand: one worker has each, what it does is done once, and nothing is left of it but that."""

import asyncio
from datetime import timedelta

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import MessageId, WorkerId
from bot.infra import leases
from bot.store.commands_in_hand import CommandsInHand
from bot.store.turns import Turns
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import contents, rows

ANN = people.caller()
GIVEN = MessageId(7)
STATE = "SELECT state, command FROM turn"


def another(r: Room) -> CommandsInHand:
    """A worker beside the application's."""
    database = r.app.database
    return CommandsInHand(database, Turns(database, WorkerId("another/1/2")), r.clock)


async def remember(r: Room) -> None:
    await r.app.commands.run(ANN, "remember", "The bridge is red.", r.tell_later, said=GIVEN)


async def test_a_command_is_taken_by_one(database: Database, clock: Clock) -> None:
    """Of two workers that hear of it one has it; the other learns so."""
    async with room(database, clock, who=ANN) as r:
        taken = [await in_hand.take(ANN, GIVEN) for in_hand in (r.app.commands_in_hand, another(r))]
    assert ([True, False], [("claimed", "message")]) == (taken, await rows(database, STATE))


async def test_what_a_command_does_is_marked_in_the_same_commit(database: Database, clock: Clock) -> None:
    """From the commit on that saves its memory it is known as done; when its giver is told, as answered."""
    async with room(database, clock, who=ANN) as r:
        in_hand = r.app.commands_in_hand
        assert await in_hand.take(ANN, GIVEN, token="token")
        async with in_hand.carrying_out(ANN.space_id, GIVEN):
            await remember(r)
            assert [("sending", "token")] == await rows(database, STATE)
    assert [("answered", None)] == await rows(database, STATE)


async def test_who_lost_a_command_does_nothing(database: Database, clock: Clock) -> None:
    """A worker that was taken for dead changes nothing, and leaves the command to whoever took it over."""
    async with room(database, clock, who=ANN) as r:
        in_hand, other = r.app.commands_in_hand, another(r)
        assert await other.take(ANN, GIVEN)
        clock.forward(seconds=leases.LEASE.total_seconds() + 1)
        (left,) = await in_hand.left_behind(ANN.space_id, ANN.channel_id, alone=False)
        assert (GIVEN, False, None) == (left.command_id, left.is_done, left.token)
        with pytest.raises(errors.LeaseLost):
            async with other.carrying_out(ANN.space_id, GIVEN):
                await remember(r)
        assert [] == await contents(database)
        async with in_hand.carrying_out(ANN.space_id, GIVEN):
            await remember(r)
    assert ["The bridge is red."] == await contents(database)


async def test_a_command_that_is_broken_off_is_left(database: Database, clock: Clock) -> None:
    """Cancelled in the middle it is neither closed nor in anybody's hand: the next start finds it, with what it did."""
    async with room(database, clock, who=ANN) as r:
        in_hand = r.app.commands_in_hand
        assert await in_hand.take(ANN, GIVEN)

        async def give() -> None:
            async with in_hand.carrying_out(ANN.space_id, GIVEN):
                await remember(r)
                raise asyncio.CancelledError

        with pytest.raises(asyncio.CancelledError):
            await give()
        clock.forward(seconds=leases.LEASE.total_seconds() + 1)
        (left,) = await in_hand.left_behind(ANN.space_id, ANN.channel_id, alone=False)
        assert (True, clock() - left.taken_at > timedelta(minutes=1)) == (left.is_done, True)


async def test_a_question_waits_for_no_command_of_its_own_worker(database: Database, clock: Clock) -> None:
    """Nor does a summary wait for the command that asked for it, and recovery takes no command for a question."""
    async with room(database, clock, who=ANN) as r:
        assert await r.app.commands_in_hand.take(ANN, GIVEN)
        await r.say("We took Rust for the shop.")
        session = await r.app.spaces.open_session(ANN)
        assert session is not None
        assert 0 == await r.app.turns.in_progress(ANN.space_id, ANN.channel_id, session, now=clock())
        clock.forward(minutes=2)
        assert [] == await r.app.turns.left_behind(ANN.space_id, ANN.channel_id, now=clock(), alone=True)


async def test_who_is_erased_leaves_no_command(database: Database, clock: Clock) -> None:
    """The command that asks for it goes too."""
    async with room(database, clock, who=ANN) as r:
        assert await r.app.commands_in_hand.take(ANN, GIVEN)
        async with r.app.commands_in_hand.carrying_out(ANN.space_id, GIVEN):
            await r.app.commands.run(ANN, "mydata", "erase confirm", r.tell_later, said=GIVEN)
    assert [] == await rows(database, STATE)
