"""What replies on Discord name instead of typed commands: what can be clicked, and on the panel what can be pressed."""

import re

import pytest

from bot.commands.grammar import GRAMMARS
from bot.db.pool import Database
from cogs.commands import clickable
from tests.cogs import simulated
from tests.cogs.simulated import answer, shown
from tests.conftest import Clock

TYPED = re.compile(rf"!(?:{'|'.join(GRAMMARS)})\b")


@pytest.mark.parametrize(
    "chosen",
    ["admin memory show", "admin who show", "admin settings why", "admin settings answers", "admin channel disable"],
)
async def test_a_chosen_command_names_others_to_be_clicked(chosen: str, database: Database, clock: Clock) -> None:
    """Wherever Discord's list has one for the same."""
    async with simulated.world(database, clock) as world:
        told = shown(answer(await world.choose(chosen)))
    assert (None, True) == (TYPED.search(told), "</" in told)


@pytest.mark.parametrize("prefix", ["!", "?", ".."])
def test_the_panel_names_its_buttons(prefix: str) -> None:
    """By their labels, in the space's prefix; other commands stay."""
    text = f"{prefix}memory off me does, {prefix}mydata erase confirm does it, {prefix}mydata eraser {prefix}recall"
    told = clickable.on_panel(text, prefix)
    assert told == (
        f"**Stop remembering me** does, **Erase everything of mine** does it, {prefix}mydata eraser {prefix}recall"
    )


def test_where_somebody_may_be_quoted_nothing_is_changed() -> None:
    """People write of commands, too."""
    said = "type !memory off me"
    assert said == clickable.told(said, "recall", "!", str)
