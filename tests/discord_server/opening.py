"""How a thread is opened, with the lines Discord itself writes about it."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tests.discord_server import messages, wire
from tests.discord_server.channels import Channel, Kind
from tests.discord_server.clock import moment
from tests.discord_server.messages import HAS_THREAD, Message
from tests.discord_server.threads import Thread

if TYPE_CHECKING:
    from tests.discord_server.users import User


def begin(
    parent: Channel,
    owner: "User",
    name: str,
    *,
    private: bool = False,
    starter: "Message | None" = None,
    invitable: bool = True,
    minutes: int = 1440,
) -> Thread:
    """A new thread of a channel, on a message when one is given (it then bears the message's id)."""
    world = parent.world
    kind = Kind.PRIVATE_THREAD if private else Kind.PUBLIC_THREAD
    if parent.kind is Kind.ANNOUNCEMENT:
        kind = Kind.ANNOUNCEMENT_THREAD
    thread = Thread(
        world=world,
        channel_id=starter.message_id if starter else world.ids.fresh(),
        kind=kind,
        name=name,
        guild=parent.guild,
        parent=parent,
        owner=owner,
        invitable=invitable,
        auto_archive_minutes=minutes,
        starter_id=starter.message_id if starter else None,
        members={owner.user_id: datetime.now(UTC)},
    )
    world.channels[thread.channel_id] = world.threads[thread.channel_id] = thread
    created = thread.as_seen_by_bot() | {"newly_created": True}
    world.emit("THREAD_CREATE", created, channel=thread, intent=wire.Intent.GUILDS)
    if starter is None:
        if kind is Kind.PUBLIC_THREAD and parent.kind is not Kind.FORUM:
            _announce(thread)
    else:
        _open_with(thread, starter)
        starter.thread, starter.flags = thread, starter.flags | HAS_THREAD
        world.tell_message("MESSAGE_UPDATE", starter)
    return thread


def _announce(thread: Thread) -> None:
    """Discord's own line in the parent that a thread was opened."""
    assert thread.guild is not None
    reference = {"type": 0, "channel_id": str(thread.channel_id), "guild_id": str(thread.guild.guild_id)}
    _say_itself(thread.home, thread.owner, messages.THREAD_CREATED, thread.name, reference, None)


def _open_with(thread: Thread, starter: Message) -> None:
    """Discord's own first line in a thread on a message: what it is about."""
    assert thread.guild is not None
    reference = {
        "type": 0,
        "channel_id": str(starter.channel.channel_id),
        "guild_id": str(thread.guild.guild_id),
        "message_id": str(starter.message_id),
    }
    _say_itself(thread, thread.owner, messages.THREAD_STARTER, "", reference, starter)


def _say_itself(
    channel: Channel, author: "User", kind: int, text: str, reference: wire.Json, referenced: Message | None
) -> None:
    message_id = channel.world.ids.fresh()
    message = Message(
        message_id=message_id,
        channel=channel,
        author=author,
        created_at=moment(message_id),
        content=text,
        kind=kind,
        reference=reference,
        referenced=referenced,
    )
    message.keep_version()
    channel.keep(message)
    channel.world.tell_message("MESSAGE_CREATE", message)
