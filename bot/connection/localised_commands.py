"""Gives Discord the names and descriptions of commands in the languages that the catalogue has."""

from typing import Final

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Place

from bot import catalogue

LANGUAGES: Final = {
    discord.Locale.german: "de",
    discord.Locale.french: "fr",
    discord.Locale.spain_spanish: "es",
    discord.Locale.latin_american_spanish: "es",
}
"""The catalogue for each locale of Discord that has one."""
_CONTEXTS: Final = {
    Place.command_name: "name",
    Place.group_name: "name",
    Place.parameter_name: "option",
    Place.choice_name: "choice",
}
"""What tells names from texts that are spelt alike; a description needs nothing."""
MENU: Final = "menu"
"""The same of a command in a menu."""


class LocalisedCommands(app_commands.Translator):
    """Looks every name, description and choice up by what it is in English."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """A text of a command in a locale; None where it stays English there."""
        language = LANGUAGES.get(locale)
        if language is None:
            return None
        is_menu = isinstance(context.data, app_commands.ContextMenu)
        return catalogue.in_language(string.message, language, MENU if is_menu else _CONTEXTS.get(context.location, ""))
