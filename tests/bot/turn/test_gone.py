"""What is gone is told nowhere any more: no prompt, no reply, no trail of an older answer and no wake block has it."""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest

from bot.db.pool import Database
from bot.domain import MemoryId
from bot.prompting.evidence import FOUND_HEADING
from bot.store.archivist import Archivist
from tests import house, people
from tests.house import MATTERS, House, holding
from tests.model_server import Reply
from tests.rows import one
from tests.waiting import becomes

OFFERED: Final = (
    ("forget", "id"),
    ("note promote", "note"),
    ("why", "reply"),
    ("memories", "topic"),
    ("recall", "tag"),
)
TIMES: Final = "SELECT sum(times)::bigint FROM taken_back"
HAS_RISEN: Final = "SELECT sum(times) > $1 FROM taken_back"
LINES: Final = ("!memories", "!notes", "!wake", "!tags", "!palace", "!me", "!sessions", "!why", "!status")
_LABELLED: Final = re.compile(r"^- \[([^\]]+)\] .*?(?=^- \[|^## |\Z)", re.MULTILINE | re.DOTALL)


def paraphrase(body: dict[str, Any]) -> Reply:
    """An answer in words of its own, that holds: what it tells of is cited."""
    prompt = "\n".join(str(part["content"]) for part in body["messages"])
    found = prompt.partition(FOUND_HEADING)[2].partition("## Message to answer")[0]
    told = [(holding(one[0]), one[1]) for one in _LABELLED.finditer(found)]
    return Reply(text=" ".join(f"{marks[0]} ({label})." for marks, label in told if marks) or "Fine.")


@pytest.fixture(params=[house.answer, paraphrase], ids=["word for word", "in other words"])
async def at(database: Database, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncGenerator[House]:
    async with house.house(database, tmp_path) as found:
        found.bot.model.always = request.param
        await house.furnish(found)
        yield found


async def _deleted(at: House, kind: str) -> None:
    await at.ann.delete(at.said[kind])


async def _edited(at: House, kind: str) -> None:
    await at.ann.edit(
        at.said[kind], "Never mind.", without={"attachment": "cellar.md", "pdf": "furnace.pdf"}.get(kind, "")
    )


async def _opted_out(at: House, _kind: str) -> None:
    await at.runs(at.ann, at.staff, "!memory off me")


async def _erased(at: House, _kind: str) -> None:
    await at.runs(at.ann, at.ann.direct, "!mydata erase confirm")


async def _forgotten(at: House, kind: str) -> None:
    number = {"memory": 1, "promoted": 2}[kind]
    assert "forgot" in (await at.runs(at.ann, at.staff, f"!forget {number}")).lower()


async def _expired(at: House, _kind: str) -> None:
    async with at.database.connection() as connection:
        await connection.execute("UPDATE note SET expires_at = now() - interval '1 minute'")


EVERYTHING: Final = "memory message attachment pdf note promoted"
"""The kinds that go by one act."""
GONE: Final[tuple[tuple[str, Callable[[House, str], Awaitable[None]]], ...]] = (
    (EVERYTHING, _erased),
    ("memory", _deleted),
    ("memory", _forgotten),
    ("message", _deleted),
    ("message", _edited),
    ("attachment", _deleted),
    ("attachment", _edited),
    ("pdf", _deleted),
    ("pdf", _edited),
    ("note", _deleted),
    ("promoted", _deleted),
    ("promoted", _forgotten),
)


KEPT: Final[tuple[tuple[str, Callable[[House, str], Awaitable[None]]], ...]] = (
    ("message attachment pdf note", _opted_out),
    ("note", _expired),
)
"""What is shown no more though it is still there, or was to last no longer: what was answered from it stays."""


async def told_of(at: House, kind: str) -> tuple[list[str], ...]:
    """Where the secret of a kind comes up, asked for in every way: prompts, replies, suggestions, the log."""
    (matter,) = (matter for matter in MATTERS if matter.kind == kind)
    since, owner = at.mark(), at.bot.guild.owner
    told = [house.seen(await at.asks(owner, at.staff, text)) for text in (*matter.wordings, "What is new?")]
    for strategy in ("", " strategy:literal", " strategy:keywords"):
        told += [await at.runs(at.ann, at.staff, f"!recall {matter.words}{strategy} why")]
    told += [await at.runs(at.ann, at.staff, line) for line in LINES]
    if kind in at.answers:
        told += [await at.runs(at.ann, at.staff, f"!why {at.answers[kind].message_id}")]
        if at.answers[kind] in at.answers[kind].channel.messages:
            told += [await at.presses(at.ann, at.answers[kind], at.answers[kind].custom_ids[0])]
    offered = [await at.offered(at.ann, at.staff, *option, "") for option in OFFERED]
    texts = since.prompted, "\n".join(told), "\n".join(offered), since.logged
    return tuple(holding(text, [matter.marker]) for text in texts)


async def heard(at: House) -> None:
    """Until Hathi has heard of all that was done so far."""
    await at.asks(at.bob, at.bob.direct, "Are you there?")
    await at.bot.settled()


@pytest.mark.parametrize(("kinds", "away"), GONE, ids=[f"{kinds}{away.__name__}" for kinds, away in GONE])
async def test_what_is_gone_is_told_no_more(
    at: House, kinds: str, away: Callable[[House, str], Awaitable[None]]
) -> None:
    """However it went, and however Hathi had answered from it: asked for again, listed, suggested, looked behind."""
    await house.quote(at, kinds.split())
    for kind in kinds.split():
        assert [kind] == [matter.kind for matter in MATTERS if holding(house.seen(at.answers[kind]), [matter.marker])]
    await away(at, kinds)
    await heard(at)
    for kind in kinds.split():
        assert ([], [], [], []) == await told_of(at, kind), kind


@pytest.mark.parametrize(("kinds", "away"), KEPT, ids=[f"{kinds}{away.__name__}" for kinds, away in KEPT])
async def test_what_is_withheld_is_told_no_more(
    database: Database, tmp_path: Path, kinds: str, away: Callable[[House, str], Awaitable[None]]
) -> None:
    """Neither what somebody said, noted or sent who opted out, nor a note whose time is over, is found or listed."""
    async with house.house(database, tmp_path) as at:
        await house.furnish(at)
        await away(at, kinds)
        await heard(at)
        for kind in kinds.split():
            assert ([], [], [], []) == await told_of(at, kind), kind


@pytest.mark.parametrize(("kind", "away"), [("note", _deleted), ("note", _expired), ("promoted", _forgotten)])
async def test_a_session_wakes_up_to_nothing_that_is_gone(
    at: House, kind: str, away: Callable[[House, str], Awaitable[None]]
) -> None:
    """What the block of a new session showed it shows no more, to the model and by `!wake`, once that is gone."""
    (matter,) = (matter for matter in MATTERS if matter.kind == kind)
    await house.quote(at, [kind])
    await at.runs(at.bot.guild.owner, at.staff, "!reset")
    await at.bot.settled()
    before = at.mark()
    await at.asks(at.bot.guild.owner, at.staff, "Good morning!")
    assert [matter.marker] == holding(before.prompted, [matter.marker])
    await away(at, kind)
    await heard(at)
    since = at.mark()
    await at.asks(at.bot.guild.owner, at.staff, "What a day!")
    shown = await at.runs(at.ann, at.staff, "!wake")
    assert ([], []) == (holding(since.prompted, [matter.marker]), holding(shown, [matter.marker]))


async def test_an_answer_goes_with_a_memory_whose_words_it_brought_up(database: Database, tmp_path: Path) -> None:
    """Though it cites nothing: one that was made with the memory in sight; one with the question's own words stays."""
    async with house.house(database, tmp_path) as at:
        await house.furnish(at)
        owner = at.bot.guild.owner
        for told in ("To Quillwort!", "To the merger partner, three cheers!"):
            at.bot.model.steps.append(Reply(text=told))
            await at.asks(owner, at.staff, "Write a toast to the merger partner.")
        await _forgotten(at, "memory")
        since = at.mark()
        await at.asks(owner, at.staff, "What a day!")
        assert ["three cheers"] == holding(since.prompted, ["Quillwort", "three cheers"])


async def test_an_answer_made_from_an_answer_goes_with_it(at: House) -> None:
    """What led back to the message, by way of another answer, is gone when that is."""
    await house.quote(at, ["message"])
    asked = await at.asks(at.ann, at.staff, f"What did you say in {at.link(at.answers['message'])}?")
    assert ["Marzipolis"] == holding(house.seen(asked), ["Marzipolis"])
    await _deleted(at, "message")
    await heard(at)
    since = at.mark()
    await at.asks(at.bot.guild.owner, at.staff, "What a day!")
    assert [] == holding(since.prompted, ["Marzipolis"])


@pytest.mark.parametrize("looked_up", [False, True], ids=["in the session", "by a tool"])
async def test_an_answer_goes_with_a_message_whose_words_it_brought_up(
    database: Database, tmp_path: Path, looked_up: bool
) -> None:
    """It cites nothing and says it in other words; what has only words that others said too stays."""
    async with house.house(database, tmp_path) as at:
        await house.furnish(at)
        owner = at.bot.guild.owner
        if looked_up:
            await at.runs(owner, at.staff, "!reset")
            await at.bot.settled()
        for told in ("Off to Marzipolis with you!", "Enjoy the retreat, three cheers!"):
            if looked_up:
                at.bot.model.steps.append(Reply(calls=(("memory_recall", {"query": "the retreat takes place"}),)))
            at.bot.model.steps.append(Reply(text=told))
            await at.asks(owner, at.staff, "Write a toast to the retreat.")
        await _deleted(at, "message")
        await heard(at)
        since = at.mark()
        await at.asks(owner, at.staff, "What a day!")
        assert ["three cheers"] == holding(since.prompted, ["Marzipolis", "three cheers"])


async def test_an_answer_stays_where_the_words_it_brought_up_are_left_by_an_edit(
    database: Database, tmp_path: Path
) -> None:
    """Only what is taken out of the message goes."""
    async with house.house(database, tmp_path) as at:
        await house.furnish(at)
        owner = at.bot.guild.owner
        for told in ("Off to Marzipolis with you!", "What a retreat it will be, three cheers!"):
            at.bot.model.steps.append(Reply(text=told))
            await at.asks(owner, at.staff, "Write a toast to all of us.")
        await at.ann.edit(at.said["message"], "The retreat takes place at home.")
        await heard(at)
        since = at.mark()
        await at.asks(owner, at.staff, "What a day!")
        assert ["three cheers"] == holding(since.prompted, ["Marzipolis", "three cheers"])


@pytest.mark.parametrize(
    ("kind", "away"),
    [
        ("memory", _deleted),
        ("memory", _forgotten),
        ("message", _deleted),
        ("attachment", _deleted),
        ("promoted", _forgotten),
    ],
)
async def test_what_goes_while_it_is_being_answered_is_not_in_the_answer(
    database: Database, tmp_path: Path, kind: str, away: Callable[[House, str], Awaitable[None]]
) -> None:
    """It was shown to the model, and is gone before the answer is there: that is made anew, without it."""
    async with house.house(database, tmp_path) as at:
        await house.furnish(at)
        (matter,) = (matter for matter in MATTERS if matter.kind == kind)
        gate, since = asyncio.Event(), len(at.bot.world.prompts)
        at.bot.model.steps.append(Reply(text=house.GUESS, pieces=2, gate=gate))
        asked = await at.bot.says_to_hathi(at.bot.guild.owner, at.staff, matter.wordings[0])
        await at.bot.until(lambda: len(at.bot.world.prompts) > since)
        before = await one(database, TIMES)
        if away is _deleted:
            await away(at, kind)
        else:
            # By another process: one that answers knows of it by the database alone.
            number = MemoryId({"memory": 1, "promoted": 2}[kind])
            caller = people.caller("Ann", space=at.bot.guild.guild_id, channel=at.staff.channel_id, admin=True)
            await Archivist(database).forget(caller, number, now=at.bot.app.clock())
        await becomes(True, lambda: one(database, HAS_RISEN, before))
        gate.set()
        reply = await at.bot.answer(asked)
        shown = [holding(prompt, [matter.marker]) for prompt in at.bot.world.prompts[since:]]
        assert ([], [matter.marker], []) == (holding(house.seen(reply), [matter.marker]), shown[0], shown[-1])


@pytest.mark.parametrize(
    ("kind", "away"), [("memory", _deleted), ("memory", _forgotten), ("message", _deleted), ("message", _edited)]
)
@pytest.mark.parametrize("brought_up", [True, False], ids=["brought up", "not brought up"])
async def test_what_goes_while_a_free_answer_is_made_is_not_in_it(
    database: Database, tmp_path: Path, kind: str, away: Callable[[House, str], Awaitable[None]], brought_up: bool
) -> None:
    """An answer that brings it up is taken back and made anew; any other goes on, and nobody sees it begin again."""
    async with house.house(database, tmp_path) as at:
        await house.furnish(at)
        (matter,) = (matter for matter in MATTERS if matter.kind == kind)
        gate, since = asyncio.Event(), len(at.bot.world.prompts)
        told = f"Here is to all of you, and to {matter.marker if brought_up else 'the day'}, with three cheers from me!"
        at.bot.model.steps.append(Reply(text=told, pieces=2, gate=gate))
        asked = await at.bot.says_to_hathi(at.bot.guild.owner, at.staff, f"Write a toast to the {matter.words}.")
        await at.bot.until(lambda: len(at.bot.world.prompts) > since)
        assert [matter.marker] == holding(at.bot.world.prompts[since], [matter.marker])
        before = await one(database, TIMES)
        if away is _forgotten:
            # By another process: one that answers knows of it by the database alone.
            caller = people.caller("Ann", space=at.bot.guild.guild_id, channel=at.staff.channel_id, admin=True)
            await Archivist(database).forget(caller, MemoryId(1), now=at.bot.app.clock())
        else:
            await away(at, kind)
        await becomes(True, lambda: one(database, HAS_RISEN, before))
        gate.set()
        reply = await at.bot.answer(asked)
        assert reply.content.partition("\n\n")[0] == ("Fine." if brought_up else told)
        again = at.bot.world.prompts[since + 1 :]
        assert [[]] * brought_up == [holding(prompt, [matter.marker]) for prompt in again]


async def test_answers_elsewhere_go_with_a_session_that_is_discarded(database: Database, tmp_path: Path) -> None:
    """They were made from what was said in it, and come back when that is taken back."""
    async with house.house(database, tmp_path) as at:
        await house.furnish(at)
        owner, square, pier = at.bot.guild.owner, at.bot.channel, at.bot.guild.text_channel("pier")
        await at.ann.say(square, "The regatta starts at Fennimore bridge.")
        await at.bot.settled()
        asked = await at.asks(owner, pier, "Where did we say the regatta starts?")
        assert ["Fennimore"] == holding(house.seen(asked), ["Fennimore"])
        for line, shown in (("!reset discard", []), ("!undo", ["Fennimore"])):
            await at.runs(owner, square, line)
            await at.bot.settled()
            since = at.mark()
            await at.asks(owner, pier, "What a day!")
            assert shown == holding(since.prompted, ["Fennimore"])
