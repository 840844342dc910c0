"""What a model does beside saving is a command in the asker's name, or a question to the asker."""

from datetime import timedelta
from typing import Any

import pytest

from bot import errors
from bot.cli import terminal
from bot.db.pool import Database
from bot.domain import Caller, MessageId
from tests import people
from tests.conftest import Clock
from tests.conversations import RecordedReply, Room, roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import column, one, rows

ADMIN = people.caller("Ada", person=9, admin=True)
ANN = people.caller("Ann")


def _calls(name: str, arguments: dict[str, Any], said: str = "So it is.") -> tuple[Reply, Reply]:
    return Reply(calls=((name, arguments),)), Reply(text=said)


async def _asked(r: Room, text: str, by: Caller) -> tuple[RecordedReply, MessageId]:
    answer = await r.say(text, by=by)
    return answer, MessageId(await one(r.app.database, "SELECT max(turn_id) FROM turn"))


def _told(server: ModelServer) -> list[str]:
    return [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]


async def test_forgetting_is_a_button_with_the_exact_text(database: Database, clock: Clock) -> None:
    """Whoever asked; it is forgotten once, may be brought back, and by nobody else."""
    async with (
        ModelServer(*_calls("memory_forget", {"ids": [1]})) as server,
        room(database, clock, who=ANN, models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.run("!remember The spare key hangs behind the red door.")
        answer, turn_id = await _asked(r, "What is there for lunch?", ANN)
        shown = "\n".join(answer.notes)
        with pytest.raises(errors.NotAllowed):
            await r.app.commands.carry_out(people.caller("Mal", person=8), turn_id)
        there = await rows(database, "SELECT 1 FROM memory WHERE forgotten_at IS NULL")
        done = await r.app.commands.carry_out(ANN, turn_id)
        gone = await rows(database, "SELECT 1 FROM memory WHERE forgotten_at IS NULL")
        with pytest.raises(errors.NotFound):
            await r.app.commands.carry_out(ANN, turn_id)
        back = await r.run("!undo")
    assert "Forget #1: The spare key hangs behind the red door." in shown
    assert ([(1,)], []) == (there, gone)
    assert (1, True) == (done.forgotten, "spare key" in back)


async def test_an_act_lapses_with_what_it_is_about_and_after_ten_minutes(database: Database, clock: Clock) -> None:
    """Then nothing is done, and it is said why."""
    async with (
        ModelServer(*_calls("memory_forget", {"ids": [1]}), *_calls("memory_forget", {"ids": [2]})) as server,
        room(database, clock, who=ANN, models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.run("!remember The spare key hangs behind the red door.")
        _, first = await _asked(r, "What is there for lunch?", ANN)
        await r.run("!edit 1 The spare key hangs behind the blue door.")
        with pytest.raises(errors.NotFound):
            await r.app.commands.carry_out(ANN, first)
        _, second = await _asked(r, "What is there for dinner?", ANN)
        clock.now += timedelta(minutes=11)
        with pytest.raises(errors.NotFound):
            await r.app.commands.carry_out(ANN, second)
    assert 1 == await one(database, "SELECT count(*) FROM memory WHERE forgotten_at IS NULL AND superseded_by IS NULL")


async def test_ageing_needs_the_askers_manage_server(database: Database, clock: Clock) -> None:
    """“memory_age needs that person's Manage Server”: the model of anybody else is told so; what was aged is undone."""
    call = _calls("memory_age", {"older_than_hours": 24})
    async with (
        ModelServer(*call, *call) as server,
        room(database, clock, who=ADMIN, models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.run("!remember The boiler was serviced by Kemp. importance:5", by=ANN)
        clock.now += timedelta(hours=30)
        await r.say("It is about time to age memories older than 24 hours, I think.", by=ANN)
        refused, before = _told(server), await column(database, "SELECT tier FROM memory")
        answer = await r.say("It is about time to age memories older than 24 hours, I think.", by=ADMIN)
        after = await column(database, "SELECT tier FROM memory")
        undone = await r.run("!undo", by=ADMIN)
        with pytest.raises(errors.NotFound):
            await r.run("!undo", by=ADMIN)
        back = await column(database, "SELECT tier FROM memory")
        counts = await r.run("!status", by=ADMIN)
    assert "Manage Server" in refused[0]
    assert (["short"], ["long"], ["short"]) == (before, after, back)
    assert any("Aged 1 memory" in note for note in answer.notes)
    assert "Moved 1 memory back" in undone
    assert "1 short" in counts


async def test_unasked_nothing_is_aged_once_others_were_read(database: Database, clock: Clock) -> None:
    """The admin is shown it, and has it done by a yes."""
    async with (
        ModelServer(*_calls("memory_age", {"older_than_hours": 24})) as server,
        room(database, clock, who=ADMIN, models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.run("!remember The boiler was serviced by Kemp. importance:5", by=ANN)
        clock.now += timedelta(hours=30)
        answer, turn_id = await _asked(r, "Is tea better than coffee?", ADMIN)
        before = await column(database, "SELECT tier FROM memory")
        done = await r.app.commands.carry_out(ADMIN, turn_id)
    assert ["short"] == before
    assert any("Age memories older than 24 hours" in note for note in answer.notes)
    assert "Aged 1 memory" in done.text


async def test_a_note_of_a_models_is_hathis_and_can_be_undone(database: Database, clock: Clock) -> None:
    """It is shown under the answer; the scratchpad of the person holds it until then."""
    async with (
        ModelServer(*_calls("note_write", {"content": "Step one is done."}, "Noted.")) as server,
        room(database, clock, who=ANN, models=roles(server.base_url, max_context=16384)) as r,
    ):
        answer = await r.say("Step one is done.", by=ANN)
        kept = await rows(database, "SELECT actor, author, content FROM note")
        undone = await r.run("!undo", by=ANN)
        left = await rows(database, "SELECT 1 FROM note")
    assert [("model", "Hathi", "Step one is done.")] == kept
    assert any("N1 is kept" in note for note in answer.notes)
    assert ("Noted.", True, []) == (answer.text, "N1 is gone: Step one is done." in undone, left)


async def test_a_note_is_promoted_for_a_reason(database: Database, clock: Clock) -> None:
    """A model reads the notes, and makes a memory of one; that is shown as any save is."""
    promote = {"note": "N1", "reason": "It is needed every week", "summary": "The boiler is serviced by Kemp."}
    async with (
        ModelServer(
            Reply(calls=(("note_read", {}),)), Reply(calls=(("memory_promote", promote),)), Reply(text="It stays.")
        ) as server,
        room(database, clock, who=ANN, models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.run("!note boiler: serviced by Kemp", by=ANN)
        answer = await r.say("N1 should not be lost.", by=ANN)
        read = [m["content"] for m in server.requests[1]["messages"] if m["role"] == "tool"]
    assert ["- N1: boiler: serviced by Kemp"] == read
    assert ["The boiler is serviced by Kemp."] == await column(database, "SELECT content FROM memory")
    assert any("saved" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("summary", "reason"),
    [
        ("The boiler is serviced by Kemp. room:procedures confirm", "It is needed"),
        ("The boiler is serviced by Kemp.", "It is \u201dneeded\u201d importance:10 room:procedures"),
        ("The boiler is serviced by Kemp.", "It is needed"),
    ],
)
async def test_a_promotion_of_a_models_is_no_more_than_a_save(
    database: Database, clock: Clock, summary: str, reason: str
) -> None:
    """It weighs no more, and neither a summary nor a reason ends like a command that files it elsewhere."""
    promote = {"note": "N1", "reason": reason, "summary": summary}
    async with (
        ModelServer(*_calls("memory_promote", promote)) as server,
        room(database, clock, who=ANN, models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.run("!note boiler: serviced by Kemp", by=ANN)
        await r.say("N1 should not be lost.", by=ANN)
        (told,) = _told(server)
    kept = [(7, "general")] if summary.endswith(".") else []
    assert kept == await rows(database, "SELECT importance, room FROM memory")
    assert (not kept) == ("without name:value words" in told)


@pytest.mark.parametrize("hours", [1, 2, 8759])
async def test_an_act_with_other_numbers_was_not_asked_for(database: Database, clock: Clock, hours: int) -> None:
    """An admin who asks to age what is a year old is asked before anything else ages."""
    async with (
        ModelServer(*_calls("memory_age", {"older_than_hours": hours})) as server,
        room(database, clock, who=ADMIN, models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.run("!remember The boiler was serviced by Kemp. importance:5", by=ANN)
        clock.now += timedelta(hours=30)
        await r.say("Please age the memories that are older than 8760 hours.", by=ADMIN)
    assert ["short"] == await column(database, "SELECT tier FROM memory")


async def test_at_the_terminal_a_letter_has_it_done(database: Database, clock: Clock) -> None:
    """“Do it? y/n”."""
    async with (
        ModelServer(*_calls("memory_forget", {"ids": [1]})) as server,
        room(database, clock, who=terminal.caller("Ann"), models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.run("!remember The spare key hangs behind the red door.")
        asked = await r.say("What is there for lunch?")
        answer = await r.say("y")
    assert any("Do it? y/n" in note for note in asked.notes)
    assert "forgotten" in answer.text
    assert [] == await rows(database, "SELECT 1 FROM memory WHERE forgotten_at IS NULL")


@pytest.mark.parametrize(
    ("said", "tool", "given"),
    [
        ("The gate code is 4417, don't you remember that.", "memory_save", {"content": "The gate code is 4417."}),
        ("Der Code ist 4417. Bitte nicht speichern.", "memory_save", {"content": "Der Code ist 4417."}),
        ("Ne retiens pas que le code est 4417.", "memory_save", {"content": "Le code est 4417."}),
        ("No guardes que la clave es 4417.", "memory_save", {"content": "La clave es 4417."}),
        ("The kiln is hot, which you must not note.", "note_write", {"content": "The kiln is hot."}),
        ("Don't age memories older than 48 hours.", "memory_age", {}),
    ],
)
async def test_what_is_forbidden_is_not_done(
    database: Database, clock: Clock, said: str, tool: str, given: dict[str, Any]
) -> None:
    """By a word of the asker's own message, whoever else was read or not: they are asked."""
    async with (
        ModelServer(*_calls(tool, given)) as server,
        room(database, clock, who=ADMIN, models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.run("!remember The spare key hangs behind the red door.")
        clock.forward(hours=49)
        await r.say(said)
        (told,) = _told(server)
    assert told.startswith("Not ")
    assert [("short",)] == await rows(database, "SELECT tier FROM memory")
    assert [] == await rows(database, "SELECT content FROM note")
    assert 1 == await one(database, "SELECT count(*) FROM proposal")
