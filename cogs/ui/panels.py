"""The private panel of `/privacy`: what is kept of whoever opened it, and the buttons to change that."""

from enum import StrEnum
from typing import Final

import discord

from bot import catalogue
from bot.domain import Reply
from cogs.text import splitting
from cogs.ui import buttons, layouts
from cogs.ui.button_kinds import Button

PANEL: Final = "PrivacyPanel"
"""Name of the cog that does what its buttons say."""
LONGEST: Final = 3_500
"""Characters of what the panel tells; Discord takes 4,000 of all texts of a message."""
TITLE: Final = catalogue.later("Your privacy")
_SURE: Final = catalogue.later("Are you sure? Nothing and nobody can bring it back.")


class Does(StrEnum):
    """What a button of the panel does."""

    HERE = "here"
    SEE = "see"
    EXPORT = "export"
    STOP = "stop"
    RESUME = "resume"
    ERASE = "erase"
    """Tells what would be erased."""
    ERASE_ALL = "erase-all"
    """Asks a second time."""
    ERASE_FOR_GOOD = "erase-for-good"


LABELS: Final = {
    Does.HERE: catalogue.later("What is kept here"),
    Does.SEE: catalogue.later("What you have of me"),
    Does.EXPORT: catalogue.later("Give me all of it"),
    Does.STOP: catalogue.later("Stop remembering me"),
    Does.RESUME: catalogue.later("Remember me again"),
    Does.ERASE: catalogue.later("Erase …"),
    Does.ERASE_ALL: catalogue.later("Erase everything of mine"),
    Does.ERASE_FOR_GOOD: catalogue.later("Yes, for good"),
}
_IRREVERSIBLE: Final = frozenset({Does.ERASE_ALL, Does.ERASE_FOR_GOOD})
_SHOWING: Final = frozenset({Does.HERE, Does.SEE})
"""Those that only show something, and are the state of the panel then."""


class PanelButton(Button, template=rf"hathi:own:(?:{'|'.join(Does)})"):
    """Does something with what is kept of the presser."""

    handled_by = PANEL

    @property
    def does(self) -> Does:
        """What it does."""
        return Does(self.custom_id.rpartition(":")[2])


def privacy(reply: Reply, does: Does, *, opted_out: bool = False) -> discord.ui.LayoutView:
    """The panel, telling what became of the button pressed last; for whoever `opted_out` or did not."""
    text = splitting.cut(reply.text, LONGEST)
    more: list[Button] = []
    if reply.asks is not None and does is Does.ERASE:
        more.append(_button(Does.ERASE_ALL))
    elif reply.asks is not None and does is Does.ERASE_ALL:
        text = f"{text}\n\n**{catalogue.gettext(_SURE)}**"
        more.append(_button(Does.ERASE_FOR_GOOD))
    if reply.erased_by is not None:
        more.append(buttons.delete(reply.erased_by))
    changes = (Does.RESUME if opted_out else Does.STOP, Does.ERASE)
    shown = [
        *layouts.rows(_button(each, is_shown=each is does) for each in (Does.HERE, Does.SEE, Does.EXPORT)),
        *layouts.rows(map(_button, changes)),
    ]
    title = f"### {catalogue.gettext(TITLE)}"
    return layouts.boxed(*map(layouts.text, (title, text)), discord.ui.Separator(), *shown, *layouts.rows(more))


def _button(does: Does, *, is_shown: bool = False) -> PanelButton:
    style = discord.ButtonStyle.danger if does in _IRREVERSIBLE else discord.ButtonStyle.secondary
    is_state = is_shown and does in _SHOWING
    return PanelButton(
        discord.ui.Button(
            label=catalogue.gettext(LABELS[does]),
            custom_id=f"hathi:own:{does}",
            style=discord.ButtonStyle.primary if is_state else style,
            disabled=is_state,
        )
    )
