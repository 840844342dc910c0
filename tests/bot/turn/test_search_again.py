"""The laws of a yes to "Shall I search again?": what else is found, each thing once, and a plain end."""

from dataclasses import replace

import pytest

from bot.db.pool import Database
from bot.domain import Caller, PlaceSetting
from bot.store.place_settings import PlaceSettings
from bot.turn.search_again import ASK_AGAIN, NO_MORE
from tests import people
from tests.conftest import Clock
from tests.conversations import RecordedReply, Room, roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import column

ASKED = "What do we know about the gate code?"
KEPT = (
    "The gate code is 4417.",
    "Rob asked for a shorter gate code.",
    "The gate code is changed in May.",
    "Ann knows the gate code by heart.",
    "The gate code was 1200 last year.",
)
BOB = people.caller("Bob", person=8)


async def butler(r: Room, database: Database) -> Caller:
    """Has the household speak in the room."""
    await PlaceSettings(database).set(r.caller, PlaceSetting.PERSONA, "household", everywhere=False, now=r.clock())
    r.caller = await r.app.enter(r.caller, channel_name="general", mode="all")
    return r.caller


def quotes(reply: RecordedReply) -> list[str]:
    """Which of what is kept a reply quotes."""
    return [one for one in KEPT if one in reply.text]


@pytest.mark.parametrize("yes", ["yes", "yes please", "ja", "Ja, bitte!", "oui", "si"])
async def test_a_yes_searches_on_and_repeats_nothing(database: Database, clock: Clock, yes: str) -> None:
    """Each yes tells what was not told yet, and the last that there is nothing more; then it means nothing more."""
    async with room(database, clock) as r:
        for one in KEPT:
            await r.run(f"!remember {one}")
        await r.overhear("Somebody painted the gate code on the wall.", by=BOB)
        await butler(r, database)
        told = [await r.say(ASKED)]
        while NO_MORE not in told[-1].text:
            assert "Shall I search again?" in told[-1].text
            told.append(await r.say(yes))
        after = await r.say(yes)
    said = [quote for reply in told for quote in quotes(reply)]
    assert (sorted(KEPT), True) == (sorted(said), len(told) > 2)
    assert 1 == sum("painted" in reply.text for reply in told)
    assert NO_MORE not in after.text
    assert [] == [one for one in await column(database, "SELECT content FROM message") if "Shall I" in one]


async def test_only_a_yes_to_it_is_one(database: Database, clock: Clock) -> None:
    """By whoever was answered, right after; or by anybody in a reply to it, however much was said since."""
    async with room(database, clock) as r:
        for one in KEPT:
            await r.run(f"!remember {one}")
        await butler(r, database)
        bob = await r.app.enter(BOB, channel_name="general", mode="all")
        first = await r.say(ASKED)
        others = await r.say("yes", by=bob)
        thanks = await r.say("Thank you, that will be all.")
        late = await r.say("yes")
        (answer,) = await column(database, "SELECT reply_ids[1] FROM turn WHERE trail ? 'again'")
        replied = RecordedReply()
        turn = r.turn("yes please")
        turn = replace(turn, caller=bob, message=replace(turn.message, author_id=bob.person_id, reply_to=answer))
        await r.app.conversation.answer(turn, replied.delivery)
    assert ([], [], []) == (quotes(others), quotes(thanks), quotes(late))
    assert sorted(KEPT) == sorted(quotes(first) + quotes(replied))


async def test_what_was_forgotten_since_is_not_found(database: Database, clock: Clock) -> None:
    """And the question that is gone is asked for."""
    async with room(database, clock) as r:
        for one in KEPT:
            await r.run(f"!remember {one}")
        await butler(r, database)
        first = await r.say(ASKED)
        for left in set(KEPT) - set(quotes(first)):
            await r.run(f"!forget {KEPT.index(left) + 1}")
        again = await r.say("yes")
        await r.say(ASKED)
        await column(database, "DELETE FROM message WHERE content = $1 RETURNING message_id", ASKED)
        gone = await r.say("yes")
    assert (True, True, []) == (len(quotes(first)) < len(KEPT), NO_MORE in again.text, quotes(again))
    assert ASK_AGAIN in gone.text


async def test_a_model_is_not_needed_to_look_further(database: Database, clock: Clock) -> None:
    """What it left unsaid is quoted."""
    answers = ModelServer(always=Reply(text="The gate code is 4417 (#1)."))
    async with answers as server, room(database, clock, models=roles(server.base_url)) as r:
        for one in KEPT:
            await r.run(f"!remember {one}")
        await butler(r, database)
        first = await r.say("What is the gate code?")
        asked = len(server.requests)
        again = await r.say("yes please")
    assert (1, len(server.requests)) == (first.text.count("4417"), asked)
    assert (True, False) == (bool(quotes(again)), KEPT[0] in again.text)
