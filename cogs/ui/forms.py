"""Forms with one field, opened by a button or menu, and recognised by their id alone when submitted."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

import discord

_TEXT: Final = "text"
"""The custom id of the one field there is."""


def form(
    title: str,
    custom_id: str,
    label: str,
    *,
    longest: int,
    text: str | None = None,
    style: discord.TextStyle = discord.TextStyle.paragraph,
) -> discord.ui.Modal:
    """A form with one field, filled with the text."""
    field = discord.ui.TextInput[discord.ui.Modal](custom_id=_TEXT, style=style, default=text, max_length=longest)
    made = discord.ui.Modal(title=title, custom_id=custom_id)
    made.add_item(discord.ui.Label(text=label, component=field))
    # Ended before it is shown, so that discord.py keeps nothing of it: what is sent in is known by its id.
    made.stop()
    return made


def sent_in(interaction: discord.Interaction[Any]) -> tuple[str, str]:
    """The id of a form that was filled in, whenever it was opened, and its text; no id for anything else."""
    if interaction.type is not discord.InteractionType.modal_submit:
        return "", ""
    data = cast("Mapping[str, Any]", interaction.data or {})
    return str(data.get("custom_id")), next(_texts(data), "")


def _texts(part: Mapping[str, Any]) -> Iterator[str]:
    """What was filled in, however deep it lies."""
    if part.get("custom_id") == _TEXT and "value" in part:
        yield str(part["value"])
    for each in [*(part.get("components") or ()), *([part["component"]] if "component" in part else [])]:
        yield from _texts(each)
