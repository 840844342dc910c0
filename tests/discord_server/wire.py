"""The simulated Discord's things as Discord's JSON."""

import enum
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from tests.discord_server.clock import stamp

if TYPE_CHECKING:
    from tests.discord_server.channels import Channel
    from tests.discord_server.guilds import Guild, Member, Role
    from tests.discord_server.threads import Thread
    from tests.discord_server.users import User

Json: TypeAlias = dict[str, Any]
FIRST_LARGE: Final = 250
_THREADS: Final = frozenset({10, 11, 12})


class Intent(enum.IntFlag):
    """What a gateway connection may ask to hear."""

    NONE = 0
    GUILDS = 1 << 0
    MEMBERS = 1 << 1
    PRESENCES = 1 << 8
    MESSAGES = 1 << 9
    REACTIONS = 1 << 10
    TYPING = 1 << 11
    DIRECT_MESSAGES = 1 << 12
    DIRECT_REACTIONS = 1 << 13
    DIRECT_TYPING = 1 << 14
    CONTENT = 1 << 15


PRIVILEGED: Final = Intent.MEMBERS | Intent.PRESENCES | Intent.CONTENT


def user(who: "User") -> Json:
    """A user."""
    return {
        "id": str(who.user_id),
        "username": who.name,
        "discriminator": "0",
        "global_name": who.display_name,
        "avatar": None,
        "bot": who.bot,
        "public_flags": 0,
    }


def member(who: "Member", *, with_user: bool = True) -> Json:
    """A member; the gateway's messages leave the user out."""
    data: Json = {
        "roles": [str(held.role_id) for held in who.roles],
        "joined_at": stamp(who.joined_at),
        "nick": who.nick,
        "avatar": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
        "premium_since": None,
        "communication_disabled_until": stamp(who.timed_out_until) if who.timed_out_until else None,
    }
    return data | {"user": user(who.user)} if with_user else data


def role(held: "Role") -> Json:
    """A role."""
    data: Json = {
        "id": str(held.role_id),
        "name": held.name,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "position": held.position,
        "permissions": str(int(held.permissions)),
        "managed": held.managed_by is not None,
        "mentionable": held.mentionable,
        "flags": 0,
        "icon": None,
        "unicode_emoji": None,
    }
    return data | {"tags": {"bot_id": str(held.managed_by.user_id)}} if held.managed_by else data


def channel(place: "Channel") -> Json:
    """A channel, thread or direct-message channel."""
    last = str(place.last_message_id) if place.last_message_id else None
    data: Json = {"id": str(place.channel_id), "type": int(place.kind), "last_message_id": last, "flags": 0}
    if place.guild is None:
        return data | {"recipients": [user(place.recipient)] if place.recipient else []}
    data |= {
        "guild_id": str(place.guild.guild_id),
        "name": place.name,
        "nsfw": place.home.nsfw,
        "rate_limit_per_user": 0,
    }
    data["parent_id"] = str(place.parent.channel_id) if place.parent else None
    if place.kind in _THREADS:
        return data | _thread(cast("Thread", place))
    data |= {"position": place.position, "topic": place.topic, "permission_overwrites": _overwrites(place)}
    if place.kind == 2:
        data |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
    if place.kind == 15:
        data |= {"available_tags": [], "default_reaction_emoji": None, "default_sort_order": None}
        data |= {"default_forum_layout": 0}
    return data


def _overwrites(place: "Channel") -> list[Json]:
    assert place.guild is not None
    return [
        {
            "id": str(target),
            "type": 0 if target in place.guild.roles else 1,
            "allow": str(int(overwrite.allow)),
            "deny": str(int(overwrite.deny)),
        }
        for target, overwrite in place.overwrites.items()
    ]


def _thread(place: "Thread") -> Json:
    return {
        "owner_id": str(place.owner.user_id),
        "member_count": min(len(place.members), 50),
        "message_count": len(place.messages),
        "total_message_sent": place.sent,
        "applied_tags": [],
        "thread_metadata": {
            "archived": place.archived,
            "auto_archive_duration": place.auto_archive_minutes,
            "archive_timestamp": stamp(place.archived_at),
            "locked": place.locked,
            "invitable": place.invitable,
            "create_timestamp": stamp(place.created_at),
        },
    }


def thread_member(place: "Thread", who: "User") -> Json:
    """Somebody's membership of a thread."""
    return {
        "id": str(place.channel_id),
        "user_id": str(who.user_id),
        "join_timestamp": stamp(place.members[who.user_id]),
        "flags": 0,
    }


def guild(place: "Guild") -> Json:
    """A guild as REST tells it."""
    return {
        "id": str(place.guild_id),
        "name": place.name,
        "owner_id": str(place.owner.user_id),
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "banner": None,
        "description": None,
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "roles": [role(held) for held in place.roles.values()],
        "emojis": [],
        "stickers": [],
        "features": [],
        "mfa_level": 0,
        "nsfw_level": 0,
        "application_id": None,
        "system_channel_id": str(place.notices.channel_id) if place.notices else None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": place.locale,
        "max_members": 500_000,
        "max_presences": None,
    }


def guild_create(place: "Guild", *, presences: bool = False) -> Json:
    """A guild as the gateway tells it: all members only to a bot that hears presences, and only in small guilds."""
    bot = place.world.bot
    everybody = presences and len(place.members) <= FIRST_LARGE
    members = [held for held in place.members.values() if everybody or held.user is bot]
    threads = [t for t in place.world.threads.values() if t.guild is place and not t.archived and t.sees(bot)]
    return guild(place) | {
        "joined_at": stamp(place.members[bot.user_id].joined_at),
        "large": len(place.members) > FIRST_LARGE,
        "member_count": len(place.members),
        "voice_states": [],
        "members": [member(held) for held in members],
        "channels": [channel(held) for held in place.channels.values()],
        "threads": [held.as_seen_by_bot() for held in threads],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def rate_limited(retry_after: float, *, everywhere: bool) -> Json:
    """The body of a 429."""
    return {"message": "You are being rate limited.", "retry_after": retry_after, "global": everywhere}
