"""Routes of messages, reactions and typing."""

from datetime import UTC, datetime
from typing import Final
from urllib.parse import unquote

from tests.discord_server import access, drafting, drafts, message_wire, posting, refusals, wire
from tests.discord_server.calls import Call, Route
from tests.discord_server.clock import moment
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Permission


def told(message: Message) -> wire.Json:
    """A message as the bot may read it."""
    return message_wire.message(message, bare=message.channel.world.hides(message))


def _create(call: Call) -> wire.Json:
    channel = access.channel(call)
    draft = drafts.fresh(call.world, call.fields, call.files)
    message = posting.send(channel, call.world.bot, draft)
    return message_wire.message(message) | ({"nonce": message.nonce} if message.nonce is not None else {})


def _edit(call: Call) -> wire.Json:
    message = access.message(call, history=False)
    if message.author is not call.world.bot:
        # Only the suppressing of embeds is open to moderators.
        if set(call.fields) != {"flags"}:
            raise refusals.not_the_author()
        access.need(call, message.channel, Permission.MANAGE_MESSAGES)
    draft = drafts.changed(message, call.fields, call.files)
    drafting.check(draft)
    posting.rewrite(message, draft)
    return told(message)


def _delete(call: Call) -> None:
    message = access.message(call, history=False)
    if message.author is not call.world.bot:
        access.need(call, message.channel, Permission.MANAGE_MESSAGES)
    posting.delete(message)


def _bulk_delete(call: Call) -> None:
    channel = access.channel(call, Permission.MANAGE_MESSAGES)
    ids = [int(each) for each in call.fields.get("messages") or []]
    if not 2 <= len(ids) <= 100:
        raise refusals.bulk_size()
    if any(datetime.now(UTC) - moment(each) > posting.OLDEST_IN_BULK for each in ids):
        raise refusals.bulk_too_old()
    posting.delete_many(channel, ids)


def _one(call: Call) -> wire.Json:
    return told(access.message(call))


def _history(call: Call) -> list[wire.Json]:
    channel = access.channel(call)
    limit = call.limit(50, 100)
    if not channel.holds_messages:
        raise refusals.wrong_channel_type()
    if not channel.permissions(call.world.bot) & Permission.READ_MESSAGE_HISTORY:
        return []
    page = channel.page(
        before=call.asked("before"), after=call.asked("after"), around=call.asked("around"), limit=limit
    )
    return [told(message) for message in page]


def _typing(call: Call) -> None:
    channel = access.channel(call)
    access.need(call, channel, channel.needed_to_send)
    channel.typing += 1


def _emoji(call: Call) -> str:
    emoji = unquote(call.parameters["emoji"])
    if emoji.isascii() and ":" not in emoji:
        raise refusals.unknown_emoji()
    return emoji


def _react(call: Call) -> None:
    message = access.message(call)
    emoji = _emoji(call)
    if emoji not in message.reactions:
        access.need(call, message.channel, Permission.ADD_REACTIONS)
    posting.react(message, call.world.bot, emoji, add=True)


def _unreact(call: Call) -> None:
    message, user = access.message(call), access.user(call)
    if user is not call.world.bot:
        access.need(call, message.channel, Permission.MANAGE_MESSAGES)
    posting.react(message, user, _emoji(call), add=False)


def _reacted(call: Call) -> list[wire.Json]:
    who = access.message(call).reactions.get(_emoji(call), [])
    return [wire.user(call.world.users[each]) for each in who[: call.limit(25, 100)]]


_MESSAGES: Final = "/channels/{channel_id}/messages"
_MESSAGE: Final = _MESSAGES + "/{message_id}"
ROUTES: Final = (
    Route("GET", _MESSAGES, _history),
    Route("POST", _MESSAGES, _create),
    Route("POST", _MESSAGES + "/bulk-delete", _bulk_delete),
    Route("GET", _MESSAGE, _one),
    Route("PATCH", _MESSAGE, _edit),
    Route("DELETE", _MESSAGE, _delete),
    Route("PUT", _MESSAGE + "/reactions/{emoji}/@me", _react),
    Route("GET", _MESSAGE + "/reactions/{emoji}", _reacted),
    Route("DELETE", _MESSAGE + "/reactions/{emoji}/{user_id}", _unreact),
    Route("POST", "/channels/{channel_id}/typing", _typing),
)
