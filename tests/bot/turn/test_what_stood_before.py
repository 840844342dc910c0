"""The laws of answers from what stood before the model, and of what is left of one that says too much."""

import pytest

from bot.db.pool import Database
from bot.domain import ChannelId, MessageId, SessionId
from bot.store.trail import Origin, Trail
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import ModelServer, Reply


@pytest.mark.parametrize("asked", ["why?", "who told you that?", "how do you know that?"])
async def test_an_answer_that_cites_what_stood_before_it_names_its_source(
    database: Database, clock: Clock, asked: str
) -> None:
    """Though nothing was looked up: the line under it says whose that is, and "why?" tells it."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say("remember that the wifi code is 4711")
        server.always = Reply(text="Here is your sign: the wifi code is 4711 (#1).")
        told = await r.say("write me a sign for the wifi")
        why = await r.say(asked)
    assert "4711 (#1)" in told.text
    assert "-# from Ann, " in "\n".join(told.notes)
    assert "found nothing on it" not in why.text
    assert "the wifi code is 4711" in why.text


async def test_of_an_answer_only_the_sentence_goes_that_does_not_hold(database: Database, clock: Clock) -> None:
    """Advice with a number of its own takes nothing else along."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say("remember that the bus leaves at 8 from the pier")
        server.always = Reply(text="The bus leaves at 8 from the pier (#1). Be there 15 minutes early.")
        told = await r.say("when did we say the bus leaves?")
    assert told.text.startswith("The bus leaves at 8 from the pier (#1).")
    assert "15" not in told.text


@pytest.mark.parametrize(
    ("known", "question", "answer"),
    [
        (
            "the deposit is 20 euros per power tool",
            "how much deposit for the drill and the sander",
            "Two tools at 20 euros each make 40 euros (#1).",
        ),
        (
            "the ladder is 4m long",
            "is the ladder long enough for a 3.5m ceiling",
            "Yes, the ladder is 4m long (#1), so it reaches a 3.5m ceiling.",
        ),
    ],
)
async def test_what_an_answer_names_is_quoted_where_it_says_more(
    database: Database, clock: Clock, known: str, question: str, answer: str
) -> None:
    """It stood before the model: that nothing is known of it would not be true."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say(f"remember that {known}")
        server.always = Reply(text=answer)
        told = await r.say(question)
    assert f"\u201c{known}\u201d" in told.text
    assert answer not in told.text


async def test_what_says_nothing_of_it_has_no_source(database: Database, clock: Clock) -> None:
    """Whatever was asked, and whatever memory has on that."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say("remember that we use perforce for art")
        server.always = Reply(text="Sounds good! Let me know if you need anything else.")
        told = await r.say("do we use mirror?")
    assert "from Ann" not in "\n".join(told.notes)


def test_what_the_prompt_told_of_the_past_was_not_found() -> None:
    """It is noted for what becomes of it, and is no row that explains anything."""
    place = (ChannelId(1), MessageId(2))
    sources = {
        "E1": Origin(session_id=SessionId(3)),
        "P1": Origin(message=place),
        "V1": Origin(message=place),
        "P2": Origin(),
        "M1": Origin(message=place),
    }
    assert ["P2", "M1"] == [*Trail(sources=sources).found]
