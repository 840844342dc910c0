"""The laws of what stands in a prompt: it is evidence like what was found, and what it does not hold is not told."""

import pytest

from bot.config import RecallSettings
from bot.db.pool import Database
from bot.domain import NOTHING_FOUND
from bot.turn.recall_answer import FREELY
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply

PAT = people.caller("Pat")
TOM, MAREN, CLAIRE = (people.caller(name, person=n) for n, name in enumerate(("Tom", "Maren", "Claire"), 31))
PAGER = (TOM, "I'm on call this week and Pat is on call next week")
OUTAGE = (TOM, "Prod was down 20 minutes because the db migration locked the orders table")
BUS = (CLAIRE, "le bus part le 12 mai \u00e0 7h devant la gare")
SHELF = (MAREN, "die Noten liegen im Schrank hinter der Orgel")
GATE = (MAREN, "the guest code for the gate is 4417")


async def knows(r: Room, *said: tuple[people.Caller, str]) -> None:
    """What is remembered in the names of others, in this channel."""
    for who, text in said:
        await r.run(f"!remember {text}", by=await r.app.enter(who, channel_name="general", mode="all"))


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (PAGER, "so who has the pager next week", "You have it next week, Pat (#1)."),
        (OUTAGE, "what was the cause of the outage", "The db migration locked the orders table (#1)."),
        (BUS, "Wann fuhr der Bus nochmal?", "Am 12. Mai um 7 Uhr (#1)."),
        (BUS, "when was the coach leaving again?", "The bus leaves on 12 May, in front of the gare (#1)."),
        (SHELF, "where did we put the sheet music?", "Im Schrank hinter der Orgel (#1)."),
        (GATE, "what did we say visitors have to type in?", "The guest code for the gate is 4417 (#1)."),
    ],
)
async def test_what_active_memory_holds_is_told_though_nothing_was_found(
    database: Database, clock: Clock, told: tuple[people.Caller, str], question: str, answer: str
) -> None:
    """In the model's words, with its source under it; `why` says that it rests on that."""
    async with (
        ModelServer(always=Reply(text=answer)) as server,
        room(database, clock, models=roles(server.base_url), who=PAT) as r,
    ):
        await knows(r, told)
        said = await r.say(question)
        why = await r.run("!why")
    assert said.text == answer
    assert said.notes[0].startswith("-# from #1, ")
    assert "I checked those against" in why


@pytest.mark.parametrize(
    ("told", "question", "lie"),
    [
        (PAGER, "so who has the pager next week", "Claire has it next week (#1)."),
        (OUTAGE, "what was the cause of the outage", "Maren unplugged the server (#1)."),
        (BUS, "Wann fuhr der Bus nochmal?", "Am 13. Mai um 7 Uhr (#1)."),
        (BUS, "Wann fuhr der Bus nochmal?", "Am 12. Mai um 7 Uhr (#4)."),
        (GATE, "did we sell the boat?", "Yes (#1)."),
        (GATE, "what did we decide about the boat?", "You sold it to Claire."),
    ],
)
async def test_what_it_does_not_hold_is_not_told(
    database: Database, clock: Clock, told: tuple[people.Caller, str], question: str, lie: str
) -> None:
    """Whatever the answer cites; and `why` does not say that a model wrote what is told."""
    async with (
        ModelServer(always=Reply(text=lie)) as server,
        room(database, clock, models=roles(server.base_url), who=PAT) as r,
    ):
        await knows(r, told, (CLAIRE, "the choir sings on Sundays"))
        said = await r.say(question)
        why = await r.run("!why")
    assert lie.partition("(")[0].strip(" .") not in said.text
    assert "A model wrote the answer" not in why


@pytest.mark.parametrize("answer", ["20 minutes this morning, Tom said so.", "It was down 20 minutes this morning."])
async def test_what_was_said_here_needs_no_number(database: Database, clock: Clock, answer: str) -> None:
    """The talk of the session has no labels: what one line of it holds is told, and named as its source."""
    async with (
        ModelServer(Reply(text="Ouch."), always=Reply(text=answer)) as server,
        room(database, clock, models=roles(server.base_url), who=PAT) as r,
    ):
        await r.say("prod was down 20 minutes this morning", by=await r.app.enter(TOM, channel_name="g", mode="all"))
        said = await r.say("and what was the length of the outage we had?")
    assert said.text == answer


async def test_a_space_without_free_answers_is_told_what_memory_holds(database: Database, clock: Clock) -> None:
    """Only what is known in general is not told there."""
    async with (
        ModelServer(Reply(text="You have it, Pat (#1)."), always=Reply(text="A pager is a small radio.")) as server,
        room(database, clock, models=roles(server.base_url), who=PAT, recall=RecallSettings(on_miss="say_so")) as r,
    ):
        await knows(r, PAGER)
        held = await r.say("so who has the pager next week")
        general = await r.say("what did we decide about pagers?")
    assert (held.text, general.text) == ("You have it, Pat (#1).", NOTHING_FOUND)


@pytest.mark.parametrize(
    ("second", "told"), [("NOTHING", NOTHING_FOUND), ("Boats float.", f"{NOTHING_FOUND}\n\n{FREELY} Boats float.")]
)
async def test_a_model_that_finds_no_answer_in_what_was_found_is_asked_once_without_it(
    database: Database, clock: Clock, second: str, told: str
) -> None:
    """Nothing of that is quoted then; the second prompt neither shows it again nor asks for labels."""
    async with (
        ModelServer(Reply(text="NOTHING"), Reply(text=second)) as server,
        room(database, clock, models=roles(server.base_url), who=PAT) as r,
    ):
        await r.overhear("I'll write the release notes by Wednesday", by=TOM)
        said = await r.say("when did we say the release notes of the boat are written?")
        first, again = (str(request["messages"]) for request in server.requests)
    assert said.text == told
    assert ("What was found" in first, "What was found" in again, "in brackets the label" in again) == (
        True,
        False,
        False,
    )


@pytest.mark.parametrize(
    "text",
    [
        "hello hathi?",
        "hathi, are you there?",
        "hathi?",
        "hallo hathi, bist du da?",
        "salut hathi, tu es l\u00e0 ?",
        "hola hathi, \u00bfest\u00e1s ah\u00ed?",
        "why did you say that?",
        "warum hast du das gesagt?",
    ],
)
async def test_who_greets_hathi_is_not_answered_with_what_others_said_to_it(
    database: Database, clock: Clock, text: str
) -> None:
    """Nothing is looked up for it, whatever words it shares with the talk; the model's own words are told."""
    async with (
        ModelServer(always=Reply(text="Hello there!")) as server,
        room(database, clock, models=roles(server.base_url), who=PAT) as r,
    ):
        for said in ("I told hathi why we moved", "hathi said hallo to me, are we there yet"):
            await r.overhear(said, by=TOM)
        told = await r.say(text)
    assert told.text == "Hello there!"
