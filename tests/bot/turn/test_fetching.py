"""The laws of a request to find what was said."""

import pytest

from bot.db.pool import Database
from bot.domain import NOTHING_FOUND
from tests import people
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import ModelServer, Reply


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("search for beanie", "the beanie is by the lockers"),
        ("look up the beanie", "the beanie is by the lockers"),
        ("give me the wifi password", "the wifi password is sendtrain7"),
        ("can you find the wifi password", "the wifi password is sendtrain7"),
        ("show me what bob said about the forerun", "the forerun is friday 7pm"),
    ],
)
async def test_what_is_to_be_found_is_looked_up(database: Database, clock: Clock, request_: str, answer: str) -> None:
    """As a question for it is."""
    async with room(database, clock, who=people.caller()) as r:
        bob = await r.app.enter(people.caller("Bob", person=8), channel_name="general", mode="all")
        await r.say("remember that the beanie is by the lockers")
        await r.say("remember that the wifi password is sendtrain7")
        await r.say("remember that the forerun is friday 7pm", by=bob)
        found, missed = await r.say(request_), await r.say("look up the campus board")
    assert answer in found.text
    assert missed.text.startswith(NOTHING_FOUND)


@pytest.mark.parametrize("request_", ["find a good recipe for beans", "give me five ideas", "show me how to flash"])
async def test_what_is_to_be_made_up_is_not(database: Database, clock: Clock, request_: str) -> None:
    """A model answers it as it did."""
    async with (
        ModelServer(always=Reply(text="Here you go.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say("remember that the wifi password is sendtrain7")
        told = await r.say(request_)
    assert told.text == "Here you go."
