"""The laws of whose words an answer from memory quotes."""

import re

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import Actor, Fact, MessageId, Source
from bot.language.questions import answer_kinds
from bot.store.archivist import Author
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import rows

ANN, BOB = people.caller(), people.caller("Bob", person=8)


def quoted(text: str) -> list[str]:
    """What an answer quotes, in its order."""
    return re.findall("\u201c(.*?)\u201d", text)


async def distilled(r: Room, database: Database, said: str, told: str, topic: str) -> None:
    """What Bob said among others, and what a summary made of it."""
    await r.overhear("We meet at the ferry at nine.", ANN)
    await r.overhear(said, BOB)
    await r.overhear("The hall is painted green now.", ANN)
    ((message_id, at),) = await rows(database, "SELECT message_id, said_at FROM message WHERE author_id = 8")
    fact = Fact(
        content=told,
        topic=topic,
        importance=5,
        source=Source.SUMMARY,
        author_id=BOB.person_id,
        author=BOB.name,
        said_at=at,
        evidence=(MessageId(message_id),),
    )
    author = Author(actor=Actor.SUMMARY, reason="session:1")
    await r.app.archivist.save(ANN.space_id, ANN.origin_id, [fact], author, now=r.clock())
    await r.reset()


@pytest.mark.parametrize(
    ("said", "told", "topic"),
    [
        ("I can't stand cilantro, it tastes of soap to me.", "Bob dislikes cilantro.", "food"),
        ("honestly the new boiler is a nightmare, it trips every night", "Bob finds it unreliable.", "boiler"),
        ("no way I'm driving on ice again", "Bob refuses to drive in winter.", "winter driving"),
    ],
)
async def test_who_asks_what_somebody_said_is_told_their_words(
    database: Database, clock: Clock, said: str, told: str, topic: str
) -> None:
    """Once, under the number of what was made of them, however little they have of the question."""
    questions = ("What did Bob say?", f"What did Bob say about {topic}?", f"What has Bob told us about the {topic}?")
    async with room(database, clock, who=ANN) as r:
        await distilled(r, database, said, told, topic)
        answers = [(await r.say(question)).text for question in questions]
    assert [[said]] * 3 == [quoted(answer) for answer in answers]
    assert ["#1" in answer for answer in answers] == [True] * 3


async def test_who_asks_how_it_is_is_told_what_was_made_of_it(database: Database, clock: Clock) -> None:
    """Where that answers better than the words do."""
    async with room(database, clock, who=ANN) as r:
        await distilled(r, database, "no way, not on that ice again", "Bob refuses to cycle in winter.", "cycling")
        told = await r.say("Does Bob cycle in winter?")
    assert ["Bob refuses to cycle in winter."] == quoted(told.text)


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("what did bob say", True),
        ("Who told us about the boiler?", True),
        ("What's the code, according to Bob?", True),
        ("what were Bob's exact words?", True),
        ("Was hat Ben \u00fcber den Ofen gesagt?", True),
        ("What does Bob drink?", False),
        ("When does the shop open?", False),
        ("Who has the report?", False),
        ("Wer hat den Schl\u00fcssel?", False),
    ],
)
def test_what_asks_for_somebodys_words(question: str, asks: bool) -> None:
    """And what asks how things are."""
    assert asks is answer_kinds.asks_what_was_said(question)


@pytest.mark.parametrize(
    "question", ["What is the alarm code at the shop?", "What did I say about the alarm code?", "What did I say?"]
)
async def test_what_an_edit_corrected_is_not_quoted_in_its_old_words(
    database: Database, clock: Clock, question: str
) -> None:
    """Neither for the memory nor beside it."""
    async with room(database, clock, who=ANN) as r:
        await r.say("remember that the alarm code at the shop is 5519")
        clock.forward(hours=30)
        await r.run("!edit 1 The alarm code at the shop is 5591.")
        await r.reset()
        told = await r.say(question)
    assert ["The alarm code at the shop is 5591."] == quoted(told.text)


async def test_an_edit_taken_back_is_told_in_its_first_words_alone(database: Database, clock: Clock) -> None:
    """Undone, it leaves nothing that would contradict them, or bear their words under another number."""
    async with room(database, clock, who=ANN) as r:
        await r.say("remember that the alarm code at the shop is 5519")
        await r.run("!edit 1 the alarm code at the shop is 5591")
        await r.run("!undo")
        told = await r.say("What is the alarm code at the shop?")
        with pytest.raises(errors.NotFound):
            await r.run("!undo")
    assert (["the alarm code at the shop is 5519"], True, False) == (
        quoted(told.text),
        "#1" in told.text,
        "#2" in told.text,
    )


async def test_what_was_replaced_is_marked_where_it_is_told(database: Database, clock: Clock) -> None:
    """With the day until which it held; asked how it is now, it is not told at all."""
    async with room(database, clock, who=ANN) as r:
        await r.say("remember that the price of a ticket is 10 euros")
        clock.forward(hours=300)
        await r.say("remember that the price of a ticket is now 12 euros")
        day = f"{clock.now:%Y-%m-%d}"
        await r.reset()
        was = [
            (await r.say(question)).text
            for question in ("What was the price of a ticket?", "What did we say about the ticket price?")
        ]
        now = await r.say("What is the price of a ticket?")
        listed = await r.run("!recall what was the price of a ticket")
    for text in was:
        (old,) = re.findall(r"is 10 euros\u201d\n(.+)", text)
        assert f"held until {day}" in old
        assert text.count("held until") == 1
    assert ("10 euros" in now.text, "held until" in now.text) == (False, False)
    assert f"held until {day}" in listed


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what did bob say about the forerun", "the forerun is friday 7pm"),
        ("what has bob said about the comp", "the comp is on 20 feb, 2027"),
        ("show me what bob said about the comp", "the comp is on 20 feb, 2027"),
        ("what did bob order", "we're out of m10 bolts, ordered 200"),
    ],
)
async def test_a_name_in_small_letters_is_one_where_who_said_it_stands(
    database: Database, clock: Clock, question: str, answer: str
) -> None:
    """Right behind the verb, or before one of saying: it need not stand in what that person said."""
    async with room(database, clock, who=ANN) as r:
        bob = await r.app.enter(BOB, channel_name="general", mode="all")
        await r.say("remember that the forerun is friday 7pm", by=bob)
        await r.say("remember that the comp is on 20 feb, 2027", by=bob)
        await r.say("we're out of m10 bolts, ordered 200", by=bob)
        await r.say("remember that bob has the spare drill")
        told = await r.say(question)
    assert answer in quoted(told.text)[0]


async def test_a_name_that_is_a_word_is_one_there_too(database: Database, clock: Clock) -> None:
    """Of "what did will say" Will is asked of, and no word of the future."""
    async with room(database, clock, who=ANN) as r:
        will = await r.app.enter(people.caller("Will", person=8), channel_name="general", mode="all")
        await r.say("remember that i can't do mondays", by=will)
        await r.say("remember that we said the hall is closed")
        told = await r.say("what did will say")
    assert ["i can't do mondays"] == quoted(told.text)
