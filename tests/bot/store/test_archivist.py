"""The laws of writing memories."""

import asyncio
import hashlib
from datetime import timedelta
from typing import Any

import pytest

from bot import errors
from bot.db import statements
from bot.db.pool import Database
from bot.domain import Actor, Caller, Fact, Memory, MemoryId, MessageId, Saved, Source, Tier
from bot.infra.leases import this_worker
from bot.lifecycle.discord_edits import DiscordEdits
from bot.recall.librarian import Librarian
from bot.recall.listings import Narrowing
from bot.recall.query import Query
from bot.store import archivist
from bot.store.archivist import Ageing, Archivist, Author
from bot.store.sessions import Sessions
from bot.store.spaces import Spaces
from bot.store.turns import Turns
from tests import people
from tests.bot.lifecycle.mortal_database import MortalDatabase
from tests.bot.recall.test_ledger_search import rows_read
from tests.conftest import Clock
from tests.rows import one

ANN = people.caller()
FORGOTTEN: Any = """
INSERT INTO tombstone (space_id, memory_id, channel_id, evidence, content_mac, at)
SELECT 1, 100000 + n, 10, ARRAY[n * 10, n * 10 + 1], decode(md5(n::text), 'hex'), now()
FROM generate_series(1, 20000) AS n"""
"""What was forgotten in a channel, each resting on two messages."""


def fact(content: str, **fields: object) -> Fact:
    given = {"topic": "deploys", "importance": 5, "source": Source.USER, "author_id": ANN.person_id, "author": "Ann"}
    return Fact(content=content, **(given | fields))  # pyright: ignore[reportArgumentType]


class Desk:
    """An archivist and a librarian in one space."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock
        self.archivist = Archivist(database)
        self.librarian = Librarian(database)
        self.turns = Turns(database, this_worker())

    async def save(self, *facts: Fact, by: Caller = ANN, actor: Actor = Actor.PERSON) -> list[Saved]:
        author = Author(actor=actor, person_id=by.person_id, reason="remember")
        return await self.archivist.save(by.space_id, by.channel_id, facts, author, now=self.clock())

    async def living(self, by: Caller = ANN) -> list[Memory]:
        found, _ = await self.librarian.memories(by, Narrowing(by_importance=False), page=1, size=100)
        return found


@pytest.fixture
async def desk(database: Database, clock: Clock) -> Desk:
    for channel in (10, 11):
        await Spaces(database).ensure(
            people.caller(channel=channel), channel_name=f"c{channel}", mode="all", language="english", now=clock()
        )
    return Desk(database, clock)


async def test_a_fact_becomes_a_short_memory_with_the_next_number(desk: Desk) -> None:
    """Numbers count up from 1 in a space, and what was given is what is kept."""
    first, second = await desk.save(fact("We deploy on Fridays.", tags=("ops", "auto")), fact("Bob likes tea."))
    assert (first.memory.memory_id, second.memory.memory_id) == (1, 2)
    assert (first.memory.tier, first.memory.tags, first.memory.seen_count, first.was_known) == (
        Tier.SHORT,
        ("auto", "ops"),
        1,
        False,
    )


async def test_the_same_fact_again_is_one_row_in_whichever_tier_it_lies(desk: Desk) -> None:
    """Said again, spaced and cased otherwise, it is reinforced: importance the greater, back to short, tags joined."""
    await desk.save(fact("We deploy on Fridays.", importance=5, tags=("ops",)))
    await desk.archivist.age([ANN.space_id], Ageing(older_than=timedelta(0)), now=desk.clock.forward(hours=1))
    (aged,) = await desk.living()
    (again,) = await desk.save(fact("we  deploy on\u200b fridays", importance=7, tags=("release",)))
    assert (aged.tier, again.was_known, len(await desk.living())) == (Tier.LONG, True, 1)
    kept = again.memory
    assert (kept.tier, kept.importance, kept.seen_count, kept.tags) == (Tier.SHORT, 7, 2, ("auto", "ops", "release"))


async def test_repeating_another_s_words_makes_no_more_of_them(desk: Desk) -> None:
    """Importance, tags and source stay as their author has them; an admin may make a directive of them all the same."""
    bob = people.caller("Bob", person=8)
    await desk.save(fact("We deploy on Fridays.", tags=("ops",)))
    his = {"importance": 10, "tags": ("urgent",), "author_id": bob.person_id, "author": "Bob"}
    (again,) = await desk.save(fact("we deploy on fridays", **his), by=bob)
    kept = again.memory
    assert (kept.author, kept.importance, kept.tags, kept.seen_count) == ("Ann", 5, ("auto", "ops"), 2)
    (rule,) = await desk.save(fact("We deploy on Fridays.", source=Source.DIRECTIVE, **his), by=bob)
    assert (rule.memory.source, rule.memory.importance) == (Source.DIRECTIVE, 10)


async def test_what_people_say_of_themselves_is_whose_it_is(desk: Desk) -> None:
    """The same words in two mouths are two memories; said again they are reinforced as whose they are."""
    bob = people.caller("Bob", person=8)
    his = {"author_id": bob.person_id, "author": "Bob"}
    await desk.save(fact("I am vegan."))
    (of_bob,) = await desk.save(fact("i am vegan", **his), by=bob)
    (again,) = await desk.save(fact("I am  vegan.", **his), by=bob)
    assert {m.author: m.seen_count for m in await desk.living()} == {"Ann": 1, "Bob": 2}
    assert (of_bob.was_known, again.was_known) == (False, True)
    await desk.archivist.forget(ANN, MemoryId(1), now=desk.clock())
    assert [m.author for m in await desk.living()] == ["Bob"]


async def test_two_savers_at_once_make_one_row(desk: Desk) -> None:
    """Twenty concurrent savings of five facts leave five rows with distinct numbers, each seen four times."""
    await asyncio.gather(*(desk.save(fact(f"Fact number {n % 5}.")) for n in range(20)))
    found = await desk.living()
    assert ([1, 2, 3, 4, 5], {4}) == (sorted(m.memory_id for m in found), {m.seen_count for m in found})


async def test_a_fact_taken_up_again_after_a_crash_counts_once(desk: Desk) -> None:
    """The same message as evidence does not reinforce a second time."""
    await desk.save(fact("Ann is vegan.", evidence=(MessageId(5),)))
    (again,) = await desk.save(fact("Ann is vegan.", evidence=(MessageId(5),)))
    (new,) = await desk.save(fact("Ann is vegan.", evidence=(MessageId(6),)))
    assert (again.memory.seen_count, new.memory.seen_count) == (1, 2)


async def test_the_same_words_in_two_channels_are_two_memories(desk: Desk) -> None:
    """A memory keeps its origin: channels do not share rows."""
    other = people.caller(channel=11)
    await desk.save(fact("The code is 4417."))
    (saved,) = await desk.save(fact("The code is 4417."), by=other)
    assert (saved.was_known, saved.memory.memory_id) == (False, 2)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no text"),
        (" \n\u200b\u2060 ", "no text"),
        ("a\0b", "NUL"),
        ("x" * 4001, "4001 characters"),
        ('{"tool_calls": []}', "tool output"),
    ],
)
async def test_text_that_cannot_be_kept_is_refused_with_a_reason(desk: Desk, text: str, says: str) -> None:
    """A refusal says why, and nothing is written."""
    with pytest.raises(errors.RefusedText, match=says):
        await desk.save(fact(text))
    assert await desk.living() == []


@pytest.mark.parametrize(
    "text",
    ["😀👨‍👩‍👧‍👦 family", "مرحبا بالعالم", "e\u0301clair", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 flag", "עברית and English", "x" * 4000, "\ud7ff plane"],
)
async def test_any_script_is_kept_and_found_again(desk: Desk, text: str) -> None:
    """Emoji, right-to-left, combining marks and flags survive; composed, nothing else is changed."""
    import unicodedata

    (saved,) = await desk.save(fact(text))
    assert unicodedata.normalize("NFC", text) == saved.memory.content


async def test_hidden_tag_text_and_overrides_are_not_kept(desk: Desk) -> None:
    """Text nobody can see, or that turns the line it is quoted on, does not reach a prompt."""
    (saved,) = await desk.save(fact("ship it\U000e0069\U000e0067\U000e006e \u202edlrow"))
    assert saved.memory.content == "ship it dlrow"


async def test_forgetting_hides_the_memory_and_what_it_rests_on_and_undo_brings_both_back(desk: Desk) -> None:
    """Hidden at once from recall, memories and messages alike; back, exactly, within ten minutes."""
    turn = people.turn(ANN, "the vault code is 4417", desk.clock())
    await desk.turns.record(turn)
    (saved,) = await desk.save(fact("The vault code is 4417.", evidence=(turn.message.message_id,)))
    await desk.archivist.forget(ANN, saved.memory.memory_id, now=desk.clock.forward(minutes=1))
    assert not await desk.librarian.recall(ANN, Query(text="vault code", as_of=desk.clock()))
    back = await desk.archivist.undo_forget(ANN, now=desk.clock.forward(minutes=9))
    assert (saved.memory,) == back.memories
    found = await desk.librarian.recall(ANN, Query(text="vault", as_of=desk.clock()))
    assert (len(found.memories), len(found.messages)) == (1, 0)


async def test_a_message_another_living_memory_rests_on_stays(desk: Desk) -> None:
    """Forgetting one of two facts of a message hides the fact, not the message."""
    turn = people.turn(ANN, "codes: vault 4417, door 9", desk.clock())
    await desk.turns.record(turn)
    first, _ = await desk.save(
        fact("Vault is 4417.", evidence=(turn.message.message_id,)),
        fact("Door is 9.", evidence=(turn.message.message_id,)),
    )
    await desk.archivist.forget(ANN, first.memory.memory_id, now=desk.clock())
    found = await desk.librarian.recall(ANN, Query(text="codes", as_of=desk.clock()))
    assert len(found.messages) == 1


async def test_after_ten_minutes_what_was_forgotten_is_erased_and_cannot_be_undone(desk: Desk) -> None:
    """Row and messages are gone from the tables."""
    turn = people.turn(ANN, "the vault code is 4417", desk.clock())
    await desk.turns.record(turn)
    (saved,) = await desk.save(fact("The vault code is 4417.", evidence=(turn.message.message_id,)))
    await desk.archivist.forget(ANN, saved.memory.memory_id, now=desk.clock())
    later = desk.clock.forward(minutes=10, seconds=1)
    assert await desk.archivist.erase([ANN.space_id], now=later) == 2
    assert (await desk.archivist.undo_forget(ANN, now=later)).memories == ()
    async with desk.database.connection() as connection:
        assert await connection.fetchval("SELECT count(*) FROM memory") == 0
        assert await connection.fetchval("SELECT count(*) FROM message") == 0


async def test_what_is_erased_goes_in_batches(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much was forgotten at once: each batch is a transaction, and the next goes on where it stopped."""
    monkeypatch.setattr(archivist, "BATCH", 2)
    saved = await desk.save(*(fact(f"The shed number {n} is red.") for n in range(5)))
    await desk.archivist.forget_all(ANN, [each.memory.memory_id for each in saved], now=desk.clock())
    assert 5 == await desk.archivist.erase([ANN.space_id], now=desk.clock.forward(hours=1))
    assert 0 == await one(desk.database, "SELECT count(*) FROM memory")


async def test_a_chat_summary_made_from_what_was_forgotten_is_withheld_then_made_again(desk: Desk) -> None:
    """Nobody is shown it again; undo shows it again; once undo is over another is made."""
    turn = people.turn(ANN, "the vault code is 4417", desk.clock())
    recorded = await desk.turns.record(turn)
    assert recorded is not None
    session = recorded.message.session_id
    (saved,) = await desk.save(fact("The vault code is 4417.", evidence=(turn.message.message_id,)))
    async with desk.database.connection() as connection:
        await connection.execute(
            "INSERT INTO chat_summary (space_id, summary_id, channel_id, session_id, text, raw, message_count, model, "
            "created_at) VALUES (1, 1, 10, $1, 'Vault is 4417.', '{}', 1, 'm', $2)",
            session,
            desk.clock(),
        )

    async def summary() -> tuple[str, str, bool]:
        async with desk.database.connection() as connection:
            row = await connection.fetchrow("SELECT text, raw, withheld_at IS NULL AS shown FROM chat_summary")
        assert row is not None
        return row["text"], row["raw"], row["shown"]

    await desk.archivist.forget(ANN, saved.memory.memory_id, now=desk.clock())
    assert ("Vault is 4417.", "{}", False) == await summary()
    await desk.archivist.undo_forget(ANN, now=desk.clock.forward(minutes=1))
    assert ("Vault is 4417.", "{}", True) == await summary()
    await desk.archivist.forget(ANN, saved.memory.memory_id, now=desk.clock())
    async with desk.database.connection() as connection:
        await connection.execute(
            "UPDATE session SET state = 'summarised', closed_at = opened_at WHERE session_id = $1", session
        )
        await connection.execute(
            "INSERT INTO message (space_id, message_id, channel_id, session_id, role, author_id, author, content, "
            "said_at, search) VALUES (1, 1, 10, $1, 'person', 7, 'Ann', 'The rest.', $2, '')",
            session,
            desk.clock(),
        )
    sessions = Sessions(desk.database, desk.archivist, this_worker())
    await sessions.remake_withheld([ANN.space_id], now=desk.clock.forward(minutes=11))
    async with desk.database.connection() as connection:
        left = await connection.fetchval("SELECT count(*) FROM chat_summary")
        state = await connection.fetchrow("SELECT state, message_count FROM session WHERE session_id = $1", session)
    assert state is not None
    assert (0, "closed", 1) == (left, state["state"], state["message_count"])


async def test_a_summary_does_not_bring_back_what_was_forgotten(desk: Desk) -> None:
    """Neither the same words nor anything that rests only on its messages; a person may say it again."""
    (saved,) = await desk.save(fact("The vault code is 4417.", evidence=(MessageId(5),)))
    await desk.archivist.forget(ANN, saved.memory.memory_id, now=desk.clock())
    summary = [
        fact("the vault code is 4417", evidence=(MessageId(9),)),
        fact("Ann mentioned a number.", evidence=(MessageId(5),)),
        fact("Ann opened the door.", evidence=(MessageId(5), MessageId(6))),
    ]
    assert [s.memory.content for s in await desk.save(*summary, actor=Actor.SUMMARY)] == ["Ann opened the door."]
    assert len(await desk.save(fact("The vault code is 4417."))) == 1


async def test_someone_elses_memory_is_theirs_or_an_admins_to_change(desk: Desk) -> None:
    """Bob may neither forget nor edit what Ann said; an admin may."""
    (saved,) = await desk.save(fact("Ann is vegan."))
    bob, admin = people.caller("Bob", person=8), people.caller("Root", person=9, admin=True)
    with pytest.raises(errors.NotAllowed):
        await desk.archivist.forget(bob, saved.memory.memory_id, now=desk.clock())
    with pytest.raises(errors.NotAllowed):
        await desk.archivist.edit(bob, saved.memory.memory_id, "Ann eats meat.", now=desk.clock())
    assert saved.memory == await desk.archivist.forget(admin, saved.memory.memory_id, now=desk.clock())


async def test_no_memory_of_an_unseen_channel_can_be_touched(desk: Desk) -> None:
    """What you can't see you can't forget, pin or edit: it is as if it were not there."""
    (saved,) = await desk.save(fact("Secret plan."))
    outsider = people.caller(channel=11, admin=True)
    for change in (
        desk.archivist.forget(outsider, saved.memory.memory_id, now=desk.clock()),
        desk.archivist.edit(outsider, saved.memory.memory_id, "x y", now=desk.clock()),
        desk.archivist.pin(outsider, saved.memory.memory_id, pinned=True, now=desk.clock()),
    ):
        with pytest.raises(errors.NotFound):
            await change


async def test_an_edit_supersedes_and_forgetting_it_takes_the_old_text_along(desk: Desk) -> None:
    """The old version is not shown any more, and does not survive the new one's forgetting."""
    (old,) = await desk.save(fact("We deploy on Fridays."))
    await desk.archivist.pin(ANN, old.memory.memory_id, pinned=True, now=desk.clock())
    new = await desk.archivist.edit(ANN, old.memory.memory_id, "We deploy on Mondays.", now=desk.clock())
    assert [m.content for m in await desk.living()] == ["We deploy on Mondays."]
    assert new.memory.pinned
    await desk.archivist.forget(ANN, new.memory.memory_id, now=desk.clock())
    assert await desk.archivist.erase([ANN.space_id], now=desk.clock.forward(hours=1)) == 2


async def test_ageing_moves_the_lowest_importance_first_and_spares_what_is_protected(desk: Desk) -> None:
    """Pinned, directive, nine and above, asked for at eight, and preferences stay; `include:protected` spares none."""
    await desk.save(
        fact("low", importance=2),
        fact("mid", importance=5),
        fact("top", importance=9),
        fact("asked", importance=8),
        fact("pref", room="preferences"),
        fact("rule", source=Source.DIRECTIVE),
        fact("seven", importance=7),
    )
    later = desk.clock.forward(hours=49)

    async def short() -> set[str]:
        return {m.content for m in await desk.living() if m.tier is Tier.SHORT}

    assert await desk.archivist.age([ANN.space_id], Ageing(max_rows=1), now=later) == 1
    assert {"mid", "top", "asked", "pref", "rule", "seven"} == await short()
    assert await desk.archivist.age([ANN.space_id], Ageing(), now=later) == 2
    assert {"top", "asked", "pref", "rule"} == await short()
    assert await desk.archivist.age([ANN.space_id], Ageing(include_protected=True), now=later) == 4


async def test_nothing_ages_before_its_time(desk: Desk) -> None:
    """Rows younger than the threshold, since made or last reinforced, stay."""
    await desk.save(fact("old"), fact("said again"))
    desk.clock.forward(hours=40)
    await desk.save(fact("said again"))
    assert await desk.archivist.age([ANN.space_id], Ageing(), now=desk.clock.forward(hours=9)) == 1


async def test_concurrent_ageings_move_and_record_each_row_once(desk: Desk) -> None:
    """Four agers at once: as many events as rows."""
    await desk.save(*(fact(f"fact {n}", importance=3) for n in range(40)))
    later = desk.clock.forward(days=3)
    moved = await asyncio.gather(*(desk.archivist.age([ANN.space_id], Ageing(), now=later) for _ in range(4)))
    events = await one(desk.database, "SELECT count(*) FROM memory_event WHERE kind = 'aged'")
    assert (sum(moved), events) == (40, 40)


@pytest.mark.parametrize(
    ("importance", "days", "expected"), [(8, 6, 8), (8, 7, 7), (8, 20, 6), (8, 700, 3), (2, 700, 2), (9, 700, 9)]
)
async def test_decay_is_set_less_whole_weeks_down_to_three(
    desk: Desk, importance: int, days: int, expected: int
) -> None:
    """importance = greatest(least(3, set), set - whole weeks since last use); nine and above are exempt."""
    await desk.save(fact("We deploy on Fridays.", importance=importance))
    await desk.archivist.decay([ANN.space_id], now=desk.clock.forward(days=days))
    assert [expected] == [m.importance for m in await desk.living()]


async def test_decay_twice_or_late_is_decay_once_on_time(desk: Desk) -> None:
    """Run daily for five weeks, or once at the end: the same importance; a second run changes nothing."""
    await desk.save(fact("daily", importance=8))
    for _ in range(35):
        await desk.archivist.decay([ANN.space_id], now=desk.clock.forward(days=1))
    assert await desk.archivist.decay([ANN.space_id], now=desk.clock()) == 0
    assert [m.importance for m in await desk.living()] == [3]


async def test_decay_of_many_is_done_a_few_at_a_time(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """None is left out or changed twice, wherever one statement ends; what is exempt takes no other's place."""
    monkeypatch.setattr(archivist, "DECAYED", 3)
    facts = [fact(f"fact {n} of many", importance=9 if n % 4 == 0 else 8) for n in range(9)]
    for each in facts:
        await desk.save(each)
    changed = await desk.archivist.decay([ANN.space_id], now=desk.clock.forward(days=7))
    assert (6, [7] * 6 + [9] * 3) == (changed, sorted(m.importance for m in await desk.living()))
    assert 6 == await one(desk.database, "SELECT count(*) FROM memory_event WHERE kind = 'decayed'")


async def test_use_brings_importance_back_and_is_noted_at_most_hourly(desk: Desk) -> None:
    """A touch resets the weeks; a second within the hour writes nothing."""
    (saved,) = await desk.save(fact("We deploy on Fridays.", importance=8))
    await desk.archivist.decay([ANN.space_id], now=desk.clock.forward(days=21))
    await desk.archivist.touch(ANN.space_id, [saved.memory.memory_id], now=desk.clock())
    await desk.archivist.decay([ANN.space_id], now=desk.clock())
    assert [m.importance for m in await desk.living()] == [8]
    await desk.archivist.touch(ANN.space_id, [saved.memory.memory_id], now=desk.clock.forward(minutes=59))
    used = await one(desk.database, "SELECT last_used_at FROM memory")
    assert desk.clock() - timedelta(minutes=59) == used


async def test_every_change_leaves_an_event(desk: Desk) -> None:
    """What happened to a memory, by whom and why, can be read in order."""
    (saved,) = await desk.save(fact("We deploy on Fridays."))
    number = saved.memory.memory_id
    await desk.save(fact("We deploy on Fridays."))
    await desk.archivist.pin(ANN, number, pinned=True, now=desk.clock())
    await desk.archivist.pin(ANN, number, pinned=False, now=desk.clock())
    await desk.archivist.age([ANN.space_id], Ageing(older_than=timedelta(0)), now=desk.clock.forward(hours=1))
    await desk.archivist.decay([ANN.space_id], now=desk.clock.forward(days=8))
    await desk.archivist.forget(ANN, number, now=desk.clock())
    await desk.archivist.undo_forget(ANN, now=desk.clock())
    async with desk.database.connection() as connection:
        kinds = await connection.fetch("SELECT kind FROM memory_event WHERE memory_id = $1 ORDER BY event_id", number)
    assert [row["kind"] for row in kinds] == [
        "saved",
        "merged",
        "pinned",
        "unpinned",
        "aged",
        "decayed",
        "forgotten",
        "restored",
    ]


async def test_forgetting_twice_is_told(desk: Desk) -> None:
    """A forgotten memory is not there any more."""
    (saved,) = await desk.save(fact("We deploy on Fridays."))
    await desk.archivist.forget(ANN, saved.memory.memory_id, now=desk.clock())
    with pytest.raises(errors.NotFound, match="no memory #1"):
        await desk.archivist.forget(ANN, MemoryId(1), now=desk.clock())


async def test_forgetting_hides_what_hathi_answered_to_it_and_from_it(desk: Desk) -> None:
    """A reply to a forgotten message, and a later one that has its number from it, are in no prompt any more.

    One that says the same in a session where it was never shown stays. Undo brings all back.
    """
    ben = people.caller("Ben", person=8, channel=11)
    said = [
        await desk.turns.record(people.turn(by, text, desk.clock.forward(seconds=1)))
        for by, text in ((ANN, "the vault code is 4417"), (ANN, "Which code?"), (ben, "Which code?"))
    ]
    told, asked, elsewhere = (turn for turn in said if turn is not None)
    answers = [(told, "Noted."), (asked, "You said: 4417."), (asked, "Hello"), (elsewhere, "Is it 4417?")]
    (saved,) = await desk.save(fact("Ann's vault opens with 4417.", evidence=(told.message.message_id,)))
    async with desk.database.connection() as connection:
        for number, (turn, text) in enumerate(answers, 1):
            await connection.execute(
                "INSERT INTO message (space_id, message_id, channel_id, session_id, role, author, content, reply_to, "
                "said_at, search) VALUES (1, $1, $2, $3, 'hathi', 'Hathi', $4, $5, $6, '')",
                elsewhere.message.message_id + number,
                turn.caller.channel_id,
                turn.message.session_id,
                text,
                turn.message.message_id,
                desk.clock(),
            )

    async def shown() -> list[str]:
        async with desk.database.connection() as connection:
            found = await connection.fetch(
                "SELECT content FROM message WHERE role = 'hathi' AND hidden_at IS NULL ORDER BY message_id"
            )
        return [row["content"] for row in found]

    await desk.archivist.forget(ANN, saved.memory.memory_id, now=desk.clock())
    assert ["Hello", "Is it 4417?"] == await shown()
    await desk.archivist.undo_forget(ANN, now=desk.clock())
    assert [text for _, text in answers] == await shown()


async def test_a_pinned_memory_comes_back_to_the_short_tier(desk: Desk) -> None:
    """What is pinned is in view."""
    (saved,) = await desk.save(fact("We deploy on Fridays.", importance=3))
    await desk.archivist.age([ANN.space_id], Ageing(older_than=timedelta(0)), now=desk.clock.forward(hours=1))
    pinned = await desk.archivist.pin(ANN, saved.memory.memory_id, pinned=True, now=desk.clock())
    assert (Tier.SHORT, True) == (pinned.tier, pinned.pinned)


async def test_what_several_said_is_theirs(desk: Desk) -> None:
    """A memory that rests on the words of several people is changed by any of them, and by nobody else but an admin."""
    ben, carol = people.caller("Ben", person=8), people.caller("Carol", person=9)
    said = [people.turn(by, text, desk.clock()) for by, text in ((ANN, "We meet at nine."), (ben, "In the blue room."))]
    for turn in said:
        await desk.turns.record(turn)
    shared = fact(
        "They meet at nine in the blue room.",
        author_id=None,
        author="Ann and Ben",
        source=Source.SUMMARY,
        evidence=tuple(turn.message.message_id for turn in said),
    )
    (saved,) = await desk.save(shared, actor=Actor.SUMMARY)
    number = saved.memory.memory_id
    with pytest.raises(errors.NotAllowed, match="someone else"):
        await desk.archivist.forget(carol, number, now=desk.clock())
    assert [number] == [memory.memory_id for memory in await desk.living()]
    assert number == (await desk.archivist.forget(ben, number, now=desk.clock())).memory_id


async def test_of_what_was_forgotten_that_is_read_which_a_summary_says_again(database: Database) -> None:
    """By its words, or by what it rests on; however much else was forgotten in the channel."""
    mac = hashlib.md5(b"7").digest()
    async with database.connection() as connection:
        await connection.execute(FORGOTTEN)
        await connection.execute("VACUUM ANALYZE tombstone")
        entombed = statements.named("archivist.entombed")
        found = await connection.fetch(entombed, 1, 10, [mac, b"never"], [71, 80, 81, 99_999_999])
        await connection.execute("SET plan_cache_mode = force_generic_plan")
        await connection.execute(f"PREPARE law AS {entombed}")
        given = "1, 10, ARRAY[decode(md5('7'), 'hex')], '{71, 80, 81, 99999999}'"
        read = await rows_read(connection, f"EXECUTE law({given})", {"tombstone"})
        await connection.execute("DEALLOCATE law; RESET plan_cache_mode")
    assert [(mac, []), (None, [71]), (None, [80, 81])] == sorted(map(tuple, found), key=lambda row: row[1])
    assert read <= 6


async def test_what_is_forgotten_stays_so_wherever_its_erasure_died(desk: Desk) -> None:
    """The first of all too: its key goes with the transaction that fails, and the next makes another."""
    (saved,) = await desk.save(fact("The vault code is 4417."))
    mortal, gone = MortalDatabase(desk.database), [saved.memory.memory_id]
    dying = DiscordEdits(mortal, Archivist(mortal))
    assert await mortal.outlived(lambda: dying.retract(ANN.space_id, (), gone, "deleted", now=desk.clock())) > 5
    assert [] == await desk.save(fact("The vault code is 4417.", source=Source.SUMMARY), actor=Actor.SUMMARY)
