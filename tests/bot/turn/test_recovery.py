"""What becomes of a turn that a dead worker left, whatever the channel it was left in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot import errors
from bot.db.pool import Database
from bot.domain import Caller, MessageId, Turn, WorkerId
from bot.store.turns import ANSWER_WITHIN, Unfinished
from bot.turn.draft import CUT_MARK
from bot.turn.recovery import Recovery, StandingReply
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import column, one, rows

REPLY_ID = MessageId(1234)
ANSWERED, CLOSED = "answered", "failed"
TOO_MUCH = " ".join(f"{n}a" for n in range(120_000))
"""More different words than one text may have to be searched by: a tsvector holds a megabyte."""


@dataclass
class Channel:
    """A channel that notes what is asked of it."""

    person: Caller
    stands: bool = False
    refuses: bool = False
    is_known: bool = True
    is_stuck: bool = False
    """Whether Discord lets nothing be deleted."""
    did: list[str] = field(default_factory=list[str])

    async def asker(self, left: Unfinished) -> Caller:
        return self.person

    async def standing(self, turn: Turn, left: Unfinished) -> StandingReply | None:
        if not self.stands:
            return None
        return StandingReply(text="Stands.", message_ids=[REPLY_ID], complete=self.complete, withdraw=self.withdraw)

    async def complete(self, text: str, notes: Sequence[str]) -> Sequence[MessageId]:
        if self.refuses:
            raise errors.NotSent
        self.did += [text, *notes]
        return [REPLY_ID]

    async def withdraw(self) -> None:
        if self.is_stuck:
            raise errors.NotSent
        self.did.append("withdrawn")
        self.stands = False

    async def question(self, turn: Turn) -> Turn | str:
        return turn if self.is_known else "deleted"

    async def show_kept(self, left: Unfinished, notes: Sequence[str]) -> None:
        self.did.append("shown")

    async def take_back_wait(self, left: Unfinished) -> None:
        return

    async def list_expired(self, left: Unfinished) -> None:
        self.did.append("listed")

    async def answer(self, turn: Turn) -> None:
        self.did.append("answered")


async def _left(r: Room, database: Database, *, kept: str | None, whole: bool = False, unkept: bool = False) -> None:
    """A turn of a dead worker; it had begun to send where anything was `kept`."""
    r.app.turns.worker = WorkerId("dead/1/1")
    turn = await r.app.turns.record(r.turn("Where is the key?"), now=r.clock())
    assert turn is not None
    if kept is not None:
        await r.app.turns.sending(turn, kept, whole=whole)
    async with database.connection() as connection:
        await connection.execute("UPDATE turn SET unkept = $1", unkept)
    r.app.turns.worker = WorkerId("alive/1/1")


def _recovery(r: Room, **names: Callable[[Caller, str], str]) -> Recovery:
    return Recovery(r.app.turns, alone=False, clock=r.clock, saved=r.app.archivist.saved_in_turn, **names)


async def _turns(database: Database) -> tuple[str, str | None, Any]:
    async with database.connection() as connection:
        row = await connection.fetchrow("SELECT state, failure, reply_ids FROM turn")
    assert row is not None
    return row["state"], row["failure"], row["reply_ids"]


@pytest.mark.parametrize(
    ("kept", "whole", "recorded", "did"),
    [
        ("Here.", True, ("Here.", False), ["Here.", "shown"]),
        ("Her", False, ("Her", True), [f"Her{CUT_MARK}", "shown"]),
        ("", False, ("Stands.", True), ["shown"]),
    ],
    ids=["whole", "in part", "nothing kept"],
)
async def test_a_reply_people_see_becomes_the_answer(
    database: Database, clock: Clock, kept: str, whole: bool, recorded: tuple[str, bool], did: list[str]
) -> None:
    """However old the question is: completed or marked as cut off, recorded, and only then shown."""
    async with room(database, clock) as r:
        await _left(r, database, kept=kept, whole=whole)
        clock.forward(hours=1)
        channel = Channel(r.caller, stands=True)
        await _recovery(r).recover(r.caller.space_id, r.caller.channel_id, channel)
    assert ((ANSWERED, None, [REPLY_ID]), did) == (await _turns(database), channel.did)
    async with database.connection() as connection:
        row = await connection.fetchrow("SELECT content, cut_off FROM message WHERE role = 'hathi'")
    assert row is not None
    assert recorded == (row["content"], row["cut_off"])


async def test_what_a_model_saved_is_told_under_the_reply(database: Database, clock: Clock) -> None:
    """By whoever keeps things there, where the worker died before it could say so."""
    save = Reply(calls=(("memory_save", {"content": "The kiln is red."}),))
    async with (
        ModelServer(save, Reply(text="How nice.")) as server,
        room(database, clock, models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.say("The kiln is red, is that not nice?")
        await column(
            database,
            "UPDATE turn SET state = 'sending', worker = 'dead/1/1', kept = 'How nice.', kept_whole = true,"
            " answered_at = NULL, reply_ids = '{}' RETURNING turn_id",
        )
        clock.forward(hours=1)
        channel = Channel(r.caller, stands=True)
        recovery = _recovery(r, kept=lambda by, line: f"For {by.name}: {line}")
        await recovery.recover(r.caller.space_id, r.caller.channel_id, channel)
    said, kept, shown = channel.did
    assert ("How nice.", "shown", True) == (said, shown, kept.startswith("For Ann: [memory] saved")), kept


async def test_a_reply_is_completed_under_the_name_it_was_begun_under(database: Database, clock: Clock) -> None:
    """And recorded without it, as any is."""
    async with room(database, clock) as r:
        await _left(r, database, kept="Here.", whole=True)
        channel = Channel(r.caller, stands=True)
        recovery = _recovery(r, spoken=lambda by, said: f"To {by.name}: {said}")
        clock.forward(hours=1)
        await recovery.recover(r.caller.space_id, r.caller.channel_id, channel)
        said = await one(database, "SELECT content FROM message WHERE role = 'hathi'")
    assert ("To Ann: Here.", "Here.") == (channel.did[0], said)


@pytest.mark.parametrize(
    ("given", "left", "late", "expected", "did"),
    [
        ({}, {"kept": None}, timedelta(0), ("recorded", None), ["answered"]),
        ({}, {"kept": "Her"}, timedelta(0), ("recorded", None), ["answered"]),
        ({}, {"kept": "Her"}, ANSWER_WITHIN, (CLOSED, "expired"), ["listed"]),
        ({}, {"kept": None, "unkept": True}, timedelta(0), ("recorded", None), ["answered"]),
        ({"is_known": False}, {"kept": None, "unkept": True}, timedelta(0), (CLOSED, "deleted"), []),
        ({"is_known": False}, {"kept": None, "unkept": True}, ANSWER_WITHIN, (CLOSED, "expired"), ["listed"]),
        ({"stands": True, "refuses": True}, {"kept": "Her"}, timedelta(0), (CLOSED, "not sent"), []),
    ],
    ids=["not begun", "unseen", "expired", "not stored", "not known", "not known and expired", "refused"],
)
async def test_a_question_without_a_reply_is_answered_anew_or_closed(
    database: Database,
    clock: Clock,
    given: dict[str, Any],
    left: dict[str, Any],
    late: timedelta,
    expected: tuple[str, str | None],
    did: list[str],
) -> None:
    """A young one whose words can still be found is answered; any other is closed, once, with its reason."""
    async with room(database, clock) as r:
        await _left(r, database, **left)
        clock.forward(minutes=2)
        clock.now += late
        channel, recovery = Channel(r.caller, **given), _recovery(r)
        await recovery.recover(r.caller.space_id, r.caller.channel_id, channel)
        await recovery.recover(r.caller.space_id, r.caller.channel_id, channel)
    assert (expected, did) == ((await _turns(database))[:2], channel.did)


async def test_what_is_taken_over_in_a_channel_is_told_once(database: Database, clock: Clock) -> None:
    """With how many turns it was, however many; and where there is nothing to take over not at all."""
    async with room(database, clock) as r:
        for _ in range(5):
            await _left(r, database, kept=None)
        clock.forward(minutes=2)
        recovery = _recovery(r)
        with capture_logs() as lines:
            for _ in range(2):
                await recovery.recover(r.caller.space_id, r.caller.channel_id, Channel(r.caller))
    assert [5] == [line["turns"] for line in lines if line["event"] == "turn.taken_over"]


async def test_a_reply_that_can_not_be_stored_closes_its_turn(database: Database, clock: Clock) -> None:
    """What Postgres takes no text of so many words, it takes at no later time: people see it, and the next goes on."""
    async with room(database, clock) as r:
        await _left(r, database, kept=TOO_MUCH, whole=True)
        clock.forward(minutes=2)
        channel = Channel(r.caller, stands=True)
        await _recovery(r).recover(r.caller.space_id, r.caller.channel_id, channel)
    assert (CLOSED, "not storable") == (await _turns(database))[:2]


async def test_the_turns_of_a_channel_that_is_gone_are_closed(database: Database, clock: Clock) -> None:
    """There is nobody to answer, and nowhere."""
    async with room(database, clock) as r:
        await _left(r, database, kept="Her")
        clock.forward(minutes=2)
        await _recovery(r).recover(r.caller.space_id, r.caller.channel_id, None)
    assert (CLOSED, "channel gone") == (await _turns(database))[:2]


READ_BY_MORE = "UPDATE turn SET audience = '{10,99}'"
TAKEN_BACK = "UPDATE turn SET withdrawing = true, kept = NULL"
FORGOTTEN = "UPDATE turn SET compared = 0"
DELETED = "UPDATE turn SET withdrawing = true, kept = NULL, failure = 'deleted'"


async def _after(r: Room, database: Database, change: str) -> None:
    """A reply of which something stands, and what happened while its worker was dead."""
    await r.run("!remember The key is under the mat.")
    await _left(r, database, kept="The key is under the mat.", whole=True)
    await r.run("!forget 1")
    async with database.connection() as connection:
        await connection.execute(change)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("change", [READ_BY_MORE, TAKEN_BACK, FORGOTTEN, DELETED])
async def test_a_reply_that_is_not_for_its_readers_any_more_is_taken_back(
    database: Database, clock: Clock, change: str
) -> None:
    """It goes before anything is made of it: then its question is answered anew or, where that was deleted, closed."""
    async with room(database, clock) as r:
        await _after(r, database, change)
        clock.forward(minutes=2)
        channel = Channel(r.caller, stands=True)
        await _recovery(r).recover(r.caller.space_id, r.caller.channel_id, channel)
    expected = (CLOSED, "deleted") if change == DELETED else ("recorded", None)
    assert (expected, ["withdrawn", *(["answered"] * (change != DELETED))]) == (
        (await _turns(database))[:2],
        channel.did,
    )
    async with database.connection() as connection:
        assert not await connection.fetchval("SELECT withdrawing FROM turn")


async def test_a_reply_that_can_not_be_taken_back_is_never_the_answer(database: Database, clock: Clock) -> None:
    """Whatever is tried in between, it is looked at again until it is gone or a day old, and recorded as no reply."""
    async with room(database, clock) as r:
        await _after(r, database, READ_BY_MORE)
        channel, recovery = (Channel(r.caller, stands=True, is_stuck=True), _recovery(r))
        for _ in range(3):
            clock.forward(minutes=2)
            await recovery.recover(r.caller.space_id, r.caller.channel_id, channel)
            # Whoever can read along now: once it is to go it goes.
            async with database.connection() as connection:
                assert await connection.fetchval("UPDATE turn SET audience = '{}' RETURNING withdrawing")
        assert ("sending", None, [], []) == (*(await _turns(database)), channel.did)
        channel.is_stuck = False
        clock.forward(minutes=2)
        await recovery.recover(r.caller.space_id, r.caller.channel_id, channel)
    assert (["withdrawn", "answered"], []) == (
        channel.did,
        await rows(database, "SELECT content FROM message WHERE role = 'hathi'"),
    )


async def test_what_is_not_let_go_is_given_up_after_a_day(database: Database, clock: Clock) -> None:
    """Its turn is closed, and nothing is recorded as its reply."""
    async with room(database, clock) as r:
        await _after(r, database, TAKEN_BACK)
        clock.forward(hours=25)
        channel = Channel(r.caller, stands=True, is_stuck=True)
        await _recovery(r).recover(r.caller.space_id, r.caller.channel_id, channel)
    assert (CLOSED, "not withdrawn", []) == await _turns(database)
