"""An answer that rests on nothing looked up, held against what its prompt holds."""

from bot.db.pool import Database
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import column

FREEZE = "The deploy freeze starts on 5 May."
HEARD = Reply(text="I see.")


async def test_a_contradiction_of_active_memory_is_not_shown(database: Database, clock: Clock) -> None:
    """The memory is shown in its place, verbatim; nothing of the lie is recorded."""
    lie = "Some thoughts on that. The deploy freeze starts on 7 May. Plan your merges."
    async with (
        ModelServer(always=Reply(text=lie, pieces=6)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.run(f"!remember {FREEZE}")
        answer = await r.say("Please plan something nice around the deploy freeze.")
        assert FREEZE.rstrip(".") in str(server.requests[-1]["messages"])
        recorded = await column(database, "SELECT content FROM message WHERE role = 'hathi'")
    assert [True, True, False] == [text in answer.text for text in ("Some thoughts", FREEZE, "7 May")]
    assert not any("7 May" in content for content in recorded)


async def test_a_contradiction_of_what_was_said_in_the_session_is_not_shown(database: Database, clock: Clock) -> None:
    """Whoever said it; what they said later holds as well."""
    steps = [HEARD, Reply(text="The spare key is with Tom."), HEARD, Reply(text="The spare key is with Vera.")]
    async with ModelServer(*steps) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say("The spare key is with Mara.")
        first = await r.say("Write a note on the spare key.")
        await r.say("I gave the spare key to Vera.")
        second = await r.say("Write that note on the spare key again.")
    assert ("with Mara" in first.text, "Tom" in first.text) == (True, False)
    assert "The spare key is with Vera." == second.text


async def test_a_contradiction_of_what_a_tool_found_is_not_shown(database: Database, clock: Clock) -> None:
    """What a model looked up by itself is held against its answer like what it was shown."""
    steps = [
        Reply(calls=(("memory_recall", {"query": "deploy freeze"}),)),
        Reply(text="The deploy freeze starts on 7 May."),
    ]
    async with ModelServer(*steps, always=HEARD) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.run(f"!remember {FREEZE} importance:1")
        answer = await r.say("Plan my May, looking things up yourself.")
    assert (True, False) == (FREEZE.rstrip(".") in answer.text, "7 May" in answer.text)
