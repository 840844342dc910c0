"""The laws of `!why`: what led to a reply is told as it was kept, and nothing of it that may not be shown here."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import errors
from bot.commands import reply_reasons
from bot.db.pool import Database
from bot.domain import Caller, Layer, MemoryId, MessageId, Reply
from bot.layers.walk import LayerOutcome
from bot.presentation import exact_reasons, reasons
from bot.store.trail import Detected, Grounded, Origin, Step, ToolUse, Trail
from bot.store.turn_trails import Sql, TurnReasons, TurnTrails
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer
from tests.model_server import Reply as Said
from tests.rows import one

WALK = (
    Step(layer=Layer.IDENTITY, outcome=LayerOutcome.LOADED, why="always there"),
    Step(
        layer=Layer.PALACE, outcome=LayerOutcome.HIT, looked=12, chosen=(("#1", 0.913), ("M1", 0.5)), milliseconds=3.14
    ),
    Step(layer=Layer.SCRATCHPAD, outcome=LayerOutcome.EMPTY, looked=2, milliseconds=1.0),
    Step(
        layer=Layer.ARTIFACTS, outcome=LayerOutcome.FAILED, looked=0, why="the forge did not answer", milliseconds=900.0
    ),
    Step(layer=Layer.PROCEDURES, outcome=LayerOutcome.SKIPPED, why="an earlier layer answered"),
)
BOB = people.caller("Bob", person=8)
ELSEWHERE = people.caller("Cem", person=9, channel=20)


async def why(r: Room, line: str = "", by: Caller | None = None) -> Reply:
    """The whole reply to `!why … exactly`."""
    return await r.app.commands.run(by or r.caller, "why", f"{line} exactly".strip(), r.tell_later)


async def briefly(r: Room) -> Reply:
    """The reply to `!why`."""
    return await r.app.commands.run(r.caller, "why", "", r.tell_later)


async def rewrite(database: Database, turn_id: int, **columns: Any) -> None:
    """A turn as a walk would have left it."""
    async with database.connection() as connection:
        for name, value in columns.items():
            statement: Any = f"UPDATE turn SET {name} = $2 WHERE turn_id = $1"
            await connection.execute(statement, turn_id, value)


async def last_turn(database: Database) -> int:
    return await one(database, "SELECT max(turn_id) FROM turn WHERE reply_ids <> '{}'")


def turned(trail: Trail, *, model: str | None = "scripted", **more: Any) -> TurnReasons:
    given: dict[str, Any] = {
        "turn_id": MessageId(5),
        "answered_at": Clock().now,
        "shown": (),
        "tokens_in": 1200,
        "tokens_out": 56,
        "durations": {},
    } | more
    return TurnReasons(trail=trail, model=model, **given)


def told(trail: Trail, **more: Any) -> list[str]:
    return exact_reasons.of(turned(trail, **more))


def test_tokens_are_told_with_those_the_server_still_had() -> None:
    """As stored with the turn's trail; nothing is said of none."""
    assert "Model: scripted, 1200 tokens in (900 of them its server still had), 56 out." in told(Trail(cached=900))
    assert "Model: scripted, 1200 tokens in, 56 out." in told(Trail())
    assert 900 == Trail.of(Trail(cached=900).as_json()).cached


def test_each_layer_is_told_with_its_outcome_reason_and_time() -> None:
    """From L0 to L5, in the order they were walked; where nothing was looked for there is nothing to count."""
    asked = Detected(recall=True, confidence=0.93, cues=("shared past",), layers=("L1",))
    detected, *walked = told(Trail(asked=asked, walk=WALK))[:7]
    assert detected.startswith("Taken for")
    assert detected.endswith(", certainty 0.93, by shared past; suggested L1.")
    assert walked == [
        "L0 identity: loaded; always there",
        "L1 palace: hit, 12 looked at, 2 found, 3.1 ms",
        "L2 scratchpad: miss, 2 looked at, 1.0 ms",
        "L3 artifacts: failed, 0 looked at, 900.0 ms; the forge did not answer",
        "L4 procedures: skipped; an earlier layer answered",
        "L5 free generation: skipped",
    ]


def test_the_last_layer_is_told_once() -> None:
    """As its own step tells it, where it has one; reached, where nothing was found and a model answered."""
    own = Trail(walk=(Step(layer=Layer.GENERATION, outcome=LayerOutcome.SPOKEN),))
    missed = Trail(walk=(Step(layer=Layer.PALACE, outcome=LayerOutcome.EMPTY),))
    alone = Trail(asked=Detected(recall=False, confidence=0.1))
    of_last = [[line for line in told(trail) if line.startswith("L5")] for trail in (own, missed, alone, Trail())]
    told_own = "L5 free generation: spoken"
    assert of_last == [[told_own], ["L5 free generation: reached"], ["L5 free generation: reached"], []]
    assert [part in told(alone)[0] for part in ("Not taken", "certainty 0.10", "No layer")] == [True] * 3
    assert told(missed, model=None)[-1] == "No model took part."


def test_tools_history_checks_model_and_time_are_told() -> None:
    """Each in a sentence of its own, where the turn kept it."""
    trail = Trail(
        history=12,
        left_out=3,
        tools=(ToolUse(tool="memory_recall", outcome="done"),),
        grounded=Grounded(outcome="checked", kinds=("number",), cited=("#42",)),
    )
    durations = {"queue": 0.0, "model": 1.234}
    walk, tools, history, grounded, model, time = told(trail, durations=durations)
    assert walk.startswith("Nothing was kept")
    assert tools == "Tools used: memory_recall (done)."
    assert [part in history for part in ("12 messages", "3 of them")] == [True, True]
    assert grounded.endswith("hold for: number; cited: #42.")
    assert [model, time] == ["Model: scripted, 1200 tokens in, 56 out.", "Time: queue 0.000 s, model 1.234 s."]


def test_what_was_waited_for_is_told_in_its_order() -> None:
    """And apart from it what was done beside that, whatever order the durations are stored in."""
    durations = {"send": 0.004, "total": 0.9, "record": 0.005, "memory": 0.002, "model": 0.8}
    *_, waited, beside = told(Trail(waited=("record", "model", "send", "lost")), durations=durations)

    assert [waited, beside] == [
        f"{exact_reasons.IN_ORDER}: record 0.005 s, model 0.800 s, send 0.004 s.",
        f"{exact_reasons.BESIDE}: total 0.900 s, memory 0.002 s.",
    ]


@pytest.mark.parametrize(
    ("outcome", "piece"),
    [
        ("checked", "was checked against"),
        ("verbatim", "word for word"),
        ("offline", "without a model"),
        ("free", "the model's own"),
        ("none", "to hold the answer against"),
        ("newer", "found: newer"),
    ],
)
def test_how_the_answer_was_held_against_what_was_found(outcome: str, piece: str) -> None:
    """Every outcome there is has its sentence, and one of a newer version its name."""
    assert 1 == sum(piece in line for line in told(Trail(grounded=Grounded(outcome=outcome))))


def test_an_answer_that_was_recovered_says_so() -> None:
    """What led to it is not known any more; nothing else is made up."""
    assert told(Trail(recovered=True), model=None) == [reasons.RECOVERED]


@given(st.builds(Trail))
def test_any_trail_is_told(trail: Trail) -> None:
    """Whatever stands in its parts, nothing fails."""
    assert all(isinstance(line, str) for line in told(trail))
    assert all(isinstance(trail.origin(label), Origin) for label in trail.found)


@pytest.mark.parametrize(
    "text",
    [
        "1234567890123456789",
        "https://discord.com/channels/5/6/1234567890123456789",
        "<https://ptb.discord.com/channels/@me/6/1234567890123456789>",
        "6-1234567890123456789",
        "https://discordapp.com/channels/5/6/1234567890123456789/",
    ],
)
def test_a_reply_is_named_by_link_or_number(text: str) -> None:
    """As Discord's menus copy it."""
    assert reply_reasons.reference(text) == 1234567890123456789


@pytest.mark.parametrize("text", ["", "0", "it", "do cats purr", "https://example.com/1/2/3", "9" * 19, "12 13"])
def test_nothing_else_names_a_reply(text: str) -> None:
    """Words, other addresses, and what no message is numbered with."""
    assert reply_reasons.reference(text) is None


async def test_what_was_found_and_shown_is_listed_with_scores(database: Database, clock: Clock) -> None:
    """A row each: the memory with its score, the message, the Active Memory; each memory with what can be done."""
    async with ModelServer(Said(text="4417.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.run("!remember The vault code is 4417. topic:vault")
        await r.run("!remember We meet on Mondays. topic:meetings")
        await r.say("The vault is in the cellar.")
        server.steps.append(Said(text="It is 4417."))
        said = await last_turn(database)
        await r.say("What is the vault code?")
        turn_id = await last_turn(database)
        await rewrite(
            database,
            turn_id,
            shown=[1, 2],
            trail={
                "asked": {"recall": True, "confidence": 0.9, "cues": [], "layers": []},
                **Trail(walk=WALK).as_json(),
                "sources": [{"label": "M1", "memory_id": None, "message": [10, said], "url": None}],
            },
        )
        reply = await why(r)
    assert reply.listing is not None
    assert [entry.memory_id for entry in reply.listing.entries] == [1, None, 2]
    heads = [entry.head for entry in reply.listing.entries]
    assert heads[0].startswith("#1 · short · vault · importance 8")
    assert heads[0].endswith(" · found, score 0.91")
    assert heads[1].startswith("M1 · said · Ann · ")
    assert heads[1].endswith(" · found, score 0.50")
    assert heads[2].startswith("#2 · short · meetings")
    assert heads[2].endswith(" · shown as Active Memory")
    marks = [entry.marks[-1] for entry in reply.listing.entries]
    assert ["found, score 0.91", "M1 · found, score 0.50", "shown as Active Memory"] == marks
    assert [entry.body for entry in reply.listing.entries] == [
        "The vault code is 4417.",
        "The vault is in the cellar.",
        "We meet on Mondays.",
    ]
    assert reply.listing.entries[1].link == (10, said)
    assert "  !forget 1 · !edit 1 … · !pin 1" in reply.text.splitlines()
    assert "    The vault code is 4417." in reply.text.splitlines()
    assert re.search(r"Model: scripted, \d+ tokens in, \d+ out\.", reply.text)


async def test_what_is_gone_since_is_named_and_not_quoted(database: Database, clock: Clock) -> None:
    """Forgotten, erased for good or replaced: the number and what became of it, never the text."""
    async with ModelServer(Said(text="Fine.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        for text in ("The vault code is 4417.", "Hidden things rust.", "The old address is 5.", "We meet on Mondays."):
            await r.run(f"!remember {text}")
        await r.say("Hello, what is blue?")
        await rewrite(database, await last_turn(database), shown=[1, 2, 3, 4])
        await r.run("!forget 1")
        clock.forward(minutes=11)
        await r.app.archivist.erase([r.caller.space_id], now=clock())
        assert await one(database, "SELECT count(*) FROM memory WHERE memory_id = 1") == 0
        await r.run("!forget 2")
        await r.run("!edit 3 The new address is 6.")
        reply = await why(r)
    assert reply.listing is not None
    shown = {entry.head.partition(" ")[0]: entry.body for entry in reply.listing.entries}
    assert shown == {
        "#1": "forgotten since",
        "#2": "forgotten since",
        "#3": "replaced since by #5",
        "#4": "We meet on Mondays.",
    }
    assert [entry.memory_id for entry in reply.listing.entries] == [None, None, None, 4]
    for text in ("4417", "rust", "old address", "new address"):
        assert text not in reply.text


async def test_what_may_not_be_shown_here_is_counted(database: Database, clock: Clock) -> None:
    """A memory or message of a channel not everyone here can read: neither number nor word of it, only how many."""
    async with ModelServer(Said(text="Fine.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        secret = people.caller("Ann", channel=30)
        await r.app.enter(secret, channel_name="secret", mode="all")
        await r.run("!remember The safe is behind the clock.", by=secret)
        hidden = r.turn("Whispered in the dark.")
        await r.say("Whispered in the dark.", by=secret)
        hidden_id = await last_turn(database)
        await r.say("Hello there, friend of mine.")
        sources = [{"label": "M1", "memory_id": None, "message": [30, hidden_id], "url": None}]
        await rewrite(database, await last_turn(database), shown=[1], trail={"sources": sources})
        here, there = await why(r), await why(r, str(hidden_id), by=secret)
        with pytest.raises(errors.NotFound, match=reply_reasons.NOT_KNOWN):
            await why(r, str(hidden_id))
    assert hidden.caller == r.caller
    assert "2 of these I keep no record of, or can't show here" in here.text
    for word in ("#1", "clock", "Whispered", "M1"):
        assert word not in here.text
    assert there.text.startswith("Why I said that")


async def test_without_a_reference_it_is_the_last_reply_here(database: Database, clock: Clock) -> None:
    """Of this channel, not of another; commands between are none, and where there is no reply yet it says so."""
    async with ModelServer(Said(text="Fine.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.app.enter(ELSEWHERE, channel_name="elsewhere", mode="all")
        with pytest.raises(errors.NotFound, match="not replied to anything"):
            await why(r)
        await r.say("Hello, what is blue?")
        mine = await last_turn(database)
        await r.say("And here, what is blue?", by=ELSEWHERE)
        command = people.said(r.caller, "!tags", clock.forward(seconds=5))
        await r.app.commands_in_hand.take(r.caller, command.message_id)
        reply = await why(r)
        with pytest.raises(errors.BadArgument, match="takes the link or the number"):
            await why(r, "what you said")
        with pytest.raises(errors.NotFound):
            await why(r, "1234567890123456789")
    assert reply.listing is not None
    assert reply.listing.again == f"why {mine} exactly"


async def test_what_was_asked_is_named_while_it_may_be_shown(database: Database, clock: Clock) -> None:
    """In one line; and no more once the question is gone, or who asked has opted out."""
    async with ModelServer(Said(text="Fine.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        told = list[str]()
        for gone in ("UPDATE message SET hidden_at = now()", "UPDATE person SET opted_out_at = now()"):
            await r.say("Hello,\nwhat is blue?")
            told.append((await why(r)).text)
            async with database.connection() as connection:
                await connection.execute(gone)
            told.append((await why(r)).text)
    line = "The question: \u201cHello, what is blue?\u201d"
    assert [True, False, True, False] == [line in text for text in told]


async def test_any_message_of_a_reply_names_it(database: Database, clock: Clock) -> None:
    """Its first, a further one, and its question; a day later's number does not."""
    async with ModelServer(Said(text="Fine.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say("Hello, what is blue?")
        turn_id = await last_turn(database)
        first, further = turn_id + 5, turn_id + 9
        await rewrite(database, turn_id, reply_ids=[first, further])
        named = [await why(r, str(number)) for number in (turn_id, first, further)]
        with pytest.raises(errors.NotFound):
            await why(r, str(turn_id + 10))
    assert [reply.listing and reply.listing.again for reply in named] == [f"why {turn_id} exactly"] * 3


async def test_many_rows_come_in_pages(database: Database, clock: Clock) -> None:
    """Six a page, how it came about above the first; past the last it says so."""
    async with ModelServer(Said(text="Fine.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        for number in range(11):
            await r.run(f"!remember The number {number} is lucky.")
        await r.say("Hello, what is blue?")
        await rewrite(database, await last_turn(database), shown=list(range(1, 12)))
        first, second, third = await why(r), await why(r, "page:2"), await why(r, "page:3")
        by_name = await why(r, f"{await last_turn(database)} page:2")
    assert first.listing is not None
    assert second.listing is not None
    assert (1, 2, 6) == (first.listing.page, first.listing.pages, len(first.listing.entries))
    assert (True, "") == ("Model: scripted" in first.listing.lead, second.listing.lead)
    assert [f"#{n}" for n in range(7, 12)] == [entry.head.split(" ")[0] for entry in second.listing.entries]
    assert first.text.endswith("page:2")
    assert second == by_name
    assert third.text == "No more on page 3; there are 2 pages."


async def test_a_turn_that_kept_nothing_is_explained_too(database: Database, clock: Clock) -> None:
    """An answer without a model or a walk tells what there is to tell."""
    async with room(database, clock) as r:
        await r.say("Hello, what is blue?")
        reply = await why(r)
    assert "No model took part." in reply.text
    assert reply.listing is not None
    assert () == reply.listing.entries


async def test_what_is_no_memory_is_named_by_its_kind(database: Database, clock: Clock) -> None:
    """A note, an artifact with its address, a playbook, and whatever a newer version may find; nothing to change."""
    async with ModelServer(Said(text="Fine.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say("Hello, what is blue?")
        chosen = (("N3", 0.4), ("A1", 0.3), ("X9", 0.1))
        sources = [
            {"label": "A1", "memory_id": None, "message": None, "url": "https://example.com/pulls/12"},
            {"label": "P1", "memory_id": None, "message": None, "url": None},
        ]
        walk = (Step(layer=Layer.SCRATCHPAD, outcome=LayerOutcome.HIT, looked=3, chosen=chosen),)
        await rewrite(database, await last_turn(database), trail=Trail(walk=walk).as_json() | {"sources": sources})
        reply = await why(r)
    assert reply.listing is not None
    assert [(entry.head, entry.body, entry.memory_id) for entry in reply.listing.entries] == [
        ("N3 · a note · found, score 0.40", "", None),
        ("A1 · an artifact · found, score 0.30", "https://example.com/pulls/12", None),
        ("X9 · something · found, score 0.10", "", None),
        ("P1 · a playbook · found", "", None),
    ]


async def test_what_was_quoted_without_a_model_is_listed(database: Database, clock: Clock) -> None:
    """As found, with its score."""
    async with room(database, clock) as r:
        await r.run("!remember The vault code is 4417.")
        await r.say("Do you remember the vault code?")
        reply = await why(r)
    assert reply.listing is not None
    assert [True] == [" · found, score " in entry.head for entry in reply.listing.entries]


async def test_the_last_replies_are_suggested(database: Database, clock: Clock) -> None:
    """Those of this channel that hold what is typed, newest first; nothing of somebody who opted out since."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        bob = await r.app.enter(BOB, channel_name="general", mode="all")
        for text, by in (("Tea it is.", r.caller), ("Coffee it is.", r.caller), ("Milk it is.", bob)):
            server.steps.append(Said(text=text))
            await r.say("What shall we drink?", by=by)
        reading = TurnTrails(database)
        every = [each.text for each in await reading.replies(r.caller, "", limit=25)]
        some = [each.text for each in await reading.replies(r.caller, "TEA", limit=25)]
        await r.run("!memory off me", by=bob)
        left = [each.text for each in await reading.replies(r.caller, "", limit=25)]
    assert every == ["Milk it is.", "Coffee it is.", "Tea it is."]
    assert some == ["Tea it is."]
    assert left == ["Coffee it is.", "Tea it is."]


async def test_the_last_reply_of_a_channel_is_found_by_its_index(database: Database, clock: Clock) -> None:
    """A quiet channel's is not looked for among all of its space."""
    async with room(database, clock) as r:
        await r.say("Hello, what is blue?")
        async with database.transaction() as connection:
            await connection.execute(
                "INSERT INTO turn (space_id, turn_id, channel_id, session_id, asker_id, state, worker, lease_until, "
                "recorded_at, answered_at, reply_ids) SELECT 1, n, 77, 1, 1, 'answered', 'w', $1, $1, $1, ARRAY[n] "
                "FROM generate_series(1, 5000) AS n",
                clock(),
            )
            await connection.execute("ANALYZE turn")
        async with database.connection() as connection:
            statement: Any = f"EXPLAIN (FORMAT json) {Sql.last}"
            plan = await connection.fetchval(statement, r.caller.space_id, r.caller.channel_id, r.caller.visible)
    assert "turn_replied" in json.dumps(plan)


# ---- in two sentences


def brief(trail: Trail, sources: int = 0, *, shown_memories: tuple[MemoryId, ...] = (), **more: Any) -> str:
    return reasons.briefly(turned(trail, shown=shown_memories, **more), sources)


def test_it_begins_with_two_sentences_without_a_figure_of_the_machine() -> None:
    """Where it was looked and what was found, what was left out, and whose the words are."""
    walk = walked(("#1", 0.9), ("#2", 0.5), ("M1", 0.4))
    checked = brief(Trail(walk=walk, grounded=Grounded(outcome="checked", cited=("#1",))), 1)
    quoted = brief(Trail(walk=walk, grounded=Grounded(outcome="verbatim", cited=("#1", "#2", "M1"))), 3)
    nothing = brief(Trail(walk=walked(), grounded=Grounded(outcome="free")))
    held = (
        ("3 things", "left out 2", "into words", "checked"),
        ("3 things", "word for word"),
        ("nothing", "model's own"),
    )
    assert [[], [], []] == [
        [part for part in parts if part not in told]
        for parts, told in zip(held, (checked, quoted, nothing), strict=True)
    ]
    assert [2, 2, 2] == [told.count(". ") + 1 for told in (checked, quoted, nothing)]
    assert [] == [told for told in (checked, quoted, nothing) if re.search(r"L\d| ms|0\.\d|score|scripted", told)]


def test_what_could_not_be_reached_and_what_was_not_looked_for_is_said() -> None:
    """A layer that failed by what it looks in; an answer without a look by what it had before it."""
    failed = brief(Trail(walk=WALK), 1)
    assert [True, True] == [part in failed for part in ("notes and files", "old messages could not")]
    alone = brief(Trail(), model=None)
    before = brief(Trail(), model=None, shown_memories=(MemoryId(1), MemoryId(2)))
    assert [("looked nowhere" in told, "2 memories" in told) for told in (alone, before)] == [
        (True, False),
        (True, True),
    ]
    assert reasons.RECOVERED == brief(Trail(recovered=True))


def walked(*chosen: tuple[str, float]) -> tuple[Step, ...]:
    outcome = LayerOutcome.HIT if chosen else LayerOutcome.EMPTY
    return (Step(layer=Layer.PALACE, outcome=outcome, looked=9, chosen=chosen, milliseconds=3.0),)


async def test_only_what_the_answer_rests_on_follows(database: Database, clock: Clock) -> None:
    """What is cited, in its words and without scores; what was found and not used, or only shown, is told exactly."""
    async with ModelServer(Said(text="Fine.")) as server, room(database, clock, models=roles(server.base_url)) as r:
        for text in ("The vault code is 4417.", "We meet on Mondays.", "The vault is old."):
            await r.run(f"!remember {text}")
        await r.say("What is the vault code?")
        trail = Trail(walk=walked(("#1", 0.9), ("#3", 0.4)), grounded=Grounded(outcome="checked", cited=("#1",)))
        turn_id = await last_turn(database)
        await rewrite(database, turn_id, shown=[1, 2, 3], trail=trail.as_json())
        reply, exact = await briefly(r), await why(r)
    assert reply.listing is not None
    assert exact.listing is not None
    assert ["The vault code is 4417."] == [entry.body for entry in reply.listing.entries]
    assert [()] == [entry.marks for entry in reply.listing.entries]
    assert [False, True] == ["score" in each.text for each in (reply, exact)]
    assert [1, 3, 2] == [entry.memory_id for entry in exact.listing.entries]
    assert [True, True] == [part in reply.listing.lead for part in ("2 things", "left out 1")]
    assert [False, True] == ["L1 palace" in each.listing.lead for each in (reply, exact) if each.listing]
    assert (turn_id, None) == (reply.listing.explains, exact.listing.explains)
    assert reply.text.endswith(f"!why {turn_id} exactly tells how.")
