"""How people are told what holds in a place, and why."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot import catalogue
from bot.domain import Caller, PlaceSetting
from bot.presentation import render
from bot.store.place_settings import ALL, NONE, Choosable, Held, HeldBy, StoredChoice, is_one_channel

LABELS: Final[Mapping[PlaceSetting, str]] = {
    PlaceSetting.MODEL: catalogue.later("Model"),
    PlaceSetting.PERSONA: catalogue.later("Persona"),
    PlaceSetting.WORKFLOWS: catalogue.later("Workflows"),
}
_WORDS: Final = {ALL: catalogue.later("all"), NONE: catalogue.later("none"), "": catalogue.later("none")}
"""What is told of values that are no name."""
_WHY: Final[Mapping[HeldBy, str]] = {
    HeldBy.CHANNEL: catalogue.later("this channel"),
    HeldBy.SPACE: catalogue.later("this server"),
    HeldBy.SETTINGS: catalogue.later("the settings"),
    HeldBy.DEFAULT: catalogue.later("the default"),
}


def line(label: str, value: str, why: str) -> str:
    """What holds of one thing and why, on a line."""
    return catalogue.gettext("{what}: {value} ({why})").format(what=label, value=value, why=why)


def changed(told: str, command: str) -> str:
    """Such a line with the command that changes it, as it is typed; as it is without one."""
    return f"{told} · {command}" if command else told


def chosen(caller: Caller, what: Choosable, held: Held, choice: StoredChoice | None) -> str:
    """The same of what may be chosen for a place: who made the `choice` that holds, and what was chosen and is gone."""
    place = why(caller, held.by)
    if choice is not None:
        day = f"{render.local(choice.set_at, caller.time_zone):%Y-%m-%d}"
        told = (
            catalogue.gettext("{place}, since {day}")
            if choice.set_by is None or is_one_channel(caller)
            else catalogue.gettext("{place}, since {day} by <@{person}>")
        )
        place = told.format(place=place, day=day, person=choice.set_by)
    told = line(catalogue.gettext(LABELS[what.setting]), named(what, held.value), place)
    return f"{told}; {gone(held.gone)}" if held.gone else told


def named(what: Choosable, value: str) -> str:
    """A value as people read it."""
    if value in _WORDS and (what.are_several or not value):
        return catalogue.gettext(_WORDS[value])
    return value.replace(",", ", ") if what.are_several else value


def why(caller: Caller, by: HeldBy) -> str:
    """Where what holds comes from, in a word or two."""
    if by in {HeldBy.CHANNEL, HeldBy.SPACE} and is_one_channel(caller):
        return catalogue.gettext("chosen here")
    if by is HeldBy.CHANNEL and caller.is_private_thread:
        return catalogue.gettext("this private thread")
    return catalogue.gettext(_WHY[by])


def gone(names: Sequence[str]) -> str:
    """That something was chosen that is not there any more."""
    told = catalogue.ngettext(
        "{names} was chosen and is not there any more", "{names} were chosen and are not there any more", len(names)
    )
    return told.format(names=catalogue.both(names))
