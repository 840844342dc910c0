"""The laws of the commands, as a person meets them."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot import errors
from bot.arguments import Grammar
from bot.commands import forgetting
from bot.commands.grammar import ABOUT, GRAMMARS, GROUPS
from bot.db.pool import Database
from bot.domain import NOTHING_FOUND, Actor, Caller, Fact, MessageId, SessionId, Source, Tier
from bot.recall import librarian
from bot.store.archivist import Author
from bot.text import notices
from tests import outages, people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer
from tests.rows import rows

ANN = people.caller()
BOB = people.caller("Bob", person=8)
ROOT = people.caller("Root", person=9, admin=True)
MEMBER = people.caller("Mia", person=10, moderator=False)
TABLES = ("memory", "memory_event", "message", "turn", "session", "tombstone", "chat_summary", "chunk", "job_run")


async def everything(database: Database) -> dict[str, list[Any]]:
    """All rows of every table, to see that nothing happened."""
    return {table: await rows(database, f"SELECT t::text FROM {table} t ORDER BY 1") for table in TABLES}


async def keep(r: Room, *contents: str, by: Caller = ANN, **fields: Any) -> None:
    """Facts in the archive, an hour of clock apart from nothing else."""
    given: dict[str, Any] = {"topic": "ops", "importance": 5, "source": Source.USER} | fields
    facts = [Fact(content=content, author_id=by.person_id, author=by.name, **given) for content in contents]
    author = Author(actor=Actor.PERSON, person_id=by.person_id, reason="remember")
    await r.app.archivist.save(by.space_id, by.channel_id, facts, author, now=r.clock())


# --- the grammar and its commands -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GRAMMARS)
def test_every_command_of_the_grammar_is_there_and_explained(name: str) -> None:
    """It has a line of help, help for each argument, and is known by its own name."""
    grammar = GRAMMARS[name]
    assert grammar.command == name
    assert ABOUT[name].endswith(".")
    assert all(kind.help for kind in grammar.named.values())
    assert grammar.usage("!").startswith(f"!{name}")


async def test_every_command_has_a_handler_and_every_handler_a_command(database: Database, clock: Clock) -> None:
    """The table of handlers and the grammar name the same commands, in the same order."""
    async with room(database, clock) as r:
        assert list(GRAMMARS) == list(r.app.commands.handlers)


async def test_what_people_said_keeps_its_words_under_another_prefix(database: Database, clock: Clock) -> None:
    """A command in somebody's words stays as they wrote it, wherever it is shown; Hathi's own have the prefix."""
    said = "I type !recall when lost"
    lines = ("!recall lost", "!memories", "!me", "!recall lost why", f"!memories {said}", "!forget 1", "!undo")
    async with room(database, clock) as r:
        ann = replace(r.caller, prefix="?")
        told = [await r.run(line, by=ann) for line in (f"!remember {said}", *lines)]
        with pytest.raises(errors.NotFound) as refused:
            await r.run(f"!palace {said}", by=ann)
    texts = [*told, refused.value.said("?")]
    assert [] == [text for text in texts if said not in text or "!" in text.replace(said, "")]
    assert "?forget 1 · ?edit 1 … · ?pin 1" in told[3]
    assert texts[-1].endswith("?palace lists the rooms.")


def test_no_two_commands_share_a_name_and_no_help_is_left_over() -> None:
    """Names are one set in grammar and help; no argument of a command has the name of one of its bare words."""
    assert list(GRAMMARS) == list(ABOUT)
    assert len({name.casefold() for name in GRAMMARS}) == len(GRAMMARS)

    def clashes(grammar: Grammar) -> set[str]:
        return set(grammar.named) & set(grammar.bare)

    assert [clashes(g) for g in GRAMMARS.values()] == [set()] * len(GRAMMARS)


@pytest.mark.parametrize(
    ("name", "command"),
    [("erinnern", "recall"), ("/erinnern", "recall"), ("Hilfe", "help"), ("réglages", "settings"), ("quién", "who")],
)
async def test_help_knows_commands_by_their_names_in_other_languages(
    database: Database, clock: Clock, name: str, command: str
) -> None:
    """As Discord's list has them."""
    async with room(database, clock) as r:
        assert (await r.run(f"!help {name}")) == (await r.run(f"!help {command}"))


async def test_what_has_no_typed_form_says_what_is_typed(database: Database, clock: Clock) -> None:
    """The group of an admin's commands on Discord's list; and every command is listed on demand."""
    async with room(database, clock, who=ROOT) as r:
        with pytest.raises(errors.BadArgument) as refused:
            await r.app.commands.run(r.caller, "admin", "", r.tell_later)
        every = await r.run("!help all")
    assert ("!who" in refused.value.said("!"), every.count("\n!") > 20) == (True, True)


async def test_help_lists_every_command_and_explains_one(database: Database, clock: Clock) -> None:
    """`!help`, `!help age`, `!help !age`."""
    async with room(database, clock) as r:
        listed, usable = [(await r.run("!help", by=who)).splitlines() for who in (ROOT, MEMBER)]
        age = await r.run("!help age")
        same = await r.run("!help !AGE")
    every = [name for names in GROUPS.values() for name in names]
    assert sorted(GRAMMARS) == sorted(every)
    assert [f"!{name}" for name in (*every, "help")] == [line.split()[0] for line in listed if line.startswith("!")]
    mine = [name for name in every if GRAMMARS[name].needs is None]
    assert [f"!{name}" for name in (*mine, "help")] == [line.split()[0] for line in usable if line.startswith("!")]
    usage, about, *parts = age.splitlines()
    assert usage == "!age [older_than_hours:1-87600] [max_rows:1-10000] [include:protected] [preview]"
    assert about == ABOUT["age"]
    assert [part.split("  ")[1:] for part in parts] == [
        ["older_than_hours:1-87600", f"{GRAMMARS['age'].named['older_than_hours'].help} (default 48)"],
        ["max_rows:1-10000", f"{GRAMMARS['age'].named['max_rows'].help} (default 100)"],
        ["include:protected", GRAMMARS["age"].named["include"].help],
    ]
    assert same == age


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("!remembr tea", "!remembr; did you mean !remember? !help"),
        ("!zzz", "!zzz; !help"),
        ("!help forgot", "!forgot; did you mean !forget? !help"),
        ("!save tea", "!save"),
        ("!_save tea", "!_save"),
        ("!told", "!told"),
    ],
)
async def test_an_unknown_command_is_told_with_the_likeliest_one(
    database: Database, clock: Clock, line: str, named: str
) -> None:
    """One sentence; what is a method but no command is unknown too."""
    async with room(database, clock) as r:
        with pytest.raises(errors.BadArgument) as caught:
            await r.run(line)
    assert str(caught.value).startswith(f"There is no command {named}")


async def test_a_refused_command_has_done_nothing(database: Database, clock: Clock) -> None:
    """Every kind of wrong line of every command raises one sentence and leaves every row as it was."""
    async with room(database, clock) as r:
        await keep(r, "The vault code is 4417.")
        await r.say("Something said")
        clock.forward(days=3)
        before = await everything(database)
        for line in (
            "!remember",
            "!remember tea importance:11",
            "!remember tea importance:high",
            "!remember tea importence:9",
            "!remember tea topic:a topic:b",
            "!remember tea source:summary",
            "!remember a\0b",
            "!remember \u200b",
            "!remember tea topic:a\0",
            "!remember tea source:directive",
            "!remember " + "x" * 4001,
            '!remember {"tool_calls": []}',
            "!recall",
            "!recall tea tier:medium",
            "!recall tea limit:0",
            "!age prevew",
            "!age max_rows:0",
            "!age 24",
            "!age older_than_hours:24 now",
            "!reset all",
            "!reset discrad",
            "!forget",
            "!forget tea",
            "!forget 99",
            "!forget #1 please",
            "!undo",
            "!undo 1",
            "!pin 99",
            "!pin 1 2",
            "!unpin 99",
            "!edit 1",
            "!edit 99 tea",
            "!edit 1 \0",
            "!edit 1 the vault code is 4417",
            "!memories page:0",
            "!memories sort:old",
            "!sessions now",
            "!sessions page:x",
            "!status now",
            "!help nothing",
            "!nothing",
        ):
            with pytest.raises(errors.UserError) as caught:
                await r.run(line)
            assert len(str(caught.value).splitlines()) == 1, line
        assert await everything(database) == before


# --- remember -------------------------------------------------------------------------------------------------------


async def test_remember_tells_topic_importance_and_number(database: Database, clock: Clock) -> None:
    """Saved at 8 unless given; said again it is known and reinforced, not doubled."""
    async with room(database, clock) as r:
        first = await r.run("!remember The vault code is 4417. topic:vault")
        again = await r.run("!remember the vault  code is 4417 importance:9")
        other = await r.run("!remember Bob likes tea topic:Tea room:people importance:3 tags:drinks,bob")
        plain = await r.run("!remember The parser breaks on tabs")
    assert [first, again, other, plain] == [
        "[memory] saved: topic=vault (imp=8) #1\n    The vault code is 4417.",
        "[memory] saved: topic=vault (imp=9) #1 (known already; said 2 times)\n    The vault code is 4417.",
        "[memory] saved: topic=tea (imp=3) #2\n    Bob likes tea",
        "[memory] saved: topic=parser (imp=8) #3\n    The parser breaks on tabs",
    ]
    assert await rows(
        database, "SELECT memory_id, tier, room, tags, source, author, seen_count FROM memory ORDER BY memory_id"
    ) == [
        (1, "short", "general", ["auto", "type:note"], "user", "Ann", 2),
        (2, "short", "people", ["auto", "domain:food", "type:note", "drinks", "bob"], "user", "Ann", 1),
        (3, "short", "general", ["auto", "type:note"], "user", "Ann", 1),
    ]


@pytest.mark.parametrize(
    "text",
    ["I said the topic: money, and more", "see http://x.y/z", "line 1\n\n  line 2", "a   b\tc", "importance:9 is much"],
)
async def test_remember_keeps_the_text_whole(database: Database, clock: Clock, text: str) -> None:
    """Colons, links, blanks and line breaks are text."""
    async with room(database, clock) as r:
        await r.run(f"!remember {text}")
    assert await rows(database, "SELECT content, importance FROM memory") == [(text, 8)]


async def test_only_an_admin_sets_a_directive(database: Database, clock: Clock) -> None:
    """A person who may not is told so; a rule stays a rule when somebody repeats it."""
    async with room(database, clock) as r:
        with pytest.raises(errors.NotAllowed, match="source:directive needs the permission Manage Server"):
            await r.run("!remember Answer in French. source:directive")
        assert await rows(database, "SELECT 1 FROM memory") == []
        await r.run("!remember Answer in French. source:directive", by=ROOT)
        await r.run("!remember Answer in French.")
    assert await rows(database, "SELECT source, author, seen_count FROM memory") == [("directive", "Root", 2)]


# --- recall ---------------------------------------------------------------------------------------------------------


async def test_recall_shows_who_and_when_of_memories_and_messages(database: Database, clock: Clock) -> None:
    """Each memory with #id, tier, topic, importance, age, who, where and when; each message with who and when."""
    async with room(database, clock) as r:
        await r.say("Yesterday the vault was painted.")
        (said,) = await rows(database, "SELECT message_id FROM message WHERE role = 'person'")
        await r.run("!remember The vault code is 4417. topic:vault")
        await keep(r, "The vault is\nin the cellar.", by=BOB, importance=4)
        await r.run("!pin 2", by=BOB)
        clock.forward(hours=5)
        await r.run("!age older_than_hours:1", by=ROOT)
        found = await r.run("!recall vault code")
        short = await r.run("!recall vault code tier:short")
        long = await r.run("!recall vault tier:long limit:1")
        one = await r.run("!recall vault limit:1")
        all_ = await r.run("!recall vault code tier:all limit:20")
    assert found.splitlines() == [
        "#1 · short · vault · importance 8 · 5 h ago · Ann · in general · 2026-03-02 12:00 UTC",
        "    The vault code is 4417.",
        "#2 · short · ops · importance 4 · 5 h ago · Bob · in general · pinned · 2026-03-02 12:00 UTC",
        "    The vault is",
        "    in the cellar.",
        "said · Ann · 2026-03-02 12:00 UTC",
        "    Yesterday the vault was painted.",
        f"  Go to the message: https://discord.com/channels/1/10/{said[0]}",
    ]
    assert (short.count("said ·"), long, all_) == (0, NOTHING_FOUND, found)
    assert one.splitlines()[2:] == ["Page 1 of 3; search again with !recall vault limit:1 page:2"]


async def test_recall_of_nothing_is_one_sentence(database: Database, clock: Clock) -> None:
    """Exactly; for words nobody said, for stop words and for no words."""
    async with room(database, clock) as r:
        await r.run("!remember The vault code is 4417.")
        found = [await r.run(f"!recall {query}") for query in ("zebra", "the of and", "?!", "😀", "vault tier:long")]
    assert found == [NOTHING_FOUND] * 5
    assert NOTHING_FOUND == "I don't have this in my memory."


async def test_recall_ranks_by_words_then_importance_then_newest_then_number(database: Database, clock: Clock) -> None:
    """The words first; where they are equal the weightier, then the later said, then the first numbered."""
    async with room(database, clock) as r:
        await keep(r, "alpha one", importance=3)
        await keep(r, "alpha two", importance=7)
        clock.forward(hours=1)
        await keep(r, "alpha three", importance=7)
        await keep(r, "alpha four", importance=7)
        await keep(r, "alpha beta alpha beta five", importance=1)
        found = await r.run("!recall alpha beta limit:10")
    assert [line.split()[-1] for line in found.splitlines() if line.startswith("    ")] == [
        "five",
        "three",
        "four",
        "two",
        "one",
    ]


async def test_the_messages_a_shown_memory_rests_on_are_not_shown_again(database: Database, clock: Clock) -> None:
    """What was asked to be remembered in plain words is told once."""
    async with room(database, clock) as r:
        await r.say("Please remember that the vault code is 4417.")
        found = await r.run("!recall vault")
    assert ("said ·" in found, found.count("4417")) == (False, 1)


async def test_recall_never_names_a_channel_it_does_not_see(database: Database, clock: Clock) -> None:
    """Neither its memories, nor its messages, nor its count."""
    async with room(database, clock) as r:
        secret = await r.app.enter(people.caller(channel=99), channel_name="secret", mode="all")
        await r.run("!remember The vault code is 4417.", by=secret)
        both = people.caller(sees=(10, 99))
        assert await r.run("!recall vault") == NOTHING_FOUND
        assert await r.run("!memories") == "No memories yet."
        assert "in secret" in await r.run("!recall vault", by=both)


# --- age ------------------------------------------------------------------------------------------------------------


async def test_age_tells_how_many_rows_moved(database: Database, clock: Clock) -> None:
    """Exactly; the threshold is 48 hours unless given; 100 rows a run unless given."""
    async with room(database, clock) as r:
        await keep(r, *(f"fact {n}" for n in range(62)))
        clock.forward(hours=25)
        none = await r.run("!age", by=ROOT)
        moved = await r.run("!age older_than_hours:24", by=ROOT)
        again = await r.run("!age older_than_hours:24", by=ROOT)
        await keep(r, *(f"more {n}" for n in range(130)))
        clock.forward(hours=49)
        capped = await r.run("!age", by=ROOT)
        few = await r.run("!age max_rows:7", by=ROOT)
    assert [none, moved, again, capped, few] == [
        f"Aged {rows_moved} memories from short-term to long-term (threshold: {hours}h)."
        for rows_moved, hours in ((0, 48), (62, 24), (0, 24), (100, 48), (7, 48))
    ]


async def test_age_preview_lists_what_would_move_and_moves_nothing(database: Database, clock: Clock) -> None:
    """The rows the same command without `preview` moves, lowest importance first, and how many are due in all."""
    async with room(database, clock) as r:
        await keep(r, "middling", importance=5)
        await keep(r, "low", importance=2)
        await keep(r, "higher", importance=6)
        clock.forward(hours=50)
        before = await everything(database)
        shown = await r.run("!age preview max_rows:2", by=ROOT)
        assert await everything(database) == before
        await r.run("!age max_rows:2", by=ROOT)
    first, *listed = shown.splitlines()
    assert [part in first for part in ("age 2 memories", "48h", "3 are due")] == [True] * 3
    assert listed == [
        "#2 · short · ops · importance 2 · 2 days ago · Ann · in general",
        "    low",
        "#1 · short · ops · importance 5 · 2 days ago · Ann · in general",
        "    middling",
    ]
    assert await rows(database, "SELECT content FROM memory_longterm ORDER BY importance") == [("low",), ("middling",)]


async def test_age_preview_counts_to_a_bound(database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more it tells that they are at least as many; of what is asked for it shows all."""
    monkeypatch.setattr(librarian, "COUNTED_DUE", 2)
    async with room(database, clock) as r:
        for text in ("one", "two", "three"):
            await keep(r, text)
        clock.forward(hours=50)
        few, some = [await r.run(f"!age preview max_rows:{n}", by=ROOT) for n in (1, 4)]
    assert ("(at least 2 are due in all)" in few, len(few.splitlines())) == (True, 3)
    assert ("due in all" in some, len(some.splitlines())) == (False, 7)


async def test_age_spares_what_is_protected_unless_told_not_to(database: Database, clock: Clock) -> None:
    """Pinned, directive, nine and more, asked for at eight, preferences; preview tells the same."""
    async with room(database, clock, who=ROOT) as r:
        await keep(r, "plain")
        await keep(r, "nine", importance=9)
        await keep(r, "asked", importance=8)
        await keep(r, "pref", room="preferences")
        await r.run("!remember rule importance:5 source:directive")
        await keep(r, "pinned")
        await r.run("!pin 6")
        clock.forward(hours=50)
        shown = [await r.run("!age preview", by=ROOT), await r.run("!age preview include:protected", by=ROOT)]
        moved = [await r.run("!age", by=ROOT), await r.run("!age include:protected", by=ROOT)]
    assert [text.startswith(f"Would age {due} ") for text, due in zip(shown, (1, 6), strict=True)] == [True, True]
    assert [int(text.split()[1]) for text in moved] == [1, 5]


async def test_age_touches_only_channels_the_caller_sees(database: Database, clock: Clock) -> None:
    """A private channel's rows are neither listed, counted nor moved from outside."""
    async with room(database, clock) as r:
        secret = await r.app.enter(people.caller(channel=99), channel_name="secret", mode="all")
        await keep(r, "secret plan", by=secret)
        clock.forward(days=5)
        assert (await r.run("!age preview", by=ROOT)).startswith("Would age 0 memories")
        assert (await r.run("!age", by=ROOT)).startswith("Aged 0 ")
    assert await rows(database, "SELECT tier FROM memory") == [("short",)]


# --- forget and undo ------------------------------------------------------------------------------------------------


async def test_forget_hides_at_once_and_undo_brings_back(database: Database, clock: Clock) -> None:
    """Exact words; the row, its messages and nothing else."""
    async with room(database, clock) as r:
        await r.say("Remember that the vault code is 4417.")
        gone = await r.run("!forget 1")
        hidden = await r.run("!recall vault")
        back = await r.run("!undo")
        found = await r.run("!recall vault")
    assert [*gone.splitlines(), hidden, back] == [
        "[memory] forgotten: #1 the vault code is 4417.",
        forgetting.UNDO.format(p="!"),
        NOTHING_FOUND,
        "[memory] back: #1 the vault code is 4417.",
    ]
    assert "the vault code is 4417." in found


async def test_undo_is_possible_for_ten_minutes_by_the_clock(database: Database, clock: Clock) -> None:
    """One second before the end it works; at the end it does not, and upkeep has erased row and message."""
    async with room(database, clock) as r:
        await r.say("Remember that the vault code is 4417.")
        await r.run("!forget 1")
        clock.forward(minutes=9, seconds=58)
        assert (await r.run("!undo")).startswith("[memory] back: #1")
        await r.run("!forget 1")
        clock.forward(minutes=9, seconds=59)
        with pytest.raises(errors.NotFound, match="There is nothing to undo"):
            await r.run("!undo")
        await r.app.schedule.upkeep()
    assert await rows(database, "SELECT 1 FROM memory UNION ALL SELECT 1 FROM message WHERE role = 'person'") == []


async def test_undo_goes_back_one_forget_at_a_time(database: Database, clock: Clock) -> None:
    """The latest first, then the one before, then there is nothing."""
    async with room(database, clock) as r:
        await r.run("!remember alpha")
        await r.run("!remember beta")
        await r.run("!forget 1")
        await r.run("!forget 2")
        told = [await r.run("!undo"), await r.run("!undo")]
        with pytest.raises(errors.NotFound):
            await r.run("!undo")
    assert told == ["[memory] back: #2 beta", "[memory] back: #1 alpha"]


async def test_nobody_undoes_what_somebody_else_forgot(database: Database, clock: Clock) -> None:
    """Undo is the caller's own."""
    async with room(database, clock) as r:
        await r.run("!remember alpha")
        await r.run("!forget 1")
        with pytest.raises(errors.NotFound):
            await r.run("!undo", by=BOB)
        with pytest.raises(errors.NotFound):
            await r.run("!undo", by=ROOT)


async def test_undo_in_one_channel_shows_nothing_of_another(database: Database, clock: Clock) -> None:
    """What was forgotten in a private channel is brought back there, not named in public."""
    async with room(database, clock) as r:
        secret = await r.app.enter(people.caller(channel=99), channel_name="secret", mode="all")
        await r.run("!remember The vault code is 4417.", by=secret)
        await r.run("!forget 1", by=secret)
        with pytest.raises(errors.NotFound):
            await r.run("!undo")
        assert "4417" in await r.run("!undo", by=secret)


async def test_what_was_said_again_since_it_was_forgotten_stays_one_row(database: Database, clock: Clock) -> None:
    """Undo tells so, and the next undo goes on with what was forgotten before."""
    async with room(database, clock) as r:
        await r.run("!remember alpha")
        await r.run("!remember beta")
        await r.run("!forget 1")
        await r.run("!forget 2")
        await r.run("!remember beta")
        told = [await r.run("!undo"), await r.run("!undo")]
        living = await r.run("!memories")
    assert ("said again" in told[0], told[1]) == (True, "[memory] back: #1 alpha")
    assert living.count("#") == 2


async def test_versions_that_an_edit_replaced_are_erased_with_the_one_that_is_gone(
    database: Database, clock: Clock
) -> None:
    """Also when the text was said again and the forget then undone: no old version is left in the table."""
    async with room(database, clock) as r:
        await r.run("!remember first version")
        await r.run("!edit 1 second version")
        await r.run("!forget 2")
        await r.run("!remember second version")
        await r.run("!undo")
        clock.forward(minutes=11)
        await r.app.schedule.upkeep()
    assert await rows(database, "SELECT memory_id, content FROM memory") == [(3, "second version")]


async def test_what_an_admin_words_anew_is_still_whose_it_was(database: Database, clock: Clock) -> None:
    """It was made from what its author had kept, and goes when they have all that is theirs erased."""
    async with room(database, clock, who=ROOT) as r:
        bob = await r.app.enter(people.caller("Bob", person=8), channel_name="general", mode="all")
        await r.run("!remember The bison is Athabascia.", by=bob)
        await r.run("!edit 1 The bison is surely Athabascia.")
        await r.app.personal_data.erase(bob.person_id, now=clock.forward(seconds=1))
    assert [] == await rows(database, "SELECT content FROM memory")


async def test_an_edited_memory_is_filed_by_its_new_words(database: Database, clock: Clock) -> None:
    """Where it was filed by the old ones: what was struck out is not listed or found by its topic. Else that stays."""
    async with room(database, clock) as r:
        await r.run("!remember Quillfeather crimson paint is in the vault")
        await r.run("!edit 1 The vault is blue")
        await r.run("!remember The gate is Quillfeather red topic:colours")
        await r.run("!edit 3 The gate is blue")
        listed, found = await r.run("!memories"), await r.run("!recall Quillfeather")
    assert ([True] * 3, False, NOTHING_FOUND) == (
        [text in listed for text in ("vault", "colours", "The gate is blue")],
        "uillfeather" in listed,
        found,
    )


async def test_only_the_author_or_an_admin_changes_a_memory(database: Database, clock: Clock) -> None:
    """Forget, edit, pin and unpin of somebody else's are refused; an admin may."""
    async with room(database, clock) as r:
        await r.run("!remember Ann is vegan.")
        for line in ("!forget 1", "!edit 1 Ann eats meat.", "!pin 1", "!unpin 1"):
            with pytest.raises(errors.NotAllowed, match="#1 was said by someone else"):
                await r.run(line, by=BOB)
        assert (await r.run("!forget 1", by=ROOT)).startswith("[memory] forgotten: #1")


# --- undo of a reset ------------------------------------------------------------------------------------------------


async def test_undo_takes_back_the_facts_of_the_latest_reset(database: Database, clock: Clock) -> None:
    """New rows go; rows that were merged are as they were before, but for the events that tell it."""
    async with room(database, clock) as r:
        await keep(r, 'Ann said: "We decided to use Rust."', source=Source.SUMMARY, importance=3, tags=("old",))
        clock.forward(days=20)
        await r.run("!age older_than_hours:1", by=ROOT)
        await r.app.archivist.decay([ANN.space_id], now=clock())
        before = await rows(database, "SELECT * FROM memory")
        await r.say("We decided to use Rust. The deadline is 12 May.")
        made = await r.reset()
        assert "→ 2 memories saved." in made
        assert await rows(database, "SELECT memory_id, tier, seen_count FROM memory ORDER BY 1") == [
            (1, "short", 2),
            (2, "short", 1),
        ]
        told = await r.run("!undo")
        after = await rows(database, "SELECT * FROM memory WHERE forgotten_at IS NULL")
        with pytest.raises(errors.NotFound):
            await r.run("!undo")
    assert told.startswith("[memory] Took back 2 memories of session 1;")
    assert after == before


async def test_undo_leaves_what_a_person_said_again_since(database: Database, clock: Clock) -> None:
    """A fact of the reset that somebody then asked to remember is theirs."""
    async with room(database, clock) as r:
        await r.say("We decided to use Rust. The deadline is 12 May.")
        await r.reset()
        await r.run('!remember Ann said: "We decided to use Rust."')
        told = await r.run("!undo")
        living = await r.run("!memories")
    assert told.startswith("[memory] Took back 1 memory of session 1")
    assert ("Rust" in living, "12 May" in living) == (True, False)


async def test_undo_of_a_reset_is_over_after_ten_minutes_and_belongs_to_who_reset(
    database: Database, clock: Clock
) -> None:
    """By the clock, and by the caller, and in that channel."""
    async with room(database, clock) as r:
        await r.say("We decided to use Rust.")
        await r.reset()
        for other in (BOB, people.caller(channel=99, sees=(10, 99))):
            await r.app.enter(other, channel_name="other", mode="all")
            with pytest.raises(errors.NotFound):
                await r.run("!undo", by=other)
        clock.forward(minutes=10)
        with pytest.raises(errors.NotFound, match="There is nothing to undo"):
            await r.run("!undo")
    assert await rows(database, "SELECT count(*) FROM memory_shortterm") == [(1,)]


async def test_undo_takes_whichever_came_later(database: Database, clock: Clock) -> None:
    """A forget after a reset is undone first, then the reset."""
    async with room(database, clock) as r:
        await r.say("We decided to use Rust. The deadline is 12 May.")
        await r.reset()
        await r.run("!forget 1")
        told = [await r.run("!undo"), await r.run("!undo")]
    assert told[0].startswith("[memory] back: #1")
    assert told[1].startswith("[memory] Took back 2 memories of session 1;")


async def test_an_undone_edit_had_never_been(database: Database, clock: Clock) -> None:
    """The words before it hold again, alone; and so one edit after the other, but none that was undone comes back."""
    async with room(database, clock) as r:
        await r.say("remember that the hero is a wombat")
        for number, kind in ((1, "badger"), (2, "stoat")):
            await r.run(f"!edit {number} the hero is a {kind}")
        told = [await r.run("!undo"), await r.run("!undo")]
        with pytest.raises(errors.NotFound, match="There is nothing to undo"):
            await r.run("!undo")
        found = await r.run("!recall hero")
    assert ["[memory] back: #2 the hero is a badger", "[memory] back: #1 the hero is a wombat"] == told
    assert "wombat" in found
    assert "badger" not in found
    assert "contradicts" not in found
    living = "SELECT memory_id FROM memory WHERE superseded_by IS NULL AND forgotten_at IS NULL"
    assert [(1,)] == await rows(database, living)


async def test_undo_brings_back_what_a_discard_took(database: Database, clock: Clock) -> None:
    """Its messages and the memories already made of it can be found again; the history stays cleared."""
    async with room(database, clock) as r:
        await r.say("The vault code is 4417.")
        ((session,),) = await rows(database, "SELECT open_session_id FROM channel")
        ((message,),) = await rows(database, "SELECT message_id FROM message WHERE role = 'person'")
        fact = Fact(
            content="Vault code: 4417",
            topic="vault",
            importance=5,
            source=Source.SUMMARY,
            evidence=(MessageId(message),),
        )
        author = Author(actor=Actor.SUMMARY, reason="roll")
        await r.app.archivist.save(
            ANN.space_id, ANN.channel_id, [fact], author, now=clock(), session_id=SessionId(session)
        )
        gone = await r.reset("!reset discard")
        hidden = await r.run("!recall vault")
        back = await r.run("!undo")
        found = await r.run("!recall vault")
    discarded, cleared = gone.splitlines()
    assert [part in discarded for part in ("2 messages discarded", "1 memory", "!undo")] == [True] * 3
    assert (cleared, hidden) == (notices.CLEARED, NOTHING_FOUND)
    assert ("Session 1" in back, "with 1 memory" in back) == (True, True)
    assert "Vault code: 4417" in found


async def test_a_discard_is_erased_after_ten_minutes(database: Database, clock: Clock) -> None:
    """Messages of the discarded session are gone from the table; later ones are not."""
    async with room(database, clock) as r:
        await r.say("The vault code is 4417.")
        await r.reset("!reset discard")
        await r.say("Hello")
        clock.forward(minutes=11)
        await r.app.schedule.upkeep()
        with pytest.raises(errors.NotFound):
            await r.run("!undo")
    assert await rows(database, "SELECT content FROM message WHERE role = 'person'") == [("Hello",)]


async def test_what_is_remembered_is_of_its_session_and_outlives_it(database: Database, clock: Clock) -> None:
    """It is filed under the session it was given in, and is not taken for something distilled from that."""
    async with room(database, clock) as r:
        await r.run("!remember The vault code is 4417.")
        await r.say("Remember that the retro is on Tuesday.")
        ((session,),) = await rows(database, "SELECT open_session_id FROM channel")
        assert [(session,)] * 2 == await rows(database, "SELECT session_id FROM memory")
        gone = await r.reset("!reset discard")
        found = [await r.run(f"!recall {word}") for word in ("vault", "retro")]
        await r.run("!undo")
        await r.run("!remember The door code is 5521.")
    assert ("2 messages discarded. " in gone, "stays: 2 memories" in gone) == (True, True)
    assert ("4417" in found[0], "Tuesday" in found[1]) == (True, True)
    sessions = [row[0] for row in await rows(database, "SELECT session_id FROM memory ORDER BY memory_id")]
    assert ([session, session], True) == (sessions[:2], sessions[2] not in {None, session})


# --- pin, edit, lists -----------------------------------------------------------------------------------------------


async def test_pin_unpin_and_edit_tell_what_they_did(database: Database, clock: Clock) -> None:
    """An edit makes a new memory, pinned if the old one was, that supersedes the old one."""
    async with room(database, clock) as r:
        await r.run("!remember We deploy on Fridays. topic:deploys importance:6")
        told = [await r.run("!pin 1"), await r.run("!edit 1 We deploy on Mondays."), await r.run("!unpin #2")]
        with pytest.raises(errors.NotFound, match="#1 was replaced by #2"):
            await r.run("!edit 1 We deploy never.")
    assert told == [
        "[memory] pinned: #1 We deploy on Fridays.",
        "[memory] saved: topic=deploys (imp=6) #2\n    We deploy on Mondays.\nIt supersedes #1.",
        "[memory] unpinned: #2 We deploy on Mondays.",
    ]
    assert await rows(database, "SELECT memory_id, pinned, superseded_by FROM memory ORDER BY memory_id") == [
        (1, True, 2),
        (2, False, None),
    ]


async def test_memories_are_listed_by_page_sort_and_place(database: Database, clock: Clock) -> None:
    """Six a page; weightiest or newest first; one topic or room; the way on repeats what was asked."""
    async with room(database, clock) as r:
        empty = await r.run("!memories")
        for n in range(1, 24):
            await keep(r, f"fact {n}", importance=n % 10 + 1, topic="Odd" if n % 2 else "even", room="projects")
            clock.forward(minutes=1)
        first = await r.run("!memories")
        new = await r.run("!memories sort:new")
        last = await r.run("!memories page:4 sort:new")
        beyond = await r.run("!memories page:5")
        odd = await r.run("!memories ODD sort:new min:2")
        weighty = await r.run("!memories projects min:9")
        none = await r.run("!memories zebra")

    def numbers(text: str) -> list[int]:
        return [int(line.split()[0][1:]) for line in text.splitlines() if line.startswith("#")]

    assert numbers(first) == [19, 9, 18, 8, 17, 7]
    assert first.splitlines()[-1] == "Page 1 of 4; go on with !memories page:2"
    assert numbers(new) == [*range(23, 17, -1)]
    assert (numbers(last), last.splitlines()[-1]) == ([5, 4, 3, 2, 1], "    fact 1")
    assert numbers(odd) == [*range(23, 11, -2)]
    assert odd.splitlines()[-1] == "Page 1 of 2; go on with !memories ODD sort:new min:2 page:2"
    assert numbers(weighty) == [19, 9, 18, 8]
    assert (empty, beyond) == ("No memories yet.", "No memories on page 5.")
    assert ("'zebra'" in none, "!recall zebra" in none) == (True, True)


async def test_sessions_are_listed_newest_first_with_their_summaries(database: Database, clock: Clock) -> None:
    """Number, times, counts, who summarised, and the text; a discarded one says so; five a page."""
    async with room(database, clock) as r:
        empty = await r.run("!sessions")
        await r.say("We decided to use Rust.")
        await r.reset()
        await r.say("Nothing of note")
        await r.run("!reset discard")
        found = await r.run("!sessions")
        for n in range(5):
            await r.say(f"word {n}")
            await r.reset()
        paged = await r.run("!sessions")
        second = await r.run("!sessions page:2")
        beyond = await r.run("!sessions page:9")
    assert empty.startswith("No past sessions yet")
    lines = found.splitlines()
    assert lines[0].startswith("session 2 · 2026-03-02 12:00 to 12:00 UTC · 2 messages · 0 memories")
    assert (lines[0].split(" · ")[-1], lines[1]) == ("discarded", "    (no summary was made)")
    assert lines[2].split(" · ")[2:] == ["2 messages", "1 memory", "extraction"]
    assert 'Ann: "We decided to use Rust."' in lines[3]
    assert paged.splitlines()[-1] == "Page 1 of 2; go on with !sessions page:2"
    assert second.count("session ") == 2
    assert beyond == "No sessions on page 9."


async def test_status_tells_a_line_a_part(database: Database, clock: Clock) -> None:
    """Version, database, memories by tier, sessions that wait, jobs, models."""
    async with room(database, clock) as r:
        await r.run("!remember alpha importance:5")
        await r.run("!remember beta importance:5")
        clock.forward(days=3)
        await r.run("!age max_rows:1", by=ROOT)
        fresh = await r.run("!status", by=ROOT)
        await r.app.schedule.decay()
        later = await r.run("!status", by=ROOT)
    lines = fresh.splitlines()
    assert lines[0].startswith("Hathi ")
    assert lines[1].startswith("database: Postgres ")
    assert lines[2:4] == ["memories: 1 short-term, 1 long-term", "sessions awaiting a summary: 0"]
    told = [line.split(" ")[:2] for line in lines[4:]]
    assert told == [["not", "yet"], ["jobs:", "none"], ["model:", "none;"]]
    assert "job decay: just now, done" in later.splitlines()


async def test_status_tells_members_nothing_of_jobs_and_servers(database: Database, clock: Clock) -> None:
    """Where the model runs and why it failed whoever manages the server is told; what jobs did everywhere, nobody."""
    async with ModelServer() as server:
        base_url = server.base_url
    async with room(database, clock, models=roles(base_url, timeout=0.2)) as r:
        await r.say("How are you?")
        await r.app.schedule.upkeep()
        await r.app.schedule.decay()
        full = await r.run("!status", by=ROOT)
        member, directly = await r.run("!status"), await r.run("!status", by=replace(ROOT, is_direct=True))
    address = base_url.removeprefix("http://").partition("/")[0]
    assert (True, True) == (address in full, "job decay: just now, done" in full)
    assert not re.search(r"(aged|erased|changed|made) \d", full)
    for told in (member, directly):
        assert [False] * 3 == [secret in told for secret in (address, "127.0.0.1", "job")]
        assert "model reasoning: scripted, last call failed" in told.splitlines()


async def test_status_answers_when_the_database_is_away(dsn: str, clock: Clock) -> None:
    """The outage is the answer; every other command says the one sentence, keeps nothing, and goes on afterwards."""
    async with outages.frail(dsn) as (database, wire), room(database, clock) as r:
        await r.run("!remember alpha")
        await wire.cut()
        status = await r.run("!status")
        for line in ("!remember beta", "!recall alpha", "!reset", "!forget 1", "!undo", "!memories", "!age"):
            with pytest.raises(errors.DatabaseDown, match=str(errors.DatabaseDown())):
                await r.run(line, by=ROOT)
        helped = await r.run("!help")
        await wire.mend()
        found = await r.run("!memories")
    _, outage, model = status.splitlines()
    assert (outage, model.startswith("model: none;")) == (f"database: {errors.DatabaseDown()}", True)
    assert (helped.startswith(f"{next(iter(GROUPS))}:"), found.count("#"), "alpha" in found) == (True, 1, True)


async def test_what_is_shown_can_not_move_the_cursor(database: Database, clock: Clock) -> None:
    """Control characters and overrides in names, topics and texts never reach a reply."""
    async with room(database, clock, who=people.caller("A\x1b[2Jnn\u202e")) as r:
        await r.run("!remember vault\x1b[31m red topic:to\x1b[0mpic")
        await r.say("vault \x1b]0;title\x07 said")
        shown = [await r.run(line) for line in ("!recall vault", "!memories", "!pin 1", "!forget 1", "!undo")]
    assert [c for text in shown for c in text if c in "\x1b\x07\u202e"] == []


async def test_nothing_is_shown_where_no_permission_is_known(database: Database, clock: Clock) -> None:
    """A caller who sees no channel sees no memory, changes none and ages none."""
    blind = people.caller(admin=True, sees=())
    async with room(database, clock) as r:
        await r.run("!remember alpha importance:5")
        clock.forward(days=3)
        assert await r.run("!recall alpha", by=blind) == NOTHING_FOUND
        assert await r.run("!memories", by=blind) == "No memories yet."
        assert (await r.run("!age", by=blind)).startswith("Aged 0 ")
        with pytest.raises(errors.NotFound):
            await r.run("!forget 1", by=blind)
    assert await rows(database, "SELECT tier FROM memory") == [(Tier.SHORT.value,)]


async def test_the_clock_of_a_command_is_the_applications(database: Database, clock: Clock) -> None:
    """No row carries a time of the machine."""
    async with room(database, clock) as r:
        await r.run("!remember alpha")
    ((made,),) = await rows(database, "SELECT created_at FROM memory")
    assert abs(made - clock()) <= timedelta(0)
