"""What somebody may do in a guild and in a channel, computed as Discord documents it."""

import enum
from collections.abc import Iterable
from dataclasses import dataclass


class Permission(enum.IntFlag):
    """The permission bits this server knows."""

    NONE = 0
    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_AUDIT_LOG = 1 << 7
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    SEND_TTS_MESSAGES = 1 << 12
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    SPEAK = 1 << 21
    CHANGE_NICKNAME = 1 << 26
    MANAGE_NICKNAMES = 1 << 27
    MANAGE_ROLES = 1 << 28
    MANAGE_WEBHOOKS = 1 << 29
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40


P = Permission
EVERYTHING = Permission((1 << 53) - 1)
CHATTING = (
    P.VIEW_CHANNEL
    | P.SEND_MESSAGES
    | P.SEND_MESSAGES_IN_THREADS
    | P.READ_MESSAGE_HISTORY
    | P.EMBED_LINKS
    | P.ATTACH_FILES
    | P.ADD_REACTIONS
    | P.CREATE_PUBLIC_THREADS
    | P.USE_EXTERNAL_EMOJIS
    | P.USE_APPLICATION_COMMANDS
)
EVERYONE = CHATTING | P.CREATE_PRIVATE_THREADS | P.CHANGE_NICKNAME | P.CONNECT | P.SPEAK
"""What a new guild gives to all its members."""
_SENDING = P.MENTION_EVERYONE | P.SEND_TTS_MESSAGES | P.ATTACH_FILES | P.EMBED_LINKS
_WHEN_TIMED_OUT = P.VIEW_CHANNEL | P.READ_MESSAGE_HISTORY


@dataclass(frozen=True, slots=True, kw_only=True)
class Overwrite:
    """What a channel allows and denies to one role or member."""

    allow: Permission = Permission.NONE
    deny: Permission = Permission.NONE


def in_guild(*, owner: bool, everyone: Permission, roles: Iterable[Permission]) -> Permission:
    """What a member may do where no channel says otherwise."""
    if owner:
        return EVERYTHING
    held = everyone
    for role in roles:
        held |= role
    return EVERYTHING if held & P.ADMINISTRATOR else held


def in_channel(
    held: Permission,
    *,
    everyone: Overwrite | None,
    roles: Iterable[Overwrite],
    member: Overwrite | None,
    timed_out: bool = False,
) -> Permission:
    """What remains of a member's permissions in a channel: first everyone's overwrite, then all roles', then theirs."""
    if held & P.ADMINISTRATOR:
        return EVERYTHING
    if everyone is not None:
        held = (held & ~everyone.deny) | everyone.allow
    allow = deny = P.NONE
    for overwrite in roles:
        allow |= overwrite.allow
        deny |= overwrite.deny
    held = (held & ~deny) | allow
    if member is not None:
        held = (held & ~member.deny) | member.allow
    if timed_out:
        held &= _WHEN_TIMED_OUT
    if not held & P.VIEW_CHANNEL:
        return P.NONE
    return held if held & P.SEND_MESSAGES else held & ~_SENDING
