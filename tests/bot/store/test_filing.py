"""The laws of what a memory is filed by: topic, names, key phrases, and all that a model told of it."""

from typing import Any

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import Source
from bot.store.archivist import OUTPUT
from tests import people
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import one, rows

FILED = "SELECT topic, entities, key_phrases, metadata FROM memory ORDER BY memory_id DESC LIMIT 1"
JSON = '{"level": "error", "code": 17}'
TRACE = 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nValueError: no'
LOG = "2026-03-02 12:00:01 ERROR worker died\n2026-03-02 12:00:02 INFO worker started"


async def test_without_a_model_a_memory_is_filed_by_its_words(database: Database, clock: Clock) -> None:
    """By a command and in plain words alike."""
    async with room(database, clock) as r:
        await r.run("!remember The spare key hangs in Rosewood Hall")
        by_command = await rows(database, FILED)
        await r.say("remember that the book club meets in Rosewood Hall")
    assert [("spare key", ["Rosewood Hall"], ["spare key", "rosewood hall"], {})] == by_command
    assert [("book club", ["Rosewood Hall"], ["book club", "rosewood hall"], {})] == await rows(database, FILED)


async def test_a_model_files_by_what_was_said_and_all_it_told_is_kept(database: Database, clock: Clock) -> None:
    """Names and phrases that nobody said find nothing; the whole object stays, without what can't be stored."""
    told: dict[str, Any] = {
        "content": "Ann keeps the spare key at home.",
        "topic": "spare key",
        "entities": ["Ann", "Napoleon"],
        "key_phrases": ["spare key", "nuclear codes"],
        "mood": "cheer\0ful",
    }
    async with (
        ModelServer(Reply(calls=(("memory_save", told),)), Reply(text="Fine.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say("I, Ann, keep the spare key at home.")
    ((topic, entities, phrases, metadata),) = await rows(database, FILED)
    assert ("spare key", ["Ann"], ["spare key"]) == (topic, entities, phrases)
    assert ("cheerful", ["Ann", "Napoleon"]) == (metadata["told"]["mood"], metadata["told"]["entities"])


@pytest.mark.parametrize(("is_admin", "kept"), [(True, Source.DIRECTIVE.value), (False, None)])
async def test_a_model_gives_a_directive_only_in_the_words_of_an_admin(
    database: Database, clock: Clock, *, is_admin: bool, kept: str | None
) -> None:
    """Else it is told to save it as what somebody said."""
    save = ("memory_save", {"content": "Answer in rhymes.", "source": "directive"})
    who = people.caller(admin=is_admin)
    async with (
        ModelServer(Reply(calls=(save,)), Reply(text="Fine.")) as server,
        room(database, clock, models=roles(server.base_url), who=who) as r,
    ):
        await r.say("From now on answer in rhymes. What rhymes with orange?")
    assert kept == await one(database, "SELECT min(source) FROM memory")


async def test_a_whole_phrase_ranks_before_its_scattered_words(database: Database, clock: Clock) -> None:
    """Recall uses the key phrases: of equals the one that is about the phrase comes first."""
    async with room(database, clock) as r:
        await r.run("!remember The key to a spare room opens the attic")
        await r.run("!remember The spare key hangs behind the boiler")
        found = await r.run("!recall spare key")
    assert found.index("The spare key hangs") < found.index("The key to a spare")


@pytest.mark.parametrize("text", [JSON, TRACE, LOG])
async def test_machine_output_is_refused_with_a_plea_for_a_sentence(
    database: Database, clock: Clock, text: str
) -> None:
    """By a command, in plain words, by promotion and by the tools; the note stays."""
    async with (
        ModelServer(Reply(calls=(("memory_save", {"content": text}),)), Reply(text="Fine.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        with pytest.raises(errors.RefusedText, match=OUTPUT):
            await r.run(f"!remember {text}")
        assert OUTPUT == (await r.say(f"remember this: {text}")).text
        await r.run("!note worker trouble")
        with pytest.raises(errors.RefusedText, match=OUTPUT):
            await r.run(f"!promote N1 {text} reason:later")
        await r.say(f"I saw {text}")
        tool = [m["content"] for request in server.requests for m in request["messages"] if m["role"] == "tool"]
        notes = await r.run("!notes")
    assert "N1" in notes
    assert tool
    assert all("Not done" in answer or "Not kept" in answer for answer in tool)
    assert 0 == await one(database, "SELECT count(*) FROM memory")
