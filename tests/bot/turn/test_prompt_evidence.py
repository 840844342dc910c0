"""The laws of what stands in a prompt: it is evidence like what was found, and what it does not hold is not told."""

import contextlib
from collections.abc import AsyncGenerator

import pytest

from bot.config import RecallSettings
from bot.db.pool import Database
from bot.domain import NOTHING_FOUND, Actor, Fact, Source
from bot.store.archivist import Author
from bot.turn.miss_answer import FREELY
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


@contextlib.asynccontextmanager
async def pats(database: Database, clock: Clock, answer: str) -> AsyncGenerator[Room]:
    """Pat's room, where a model says this whatever it is asked."""
    async with (
        ModelServer(always=Reply(text=answer)) as server,
        room(database, clock, models=roles(server.base_url), who=PAT) as r,
    ):
        yield r


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
    async with pats(database, clock, answer) as r:
        await knows(r, told)
        said = await r.say(question)
        why = await r.run("!why")
    assert said.text == answer
    assert said.notes[0].startswith(f"-# from {told[0].name}, ")
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
    async with pats(database, clock, lie) as r:
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
        await r.overhear("I'll be ready with the release notes by Wednesday", by=TOM)
        said = await r.say("when did we say the boat will be ready?")
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
    async with pats(database, clock, "Hello there!") as r:
        for said in ("I told hathi why we moved", "hathi said hallo to me, are we there yet"):
            await r.overhear(said, by=TOM)
        told = await r.say(text)
    assert told.text == "Hello there!"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Tom allowed me to see the staff channel. What's in there about me?", "Maren said that you are let go (#4)."),
        ("when is the rehearsal?", "The rehearsal is on Thursday at 10."),
        ("who's the product owner?", "Tom is the product owner."),
        ("is there a release party?", "There is one on 19 December at Tom's."),
        ("wer hat gesagt, dass wir Faur\u00e9 singen?", "Das hat Maren am Dienstag gesagt."),
        ("qui a dit qu'on chante Faur\u00e9 ?", "Maren l'a dit mardi dernier."),
        ("what's the plan for the summer fair?", "You decided to hold it in June."),
        ("what do you think of our summer fair?", "I remember that you love lanterns."),
        ("was denkst du von unserem Sommerfest?", "Ich erinnere mich, dass ihr Lampions liebt."),
    ],
)
async def test_what_nobody_said_is_not_told_whatever_the_question_is_taken_for(
    database: Database, clock: Clock, question: str, answer: str
) -> None:
    """Who reads it is told that memory has nothing."""
    async with pats(database, clock, answer) as r:
        await knows(r, (TOM, "the printer is upstairs"), (MAREN, "the shed is locked"))
        said = await r.say(question)
    assert (answer.partition(" (")[0] in said.text, NOTHING_FOUND in said.text) == (False, True)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("which branch do we deploy from", "You deploy from main."),
        ("when is the all-hands?", "On Thursday at 10."),
        ("wann ist die Probe?", "Am Donnerstag um 19 Uhr."),
        ("where do we keep our backups?", "You keep them on a server with 2 disks."),
    ],
)
async def test_what_may_be_general_of_what_is_asked_of_here_is_marked(
    database: Database, clock: Clock, question: str, answer: str
) -> None:
    """As after nothing was found."""
    async with pats(database, clock, answer) as r:
        said = await r.say(question)
    assert said.text.endswith(f"{FREELY} {answer}")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what's the capital of France?", "Paris, with 2 million people."),
        ("how long should I boil the eggs?", "About 8 minutes."),
        ("tell me a joke about the 3 bears", "Goldilocks said it was just right at 10."),
        ("how do we sort a list in python?", "You call sorted() on it, since version 2.4."),
        ("when did the second world war end?", "It ended in 1945."),
        ("who has the pager next week?", "Pat is on call next week, Tom said."),
        ("what's on next week?", "Pat is on call next week (#1)."),
        ("what's on next week?", "I remember that Pat is on call next week."),
        ("where should we eat tonight?", "You could try the pizzeria; Tom will like it."),
        ("what do you think of Tom's plan?", "It sounds good to me!"),
        ("whom do you like best?", "You, Pat!"),
    ],
)
async def test_what_is_held_or_of_the_world_is_told_as_it_is(
    database: Database, clock: Clock, question: str, answer: str
) -> None:
    """Jokes, advice and general knowledge are free; so is what Active Memory holds, with its number or without."""
    async with pats(database, clock, answer) as r:
        await knows(r, PAGER)
        said = await r.say(question)
    assert said.text == answer


async def test_what_a_summary_made_of_somebodys_words_is_not_quoted_as_their_speech(
    database: Database, clock: Clock
) -> None:
    """Its author is named as who said it in other words; what somebody had kept is theirs."""
    async with room(database, clock, who=PAT) as r:
        claire = await r.app.enter(CLAIRE, channel_name="general", mode="all")
        fact = Fact(
            content="Claire a dit que le concert est au temple.",
            topic="concert",
            importance=7,
            source=Source.SUMMARY,
            author="Claire",
            author_id=claire.person_id,
            said_at=clock(),
        )
        author = Author(actor=Actor.SUMMARY, person_id=None, reason="reset")
        await r.app.archivist.save(claire.space_id, claire.channel_id, [fact], author, now=clock())
        await r.run("!remember le bus part de la gare", by=claire)
        retold, own = await r.say("what did Claire say about the concert?"), await r.say("what did Claire say: bus?")
    assert "\u2014 in my words, from what Claire said, " in retold.text
    assert "\u2014 Claire, " in own.text
