"""Messages of the simulated Discord as Discord's JSON."""

from typing import TYPE_CHECKING

from tests.discord_server.clock import stamp
from tests.discord_server.wire import Json, channel, member, user

if TYPE_CHECKING:
    from tests.discord_server.messages import Attachment, Message


def attachment(part: "Attachment", said: "Message") -> Json:
    """A file of a message, with an address this server serves."""
    place, world = said.channel.channel_id, said.channel.world
    url = f"{world.base_url}/attachments/{place}/{said.message_id}/{part.attachment_id}/{part.filename}"
    data: Json = {
        "id": str(part.attachment_id),
        "filename": part.filename,
        "size": len(part.content),
        "url": url,
        "proxy_url": url,
        "content_type": part.content_type,
    }
    return data if part.description is None else data | {"description": part.description}


def message(said: "Message", *, bare: bool = False, nested: bool = False) -> Json:
    """A message; bare leaves out what a bot without the message-content intent is not shown."""
    world = said.channel.world
    data: Json = {
        "id": str(said.message_id),
        "channel_id": str(said.channel.channel_id),
        "author": user(said.author),
        "content": "" if bare else said.content,
        "timestamp": stamp(said.created_at),
        "edited_timestamp": stamp(said.edited_at) if said.edited_at else None,
        "tts": False,
        "mention_everyone": said.mention_everyone,
        "mentions": [user(who) for who in said.mentions],
        "mention_roles": [str(held.role_id) for held in said.mention_roles],
        "attachments": [] if bare else [attachment(part, said) for part in said.attachments],
        "embeds": [] if bare else said.embeds,
        "components": [] if bare else said.components,
        "pinned": said.pinned,
        "type": said.kind,
        "flags": said.flags,
    }
    if said.stickers and not bare:
        data["sticker_items"] = [
            {"id": str(at), "name": name, "format_type": 1} for at, name in enumerate(said.stickers)
        ]
    if said.forwards is not None and not bare:
        data["message_snapshots"] = [{"message": _snapshot(said.forwards)}]
    if said.reactions:
        data["reactions"] = [_reaction(emoji, who, world.bot.user_id) for emoji, who in said.reactions.items()]
    if said.webhook:
        data |= {"webhook_id": str(world.application_id), "application_id": str(world.application_id)}
    if said.interaction is not None:
        data["interaction_metadata"] = said.interaction
    if said.thread is not None:
        data["thread"] = channel(said.thread)
    if said.reference is not None:
        data["message_reference"] = said.reference
        if not nested and said.forwards is None:
            data["referenced_message"] = _referenced(said)
    return data


def _snapshot(original: "Message") -> Json:
    """What a forwarded message tells of the one it forwards: not who said it."""
    told = (
        "type",
        "content",
        "embeds",
        "attachments",
        "timestamp",
        "edited_timestamp",
        "flags",
        "sticker_items",
        "components",
    )
    whole = message(original)
    return {name: whole[name] for name in told if name in whole}


def _referenced(said: "Message") -> Json | None:
    original = said.referenced
    if original is None or original.deleted:
        return None
    return message(original, bare=said.channel.world.hides(original), nested=True)


def _reaction(emoji: str, who: list[int], bot_id: int) -> Json:
    return {
        "count": len(who),
        "count_details": {"normal": len(who), "burst": 0},
        "me": bot_id in who,
        "me_burst": False,
        "burst_colors": [],
        "emoji": partial_emoji(emoji),
    }


def partial_emoji(emoji: str) -> Json:
    """An emoji: a character, or `name:id` for a custom one."""
    name, _, emoji_id = emoji.partition(":")
    return {"id": emoji_id or None, "name": name}


def message_event(said: "Message", *, bare: bool) -> Json:
    """A message as the gateway tells it, with its guild, its author's membership and its nonce."""
    data = message(said, bare=bare)
    if said.nonce is not None:
        data["nonce"] = said.nonce
    place = said.channel.guild
    if place is not None:
        data["guild_id"] = str(place.guild_id)
        author = place.members.get(said.author.user_id)
        if author is not None and not said.webhook:
            data["member"] = member(author, with_user=False)
        for mention, who in zip(data["mentions"], said.mentions, strict=True):
            if (held := place.members.get(who.user_id)) is not None:
                mention["member"] = member(held, with_user=False)
    return data
