"""The laws of a ledger past its budget: one entry in place of the oldest, which stay and go as they always did."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import errors
from bot.config import BudgetSettings, ChunkSettings, MemorySettings, PromptSettings
from bot.db.pool import Database
from bot.domain import Caller, ChannelId, MessageId, SpaceId
from bot.language.statements import extraction
from bot.lifecycle import condensing
from bot.lifecycle.residue import ResidueCheck
from bot.llm.tokens import estimate
from bot.prompting import earlier
from bot.recall.ledger_search import LedgerSearch
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply, Step
from tests.rows import column, one, rows

ANN, BOB = people.caller(admin=True), people.caller("Bob", person=8)
SPACE, CHANNEL = SpaceId(1), ChannelId(10)
BUDGET = 2000
SMALL = MemorySettings(chunks=ChunkSettings(messages=4, skip=0, idle=timedelta(hours=6), ledger_tokens=BUDGET))
WIDE = PromptSettings(budget=BudgetSettings(chunks=8000))
LONG = "The orchard has many trees and the well has plenty of water this year, so nobody was in want. " * 18
"""What makes five chunks more than the budget."""
CHUNKS = "SELECT chunks FROM condensation"
STANDING = "SELECT text FROM standing_condensation ORDER BY through_chunk_id"
AGAIN = "INSERT INTO condensation SELECT * FROM jsonb_populate_record(NULL::condensation, $1)"
WRITTEN = """
INSERT INTO chunk
    (space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, text, model, created_at)
SELECT 1, n, 10, $1, n, '', ARRAY[n], replace($2, '%s', n::text), 'm', now()
FROM generate_series(1, $3::integer) AS n"""
NAMES = ("Zora", "Aldo", "Berta", "Carla", "Dora", "Emil", "Fritz", "Gina", "Hugo", "Ines", "Jule")
GATE = re.compile(r"Gate (\d+)0 was")


@dataclass
class Summarizer:
    """Tells of each chunk its first line, and condenses as it is told to."""

    condensed: list[str] = field(default_factory=list)
    """What it says instead of every gate it is told of."""
    asked: list[str] = field(default_factory=list)
    """What it was given to condense."""
    answer: str = "I see."

    def __call__(self, body: dict[str, Any]) -> Step:
        told = body["messages"][-1]["content"]
        gates = [f"Painted: Gate {gate}0 was red." for gate in dict.fromkeys(GATE.findall(told))]
        if "response_format" in body:
            return Reply(text=json.dumps({"summary": f"{gates[0] if gates else ''} {LONG}", "facts": []}))
        if "oldest first" in told:
            self.asked.append(told)
            if self.condensed:
                return Reply(text=self.condensed.pop(0))
        return Reply(text=" ".join(gates) or self.answer)


@dataclass
class Ledger:
    """A channel in which every four messages become a chunk."""

    here: Room
    server: ModelServer
    model: Summarizer
    said: list[list[MessageId]] = field(default_factory=list)
    """The messages of each chunk."""

    async def grow(self, count: int) -> None:
        for _ in range(count):
            number = len(self.said) + 1
            for n, text in enumerate(
                (f"Gate {number}0 was red, as {NAMES[number]} wanted.", "Yes, it was.", "We like that.", "So do I.")
            ):
                await self.here.overhear(text, BOB if n % 2 else ANN)
            ids = await self.column("SELECT message_id FROM message WHERE role = 'person' ORDER BY 1 DESC LIMIT 4")
            self.said.append([MessageId(key) for key in reversed(ids)])
            await self.run()

    async def run(self) -> None:
        await self.here.app.creator.run([SPACE])

    async def column(self, query: Any) -> list[Any]:
        return await column(self.here.app.database, query)

    async def gates(self) -> list[list[int]]:
        """Of each condensation that stands, the gates it tells of."""
        return [_gates(text) for text in await self.column(STANDING)]

    async def shown(self, most: int = 100) -> list[list[int]]:
        """Of each entry that whoever reads the ledger gets the gates it tells of."""
        found = await LedgerSearch(self.here.app.database).newest(ANN, most=most, after_reset=True)
        return [_gates(entry.text) for entry in found.entries]

    async def deleted(self, chunk: int) -> None:
        """Somebody deletes the first message of a chunk, counted from 1."""
        at = self.here.clock.forward(hours=2)
        await self.here.app.discord_edits.deleted(SPACE, [self.said[chunk - 1][0]], at)


def _gates(text: str) -> list[int]:
    return [*map(int, GATE.findall(text))]


@pytest.fixture
async def ledger(database: Database, clock: Clock) -> AsyncGenerator[Ledger]:
    model = Summarizer()
    async with (
        ModelServer(always=model) as server,
        room(database, clock, who=ANN, memory=SMALL, prompt=WIDE, models=roles(server.base_url)) as r,
    ):
        await r.app.enter(BOB, channel_name="general", mode="all")
        yield Ledger(r, server, model)


async def test_past_the_budget_the_oldest_half_is_one_entry(ledger: Ledger) -> None:
    """Below it nothing is asked; the originals stay, and whoever reads the ledger gets one entry in their place."""
    texts = "SELECT text FROM chunk ORDER BY chunk_id"
    await ledger.grow(4)
    assert ([], [[1], [2], [3], [4]]) == (ledger.model.asked, await ledger.shown())
    assert sum(map(estimate, await ledger.column(texts))) <= BUDGET
    await ledger.grow(1)
    assert sum(map(estimate, whole := await ledger.column(texts))) > BUDGET
    assert [[1], [2], [3], [4], [5]] == [*map(_gates, whole)]
    assert ([[1, 2], [3], [4], [5]], 1) == (await ledger.shown(), len(ledger.model.asked))
    assert [[3], [4], [5]] == await ledger.shown(3)
    told = await ledger.here.run("!summary")
    assert ("5 entries" in told, "oldest 2" in told, f"/{ledger.said[0][0]}" in told) == (True, True, True)


async def test_it_grows_with_the_ledger(ledger: Ledger) -> None:
    """The next is made of the one before and of what followed, and stands for all of it."""
    await ledger.grow(9)
    assert [[1, 2], [1, 2, 3, 4], [1, 2, 3, 4, 5, 6]] == await ledger.gates()
    assert [[1, 2], [1, 2, 3, 4], [1, 2, 3, 4, 5, 6]] == [*map(_gates, ledger.model.asked)]
    assert [[1, 2, 3, 4, 5, 6], [7], [8], [9]] == await ledger.shown()


@pytest.mark.parametrize(("count", "text"), [(14, LONG), (230, "It was fine.")], ids=["long", "many"])
async def test_one_that_was_long_before_is_condensed_step_by_step(ledger: Ledger, count: int, text: str) -> None:
    """As far as its budget, in one run; each step goes on from the one before, and the newest stays apart."""
    creator, database = ledger.here.app.creator, ledger.here.app.database
    claim = await creator.chunks.claim(SPACE, CHANNEL, now=ledger.here.clock())
    assert claim is not None
    async with database.connection() as connection:
        await connection.execute(WRITTEN, claim.session_id, f"Painted: Gate %s0 was red. {text}", count)
    await creator.condenser.condense(claim)
    made = await rows(database, "SELECT first_chunk_id, chunks, through_chunk_id FROM condensation ORDER BY chunks")
    condensed = made[-1][1]
    assert [(1, number, number) for _, number, _ in made] == made
    assert [[n] for n in range(condensed + 1, count + 1)] == (await ledger.shown(count))[1:]
    left = (await creator.condenser.condensations.oldest(claim)).chunks
    assert (sum(estimate(one.text) for one in left) < BUDGET, count > condensed) == (True, True)
    asked = len(ledger.model.asked)
    await creator.condenser.condense(claim)
    assert len(ledger.model.asked) == asked >= len(made)


async def test_a_deletion_takes_it_along_at_once(ledger: Ledger) -> None:
    """It is made again without what is gone; one before it that told nothing of that stands."""
    await ledger.grow(7)
    await ledger.deleted(3)
    assert ([[1, 2]], [[1, 2], [4], [5], [6], [7]]) == (await ledger.gates(), await ledger.shown())
    await ledger.deleted(2)
    assert ([], [[1], [4], [5], [6], [7]]) == (await ledger.gates(), await ledger.shown())
    ledger.here.clock.forward(hours=2)
    await ledger.run()
    (again,) = await ledger.gates()
    assert ([1], 3) == (again, await one(ledger.here.app.database, CHUNKS))


async def test_forgetting_withholds_it_and_undo_brings_it_back(ledger: Ledger) -> None:
    """At once, and with no call; once undo is over it is made again without that."""
    await ledger.grow(5)
    here, gone = ledger.here, [ledger.said[0][0]]
    await here.app.archivist.forget_all(ANN, [], gone, now=here.clock())
    assert [[2], [3], [4], [5]] == await ledger.shown()
    await here.run("!undo")
    assert [[1, 2], [3], [4], [5]] == await ledger.shown()
    await here.app.archivist.forget_all(ANN, [], gone, now=here.clock.forward(minutes=1))
    await ledger.run()
    assert ([], 1) == (await ledger.gates(), len(ledger.model.asked))
    here.clock.forward(minutes=11)
    await here.app.schedule.upkeep()
    await ledger.run()
    assert [[2]] == await ledger.gates()


async def _channel_gone(ledger: Ledger) -> None:
    await ledger.here.app.discord_edits.place_gone(SPACE, CHANNEL, ledger.here.clock())


def _by(line: str, who: Caller = ANN) -> Callable[[Ledger], Awaitable[object]]:
    return lambda ledger: ledger.here.run(line, who)


@pytest.mark.parametrize(
    "gone",
    [_by("!mydata erase confirm", BOB), _by("!memory off me", BOB), _by("!memory erase confirm"), _channel_gone],
    ids=["erased", "opted out", "space", "channel"],
)
async def test_it_goes_with_a_person_a_channel_and_a_space(
    ledger: Ledger, gone: Callable[[Ledger], Awaitable[object]]
) -> None:
    """At once: of whoever erases what is theirs, or opts out, nothing stands in it, whatever it was made into."""
    await ledger.grow(5)
    await gone(ledger)
    assert [] == await ledger.column("SELECT text FROM condensation")


async def test_a_reset_by_a_person_starts_afresh(ledger: Ledger) -> None:
    """What is shown from then on is of what is said from then on, and stands whatever of before is deleted."""
    await ledger.grow(5)
    await ledger.here.reset()
    assert [] == await ledger.shown()
    await ledger.grow(5)
    assert ([[1, 2], [6, 7]], [[6, 7], [8], [9], [10]]) == (await ledger.gates(), await ledger.shown())
    await ledger.deleted(1)
    assert [[6, 7], [8], [9], [10]] == await ledger.shown()


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["Painted: Gate 10 was red, Gate 30 was red."], "scripted"),
        (["Painted: the gate was red."], "scripted"),
        (["Painted: Gate 30 was red."] * 2, extraction.NAME),
        (["", ""], extraction.NAME),
    ],
    ids=["a changed number", "much lost", "twice", "nothing"],
)
async def test_what_changes_or_loses_is_asked_for_once_more(ledger: Ledger, answers: list[str], expected: str) -> None:
    """Then it is made by rule: of the sentences that have names and numbers."""
    ledger.model.condensed = [*answers]
    await ledger.grow(5)
    ((text, model),) = await rows(ledger.here.app.database, "SELECT text, model FROM condensation")
    assert ([1, 2], expected, 2) == (_gates(text), model, len(ledger.model.asked))


@pytest.mark.parametrize("how", ["deleted", "forgotten", "reset"])
async def test_what_is_taken_back_meanwhile_is_in_none(ledger: Ledger, how: str) -> None:
    """Whoever has read it by then writes nothing."""
    await ledger.grow(3)
    creator, here = ledger.here.app.creator, ledger.here
    claim = await creator.chunks.claim(SPACE, CHANNEL, now=here.clock())
    assert claim is not None
    oldest = await creator.condenser.condensations.oldest(claim)
    match how:
        case "deleted":
            await ledger.deleted(2)
        case "forgotten":
            await here.app.archivist.forget_all(ANN, [], [ledger.said[1][0]], now=here.clock())
        case _:
            await here.reset()
    with pytest.raises(errors.EvidenceGone):
        await creator.condenser.condensations.condense(
            claim, oldest, oldest.chunks[:2], "Gate 20 was red.", "m", now=here.clock()
        )
    assert [] == await ledger.column("SELECT text FROM condensation")


async def test_a_deletion_at_the_same_moment_leaves_none(ledger: Ledger) -> None:
    """Whichever comes first: what was just written goes with what it tells of."""
    await ledger.grow(4)
    creator = ledger.here.app.creator
    for chunk in (1, 2):
        claim = await creator.chunks.claim(SPACE, CHANNEL, now=ledger.here.clock.forward(hours=2))
        assert claim is not None
        oldest = await creator.condenser.condensations.oldest(claim)
        writing = creator.condenser.condensations.condense(
            claim, oldest, oldest.chunks, "All was red.", "m", now=ledger.here.clock()
        )
        done = await asyncio.gather(writing, ledger.deleted(chunk), return_exceptions=True)
        assert all(one is None or isinstance(one, errors.EvidenceGone) for one in done)
        assert [] == await ledger.column("SELECT text FROM condensation")


async def test_the_prompt_shows_it_in_place_of_the_chunks(ledger: Ledger) -> None:
    """Behind the summary, with the time it reaches over; an answer made of it goes with what it tells of."""
    await ledger.grow(5)
    ledger.here.clock.forward(days=8)
    await ledger.here.app.schedule.upkeep()
    ledger.model.answer = "Berta wanted a red gate, by the way."
    await ledger.here.say("How are you today?")
    sent = "\n".join(message["content"] for message in ledger.server.requests[-1]["messages"])
    _, summary, *entries = sent.partition(earlier.HEADING)[2].strip().splitlines()[:6]
    assert (summary.startswith("- In all"), [[1, 2], [3], [4], [5]]) == (True, [*map(_gates, entries)])
    assert " to ".join(["2026-03-02 12:00 UTC"] * 2) in entries[0]
    answers = "SELECT count(*) FROM message WHERE role = 'hathi'"
    assert 1 == await one(ledger.here.app.database, answers)
    await ledger.deleted(2)
    assert 0 == await one(ledger.here.app.database, answers)


async def test_what_is_left_of_it_is_found_a_day_later(ledger: Ledger) -> None:
    """One that tells of a chunk that is gone, as should not be."""
    await ledger.grow(5)
    database = ledger.here.app.database
    residue = ResidueCheck(database, ledger.here.app.metrics)
    told = await one(database, "SELECT to_jsonb(condensation) FROM condensation")
    await ledger.deleted(2)
    assert 0 == await residue.check([SPACE], now=ledger.here.clock.forward(hours=25))
    await ledger.deleted(1)
    async with database.connection() as connection:
        await connection.execute(AGAIN, told)
    assert 1 == await residue.check([SPACE], now=ledger.here.clock.forward(hours=25))


@given(st.lists(st.sampled_from(["The code is 4417.", "It was Carol.", "x " * 100 + ".", "Why?"]), max_size=60))
def test_by_rule_it_is_never_too_long_and_keeps_what_tells_most(told: list[str]) -> None:
    """What has no name and no number goes first."""
    short = condensing.most_telling(" ".join(told))
    assert estimate(short) <= condensing.MOST_TOKENS + 4
    assert ("4417" in short, "Carol" in short) == ("The code is 4417." in told, "It was Carol." in told)
