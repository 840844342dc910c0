"""The texts of Discord messages as people see them, with names in place of Discord's markup."""

import discord

from bot.connection.client import Client
from cogs.access import classify
from cogs.access.callers import Channel
from cogs.access.name_directory import NameDirectory
from cogs.text import markup


class MessageTexts:
    """Reads texts, and notes the names of authors and of people mentioned."""

    def __init__(self, client: Client, names: NameDirectory) -> None:
        self._client = client
        self._names = names

    async def to_record(self, message: discord.Message) -> str:
        """The text of a message, as it is recorded: without the names of those who let none be kept."""
        await self._names.spare(message)
        return self.of(message)

    def of(self, message: discord.Message) -> str:
        """The text of a message, as it is read."""
        assert self._client.user is not None
        return self.named(message, classify.said(message, self._client.user.id)[0])

    def named(self, message: discord.Message, text: str) -> str:
        """A text of the message with the names of those it mentions."""
        self._names.note(message)
        return self.read(message.channel, text)

    def read(self, channel: Channel, text: str) -> str:
        """A text with the names that are known in its channel."""
        return markup.readable(text, self._names.of(channel))

    def names_in(self, channel: Channel, text: str) -> frozenset[str]:
        """The names that are read in it in place of Discord's marks."""
        return markup.names(text, self._names.of(channel))
