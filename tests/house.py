"""A community with a public and a private channel, and of every kind of thing that is remembered one in the latter."""

import contextlib
import json
from collections.abc import AsyncGenerator, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from bot.config import ForgeSettings
from bot.db.pool import Database
from bot.prompting.evidence import FOUND_HEADING
from cogs.chat import chat
from cogs.commands import dispatch
from tests import discord_bot
from tests.discord_bot import DiscordBot
from tests.discord_server.channels import Channel
from tests.discord_server.messages import Message
from tests.discord_server.users import User
from tests.forge_server import TOKEN, ForgeServer
from tests.model_server import Reply
from tests.pdf_files import pdf

VAULT: Final = "acme/vault"
GUESS: Final = "It was bought for 4711 thalers in 1888."
"""What the model says to everything that was found: nothing holds it, so what was found is quoted word for word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """One thing that is known in the private channel alone."""

    kind: str
    marker: str
    """The word nobody else is to see."""
    wordings: tuple[str, ...]
    """Ways to ask for it; the first finds it where it may be seen."""
    words: str
    """What it might be looked for by."""


MATTERS: Final = (
    Matter(
        kind="memory",
        marker="Quillwort",
        words="merger partner",
        wordings=("What is the merger partner called again?", "Remind me who our merger partner is."),
    ),
    Matter(
        kind="message",
        marker="Marzipolis",
        words="retreat place",
        wordings=("Where did we say the retreat takes place?", "What did Ann say about the retreat?"),
    ),
    Matter(
        kind="attachment",
        marker="Brindlewick",
        words="vaulted undercroft",
        wordings=("What is the code of the vaulted undercroft again?", "What did cellar.md say about the undercroft?"),
    ),
    Matter(
        kind="pdf",
        marker="Tarnhelm",
        words="smokestack permit",
        wordings=("Who did we say signed the smokestack permit?", "What did furnace.pdf say on the permit?"),
    ),
    Matter(
        kind="note",
        marker="Dunklefax",
        words="kiln supplier",
        wordings=("Who did we say the kiln supplier is?", "What did I note about the kiln supplier?"),
    ),
    Matter(
        kind="promoted",
        marker="Osterquill",
        words="payroll bank",
        wordings=("Which payroll bank did we agree on?", "Remind me what we said about the payroll bank."),
    ),
    Matter(
        kind="playbook",
        marker="Vexmoor",
        words="beacon lamps",
        wordings=("How do we usually rotate the beacon lamps?", "Time to rotate the beacon lamps!"),
    ),
    Matter(
        kind="issue",
        marker="Hrimgast",
        words="boiler leak",
        wordings=("What does issue #7 of vault say?", "What did the issue on the boiler leak in vault say?"),
    ),
    Matter(
        kind="file",
        marker="Skaldwick",
        words="ledger path",
        wordings=("What does docs/ledger.md in vault say?", "What does vault's docs/ledger.md say on the ledger path?"),
    ),
)
KINDS: Final = tuple(matter.kind for matter in MATTERS)
FILED: Final = ("gloomhaven", "snarkvale", "wombleton")
"""The room, the topic and the tag of the memory."""
MARKERS: Final = (*(matter.marker for matter in MATTERS), *FILED)
PLAYBOOK: Final = """---
title: Rotate the beacon lamps
when: [rotate the beacon lamps]
channels: [staff]
---
1. Call Vexmoor first.
2. Swap the lamps.
"""


@dataclass
class House:
    """The community, what was said in its private channel, and all that was sent, asked or logged anywhere."""

    bot: DiscordBot
    ann: User
    """Who reads the private channel."""
    bob: User
    """Who does not."""
    staff: Channel
    lines: list[Any]
    """Of the log."""
    database: Database
    said: dict[str, Message] = field(default_factory=dict[str, Message])
    """What each matter came with, where that is a message."""
    answers: dict[str, Message] = field(default_factory=dict[str, Message])
    """Hathi's answers in the private channel that quote each."""

    async def asks(self, user: User, channel: Channel, text: str) -> Message:
        """Hathi's whole reply to a question."""
        return await self.bot.asks(user, channel, text)

    async def runs(self, user: User, channel: Channel, line: str) -> str:
        """All that a command typed so is answered with."""
        asked = await user.say(channel, line)
        await self.bot.answer(asked)
        return "\n".join(map(seen, self.bot.world.replies(asked)))

    async def offered(self, user: User, channel: Channel, command: str, option: str, typed: str, **more: str) -> str:
        """What is suggested while an option is typed."""
        asked = await user.autocomplete(channel, command, option, typed, more)
        await asked.until_answered()
        return json.dumps(asked.choices)

    async def presses(self, user: User, message: Message, button: str) -> str:
        """What a button is answered with, to its user alone."""
        pressed = await user.press(message, button)
        await self.bot.until(lambda: pressed.followups)
        return "\n".join(map(seen, pressed.followups.values()))

    def link(self, message: Message) -> str:
        """Its address, as people copy it."""
        return (
            f"https://discord.com/channels/{self.bot.guild.guild_id}/{message.channel.channel_id}/{message.message_id}"
        )

    def mark(self) -> "Mark":
        """From here on."""
        return Mark(house=self, prompts=len(self.bot.model.requests), lines=len(self.lines))


@dataclass
class Mark:
    """A moment; what was shown to the model, or logged, since."""

    house: House
    prompts: int
    lines: int

    @property
    def prompted(self) -> str:
        return json.dumps(self.house.bot.model.requests[self.prompts :], ensure_ascii=False)

    @property
    def logged(self) -> str:
        return repr(self.house.lines[self.lines :])


def seen(message: Message) -> str:
    """All that anybody ever saw of a message: every version of its text, what is drawn under it, and its files."""
    texts = [message.content, *(edit.content for edit in message.edits)]
    texts += [file.content.decode() for file in message.attachments]
    return "\n".join([*texts, json.dumps(message.embeds, ensure_ascii=False), json.dumps(message.components)])


def holding(text: str, markers: Iterable[str] = MARKERS) -> list[str]:
    """Those of the markers that a text holds, however they are written."""
    return [marker for marker in markers if marker.casefold() in text.casefold()]


def answer(body: dict[str, Any]) -> Reply:
    """To what was found a lie that does not hold, so that it is quoted; else nothing of note."""
    return Reply(text=GUESS if FOUND_HEADING in str(body["messages"]) else "Fine.")


@contextlib.asynccontextmanager
async def house(database: Database, folder: Path) -> AsyncGenerator[House]:
    """The community; `folder` becomes Hathi's settings folder."""
    (folder / "playbooks").mkdir()
    (folder / "playbooks" / "lamps.md").write_text(PLAYBOOK)
    with pytest.MonkeyPatch.context() as patch:
        # More is asked here at once than anybody may.
        patch.setattr(chat, "QUESTIONS", 10_000)
        patch.setattr(dispatch, "COMMANDS", 10_000)
        async with _house(database, folder) as found:
            yield found


@contextlib.asynccontextmanager
async def _house(database: Database, folder: Path) -> AsyncGenerator[House]:
    async with ForgeServer() as forge, discord_bot.world(answer=answer) as place:
        knows = place.newcomer("Ann"), place.newcomer("Bob")
        staff = place.guild.private_channel("staff", seen_by=[knows[0], place.guild.owner])
        with capture_logs() as lines:
            about = connected(forge, staff)
            async with discord_bot.connected(
                place, database, settings_dir=folder, forge=about, playbooks={"named_in": [place.guild.guild_id]}
            ) as bot:
                for user in knows:
                    bot.knows(user)
                yield House(bot=bot, ann=knows[0], bob=knows[1], staff=staff, lines=lines, database=database)


def connected(forge: ForgeServer, staff: Channel) -> ForgeSettings:
    """A forge with a repository for everybody, and one for the private channel alone."""
    forge.repository("acme/nexus").issue(1, "The gate is stuck")
    vault = forge.repository(VAULT, private=True)
    vault.issue(7, "Boiler leak", "The plumber is Hrimgast.")
    vault.files["docs/ledger.md"] = b"# Ledger\nThe ledger path is Skaldwick.\n"
    repositories = {
        "nexus": {"path": "acme/nexus"},
        "vault": {"path": VAULT, "private": True, "channels": [staff.channel_id]},
    }
    made = ForgeSettings.model_validate(
        {"base_url": forge.api, "repositories": repositories, "default_repository": "nexus"}
    )
    return made.model_copy(update={"token": SecretStr(TOKEN)})


async def furnish(at: House) -> None:
    """Let one of every kind be known in the private channel."""
    bot, ann, staff = at.bot, at.ann, at.staff
    for channel in (staff, bot.channel):
        await at.runs(bot.guild.owner, channel, "!memory mode all")
    room, topic, tag = FILED
    at.said["memory"] = await ann.say(
        staff, f"!remember My merger partner is called Quillwort. room:{room} topic:{topic} tags:{tag}"
    )
    await bot.answer(at.said["memory"])
    at.said["message"] = await ann.say(staff, "The retreat takes place in Marzipolis.")
    for kind, files in (
        ("attachment", {"cellar.md": b"The code of the vaulted undercroft is Brindlewick.\n"}),
        ("pdf", {"furnace.pdf": pdf("The smokestack permit was signed by Tarnhelm.")}),
    ):
        at.said[kind] = await ann.say(staff, "Please keep this.", mentions=[bot.discord.bot], files=files)
        await bot.answer(at.said[kind])
        await bot.settled()
    await at.runs(ann, staff, "!note payroll at Osterquill")
    promoting = '!promote N1 The payroll bank is Osterquill. reason:"Osterquill is cheap"'
    at.said["promoted"] = await ann.say(staff, promoting)
    await bot.answer(at.said["promoted"])
    at.said["note"] = await ann.say(staff, "!note The kiln supplier is Dunklefax.")
    await bot.answer(at.said["note"])


async def quote(at: House, kinds: Collection[str] = KINDS) -> None:
    """Have Hathi quote one of each of these kinds there."""
    for matter in (matter for matter in MATTERS if matter.kind in kinds):
        at.answers[matter.kind] = await at.asks(at.bot.guild.owner, at.staff, matter.wordings[0])


def elsewhere(at: House, channels: Sequence[Channel]) -> str:
    """All that Hathi ever said in these channels."""
    return "\n".join(seen(message) for channel in channels for message in channel.said_by(at.bot.discord.bot))
