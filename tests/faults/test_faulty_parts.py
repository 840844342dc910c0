"""A part of ours fails in the middle of a turn: the turn is closed, and the channel goes on."""

import asyncio
from typing import Any

import pytest

from bot.db.pool import Database
from bot.turn.delivery import Keep
from tests.conftest import Clock
from tests.conversations import RecordedReply, roles, room
from tests.faults import crashes
from tests.model_server import ModelServer, Reply

STORY = "Once upon. A time. There was a parser."


class Deaf(RecordedReply):
    """Takes one piece, and no more."""

    async def show(self, text: str, keep: Keep) -> None:
        if self.text:
            raise ConnectionResetError("the channel is gone")
        await super().show(text, keep)


@pytest.mark.parametrize("begun", [False, True], ids=["before the first word", "in the middle of the answer"])
async def test_a_fault_in_a_turn_closes_it_and_the_channel_goes_on(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch, begun: bool
) -> None:
    """What was shown is its reply, marked; else it has none. The next question does not wait for a lease to end."""
    async with (
        ModelServer(always=Reply(text=STORY, pieces=3)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        if begun:
            with pytest.raises(ConnectionResetError):
                await r.app.conversation.answer(r.turn("Tell me a story."), Deaf().delivery)
        else:

            async def broken(*_: Any) -> None:
                raise RuntimeError("a bug")

            with monkeypatch.context() as bug:
                bug.setattr(r.app.librarian, "history", broken)
                with pytest.raises(RuntimeError):
                    await r.app.conversation.answer(r.turn("Tell me a story."), RecordedReply().delivery)
        async with asyncio.timeout(5):
            assert (await r.say("And now?")).text == STORY
    held = await crashes.found(database, int(r.caller.space_id))
    crashes.whole(held)
    assert [t["state"] for t in held.turns] == ["answered" if begun else "failed", "answered"]
    assert [m["cut_off"] for m in held.replies] == ([True, False] if begun else [False])
