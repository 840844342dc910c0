"""Suggests values while a slash option is typed; only what everyone in the channel may see."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

import discord
from discord import app_commands

from bot import errors, log
from bot.commands.grammar import GRAMMARS
from bot.commands.reply_reasons import reference
from bot.connection.client import Client
from bot.dates import time_zones
from bot.domain import ROOMS, Caller, PlaceSetting
from bot.presentation import render
from bot.store.turn_trails import TurnTrails
from bot.text import language_names, normalize
from cogs.access.callers import Callers
from cogs.access.permissions import place_of
from cogs.text import splitting

_log = log.logger(__name__)

MOST: Final = 25
LONGEST: Final = 100
"""Characters of a suggestion."""

_OF_ROOM: Final = frozenset({"topics_inside", "filed"})
"""What is suggested of one room, where that is chosen already."""

Choices = list[app_commands.Choice[str]]
Suggest = Callable[[discord.Interaction[Any], str], Awaitable[Choices]]


class Suggestions:
    """Looks up suggestions."""

    def __init__(self, client: Client, callers: Callers) -> None:
        self._librarian = client.app.librarian
        self._spaces = client.app.spaces
        self._scratchpad = client.app.notes
        self._placing = client.app.commands.placing
        self._clock = client.app.clock
        self._reasons = TurnTrails(client.app.database)
        self._callers = callers

    def of(self, what: str) -> Suggest:
        """A function that suggests what an option asks for (`options.Option.suggests`); nothing where it fails."""
        look_up: Callable[[Caller, str], Awaitable[Choices]] = getattr(self, f"_{what}")

        async def suggest(interaction: discord.Interaction[Any], typed: str) -> Choices:
            caller: Caller | None = None
            with contextlib.suppress(errors.NotFound):
                caller = self._callers.now(interaction.user, place_of(interaction))
            room = getattr(interaction.namespace, "room", None)
            try:
                if caller is not None and what in _OF_ROOM and isinstance(room, str) and room.strip():
                    return await self._topics_of(caller, _searchable(room), _searchable(typed))
                return [] if caller is None else await look_up(caller, _searchable(typed))
            except Exception as exc:  # noqa: BLE001 - a list that does not come up is no reason to stop typing
                _log.warning("suggestions.failed", what=what, error=type(exc).__name__)
                return []

        return suggest

    async def _topics(self, caller: Caller, typed: str) -> Choices:
        return _choices(await self._librarian.topics(caller, typed, limit=MOST))

    async def _rooms(self, caller: Caller, typed: str) -> Choices:
        known = [room for room in ROOMS if typed.lower() in room]
        return _choices([*known, *await self._librarian.rooms(caller, typed, limit=MOST)])

    async def _rooms_there(self, caller: Caller, typed: str) -> Choices:
        return _choices(await self._librarian.rooms(caller, typed, limit=MOST))

    async def _topics_inside(self, caller: Caller, typed: str) -> Choices:
        return await self._topics(caller, typed)

    async def _topics_of(self, caller: Caller, room: str, typed: str) -> Choices:
        """Of a room that is chosen already, those that begin with what is typed first."""
        return _choices(await self._librarian.topics(caller, typed, room=room.lower(), limit=MOST))

    async def _filed(self, caller: Caller, typed: str) -> Choices:
        topics = await self._librarian.topics(caller, typed, limit=MOST)
        return _choices([*topics[: MOST // 2], *await self._librarian.rooms(caller, typed, limit=MOST), *topics])

    async def _tags(self, caller: Caller, typed: str) -> Choices:
        """The last of the tags being typed; those before it stay as they are."""
        before, comma, last = typed.rpartition(",")
        found, _ = await self._librarian.tags(caller, last.strip(), limit=MOST)
        given = {tag.strip().lower() for tag in before.split(",")}
        return _choices([f"{before}{comma}{tag.name}" for tag in found if tag.name not in given])

    async def _memories(self, caller: Caller, typed: str) -> Choices:
        found = await self._librarian.changeable(caller, typed.removeprefix("#"), limit=MOST)
        return [
            app_commands.Choice(
                name=splitting.cut(
                    f"#{memory.memory_id} {normalize.one_line(normalize.shown(memory.content))}", LONGEST
                ),
                value=str(memory.memory_id),
            )
            for memory in found
        ]

    async def _notes(self, caller: Caller, typed: str) -> Choices:
        """By number, with or without its letter, or by a part of the text."""
        looked_for = typed[1:] if typed[:1] in "Nn" and typed[1:].isdigit() else typed
        found = await self._scratchpad.typed(caller, looked_for, limit=MOST, now=self._clock())
        return [
            app_commands.Choice(
                name=splitting.cut(f"{note.label} {normalize.one_line(normalize.shown(note.content))}", LONGEST),
                value=note.label,
            )
            for note in found
        ]

    async def _replies(self, caller: Caller, typed: str) -> Choices:
        """Hathi's last replies here; one that is named by its link is left as it is typed."""
        if reference(typed) is not None:
            return _choices([typed])
        found = await self._reasons.replies(caller, typed, limit=MOST)
        return [
            app_commands.Choice(
                name=splitting.cut(
                    f"{render.time(each.at, caller.time_zone)} {normalize.one_line(normalize.shown(each.text))}",
                    LONGEST,
                ),
                value=str(each.turn_id),
            )
            for each in found
        ]

    async def _languages(self, _caller: Caller, typed: str) -> Choices:
        """Those that are called so in English, by themselves or by their code first, then whatever holds it."""
        known = await self._spaces.languages()
        begun = [name for name in known if language_names.begins(name, typed)]
        # A code, such as `de`, begins other names as well.
        begun.sort(key=lambda name: name != language_names.named(typed))
        return _choices([*begun, *(name for name in known if typed.lower() in name)])

    async def _time_zones(self, _caller: Caller, typed: str) -> Choices:
        """Those whose city begins with what is typed first, then whatever holds it."""
        looked_for = typed.casefold().replace(" ", "_")
        zones = await asyncio.to_thread(time_zones.names)
        fitting = [zone for zone in zones if looked_for in zone.casefold()]
        return _choices(sorted(fitting, key=lambda zone: not zone.rpartition("/")[2].casefold().startswith(looked_for)))

    async def _model_there(self, _caller: Caller, typed: str) -> Choices:
        return _choices(_holding(typed, self._placing.names(PlaceSetting.MODEL)))

    async def _persona_there(self, _caller: Caller, typed: str) -> Choices:
        return _choices(_holding(typed, self._placing.names(PlaceSetting.PERSONA)))

    async def _workflows_there(self, _caller: Caller, typed: str) -> Choices:
        """The last of those being typed; those before it stay as they are."""
        before, comma, last = typed.rpartition(",")
        given = {name.strip() for name in before.split(",")}
        fitting = _holding(last.strip(), self._placing.names(PlaceSetting.WORKFLOWS))
        return _choices([f"{before}{comma}{name}" for name in fitting if name not in given])

    async def _commands(self, _caller: Caller, typed: str) -> Choices:
        return _choices([name for name in GRAMMARS if typed.lower().lstrip("!/") in name])


def _holding(typed: str, names: Iterable[str]) -> list[str]:
    """The names that what is typed stands in."""
    return [name for name in names if typed.casefold() in name.casefold()]


def _searchable(typed: str) -> str:
    return typed.replace("\0", "").strip()


def _choices(names: list[str]) -> Choices:
    fitting = [name for name in dict.fromkeys(names) if 0 < splitting.size(name) <= LONGEST]
    return [app_commands.Choice(name=name, value=name) for name in fitting[:MOST]]
