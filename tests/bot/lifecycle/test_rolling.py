"""The laws of the rolling summary: what each version is made of, and what may not be changed in it."""

import json
from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import errors
from bot.config import ChunkSettings, MemorySettings
from bot.db.pool import Database
from bot.domain import MessageId, SpaceId
from bot.lifecycle import rolling
from bot.llm.tokens import estimate
from bot.prompting import last_sentences
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply, Step
from tests.rows import column, one, rows

ANN, BOB = people.caller(admin=True), people.caller("Bob", person=8)
SPACE = SpaceId(1)
SMALL = MemorySettings(chunks=ChunkSettings(messages=4, skip=0, idle=timedelta(hours=6)))
VERSIONS = "SELECT text FROM chat_summary WHERE chunk_id IS NOT NULL AND withheld_at IS NULL ORDER BY chunk_id"
FIRST = ("We decided to use Rust.", "Bob has the key.", "The code is 4417.", "Fine.")
SECOND = ("Carol moved to Lisbon.", "The party is on 12 May.", "I prefer tea.", "Fine.")


async def said(r: Room, *texts: str) -> list[int]:
    """What Ann and Bob said in turn, and what became of it."""
    for number, text in enumerate(texts):
        await r.overhear(text, BOB if number % 2 else ANN)
    await r.app.creator.run([SPACE])
    return await column(r.app.database, "SELECT message_id FROM message ORDER BY 1")


@pytest.fixture
async def here(database: Database, clock: Clock) -> AsyncGenerator[Room]:
    async with room(database, clock, who=ANN, memory=SMALL) as r:
        yield r


async def test_each_version_is_made_of_the_one_before_and_the_new_chunk(here: Room) -> None:
    """Without a model they are appended, and linked to the last chunk they took in.

    “rolling summary, continuously updated, linked by hash”
    """
    ids = await said(here, *FIRST)
    (version,) = await column(here.app.database, VERSIONS)
    assert "Rust" in version
    ids = await said(here, *SECOND)
    first, second = await column(here.app.database, VERSIONS)
    assert first == version
    assert ("Rust" in second, "12 May" in second) == (True, True)
    linked = await column(here.app.database, "SELECT chunk_id FROM chat_summary WHERE chunk_id IS NOT NULL ORDER BY 1")
    assert linked == [ids[3], ids[7]]


async def test_a_rebuild_asked_for_while_a_channel_is_at_work_is_done(here: Room) -> None:
    """Also of the first version of all, just before whoever makes it lets the channel go."""
    for text in FIRST:
        await here.overhear(text)
    app, now = here.app, here.clock()
    claim = await app.creator.chunks.claim(SPACE, ANN.channel_id, now=now)
    assert claim is not None
    messages, _ = await app.creator.distiller.read(SPACE, claim.session_id)
    await app.creator.chunks.finish(
        claim, await app.creator.distiller.distil(SPACE, claim.session_id, messages), now=now
    )
    await app.creator.rolling.roll(claim)
    await here.run("!summary rebuild")
    await app.background.settled(20)
    await app.creator.chunks.release(claim, now=now)
    assert [] == await column(app.database, VERSIONS)
    await app.schedule.upkeep()
    assert 1 == len(await column(app.database, VERSIONS))


async def test_a_deletion_takes_every_version_from_that_chunk_on(here: Room) -> None:
    """The one before stands, and one rebuild from the ledger follows, without what is gone."""
    await said(here, *FIRST)
    ids = await said(here, *SECOND)
    await here.app.discord_edits.deleted(SPACE, [MessageId(ids[4])], here.clock.forward(seconds=1))
    (left,) = await column(here.app.database, VERSIONS)
    assert "Rust" in left
    await here.app.creator.run([SPACE])
    assert ["Lisbon" in text for text in await column(here.app.database, VERSIONS)] == [False, False]
    await here.app.discord_edits.deleted(SPACE, [MessageId(ids[0])], here.clock.forward(seconds=1))
    assert [] == await column(here.app.database, VERSIONS)
    here.clock.forward(hours=2)
    await here.app.creator.run([SPACE])
    versions = await column(here.app.database, VERSIONS)
    assert ("Rust" in versions[-1], "12 May" in versions[-1]) == (False, True)


async def test_forgetting_withholds_and_undo_brings_back(here: Room) -> None:
    """The same versions."""
    await said(here, *FIRST)
    await said(here, *SECOND)
    number = await one(here.app.database, "SELECT memory_id FROM memory WHERE content LIKE '%12 May%'")
    await here.run(f"!forget {number}")
    assert 1 == len(await column(here.app.database, VERSIONS))
    await here.run("!undo")
    assert 2 == len(await column(here.app.database, VERSIONS))


async def test_a_reset_by_a_person_starts_afresh(here: Room) -> None:
    """The next version tells of what is said from then on; a session that ends by itself changes nothing."""
    await said(here, *FIRST)
    here.clock.forward(days=8)
    await here.app.schedule.upkeep()
    await said(here, *SECOND)
    assert "Rust" in (await column(here.app.database, VERSIONS))[-1]
    await here.reset()
    await said(here, "Dora sings.", "We chose the red door.", "Yes.", "Fine.")
    version = (await column(here.app.database, VERSIONS))[-1]
    assert ("Rust" in version, "red door" in version) == (False, True)


async def test_a_version_is_not_written_of_what_is_taken_back_meanwhile(here: Room) -> None:
    """Neither of a chunk that is gone, nor of a version that told of one."""
    creator = here.app.creator
    ids = await said(here, *FIRST)
    for number, text in enumerate(SECOND):
        await here.overhear(text, BOB if number % 2 else ANN)
    claim = await creator.chunks.claim(SPACE, 10, now=here.clock())
    assert claim is not None
    messages, made = await creator.distiller.read(SPACE, claim.session_id)
    left = [message for message in messages if message.message_id not in made]
    distilled = await creator.distiller.distil(SPACE, claim.session_id, left)
    await creator.chunks.finish(claim, distilled, now=here.clock())
    version, fresh = await creator.chunks.rolled(claim)
    assert version is not None
    await here.app.discord_edits.deleted(SPACE, [MessageId(ids[0])], here.clock.forward(seconds=1))
    with pytest.raises(errors.EvidenceGone):
        await creator.chunks.roll(claim, version, fresh, "They use Rust.", "m", now=here.clock())
    assert [] == await column(here.app.database, VERSIONS)


async def test_what_is_made_again_later_is_taken_in_too(here: Room) -> None:
    """A chunk that is made again behind a newer version makes that one again."""
    await said(here, *FIRST)
    ids = await said(here, *SECOND)
    for gone in (ids[3], ids[2]):
        await here.app.discord_edits.deleted(SPACE, [MessageId(gone)], here.clock.forward(seconds=1))
        await here.app.creator.run([SPACE])
    await said(here, "Dora sings.", "We chose the red door.", "Yes.", "Fine.")
    here.clock.forward(hours=2)
    await here.app.creator.run([SPACE])
    version = (await column(here.app.database, VERSIONS))[-1]
    assert ("Rust" in version, "12 May" in version, "red door" in version) == (True, True, True)


def _answers(versions: list[str]) -> Any:
    """A summarizer that says these of chunks' texts, and distils nothing."""

    def answer(body: dict[str, Any]) -> Step:
        if "response_format" in body:
            lines = body["messages"][1]["content"]
            text = "They use Rust; the code is 4417." if "Rust" in lines else "Carol is in Lisbon, the party on 12 May."
            return Reply(text=json.dumps({"summary": text, "facts": []}))
        return Reply(text=versions.pop(0))

    return answer


GOOD = "They use Rust and the code is 4417. Carol is in Lisbon, the party on 12 May."


@pytest.mark.parametrize(
    ("answers", "expected", "model"),
    [
        ([GOOD], GOOD, "scripted"),
        (["They use Rust and the code is 4418. Carol is in Lisbon, the party on 12 May.", GOOD], GOOD, "scripted"),
        (["They use Rust.", GOOD], GOOD, "scripted"),
        (
            ["They use Rust.", "Dora is in Lisbon, the code is 4417, the party on 12 May, Rust, Carol."],
            "",
            "extraction",
        ),
        (["", ""], "", "extraction"),
    ],
    ids=["good", "a changed number", "much lost", "a changed name twice", "nothing"],
)
async def test_a_version_that_changes_or_loses_is_asked_for_once_more(
    database: Database, clock: Clock, answers: list[str], expected: str, model: str
) -> None:
    """Else the old one stays and the chunk is appended."""
    async with (
        ModelServer(always=_answers([*answers])) as server,
        room(database, clock, who=ANN, memory=SMALL, models=roles(server.base_url)) as r,
    ):
        await said(r, *FIRST)
        await said(r, *SECOND)
        versions = await rows(
            database, "SELECT text, model FROM chat_summary WHERE chunk_id IS NOT NULL ORDER BY chunk_id"
        )
        appended = "They use Rust; the code is 4417.\n\nCarol is in Lisbon, the party on 12 May."
        assert versions[-1] == (expected or appended, model)


@given(st.lists(st.sampled_from(["The code is 4417.", "Carol moved.", "x " * 100 + ".", "Why?"]), max_size=60))
def test_a_version_is_never_too_long_and_keeps_its_end(sentences: list[str]) -> None:
    """What it loses is what it told first."""
    whole = " ".join(sentences)
    short = last_sentences.of(whole, rolling.MOST_TOKENS)
    assert estimate(short) <= rolling.MOST_TOKENS + 4
    assert " ".join(whole.split()).endswith(" ".join(short.split()))
