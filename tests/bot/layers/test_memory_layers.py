"""The laws of the layers that the recall engine answers."""

import pytest

from bot.config import NotesSettings
from bot.db.pool import Database
from bot.domain import Caller, Layer, SessionId
from bot.layers.memory_layers import PalaceLayer, RecallResults, SessionLayer, VerbatimLayer
from bot.layers.walk import Finding, WalkQuestion
from bot.store.archivist import Archivist
from bot.store.notes import Notes
from tests import people
from tests.bot.recall.test_search import Room
from tests.conftest import Clock
from tests.rows import one

ANN, BEN = people.caller("Ann"), people.caller("Ben", person=8)


@pytest.fixture
def place(database: Database, clock: Clock) -> Room:
    return Room(database, clock)


async def session_of(room: Room, caller: Caller) -> SessionId:
    query = "SELECT open_session_id FROM channel WHERE space_id = $1 AND channel_id = $2"
    return SessionId(await one(room.database, query, caller.space_id, caller.channel_id))


async def asked(room: Room, text: str, *layers: Layer, by: Caller = ANN) -> WalkQuestion:
    question = await room.says(by, text)
    said = people.said(by, text, room.clock())
    return WalkQuestion(
        caller=by, question=said, session_id=await session_of(room, by), layers=layers, apart_from=(question,)
    )


def noting(room: Room) -> Notes:
    return Notes(room.database, Archivist(room.database), NotesSettings())


def texts(found: Finding) -> list[str]:
    return [one.content for one in found.evidence]


async def test_the_palace_answers_with_memories_and_not_with_messages(place: Room) -> None:
    """What was only said is found further on."""
    await place.says(BEN, "The deploy window is on Tuesday.")
    number = await place.keeps(ANN, "The database of the shop is Postgres.")
    found = await PalaceLayer(RecallResults(place.librarian)).look(
        await asked(place, "Which database does the shop use?")
    )
    assert [(one.label, one.memory_id, one.author) for one in found.evidence] == [(f"#{number}", number, "Ann")]
    assert (
        texts(await PalaceLayer(RecallResults(place.librarian)).look(await asked(place, "When is the deploy window?")))
        == []
    )


async def test_a_memory_that_shares_a_word_does_not_stand_in_the_way_of_the_message_that_answers(place: Room) -> None:
    """The palace answers where it answers about as well as anything there is."""
    await place.says(BEN, "Last ferry back is at 22:40 since the new timetable.")
    await place.keeps(ANN, "The sign above the door is painted ferry blue.")
    asking = await asked(place, "What did we say about the ferry timetable?")
    remembered = RecallResults(place.librarian)
    assert texts(await PalaceLayer(remembered).look(asking)) == []
    assert texts(await VerbatimLayer(remembered).look(asking)) == [
        "Last ferry back is at 22:40 since the new timetable."
    ]


async def test_what_was_replaced_is_not_told(place: Room) -> None:
    """Whoever tells a change replaces what they said of it before."""
    await place.says(BEN, "Morning.")
    await place.keeps(ANN, "The open day is on the 14th.", topic="open day")
    await place.keeps(ANN, "The open day moved to the 28th since the roof leaks.", topic="open day")
    found = await PalaceLayer(RecallResults(place.librarian)).look(await asked(place, "When is the open day?"))
    assert [text[-5:] for text in texts(found)] == ["eaks."]


async def test_older_messages_answer_word_for_word(place: Room) -> None:
    """With who said it and where it stands; questions are no answers, the question itself least of all."""
    said = await place.says(BEN, "The deploy window is on Tuesday.")
    await place.says(ANN, "When is the deploy window?")
    found = await VerbatimLayer(RecallResults(place.librarian)).look(
        await asked(place, "When was the deploy window again?")
    )
    assert [(one.content, one.author, one.message) for one in found.evidence] == [
        ("The deploy window is on Tuesday.", "Ben", (BEN.channel_id, said))
    ]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the door code?", ["The door code is 2903 from today.", "The door code is 5518."]),
        ("What was the door code?", ["The door code is 5518.", "The door code is 2903 from today."]),
    ],
)
async def test_of_messages_that_answer_as_well_the_newest_comes_first(
    place: Room, question: str, expected: list[str]
) -> None:
    """Where it is asked how things are; how they were is told in the order of its places."""
    await place.says(BEN, "The door code is 5518.")
    for text in ("Morning.", "It rains.", "Tea is ready."):
        await place.says(ANN, text)
    await place.says(BEN, "The door code is 2903 from today.")
    assert texts(await VerbatimLayer(RecallResults(place.librarian)).look(await asked(place, question))) == expected


async def test_the_last_words_of_somebody_who_said_nothing_are_nobody_elses(place: Room) -> None:
    """Whoever is named and is not here has no last words; who is here has."""
    await place.says(ANN, "Who is Trevor?")
    await place.says(BEN, "The gate is open.")
    here = SessionLayer(place.librarian, noting(place))
    assert texts(await here.look(await asked(place, "What did Gisela just say?", Layer.SCRATCHPAD))) == []
    assert texts(await here.look(await asked(place, "What did Ben just say?", Layer.SCRATCHPAD))) == [
        "The gate is open."
    ]


async def test_what_was_said_since_stands_before_a_memory(place: Room) -> None:
    """In whatever session; not where it is asked how things were, and not what the memory rests on."""
    said = await place.says(BEN, "The door code is 5518.")
    await place.keeps(BEN, "The door code is 5518.", evidence=[said])
    for text in ("Morning.", "It rains.", "Tea is ready."):
        await place.says(ANN, text)
    await place.says(BEN, "The door code is 2903.")
    remembered = RecallResults(place.librarian)
    for question, first in (("What is the door code?", "2903"), ("What was the door code before?", "5518")):
        _, told = await remembered.told(await asked(place, question))
        assert first in told[0].item.content


@pytest.mark.parametrize("before", ["What colour is the kettle?", "which colour is the kettle"])
async def test_a_question_asked_before_keeps_nothing_from_being_found(place: Room, before: str) -> None:
    """It is no answer, with or without its mark, and sets no measure for answers."""
    said = await place.says(ANN, "I own a kettle, it is blue")
    number = await place.keeps(ANN, "the kettle is blue", evidence=[said])
    for _ in range(2):
        await place.says(ANN, before)
    asking = await asked(place, "What colour is the kettle?")
    found = await PalaceLayer(RecallResults(place.librarian)).look(asking)
    assert [one.memory_id for one in found.evidence] == [number]
    assert texts(await SessionLayer(place.librarian, noting(place)).look(asking)) == ["I own a kettle, it is blue"]


async def test_a_question_asked_before_makes_no_memory_surer(place: Room) -> None:
    """What shares a word with it is found no more than it was without."""
    await place.says(BEN, "Good morning.")
    for n in range(12):
        await place.keeps(BEN, f"Lunch number {n} was soup and bread in the yard.")
    for _ in range(4):
        asking = await asked(place, "Who painted the gate of the yard before Erika scrubbed the lettering?")
        assert texts(await PalaceLayer(RecallResults(place.librarian)).look(asking)) == []


async def test_nothing_below_the_threshold_of_recall_is_a_hit(place: Room) -> None:
    """A word in common is no answer."""
    for n in range(30):
        await place.says(BEN, f"Lunch number {n} was soup and bread in the yard.")
    found = await VerbatimLayer(RecallResults(place.librarian)).look(
        await asked(place, "Who wrote the soup opera about the Byzantine wars?")
    )
    assert (texts(found), found.looked > 0) == ([], True)


async def test_the_session_is_looked_at_and_nothing_before_it(place: Room) -> None:
    """What was said before the reset is older."""
    await place.says(BEN, "The password of the wifi is on the fridge.")
    asking = await asked(place, "Where is the wifi password?")
    assert texts(await SessionLayer(place.librarian, noting(place)).look(asking)) == [
        "The password of the wifi is on the fridge."
    ]
    elsewhere = WalkQuestion(
        caller=ANN, question=asking.question, session_id=SessionId(1), apart_from=asking.apart_from
    )
    assert texts(await SessionLayer(place.librarian, noting(place)).look(elsewhere)) == []


async def test_a_living_note_of_the_session_answers(place: Room) -> None:
    """By its number, ranked with what was said; not once its time is over."""
    await place.says(BEN, "Good morning.")
    note = await noting(place).save(ANN, "The staging cluster hangs on disk quota.", now=place.clock())
    asking = await asked(place, "Why does the staging cluster hang?")
    found = await SessionLayer(place.librarian, noting(place)).look(asking)
    assert [(one.label, one.author) for one in found.evidence] == [(note.label, "Ann")]
    place.clock.forward(hours=2)
    asking = await asked(place, "Why does the staging cluster hang?")
    assert texts(await SessionLayer(place.librarian, noting(place)).look(asking)) == []


async def test_what_was_said_last_answers_a_question_about_just_that(place: Room) -> None:
    """Mine when I ask what I said; everybody's otherwise; newest first."""
    await place.says(BEN, "Good point about caching.")
    await place.says(ANN, "Let us ship on Friday.")
    here = SessionLayer(place.librarian, noting(place))
    found = await here.look(await asked(place, "What did I just say?", Layer.SCRATCHPAD))
    assert texts(found)[:1] == ["Let us ship on Friday."]
    assert "Good point about caching." not in texts(found)
    found = await here.look(await asked(place, "What was just said?", Layer.SCRATCHPAD))
    assert "Good point about caching." in texts(found)


async def test_a_newer_statement_of_this_session_stands_beside_an_older_memory(place: Room) -> None:
    """Newest first, and not what the memory itself rests on."""
    await place.says(ANN, "Morning, all of you.")
    number = await place.keeps(ANN, "The shop runs on Postgres 15.")
    asking = await asked(place, "Which Postgres does the shop run on?")
    found = await PalaceLayer(RecallResults(place.librarian)).look(asking)
    assert [one.memory_id for one in found.evidence] == [number]
    await place.says(BEN, "The shop runs on Postgres 16 since this morning.")
    asking = await asked(place, "Which Postgres does the shop run on?")
    assert asking.session_id is not None
    history = await place.librarian.history(ANN, asking.session_id, asking.question.message_id)
    newer = await SessionLayer(place.librarian, noting(place)).newer(asking, found.evidence, history)
    assert [one.content for one in newer] == ["The shop runs on Postgres 16 since this morning."]
    assert await SessionLayer(place.librarian, noting(place)).newer(asking, newer, history) == ()


async def test_nobody_left_off_anywhere_before_the_first_reset(place: Room) -> None:
    """There is no session before this one."""
    assert (
        texts(await PalaceLayer(RecallResults(place.librarian)).look(await asked(place, "Where did we leave off?")))
        == []
    )


@pytest.mark.parametrize("source", [PalaceLayer, VerbatimLayer])
async def test_another_channel_and_another_space_are_never_looked_at(
    place: Room, source: type[PalaceLayer | VerbatimLayer]
) -> None:
    """A private channel's memory and message stay there, and another community's too."""
    private = people.caller("Ann", channel=66)
    other = people.caller("Ann", space=2, channel=20)
    for where in (private, other):
        await place.says(where, "The launch code of the rocket is swordfish.")
        if source is PalaceLayer:
            await place.keeps(where, "The launch code of the rocket is swordfish.")
    question = "What is the launch code of the rocket?"
    assert texts(await source(RecallResults(place.librarian)).look(await asked(place, question))) == []
    found = await source(RecallResults(place.librarian)).look(await asked(place, question, by=private))
    assert {"The launch code of the rocket is swordfish."} == {*texts(found)}
