"""The laws of a turn that only closes the conversation."""

from dataclasses import replace

import pytest

from bot.db.pool import Database
from bot.domain import NOTHING_FOUND, Message, Turn
from bot.language.requests import closing_words
from tests import people
from tests.conftest import Clock
from tests.conversations import RecordedReply, roles, room
from tests.faults.points import Points, WatchedDatabase
from tests.model_server import ModelServer, Reply, Status
from tests.rows import rows

ENGLISH = closing_words.ENGLISH.answers


@pytest.mark.parametrize("text", ["thank you", "thanks, that will be all", "that's all for today", "good night"])
async def test_a_closing_message_ends_politely_without_a_model(database: Database, clock: Clock, text: str) -> None:
    """It gets one short sentence, and no model is asked; in the history it stands as every turn does."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        answer = await r.say(text)
        session = await rows(database, "SELECT open_session_id FROM channel")
    assert ([], True, []) == (server.requests, answer.text in ENGLISH, answer.notes)
    assert [(text, "person", False, session[0][0]), (answer.text, "hathi", True, session[0][0])] == await rows(
        database, "SELECT content, role, reply_to IS NOT NULL, session_id FROM message ORDER BY message_id"
    )
    assert [("answered", None, 0, [])] == await rows(database, "SELECT state, model, tokens_in, shown FROM turn")


async def test_a_closing_message_looks_nothing_up(database: Database, clock: Clock) -> None:
    """Recorded, kept and answered are all its statements: no Active Memory, no history, nothing of the librarian's."""
    points = Points()
    points.armed, ran = True, points.names
    async with (
        ModelServer() as server,
        room(WatchedDatabase(database.pool, points), clock, models=roles(server.base_url)) as r,
    ):
        await r.run("!remember The vault code is 4417. topic:vault")
        await r.say("What is the vault code?")
        assert {"librarian.active", "librarian.history"} <= {*ran}
        ran.clear()
        await r.say("thank you")
    assert ["turn.record", "turn.sending", "turn.answered"] == ran


async def test_what_asks_more_goes_the_way_of_every_question(database: Database, clock: Clock) -> None:
    """It is looked up, and the model is asked, with the question as it was said."""
    async with ModelServer(Reply(text="On teal.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        answer = await r.say("thank you, and what did we decide about the colour?")
    assert (True, 1) == (answer.text.startswith(NOTHING_FOUND), len(server.requests))


async def test_the_polite_end_needs_no_model(database: Database, clock: Clock) -> None:
    """After a reply, with the model's server down by now, or with no model at all."""
    async with (
        ModelServer(Reply(text="A walrus."), always=Status(status=500)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        assert "A walrus." == (await r.say("What is that?")).text
        asked = len(server.requests)
        assert (True, asked) == ((await r.say("thanks!")).text in ENGLISH, len(server.requests))
    async with room(database, clock) as r:
        assert (await r.say("thanks!")).text in ENGLISH


async def test_where_nothing_is_kept_it_ends_as_politely(database: Database, clock: Clock) -> None:
    """In a channel with mode off: nothing of it is recorded, and what the place has of the history is not asked for."""

    class Unasked(RecordedReply):
        async def history(self, turn: Turn) -> tuple[Message, ...]:
            raise AssertionError

    recorded_reply = Unasked()
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.run("!memory mode off", by=replace(r.caller, is_admin=True))
        clock.forward(seconds=1)
        await r.app.conversation.answer(people.turn(r.caller, "thank you", clock()), recorded_reply.delivery)
    assert (True, 1, []) == (recorded_reply.text in ENGLISH, recorded_reply.finished, server.requests)
    assert [] == await rows(database, "SELECT content FROM message")
