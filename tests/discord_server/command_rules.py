"""What Discord refuses of an application's commands: names, descriptions, their translations, options and sizes.

The source is Discord's page on application commands. A refusal names the field at fault by its path.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

import discord

from tests.discord_server import refusals
from tests.discord_server.wire import Json

CHAT: Final = 1
USER: Final = 2
MESSAGE: Final = 3
MOST: Final = {CHAT: 100, USER: 15, MESSAGE: 15}
"""How many commands of each type a scope has at most."""
MOST_OPTIONS: Final = 25
LARGEST: Final = 8000
"""Characters of all names, descriptions and values of a command together."""
_SUBCOMMAND: Final = 1
_GROUP: Final = 2
SUBCOMMANDS: Final = frozenset({_SUBCOMMAND, _GROUP})
_TOP, _IN_GROUP, _IN_SUBCOMMAND = range(3)
"""Where options stand: right in a command, in a group of subcommands, in a subcommand."""
_OPTION_TYPES: Final = frozenset(range(1, 12))
_TEXT: Final = 3
_CHOOSABLE: Final = frozenset({3, 4, 10})
_LONGEST_TEXT: Final = 6000
_LOCALES: Final = frozenset(locale.value for locale in discord.Locale)


def check(wanted: Json, where: str = "") -> None:
    """Refuse a malformed command; `where` is its place in the list it came in. Raises `Refusal`."""
    kind = wanted.get("type", CHAT)
    if kind not in MOST:
        raise refusals.invalid_form(_at(where, "type"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3}.")
    for place, name in _told(wanted, "name", where):
        if kind == CHAT:
            _check_name(place, name)
        else:
            _check_length(place, name, 32)
    if kind == CHAT:
        _check_description(wanted, where)
        _check_options(wanted.get("options") or [], where, depth=_TOP)
    else:
        for name in ("description", "description_localizations", "options"):
            if wanted.get(name):
                message = "Context menu commands cannot have a description or options"
                raise refusals.invalid_form(_at(where, name), "APPLICATION_COMMANDS_CONTEXT_MENU_INVALID", message)
    if size(wanted) > LARGEST:
        message = f"Command exceeds maximum size ({LARGEST})"
        raise refusals.invalid_form(where, "APPLICATION_COMMAND_TOO_LARGE", message)


def size(part: Json) -> int:
    """The characters of a command, an option or a choice with all below it: of each text its longest translation."""
    texts = [*(str(each) for _, each in _told(part, "name", "")), ""]
    descriptions = [*(str(each) for _, each in _told(part, "description", "")), ""]
    below: list[Json] = [*(part.get("options") or []), *(part.get("choices") or [])]
    value = part.get("value")
    own = max(map(len, texts)) + max(map(len, descriptions)) + (len(value) if isinstance(value, str) else 0)
    return own + sum(map(size, below))


def fits(name: object) -> bool:
    """Whether it may be the name of a slash command or an option, in any language."""
    return (
        isinstance(name, str)
        and 1 <= len(name) <= 32
        and all(map(_is_allowed, name))
        # What has a small letter is written with it.
        and name == name.lower()
    )


def _is_allowed(letter: str) -> bool:
    """Whether a character is in `[-_'\\p{L}\\p{N}\\p{sc=Deva}\\p{sc=Thai}]`."""
    if letter in "-_'" or unicodedata.category(letter)[0] in "LN":
        return True
    # The marks of the two scripts; what Unicode counts to every script is not among them.
    script = unicodedata.name(letter, "").partition(" ")[0]
    return script in {"DEVANAGARI", "THAI"} and unicodedata.category(letter)[0] not in "PS"


def _told(part: Json, name: str, where: str) -> Iterator[tuple[str, object]]:
    """A text and its translations, each with its path. Raises `Refusal` for a language Discord has not."""
    if name in part:
        yield _at(where, name), part[name]
    localized: Json = part.get(f"{name}_localizations") or {}
    for locale, text in localized.items():
        place = _at(where, f"{name}_localizations.{locale}")
        if locale not in _LOCALES:
            raise refusals.invalid_form(place, "BASE_TYPE_CHOICES", f"{locale} is no available locale.")
        yield place, text


def _check_name(place: str, name: object) -> None:
    if not fits(name):
        raise refusals.invalid_form(place, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _check_length(place: str, text: object, most: int) -> None:
    if not isinstance(text, str) or not 1 <= len(text) <= most:
        raise refusals.invalid_form(place, "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {most} in length.")


def _check_description(part: Json, where: str) -> None:
    for place, text in _told({"description": ""} | part, "description", where):
        _check_length(place, text, 100)


def _check_options(options: Sequence[Json], where: str, *, depth: int) -> None:
    if len(options) > MOST_OPTIONS:
        message = f"Must be {MOST_OPTIONS} or fewer in length."
        raise refusals.invalid_form(_at(where, "options"), "BASE_TYPE_MAX_LENGTH", message)
    _check_mixture(options, where, depth)
    _check_distinct(options, where)
    for at, option in enumerate(options):
        place = _at(where, f"options.{at}")
        for named, name in _told({"name": ""} | option, "name", place):
            _check_name(named, name)
        _check_description(option, place)
        if option["type"] in SUBCOMMANDS:
            below = _IN_GROUP if option["type"] == _GROUP else _IN_SUBCOMMAND
            _check_options(option.get("options") or [], place, depth=below)
        else:
            _check_values(option, place)


def _check_mixture(options: Sequence[Json], where: str, depth: int) -> None:
    """Which kinds of options stand together, and that what is required comes first."""
    fitting = {_TOP: _OPTION_TYPES, _IN_GROUP: {_SUBCOMMAND}, _IN_SUBCOMMAND: _OPTION_TYPES - SUBCOMMANDS}[depth]
    optional = False
    for at, option in enumerate(options):
        place, kind = _at(where, f"options.{at}"), option.get("type")
        mixed = (kind in SUBCOMMANDS) != (options[0].get("type") in SUBCOMMANDS)
        if mixed or kind not in fitting:
            message = "Sub-commands and sub-command groups can stand only beside one another, groups at the top"
            raise refusals.invalid_form(f"{place}.type", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
        if option.get("required") and optional:
            message = "Required options must be placed before non-required options"
            raise refusals.invalid_form(place, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
        optional = optional or (kind not in SUBCOMMANDS and not option.get("required"))


def _check_distinct(options: Sequence[Json], where: str) -> None:
    """A name, and one in a language, is no other option's name, nor its name in that language."""
    defaults = [option.get("name") for option in options]
    taken: dict[str, set[object]] = {}
    for at, option in enumerate(options):
        others = [name for number, name in enumerate(defaults) if number != at]
        for place, name in _told(option, "name", _at(where, f"options.{at}")):
            language = taken.setdefault(place.rpartition(f"options.{at}.")[2], set())
            if name in others or name in language:
                message = f"Option name {name} already exists"
                raise refusals.invalid_form(place, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", message)
            language.add(name)


def _check_values(option: Json, where: str) -> None:
    choices: list[Json] = option.get("choices") or []
    if len(choices) > MOST_OPTIONS:
        message = f"Must be {MOST_OPTIONS} or fewer in length."
        raise refusals.invalid_form(f"{where}.choices", "BASE_TYPE_MAX_LENGTH", message)
    if (choices or option.get("autocomplete")) and (
        option["type"] not in _CHOOSABLE or (choices and option.get("autocomplete"))
    ):
        message = "Choices and autocomplete exclude one another, and belong to texts and numbers"
        raise refusals.invalid_form(where, "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID", message)
    for at, choice in enumerate(choices):
        for place, name in _told({"name": ""} | choice, "name", f"{where}.choices.{at}"):
            _check_length(place, name, 100)
        if option["type"] == _TEXT:
            _check_length(f"{where}.choices.{at}.value", choice.get("value"), 100)
    least, most = option.get("min_length"), option.get("max_length")
    for name, bound, lowest in (("min_length", least, 0), ("max_length", most, 1)):
        if bound is not None and not lowest <= bound <= _LONGEST_TEXT:
            message = f"int value should be between {lowest} and {_LONGEST_TEXT}."
            raise refusals.invalid_form(f"{where}.{name}", "NUMBER_TYPE_MAX", message)


def _at(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name
