"""The laws of playbooks: how their files are read, and when one of them, or a memory of a way, answers a question."""

import os
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from bot import errors
from bot.db import pool
from bot.db.pool import Database
from bot.domain import Caller, Fact, Layer, MemoryId, MessageId, Source, SpaceId
from bot.layers import playbook_files, playbooks
from bot.layers.playbook_files import Playbook, PlaybookFiles
from bot.layers.playbooks import PlaybookLayer, words_of
from bot.layers.walk import Finding, WalkQuestion
from bot.recall.librarian import Librarian
from bot.store.archivist import Archivist, Author
from bot.store.rooms import Rooms
from bot.store.spaces import Spaces
from bot.text import front_matter
from tests import people
from tests.conftest import Clock

ANN: Final = people.caller(admin=True)
STAFF: Final = people.caller(admin=True, channel=11, sees=(10, 11))
DEPLOY: Final = """---
title: Deploying the website
when:
  - how do we ship
tags: [website, release]
---
# Steps

1. Run the tests.
2. Push the tag.
"""


def written(folder: Path, name: str, text: str | bytes) -> Path:
    """A file on the shelf of a settings folder."""
    (folder / "playbooks").mkdir(exist_ok=True)
    path = folder / "playbooks" / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def book(**fields: Any) -> Playbook:
    return replace(Playbook(name="x.md", title="Deploying the website", body="1. Push."), **fields)


def asking(clock: Clock, text: str, by: Caller = ANN, **fields: Any) -> WalkQuestion:
    return WalkQuestion(caller=by, question=people.said(by, text, clock()), session_id=None, **fields)


@dataclass
class Community:
    """A space with a public and a private channel, and playbooks beside its settings."""

    database: Database
    clock: Clock
    folder: Path
    archivist: Archivist
    procedures: PlaybookLayer

    async def keep(
        self,
        *texts: str,
        topic: str = "general",
        room: str = "procedures",
        by: Caller = ANN,
        evidence: tuple[MessageId, ...] = (),
    ) -> None:
        facts = [
            Fact(
                content=text,
                topic=topic,
                room=room,
                importance=8,
                source=Source.USER,
                author_id=by.person_id,
                author=by.name,
                evidence=evidence,
            )
            for text in texts
        ]
        author = Author.person(by, "remember")
        await self.archivist.save(by.space_id, by.channel_id, facts, author, now=self.clock())

    async def look(self, text: str, by: Caller = ANN, **fields: Any) -> Finding:
        return await self.procedures.look(asking(self.clock, text, by, **fields))


@asynccontextmanager
async def community(database: Database, clock: Clock, folder: Path) -> AsyncGenerator[Community]:
    for caller, name in ((ANN, "general"), (STAFF, "Staff")):
        await Spaces(database).ensure(caller, channel_name=name, mode="all", language="english", now=clock())
    named_in = {ANN.space_id}
    procedures = PlaybookLayer(PlaybookFiles(folder), Rooms(database), Librarian(database), named_in=named_in)
    yield Community(database, clock, folder, Archivist(database), procedures)


# --- front matter ---------------------------------------------------------------------------------------------------


def test_fields_are_read_in_every_form() -> None:
    """A value, a list in brackets, a list of lines; quotes, comments, colons and a mark of order are no matter."""
    text = """\ufeff---
title: "A: title"
# a comment
Tags: [one, "two, three", 'four']
when:
  - why: so
- "quoted"

empty:
rooms: []
---

# Body
---
more
"""
    fields, body = front_matter.parse(text)
    assert {
        "title": ("A: title",),
        "tags": ("one", "two, three", "four"),
        "when": ("why: so", "quoted"),
        "empty": (),
        "rooms": (),
    } == fields
    assert "# Body\n---\nmore" == body


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("# Steps", "line 1 must be ---"),
        ("", "line 1 must be ---"),
        ("---\ntitle: x\n", "have no end"),
        ("---\ntitle: x\nnonsense\n---\nx", "line 3 is no field"),
        ("---\n- item\n---\nx", "line 2 is no field"),
        ("---\ntitle: x\n- item\n---\nx", "line 3 is no field"),
        ("---\ntitle: x\ntitle: y\n---\nx", "line 3: title is given twice"),
        ("---\ntitle: |\n  x\n---\nx", "line 2: a value that begins with |"),
        ("---\ntags: [a, b\n---\nx", "line 2: the list has no end"),
        ("---\ntitle: x\ntriger: y\n---\nx", "no field triger; did you mean triggers?"),
        ("---\ntags: [a]\n---\nx", "it needs a title"),
        ("---\ntitle: x\n---\n \n", "it holds no steps"),
    ],
)
def test_what_is_wrong_with_a_playbook_is_said(text: str, why: str) -> None:
    """By its line where there is one."""
    with pytest.raises(errors.SettingsError, match=re.escape(why)):
        playbook_files.parsed("x.md", text)


@given(
    text=st.text(max_size=200)
    | st.lists(st.sampled_from(["---", "title: x", "- y", "when:", "[", '"', "#", ""])).map("\n".join)
)
@example(text="---\n---\n")
def test_any_text_is_a_playbook_or_refused(text: str) -> None:
    """With one sentence and nothing else."""
    said, found = "", None
    try:
        found = playbook_files.parsed("x.md", text)
    except errors.SettingsError as exc:
        said = str(exc)
    assert bool(said) is not (found is not None and bool(found.title) and bool(found.body))


# --- the shelf ------------------------------------------------------------------------------------------------------


def test_a_folder_that_is_not_there_is_an_empty_shelf(tmp_path: Path) -> None:
    """No playbooks, and nothing wrong."""
    found = PlaybookFiles(tmp_path)
    assert ((), ()) == (found.read(), found.faults)


async def test_a_trigger_holds_as_soon_as_its_file_is_there(database: Database, clock: Clock, tmp_path: Path) -> None:
    """A playbook laid down in an empty folder, or in none, is found with the next message, and gone with its file."""
    async with community(database, clock, tmp_path) as place:
        told = [await place.procedures.is_triggered(ANN, "How do we ship?")]
        path = written(tmp_path, "ship.md", DEPLOY)
        told += [await place.procedures.is_triggered(ANN, text) for text in ("How do we ship?", "Who is Bo?")]
        path.unlink()
        told.append(await place.procedures.is_triggered(ANN, "How do we ship?"))
    assert [False, True, False, False] == told


def test_a_changed_file_is_read_again_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the time it was written; one that is gone is gone from the shelf."""
    one, _ = written(tmp_path, "a.md", DEPLOY), written(tmp_path, "b.md", DEPLOY)
    written(tmp_path, ".hidden.md", "x")
    written(tmp_path, "notes.txt", "x")
    read: list[str] = []
    plain = Path.open

    def opened(path: Path, mode: str = "r", **how: Any) -> Any:
        if mode == "rb":
            read.append(path.name)
        return plain(path, mode, **how)

    monkeypatch.setattr(Path, "open", opened)
    found = PlaybookFiles(tmp_path)
    assert ["a.md", "b.md"] == [each.name for each in found.read()]
    found.read()
    one.write_text(DEPLOY.replace("website", "kiln"))
    os.utime(one, ns=(1, 1))
    assert ["Deploying the kiln", "Deploying the website"] == [each.title for each in found.read()]
    assert ["a.md", "b.md", "a.md"] == read
    one.unlink()
    assert ["b.md"] == [each.name for each in found.read()]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"---\ntitle: x\nnonsense\n---\nx", "line 3 is no field"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (DEPLOY.encode() + b"x" * playbook_files.LARGEST, "is longer than 64 KiB"),
    ],
)
def test_a_bad_file_is_skipped_and_told_once(tmp_path: Path, content: bytes, reason: str) -> None:
    """By its name, until it changes; the others are read."""
    path = written(tmp_path, "bad.md", content)
    written(tmp_path, "good.md", DEPLOY)
    found = PlaybookFiles(tmp_path)
    with capture_logs() as logged:
        first, _ = found.read(), found.read()
        os.utime(path, ns=(1, 1))
        found.read()
    assert ["good.md"] == [each.name for each in first]
    assert [True] == [fault.reason.startswith(reason) for fault in found.faults]
    assert [("playbook.skipped", "bad.md", "warning")] * 2 == [
        (line["event"], line["file"], line["log_level"]) for line in logged
    ]


def test_two_hundred_files_are_read(tmp_path: Path) -> None:
    """The first by name; that there are more is told."""
    for number in range(playbook_files.MOST + 2):
        written(tmp_path, f"{number:03}.md", DEPLOY)
    found = PlaybookFiles(tmp_path)
    assert playbook_files.MOST == len(found.read())
    assert [("200.md", "is one too many")] == [(fault.file, fault.reason.partition(";")[0]) for fault in found.faults]


# --- whether a file answers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("How did we deploy the website?", True),
        ("what were the steps for deploying our websites", True),
        ("did anybody document how the WEBSITE is deployed?", True),
        ("How do we ship?", True),
        ("how do we ship a release candidate to the web", True),
        ("what did we ship?", False),
        ("who broke the website?", False),
        ("what is the way we do it?", False),
        ("how was the weather on the coast?", False),
        ("", False),
    ],
)
def test_a_playbook_answers_by_two_telling_words_or_a_trigger(question: str, answers: bool) -> None:
    """Words of its title and triggers, whatever their form; one alone, or words of asking, do not."""
    found = playbooks.score_of(book(triggers=("how do we ship",)), words_of(question))
    assert answers is (found > 0)


def test_words_of_the_text_alone_are_no_hit() -> None:
    """What is only mentioned somewhere in the steps is no documented way."""
    assert 0 == playbooks.score_of(book(body="Call the florist about the tulips."), words_of("tulips of the florist?"))


def test_a_trigger_without_blanks_is_found() -> None:
    """Where words are not parted, letters are compared."""
    one = book(title="デプロイ", triggers=("サイトを公開",))
    assert (True, False) == (
        playbooks.score_of(one, words_of("昨日サイトを公開した手順は?")) > 0,
        playbooks.score_of(one, words_of("天気は?")) > 0,
    )


def test_the_section_that_answers_is_shown() -> None:
    """All of a short playbook; of a long one the section nearest to the question, in whole lines, 1,500 letters."""
    steps = "\n".join(f"{number}. Turn the valve {number} times." for number in range(100))
    long = f"# Kiln\n\nAbout it.\n\n## Firing\n\n{steps}\n\n## Cleaning\n\n1. Sweep the floor.\n"
    asked = words_of("how do we clean the kiln floor?")
    assert "1. Push." == playbooks.section(book(), asked)
    assert "## Cleaning\n\n1. Sweep the floor." == playbooks.section(book(body=long), asked)
    firing = playbooks.section(book(body=long), words_of("firing valves"))
    assert (True, True, True) == (
        firing.startswith("## Firing"),
        firing.endswith("times.\n…"),
        len(firing) <= playbooks.LONGEST,
    )


# --- the layer ------------------------------------------------------------------------------------------------------


async def test_a_file_answers_with_its_steps(database: Database, clock: Clock, tmp_path: Path) -> None:
    """Labelled P1, by its title and without an author."""
    written(tmp_path, "deploy.md", DEPLOY)
    async with community(database, clock, tmp_path) as there:
        found = await there.look("how did we deploy the website?")
    (one,) = found.evidence
    assert ("P1", Layer.PROCEDURES, "Deploying the website", None) == (one.label, one.layer, one.title, one.author)
    assert "1. Run the tests." in one.content
    assert (1, "playbooks that answer: 1, memories: 0") == (found.looked, found.why)


async def test_the_best_comes_first(database: Database, clock: Clock, tmp_path: Path) -> None:
    """Numbered in their order; words of the title are worth more than words of the text."""
    written(tmp_path, "a.md", DEPLOY.replace("the website", "the website of the kiln"))
    written(tmp_path, "b.md", DEPLOY.replace("the website", "the website and the shop"))
    async with community(database, clock, tmp_path) as there:
        found = await there.look("how did we deploy the website with the shop?")
    assert [("P1", "Deploying the website and the shop"), ("P2", "Deploying the website of the kiln")] == [
        (one.label, one.title) for one in found.evidence
    ]


async def test_nothing_documented_is_empty(database: Database, clock: Clock, tmp_path: Path) -> None:
    """It tells how much was looked at, and no word of the question."""
    written(tmp_path, "deploy.md", DEPLOY)
    async with community(database, clock, tmp_path) as there:
        await there.keep("Glaze is stirred before dipping.")
        found = await there.look("how do we stir the soup?")
    assert ((), 2) == (found.evidence, found.looked)
    assert ("none of 2" in found.why, "stir" in found.why) == (True, False)


async def test_a_memory_of_the_room_procedures_answers(database: Database, clock: Clock, tmp_path: Path) -> None:
    """With its number, its author and the message it rests on; what is filed elsewhere does not."""
    async with community(database, clock, tmp_path) as there:
        said = people.said(ANN, "First stir the glaze, then dip the pot.", clock())
        await there.keep("First stir the glaze, then dip the pot.", topic="glazing", evidence=(said.message_id,))
        await there.keep("Ben stirred the glaze and dipped a pot.", room="general")
        found = await there.look("how did we stir the glaze?")
    (one,) = found.evidence
    assert ("#1", MemoryId(1), "glazing", "Ann") == (one.label, one.memory_id, one.title, one.author)
    assert ((said.message_id,), None, "First stir the glaze, then dip the pot.") == (
        one.rests_on,
        one.message,
        one.content,
    )


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("how do we clean the sieve?", True),
        ("how was the sieve cleaned after the glaze?", True),
        ("what about glazing?", True),
        ("where is the sieve?", False),
        ("how do we do it?", False),
    ],
)
async def test_a_memory_answers_by_two_telling_words_or_its_topic(
    database: Database, clock: Clock, tmp_path: Path, question: str, answers: bool
) -> None:
    """One word alone is not enough unless it is what the memory is filed under."""
    async with community(database, clock, tmp_path) as there:
        await there.keep("Clean the sieve with hot water.", topic="glazing")
        assert answers is bool((await there.look(question)).evidence)


async def test_a_private_channels_procedures_stay_there(database: Database, clock: Clock, tmp_path: Path) -> None:
    """And another space's, and what is forgotten, are not found at all."""
    other = people.caller("Ben", space=2, channel=20, admin=True)
    async with community(database, clock, tmp_path) as there:
        await Spaces(database).ensure(other, channel_name="c", mode="all", language="english", now=clock())
        await there.keep("Pay the salaries by wire.", by=STAFF)
        await there.keep("Pay the salaries by cheque.", by=other)
        question = "how do we pay salaries?"
        here, staff = await there.look(question), await there.look(question, STAFF)
        await there.archivist.forget(STAFF, MemoryId(1), now=clock.forward(seconds=1))
        gone = await there.look(question, STAFF)
    assert ((), ["Pay the salaries by wire."], ()) == (
        here.evidence,
        [one.content for one in staff.evidence],
        gone.evidence,
    )


async def test_what_rests_on_the_question_is_no_answer_to_it(database: Database, clock: Clock, tmp_path: Path) -> None:
    """A memory made of it would only say it back."""
    async with community(database, clock, tmp_path) as there:
        await there.keep("How we stir the glaze is open.", evidence=(MessageId(5),))
        apart = await there.look("how do we stir the glaze?", apart_from=(MessageId(5),))
        found = await there.look("how do we stir the glaze?")
    assert (0, 1) == (len(apart.evidence), len(found.evidence))


@pytest.mark.parametrize(
    ("channels", "by", "answers"),
    [
        ("[general]", ANN, True),
        ('["#general"]', ANN, True),
        ("[staff]", ANN, False),
        ("[STAFF]", STAFF, True),
        ("['11']", STAFF, True),
        ("['11']", ANN, False),
        ("[]", ANN, True),
    ],
)
async def test_a_playbook_of_some_channels_holds_there_alone(
    database: Database, clock: Clock, tmp_path: Path, channels: str, by: Caller, answers: bool
) -> None:
    """By name or number; without channels it holds everywhere."""
    written(tmp_path, "deploy.md", DEPLOY.replace("tags:", f"channels: {channels}\ntags:"))
    async with community(database, clock, tmp_path) as there:
        assert answers is bool((await there.look("how do we ship?", by)).evidence)


async def test_a_channels_name_holds_in_no_server_but_those_listed(
    database: Database, clock: Clock, tmp_path: Path
) -> None:
    """Whoever manages another server may open a channel of that name, and reads nothing by it; nor is it triggered."""
    written(tmp_path, "deploy.md", DEPLOY.replace("tags:", "channels: [staff]\ntags:"))
    mal = replace(STAFF, space_id=SpaceId(STAFF.space_id + 1))
    async with community(database, clock, tmp_path) as there:
        await Spaces(database).ensure(mal, channel_name="staff", mode="all", language="english", now=clock())
        told = [len((await there.look("how do we ship?", by)).evidence) for by in (STAFF, mal)]
        told += [await there.procedures.is_triggered(by, "How do we ship?") for by in (STAFF, mal)]
    assert [1, 0, True, False] == told


async def test_a_thread_is_its_parent(database: Database, clock: Clock, tmp_path: Path) -> None:
    """What holds in a channel holds in its public threads."""
    written(tmp_path, "deploy.md", DEPLOY.replace("tags:", "channels: [general]\ntags:"))
    thread = replace(ANN, channel_id=STAFF.channel_id, origin=ANN.channel_id)
    async with community(database, clock, tmp_path) as there:
        assert 1 == len((await there.look("how do we ship?", thread)).evidence)


async def test_a_private_thread_is_no_channel_by_its_name(database: Database, clock: Clock, tmp_path: Path) -> None:
    """Anybody may open one that is called like a channel: what holds in that is neither found nor triggered there."""
    written(tmp_path, "deploy.md", DEPLOY.replace("tags:", "channels: [staff]\ntags:"))
    thread = replace(STAFF, is_private_thread=True)
    async with community(database, clock, tmp_path) as there:
        told = [len((await there.look("how do we ship?", by)).evidence) for by in (STAFF, thread)]
        told += [await there.procedures.is_triggered(by, "How do we ship?") for by in (STAFF, thread, ANN)]
    assert [1, 0, True, False, False] == told


async def test_of_equals_the_communitys_own_word_comes_first(database: Database, clock: Clock, tmp_path: Path) -> None:
    """And no more than five ways are shown."""
    for number in range(6):
        written(tmp_path, f"{number}.md", DEPLOY)
    async with community(database, clock, tmp_path) as there:
        await there.keep("Deploy the website on Fridays.")
        found = await there.look("deploy website")
    assert ["#1", "P1", "P2", "P3", "P4"] == [one.label for one in found.evidence]


async def test_files_answer_while_the_database_is_away(clock: Clock, tmp_path: Path) -> None:
    """And that the other source could not be asked is told; with no file that answers the layer has failed."""
    written(tmp_path, "deploy.md", DEPLOY)
    written(tmp_path, "here.md", DEPLOY.replace("tags:", "channels: ['10']\ntags:"))
    written(tmp_path, "elsewhere.md", DEPLOY.replace("tags:", "channels: [general]\ntags:"))
    async with away() as database:
        procedures = PlaybookLayer(PlaybookFiles(tmp_path), Rooms(database), Librarian(database))
        found = await procedures.look(asking(clock, "how did we deploy the website?"))
        with pytest.raises(errors.DatabaseDown):
            await procedures.look(asking(clock, "how did we glaze the pots?"))
    assert (["P1", "P2"], "the room procedures") == ([one.label for one in found.evidence], found.failed)


@asynccontextmanager
async def away() -> AsyncGenerator[Database]:
    """A database that nobody can reach."""
    unreachable = pool.asyncpg.create_pool("postgresql://nobody@127.0.0.1:1/none", min_size=0)
    await unreachable
    try:
        yield Database(unreachable)
    finally:
        unreachable.terminate()


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_no_file_is_not_opened(tmp_path: Path, kind: str) -> None:
    """A device may have no end, and a pipe waits for somebody to write: it is left out, and that is told."""
    path = written(tmp_path, "good.md", DEPLOY).with_name("strange.md")
    match kind:
        case "link":
            path.symlink_to("/dev/zero")
        case "pipe":
            os.mkfifo(path)
        case _:
            path.mkdir()
    found = PlaybookFiles(tmp_path)

    assert ["good.md"] == [each.name for each in found.read()]
    assert [("strange.md", "is not a regular file")] == [(fault.file, fault.reason) for fault in found.faults]


def test_a_link_to_what_is_endless_is_read_with_a_bound(tmp_path: Path) -> None:
    """A file of which nobody can tell how long it is is read no further than any other may be long."""
    written(tmp_path, "good.md", DEPLOY)
    (tmp_path / playbook_files.FOLDER / "endless.md").symlink_to("/proc/self/smaps")
    found = PlaybookFiles(tmp_path)

    assert ["good.md"] == [each.name for each in found.read()]
    assert ["is longer than 64 KiB"] == [fault.reason for fault in found.faults]
