"""Whatever goes wrong is one plain sentence for whoever asked, and one line in the log."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
import simcord
import structlog
from babel.messages import mofile
from babel.messages.catalog import Catalog
from discord import app_commands

from bot import catalogue, errors
from bot.db.pool import Database
from bot.domain import NOTHING_FOUND, MemoryId
from cogs.tell.error_notices import missing_permissions
from cogs.ui import buttons
from tests.cogs import simulated
from tests.cogs.simulated import World, answer
from tests.conftest import Clock

INCIDENT = r"Something went wrong on my side; the log has it under incident ([0-9a-f]+)\."
AGAIN = "Discord did not take that; please try again in a moment."
LACKING = "I lack the permissions Send Messages, Read Message History in #general; an admin can give that to my role."
FORBIDDEN = "Discord does not let me do that in #general: I lack a permission; an admin can give it to my role."
CHANGED = "That command has changed since Discord showed it to you; please type it anew in a minute."


def http_error(kind: type[discord.HTTPException], status: int, code: int) -> discord.HTTPException:
    class Response:
        reason = "for a test"

    response: Any = Response()
    response.status = status
    return kind(response, {"code": code, "message": "secret text"})


def broken(monkeypatch: pytest.MonkeyPatch, world: World, error: Exception) -> None:
    """Every command fails so."""

    async def fail(*_args: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr(world.room.app.commands, "run", fail)


async def ways(world: World) -> list[str]:
    """What a failure says to somebody who types, chooses and presses; the latter two alone."""
    typed = (await world.say("!undo")).content
    chosen = [answer(await world.choose(name)) for name in ("undo", "help")]
    pressed = answer_of(await world.press(await button(world), "Forget #1"))
    assert all(message.ephemeral for message in chosen)
    return [typed, *(message.content for message in chosen), pressed]


async def button(world: World) -> discord.Message:
    """A message of Hathi's with a button."""
    channel = world.client.get_channel(world.channel.id)
    assert isinstance(channel, discord.TextChannel)
    view = discord.ui.View(timeout=None).add_item(buttons.forget(MemoryId(1)))
    return await channel.send("press", view=view)


def answer_of(result: simcord.InteractionResult) -> str:
    (told,) = result.followups
    assert told.ephemeral
    return told.content


async def test_another_language_is_a_file_and_a_row(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where a space's language has a catalogue, typed, chosen or pressed, what goes wrong is told in it."""
    italian = Catalog(locale="it")
    italian.add(str(errors.DatabaseDown()), "Non raggiungo la mia memoria.")
    italian.add("{sentence} (incident {incident})", "{sentence} (caso {incident})")
    file = tmp_path / "it" / "LC_MESSAGES" / "hathi.mo"
    file.parent.mkdir(parents=True)
    with file.open("wb") as made:
        mofile.write_mo(made, italian)
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    monkeypatch.setattr(catalogue, "CODES", {"italian": "it"})
    async with simulated.world(database, clock) as world:
        await world.say("!settings language italian")
        broken(monkeypatch, world, errors.DatabaseDown())
        said = await ways(world)

    assert all(re.fullmatch(r"Non raggiungo la mia memoria\. \(caso [0-9a-f]+\)", told) for told in said), said


@pytest.mark.parametrize(
    ("make", "sentence", "event"),
    [
        (lambda: errors.NotFound("There is no memory #1 here."), "There is no memory #1 here.", "discord.refused"),
        (errors.NotAllowed, str(errors.NotAllowed()), "discord.refused"),
        (errors.DatabaseDown, str(errors.DatabaseDown()), "discord.error"),
        (lambda: http_error(discord.DiscordServerError, 503, 0), AGAIN, "discord.failed"),
        (lambda: http_error(discord.NotFound, 404, 10008), AGAIN, "discord.failed"),
        (lambda: aiohttp.ClientConnectionError("secret text"), AGAIN, "discord.failed"),
        (lambda: app_commands.CommandNotFound("x", []), CHANGED, "discord.command_changed"),
        (lambda: http_error(discord.Forbidden, 403, 50013), FORBIDDEN, "discord.forbidden"),
    ],
)
async def test_one_sentence_in_every_form(
    make: Callable[[], Exception],
    sentence: str,
    event: str,
    database: Database,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Typed, chosen or pressed, a failure says the same, once; of an interaction only its user is told."""
    async with simulated.world(database, clock) as world:
        broken(monkeypatch, world, make())
        with structlog.testing.capture_logs() as lines:
            said = await ways(world)
    told = [line for line in lines if line["event"] == event]
    assert 4 == len(told)
    # What an admin mends by a permission needs no look into the log.
    has_incident = event != "discord.forbidden"
    incidents = [f" (incident {line['incident']})" if has_incident and "incident" in line else "" for line in told]
    # The sentence may end on its mark, before or behind the incident.
    assert [sentence] * 4 == [text.replace(id_, "") for text, id_ in zip(said, incidents, strict=True)]
    assert all(id_ in text for text, id_ in zip(said, incidents, strict=True))
    assert "secret text" not in str(lines)


async def test_a_long_sentence_is_cut(database: Database, clock: Clock) -> None:
    """A sentence that quotes what was typed is told, however long that was."""
    async with simulated.world(database, clock) as world:
        typed = await world.say(f"!undo {'x' * 1990}")
    assert (2000, True) == (len(typed.content), typed.content.startswith("I don't know 'xxx"))


async def test_what_nobody_foresaw_has_an_incident(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unknown failure is told by an id that the log has with the cause, and with nothing of the cause itself."""
    async with simulated.world(database, clock) as world:
        broken(monkeypatch, world, ValueError("secret text"))
        with structlog.testing.capture_logs() as lines:
            said = await ways(world)
    incidents = [line["incident"] for line in lines if line["event"] == "discord.broke"]
    told = [match[1] for match in (re.fullmatch(INCIDENT, text) for text in said) if match]
    assert (4, incidents) == (len(set(incidents)), told)
    assert [ValueError] * 4 == [type(line["exc_info"]) for line in lines if line["event"] == "discord.broke"]


async def test_whatever_has_an_incident_is_counted(database: Database, clock: Clock) -> None:
    """What people met and could not mend themselves counts among the errors, Discord's and unforeseen ones too."""
    async with simulated.world(database, clock) as world:
        for error in (
            RuntimeError("x"),
            errors.DatabaseDown(),
            http_error(discord.Forbidden, 403, 50013),
            http_error(discord.DiscordServerError, 503, 0),
            aiohttp.ClientConnectionError(),
            errors.NotFound("There is no memory #1 here."),
            app_commands.CommandNotFound("x", []),
        ):
            world.ears.notices.sentence(error)
        counted = world.room.app.metrics.exposition(None).decode().splitlines()
    assert [("DatabaseDown", "1.0"), ("RuntimeError", "1.0"), ("other", "3.0")] == sorted(
        (line.split('"')[1], line.split()[-1]) for line in counted if line.startswith("hathi_errors_total{")
    )


async def test_a_wrapped_failure_is_told_by_its_cause(database: Database, clock: Clock) -> None:
    """What discord.py wraps around an error changes nothing of its sentence."""
    async with simulated.world(database, clock) as world:
        command = world.client.tree.get_command("undo")
        assert isinstance(command, app_commands.Command)
        wrapped = app_commands.CommandInvokeError(command, errors.NotFound("There is no memory #1 here."))
        assert "There is no memory #1 here." == world.ears.notices.sentence(wrapped)


async def test_a_command_that_is_no_more_says_so(database: Database, clock: Clock) -> None:
    """Discord shows a command for a while after it is gone; whoever chooses it is told, alone."""
    async with simulated.world(database, clock) as world:
        world.client.tree.remove_command("undo")
        result = await world.choose("undo")
        assert [app_commands.CommandNotFound] == [type(error) for error in world.env.errors]
    assert (CHANGED, True) == (answer(result).content, answer(result).ephemeral)


@pytest.mark.parametrize("said", ["!status", "!undo #1"])
async def test_the_missing_permission_is_named(database: Database, clock: Clock, said: str) -> None:
    """Who can mend it learns which permission is missing, and where, by direct message where Hathi may not write,
    whatever Hathi wanted to say; the incident that the log has of it is told nobody.
    """
    async with simulated.world(database, clock) as world:
        home = world.client.get_channel(world.channel.id)
        assert isinstance(home, discord.TextChannel)
        before = missing_permissions(home)
        for role in home.guild.me.roles[1:]:
            await home.set_permissions(role, send_messages=False, read_message_history=False)
        await world.env.settle()
        missing = missing_permissions(home)
        with structlog.testing.capture_logs() as lines:
            await world.ann.send(world.channel, said)
        told = world.ann.user.dm_channel.last_message
    assert ([], ["Send Messages", "Read Message History"]) == (before, missing)
    assert told is not None
    assert LACKING == told.content
    assert 1 == len({line["incident"] for line in lines if line["log_level"] == "warning"})


async def test_what_cant_be_told_is_logged(database: Database, clock: Clock) -> None:
    """Where neither the channel nor a direct message takes the sentence, the log has it, and nothing else happens."""
    async with simulated.world(database, clock) as world:
        world.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=None)
        with structlog.testing.capture_logs() as lines:
            await world.say("!status")
    assert ["discord.forbidden", "discord.forbidden", "discord.not_told"] == [
        line["event"] for line in lines if line["log_level"] == "warning"
    ]


async def test_a_failure_after_the_answer_leaves_the_answer(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What fails once the answer stands is told beside it; the answer is not taken back."""

    async def fail(*_args: object, **_options: object) -> None:
        raise ValueError

    async with simulated.world(database, clock) as world:
        monkeypatch.setattr(world.room.app.archivist, "touch", fail)
        result = await world.choose("recall", query="cat")
    assert result.response is not None
    assert NOTHING_FOUND == result.response.content
    assert [True] == [message.ephemeral for message in result.followups]


async def test_a_database_away_after_the_answer_is_nothing_to_tell(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That an answer was put to use is only noted: where that fails, the answer stands alone."""

    async def down(*_args: object, **_options: object) -> None:
        raise errors.DatabaseDown

    async with simulated.world(database, clock) as world:
        monkeypatch.setattr(world.room.app.archivist, "touch", down)
        sent = await world.say("!recall cat")
        result = await world.choose("recall", query="cat")
    assert sent.content == answer(result).content == NOTHING_FOUND
