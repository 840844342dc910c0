"""Finds the channel of an interaction, and tells what Hathi may do and see in a channel."""

from collections.abc import Sequence
from typing import Any

import discord

from bot import catalogue, errors
from bot.connection.client import Client
from bot.presentation import introduction
from cogs.access.callers import Channel


def place_of(interaction: discord.Interaction[Any]) -> Channel:
    """The channel of an interaction. Raises `NotFound` where Hathi can't talk."""
    channel = interaction.channel
    if channel is None or isinstance(channel, discord.GroupChannel | discord.CategoryChannel | discord.ForumChannel):
        raise errors.NotFound(
            catalogue.later("I can't be used here; write to me in a server's channel or in direct messages.")
        )
    return channel


def is_public(channel: Channel) -> bool:
    """Whether everyone in the server can see it; so too where that is not known."""
    if channel.guild is None:
        return False
    home = channel.parent if isinstance(channel, discord.Thread) else channel
    if not isinstance(home, discord.abc.GuildChannel):
        return True
    return home.permissions_for(channel.guild.default_role).view_channel


def can_refer(channel: discord.abc.Messageable) -> bool:
    """Whether Discord lets Hathi reply to what was said there; so too where that is not known."""
    held = _held(channel)
    return held is None or held.read_message_history


def can_react(channel: object) -> bool:
    """Whether Discord lets Hathi put an emoji there that nobody else has; so too where that is not known."""
    held = _held(channel)
    return held is None or (held.view_channel and held.read_message_history and held.add_reactions)


def own_member(guild: discord.Guild) -> discord.Member | None:
    """Hathi in a guild, by which its rights are known; none on a server that does not tell of it, as Discord does."""
    return guild.me


def can_speak(channel: object) -> bool:
    """Whether Hathi may write there by the cache, which asks Discord nothing; so too where that is not known."""
    held = _held(channel)
    if held is None:
        return True
    speaks = held.send_messages_in_threads if isinstance(channel, discord.Thread) else held.send_messages
    return held.view_channel and speaks


def can_read(channel: object) -> bool:
    """Whether Hathi may read what was said there: not asked of Discord, which counts what it refuses."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return True
    me = own_member(channel.guild)
    if me is None:
        # So it is not Discord, and does not ban for what it refuses.
        return True
    try:
        rights = channel.permissions_for(me)
    except discord.ClientException:
        # The parent of a thread is not in the cache: what can't be told must not look like an empty channel.
        return False
    spoken = isinstance(channel, (discord.VoiceChannel, discord.StageChannel))
    return rights.view_channel and rights.read_message_history and (rights.connect or not spoken)


def _held(channel: object) -> discord.Permissions | None:
    """Hathi's permissions in a channel of a guild; none where they are not known."""
    guild: discord.Guild | None = getattr(channel, "guild", None)
    if guild is None or not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return None
    me = own_member(guild)
    try:
        return None if me is None else channel.permissions_for(me)
    except discord.ClientException:
        # The parent of a thread is not in the cache.
        return None


def search_needs(client: Client, guild: discord.Guild) -> Sequence[str]:
    """What somebody must switch on before Discord's search can be used in a guild."""
    return [
        *([] if client.intents.message_content else [introduction.NO_INTENT]),
        *([] if any(map(can_read, guild.text_channels)) else [introduction.NO_RIGHT]),
    ]
