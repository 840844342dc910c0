"""Reads what stands in a message: its content, or the texts of its components, of which such a message is made."""

from collections.abc import Iterable, Iterator

import discord


def read(message: discord.Message | discord.MessageSnapshot) -> str:
    """What people read in a message, from its first line to its last; without embeds and the labels of buttons."""
    return "\n".join(filter(None, (message.content, *texts(message))))


def texts(message: discord.Message | discord.MessageSnapshot) -> list[str]:
    """The texts among its components, however deep they stand in each other, in their order."""
    return [*_texts(message.components)]


def _texts(components: Iterable[object]) -> Iterator[str]:
    for component in components:
        if isinstance(component, discord.TextDisplay):
            yield component.content
        yield from _texts(getattr(component, "children", ()))
