"""`/privacy`: a panel, for whoever opens it alone, of what is kept of them and how to stop, take along or erase it."""

from dataclasses import replace
from functools import partial
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot import catalogue
from bot.arguments import Arguments
from bot.commands import mydata
from bot.connection.client import Client
from bot.domain import Caller, Reply
from cogs.access.permissions import place_of
from cogs.commands import clickable
from cogs.commands.dispatch import Dispatcher, ResetNotice
from cogs.commands.leaves import PRIVACY, PRIVACY_ABOUT
from cogs.commands.presses import Presses
from cogs.commands.slash import offered
from cogs.send import files_out
from cogs.tell.error_notices import Announced, ErrorNotices, telling_what_is_done
from cogs.ui import panels
from cogs.ui.panels import Does, PanelButton

_NOBODY: Final = discord.AllowedMentions.none()
_TYPED: Final = {
    Does.HERE: ("memory", ""),
    Does.STOP: ("memory", "off me"),
    Does.RESUME: ("memory", "on me"),
    Does.SEE: ("mydata", "see"),
    Does.EXPORT: ("mydata", "export"),
    Does.ERASE: ("mydata", "erase"),
    Does.ERASE_ALL: ("mydata", "erase"),
    Does.ERASE_FOR_GOOD: ("mydata", "erase confirm"),
}
"""The typed command behind each button, and its form; what is erased for good is asked for twice."""


class PrivacyPanel(commands.Cog, name=panels.PANEL):
    """Opens the panel, and does what its buttons say with the rights of whoever presses them."""

    def __init__(self, client: Client, dispatcher: Dispatcher, presses: Presses, notices: ErrorNotices) -> None:
        self._client = client
        self._dispatcher = dispatcher
        self._presses = presses
        self._notices = notices

    async def cog_load(self) -> None:
        """Puts the command on Discord's list, and registers the buttons, so that those of earlier panels work."""
        made = app_commands.Command(name=PRIVACY, description=PRIVACY_ABOUT, callback=self._opener())
        offered(made, None)
        self._client.tree.add_command(made)
        self._client.add_dynamic_items(PanelButton)

    async def cog_unload(self) -> None:
        """Takes it off."""
        self._client.tree.remove_command(PRIVACY)

    def _opener(self) -> Any:
        async def opened(interaction: discord.Interaction[Any]) -> None:
            await self._presses.carry_out(interaction, partial(self._shown, interaction, Does.HERE))

        return opened

    async def pressed(self, button: PanelButton, interaction: discord.Interaction[Any]) -> None:
        """Does what the button says; the panel tells it."""
        await self._presses.carry_out(interaction, partial(self._shown, interaction, button.does))

    async def _shown(self, interaction: discord.Interaction[Any], does: Does, caller: Caller) -> None:
        told = ResetNotice(self._client, self._notices, place_of(interaction), interaction)
        command, form = _TYPED[does]
        args = Arguments(text="", lead=None, named={}, bare=frozenset(), form=form)
        reply = await self._dispatcher.run(replace(caller, reads_alone=True), command, args, told)
        reply = replace(reply, text=clickable.on_panel(reply.text, caller.prefix))
        with telling_what_is_done():
            await self._tell(interaction, caller, await self._with_state(caller, reply, does), does)
            await self._dispatcher.note(caller, reply, None, told)

    async def _with_state(self, caller: Caller, reply: Reply, does: Does) -> Reply:
        """What else holds of them: how much stands from before they opted out, and what can still be deleted."""
        data = self._client.app.personal_data
        if does is Does.HERE and await self._opted_out(caller):
            kept = mydata.receipt_text(await data.erasable(caller.person_id))
            told = catalogue.gettext("Kept from before: {kept}.").format(kept=kept)
            reply = replace(reply, text=f"{reply.text}\n{told}") if kept else reply
        stands = reply.erased_by is not None or await data.count_standing(caller.person_id)
        return replace(reply, erased_by=caller.person_id if stands else None)

    async def _opted_out(self, caller: Caller) -> bool:
        return await self._client.app.people.opted_out(caller.person_id)

    async def _tell(self, interaction: discord.Interaction[Any], caller: Caller, reply: Reply, does: Does) -> None:
        view = panels.privacy(reply, does, opted_out=await self._opted_out(caller))
        await interaction.edit_original_response(view=view, allowed_mentions=_NOBODY)
        Announced.no_more(interaction)
        async for file in files_out.files(reply.lines, "mydata"):
            await interaction.followup.send(file=file, ephemeral=True)
