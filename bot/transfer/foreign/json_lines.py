"""Reads plain JSON lines, a message each: author, text, timestamp and channel."""

import contextlib
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bot import domain, errors
from bot.transfer.foreign.neutral import (
    ForeignChannel,
    ForeignMessage,
    Found,
    Shape,
    Unread,
    clean,
    moment,
    snowflake,
    title,
)

NAME: Final = "plain JSON lines"
KEYS: Final = frozenset({"author", "text", "timestamp"})
"""What every line must have."""
LONGEST_LINE: Final = 2**20
"""Bytes; far above any message."""
_HASHED: Final = 22
"""Bits of an id below its time."""
_NEAR: Final = timedelta(minutes=1)
"""How far the time in a Discord id is from when its message was said, at most."""


@dataclass(frozen=True, slots=True)
class _Line:
    """Where a line stands, and which message it is."""

    message_id: int
    digest: int
    number: int
    offset: int


def shape(file: Path) -> Shape:
    """Which channels the lines name. Raises `TransferError`."""
    names, unplaced = dict[str, None](), False
    for _, _, raw in _raw(file):
        line = _parsed(raw)
        if isinstance(line, dict):
            channel = line.get("channel")
            if channel is None or channel == "":
                unplaced = True
            elif snowflake(channel) is None:
                names[title(channel)] = None
    return Shape(name=NAME, names=tuple(names), is_unplaced=unplaced)


def read(file: Path) -> Iterator[Found]:
    """Every message, a channel after the other, each oldest first, whatever order the lines are in.

    What can't be read comes first, with the number of its line and why. Of two lines that are the same message the
    second is left out; where two have the same id otherwise, the next free one is given, the same in every import.
    """
    order: dict[str, list[_Line]] = {}
    for number, offset, raw in _raw(file):
        found = _message(raw, f"line {number}")
        if isinstance(found, Unread):
            yield found
        else:
            channel = found.channel
            key = "" if channel is None else str(channel.channel_id or channel.name)
            order.setdefault(key, []).append(_Line(found.message_id, _digest(found, key), number, offset))
    with file.open("rb") as source:
        for lines in order.values():
            yield from _in_order(source, lines)


def _in_order(source: Any, lines: list[_Line]) -> Iterator[Found]:
    lines.sort(key=lambda line: (line.message_id, line.digest, line.number))
    given, last, seen = 0, -1, set[int]()
    for line in lines:
        place = f"line {line.number}"
        if line.message_id != last:
            last, seen = line.message_id, set[int]()
        if line.digest in seen:
            yield Unread(place=place, kind="message", why="twice in the file")
            continue
        seen.add(line.digest)
        source.seek(line.offset)
        found = _message(source.readline(LONGEST_LINE), place)
        if isinstance(found, ForeignMessage):
            given = max(given + 1, found.message_id)
            yield ForeignMessage(
                place=place,
                channel=found.channel,
                message_id=given,
                author_id=found.author_id,
                author=found.author,
                content=found.content,
                said_at=found.said_at,
            )


def _raw(file: Path) -> Iterator[tuple[int, int, bytes]]:
    """The lines that are not blank: number, where it begins, and what it is."""
    try:
        with file.open("rb") as source:
            number = offset = 0
            while raw := source.readline(LONGEST_LINE):
                number += 1
                if raw.strip():
                    yield number, offset, raw
                offset += len(raw)
    except OSError as exc:
        raise errors.TransferError(f"{file} can't be read: {exc.strerror or exc}.") from exc


def _message(raw: bytes, place: str) -> ForeignMessage | Unread:
    line = _parsed(raw)
    if not isinstance(line, dict):
        return _unread(place, "not a JSON object")
    if missing := sorted(KEYS - line.keys()):
        return _unread(place, f"without {' and '.join(missing)}")
    at, text = moment(line["timestamp"], zone=None), line["text"]
    if at is None:
        return _unread(place, "without a timestamp in ISO 8601 with its zone, from 2015 on")
    if not isinstance(text, str) or not text.strip():
        return _unread(place, "without text")
    channel, author, content = line.get("channel"), title(line["author"], "someone"), clean(text)
    number = snowflake(channel)
    where = None if channel is None or channel == "" else ForeignChannel(channel_id=number, name=title(channel))
    own = line.get("id")
    return ForeignMessage(
        place=place,
        channel=where,
        message_id=_message_id(at, own, f"{channel}\0{author}\0{content}\0{own}"),
        author_id=snowflake(line.get("author_id")),
        author=author,
        content=content,
        said_at=at,
    )


def _message_id(at: datetime, own: Any, told: str) -> int:
    """Its own id, where that is one of Discord's, which tells the same time; else one made of its time and words."""
    number = snowflake(own)
    if number is not None and abs(domain.id_time(number) - at) <= _NEAR:
        return number
    digest = hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=8).digest()
    return domain.first_id(at) | int.from_bytes(digest) >> (64 - _HASHED)


def _digest(found: ForeignMessage, channel: str) -> int:
    told = f"{channel}\0{found.author_id}\0{found.author}\0{found.content}"
    return int.from_bytes(hashlib.blake2b(told.encode(), digest_size=8).digest())


def _parsed(raw: bytes) -> Any:
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(raw)
    return None


def _unread(place: str, why: str) -> Unread:
    return Unread(place=place, kind="message", why=why)
