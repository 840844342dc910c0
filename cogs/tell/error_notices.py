"""Turns every error into one plain sentence for whoever asked and one line in the log."""

import contextlib
from collections.abc import Generator, Iterable
from datetime import timedelta
from enum import Enum, auto
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands

from bot import catalogue, errors, log
from bot.commands import grammar
from bot.connection.client import INVITE_PERMISSIONS, Client
from bot.domain import new_id
from cogs.access.callers import Channel
from cogs.access.permissions import can_speak
from cogs.access.ttl_set import TtlSet
from cogs.send import reply_reference
from cogs.send.discord_codes import MISSING_ACCESS, MISSING_PERMISSIONS
from cogs.text import message_words
from cogs.text.splitting import LIMIT, cut, split

_log = log.logger(__name__)

TOLD_EVERY: Final = timedelta(hours=1)
"""Between two direct messages to one person about one channel in which Hathi may not write."""
CLOSED_FOR: Final = timedelta(minutes=1)
"""How long nothing is sent where Discord took nothing though the cache knows no reason."""
_LABELS: Final = {
    "view_channel": catalogue.later("View Channels"),
    "send_messages": catalogue.later("Send Messages"),
    "send_messages_in_threads": catalogue.later("Send Messages in Threads"),
    "read_message_history": catalogue.later("Read Message History"),
}
"""As Discord's settings name what Hathi needs."""


class Announced(Enum):
    """How Discord was told that an answer to an interaction follows; stored in its extras."""

    OPENLY = auto()
    PRIVATELY = auto()

    def on(self, interaction: discord.Interaction[Any]) -> None:
        """Stores it with the interaction."""
        interaction.extras[Announced.__name__] = self

    @staticmethod
    def no_more(interaction: discord.Interaction[Any]) -> None:
        """Removes it: the answer was sent."""
        interaction.extras.pop(Announced.__name__, None)


class ErrorNotices:
    """The one place where errors become sentences, for messages, slash commands and buttons alike.

    In this order:
    1. discord.py's wrapping of an error is taken off.
    2. `UserError`: its own sentence; the person can mend it.
    3. Any other `HathiError`: its own sentence with an incident id, and a warning with the same.
    4. `Forbidden` for want of a permission: which one is missing, and where. An admin mends it without the log, so
       that an incident id would tell nobody anything; the log has one.
    5. A slash command Discord still shows but Hathi no longer has: that it has changed.
    6. Discord refused, failed or could not be reached: to try again, with an incident id.
    7. Anything else: an incident id that the log has with the cause.

    An answer to an interaction is seen by its user alone; one to a message is a reply, or a direct message where
    Hathi may not write, once an hour. Telling never raises.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._told = TtlSet(TOLD_EVERY, clock=self._now)
        """Who was told where, and who takes no direct messages."""
        self._closed = TtlSet(CLOSED_FOR, clock=self._now)
        self._kept_out = TtlSet(timedelta.max, clock=self._now)
        """Who was told where that they are not answered."""

    def watch_slash_commands(self) -> None:
        """Handles errors raised before a slash command is reached."""
        self._client.tree.error(self._on_slash_error)

    async def tell(
        self, error: Exception, to: discord.Message | discord.Interaction[Any], *, prefix: str = grammar.PREFIX
    ) -> None:
        """Tells whoever asked, naming commands as they are typed there, and logs the error."""
        if isinstance(error, errors.NotAnswered) and isinstance(to, discord.Message) and not self._is_news(to):
            return
        incident = self._incident()
        sentence = cut(self.sentence(error, to.channel, incident, prefix=prefix), LIMIT)
        if isinstance(to, discord.Interaction):
            await self._tell_user(sentence, to)
        else:
            await self._tell_author(sentence, to, incident)

    def sentence(
        self, error: Exception, channel: object = None, incident: str | None = None, *, prefix: str = grammar.PREFIX
    ) -> str:
        """The sentence for an error; logs it under the same incident, a new one if none is given.

        Whatever has an incident is counted.
        """
        cause = _cause(error)
        incident = incident or self._incident()
        match cause:
            case errors.UserError():
                _log.info("discord.refused", error=type(cause).__name__)
                return cause.said(prefix)
            case errors.HathiError():
                self._client.app.metrics.failed(cause)
                _log.warning("discord.error", error=type(cause).__name__, incident=incident)
                return _with_incident(cause.said(prefix), incident)
            case discord.Forbidden(code=code) if code in {MISSING_ACCESS, MISSING_PERMISSIONS}:
                self._client.app.metrics.failed(cause)
                return _forbidden(channel, code, incident)
            case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
                _log.warning("discord.command_changed", error=type(cause).__name__)
                return catalogue.gettext(
                    "That command has changed since Discord showed it to you; please type it anew in a minute."
                )
            case discord.HTTPException() | discord.RateLimited() | aiohttp.ClientError():
                self._client.app.metrics.failed(cause)
                _log.warning(
                    "discord.failed",
                    error=type(cause).__name__,
                    status=getattr(cause, "status", None),
                    code=getattr(cause, "code", None),
                    incident=incident,
                )
                return catalogue.gettext(
                    "Discord did not take that; please try again in a moment (incident {incident})."
                ).format(incident=incident)
            case _:
                self._client.app.metrics.failed(cause)
                _log.error("discord.broke", incident=incident, exc_info=cause)
                return catalogue.gettext(
                    "Something went wrong on my side; the log has it under incident {incident}."
                ).format(incident=incident)

    def may_speak(self, channel: Channel) -> bool:
        """Whether to try writing there; refused requests count towards a ban, and anybody can provoke them."""
        return can_speak(channel) and channel.id not in self._closed

    async def say(self, channel: Channel, words: str) -> None:
        """Sends the sentence in the channel, if Discord allows it."""
        if not self.may_speak(channel):
            return _not_told(errors.CannotSpeak())
        try:
            for piece in split(words):
                await channel.send(piece, allowed_mentions=discord.AllowedMentions.none())
        except (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError) as exc:
            _not_told(exc)

    def _now(self) -> float:
        return self._client.app.clock().timestamp()

    def _incident(self) -> str:
        return f"{new_id(self._client.app.clock()):x}"

    def _is_news(self, message: discord.Message) -> bool:
        """Whether its author is to be told, here and now for the first time, that they are not answered."""
        there = (message.author.id, message.channel.id)
        if there in self._kept_out or not self.may_speak(message.channel):
            return False
        self._kept_out.note(there)
        return True

    async def _tell_author(self, sentence: str, message: discord.Message, incident: str) -> None:
        try:
            if not self.may_speak(message.channel):
                return await self._tell_directly(message, incident)
            try:
                await reply_reference.send(message.channel, sentence, message.to_reference(fail_if_not_exists=False))
            except discord.Forbidden as exc:
                if can_speak(message.channel):
                    self._closed.note(message.channel.id)
                if message.guild is None:
                    raise
                await self._tell_directly(message, incident, exc)
        except (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError) as exc:
            _not_told(exc)

    async def _tell_directly(
        self, message: discord.Message, incident: str, refused: discord.Forbidden | None = None
    ) -> None:
        """Say why to somebody who asked where Hathi may not write. Raises as Discord does."""
        channel, author, there = message.channel, message.author, (message.author.id, message.channel.id)
        if message.guild is None or there in self._told or author.id in self._told:
            return
        self._told.note(there)
        # What went wrong before has the same incident: one line of the log leads to the other.
        why = self.sentence(refused, channel, incident) if refused else _forbidden(channel, None, incident)
        try:
            await author.send(why)
        except discord.Forbidden:
            self._told.note(author.id)
            raise

    async def _tell_user(self, sentence: str, interaction: discord.Interaction[Any]) -> None:
        try:
            if not interaction.response.is_done():
                await interaction.response.send_message(sentence, ephemeral=True)
                return
            announced: Announced | None = interaction.extras.get(Announced.__name__)
            if announced is Announced.PRIVATELY:
                await interaction.edit_original_response(content=sentence)
                return
            if announced is Announced.OPENLY:
                # The first message after it would be as open as the announcement was.
                await interaction.edit_original_response(content="…")
            await interaction.followup.send(sentence, ephemeral=True)
            if announced is Announced.OPENLY:
                await interaction.delete_original_response()
        except (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError) as exc:
            _not_told(exc)

    async def _on_slash_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        if interaction.type is discord.InteractionType.autocomplete:
            # It has a list or nothing; there is nowhere to say it.
            self.sentence(error, interaction.channel)
        else:
            await self.tell(error, interaction)


@contextlib.contextmanager
def telling_what_is_done() -> Generator[None]:
    """A block that only tells of what stands already. Raises `NotShown` where Discord does not take it."""
    try:
        yield
    except (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError) as exc:
        _not_told(exc)
        raise errors.NotShown from exc


def told_of_outage(history: Iterable[discord.Message], me: discord.abc.User | None) -> list[int]:
    """The messages whose authors were told, by whatever process, that the database was away: they ask again."""
    words = catalogue.in_all(str(errors.DatabaseDown()))
    own = [message for message in history if me is not None and message.author.id == me.id]
    answers = [message.reference for message in own if message_words.read(message).startswith(words)]
    return [to.message_id for to in answers if to is not None and to.message_id is not None]


def missing_permissions(channel: object) -> list[str]:
    """What Hathi would need in a channel and does not have, as Discord's settings name it; empty when not known."""
    guild: discord.Guild | None = getattr(channel, "guild", None)
    if guild is None or not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return []
    try:
        held = channel.permissions_for(guild.me)
    except (discord.ClientException, AttributeError):
        # The parent of a thread, or Hathi itself, is not in the cache.
        return []
    needed = {name for name, wanted in INVITE_PERMISSIONS if wanted}
    needed.discard("send_messages" if isinstance(channel, discord.Thread) else "send_messages_in_threads")
    return [label for name, label in _LABELS.items() if name in needed and not getattr(held, name)]


def _forbidden(channel: object, code: int | None, incident: str) -> str:
    """What to say where a permission is missing; the log alone has the incident."""
    missing = missing_permissions(channel)
    _log.warning("discord.forbidden", code=code, missing=missing, incident=incident)
    return _permission_sentence(missing, channel)


def _with_incident(sentence: str, incident: str) -> str:
    return catalogue.gettext("{sentence} (incident {incident})").format(sentence=sentence, incident=incident)


def _permission_sentence(missing: list[str], channel: object) -> str:
    name = getattr(channel, "name", None)
    where = catalogue.gettext("in #{channel}").format(channel=name) if name else catalogue.gettext("here")
    if not missing:
        told = catalogue.gettext(
            "Discord does not let me do that {where}: I lack a permission; an admin can give it to my role."
        )
        return told.format(where=where)
    told = catalogue.ngettext(
        "I lack the permission {names} {where}; an admin can give that to my role.",
        "I lack the permissions {names} {where}; an admin can give that to my role.",
        len(missing),
    )
    return told.format(names=", ".join(map(catalogue.gettext, missing)), where=where)


def _cause(error: Exception) -> BaseException:
    cause = getattr(error, "original", None)
    return cause if isinstance(cause, Exception) else error


def _not_told(error: Exception) -> None:
    _log.warning("discord.not_told", error=type(error).__name__, code=getattr(error, "code", None))
