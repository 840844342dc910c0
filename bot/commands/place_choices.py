"""`!model`, `!persona` and `!workflows`: what whoever manages a server chooses for a channel, or for all of it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import Final

from bot import catalogue, errors
from bot.commands.invocation import Handler, Invocation
from bot.config import UNCHOSEN
from bot.domain import Caller, PlaceChoices, PlaceSetting, Reply
from bot.presentation import held_settings
from bot.store.place_settings import ALL, NONE, Choosable, HeldBy, PlaceSettings, StoredChoice, held, is_one_channel
from bot.text import normalize

SERVER: Final = "server"
"""What is given as `where:` to choose for all of it."""
_UNKNOWN: Final[Mapping[PlaceSetting, str]] = MappingProxyType(
    {
        PlaceSetting.MODEL: catalogue.later("There is no model {given} to choose; there are {known}."),
        PlaceSetting.PERSONA: catalogue.later("There is no persona {given} to choose; there are {known}."),
        PlaceSetting.WORKFLOWS: catalogue.later("There is no workflow {given} to choose; there are {known}."),
    }
)
_EMPTY: Final[Mapping[PlaceSetting, str]] = MappingProxyType(
    {
        PlaceSetting.MODEL: catalogue.later("There is no model to choose: whoever runs me set none up."),
        PlaceSetting.PERSONA: catalogue.later("There is no persona to choose: whoever runs me set none up."),
        PlaceSetting.WORKFLOWS: catalogue.later("There is no workflow to choose: whoever runs me set none up."),
    }
)


class PlaceChoosing:
    """The use cases behind them, one for each setting that has names to choose from."""

    def __init__(
        self, settings: PlaceSettings, choosable: Mapping[PlaceSetting, Choosable], clock: Callable[[], datetime]
    ) -> None:
        self._settings = settings
        self._choosable = choosable
        self._clock = clock
        self.handlers: Final[Mapping[str, Handler]] = {
            setting.value: partial(self.choose, what) for setting, what in choosable.items()
        }

    def names(self, setting: PlaceSetting) -> tuple[str, ...]:
        """What may be given: the names, where several may be chosen `all` and `none`, and what takes a choice back."""
        what = self._choosable[setting]
        return (*what.names, *((ALL, NONE) if what.are_several else ()), UNCHOSEN)

    async def told(self, caller: Caller) -> list[str]:
        """A line for each setting: what holds where the caller asks, why, who chose it when, and what changes it."""
        stored = await self._settings.of(caller)
        return [
            held_settings.changed(
                self._line(caller, what, stored), f"{caller.prefix}{what.setting}" if what.names else ""
            )
            for what in self._choosable.values()
        ]

    async def choose(self, what: Choosable, given: Invocation) -> Reply:
        """Shows or sets what holds. Raises `BadArgument` for what can't be chosen."""
        caller, text = given.caller, given.args.text
        everywhere = given.args.word("where", "channel") == SERVER
        if text.lower() == UNCHOSEN:
            await self._settings.clear(caller, what.setting, everywhere=everywhere)
        elif text:
            value = _read(what, text)
            await self._settings.set(caller, what.setting, value, everywhere=everywhere, now=self._clock())
        stored = await self._settings.of(caller)
        lines = [f"{self._line(caller, what, stored)}."]
        if text and everywhere and any(one.by is HeldBy.CHANNEL for one in stored if one.setting == what.setting):
            lines.append(catalogue.gettext("What was chosen for this channel goes before what is for the server."))
        if not text:
            lines += _how(caller, what)
        return Reply(text="\n".join(lines))

    def _line(self, caller: Caller, what: Choosable, stored: list[StoredChoice]) -> str:
        mine = [one for one in stored if one.setting == what.setting]
        holds = held(choices_of(mine), what)
        return held_settings.chosen(caller, what, holds, next((one for one in mine if one.by is holds.by), None))


def choices_of(stored: list[StoredChoice]) -> PlaceChoices:
    """What is stored, as it comes along with a place."""
    return PlaceChoices(
        here={one.setting: one.value for one in stored if one.by is HeldBy.CHANNEL},
        everywhere={one.setting: one.value for one in stored if one.by is HeldBy.SPACE},
    )


def _read(what: Choosable, text: str) -> str:
    """What was given as it is stored. Raises `BadArgument`."""
    if not what.names:
        raise errors.BadArgument(catalogue.gettext(_EMPTY[what.setting]))
    if not what.are_several:
        return _one(what, text)
    if text.lower() in {ALL, NONE}:
        return text.lower()
    return ",".join(dict.fromkeys(_one(what, part.strip()) for part in text.split(",") if part.strip())) or NONE


def _one(what: Choosable, text: str) -> str:
    """The name that is meant, however it is cased. Raises `BadArgument`."""
    if text in what.names:
        return text
    folded = {name.casefold(): name for name in what.names}
    if text.casefold() in folded:
        return folded[text.casefold()]
    told = catalogue.gettext(_UNKNOWN[what.setting])
    raise errors.BadArgument(told.format(given=repr(normalize.one_line(text, 40)), known=catalogue.both(what.names)))


def _how(caller: Caller, what: Choosable) -> list[str]:
    """What there is to choose from, and how."""
    if not what.names:
        return [catalogue.gettext(_EMPTY[what.setting])]
    told = {
        (False, False): catalogue.later(
            "{command} <name> chooses one for this channel and its public threads, with where:server for the whole "
            "server; {command} default takes that back."
        ),
        (True, False): catalogue.later("{command} <name> chooses one; {command} default takes that back."),
        (False, True): catalogue.later(
            "{command} <names>, joined by commas, or all or none, chooses for this channel and its public threads, "
            "with where:server for the whole server; {command} default takes that back."
        ),
        (True, True): catalogue.later(
            "{command} <names>, joined by commas, or all or none, chooses; {command} default takes that back."
        ),
    }[is_one_channel(caller), what.are_several]
    return [
        catalogue.gettext("There are {names}.").format(names=catalogue.both(what.names)),
        catalogue.gettext(told).format(command=f"{caller.prefix}{what.setting.value}"),
    ]
