"""Runs a typed or slash command and sends its reply where it was given."""

import asyncio
import collections
import contextlib
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import aiohttp
import discord

from bot import arguments, catalogue, errors, log
from bot.arguments import Arguments
from bot.commands import who
from bot.commands.commands import CommandList
from bot.commands.community import ListeningReply, SettingsReply, ThreadsReply
from bot.commands.grammar import GRAMMARS, PREFIX
from bot.commands.removal_requests import RemovalAsked
from bot.commands.resets import SUMMARIZING, ResetReply
from bot.connection.client import Client
from bot.domain import NOBODY, Caller, Mentions, MessageId, PlaceSetting, Reply, What
from cogs.access import place_names, threads
from cogs.access.callers import Callers, Channel
from cogs.access.cooldowns import Cooldowns
from cogs.access.in_progress import InProgress
from cogs.access.name_directory import NameDirectory
from cogs.access.permissions import is_public, place_of, search_needs
from cogs.access.personal_access import PersonalAccess
from cogs.commands import clickable, help_text
from cogs.commands.drawing import LISTING, Drawing, is_short
from cogs.commands.leaves import Chosen, Leaf
from cogs.send import files_out, reply_reference
from cogs.tell.consent_notice import ConsentNotice
from cogs.tell.error_notices import Announced, ErrorNotices
from cogs.text import message_words
from cogs.text.markup import readable
from cogs.ui import layouts, message_edits, options, reset_messages

_log = log.logger(__name__)

COMMANDS: Final = 30
COMMANDS_IN: Final = timedelta(seconds=20)
"""What one person may have done in one channel."""
TAKEN_WITHIN: Final = timedelta(seconds=1)
"""How long a slash command waits to be taken before Discord is told that its answer follows."""
SENT_WITHIN: Final = timedelta(minutes=2)
"""How long a summary that is made waits for the reset's message to be sent."""
_CHANGING: Final = frozenset({"settings", "channel", "memory", "who", *PlaceSetting})
"""Commands after which a space's channels are to be looked at anew."""
_QUOTING: Final = frozenset({"recall", "promote", "wake", "why", "me"})
"""Commands that quote what was said also where they list nothing."""
_PRIVATE: Final = frozenset({"status", "help", "mydata", "wake", "why", "me", "missed"})
"""Commands whose reply is only for whoever gave them, where Discord can keep it so."""
_AS_GIVEN: Final = frozenset({"settings", "learn", *PlaceSetting})
"""Commands whose words are compared with what people send, or name channels and roles, mark by mark."""
MOST_LOOKED_UP: Final = 1_000
"""Typed commands that list something, the last ones, whose answers follow an edit."""
_ASKING: Final = frozenset({"", "erase", "requests"})
"""Forms that only tell something."""
_OWN: Final = " me"
"""How forms end that concern whoever gives them."""
_NOBODY: Final = discord.AllowedMentions.none()


class ResetNotice:
    """The message that reports a reset, edited when its summary is made."""

    def __init__(
        self, client: Client, notices: ErrorNotices, channel: Channel, given: discord.Interaction | None = None
    ) -> None:
        """`given` is the interaction the command came by, if any."""
        self._client = client
        self._notices = notices
        self.channel = channel
        self._given = given
        self._sent: asyncio.Future[MessageId | None] = asyncio.get_running_loop().create_future()
        self.prefix = PREFIX

    def at(self, message_id: MessageId | None) -> None:
        """Sets the message it stands in; none when it could not be sent."""
        if not self._sent.done():
            self._sent.set_result(message_id)

    async def announce(self, reply: Reply) -> None:
        """Edits it through the channel; through the interaction where the channel is closed to Hathi."""
        message_id: MessageId | None = None
        with contextlib.suppress(TimeoutError):
            message_id = await asyncio.wait_for(asyncio.shield(self._sent), SENT_WITHIN.total_seconds())
        done = reply.done if isinstance(reply, ResetReply) else None
        if message_id is None:
            await self._notices.say(self.channel, reply.text)
            return
        layout = layouts.told(reply.text) if done is None else reset_messages.summary(done, self.prefix)
        shown = message_edits.replaced(layout)
        message = self._client.get_partial_messageable(self.channel.id).get_partial_message(message_id)
        try:
            try:
                # Not summarised by this worker: it was undone, or another has it and tells of it.
                if done is not None or _is_summarizing(await message.fetch()):
                    await message.edit(**shown, allowed_mentions=_NOBODY)
            except discord.Forbidden:
                given = self._given
                if given is None or given.is_expired():
                    raise
                if done is not None or _is_summarizing(await given.followup.fetch_message(message_id)):
                    await given.edit_original_response(**shown, allowed_mentions=_NOBODY)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as exc:
            _log.warning("reset.not_told", error=type(exc).__name__, code=getattr(exc, "code", None))


class Dispatcher:
    """Runs commands, typed or slash."""

    def __init__(
        self,
        client: Client,
        callers: Callers,
        notices: ErrorNotices,
        consent_notice: ConsentNotice,
        names: NameDirectory,
        access: PersonalAccess,
    ) -> None:
        self._client = client
        self._app = client.app
        self._in_hand = client.app.commands_in_hand
        self._callers = callers
        self._notices = notices
        self._consent_notice = consent_notice
        self._names = names
        self._access = access
        self._cooldowns = Cooldowns(COMMANDS, COMMANDS_IN, clock=lambda: client.app.clock().timestamp())
        self.in_progress = InProgress[discord.Message | discord.Interaction[Any]]()
        """What was typed, chosen or pressed and is not done."""
        self._stopping = False
        self._looked_up: collections.OrderedDict[int, tuple[str, str, Sequence[MessageId]]] = collections.OrderedDict()
        """What was typed to have something listed: the command, what followed it, and the messages that answered."""

    async def missed(self, message: discord.Message) -> None:
        """Says, once over all workers, that a command was given while Hathi was not connected.

        That it is to be said is recorded when this returns, and seen to by whatever process. Raises `DatabaseDown`.
        """
        if self._callers.unserved(message.channel) is not None:
            return
        caller, _ = await self._callers.of(message.author, message.channel)
        if caller.kept_out is None and await self._in_hand.take(caller, MessageId(message.id)):
            self._app.background.spawn(self._tell_missed(caller, message))

    async def _tell_missed(self, caller: Caller, message: discord.Message) -> None:
        async with self._in_hand.carrying_out(caller.space_id, MessageId(message.id)):
            await self._notices.tell(errors.Missed(), message)

    async def invoke(
        self, message: discord.Message, name: str, line: str, *, done: asyncio.Event | None = None, again: bool = False
    ) -> None:
        """Runs a typed command; an error becomes one sentence. Sets `done` when it has taken effect or is finished.

        `again` says that this worker has taken it over from one that did not come to do it.
        """
        self.in_progress.take(message)
        told = ResetNotice(self._client, self._notices, message.channel)
        command_id, done = MessageId(message.id), done or asyncio.Event()
        try:
            async with self._telling(message, told):
                who.admit(self._callers.unserved(message.channel), name)
                caller, _ = await self._callers.of(message.author, message.channel)
                told.prefix = caller.prefix
                who.admit(caller.kept_out, name)
                # Taken before it may be refused: refused is not missed.
                if again or await self._in_hand.take(caller, command_id):
                    async with self._in_hand.carrying_out(caller.space_id, command_id), self._telling(message, told):
                        await self._carry_out(caller, message, name, line, told, done)
        finally:
            told.at(None)
            done.set()

    async def _carry_out(
        self, caller: Caller, message: discord.Message, name: str, line: str, told: ResetNotice, done: asyncio.Event
    ) -> None:
        self._cooldowns.check(caller)
        args = await self.read(name, _referring(name, line, message), message.channel)
        mentioned = self._names.mentioned(message)
        reply = await self.run(caller, name, args, told, said=MessageId(message.id), mentioned=mentioned)
        done.set()
        sent = await self._reply(message, name, reply, caller)
        self._note_looked_up(message, name, line, sent)
        await self.note(caller, reply, sent[0], told)
        await self.told(caller, MessageId(message.id), reply, sent)

    async def look_again(self, message: discord.Message, name: str, line: str) -> None:
        """Has the answer to a command that lists something follow an edit of that command; of any other it stays."""
        _, before, sent = self._looked_up.get(message.id, ("", line, ()))
        if name not in LISTING or before == line or self._stopping:
            return
        self.in_progress.take(message)
        told = ResetNotice(self._client, self._notices, message.channel)
        async with self._telling(message, told):
            caller, _ = await self._callers.of(message.author, message.channel)
            told.prefix = caller.prefix
            self._cooldowns.check(caller)
            args = await self.read(name, line, message.channel)
            if isinstance(args, Arguments) and args.form:
                # That does something.
                return
            reply = await self.run(caller, name, args, told, said=MessageId(message.id))
            short = is_short(name, reply, message.channel)
            drawing = Drawing(name, reply, message.guild, prefix=caller.prefix, is_short=short)
            shown = message_edits.replaced(drawing.layout or layouts.told(drawing.pieces[0]))
            standing = self._client.get_partial_messageable(message.channel.id).get_partial_message(sent[0])
            await standing.edit(**shown, allowed_mentions=_NOBODY)
            self._note_looked_up(message, name, line, sent)
            await self.note(caller, reply, sent[0])
            await self.told(caller, MessageId(message.id), reply, sent)

    def _note_looked_up(self, message: discord.Message, name: str, line: str, sent: Sequence[MessageId]) -> None:
        if name in LISTING and len(sent) == 1:
            self._looked_up[message.id] = name, line, sent
            if len(self._looked_up) > MOST_LOOKED_UP:
                self._looked_up.popitem(last=False)

    @contextlib.asynccontextmanager
    async def _telling(self, to: discord.Message | discord.Interaction[Any], told: ResetNotice) -> AsyncGenerator[None]:
        """A block whose errors become one sentence for whoever gave the command."""
        try:
            yield
        except errors.LeaseLost:
            # Another worker has taken it over, and tells.
            _log.warning("dispatch.lease_lost")
        except Exception as exc:  # noqa: BLE001 - whatever it was, they get one sentence
            if not (isinstance(exc, errors.TooOften) and exc.told and isinstance(to, discord.Message)):
                await self._notices.tell(exc, to, prefix=told.prefix)

    async def unknown(self, message: discord.Message, name: str) -> None:
        """Say that there is no such command, and which may be meant."""
        await self.invoke(message, name, "")

    async def choose(self, interaction: discord.Interaction, leaf: Leaf, chosen: Chosen) -> None:
        """Runs a slash command; an error is told to whoever chose it alone."""
        channel = place_of(interaction)
        told = ResetNotice(self._client, self._notices, channel, interaction)
        try:
            async with self._telling(interaction, told):
                self.take(interaction)
                given = leaf.given(chosen)
                who.admit(self._callers.unserved(channel), given.command)
                name, args = given.command, options.compiled(GRAMMARS[given.command], given.chosen, given.form)
                self._cooldowns.check(self._callers.now(interaction.user, channel))
                private = is_private(name, args, channel)
                caller = await self._announced(interaction, channel, private=private)
                told.prefix = caller.prefix
                command_id = MessageId(interaction.id)
                async with self._in_hand.carrying_out(caller.space_id, command_id), self._telling(interaction, told):
                    caller = replace(caller, reads_alone=caller.reads_alone or private)
                    self._names.note_chosen(interaction, channel)
                    reply = await self.run(caller, name, await self.read(name, args, channel), told)
                    shown = clickable.told(reply.text, name, caller.prefix, self._client.mention)
                    reply = replace(reply, text=shown)
                    sent = await self._respond(interaction, name, reply, told.prefix, private=private)
                    await self.note(caller, reply, sent[0], told, given=interaction)
                    if not private:
                        await self.told(caller, command_id, reply, sent)
        finally:
            told.at(None)

    async def _announced(self, interaction: discord.Interaction[Any], channel: Channel, *, private: bool) -> Caller:
        """Takes a slash command and tells Discord that its answer follows; the caller.

        Taken first: what Discord was told of is done, or its user told that it was not, by whatever process. But
        Discord waits three seconds for a first sign, and a database or a lock may take longer. Raises `LeaseLost` where
        another worker has taken it.
        """

        async def take() -> Caller:
            caller, _ = await self._callers.of(interaction.user, channel)
            if not await self._in_hand.take(caller, MessageId(interaction.id), token=interaction.token):
                raise errors.LeaseLost
            return caller

        taking = asyncio.create_task(take())
        for taken in (await asyncio.wait({taking}, timeout=TAKEN_WITHIN.total_seconds()))[0]:
            taken.result()
        try:
            await interaction.response.defer(ephemeral=private, thinking=True)
            (Announced.PRIVATELY if private else Announced.OPENLY).on(interaction)
        finally:
            caller = await taking
        # Another task heard of it.
        catalogue.speak(caller.language)
        return caller

    async def read(self, name: str, line: str | Arguments, channel: Channel) -> str | Arguments:
        """The arguments of a typed command, with mentions replaced by names where these are known.

        Parsed first: a person's name may be of several words, and look like an argument. Raises `BadArgument`.
        """
        grammar = GRAMMARS.get(name)
        if grammar is not None and name == "who":
            given = arguments.parse(line, grammar) if isinstance(line, str) else line
            return arguments.reread(given, grammar, partial(place_names.mentioned, guild=channel.guild))
        if grammar is None or name in _AS_GIVEN:
            return line
        await self._names.learn(channel)
        directory = self._names.of(channel)
        args = arguments.parse(line, grammar) if isinstance(line, str) else line
        # What is kept stands for long: a mark that nobody can read yet says more than "someone".
        return arguments.reread(args, grammar, partial(readable, directory=directory, leaves_unknown=True))

    async def run(
        self,
        caller: Caller,
        name: str,
        line: str | Arguments,
        told: ResetNotice,
        *,
        said: MessageId | None = None,
        mentioned: Mentions = NOBODY,
    ) -> Reply:
        """The reply to a command already counted. Raises what `Commands.run` does, and `UserError`."""
        who.admit(caller.kept_out, name)
        reply = await self._app.commands.run(
            caller, name, line, told.announce, said=said, reach=self._access.of, mentioned=mentioned
        )
        if isinstance(reply, CommandList):
            brief = help_text.brief(caller.prefix, caller.may, self._client.mention, in_server=not caller.is_direct)
            reply = replace(reply, text=brief)
        if isinstance(reply, ThreadsReply) and reply.are_on:
            reply = replace(reply, text="\n".join([reply.text, *threads.hindrances(told.channel)]))
        if isinstance(reply, SettingsReply) and reply.searches and told.channel.guild is not None:
            needs = [f"{catalogue.gettext(need)}." for need in search_needs(self._client, told.channel.guild)]
            reply = replace(reply, text="\n".join([reply.text, *needs]))
        if isinstance(reply, ListeningReply) and caller.origin is not None:
            self._client.dispatch("listening", caller.origin, reply)
        if isinstance(reply, RemovalAsked):
            self._client.dispatch("removal_asked", caller, reply.memory)
        if name in _CHANGING:
            self._callers.forget(caller.space_id)
        quotes = reply.listing is not None or name in _QUOTING
        if quotes and not {*caller.visible} <= {*self._callers.still(caller, told.channel).visible}:
            raise errors.UserError(catalogue.later("Who can read this channel has just changed; please ask again."))
        return reply

    async def happened(self, caller: Caller, since: datetime, until: datetime | None, only: frozenset[What]) -> Reply:
        """What happened between two moments, of all that the caller can read now, for them alone."""
        who.admit(caller.kept_out, "missed")
        reach = await self._access.of(replace(caller, reads_alone=True))
        readable = replace(caller, visible=reach.readable.get(caller.space_id, ()), reads_alone=True)
        return await self._app.commands.missed.between(readable, since, until, only=only)

    def stop(self) -> None:
        """Refuses slash commands and button presses from now on; typed messages are the chat cog's matter."""
        self._stopping = True

    @property
    def is_stopping(self) -> bool:
        """Whether what is begun had better come to its end."""
        return self._stopping

    def take(self, interaction: discord.Interaction[Any]) -> None:
        """Lets a shutdown wait for what was chosen or pressed, and speaks its language. Raises `Restarting` in one."""
        catalogue.speak(self._callers.seen(place_of(interaction)).language)
        if self._stopping:
            raise errors.Restarting
        self.in_progress.take(interaction)

    def count(self, caller: Caller) -> None:
        """Counts a button press against its presser. Raises `TooOften`."""
        self._cooldowns.check(caller)

    async def note(
        self,
        caller: Caller,
        reply: Reply,
        sent: MessageId | None,
        told: ResetNotice | None = None,
        *,
        given: discord.Interaction[Any] | None = None,
    ) -> None:
        """Stores what a sent reply needs later; whoever gave it by an interaction is told that they are remembered."""
        if told is not None:
            told.at(sent)
        if (reply.saved or reply.noted) and given is not None:
            await self._consent_notice.tell_alone(caller, given)
        if reply.closed_turns:
            self._client.dispatch("turns_closed", reply.closed_turns)
        # The answer stands; that it was put to use, or where it stands, is only noted.
        with contextlib.suppress(errors.DatabaseDown):
            await self._app.archivist.touch(caller.space_id, reply.shown, now=self._app.clock())
            if isinstance(reply, ResetReply) and reply.closed.to_summarise and sent is not None:
                await self._app.sessions.tell_at(reply.closed, caller.channel_id, sent)

    async def told(self, caller: Caller, turn_id: MessageId, reply: Reply, sent: Sequence[MessageId]) -> None:
        """Stores which messages answered a command or a press, where what they tell may be gone one day."""
        with contextlib.suppress(errors.DatabaseDown):
            await self._in_hand.told(caller.space_id, turn_id, sent, reply)

    async def _reply(self, message: discord.Message, name: str, reply: Reply, caller: Caller) -> list[MessageId]:
        """Replies to the message, and tells its author under that, the first time, that they are remembered.

        Raises `CannotSpeak` where Hathi is known to lack the permission to write.
        """
        if not self._notices.may_speak(message.channel):
            raise errors.CannotSpeak
        short = is_short(name, reply, message.channel)
        drawing = Drawing(name, reply, message.guild, prefix=caller.prefix, is_short=short)
        to = message.to_reference(fail_if_not_exists=False)
        tells = (reply.saved or reply.noted) and drawing.has_room()
        async with self._consent_notice.telling(caller) if tells else contextlib.nullcontext(()) as lines:
            drawing.add(lines)
            sent = [await reply_reference.send(message.channel, drawing.text, to, view=drawing.layout)]
            sent += [await reply_reference.send(message.channel, piece, None) for piece in drawing.more]
        async for file in files_out.files(reply.lines, name):
            await message.channel.send(file=file)
        return [MessageId(each.id) for each in sent]

    async def _respond(
        self, interaction: discord.Interaction, name: str, reply: Reply, prefix: str, *, private: bool
    ) -> list[MessageId]:
        """Answers the interaction, in place of the deferred response."""
        drawing = Drawing(name, reply, interaction.guild, prefix=prefix)
        sent = [MessageId((await interaction.edit_original_response(**drawing.first, allowed_mentions=_NOBODY)).id)]
        Announced.no_more(interaction)
        for piece in drawing.more:
            more = await interaction.followup.send(piece, ephemeral=private, allowed_mentions=_NOBODY, wait=True)
            sent.append(MessageId(more.id))
        async for file in files_out.files(reply.lines, name):
            await interaction.followup.send(file=file, ephemeral=private)
        return sent


def _is_summarizing(message: discord.Message) -> bool:
    return message_words.read(message).startswith(catalogue.in_all(SUMMARIZING))


def is_private(name: str, args: Arguments, channel: Channel) -> bool:
    """Whether the reply is shown only to whoever chose the command."""
    if name in _PRIVATE:
        return True
    if name in LISTING and not args.form:
        return is_public(channel)
    if name in [*PlaceSetting]:
        return not args.text
    forms = GRAMMARS[name].forms
    asks = args.form in _ASKING or any(form.words == args.form and form.value for form in forms)
    return bool(forms) and not args.named and (asks or args.form.endswith(_OWN))


def _referring(name: str, line: str, message: discord.Message) -> str:
    """What follows the command; of one about a reply of Hathi's, that reply, where it is given in reply to it."""
    referred = message.reference.message_id if message.reference else None
    if name != "why" or referred is None or (line and not line.startswith("page:")):
        return line
    return f"{referred} {line}".strip()
