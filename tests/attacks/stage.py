"""The Hathi that attempts are made on: one process, database, Discord, model and forge for many of them."""

import contextlib
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from pydantic import SecretStr

from bot import log
from bot.config import ForgeSettings, McpSettings, RoleSettings, ToolServerSettings
from bot.db.pool import Database
from bot.prompting.evidence import FOUND_HEADING
from tests import discord_bot
from tests.bot.mcp import serving
from tests.conversations import roles
from tests.discord_bot import DiscordBot, World
from tests.discord_server.channels import Channel
from tests.discord_server.guilds import Guild
from tests.discord_server.users import User
from tests.forge_server import TOKEN, ForgeServer
from tests.model_server import Reply
from tests.waiting import eventually

KEY: Final = "sk-of-the-tests-4711"
"""The model server's key."""
HOUSE: Final = "House"
"""The one server whose #staff the operator has listed for a private repository and for a playbook."""
OPEN_REPOSITORY, PRIVATE_REPOSITORY = "acme/nexus", "acme/vault"
PLAYBOOK: Final = """---
title: Rotate the beacon lamps
when: [rotate the beacon lamps]
channels: [staff]
---
1. Call Vexmoor first.
2. Swap the lamps.
"""
SERVED: Final = "served"
"""The setup with a server of tools: the town, on whose board anybody writes."""
SETUPS: Final[Mapping[str, frozenset[str]]] = {
    "plain": frozenset(),
    "delegating": frozenset({"execution"}),
    SERVED: frozenset(),
}
"""By name, the models that Hathi has besides those for answers and summaries."""
CONTEXT: Final = 16384
"""Tokens of each model's prompt and answer: there every tool is offered."""
GUESS: Final = "It was bought for 4711 thalers in 1888."
"""What the model says to everything that was found: nothing holds it, so what was found is quoted word for word."""


def usual(body: dict[str, Any]) -> Reply:
    """What the model answers unless an attempt has it say something else."""
    return Reply(text=GUESS if FOUND_HEADING in str(body["messages"]) else "Fine.")


@dataclass
class Stage:
    """One running Hathi, and all that it talks to."""

    setup: str
    database: Database
    place: World
    forge: ForgeServer
    house: Guild
    staff: Channel
    """Of the house, where alone its private repository is spoken of."""
    folder: Path
    bot: DiscordBot = field(init=False)
    is_running: bool = False
    is_shaken: bool = False
    """Whether it keeps something in mind, such as that a model fails, that the next attempt must not begin with."""
    _running: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)

    @property
    def log_file(self) -> Path:
        """Where the log goes."""
        return self.folder / "hathi.log"

    @property
    def board(self) -> Path:
        """What stands on the town's board."""
        return self.folder / "board.txt"

    async def start(self) -> None:
        """Let Hathi come."""
        about = {
            "nexus": {"path": OPEN_REPOSITORY},
            "vault": {"path": PRIVATE_REPOSITORY, "private": True, "channels": [self.staff.channel_id]},
        }
        forge = ForgeSettings.model_validate(
            {"base_url": self.forge.api, "repositories": about, "default_repository": "nexus"}
        ).model_copy(update={"token": SecretStr(TOKEN)})
        models = roles(self.place.model.base_url, api_key=KEY, max_context=CONTEXT)
        more = {
            name: RoleSettings.model_validate(
                {"base_url": self.place.model.base_url, "model": name, "max_context": CONTEXT}
            )
            for name in SETUPS[self.setup]
        }
        served = {"town": self._town()} if self.setup == SERVED else {}
        self.bot = await self._running.enter_async_context(
            discord_bot.connected(
                self.place,
                self.database,
                roles=models.model_copy(update=more),
                settings_dir=self.folder,
                forge=forge,
                playbooks={"named_in": [self.house.guild_id]},
                mcp=McpSettings(servers=served),
            )
        )
        await eventually(lambda: serving.is_there(self.bot.app.tool_servers))
        self.is_running, self.is_shaken = True, False

    def _town(self) -> ToolServerSettings:
        command, tools = (*serving.PROGRAM, "--board", str(self.board)), {"board", "pin"}
        return serving.settings(command=command, tools=tools, read_only={"board"})

    async def stop(self) -> None:
        """Let Hathi go; what is in hand it ends first."""
        self.is_running = False
        await self._running.aclose()


@contextlib.asynccontextmanager
async def opened(setup: str, database: Database, folder: Path) -> AsyncGenerator[Stage]:
    """Hathi, ready, on an empty database; `folder` becomes its settings folder and holds its log."""
    (folder / "playbooks").mkdir()
    (folder / "playbooks" / "lamps.md").write_text(PLAYBOOK, encoding="utf-8")
    async with ForgeServer() as forge, discord_bot.world(answer=usual) as place:
        forge.repository(OPEN_REPOSITORY)
        forge.repository(PRIVATE_REPOSITORY, private=True)
        house = guild(place, HOUSE)
        house.text_channel("general")
        staff = house.private_channel("staff", seen_by=[house.owner])
        stage = Stage(setup=setup, database=database, place=place, forge=forge, house=house, staff=staff, folder=folder)
        log.configure(to=stage.log_file)
        await stage.start()
        try:
            yield stage
        finally:
            await stage.stop()


def guild(place: World, name: str, owner: User | None = None) -> Guild:
    """A new server that Hathi has been in for long, so that it doesn't introduce itself."""
    return place.discord.world.guild(name, owner=owner, since=datetime(2020, 1, 1, tzinfo=UTC))
