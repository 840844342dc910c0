"""Derives a slash command's options from the command grammar; no discord.py."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot import arguments, catalogue, errors
from bot.arguments import Arguments, Choice, Form, FreeText, Grammar, Kind, Number, Words, is_required
from bot.commands.grammar import ABOUT
from bot.domain import PlaceSetting
from bot.text import normalize

DESCRIPTION: Final = 100
"""Characters Discord takes in a description."""
SHOW: Final = "show"
"""The form of a command that can be given without one."""
_TEXTS: Final = {
    "text": "the words to keep",
    "query": "what to look for",
    "topic": "a topic or a room; all of them unless given",
    "command": "the one to explain; all of them unless given",
    "room": "a room of memory; all of them unless given",
    "summary": "the fact, in a sentence of its own",
    "channel": "the channel, such as #general; without one, how far each is",
    "reply": "a reply of Hathi's: its link or number; type to look for it",
}
_WHOLE: Final = ("text", "summary")
"""Texts that become a memory."""
_LEADS: Final = {
    "id": ("the memory's number, such as 12", "memories"),
    "note": ("the note's number, such as N3", "notes"),
}
_SECOND: Final = {"name": "what it is to be called", "into": "the room that takes them in"}
_TAGS: Final = ("tag", "tags")
_SUGGESTED: Final = {"topic": "topics", "room": "rooms", "language": "languages", "timezone": "time_zones"}
_THERE: Final = {"room": "rooms_there", "into": "rooms_there", "topic": "topics_inside"}
"""Where only what is there can be meant."""
_BY_PLACE: Final = {setting.value: f"{setting.value}_there" for setting in PlaceSetting}
"""Where one of a few names is chosen."""
_NUMBER: Final = 19
"""Characters of a memory's number, with its sign."""
_WORD: Final = 64
_SEARCH: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One thing a slash command asks for."""

    name: str
    description: str
    kind: type[int] | type[str] | type[bool] = str
    is_required: bool = False
    low: int = 1
    high: int = _SEARCH
    """Bounds of a number, or of the length of a text."""
    choices: tuple[str, ...] = ()
    suggests: str = ""
    """What is suggested while it is typed: topics, rooms, rooms_there, topics_inside, tags, memories, notes, filed,
    languages, time_zones, commands, replies, model_there, persona_there or workflows_there."""


def of(grammar: Grammar) -> tuple[Option, ...]:
    """The options of a command without forms, required ones first."""
    found: list[Option] = []
    if grammar.lead:
        about, suggests = _LEADS[grammar.lead]
        found.append(
            Option(
                name=grammar.lead,
                description=f"{about}; type to look for it",
                is_required=True,
                high=_NUMBER,
                suggests=suggests,
            )
        )
    if grammar.text:
        name = grammar.text
        suggested = dict(_BY_PLACE) | {
            "topic": "filed",
            "command": "commands",
            "room": "rooms_there",
            "reply": "replies",
        }
        suggests = suggested.get(name, "")
        found.append(
            Option(
                name=name,
                description=described(grammar.text_help or _TEXTS.get(name, name)),
                is_required=grammar.text_required,
                high=normalize.MAX_LENGTH if name in _WHOLE else _SEARCH,
                suggests=suggests,
            )
        )
    named = [of_kind(name, kind, kind.help) for name, kind in grammar.named.items()]
    found += [_of_there(option) if grammar.text == "room" else option for option in named]
    found += [Option(name=word, description=_of_word(grammar.command, word), kind=bool) for word in grammar.bare]
    return tuple(found)


def of_form(form: Form) -> tuple[Option, ...]:
    """The options of one form of a command."""
    if not form.value:
        return ()
    if form.second:
        shown = {form.value: "a room of memory", form.second: _SECOND.get(form.second, form.second)}
        named = [of_kind(name, form.kind, about) for name, about in shown.items()]
        return tuple(replace(_of_there(option), is_required=True) for option in named)
    option = of_kind(form.value, form.kind, form.help)
    named = [of_kind(name, kind, kind.help) for name, kind in form.named.items()]
    return (replace(option, is_required=form.value_required), *named)


def of_kind(name: str, kind: Kind, about: str) -> Option:
    """One named argument."""
    default = f" (default {kind.default})" if kind.default is not None else ""
    option = Option(name=name, description=described(f"{about or name}{default}"), is_required=is_required(kind))
    match kind:
        case Number():
            return replace(option, kind=int, low=kind.low, high=kind.high)
        case Choice():
            return replace(option, choices=kind.options)
        case Words():
            return replace(option, high=kind.most * (_WORD + 2), suggests="tags" if name in _TAGS else "")
        case FreeText():
            return replace(option, high=normalize.MAX_LENGTH)
        case _:
            return replace(option, high=kind.max_length, suggests=_SUGGESTED.get(name, ""))


def _of_there(option: Option) -> Option:
    """The option, where only what is there can be meant."""
    return replace(option, suggests=_THERE.get(option.name, option.suggests))


def form_name(form: Form) -> str:
    """What Discord's list calls a form."""
    return form.words.replace(" ", "-")


def _of_word(command: str, word: str) -> str:
    """What a bare word does, as the command's description has it."""
    found = re.search(rf"`{word}` ([^.;]+)", ABOUT[command])
    return described(found[1] if found else word)


def described(text: str) -> str:
    """A text as a description: plain, on one line, not too long."""
    return normalize.one_line(text.replace("`", ""), DESCRIPTION)


def compiled(grammar: Grammar, chosen: Mapping[str, object], form: str = "") -> Arguments:
    """The same arguments the typed form is parsed to. Raises `BadArgument`."""
    given = {name: value for name, value in chosen.items() if value is not None}
    if grammar.forms and form != SHOW:
        one = next((f for f in grammar.forms if form_name(f) == form), None)
        if one is None or not one.second:
            values = [f"{name}:{value}" if one and name in one.named else str(value) for name, value in given.items()]
            return arguments.parse(" ".join([one.words if one else form, *values]), grammar)
        values = [f'"{given[name]}"' for name in (one.value, one.second) if name in given]
        return arguments.parse(" ".join([one.words, *values]), grammar)
    text = str(given.get(grammar.text, "")).strip() if grammar.text else ""
    if grammar.text and grammar.text_required and not text:
        told = catalogue.gettext("{command} needs {what}: {usage}")
        raise errors.BadArgument(
            lambda p: told.format(command=f"{p}{grammar.command}", what=f"<{grammar.text}>", usage=grammar.usage(p))
        )
    lead = None
    if grammar.lead:
        only = Grammar(command=grammar.command, lead=grammar.lead, without_lead=grammar.without_lead)
        lead = arguments.parse(str(given.get(grammar.lead, "")), only).lead
    found = Arguments(
        text=text,
        lead=lead,
        named={n: arguments.read(kind, n, str(given[n])) for n, kind in grammar.named.items() if n in given},
        bare=frozenset(word for word in grammar.bare if given.get(word)),
    )
    return arguments.complete(found, grammar)
