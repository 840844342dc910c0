"""Reads a memory palace: a folder with an identity, rooms of Markdown files, and scratchpads that expire."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, Final

from bot import errors
from bot.domain import Source, Tier
from bot.text import front_matter
from bot.transfer.foreign.neutral import (
    ForeignIdentity,
    ForeignMemory,
    ForeignNote,
    Found,
    Shape,
    Unread,
    clean,
    digest,
    moment,
)

NAME: Final = "memory palace"
SYSTEM: Final = "palace"
ABOUT: Final = "about"
"""The topic of what a room is for."""
LIVES: Final = timedelta(hours=1)
"""A note of a scratchpad, unless it says otherwise."""
LARGEST: Final = 2**24
"""Bytes of one file."""
OUTSIDE: Final = "no file of this folder"
_ITEM: Final = re.compile(r"(?P<indent>\s*+)(?:[-*+]|\d{1,9}[.)])\s++(?:\[[ xX]\]\s++)?(?P<text>.*)")
_HEADING: Final = re.compile(r"\s{0,3}#{1,6}(?:\s|$)|\s*+(?:[-*_]\s*+){3,}+$")
_FENCE: Final = re.compile(r"\s*+(?:```|~~~)")
_FIELD: Final = re.compile(
    r"(?P<indent>\s*+)(?P<dash>-\s++)?(?P<key>[\w.-](?:[\w .-]{0,62}[\w.-])?)\s*+:(?:\s++(?P<value>.*))?"
)


def shape(folder: Path) -> Shape:
    """A palace names no channel."""
    return Shape(name=f"{NAME} ({folder.name})")


def read(folder: Path, zone: tzinfo, now: datetime) -> Iterator[Found]:
    """Identity, what rooms are for, what is in them, and the notes that still live, in the order of their names."""
    identity = folder / "identity.txt"
    if _is_inside(folder, identity) and (text := clean(_text(identity)).strip()):
        yield ForeignIdentity(place="identity.txt", text=text)
    settings = folder / "mempalace.yaml"
    if _is_inside(folder, settings):
        for room, about in descriptions(_text(settings)):
            yield _memory(about, "mempalace.yaml", room, ABOUT, None)
    for file in sorted((folder / "rooms").glob("*/*.md")):
        where = file.relative_to(folder).as_posix()
        if not _is_inside(folder, file):
            yield Unread(place=where, kind="memory", why=OUTSIDE)
            continue
        at = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        for line, text in items(_text(file)):
            yield _memory(text, f"{where}, line {line}", file.parent.name, file.stem, at)
    for file in sorted(folder.rglob("scratchpad/*.json")):
        where = file.relative_to(folder).as_posix()
        if _is_inside(folder, file):
            yield from _notes(file, where, zone, now)
        else:
            yield Unread(place=where, kind="note", why=OUTSIDE)


def _is_inside(folder: Path, file: Path) -> bool:
    """Whether it is a file of the folder: a link may lead to any file of whoever imports, a pipe to no end."""
    return file.is_file() and file.resolve().is_relative_to(folder.resolve())


def _memory(text: str, place: str, room: str, topic: str, at: datetime | None) -> ForeignMemory:
    told = digest(room, topic, text)
    return ForeignMemory(
        place=place,
        content=clean(text),
        origin={"system": SYSTEM, "room": room, "topic": topic, "hash": told},
        tier=Tier.LONG,
        source=Source.USER,
        room=clean(room),
        topic=clean(topic),
        at=at,
    )


def items(text: str) -> Iterator[tuple[int, str]]:
    """The list items and paragraphs of a Markdown text, each with its line; what is set in under an item is of it."""
    lines = text.removeprefix("\ufeff").splitlines()
    begins, held, is_item, is_fenced, blank = 0, list[str](), False, False, False
    start = _after_front_matter(lines)
    for number, line in enumerate(lines[start:], start + 1):
        if is_fenced or _FENCE.match(line):
            is_fenced ^= _FENCE.match(line) is not None
            begins, blank = begins or number, False
            held.append(line)
            continue
        item = _ITEM.fullmatch(line)
        is_nested = is_item and line[:1] in " \t"
        is_new = not line.strip() or _HEADING.match(line) is not None or (item is not None and not is_nested)
        ends = (is_new and not (is_item and not line.strip())) or (blank and is_item and not is_nested)
        if held and ends:
            yield begins, _joined(held)
            begins, held, is_item = 0, [], False
        blank = not line.strip()
        if blank or _HEADING.match(line):
            continue
        is_item = is_item or item is not None
        begins = begins or number
        held.append(item["text"] if item is not None and not held else line.strip() if not is_nested else line.rstrip())
    if held:
        yield begins, _joined(held)


def _after_front_matter(lines: list[str]) -> int:
    """Where the text begins, behind fields between two lines of dashes."""
    ends = (number for number, line in enumerate(lines[1:], 2) if line.rstrip() == front_matter.FENCE)
    return next(ends, 0) if lines and lines[0].rstrip() == front_matter.FENCE else 0


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).strip()


def descriptions(text: str) -> Iterator[tuple[str, str]]:
    """What rooms are for, by the settings' `rooms`: `name: text`, or the `description` under a name.

    Of YAML no more is read: what is written otherwise tells nothing.
    """
    room, indent, is_inside = "", 0, False
    for line in text.splitlines():
        field = _FIELD.fullmatch(line.rstrip())
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[:1] not in " \t-":
            is_inside, room = field is not None and field["key"] == "rooms", ""
            continue
        if field is None or not is_inside:
            continue
        depth, key, value = len(field["indent"]), field["key"], _unquoted(field["value"] or "")
        if field["dash"] and key == "name":
            room, indent = value, depth
        elif room and depth > indent and key in {"description", "about", "purpose"} and value:
            yield room, value
        elif not field["dash"] and (not room or depth <= indent):
            room, indent = key.strip(), depth
            if value:
                yield room, value


def _unquoted(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _notes(file: Path, where: str, zone: tzinfo, now: datetime) -> Iterator[Found]:
    try:
        held = json.loads(_text(file))
    except (ValueError, RecursionError):
        yield Unread(place=where, kind="note", why="not JSON")
        return
    found = held.get("entries", held) if isinstance(held, dict) else held
    entries = list(found.values()) if isinstance(found, dict) else found if isinstance(found, list) else [found]
    for number, entry in enumerate(entries, 1):
        yield _note(entry, f"{where}, entry {number}", zone, now)


def _note(entry: Any, place: str, zone: tzinfo, now: datetime) -> Found:
    if not isinstance(entry, dict):
        return Unread(place=place, kind="note", why="not a JSON object")
    text = _first(entry, "text", "content", "note", "value")
    at = _moment(_first(entry, "time", "timestamp", "created_at", "written_at"), zone)
    lives = _first(entry, "ttl", "ttl_seconds", "time_to_live")
    if not isinstance(text, str) or not text.strip() or at is None:
        return Unread(place=place, kind="note", why="without a text or a time that can be read")
    is_number = isinstance(lives, int | float) and not isinstance(lives, bool) and 0 <= lives < 10**9
    expires_at = at + (timedelta(seconds=lives) if is_number else LIVES)
    if expires_at <= now:
        return Unread(place=place, kind="note", why="expired")
    return ForeignNote(place=place, text=clean(text), written_at=at, expires_at=expires_at)


def _first(entry: dict[str, Any], *names: str) -> Any:
    return next((entry[name] for name in names if entry.get(name) is not None), None)


def _moment(value: Any, zone: tzinfo) -> datetime | None:
    """A time in ISO 8601, or in seconds since 1970."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 2**33:
        return datetime.fromtimestamp(value, UTC)
    return moment(value, zone)


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > LARGEST:
            raise errors.TransferError(f"{file} is larger than {LARGEST // 2**20} MB: it is no file of a palace.")
        return file.read_text("utf-8", "replace")
    except OSError as exc:
        raise errors.TransferError(f"{file} can't be read: {exc.strerror or exc}.") from exc
