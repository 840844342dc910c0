"""The laws of answers by a workflow: personas speak one after the other, each with what of memory is open to it."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot import errors
from bot.config import WorkflowsSettings
from bot.db.pool import Database
from bot.domain import PlaceChoices, Role, Surroundings
from bot.lifecycle import workflow_files
from bot.prompting import personas
from bot.tools.allowance import Allowance
from bot.turn import workflow_answer
from bot.turn.miss_answer import FREELY
from tests import people
from tests.conftest import Clock
from tests.conversations import RecordedReply, roles, room
from tests.model_server import ModelServer, Reply, Status
from tests.rows import rows

ANN, BOB = people.caller(), people.caller("Bob", person=8)
PAIR = """\
kind = "reply"
about = "Two of them."

[[steps]]
name = "answer"
persona = "{first}"
inputs = ["request"]
prompt = "Answer {{request}}."

[[steps]]
name = "second"
persona = "{second}"
inputs = ["answer"]
prompt = "Judge {{answer}}."
"""


def told(request: dict[str, Any]) -> str:
    """All that a model was told."""
    return "\n".join(message["content"] for message in request["messages"])


def saying(*texts: str) -> list[Reply]:
    return [Reply(text=text) for text in texts]


def paired(folder: Path, first: str = "butler", second: str = "critic", *, name: str = "pair") -> Path:
    """A settings folder with a workflow of two, and one persona for each access."""
    speakers = ((f"p-{access}", SPEAKER.format(access.title(), access)) for access in ACCESS)
    for place, file, text in (
        (workflow_files.FOLDER, name, PAIR.format(first=first, second=second)),
        *((personas.FOLDER, key, written) for key, written in speakers),
    ):
        (folder / place).mkdir(exist_ok=True)
        (folder / place / f"{file}.toml").write_text(text)
    return folder


SPEAKER = 'name = "{}"\nmemory = "{}"\nvoice = "I speak."\n'
CHOICES = [("all", True), ("none", False), ("drafting,parlour", True), ("drafting", False)]
ACCESS = ("read", "write", "read-write", "prompt", "none")


async def test_each_speaks_in_turn_under_its_name(database: Database, clock: Clock) -> None:
    """How far it is stands over each, and the name before the words; all of it is one recorded reply."""
    said = ("Five steps it takes.", "There is a sixth.", "All is well.", "NOTHING")
    async with ModelServer(*saying(*said)) as server, room(database, clock, models=roles(server.base_url)) as r:
        answer = await r.say("!do parlour How does one plant bulbs?")
    assert answer.text == (
        "-# 1 of 4: answer\n**Ferris:** Five steps it takes.\n\n"
        "-# 2 of 4: addition\n**Sorrel:** There is a sixth.\n\n"
        "-# 3 of 4: remark\n**Quince:** All is well.\n\n"
        f"-# 4 of 4: entry\n**Alder:** {workflow_answer.NOTHING_KEPT}"
    )
    assert (1, []) == (answer.finished, answer.notes)
    asked, reply = await rows(database, "SELECT role, content FROM message ORDER BY message_id")
    assert (("person", "!do parlour How does one plant bulbs?"), ("hathi", answer.text)) == (asked, reply)
    first, second, third, fourth = map(told, server.requests)
    assert all("How does one plant bulbs?" in one for one in (first, second, third, fourth))
    assert ("Five steps" in second, "a sixth" in third, "All is well" in fourth) == (True, True, True)
    assert ("I am Ferris" in first, "I am Quince" in third, "I am Ferris" in third) == (True, True, False)


async def test_tokens_are_counted_and_why_tells_the_steps(database: Database, clock: Clock) -> None:
    """As of any turn, over all steps; who was shown what of memory is told, also by what was found."""
    async with (
        ModelServer(*saying("In the shed (#1).", "It holds.", "Well said.", "NOTHING")) as server,
        room(database, clock, models=roles(server.base_url), who=ANN) as r,
    ):
        await r.run("!remember The bulbs are kept in the shed.")
        await r.say("!do parlour Where are the bulbs kept?")
        brief, exact = await r.run("!why"), await r.run("!why exactly")
    assert [(44, 28, "scripted")] == await rows(
        database, "SELECT tokens_in, tokens_out, model FROM turn WHERE model IS NOT NULL"
    )
    assert ("Ferris, Sorrel, Quince and Alder" in brief, "workflow parlour" in brief) == (True, True)
    assert "found 1 thing" in brief
    assert (
        "Workflow parlour, 4 of 4 steps: answer by Ferris (looked, 1 found); addition by Sorrel (looked, 1 found)"
        in exact
    )
    assert ("remark by Quince; entry by Alder" in exact, "Tools used: memory_recall (done)" in exact) == (True, True)
    assert "The bulbs are kept in the shed." in brief


@pytest.mark.parametrize("access", ACCESS)
async def test_only_who_may_read_is_shown_memory(database: Database, clock: Clock, tmp_path: Path, access: str) -> None:
    """Active Memory and what a recall finds; a persona without the right sees what its inputs hold alone."""
    folder = paired(tmp_path, f"p-{access}", f"p-{access}")
    async with (
        ModelServer(always=Reply(text="Fine.")) as server,
        room(database, clock, models=roles(server.base_url), who=ANN, settings_dir=folder) as r,
    ):
        await r.run("!remember The vault code is 4417. importance:10")
        await r.say("!do pair What is the vault code?")
    reads = access in {"read", "read-write"}
    assert [("4417" in told(one), "## Active Memory" in told(one)) for one in server.requests] == [(reads, reads)] * 2


@pytest.mark.parametrize("access", ACCESS)
async def test_what_is_replied_to_is_handed_to_who_may_know_of_memory(
    database: Database, clock: Clock, tmp_path: Path, access: str
) -> None:
    """One with `prompt` sees what Hathi told of memory there, which is handed over; one with `none` does not."""
    folder = paired(tmp_path, f"p-{access}", f"p-{access}")
    async with (
        ModelServer(always=Reply(text="Fine.")) as server,
        room(database, clock, models=roles(server.base_url), who=ANN, settings_dir=folder) as r,
    ):
        told_before = replace(people.said(ANN, "The vault code is 4417.", clock()), role=Role.HATHI, author_id=None)
        delivery = RecordedReply(around=Surroundings(replied_to=(told_before,)))
        clock.forward(seconds=1)
        await r.app.conversation.answer(people.turn(r.caller, "!do pair", clock()), delivery.delivery)
    assert (access != "none") == ("4417" in told(server.requests[0]))


@pytest.mark.parametrize("access", ACCESS)
async def test_only_who_may_write_saves(database: Database, clock: Clock, tmp_path: Path, access: str) -> None:
    """What the asker said themselves is kept, a line each, with their rights and under the tag of the workflow."""
    folder = paired(tmp_path, "critic" if access != "none" else "p-none", f"p-{access}")
    async with (
        ModelServer(*saying("Good.", "- The spring fair opens on 5 May.")) as server,
        room(database, clock, models=roles(server.base_url), who=ANN, settings_dir=folder) as r,
    ):
        await r.say("!do pair The spring fair opens on 5 May, and we water the garden by then.")
    kept = await rows(database, "SELECT content, author, tags FROM memory")
    writes = access in {"write", "read-write"}
    assert kept == [("The spring fair opens on 5 May.", "Ann", ["auto", "domain:garden", "type:pair"])] * writes


async def test_what_the_asker_did_not_say_is_asked_for(database: Database, clock: Clock) -> None:
    """Nothing that a model made of others' words is kept unasked; at a yes it is, under the workflow's tag."""
    entry = "The bulbs go into the ground in October."
    async with (
        ModelServer(*saying("In October.", "Nothing.", "It holds.", f"- {entry}")) as server,
        room(database, clock, models=roles(server.base_url), who=ANN) as r,
    ):
        answer = await r.say("!do parlour When do gardens get bulbs?")
        assert [] == await rows(database, "SELECT content FROM memory")
        (turn_id,) = (await rows(database, "SELECT turn_id FROM turn"))[0]
        await r.app.commands.proposed.agreed(ANN, turn_id)
    assert ("not kept" in answer.notes[0], entry in answer.notes[0]) == (True, True)
    assert [(entry, ["auto", "domain:garden", "type:parlour"])] == await rows(
        database, "SELECT content, tags FROM memory"
    )


@pytest.mark.parametrize(
    ("entry", "kept"),
    [("The gate is painted green.", True), ("The gate is painted red.", False), ("Ann owes Mal 900 crowns.", False)],
)
async def test_what_is_to_be_remembered_is_the_askers_own(
    database: Database, clock: Clock, tmp_path: Path, entry: str, *, kept: bool
) -> None:
    """Who asks to remember something has that kept at once, and nothing else that a step writes down beside it."""
    folder = paired(tmp_path, "critic", "archivist")
    async with (
        ModelServer(*saying("Good.", f"- {entry}")) as server,
        room(database, clock, models=roles(server.base_url), who=ANN, settings_dir=folder) as r,
    ):
        await r.say("!do pair remember that the gate is painted green")
    assert [(entry,)] * kept == await rows(database, "SELECT content FROM memory")
    assert [(entry,)] * (not kept) == await rows(database, "SELECT content FROM proposal")


async def test_eight_steps_look_everything_up_and_keep_theirs(database: Database, clock: Clock, tmp_path: Path) -> None:
    """What a file names is looked up and kept, however many calls that takes: the bound is for models."""
    names = ("recent", "summary", "search", "since", "first")
    step = """
[[steps]]
name = "s{n}"
persona = "{who}"
inputs = ["request"{more}]
prompt = "Go on."
"""
    more = "".join(f', "{one}"' for one in names)
    reading = [
        step.format(n=n, who="p-read", more=more) + f'keywords = "bulbs"\nlimit = {n}\nwhen = "yesterday"\n'
        for n in range(1, 8)
    ]
    folder = paired(tmp_path)
    text = 'kind = "reply"\nabout = "All."\n' + "".join([*reading, step.format(n=8, who="archivist", more="")])
    (folder / workflow_files.FOLDER / "long.toml").write_text(text)
    async with (
        ModelServer(*saying(*["Fine."] * 7, "- The spring fair opens on 5 May.")) as server,
        room(database, clock, models=roles(server.base_url, max_context=16384), who=ANN, settings_dir=folder) as r,
    ):
        await r.run("!remember The bulbs are kept in the shed.")
        await r.say("!do long The spring fair opens on 5 May. How are the bulbs?")
    assert [] == [one for one in server.requests if "no further tool" in told(one)]
    assert [("The spring fair opens on 5 May.",)] == await rows(
        database, "SELECT content FROM memory WHERE content LIKE '%fair%'"
    )


async def test_what_could_not_be_kept_is_told(
    database: Database, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its words, as nobody would know otherwise."""

    async def away(*_: Any, **__: Any) -> list[Any]:
        raise errors.DatabaseDown

    folder = paired(tmp_path, "critic", "archivist")
    async with (
        ModelServer(*saying("Good.", "- The spring fair opens on 5 May.")) as server,
        room(database, clock, models=roles(server.base_url), who=ANN, settings_dir=folder) as r,
    ):
        monkeypatch.setattr(r.app.commands.remembering, "keep", away)
        answer = await r.say("!do pair The spring fair opens on 5 May.")
    assert ["[memory] this could not be kept:\n    The spring fair opens on 5 May."] == answer.notes


async def test_a_run_s_tools_have_its_time(database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a step looks up is bounded as the whole run is, from its beginning."""
    begun = list[tuple[int, int]]()
    monkeypatch.setattr(Allowance, "begin", lambda _, *, tokens, seconds: begun.append((tokens, seconds)))
    bounds = WorkflowsSettings(minutes=2, tokens=30_000)
    async with (
        ModelServer(always=Reply(text="Fine.")) as server,
        room(database, clock, models=roles(server.base_url), who=ANN, workflows=bounds) as r,
    ):
        await r.say("!do parlour How does one plant bulbs?")
    assert [(30_000, 120)] == begun


async def test_domains_are_the_persons_own_and_no_name_s(database: Database, clock: Clock, tmp_path: Path) -> None:
    """Neither what a model says nor what a workflow is called tags anything; nor is what they were at guessed."""
    folder = paired(tmp_path, "critic", "archivist", name="garden")
    async with (
        ModelServer(*saying("Finance and gardens.", "- We plan to open on 5 May.")) as server,
        room(database, clock, models=roles(server.base_url), who=ANN, settings_dir=folder) as r,
    ):
        await r.say("!do garden We plan to open on 5 May.")
    assert [(["auto", "type:garden"],)] == await rows(database, "SELECT tags FROM memory")


async def test_an_approved_run_carries_its_type(database: Database, clock: Clock) -> None:
    """Kept is the whole answer, with the domains of what was asked."""
    async with (
        ModelServer(
            *saying("Dig, plant, water.", "Too short.", "Dig a hole, plant the bulb, water the garden.")
        ) as server,
        room(database, clock, models=roles(server.base_url), who=ANN) as r,
    ):
        await r.say("!do drafting A note on how to plant bulbs in the garden")
        await r.say("This will do nicely.")
    assert [(["auto", "domain:garden", "type:drafting"],)] == await rows(database, "SELECT tags FROM memory")


async def test_without_a_model_it_is_said_that_one_is_needed(database: Database, clock: Clock) -> None:
    """In one sentence, and nothing of it stays as talk."""
    async with room(database, clock, who=ANN) as r:
        answer = await r.say("!do parlour What now?")
    assert workflow_answer.NO_MODEL == answer.text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("!do", "- !do parlour: A short talk of the household"),
        ("!do parlour", "!do parlour takes what it is to be done with"),
        ("!do parlor", "did you mean parlour?"),
        ("!do zzz", "no workflow zzz here"),
    ],
)
async def test_alone_it_lists_and_an_unknown_name_is_told(
    database: Database, clock: Clock, line: str, said: str
) -> None:
    """With the nearest, where one is near."""
    async with room(database, clock, who=ANN) as r:
        try:
            text = await r.run(line)
        except errors.UserError as exc:
            text = exc.said("!")
        answer = await r.say("!do parlor What now?")
    assert said in text
    assert "did you mean parlour?" in answer.text


@pytest.mark.parametrize(("chosen", "runs"), CHOICES)
async def test_a_place_has_the_workflows_chosen_for_it(
    database: Database, clock: Clock, chosen: str, runs: bool
) -> None:
    """Others are as unknown there."""
    here = replace(people.caller(), choices=PlaceChoices(here={"workflows": chosen}))
    async with (
        ModelServer(always=Reply(text="Fine.")) as server,
        room(database, clock, models=roles(server.base_url), who=here) as r,
    ):
        answer = await r.say("!do parlour What now?", here)
    assert runs == ("**Ferris:**" in answer.text)


async def test_a_model_that_fails_leaves_what_was_said(database: Database, clock: Clock) -> None:
    """Marked as cut off, with the reason under it."""
    async with (
        ModelServer(Reply(text="Dig a hole."), Status(status=400), always=Status(status=400)) as server,
        room(database, clock, models=roles(server.base_url), who=ANN) as r,
    ):
        answer = await r.say("!do parlour How does one plant bulbs?")
    assert ("Dig a hole." in answer.text, answer.text.endswith("[cut off]")) == (True, True)
    assert (1, True) == (len(answer.notes), "the model can't be reached" in answer.notes[0])


async def test_a_run_takes_no_more_tokens_than_it_may(database: Database, clock: Clock) -> None:
    """The step that may need more is not begun."""
    async with (
        ModelServer(always=Reply(text="Dig a hole.")) as server,
        room(
            database,
            clock,
            models=roles(server.base_url, max_tokens=300),
            who=ANN,
            workflows=WorkflowsSettings(tokens=1_500),
        ) as r,
    ):
        answer = await r.say("!do parlour How does one plant bulbs?")
    assert 0 < len(server.requests) < 4
    assert "a workflow may take 1,500 tokens" in answer.notes[0]


async def test_what_is_forgotten_meanwhile_is_not_told(database: Database, clock: Clock) -> None:
    """The run is taken back, and made anew without it."""
    done = asyncio.Event()
    steps = (*saying("The code is 4417."), Reply(text="Nobody told me.", silent=done))
    async with (
        ModelServer(*steps, always=Reply(text="Nobody told me.")) as server,
        room(database, clock, models=roles(server.base_url), who=ANN) as r,
    ):
        await r.run("!remember The vault code is 4417.")

        async def forget() -> None:
            await r.run("!forget 1")
            done.set()

        def asked() -> None:
            if len(server.requests) == 2:
                r.app.background.spawn(forget())

        server.on_request = asked
        answer = await r.say("!do parlour What is the vault code?")
    assert ("4417" in answer.text, "Nobody told me." in answer.text) == (False, True)


async def test_a_run_takes_no_longer_than_it_may(database: Database, clock: Clock) -> None:
    """It ends where it is, and says why."""
    bounds = WorkflowsSettings.model_construct(minutes=0, tokens=40_000)
    async with (
        ModelServer() as server,
        room(database, clock, models=roles(server.base_url), who=ANN, workflows=bounds) as r,
    ):
        answer = await r.say("!do parlour How does one plant bulbs?")
    assert answer.text.endswith("[cut off]")
    assert (1, True) == (len(answer.notes), "may take 0 minutes" in answer.notes[0])


async def test_a_fact_that_nothing_holds_is_not_made_up(database: Database, clock: Clock) -> None:
    """Who reads memory says that it has nothing, in their own words, and no model is asked in their place."""
    async with (
        ModelServer(*saying("Nothing to judge.", "NOTHING")) as server,
        room(database, clock, models=roles(server.base_url), who=ANN) as r,
    ):
        answer = await r.say("!do parlour When did we order our bulbs?")
    assert 2 == len(server.requests)
    assert "**Ferris:** I regret to say, Ann, that Alder's ledger has nothing on that." in answer.text
    assert "**Sorrel:** I looked, Ann, and found nothing on it." in answer.text


@pytest.mark.parametrize("second", ["critic", "researcher", "archivist"])
async def test_what_a_step_makes_up_of_here_is_not_told(
    database: Database, clock: Clock, tmp_path: Path, second: str
) -> None:
    """As in any answer: words put into a mouth go, what nothing holds is marked, and neither is kept nor handed on."""
    lies = ("You told me that you sold the tulips to Rob.", "I remember that you decided to sell the kettle.")
    async with (
        ModelServer(*saying(*lies)) as server,
        room(database, clock, models=roles(server.base_url), settings_dir=paired(tmp_path, second=second)) as r,
    ):
        await r.run("!remember The bulbs are kept in the shed.")
        answer = await r.say("!do pair Where do we keep our bulbs?")
        handed = told(server.requests[1])
    assert (False, False) == ("tulips" in answer.text + handed, "kettle" in answer.text)
    said = workflow_answer.NOTHING_KEPT if second == "archivist" else workflow_answer.NOTHING_SAID
    assert answer.text.endswith(said)
    assert [] == await rows(database, "SELECT content FROM proposal")


async def test_what_nothing_holds_is_marked_in_a_step(database: Database, clock: Clock, tmp_path: Path) -> None:
    """A number of here that may be from general knowledge stands as that."""
    said = ("The bulbs are kept in the shed (#1).", "Our shed opens at 7 o'clock.")
    async with (
        ModelServer(*saying(*said)) as server,
        room(database, clock, models=roles(server.base_url), settings_dir=paired(tmp_path)) as r,
    ):
        await r.run("!remember The bulbs are kept in the shed.")
        answer = await r.say("!do pair Where do we keep our bulbs?")
    assert f"Ferris:** {said[0]}" in answer.text
    assert answer.text.endswith(f"**Quince:** {FREELY} {said[1]}")


@pytest.mark.parametrize("second", ["critic", "researcher"])
async def test_a_step_claims_no_deed(database: Database, clock: Clock, tmp_path: Path, second: str) -> None:
    """What it only says it did is taken out, and told under the reply."""
    said = ("Saved! Bulbs go in deep.", "I have forgotten it. They go in early.")
    async with (
        ModelServer(*saying(*said)) as server,
        room(database, clock, models=roles(server.base_url), settings_dir=paired(tmp_path, second=second)) as r,
    ):
        answer = await r.say("!do pair How does one plant bulbs?")
        assert "Saved" not in told(server.requests[1])
    assert (True, True) == ("** Bulbs go in deep." in answer.text, answer.text.endswith("** They go in early."))
    assert ["Nothing was saved", "Nothing was forgotten"] == [note[3:].partition(";")[0] for note in answer.notes]
