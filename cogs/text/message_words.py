"""Reads what stands in a message: its content, or the texts of its components, of which such a message is made."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import discord

_TEXT: Final = discord.ComponentType.text_display.value


def read(message: discord.Message | discord.MessageSnapshot) -> str:
    """What people read in a message, from its first line to its last; without embeds and the labels of buttons."""
    return "\n".join(filter(None, (message.content, *texts(message))))


def read_raw(data: Mapping[str, Any]) -> str:
    """The same of a message as Discord sends it, before discord.py has made one of it."""
    return "\n".join(filter(None, (data["content"], *_raw_texts(data.get("components", ())))))


def texts(message: discord.Message | discord.MessageSnapshot) -> list[str]:
    """The texts among its components, however deep they stand in each other, in their order."""
    return [*_texts(message.components)]


def _texts(components: Iterable[object]) -> Iterator[str]:
    for component in components:
        if isinstance(component, discord.TextDisplay):
            yield component.content
        yield from _texts(getattr(component, "children", ()))


def _raw_texts(components: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for component in components:
        if component["type"] == _TEXT:
            yield component["content"]
        yield from _raw_texts(component.get("components", ()))
