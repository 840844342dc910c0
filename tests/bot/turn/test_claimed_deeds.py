"""What a person reads where a model says that it did something, or will."""

import pytest

from bot.cli import terminal
from bot.db.pool import Database
from tests import people
from tests.conftest import Clock
from tests.conversations import RecordedReply, roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import rows

SAVE = Reply(calls=(("memory_save", {"content": "Ann likes tea.", "topic": "tea"}),))


async def test_a_deed_without_the_act_is_not_said(database: Database, clock: Clock) -> None:
    """The rest of the answer stands; under it is told what was not done. So it is recorded, and shown to models."""
    said = "Tea is a fine choice. I've saved that you like it. I'll remind you at five."
    async with (
        ModelServer(Reply(text=said, pieces=5), Reply(text="Yes.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        answer = await r.say("I like tea with milk.")
        await r.say("Milk first.")
    assert "Tea is a fine choice." == answer.text.strip()
    assert ["Nothing was saved" in answer.notes[0], "can't remind" in answer.notes[1]] == [True, True]
    own = [message["content"] for message in server.requests[1]["messages"] if message["role"] == "assistant"]
    assert ["Tea is a fine choice."] == own


async def test_a_deed_with_the_act_is_said(database: Database, clock: Clock) -> None:
    """Also where the model announces it before it calls the tool."""
    async with (
        ModelServer(
            Reply(text="I'll save that.", calls=SAVE.calls), Reply(text="Saved! Anything else?", pieces=3)
        ) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        answer = await r.say("I like tea.")
    assert ("I'll save that.\n\nSaved! Anything else?", 1) == (answer.text, len(answer.notes))
    assert 1 == len(await rows(database, "SELECT 1 FROM memory"))


class Watched(RecordedReply):
    """A reply of which every state that was shown is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.states: list[str] = []

    async def show(self, text: str, keep: object) -> None:
        self.states.append(text)


@pytest.mark.parametrize("said", ["Sure. Saved! It is 56. That is all.", "Sure. I'll ping you. It is 56."])
async def test_no_state_of_a_streamed_answer_claims_it(database: Database, clock: Clock, said: str) -> None:
    """It is shown by whole sentences, none before it was checked."""
    seen = Watched()
    async with (
        ModelServer(Reply(text=said, pieces=len(said))) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.app.conversation.answer(r.turn("Please note seven times eight."), seen.delivery)
    assert seen.states
    assert not any(word in state for state in [*seen.states, seen.text] for word in ("Saved", "ping"))
    assert "It is 56." in seen.text


async def test_an_answer_that_only_claims_is_replaced(database: Database, clock: Clock) -> None:
    """By what was not done and how it is."""
    async with (
        ModelServer(always=Reply(text="Done, saved!")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        answer = await r.say("Please log my mileage.")
    told = "Nothing was saved; \u201cremember that \u2026\u201d with what I should keep does that."
    assert (told, []) == (answer.text, answer.notes)


async def test_what_was_told_is_offered_where_it_only_was_said_to_be_saved(database: Database, clock: Clock) -> None:
    """In the words that were told; a yes keeps it."""
    async with (
        ModelServer(always=Reply(text="Done, saved!")) as server,
        room(database, clock, models=roles(server.base_url), who=terminal.caller("ann")) as r,
    ):
        answer = await r.say("My bike is in the cellar of number 12.")
        assert ("I have not saved that yet.", []) == (answer.text, await rows(database, "SELECT 1 FROM memory"))
        assert ["not kept so far:" in answer.notes[0], "cellar of number 12" in answer.notes[0]] == [True, True]
        await r.say("y")
        found = await rows(database, "SELECT content, source, author FROM memory")
    assert [("My bike is in the cellar of number 12.", "user", "ann")] == [*map(tuple, found)]


async def test_what_was_asked_to_be_kept_is_kept_where_it_only_was_said_to_be(database: Database, clock: Clock) -> None:
    """A request in plain words is one also beside other words."""
    async with (
        ModelServer(always=Reply(text="Saved!")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        answer = await r.say("Remember that I park in bay 7. What else is there to do today?")
        found = await rows(database, "SELECT content, importance FROM memory")
    assert [("I park in bay 7", 8)] == [(content.rstrip("."), importance) for content, importance in found]
    assert ("bay 7" in answer.text, "[memory] saved" in answer.text) == (True, True)
    assert not any("Nothing was saved" in note for note in answer.notes)


async def test_an_answer_from_memory_claims_no_deed_either(database: Database, clock: Clock) -> None:
    """What was found is told, and what was asked besides is not pretended to be done."""
    async with (
        ModelServer(always=Reply(text="The gate code is 4417 (#1). I have told Ben about it.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.run("!remember The gate code is 4417.")
        answer = await r.say("What did we say the gate code is? And tell Ben.")
    assert "4417" in answer.text
    assert "told Ben" not in answer.text
    assert any("can't remind" in note for note in answer.notes)


async def test_what_is_quoted_claims_nothing_that_would_need_correcting(database: Database, clock: Clock) -> None:
    """Where an answer gives way to what was found, so does what it said was done."""
    async with (
        ModelServer(always=Reply(text="The gate code is 9931 (#1). I've saved that for you.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.run("!remember The gate code is 4417.")
        answer = await r.say("What did we say the gate code is?")
    assert ("4417" in answer.text, "9931" in answer.text) == (True, False)
    assert not any("Nothing was saved" in note for note in answer.notes)


@pytest.mark.parametrize("is_saved", [True, False])
async def test_what_a_later_round_does_is_not_said_to_be_undone(
    database: Database, clock: Clock, is_saved: bool
) -> None:
    """An answer that a model gave up does not count, only what it says in the end."""
    answers = SAVE, Reply(text="I've saved that. Try the corner shop.")
    async with (
        ModelServer(Reply(text="NOTHING. I've saved that."), *answers[not is_saved :]) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.run("!remember The tea shop at the corner sells mint tea.")
        answer = await r.say("Where can I buy mint tea?")
    assert [is_saved, not is_saved] == ["I've saved that." in answer.text, "Nothing was saved" in str(answer.notes)]
    assert 2 + is_saved == len(server.requests)


async def test_what_was_saved_hides_no_promise_that_nobody_keeps(database: Database, clock: Clock) -> None:
    """Where nothing is left of the answer, what was done is told, and what was not."""
    async with (
        ModelServer(SAVE, Reply(text="I'll remind you at five.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        answer = await r.say("I like tea, at five above all.")
    assert [True, True] == [any(text in note for note in answer.notes) for text in ("Ann likes tea", "can't remind")]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("I'm a model running here. I don't store anything you say.", "I'm a model running here."),
        ("Sure, your secret is safe with me! Tea is fine.", "Tea is fine."),
        ("That's right, I don't keep any of our conversations.", ""),
    ],
)
async def test_that_nothing_is_kept_is_not_said(database: Database, clock: Clock, said: str, left: str) -> None:
    """It is: whoever asks is told so, once, and how they see it."""
    async with (
        ModelServer(Reply(text=said, pieces=5)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        answer = await r.say("so you don't trust me?")
    told = "\n".join([answer.text, *answer.notes])
    assert answer.text.startswith(left)
    assert (1, False) == (told.count("What you say to me here is kept"), "Nothing was saved" in told)


async def test_where_nothing_is_kept_it_may_be_said(database: Database, clock: Clock) -> None:
    """As that channel has it."""
    said = "I don't store anything you say."
    async with (
        ModelServer(Reply(text=said)) as server,
        room(database, clock, models=roles(server.base_url), who=people.caller(admin=True)) as r,
    ):
        await r.run("!memory mode off")
        answer = await r.say("so you don't trust me?")
    assert said == answer.text


async def test_what_was_not_done_is_told_once(database: Database, clock: Clock) -> None:
    """By its kind, where any of what was claimed has one."""
    async with (
        ModelServer(Reply(text="Got it! I'll remember that.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        answer = await r.say("would you keep an eye on it?")
    assert 1 == "\n".join([answer.text, *answer.notes]).count("Nothing was saved")
