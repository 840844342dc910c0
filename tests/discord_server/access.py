"""What the bot reaches by an id: the thing itself, or Discord's refusal."""

from tests.discord_server import refusals
from tests.discord_server.calls import Call
from tests.discord_server.channels import Channel
from tests.discord_server.guilds import Guild
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Permission
from tests.discord_server.threads import Thread
from tests.discord_server.users import User


def channel(call: Call, *needed: Permission) -> Channel:
    """The channel of the path, if the bot sees it and has the permissions there. Raises `Refusal`."""
    found = call.world.channels.get(call.number("channel_id"))
    if found is None:
        raise refusals.unknown_channel()
    if not found.sees(call.world.bot):
        raise refusals.missing_access()
    need(call, found, *needed)
    return found


def need(call: Call, place: Channel, *needed: Permission) -> None:
    """Refuse where the bot lacks a permission. Raises `Refusal`."""
    held = place.permissions(call.world.bot)
    if not all(held & permission for permission in needed):
        raise refusals.missing_permissions()


def thread(call: Call) -> Thread:
    """The thread of the path. Raises `Refusal`."""
    found = channel(call)
    if not isinstance(found, Thread):
        raise refusals.wrong_channel_type()
    return found


def message(call: Call, *, history: bool = True) -> Message:
    """The message of the path. Raises `Refusal`."""
    place = channel(call)
    found = place.find(call.number("message_id"))
    if history and not place.permissions(call.world.bot) & Permission.READ_MESSAGE_HISTORY:
        raise refusals.missing_access()
    if found is None:
        raise refusals.unknown_message()
    return found


def guild(call: Call) -> Guild:
    """The guild of the path, if the bot is in it. Raises `Refusal`."""
    found = call.world.guilds.get(call.number("guild_id"))
    if found is None:
        raise refusals.unknown_guild()
    if call.world.bot.user_id not in found.members:
        raise refusals.missing_access()
    return found


def user(call: Call) -> User:
    """The user of the path, `@me` for the bot. Raises `Refusal`."""
    if call.parameters["user_id"] == "@me":
        return call.world.bot
    found = call.world.users.get(call.number("user_id"))
    if found is None:
        raise refusals.unknown_user()
    return found
