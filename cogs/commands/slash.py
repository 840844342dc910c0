"""Builds Discord's slash commands from the one command grammar."""

import inspect
from collections.abc import Sequence
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.arguments import Grammar
from bot.commands.grammar import ABOUT, GRAMMARS
from bot.connection.client import Client
from bot.domain import Right
from cogs.commands.dispatch import Dispatcher
from cogs.tell.error_notices import ErrorNotices
from cogs.ui import options
from cogs.ui.autocomplete import Suggestions
from cogs.ui.options import Option

_CONTEXTS: Final = {"guild": True, "dm_channel": True, "private_channel": False}
_INSTALLS: Final = {"guild": True, "user": False}
_PERMISSIONS: Final = {
    Right.MANAGE_GUILD: discord.Permissions(manage_guild=True),
    Right.MANAGE_MESSAGES: discord.Permissions(manage_messages=True),
}
"""Who is shown a command unless a server's admins decide otherwise; whether it is obeyed, the rights decide."""

_LISTED_LAST: Final = ("age", "settings", "channel", "memory", "room", "identity", "status")
"""How Hathi is set, kept tidy and doing: after what everybody uses."""
NAMES: Final = (*(name for name in GRAMMARS if name not in _LISTED_LAST), *_LISTED_LAST)
"""Every command, in the order Discord is told them; in another, it would have to be told anew."""

Made = app_commands.Command[Any, ..., Any] | app_commands.Group


class SlashCommands(commands.Cog):
    """The slash form of every command; typed ones go to the dispatcher by the chat."""

    def __init__(self, client: Client, dispatcher: Dispatcher, suggestions: Suggestions, notices: ErrorNotices) -> None:
        self._client = client
        self._dispatcher = dispatcher
        self._suggestions = suggestions
        self._notices = notices

    async def cog_load(self) -> None:
        """Put them on Discord's list, and answer for those that are no more."""
        self._notices.watch_slash_commands()
        for name in NAMES:
            self._client.tree.add_command(command(GRAMMARS[name], self._dispatcher, self._suggestions))

    async def cog_unload(self) -> None:
        """Take them off."""
        for name in NAMES:
            self._client.tree.remove_command(name)


def command(grammar: Grammar, dispatcher: Dispatcher, suggestions: Suggestions) -> Made:
    """The slash form of a command: one command, or a group with one for each of its forms."""
    name, about = grammar.command, options.described(ABOUT[grammar.command])
    if not grammar.forms:
        made = _command(name, name, about, options.of(grammar), dispatcher, suggestions)
    else:
        made = app_commands.Group(name=name, description=about)
        for form in grammar.forms:
            what = options.described(form.help)
            called = options.form_name(form)
            made.add_command(_command(called, name, what, options.of_form(form), dispatcher, suggestions))
        if not grammar.form_required:
            about = about if grammar.text else "as it is now"
            made.add_command(_command(options.SHOW, name, about, options.of(grammar), dispatcher, suggestions))
    made.default_permissions = None if grammar.needs is None else _PERMISSIONS[grammar.needs]
    made.allowed_contexts = app_commands.AppCommandContext(**_CONTEXTS)
    made.allowed_installs = app_commands.AppInstallationType(**_INSTALLS)
    return made


def _command(
    called: str, name: str, about: str, asked: Sequence[Option], dispatcher: Dispatcher, suggestions: Suggestions
) -> app_commands.Command[Any, ..., Any]:
    form = "" if called == name else called

    async def callback(interaction: discord.Interaction[Any], **chosen: object) -> None:
        await dispatcher.choose(interaction, name, chosen, form)

    # discord.py reads a command's options off its signature.
    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    setattr(callback, "__signature__", inspect.Signature([first, *map(_parameter, asked)]))  # noqa: B010 - no attribute a checker knows
    app_commands.describe(**{option.name: option.description for option in asked})(callback)
    app_commands.choices(
        **{
            option.name: [app_commands.Choice(name=choice, value=choice) for choice in option.choices]
            for option in asked
            if option.choices
        }
    )(callback)
    suggested: dict[str, Any] = {option.name: suggestions.of(option.suggests) for option in asked if option.suggests}
    app_commands.autocomplete(**suggested)(callback)
    return app_commands.Command(name=called, description=about, callback=callback)


def _parameter(option: Option) -> inspect.Parameter:
    annotation: Any = option.kind
    if option.kind is not bool and not option.choices:
        annotation = app_commands.Range[option.kind, option.low, option.high]  # type: ignore[misc,valid-type]
    default = inspect.Parameter.empty if option.is_required else None
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
