"""What is put under a command's reply, within Discord's limits."""

import discord
import pytest

from bot.domain import Reply
from bot.presentation import introduction
from cogs.commands.drawing import MOST_UNDER, Drawing
from cogs.text import splitting
from cogs.text.splitting import LIMIT
from cogs.ui import buttons, layouts

LINE = introduction.to_person("</privacy:1576103483340226560>", "all", is_direct=True)


@pytest.mark.parametrize("length", [1, LIMIT - MOST_UNDER - 1, LIMIT - MOST_UNDER, LIMIT - 1, LIMIT, LIMIT + 1])
def test_a_line_under_a_text_never_makes_it_too_long(length: int) -> None:
    """It is in the last message of the reply, and in none where that has no room for it."""
    drawing = Drawing("remember", Reply(text="x" * length), None)
    before = len(drawing.pieces)
    if drawing.has_room():
        drawing.add([LINE])
    assert all(splitting.size(piece) <= LIMIT for piece in drawing.pieces)
    assert (before, [LINE]) == (len(drawing.pieces), [*drawing.pieces[-1].splitlines()[1:]] or [LINE])
    assert drawing.has_room() or length > LIMIT - 2 * MOST_UNDER
    assert len(LINE) < MOST_UNDER


@pytest.mark.parametrize("length", [1, layouts.TEXTS - MOST_UNDER, layouts.TEXTS - MOST_UNDER + 1, layouts.TEXTS])
def test_a_line_under_components_never_makes_them_too_many(length: int) -> None:
    """Nor their texts too long."""
    view = layouts.told("x" * length, [buttons.ask()])
    assert (length + MOST_UNDER <= layouts.TEXTS) is layouts.has_room(view, MOST_UNDER)
    for _ in range(layouts.COMPONENTS - view.total_children_count):
        assert view.total_children_count < layouts.COMPONENTS
        view.add_item(discord.ui.Separator())
    assert not layouts.has_room(view, 1)
