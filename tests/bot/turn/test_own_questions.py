"""The laws of answers to what Hathi itself just asked: which of some goes, which of two holds, and a no."""

import pytest

from bot.commands import forgetting
from bot.db.pool import Database
from bot.domain import MessageId
from bot.turn import own_questions
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import column

BOB = people.caller("Bob", person=8)
SHED = ("the shed key is red", "the shed code is 12", "the shed roof is new")


async def living(database: Database) -> list[str]:
    """What stands in memory."""
    return await column(
        database, "SELECT content FROM memory WHERE forgotten_at IS NULL AND superseded_by IS NULL ORDER BY memory_id"
    )


async def asked_in(database: Database, r: Room, text: str) -> MessageId:
    """The turn of what was said."""
    await r.say(text)
    (turn_id,) = await column(database, "SELECT max(turn_id) FROM turn")
    return MessageId(turn_id)


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("only the first", SHED[:2]),
        ("only the first, #3", SHED[:2]),
        ("just #2", (SHED[0], SHED[2])),
        ("nur die erste", SHED[:2]),
        ("nein, nur die zweite bitte", (SHED[0], SHED[2])),
        ("seulement la première", SHED[:2]),
        ("solo la segunda", (SHED[0], SHED[2])),
        ("forget the second and the third", SHED[2:]),
        ("yes, but only the last one", SHED),
        ("yes, only the last one please", SHED[1:]),
        ("1 and 2", SHED[2:]),
        ("all three", ()),
        ("all of them", ()),
        ("not the first", SHED),
        ("no, the first stays", SHED),
        ("the older one", SHED),
        ("keep the first", SHED),
    ],
)
async def test_some_of_those_listed_go(database: Database, clock: Clock, answer: str, left: tuple[str, ...]) -> None:
    """By their place as they are shown, or by number; what says anything else forgets nothing."""
    async with room(database, clock) as r:
        for thing in SHED:
            await r.say(f"remember that {thing}")
        shown = await r.say("forget the shed")
        assert shown.text.startswith("Are these 3 to be forgotten?")
        await r.say(answer)
    assert [*left] == await living(database)


async def test_what_is_left_of_a_list_is_asked_for_no_more(database: Database, clock: Clock) -> None:
    """A later yes takes none of the others along."""
    async with room(database, clock) as r:
        for thing in SHED:
            await r.say(f"remember that {thing}")
        asked = await asked_in(database, r, "forget the shed")
        await r.say("only the first")
        await r.say("yes")
        still = await r.app.turns.asked(r.caller, asked)
    assert [*SHED[:2]] == await living(database)
    assert still is None


@pytest.mark.parametrize("no", ["no", "nein, doch nicht", "no wait", "laisse tomber", "mejor no"])
async def test_a_no_takes_back_every_open_question(database: Database, clock: Clock, no: str) -> None:
    """The last one, and those asked before it: neither a yes nor a button does anything then."""
    async with room(database, clock) as r:
        for thing in SHED:
            await r.say(f"remember that {thing}")
        turns = [await asked_in(database, r, text) for text in ("forget everything", "forget the shed")]
        told = await r.say(no)
        later = await r.say("yes")
        asked = [await r.app.turns.asked(r.caller, turn) for turn in turns]
        undone = await r.say("undo")
    assert told.text == forgetting.KEPT_ALL
    assert later.text != own_questions.LAPSED
    assert asked == [None, None]
    assert "back:" not in undone.text
    assert [*SHED] == await living(database)


@pytest.mark.parametrize(
    ("answer", "stands"),
    [
        ("newer", ["my birthday is march 13th"]),
        ("the newer one, typo sry", ["my birthday is march 13th"]),
        ("newer, the 13th is right", ["my birthday is march 13th"]),
        ("the older one please", ["my birthday is march 3rd"]),
        ("die neuere", ["my birthday is march 13th"]),
        ("la plus ancienne", ["my birthday is march 3rd"]),
        ("both", ["my birthday is march 3rd", "my birthday is march 13th"]),
        ("the newer one, no wait, the older", None),
        ("First, I need a coffee.", None),
        ("the new kiln is hot", None),
        ("is the newer one right?", None),
    ],
)
async def test_which_holds_is_answered_in_talk(
    database: Database, clock: Clock, answer: str, stands: list[str] | None
) -> None:
    """Right after it was asked, by whoever was; anybody else, and anything else, leaves both as they are."""
    async with room(database, clock) as r:
        bob = await r.app.enter(BOB, channel_name="general", mode="all")
        await r.say("remember my birthday is march 3rd")
        asked = await r.say("remember my birthday is march 13th")
        assert "Which holds" in asked.text
        await r.say("newer", by=bob)
        told = await r.say(answer)
        again = await r.say("newer")
    both = ["my birthday is march 3rd", "my birthday is march 13th"]
    assert (stands or both) == await living(database)
    assert (told.text.startswith("[memory]")) == (stands is not None)
    assert not again.text.startswith("[memory]")
