"""What people are told, and what is done, while the model is away or takes less than it is sent."""

import pytest

from bot.db.pool import Database
from bot.domain import TERMINAL_SPACE
from bot.turn.draft import CUT_MARK
from bot.turn.memory_walk import IN_ITS_WORDS
from bot.turn.offline import LOOKED_ON, SILENT_NOTHING, UNREACHABLE, UNREACHABLE_NOTHING
from tests import people
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import Cut, ModelServer, Reply, Status, Step

DOWN = Status(status=500)
AWAY = UNREACHABLE_NOTHING.format(p="!")


@pytest.mark.parametrize("asked", ["Write me a haiku about the harbour.", "Translate harbour to French.", "Hm, rain."])
async def test_what_asks_nothing_of_memory_gets_no_quotation(database: Database, clock: Clock, asked: str) -> None:
    """However near something lies: it is said that the model is away."""
    async with (
        ModelServer(always=DOWN) as server,
        room(database, clock, models=roles(server.base_url, timeout=0.2)) as r,
    ):
        await r.say("Write me a haiku about the harbour, please, as I like the harbour.")
        await r.run("!remember Ann painted the harbour wall.")
        answer = await r.say(asked)
    assert AWAY == answer.text


async def test_what_would_be_answered_without_a_model_still_is(database: Database, clock: Clock) -> None:
    """In the same quotation, and by the same rules."""
    async with (
        ModelServer(always=DOWN) as server,
        room(database, clock, models=roles(server.base_url, timeout=0.2)) as r,
    ):
        await r.run("!remember The vault code is 4417.")
        away = await r.say("What is the vault code?")
    async with room(database, clock) as r:
        without = await r.say("What is the vault code?")
    assert away.text.startswith(UNREACHABLE)
    assert without.text.splitlines()[:2] == away.text.splitlines()[1:3]


@pytest.mark.parametrize(("status", "why"), [(401, "refused the API key"), (404, "does not know the model scripted")])
async def test_the_cause_is_told_at_the_terminal_and_to_nobody_else(
    database: Database, clock: Clock, status: int, why: str
) -> None:
    """Members get one plain sentence."""
    async with (
        ModelServer(always=Status(status=status)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        terminal = people.caller("me", space=TERMINAL_SPACE, channel=0, person=1, admin=True)
        terminal = await r.app.enter(terminal, channel_name="terminal", mode="all")
        member = await r.app.enter(people.caller("Bob", space=5, channel=6, person=8), channel_name="x", mode="all")
        seen, told = await r.say("Tell me a joke.", terminal), await r.say("Tell me a joke.", member)
        status_line = await r.run("!status", terminal)
    assert (AWAY, AWAY) == (seen.text, told.text)
    assert ([True], []) == ([why in note for note in seen.notes], told.notes)
    assert why in status_line


async def test_failures_are_never_shown_to_a_model(database: Database, clock: Clock) -> None:
    """Neither that it was away, nor that it broke off, nor that an answer of its own did not hold."""
    steps: list[Step] = [
        Status(status=400),
        Cut(text="Half an answer. And", pieces=2),
        Reply(text="The vault code is 9999 (#1)."),
        Reply(text="Fine."),
    ]
    async with ModelServer(*steps) as server, room(database, clock, models=roles(server.base_url, timeout=0.3)) as r:
        await r.run("!remember The vault code is 4417.")
        failed = [await r.say(text) for text in ("Tell me a joke.", "Tell me another.", "What was the vault code?")]
        await r.say("And how are you?")
    assert [True, True, True] == [
        mark in said.text for mark, said in zip((AWAY, CUT_MARK.strip(), IN_ITS_WORDS), failed, strict=True)
    ]
    shown = "\n".join(str(message["content"]) for message in server.requests[-1]["messages"])
    assert "Half an answer." in shown
    assert "Tell me a joke." in shown
    assert not any(text in shown for text in (AWAY, CUT_MARK.strip(), IN_ITS_WORDS, UNREACHABLE))


async def test_a_prompt_that_is_too_long_is_sent_once_more_and_shorter(database: Database, clock: Clock) -> None:
    """And what is learned holds for the messages after it: a long one fails none of them."""
    seen: list[int] = []

    def small(request: dict[str, object]) -> Step:
        length = len(str(request["messages"]))
        seen.append(length)
        body = {"error": {"message": "the request exceeds the available context size", "n_ctx": 2048}}
        return Status(status=400, body=body) if length > 8_000 else Reply(text="I see.")

    async with ModelServer(always=small) as server, room(database, clock, models=roles(server.base_url)) as r:
        answers = [await r.say(text) for text in ("I wonder. " + "word " * 2_000, "And now?", "And then?")]
    assert ["I see."] * 3 == [answer.text for answer in answers]
    assert [True, False, False, False] == [length > 8_000 for length in seen]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (Reply(text=""), SILENT_NOTHING),
        (Reply(calls=(("memory_recall", {"topic": "jokes"}),)), LOOKED_ON),
        (Status(status=400), AWAY),
    ],
    ids=["empty", "tools for ever", "refused"],
)
async def test_a_model_that_answers_nothing_is_not_said_to_be_away(
    database: Database, clock: Clock, said: Step, told: str
) -> None:
    """The true cause in one sentence; and whoever asked may have it tried again."""
    async with ModelServer(always=said) as server, room(database, clock, models=roles(server.base_url)) as r:
        answer = await r.say("Tell me a joke.")
        turn_id = await r.app.replacements.last(r.caller)
        found = await r.app.replacements.look(r.caller, turn_id)
    assert (told, "Tell me a joke.") == (answer.text, found.message.content)


async def test_memory_answers_in_place_of_a_model_that_says_nothing(database: Database, clock: Clock) -> None:
    """As where it is away, and by its own reason."""
    async with ModelServer(always=Reply(text="")) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.run("!remember The vault code is 4417.")
        answer = await r.say("What is the vault code?")
    assert ("4417" in answer.text, "be reached" in answer.text) == (True, False)
