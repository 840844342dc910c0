"""Routes of one channel."""

from typing import Final

from tests.discord_server import access, refusals, wire
from tests.discord_server.calls import Call, Route
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.threads import Thread


def _one(call: Call) -> wire.Json:
    channel = access.channel(call)
    return channel.as_seen_by_bot() if isinstance(channel, Thread) else wire.channel(channel)


def _edit(call: Call) -> wire.Json:
    channel = access.channel(call)
    if isinstance(channel, Thread):
        mine = channel.owner is call.world.bot
        if not mine or "locked" in call.fields:
            access.need(call, channel, Permission.MANAGE_THREADS)
        channel.change(
            name=call.fields.get("name"), archived=call.fields.get("archived"), locked=call.fields.get("locked")
        )
    else:
        access.need(call, channel, Permission.MANAGE_CHANNELS)
        channel.change(name=call.fields.get("name"), topic=call.fields.get("topic"))
    return wire.channel(channel)


def _delete(call: Call) -> wire.Json:
    channel = access.channel(call)
    if channel.guild is not None:
        needed = Permission.MANAGE_THREADS if isinstance(channel, Thread) else Permission.MANAGE_CHANNELS
        access.need(call, channel, needed)
        channel.delete()
    return wire.channel(channel)


def _overwrite(call: Call) -> None:
    channel = access.channel(call, Permission.MANAGE_ROLES)
    if channel.guild is None or isinstance(channel, Thread):
        raise refusals.wrong_channel_type()
    channel.overwrites[call.number("target_id")] = Overwrite(
        allow=Permission(int(call.fields.get("allow") or 0)), deny=Permission(int(call.fields.get("deny") or 0))
    )
    channel.tell_change()


def _take_overwrite(call: Call) -> None:
    channel = access.channel(call, Permission.MANAGE_ROLES)
    channel.overwrites.pop(call.number("target_id"), None)
    channel.tell_change()


ROUTES: Final = (
    Route("GET", "/channels/{channel_id}", _one),
    Route("PATCH", "/channels/{channel_id}", _edit),
    Route("DELETE", "/channels/{channel_id}", _delete),
    Route("PUT", "/channels/{channel_id}/permissions/{target_id}", _overwrite),
    Route("DELETE", "/channels/{channel_id}/permissions/{target_id}", _take_overwrite),
)
