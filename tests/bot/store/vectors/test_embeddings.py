"""The laws of recall by meaning: whose vectors are made, kept and found, and what happens without them."""

import asyncio
import contextlib
import hashlib
import math
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from bot.config import EmbedderSettings, Roles
from bot.db.pool import Database
from bot.domain import Caller, MessageId, WorkerId
from bot.llm.embedder import Embedder
from bot.recall.librarian import Librarian
from bot.recall.query import Query
from bot.store.spaces import Spaces
from bot.store.vectors import indexer
from bot.store.vectors.embeddings import Embeddings, Nearest
from bot.store.vectors.indexer import Indexer
from bot.store.vectors.vector_table import EmbeddingTable, written
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.embedding_server import DIMENSION, EmbeddingServer, Garbage, Hang, Status, Vectors, vector
from tests.rows import rows

PATIENCE = timedelta(seconds=20)
"""No test is about how fast this machine is."""
SOON = timedelta(seconds=0.1)
UNMADE = "the embeddings are not made yet"
TABLE = EmbeddingTable(model="bag", dimension=DIMENSION)


@dataclass(kw_only=True)
class Meaning:
    """The embedder of one process, its filling and its comparison."""

    embedder: Embedder
    filling: Indexer
    embeddings: Embeddings

    async def nearest(self, caller: Caller, question: str, limit: int = 10) -> Nearest:
        return await self.embeddings.nearest(caller, question, limit=limit)


@contextlib.asynccontextmanager
async def meaning(
    database: Database,
    server: EmbeddingServer,
    clock: Clock,
    *,
    worker: str = "host/ns/1/1",
    patience: timedelta = PATIENCE,
    compared: int = 20_000,
    **fields: Any,
) -> AsyncGenerator[Meaning]:
    """Recall by meaning with a scripted embedder."""
    given = {"base_url": server.base_url, "model": "bag", "timeout": 5} | fields
    embedder = Embedder(EmbedderSettings.model_validate(given), pause=timedelta(seconds=0.01))
    filling = Indexer(database, embedder, Spaces(database), WorkerId(worker), clock)
    embeddings = Embeddings(database, embedder, filling, clock, patience=patience, compared=compared)
    try:
        yield Meaning(embedder=embedder, filling=filling, embeddings=embeddings)
    finally:
        await embedder.aclose()


async def said(r: Room, *texts: str, by: Caller | None = None) -> list[MessageId]:
    """What somebody says that asks nothing of Hathi."""
    ids: list[MessageId] = []
    for text in texts:
        r.clock.forward(seconds=1)
        message = people.said(by or r.caller, text, r.clock())
        assert await r.app.turns.overhear(message, language="english")
        ids.append(message.message_id)
    return ids


async def vectors(database: Database, table: EmbeddingTable = TABLE) -> list[tuple[str, int]]:
    """Which rows have a vector, by kind and id."""
    return await rows(database, f"SELECT kind, id FROM {table.name} ORDER BY kind, id")


def similarity(question: str, text: str, likest: str) -> Any:
    """About the cosine of a text with a question, half of it that of its likest sentence."""

    def cosine(other: str) -> float:
        asked, there = vector(question), vector(other)
        return sum(a * b for a, b in zip(asked, there, strict=True)) / (math.hypot(*asked) * math.hypot(*there))

    return pytest.approx((cosine(text) + cosine(likest)) / 2, abs=1e-4)


@contextlib.asynccontextmanager
async def filled(
    database: Database, clock: Clock, *texts: str, **fields: Any
) -> AsyncGenerator[tuple[Room, Meaning, list[MessageId], EmbeddingServer]]:
    """A channel where some things were said and every vector is made."""
    async with EmbeddingServer() as server, room(database, clock) as r, meaning(database, server, clock, **fields) as m:
        ids = await said(r, *texts)
        await m.filling.run()
        yield r, m, ids, server


# --- what is made ---------------------------------------------------------------------------------------------------


async def test_what_people_said_and_what_is_remembered_gets_its_vector(database: Database, clock: Clock) -> None:
    """Not what Hathi said, and nothing twice."""
    async with EmbeddingServer() as server, room(database, clock) as r, meaning(database, server, clock) as m:
        await r.say("The cat sleeps in the barn.")
        await r.run("!remember We deploy on Fridays.")
        made = [await m.filling.run(), await m.filling.run()]
        ((question,),) = await rows(database, "SELECT message_id FROM message WHERE role = 'person'")
    assert ([2, 0], [("memory", 1), ("message", question)]) == (made, await vectors(database))
    assert sorted(server.texts) == ["The cat sleeps in the barn.", "We deploy on Fridays."]


async def test_the_newest_is_made_first_in_batches(database: Database, clock: Clock) -> None:
    """As many texts a request as the settings say."""
    async with filled(database, clock, "one", "two", "three", batch=2) as (_, _, _, server):
        assert [request["input"] for request in server.requests] == [["ok"], ["three", "two"], ["one"]]


async def test_a_run_is_bounded_and_the_next_goes_on(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one space so many, of all so many; nothing is made twice and nothing is left."""
    monkeypatch.setattr(indexer, "MOST_A_SPACE", 4)
    async with filled(database, clock, *map(str, range(11)), batch=2) as (_, m, ids, server):
        runs = [await m.filling.run() for _ in range(4)]
    assert ([4, 3, 0, 0], sorted(map(str, range(11)))) == (runs, sorted(server.texts))
    assert [("message", id_) for id_ in ids] == await vectors(database)


async def test_what_is_said_later_is_made_by_the_next_run(database: Database, clock: Clock) -> None:
    """A run looks at what is new; what is not new it does not read again."""
    async with filled(database, clock, "The cat sleeps.") as (r, m, ids, _):
        later = await said(r, "A car came.")
        made = await m.filling.run()
        await r.run("!remember We deploy on Fridays.")
        remembered = await m.filling.run()
    assert (1, 1) == (made, remembered)
    assert [("memory", 1), *(("message", id_) for id_ in (*ids, *later))] == await vectors(database)


@pytest.mark.parametrize("later", [timedelta(minutes=1), timedelta(days=1)], ids=["of-late", "hourly"])
async def test_an_edited_text_is_embedded_anew(database: Database, clock: Clock, later: timedelta) -> None:
    """Until it is, it is found by neither its old meaning nor its new one."""
    async with filled(database, clock, "The cat sleeps in the barn.") as (r, m, ids, _):
        clock.now += later
        await r.app.discord_edits.edited(r.caller.space_id, ids[0], "A car came.", clock(), "english")
        before = [await m.nearest(r.caller, "cat"), await m.nearest(r.caller, "car")]
        await m.filling.run()
        after = [await m.nearest(r.caller, "cat"), await m.nearest(r.caller, "car")]
    assert ([{}, {}], [None, None]) == ([n.similar for n in before], [n.failed for n in before])
    assert after[1].similar[("message", ids[0])] > 0.4 > after[0].similar[("message", ids[0])]


async def test_a_text_the_embedder_does_not_take_is_not_asked_again(database: Database, clock: Clock) -> None:
    """It counts as done, or the rest would wait for it for ever; its words find it as before."""

    def refusing(body: dict[str, Any]) -> Vectors | Status:
        return Status(status=400) if any("flood" in text for text in body["input"]) else Vectors()

    async with (
        EmbeddingServer(always=refusing) as server,
        room(database, clock) as r,
        meaning(database, server, clock) as m,
    ):
        ids = await said(r, "The cat sleeps.", "flood", "A car came.")
        await m.filling.run()
        sent = len(server.requests)
        clock.forward(hours=2)
        again = await m.filling.run()
        found = await m.nearest(r.caller, "cat")
    assert (0, sent) == (again, len(server.requests) - 1)
    assert ({("message", ids[0]), ("message", ids[2])}, None) == (set(found.similar), found.failed)


async def test_a_failing_embedder_fails_a_run_and_not_the_next(database: Database, clock: Clock) -> None:
    """Whether it is away at the start or in the middle; nothing is lost and nothing is said twice."""
    steps = (Status(status=401), Vectors(), Vectors(), Status(status=401))
    async with (
        EmbeddingServer(*steps) as server,
        room(database, clock) as r,
        meaning(database, server, clock, batch=1) as m,
    ):
        ids = await said(r, "one", "two")
        first = await m.filling.run()
        told = await m.embeddings.status(r.caller, in_full=True)
        runs = [await m.filling.run() for _ in range(2)]
    assert (0, [1, 1], [("message", id_) for id_ in ids]) == (first, runs, await vectors(database))
    assert "refused the API key" in told


async def test_garbage_makes_no_vectors(database: Database, clock: Clock) -> None:
    """What came is not kept; the next run asks again."""
    garbage = Garbage(body=b'{"data": []}')
    async with (
        EmbeddingServer(Vectors(), garbage, garbage) as server,
        room(database, clock) as r,
        meaning(database, server, clock) as m,
    ):
        await said(r, "one")
        made = [await m.filling.run(), await m.filling.run()]
    assert (0, 1) == tuple(made)


async def test_of_two_workers_one_fills(database: Database, clock: Clock) -> None:
    """The other takes over when its lease has run out."""
    async with (
        filled(database, clock, "one", worker="host/ns/1/1") as (r, _, _, server),
        meaning(database, server, clock, worker="host/ns/2/2") as other,
    ):
        await said(r, "two")
        held = await other.filling.run()
        clock.forward(minutes=3)
        taken = await other.filling.run()
    assert (0, 1) == (held, taken)


async def test_each_sentence_has_a_vector_beside_the_whole(database: Database, clock: Clock) -> None:
    """A text of one sentence has none besides; of many at most eight, each of several, so that none is left out."""
    numbers = [f"Number {n}." for n in range(1, 18)]
    texts = ("The cat sleeps!", "A car came. We left. (!)", "> is it full?\nIt is.", " ".join(numbers))
    async with filled(database, clock, *texts) as (*_, server):
        pass
    together = [" ".join(numbers[at : at + 3]) for at in range(0, 17, 3)]
    assert sorted(server.texts) == sorted([*texts, "A car came.", "We left.", "It is.", *together])


async def test_sentences_count_among_the_texts_of_a_request(database: Database, clock: Clock) -> None:
    """No request has more than the settings say."""
    async with filled(database, clock, "One. Two.", "Three. Four. Five.", batch=2) as (*_, server):
        sent = [request["input"] for request in server.requests]
    assert [["ok"], ["Three. Four. Five.", "One. Two."], ["Three.", "Four."], ["Five.", "One."], ["Two."]] == sent


async def test_a_sentence_the_embedder_does_not_take_is_left_out(database: Database, clock: Clock) -> None:
    """The whole and the other sentences are found all the same; of a whole it does not take nothing is."""

    def refusing(body: dict[str, Any]) -> Vectors | Status:
        refused = any(text in {"Flood.", "A car came. We left."} for text in body["input"])
        return Status(status=400) if refused else Vectors()

    async with (
        EmbeddingServer(always=refusing) as server,
        room(database, clock) as r,
        meaning(database, server, clock) as m,
    ):
        ids = await said(r, "Flood. The cat sleeps.", "A car came. We left.")
        await m.filling.run()
        found = await m.nearest(r.caller, "cat")
    assert [("message", ids[0])] == list(found.similar)
    assert similarity("cat", "Flood. The cat sleeps.", "The cat sleeps.") == found.similar["message", ids[0]]


async def test_an_edit_takes_the_old_sentences_with_it(database: Database, clock: Clock) -> None:
    """What was taken out of a text is not what it is found by."""
    async with filled(database, clock, "The cat sleeps. A car came.") as (r, m, ids, _):
        await r.app.discord_edits.edited(r.caller.space_id, ids[0], "We left.", clock(), "english")
        await m.filling.run()
        found = await m.nearest(r.caller, "cat")
    assert similarity("cat", "We left.", "We left.") == found.similar["message", ids[0]]


# --- what is found --------------------------------------------------------------------------------------------------


async def test_what_means_the_same_is_found_without_a_common_word(database: Database, clock: Clock) -> None:
    """Nearest first, with its cosine, and how near the newest are on the average."""
    async with filled(database, clock, "the cat sleeps in the barn", "we deploy on fridays", "the cat") as (
        r,
        m,
        ids,
        _,
    ):
        found = await m.nearest(r.caller, "feline", limit=2)
        every = await m.nearest(r.caller, "feline", limit=10)
    cosines = [every.similar["message", id_] for id_ in ids]
    assert list(found.similar) == [("message", ids[2]), ("message", ids[0])]
    assert (pytest.approx(sum(cosines) / 3), 3) == (every.mean, len(every.similar))
    assert pytest.approx((sum((c - every.mean) ** 2 for c in cosines) / 3) ** 0.5) == every.deviation


@pytest.mark.parametrize("compared", [20_000, 0], ids=["row-by-row", "by-index"])
async def test_half_of_the_similarity_is_that_of_the_likest_sentence(
    database: Database, clock: Clock, compared: int
) -> None:
    """What is said in passing is found too: wherever a text is compared, and in the average."""
    text = "We deploy on fridays. The cat sleeps. A car came, and then another one."
    async with filled(database, clock, text, "a barn", compared=compared) as (r, m, ids, _):
        found = await m.nearest(r.caller, "cat")
        cosines = await m.embeddings.similarity(r.caller, ids, [], vector("cat"))
    expected = [similarity("cat", text, "The cat sleeps."), similarity("cat", "a barn", "a barn")]
    assert expected == [found.similar["message", id_] for id_ in ids] == [cosines["message", id_] for id_ in ids]
    assert pytest.approx(sum(found.similar.values()) / 2) == found.mean


async def test_the_sample_is_of_the_newest(database: Database, clock: Clock) -> None:
    """200 of them, whatever is older."""
    texts = ["the cat"] * 5 + ["we deploy"] * 200
    async with filled(database, clock, *texts) as (r, m, _, _):
        found = await m.nearest(r.caller, "cat", limit=1)
    assert (pytest.approx(0.0, abs=1e-6), True) == (found.deviation, found.mean < 0.1)


@pytest.mark.parametrize(
    ("language", "text", "meant"),
    [
        ("english", "Where did Ann go with Ann's cat?", "Where did I go with my cat?"),
        ("english", "Where did the cat go?", "Where did the cat go?"),
        ("english", "Where is Bob Hill's cat, and where is bob?", "Where is my cat, and where is I?"),
        ("english", "Did @Ann and Bob Hill meet, or only Ann and I?", "Did we meet, or only we?"),
        ("english", "Which Ann climbed the hill of bob?", "Which I climbed the hill of I?"),
        ("english", "Was it the bob, this bob or Ann\u2019s?", "Was it the bob, this bob or my?"),
        ("german", "Wohin ging Ann mit der Katze?", "Wohin ging mit der Katze?"),
    ],
)
async def test_a_question_about_somebody_is_put_as_they_would_speak_of_themselves(
    database: Database, clock: Clock, language: str, text: str, meant: str
) -> None:
    """In English; in other languages their name is left out, as it means more to an embedder than what is asked."""
    async with filled(database, clock, "the cat sleeps in the barn") as (r, m, _, server):
        await r.app.enter(people.caller("Bob Hill", person=8), channel_name="general", mode="all")
        librarian = Librarian(database, embeddings=m.embeddings)
        await librarian.recall(replace(r.caller, language=language), Query(text=text, as_of=clock()))
    assert meant == server.texts[-1]


async def test_rows_found_by_words_get_their_cosine_too(database: Database, clock: Clock) -> None:
    """Of those the caller may see and that have one, with the vector of a question that is embedded once."""
    async with filled(database, clock, "the cat sleeps", "a car came") as (r, m, ids, server):
        await r.run("!remember The feline has a bell.")
        await m.filling.run()
        sent = len(server.requests)
        question = (await m.nearest(r.caller, "cat")).vector or []
        assert question == vector("cat") == (await m.nearest(r.caller, "cat")).vector
        cosines = await m.embeddings.similarity(r.caller, [*ids, MessageId(1)], [1, 99], question)
        elsewhere = await m.embeddings.similarity(people.caller(channel=11), ids, [1], question)
    assert {("message", ids[0]), ("message", ids[1]), ("memory", 1)} == set(cosines)
    assert cosines["message", ids[0]] > cosines["message", ids[1]]
    assert (sent + 1, {}) == (len(server.requests), elsewhere)


async def test_another_space_or_channel_is_never_found(database: Database, clock: Clock) -> None:
    """However near it is: neither its text nor its cosine, nor is it in the average."""
    async with EmbeddingServer() as server, room(database, clock) as r, meaning(database, server, clock) as m:
        for stranger in (people.caller(space=2, person=8), people.caller(channel=11, person=8)):
            known = await r.app.enter(stranger, channel_name="c", mode="all")
            await said(r, "the cat sleeps", by=known)
        (own,) = await said(r, "we deploy on fridays")
        await m.filling.run()
        found = await m.nearest(r.caller, "cat")
        both = await m.nearest(people.caller(sees=(10, 11)), "cat")
    assert ([("message", own)], 0.0, 2) == (list(found.similar), found.deviation, len(both.similar))


async def test_a_caller_who_sees_nothing_finds_nothing(database: Database, clock: Clock) -> None:
    """No permission known, nothing shown."""
    async with filled(database, clock, "the cat sleeps") as (_, m, _, _):
        assert Nearest(vector=vector("cat")) == await m.nearest(people.caller(sees=()), "cat")


async def test_a_large_space_is_searched_by_the_index(database: Database, clock: Clock) -> None:
    """With the same result where there is little in it, and never another space's."""
    async with filled(database, clock, "the cat sleeps", "a car came", compared=1) as (r, m, ids, server):
        stranger = await r.app.enter(people.caller(space=2, person=8), channel_name="c", mode="all")
        await said(r, "the cat", "a cat", by=stranger)
        await m.filling.run()
        async with meaning(database, server, clock) as exact:
            assert await m.nearest(r.caller, "feline") == await exact.nearest(r.caller, "feline")
        assert {("message", id_) for id_ in ids} == set((await m.nearest(r.caller, "feline")).similar)


# --- without it -----------------------------------------------------------------------------------------------------


async def test_a_recall_goes_without_an_embedder_that_hangs(database: Database, clock: Clock) -> None:
    """It says so, and does not wait for the answer."""
    async with filled(database, clock, "the cat sleeps", patience=SOON) as (r, m, _, server):
        hang = Hang()
        server.steps += [hang]
        found = await m.nearest(r.caller, "cat")
        assert not hang.gate.is_set()
    assert ("did not answer within 0.1 s" in str(found.failed), found.similar, found.vector) == (True, {}, None)


async def test_a_recall_goes_without_a_comparison_that_takes_too_long(database: Database, clock: Clock) -> None:
    """The time is for both together: a table that is locked is not waited for either."""
    async with filled(database, clock, "the cat sleeps", patience=SOON) as (r, m, _, _):
        # Known from before, so that the time goes by with the comparison.
        while (await m.nearest(r.caller, "cat")).vector is None:
            pass
        async with database.transaction() as connection:
            await connection.execute(TABLE.filled("LOCK TABLE {table}"))
            found = await m.nearest(r.caller, "cat")
    assert ("compared within 0.1 s" in str(found.failed), found.similar) == (True, {})


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (Status(status=503), "the embedder can't be reached"),
        (Status(status=401), "the embedder refused the question"),
        (Garbage(body=b"{}"), "the embedder refused the question"),
        (Vectors(dimension=8), UNMADE),
    ],
)
async def test_a_recall_says_why_it_went_without(database: Database, clock: Clock, step: Any, why: str) -> None:
    """In half a sentence; the next one is asked anew."""
    async with filled(database, clock, "the cat sleeps") as (r, m, _, server):
        server.steps = [step]
        failed = await m.nearest(r.caller, "cat")
        server.steps = []
        found = await m.nearest(r.caller, "feline")
    assert (why, {}, None) == (failed.failed, failed.similar, found.failed)


async def test_half_of_the_embeddings_are_not_compared(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until all are made a recall goes without, and says how many are; what was only just said is not waited for."""
    monkeypatch.setattr(indexer, "MOST_A_SPACE", 40)
    async with EmbeddingServer() as server, room(database, clock) as r, meaning(database, server, clock, batch=20) as m:
        nothing = await m.nearest(r.caller, "cat")
        await said(r, *["the cat sleeps"] * 50)
        clock.forward(minutes=3)
        await m.filling.run()
        half = await m.nearest(r.caller, "cat")
        status = await m.embeddings.status(r.caller, in_full=True)
        await m.filling.run()
        await said(r, "a car came")
        whole = await m.nearest(r.caller, "cat", limit=100)
    assert nothing.failed == UNMADE
    assert (str(half.failed).endswith("being made: 40 of 50"), half.similar) == (True, {})
    assert status.startswith("embeddings: bag, 40 of 50 made; last call ok in ")
    assert (whole.failed, len(whole.similar)) == (None, 50)


async def test_the_latest_questions_are_kept_in_mind(database: Database, clock: Clock) -> None:
    """256 of them; one asked again is not sent again."""
    async with filled(database, clock, "the cat sleeps") as (r, m, _, server):
        sent = len(server.requests)
        for number in [*range(256), 0, 256, 0, 1]:
            await m.nearest(r.caller, f"question {number}")
    assert [r["input"][0] for r in server.requests[sent:]] == [
        *(f"question {number}" for number in range(257)),
        "question 1",
    ]


@pytest.mark.parametrize(
    ("name", "statement", "why"),
    [
        ("support", "SELECT NULL WHERE false", "this Postgres has no pgvector"),
        ("support", "SELECT '0.7.4'", "pgvector 0.7.4 is too old"),
        ("extension", "DO $$ BEGIN RAISE insufficient_privilege; END $$", "must run CREATE EXTENSION vector"),
    ],
)
async def test_without_the_extension_it_says_so(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch, name: str, statement: str, why: str
) -> None:
    """No text is sent to the embedder but the question, nothing fails, and `!status` names what is missing."""
    monkeypatch.setattr(indexer.Sql, name, statement)
    async with EmbeddingServer() as server, room(database, clock) as r, meaning(database, server, clock) as m:
        ids = await said(r, "the cat sleeps")
        made, found = await m.filling.run(), await m.nearest(r.caller, "cat")
        cosines = await m.embeddings.similarity(r.caller, ids, [], vector("cat"))
        status = await m.embeddings.status(r.caller, in_full=True)
    assert (0, UNMADE, {}) == (made, found.failed, cosines)
    assert (["cat"], True) == (server.texts, why in status)


# --- what goes ------------------------------------------------------------------------------------------------------


async def test_what_is_forgotten_is_not_found_and_loses_its_vector_with_its_text(
    database: Database, clock: Clock
) -> None:
    """At once the one, when undo is over the other; undone in between it is found again."""
    async with filled(database, clock) as (r, m, _, _):
        await r.say("Remember that the cat sleeps in the barn.")
        await m.filling.run()
        before = await m.nearest(r.caller, "feline")
        await r.run("!forget 1")
        hidden = await m.nearest(r.caller, "feline")
        cosines = await m.embeddings.similarity(r.caller, [id_ for _, id_ in before.similar], [1], vector("cat"))
        await r.run("!undo")
        back = await m.nearest(r.caller, "feline")
        await r.run("!forget 1")
        clock.forward(minutes=10)
        await r.app.schedule.upkeep()
        assert [] == await vectors(database)
    assert (2, {}, {}, before) == (len(before.similar), hidden.similar, cosines, back)


async def test_what_is_deleted_takes_its_vector_with_it(database: Database, clock: Clock) -> None:
    """In the same transaction: the message's, and those of the memories that rest on it alone."""
    async with filled(database, clock, "the cat sleeps", "a car came") as (r, m, ids, _):
        await r.say("Remember that the barn is red.")
        await m.filling.run()
        (*_, asked) = [id_ for kind, id_ in await vectors(database) if kind == "message"]
        await r.app.discord_edits.deleted(r.caller.space_id, [ids[0], MessageId(asked)], clock())
        assert [("message", ids[1])] == await vectors(database)


async def test_erasing_a_person_erases_their_vectors(database: Database, clock: Clock) -> None:
    """`!mydata erase`: of what they said and of what they asked to remember; others keep theirs."""
    bob = people.caller("Bob", person=8)
    async with filled(database, clock, "the cat sleeps") as (r, m, ids, _):
        await r.app.enter(bob, channel_name="general", mode="all")
        await said(r, "a cat ran", by=bob)
        await r.run("!remember The cat is called Ada.", by=bob)
        await m.filling.run()
        assert len(await vectors(database)) == 3
        await r.app.personal_data.erase(bob.person_id, now=clock())
        assert [("message", ids[0])] == await vectors(database)


async def test_old_messages_take_their_vectors_with_them(database: Database, clock: Clock) -> None:
    """Retention deletes both."""
    async with filled(database, clock, "the cat sleeps") as (r, _, _, _):
        await r.run("!reset discard")
        clock.forward(days=400)
        await r.app.schedule.retention()
        assert ([], []) == (await rows(database, "SELECT 1 FROM message"), await vectors(database))


async def test_who_opts_out_is_not_found_nor_sent_and_loses_their_vectors(database: Database, clock: Clock) -> None:
    """Found no more at once; the vectors go with the next look through the space, and come back if they do."""
    async with filled(database, clock, "the cat sleeps") as (r, m, ids, server):
        await r.run("!remember The feline has a bell.")
        await m.filling.run()
        await said(r, "a cat ran")
        await r.app.people.opt_out(r.caller.person_id, clock())
        sent = len(server.texts)
        found = await m.nearest(r.caller, "cat")
        cosines = await m.embeddings.similarity(r.caller, ids, [1], vector("cat"))
        clock.forward(hours=1)
        await m.filling.run()
        assert ({}, {}, [], ["cat"]) == (found.similar, cosines, await vectors(database), server.texts[sent:])
        await r.app.people.opt_in(r.caller.person_id)
        clock.forward(hours=1)
        assert await m.filling.run() == 3


async def test_a_memory_that_was_edited_is_found_by_its_new_words(database: Database, clock: Clock) -> None:
    """The old version is not living: its vector is found no more, and goes."""
    async with filled(database, clock) as (r, m, _, _):
        await r.run("!remember The cat sleeps.")
        await m.filling.run()
        await r.run("!edit 1 A car came.")
        await m.filling.run()
        found = await m.nearest(r.caller, "cat")
        clock.forward(hours=1)
        await m.filling.run()
    assert ({("memory", 2)}, [("memory", 2)]) == (set(found.similar), await vectors(database))


async def _forgets(r: Room, ids: Sequence[MessageId]) -> None:
    await r.run("!reset discard")


async def _deletes(r: Room, ids: Sequence[MessageId]) -> None:
    await r.app.discord_edits.deleted(r.caller.space_id, ids, r.clock())


async def _edits(r: Room, ids: Sequence[MessageId]) -> None:
    await r.app.discord_edits.edited(r.caller.space_id, ids[0], "A car came.", r.clock(), "english")


async def _opts_out(r: Room, ids: Sequence[MessageId]) -> None:
    await r.app.people.opt_out(r.caller.person_id, r.clock())


@pytest.mark.parametrize("goes", [_forgets, _deletes, _edits, _opts_out])
async def test_what_goes_while_the_embedder_works_gets_no_vector(
    database: Database, clock: Clock, goes: Callable[[Room, Sequence[MessageId]], Any]
) -> None:
    """Nothing waits for the embedder; what it answers about words that are gone is thrown away."""
    hang = Hang()
    async with EmbeddingServer() as server, room(database, clock) as r, meaning(database, server, clock) as m:
        ids = await said(r, "the cat sleeps")
        server.steps += [Vectors(), hang]
        run = asyncio.create_task(m.filling.run())
        while len(server.requests) < 2:
            server.asked.clear()
            await server.asked.wait()
        await goes(r, ids)
        hang.gate.set()
        await run
        assert [] == await vectors(database)


async def test_erasing_works_without_an_embedder(database: Database, clock: Clock) -> None:
    """Taken out of the settings, its table is still there, and what is erased still leaves it."""
    async with filled(database, clock, "the cat sleeps") as (_, _, ids, _):
        pass
    async with room(database, clock) as r:
        assert r.app.embeddings is None
        await r.app.discord_edits.deleted(r.caller.space_id, ids, clock())
    assert [] == await vectors(database)


# --- another model --------------------------------------------------------------------------------------------------


async def test_another_model_has_its_own_table_and_the_old_one_goes_when_it_is_full(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then the old one is there, and no recall compares a question of one with vectors of the other."""
    other = EmbeddingTable(model="sack", dimension=16)
    monkeypatch.setattr(indexer, "MOST_A_SPACE", 2)
    async with filled(database, clock, "the cat sleeps", "a car came", "a barn") as (r, old, ids, server):
        await old.filling.run()
        clock.forward(minutes=3)
        async with meaning(database, server, clock, model="sack", dimensions=16, worker="host/ns/2/2") as new:
            await new.filling.run()
            half = await new.nearest(r.caller, "feline")
            both = (len(await vectors(database)), len(await vectors(database, other)))
            await new.filling.run()
            await new.filling.run()
            whole = await new.nearest(r.caller, "feline")
    assert ({}, (3, 2)) == (half.similar, both)
    assert str(half.failed).endswith("being made: 2 of 3")
    assert {("message", id_) for id_ in ids} == set(whole.similar)
    assert [(other.name,)] == await rows(
        database, "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^embedding_[0-9a-f]{12}_'"
    )
    assert [(TABLE.name, True), (other.name, False)] == await rows(
        database, "SELECT table_name, retired_at IS NOT NULL FROM embedding_table ORDER BY made_at"
    )


async def test_a_model_that_comes_back_begins_anew(database: Database, clock: Clock) -> None:
    """Its table was dropped; a process that still has it in mind makes it again, and is told so meanwhile."""
    async with filled(database, clock, "the cat sleeps") as (r, old, ids, server):
        clock.forward(minutes=3)
        async with meaning(database, server, clock, dimensions=16, worker="host/ns/2/2") as new:
            await new.filling.run()
        gone = await old.nearest(r.caller, "cat")
        clock.forward(minutes=3)
        await old.filling.run()
        await old.filling.run()
        back = await old.nearest(r.caller, "cat")
    assert (UNMADE, [("message", ids[0])]) == (gone.failed, list(back.similar))


async def test_a_table_somebody_dropped_is_made_again(database: Database, clock: Clock) -> None:
    """By hand, with Hathi running: a recall says so, and the next runs mend it."""
    async with filled(database, clock, "the cat sleeps") as (r, m, ids, _):
        async with database.connection() as connection:
            await connection.execute(TABLE.filled("DROP TABLE {table}"))
        gone, cosines = (
            await m.nearest(r.caller, "cat"),
            await m.embeddings.similarity(r.caller, ids, [], vector("cat")),
        )
        status = await m.embeddings.status(r.caller, in_full=True)
        made = [await m.filling.run() for _ in range(2)]
        back = await m.nearest(r.caller, "cat")
    assert (UNMADE, {}) == (gone.failed, cosines)
    assert "they are made anew" in status
    assert ([0, 1], [("message", ids[0])]) == (made, list(back.similar))


async def test_a_table_of_an_earlier_form_is_filled_anew_and_dropped(database: Database, clock: Clock) -> None:
    """Its vectors are compared with nothing any more; it goes when those of today are all made."""
    old = "embedding_0123456789ab_64"
    async with EmbeddingServer() as server, room(database, clock) as r, meaning(database, server, clock) as m:
        async with database.connection() as connection:
            await connection.execute(f"CREATE TABLE {old} (vector text)")  # pyright: ignore[reportArgumentType]
            await connection.execute(
                "INSERT INTO embedding_table (table_name, model, dimension, made_at, filled_at)"
                " VALUES ($1, 'bag', $2, $3, $3)",
                old,
                DIMENSION,
                clock(),
            )
        ids = await said(r, "the cat sleeps")
        before = await m.nearest(r.caller, "cat")
        await m.filling.run()
        found = await m.nearest(r.caller, "cat")
    assert (UNMADE, [("message", ids[0])]) == (before.failed, list(found.similar))
    assert [(None,)] == await rows(database, "SELECT to_regclass($1)::text", old)
    assert [(old, True), (TABLE.name, False)] == await rows(
        database, "SELECT table_name, retired_at IS NOT NULL FROM embedding_table ORDER BY table_name"
    )


async def test_a_table_is_registered_by_what_its_name_is_made_of(database: Database, clock: Clock) -> None:
    """A version that makes a table's name of the registered model drops the right one, when it is the one to run."""
    async with filled(database, clock, "the cat sleeps"):
        ((model, name),) = await rows(database, "SELECT model, table_name FROM embedding_table")
    assert name == f"embedding_{hashlib.sha256(model.encode()).hexdigest()[:12]}_{DIMENSION}"


async def test_two_models_in_use_do_not_drop_each_other(database: Database, clock: Clock) -> None:
    """As while one process after the other is started with new settings."""
    async with (
        filled(database, clock, "the cat sleeps") as (r, old, _, server),
        meaning(database, server, clock, dimensions=16, worker="host/ns/2/2") as new,
    ):
        for _ in range(3):
            await old.filling.run()
            await new.filling.run()
            clock.forward(minutes=1)
        found = [await m.nearest(r.caller, "feline") for m in (old, new)]
    assert [(None, 1), (None, 1)] == [(n.failed, len(n.similar)) for n in found]


async def test_a_model_whose_vectors_grow_is_filled_anew(database: Database, clock: Clock) -> None:
    """The same name, another length: what came is not kept beside the old ones."""
    async with filled(database, clock, "the cat sleeps") as (r, m, _, server):
        server.always = Vectors(dimension=32)
        await said(r, "a car came")
        changed, status = await m.filling.run(), await m.embeddings.status(r.caller, in_full=True)
        anew, found = await m.filling.run(), await m.nearest(r.caller, "cat")
    assert (0, True, 2) == (changed, "another length" in status, anew)
    assert (2, None) == (len(found.similar), found.failed)


@pytest.mark.parametrize(
    ("dimension", "kind", "indexed"),
    [(2000, "vector", True), (2001, "halfvec", True), (4000, "halfvec", True), (4001, "halfvec", False)],
)
async def test_long_vectors_are_kept_as_the_index_allows(
    database: Database, clock: Clock, dimension: int, kind: str, indexed: bool
) -> None:
    """Whole up to 2,000 numbers, of half the precision up to 4,000, without an index beyond, and status says so."""
    table = EmbeddingTable(model="bag", dimension=dimension)
    async with (
        EmbeddingServer(dimension=dimension) as server,
        room(database, clock) as r,
        meaning(database, server, clock, compared=0) as m,
    ):
        ids = await said(r, "the cat sleeps", "a car came")
        await m.filling.run()
        found, status = await m.nearest(r.caller, "feline"), await m.embeddings.status(r.caller, in_full=True)
    assert list(found.similar) == [("message", id_) for id_ in ids]
    assert ("too many dimensions for an index" in status) is not indexed
    held = (
        "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = $1::text::regclass AND attnum = 7"
    )
    there = "SELECT count(*) FROM pg_class WHERE relname = $1"
    assert [(f"{kind}({dimension})",)] == await rows(database, held, table.name)
    assert [(int(indexed),)] == await rows(database, there, f"{table.name}_nearest")


@pytest.mark.parametrize("name", ["bag", "BAAI/bge-m3", "x; DROP TABLE memory", "", "ünïcode"])
def test_a_table_is_named_by_nothing_a_model_says(name: str) -> None:
    """Whatever a model is called, the name is letters and figures of a hash, and always the same."""
    table = EmbeddingTable(model=name, dimension=384)
    assert table.name == EmbeddingTable(model=name, dimension=384).name
    assert (table.name.removeprefix("embedding_").removesuffix("_384").isalnum(), len(table.name)) == (True, 26)
    assert table.filled("SELECT 1 FROM {table}") == f"SELECT 1 FROM {table.name}"


@pytest.mark.parametrize("dimension", [0, -1, 16_001])
def test_a_table_of_no_possible_length_is_in_no_statement(dimension: int) -> None:
    """It is refused where the statement is made."""
    with pytest.raises(ValueError, match="no table of vectors"):
        EmbeddingTable(model="bag", dimension=dimension).filled("SELECT 1 FROM {table}")


def test_a_vector_is_written_with_all_its_figures() -> None:
    """Nine are all that a number of four bytes has."""
    assert written([1.0, -0.123456789123, 1e-07]) == "[1,-0.123456789,1e-07]"


# --- the whole ------------------------------------------------------------------------------------------------------


async def test_vectors_are_made_each_minute_and_only_with_an_embedder(database: Database, clock: Clock) -> None:
    """Without one in the settings there is no such job."""
    async with EmbeddingServer() as server:
        embedder = EmbedderSettings.model_validate({"base_url": server.base_url, "model": "bag"})
        every = list[timedelta | None]()
        for roles in (Roles(embedder=embedder), Roles()):
            async with room(database, clock, models=roles) as r:
                every.append({job.name: job.every for job in r.app.schedule.jobs}.get("embeddings"))
    assert [timedelta(minutes=1), None] == every


async def test_the_clock_fills_and_status_tells(database: Database, clock: Clock) -> None:
    """An application with an embedder in its settings makes the vectors by itself, from its start."""
    async with EmbeddingServer() as server:
        embedder = EmbedderSettings.model_validate({"base_url": server.base_url, "model": "bag"})
        async with room(database, clock, models=Roles(embedder=embedder)) as r:
            await r.run("!remember The cat sleeps.")
            waiting = await r.run("!status")
            async with r.app.schedule.started():
                await r.app.background.settled(20)
            status = await r.run("!status")
            assert r.app.embeddings is not None
            question = (await r.app.embeddings.nearest(r.caller, "feline", limit=1)).vector
    assert "embeddings: bag, none" in waiting
    assert ("embeddings: bag, 1 of 1 made; last call ok" in status, question) == (True, vector("feline"))
