"""The laws of tags: what a text is about, told by what people wrote and by nothing else."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import arguments, errors
from bot.commands.grammar import GRAMMARS
from bot.config import Settings
from bot.db.pool import Database
from bot.domain import Caller, MessageId, SpaceId
from bot.language.tags import domains, tagging
from bot.language.tags import workflows as table
from bot.language.tags.tagging import Registry
from bot.lifecycle.discord_edits import DiscordEdits
from bot.store.archivist import Indexed
from bot.text import folding
from tests import people
from tests.bot.language.tags.workflow_sentences import NEGATIVE, POSITIVE
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import rows

SETTLED = settings(derandomize=True, max_examples=200)
REGISTRY = Registry()
ANN = people.caller()
SAID = st.lists(
    st.sampled_from(["board", "game", "Budget", "GARDEN", "café", ".", "-", "😀", "花", "\0", "https://a"])
    | st.text(max_size=9)
).map(" ".join)
"""Indexed in which domains are named, and other things."""
INJECTED = "domain:finance: put our money and taxes in the bank, the invoice is a poem"
"""What a model was talked into writing."""


async def tags(database: Database) -> list[list[str]]:
    """The tags of what is remembered now, in order."""
    found = await rows(
        database, "SELECT tags FROM memory WHERE forgotten_at IS NULL AND superseded_by IS NULL ORDER BY memory_id"
    )
    return [row[0] for row in found]


async def found_by(database: Database, *words: str) -> list[bool]:
    """Whether any memory is found by each of the words."""
    query = "SELECT EXISTS (SELECT 1 FROM memory WHERE search @@ any_word('english', $1))"
    return [(await rows(database, query, word))[0][0] for word in words]


def summary(content: str, *evidence: int, **fields: Any) -> Reply:
    """A summarizer's answer of one fact."""
    fact = {"room": "general", "topic": "t", "content": content, "importance": 5, "evidence": [*evidence]} | fields
    return Reply(text=json.dumps({"summary": "They talked.", "facts": [fact]}))


# --- what a text is about -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I wrote a haiku", ("poetry",)),
        ("HAIKUS, sonnets", ("poetry",)),
        ("The budget for our gardens", ("finance", "garden")),
        ("our garden's budget", ("finance", "garden")),
        ("Les impôts et la poésie", ("poetry", "finance")),
        ("Die Gärten? Gewächshäuser: das Gewächshaus", ("garden",)),
        ("Mañana hay una canción", ("music",)),
        ("a board game", ("games",)),
        ("board-games!", ("games",)),
        ("board\n game", ("games",)),
        ("I love C++", ("code",)),
        ("We play d&d", ("games",)),
        ("Parties and libraries", ("events", "books")),
        ("lunches", ("food",)),
    ],
)
def test_a_domain_is_told_by_its_words_and_phrases(text: str, expected: tuple[str, ...]) -> None:
    """Whatever their case, accents and plural, and what stands around them; in the order of the registry."""
    assert REGISTRY.domains(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "😀",
        "partygoers",
        "gardenia",
        "the board. A gamble",
        "credit, card",
        "The vault code is 4417.",
        "C",
        "+",
        "https://bank.example/garden?poem=1",
        "<:pizza:123456>",
        "<a:guitar:123456>",
    ],
)
def test_part_of_a_word_a_broken_phrase_and_the_letters_of_a_link_tell_nothing(text: str) -> None:
    """A word counts as a whole, a phrase within one sentence; links and pictures were not said."""
    assert REGISTRY.domains(text) == ()


def test_what_is_written_without_blanks_is_found_in_the_midst() -> None:
    """A word of Chinese or Japanese has no boundaries; one of Korean takes endings."""
    registry = Registry({"garden": ("花园", "정원"), "tea": ("お茶",)})
    assert [registry.domains(text) for text in ("我们的花园很大", "정원에서", "毎日お茶を飲む", "花 园", "花。园")] == [
        ("garden",),
        ("garden",),
        ("tea",),
        ("garden",),
        (),
    ]


def test_the_domains_built_in_are_those_a_community_talks_of() -> None:
    """Lower case, without accents, each word once in a domain; their names can stand in the settings."""
    usual = {
        "poetry",
        "finance",
        "garden",
        "drafting",
        "schedule",
        "research",
        "games",
        "music",
        "code",
        "food",
        "travel",
        "pets",
        "health",
        "sports",
        "events",
        "moderation",
    }
    assert usual <= set(domains.DOMAINS)
    assert [word for words in domains.DOMAINS.values() for word in words if word != folding.folded(word)] == []
    assert [name for name, words in domains.DOMAINS.items() if len(words) != len(set(words))] == []
    assert Settings(domains=dict(domains.DOMAINS)).domains == dict(domains.DOMAINS)


@pytest.mark.parametrize("name", domains.DOMAINS)
def test_every_word_built_in_tells_its_domain(name: str) -> None:
    """As it stands in the table, and in capitals."""
    missed = [w for w in domains.DOMAINS[name] if name not in REGISTRY.domains(f"So: {w.upper()}!")]
    assert missed == []


def test_what_is_chosen_replaces_adds_and_removes() -> None:
    """A domain given has these words alone, an empty list is no domain, the others stay as they are."""
    registry = Registry({"poetry": ("open mic",), "finance": (), "space": ("telescope", "Étoile filante")})
    texts = ("a poem", "the Open Mic", "money", "two telescopes", "des etoiles: une etoile filante", "our garden")
    assert [registry.domains(text) for text in texts] == [(), ("poetry",), (), ("space",), ("space",), ("garden",)]
    assert ("finance" in registry.names, registry.names[-1]) == (False, "space")


# --- what people were at ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, said in POSITIVE.items() for text in said])
def test_what_people_were_at_is_told_by_what_they_wrote(name: str, text: str) -> None:
    """In English, German, French and Spanish, whatever the case, the accents and the quotes."""
    told = [tagging.workflows(each) for each in (text, text.upper().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))]
    assert told == [(name,)] * 2


@pytest.mark.parametrize("text", NEGATIVE)
def test_words_that_are_only_near_tell_nothing(text: str) -> None:
    """Questions about it, conditions, denials, other meanings, quoted lines, code and links."""
    assert tagging.workflows(text) == ()


def test_every_workflow_is_told_in_every_language() -> None:
    """One row each, in the order of the sentences, of which there are a dozen and more."""
    assert [each.name for each in table.WORKFLOWS] == [*POSITIVE]
    assert [name for name, said in POSITIVE.items() if len(said) < 12] == []
    assert all(each.english and each.german and each.french and each.spanish for each in table.WORKFLOWS)


def test_a_text_of_several_workflows_has_the_first_two_of_the_table() -> None:
    """Wherever they stand in it."""
    said = {name: sentences[0] for name, sentences in POSITIVE.items()}
    assert tagging.workflows("\n".join(reversed(said.values()))) == ("decision", "planning")
    assert tagging.workflows(f"{said['drafting']} {said['research']}") == ("research", "drafting")


@pytest.mark.parametrize(
    ("begun", "expected"),
    [
        ("we decided ", ("decision",)),
        *((each, ()) for each in ("wir haben ", "here's a ", "the plan for a ", "'", "a")),
    ],
)
def test_what_is_read_of_a_text_is_bounded(begun: str, expected: tuple[str, ...]) -> None:
    """However it is made, and however long it is; what is said after the bound is not read."""
    assert tagging.workflows(f"{begun * 10**5}\nNext steps: paint it.") == expected


@SETTLED
@given(SAID)
def test_any_text_has_at_most_two_workflows_in_their_order(text: str) -> None:
    """Whatever stands in it, beside one that tells some."""
    names = [each.name for each in table.WORKFLOWS]
    told = tagging.workflows(f"{text}\nNext steps: paint it.\nHere is a draft of the letter.")
    assert (len(told) <= tagging.MOST_WORKFLOWS, [*told]) == (True, sorted(set(told), key=names.index))


# --- their order ----------------------------------------------------------------------------------------------------


def test_tags_begin_with_auto_then_what_it_is_about_then_how_it_came_to_be() -> None:
    """The workflow is named by whoever saves; the list is open."""
    assert REGISTRY.inferred("The garden budget", workflow="planning") == (
        "auto",
        "domain:finance",
        "domain:garden",
        "type:planning",
    )
    assert REGISTRY.inferred("Hm", workflow="critique") == ("auto", "type:critique")
    assert REGISTRY.inferred("We decided on the garden budget", workflow="note") == (
        "auto",
        "domain:finance",
        "domain:garden",
        "type:note",
        "type:decision",
    )
    assert REGISTRY.inferred("We decided to go", workflow="decision") == ("auto", "type:decision")


@SETTLED
@given(st.lists(st.sampled_from(["auto", "b", "a", "domain:x", "domain:a", "type:n", "type:m", "😀", "d:x"])))
def test_ordered_tags_are_each_once_and_stay_as_they_are(given_: list[str]) -> None:
    """`auto`, domains, types, the rest; within each as given; ordering twice is ordering once."""
    found = tagging.ordered(given_)
    kinds = [0 if t == "auto" else 1 if t.startswith("domain:") else 2 if t.startswith("type:") else 3 for t in found]
    assert (found[0], set(found), len(found)) == ("auto", {"auto", *given_}, len(set(found)))
    assert (kinds, tagging.ordered(found)) == (sorted(kinds), found)
    rest = [t for t in found if kinds[found.index(t)] == 3]
    assert rest == [t for t in dict.fromkeys(given_) if t in rest]


def test_a_memory_has_at_most_so_many_tags() -> None:
    """Those that came first stay."""
    found = tagging.ordered(f"tag{n}" for n in range(200))
    assert (len(found), found[:2], found[-1]) == (tagging.MOST, ("auto", "tag0"), f"tag{tagging.MOST - 2}")


@SETTLED
@given(SAID, SAID)
def test_any_text_has_domains_and_more_text_has_no_fewer(one: str, other: str) -> None:
    """Whatever stands in it; what a sentence is about it is about beside another sentence, in any case."""
    assert set(REGISTRY.domains(one)) <= set(REGISTRY.domains(f"{one}\n. {other}"))


# --- what they are inferred from ------------------------------------------------------------------------------------


async def test_what_a_person_asks_to_keep_is_tagged_by_its_text(database: Database, clock: Clock) -> None:
    """By the command and in plain words; then the person's own tags, lower case and each once."""
    async with room(database, clock) as r:
        await r.run("!remember The budget is 40 euros. tags:Q3,Ops,q3")
        await r.say("Remember that my dog is allergic to peanuts.")
    assert await tags(database) == [
        ["auto", "domain:finance", "type:note", "q3", "ops"],
        ["auto", "domain:food", "domain:pets", "domain:health", "type:note"],
    ]


async def test_what_a_model_saves_is_tagged_by_the_question(database: Database, clock: Clock) -> None:
    """What a prompt injection made it write tags nothing; nor does it give tags as an argument."""
    save = ("memory_save", {"content": INJECTED, "topic": "domain:finance", "tags": ["domain:finance", "finance"]})
    async with (
        ModelServer(Reply(calls=(save,)), Reply(text="Noted.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say("My guitar is from 1974, by the way")
    assert await tags(database) == [["auto", "domain:music", "type:session"]]


async def test_a_fact_of_a_reset_has_the_tags_of_what_people_said(database: Database, clock: Clock) -> None:
    """Of all the messages it rests on, not of its own wording, and not of what Hathi said among them."""
    async with (
        ModelServer(Reply(text="Bread and poems!"), Reply(text="Fine.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say("My guitar is from 1974")
        await r.say("The flight to Rome is on 3 May")
        told = "The guitar is from 1974, the flight to Rome on 3 May; bread and poems."
        server.steps.append(summary(told, 1, 2, 3))
        await r.reset()
    assert await rows(database, "SELECT content, tags FROM memory") == [
        (told, ["auto", "domain:music", "domain:travel", "type:session"])
    ]


async def test_a_fact_made_by_rules_has_the_tags_of_its_message(database: Database, clock: Clock) -> None:
    """The whole message, not only the sentence that is quoted of it."""
    async with room(database, clock) as r:
        await r.say("We decided to paint it teal. That was for the wedding.")
        await r.reset()
    assert await tags(database) == [["auto", "domain:events", "type:session", "type:decision"]]


async def test_a_fact_of_a_reset_has_the_workflows_people_were_in(database: Database, clock: Clock) -> None:
    """The first two of all the messages it rests on; neither its own words nor Hathi's tell any."""
    async with (
        ModelServer(*[Reply(text="We decided on teal. Here is a draft of the letter.")] * 4) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        for text in ("Here's my first draft", "I looked into heat pumps", "Let's plan the fair", "My guitar is old"):
            await r.say(text)
        ((ids,),) = await rows(database, "SELECT array_agg(message_id ORDER BY message_id) FROM message")
        told = "The first draft, heat pumps, the fair and an old guitar; teal was decided."
        server.steps.append(summary(told, *range(1, len(ids) + 1)))
        await r.reset()
    assert await tags(database) == [
        ["auto", "domain:drafting", "domain:music", "type:session", "type:planning", "type:research"]
    ]


async def test_what_a_model_writes_tells_no_workflow(database: Database, clock: Clock) -> None:
    """The question tells it."""
    written = "We decided to paint it teal. Next steps: here is a draft of the letter."
    save = ("memory_save", {"content": written})
    async with (
        ModelServer(Reply(calls=(save,)), Reply(text="Noted.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say("I looked into heat pumps, by the way")
    assert [["type:session", "type:research"]] == [
        [tag for tag in each if tag.startswith("type:")] for each in await tags(database)
    ]


async def test_an_edit_trades_the_workflows_of_the_old_words_for_the_new(database: Database, clock: Clock) -> None:
    """Those that the old words did not tell stay; said again in a message that is edited, it is the same."""
    async with room(database, clock) as r:
        await r.run("!remember We decided to paint it teal. tags:q3")
        await r.run("!edit 1 We plan to paint it teal.")
        await r.say("Remember that we agreed on 40 euros.")
        ((message,),) = await rows(database, "SELECT message_id FROM message WHERE role = 'person'")
        await DiscordEdits(database, r.app.archivist).edited(
            SpaceId(1), MessageId(message), "Remember that I compared 40 boats.", clock.forward(seconds=5), "english"
        )
    assert await tags(database) == [
        ["auto", "type:note", "type:planning", "q3"],
        ["auto", "type:note", "type:research"],
    ]
    assert REGISTRY.reworded(("auto", "type:session", "type:decision"), "It is teal.", "It is blue.") == (
        "auto",
        "type:session",
        "type:decision",
    )


async def test_the_domains_are_those_of_the_settings(database: Database, clock: Clock) -> None:
    """In all ways into the archive."""
    chosen = {"space": ["telescope"], "finance": []}
    async with (
        ModelServer(
            Reply(calls=(("memory_save", {"content": "Telescope and money."}),)), Reply(text="Fine.")
        ) as server,
        room(database, clock, models=roles(server.base_url), domains=chosen) as r,
    ):
        await r.run("!remember The telescope costs 900 pounds of money.")
        await r.say("A telescope and money")
        server.steps.append(summary("Ann spoke of a telescope, and money", 1))
        await r.reset()
        await r.run("!edit 1 Two telescopes stand in the attic.")
    kept = [row[:2] for row in await tags(database)]
    assert (len(kept) >= 2, kept) == (True, [["auto", "domain:space"]] * len(kept))


# --- what a person may give -----------------------------------------------------------------------------------------


async def test_a_person_s_own_words_may_name_domain_and_type(database: Database, clock: Clock) -> None:
    """They are words of a person; each stands with its kind, and `auto` is there once, in front."""
    async with room(database, clock) as r:
        await r.run("!remember Bob sings. tags:zoo,type:rumour,auto,domain:finance")
    assert await tags(database) == [["auto", "domain:finance", "type:note", "type:rumour", "zoo"]]


@pytest.mark.parametrize("given_", [",", ",".join(f"t{n}" for n in range(11)), "x" * 65])
async def test_tags_are_bounded(database: Database, clock: Clock, given_: str) -> None:
    """1 to 10 of them, of at most 64 characters; else nothing is kept."""
    async with room(database, clock) as r:
        with pytest.raises(errors.BadArgument, match="tags takes 1 to 10 words"):
            await r.run(f"!remember Bob sings. tags:{given_}")
    assert await tags(database) == []


async def test_a_tag_with_a_nul_byte_is_refused_in_a_sentence(database: Database, clock: Clock) -> None:
    """As a text with one is; no row is left."""
    async with room(database, clock) as r:
        with pytest.raises(errors.RefusedText, match="NUL byte"):
            await r.run("!remember Bob sings. tags:a\0b")
    assert await tags(database) == []


# --- what becomes of them -------------------------------------------------------------------------------------------


async def test_said_again_tags_are_joined_in_their_order(database: Database, clock: Clock) -> None:
    """And it is found by all of them; taken back, by the new ones no more."""
    async with room(database, clock) as r:
        await r.run("!remember We decided to use Rust. tags:zeta")
        once = await rows(database, "SELECT tags, search FROM memory")
        await r.run("!remember We decided to use Rust. tags:alpha,domain:farm")
        assert await tags(database) == [["auto", "domain:farm", "type:note", "type:decision", "zeta", "alpha"]]
        assert await found_by(database, "zeta", "alpha", "farm") == [True] * 3
    assert once[0][0] == ["auto", "type:note", "type:decision", "zeta"]


async def test_an_undone_reset_gives_back_the_tags_and_the_words(database: Database, clock: Clock) -> None:
    """The row is found by what it was found by before, and by nothing else."""
    async with ModelServer(Reply(text="Fine.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.run("!remember It opens in May.")
        before = await rows(database, "SELECT tags, search FROM memory")
        await r.say("The museum of poems opens in May, I mean")
        server.steps.append(summary("It opens in May.", 1))
        await r.reset()
        merged = [*await tags(database), await found_by(database, "poetry")]
        await r.run("!undo")
        after = await rows(database, "SELECT tags, search FROM memory")
    assert merged == [["auto", "domain:poetry", "type:note", "type:session"], [True]]
    assert after == before


async def test_an_edit_trades_the_domains_of_the_old_words_for_the_new(database: Database, clock: Clock) -> None:
    """What the person called it stays."""
    async with room(database, clock) as r:
        await r.run("!remember The budget is for the garden. tags:q3")
        await r.run("!edit 1 The garden needs a poem.")
    assert await tags(database) == [["auto", "domain:poetry", "domain:garden", "type:note", "q3"]]


async def test_an_edited_message_changes_the_domains_of_what_it_asked_to_keep(database: Database, clock: Clock) -> None:
    """As the text does."""
    async with room(database, clock) as r:
        await r.say("Remember that the budget is 40 euros.")
        ((message,),) = await rows(database, "SELECT message_id FROM message WHERE role = 'person'")
        at = clock.forward(seconds=5)
        await DiscordEdits(database, r.app.archivist).edited(
            SpaceId(1), MessageId(message), "Remember that the garden is 40 metres.", at, "english"
        )
    assert await tags(database) == [["auto", "domain:garden", "type:note"]]


async def test_a_memory_is_found_by_a_domains_name_and_not_by_what_kind_of_tag_it_is(
    database: Database, clock: Clock
) -> None:
    """Nor by `auto`, nor by how it came to be; indexed anew it is found by the same."""
    async with room(database, clock) as r:
        await r.run("!remember The invoice is paid. tags:acme,type:bill")
        words = ("finance", "acme", "auto", "domain", "type", "note", "bill")
        once = await found_by(database, *words)
        before = await rows(database, "SELECT search FROM memory")
        async with database.transaction() as connection:
            await r.app.archivist.reindex_in(
                connection, ANN.space_id, Indexed.MEMORIES, language="english", after=0, most=10
            )
    assert once == [True, True, False, False, False, False, False]
    assert await rows(database, "SELECT search FROM memory") == before


# --- listing them ---------------------------------------------------------------------------------------------------


async def keep(r: Room, *lines: str, by: Caller | None = None) -> None:
    for line in lines:
        await r.run(f"!remember {line}", by)


async def test_tags_are_listed_with_the_most_used_first(database: Database, clock: Clock) -> None:
    """Of living memories, with how many have each; `auto`, which all have, is not told."""
    async with room(database, clock) as r:
        none = await r.run("!tags")
        await keep(r, "Bob sings. tags:zoo", "Carla runs. tags:zoo,ops", "The budget is 4. tags:gone")
        await r.run("!forget 3")
        listed = await r.run("!tags")
    assert none.startswith("No tags yet")
    assert listed.splitlines() == ["type:note  2 memories", "zoo        2 memories", "ops        1 memory"]


async def test_tags_of_what_may_not_be_seen_are_not_told(database: Database, clock: Clock) -> None:
    """Another channel's and another space's are neither listed nor near nor counted."""
    secret = people.caller("Bob", person=8, channel=11)
    other = people.caller("Eve", person=9, space=2, channel=20)
    async with room(database, clock) as r:
        for who in (secret, other):
            await r.app.enter(who, channel_name="c", mode="all")
        await keep(r, "Bob sings. tags:hidden", by=secret)
        await keep(r, "Eve sings. tags:hidden", by=other)
        await keep(r, "Ann sings. tags:open")
        listed = await r.run("!tags")
        with pytest.raises(errors.NotFound) as caught:
            await r.run("!memories tag:hidde")
    assert listed.splitlines() == ["open       1 memory", "type:note  1 memory"]
    assert "the tag 'hidde'; !tags" in str(caught.value)


async def test_many_tags_are_listed_a_page_at_a_time(database: Database, clock: Clock) -> None:
    """With how to read on; a page that is not there is said so."""
    async with room(database, clock) as r:
        for start in range(0, 50, 10):
            given_ = ",".join(f"t{n:02}" for n in range(start, start + 10))
            await keep(r, f"Fact number {start} tags:{given_}")
        first, third, fourth = [await r.run(f"!tags {page}") for page in ("", "page:3", "page:4")]
    assert first.splitlines()[0] == "type:note  5 memories"
    assert (len(first.splitlines()), first.splitlines()[-1]) == (21, "Page 1 of 3; go on with !tags page:2")
    assert (len(third.splitlines()), fourth) == (11, "No tags on page 4.")


async def test_memories_are_listed_by_all_of_the_tags(database: Database, clock: Clock) -> None:
    """One or several; with the topic and the rest of the arguments; a bare name stands for a domain or a type."""
    async with room(database, clock) as r:
        await keep(
            r, "Bob sings. tags:zoo topic:bob", "Carla runs. tags:zoo,ops topic:carla", "The budget is 4. topic:money"
        )
        found = {
            line: re.findall(r"^#(\d+)", await r.run(f"!memories {line}"), re.MULTILINE)
            for line in (
                "tag:zoo",
                "tag:ZOO,ops",
                "tag:finance",
                "tag:domain:finance",
                "tag:note",
                "tag:zoo sort:new",
                "bob tag:zoo",
                "tag:note min:9",
                "carla tag:finance",
            )
        }
        none = [await r.run(f"!memories {line}") for line in ("tag:zoo,finance", "bob tag:ops", "tag:zoo page:2")]
    assert found == {
        "tag:zoo": ["2", "1"],
        "tag:ZOO,ops": ["2"],
        "tag:finance": ["3"],
        "tag:domain:finance": ["3"],
        "tag:note": ["3", "2", "1"],
        "tag:zoo sort:new": ["2", "1"],
        "bob tag:zoo": ["1"],
        "tag:note min:9": [],
        "carla tag:finance": [],
    }
    assert none == [
        "No memories tagged zoo and domain:finance.",
        "No memories about 'bob' tagged ops.",
        "No memories tagged zoo on page 2.",
    ]


async def test_a_tag_called_like_a_domain_is_itself(database: Database, clock: Clock) -> None:
    """Where somebody gave it, it is not taken for the domain."""
    async with room(database, clock) as r:
        await keep(r, "Bob sings. tags:finance", "The budget is 4.")
        bare, full = [await r.run(f"!memories tag:{tag}") for tag in ("finance", "domain:finance")]
    assert (["#1"], ["#2"]) == (re.findall(r"^#\d+", bare, re.MULTILINE), re.findall(r"^#\d+", full, re.MULTILINE))


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("finanse", "'finanse'; did you mean domain:finance? !tags"),
        ("domain:fin", "'domain:fin'; did you mean domain:finance? !tags"),
        ("operation", "'operation'; did you mean operations? !tags"),
        ("xylophone", "'xylophone'; !tags"),
        ("operations,zzz", "'zzz'; !tags"),
        ("auto'x", '"auto\'x"; !tags'),
    ],
)
async def test_an_unknown_tag_is_told_with_those_that_are_near(
    database: Database, clock: Clock, wanted: str, told: str
) -> None:
    """One sentence in place of an empty list."""
    async with room(database, clock) as r:
        await keep(r, "The budget is 4. tags:operations,zoo")
        with pytest.raises(errors.NotFound) as caught:
            await r.run(f"!memories tag:{wanted}")
    assert str(caught.value).startswith(f"No memory has the tag {told}")


def test_what_recall_looks_for_by_tag_is_read_from_the_line() -> None:
    """As one word or several, joined by commas."""

    args = arguments.parse("the invoice tag:finance,Q3", GRAMMARS["recall"])
    assert (args.text, args.words("tag")) == ("the invoice", ("finance", "q3"))
