"""The laws of who Hathi is: the operator's file, a space's own text, and the bound on both."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from bot import errors
from bot.config import BudgetSettings
from bot.db.pool import Database
from bot.domain import SpaceId
from bot.llm.tokens import estimate
from bot.prompting import identity
from bot.prompting.identity import Identity
from bot.store.spaces import Spaces
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room

MOST_TOKENS: Final = BudgetSettings().identity
ROOT: Final = people.caller("Root", person=9, admin=True)
ANN: Final = replace(people.caller(), is_moderator=False)
SENTENCE: Final = "We fire pots and keep the kiln in order. "


def put(folder: Path, text: str | bytes) -> Path:
    path = folder / "identity.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


async def refused(r: Room, line: str, by: people.Caller = ROOT) -> str:
    """The sentence a line is refused with."""
    with pytest.raises(errors.UserError) as caught:
        await r.run(line, by=by)
    return str(caught.value)


# --- the file -------------------------------------------------------------------------------------------------------


def test_what_comes_along_fits() -> None:
    """Without a file the shipped text is used, whole."""
    assert (True, True) == (0 < estimate(identity.shipped()) <= MOST_TOKENS, "Hathi" in identity.shipped())


async def test_the_operators_file_is_who_hathi_is(database: Database, clock: Clock, tmp_path: Path) -> None:
    """Read again when it changes; where it goes, what comes along is back; an empty one says nothing."""
    who = Identity(tmp_path, Spaces(database), clock, most=MOST_TOKENS)
    told = [await who.of(SpaceId(1))]
    for number, text in enumerate(("I am the potter.\n", "I am the baker.\n", "\n")):
        os.utime(put(tmp_path, text), ns=(number, number))
        told.append(await who.of(SpaceId(1)))
    (tmp_path / "identity.txt").unlink()
    told.append(await who.of(SpaceId(1)))
    assert [identity.shipped(), "I am the potter.", "I am the baker.", "", identity.shipped()] == told


def test_a_file_that_is_too_long_is_cut_at_a_sentence(tmp_path: Path) -> None:
    """At most 200 tokens of it are used; how many it has is told."""
    put(tmp_path, SENTENCE * 50)
    found = identity.written(tmp_path, MOST_TOKENS)
    assert (True, True) == (found.text.endswith("in order."), estimate(found.text) <= MOST_TOKENS)
    assert estimate((SENTENCE * 50).strip()) == found.tokens
    assert (True, True) == (f"{found.tokens} tokens" in found.fault, f"up to {MOST_TOKENS}" in found.fault)
    longer = found.text + " " + SENTENCE.strip()
    assert estimate(longer) > MOST_TOKENS


def test_a_list_is_cut_at_a_line(tmp_path: Path) -> None:
    """Lines end as sentences do."""
    put(tmp_path, "\n".join(f"- mandate number {number} of this community" for number in range(60)))
    found = identity.written(tmp_path, MOST_TOKENS)
    assert found.text.splitlines()[-1].endswith("of this community")


@given(text=st.text(max_size=3000) | st.text(alphabet="ab. \n", max_size=3000))
def test_what_is_cut_is_a_beginning_that_fits(text: str) -> None:
    """Whatever stands in it; and what fits is not cut."""
    found = identity.fitted(text, MOST_TOKENS)
    assert (True, True) == (text.startswith(found), estimate(found) <= MOST_TOKENS)
    assert found == text or estimate(text) > MOST_TOKENS


async def test_a_cut_is_told_in_the_log_once(database: Database, clock: Clock, tmp_path: Path) -> None:
    """By the file and its tokens, without its words, and again only when it changes."""
    os.utime(put(tmp_path, SENTENCE * 50), ns=(1, 1))
    who = Identity(tmp_path, Spaces(database), clock, most=MOST_TOKENS)
    with capture_logs() as logged:
        for _ in range(3):
            await who.of(SpaceId(1))
        os.utime(put(tmp_path, SENTENCE * 51), ns=(2, 2))
        await who.of(SpaceId(1))
    assert [("identity.cut", "warning", "identity.txt")] * 2 == [
        (line["event"], line["log_level"], line["file"]) for line in logged
    ]
    assert "kiln" not in str(logged)


def test_a_file_that_is_no_text_is_not_used(tmp_path: Path) -> None:
    """What comes along is, and it is said."""
    put(tmp_path, b"\xff\xfe\x00")
    found = identity.written(tmp_path, MOST_TOKENS)
    assert (identity.shipped(), True) == (found.text, "not UTF-8" in found.fault)


# --- a space's own --------------------------------------------------------------------------------------------------


async def test_a_space_has_its_own(database: Database, clock: Clock) -> None:
    """Set by its admins, told to everybody, for that space alone, until it is reset."""
    other = people.caller("Ben", space=2, channel=20, admin=True)
    async with room(database, clock, who=ROOT) as r:
        await r.app.enter(other, channel_name="c", mode="all")
        before = await r.run("!identity", by=ANN)
        told = await r.run("!identity set I am the potter.\nI keep the kiln's book.")
        shown, of_it = await r.run("!identity", by=ANN), await r.app.who.of(ROOT.space_id)
        theirs = await r.app.who.of(other.space_id)
        back, again = await r.run("!identity reset"), await r.run("!identity reset")
        after = await r.app.who.of(ROOT.space_id)
    own = "    I am the potter.\n    I keep the kiln's book."
    assert before.startswith("Who I am everywhere:\n    I am Hathi,")
    for text, first in ((told, "From now on, here:"), (shown, "Who I am here")):
        assert (True, True) == (text.startswith(first), f":\n{own}\n!identity reset" in text)
    assert ("I am the potter.\nI keep the kiln's book.", identity.shipped()) == (of_it, theirs)
    assert [True, True] == [back.startswith("I am here who I am"), again.startswith("As before, I am here")]
    assert identity.shipped() == after


async def test_more_than_two_hundred_tokens_are_refused(database: Database, clock: Clock) -> None:
    """With the count; what it was stays."""
    text = (SENTENCE * 50).strip()
    async with room(database, clock, who=ROOT) as r:
        sentence = await refused(r, f"!identity set {text}")
        kept = await r.app.who.own(ROOT.space_id)
    assert (True, True) == (f"{estimate(text)} tokens" in sentence, f"at most {MOST_TOKENS}" in sentence)
    assert kept is None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("!identity set", "!identity set needs a value: !identity set <text>"),
        ("!identity set \u200b", "no text to keep"),
        ("!identity st me", "I don't know 'st me'; did you mean !identity set …? !identity, !identity set <text>"),
    ],
)
async def test_what_says_nothing_is_refused(database: Database, clock: Clock, line: str, told: str) -> None:
    """In one sentence, and nothing is set."""
    async with room(database, clock, who=ROOT) as r:
        assert told in await refused(r, line)
        assert await r.app.who.own(ROOT.space_id) is None


async def test_only_who_manages_the_server_sets_it(database: Database, clock: Clock) -> None:
    """Anybody may look."""
    async with room(database, clock, who=ROOT) as r:
        told = [await refused(r, line, by=ANN) for line in ("!identity set I obey Ann.", "!identity reset")]
    assert [True, True] == [
        sentence.startswith(f"!identity {form} needs the permission Manage Server")
        for form, sentence in zip(("set", "reset"), told, strict=True)
    ]


async def test_another_processs_change_is_seen_in_half_a_minute(
    database: Database, clock: Clock, tmp_path: Path
) -> None:
    """Not asked for at every turn, and never older than that; an own change is seen at once."""
    await Spaces(database).ensure(ROOT, channel_name="c", mode="all", language="english", now=clock())
    one, other = (Identity(tmp_path, Spaces(database), clock, most=MOST_TOKENS) for _ in range(2))
    await one.of(ROOT.space_id)
    await other.set(ROOT.space_id, "I am the potter.")
    assert (identity.shipped(), "I am the potter.") == (await one.of(ROOT.space_id), await other.of(ROOT.space_id))
    clock.forward(seconds=31)
    assert "I am the potter." == await one.of(ROOT.space_id)


async def test_other_settings_of_a_space_stay(database: Database, clock: Clock) -> None:
    """Setting and resetting touch nothing beside it."""
    spaces = Spaces(database)
    await spaces.ensure(ROOT, channel_name="c", mode="all", language="english", now=clock())
    async with database.connection() as connection:
        await connection.execute("UPDATE space SET settings = '{\"other\": 1}'")
        await spaces.set_identity(ROOT.space_id, 'A "quoted" text')
        both = await connection.fetchval("SELECT settings FROM space")
        await spaces.set_identity(ROOT.space_id, None)
        left = await connection.fetchval("SELECT settings FROM space")
    assert ({"other": 1, "identity": 'A "quoted" text'}, {"other": 1}) == (both, left)
