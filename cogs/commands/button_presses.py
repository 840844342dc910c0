"""Handles presses of the buttons under Hathi's messages, with the rights of whoever presses them."""

from functools import partial
from typing import Any

import discord
from discord.ext import commands

from bot import catalogue, errors, log
from bot.arguments import Arguments
from bot.commands import forgetting
from bot.commands.grammar import PREFIX
from bot.connection.client import Client
from bot.domain import Caller, ChannelId, MemoryId, MessageId, Reply, SessionId
from bot.lifecycle.summaries import SummaryDone
from cogs.access.callers import Callers
from cogs.access.permissions import place_of
from cogs.commands import drawing
from cogs.commands.dispatch import Dispatcher, ResetNotice
from cogs.commands.drawing import Drawing
from cogs.commands.presses import Presses
from cogs.tell.error_notices import ErrorNotices, telling_what_is_done
from cogs.ui import button_kinds, buttons, drawn_lists, list_changes, message_edits, reset_messages
from cogs.ui.button_kinds import (
    AgreeButton,
    AllButton,
    Button,
    ExactlyButton,
    ForgetButton,
    KeptButton,
    MissedButton,
    PalaceIntoButton,
    PalaceOutButton,
    RemoveButton,
    RestoreButton,
    SettleButton,
    TakeBackButton,
    UnsayButton,
    WhyReplyButton,
    WhyResultsButton,
)

_log = log.logger(__name__)

_NOBODY = discord.AllowedMentions.none()
NOT_FROM_HERE = catalogue.later(
    "I can't do that from here; memory requests, as a command in the server, lists what is asked there."
)
_OWN = frozenset({"me"})
"""Commands whose answer depends on who asks: what others turn to in it is theirs, and for them alone."""


class ButtonPresses(commands.Cog, name=button_kinds.PRESSER):
    """Handles every button of every message Hathi ever sent."""

    def __init__(
        self, client: Client, callers: Callers, dispatcher: Dispatcher, presses: Presses, notices: ErrorNotices
    ) -> None:
        self._client = client
        self._app = client.app
        self._callers = callers
        self._dispatcher = dispatcher
        self._presses = presses
        self._notices = notices

    @commands.Cog.listener()
    async def on_summary_done(self, done: SummaryDone) -> None:
        """Edits the reset notice once a late summary is made, even after a restart."""
        if done.notice is None:
            return
        place_id, message_id = done.notice
        layout = reset_messages.summary(done, await self._prefix(done))
        message = self._client.get_partial_messageable(place_id).get_partial_message(message_id)
        try:
            await message.edit(**message_edits.replaced(layout), allowed_mentions=_NOBODY)
        except discord.HTTPException as exc:
            _log.warning("reset.not_told", error=type(exc).__name__, code=exc.code)

    async def _prefix(self, done: SummaryDone) -> str:
        """The prefix of commands where the reset was given; from here on the language of its space is spoken.

        The defaults while that can't be read.
        """
        try:
            place = await self._app.spaces.place(done.space_id, ChannelId(done.channel_id))
        except errors.DatabaseDown:
            place = None
        catalogue.speak(self._app.settings.language if place is None else place.language)
        prefix = PREFIX if place is None else place.prefix
        return self._callers.address(self._client.get_guild(done.space_id)) + prefix

    async def cog_load(self) -> None:
        """Registers the buttons, so that those of earlier messages work."""
        self._client.add_dynamic_items(*button_kinds.BUTTONS)

    async def pressed(self, button: Button | PalaceIntoButton, interaction: discord.Interaction[Any]) -> None:
        """Does what the button says; an error is told to the presser alone."""
        await self._presses.carry_out(interaction, partial(self._do, button, interaction))

    async def _do(
        self, button: Button | PalaceIntoButton, interaction: discord.Interaction[Any], caller: Caller
    ) -> None:
        match button:
            case ForgetButton() | RemoveButton():
                await self._forget(button, interaction, caller)
            case RestoreButton():
                reply = await self._app.commands.changes.undo_forget(caller, MemoryId(button.number))
                # What never was a memory can't be forgotten by a number again.
                instead = buttons.forget(MemoryId(button.number)) if reply.saved else None
                await self._swap(button, instead, interaction, reply)
            case AgreeButton() | UnsayButton() | SettleButton():
                await self._agree(button, interaction, caller)
            case TakeBackButton():
                reply = await self._app.commands.resets.undo(caller, SessionId(button.number))
                with telling_what_is_done():
                    edit = message_edits.edit(interaction.message, [], reply.text)
                    await interaction.edit_original_response(**edit, allowed_mentions=_NOBODY)
            case _:
                await self._lead_on(button, interaction, caller)

    async def _lead_on(
        self, button: Button | PalaceIntoButton, interaction: discord.Interaction[Any], caller: Caller
    ) -> None:
        """Shows what a button leads to, and changes nothing."""
        match button:
            case WhyResultsButton():
                await self._why(button, interaction, caller)
            case PalaceIntoButton():
                await self._walk(button.room, interaction, caller)
            case PalaceOutButton():
                await self._walk("", interaction, caller)
            case KeptButton():
                await self._show_kept(button, interaction, caller)
            case WhyReplyButton() | ExactlyButton() | MissedButton():
                await self._told_alone(button, interaction, caller)
            case _:
                await self._turn(button, interaction, caller)

    async def _forget(self, button: Button, interaction: discord.Interaction[Any], caller: Caller) -> None:
        if isinstance(button, RemoveButton):
            await self._remove(button, interaction)
            return
        told = ResetNotice(self._client, self._notices, place_of(interaction))
        reply = await self._app.commands.run(caller, "forget", f"#{button.number}", told.announce)
        await self._swap(button, buttons.restore(MemoryId(button.number)), interaction, reply)

    async def _remove(self, button: RemoveButton, interaction: discord.Interaction[Any]) -> None:
        """Forgets a memory of a server, asked for in direct messages, with the presser's rights there."""
        channel = self._client.get_channel(button.channel_id)
        if not isinstance(channel, discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread):
            raise errors.NotFound(NOT_FROM_HERE)
        member = channel.guild.get_member(interaction.user.id) or await channel.guild.fetch_member(interaction.user.id)
        caller, _ = await self._callers.of(member, channel)
        told = ResetNotice(self._client, self._notices, channel)
        reply = await self._dispatcher.run(caller, "forget", f"#{button.number}", told)
        with telling_what_is_done():
            edit = message_edits.edit(interaction.message, [], reply.text)
            await interaction.edit_original_response(**edit, allowed_mentions=_NOBODY)

    async def _agree(self, button: Button, interaction: discord.Interaction[Any], caller: Caller) -> None:
        """Does what a reply asked or offered, once its addressee says so, and puts what undoes it in its place."""
        if isinstance(button, SettleButton):
            await self._settle(button, interaction, caller)
            return
        if isinstance(button, UnsayButton):
            reply = await self._app.commands.forgetting.unsay(caller, MessageId(button.number))
        else:
            reply = await self._agreed(button, caller)
        instead = None if reply.forgotten is None else buttons.restore(reply.forgotten)
        if reply.erased_by is not None:
            instead = buttons.delete(reply.erased_by)
        await self._swap(button, instead, interaction, reply)
        await self._dispatcher.note(caller, reply, None)
        if isinstance(button, AgreeButton) and interaction.message is not None:
            sent = [MessageId(interaction.message.id)]
            await self._dispatcher.told(caller, MessageId(button.number), reply, sent)

    async def _settle(self, button: SettleButton, interaction: discord.Interaction[Any], caller: Caller) -> None:
        """Settles a contradiction, and says under it what holds."""
        reply = await self._app.commands.settling.chosen(caller, MemoryId(button.number), button.choice)
        if reply.opens:
            await drawing.tell_alone("settle", reply, interaction, prefix=caller.prefix)
            return
        with telling_what_is_done():
            message = await interaction.original_response()
            await interaction.edit_original_response(
                **message_edits.edit(message, message_edits.without_choices(message))
            )
            await interaction.followup.send(reply.text, allowed_mentions=_NOBODY)

    async def _agreed(self, button: Button, caller: Caller) -> Reply:
        asked = await self._app.turns.asked(caller, MessageId(button.number))
        if asked is None:
            raise errors.NotFound(forgetting.NOT_ASKED)
        if asked[0] != caller.person_id:
            raise errors.NotAllowed(forgetting.ASKERS_ALONE)
        return await self._app.commands.forgetting.agreed(caller, asked[1], asking=MessageId(button.number))

    async def _swap(
        self, button: Button, instead: Button | None, interaction: discord.Interaction[Any], reply: Reply
    ) -> None:
        """Replaces this button by another; without one the message says what became of its memory."""
        with telling_what_is_done():
            # As it is by now: another of its buttons may have been pressed meanwhile.
            message = await interaction.original_response()
            layout = _in_list(message, button, instead, reply)
            if layout is not None:
                await interaction.edit_original_response(view=layout, allowed_mentions=_NOBODY)
            elif message_edits.has(message, button):
                pressed = message_edits.swapped(message, button, instead)
                told = reply.text if message_edits.is_alone(pressed) else None
                edit = message_edits.edit(message, pressed, told)
                await interaction.edit_original_response(**edit, allowed_mentions=_NOBODY)
                if told is not None:
                    return
            await interaction.followup.send(reply.text, ephemeral=True, allowed_mentions=_NOBODY)

    async def _why(self, button: Button, interaction: discord.Interaction[Any], caller: Caller) -> None:
        """Explains the page's results, as they are ranked now, to the presser alone."""
        asked = _asked(interaction)
        told = ResetNotice(self._client, self._notices, place_of(interaction))
        line = f"{asked.line} page:{button.number} {drawn_lists.EXPLAIN}"
        reply = await self._dispatcher.run(caller, asked.name, line, told)
        await interaction.followup.send(reply.text, ephemeral=True, allowed_mentions=_NOBODY)

    async def _told_alone(
        self,
        button: WhyReplyButton | ExactlyButton | MissedButton,
        interaction: discord.Interaction[Any],
        caller: Caller,
    ) -> None:
        """Explains a reply to the presser alone, as far as they may see its sources; or tells what they missed."""
        if isinstance(button, MissedButton):
            name, reply = "missed", await self._dispatcher.happened(caller, *button.span, button.only)
        else:
            told = ResetNotice(self._client, self._notices, place_of(interaction))
            line = f"{button.number}{' exactly' * isinstance(button, ExactlyButton)}"
            name, reply = "why", await self._dispatcher.run(caller, "why", line, told)
        await drawing.tell_alone(name, reply, interaction, prefix=caller.prefix)

    async def _show_kept(self, button: KeptButton, interaction: discord.Interaction[Any], caller: Caller) -> None:
        """Lists what a reset's session became, to the presser alone."""
        page = button.number
        reply = await self._app.commands.lists.made_of(caller, button.session_id, page=page)
        assert reply.listing is not None
        turns = [
            buttons.kept(button.session_id, other, label, other)
            for other, label in ((page - 1, buttons.PAGE_BACK), (page + 1, buttons.PAGE_ON))
            if 1 <= other <= reply.listing.pages
        ]
        layout = drawn_lists.drawn(reply.listing, interaction.guild_id, turns, caller.prefix)
        if interaction.message is not None and interaction.message.flags.ephemeral:
            await interaction.edit_original_response(view=layout, allowed_mentions=_NOBODY)
        else:
            await interaction.followup.send(view=layout, ephemeral=True, allowed_mentions=_NOBODY)

    async def _turn(self, button: Button, interaction: discord.Interaction[Any], caller: Caller) -> None:
        """Shows another page, or the whole of a short list, as the presser may see it in this channel now.

        To them alone where the list is short for all others.
        """
        wants_all = isinstance(button, AllButton)
        asked = (drawn_lists.asked_by(button.again) if wants_all else None) or _asked(interaction)
        page = asked.page if wants_all else button.number
        told = ResetNotice(self._client, self._notices, place_of(interaction))
        reply = await self._dispatcher.run(caller, asked.name, f"{asked.line} page:{page}", told)
        if wants_all or (_is_open(interaction) and drawing.is_short(asked.name, reply, told.channel)):
            await drawing.tell_alone(asked.name, reply, interaction, prefix=caller.prefix)
            await self._dispatcher.note(caller, reply, None)
        else:
            await self._redraw(asked.name, reply, interaction, caller)

    async def _walk(self, room: str, interaction: discord.Interaction[Any], caller: Caller) -> None:
        """Shows a room of the palace, or all rooms, as the presser may see it in this channel now."""
        told = ResetNotice(self._client, self._notices, place_of(interaction))
        args = Arguments(text=room, lead=None, named={}, bare=frozenset())
        reply = await self._dispatcher.run(caller, "palace", args, told)
        await self._redraw("palace", reply, interaction, caller)

    async def _redraw(self, name: str, reply: Reply, interaction: discord.Interaction[Any], caller: Caller) -> None:
        """Replaces the pressed message by the reply; one that lists nothing goes to the presser alone."""
        if reply.listing is None:
            await interaction.followup.send(reply.text, ephemeral=True, allowed_mentions=_NOBODY)
            return
        if name in _OWN and _is_open(interaction):
            await drawing.tell_alone(name, reply, interaction, prefix=caller.prefix)
            return
        short = _is_open(interaction) and drawing.is_short(name, reply, place_of(interaction))
        drawn = Drawing(name, reply, interaction.guild, prefix=caller.prefix, is_short=short)
        await interaction.edit_original_response(**drawn.first, allowed_mentions=_NOBODY)
        await self._dispatcher.note(caller, reply, None)


def _in_list(
    message: discord.Message, pressed: Button, instead: Button | None, reply: Reply
) -> discord.ui.LayoutView | None:
    """The list that was pressed, with what became of one of its memories; none where it is no such list."""
    number = MemoryId(pressed.number)
    if isinstance(pressed, ForgetButton) and instead is not None:
        return list_changes.left(message, number, instead)
    if isinstance(pressed, RestoreButton) and reply.saved:
        return list_changes.became(message, number, text=reply.saved[0].memory.content)
    return None


def _is_open(interaction: discord.Interaction[Any]) -> bool:
    """Whether what was pressed stands where others read it too."""
    return interaction.message is not None and not interaction.message.flags.ephemeral


def _asked(interaction: discord.Interaction[Any]) -> drawn_lists.PagedBy:
    """What the pressed list was asked by, as it says itself. Raises `NotFound` where it says nothing."""
    asked = drawn_lists.asked(interaction.message) if interaction.message is not None else None
    if asked is None:
        raise errors.NotFound(catalogue.later("I don't know any more what this list was asked by; please ask anew."))
    return asked
