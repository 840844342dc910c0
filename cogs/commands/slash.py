"""Builds Discord's slash commands from the leaves, and so from the one command grammar."""

import inspect
from collections.abc import Iterable
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.connection.client import Client
from bot.domain import Right
from cogs.commands.dispatch import Dispatcher
from cogs.commands.leaves import GROUPS, LEAVES, NEEDS, Leaf
from cogs.tell.error_notices import ErrorNotices
from cogs.ui.autocomplete import Suggestions
from cogs.ui.options import Option

_CONTEXTS: Final = {"guild": True, "dm_channel": True, "private_channel": False}
_INSTALLS: Final = {"guild": True, "user": False}
_PERMISSIONS: Final = {
    Right.MANAGE_GUILD: discord.Permissions(manage_guild=True),
    Right.MANAGE_MESSAGES: discord.Permissions(manage_messages=True),
}
"""Who is shown a command unless a server's admins decide otherwise; whether it is obeyed, the rights decide."""

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
        for made in made_of(LEAVES, self._dispatcher, self._suggestions):
            self._client.tree.add_command(made)

    async def cog_unload(self) -> None:
        """Take them off."""
        for name in dict.fromkeys(leaf.top for leaf in LEAVES):
            self._client.tree.remove_command(name)


def made_of(leaves: Iterable[Leaf], dispatcher: Dispatcher, suggestions: Suggestions) -> Iterable[Made]:
    """The commands and groups that hold these leaves, in their order."""
    tops: dict[str, Made] = {}
    groups: dict[str, app_commands.Group] = {}
    for leaf in leaves:
        made = _command(leaf, dispatcher, suggestions)
        under, _, _ = leaf.path.rpartition(" ")
        if not under:
            tops[leaf.path] = made
        else:
            _group(under, groups, tops).add_command(made)
    for name, top in tops.items():
        offered(top, NEEDS.get(name))
    return tops.values()


def _group(path: str, groups: dict[str, app_commands.Group], tops: dict[str, Made]) -> app_commands.Group:
    """The group of that path, made with those it is in where it is not there yet."""
    if path not in groups:
        under, _, name = path.rpartition(" ")
        groups[path] = made = app_commands.Group(name=name, description=GROUPS[path])
        if under:
            _group(under, groups, tops).add_command(made)
        else:
            tops[path] = made
    return groups[path]


def offered(
    command: app_commands.Command[Any, ..., Any] | app_commands.ContextMenu | app_commands.Group, needs: Right | None
) -> None:
    """Has a command shown in servers and direct messages, to those who have the right."""
    command.default_permissions = None if needs is None else _PERMISSIONS[needs]
    command.allowed_contexts = app_commands.AppCommandContext(**_CONTEXTS)
    command.allowed_installs = app_commands.AppInstallationType(**_INSTALLS)


def _command(leaf: Leaf, dispatcher: Dispatcher, suggestions: Suggestions) -> app_commands.Command[Any, ..., Any]:
    async def callback(interaction: discord.Interaction[Any], **chosen: object) -> None:
        await dispatcher.choose(interaction, leaf, chosen)

    asked = leaf.options
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
    return app_commands.Command(name=leaf.path.rpartition(" ")[2], description=leaf.about, callback=callback)


def _parameter(option: Option) -> inspect.Parameter:
    annotation: Any = option.kind
    if option.kind is not bool and not option.choices:
        annotation = app_commands.Range[option.kind, option.low, option.high]  # type: ignore[misc,valid-type]
    default = inspect.Parameter.empty if option.is_required else None
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
