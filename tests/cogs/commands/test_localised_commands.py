from collections.abc import AsyncGenerator
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.connection.localised_commands import LANGUAGES, LocalisedCommands
from bot.db.pool import Database
from cogs.commands.leaves import PRIVACY
from cogs.events import message_commands
from tests import catalogue as files
from tests.discord_bot import DiscordBot, connected, running, world


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    async with running(database) as found:
        yield found


async def test_every_text_of_a_command_is_in_each_catalogue(bot: DiscordBot) -> None:
    """Whatever Discord is told of, it is told in German, French and Spanish too."""
    told = {*files.of_commands(bot.discord.commands.listed())}
    missing = {
        language: sorted(told - {files.Told(*key) for key in files.translations(files.read(language))})
        for language in files.LANGUAGES
    }

    assert len(told) > 100
    assert missing == {language: [] for language in files.LANGUAGES}, "\n".join(
        files.as_entry(each) for each in sorted({each for found in missing.values() for each in found})
    )


async def test_no_entry_is_left_over(bot: DiscordBot) -> None:
    """What neither Discord is told of nor the code marks has no entry."""
    used = {*files.of_commands(bot.discord.commands.listed()), *(files.Told("", text) for text in files.marked())}
    left_over = {language: files.entries(files.read(language)) - used for language in files.LANGUAGES}

    assert left_over == {language: set() for language in files.LANGUAGES}


async def test_what_is_on_a_message_or_a_person_is_listed(bot: DiscordBot) -> None:
    """Discord is told of the commands in menus and of the panel in other languages too, as of those that are typed."""
    named = {one["name"]: one["name_localizations"]["de"] for one in bot.discord.commands.listed()}

    assert {name: told for name, told in named.items() if " " in name or name == PRIVACY} == {
        message_commands.REMEMBER: "Das merken",
        message_commands.KNOWN: "Was wissen wir darüber?",
        message_commands.WHY: "Warum diese Antwort?",
        message_commands.ME: "Was weißt du über mich?",
        PRIVACY: "datenschutz",
    }


@pytest.mark.parametrize("language", files.LANGUAGES)
async def test_every_translation_keeps_to_discords_rules(bot: DiscordBot, language: str) -> None:
    """A typed name is 1 to 32 letters, digits, - or _ in lower case, one in a menu 32 characters, the rest 100."""
    of_commands = {*files.of_commands(bot.discord.commands.listed())}
    for (context, text), told in files.translations(files.read(language)).items():
        match context:
            case "name" | "option":
                assert files.NAME.fullmatch(told), (text, told)
                assert told == told.lower()
            case "menu":
                assert 1 <= len(told) <= 32, (text, told)
            case "choice":
                assert 1 <= len(told) <= 100, (text, told)
            case _:
                assert files.Told(context, text) not in of_commands or 1 <= len(told) <= 100, (text, told)


async def test_siblings_have_names_of_their_own_in_every_language(bot: DiscordBot) -> None:
    """No two commands, forms or options beside each other share a name in a language, with those that stay English."""

    def look(beside: list[dict[str, Any]]) -> None:
        for locale in LANGUAGES:
            names = [(one.get("name_localizations") or {}).get(locale.value, one["name"]) for one in beside]
            assert sorted({*names}) == sorted(names)
        for one in beside:
            look(one.get("options") or [])

    listed = bot.discord.commands.listed()
    look([one for one in listed if one["type"] == 1])
    look([one for one in listed if one["type"] != 1])


async def test_discord_is_told_of_translations(bot: DiscordBot) -> None:
    """A command, its options and their choices have names and descriptions in every locale of Discord that is known."""
    recall = bot.discord.commands.find("recall", 1, None)
    tier = next(option for option in recall["options"] if option["name"] == "tier")

    assert recall["name_localizations"] == {"de": "erinnern", "fr": "rappeler", "es-ES": "buscar", "es-419": "buscar"}
    assert tier["name_localizations"]["de"] == "stufe"
    assert tier["description_localizations"]["de"] == "in welcher Stufe gesucht wird (sonst alle)"
    assert tier["choices"][0]["name_localizations"]["de"] == "kurz"
    assert tier["choices"][0]["value"] == "short"


async def test_commands_of_a_menu_are_translated_too() -> None:
    """What stands in a menu is looked up as such."""

    async def told(interaction: discord.Interaction, message: discord.Message) -> None: ...

    menu = app_commands.ContextMenu(name="Remember this", callback=told)
    client = discord.Client(intents=discord.Intents.none())
    payload = await menu.get_translated_payload(app_commands.CommandTree(client), LocalisedCommands())

    assert payload["name_localizations"] == {
        "de": "Das merken",
        "fr": "Retenir ceci",
        "es-ES": "Recordar esto",
        "es-419": "Recordar esto",
    }


async def test_other_translations_are_told_anew(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list is sent once, not again at a start with the same, and again once a translation is another."""
    async with world() as place:
        for _ in range(2):
            async with connected(place, database):
                pass
        before = place.discord.commands.overwrites[None]

        async def translate(_self: LocalisedCommands, string: app_commands.locale_str, *_given: object) -> str | None:
            return "neu-erinnern" if string.message == "recall" else None

        monkeypatch.setattr(LocalisedCommands, "translate", translate)
        async with connected(place, database):
            named = place.discord.commands.find("recall", 1, None)["name_localizations"]["de"]

        assert (before, place.discord.commands.overwrites[None], named) == (1, 2, "neu-erinnern")
