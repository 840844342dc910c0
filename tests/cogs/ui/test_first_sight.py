"""What a message shows before anything is pressed: what is told, and below it what can be done with it."""

import discord

from bot.commands.resets import talk_left
from bot.db.pool import Database
from bot.domain import Reply, SessionId, SpaceId
from bot.lifecycle.summaries import SummaryDone
from bot.text import notices
from cogs.ui import buttons as controls
from cogs.ui import drawn_lists, panels, reset_messages
from cogs.ui.drawn_lists import PagedBy
from cogs.ui.panels import Does
from tests.cogs import simulated
from tests.conftest import Clock


def kinds(layout: discord.ui.LayoutView) -> list[str]:
    """What a message is made of, in its order: texts as they are, buttons by their labels, others by their kind."""
    found: list[str] = []
    for item in layout.walk_children():
        if isinstance(item, discord.ui.TextDisplay):
            found.append(item.content)
        elif isinstance(item, discord.ui.DynamicItem):
            found.append(item.item.label)
        else:
            found.append(type(item).__name__)
    return found


async def test_pages_are_counted_where_there_are_more_than_one(database: Database, clock: Clock) -> None:
    """A list of one page says at most what asks for it again; it is read from both."""
    async with simulated.world(database, clock) as world:
        await world.say("!remember the cat is Tom")
        short = await world.say("!memories")
        (bare,) = (await world.press(short, controls.ALL)).followups
        found = await world.say("!recall cat")
        for thing in ("lamp", "door", "roof", "bell", "oven", "gate"):
            await world.say(f"!remember the {thing} is new")
        paged = await world.say("!memories")
    assert None is drawn_lists.asked(bare.message)
    assert "Page" not in "".join(map(simulated.shown, (short, bare, found)))
    assert PagedBy(page=1, pages=1, name="memories", line="") == drawn_lists.asked(short)
    assert "\n-# !recall cat" in simulated.shown(found)
    assert PagedBy(page=1, pages=1, name="recall", line="cat") == drawn_lists.asked(found)
    assert "\n-# Page 1 of 2 · !memories" in simulated.shown(paged)
    assert PagedBy(page=1, pages=2, name="memories", line="") == drawn_lists.asked(paged)


def test_what_can_be_pressed_under_a_reset_stands_below_all_that_is_told() -> None:
    """The talk that is not in it, and that the conversation is cleared, are read before the buttons for that."""
    done = SummaryDone(space_id=SpaceId(1), channel_id=2, session_id=SessionId(3), message_count=4, leaves_talk=True)
    _, *below = kinds(reset_messages.summary(done))
    assert [f"{talk_left()}\n{notices.CLEARED}", "ActionRow", "Undo all", "Include the talk here"] == below


def test_the_panel_says_what_it_is_for() -> None:
    """Above what it tells, whatever button was pressed last."""
    for does in (Does.HERE, Does.SEE):
        assert ["Container", f"### {panels.TITLE}", "told"] == kinds(panels.privacy(Reply(text="told"), does))[:3]
