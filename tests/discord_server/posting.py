"""Sending, editing and deleting messages, with Discord's own checks, for people and bot alike."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from simcord.components import walk_components

from tests.discord_server import component_rules, drafting, message_wire, messages, refusals, wire
from tests.discord_server.channels import Channel, Kind
from tests.discord_server.clock import moment
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Permission
from tests.discord_server.threads import Thread

if TYPE_CHECKING:
    from tests.discord_server.users import User

NONCE_LIVES: Final = timedelta(minutes=5)
OLDEST_IN_BULK: Final = timedelta(days=14)


def allow(channel: Channel, author: "User", draft: drafting.Draft) -> None:
    """Refuse what the author may not do in the channel. Raises `Refusal`."""
    held = channel.permissions(author)
    if not channel.sees(author):
        raise refusals.missing_access()
    if not channel.holds_messages:
        raise refusals.wrong_channel_type()
    if not held & channel.needed_to_send:
        raise refusals.missing_permissions()
    if draft.attachments and not held & Permission.ATTACH_FILES:
        raise refusals.missing_permissions()
    if draft.embeds and not held & Permission.EMBED_LINKS:
        raise refusals.missing_permissions()
    if draft.reply_to is not None and not held & Permission.READ_MESSAGE_HISTORY:
        raise refusals.reply_without_history()
    if isinstance(channel, Thread) and channel.archived:
        if channel.locked and not held & Permission.MANAGE_THREADS:
            raise refusals.thread_archived()
        channel.change(archived=False)
    recipient = channel.recipient
    if recipient is not None and author is not recipient and not recipient.takes_direct_messages:
        raise refusals.no_direct_messages()


def send(channel: Channel, author: "User", draft: drafting.Draft) -> Message:
    """Send a message; the same enforced nonce again gives the message already sent. Raises `Refusal`."""
    allow(channel, author, draft)
    drafting.check(draft)
    if draft.enforce_nonce and draft.nonce is not None:
        known = channel.nonces.get((author.user_id, str(draft.nonce)))
        if known is not None and datetime.now(UTC) - known.created_at < NONCE_LIVES:
            return known
    return put(channel, author, draft)


def put(
    channel: Channel, author: "User", draft: drafting.Draft, *, interaction: wire.Json | None = None, kind: int = 0
) -> Message:
    """A message where it belongs, told to the bot; nothing is checked but the reply."""
    world = channel.world
    opens_post = isinstance(channel, Thread) and channel.home.kind is Kind.FORUM and not channel.sent
    message_id = channel.channel_id if opens_post else world.ids.fresh()
    message = Message(
        message_id=message_id,
        channel=channel,
        author=author,
        created_at=moment(message_id),
        content=draft.content,
        kind=kind,
        flags=draft.flags,
        embeds=_embeds(draft.embeds),
        attachments=draft.attachments,
        stickers=draft.stickers,
        forwards=draft.forwards,
        nonce=draft.nonce,
        webhook=interaction is not None,
        interaction=interaction,
    )
    if draft.reply_to is not None:
        _refer(message, draft)
    if draft.forwards is not None:
        message.reference = _reference(draft.forwards, kind=1)
    message.components = _components(message, draft)
    mention(message, draft.allowed)
    message.keep_version()
    if not message.ephemeral:
        channel.keep(message)
        if draft.nonce is not None:
            channel.keep_nonce(message)
        if isinstance(channel, Thread):
            channel.sent += 1
            if author.user_id not in channel.members and interaction is None:
                channel.add(author)
    world.tell_message("MESSAGE_CREATE", message)
    return message


def _refer(message: Message, draft: drafting.Draft) -> None:
    assert draft.reply_to is not None
    channel = message.channel
    original = channel.find(draft.reply_to)
    if original is None:
        if draft.reply_must_exist:
            raise refusals.invalid_form("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        return
    message.kind, message.referenced = messages.REPLY, original
    message.reference = _reference(original, kind=0)


def _reference(original: Message, *, kind: int) -> wire.Json:
    channel = original.channel
    found: wire.Json = {"type": kind, "channel_id": str(channel.channel_id), "message_id": str(original.message_id)}
    return found if channel.guild is None else found | {"guild_id": str(channel.guild.guild_id)}


def mention(message: Message, allowed: wire.Json | None) -> None:
    """Work out whom the message calls: from its text and reply, as far as the sender allowed."""
    channel, world = message.channel, message.channel.world
    parse = ["users", "roles", "everyone"] if allowed is None else allowed.get("parse") or []
    named = {int(each) for each in (allowed or {}).get("users") or []}
    named_roles = {int(each) for each in (allowed or {}).get("roles") or []}
    users = [world.users[each] for each in messages.user_ids(message.text) if each in world.users]
    users = [user for user in users if "users" in parse or user.user_id in named]
    replied = message.referenced.author if message.referenced else None
    calls_replied = allowed is None or bool(allowed.get("replied_user"))
    if replied is not None and calls_replied and replied is not message.author and replied not in users:
        users.append(replied)
    message.mentions = users
    message.mention_roles = []
    message.mention_everyone = False
    if channel.guild is None:
        return
    roles = [channel.guild.roles[each] for each in messages.role_ids(message.text) if each in channel.guild.roles]
    message.mention_roles = [role for role in roles if "roles" in parse or role.role_id in named_roles]
    may_call = channel.permissions(message.author) & Permission.MENTION_EVERYONE
    message.mention_everyone = bool(may_call) and "everyone" in parse and messages.calls_everyone(message.text)


def rewrite(message: Message, draft: drafting.Draft, *, as_edit: bool = True) -> None:
    """Give a message another text, embeds, components or files, and tell it. Raises `Refusal`."""
    message.components = _components(message, draft)
    message.content = draft.content
    message.embeds = _embeds(draft.embeds)
    message.attachments = draft.attachments
    message.flags = draft.flags
    message.edited_at = datetime.now(UTC) if as_edit else message.edited_at
    mention(message, draft.allowed)
    message.keep_version()
    message.channel.world.tell_message("MESSAGE_UPDATE", message)


def delete(message: Message) -> None:
    """Remove one message."""
    channel = message.channel
    if message.ephemeral:
        message.deleted = True
        channel.world.changes.tell()
        return
    channel.lose(message)
    data = {"id": str(message.message_id)} | _where(channel)
    channel.world.emit("MESSAGE_DELETE", data, channel=channel, intent=_intent(channel))


def delete_many(channel: Channel, ids: Iterable[int]) -> None:
    """Remove messages at once; unknown ids are passed over, as Discord does."""
    found = [message for message in map(channel.find, ids) if message is not None]
    for message in found:
        channel.lose(message)
    data = {"ids": [str(message.message_id) for message in found]} | _where(channel)
    channel.world.emit("MESSAGE_DELETE_BULK", data, channel=channel, intent=_intent(channel))


def _where(channel: Channel) -> wire.Json:
    data: wire.Json = {"channel_id": str(channel.channel_id)}
    return data | {"guild_id": str(channel.guild.guild_id)} if channel.guild else data


def _intent(channel: Channel) -> wire.Intent:
    return wire.Intent.MESSAGES if channel.guild else wire.Intent.DIRECT_MESSAGES


def react(message: Message, user: "User", emoji: str, *, add: bool) -> None:
    """Add or take away a reaction, told when it changed something."""
    who = message.reactions.setdefault(emoji, [])
    if add == (user.user_id in who):
        return
    if add:
        who.append(user.user_id)
    else:
        who.remove(user.user_id)
    if not who:
        del message.reactions[emoji]
    channel = message.channel
    data: wire.Json = {
        "user_id": str(user.user_id),
        "message_id": str(message.message_id),
        "emoji": message_wire.partial_emoji(emoji),
        "burst": False,
        "type": 0,
    }
    if add and channel.guild is not None and (member := channel.guild.members.get(user.user_id)) is not None:
        data |= {"member": wire.member(member), "message_author_id": str(message.author.user_id)}
    intent = wire.Intent.REACTIONS if channel.guild else wire.Intent.DIRECT_REACTIONS
    name = "MESSAGE_REACTION_ADD" if add else "MESSAGE_REACTION_REMOVE"
    channel.world.emit(name, data | _where(channel), channel=channel, intent=intent)


def _embeds(embeds: Sequence[wire.Json]) -> list[wire.Json]:
    return [{"type": "rich"} | embed for embed in embeds]


def _components(message: Message, draft: drafting.Draft) -> list[wire.Json]:
    """The components a message gets: those without an id have one, and its files are shown. Raises `Refusal`."""
    files = [message_wire.attachment(part, message) for part in draft.attachments]
    shown = component_rules.with_files(draft.components, files)
    for number, part in enumerate(walk_components(shown), start=1):
        part["id"] = part.get("id") or number
    return shown
