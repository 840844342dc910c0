"""Reads a ledger of tagged notes: a JSON list of what was noted, when, and under which tags."""

from collections.abc import Iterator
from datetime import tzinfo
from pathlib import Path
from typing import Any, Final

from bot.domain import Source, Tier
from bot.language.tags import tagging
from bot.transfer.foreign.json_stream import JsonStream
from bot.transfer.foreign.neutral import ForeignMemory, Found, Shape, Unread, clean, digest, moment, title

NAME: Final = "ledger of tagged notes"
SYSTEM: Final = "ledger"
KEYS: Final = frozenset({"timestamp", "content", "tags"})
"""What every entry has."""


def shape(file: Path) -> Shape:
    """A ledger names no channel."""
    return Shape(name=f"{NAME} ({file.name})")


def read(file: Path, zone: tzinfo) -> Iterator[Found]:
    """Every entry, in order."""
    with file.open(encoding="utf-8-sig", errors="replace") as source:
        for number, each in enumerate(JsonStream(source, str(file)).items(), 1):
            yield _memory(each, f"entry {number}", zone)


def _memory(entry: Any, place: str, zone: tzinfo) -> Found:
    if not isinstance(entry, dict):
        return Unread(place=place, kind="memory", why="not a JSON object")
    if missing := sorted(KEYS - entry.keys()):
        return Unread(place=place, kind="memory", why=f"without {' and '.join(missing)}")
    at, content, given = moment(entry["timestamp"], zone), entry["content"], entry["tags"]
    if at is None:
        return Unread(place=place, kind="memory", why="without a time that can be read")
    if not isinstance(content, str) or not isinstance(given, list):
        return Unread(place=place, kind="memory", why="not of a text and a list of tags")
    tags = [*dict.fromkeys(name for tag in given if (name := title(tag)))]
    domains = [tag.removeprefix(tagging.DOMAIN) for tag in tags if tag.startswith(tagging.DOMAIN)]
    told = digest(entry["timestamp"], content, *tags)
    return ForeignMemory(
        place=place,
        content=clean(content),
        origin={"system": SYSTEM, "timestamp": str(entry["timestamp"]), "hash": told},
        tier=Tier.LONG,
        source=Source.USER,
        topic=domains[0] if domains else "",
        tags=(tagging.AUTO, *(tag for tag in tags if tag != tagging.AUTO))[: tagging.MOST],
        at=at,
    )
