"""The laws of Active Memory: which rows the model is shown on every turn, and in which order."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.config import ActiveSettings
from bot.db.pool import Database
from bot.domain import Actor, Fact, Source
from bot.llm.tokens import estimate
from bot.prompting import compose
from bot.recall.librarian import Librarian
from bot.store.archivist import Archivist, Author
from bot.store.spaces import Spaces
from tests import people
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import ModelServer
from tests.rows import one

ANN = people.caller()
HIDDEN = 99
WORDS = ("vault", "code", "tea", "parser", "deploy", "friday", "zebra", "cellar")
MOST_SPEAKING = 200
LONG_AT_MOST = 3
RARE = 3
RESERVED = 5
WEIGHTY = 2


@dataclass(frozen=True, kw_only=True)
class Given:
    """One row as a test puts it into the table."""

    words: tuple[str, ...] = ()
    importance: int = 5
    tier: str = "short"
    pinned: bool = False
    directive: bool = False
    hidden: bool = False
    minutes: int = 0
    """How long ago it was said."""


@dataclass(frozen=True, kw_only=True)
class Kept:
    """The same row as it lies there, with what Postgres says of its words."""

    number: int
    given: Given
    said_at: datetime
    rank: float | None
    shared: frozenset[str]

    @property
    def weight(self) -> tuple[float, float, int]:
        return (-self.given.importance, -self.said_at.timestamp(), -self.number)

    @property
    def place(self) -> int:
        return 0 if self.given.directive else 1 if self.given.pinned else WEIGHTY

    @property
    def relevance(self) -> tuple[Any, ...]:
        return (self.rank is None, -(self.rank or 0), *self.weight)


def reference(kept: list[Kept], rule: ActiveSettings) -> list[int]:
    """The block's rows as DESIGN §6 tells them, without a database."""
    eligible = [k for k in kept if k.given.importance >= rule.min_importance and not k.given.hidden]
    short = [k for k in eligible if k.given.tier == "short"]
    held = sorted(
        (k for k in short if k.given.pinned or k.given.directive or k.given.importance >= 9),
        # Of what weighs much the oldest keep their places.
        key=lambda k: (k.place, k.number if k.place == WEIGHTY else 0, *k.weight),
    )[:RESERVED]
    rest = [k for k in short if k not in held]
    speaking = sorted((k for k in short if k.rank is not None), key=lambda k: k.weight)[:MOST_SPEAKING]
    relevant = sorted((k for k in rest if k in speaking), key=lambda k: k.relevance)
    others = sorted((k for k in rest if k not in relevant), key=lambda k: k.weight)
    cold = [] if speaking else _cold([k for k in eligible if k.given.tier == "long" and k.rank is not None])
    return [k.number for k in [*held, *relevant, *cold, *others]][: rule.rows]


def _cold(speaking: list[Kept]) -> list[Kept]:
    candidates = sorted(speaking, key=lambda k: k.weight)[:MOST_SPEAKING]
    words = [word for k in candidates for word in k.shared]
    rare = {word for word in words if words.count(word) <= RARE}
    matching = [k for k in candidates if len(k.shared) >= 2 or k.shared & rare]
    return sorted(matching, key=lambda k: (-len(k.shared), *k.relevance))[:LONG_AT_MOST]


class Table:
    """The memory of one space, filled anew for each example."""

    def __init__(self, database: Database, now: datetime) -> None:
        self._database = database
        self._now = now
        self._archivist = Archivist(database)
        self._librarian = Librarian(database)

    async def fill(self, rows: list[Given]) -> None:
        async with self._database.connection() as connection:
            await connection.execute("TRUNCATE memory, memory_event")
            await connection.execute("UPDATE space SET memory_count = 0")
        for hidden in (False, True):
            facts = [self._fact(n, row) for n, row in enumerate(rows, 1) if row.hidden is hidden]
            await self._archivist.save(
                ANN.space_id,
                people.caller(channel=HIDDEN if hidden else 10).channel_id,
                facts,
                Author(actor=Actor.PERSON, reason="remember"),
                now=self._now,
            )
        marks = [{"n": n, "tier": row.tier, "pinned": row.pinned} for n, row in enumerate(rows, 1)]
        async with self._database.connection() as connection:
            await connection.execute(
                "UPDATE memory SET tier = f.tier, pinned = f.pinned "
                "FROM jsonb_to_recordset($1::jsonb) AS f (n int, tier text, pinned boolean) "
                "WHERE right(content, 5)::int = f.n",
                marks,
            )

    async def count(self, word: str, *, rows: int, of: int) -> None:
        """Has the space known as one of so many memories, of which so many hold the word."""
        async with self._database.connection() as connection:
            await connection.execute("INSERT INTO common_word VALUES ($1, 'memory', $2, $3)", ANN.space_id, word, rows)
            await connection.execute("INSERT INTO word_sample VALUES ($1, 'memory', $2, 0, 1)", ANN.space_id, of)

    def _fact(self, n: int, row: Given) -> Fact:
        # The topic is a stop word, so that only the content speaks.
        return Fact(
            content=f"{' '.join(row.words)} {n:05}",
            topic="the",
            importance=row.importance,
            said_at=self._now - timedelta(minutes=row.minutes),
            source=Source.DIRECTIVE if row.directive else Source.USER,
        )

    async def kept(self, rows: list[Given], question: str) -> list[Kept]:
        async with self._database.connection() as connection:
            found = await connection.fetch(
                """WITH q AS (SELECT replace(plainto_tsquery('english', $1)::text, ' & ', ' | ')::tsquery AS words,
                                     tsvector_to_array(to_tsvector('english', $1)) AS lexemes)
                   SELECT right(content, 5)::int AS n, memory_id, said_at,
                          CASE WHEN search @@ words THEN ts_rank(search, words) END AS rank,
                          array(SELECT unnest(tsvector_to_array(search)) INTERSECT SELECT unnest(lexemes)) AS shared
                   FROM memory, q""",
                question,
            )
        return [
            Kept(
                number=r["memory_id"],
                given=rows[r["n"] - 1],
                said_at=r["said_at"],
                rank=r["rank"],
                shared=frozenset(r["shared"]),
            )
            for r in found
        ]

    async def shown(self, question: str, rule: ActiveSettings) -> list[compose.Line]:
        """The lines of the block, where all fit."""
        lines = compose.active_lines(await self._librarian.active(ANN, question, rule))
        return compose.active_block(lines, rows=rule.rows, max_tokens=100_000, now=self._now)[1]

    async def numbers(self, *rows: Given, question: str = "the vault code", **rule: Any) -> list[int]:
        """Which rows, by their place among those given, are shown."""
        await self.fill([*rows])
        return [int(line.content[-5:]) for line in await self.shown(question, ActiveSettings(**rule))]


@pytest.fixture
async def table(database: Database, clock: Clock) -> Table:
    for channel in (10, HIDDEN):
        caller = people.caller(channel=channel)
        await Spaces(database).ensure(caller, channel_name=f"c{channel}", mode="all", language="english", now=clock())
    return Table(database, clock())


ROW = st.builds(
    Given,
    words=st.lists(st.sampled_from(WORDS), max_size=4).map(tuple),
    importance=st.integers(1, 10),
    tier=st.sampled_from(["short", "short", "long"]),
    pinned=st.sampled_from([False, False, False, True]),
    directive=st.sampled_from([False, False, False, True]),
    hidden=st.sampled_from([False, False, False, True]),
    minutes=st.integers(0, 5),
)
QUESTION = st.lists(st.sampled_from([*WORDS, "the", "quagga"]), max_size=4).map(" ".join)
RULE = st.builds(ActiveSettings, rows=st.sampled_from([1, 4, 15, 50]), min_importance=st.sampled_from([1, 3, 6]))
SETTLED = settings(derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(rows=st.lists(ROW, max_size=40), question=QUESTION, rule=RULE)
@SETTLED
async def test_a_small_short_tier_gives_the_block_of_the_reference(
    table: Table, rows: list[Given], question: str, rule: ActiveSettings
) -> None:
    """Reserved, then relevant, then by importance, recency and number; whatever the rows, question and bounds."""
    await table.fill(rows)
    shown = [line.number for line in await table.shown(question, rule)]
    assert reference(await table.kept(rows, question), rule) == shown


@given(
    seeds=st.lists(ROW.filter(lambda row: row.importance >= 3 and not row.hidden), min_size=1, max_size=12),
    extra=st.lists(ROW, max_size=8),
    count=st.sampled_from([199, 200, 201, 240, 420]),
    question=QUESTION,
    rule=RULE,
)
@settings(SETTLED, max_examples=6)
async def test_a_large_short_tier_gives_the_block_of_the_reference(
    table: Table, seeds: list[Given], extra: list[Given], count: int, question: str, rule: ActiveSettings
) -> None:
    """Beyond 200 rows, where another statement answers, the block is the same."""
    rows = [seeds[n % len(seeds)] for n in range(count)]
    rows = [replace(row, tier="short") for row in rows] + extra
    await table.fill(rows)
    shown = [line.number for line in await table.shown(question, rule)]
    assert reference(await table.kept(rows, question), rule) == shown


async def test_the_question_is_never_longer_than_a_search_can_be(database: Database, clock: Clock) -> None:
    """A pasted page is cut to its first 64 distinct words."""
    page = " ".join(f"word{n} word{n}" for n in range(1000)) + "\0"
    async with room(database, clock) as r:
        for number in (0, 63, 64, 999):
            await r.run(f"!remember word{number}")
        async with database.connection() as connection:
            near = await r.app.librarian.near_in(connection, r.caller, page, topic="")
    assert {"word0", "word63"} == {memory.content for memory in near}


async def test_fifteen_rows_of_importance_three_and_more(table: Table) -> None:
    """Heaviest first; lighter rows are not shown, however few there are."""
    rows = [Given(importance=n) for n in (1, 2, 3, 8)] + [Given(importance=5)] * 20
    assert await table.numbers(*rows) == [4, *range(24, 10, -1)]
    assert await table.numbers(Given(importance=2, words=("vault",)), Given(importance=3)) == [2]


async def test_five_places_are_reserved_for_directives_pins_and_the_weightiest(table: Table) -> None:
    """Directives before pins before nine and ten; the sixth competes like every other row."""
    rows = [
        *[Given(importance=9, minutes=n) for n in range(3)],
        *[Given(importance=3, pinned=True, minutes=n) for n in range(2)],
        *[Given(importance=3, directive=True, minutes=n) for n in range(2)],
        *[Given(importance=8, words=("vault",))] * 3,
    ]
    shown = await table.numbers(*rows, rows=8)
    assert [6, 7, 4, 5, 1, 10, 9, 8] == shown


@pytest.mark.parametrize("count", [0, 230])
async def test_pins_displace_no_directive(table: Table, count: int) -> None:
    """However many there are, however well they speak to the message and however much they weigh."""
    pins = [Given(importance=10, pinned=True, words=("vault", "code"))] * 6
    rows = [*pins, Given(importance=5, directive=True, minutes=5), *[Given(importance=8)] * count]
    assert [7] == (await table.numbers(*rows))[:1]


async def test_a_row_that_speaks_to_the_message_goes_before_a_weightier_one(table: Table) -> None:
    """By stems, not by stop words; more shared words first."""
    rows = [
        Given(importance=8),
        Given(importance=3, words=("vaults",)),
        Given(importance=3, words=("codes", "vault")),
        Given(importance=8, words=("the",)),
    ]
    assert await table.numbers(*rows, question="Where is the vault's code?") == [3, 2, 4, 1]


async def test_long_rows_are_shown_only_where_no_short_row_speaks(table: Table) -> None:
    """Two shared words or a rare one, at most three, after what is reserved and before the rest."""
    cold = [Given(tier="long", words=("vault", "code"), importance=n) for n in (3, 4, 5, 6)]
    quiet = [Given(importance=7), Given(importance=9)]
    assert await table.numbers(*cold, *quiet) == [6, 4, 3, 2, 5]
    assert await table.numbers(*cold, *quiet, Given(importance=3, words=("vault",))) == [6, 7, 5]


async def test_one_shared_word_is_enough_for_a_long_row_only_if_it_is_rare(table: Table) -> None:
    """A word of more than three long rows is common here and speaks for nothing alone."""
    common = [Given(tier="long", words=("vault",))] * 4
    rare = Given(tier="long", words=("zebra",))
    assert await table.numbers(*common, rare, question="a vault and a zebra") == [5]
    assert await table.numbers(*common[:3], question="a vault") == [3, 2, 1]
    assert await table.numbers(Given(tier="long", words=("zebra",), importance=2), question="a zebra") == []


@pytest.mark.parametrize("short", [0, 230])
async def test_no_long_row_is_looked_for_by_what_thousands_hold(table: Table, short: int) -> None:
    """Neither beside a short tier nor beside a large one; by what is rare in the same message it is."""
    rows = [Given(tier="long", words=("vault",)), Given(tier="long", words=("zebra",)), *[Given(importance=4)] * short]

    async def long_rows(question: str) -> list[int]:
        return sorted(number for number in await table.numbers(*rows, question=question) if number <= 2)

    questions = ("a vault and a zebra", "a vault")
    assert [[1, 2], [1]] == [await long_rows(question) for question in questions]
    await table.count("vault", rows=5_000, of=10_000)
    assert [[2], []] == [await long_rows(question) for question in questions]


async def test_no_word_asks_for_no_long_row(table: Table) -> None:
    """A message of stop words, or of none, shows the short tier as it is."""
    rows = [Given(importance=4), Given(importance=6), Given(tier="long", words=("vault",))]
    for question in ("", "the of and", "?!", "😀"):
        assert await table.numbers(*rows, question=question) == [2, 1]


@pytest.mark.parametrize("count", [3, 230])
async def test_nothing_of_a_hidden_channel_is_ever_in_it(table: Table, count: int) -> None:
    """Not reserved, not relevant, not cold; also beyond 200 rows, and they take nobody's place."""
    secrets = [
        Given(hidden=True, pinned=True, words=("vault", "code"), importance=10),
        Given(hidden=True, tier="long", words=("vault", "code"), importance=10),
        *[Given(hidden=True, words=("vault",), importance=9)] * count,
    ]
    shown = await table.numbers(*secrets, *[Given(importance=3)] * 3)
    assert sorted(shown) == [count + 3, count + 4, count + 5]


async def test_forgotten_and_superseded_rows_are_not_in_it(database: Database, clock: Clock) -> None:
    """From the moment it is forgotten, or replaced by an edit."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        for text in ("The vault code is 4417.", "The vault is red.", "The vault is big."):
            await r.run(f"!remember {text}")
        await r.run("!forget 1")
        await r.run("!edit 2 The vault is blue.")
        await r.say("What about the vault code?")
        prompt = server.requests[-1]["messages"][-1]["content"]
    assert [text in prompt for text in ("4417", "red", "big", "blue")] == [False, False, True, True]


async def test_no_eligible_row_no_block(database: Database, clock: Clock) -> None:
    """The prompt then holds no heading of it."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        secret = await r.app.enter(people.caller(channel=HIDDEN), channel_name="secret", mode="all")
        await r.run("!remember Something light importance:2")
        await r.run("!remember The vault code is 4417. importance:9", by=secret)
        await r.say("vault code?")
    asked = server.requests[0]["messages"][-1]["content"]
    assert ("## Active Memory" in asked, "4417" in asked, asked.endswith("Ann: vault code?")) == (False, False, True)


async def test_the_block_stays_within_its_tokens(database: Database, clock: Clock) -> None:
    """Four hundred with its heading; a row that does not fit is passed over for one that does, never cut."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.run("!remember " + "A very long story about vaults " * 60 + " importance:10")
        for n in range(20):
            await r.run(f"!remember Vault number {n} opens with the code {n}{n}{n}{n} and a small brass key.")
        await r.say("Which vault code?")
    prompt = server.requests[0]["messages"][-1]["content"]
    block = next(part for part in prompt.split("\n\n") if part.startswith("## Active Memory\n"))
    assert ("long story" in block, estimate(block) <= 400, block.count("\n#") >= 5) == (False, True, True)
    shown = await one(database, "SELECT shown FROM turn")
    assert [f"\n#{number}/" in block for number in shown] == [True] * block.count("\n#")


async def test_being_shown_is_not_being_used(database: Database, clock: Clock) -> None:
    """What is only injected decays like what nobody saw; what a recall found does not."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.run("!remember The vault code is 4417.")
        clock.forward(days=3)
        await r.say("Write a rhyme on the vault code.")
    assert await one(database, "SELECT last_used_at = created_at FROM memory")


@pytest.mark.parametrize("idle", [0, 200])
async def test_the_reserved_rows_stand_in_the_same_order_however_many_others_there_are(table: Table, idle: int) -> None:
    """Of what weighs much the older goes first, so that what doesn't fit is the newest; however relevant others are."""
    rows = [
        Given(importance=10, words=("vault", "tea", "friday", "zebra")),
        Given(importance=9, words=("vault", "code", "tea", "friday")),
        *[Given(importance=4, words=("vault", "code", "cellar"))] * 20,
        *[Given(importance=3)] * idle,
    ]
    shown = await table.numbers(*rows, question="vault code cellar")
    assert shown == [1, 2, *range(22, 9, -1)]
