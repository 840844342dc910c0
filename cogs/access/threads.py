"""Tells which threads are Hathi's own, made from questions to be answered there, and where one may be made."""

from typing import Final

import discord

from bot import catalogue
from cogs.access.callers import Channel, is_private_thread
from cogs.access.permissions import own_member

_LABELS: Final = {
    "create_public_threads": catalogue.later("Create Public Threads"),
    "send_messages_in_threads": catalogue.later("Send Messages in Threads"),
}
"""What that takes, as Discord's settings name it."""


def is_own(channel: object, me: discord.abc.User) -> bool:
    """Whether Hathi made the thread: it makes one only to answer what it was made from."""
    return isinstance(channel, discord.Thread) and channel.owner_id == me.id


def asked_in(channel: Channel, message_id: int) -> Channel:
    """Where a message stands that is answered in a channel: what a thread was made from, in the thread's channel."""
    if isinstance(channel, discord.Thread) and channel.id == message_id:
        home = channel.parent
        return home if isinstance(home, discord.TextChannel) else channel
    return channel


def hindrances(channel: Channel) -> list[str]:
    """Why no thread is made of what is asked in a channel, or in that of a thread, in a sentence; none if one is."""
    home = channel.parent if isinstance(channel, discord.Thread) else channel
    if not isinstance(home, discord.TextChannel) or is_private_thread(channel):
        return [catalogue.gettext("But from what is said here no thread can be made, so I answer where I am asked.")]
    lacks = lacking(home)
    if not lacks:
        return []
    told = catalogue.ngettext(
        "But I lack the permission {names} in {channel}; until I have it I answer where I am asked.",
        "But I lack the permissions {names} in {channel}; until I have it I answer where I am asked.",
        len(lacks),
    )
    names = catalogue.both(map(catalogue.gettext, lacks))
    return [told.format(names=names, channel=f"<#{home.id}>")]


def lacking(channel: discord.TextChannel) -> list[str]:
    """The permissions that Hathi would need to make threads there, and does not have; empty where that is not known."""
    me = own_member(channel.guild)
    held = None if me is None else channel.permissions_for(me)
    return [] if held is None else [label for name, label in _LABELS.items() if not getattr(held, name)]
