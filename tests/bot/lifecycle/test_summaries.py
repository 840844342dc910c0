"""The laws of what a model's summary may become."""

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.config import ChunkSettings, MemorySettings, Roles
from bot.db.pool import Database
from bot.domain import MessageId
from bot.lifecycle.distilling import MOST_FAILURES
from bot.lifecycle.model_facts import parse
from bot.lifecycle.transcript_pieces import split
from bot.llm.tokens import estimate
from bot.prompting.compose import transcript
from tests import people
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import Hang, ModelServer, Reply, Status, Step
from tests.rows import rows

SETTLED = settings(derandomize=True, max_examples=200)
NUMBERED = re.compile(r"^\[(\d+)\] ", re.MULTILINE)


def fact(content: str, **fields: Any) -> dict[str, Any]:
    return {"room": "general", "topic": "vault", "content": content, "importance": 5, "evidence": [1]} | fields


def answer(*facts: Any, summary: Any = "They talked.", **fields: Any) -> Reply:
    return Reply(text=json.dumps({"summary": summary, "facts": [*facts]}), **fields)


def transcripts(server: ModelServer) -> list[str]:
    """What the summarizer was asked, each time."""
    return [r["messages"][1]["content"] for r in server.requests if "response_format" in r]


def _said(evidence: list[int]) -> str:
    """A fact of its own that these lines hold."""
    held = {"[1, 2]": "The vault has a code.", "[3, 4]": "Bob likes tea.", "[3, 3]": "They like tea."}
    return held.get(str(evidence), "The vault code is 4417.")


class Case:
    """What became of one session of two people and Hathi, summarised by scripted answers."""

    def __init__(self, told: str, requests: list[dict[str, Any]]) -> None:
        self.told = told
        self.requests = requests

    @property
    def saved(self) -> int | None:
        found = re.search(r"→ (\d+) (?:memory|memories) saved", self.told)
        return int(found[1]) if found else None


Summarised = Callable[..., Any]
WHOLE = MemorySettings(chunks=ChunkSettings(messages=500, tokens=50_000))
"""With which a session is one chunk."""
SMALL = MemorySettings(chunks=ChunkSettings(messages=4, skip=0))


@pytest.fixture
def summarised(database: Database, clock: Clock) -> Summarised:
    """A reset of the lines [1] Ann, [2] Hathi, [3] Bob, [4] Hathi, answered by these steps of the summarizer."""

    async def run(*steps: Step, first: str = "The vault code is 4417.", **fields: Any) -> Case:
        async with (
            ModelServer(Reply(text="Zebras, fine."), Reply(text="Fine.")) as server,
            room(database, clock, models=roles(server.base_url, **fields)) as r,
        ):
            bob = await r.app.enter(people.caller("Bob", person=8), channel_name="general", mode="all")
            await r.say(first)
            await r.say("I like tea.", by=bob)
            server.steps += steps
            server.always = Status(status=401)
            told = await r.reset()
            return Case(told, server.requests[2:])

    return run


# --- what is accepted -----------------------------------------------------------------------------------------------


async def test_a_fact_rests_on_what_people_said_and_says_who(summarised: Summarised, database: Database) -> None:
    """Its evidence becomes message ids, its author who said them, its time the latest of them."""
    await summarised(
        answer(
            fact("Code 4417 opens the vault."),
            fact("Bob likes tea.", evidence=[3], topic="", room=""),
            fact("The code is 4417, and they like tea.", evidence=["[1]", "#3", "2"]),
        )
    )
    assert await rows(
        database,
        """SELECT m.content, m.topic, m.room, m.author, m.author_id, m.source, m.tier,
                  array(SELECT s.content FROM message s WHERE s.message_id = ANY (m.evidence) ORDER BY message_id),
                  m.said_at = (SELECT max(said_at) FROM message s WHERE s.message_id = ANY (m.evidence))
           FROM memory m ORDER BY memory_id""",
    ) == [
        (
            "Code 4417 opens the vault.",
            "vault",
            "general",
            "Ann",
            7,
            "summary",
            "short",
            ["The vault code is 4417."],
            True,
        ),
        ("Bob likes tea.", "tea", "general", "Bob", 8, "summary", "short", ["I like tea."], True),
        (
            "The code is 4417, and they like tea.",
            "vault",
            "general",
            "Ann and Bob",
            None,
            "summary",
            "short",
            ["The vault code is 4417.", "Zebras, fine.", "I like tea."],
            True,
        ),
    ]


async def test_the_session_is_data_in_the_request(summarised: Summarised) -> None:
    """Numbered lines of everybody stand in the user's part, the operator's text holds none of them."""
    case = await summarised(answer())
    (request,) = case.requests
    system, user = request["messages"]
    assert (system["role"], user["role"], "vault code" in system["content"]) == ("system", "user", False)
    assert user["content"].splitlines() == [
        "[1] Ann (2026-03-02 12:00): The vault code is 4417.",
        "[2] Hathi (2026-03-02 12:00): Zebras, fine.",
        "[3] Bob (2026-03-02 12:00): I like tea.",
        "[4] Hathi (2026-03-02 12:00): Fine.",
    ]


@pytest.mark.parametrize("text", ["```json\n{}\n```", "Here you are:\n```\n{}\n```\nAnything else?", "\ufeff {} "])
async def test_json_in_a_fence_or_between_words_is_read(summarised: Summarised, text: str) -> None:
    """One request is enough."""
    good = json.dumps({"summary": "s", "facts": [fact("The code is 4417.")]}, indent=1)
    case = await summarised(Reply(text=text.replace("{}", good)))
    assert (case.saved, len(case.requests)) == (1, 1)


async def test_fields_nobody_asked_for_are_left_out(summarised: Summarised, database: Database) -> None:
    """A fact can't pin itself, choose its source, its author or another channel."""
    await summarised(answer(fact("The code is 4417.", source="directive", pinned=True, channel_id=99, author="Root")))
    assert await rows(database, "SELECT source, pinned, channel_id, author FROM memory") == [
        ("summary", False, 10, "Ann")
    ]


# --- what is repaired once, and then not ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    ["I could not find anything.", "{", "[1, 2]", '{"facts": "none"}', '{"summary": null, "facts": []}', "[" * 100_000],
    ids=["prose", "torn", "array", "facts", "null", "deep"],
)
async def test_what_is_not_the_json_asked_for_is_repaired_once(summarised: Summarised, bad: str) -> None:
    """The model is told what was wrong, with its own answer before it; the second answer counts."""
    case = await summarised(Reply(text=bad), answer(fact("The code is 4417.")))
    assert (case.saved, len(case.requests)) == (1, 2)
    assert [m["role"] for m in case.requests[1]["messages"]] == ["system", "user", "assistant", "user"]
    assert "it is not the JSON object" in case.requests[1]["messages"][-1]["content"]


async def test_twice_unusable_is_not_summarized_yet(summarised: Summarised, database: Database) -> None:
    """Two requests, nothing saved, the session waits."""
    case = await summarised(Reply(text="no"), Reply(text="no"))
    assert "[memory] Not summarized yet: 4 messages " in case.told
    assert len(case.requests) == 2
    assert await rows(database, "SELECT state FROM session WHERE number = 1") == [("closed",)]


WRONG = [
    fact("Wrong.", importance="high"),
    fact("Wrong.", importance=0),
    fact("Wrong.", importance=11),
    fact("Wrong.", importance=5.5),
    fact(""),
    fact("x" * 4001),
    fact("Wrong.", evidence=[]),
    fact("Wrong.", evidence="1"),
    fact("Wrong.", evidence=["line one"]),
    fact("Wrong.", room=7),
    "Wrong.",
    None,
]


FIELDS = [*zip(WRONG[4:], ["content", "content", *["evidence"] * 3, "room", "", ""], strict=True)]


async def test_a_malformed_fact_is_repaired_once_and_then_dropped_alone(
    summarised: Summarised, database: Database
) -> None:
    """The repair names the first wrong field; wrong again, only the wrong facts are lost."""
    good = fact("The code is 4417.")
    case = await summarised(answer(good, *WRONG), answer(good, *WRONG, fact("Bob likes tea.", evidence=[3])))
    assert (case.saved, len(case.requests)) == (2, 2)
    assert "That can't be used: facts[1].importance: " in case.requests[1]["messages"][-1]["content"]
    assert await rows(database, "SELECT content FROM memory ORDER BY memory_id") == [
        ("The code is 4417.",),
        ("Bob likes tea.",),
    ]


@pytest.mark.parametrize(("wrong", "field"), FIELDS)
def test_what_is_wrong_with_a_fact_is_told_by_its_place(wrong: Any, field: str) -> None:
    """Which fact, which field, what it should be; never what it held."""
    _, said = parse(json.dumps({"summary": "", "facts": [fact("Good."), wrong]}))
    assert said.startswith(f"facts[1].{field}")
    assert "xxxx" not in said


async def test_a_repaired_fact_is_saved(summarised: Summarised, database: Database) -> None:
    """Importance "high" becomes the number the model gives when asked."""
    await summarised(answer(fact("The code is 4417.", importance="high")), answer(fact("The code is 4417.")))
    assert await rows(database, "SELECT importance FROM memory") == [(5,)]


# --- what is dropped ------------------------------------------------------------------------------------------------


async def test_a_fact_that_no_person_of_this_session_said_is_dropped(
    summarised: Summarised, database: Database
) -> None:
    """Unknown lines and lines of Hathi's alone prove nothing; one unknown line spoils the fact."""
    proven = [[1], [1, 2], [3, 4], [3, 3]]
    unproven = [[2], [2, 4], [5], [0], [-1], [1, 99], [10**30]]
    facts = [fact(_said(evidence), evidence=evidence) for evidence in [*proven, *unproven]]
    case = await summarised(answer(*facts))
    assert (case.saved, len(case.requests)) == (4, 1)
    assert await rows(database, "SELECT content FROM memory ORDER BY memory_id") == [
        (_said(evidence),) for evidence in proven
    ]


@pytest.mark.parametrize(
    ("content", "evidence"),
    [
        ("Ann resigned, her account is DE99.", [1]),
        ("Bob approves every payment to DE99.", [3]),
        ("The vault code is 4418.", [1]),
        ("Clara likes tea.", [3]),
        ("Bob likes tea.", [1]),
        ("The vault code is 4417 since 5 May 2025.", [1]),
    ],
)
async def test_a_fact_that_its_lines_do_not_say_is_dropped(
    summarised: Summarised, database: Database, content: str, evidence: list[int]
) -> None:
    """A name, a number, a day or most words are in no line it cites: nobody is told to have said it."""
    case = await summarised(answer(fact(content, evidence=evidence)))
    assert (case.saved, await rows(database, "SELECT content FROM memory")) == (0, [])


@pytest.mark.parametrize("asked", ["is Ben banned", "who has the vault code", "Does Ben drink?"])
async def test_a_fact_of_what_was_only_asked_is_dropped(summarised: Summarised, database: Database, asked: str) -> None:
    """Whoever asks whether Ben is banned does not say that he is."""
    case = await summarised(answer(fact(f"Ann said that {asked.rstrip('?')}.", evidence=[1])), first=asked)
    assert (case.saved, await rows(database, "SELECT content FROM memory")) == (0, [])


@pytest.mark.parametrize(
    ("content", "evidence", "author"),
    [
        ("The vault code is 4417.", [1, 3], (7, "Ann")),
        ("Bob likes tea.", [1, 3], (8, "Bob")),
        ("The code is 4417, and they like tea.", [1, 3], (None, "Ann and Bob")),
        ("Zebras are fine.", [1, 2], (None, "Hathi")),
    ],
)
async def test_a_fact_is_in_the_name_of_whoever_said_it(
    summarised: Summarised, database: Database, content: str, evidence: list[int], author: tuple[int | None, str]
) -> None:
    """Of the lines it cites, that of the one whose words it holds; not of whoever only spoke beside them."""
    await summarised(answer(fact(content, evidence=evidence)))
    assert await rows(database, "SELECT author_id, author FROM memory") == [author]


@pytest.mark.parametrize(
    ("room", "evidence", "filed"),
    [("procedures", [1], "general"), ("preferences", [1], "preferences"), ("preferences", [1, 3], "general")],
)
async def test_no_summary_fills_the_room_of_documented_ways(
    summarised: Summarised, database: Database, room: str, evidence: list[int], filed: str
) -> None:
    """And the room that never ages only by somebody's own line."""
    await summarised(answer(fact("The vault code is 4417.", evidence=evidence, room=room)))
    assert await rows(database, "SELECT room FROM memory") == [(filed,)]


async def test_evidence_of_another_session_is_unknown_here(database: Database, clock: Clock) -> None:
    """A message's id proves a fact only in its own session."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say("The vault code is 4417.")
        ((mine,),) = await rows(database, "SELECT message_id FROM message WHERE role = 'person'")
        server.steps += [answer(fact("The code is 4417.", evidence=[mine]))]
        first = await r.reset()
        r.later.clear()
        await r.say("Something else.")
        server.steps += [answer(fact("The vault code is 4417.", evidence=[mine]))]
        second = await r.reset()
    assert ("→ 1 memory" in first, "→ 0 memories" in second) == (True, True)


@pytest.mark.parametrize(
    ("first", "importance"),
    [
        ("The vault code is 4417.", 7),
        ("You should probably keep the vault code 4417 in mind, it is critical!", 7),
        ("Do you remember the vault code 4417?", 7),
    ],
)
async def test_a_model_rates_at_most_seven(
    summarised: Summarised, database: Database, first: str, importance: int
) -> None:
    """However sure it is, and whatever the message says short of asking to remember."""
    await summarised(answer(fact("The code is 4417.", importance=10)), first=first)
    assert await rows(database, "SELECT importance, importance_set FROM memory") == [(importance, importance)]


async def test_what_a_person_asked_to_remember_may_be_rated_ten(database: Database, clock: Clock) -> None:
    """The cap is lifted for that very thing, not for its neighbour's, though it cites both."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say("Remember that the vault code is 4417.")
        await r.say("Bob likes tea.")
        server.steps += [
            answer(
                fact("Ann's vault opens with 4417.", importance=10, evidence=[1]),
                fact("Bob likes tea.", importance=10, evidence=[1, 3]),
            )
        ]
        await r.reset()
    assert await rows(database, "SELECT importance FROM memory ORDER BY memory_id") == [(8,), (10,), (7,)]


async def test_of_one_line_the_three_weightiest_facts_are_kept(summarised: Summarised, database: Database) -> None:
    """However much is made of it."""
    words = ("vault", "code", "vault code", "code vault", "4417", "vault 4417", "code 4417")
    facts = [fact(text, importance=1 + n) for n, text in enumerate(words)]
    case = await summarised(answer(*facts), max_tokens=4096)
    assert case.saved == 3
    assert await rows(database, "SELECT min(importance), count(*) FROM memory") == [(5, 3)]


@pytest.mark.parametrize(
    ("bad", "kept"),
    [
        (fact("Nul\0byte."), 1),
        (fact("Nul in topic.", topic="va\0ult"), 1),
        (fact("Nul in room.", room="\0a"), 1),
        (fact("\u200b\u2060"), 1),
        (fact("Long topic.", topic="x" * 5000), None),
        (fact('{"tool_calls": []}'), 1),
        (fact("Half \ud83d of a pair.", topic="\ud83d"), None),
    ],
)
async def test_no_text_a_model_sends_can_break_the_saving(
    summarised: Summarised, bad: dict[str, Any], kept: int | None
) -> None:
    """Bytes the table refuses cost that fact at most; the others and the summary are saved at the first try."""
    case = await summarised(answer(fact("The code is 4417."), bad, summary="A \0 and half \ud83d of a pair."))
    assert case.saved == kept or (kept is None and case.saved in {1, 2})


async def test_raw_output_with_bytes_the_table_refuses_is_kept_without_them(
    summarised: Summarised, database: Database
) -> None:
    """A NUL between the words of an answer does not make the session wait for ever."""
    good = json.dumps({"summary": "s", "facts": [fact("The code is 4417.")]})
    case = await summarised(Reply(text=f"\0 {good}"))
    assert case.saved == 1
    assert await rows(database, "SELECT raw LIKE '%4417%' FROM chat_summary") == [(True,)]


async def test_text_that_turns_the_line_is_not_kept(summarised: Summarised, database: Database) -> None:
    """Neither in a fact nor in the summary that is shown again."""
    await summarised(answer(fact("The vault \u202ecode"), summary="See \x1b[31m\u202ered"))
    assert await rows(database, "SELECT content FROM memory UNION ALL SELECT text FROM chat_summary") == [
        ("The vault code",),
        ("See [31mred",),
    ]


# --- long sessions --------------------------------------------------------------------------------------------------


async def test_what_is_left_of_a_session_is_made_chunk_by_chunk(database: Database, clock: Clock) -> None:
    """One that no model can be had for waits with those after it, and is made by rule alone; all of it counts."""
    async with (
        ModelServer(always=Reply(text="Ok.")) as server,
        room(database, clock, models=roles(server.base_url), memory=SMALL) as r,
    ):
        for n in range(6):
            await r.say(f"We decided that locker {n} is number {n + 4417}.")

        def script(body: dict[str, Any]) -> Step:
            lines = dict(line.split(": ", 1) for line in body["messages"][1]["content"].splitlines())
            told = {int(NUMBERED.findall(head)[0]): text for head, text in lines.items() if "Ann" in head}
            if "4419" in str(told):
                return Status(status=400)
            return answer(*(fact(text, evidence=[line]) for line, text in told.items()), summary=f"{[*told.values()]}")

        server.always = script
        assert "[memory] Not summarized yet: 12 messages " in await r.reset()
        made = "SELECT model, messages FROM chunk ORDER BY chunk_id"
        ids = [v for (v,) in await rows(database, "SELECT message_id FROM message ORDER BY 1")]
        assert [("scripted", ids[:4])] == await rows(database, made)
        for _ in range(MOST_FAILURES):
            clock.forward(minutes=11)
            await r.app.schedule.upkeep()
    assert [("scripted", ids[:4]), ("extraction", ids[4:8]), ("scripted", ids[8:])] == await rows(database, made)
    ((text,),) = await rows(database, "SELECT text FROM chat_summary")
    assert [str(n + 4417) in text for n in range(6)] == [True] * 6
    (done,) = r.summaries
    assert (done.message_count, len(done.saved), done.by_rule, done.entries) == (12, 6, 1, 3)
    assert not any(one.is_earlier for one in done.saved)


async def test_what_is_forgotten_while_a_session_waits_is_not_told_as_saved(database: Database, clock: Clock) -> None:
    """Though the reset had saved it."""
    is_away = True

    def script(body: dict[str, Any]) -> Step:
        lines = dict(line.split(": ", 1) for line in body["messages"][1]["content"].splitlines())
        told = {int(NUMBERED.findall(head)[0]): text for head, text in lines.items() if "Ann" in head}
        if is_away and "brass" in str(told):
            return Status(status=400)
        return answer(*(fact(text, evidence=[line]) for line, text in told.items()))

    async with (
        ModelServer(always=Reply(text="Ok.")) as server,
        room(database, clock, models=roles(server.base_url), memory=SMALL) as r,
    ):
        for text in ("The vault code is 4417.", "Bob has 12 keys.", "The lock is of brass."):
            await r.say(text)
        server.always = script
        await r.reset()
        ((number, _), *_) = await rows(database, "SELECT memory_id, content FROM memory ORDER BY content DESC")
        await r.run(f"!forget {number}")
        is_away = False
        clock.forward(minutes=1)
        await r.app.schedule.upkeep()
    (done,) = r.summaries
    assert ["Bob has 12 keys.", "The lock is of brass."] == [one.memory.content for one in done.saved]


async def test_undoing_takes_back_what_is_made_of_a_session_that_waits(database: Database, clock: Clock) -> None:
    """The chunks that its model could be had for are memory by then; those that follow never are."""
    async with (
        ModelServer(
            *[Reply(text="Ok.")] * 3, answer(fact("The vault code is 4417.")), always=Status(status=400)
        ) as server,
        room(database, clock, models=roles(server.base_url), memory=SMALL) as r,
    ):
        for n in range(3):
            await r.say(f"The vault code is {4417 + n}.")
        await r.reset()
        assert 1 == len(await rows(database, "SELECT 1 FROM memory WHERE forgotten_at IS NULL"))
        assert "nothing of it is kept" in await r.run("!undo")
        clock.forward(hours=1)
        await r.app.schedule.upkeep()
    assert [] == await rows(database, "SELECT 1 FROM memory WHERE forgotten_at IS NULL")


async def test_a_long_chunk_is_distilled_in_pieces(database: Database, clock: Clock) -> None:
    """Every message is in exactly one request, none is longer than its model's context, texts and facts are joined."""
    async with (
        ModelServer() as server,
        room(database, clock, models=roles(server.base_url, max_context=2048, max_tokens=512), memory=WHOLE) as r,
    ):
        for n in range(30):
            await r.say(f"Marker{n} " + "word " * 100)

        def script(body: dict[str, Any]) -> Reply:
            number = NUMBERED.search(body["messages"][1]["content"])
            assert number is not None
            line = int(number[1])
            return answer(fact(f"Marker{line // 2}.", evidence=[line]), summary=f"Part from {line}.")

        server.always = script
        told = await r.reset()
    pieces = transcripts(server)
    assert len(pieces) > 2
    assert [text.count(f"Marker{n} ") for n in range(30) for text in ["\n".join(pieces)]] == [1] * 30
    assert NUMBERED.findall("\n".join(pieces)) == [str(n) for n in range(1, 61)]
    assert max(map(estimate, pieces)) < 2048 - 512
    assert f"[memory] Summarized 60 messages → {len(pieces)} memories saved." in told
    ((text, raw),) = await rows(database, "SELECT text, raw FROM chat_summary")
    assert (text.count("Part from"), raw.count('"summary"')) == (len(pieces), len(pieces))


async def test_an_answer_that_does_not_fit_is_asked_for_in_halves(database: Database, clock: Clock) -> None:
    """finish_reason length splits the piece; the halves' facts are kept, the torn answer's are not."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        for n in range(6):
            await r.say(f"Marker{n} " + "word " * 200)

        def script(body: dict[str, Any]) -> Reply:
            lines = NUMBERED.findall(body["messages"][1]["content"])
            facts = [fact(f"Marker{int(line) // 2}.", evidence=[int(line)]) for line in lines if int(line) % 2]
            return answer(*facts, reason="length" if len(lines) > 4 else "stop")

        server.always = script
        told = await r.reset()
    assert "Summarized 12 messages → 6 memories saved." in told
    lengths = [len(NUMBERED.findall(text)) for text in transcripts(server)]
    assert (lengths[0], max(lengths[-2:]) <= 4) == (12, True)
    assert len(await rows(database, "SELECT 1 FROM chat_summary")) == 1


async def test_a_session_longer_than_its_model_takes_is_summarised_in_what_it_takes(
    database: Database, clock: Clock
) -> None:
    """Once refused, it is sent in pieces of what the server names, though its settings promise more."""
    named = Status(status=400, body={"error": "This model's maximum context length is 3000 tokens."})
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        for n in range(12):
            await r.say(f"Marker{n} " + "word " * 200)

        def script(body: dict[str, Any]) -> Step:
            text = body["messages"][1]["content"]
            facts = [fact(f"Marker{int(n) // 2}.", evidence=[int(n)]) for n in NUMBERED.findall(text) if int(n) % 2]
            return named if estimate(text) > 2000 else answer(*facts)

        server.always = script
        told = await r.reset()
    assert "Summarized 24 messages → 12 memories saved." in told
    first, *rest = [len(NUMBERED.findall(text)) for text in transcripts(server)]
    assert (24, 24) == (first, sum(rest))


async def test_more_facts_than_a_piece_may_hold_are_asked_for_in_halves(database: Database, clock: Clock) -> None:
    """However many there are to be told of a session, each is kept, and once."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url), memory=WHOLE) as r:
        for n in range(60):
            await r.say(f"The code of locker {n} is {n + 4417}.")

        def script(body: dict[str, Any]) -> Reply:
            lines = [int(line) for line in NUMBERED.findall(body["messages"][1]["content"])]
            return answer(
                *(fact(f"Locker {line // 2}: code {line // 2 + 4417}.", evidence=[line]) for line in lines if line % 2)
            )

        server.always = script
        told = await r.reset()
    assert "Summarized 120 messages → 60 memories saved." in told
    first, *rest = [len(NUMBERED.findall(text)) for text in transcripts(server)]
    assert (120, 120) == (first, sum(rest))


async def test_one_huge_message_is_cut_into_parts(database: Database, clock: Clock) -> None:
    """Longer than the whole context, it still is read to its end."""
    words = [f"word{n}" for n in range(900)]
    async with (
        ModelServer() as server,
        room(database, clock, models=roles(server.base_url, max_context=2048, max_tokens=512)) as r,
    ):
        server.always = Reply(text="Ok.")
        await r.say(" ".join(words))
        server.always = answer(fact("word897 word898 word899", evidence=[1]))
        told = await r.reset()
    pieces = transcripts(server)
    assert len(pieces) > 2
    assert max(map(estimate, pieces)) < 2048 - 512
    joined = "".join(
        re.sub(r"(?:^|\n)\[1\] Ann \([^)]*\): ", "", text.split("\n[2]")[0]) for text in pieces if "[1]" in text
    )
    assert joined.split() == words
    assert "→ 1 memory saved." in told


@given(
    texts=st.lists(st.text(alphabet="ab .\n😀é", min_size=1, max_size=400), min_size=1, max_size=12),
    room_=st.integers(200, 600),
)
@SETTLED
def test_pieces_hold_every_line_once_in_order_and_fit(texts: list[str], room_: int) -> None:
    """Joined again they are the session; no piece is empty or longer than its room."""
    at = Clock().now
    numbered = [
        (n, replace(m, message_id=MessageId(n)))
        for n, m in enumerate((people.said(people.caller(), text, at) for text in texts), 1)
    ]
    pieces = split(numbered, room_)
    assert all(pieces)
    assert all(estimate(transcript(piece)) <= room_ for piece in pieces)
    joined: dict[int, str] = {}
    for piece in pieces:
        for number, message in piece:
            joined[number] = joined.get(number, "") + message.content
    assert [*joined.items()] == [(n, message.content) for n, message in numbered]


# --- which model ----------------------------------------------------------------------------------------------------


async def test_the_fallback_that_answered_is_named(database: Database, clock: Clock) -> None:
    """`chat_summary.model` is the model that wrote it."""
    async with ModelServer(always=Status(status=401)) as down, ModelServer() as up:
        here, there = ({"base_url": s.base_url, "timeout": 5} for s in (up, down))
        summarizer = there | {"model": "first", "fallbacks": [here | {"model": "second"}]}
        models = Roles.model_validate({"reasoning": here | {"model": "chat"}, "summarizer": summarizer})
        async with room(database, clock, models=models) as r:
            await r.say("The code is 4417.")
            up.steps += [answer(fact("The code is 4417."))]
            await r.reset()
            listed = await r.run("!sessions")
    assert await rows(database, "SELECT model FROM chat_summary") == [("second",)]
    assert listed.splitlines()[0].endswith(" · 1 memory · second")
    assert (len(down.requests), up.requests[-1]["model"]) == (1, "second")


async def test_a_model_for_chat_alone_leaves_summaries_to_extraction(database: Database, clock: Clock) -> None:
    """The summarizer is a role of its own; without one nobody else is asked."""
    async with ModelServer() as server:
        reasoning = roles(server.base_url).reasoning
        async with room(database, clock, models=Roles(reasoning=reasoning)) as r:
            await r.say("We decided to use Rust.")
            await r.reset()
    assert (await rows(database, "SELECT model FROM chat_summary"), len(server.requests)) == ([("extraction",)], 1)


async def test_a_summarizer_that_stalls_is_given_up_at_its_deadline(database: Database, clock: Clock) -> None:
    """The person is told within the role's timeout."""
    async with (
        ModelServer(Reply(text="Ok."), always=Hang()) as server,
        room(database, clock, models=roles(server.base_url, timeout=0.2)) as r,
    ):
        await r.say("The code is 4417.")
        async with asyncio.timeout(5):
            told = await r.reset()
    assert "[memory] Not summarized yet: 2 messages " in told


# --- what was said elsewhere ----------------------------------------------------------------------------------------


async def test_what_a_model_tells_of_another_channel_is_not_summarised(database: Database, clock: Clock) -> None:
    """Nor what repeats it; what the channel's own people and memories say is, and what has no word of another's."""
    replies = {
        "first": "The vault opens with Quillwort, I hear.",
        "second": "As I said: Quillwort.",
        "third": "A fine kettle, that Whistlewood.",
        "fourth": "The orchard has Bramleys, as Ann says.",
        "fifth": "Tea, then.",
    }
    ann = people.caller("Ann", sees=(10, 20))
    async with (
        ModelServer(*(Reply(text=text) for text in replies.values())) as server,
        room(database, clock, models=roles(server.base_url), who=ann) as r,
    ):
        there = await r.app.enter(people.caller("Ann", channel=20, sees=(10, 20)), channel_name="news", mode="all")
        await r.run("!remember The vault opens with Quillwort in the orchard of Bramleys. importance:9", there)
        await r.run("!remember The kettle is a Whistlewood. importance:9")
        for line in ("Hello!", "Well?", "So it is.", "My orchard is full of Bramleys.", "I'd like tea."):
            await r.say(line)
        server.always = answer()
        await r.reset()
    (told,) = transcripts(server)
    assert ["third", "fourth", "fifth"] == [name for name, text in replies.items() if text in told]


# --- what is forgotten while it is made -----------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["forgotten", "opted out"])
@pytest.mark.parametrize(
    "first", ["That is no object at all.", json.dumps({"summary": "The vault code is 4417.", "facts": []})]
)
async def test_what_is_forgotten_meanwhile_is_neither_sent_again_nor_told(
    database: Database, clock: Clock, first: str, how: str
) -> None:
    """Whether the model is to be asked again, or had answered: the summary is begun anew from what is left."""
    held = asyncio.Event()
    async with (
        ModelServer(Reply(text="Fine."), Reply(text="Fine.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        bob = await r.app.enter(people.caller("Bob", person=8), channel_name="general", mode="all")
        await r.say("The vault code is 4417.", bob)
        await r.say("I like tea.")
        server.steps += [Reply(text=first, gate=held)]
        server.always = answer(summary="Ann likes tea.")
        asked = asyncio.Event()
        server.on_request = asked.set
        await r.run("!reset")
        await asked.wait()
        if how == "opted out":
            await r.app.people.opt_out(bob.person_id, clock())
        else:
            (said,) = await rows(database, "SELECT message_id FROM message WHERE content LIKE '%4417%'")
            await r.app.archivist.forget_all(bob, [], [MessageId(said[0])], now=clock())
        held.set()
        await r.app.background.settled(20)
        assert [] == await rows(database, "SELECT text FROM chat_summary")
        # It is no failure of the model's.
        assert [(0,)] == await rows(database, "SELECT attempts FROM session WHERE state = 'closed'")
        clock.forward(seconds=61)
        await r.app.schedule.upkeep()
    assert [True, False] == ["4417" in sent for sent in transcripts(server)]
    assert [("Ann likes tea.",)] == await rows(database, "SELECT text FROM chat_summary")
