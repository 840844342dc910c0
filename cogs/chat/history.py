"""Reads a channel's recent history from Discord where nothing is recorded."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import discord

from bot import errors, log
from bot.domain import Caller, Message, MessageId, PersonId, Role, SessionId, Stock
from bot.recall.librarian import Librarian
from bot.store.people import People
from bot.store.spaces import Place
from bot.store.turns import HATHI, Turns
from bot.text import notices
from cogs.access import classify, threads
from cogs.access.callers import Channel
from cogs.text import message_words

_log = log.logger(__name__)

MOST: Final = 50
"""Messages looked at, the newest."""
_COMMANDS: Final = frozenset({classify.MessageKind.COMMAND, classify.MessageKind.UNKNOWN_COMMAND})


async def live(
    channel: Channel,
    caller: Caller,
    *,
    me: discord.abc.User,
    after: SessionId,
    before: MessageId,
    text_of: Callable[[discord.Message], str],
    librarian: Librarian | None = None,
    people: People | None = None,
    place: Place | None = None,
    turns: Turns | None = None,
) -> Sequence[Message]:
    """The messages between people and Hathi from the session's start to a question, oldest first.

    Nothing the librarian withholds, nothing of others who opted out, no command, and no answer to any of these. Which
    of Hathi's are set texts the turns tell; so is what they don't know. Empty where the history may not be read, or
    where it can't be told what of it may be shown.
    """
    found: list[discord.Message] = []
    try:
        async for message in channel.history(
            limit=MOST, before=discord.Object(before), after=discord.Object(after), oldest_first=False
        ):
            if message.author.id == me.id:
                if notices.ends_conversation(message_words.read(message)):
                    # Commands alone make no session to be ended; what stands here tells of the reset.
                    break
                found.append(message)
            elif classify.is_persons(message) and _is_asked(message, place, me):
                found.append(message)
        else:
            found += await _begun_by(channel, me, before)
    except (discord.Forbidden, discord.NotFound):
        return ()
    found.reverse()
    try:
        gone = _commands(found, place, me) | await _gone(found, caller, librarian, people)
        mine = [MessageId(message.id) for message in found if message.author.id == me.id]
        stocks = dict.fromkeys(mine) if turns is None else await turns.stocks(caller, mine)
    except errors.DatabaseDown:
        _log.warning("history.database_down")
        return ()
    said = (
        _said(message, caller, Role.HATHI if message.author.id == me.id else Role.PERSON, text_of(message))
        for message in _without(gone, found, me)
    )
    return [
        replace(message, stock=stocks.get(message.message_id, Stock.OTHER)) if message.role is Role.HATHI else message
        for message in said
        if message.content
    ]


def _is_asked(message: discord.Message, place: Place | None, me: discord.abc.User) -> bool:
    return classify.is_to(message, me) if place is None else classify.is_asked(message, place, me)


async def _begun_by(channel: Channel, me: discord.abc.User, before: MessageId) -> list[discord.Message]:
    """The question that a thread of Hathi's own was made from, and that stands in the thread's channel."""
    home = threads.asked_in(channel, channel.id)
    if home is channel or channel.id >= before or not threads.is_own(channel, me):
        return []
    try:
        return [await home.fetch_message(channel.id)]
    except (discord.Forbidden, discord.NotFound):
        return []


async def _gone(
    found: Sequence[discord.Message], caller: Caller, librarian: Librarian | None, people: People | None
) -> frozenset[int]:
    """The messages that may not be shown, also among those replied to. Raises `DatabaseDown`."""
    known = {message.id for message in (*found, *_referred(found))}
    refers = {message.reference.message_id for message in found if message.reference and message.reference.message_id}
    gone: set[int] = set()
    if librarian is not None:
        gone |= await librarian.withheld(caller.space_id, map(MessageId, known | refers))
    if people is not None:
        said = {m.id: (PersonId(m.author.id), m.created_at) for m in (*found, *_referred(found))}
        readable = await people.readable(said.values(), asker=caller.person_id)
        gone |= {message_id for message_id, each in said.items() if each not in readable}
    return frozenset(gone)


def _commands(found: Sequence[discord.Message], place: Place | None, me: discord.abc.User) -> frozenset[int]:
    """Commands, and Hathi's replies to slash commands: they are no talk, and may quote what was forgotten."""
    slashed = {message.id for message in found if message.interaction_metadata is not None}
    if place is None:
        return frozenset(slashed)
    persons = (message for message in (*found, *_referred(found)) if message.author.id != me.id)
    typed = {message.id for message in persons if classify.hear(message, place, me).kind in _COMMANDS}
    return frozenset(slashed | typed)


def _referred(found: Sequence[discord.Message]) -> Sequence[discord.Message]:
    """The messages replied to, as far as Discord sends them along."""
    resolved = (message.reference.resolved for message in found if message.reference)
    return [message for message in resolved if isinstance(message, discord.Message)]


def _without(gone: frozenset[int], found: Sequence[discord.Message], me: discord.abc.User) -> Sequence[discord.Message]:
    """The messages, oldest first, without those that are gone and Hathi's replies to them."""
    left: list[discord.Message] = []
    answer_gone = False
    for message in found:
        if message.author.id == me.id:
            # The further parts of a long answer refer to nothing.
            if message.reference is not None:
                answer_gone = message.reference.message_id in gone
            answer_gone = answer_gone or message.id in gone
        if message.id not in gone and not (answer_gone and message.author.id == me.id):
            left.append(message)
    return left


def _said(message: discord.Message, caller: Caller, role: Role, text: str) -> Message:
    refers = message.reference.message_id if message.reference else None
    return Message(
        space_id=caller.space_id,
        channel_id=caller.channel_id,
        message_id=MessageId(message.id),
        role=role,
        author_id=PersonId(message.author.id) if role is Role.PERSON else None,
        author=message.author.display_name if role is Role.PERSON else HATHI,
        content=text,
        said_at=message.created_at,
        reply_to=None if refers is None else MessageId(refers),
    )
