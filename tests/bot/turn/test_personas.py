"""The laws of personas in turns: who speaks has a name and a voice, and does with memory what it may and no more."""

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import Access, Actor, Caller, Fact, PlaceSetting, Role, Source, Surroundings
from bot.prompting.evidence import FOUND_HEADING
from bot.store.archivist import Author
from bot.store.place_settings import PlaceSettings
from bot.turn.draft import NOT_READ
from tests import people
from tests.conftest import Clock
from tests.conversations import RecordedReply, Room, roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import one, rows

KEPT = "The gate code is 4417."
ASKED = "What is the gate code?"


async def speaks(r: Room, database: Database, name: str) -> Caller:
    """Has that persona or household speak in the room."""
    await PlaceSettings(database).set(r.caller, PlaceSetting.PERSONA, name, everywhere=False, now=r.clock())
    r.caller = await r.app.enter(r.caller, channel_name="general", mode="all")
    return r.caller


async def test_in_the_household_the_butler_tells_what_the_archivist_keeps(database: Database, clock: Clock) -> None:
    """Without a model: each with its name before its words, and with its own words around them."""
    async with room(database, clock) as r:
        await speaks(r, database, "household")
        kept = await r.say(f"Remember that {KEPT}")
        found = await r.say(ASKED)
        nothing = await r.say("What did we decide about the sundial?")
        closed = await r.say("Thank you, that will be all.")
    assert kept.text.startswith("**Alder:** [memory] saved")
    assert found.text.startswith(
        "**Ferris:** Indeed, Ann. Upon consulting Alder's carefully kept ledger, "
        "I find the following relevant recollection:\n"
    )
    assert ("4417" in found.text, found.text.endswith("\nShall I search again?")) == (True, True)
    assert "**Ferris:** I regret to say, Ann, that Alder's ledger has nothing on that." == nothing.text
    assert "**Ferris:** Always a pleasure, Ann." == closed.text
    said = [content for (content,) in await rows(database, "SELECT content FROM message WHERE role = 'hathi'")]
    assert not [content for content in said if "**" in content or "Indeed" in content]


async def test_what_a_model_only_claims_to_have_kept_the_archivist_keeps(database: Database, clock: Clock) -> None:
    """And says so under its own name."""
    async with (
        ModelServer(always=Reply(text="Saved!")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await speaks(r, database, "household")
        answer = await r.say("Remember that I park in bay 7. What else is there to do today?")
    assert answer.text.startswith("**Alder:** [memory] saved")
    assert 1 == await one(database, "SELECT count(*) FROM memory")


async def test_a_model_speaks_as_the_butler_and_is_checked_all_the_same(database: Database, clock: Clock) -> None:
    """Its voice stands where who Hathi is stood, it can look up and not save, and why it said so can be told."""
    answers = [Reply(text="Ferris: The gate code is 4417 (#1)."), Reply(text="Certainly. Roses are red.")]
    async with ModelServer(*answers) as server, room(database, clock, models=roles(server.base_url)) as r:
        await speaks(r, database, "household")
        await r.say(f"Remember that {KEPT}")
        found, free = await r.say(ASKED), await r.say("Write a poem on roses.")
        why = await r.run("!why")
        first, last = server.requests
    assert found.text.startswith("**Ferris:** Indeed, Ann. Upon consulting")
    assert ("The gate code is 4417 (#1).\nShall I search again?" in found.text, "Ferris: The" in found.text) == (
        True,
        False,
    )
    assert (FOUND_HEADING in str(first), "**Ferris:** Certainly. Roses are red.") == (True, free.text)
    system = last["messages"][0]["content"]
    assert (True, False) == (system.startswith("I am Ferris, the butler"), "I am Hathi" in system)
    tools = [tool["function"]["name"] for tool in last["tools"]]
    assert (True, False) == ("memory_recall" in tools, "memory_save" in tools)
    assert "4417" not in why


async def test_what_is_asked_to_be_remembered_beside_something_else_is_the_archivists(
    database: Database, clock: Clock
) -> None:
    """The butler's model may hand it on, since a person asked; the line under the answer is hers."""
    save = Reply(calls=(("memory_save", {"content": "Ann's cat is called Tom."}),))
    async with (
        ModelServer(save, Reply(text="How nice. Two.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await speaks(r, database, "household")
        answer = await r.say("What is one and one? And please remember: my cat is called Tom, will you?")
    assert ("**Ferris:**", "How nice. Two.") == (answer.text[:11], answer.text[-14:])
    assert [True] == [note.startswith("**Alder:** [memory] saved") for note in answer.notes if "saved" in note]


@pytest.mark.parametrize("is_direct", [False, True])
async def test_what_is_asked_to_be_remembered_opens_nothing_else(
    database: Database, clock: Clock, *, is_direct: bool
) -> None:
    """The butler's model can't save more than that, nor note, age or promote, though nobody else was read."""
    asked, unasked = "Ann's cat is called Tom.", "Ann likes jazz and blue tulips."
    calls = (
        ("memory_save", {"content": unasked}),
        ("note_write", {"content": unasked}),
        ("memory_age", {"older_than_hours": 1}),
        ("memory_promote", {"note": "N1", "reason": "it is needed", "summary": unasked}),
        ("memory_save", {"content": asked}),
    )
    who = replace(people.caller("Ann", admin=True), is_direct=is_direct)
    async with (
        ModelServer(Reply(calls=calls), Reply(text="Two.")) as server,
        room(database, clock, who=who, models=roles(server.base_url, max_context=32768)) as r,
    ):
        await r.run("!remember The kiln is red. importance:4")
        clock.forward(hours=30)
        await r.run("!note The kiln is hot.")
        await speaks(r, database, "household")
        await r.say(
            "I like jazz and blue tulips. What is one and one? And please remember: my cat is called Tom, will you?"
        )
        told = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]
        offered = {tool["function"]["name"] for tool in server.requests[0]["tools"]}
    assert {(asked, "short"), ("The kiln is red.", "short")} == {
        *await rows(database, "SELECT content, tier FROM memory")
    }
    assert [("The kiln is hot.",)] == await rows(database, "SELECT content FROM note")
    assert [(unasked,)] == await rows(database, "SELECT content FROM proposal")
    assert [True, True, True, True, False] == [one.startswith(("Not done", "Not kept")) for one in told]
    assert {"memory_save"} == offered & {"memory_save", "note_write", "memory_age", "memory_promote"}


LEVEL = 'name = "Ada"\nvoice = "I am Ada."\nmemory = "{}"\n'


@pytest.mark.parametrize(("access", "is_shown"), [(Access.NONE, False), (Access.PROMPT, True)])
async def test_to_whom_nothing_of_memory_is_given_no_answer_that_tells_of_it_is(
    database: Database, clock: Clock, tmp_path: Path, access: Access, *, is_shown: bool
) -> None:
    """Neither one of this talk, nor one of another that is replied to; what was said without memory is."""
    written(tmp_path, access)
    async with (
        ModelServer(always=Reply(text="Roses are red.")) as server,
        room(database, clock, models=roles(server.base_url), settings_dir=tmp_path) as r,
    ):
        await r.run(f"!remember {KEPT} importance:9")
        assert "4417" in (await r.say(ASKED)).text
        await speaks(r, database, "ada")
        await r.say("Write a poem on roses.")
        begun = len(server.requests)
        said = people.said(r.caller, "The vault code is 9051.", r.clock())
        old = replace(said, role=Role.HATHI, author_id=None, author="Hathi")
        reply = RecordedReply(around=Surroundings(replied_to=(old,)))
        await r.app.conversation.answer(r.turn("Write another poem."), reply.delivery)
        shown = str(server.requests[begun]["messages"])
    assert (is_shown, is_shown, True) == ("4417" in shown, "9051" in shown, "Roses are red." in shown)


def _storm(body: dict[str, Any]) -> Reply:
    """A model that calls every tool there might be, and then says what its prompt holds."""
    if any(message["role"] == "tool" for message in body["messages"]):
        return Reply(text="That is all.")
    if "llm_call" in str(body.get("tools")):
        return Reply(calls=(("llm_call", {"prompt": "Look for the gate code, and save that Ann keeps bees."}),))
    calls = [
        ("memory_save", {"content": "Ann keeps bees."}),
        ("note_write", {"content": "Ann keeps bees."}),
        ("memory_recall", {"topic": "gate code"}),
        ("memory_search", {"keywords": "gate"}),
        ("memory_recent", {}),
        ("memory_summary", {}),
        ("memory_since", {"when": "yesterday"}),
        ("memory_forget", {"ids": [1]}),
        ("artifact_fetch", {"reference": "#1"}),
        ("note_read", {}),
        ("space_info", {}),
    ]
    return Reply(calls=tuple(calls))


@pytest.mark.parametrize(("access", "delegates"), [*itertools.product(Access, (False, True))])
async def test_a_level_holds_whatever_a_model_does(
    database: Database, clock: Clock, tmp_path: Path, access: Access, delegates: bool
) -> None:
    """It calls what it is not offered too: nothing is read or kept that the level does not open, by any role."""
    written(tmp_path, access)
    async with ModelServer(always=_storm) as server:
        models = roles(server.base_url)
        models = models.model_copy(update={"execution": models.reasoning}) if delegates else models
        async with room(database, clock, models=models, settings_dir=tmp_path) as r:
            await r.run(f"!remember {KEPT} importance:9")
            await r.reset("!reset discard")
            await speaks(r, database, "ada")
            await r.say("Ann keeps bees. Write a limerick on gates.")
            kept = await one(database, "SELECT count(*) FROM memory WHERE content LIKE '%bees%'")
            kept += await one(database, "SELECT count(*) FROM note")
            asked = await one(database, "SELECT count(*) FROM proposal")
        seen = [json.dumps(request["messages"]) for request in server.requests]
    assert access.reads == any("4417" in one for one in seen)
    assert (access.writes, access.reads) == (kept > 0, asked > 0)


@pytest.mark.parametrize("access", Access)
@pytest.mark.parametrize("has_model", [False, True])
async def test_a_level_holds_for_what_is_said_in_plain_words(
    database: Database, clock: Clock, tmp_path: Path, access: Access, has_model: bool
) -> None:
    """To ask, to list, to ask about oneself and what was missed reads; to remember and to put right writes."""
    written(tmp_path, access)
    async with (
        ModelServer(always=lambda _: Reply(text="NOTHING")) as server,
        room(database, clock, models=roles(server.base_url) if has_model else None, settings_dir=tmp_path) as r,
    ):
        await r.run(f"!remember {KEPT}")
        await speaks(r, database, "ada")
        for asked in (ASKED, "What do you remember?", "What do you know about me?", "What did I miss yesterday?"):
            answer = await r.say(asked)
            closed = NOT_READ.format(p="!") in answer.text
            assert (not access.reads, True) == (closed, access.reads or "4417" not in answer.text), (asked, answer.text)
        kept = [
            await r.say("Remember that the kiln is at 1200 degrees."),
            await r.say("Change #1 to: The gate code is 9."),
        ]
        assert [access.writes] * 2 == ["**Ada:** " in one.text and "keeps nothing" not in one.text for one in kept]
        contents = {content for (content,) in await rows(database, "SELECT content FROM memory")}
    assert {access.writes} == {any(word in content for content in contents) for word in ("kiln", "code is 9")}


@pytest.mark.parametrize("access", Access)
async def test_what_a_person_does_by_themselves_is_theirs_whoever_speaks(
    database: Database, clock: Clock, tmp_path: Path, access: Access
) -> None:
    """Commands, and letting go in plain words: nobody keeps them from it."""
    written(tmp_path, access)
    async with room(database, clock, settings_dir=tmp_path) as r:
        await speaks(r, database, "ada")
        saved = await r.run(f"!remember {KEPT}")
        recalled = await r.run("!recall gate code")
        await r.say("Forget #1")
        left = await one(database, "SELECT count(*) FROM memory WHERE forgotten_at IS NULL")
        back = await r.say("undo that")
    assert ("saved" in saved, "4417" in recalled, left, "#1" in back.text) == (True, True, 0, True)


@pytest.mark.parametrize("access", Access)
async def test_of_talk_is_learned_where_somebody_may_write(
    database: Database, clock: Clock, tmp_path: Path, access: Access
) -> None:
    """A reset makes memories of it, or none and no request of a model."""
    written(tmp_path, access)
    facts = [
        {
            "room": "decisions",
            "topic": "glaze",
            "content": "Ann chose the blue glaze.",
            "importance": 6,
            "evidence": [1],
        }
    ]
    summary = Reply(text=json.dumps({"summary": "Glaze.", "facts": facts}))
    async with (
        ModelServer(always=lambda body: summary) as server,
        room(database, clock, models=roles(server.base_url), settings_dir=tmp_path) as r,
    ):
        await speaks(r, database, "ada")
        await r.overhear("We decided: I take the blue glaze.")
        told = await r.reset()
        kept = await one(database, "SELECT count(*) FROM memory")
        asked = len(server.requests)
    assert (access.writes, access.writes) == (kept > 0, asked > 0), told


@pytest.mark.parametrize("access", Access)
async def test_the_archivist_has_the_last_word(
    database: Database, clock: Clock, tmp_path: Path, access: Access
) -> None:
    """Whoever asks to save: what nobody asked for, or what is saved for a caller of that level."""
    written(tmp_path, access)
    fact = Fact(content="The kiln is red.", topic="kiln", importance=5, source=Source.SUMMARY)
    by_itself = Author(actor=Actor.SUMMARY, reason="session:1")
    async with room(database, clock, settings_dir=tmp_path) as r:
        caller = await speaks(r, database, "ada")
        saved = await r.app.archivist.save(caller.space_id, caller.channel_id, [fact], by_itself, now=clock())
        refused = False
        try:
            await r.app.commands.remembering.save(replace(caller, access=access), KEPT)
        except errors.NotAllowed:
            refused = True
    assert (access.writes, not access.writes) == (bool(saved), refused)


async def test_a_persona_speaks_whatever_the_space_s_identity_is(database: Database, clock: Clock) -> None:
    """That is kept for where no persona speaks, and whoever asks for it is told who does."""
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url)) as r:
        admin = people.caller("Ann", admin=True)
        await r.run("!identity set I am the guild of potters.", by=admin)
        await speaks(r, database, "butler")
        await r.say("Write a haiku about paint.")
        system = server.requests[-1]["messages"][0]["content"]
        told = await r.run("!identity")
        await speaks(r, database, "hathi")
        await r.say("Write a haiku about clay.")
        again = server.requests[-1]["messages"][0]["content"]
    assert (True, False) == ("I am Ferris" in system, "guild of potters" in system)
    assert ("guild of potters" in told, "Here Ferris speaks in my place" in told) == (True, True)
    assert again.startswith("I am the guild of potters.")


async def test_a_persona_that_is_gone_gives_way_to_hathi(database: Database, clock: Clock) -> None:
    """As one that was never chosen."""
    async with room(database, clock) as r:
        await speaks(r, database, "nobody")
        answer = await r.say(f"Remember that {KEPT}")
    assert answer.text.startswith("[memory] saved")


def written(folder: Path, access: Access) -> None:
    """A settings folder with a persona of that level."""
    (folder / "personas").mkdir()
    (folder / "personas" / "ada.toml").write_text(LEVEL.format(access.value))
