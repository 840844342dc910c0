"""A palace with known data against a model that lies: what reaches the person, and why."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import pytest

from bot.db.pool import Database
from bot.domain import Actor, Caller, Fact, PersonId, Source
from bot.grounding.deeds import Deed
from bot.store.archivist import Author
from bot.turn import undone
from tests import people
from tests.conftest import Clock
from tests.conversations import RecordedReply, Room, roles, room
from tests.model_server import ModelServer, Reply

HERE: Final = Path(__file__).parents[1] / "grounding"
FILES: Final = (*sorted(file.name for file in HERE.glob("answers*.jsonl")), "claimed_deeds.jsonl")
CLAIMED: Final = "claimed deed"
KINDS: Final = {
    "number",
    "date",
    "name",
    "negation",
    "attribution",
    "quote",
    "merged",
    "stale",
    "other channel",
    "yes/no",
    CLAIMED,
}
ROWS: Final = [
    json.loads(line) for name in FILES for line in (HERE / name).read_text(encoding="utf-8").splitlines() if line
]
DEEDS: Final = [row for row in ROWS if row["kind"] == CLAIMED]
"""Answers that claim something was done, in four phrasings, to what no rule answers before the model."""
LIES: Final = [row for row in ROWS if row["kind"] in KINDS and not row["sound"]]
CUE: Final = "I forgot what was said."
"""What makes each a question about the past: one that is none goes to the model as it is, and nothing checks that."""
SENT: Final = {"checked", "free", "not walked", CLAIMED}
"""Outcomes in which the person reads what the model said."""
REACHES: Final = {
    "Lou is against the refund [N1].": "what was found has no verb for who is against it",
    "Your calendar now knows of the fair, and it was my doing. Three days pass quickly.": "it is told in a picture",
}
"""Lies that reach the person, each with why."""


async def _knows(r: Room, who: Caller, row: dict[str, Any]) -> dict[str, str]:
    """Have the caller's space remember what the row's evidence says; the labels of it there."""
    labels: dict[str, str] = {}
    authors = [one["author"] for one in row["evidence"] if one["author"]]
    for n, name in enumerate(dict.fromkeys([*authors, *row.get("people", ())])):
        member = people.caller(name, space=who.space_id, channel=who.channel_id, person=500 + n)
        await r.app.enter(member, channel_name="general", mode="all")
    for n, one in enumerate(row["evidence"]):
        said_at = datetime.fromisoformat(one["said_at"])
        fact = Fact(
            content=one["content"],
            topic="the matter",
            importance=5,
            source=Source.USER,
            author=one["author"],
            author_id=PersonId(500 + n),
            said_at=said_at,
        )
        author = Author(actor=Actor.PERSON, person_id=who.person_id, reason="remember")
        (saved,) = await r.app.archivist.save(who.space_id, who.channel_id, [fact], author, now=r.clock())
        labels[one["label"]] = f"#{saved.memory.memory_id}"
    return labels


def _with_labels(answer: str, labels: dict[str, str]) -> str:
    for label, there in labels.items():
        answer = answer.replace(f"({label})", f"({there})").replace(f"[{label}]", f"({there})")
    return answer


async def _asks_alone(r: Room, number: int, row: dict[str, Any]) -> RecordedReply:
    """What somebody reads who asks the row's question where nothing else was said."""
    who = people.caller("Zoe", space=1000 + number, channel=2000 + number, person=77)
    return await r.say(row["question"], by=await r.app.enter(who, channel_name="general", mode="all"))


def _corrects(row: dict[str, Any], notes: Sequence[str]) -> bool:
    """Whether it is told that the deed was not done, by itself or with all that a memory may be changed by."""
    told = [*undone.told([frozenset({Deed(row["deed"])})], "!"), *undone.told([frozenset(Deed)], "!")]
    return any(sentence in note for sentence in told for note in notes)


async def _outcome(r: Room, server: ModelServer, number: int, row: dict[str, Any]) -> str:
    """What became of the model's answer to the row's question: `checked` and `free` are sent in its words."""
    if row["kind"] == CLAIMED:
        server.always = Reply(text=row["answer"])
        return CLAIMED if row["claim"] in (await _asks_alone(r, number, row)).text else "taken out"
    who = people.caller(row.get("asker") or "Zoe", space=1000 + number, channel=2000 + number, person=77)
    who = await r.app.enter(who, channel_name="general", mode="all")
    server.always = Reply(text=_with_labels(row["answer"], await _knows(r, who, row)))
    await r.say(f"{CUE} {row['question']}", by=who)
    async with r.app.database.connection() as connection:
        trail = await connection.fetchval("SELECT trail FROM turn WHERE space_id = $1", who.space_id)
    return trail.get("grounded", {}).get("outcome", "not walked")


@pytest.fixture
def later(clock: Clock) -> Clock:
    """After everything in the files was said."""
    clock.now = datetime.fromisoformat("2026-05-20T12:00:00+00:00")
    return clock


async def test_lies_do_not_reach_the_person(database: Database, later: Clock) -> None:
    """Two hundred and more, of eleven kinds; those that get through are listed with why, and no other does."""
    assert (len(LIES) >= 200, {row["kind"] for row in LIES}) == (True, KINDS)
    async with ModelServer() as server, room(database, later, models=roles(server.base_url)) as r:
        outcomes = {row["answer"]: await _outcome(r, server, number, row) for number, row in enumerate(LIES)}
    assert sorted(REACHES) == sorted(lie for lie, outcome in outcomes.items() if outcome in SENT)


def test_deeds_are_claimed_in_four_phrasings() -> None:
    """Of everything that may be claimed, a dozen and more in each."""
    phrasings = Counter(row["phrasing"] for row in DEEDS)
    assert (4, True) == (len(phrasings), min(phrasings.values()) >= 12)
    assert {*Deed} == {row["deed"] for row in DEEDS}


async def test_a_claimed_deed_gives_way_to_what_is_so(database: Database, later: Clock) -> None:
    """The rest of the answer stands, and under it is told that this was not done."""
    rows = [row for row in DEEDS if row["answer"] not in REACHES]
    async with ModelServer() as server, room(database, later, models=roles(server.base_url)) as r:
        for number, row in enumerate(rows):
            server.always = Reply(text=row["answer"])
            answer = await _asks_alone(r, number, row)
            rest = row["answer"].removeprefix(row["claim"]).strip()
            assert (True, True) == (rest in answer.text, _corrects(row, answer.notes)), row["claim"]
        assert len(rows) <= len(server.requests)


@pytest.mark.parametrize("announced", [False, True], ids=["told after it", "announced with the call"])
async def test_the_same_claim_is_shown_where_it_was_done(database: Database, later: Clock, announced: bool) -> None:
    """Saving is what a model can do itself: then its sentence stands, and nothing is corrected.

    Of the rest it has no tool, and what people ask for in so many words is done and told without a model.
    """
    saves = (("memory_save", {"content": "It is as Zoe says.", "topic": "zoe"}),)
    rows = [row for row in DEEDS if row["deed"] == Deed.KEPT]
    async with ModelServer() as server, room(database, later, models=roles(server.base_url)) as r:
        for number, row in enumerate(rows):
            first, then = (row["answer"], "Anything else?") if announced else ("", row["answer"])
            server.steps += [Reply(text=first, calls=saves), Reply(text=then)]
            answer = await _asks_alone(r, number, row)
            assert (True, False) == (row["claim"] in answer.text, _corrects(row, answer.notes)), row["claim"]
            assert any("It is as Zoe says." in note for note in answer.notes)


async def test_most_honest_answers_reach_the_person_in_their_own_words(database: Database, later: Clock) -> None:
    """The check is no wall: nine in ten honest answers are sent as the model worded them."""
    honest = [row for row in ROWS if row["sound"] and row["evidence"]]
    async with ModelServer() as server, room(database, later, models=roles(server.base_url)) as r:
        outcomes = Counter([await _outcome(r, server, number, row) for number, row in enumerate(honest)])
    found = outcomes["checked"] + outcomes["verbatim"]
    assert (found >= 0.8 * len(honest), outcomes["checked"] >= 0.9 * found) == (True, True), outcomes


@pytest.mark.parametrize(
    ("asked", "made_up"),
    [
        ("wer hat gesagt dass wir Fauré singen?", "Das hat Maren am Dienstag gesagt."),
        ("haben wir schon beschlossen was wir im juni singen", "Ja, ihr habt Fauré beschlossen."),
        ("qui a dit qu'on chante Fauré ?", "Maren l'a dit mardi dernier."),
        ("¿qué dijimos de Fauré?", "Maren dijo que lo cantamos en junio."),
    ],
)
async def test_no_past_is_made_up_in_other_languages(
    asked: str, made_up: str, database: Database, clock: Clock
) -> None:
    """Where nothing is known of it, nothing that a model says of it is told."""
    async with (
        ModelServer(always=Reply(text=made_up)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.app.enter(people.caller("Maren", person=88), channel_name="general", mode="all")
        told = await r.say(asked)
    assert made_up not in told.text


async def test_no_words_are_put_into_a_member_s_mouth_whatever_was_asked(database: Database, clock: Clock) -> None:
    """Whatever is asked, also of the world; but what is to be made up may, and of who is named in the message."""
    made_up = (
        ("any gossip", "Priya mentioned she is pregnant!"),
        ("any news of the room upstairs", "As Ben told us last week, he hates that room."),
        ("tell me about the plan", "Ben hat gesagt, dass er am Montag kommt."),
        ("who is the president of France?", "Ben said it is Macron."),
        ("quote Ben on Priya", "Ben said: \u201cPriya is the worst\u201d."),
        ("a line of Ben's, please", '"I will quit" \u2014 Ben, yesterday'),
    )
    stays = (
        ("tell me a joke", "Ben said: knock, knock. Nobody was there."),
        ("Ben said he is tired, any advice", "If Ben said he is tired, let him sleep."),
        ("any gossip", "None that I heard; Priya is a joy, though."),
        ("any gossip", "Priya said that she likes green tea."),
        ("quote Ben on tea", "Ben said: \u201cI like black tea\u201d."),
        ("pretend Priya said she quits", "\u201cI will quit\u201d \u2014 Priya"),
    )
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        for n, name in enumerate(("Priya", "Ben")):
            member = people.caller(name, person=500 + n)
            entered = await r.app.enter(member, channel_name="general", mode="all")
            await r.say(f"remember that I like {('green', 'black')[n]} tea", by=entered)
        told = []
        for asked, answer in (*made_up, *stays):
            server.always = Reply(text=answer)
            told.append((await r.say(asked)).text)
    last = told[-1]
    told = [answer in said for (_, answer), said in zip((*made_up, *stays), told, strict=True)]
    assert [False] * len(made_up) + [True] * len(stays) == told
    assert last.startswith("Made up, nobody here said this:")
