"""People, channels and what they say, for tests."""

import itertools
from datetime import datetime

from bot.domain import Caller, ChannelId, Message, MessageId, PersonId, Role, SpaceId, Turn, new_id

_people = itertools.count(100)


def caller(
    name: str = "Ann",
    *,
    space: int = 1,
    channel: int = 10,
    person: int = 7,
    admin: bool = False,
    moderator: bool = True,
    sees: tuple[int, ...] | None = None,
) -> Caller:
    """Somebody in a channel who sees it, and others if named; who resets may manage its messages."""
    return Caller(
        space_id=SpaceId(space),
        channel_id=ChannelId(channel),
        person_id=PersonId(person),
        name=name,
        is_admin=admin,
        is_moderator=moderator,
        visible=tuple(ChannelId(c) for c in (sees if sees is not None else (channel,))),
    )


def said(by: Caller, text: str, at: datetime) -> Message:
    """A message of theirs in their channel."""
    return Message(
        space_id=by.space_id,
        channel_id=by.channel_id,
        message_id=MessageId(new_id(at)),
        role=Role.PERSON,
        author_id=by.person_id,
        author=by.name,
        content=text,
        said_at=at,
    )


def turn(by: Caller, text: str, at: datetime) -> Turn:
    """A question of theirs."""
    return Turn(caller=by, message=said(by, text, at))
