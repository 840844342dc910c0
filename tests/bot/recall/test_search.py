"""Recall, from words to places, on a real database."""

import asyncio
import random
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.config import DatabaseSettings
from bot.db import pool
from bot.db.pool import Database
from bot.domain import NOTHING_FOUND, Actor, Caller, Fact, MemoryId, MessageId, Recollection, Source
from bot.infra.leases import this_worker
from bot.recall import parsing, search
from bot.recall.librarian import Librarian
from bot.recall.query import NO_WORD, Query
from bot.store import bounded_words, word_counts
from bot.store.archivist import Archivist, Author
from bot.store.spaces import Spaces
from bot.store.turns import Turns
from bot.store.word_counts import WordSampler
from tests import people
from tests.conftest import Clock

ANN = people.caller("Ann")
CAROLINE, MEL = people.caller("Caroline", person=8), people.caller("Melanie Grey", person=9)
NOW = datetime(2026, 3, 1, tzinfo=UTC)


class Room:
    """A channel in which everything is remembered."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database, self.clock = database, clock
        self.librarian = Librarian(database)
        self.turns, self.spaces = Turns(database, this_worker()), Spaces(database)

    async def says(self, by: Caller, text: str, *, minutes: float = 1, language: str = "english") -> MessageId:
        """What somebody said so long after what was said before."""
        now = self.clock.forward(minutes=minutes)
        await self.spaces.ensure(by, channel_name=f"c{by.channel_id}", mode="all", language=language, now=now)
        said = people.said(by, text, now)
        assert await self.turns.overhear(said, language=language)
        return said.message_id

    async def keeps(self, by: Caller, text: str, **given: Any) -> MemoryId:
        fact = Fact(
            content=text,
            source=Source.USER,
            author_id=by.person_id,
            author=by.name,
            **(dict[str, Any](importance=5, topic="t") | given),
        )
        author = Author(actor=Actor.PERSON, person_id=by.person_id, reason="remember")
        (saved,) = await Archivist(self.database).save(
            by.space_id, by.channel_id, [fact], author, now=self.clock.forward(minutes=1)
        )
        return saved.memory.memory_id

    async def recall(self, text: str, by: Caller = ANN, **given: Any) -> Recollection:
        return await self.librarian.recall(by, Query(text=text, as_of=self.clock(), **given))

    async def first(self, query: str, by: Caller = ANN) -> str:
        """The text of the best result."""
        found = await self.recall(query, by)
        return found.results[0].item.content if found else NOTHING_FOUND


@pytest.fixture
async def room(database: Database, clock: Clock) -> Room:
    made = Room(database, clock)
    await Spaces(database).ensure(ANN, channel_name="c10", mode="all", language="english", now=clock())
    return made


def texts(found: Recollection) -> list[str]:
    return [result.item.content for result in found.results]


async def _talk(room: Room) -> None:
    await room.says(CAROLINE, "I went to a LGBTQ support group yesterday and it was so powerful.")
    await room.says(MEL, "Wow, that's cool, Caroline! What happened that was so awesome?")
    await room.says(MEL, "I ran a charity race for mental health last Saturday.", minutes=60)
    await room.says(CAROLINE, "The adoption agency meeting is on Friday.", minutes=600)
    await room.says(MEL, "We painted a sunrise by the lake with the kids.", minutes=60)


async def test_the_message_is_found_though_the_words_differ_in_form(room: Room) -> None:
    """The evidence comes first, with its author and date, though the question puts it in other forms."""
    await _talk(room)
    found = await room.recall("when did Caroline go to the support groups")
    assert "I went to a LGBTQ support group yesterday and it was so powerful." == texts(found)[0]
    assert ("Caroline", ("caroline",)) == (found.messages[0].author, found.asked.people)
    assert "We painted a sunrise by the lake with the kids." == await room.first("When did Melanie paint a sunrise?")


async def test_no_search_waits_for_a_connection_with_one_in_hand(dsn: str, clock: Clock) -> None:
    """It reads on two at once, and several end where there is but one."""
    async with asyncio.timeout(30), pool.opened(dsn, DatabaseSettings(pool_size=1)) as alone:
        room = Room(alone, clock)
        await _talk(room)
        found = await asyncio.gather(*(room.recall("What was the support group like?") for _ in range(4)))
    assert 4 == sum(texts(each)[0].endswith("it was so powerful.") for each in found)


async def test_an_answer_without_the_words_is_found_beside_them(room: Room) -> None:
    """What answers a question repeats none of its words, and is found by them."""
    await room.says(MEL, "Where did you leave the big tent?")
    answer = await room.says(CAROLINE, "Up in the attic, behind the skis.")
    found = await room.recall("big tent")
    assert answer in {message.message_id for message in found.messages}


@pytest.mark.parametrize(
    ("between", "later", "is_answer"),
    [
        (["hm"], 1, True),
        (["which one?"], 1, True),
        (["The green one, I mean."], 1, True),
        (["hm", "The green one, I mean."], 1, True),
        (["Ben has it."], 1, False),
        (["hm"], 11, False),
        (["hm", "which one?", "The green one, I mean."], 1, False),
    ],
)
async def test_an_answer_may_come_a_little_later(room: Room, between: list[str], later: int, is_answer: bool) -> None:
    """Within three messages and ten minutes, where what others say before it tells nothing."""
    bob = people.caller("Bob", person=7)
    await room.says(MEL, "Who borrowed the ladder?")
    for text in between:
        await room.says(MEL if "I mean" in text else CAROLINE, text)
    answer = await room.says(bob, "Me, on Tuesday.", minutes=later)
    for text in ("It rains again.", "Tea is ready."):
        await room.says(CAROLINE, text, minutes=60)
    found = await room.recall("who borrowed the ladder?", is_question=True)
    assert is_answer == any(each.answers and each.name == str(answer) for each in found.results)


async def test_who_is_named_comes_first_and_others_stay(room: Room) -> None:
    """People count as authors, by first name too; who said something else about it is not left out."""
    await room.says(CAROLINE, "The picnic needs a blanket.")
    await room.says(MEL, "The picnic needs lemonade.", minutes=500)
    assert ["The picnic needs lemonade.", "The picnic needs a blanket."] == texts(
        await room.recall("What did Melanie say about the picnic?")
    )
    assert "The picnic needs a blanket." == await room.first("caroline's picnic")


async def test_former_names_and_mentions_still_mean_the_person(room: Room) -> None:
    """Somebody is found by the name they had, and by a mention."""
    await room.says(people.caller("Nightowl", person=8), "The keys are with the porter.")
    await room.says(people.caller("Sam", person=8), "Keys again: the porter has them all.", minutes=300)
    await room.says(MEL, "The porter keeps keys.", minutes=300)
    for name in ("Nightowl", "@Sam", "sam's"):
        found = await room.recall(f"what did {name} say about keys and the porter")
        assert [8, 8] == [message.author_id for message in found.messages[:2]]


@pytest.mark.parametrize(
    ("name", "typed"),
    [("lucía", "lucia"), ("Chloé \N{CHERRY BLOSSOM}", "chloe"), ("Zoe", "zoé"), ("Jörg", "jorg"), ("lucía", "lucía")],
)
async def test_a_name_is_somebody_s_with_its_accents_or_without(room: Room, name: str, typed: str) -> None:
    """However it is typed the one who bears it is meant, and nobody else's words are theirs."""
    await room.says(people.caller(name, person=8), "The film was long.")
    await room.says(MEL, "The film, the film!", minutes=300)
    found = await room.recall(f"what did {typed} say about the film")
    assert ((typed,), "The film was long.") == (found.asked.people, found.messages[0].content)


async def test_my_and_i_mean_who_asks(room: Room) -> None:
    """Who says "my" means what they said themselves."""
    await room.says(CAROLINE, "The car is red.")
    await room.says(MEL, "The car is blue.", minutes=300)
    assert "The car is blue." == await room.first("what colour is my car", replace(MEL, visible=ANN.visible))
    assert "The car is red." == await room.first("what colour is my car", replace(CAROLINE, visible=ANN.visible))


@pytest.mark.parametrize("asked", ["when is carolines birthday", "When is Carolines birthday?"])
async def test_a_name_with_an_s_is_that_name(room: Room, asked: str) -> None:
    """Many write it without its apostrophe, before what is theirs."""
    await room.says(CAROLINE, "My birthday is on 3 May, and the roses are carolines.")
    assert ("caroline",) == (await room.recall(asked, MEL)).asked.people
    assert () == (await room.recall("which roses are carolines", MEL)).asked.people


async def test_who_is_named_weighs_as_surely_as_they_are_named(room: Room) -> None:
    """A name that is written like any other word counts by half, in the score and in how sure it is."""
    await room.says(CAROLINE, "The kiln is hot.")
    await room.says(MEL, "The wheel is cold.", minutes=300)
    questions = ("what did we do with carolines kiln", "what did we do with Caroline's kiln")
    found = [await room.recall(text, MEL, is_question=True, least=0.0) for text in questions]
    assert [0.5, 1.0] == [one.signs["by whom it names"] for one in found]


async def test_a_name_that_is_a_word_is_one_only_where_it_is_written_so(room: Room) -> None:
    """A person called Rain does not take the word from a question about the weather."""
    await room.says(people.caller("Rain", person=8), "I like cheese.")
    await room.says(MEL, "The rain will last until Monday.", minutes=300)
    assert "The rain will last until Monday." == await room.first("how long will the rain last")
    assert ("rain",) == (await room.recall("what does Rain like, cheese?")).asked.people


async def test_an_unknown_author_is_a_word_like_others(room: Room) -> None:
    """Somebody nobody knows is no error and no filter."""
    await _talk(room)
    found = await room.recall("what did Zebediah say about the sunrise by the lake")
    assert ("We painted a sunrise by the lake with the kids.", ()) == (texts(found)[0], found.asked.people)


async def test_dates_are_read_in_the_time_zone_of_the_space(room: Room) -> None:
    """What was said in the time asked about comes first: by its day there, and by the day as it is written."""
    await room.says(MEL, "The bread turned out well.")
    said = room.clock()
    await room.says(MEL, "The bread turned out well enough.", minutes=60 * 24 * 40)
    day = f"{said.day} {said:%B}"
    found = await room.recall(f"bread on {day}")
    assert ("The bread turned out well.", 1) == (texts(found)[0], len(found.asked.dates))
    assert "The bread turned out well enough." == await room.first("the bread we had yesterday or today")


async def test_a_date_that_does_not_exist_is_told(room: Room) -> None:
    """A day no calendar has is looked for by its words, and said to be none."""
    await _talk(room)
    found = await room.recall("the charity race on 30 February")
    assert found
    assert any("30 February" in note for note in found.asked.notes)


async def test_a_misspelt_word_finds_what_was_meant(room: Room) -> None:
    """A word nobody wrote so is matched by its letters; a small word that is misspelt is none to look for."""
    await _talk(room)
    for query in ("charrity race", "remeber teh charrity race", "sharity race", "hcarity race"):
        assert "I ran a charity race for mental health last Saturday." == await room.first(query)


async def test_a_long_question_is_corrected_where_it_finds_nothing(room: Room) -> None:
    """Though it is not about the past, and looked up beside every answer."""
    await _talk(room)
    question = "who ran the chartiy race for metnal helth?"
    found = await room.recall(question, is_question=True, strictly=True)
    assert ["I ran a charity race for mental health last Saturday."] == texts(found)[:1]


async def test_words_find_their_forms_where_there_is_no_stemmer(room: Room) -> None:
    """In a language without a stemmer inflected forms are found by their letters."""
    bob = people.caller("Bob", space=2, channel=20, person=3)
    await room.says(bob, "Kupiłem czekoladę dla babci.", language="polish")
    await room.says(bob, "Jutro idziemy do kina.", language="polish", minutes=300)
    found = await room.recall("czekolada", replace(bob, language="polish"))
    assert ["Kupiłem czekoladę dla babci."] == texts(found)[:1]


async def test_languages_without_blanks_are_found_by_pairs(room: Room) -> None:
    """Chinese and Japanese are found in the middle of what was said."""
    bob = people.caller("Bob", space=2, channel=20, person=3)
    await room.says(bob, "我们决定星期五发布新版本", language="chinese")
    await room.says(bob, "明日は雨が降るそうです", language="chinese", minutes=300)
    there = replace(bob, language="chinese")
    assert "我们决定星期五发布新版本" == await room.first("发布", there)
    assert "明日は雨が降るそうです" == await room.first("雨が降る", there)


async def test_memories_and_messages_are_ranked_together(room: Room) -> None:
    """Both tiers and what was said are one list; what a better memory rests on is not shown twice."""
    said = await room.says(CAROLINE, "We meet at the fountain at nine.")
    await room.says(MEL, "The fountain is being repaired.", minutes=400)
    memory = await room.keeps(CAROLINE, "The meeting point is the fountain at nine.", evidence=(said,), importance=8)
    found = await room.recall("where do we meet at the fountain at nine")
    assert memory in {each.memory_id for each in found.memories}
    assert said not in {each.message_id for each in found.messages}


async def test_what_is_left_out_lends_nothing(room: Room) -> None:
    """The question itself is neither found nor a neighbour of what is."""
    await room.says(CAROLINE, "Good morning all of you.")
    question = await room.says(ANN, "Where is the projector cable?")
    found = await room.recall("Where is the projector cable?", apart_from=(question,), least=0.0)
    assert () == found.results


@pytest.mark.parametrize("kind", ["other space", "private channel", "hidden"])
async def test_nobody_hears_of_what_they_may_not_see(room: Room, kind: str) -> None:
    """What lies in another space or a channel not everyone sees, or is forgotten, is not found, near or counted."""
    shown = await room.says(CAROLINE, "The orchid needs water.")
    where = {
        "other space": people.caller("Eve", space=2, channel=10, person=8),
        "private channel": people.caller("Eve", channel=11, person=8),
    }.get(kind, MEL)
    secret = await room.says(where, "The orchid is a surprise for Ann.")
    if kind == "hidden":
        async with room.database.connection() as connection:
            await connection.execute("UPDATE message SET hidden_at = said_at WHERE message_id = $1", secret)
    found = await room.recall("orchid surprise", least=0.0)
    assert {shown} == {message.message_id for message in found.messages}
    assert 1 == found.considered
    assert "surprise" not in str([result.parts for result in found.candidates])


async def test_only_what_stands_out_is_a_result(room: Room) -> None:
    """Nothing is better than noise: of a question about what was never said, one shared word finds nothing."""
    await _talk(room)
    found = await room.recall("which airport lounge serves breakfast with a view of the lake")
    assert ((), True) == (found.results, found.certainty < found.threshold)
    assert found.candidates


async def test_what_is_done_with_a_thing_tells_nothing_of_one_nobody_spoke_of(room: Room) -> None:
    """What somebody else finished answers no question about what they have not begun."""
    await _talk(room)
    await room.says(CAROLINE, "I finished the roof of the shed.")
    known, unknown = [
        await room.recall(f"has Caroline finished the {thing}?", is_question=True) for thing in ("roof", "rocket")
    ]
    assert (["I finished the roof of the shed."], []) == (texts(known)[:1], texts(unknown))


@pytest.mark.parametrize(
    "query",
    [
        "the of and",
        "?!… —",
        "''\"\"",
        "& | ! ( ) :*",
        "'; DROP TABLE message; --",
        "<->",
        "a:b:*",
        "\\",
        "\x01",
        "🐘",
        "x" * 4000,
        "word " * 800,
        " ".join(f"w{n}" for n in range(200)),
        "' | 'a",
        "OR 1=1",
        "(",
        "a & !b",
        "\u0000a",
    ],
)
async def test_no_query_is_an_error(room: Room, query: str) -> None:
    """Operators, quotes, SQL, stop words and pages of words are words to look for, or none."""
    await _talk(room)
    found = await room.recall(query)
    assert isinstance(found, Recollection)


async def test_a_query_without_a_word_to_look_for_says_so(room: Room) -> None:
    """Only stop words: nothing is found and it is told why; with a name or a time, the latest is."""
    await _talk(room)
    nothing = await room.recall("what was that and who")
    assert ((), (NO_WORD,)) == (nothing.results, nothing.asked.notes)
    assert "We painted a sunrise by the lake with the kids." == await room.first("what did Melanie say?")
    assert "The adoption agency meeting is on Friday." == await room.first("what did Caroline do?")


async def test_how_it_is_with_somebody_is_told_by_what_was_kept(room: Room) -> None:
    """What they happened to say last comes first where it is asked for."""
    await room.keeps(MEL, "I have the heat gun.")
    await room.says(MEL, "Lovely weather.", minutes=300)
    for question in ("what does Melanie have?", "what do you know about Melanie?"):
        found = await room.recall(question, is_question=True)
        assert "I have the heat gun." == texts(found)[0]
    said = await room.recall("what did Melanie say?", is_question=True)
    assert "Lovely weather." == texts(said)[0]


async def test_long_queries_are_cut_to_their_longest_words(room: Room) -> None:
    """Past sixteen words the longest that were ever said are looked for, and it is told."""
    await room.says(MEL, "The observatory is closed.")
    found = await room.recall(" ".join([*(f"ab{chr(97 + n)}" for n in range(20)), "observatory"]), least=0.0)
    assert ["The observatory is closed."] == texts(found)
    (note,) = found.asked.notes
    assert ("21 words" in note, "16 longest" in note) == (True, True)
    longer = " ".join(f"longish{n:03}" for n in range(40))
    assert ["The observatory is closed."] == texts(await room.recall(f"{longer} observatory", least=0.0))


WORDS = ("tent", "lake", "race", "sunrise", "bread", "orchid")


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6))
async def test_the_same_rows_have_the_same_places(database: Database, clock: Clock, seed: int) -> None:
    """What was inserted in another order, beside rows that were deleted since, or before a restart, changes nothing."""
    chosen = random.Random(seed)
    said = [
        (n, " ".join(chosen.choices(WORDS, k=chosen.randint(1, 5))), NOW + timedelta(minutes=n)) for n in range(1, 25)
    ]
    query = " ".join(chosen.sample(WORDS, 2))
    outcomes = [
        await _ranked(database, space, query, rows)
        for space, rows in ((1000 + 2 * seed, [(row, True) for row in said]), (1001 + 2 * seed, _mixed(said, chosen)))
    ]
    assert outcomes[0] == outcomes[1]


def _mixed(
    said: list[tuple[int, str, datetime]], chosen: random.Random
) -> list[tuple[tuple[int, str, datetime], bool]]:
    """The same rows in another order, with others among them that do not stay."""
    passing = [(n + 100, " ".join(chosen.choices(WORDS, k=4)), NOW) for n in range(10)]
    rows = [*((row, True) for row in said), *((row, False) for row in passing)]
    chosen.shuffle(rows)
    return rows


async def _ranked(
    database: Database, space: int, query: str, rows: Iterable[tuple[tuple[int, str, datetime], bool]]
) -> list[tuple[str, str]]:
    by = people.caller(space=space)
    await Spaces(database).ensure(by, channel_name="c", mode="all", language="english", now=NOW)
    turns = Turns(database, this_worker())
    for (number, text, at), _ in rows:
        await turns.overhear(
            replace(people.said(by, text, at), message_id=MessageId(number)), language="english", behind=True
        )
    async with database.connection() as connection:
        gone = [number for (number, _, _), stays in rows if not stays]
        await connection.execute("DELETE FROM message WHERE space_id = $1 AND message_id = ANY ($2)", space, gone)
    # A librarian of its own, as after a restart.
    found = await Librarian(database).recall(by, Query(text=query, as_of=NOW + timedelta(days=1), limit=50, least=0.0))
    return [(result.name, repr(result.parts)) for result in found.results]


async def test_words_of_a_time_are_no_words_to_look_for(room: Room) -> None:
    """What was said last week does not say "last week": a query of a time alone is answered by what was said then."""
    await room.says(MEL, "The ladder is broken.")
    await room.says(MEL, "The week is long and the last bus has gone.", minutes=60 * 24 * 20)
    await room.says(CAROLINE, "We repaired the ladder.", minutes=60 * 24 * 8)
    room.clock.forward(hours=24 * 7)
    assert "We repaired the ladder." == await room.first("what did we say last week?")
    assert ("ladder",) == (await room.recall("the ladder last week")).asked.words
    assert "We repaired the ladder." == await room.first("the ladder last week")


async def test_words_of_asking_weigh_half(room: Room) -> None:
    """What is asked about comes before what only repeats how it is asked, and words of asking still find something."""
    await room.says(CAROLINE, "They had many kinds of lamp.")
    await room.says(MEL, "Tomato soup for all of us.", minutes=500)
    await room.says(MEL, "The soup was cold.", minutes=500)
    await room.says(CAROLINE, "It was much the same kind.", minutes=500)
    assert "Tomato soup for all of us." == await room.first("What kind of tomato soup?")
    assert "They had many kinds of lamp." == await room.first("many kinds")
    async with room.database.connection() as connection:
        query = Query(text="what kind of soup did they mention", as_of=room.clock())
        parsed = await parsing.parse(connection, ANN, query)
    assert {"kind": 0.5, "soup": 1.0, "mention": 0.5} == {term.word: term.share for term in parsed.terms}


async def test_a_name_is_meant_before_a_month(room: Room) -> None:
    """Of somebody called Jun it is not asked about June."""
    await room.says(people.caller("Jun", person=8), "The gate code is 2580.")
    found = await room.recall("what did Jun say about the gate code")
    assert (("jun",), ()) == (found.asked.people, found.asked.dates)


async def test_a_date_that_does_not_exist_takes_nothing_from_the_rest(room: Room) -> None:
    """Its words are not looked for."""
    await room.says(MEL, "The boiler needs oil.")
    found = await room.recall("boiler oil 2025-02-30")
    assert (["The boiler needs oil."], ("boiler", "oil")) == (texts(found), found.asked.words)


async def test_who_asks_is_named_only_by_what_is_theirs(room: Room) -> None:
    """A polite "I would like to know" makes no result less certain, and "tell me" names nobody."""
    await room.says(CAROLINE, "The fire extinguishers are checked in March.")
    assert await room.recall("I would like to know about the fire extinguishers")
    assert not (await room.recall("tell me about the fire extinguishers")).results[0].parts.author


@pytest.mark.parametrize("asked", ["I forgot what Caroline works as", "I lost my badge, what does Caroline work as?"])
async def test_who_says_that_they_forgot_is_not_asked_about(room: Room, asked: str) -> None:
    """It is read from the clause that asks whose thing is asked for."""
    await room.says(MEL, "Sunday works for me.")
    await room.says(CAROLINE, "I work as a paramedic now.", minutes=300)
    found = await room.recall(asked, MEL, is_question=True, least=0.0)
    assert "I work as a paramedic now." == texts(found)[0]
    assert all(not result.parts.author for result in found.results if result.item.author_id == MEL.person_id)


async def test_a_full_name_names_one_of_two(room: Room) -> None:
    """Of two Anas the one whose name stands in full is meant, and of first names alone both."""
    await room.says(people.caller("Ana Lopez", person=8), "The kiln is hot.")
    await room.says(people.caller("Ana Silva", person=9), "The kiln is cold.", minutes=300)
    assert ("ana lopez",) == (await room.recall("what did Ana Lopez say about the kiln")).asked.people
    assert "The kiln is hot." == await room.first("what did Ana Lopez say about the kiln")
    found = await room.recall("what did Ana say about the kiln")
    assert {8, 9} == {message.author_id for message in found.messages if message.author_id}


async def test_a_memory_takes_the_place_of_what_it_rests_on(room: Room) -> None:
    """A memory made from the best message stands where that would, not behind what is outdated."""
    await room.keeps(CAROLINE, "The code of the gate is 2580, said the caretaker of the gate.")
    said = await room.says(MEL, "The gate code is 7193 now.", minutes=300)
    new = await room.keeps(MEL, "Since Monday the new code for the gate of the yard is 7193.", evidence=(said,))
    found = await room.recall("gate code now")
    assert f"#{new}" == found.results[0].name


async def test_ones_own_question_lends_nothing_to_what_one_says_next(room: Room) -> None:
    """Who asked and was not answered goes on to something else; somebody else's next message may answer."""
    await room.says(MEL, "Where is the projector kept?")
    await room.says(MEL, "The bus is late today.")
    assert texts(await room.recall("where is the projector kept")) == []
    await room.says(MEL, "Where is the samovar kept?")
    await room.says(CAROLINE, "In the green cupboard.")
    assert "In the green cupboard." in texts(await room.recall("where is the samovar kept"))


async def test_whoever_asked_others_before_is_told_what_they_answered(room: Room) -> None:
    """Who asks again is whom it was answered; to anybody else it is told as well."""
    await room.says(MEL, "Where is the samovar kept?")
    await room.says(CAROLINE, "In the green cupboard, behind the plates.")
    await room.says(CAROLINE, "It rained all day.", minutes=60)
    for asker in (MEL, CAROLINE):
        found = await room.recall("where did we keep the samovar?", asker, is_question=True)
        assert ["In the green cupboard, behind the plates."] == texts(found)[:1]


@pytest.mark.parametrize(
    ("question", "is_sure"), [("What did the roof cost?", True), ("What did the roof cost in 2019?", False)]
)
async def test_what_was_not_said_then_is_not_sure(room: Room, question: str, is_sure: bool) -> None:
    """Where a time is asked about, what was said at another lacks it, and so is told less surely."""
    await room.says(CAROLINE, "The roof cost 3,650 pounds.")
    found = await room.recall(question, is_question=True, least=0.0)
    assert (texts(found), found.signs["lacks the day"]) == (["The roof cost 3,650 pounds."], not is_sure)


@pytest.mark.parametrize(("question", "found"), [("who is Callum?", False), ("who is Zuzanna?", True)])
async def test_a_name_is_found_as_another_writes_it_and_not_in_another_word(
    room: Room, question: str, found: bool
) -> None:
    """What is written as a name has to be more alike than a word."""
    await room.says(CAROLINE, "Tomorrow I have to call the plumber about the boiler.")
    await room.says(CAROLINE, "Our gardener is called Zuzana.")
    told = texts(await room.recall(question, is_question=True, strictly=True))
    assert told[:1] == (["Our gardener is called Zuzana."] if found else [])


async def test_small_talk_beside_a_result_is_none(room: Room) -> None:
    """What only stands beside a result is shown unless it says nothing."""
    await room.says(MEL, "ok")
    await room.says(CAROLINE, "The beagle is called Pixel.")
    await room.says(MEL, "thank you, that will be all")
    assert ["The beagle is called Pixel."] == texts(await room.recall("beagle"))
    assert ["The beagle is called Pixel."] == texts(await room.recall("what did Caroline say?"))


async def test_what_nothing_holds_half_of_is_settled_before_any_message_is_read(room: Room) -> None:
    """A question that is not about the past has no candidates where no row has enough of it; one about the past has."""
    await _talk(room)
    strictly = await room.recall("What does a zeppelin cost by the lake?", is_question=True, strictly=True)
    loosely = await room.recall("What does a zeppelin cost by the lake?", is_question=True)
    assert (strictly.results, strictly.candidates, strictly.is_covered, loosely.is_covered) == ((), (), False, True)
    assert texts(replace(loosely, results=loosely.candidates))[0].startswith("We painted a sunrise by the lake")
    assert strictly.considered


async def test_what_holds_half_of_a_question_only_with_what_it_replies_to_is_sure(room: Room) -> None:
    """However far apart the two were said, and though neither holds half of it alone."""
    asked = await room.says(MEL, "The walrus has come.")
    for text in ("The gasket broke.", "The mast fell over.", "It rains again."):
        for between in ("The bus is late.", "Tea is ready.", "Nobody is in.", "Look up.", "So it is."):
            await room.says(MEL, between)
        await room.says(MEL, text)
    now = room.clock.forward(minutes=1)
    reply = replace(people.said(CAROLINE, "Its enclosure leaks.", now), reply_to=asked)
    await room.turns.overhear(reply, language="english")
    found = await room.recall("walrus enclosure gasket mast?", is_question=True, strictly=True)
    assert {"The walrus has come.", "Its enclosure leaks."} <= {*texts(found)}


async def test_a_message_is_outdated_only_where_nothing_that_holds_rests_on_it(room: Room) -> None:
    """What it says beside what was replaced still holds."""
    bob = people.caller("Bob", space=2, channel=20, person=3)
    said = await room.says(bob, "my phone is 111 and my flat is on the third floor")
    phone = await room.keeps(bob, "Bob's phone is 111", evidence=(said,))
    flat = await room.keeps(bob, "Bob's flat is on the third floor", evidence=(said,))
    newer = await room.keeps(bob, "Bob's phone is 222")
    found = list[int]()
    async with room.database.transaction() as connection:
        for memory in (phone, flat):
            await connection.execute(
                "UPDATE memory SET superseded_by = $3 WHERE space_id = $1 AND memory_id = $2", 2, memory, newer
            )
            found.append(len(await connection.fetch(search.Sql.outdated, 2, [said])))
    assert [0, 1] == found


# --- large spaces -----------------------------------------------------------------------------------------------------


@pytest.fixture
def _all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where thirty messages are many, and a word that ten hold is common."""
    for module, name, value in (
        (word_counts, "LARGE", 30),
        (word_counts, "COMMON", 10),
        (bounded_words, "INDEXED", 12),
        (bounded_words, "WALKED", 25),
        (bounded_words, "LIFT", 0.1),
    ):
        monkeypatch.setattr(module, name, value)


@pytest.mark.usefixtures("_all_are_large")
async def test_in_a_large_space_rare_words_pairs_and_the_newest_are_found(room: Room) -> None:
    """As in a small one: what holds a rare word, or two common ones, however old; of one common word the newest."""
    await room.says(CAROLINE, "The ferry fare is nine pounds.")
    await room.says(MEL, "Quillwort looks after the ferry.")
    for n in range(60):
        await room.says(ANN, f"The ferry was late on lap {n}." if n % 2 else f"Another fare dodger, number {n}.")
    small = [await room.recall(query, limit=3) for query in ("ferry fare", "quillwort ferry")]
    assert 1 == await WordSampler(room.database).look([ANN.space_id], now=room.clock())
    large = [await room.recall(query, limit=3) for query in ("ferry fare", "quillwort ferry")]
    assert [texts(found)[:1] for found in small] == [texts(found)[:1] for found in large]
    newest = await room.recall("ferry", limit=3)
    assert {f"The ferry was late on lap {n}." for n in (55, 57, 59)} == {*texts(newest)}
    # The same rows give the same ranking.
    assert newest.results == (await room.recall("ferry", limit=3)).results


@pytest.mark.usefixtures("_all_are_large")
async def test_what_somebody_named_said_of_something_common_is_found(room: Room) -> None:
    """Though others said more of it since."""
    await room.says(MEL, "The ferry needs paint.")
    for n in range(60):
        await room.says(ANN, f"The ferry was late on lap {n}.")
    await WordSampler(room.database).look([ANN.space_id], now=room.clock())
    assert "The ferry needs paint." == await room.first("What did Melanie say about the ferry?")


@pytest.mark.usefixtures("_all_are_large")
async def test_what_is_to_be_forgotten_has_a_rare_word_or_is_among_the_newest(room: Room) -> None:
    """Of words that many hold the newest are read alone: of memories those of each channel, of messages one's own."""
    old = await room.says(ANN, "The quillwort ferry was late.")
    for n in range(40):
        await room.says(ANN, f"The ferry was late on lap {n}.")
        await room.says(MEL, f"The ferry was late, said {n} people.")
        room.clock.forward(hours=1)
        await room.keeps(ANN, f"The ferry took lap {n}.")
    await WordSampler(room.database).look([ANN.space_id], now=room.clock())
    of_rare, of_common = "quillwort ferry", "ferry lap"
    rare, messages = [
        await room.librarian.forgettable_messages(ANN, words, apart_from=MessageId(0), limit=99)
        for words in (of_rare, of_common)
    ]
    none, memories = [await room.librarian.forgettable(ANN, words, limit=99) for words in (of_rare, of_common)]
    assert ([], [old]) == (none, [message.message_id for message in rare])
    lately = [f"The ferry was late on lap {n}." for n in reversed(range(40))]
    assert lately[: bounded_words.WALKED] == [message.content for message in messages]
    walked = bounded_words.walk(len(ANN.visible))
    assert [f"The ferry took lap {n}." for n in reversed(range(40))][:walked] == [memory.content for memory in memories]


@pytest.mark.usefixtures("_all_are_large")
async def test_a_memory_is_known_again_in_a_large_space(room: Room) -> None:
    """In other words too, of which none is rare."""
    kept = await room.keeps(ANN, "The ferry fare is nine pounds.")
    for n in range(40):
        room.clock.forward(hours=1)
        await room.keeps(ANN, f"The ferry took lap {n}." if n % 2 else f"A fare of {n} was paid.")
    await WordSampler(room.database).look([ANN.space_id], now=room.clock())
    assert kept == await room.keeps(ANN, "The fare of the ferry is nine pounds.")
