"""Handles choices in the menus under lists of memories, with the rights of whoever chooses."""

import re
from typing import Any, Final

import discord
from discord.ext import commands

from bot import errors
from bot.arguments import Arguments
from bot.commands.grammar import PREFIX
from bot.connection.client import Client
from bot.domain import Caller, Memory, MemoryId, Reply
from bot.text import normalize
from cogs.access.callers import Callers
from cogs.access.permissions import place_of
from cogs.commands.dispatch import Dispatcher, ResetNotice
from cogs.tell.error_notices import ErrorNotices, telling_what_is_done
from cogs.text import splitting
from cogs.ui import buttons, forms, menus
from cogs.ui.menus import Pick

_FIXED: Final = re.compile(r"hathi:fix:([1-9]\d{0,18})")
_NOBODY: Final = discord.AllowedMentions.none()
_MISSING: Final[Any] = discord.utils.MISSING


class MenuPicks(commands.Cog, name=menus.PICKER):
    """Handles every menu of every message Hathi ever sent, and the form that one of them opens."""

    def __init__(self, client: Client, callers: Callers, dispatcher: Dispatcher, notices: ErrorNotices) -> None:
        self._client = client
        self._app = client.app
        self._callers = callers
        self._dispatcher = dispatcher
        self._notices = notices

    async def cog_load(self) -> None:
        """Registers the menus, so that those of earlier messages work."""
        self._client.add_dynamic_items(Pick)

    async def picked(self, pick: Pick, interaction: discord.Interaction[Any]) -> None:
        """Does to the chosen memory what the menu says; an error is told to whoever chose alone."""
        prefix = PREFIX
        try:
            self._dispatcher.take(interaction)
            channel, memory_id = place_of(interaction), pick.chosen
            if pick.what != "fix":
                await interaction.response.defer()
            self._dispatcher.count(self._callers.now(interaction.user, channel))
            caller, _ = await self._callers.of(interaction.user, channel)
            prefix = caller.prefix
            if pick.what == "fix":
                # A form is the first answer to a choice, or none.
                memory = await self._app.commands.changes.to_change(caller, memory_id)
                await interaction.response.send_modal(_form(memory))
                return
            reply = await (
                self._ask(interaction, caller, memory_id)
                if pick.what == "remove"
                else self._carry_out(interaction, caller, pick.what, memory_id)
            )
            with telling_what_is_done():
                if pick.what == "forget":
                    await self._redraw(interaction, memory_id, "forgotten")
                await self._say(interaction, reply)
        except Exception as exc:  # noqa: BLE001 - whatever it was, whoever chose gets one sentence
            await self._notices.tell(exc, interaction, prefix=prefix)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Handles a submitted form, whenever it was opened."""
        custom_id, text = forms.sent_in(interaction)
        found = _FIXED.fullmatch(custom_id)
        if found is not None:
            await self._fix(interaction, MemoryId(int(found[1])), text)

    async def _fix(self, interaction: discord.Interaction[Any], memory_id: MemoryId, text: str) -> None:
        prefix = PREFIX
        try:
            self._dispatcher.take(interaction)
            channel = place_of(interaction)
            await interaction.response.defer()
            self._dispatcher.count(self._callers.now(interaction.user, channel))
            caller, _ = await self._callers.of(interaction.user, channel)
            prefix = caller.prefix
            reply = await self._carry_out(interaction, caller, "edit", memory_id, text)
            with telling_what_is_done():
                await self._redraw(interaction, memory_id, f"replaced by #{reply.saved[0].memory.memory_id}")
                await self._say(interaction, reply)
        except Exception as exc:  # noqa: BLE001 - whatever it was, whoever filled it in gets one sentence
            await self._notices.tell(exc, interaction, prefix=prefix)

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

    async def _redraw(self, interaction: discord.Interaction[Any], memory_id: MemoryId, what: str) -> None:
        """Shows what became of a memory in its place in the list."""
        message = interaction.message
        embed = _without(message.embeds[0], memory_id, what) if message is not None and message.embeds else None
        if embed is not None:
            await interaction.edit_original_response(embed=embed, allowed_mentions=_NOBODY)

    async def _say(self, interaction: discord.Interaction[Any], reply: Reply) -> None:
        await interaction.followup.send(
            reply.text, view=buttons.of(reply) or _MISSING, ephemeral=True, allowed_mentions=_NOBODY
        )


def _form(memory: Memory) -> discord.ui.Modal:
    """The form with the memory's text. Raises `RefusedText` where it is longer than a form holds."""
    if splitting.size(memory.content) > normalize.MAX_LENGTH:
        number = memory.memory_id
        raise errors.RefusedText(
            lambda p: f"#{number} is longer than a form holds; {p}edit {number} … takes the whole text."
        )
    return forms.form(
        f"Fix #{memory.memory_id}",
        f"hathi:fix:{memory.memory_id}",
        "What it should say",
        longest=normalize.MAX_LENGTH,
        text=memory.content,
    )


def _without(embed: discord.Embed, memory_id: MemoryId, what: str) -> discord.Embed | None:
    """The list with what became of a memory in its place; none where it is not listed."""
    for index, field in enumerate(embed.fields):
        if (field.name or "").split(" ")[0] == f"#{memory_id}":
            return embed.copy().set_field_at(index, name=f"#{memory_id}", value=what, inline=False)
    return None
