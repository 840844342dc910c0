"""The laws of what somebody missed: for them alone, since they were here, of what they can read."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot import errors
from bot.commands import grammar, missed
from bot.commands.missed import MissedReply
from bot.dates import times
from bot.db.pool import Database
from bot.domain import Caller, Reply
from bot.language.requests import missed_questions
from bot.recall.retrievers.retrieval import NOTHING
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import column, rows

ALONE = replace(people.caller(admin=True), reads_alone=True)
BOB = people.caller("Bob", person=8)


async def asked(r: Room, line: str = "", by: Caller = ALONE) -> Reply:
    r.clock.forward(seconds=1)
    return await r.app.commands.run(by, "missed", line, r.tell_later)


async def morning(r: Room) -> None:
    """Ann says something and goes; then Bob decides, plans and asks."""
    await r.overhear("Good morning, I am off to work.", ALONE)
    r.clock.forward(hours=2)
    await r.overhear("We decided to paint the gate turquoise.", BOB)
    await r.overhear("I will order the paint on Friday.", BOB)
    await r.overhear("Which brush is best?", BOB)
    r.clock.forward(hours=2)


async def test_it_begins_where_one_said_something_last(database: Database, clock: Clock) -> None:
    """What was decided, planned and asked since then, each with who said it when."""
    async with room(database, clock, who=ALONE) as r:
        await r.overhear("We decided to sell the old gate.", BOB)
        r.clock.forward(hours=1)
        await morning(r)
        reply = await asked(r)
    assert reply.listing is not None
    bodies = [entry.body for entry in reply.listing.entries]
    assert bodies == [
        "We decided to paint the gate turquoise.",
        "I will order the paint on Friday.",
        "Which brush is best?",
    ]
    assert all("Bob" in entry.head and "general" in entry.head for entry in reply.listing.entries)


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ("today", True),
        ("since yesterday", True),
        ("yesterday", False),
        ("in February", False),
        ("3h", True),
        ("90 minutes", False),
    ],
)
async def test_a_time_may_be_named(database: Database, clock: Clock, line: str, *, is_found: bool) -> None:
    async with room(database, clock, who=ALONE) as r:
        await morning(r)
        reply = await asked(r, line)
    assert (is_found, not is_found) == ("turquoise" in reply.text, reply.text.startswith(NOTHING))


async def test_what_names_no_time_is_refused(database: Database, clock: Clock) -> None:
    """With what would be right."""
    async with room(database, clock, who=ALONE) as r:
        with pytest.raises(errors.BadArgument, match="yesterday"):
            await asked(r, "the party")


async def test_where_others_read_along_it_is_offered_alone(database: Database, clock: Clock) -> None:
    """Nothing of it is in the channel."""
    together = people.caller(admin=True)
    async with room(database, clock, who=together) as r:
        await morning(r)
        command = await asked(r, by=together)
        spoken = await r.say("What did I miss?", together)
    assert (missed.IN_PRIVATE, missed.IN_PRIVATE) == (command.text, spoken.text)
    assert isinstance(command, MissedReply)
    assert "turquoise" not in spoken.text


async def test_in_plain_words_it_is_answered_where_one_reads_alone(database: Database, clock: Clock) -> None:
    """And its question and answer are not kept as talk."""
    async with room(database, clock, who=ALONE) as r:
        await morning(r)
        told = await r.say("What did I miss?", ALONE)
        of_month = await r.say("What happened in March?", ALONE)
        said = await column(database, "SELECT content FROM message WHERE content LIKE '%miss%'")
    assert ("turquoise" in told.text, "turquoise" in of_month.text, said) == (True, True, [])
    assert "What happened in March" not in of_month.text


async def test_what_is_asked_for_alone_is_told_alone(database: Database, clock: Clock) -> None:
    """Also what whoever asks has decided themselves; and where there is none, it says of which."""
    async with room(database, clock, who=ALONE) as r:
        await morning(r)
        await r.overhear("We decided to keep the bench.", ALONE)
        decided = await r.say("What was decided today?", ALONE)
        others = await r.say("What was planned and asked today?", ALONE)
        none = await r.say("What was decided yesterday?", ALONE)
    assert [(True, False, False), (False, True, True)] == [
        ("turquoise" in told.text, "Friday" in told.text, "brush" in told.text) for told in (decided, others)
    ]
    assert "bench" in decided.text
    assert none.text.startswith(NOTHING)
    assert (True, False) == ("decided" in none.text, "planned" in none.text)


async def test_of_channels_one_cannot_read_nothing_is_told(database: Database, clock: Clock) -> None:
    elsewhere = replace(people.caller("Eve", person=9, channel=11, sees=(11,)), reads_alone=True)
    async with room(database, clock, who=ALONE) as r:
        await morning(r)
        await r.app.enter(elsewhere, channel_name="other", mode="all")
        reply = await asked(r, "today", by=elsewhere)
    assert reply.text.startswith(NOTHING)


async def test_what_is_said_elsewhere_takes_no_room(database: Database, clock: Clock) -> None:
    """However much of it: what one can read is found all the same, and that there was more is told."""
    elsewhere = people.caller("Eve", person=9, channel=11, sees=(11,))
    async with room(database, clock, who=ALONE) as r:
        await morning(r)
        await r.app.enter(elsewhere, channel_name="other", mode="all")
        await rows(
            database,
            "INSERT INTO message (space_id, message_id, channel_id, session_id, role, author_id, author, content,"
            " said_at, search) SELECT 1, m.message_id + n, 11, c.open_session_id, 'person', 9, 'Eve', 'Fine.', said_at,"
            " '' FROM (SELECT * FROM message WHERE space_id = 1 ORDER BY message_id DESC LIMIT 1) AS m,"
            " channel c, generate_series(1, 2100) AS n WHERE c.channel_id = 11 RETURNING message_id",
        )
        assert "turquoise" in (await asked(r, "today")).text
        for n in range(9):
            await r.overhear(f"We decided to paint door number {n} blue.", BOB)
        told = (await asked(r, "today")).text
    assert ("number 8" in told, "turquoise" in told, "5 things more" in told) == (True, False, True)


@pytest.mark.parametrize(("line", "is_told"), [("", False), ("today", False), ("2h", False), ("yesterday", True)])
async def test_ones_own_words_are_not_missed(database: Database, clock: Clock, line: str, *, is_told: bool) -> None:
    """But what happened in a while that is over is told whole."""
    async with room(database, clock, who=ALONE) as r:
        await r.overhear("Good morning.", ALONE)
        r.clock.forward(hours=1)
        await r.overhear("We decided to sell the gate.", ALONE)
        r.clock.forward(minutes=1)
        await r.overhear("I will order the paint on Friday.", BOB)
        if is_told:
            r.clock.forward(hours=24)
        told = (await asked(r, line)).text
    assert ("paint" in told, "sell" in told) == (True, is_told)


async def test_who_was_never_here_is_told_of_thirty_days(database: Database, clock: Clock) -> None:
    """And no more."""
    eve = replace(people.caller("Eve", person=9), reads_alone=True)
    async with room(database, clock, who=ALONE) as r:
        await r.overhear("We decided to sell the old gate.", BOB)
        r.clock.forward(hours=24 * (missed.FURTHEST // timedelta(days=1) - 1))
        await morning(r)
        first = await asked(r, by=eve)
        r.clock.forward(hours=48)
        later = await asked(r, by=eve)
    assert ("sell" in first.text, "sell" in later.text, "turquoise" in later.text) == (True, False, True)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("The harvest party is on Sunday at the barn.", "what's happening on sunday?"),
        ("The harvest party is on Sunday at the barn.", "Who is going to the party on sunday?"),
        ("The harvest party is on 5 April at the barn.", "what's going on on April 5?"),
        ("Am 5. April ist das Erntefest in der Scheune.", "Was ist am 5. April?"),
        ("Am Donnerstag ist das Erntefest in der Scheune.", "was ist am Donnerstag los?"),
    ],
)
async def test_what_is_to_come_is_asked_of_memory(database: Database, clock: Clock, told: str, question: str) -> None:
    """A day without a year or a week is the next one, and no while that somebody missed."""
    async with room(database, clock, who=people.caller(admin=True)) as r:
        await r.overhear(told, BOB)
        r.clock.forward(hours=1)
        answer = await r.say(question)
    assert told in answer.text


async def test_what_happened_on_a_day_is_of_the_last_one(database: Database, clock: Clock) -> None:
    async with room(database, clock, who=ALONE) as r:
        await r.overhear("We decided to sell the old gate.", BOB)
        r.clock.forward(hours=48)
        past = [await r.say(asked, ALONE) for asked in ("What was decided on Monday?", "Was ist am Montag passiert?")]
    assert all("sell the old gate" in told.text for told in past)


@pytest.mark.parametrize("who", [ALONE, people.caller()])
@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("we painted the barn on Tuesday", "What happened on Tuesday?"),
        ("the fair was on 12 April", "what happened on 12 April?"),
        ("the fair was on 12 April", "hey, what was going on on 12 April"),
    ],
)
async def test_what_is_told_of_a_day_later_happened_on_it(
    database: Database, clock: Clock, said: str, asked: str, who: Caller
) -> None:
    """Where nothing was said on the day itself."""
    async with room(database, clock, who=who) as r:
        r.clock.forward(hours=24 * 60 + 48)
        await r.overhear(said, BOB)
        r.clock.forward(hours=1)
        told = await r.say(asked)
        of_other = await r.say("What happened on 3 January?")
    assert said in told.text
    assert said not in of_other.text


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("What did I miss?", ()),
        ("hi! I was travelling for ten days, fill me in pls", ()),
        ("I've been sick all week, what happened?", ()),
        ("back from holiday, what's new?", ()),
        ("can anyone get me up to speed", ()),
        ("anything new here?", ()),
        ("any news?", ()),
        ("give me a recap of everything I missed", ()),
        ("ich war im Urlaub, was hab ich verpasst?", ()),
        ("bin wieder da, gibt's was neues?", ()),
        ("hab ich irgendwas verpasst", ()),
        ("kannst du mich auf den neuesten Stand bringen?", ()),
        ("qu'est-ce que j'ai loupé aujourd'hui ?", ()),
        ("j'étais en congé, quoi de neuf ?", ()),
        ("remets-moi à jour stp", ()),
        ("¿qué me he perdido hoy?", ()),
        ("estuve fuera una semana, ¿qué hay de nuevo?", ()),
        ("ponme al corriente por favor", ()),
        ("hey hathi, what did i miss", ()),
        ("Did I miss anything?", ()),
        ("catch me up please", ()),
        ("What happened while I was away?", ()),
        ("what happened in October?", ("October",)),
        ("What's new since yesterday?", ("since yesterday",)),
        ("what was decided last week?", ("last week",)),
        ("what was decided and planned since 11:00?", ("since 11:00",)),
        ("which questions are still open since Monday?", ("since Monday",)),
        ("Was habe ich verpasst?", ()),
        ("Was ist gestern passiert?", ("gestern",)),
        ("Que me perdí?", ()),
    ],
)
def test_it_is_known_by_its_words(text: str, times: tuple[str, ...]) -> None:
    assert missed_questions.asks(text, times)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("What happened?", ()),
        ("I was away, who has the key?", ()),
        ("I'm back home now", ()),
        ("ich bin krank", ()),
        ("what's new in the release?", ()),
        ("any news about the gate?", ()),
        ("a quick recap of the meeting please", ()),
        ("Any plans today?", ("today",)),
        ("what happened to the ladder in October?", ("October",)),
        ("I miss you", ()),
        ("Did Ben miss anything?", ()),
        ("What did I miss in the recipe for plum cake?", ()),
        ("what was decided about the gate last week?", ("last week",)),
        ("What is the vault code?", ()),
    ],
)
def test_what_asks_of_something_is_none(text: str, times: tuple[str, ...]) -> None:
    """It is looked up as any other question."""
    assert not missed_questions.asks(text, times)


def test_help_shows_what_can_be_given() -> None:
    """The form, and times for an example, each of which is understood."""
    told = grammar.explain("missed", "!")
    assert told.startswith("!missed [time]\n")
    assert grammar.TIMES in told
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    assert all(times.read_alone(one, as_of=now, zone="UTC").spans for one in grammar.TIMES.split(", "))


async def told_of(r: Room) -> list[str]:
    """What is listed as having happened today."""
    reply = await asked(r, "today")
    return [] if reply.listing is None else [entry.body for entry in reply.listing.entries]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("From now on the boats are washed only on Tuesdays.", "actually scrap the tuesday rule, we wash any day"),
        ("We decided to print a newsletter every month.", "let's drop the newsletter"),
        ("We decided to buy the red tent.", "ok the red tent is off the table"),
        ("The regatta is on 11 April.", "The regatta is on 18 April now, as the lake is low."),
        ("My party is on 3 April.", "My party is on 13 April."),
    ],
)
async def test_the_newest_of_one_thing_is_told(database: Database, clock: Clock, earlier: str, later: str) -> None:
    """What something later took back or changed is not told as if it held."""
    async with room(database, clock, who=ALONE) as r:
        await r.overhear(earlier, BOB)
        await r.overhear("We decided to paint the gate turquoise.", BOB)
        await r.overhear(later, BOB)
        bodies = await told_of(r)
    assert ["We decided to paint the gate turquoise.", later] == bodies


async def test_what_a_memory_replaced_is_not_told(database: Database, clock: Clock) -> None:
    """Nor the request to change it; the memory is told as it holds, once."""
    async with room(database, clock, who=ALONE) as r:
        await r.say("remember that the tour to Ghent is from 12 to 16 May", BOB)
        await r.run("!edit 1 the tour to Ghent is from 13 to 16 May", BOB)
        await r.overhear("correct #1: the tour to Ghent is from 13 to 16 May", BOB)
        bodies = await told_of(r)
    assert ["the tour to Ghent is from 13 to 16 May"] == bodies


async def test_a_memory_is_told_where_its_words_in_talk_are_none_of_a_kind(database: Database, clock: Clock) -> None:
    """That it was said in a while that is read whole takes it from nobody."""
    async with room(database, clock, who=ALONE) as r:
        await r.say("remember that the shed was flooded for twenty minutes", BOB)
        bodies = await told_of(r)
    assert ["the shed was flooded for twenty minutes"] == bodies


@pytest.mark.parametrize("question", ["wer bist du?", "what do you know about me?", "can you remember that I sail?"])
async def test_what_hathi_answered_is_not_open(database: Database, clock: Clock, question: str) -> None:
    """By rote too, and what asks for a memory asks nobody anything."""
    async with room(database, clock, who=ALONE) as r:
        await r.say(question, BOB)
        await r.overhear("Which brush is best?", BOB)
        bodies = await told_of(r)
    assert (False, True) == (question in bodies, "Which brush is best?" in bodies)
