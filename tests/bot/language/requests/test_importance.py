"""The laws of an importance that is told in plain words."""

from dataclasses import replace

import pytest

from bot.db.pool import Database
from bot.language.requests import clauses, importance, plain_words
from tests import people
from tests.conftest import Clock
from tests.conversations import RecordedReply, room
from tests.rows import rows

CODE = "the gate code is 8888"


@pytest.mark.parametrize(
    ("text", "thing", "importance"),
    [
        ("remember with importance 9 that the gate code is 4417", "the gate code is 4417", 9),
        ("Remember that the gate code is 4417, importance 9", "the gate code is 4417", 9),
        ("please remember that the gate code is 4417 (importance 10/10).", "the gate code is 4417", 10),
        ("remember that the gate code is 4417 with an importance of 3", "the gate code is 4417", 3),
        ("Hathi, remember with importance 9: the gate code is 4417", "the gate code is 4417", 9),
        ("this is very important, importance 10: the gate code is 4417", "the gate code is 4417", 10),
        ("importance 9: the gate code is 4417", "the gate code is 4417", 9),
        ("remember that the gate code is 4417", "the gate code is 4417", None),
        ("remember that the roof has importance 9 on our list", "the roof has importance 9 on our list", None),
        ("remember that the gate code is 4417, importance 11", "the gate code is 4417, importance 11", None),
    ],
)
def test_an_importance_is_heard_and_is_no_part_of_the_thing(text: str, thing: str, importance: int | None) -> None:
    """Before the thing, behind it or as its heading; from 1 to 10, and set apart from what is told."""
    found = plain_words.things_to_remember(text)
    assert found is not None
    assert ((thing,), importance) == (found.things, found.importance)


@pytest.mark.parametrize(
    "text",
    [
        *(
            f"remember that {CODE}{told}"
            for told in (
                " importance 9",
                " imp 9",
                " imp=9",
                " (imp 9)",
                " importance:9",
                " importance: 9",
                ", it has importance 9",
                " it has importance 9",
                " and it has importance 9.",
                ". This has importance 9.",
                ", it's a 9 in importance",
                ", importance 9 out of 10",
                ", importance 9 please",
                ", importance nine, thanks!",
            )
        ),
        f"remember as importance 9 that {CODE}",
        f"remember importance 9 {CODE}",
        f"remember, at importance 9, that {CODE}",
        f"make a note of importance 9 that {CODE}",
        f"this is importance 9, remember that {CODE}",
        f"This is of importance 9. Remember that {CODE}",
        f"Importance 9: remember that {CODE}",
        f"Hathi, importance 9: {CODE}",
        f"save {CODE} with importance 9",
        f"{CODE}, importance 9, please remember that",
        f"Could you remember that {CODE} with importance 9?",
    ],
)
def test_it_is_heard_in_many_words(text: str) -> None:
    """With a mark or without, short or long, wherever the request or the thing stands."""
    found = plain_words.things_to_remember(text)
    assert found is not None
    assert ((CODE,), 9) == (found.things, found.importance)


@pytest.mark.parametrize(
    "thing",
    [
        "the roof has importance 9",
        "the ticket is importance 9",
        "the ticket is of importance 9",
        "the ticket's importance: 9",
        "importance 9 is the highest",
        "importance 9 tickets go first",
        "it has importance 9 on our list",
        "the leak, with importance 9, gets fixed first",
    ],
)
def test_what_is_told_of_an_importance_stays_as_it_is(thing: str) -> None:
    """It is part of the thing."""
    found = plain_words.things_to_remember(f"remember that {thing}")
    assert found is not None
    assert ((thing,), None) == (found.things, found.importance)


def test_of_a_list_it_is_heard_once_for_all() -> None:
    """Beside the request or in a line of its own; where several lines have one, each keeps its own words."""
    items = "- the roof leaks{}\n- the door jams{}"
    above = plain_words.things_to_remember("remember these, importance 9:\n" + items.format("", ""))
    below = plain_words.things_to_remember("remember these:\n" + items.format("", "") + "\nimportance 9")
    each = plain_words.things_to_remember("remember these:\n" + items.format(", importance 9", ", importance 3"))
    assert above
    assert below
    assert each
    assert [9, 9, None] == [above.importance, below.importance, each.importance]
    assert above.things == below.things == ("the roof leaks", "the door jams")
    assert each.things == ("the roof leaks, importance 9", "the door jams, importance 3")


@pytest.mark.parametrize(
    ("text", "thing", "number"),
    [
        (f"{CODE}, importance 9", CODE, 9),
        (f"with importance 9 that {CODE}", CODE, 9),
        (f"importance 9: {CODE}", CODE, 9),
        (f"this is importance 9, {CODE}", CODE, 9),
        ("the roof has importance 9", "the roof has importance 9", None),
        ("importance 9", "importance 9", None),
        ("that thing of Bob's", "that thing of Bob's", None),
    ],
)
def test_what_a_command_is_to_keep_tells_it_too(text: str, thing: str, number: int | None) -> None:
    """Without the word that joined it to the importance."""
    assert (thing, number) == importance.of_thing(text)


@pytest.mark.parametrize(
    ("text", "name", "told"),
    [
        ("remember that tea is liked by @Zed importance 9", "Zed importance 9", None),
        ("remember that our host is @Zed importance 9, importance 3", "Zed importance 9", 3),
        ("remember that @importance 9 likes tea", "importance 9", None),
        ("@Zed importance 9 likes tea, remember that with importance 3", "Zed importance 9", 3),
        ("Importance 9: ask Importance 9", "Importance 9", None),
    ],
)
async def test_how_somebody_calls_themselves_tells_no_importance(
    database: Database, clock: Clock, text: str, name: str, told: int | None
) -> None:
    """Neither in plain words nor in the command: the name stays in what is kept."""
    mentioned = {name: people.caller("Zed").person_id}
    found = plain_words.kept(clauses.read(text), mentioned)
    assert (told, True) == (found and found.importance, found is None or name in found.text)
    thing = text.removeprefix("remember that ")
    async with room(database, clock) as r:
        turn = r.turn(text)
        turn = replace(turn, message=replace(turn.message, mentioned=mentioned))
        await r.app.conversation.answer(turn, RecordedReply().delivery)
        await r.app.commands.run(r.caller, "remember", thing, r.tell_later, mentioned=mentioned)
    kept = await rows(database, "SELECT content, importance FROM memory")
    assert kept
    assert all(name in content and importance == (told or 8) for content, importance in map(tuple, kept))


async def test_remember_goes_by_the_importance_in_plain_words(database: Database, clock: Clock) -> None:
    """Where none is given as an argument, which goes before."""
    async with room(database, clock) as r:
        await r.run(f"!remember with importance 9 that {CODE}")
        await r.run("!remember The attic is damp, importance 9 importance:4")
    kept = [tuple(row) for row in await rows(database, "SELECT content, importance FROM memory ORDER BY memory_id")]
    assert kept == [(CODE, 9), ("The attic is damp, importance 9", 4)]


@pytest.mark.parametrize("text", ["What has importance 9?", "the leak has importance 9", "importance 9"])
def test_what_only_speaks_of_importance_asks_for_nothing(text: str) -> None:
    """Neither a question nor a statement is a request."""
    assert plain_words.things_to_remember(text) is None
