"""Replies that rest on a recall."""

from typing import Any

import pytest

from bot import grounding
from bot.db.pool import Database
from bot.draft import Keep
from tests.conftest import Clock
from tests.conversations import Outlet, roles, room
from tests.model_server import ModelServer, Reply


class _Watched(Outlet):
    """Notes whether anything was shown before the end."""

    shown_early: bool = False

    async def show(self, text: str, keep: Keep) -> None:
        self.shown_early = True
        await super().show(text, keep)


@pytest.mark.parametrize(
    ("calls", "early", "said"),
    [
        ((("memory_recall", {"query": "tea"}),), False, "You drink tea (#1), they say."),
        ((), True, "You drink tea (#1), they say (#99)."),
    ],
    ids=["after a recall", "without one"],
)
async def test_a_reply_grounded_in_a_recall_of_the_model_is_checked_before_it_is_shown(
    database: Database, clock: Clock, calls: tuple[tuple[str, dict[str, Any]], ...], early: bool, said: str
) -> None:
    """It is shown when it is whole, without citations of memories nobody put before the model; others stream."""
    text = "You drink tea (#1), they say (#99)."
    steps = [Reply(calls=calls)] if calls else []
    async with (
        ModelServer(*steps, always=Reply(text=text, pieces=5)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.run("!remember I drink tea")
        outlet = _Watched()
        await r.app.conversation.answer(r.turn("Make me a list of drinks, please."), outlet)
    assert (said, early) == (outlet.text, outlet.shown_early)


def test_only_bracketed_numbers_are_citations() -> None:
    """A ticket's number in a sentence stays, whatever memories there are."""
    assert "See #12 and memory (#3)." == grounding.without_invented("See #12 and memory (#3) [#4].", {3})
