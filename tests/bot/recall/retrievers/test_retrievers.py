"""The laws of the retrievers: what each gives, of what may be told, and of live talk where nothing is kept."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot import app
from bot.config import ChunkSettings, MemorySettings
from bot.db.pool import Database
from bot.domain import Actor, Caller, ChannelId, Fact, Message, Source, SpaceId, What, id_time
from bot.presentation import retrieved
from bot.recall.ledger_search import LedgerSearch, NewestEntries
from bot.recall.retrievers.registry import Retrievers
from bot.recall.retrievers.retrieval import NOTHING, Retrieval, Wanted, of_message
from bot.store.archivist import Author
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import column

ANN, BOB = people.caller(admin=True), people.caller("Bob", person=8)
SMALL = MemorySettings(chunks=ChunkSettings(messages=4, skip=0, idle=timedelta(hours=6)))
START = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ALL = ("recent", "first", "summary", "search", "since")


@dataclass
class Place:
    here: Room
    each: Retrievers

    async def talk(self, *texts: str) -> None:
        """Four lines make a chunk."""
        for number, text in enumerate(texts):
            await self.here.overhear(text, BOB if number % 2 else ANN)
        await self.here.app.creator.run([SpaceId(1)])

    async def ask(self, name: str, caller: Caller = ANN, **wanted: object) -> Retrieval:
        return await self.each[name].retrieve(replace(Wanted(caller=caller), **wanted))  # pyright: ignore[reportArgumentType]


@pytest.fixture
async def place(database: Database, clock: Clock) -> AsyncGenerator[Place]:
    async with room(database, clock, who=ANN, memory=SMALL) as r:
        yield Place(r, app.all_retrievers(database, r.app.librarian, clock))


def texts(found: Retrieval) -> list[str]:
    return [one.text for one in found.passages]


async def test_recent_first_and_summary_tell_the_ledger(place: Place) -> None:
    """The newest oldest first, the first, and the newest version of the summary; each with its while and its place.

    “RecentMemory / RecentMemorySummarizerTool: last N chunks”
    """
    for what in ("Rust", "oak", "teal"):
        await place.talk(f"We decided to use {what}.", "Yes.", "Fine.", "Good.")
        place.here.clock.forward(hours=1)
    recent, first = await place.ask("recent", most=2), await place.ask("first", most=1)
    assert (["oak", "teal"], ["Rust"]) == (
        [word for text in texts(recent) for word in ("oak", "teal") if word in text],
        [word for text in texts(first) for word in ("Rust",) if word in text],
    )
    (summary,) = texts(await place.ask("summary"))
    assert all(word in summary for word in ("Rust", "oak", "teal"))
    began = min(await column(place.here.app.database, "SELECT first_message_id FROM chunk"))
    assert (ChannelId(10), began) == first.passages[0].at


async def test_what_several_read_of_the_ledger_is_read_once(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they are asked the same; of another time it is read anew."""
    await place.talk("We decided to use Rust.", "Yes.", "Fine.", "Good.")
    read, newest = list[datetime | None](), LedgerSearch.newest

    async def noted(ledger: LedgerSearch, caller: Caller, *, until: datetime | None, **more: Any) -> NewestEntries:
        read.append(until)
        return await newest(ledger, caller, until=until, **more)

    monkeypatch.setattr(LedgerSearch, "newest", noted)
    wanted, before = Wanted(caller=ANN), datetime(2000, 1, 1, tzinfo=UTC)
    for asked in (wanted, replace(wanted, until=before)):
        found = await asyncio.gather(*(place.each[name].retrieve(asked) for name in ("recent", "summary")))
        assert (asked is wanted) == all(texts(one) for one in found)
    assert [None, before] == read


async def test_after_a_reset_a_prompt_begins_afresh_and_who_asks_does_not(place: Place) -> None:
    """Memory outlives a reset; what is shown unasked does not."""
    await place.talk("We decided to use Rust.", "Yes.", "Fine.", "Good.")
    await place.here.reset()
    for name in ("recent", "first", "summary"):
        assert ([], 1) == (texts(await place.ask(name, after_reset=True)), len(texts(await place.ask(name))))


@pytest.mark.parametrize("name", ALL)
async def test_until_a_moment_nothing_is_told_of_what_was_said_from_then_on(place: Place, name: str) -> None:
    """Neither of what was recorded later nor of what was made of it; a reset that came later had not happened."""
    began = place.here.clock()
    await place.talk("We decided to paint the gate turquoise.", "Yes.", "Fine.", "Good.")
    then = place.here.clock.forward(hours=1)
    await place.talk("We decided to paint the gate crimson.", "Yes.", "Fine.", "Good.")
    await place.here.run("!remember We decided to paint the gate violet.")
    await place.here.reset()
    found = await place.ask(name, words="gate; crimson", since=began, until=then, after_reset=True, most=20)
    told = "\n".join(texts(found))
    assert (True, False, False) == ("turquoise" in told, "crimson" in told, "violet" in told)


async def test_search_weighs_memories_messages_and_entries(place: Place, database: Database) -> None:
    """An entry is told where nothing else that is found tells of the same, as when its messages are kept no longer."""
    await place.talk("We decided to paint the gate turquoise.", "Yes.", "Fine.", "Good.")
    found = await place.ask("search", words="turquoise gate; paint")
    assert all(one.entry is None for one in found.passages)
    assert any("turquoise" in text for text in texts(found))
    async with database.connection() as connection:
        await connection.execute("DELETE FROM message")
        await connection.execute("DELETE FROM memory_event")
        await connection.execute("DELETE FROM memory")
    (entry,) = (await place.ask("search", words="turquoise gate; paint")).passages
    assert (True, True) == (entry.entry is not None, "turquoise" in entry.text)
    told = await place.here.run("!recall turquoise gate")
    assert "turquoise" in told


async def test_what_is_in_a_channel_that_may_not_be_told_of_is_in_none(place: Place) -> None:
    """Whoever sees less is given less, by every retriever that looks beyond the channel."""
    await place.talk("We decided to paint the gate turquoise.", "Yes.", "Fine.", "Good.")
    elsewhere = people.caller("Eve", person=9, channel=11, sees=(11,))
    await place.here.app.enter(elsewhere, channel_name="other", mode="all")
    for name in ALL:
        found = await place.ask(name, caller=elsewhere, words="turquoise; gate; paint")
        assert () == found.passages


async def test_what_happened_is_told_by_what_it_does(place: Place) -> None:
    """Decided, planned and asked, in people's own sentences; what was answered is asked no more."""
    began = place.here.clock()
    await place.talk(
        "We decided to paint the gate turquoise.",
        "I will order the paint on Friday.",
        "Who has the ladder?",
        "Ben has it in the shed.",
    )
    await place.talk("Which brush is best?")
    found = await place.ask("since", since=began)
    told = {what: [one.text for one in found.passages if one.what is what] for what in What}
    assert ["We decided to paint the gate turquoise."] == told[What.DECIDED]
    assert ["I will order the paint on Friday."] == told[What.PLANNED]
    assert ["Which brush is best?"] == told[What.ASKED]
    assert [] == texts(await place.ask("since", since=place.here.clock() + timedelta(hours=1)))
    assert [] == texts(await place.ask("since", until=began - timedelta(hours=1)))


@pytest.mark.parametrize("enabled", [False, True])
async def test_what_was_put_to_hathi_is_asked_of_nobody_else(place: Place, *, enabled: bool) -> None:
    """Whatever came of it. Where everything is answered, that memory has nothing is no answer; what it found is one."""
    began = place.here.clock()
    await place.talk("The vault code is 4411.")
    if enabled:
        await place.here.run("!channel enable")
    for question in ("What is the vault code?", "Where is the ladder of the boat house?", "hello?", "source?"):
        await place.here.say(question, BOB)
    await place.here.overhear("Who takes the oars home?", BOB)
    found = texts(await place.ask("since", since=began, only=frozenset({What.ASKED})))
    assert "Who takes the oars home?" in found
    assert ("Where is the ladder of the boat house?" in found, "What is the vault code?" in found) == (enabled, False)
    assert enabled or len(found) == 1


async def test_what_is_kept_no_longer_is_told_by_memories(place: Place, database: Database) -> None:
    """By their room and tags; and by an entry of the ledger where there is no memory of it, and nothing later in it."""
    began = place.here.clock()
    fact = Fact(content="The gate will be teal.", topic="gate", room="decisions", importance=6, source=Source.USER)
    author, now = Author(actor=Actor.PERSON, reason="asked"), place.here.clock()
    await place.here.app.archivist.save(ANN.space_id, ANN.channel_id, [fact], author, now=now)
    await place.talk("Ann likes the sea.", "Yes.", "Fine.", "Good.")
    async with database.connection() as connection:
        await connection.execute("DELETE FROM message")
    found = await place.ask("since", since=began - timedelta(hours=1))
    assert ["The gate will be teal."] == [one.text for one in found.passages if one.what is What.DECIDED]
    async with database.connection() as connection:
        await connection.execute("DELETE FROM memory WHERE content LIKE '%sea%'")
    through = id_time(max(await column(database, "SELECT chunk_id FROM chunk")))
    told = [
        await place.ask("since", since=began - timedelta(hours=1), until=through + timedelta(milliseconds=later))
        for later in (0, 1)
    ]
    assert [0, 1] == [sum(passage.entry is not None for passage in one.passages) for one in told]


def live(*said: str) -> list[Message]:
    """What Ann said, a minute apart."""
    return [people.said(ANN, text, START + timedelta(minutes=n)) for n, text in enumerate(said, 1)]


@pytest.mark.parametrize("name", ALL)
async def test_where_nothing_is_kept_live_talk_answers_alike(place: Place, database: Database, name: str) -> None:
    """In memory, and nothing is stored.

    “stateless fallback to current chat history”
    """
    said = live("We decided to paint the gate turquoise.", "Fine.", "The brush is in the shed.")
    found = await place.ask(name, words="turquoise; gate", live=said)
    assert "turquoise" in "\n".join(texts(found))
    for table in ("message", "chunk", "memory", "chat_summary"):
        assert [] == await column(database, f"SELECT 1 FROM {table}")


@pytest.mark.parametrize("name", ALL)
async def test_empty_says_so(place: Place, name: str) -> None:
    """With live talk as without.

    “No memories have been generated yet”
    """
    for talk in (None, list[Message]()):
        found = await place.ask(name, words="turquoise", live=talk)
        assert () == found.passages
        assert retrieved.told(found, "UTC").startswith(NOTHING)


def test_a_line_says_who_and_when() -> None:
    """And stands on one line, whatever was said."""
    found = live("We paint\nthe gate.")
    assert "Ann (2026-03-02 12:01 UTC): We paint the gate." == retrieved.line(of_message(found[0]), "UTC")
