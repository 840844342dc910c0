"""The laws of `!memory makes`: who says what is made of a channel's talk, and what is refused."""

from collections.abc import AsyncGenerator

import pytest

from bot import errors
from bot.commands.grammar import GRAMMARS
from bot.db.pool import Database
from cogs.ui import options
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import rows

ANN = people.caller(admin=True)


@pytest.fixture
async def here(database: Database, clock: Clock) -> AsyncGenerator[Room]:
    async with room(database, clock, who=ANN) as r:
        yield r


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (["makes facts"], (["facts"], None)),
        (["makes Facts, ledger"], (["ledger", "facts"], None)),
        (["makes ledger,facts workflow:facts"], (["ledger", "facts"], "facts")),
        (["makes workflow:ledger"], (None, "ledger")),
        (["makes ledger,facts workflow:facts", "makes facts"], (["facts"], "facts")),
        (["makes ledger,facts workflow:facts", "makes ledger"], (["ledger"], None)),
        (["makes ledger,facts workflow:facts", "makes workflow:none"], (["ledger", "facts"], None)),
        (["makes ledger", "makes"], (["ledger"], None)),
    ],
)
async def test_what_is_given_is_kept(
    here: Room, database: Database, lines: list[str], kept: tuple[list[str] | None, str | None]
) -> None:
    """What is left out stays as it was, but for a workflow that would make nothing any more."""
    for line in lines:
        await here.run(f"!memory {line}")
    assert [kept] == await rows(database, "SELECT makes, workflow FROM channel")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("makes none", "!memory mode off"),
        ("makes ledger,poems", "'poems'"),
        ("makes ledger,facts,ledger,x", "2 words"),
        ("makes ,", "2 words"),
        ("makes facts workflow:poems", "none, facts, ledger"),
        ("makes facts workflow:ledger", "name ledger as well"),
        ("makes facts workflow:facts workflow:none", "twice"),
        ("makes facts workflows:facts", "workflows:facts"),
    ],
)
async def test_what_is_nothing_that_can_be_made_is_refused(
    here: Room, database: Database, line: str, word: str
) -> None:
    """With what would be right; then nothing is changed."""
    with pytest.raises(errors.BadArgument) as told:
        await here.run(f"!memory {line}")
    assert word in told.value.said("!")
    assert [(None, None)] == await rows(database, "SELECT makes, workflow FROM channel")


async def test_anyone_may_look_and_who_manages_the_server_may_set(here: Room) -> None:
    """Also where the workflow alone is given."""
    assert "facts" in await here.run("!memory makes", people.caller("Bob", person=8))
    for line in ("facts", "workflow:facts"):
        with pytest.raises(errors.NotAllowed):
            await here.run(f"!memory makes {line}", people.caller("Bob", person=8))


def test_the_slash_form_is_the_typed_one() -> None:
    """Two options, each of which may be left out."""
    (form,) = [form for form in GRAMMARS["memory"].forms if form.words == "makes"]
    assert [("makes", False), ("workflow", False)] == [(o.name, o.is_required) for o in options.of_form(form)]
    chosen = options.compiled(GRAMMARS["memory"], {"makes": "ledger, facts", "workflow": "facts"}, "makes")
    assert ({"makes": ("ledger", "facts"), "workflow": "facts"}, "makes") == (chosen.named, chosen.form)
    alone = options.compiled(GRAMMARS["memory"], {"makes": None, "workflow": "none"}, "makes")
    assert {"workflow": "none"} == alone.named
