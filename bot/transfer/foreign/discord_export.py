"""Reads the JSON that DiscordChatExporter writes of one channel."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from bot import errors
from bot.text import normalize
from bot.transfer.foreign.json_stream import JsonStream
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

NAME: Final = "DiscordChatExporter JSON"
KEYS: Final = frozenset({"guild", "channel"})
"""What its object begins with."""
TALK: Final = frozenset({"Default", "Reply"})
"""The types of messages that are talk; others tell of pins, joins and calls."""
_PUBLIC_THREADS: Final = frozenset({"GuildPublicThread", "GuildNewsThread"})
"""Whose audience is their parent's."""
_PERSON: Final = re.compile(r"<@!?(\d{1,20})>")
_EMOJI: Final = re.compile(r"<a?(:\w{1,64}:)\d{1,20}>")


def shape(file: Path) -> Shape:
    """Which channel of which server a file is of. Raises `TransferError` where it does not say."""
    with file.open(encoding="utf-8-sig", errors="replace") as source:
        stream = JsonStream(source, str(file))
        guild: Any = None
        for key in stream.fields():
            value = stream.value()
            guild = value if key == "guild" else guild
            if key == "channel":
                channel = value
                break
        else:
            raise errors.TransferError(f"{file} names no channel: it is no whole {NAME}.")
    return Shape(
        name=NAME,
        guild_id=snowflake(guild.get("id")) if isinstance(guild, dict) else None,  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        channel=_channel(channel, file),
        is_unplaced=False,
    )


def read(file: Path) -> Iterator[Found]:
    """Every message, oldest first, as the file has them. Raises `TransferError` for one that is cut."""
    channel = shape(file).channel
    with file.open(encoding="utf-8-sig", errors="replace") as source:
        stream = JsonStream(source, str(file))
        for key in stream.fields():
            if key != "messages":
                stream.value()
                continue
            for number, each in enumerate(stream.items(), 1):
                yield _message(each, channel, f"message {number}")


def _message(said: Any, channel: ForeignChannel | None, place: str) -> Found:
    author = said.get("author") if isinstance(said, dict) else None
    if not isinstance(author, dict):
        return _unread(place, "not a message with an author")
    if author.get("isBot"):
        return _unread(place, "of a bot")
    if said.get("type") not in TALK:
        return _unread(place, "no talk: a pin, a join, a call or the like")
    message_id, at = snowflake(said.get("id")), moment(said.get("timestamp"))
    if not message_id or at is None:
        return _unread(place, "without an id" if at is not None else "without a time that can be read")
    content = _content(said)
    if not content.strip():
        return _unread(place, "without text")
    reference = said.get("reference")
    return ForeignMessage(
        place=place,
        channel=channel,
        message_id=message_id,
        author_id=snowflake(author.get("id")),
        author=title(author.get("nickname") or author.get("name"), "someone"),
        content=content,
        said_at=at,
        edited_at=moment(said.get("timestampEdited")),
        reply_to=snowflake(reference.get("messageId")) if isinstance(reference, dict) else None,
    )


def _content(said: dict[str, Any]) -> str:
    """The text with names in place of marks, and a line for each file, as Hathi records it."""
    mentions = said.get("mentions")
    people = {
        str(each.get("id")): title(each.get("nickname") or each.get("name"), "someone")
        for each in (mentions if isinstance(mentions, list) else ())
        if isinstance(each, dict)
    }
    text = clean(str(said.get("content") or ""))
    if "<" in text:
        text = _PERSON.sub(lambda found: f"@{people.get(found[1], 'someone')}", text)
        text = _EMOJI.sub(r"\1", text)
    attached = said.get("attachments")
    files = [
        f"{normalize.ATTACHED}{title(each.get('fileName'), 'file')}]"
        for each in (attached if isinstance(attached, list) else ())
        if isinstance(each, dict)
    ]
    return "\n".join([text, *files] if text else files)


def _channel(channel: Any, file: Path) -> ForeignChannel:
    found = snowflake(channel.get("id")) if isinstance(channel, dict) else None
    if not found:
        raise errors.TransferError(f"{file} names no channel by its id: it is no whole {NAME}.")
    parent = snowflake(channel.get("categoryId")) if channel.get("type") in _PUBLIC_THREADS else None
    return ForeignChannel(
        channel_id=found,
        name=title(channel.get("name"), str(found)),
        origin_id=parent or None,
        origin_name=title(channel.get("category"), str(parent)),
    )


def _unread(place: str, why: str) -> Unread:
    return Unread(place=place, kind="message", why=why)
