"""A whole Hathi killed in the middle of commands, and started again: each is done once, and its giver is told."""

import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Final

import asyncpg
import pytest
import pytest_asyncio

from cogs.catchup.interrupted_commands import DONE, NOT_DONE
from tests import discord_bot
from tests.conftest import cloned
from tests.discord_bot import World
from tests.discord_server.channels import Channel
from tests.discord_server.interactions import Interaction
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Permission
from tests.discord_server.users import User
from tests.faults import discord
from tests.faults.discord import Rows

ALWAYS: Final = 10**6
KEPT: Final = ("The gate is green.", "The wall is old.", "The moat is dry.")
TAKEN: Final = {
    "remember": ("!remember The bridge is red.", "The bridge is red."),
    "note": ("!note The tower leans.", "N1"),
    "reset": ("!reset", "Conversation history cleared."),
    "refused": ("!forget 999", "999"),
    "edit": ("!edit 1 The gate is blue.", "The gate is blue."),
    "forget": ("!forget 2", "The wall is old."),
}
"""Commands that have done nothing yet when the process is killed; and what their giver is told when they are done."""
UNTOLD: Final = {
    "remember untold": ("!remember The well is deep.", DONE),
    "reset untold": ("!reset", DONE),
    "forget untold": ("!forget 3", DONE),
    "undo untold": ("!undo", DONE),
    "help untold": ("!help", "!help recall"),
}
"""Commands whose answer Discord did not take until the process is killed."""
TOLD: Final = ("remember told", "!remember The door is oak.", "The door is oak.")
"""One whose answer stands, which is not recorded."""


@dataclass(kw_only=True)
class Given:
    """Commands given before the kill."""

    world: World
    rows: Rows
    ann: User
    places: dict[str, Channel]
    givers: dict[str, User] = field(default_factory=dict[str, User])
    """Of those that are not Ann's."""
    typed: dict[str, Message] = field(default_factory=dict[str, Message])
    chosen: dict[str, Interaction] = field(default_factory=dict[str, Interaction])

    async def types(self, name: str, line: str) -> None:
        self.typed[name] = await self.givers.get(name, self.ann).say(self.places[name], line)

    def told(self, name: str) -> list[str]:
        """What was said in reply to a typed command."""
        return [message.text for message in self.world.replies(self.typed[name])]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def given(server: str) -> AsyncGenerator[Given]:
    """All of them after one kill and one start, each answered."""
    async with cloned(server) as dsn, discord.rows(dsn) as rows, discord_bot.world() as world:
        names = [*TAKEN, *UNTOLD, TOLD[0], "chosen", "chosen untold"]
        places = {name: world.guild.text_channel(name.replace(" ", "-")) for name in names}
        ann = world.newcomer("Ann", held=[world.guild.role("Gardener", Permission.MANAGE_MESSAGES)])
        given = Given(world=world, rows=rows, ann=ann, places=places)
        hathi = discord.process(world, dsn)
        async with discord.started(hathi):
            await _prepare(given)
            await given.types(TOLD[0], TOLD[1])
            await rows.state(given.typed[TOLD[0]])
            await _untold(given)
            async with _held(dsn):
                for name, (line, _) in TAKEN.items():
                    await given.types(name, line)
                given.chosen["chosen"] = await given.ann.slash(places["chosen"], "remember", {"text": "The sky falls."})
                await rows.state(*(given.typed[name] for name in TAKEN), state="claimed")
                await given.chosen["chosen"].until_answered()
                await hathi.end(kill=True)
        # Killed between the two, the process had told its giver and not recorded that it did.
        told = "UPDATE turn SET state = 'sending', command = 'message' WHERE turn_id = $1"
        await rows.connection.execute(told, given.typed[TOLD[0]].message_id)
        world.discord.faults.clear()
        again = discord.process(world, dsn)
        async with discord.started(again):
            await rows.state(*given.typed.values())
            await rows.until("SELECT count(*) = 0 FROM turn WHERE state IN ('recorded', 'claimed', 'sending')")
            # Where that takes a while, it is told first that it is at work.
            await world.until(lambda: not any("Summarizing" in text for text in given.told("reset")))
            yield given


async def _prepare(given: Given) -> None:
    """In each channel something was said, and there is something to change."""
    for text in KEPT:
        await given.rows.state(await given.ann.say(given.world.channel, f"!remember {text}"))
    await given.rows.state(
        *[
            await given.ann.say(place, "Are you there?", mentions=[given.world.discord.bot])
            for place in given.places.values()
        ]
    )
    ben, place = given.world.newcomer("Ben"), given.places["undo untold"]
    await given.rows.state(await ben.say(place, "!remember The inn is full."))
    await given.rows.state(await ben.say(place, f"!forget {len(KEPT) + 1}"))
    given.givers["undo untold"] = ben


async def _untold(given: Given) -> None:
    """Lets commands be done whose answers Discord does not take."""
    faults, places = given.world.discord.faults, given.places
    for name in UNTOLD:
        faults.fail(ALWAYS, method="POST", path=f"/channels/{places[name].channel_id}/messages")
    for name, (line, _) in UNTOLD.items():
        await given.types(name, line)
    faults.fail(ALWAYS, method="PATCH", path="/webhooks/")
    chosen = await given.ann.slash(places["chosen untold"], "remember", {"text": "The lamp is lit."})
    given.chosen["chosen untold"] = chosen
    await given.rows.state(*(given.typed[name] for name in UNTOLD if name != "help untold"), state="sending")
    await given.rows.until("SELECT state = 'sending' FROM turn WHERE turn_id = $1", chosen.interaction_id)


@contextlib.asynccontextmanager
async def _held(dsn: str) -> AsyncGenerator[None]:
    """While it lasts no command can take effect."""
    connection = await asyncpg.connect(dsn)
    try:
        async with connection.transaction():
            await connection.execute("SELECT 1 FROM space FOR UPDATE")
            await connection.execute("SELECT 1 FROM channel FOR UPDATE")
            yield
    finally:
        await connection.close()


@pytest.mark.parametrize("name", TAKEN)
def test_a_command_that_had_done_nothing_is_done(given: Given, name: str) -> None:
    """It is read again from Discord, carried out, and answered once."""
    (told,) = given.told(name)
    assert TAKEN[name][1] in told


@pytest.mark.parametrize("name", UNTOLD)
def test_a_command_that_was_done_is_told_of(given: Given, name: str) -> None:
    """It is not carried out again, and its giver is told that it was; what only tells is told now."""
    (told,) = given.told(name)
    assert UNTOLD[name][1] in told


def test_an_answer_that_stands_is_the_only_one(given: Given) -> None:
    """Whose answer Discord has is told nothing more."""
    (told,) = given.told(TOLD[0])
    assert TOLD[2] in told


@pytest.mark.parametrize(("name", "words"), [("chosen", NOT_DONE), ("chosen untold", DONE)])
def test_a_slash_command_is_told_of(given: Given, name: str, words: str) -> None:
    """Where its user waits for an answer they are told whether it was done."""
    assert [words] == [message.text for message in given.chosen[name].messages]


@pytest.mark.asyncio(loop_scope="module")
async def test_each_was_done_once(given: Given) -> None:
    """What the commands were to change was changed once, and nothing else."""
    living = "SELECT content FROM memory WHERE forgotten_at IS NULL AND superseded_by IS NULL ORDER BY content"
    kept = ["The bridge is red.", "The door is oak.", "The gate is blue.", "The inn is full.", "The lamp is lit."]
    assert [*kept, "The well is deep."] == await given.rows.all(living)
    assert [1] == await given.rows.all("SELECT DISTINCT seen_count FROM memory")
    forgotten = "SELECT content FROM memory WHERE forgotten_at IS NOT NULL ORDER BY memory_id"
    assert ["The wall is old.", "The moat is dry."] == await given.rows.all(forgotten)
    assert ["The tower leans."] == await given.rows.all("SELECT content FROM note")
    sessions = "SELECT count(*) FROM session WHERE channel_id = ANY ($1::bigint[]) GROUP BY channel_id"
    resets = [given.places[name].channel_id for name in ("reset", "reset untold")]
    assert [2, 2] == await given.rows.all(sessions, resets)


@pytest.mark.asyncio(loop_scope="module")
async def test_nothing_is_kept_of_how_they_were_given(given: Given) -> None:
    """The token of an interaction, with which anybody could answer it, goes when it is answered."""
    assert [None] == await given.rows.all("SELECT DISTINCT command FROM turn")
