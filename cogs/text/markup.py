"""Converts Discord's markup to readable names and back: mentions, channels, commands, emoji, times; pure."""

import re
import zoneinfo
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from bot.presentation import render
from bot.text import markdown
from cogs.text import graphemes

_MARKUP: Final = re.compile(
    r"(?<!\\)<(?:@!?(?P<person>\d{1,20})|@&(?P<role>\d{1,20})|\#(?P<channel>\d{1,20})"
    r"|/(?P<command>[^<>:\n]{1,100}):\d{1,20}|a?:(?P<emoji>\w{1,64}):\d{1,20}"
    r"|t:(?P<time>-?\d{1,17})(?::[A-Za-z])?|id:(?P<page>customize|browse|guide|linked-roles)(?::\d{1,20})?)>"
)
_PAGES: Final = {
    "customize": "#Channels & Roles",
    "browse": "#Browse Channels",
    "guide": "#Server Guide",
    "linked-roles": "#Linked Roles",
}
_TIME: Final = (
    r"(?<![\w:-])\d{4}-\d\d-\d\d \d\d:\d\d (?:UTC(?:[+-]\d{1,2}(?::[0-5]\d)?)?|[A-Za-z]{2,6})(?![\w:]|[+-]\d)"
)
_NAMED: Final = re.compile(rf"(?P<atom>{markdown.ATOM.pattern})|(?P<time>{_TIME})|(?P<sigil>[@#/:])")

_TO_THE_MINUTE: Final = len("2026-03-02 12:00")

_SIGNS: Final = frozenset("@#/:")
"""Every name, time and command that becomes markup has one of these."""

SOMEONE: Final = "someone"
A_ROLE: Final = "a-role"
A_CHANNEL: Final = "a-channel"
_RESERVED: Final = frozenset({"everyone", "here", SOMEONE, A_ROLE, A_CHANNEL})
"""Names that stay text: two of them would reach everyone, the others stand for what is not known."""

Names = Mapping[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """The names of one space by their ids, as they are shown to the readers of one channel."""

    people: Names = field(default_factory=dict[int, str])
    roles: Names = field(default_factory=dict[int, str])
    channels: Names = field(default_factory=dict[int, str])
    emoji: Mapping[int, tuple[str, bool]] = field(default_factory=dict[int, tuple[str, bool]])
    """Name, and whether it moves."""
    commands: Mapping[str, int] = field(default_factory=dict[str, int])
    """Ids by full name, `memory list`: the subcommands of a command share its id."""


def readable(text: str, directory: Directory, *, leaves_unknown: bool = False) -> str:
    """The text with names in place of Discord's markup; what is not known reads as someone, a role or a channel.

    Or it stays a mark, which Discord draws by name for whoever may know it. Code is left alone: Discord draws it as it
    stands.
    """
    if "<" not in text:
        return text

    def named(markup: re.Match[str]) -> str:
        return _read(markup, directory, leaves_unknown=leaves_unknown)

    return _outside_code(text, lambda part: _MARKUP.sub(named, part))


def names(text: str, directory: Directory) -> frozenset[str]:
    """The names that `readable` puts in place of markup."""
    found = (_read(markup, directory, leaves_unknown=False) for markup in _MARKUP.finditer(text))
    return frozenset(name.strip("@#:") for name in found)


def discordly(text: str, directory: Directory, *, zone: str = "UTC") -> str:
    """The text with Discord's markup in place of names that stand as whole words and belong to one thing only.

    A name stands behind its sign, `@Ann`, `#general`, `/recall`, `:wave:`; the longest wins. So with times, in UTC or
    as they are written in this time zone. Code, links and addresses, and markup that is there already, are left alone.
    """
    if _SIGNS.isdisjoint(text):
        return text
    index = _Index(directory, zone)
    return _outside_code(text, lambda part: "".join(index.marked(part)))


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    pieces: list[str] = []
    at = 0
    for item in markdown.code(text):
        pieces += change(text[at : item.start]), text[item.start : item.end]
        at = item.end
    return "".join([*pieces, change(text[at:])])


def _read(markup: re.Match[str], directory: Directory, *, leaves_unknown: bool) -> str:
    kind = markup.lastgroup or ""
    key = markup[kind]
    match kind:
        case "person":
            sign, name, instead = "@", directory.people.get(int(key)), SOMEONE
        case "role":
            sign, name, instead = "@", directory.roles.get(int(key)), A_ROLE
        case "channel":
            sign, name, instead = "#", directory.channels.get(int(key)), A_CHANNEL
        case "time":
            return _time(int(key))
        case _:
            return {"command": f"/{key}", "emoji": f":{key}:"}.get(kind) or _PAGES[key]
    if name is None:
        return markup[0] if leaves_unknown else f"{sign}{instead}"
    # Discord's own role for everyone has its sign in its name.
    return f"{sign}{name.removeprefix('@') if kind == 'role' else name}"


def _time(seconds: int) -> str:
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return "some time"
    return f"{moment.replace(tzinfo=None).isoformat(' ', 'minutes')} UTC"


class _Index:
    """Markup by sign and name; none for a name that more than one thing bears."""

    def __init__(self, directory: Directory, zone: str) -> None:
        self._directory = directory
        self._zone = zone
        self._known: dict[str, dict[str, str | None]] = {}
        self._lengths: dict[str, list[int]] = {}

    def marked(self, text: str) -> Iterator[str]:
        """The text in pieces, with markup in place of names and times."""
        at = 0
        for found in _NAMED.finditer(text):
            if found.start() < at:
                continue
            name, markup = "", None
            if found["time"]:
                name, markup = found["time"], _timestamp(found["time"], self._zone)
            elif found["sigil"] and _can_begin(text, found.start()):
                name, markup = self._longest(text, found.start())
            if name:
                yield text[at : found.start()]
                yield name if markup is None else markup
                at = found.start() + len(name)
        yield text[at:]

    def _longest(self, text: str, at: int) -> tuple[str, str | None]:
        """The longest name that stands whole at a sign, with that sign, and its markup."""
        sign = text[at]
        if sign not in self._known:
            self._learn(sign)
        for length in self._lengths[sign]:
            name = text[at : at + length]
            if name in self._known[sign] and _can_end(text, at, at + length):
                return name, self._known[sign][name]
        return "", None

    def _learn(self, sign: str) -> None:
        known: dict[str, str | None] = {}
        for name, markup in _names(self._directory, sign):
            known[name] = None if known.get(name, markup) != markup else markup
        self._known[sign] = known
        self._lengths[sign] = sorted({len(name) for name in known}, reverse=True)


def _names(directory: Directory, sign: str) -> Iterator[tuple[str, str]]:
    """Every name behind a sign, as it stands in a text, with its markup."""
    match sign:
        case "@":
            yield from ((f"@{name}", f"<@{key}>") for key, name in _usable(directory.people))
            yield from ((f"@{name}", f"<@&{key}>") for key, name in _usable(directory.roles))
        case "#":
            yield from ((f"#{name}", f"<#{key}>") for key, name in _usable(directory.channels))
        case "/":
            yield from ((f"/{name}", f"</{name}:{key}>") for name, key in directory.commands.items())
        case _:
            for key, (name, moves) in directory.emoji.items():
                yield f":{name}:", f"<{'a' if moves else ''}:{name}:{key}>"


def _usable(names: Names) -> Iterator[tuple[int, str]]:
    return ((key, name) for key, name in names.items() if name and name.removeprefix("@") not in _RESERVED)


def dated(text: str) -> str:
    """The text with every time in UTC as Discord shows times, to everyone in their own zone."""
    return re.sub(_TIME, lambda found: _timestamp(found[0], "UTC") or found[0], text)


def _timestamp(text: str, zone: str) -> str | None:
    """The time as Discord shows each reader; none where it is no time, or in neither zone."""
    try:
        read = datetime.fromisoformat(text[:_TO_THE_MINUTE])
        if text.endswith(" UTC"):
            return _shown(read.replace(tzinfo=UTC))
        # Where a clock is set back an hour is told twice, by two letters or offsets.
        told = (read.replace(tzinfo=zoneinfo.ZoneInfo(zone), fold=fold) for fold in (0, 1))
        return next((_shown(moment) for moment in told if render.time(moment, zone) == text), None)
    except (ValueError, OverflowError, zoneinfo.ZoneInfoNotFoundError):
        return None


def _shown(moment: datetime) -> str:
    return f"<t:{int(moment.timestamp())}:f>"


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_" or (character > "\x7f" and graphemes.extends(character))


def _can_begin(text: str, at: int) -> bool:
    """Whether a sign there begins a word, and not an address, a path or an escape."""
    before = text[at - 1 : at]
    return not before or not (_is_word(before) or before in ("\\/.~" if text[at] in "/#" else "\\"))


def _can_end(text: str, at: int, end: int) -> bool:
    """Whether a name ends there: `@Ann` does in `@Ann's` and `@Ann.`, not in `@Ann-Marie` or `@Anna`."""
    sign, after, beyond = text[at], text[end : end + 1], text[end + 1 : end + 2]
    if not after or _is_word(after):
        return not after
    if sign == ":":
        return True
    if after in "'’" and beyond in ("s", "S"):  # noqa: RUF001 - as people type it
        return not _is_word(text[end + 2 : end + 3] or " ")
    return not ((after in "-.'’" or (sign == "/" and after == "/")) and beyond and _is_word(beyond))  # noqa: RUF001
