"""A simulated Discord with Hathi's client in it, on a real database."""

import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import discord
import simcord
from discord.ext import commands
from simcord.components import walk_components

from bot.connection.client import Client
from bot.db.pool import Database
from bot.domain import Caller, PersonId
from cogs.access.audience import Audience
from cogs.access.callers import Callers
from cogs.access.name_directory import NameDirectory
from cogs.access.personal_access import PersonalAccess
from cogs.commands.button_presses import ButtonPresses
from cogs.commands.dispatch import Dispatcher
from cogs.commands.menu_picks import MenuPicks
from cogs.commands.presses import Presses
from cogs.commands.privacy_panel import PrivacyPanel
from cogs.commands.slash import SlashCommands
from cogs.tell.consent_notice import ConsentNotice
from cogs.tell.error_notices import ErrorNotices
from cogs.ui.autocomplete import Suggestions
from tests import conversations, people
from tests.conftest import Clock
from tests.conversations import Room

PREFIX: Final = "!"


class Ears(commands.Cog):
    """What a chat would do with a typed command: hand it over."""

    def __init__(self, dispatcher: Dispatcher, callers: Callers, notices: ErrorNotices) -> None:
        self.dispatcher = dispatcher
        self.callers = callers
        self.notices = notices

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        if message.content.startswith(PREFIX) and not message.author.bot:
            name, _, line = message.content.removeprefix(PREFIX).partition(" ")
            await self.dispatcher.invoke(message, name, line)


class Approved(Client):
    """With the message-content intent, which the simulation approves of but does not tell."""

    @property
    def application_flags(self) -> discord.ApplicationFlags:
        return discord.ApplicationFlags(gateway_message_content_limited=True)


class Told(ConsentNotice):
    """Everybody knows already that they are remembered."""

    @contextlib.asynccontextmanager
    async def claiming(self, people: Sequence[PersonId]) -> AsyncGenerator[frozenset[PersonId]]:
        assert people is not None
        yield frozenset()

    async def reply(self, author: Caller, said: discord.Message, words: Callable[[str, bool], str]) -> None:
        return


@dataclass
class World:
    """One guild with a public channel, an admin, a moderator and a member."""

    env: simcord.Env
    room: Room
    clock: Clock
    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle
    ann: simcord.MemberActor
    """May manage the server."""
    mod: simcord.MemberActor
    """May manage messages."""
    bob: simcord.MemberActor

    @property
    def last(self) -> discord.Message:
        message = self.channel.last_message
        assert message is not None
        return message

    @property
    def ears(self) -> Ears:
        found = self.client.get_cog("Ears")
        assert isinstance(found, Ears)
        return found

    @property
    def client(self) -> Client:
        assert isinstance(self.env.bot, Client)
        return self.env.bot

    async def say(self, text: str, by: simcord.MemberActor | None = None) -> discord.Message:
        """What the channel's last message is after somebody typed something."""
        self.clock.forward(seconds=3)
        await (by or self.ann).send(self.channel, text)
        return self.last

    async def choose(
        self, name: str, by: simcord.MemberActor | None = None, **options: Any
    ) -> simcord.InteractionResult:
        """What became of a slash command."""
        self.clock.forward(seconds=3)
        return await (by or self.ann).slash(self.channel, name, **options)

    async def point_at(
        self, target: Any, name: str, by: simcord.MemberActor | None = None
    ) -> simcord.InteractionResult:
        """What became of a command on a message or a member."""
        self.clock.forward(seconds=3)
        return await (by or self.ann).context_menu(self.channel, name, target)

    async def press(
        self, message: Any, label: str, by: simcord.MemberActor | None = None, *, nth: int = 0
    ) -> simcord.InteractionResult:
        """What became of a press; of several buttons with the same label on the one that stands at this place."""
        self.clock.forward(seconds=3)
        found = [part["custom_id"] for part in components(message) if part.get("label") == label]
        return await (by or self.ann).click(message, **({"custom_id": found[nth]} if found else {"label": label}))

    async def settled(self) -> None:
        """When the work in the background is over."""
        await self.room.app.background.settled(20)
        await self.env.settle()

    async def talk(self, *texts: str, by: simcord.MemberActor | None = None) -> Caller:
        """Something said in the channel and recorded under its Discord id, as a chat would."""
        actor = by or self.ann
        caller = people.caller(actor.name, space=self.guild.id, channel=self.channel.id, person=actor.id)
        caller = await self.room.app.enter(caller, channel_name="general", mode="all")
        for text in texts:
            await self.room.say(text, caller)
        return caller

    async def restart(self) -> None:
        """Another client, as after a restart: nothing of the one before is left."""
        await self.env.restart_bot(await client(self.room))


async def client(room: Room) -> Client:
    """Hathi's client with the command cogs in it."""
    made = Approved(room.app, ())
    audience = Audience(made.get_guild)
    callers, notices = Callers(made, audience), ErrorNotices(made)
    access = PersonalAccess(made, audience, made.app.personal_data)
    dispatcher = Dispatcher(
        made, callers, notices, Told(made.app, lambda: "`/privacy`"), NameDirectory(made.app.spaces), access
    )
    presses = Presses(callers, dispatcher, notices)
    suggestions = Suggestions(made, callers)
    await made.add_cog(SlashCommands(made, dispatcher, suggestions, notices))
    await made.add_cog(PrivacyPanel(made, dispatcher, presses, notices))
    await made.add_cog(ButtonPresses(made, callers, dispatcher, presses, notices))
    await made.add_cog(MenuPicks(made, dispatcher, presses, notices))
    await made.add_cog(Ears(dispatcher, callers, notices))
    return made


def buttons(message: discord.Message | simcord.ResponseMessage) -> list[str]:
    """The labels of a message's buttons, in order, wherever in it they stand."""
    return [
        part.get("label") or "" for part in components(message) if part["type"] == discord.ComponentType.button.value
    ]


def shown(message: discord.Message | simcord.ResponseMessage) -> str:
    """What is to be read in a message: its content, embeds and the texts of its components, a line for each."""
    texts = [part["content"] for part in components(message) if "content" in part]
    fields = [f"{field.name}\n{field.value}" for embed in message.embeds for field in embed.fields]
    return "\n".join(filter(None, [message.content, *fields, *texts]))


def components(message: discord.Message | simcord.ResponseMessage) -> list[dict[str, Any]]:
    """Every component of a message as Discord's JSON, those inside others too, in order."""
    whole = message.message if isinstance(message, simcord.ResponseMessage) else message
    return [*walk_components([part.to_dict() for part in whole.components])]


def answer(result: simcord.InteractionResult) -> simcord.ResponseMessage:
    """The one message that answers an interaction."""
    found = [*([result.response] if result.response else []), *result.followups]
    assert len(found) == 1
    return found[0]


@contextlib.asynccontextmanager
async def world(database: Database, clock: Clock, **settings: Any) -> AsyncGenerator[World]:
    """A guild in which three people can talk to Hathi.

    Discord's own time stands still at the beginning of 2026: what is said is said before what is typed or pressed.
    """
    clock.now = datetime(2025, 12, 31, tzinfo=UTC)
    async with (
        conversations.room(database, clock, shard_count=1, **settings) as room,
        # Closed before the application: nothing may come in any more when that ends.
        simcord.run(await client(room), settle_timeout=20) as env,
    ):
        guild = env.create_guild("Elephants")
        channel = guild.create_text_channel("general")
        rights = {"ann": {"manage_guild": True, "manage_messages": True}, "mod": {"manage_messages": True}, "bob": {}}
        members: dict[str, Any] = {}
        for name, given in rights.items():
            roles = [guild.create_role(name, permissions=discord.Permissions(**given))] if given else []
            members[name] = guild.add_member(env.create_user(name), roles=roles)
        yield World(env=env, room=room, clock=clock, guild=guild, channel=channel, **members)
