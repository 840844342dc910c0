"""The laws of a reset: it clears at once, loses nothing, and tells what it kept."""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot import errors
from bot.commands.resets import summary_head, summary_text
from bot.db.pool import Database
from bot.domain import NOTHING_FOUND, MessageId, SessionId, WorkerId
from bot.infra import leases
from bot.lifecycle.distilling import MOST_FAILURES
from bot.store.sessions import Sessions
from tests import outages, people
from tests.conftest import Clock
from tests.conversations import RecordedReply, Room, roles, room
from tests.model_server import ModelServer, Reply, Status
from tests.rows import rows
from tests.waiting import becomes, eventually

CLEARED = "Conversation history cleared."


def summary(text: str = "They talked.", *facts: dict[str, Any], **fields: Any) -> Reply:
    """A summarizer's good answer; facts rest on line 1 unless they say otherwise."""
    given = [{"room": "general", "topic": "vault", "importance": 5, "evidence": [1]} | fact for fact in facts]
    return Reply(text=json.dumps({"summary": text, "facts": given}), **fields)


def asked(server: ModelServer) -> list[str]:
    """The transcripts the summarizer was sent."""
    return [r["messages"][1]["content"] for r in server.requests if "response_format" in r]


async def settled(r: Room) -> None:
    await r.app.background.settled(20)


# --- what is told, in which order -----------------------------------------------------------------------------------


async def test_a_reset_tells_what_it_does_in_order(database: Database, clock: Clock) -> None:
    """Summarizing, summarized, a line each, how to take it back, and always last that the history is cleared."""
    facts = ({"content": "The vault code is 4417.", "importance": 7}, {"content": "Bob likes tea.", "topic": "Tea"})
    async with ModelServer(Reply(text="Hello.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say("The vault code is 4417, and Bob likes tea.")
        server.steps.append(summary("Codes and tea.", *facts))
        told = await r.reset()
    assert told.splitlines() == [
        "[memory] Summarizing 2 messages…",
        "[memory] Summarized 2 messages → 2 memories saved.",
        "[memory] saved: topic=vault (imp=7) #1",
        "[memory] saved: topic=tea (imp=5) #2",
        "!undo takes these back; !forget <id> forgets one.",
        CLEARED,
    ]
    assert await rows(database, "SELECT text, message_count, model FROM chat_summary") == [
        ("Codes and tea.", 2, "scripted")
    ]
    assert await rows(
        database, "SELECT state, message_count, fact_count, attempts, worker, lease_until FROM session ORDER BY number"
    ) == [("summarised", 2, 2, 0, None, None), ("open", 0, 0, 0, None, None)]


async def test_what_a_session_became_is_listed_by_page(database: Database, clock: Clock) -> None:
    """All that stands of it and may be seen, six a page, as it was made, under how much that is."""
    things = ("kiln", "mill", "roof", "boat", "stove", "gate", "bridge", "lamp")
    said = [f"The {thing} was bought by {number} potters." for number, thing in enumerate(things, 2)]
    facts = [{"content": text, "evidence": [2 * number + 1]} for number, text in enumerate(said)]
    async with ModelServer(Reply(text="Hello.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.run("!remember Bob likes tea.")
        for text in said:
            await r.say(text)
        server.steps.append(summary("Codes.", *facts))
        await r.reset()
        async with database.connection() as connection:
            session_id = SessionId(await connection.fetchval("SELECT min(session_id) FROM session"))
        await r.run("!forget 4")
        first, second = [await r.app.commands.lists.made_of(r.caller, session_id, page=page) for page in (1, 2)]
        hidden = await r.app.commands.lists.made_of(replace(r.caller, visible=()), session_id, page=1)
    assert first.listing is not None
    assert second.listing is not None
    assert ("7 memories of that conversation", 2) == (first.listing.title, first.listing.pages)
    assert [[2, 3, 5, 6, 7, 8], [9]] == [
        [one.memory_id for one in made.entries] for made in (first.listing, second.listing)
    ]
    assert hidden.listing is not None
    assert () == hidden.listing.entries


async def test_no_fact_is_a_good_summary(database: Database, clock: Clock) -> None:
    """No lines and no undo are offered when nothing was saved."""
    async with ModelServer(Reply(text="Hello.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say("Hi")
        server.steps.append(summary())
        told = await r.reset()
    assert told.splitlines() == [
        "[memory] Summarizing 2 messages…",
        "[memory] Summarized 2 messages → 0 memories saved.",
        CLEARED,
    ]


async def test_a_known_fact_is_told_as_known(database: Database, clock: Clock) -> None:
    """A summary reinforces what was there, in its own line."""
    async with ModelServer(Reply(text="Hello.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.run("!remember Bob likes tea. topic:tea")
        await r.say("Bob likes tea.")
        server.steps.append(summary("Tea.", {"content": "bob likes  tea"}))
        told = await r.reset()
    assert "[memory] saved: topic=tea (imp=8) #1 (known already; said 2 times)" in told.splitlines()


async def test_without_a_model_a_reset_extracts_and_tells_the_same_lines(database: Database, clock: Clock) -> None:
    """People's own sentences, quoted; what was asked to be remembered is not said twice."""
    async with room(database, clock) as r:
        await r.say("We decided to use Rust.")
        await r.say("Remember that the vault code is 4417.")
        told = await r.reset()
    summarizing, *lines, undo, cleared = told.splitlines()
    assert summarizing == "[memory] Summarizing 4 messages…"
    assert lines == ["[memory] Summarized 4 messages → 1 memory saved.", "[memory] saved: topic=rust (imp=7) #2"]
    assert (undo.startswith("!undo"), cleared) == (True, CLEARED)
    assert await rows(database, "SELECT content FROM memory ORDER BY memory_id") == [
        ("the vault code is 4417.",),
        ('Ann said: "We decided to use Rust."',),
    ]
    assert await rows(database, "SELECT model FROM chat_summary") == [("extraction",)]


async def test_an_empty_session_is_only_cleared(database: Database, clock: Clock) -> None:
    """No model is asked, no session is made, and resetting again and again changes nothing."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        told = [await r.reset(), await r.reset(), await r.reset("!reset discard")]
    assert (told, server.requests) == ([CLEARED] * 3, [])
    assert await rows(database, "SELECT number, state FROM session") == [(1, "open")]


async def test_fewer_messages_than_asked_for_are_only_cleared(database: Database, clock: Clock) -> None:
    """`min_messages` counts people's messages; with enough of them the session is summarised."""
    async with (
        ModelServer() as server,
        room(database, clock, models=roles(server.base_url), reset={"min_messages": 2}) as r,
    ):
        await r.say("The vault code is 4417.")
        told = await r.reset()
        assert (told, len(server.requests)) == (CLEARED, 1)
        await r.say("One")
        await r.say("Two")
        server.always = summary()
        assert "Summarized 4 messages" in await r.reset()
    assert await rows(database, "SELECT state FROM session ORDER BY number") == [
        ("discarded",),
        ("summarised",),
        ("open",),
    ]


async def test_a_discard_keeps_nothing_and_says_so(database: Database, clock: Clock) -> None:
    """No summary, no memory, and nothing of it is found; the cleared line is last."""
    async with room(database, clock) as r:
        await r.say("We decided to use Rust.")
        told = await r.reset("!reset discard")
        found = await r.run("!recall Rust")
        await r.say("Remember that the vault code is 4417.")
        kept = await r.reset("!reset discard")
        assert "4417" in await r.run("!memories")
        await r.run("!forget 1")
        r.clock.forward(minutes=11)
        await r.app.schedule.upkeep()
    discarded, cleared = told.splitlines()
    assert (discarded.startswith("[memory] 2 messages discarded."), "!undo" in discarded) == (True, True)
    assert (False, True) == ("1 memory" in discarded, "stays: 1 memory" in kept)
    assert cleared == CLEARED
    assert found == NOTHING_FOUND
    assert await rows(database, "SELECT 1 FROM memory UNION ALL SELECT 1 FROM chat_summary") == []


@pytest.mark.parametrize("mode", ["off", "explicit"])
async def test_where_nothing_is_distilled_a_reset_only_clears(database: Database, clock: Clock, mode: str) -> None:
    """In modes off and explicit no model reads the session and no memory is made of it."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        quiet = await r.app.enter(people.caller(channel=50), channel_name="quiet", mode=mode)
        await r.say("We decided to use Rust.", by=quiet)
        told = await r.run("!reset", by=quiet)
        await settled(r)
        await r.app.schedule.upkeep()
    assert (told, asked(server), r.later) == (CLEARED, [], [])
    assert await rows(database, "SELECT 1 FROM memory UNION ALL SELECT 1 FROM chat_summary") == []


@pytest.mark.parametrize("discard", [False, True])
@pytest.mark.parametrize("why", ["off", "explicit", "opted out"])
async def test_a_session_of_which_only_the_turns_are_known_ends_too(
    database: Database, clock: Clock, why: str, *, discard: bool
) -> None:
    """Nothing of it is told, listed or brought back; the next one begins at the reset, and once for all."""
    async with room(database, clock) as r:
        quiet = people.caller("Bob", channel=50, person=8)
        quiet = await r.app.enter(quiet, channel_name="quiet", mode="all" if why == "opted out" else why)
        if why == "opted out":
            await r.run("!memory off me", by=quiet)
        await r.say("We decided to use Rust.", by=quiet)
        told = await r.run("!reset discard" if discard else "!reset", by=quiet)
        began = r.clock()
        again = await r.run("!reset", by=quiet)
        listed = await r.run("!sessions", by=quiet)
        with pytest.raises(errors.NotFound):
            await r.run("!undo", by=quiet)
        await settled(r)
    assert ([CLEARED] * 2, []) == ([told, again], r.later)
    assert listed.startswith("No past sessions yet")
    assert [(1, "discarded", None, 0), (2, "open", None, 0)] == await rows(
        database, "SELECT number, state, closed_by, message_count FROM session WHERE channel_id = 50 ORDER BY number"
    )
    assert [(2, began)] == await rows(
        database,
        "SELECT s.number, s.opened_at FROM channel c JOIN session s ON s.session_id = c.open_session_id"
        " WHERE c.channel_id = 50",
    )


# --- cleared at once ------------------------------------------------------------------------------------------------


async def test_the_history_is_empty_from_the_first_line_on(database: Database, clock: Clock) -> None:
    """While the summary is being made no prompt holds the closed session; what is said now is the new one's."""
    gate = asyncio.Event()
    async with ModelServer(Reply(text="Ok.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say("The old secret word is xyzzy.")
        server.steps += [summary("s", {"content": "xyzzy is the word."}, gate=gate), Reply(text="New.")]
        first = await r.run("!reset")
        await eventually(lambda: len(server.requests) >= 2)
        await r.say("What now, plover?")
        prompt = json.dumps(server.requests[-1])
        assert ("xyzzy" in prompt, "response_format" in prompt) == (False, False)
        gate.set()
        await settled(r)
    assert first == "[memory] Summarizing 2 messages…"
    assert ("plover" in asked(server)[0], "Summarized 2 messages" in r.later[0].text) == (False, True)
    assert await rows(
        database, "SELECT s.number, count(*) FROM message m JOIN session s USING (session_id) GROUP BY 1 ORDER BY 1"
    ) == [(1, 2), (2, 2)]


async def test_a_summary_waits_for_the_answer_in_hand_and_includes_it(database: Database, clock: Clock) -> None:
    """Reset in the middle of an answer: cleared at once, summarised when the reply is whole."""
    gate = asyncio.Event()
    slow = Reply(text="A slow answer. A long one about plovers.", pieces=2, gate=gate)
    async with ModelServer(slow, summary()) as server, room(database, clock, models=roles(server.base_url)) as r:
        recorded_reply = RecordedReply()
        answer = asyncio.create_task(r.app.conversation.answer(r.turn("Tell me"), recorded_reply.delivery))
        await eventually(lambda: recorded_reply.text)
        first = await r.run("!reset")
        # Time enough for it to ask the model, did it not wait.
        for _ in range(50):
            await rows(database, "SELECT 1")
        assert (first, len(server.requests), r.later) == ("[memory] Summarizing 1 message…", 1, [])
        gate.set()
        await answer
        await settled(r)
    assert "A long one about plovers." in asked(server)[0]
    assert r.later[0].text.splitlines()[0] == "[memory] Summarized 2 messages → 0 memories saved."


async def test_a_question_that_waits_in_line_keeps_its_lease(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long those before it take, it is in hand: a summary waits for it, and no other worker takes it over."""
    monkeypatch.setattr("bot.infra.leases.RENEW_EVERY", timedelta(milliseconds=5))
    gate = asyncio.Event()
    slow = Reply(text="Slow. It is slow, and slow it stays.", pieces=2, gate=gate)
    async with (
        ModelServer(slow, Reply(text="second"), summary()) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        first, second = RecordedReply(), RecordedReply()
        answers = [asyncio.create_task(r.app.conversation.answer(r.turn("q0"), first.delivery))]
        # Of two that come at once either may be first.
        await eventually(lambda: first.text)
        answers.append(asyncio.create_task(r.app.conversation.answer(r.turn("q1"), second.delivery)))
        await becomes([(2,)], lambda: rows(database, "SELECT count(*) FROM turn"))
        for _ in range(4):
            clock.forward(seconds=50)
            await becomes([(clock() + leases.LEASE,)], lambda: rows(database, "SELECT DISTINCT lease_until FROM turn"))
        await r.run("!reset")
        gate.set()
        await asyncio.gather(*answers)
        await settled(r)
    assert "second" in asked(server)[0]


# --- what can go wrong ----------------------------------------------------------------------------------------------


async def test_a_summary_that_fails_is_kept_retried_and_announced(database: Database, clock: Clock) -> None:
    """Told as not summarized yet; upkeep tries again after one minute, not before, and tells when it is made."""
    async with (
        ModelServer(Reply(text="Ok."), always=Status(status=401)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say("The vault code is 4417.")
        told = await r.reset()
        clock.forward(seconds=58)
        await r.app.schedule.upkeep()
        assert len(asked(server)) == 1
        server.always = summary("Codes.", {"content": "The vault code is 4417."})
        clock.forward(seconds=2)
        await r.app.schedule.upkeep()
        await r.app.schedule.upkeep()
    assert told.splitlines() == [
        "[memory] Summarizing 2 messages…",
        "[memory] Not summarized yet: 2 messages are kept; trying again.",
        CLEARED,
    ]
    assert [(done.message_count, len(done.saved), done.retry_at) for done in r.summaries] == [(2, 1, None)]
    assert await rows(database, "SELECT state, attempts FROM session WHERE number = 1") == [("summarised", 1)]
    assert len(asked(server)) == 2


async def test_why_a_summary_fails_is_told_to_who_manages_the_server(database: Database, clock: Clock) -> None:
    """As `!status` does; to others, and in direct messages, it is one plain sentence."""
    told: list[list[str]] = []
    for admin, direct in ((True, False), (False, False), (True, True)):
        who = replace(people.caller(space=1 + len(told), channel=10 + len(told), admin=admin), is_direct=direct)
        async with (
            ModelServer(Reply(text="Ok."), always=Status(status=401)) as server,
            room(database, clock, models=roles(server.base_url), who=who) as r,
        ):
            await r.say("The vault code is 4417.")
            told.append((await r.reset()).splitlines()[2:-1])
    assert [1, 0, 0] == [len(lines) for lines in told]
    assert "refused the API key (401); check it" in told[0][0]


async def test_the_pauses_grow_to_ten_minutes_and_then_it_is_made_by_rule(database: Database, clock: Clock) -> None:
    """1, 2, 4, 8, 10 minutes, the space is woken for each; whoever has reset is told that no model made it."""
    async with (
        ModelServer(Reply(text="Ok."), always=Status(status=401)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say("The vault code is 4417.")
        await r.reset()
        pauses: list[float] = []
        for _ in range(MOST_FAILURES):
            assert r.summaries == []
            ((at, woken),) = await rows(
                database,
                "SELECT next_attempt_at, next_due_at FROM session JOIN upkeep USING (space_id) WHERE number = 1",
            )
            assert woken <= at
            pauses.append((at - clock()).total_seconds() / 60)
            clock.now = at
            await r.app.schedule.upkeep()
        assert MOST_FAILURES == len(asked(server))
    assert pauses == [1, 2, 4, 8, 10]
    assert [("summarised", "extraction")] == await rows(
        database, "SELECT s.state, c.model FROM session s JOIN chat_summary c USING (session_id)"
    )
    assert ["by rule" in summary_head(done) for done in r.summaries] == [True]
    assert [summary_text(done, "!").startswith(summary_head(done)) for done in r.summaries] == [True]


async def test_extraction_never_stands_in_for_a_summarizer_that_is_down(database: Database, clock: Clock) -> None:
    """A configured model that fails leaves the session waiting; short of five times no fact is made by other means."""
    async with (
        ModelServer(Reply(text="Ok."), always=Status(status=401)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say("We decided to use Rust.")
        await r.reset()
        clock.forward(hours=3)
        await r.app.schedule.upkeep()
        found = await r.run("!recall Rust")
        status = await r.run("!status")
    assert await rows(database, "SELECT 1 FROM memory UNION ALL SELECT 1 FROM chat_summary") == []
    assert ("We decided to use Rust." in found, "sessions awaiting a summary: 1" in status) == (True, True)


async def test_two_workers_make_one_summary(database: Database, clock: Clock) -> None:
    """The second finds the session leased, and later summarised."""
    gate = asyncio.Event()
    async with (
        ModelServer(Reply(text="Ok."), summary("s", {"content": "The code is 4417."}, gate=gate)) as server,
        room(database, clock, models=roles(server.base_url)) as one,
        room(database, clock, models=roles(server.base_url), worker=WorkerId("another/1/2")) as two,
    ):
        await one.say("The code is 4417.")
        await one.run("!reset")
        await eventually(lambda: len(server.requests) >= 2)
        ((session,),) = await rows(database, "SELECT session_id FROM session WHERE number = 1")
        second = await two.app.summaries.make(one.caller.space_id, session)
        clock.forward(seconds=59)
        await two.app.schedule.upkeep()
        gate.set()
        await settled(one)
        third = await two.app.summaries.make(one.caller.space_id, session)
    assert (second, third, len(asked(server))) == (None, None, 1)
    assert await rows(database, "SELECT count(*) FROM chat_summary") == [(1,)]


async def test_a_worker_that_lost_its_lease_saves_nothing(database: Database, clock: Clock) -> None:
    """The one that took the session over saves once; the first tells only that the history is cleared."""
    gate = asyncio.Event()
    async with (
        ModelServer(
            Reply(text="Ok."),
            summary("first", {"content": "The code: 4417."}, gate=gate),
            summary("second", {"content": "The code is 4417."}),
        ) as server,
        room(database, clock, models=roles(server.base_url)) as one,
        room(database, clock, models=roles(server.base_url), worker=WorkerId("another/1/2")) as two,
    ):
        await one.say("The code is 4417.")
        await one.run("!reset")
        await eventually(lambda: len(server.requests) >= 2)
        clock.forward(seconds=61)
        await two.app.schedule.upkeep()
        gate.set()
        await settled(one)
    assert [reply.text for reply in one.later] == [CLEARED]
    assert len(two.summaries) == 1
    assert await rows(database, "SELECT content FROM memory") == [("The code is 4417.",)]
    assert await rows(database, "SELECT text FROM chat_summary") == [("second",)]


async def test_what_is_undone_while_it_is_summarised_is_not_saved(database: Database, clock: Clock) -> None:
    """The summary that comes too late finds the session going on, with what was said since; upkeep makes none.

    So is what was kept of it chunk by chunk before the undo, and a later reset keeps all of it.
    """
    gate = asyncio.Event()
    late = summary("s", {"content": "The code is 4417."}, gate=gate)
    async with (
        ModelServer(Reply(text="Ok."), late, always=Reply(text="Fine.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say("The code is 4417.")
        await r.run("!reset")
        await eventually(lambda: len(server.requests) >= 2)
        await r.say("The gate is green.")
        told = await r.run("!undo")
        gate.set()
        await settled(r)
        clock.forward(hours=2)
        await r.app.schedule.upkeep()
        kept = await rows(database, "SELECT 1 FROM memory UNION ALL SELECT 1 FROM chat_summary")
        await r.say("Write a limerick.")
        history = "".join(message["content"] for message in server.requests[-1]["messages"])
        later = await r.reset()
        states = await rows(database, "SELECT number, state, message_count FROM session ORDER BY number")
    assert all(part in told for part in ("taken back", "nothing of it is kept", "session 1 goes on"))
    assert ([reply.text for reply in r.later[:-1]], kept) == ([], [])
    assert all(said in history for said in ("The code is 4417.", "The gate is green."))
    assert "6 messages" in later
    assert states == [(1, "closed", 6), (2, "discarded", 0), (3, "open", 0)]


async def test_facts_summary_and_state_are_one_transaction(database: Database, clock: Clock) -> None:
    """A fact the table refuses leaves the session closed, without summary or facts; told, and tried again."""
    facts = [{"content": f"Fact number {n}.", "evidence": [2 * n + 1]} for n in range(5)]
    async with ModelServer(Reply(text="Ok.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        for n in range(5):
            await r.say(f"Fact number {n}.")
        async with database.connection() as connection:
            await connection.execute("ALTER TABLE memory ADD CONSTRAINT no_third CHECK (content !~ '3')")
        server.always = summary("Five.", *facts)
        told = await r.reset()
        assert await rows(database, "SELECT state FROM session WHERE number = 1") == [("closed",)]
        assert (
            await rows(
                database,
                "SELECT 1 FROM memory UNION ALL SELECT 1 FROM chat_summary UNION ALL SELECT 1 FROM memory_event",
            )
            == []
        )
        async with database.connection() as connection:
            await connection.execute("ALTER TABLE memory DROP CONSTRAINT no_third")
        clock.forward(minutes=1)
        await r.app.schedule.upkeep()
    _, waiting, cleared = told.splitlines()
    assert (waiting.startswith("[memory] Not summarized yet: 10 messages"), cleared) == (True, CLEARED)
    assert [len(done.saved) for done in r.summaries] == [5]
    assert await rows(database, "SELECT count(*) FROM memory") == [(5,)]


async def test_one_session_that_can_not_be_saved_does_not_stop_the_others(database: Database, clock: Clock) -> None:
    """Upkeep goes on with other sessions, and with erasing and ageing."""
    async with room(database, clock) as r:
        other = await r.app.enter(people.caller(channel=11), channel_name="other", mode="all")
        await r.run("!remember alpha")
        await r.say("We decided to use Rust.")
        await r.say("We decided to use Python.", by=other)
        async with database.connection() as connection:
            await connection.execute("ALTER TABLE memory ADD CONSTRAINT no_rust CHECK (content !~ 'Rust')")
        await r.run("!forget 1")
        for caller in (r.caller, other):
            await r.app.sessions.reset(caller, discard=False, min_messages=1, now=clock.forward(seconds=1))
        clock.forward(minutes=11)
        await r.app.schedule.upkeep()
    assert await rows(database, "SELECT content FROM memory") == [('Ann said: "We decided to use Python."',)]
    assert await rows(database, "SELECT state FROM session WHERE state <> 'open' ORDER BY channel_id") == [
        ("closed",),
        ("summarised",),
    ]


async def test_a_worker_that_died_leaves_a_session_another_summarises(database: Database, clock: Clock) -> None:
    """A crash right after closing: the lease runs out, the space falls due by itself, and nothing is lost."""
    async with room(database, clock) as r:
        await r.say("We decided to use Rust.")
        dead = Sessions(database, r.app.archivist, WorkerId("dead/1/2"))
        await dead.reset(r.caller, discard=False, min_messages=1, now=clock())
        await r.app.schedule.upkeep()
        assert r.summaries == []
        clock.forward(seconds=61)
        await r.app.schedule.upkeep()
    assert [(done.message_count, len(done.saved)) for done in r.summaries] == [(2, 1)]


async def test_sessions_of_a_process_that_is_gone_are_free_at_the_next_start(database: Database, clock: Clock) -> None:
    """Without waiting for a lease: of this machine's dead process, or of anybody when nobody else can be there."""
    async with room(database, clock) as r:
        for alone, worker in ((True, "elsewhere/1/2"), (False, leases.this_worker().rpartition("/")[0] + "/1")):
            await r.say("We decided to use Rust.")
            dead = Sessions(database, r.app.archivist, WorkerId(worker))
            await dead.reset(r.caller, discard=False, min_messages=1, now=clock())
            assert await r.app.sessions.release_dead(r.caller.space_id, now=clock(), alone=alone) == 1
            await r.app.schedule.upkeep()
    assert len(r.summaries) == 2


async def test_a_database_that_goes_away_while_a_model_works_loses_nothing(dsn: str, clock: Clock) -> None:
    """Told as not summarized yet; when it is back, upkeep makes the summary."""
    gate = asyncio.Event()
    good = summary("s", {"content": "The code is 4417."}, gate=gate)
    async with (
        outages.frail(dsn) as (database, wire),
        ModelServer(Reply(text="Ok."), good, always=summary("s", {"content": "The code is 4417."})) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say("The code is 4417.")
        await r.run("!reset")
        await eventually(lambda: len(server.requests) >= 2)
        await wire.cut()
        gate.set()
        await settled(r)
        with pytest.raises(errors.DatabaseDown):
            await r.app.schedule.upkeep()
        await wire.mend()
        clock.forward(seconds=61)
        await r.app.schedule.upkeep()
        assert await rows(database, "SELECT content FROM memory") == [("The code is 4417.",)]
    waiting, cleared = r.later[0].text.splitlines()
    assert (waiting.startswith("[memory] Not summarized yet: 2 messages"), cleared) == (True, CLEARED)
    assert len(r.summaries) == 1


async def test_many_resets_at_once_close_one_session_each(database: Database, clock: Clock) -> None:
    """Ten at a time, with messages between them: numbers have no gap, and every message is in one session."""
    async with room(database, clock) as r:
        for n in range(3):
            await r.say(f"We decided to use tool number {n}.")
            await asyncio.gather(*(r.run("!reset") for _ in range(10)))
        await settled(r)
    assert await rows(database, "SELECT number, state, message_count FROM session ORDER BY number") == [
        (1, "summarised", 2),
        (2, "summarised", 2),
        (3, "summarised", 2),
        (4, "open", 0),
    ]


@pytest.mark.parametrize("line", ["", "discard"])
async def test_a_reset_done_late_ends_what_was_said_before_it(database: Database, clock: Clock, line: str) -> None:
    """What was recorded meanwhile, said after the reset was given, goes on in the new session, with its answers."""
    async with room(database, clock) as r:
        await r.say("We decided to use Rust.")
        given = MessageId(people.turn(r.caller, "", clock.forward(seconds=1)).message.message_id)
        await r.say("Let us talk of tea.")
        await r.app.commands.run(r.caller, "reset", line, r.tell_later, said=given)
        await settled(r)
        # A second time it finds nothing of before, and ends nothing.
        await r.app.commands.run(r.caller, "reset", line, r.tell_later, said=given)
    messages, turns = (
        f"SELECT s.number, count(*) FROM session s JOIN {table} USING (session_id) GROUP BY s.number ORDER BY s.number"
        for table in ("message", "turn")
    )
    assert [(1, 2), (2, 2)] == await rows(database, messages)
    assert [(1, 1), (2, 1)] == await rows(database, turns)


async def test_each_channel_has_its_own_sessions(database: Database, clock: Clock) -> None:
    """A reset in one leaves the other's history where it is."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        other = await r.app.enter(people.caller(channel=11), channel_name="other", mode="all")
        await r.say("here xyzzy")
        await r.say("there plover", by=other)
        server.steps.append(summary())
        await r.reset()
        await r.say("and then?", by=other)
    assert ("plover" in json.dumps(server.requests[-1]), "plover" in asked(server)[0]) == (True, False)


async def test_a_new_session_opens_without_what_is_overdue(database: Database, clock: Clock) -> None:
    """Ageing runs when a session opens, whatever kind of reset opened it."""
    async with room(database, clock) as r:
        await r.run("!remember Tea is at four. importance:5")
        clock.forward(hours=49)
        await r.say("We talked of nothing.")
        await r.reset("!reset discard")
    assert [("long",)] == await rows(database, "SELECT tier FROM memory")
