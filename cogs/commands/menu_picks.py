"""Handles choices in the menus under lists of memories, with the rights of whoever chooses."""

import re
from functools import partial
from typing import Any, Final

import discord
from discord.ext import commands

from bot import catalogue, errors
from bot.arguments import Arguments
from bot.connection.client import Client
from bot.domain import Caller, Memory, MemoryId, Reply
from bot.text import normalize
from cogs.access.permissions import place_of
from cogs.commands import drawing
from cogs.commands.dispatch import Dispatcher, ResetNotice
from cogs.commands.presses import Presses
from cogs.tell.error_notices import ErrorNotices, telling_what_is_done
from cogs.text import splitting
from cogs.ui import button_kinds, buttons, forms, list_changes
from cogs.ui.button_kinds import MemoryButton
from cogs.ui.menus import Pick

_FIXED: Final = re.compile(r"hathi:fix:([1-9]\d{0,18})")
_NOBODY: Final = discord.AllowedMentions.none()
_DOES: Final = {"mend": "fix", "pin": "pin", "unpin": "unpin", "asks": "remove"}
"""What buttons do, as the menus of earlier lists called it."""


class MenuPicks(commands.Cog, name=button_kinds.PICKER):
    """Handles every menu of every message Hathi ever sent, and the form that one of them opens."""

    def __init__(self, client: Client, dispatcher: Dispatcher, presses: Presses, notices: ErrorNotices) -> None:
        self._client = client
        self._app = client.app
        self._dispatcher = dispatcher
        self._presses = presses
        self._notices = notices

    async def cog_load(self) -> None:
        """Registers the menus, so that those of earlier messages work."""
        self._client.add_dynamic_items(Pick)

    async def pressed(self, button: MemoryButton, interaction: discord.Interaction[Any]) -> None:
        """Opens what can be done with a memory of a list, or does it; an error is told to whoever pressed alone."""
        number = MemoryId(button.number)
        if button.what in {"open", "theirs"}:
            await self._presses.carry_out(interaction, partial(self._open, button, number, interaction))
        else:
            await self._do(_DOES[button.what], number, interaction)

    async def _open(
        self, button: MemoryButton, number: MemoryId, interaction: discord.Interaction[Any], caller: Caller
    ) -> None:
        """Shows under a memory what can be done with it; closes that again where it was open."""
        choices = buttons.on_others(number)
        if button.what == "open":
            choices = buttons.on_memory(await self._app.commands.changes.to_change(caller, number))
        with telling_what_is_done():
            await self._show(interaction, list_changes.opened(await interaction.original_response(), number, choices))

    async def picked(self, pick: Pick, interaction: discord.Interaction[Any]) -> None:
        """Does to the chosen memory what the menu says; an error is told to whoever chose alone."""
        await self._do(pick.what, pick.chosen, interaction)

    async def _do(self, what: str, memory_id: MemoryId, interaction: discord.Interaction[Any]) -> None:
        if what == "fix":
            opening = partial(self._open_form, memory_id, interaction)
            await self._presses.carry_out(interaction, opening, opens_form=True)
        else:
            await self._presses.carry_out(interaction, partial(self._change, what, memory_id, interaction))

    async def _open_form(self, memory_id: MemoryId, interaction: discord.Interaction[Any], caller: Caller) -> None:
        memory = await self._app.commands.changes.to_change(caller, memory_id)
        await interaction.response.send_modal(_form(memory))

    async def _change(
        self, what: str, memory_id: MemoryId, interaction: discord.Interaction[Any], caller: Caller
    ) -> None:
        reply = await (
            self._ask(interaction, caller, memory_id)
            if what == "remove"
            else self._carry_out(interaction, caller, what, memory_id)
        )
        with telling_what_is_done():
            if what == "forget":
                await self._redraw(interaction, memory_id)
            elif what != "remove":
                # What can be done with it is another thing now; it is opened anew.
                message = await interaction.original_response()
                await self._show(interaction, list_changes.opened(message, memory_id, []))
            await drawing.tell_alone(what, reply, interaction, prefix=caller.prefix)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Handles a submitted form, whenever it was opened."""
        custom_id, text = forms.sent_in(interaction)
        found = _FIXED.fullmatch(custom_id)
        if found is not None:
            fixing = partial(self._fix, interaction, MemoryId(int(found[1])), text)
            await self._presses.carry_out(interaction, fixing)

    async def _fix(self, interaction: discord.Interaction[Any], memory_id: MemoryId, text: str, caller: Caller) -> None:
        reply = await self._carry_out(interaction, caller, "edit", memory_id, text)
        with telling_what_is_done():
            await self._redraw(interaction, memory_id, reply.saved[0].memory)
            await drawing.tell_alone("edit", reply, interaction, prefix=caller.prefix)

    async def _carry_out(
        self, interaction: discord.Interaction[Any], caller: Caller, name: str, memory_id: MemoryId, text: str = ""
    ) -> Reply:
        """Runs the same use case as the command, with the same rights."""
        told = ResetNotice(self._client, self._notices, place_of(interaction))
        given = Arguments(text=text, lead=memory_id, named={}, bare=frozenset())
        args = await self._dispatcher.read(name, given, told.channel)
        reply = await self._dispatcher.run(caller, name, args, told)
        await self._dispatcher.note(caller, reply, None, told, given=interaction)
        return reply

    async def _ask(self, interaction: discord.Interaction[Any], caller: Caller, memory_id: MemoryId) -> Reply:
        """Asks to have a memory removed that another said about whoever chose."""
        told = ResetNotice(self._client, self._notices, place_of(interaction))
        args = Arguments(text="", lead=None, named={"id": memory_id}, bare=frozenset(), form="remove")
        return await self._dispatcher.run(caller, "mydata", args, told)

    async def _redraw(
        self, interaction: discord.Interaction[Any], memory_id: MemoryId, now: Memory | None = None
    ) -> None:
        """Shows in its place in the list that a memory was forgotten, or what it is now."""
        message = await interaction.original_response()
        if message.embeds:
            told = (
                catalogue.gettext(list_changes.FORGOTTEN)
                if now is None
                else catalogue.gettext("replaced by #{number}").format(number=now.memory_id)
            )
            embed = _without(message.embeds[0], memory_id, told)
            if embed is not None:
                await interaction.edit_original_response(embed=embed, allowed_mentions=_NOBODY)
        elif now is None:
            await self._show(interaction, list_changes.left(message, memory_id, buttons.restore(memory_id)))
        else:
            layout = list_changes.became(message, memory_id, text=now.content, now=now.memory_id)
            await self._show(interaction, layout)

    async def _show(self, interaction: discord.Interaction[Any], layout: discord.ui.LayoutView | None) -> None:
        """Shows the changed list in its place; where it is no list any more, nothing changes."""
        if layout is not None:
            await interaction.edit_original_response(view=layout, allowed_mentions=_NOBODY)


def _form(memory: Memory) -> discord.ui.Modal:
    """The form with the memory's text. Raises `RefusedText` where it is longer than a form holds."""
    if splitting.size(memory.content) > normalize.MAX_LENGTH:
        told = catalogue.gettext("#{number} is longer than a form holds; {p}edit {number} … takes the whole text.")
        raise errors.RefusedText(lambda p: told.format(number=memory.memory_id, p=p))
    return forms.form(
        catalogue.gettext("Fix #{number}").format(number=memory.memory_id),
        f"hathi:fix:{memory.memory_id}",
        catalogue.gettext("What it should say"),
        longest=normalize.MAX_LENGTH,
        text=memory.content,
    )


def _without(embed: discord.Embed, memory_id: MemoryId, what: str) -> discord.Embed | None:
    """The list with what became of a memory in its place; none where it is not listed."""
    for index, field in enumerate(embed.fields):
        if (field.name or "").split(" ")[0] == f"#{memory_id}":
            return embed.copy().set_field_at(index, name=f"#{memory_id}", value=what, inline=False)
    return None
