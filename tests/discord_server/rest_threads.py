"""Routes of threads."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from tests.discord_server import access, drafting, drafts, message_wire, opening, posting, refusals, wire
from tests.discord_server.calls import Call, Route, Status
from tests.discord_server.channels import Channel, Kind
from tests.discord_server.permissions import Permission
from tests.discord_server.threads import Thread

_PARENTS: Final = frozenset({Kind.TEXT, Kind.ANNOUNCEMENT})


def _name(call: Call) -> str:
    name = str(call.fields.get("name") or "")
    if not 1 <= len(name) <= 100:
        raise refusals.invalid_form("name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    return name


def _minutes(call: Call) -> int:
    return int(call.fields.get("auto_archive_duration") or 1440)


def _on_message(call: Call) -> Status:
    message = access.message(call)
    if message.channel.kind not in _PARENTS:
        raise refusals.wrong_channel_type()
    access.need(call, message.channel, Permission.CREATE_PUBLIC_THREADS)
    if message.thread is not None:
        raise refusals.already_has_thread()
    thread = opening.begin(message.channel, call.world.bot, _name(call), starter=message, minutes=_minutes(call))
    return Status(201, thread.as_seen_by_bot())


def _standalone(call: Call) -> Status:
    channel = access.channel(call)
    if channel.kind is Kind.FORUM:
        return _forum_post(call, channel)
    if channel.kind not in _PARENTS:
        raise refusals.wrong_channel_type()
    private = int(call.fields.get("type") or Kind.PRIVATE_THREAD) == Kind.PRIVATE_THREAD
    needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    access.need(call, channel, needed)
    thread = opening.begin(
        channel,
        call.world.bot,
        _name(call),
        private=private,
        invitable=bool(call.fields.get("invitable", True)),
        minutes=_minutes(call),
    )
    return Status(201, thread.as_seen_by_bot())


def _forum_post(call: Call, forum: Channel) -> Status:
    access.need(call, forum, Permission.SEND_MESSAGES)
    draft = drafts.fresh(call.world, call.fields.get("message") or {}, call.files)
    name = _name(call)
    drafting.check(draft)
    thread = opening.begin(forum, call.world.bot, name, minutes=_minutes(call))
    message = posting.send(thread, call.world.bot, draft)
    return Status(201, thread.as_seen_by_bot() | {"message": message_wire.message(message)})


def _page(call: Call, found: Sequence[Thread]) -> wire.Json:
    limit = call.limit(50, 100)
    newest = sorted(found, key=lambda thread: thread.archived_at, reverse=True)
    before = call.query.get("before")
    if before is not None:
        newest = [thread for thread in newest if thread.archived_at < datetime.fromisoformat(before)]
    page, bot = newest[:limit], call.world.bot
    return {
        "threads": [wire.channel(thread) for thread in page],
        "members": [wire.thread_member(thread, bot) for thread in page if bot.user_id in thread.members],
        "has_more": len(newest) > limit,
    }


def _archived(call: Call, *kinds: Kind) -> list[Thread]:
    channel = access.channel(call)
    access.need(call, channel, Permission.READ_MESSAGE_HISTORY)
    return [thread for thread in channel.threads if thread.archived and thread.kind in kinds]


def _archived_public(call: Call) -> wire.Json:
    return _page(call, _archived(call, Kind.PUBLIC_THREAD, Kind.ANNOUNCEMENT_THREAD))


def _archived_private(call: Call) -> wire.Json:
    access.channel(call, Permission.MANAGE_THREADS)
    return _page(call, _archived(call, Kind.PRIVATE_THREAD))


def _archived_mine(call: Call) -> wire.Json:
    bot = call.world.bot.user_id
    return _page(call, [thread for thread in _archived(call, Kind.PRIVATE_THREAD) if bot in thread.members])


def _members(call: Call) -> list[wire.Json]:
    thread = access.thread(call)
    return [wire.thread_member(thread, call.world.users[each]) for each in thread.members]


def _member(call: Call) -> wire.Json:
    thread, user = access.thread(call), access.user(call)
    if user.user_id not in thread.members:
        raise refusals.unknown_member()
    return wire.thread_member(thread, user)


def _add(call: Call) -> None:
    thread, user = access.thread(call), access.user(call)
    if thread.archived:
        raise refusals.thread_archived()
    if user is not call.world.bot:
        access.need(call, thread, thread.needed_to_send)
    thread.add(user)


def _remove(call: Call) -> None:
    thread, user = access.thread(call), access.user(call)
    if user is not call.world.bot and thread.owner is not call.world.bot:
        access.need(call, thread, Permission.MANAGE_THREADS)
    thread.remove(user)


_CHANNEL: Final = "/channels/{channel_id}"
ROUTES: Final = (
    Route("POST", _CHANNEL + "/messages/{message_id}/threads", _on_message),
    Route("POST", _CHANNEL + "/threads", _standalone),
    Route("GET", _CHANNEL + "/threads/archived/public", _archived_public),
    Route("GET", _CHANNEL + "/threads/archived/private", _archived_private),
    Route("GET", _CHANNEL + "/users/@me/threads/archived/private", _archived_mine),
    Route("GET", _CHANNEL + "/thread-members", _members),
    Route("GET", _CHANNEL + "/thread-members/{user_id}", _member),
    Route("PUT", _CHANNEL + "/thread-members/{user_id}", _add),
    Route("DELETE", _CHANNEL + "/thread-members/{user_id}", _remove),
)
