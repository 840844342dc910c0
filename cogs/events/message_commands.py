"""The commands under right-click → Apps: on anybody's message, and on oneself; answered to whoever chose them alone."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot import catalogue, errors
from bot.commands import who
from bot.connection.client import Client
from bot.domain import Caller, MessageId, Reply
from bot.presentation import both_sides, render
from bot.text import normalize
from cogs.access.callers import Callers
from cogs.access.permissions import place_of
from cogs.chat.chat import Chat
from cogs.chat.marked_messages import MarkedMessages
from cogs.commands.dispatch import Dispatcher
from cogs.commands.drawing import Drawing
from cogs.commands.leaves import LEAVES, MEMORIES
from cogs.commands.presses import Presses
from cogs.commands.slash import offered
from cogs.tell.error_notices import Announced, ErrorNotices, telling_what_is_done

REMEMBER: Final = "Remember this"
KNOWN: Final = "What do we know about this?"
WHY: Final = "Why this answer?"
ME: Final = "What do you know about me?"
NOTHING_TO_KEEP: Final = catalogue.later("There is nothing in that message that I may remember.")
NO_WORDS: Final = catalogue.later("There are no words in that message to look for.")
NOT_YOU: Final = catalogue.later("I tell what I know about somebody only to them; choose this on yourself.")
LONGEST: Final = 1_000
"""Characters of a message that are looked for."""
_WHY_LEAF: Final = next(leaf for leaf in LEAVES if leaf.path == "why")
_NOBODY: Final = discord.AllowedMentions.none()


class MessageCommands(commands.Cog):
    """Carries them out. Discord hands the message over with its text, so they need no intent."""

    def __init__(
        self,
        client: Client,
        callers: Callers,
        chat: Chat,
        dispatcher: Dispatcher,
        presses: Presses,
        notices: ErrorNotices,
        marked: MarkedMessages,
    ) -> None:
        self._client = client
        self._app = client.app
        self._callers = callers
        self._chat = chat
        self._dispatcher = dispatcher
        self._presses = presses
        self._notices = notices
        self._marked = marked
        # discord.py takes none that stands in a cog's class.
        self.menus: Final = (
            app_commands.ContextMenu(name=REMEMBER, callback=self._on_message(self._remember)),
            app_commands.ContextMenu(name=KNOWN, callback=self._on_message(self._known)),
            app_commands.ContextMenu(name=WHY, callback=self._on_message(self._why)),
            app_commands.ContextMenu(name=ME, callback=self._on_user()),
        )

    async def cog_load(self) -> None:
        """Puts them on Discord's list."""
        for menu in self.menus:
            offered(menu, None)
            self._client.tree.add_command(menu)

    async def cog_unload(self) -> None:
        """Takes them off."""
        for menu in self.menus:
            self._client.tree.remove_command(menu.name, type=menu.type)

    def _on_message(self, carried_out: Callable[[discord.Interaction[Any], discord.Message], Awaitable[None]]) -> Any:
        """What discord.py takes: a function, whose parameters tell what it is a command on."""

        async def chosen(interaction: discord.Interaction[Any], message: discord.Message) -> None:
            await carried_out(interaction, message)

        return chosen

    def _on_user(self) -> Any:
        async def chosen(interaction: discord.Interaction[Any], user: discord.User) -> None:
            if user.id != interaction.user.id:
                await self._notices.tell(errors.NotAllowed(NOT_YOU), interaction)
                return
            await self._dispatcher.choose(interaction, MEMORIES, {"show": "about me"})

        return chosen

    async def _why(self, interaction: discord.Interaction[Any], message: discord.Message) -> None:
        await self._dispatcher.choose(interaction, _WHY_LEAF, {"reply": str(message.id)})

    async def _remember(self, interaction: discord.Interaction[Any], message: discord.Message) -> None:
        async def remembered(caller: Caller) -> Reply:
            channel, message_id = place_of(interaction), MessageId(message.id)
            place = self._callers.seen(channel)
            me = self._client.user
            assert me is not None
            answer = await self._marked.answer(caller, channel, message_id) if message.author.id == me.id else None
            saved = await (
                self._marked.save_said(caller, channel, place, message_id, me, given=message)
                if answer is None
                else self._marked.save_answer(caller, answer)
            )
            if not saved:
                raise errors.RefusedText(NOTHING_TO_KEEP)
            return Reply(text="\n".join([render.kept(saved), *both_sides.lines(saved, caller)]), saved=tuple(saved))

        reply = await self._answered(interaction, "remember", remembered)
        if reply is not None:
            caller = self._callers.now(interaction.user, place_of(interaction))
            for one in reply.saved:
                if not one.was_known:
                    await self._chat.author_notice.tell(one, caller, place_of(interaction))

    async def _known(self, interaction: discord.Interaction[Any], message: discord.Message) -> None:
        async def found(caller: Caller) -> Reply:
            text = normalize.without_attachments(self._chat.texts.of(message))[:LONGEST].strip()
            if not normalize.has_words(text):
                raise errors.RefusedText(NO_WORDS)
            return await self._app.commands.recalling.search(caller, text, apart_from=(MessageId(message.id),))

        await self._answered(interaction, "recall", found)

    async def _answered(
        self, interaction: discord.Interaction[Any], command: str, carried_out: Callable[[Caller], Awaitable[Reply]]
    ) -> Reply | None:
        """Answers whoever chose it alone, as the `command` it stands for is; none where it was refused or failed."""

        async def told(caller: Caller) -> Reply:
            who.admit(caller.kept_out, command)
            reply = await carried_out(caller)
            with telling_what_is_done():
                drawing = Drawing(command, reply, interaction.guild, prefix=caller.prefix)
                await interaction.edit_original_response(**drawing.first, allowed_mentions=_NOBODY)
                Announced.no_more(interaction)
            await self._dispatcher.note(caller, reply, None, given=interaction)
            return reply

        return await self._presses.carry_out(interaction, told)
