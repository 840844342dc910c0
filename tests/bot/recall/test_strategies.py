"""The laws of the plain strategies of a recall: words that are counted, phrases that are weighed."""

import io
import json
import os
import re
from collections.abc import AsyncGenerator, Generator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot import errors, log
from bot.db import statements
from bot.db.pool import Database
from bot.domain import Actor, Caller, Fact, MemoryId, Recollection, Source, Strategy, Tier
from bot.recall import strategies
from bot.recall.query import NO_WORD, Query
from bot.store.archivist import Author
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room

ANN = people.caller()
BOB = people.caller("Bob", person=8, channel=11)


@pytest.fixture
def lines() -> Generator[io.StringIO]:
    """Everything that is logged, as JSON lines."""
    out = io.StringIO()
    log.configure(to=out, json=True)
    yield out
    log.configure(to=Path(os.devnull))


async def keep(r: Room, *contents: str, by: Caller = ANN, **fields: Any) -> None:
    given: dict[str, Any] = {"topic": "notes", "importance": 5, "source": Source.USER} | fields
    facts = [Fact(content=content, author_id=by.person_id, author=by.name, **given) for content in contents]
    author = Author(actor=Actor.PERSON, person_id=by.person_id, reason="remember")
    await r.app.archivist.save(by.space_id, by.origin_id, facts, author, now=r.clock())


async def ask(r: Room, text: str, strategy: Strategy = Strategy.LITERAL, **wanted: Any) -> Recollection:
    given: dict[str, Any] = {"limit": 20} | wanted
    by = given.pop("by", r.caller)
    return await r.app.librarian.recall(by, Query(text=text, as_of=r.clock(), strategy=strategy, **given))


def scores(found: Recollection) -> list[tuple[str, float]]:
    return [(result.name, result.parts.score) for result in found.results]


def contents(found: Recollection) -> list[str]:
    return [result.item.content for result in found.results]


# --- words ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The vault, THE Vault!", ("the", "vault")),
        ("Café São Øre", ("cafe", "sao", "ore")),
        ("snake_case don't 42", ("snake", "case", "don", "t", "42")),
        ("東京の部屋 room", ("東京", "京の", "の部", "部屋", "room")),
        ("猫", ("猫",)),
        ("& | ! ( ) :* ' \" \0", ()),
        ("", ()),
    ],
)
def test_words_are_in_small_letters_without_accents_and_once(text: str, words: Sequence[str]) -> None:
    """As a reader would count them; what is written without blanks is read by pairs of letters."""
    assert tuple(words) == strategies.tokens(text)


def test_words_of_a_query_are_bounded() -> None:
    """Of a pasted page the first 256 distinct words are counted."""
    assert tuple(f"w{n}" for n in range(256)) == strategies.tokens(" ".join(f"w{n}" for n in range(900)))


# --- literal --------------------------------------------------------------------------------------------------------


async def test_literal_counts_the_words_of_the_query(database: Database, clock: Clock) -> None:
    """One for each distinct word that stands in the content, also within another, of both tiers; equals by ids."""
    async with room(database, clock) as r:
        await keep(
            r, "The gate opens at nine.", "The GATE, the gate and the gaté!", "A boat.", "Nine boats at the gate."
        )
        clock.forward(hours=60)
        await r.run("!age", by=people.caller(admin=True))
        await keep(r, "At nine sharp the gate is shut.", topic="boat")
        found = await ask(r, "gate nine AT nine gate")
    assert [("#1", 3.0), ("#4", 3.0), ("#5", 3.0), ("#2", 2.0), ("#3", 1.0)] == scores(found)
    assert {Tier.LONG, Tier.SHORT} == {memory.tier for memory in found.memories}
    assert (5, ("gate", "nine", "at")) == (found.considered, found.asked.words)


async def test_literal_counts_words_that_say_nothing_too(database: Database, clock: Clock) -> None:
    """A stop word is in no index and counts all the same; a word counts wherever it stands, also in "gates"."""
    async with room(database, clock) as r:
        await keep(r, "What is this?", "Gates are shut.")
        assert [("#1", 2.0), ("#2", 1.0)] == scores(await ask(r, "what is gate"))


async def test_literal_reads_no_messages(database: Database, clock: Clock) -> None:
    """It counts in memories alone."""
    async with room(database, clock) as r:
        await r.say("The gate opens at nine.")
        assert not await ask(r, "gate")


async def test_literal_prefers_the_query_s_domain(database: Database, clock: Clock) -> None:
    """Of the ten best the first with a domain of the query is the answer; the others follow in their order, and why."""
    async with room(database, clock) as r:
        await keep(r, *(f"The big invoice plan number {n}." for n in range(3)), tags=("auto",))
        await keep(r, "The big thing.", tags=("auto", "domain:finance"))
        found = await ask(r, "big plan invoice", domains=frozenset({"domain:finance"}))
        plain = await ask(r, "big plan invoice", domains=frozenset({"domain:poetry"}))
    assert ["#4", "#1", "#2", "#3"] == [name for name, _ in scores(found)]
    assert ("#4 comes first for its domain:finance.",) == found.asked.notes
    assert ["#1", "#2", "#3", "#4"] == [name for name, _ in scores(plain)]
    assert ["#1", "#2", "#3", "#4"] == [result.name for result in found.candidates]
    assert () == plain.asked.notes


async def test_the_query_s_domains_are_read_from_it(database: Database, clock: Clock) -> None:
    """By the registry the tags were made by."""
    async with room(database, clock) as r:
        found = await ask(r, "the invoice for my haiku")
    assert {"domain:finance", "domain:poetry"} == {*found.asked.domains}


async def test_literal_chooses_from_the_ten_best(database: Database, clock: Clock) -> None:
    """An eleventh is not, whatever its domain, and stands behind them."""
    async with room(database, clock) as r:
        await keep(r, *(f"gate shed {n}" for n in range(10)), tags=("auto",))
        await keep(r, "gate of another kind", tags=("auto", "domain:finance"))
        found = await ask(r, "gate shed", domains=frozenset({"domain:finance"}))
    assert ([f"#{n}" for n in range(1, 12)], 11) == ([name for name, _ in scores(found)], found.considered)


async def test_literal_logs_its_ten_best_without_a_word(database: Database, clock: Clock, lines: io.StringIO) -> None:
    """The event has ids and scores, and nothing of what was asked or kept."""
    async with room(database, clock) as r:
        await keep(r, "The canary sings.", "A canary sings and sings at dawn.")
        lines.truncate(0)
        await ask(r, "canary sings at dawn")
    (event,) = [
        e for line in lines.getvalue().splitlines() if (e := json.loads(line.strip("\0")))["event"] == "recall.literal"
    ]
    assert ([["#2", 4], ["#1", 2]], "#2", 2) == (event["best"], event["chosen"], event["considered"])
    assert "canary" not in lines.getvalue()


async def test_literal_looks_at_the_newest_of_many(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of more candidates than are looked at, those that share a word come first, and of these the newest."""
    monkeypatch.setattr(strategies, "CANDIDATES", 3)
    async with room(database, clock) as r:
        await keep(r, *(f"gate {n}" for n in range(5)), "boat one", "boat two")
        newest = await ask(r, "gate")
        filled = await ask(r, "boat the one")
    assert ["#3", "#4", "#5"] == [name for name, _ in scores(newest)]
    assert [("#6", 2.0), ("#7", 1.0)] == scores(filled)


@pytest.mark.parametrize("strategy", [Strategy.LITERAL, Strategy.KEYWORDS])
async def test_walls_hold(strategy: Strategy, database: Database, clock: Clock) -> None:
    """Nothing of another space, of a channel that is not visible, forgotten or superseded is found or counted."""
    async with room(database, clock) as r:
        elsewhere = await r.app.enter(people.caller(space=2), channel_name="general", mode="all")
        staff = await r.app.enter(BOB, channel_name="staff", mode="all")
        await keep(r, "gate elsewhere", by=elsewhere)
        await keep(r, "gate of staff", by=staff)
        await r.say("The gate of staff is said.", by=staff)
        await keep(r, "gate forgotten", "gate superseded", "gate here")
        await r.run("!forget 2")
        await r.run("!edit 3 gate replaced")
        found = await ask(r, "gate", strategy)
        both = await ask(r, "gate", strategy, by=people.caller(sees=(10, 11)))
    assert ({"gate here", "gate replaced"}, 2) == ({*contents(found)}, found.considered)
    assert "gate of staff" in contents(both)


@pytest.mark.parametrize("strategy", [Strategy.LITERAL, Strategy.KEYWORDS])
async def test_tier_and_tags_narrow_it(strategy: Strategy, database: Database, clock: Clock) -> None:
    """Only memories of the tier, and only those that have all of the tags."""
    async with room(database, clock) as r:
        await keep(r, "gate old", tags=("auto", "red"))
        clock.forward(hours=60)
        await r.run("!age", by=people.caller(admin=True))
        await keep(r, "gate new", tags=("auto", "red", "blue"))
        await r.say("What a gate.")
        long = await ask(r, "gate", strategy, tier=Tier.LONG)
        red = await ask(r, "gate", strategy, tags=("red",))
        both = await ask(r, "gate", strategy, tags=("red", "blue"))
        none = await ask(r, "gate", strategy, tags=("green",))
    assert (["gate old"], {"gate old", "gate new"}, ["gate new"], []) == (
        contents(long),
        {*contents(red)},
        contents(both),
        contents(none),
    )


# --- keywords -------------------------------------------------------------------------------------------------------


def test_phrases_stand_between_semicolons() -> None:
    """Each once, without white space around it; empty ones are none."""
    assert (("spare key", "gate", "a b"), 0) == strategies.phrases(" spare   key ;gate;; ; a\nb;gate")


async def test_sixty_phrases_are_taken_and_the_rest_is_cut(database: Database, clock: Clock) -> None:
    """And that is said; what only a later one finds is not found.

    “VectorMemorySearch: `;`, sanitised, truncated to 60, OR”
    """
    words = ";".join(f"w{n}" for n in range(60))
    assert (60, 0) == (len(strategies.phrases(words)[0]), strategies.phrases(words)[1])
    async with room(database, clock) as r:
        await keep(r, "The gate is green.")
        found = await ask(r, f"{words};gate;shed", Strategy.KEYWORDS)
        whole = await ask(r, f"gate;{words}", Strategy.KEYWORDS)
    assert ([], ["The gate is green."]) == (contents(found), contents(whole))
    assert ("62", "60") == tuple(re.findall(r"\d+", found.asked.notes[0]))


async def test_keywords_weigh_where_a_phrase_stands(database: Database, clock: Clock) -> None:
    """Topic 3, content 2, entities 2, key phrases 2, a message 1; where its words stand apart 1; phrases add up.

    “FTS over title, summary, entities, key_phrases with weights”
    """
    async with room(database, clock) as r:
        await keep(r, "Nothing here.", topic="spare key")
        await keep(r, "The spare keys are lent.", topic="shed")
        await keep(r, "The spare one.", topic="key")
        await keep(r, "The spare key is with Aalto.", topic="spare key")
        await r.say("Who has a spare key?")
        async with database.connection() as connection:
            await connection.execute(
                "UPDATE memory SET entities = '{Aalto,spare key}', key_phrases = '{the spare key}' WHERE memory_id = 4"
            )
        found = await ask(r, "spare key", Strategy.KEYWORDS)
        two = await ask(r, "spare key; aalto; zebra", Strategy.KEYWORDS)
    assert [9.0, 4.0, 3.0, 1.0, 1.0] == [result.parts.score for result in found.results]
    assert {"#4", "#1", "#2"} == {name for name, _ in scores(found)[:3]}
    assert ("#4", 9.0 + 2 + 2) == scores(two)[0]
    assert (5, ("spare key", "aalto", "zebra")) == (two.considered, two.asked.words)


async def test_a_phrase_matches_when_all_its_words_occur(database: Database, clock: Clock) -> None:
    """In any order and form, as the space's language has it; one word missing is no match."""
    async with room(database, clock) as r:
        await keep(r, "We painted the old gates.")
        matched = [
            bool(await ask(r, text, Strategy.KEYWORDS)) for text in ("gate paint", "gate boat", "gate boat; old")
        ]
    assert [True, False, True] == matched


async def test_equals_are_ranked_newest_first_then_by_id(database: Database, clock: Clock) -> None:
    """Of the same worth what was said later stands first; of one moment the lower id, memories before messages."""
    async with room(database, clock) as r:
        await keep(r, "gate one", "gate two")
        clock.forward(hours=1)
        await keep(r, "gate three")
        found = await ask(r, "gate", Strategy.KEYWORDS)
        again = await ask(r, "gate", Strategy.KEYWORDS)
    assert ["gate three", "gate one", "gate two"] == contents(found) == contents(again)


async def test_keywords_do_not_quote_a_memory_s_own_message_again(database: Database, clock: Clock) -> None:
    """What was asked to be remembered in plain words is found once."""
    async with room(database, clock) as r:
        await r.say("Please remember that the vault code is 4417.")
        found = await ask(r, "vault code; 4417", Strategy.KEYWORDS)
    assert [MemoryId(1)] == [memory.memory_id for memory in found.memories]
    assert () == found.messages


async def test_keywords_find_what_is_written_without_blanks(database: Database, clock: Clock) -> None:
    """By pairs of letters."""
    async with room(database, clock) as r:
        await keep(r, "金庫の番号は四四一七です。")
        assert await ask(r, "金庫; 番号", Strategy.KEYWORDS)
        assert not await ask(r, "銀行", Strategy.KEYWORDS)
        assert [("#1", 3.0)] == scores(await ask(r, "金庫は四四"))
        assert [("#1", 1.0)] == scores(await ask(r, "番"))


async def test_phrases_without_a_word_are_told(database: Database, clock: Clock) -> None:
    """They are named in a note while others are looked for; alone there was no word to look for."""
    async with room(database, clock) as r:
        await keep(r, "gate")
        some = await ask(r, "gate; the; &&; of and; !", Strategy.KEYWORDS)
        none = await ask(r, "the; of", Strategy.KEYWORDS)
    (note,) = some.asked.notes
    assert note.endswith("in 'the', '&&', 'of and' ….")
    assert ((NO_WORD,), ()) == (none.asked.notes, none.results)


async def test_a_later_fact_is_not_crowded_out_by_the_page(database: Database, clock: Clock) -> None:
    """The best is found among many, and how many matched is told though few are shown."""
    async with room(database, clock) as r:
        await keep(r, "The gate and the boat.")
        clock.forward(hours=1)
        await keep(r, *(f"gate {n}" for n in range(30)))
        found = await ask(r, "gate; boat", Strategy.KEYWORDS, limit=3)
    assert ("#1", 3, 31) == (found.results[0].name, len(found.results), found.considered)


FILL = """
INSERT INTO memory (space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags,
                    channel_id, content_hash, created_at, said_at, reinforced_at, last_used_at, search)
SELECT 1, n, 'long', 'general', 'topic', text, 5, 5, 'user', '{auto}', 10, decode(md5(n::text), 'hex'), now(), now(),
       now(), now(), setweight(search_vector('english', text), 'B')
FROM (SELECT n, format('fact %s of word%s', n, n % 500) AS text FROM generate_series(1, 8000) n) AS facts
"""


@pytest.mark.parametrize("statement", ["literal_candidates", "keyword_memories"])
async def test_a_large_space_is_searched_by_its_index(statement: str, database: Database) -> None:
    """Candidates are found by the text index: no plan reads a whole space for a word that is rare in it."""
    end = datetime(2100, 1, 1, tzinfo=UTC)
    phrases = ["'word7'", ["'word7'"], ["'word7':A"], ["'word7':B"], None, [], [3, 2, 2, 2, 1], 1000, 20, end, "", 0]
    args = {"literal_candidates": ["'word7'", None, [], 1000], "keyword_memories": ["english", *phrases]}
    async with database.connection() as connection:
        await connection.execute(FILL)
        await connection.execute("VACUUM ANALYZE memory")
        plan: Any = "EXPLAIN (ANALYZE, FORMAT JSON) " + statements.named(f"strategies.{statement}")
        told = json.loads(await connection.fetchval(plan, 1, [10], *args[statement]))[0]["Plan"]
    waiting, read = [told], dict[str, float]()
    while waiting:
        node = waiting.pop()
        waiting += node.get("Plans", [])
        if "Index Name" in node:
            read[node["Index Name"]] = max(read.get(node["Index Name"], 0), node["Actual Rows"])
        assert ("Seq Scan", "memory") != (node["Node Type"], node.get("Relation Name"))
    assert 16 == read["memory_search"]
    assert max(read.values()) <= 2000


# --- whatever is asked ----------------------------------------------------------------------------------------------

BAD = (
    "the of and",
    "?!",
    "\"'\"'",
    "& | ! ( ) :*",
    "a & !b | (c:*",
    "'; DROP TABLE memory; --",
    "\\",
    "'\\'",
    "\0",
    "x" * 4000,
    "word " * 800,
    "東" * 4000,
    " ".join(f"w{n}" for n in range(200)),
    "from Zaphod",
    "on 31 February 2026",
    "<->",
    "'a':1A",
    "; ; ;",
    "😀",
    "%s {0}",
    "\ud800",
    "a\u0301" * 300,
)


@pytest.mark.parametrize("strategy", Strategy)
async def test_bad_input_is_answered(strategy: Strategy, database: Database, clock: Clock) -> None:
    """Whatever stands in a query, there is an answer and no error of Postgres; no more than is asked for."""
    async with room(database, clock) as r:
        await keep(r, "The vault code is 4417.", "w1 w2 'quoted' \\ text")
        await r.say("The vault is in the cellar.")
        for text in BAD:
            found = await ask(r, text, strategy, limit=5)
            assert len(found.results) <= 5, text
            assert found.considered >= len(found.results)


@pytest.fixture
async def asked(database: Database, clock: Clock) -> AsyncGenerator[Room]:
    """A room with something to find."""
    async with room(database, clock) as r:
        await keep(r, "The vault code is 4417.", "a b 0 \u00e9 \u732b", "It's a 'quoted' text & more.")
        await r.say("The vault is in the cellar: a|b.")
        yield r


@given(
    text=st.text(max_size=200) | st.text("ab;'\\&|!():*<->\" \n0\u00e9\u732b", max_size=60),
    strategy=st.sampled_from(Strategy),
)
@settings(derandomize=True, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_any_text_is_answered(asked: Room, text: str, strategy: Strategy) -> None:
    """Random text of every alphabet is answered, the same twice; too many phrases are refused in a sentence."""
    if strategy is Strategy.KEYWORDS and len({" ".join(part.split()) for part in text.split(";")} - {""}) > 60:
        with pytest.raises(errors.BadArgument):
            await ask(asked, text, strategy)
        return
    first, again = [await ask(asked, text, strategy) for _ in range(2)]
    assert (first.results, first.considered) == (again.results, again.considered)
    assert first.considered >= len(first.results)
