"""The laws of `!recall` as a person meets it: strategies, tags, the way on, and why."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot import errors
from bot.cli.terminal import Screen, Terminal, caller
from bot.commands import score_breakdown
from bot.commands.grammar import ABOUT, explain
from bot.commands.recalling import MOST_RESULTS, SAY_MORE
from bot.db.pool import Database
from bot.domain import NOTHING_FOUND, Caller, Reply, Strategy
from bot.presentation import render
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.model_server import ModelServer
from tests.model_server import Reply as Scripted


async def answer(r: Room, line: str, by: Caller | None = None) -> Reply:
    """The whole reply to `!recall line`."""
    return await r.app.commands.run(by or r.caller, "recall", line, r.tell_later)


async def remember(r: Room, *texts: str, **named: Any) -> None:
    for text in texts:
        given = " ".join(f"{name}:{value}" for name, value in named.items())
        await r.run(f"!remember {text} {given}")


# --- the way on -----------------------------------------------------------------------------------------------------


async def test_the_last_line_says_how_to_search_again(database: Database, clock: Clock) -> None:
    """With the page that comes next, the same arguments and nothing else; on the last page there is no such line."""
    async with room(database, clock) as r:
        await remember(r, *(f"gate number {n}" for n in range(7)))
        first = await r.run("!recall gate tier:short limit:3")
        second = await r.run(first.splitlines()[-1].partition("with ")[2])
        third = await r.run(second.splitlines()[-1].partition("with ")[2])
    assert "Page 1 of 3; search again with !recall gate tier:short limit:3 page:2" == first.splitlines()[-1]
    assert "Page 2 of 3; search again with !recall gate tier:short limit:3 page:3" == second.splitlines()[-1]
    assert ("search again" in third, third.count("    gate number")) == (False, 1)
    numbers = [line for text in (first, second, third) for line in text.splitlines() if line.startswith("    gate")]
    assert 7 == len({*numbers})


async def test_what_only_stands_beside_a_result_is_not_listed(database: Database, clock: Clock) -> None:
    """Nor counted; but for what was said right after somebody else's question, in other words than its own."""
    async with room(database, clock) as r:
        bob = await r.app.enter(people.caller("Bob", person=8), channel_name="general", mode="all")
        for text in ("The tea is in the tin.", "The heron pump leaks.", "Sara writes the news."):
            await r.overhear(text)
        clock.forward(hours=30)
        await r.overhear("Who oiled the heron pump?", bob)
        await r.overhear("Jun, on Friday.")
        found = await answer(r, "heron pump")
        nothing = await r.run("!recall pump page:2")
    assert found.listing is not None
    assert {"The heron pump leaks.", "Jun, on Friday."} == {entry.body for entry in found.listing.entries[:2]}
    assert ("2 results" in nothing, "news" in found.text) == (True, False)


async def test_questions_stand_last_and_are_not_counted(database: Database, clock: Clock) -> None:
    """On the last page, marked as asked; where nothing else is found, the sentence for nothing stands before them."""
    async with room(database, clock) as r:
        await r.say("Where is the heron pump?")
        alone = await answer(r, "heron pump")
        await r.say("The heron pump is in the shed.")
        await r.say("I oiled the heron pump yesterday, who wants to try it?")
        found = await answer(r, "heron pump")
        first = await answer(r, "heron pump limit:1")
        last = await answer(r, "heron pump limit:1 page:2")
    assert alone.text.splitlines()[0] == NOTHING_FOUND
    assert alone.text.splitlines()[2] == "    Where is the heron pump?"
    assert found.listing is not None
    assert found.listing.title == "2 found for 'heron pump'"
    assert [entry.head.split(" ")[0] for entry in found.listing.entries] == ["said", "said", "asked"]
    assert found.listing.entries[-1].body == "Where is the heron pump?"
    assert "asked" not in first.text
    assert ("2 found" in (last.listing.title if last.listing else ""), "asked" in last.text) == (True, False)


async def test_only_questions_that_have_the_word_are_told_apart(database: Database, clock: Clock) -> None:
    """Under a line of their own; of others, nothing: they only stand beside it."""
    async with room(database, clock) as r:
        for text in ("Who brings the cheese?", "Did Pat pay the membership fee?", "When is Ines's birthday?"):
            await r.say(text)
        alone = await answer(r, "membership fee")
        await r.overhear("The membership fee is 45 euro.")
        beside = await answer(r, "membership fee")
    assert alone.listing is not None
    assert beside.listing is not None
    assert ("Nothing found for 'membership fee'", "1 found for 'membership fee'") == (
        alone.listing.title,
        beside.listing.title,
    )
    asked = ("Did Pat pay the membership fee?", render.ASKED_BEFORE)
    assert [asked] == [(entry.body, entry.above) for entry in alone.listing.entries]
    assert [("The membership fee is 45 euro.", ""), asked] == [(e.body, e.above) for e in beside.listing.entries]


@pytest.mark.parametrize(
    "said",
    [
        "/recall kiln",
        "!recall kiln",
        "forget what I said about the kiln",
        "olvida que el kiln está roto",
        "vergiss, dass der kiln kaputt ist",
        "oublie que le kiln est cassé",
        "what do you remember?",
        "help",
        "aide",
        "retiens ça",
        "danke!",
    ],
)
async def test_what_was_asked_of_hathi_is_no_result(said: str, database: Database, clock: Clock) -> None:
    """Neither among the results nor among the questions, whoever said it and right after whatever question."""
    async with room(database, clock) as r:
        bob = await r.app.enter(people.caller("Bob", person=8), channel_name="general", mode="all")
        await r.overhear("When is the kiln free?", bob)
        await r.overhear(said)
        found = await answer(r, "kiln")
    assert found.listing is not None
    assert ["When is the kiln free?"] == [entry.body for entry in found.listing.entries]


async def test_what_was_to_be_kept_answers_no_question(database: Database, clock: Clock) -> None:
    """Right after one it is found by its words, and not for having come next."""
    async with room(database, clock) as r:
        bob = await r.app.enter(people.caller("Bob", person=8), channel_name="general", mode="all")
        await r.overhear("When is the kiln free?", bob)
        await r.overhear("remember that Jun owes me 14 euro")
        by_word, beside = await answer(r, "Jun"), await answer(r, "kiln")
    assert ("14 euro" in by_word.text, "14 euro" in beside.text) == (True, False)


async def test_the_terminal_shows_the_line_in_the_space_s_prefix(
    database: Database, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """As it is typed there; what is explained has no bound at the terminal."""
    async with room(database, clock, who=caller("ann")) as r:
        terminal = Terminal(r.app, r.caller, Screen(interactive=False))
        await remember(r, *(f"gate number {n} {'with a long tail ' * 10}" for n in range(20)))
        await terminal.take("!settings prefix ?")
        await terminal.take("?recall gate")
        listed = capsys.readouterr().out
        await terminal.take("?recall gate limit:20 why")
        explained = capsys.readouterr().out
    assert "Page 1 of 4; search again with ?recall gate page:2" in listed.splitlines()
    assert ("do not fit" in explained, explained.count("Score ")) == (False, 20)


async def test_words_that_would_be_read_as_arguments_offer_no_way_on(database: Database, clock: Clock) -> None:
    """A query chosen as text may end as an argument does; typed again it would mean something else."""
    from bot.arguments import Arguments

    async with room(database, clock) as r:
        await remember(r, *(f"why number {n}" for n in range(7)))
        args = Arguments(text="number why", lead=None, named={}, bare=frozenset())
        reply = await r.app.commands.run(r.caller, "recall", args, r.tell_later)
    assert reply.listing is not None
    assert ("", 2, False) == (reply.listing.again, reply.listing.pages, "search again" in reply.text)


async def test_a_page_that_is_not_there_is_told(database: Database, clock: Clock) -> None:
    """With how many results there are, also when it is to be explained."""
    async with room(database, clock) as r:
        await remember(r, "gate")
        told = [await r.run(f"!recall gate page:2{word}") for word in ("", " why")]
    assert [True] * 2 == ["page 2" in text and "1 result in" in text for text in told]


# --- what a result says -----------------------------------------------------------------------------------------------


async def test_each_result_says_who_when_and_where(database: Database, clock: Clock) -> None:
    """Memory and message alike: the quote, its author, its date, and in parts a link to what it rests on."""
    async with room(database, clock) as r:
        await r.say("The gate was painted by Cleo.", by=people.caller("Bob", person=8))
        await r.say("Remember that the shed is locked.")
        reply = await answer(r, "gate shed")
    assert reply.listing is not None
    quotes = {entry.body: entry for entry in reply.listing.entries}
    said = next(entry for body, entry in quotes.items() if "gate" in body)
    kept = next(entry for entry in quotes.values() if entry.memory_id is not None)
    assert ("Bob" in said.head, "2026-03-02 12:00 UTC" in said.head, said.link is not None) == (True, True, True)
    assert ("Ann" in kept.head, "2026-03-02 12:00 UTC" in kept.head, kept.link is not None) == (True, True, True)
    assert all(entry.head in reply.text for entry in quotes.values())


async def test_notes_stand_under_the_results(database: Database, clock: Clock) -> None:
    """One line each, in words and in parts; where nothing is found the one sentence stands alone."""
    async with room(database, clock) as r:
        await remember(r, *(f"gate number {n}" for n in range(7)))
        found = await answer(r, "gate; the strategy:keywords")
        none = await answer(r, "boat; the strategy:keywords")
    assert found.listing is not None
    (note,) = found.listing.notes
    assert (f"Note: {note}", "Page 1 of 2; search") == (found.text.splitlines()[-2], found.text.splitlines()[-1][:19])
    assert (True, NOTHING_FOUND) == ("no word to look for in 'the'" in note, none.text)


async def test_silence_is_one_sentence_and_why_explains_it(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Candidates that do not stand out are no results; how far they do is told to who asks."""
    from bot.recall import search

    monkeypatch.setattr(search, "LISTED", 9.0)
    async with room(database, clock) as r:
        await remember(r, "the gate opens at nine")
        silent = await answer(r, "gate")
        told = await r.run("!recall gate why")
    assert (NOTHING_FOUND, None, ()) == (silent.text, silent.listing, silent.shown)
    assert told.startswith("Why nothing: 1 looked at")
    assert "an answer takes 9.00." in told
    assert ": #1 " in told.splitlines()[-1]


# --- why ------------------------------------------------------------------------------------------------------------


async def test_why_tells_of_every_result(database: Database, clock: Clock) -> None:
    """The same results in the same order, each with a score; it is no use of them and has no parts to draw."""
    async with room(database, clock) as r:
        await remember(r, "the gate opens at nine", "a gate of iron")
        await r.say("Somebody left the gate open.")
        shown = await answer(r, "gate opens")
        told = await answer(r, "gate opens why")
    assert shown.listing is not None
    assert [entry.body for entry in shown.listing.entries] == [
        line.strip() for line in told.text.splitlines() if line.startswith("    ")
    ]
    assert (3, None, ()) == (told.text.count("\nScore "), told.listing, told.shown)
    assert "Read from the query, words: gate, open." in told.text


async def test_why_tells_the_page_that_is_asked_for(database: Database, clock: Clock) -> None:
    """With the places among all results."""
    async with room(database, clock) as r:
        await remember(r, *(f"gate number {n}" for n in range(7)))
        told = await r.run("!recall gate page:2 WHY")
    assert told.startswith("Why results 6 to 7 of 7: 7 looked at, 0 discarded.")
    assert ("\n6. memory" in told, "\n7. memory" in told, "\n5. " in told) == (True, True, False)


async def test_why_fits_into_a_message_of_a_community(database: Database, clock: Clock) -> None:
    """Twenty long results are cut to what one message holds, with a count of the rest."""
    async with room(database, clock) as r:
        await remember(r, *(f"gate number {n} {'with a long tail ' * 10}" for n in range(20)))
        told = await r.run("!recall gate limit:20 why")
    assert len(told) <= score_breakdown.LIMIT
    assert "\n… and " in told


def test_help_tells_of_strategies_and_why() -> None:
    """`!help recall` has them in its usage and explains them."""
    told = explain("recall", "!")
    assert "[strategy:ranked|literal|keywords]" in told
    assert "[why]" in told
    assert ABOUT["recall"] in told


# --- strategies -----------------------------------------------------------------------------------------------------


async def test_literal_answers_with_one_and_goes_on_with_the_others(database: Database, clock: Clock) -> None:
    """The chosen one alone, then the others of the ten, page by page or as many as are asked for."""
    async with room(database, clock) as r:
        await remember(r, "gate nine", "gate", "a boat", "gate nine iron")
        first = await r.run("!recall iron gate nine strategy:literal")
        second = await r.run("!recall iron gate nine strategy:literal page:2")
        three = await r.run("!recall iron gate nine strategy:literal limit:3")
        told = await r.run("!recall iron gate nine strategy:literal why")
    assert ["    gate nine iron", "Page 1 of 3; search again with !recall iron gate nine strategy:literal page:2"] == (
        first.splitlines()[1:]
    )
    assert "    gate nine" == second.splitlines()[1]
    assert ["gate nine iron", "gate nine", "gate"] == [x.strip() for x in three.splitlines() if x.startswith("    ")]
    assert told.splitlines()[0] == "Why result 1 of 3: 3 looked at, 0 discarded."
    assert told.splitlines()[-1].endswith(": #4 3.00; #1 2.00; #2 1.00.")


async def test_literal_pages_show_each_memory_once(database: Database, clock: Clock) -> None:
    """All that hold a word, up to twenty, in the order of one list; then it is told that no more are listed."""
    async with room(database, clock) as r:
        await remember(r, *(f"gate number {n}" for n in range(23)))
        told = [await r.run(f"!recall gate strategy:literal limit:9 page:{page}") for page in (1, 2, 3, 4)]
    shown = [line.strip() for text in told for line in text.splitlines() if line.startswith("    gate")]
    assert [f"gate number {n}" for n in range(MOST_RESULTS)] == shown
    assert f"{MOST_RESULTS} are listed" in told[-1]


async def test_literal_invites_to_say_more_where_it_finds_nothing(database: Database, clock: Clock) -> None:
    """The one sentence on a line of its own, then what would help."""
    async with room(database, clock) as r:
        await remember(r, "gate")
        await r.say("The zebra is said, not remembered.")
        assert [NOTHING_FOUND, SAY_MORE] == (await r.run("!recall zebra strategy:literal")).splitlines()
        assert [NOTHING_FOUND, SAY_MORE] == (await r.run("!recall ?! strategy:literal")).splitlines()


async def test_too_many_keywords_are_told(database: Database, clock: Clock) -> None:
    """What is beyond those that are looked for is cut, and that is said."""
    async with room(database, clock) as r:
        await r.run("!remember The gate is green.")
        told = await r.run(f"!recall gate;{';'.join(f'w{n}' for n in range(199))} strategy:keywords")
        assert ("green" in told, "200" in told, "60" in told) == (True, True, True)
        with pytest.raises(errors.BadArgument, match="strategy takes ranked, literal or keywords, not 'best'"):
            await r.run("!recall gate strategy:best")


async def test_a_tag_narrows_it(database: Database, clock: Clock) -> None:
    """Only memories with all of the tags, and no messages; one that nobody uses is told."""
    async with room(database, clock) as r:
        await remember(r, "the gate is red", tags="colours")
        await remember(r, "the gate is wide", tags="sizes,colours")
        await r.say("A gate, somebody said.")
        one = await answer(r, "gate tag:colours")
        both = await answer(r, "gate tag:colours,sizes")
        with pytest.raises(errors.NotFound):
            await answer(r, "gate tag:nosuchtag")
    assert ({1, 2}, (2,), "said ·" in one.text) == ({*one.shown}, both.shown, False)


# --- whatever is asked ----------------------------------------------------------------------------------------------

BAD = (
    "the of and",
    "?!",
    "\"'\"'",
    "& | ! ( ) :*",
    "'; DROP TABLE memory; --",
    "\\",
    "x" * 4000,
    "word " * 800,
    " ".join(f"w{n}" for n in range(200)),
    "from Zaphod Beeblebrox",
    "what was said on 31 February 2026",
    "\0",
    "😀",
    "2026-13-45",
    "<->",
    "page",
    "author:nobody",
)


@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize("ending", ["", " why", " tier:long"])
async def test_bad_input_is_answered(strategy: Strategy, ending: str, database: Database, clock: Clock) -> None:
    """Stop words, signs, SQL, pasted pages, people, dates that are not there: words in return, never a failure."""
    async with room(database, clock) as r:
        await remember(r, "The vault code is 4417.")
        await r.say("The vault is in the cellar.")
        for text in BAD:
            assert await r.run(f"!recall {text} strategy:{strategy}{ending}"), text


@pytest.mark.parametrize("strategy", Strategy)
async def test_a_date_that_does_not_exist_is_told(strategy: Strategy, database: Database, clock: Clock) -> None:
    """Asked why, the ranked strategy says that there is no such day; the others only know words."""
    async with room(database, clock) as r:
        await remember(r, "The vault was opened on 31 February.")
        told = await r.run(f"!recall vault 31 February 2026 strategy:{strategy} why")
    assert (strategy is Strategy.RANKED) == ("There is no 31 February 2026" in told)


@pytest.fixture
async def asked(database: Database, clock: Clock) -> Any:
    """A room with something to find."""
    async with room(database, clock) as r:
        await remember(r, "The vault code is 4417.", "a b 0 é 猫")
        yield r


@given(text=st.text(min_size=1, max_size=120), strategy=st.sampled_from(Strategy), ending=st.sampled_from(["", " why"]))
@settings(derandomize=True, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_any_text_is_answered(asked: Room, text: str, strategy: Strategy, ending: str) -> None:
    """Typed by anybody: a reply, or one sentence about what is wrong with it."""
    try:
        told = (await answer(asked, f"{text} strategy:{strategy}{ending}")).text
    except errors.UserError as exc:
        told = str(exc)
    assert told.strip()


# --- the model's tool -----------------------------------------------------------------------------------------------


async def test_the_model_s_tool_is_told_who_and_when(database: Database, clock: Clock) -> None:
    """What the tool returns has author and date of each result, and no line about pages."""
    from tests.conversations import roles

    calls = (("memory_recall", {"query": "gate"}),)
    async with (
        ModelServer(Scripted(calls=calls), Scripted(text="Fine.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await remember(r, *(f"gate number {n}" for n in range(7)))
        await r.say("Look it up.")
        (told,) = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]
    assert (5, 5) == (told.count("· Ann ·"), told.count("2026-03-02 12:00 UTC"))
    assert "search again" not in told
