"""The names that mean something in a channel, of a guild as discord.py knows it."""

from typing import Any, Final, cast

import discord
import pytest
from discord.state import ConnectionState

from cogs.directories import Directories
from cogs.readable import discordly, readable

GUILD, GENERAL, BUILDERS, WAVE, PARTY = 1, 10, 20, 40, 41

PAIRS: Final = [
    (f"<@&{BUILDERS}>, see <#{GENERAL}>", "@builders, see #general"),
    (f"<:wave:{WAVE}> <a:party:{PARTY}>", ":wave: :party:"),
]


def _role(key: int, name: str) -> dict[str, Any]:
    return {"id": str(key), "name": name, "position": key, "permissions": "1024", "colors": {}}


@pytest.fixture
def channel() -> discord.TextChannel:
    state = ConnectionState(
        dispatch=lambda *_: None, handlers={}, hooks={}, http=cast("Any", None), intents=discord.Intents.default()
    )
    data = {
        "id": str(GUILD), "name": "g", "owner_id": "8", "members": [], "member_count": 1, "threads": [],
        "roles": [_role(BUILDERS, "builders"), _role(GUILD, "@everyone")],
        "emojis": [{"id": str(WAVE), "name": "wave"}, {"id": str(PARTY), "name": "party", "animated": True}],
        "channels": [{
            "id": str(GENERAL), "type": 0, "name": "general", "position": 0, "nsfw": False, "permission_overwrites": [],
        }],
    }  # fmt: skip
    found = discord.Guild(data=cast("Any", data), state=state).get_channel(GENERAL)
    assert isinstance(found, discord.TextChannel)
    return found


@pytest.mark.parametrize(("markup", "words"), PAIRS)
def test_names_of_a_guild_are_read_and_written(channel: discord.TextChannel, markup: str, words: str):
    """Roles, channels and emoji read by the names the guild gives them, and are written back as their marks."""
    directories = Directories()
    assert (words, markup) == (
        readable(markup, directories.of(channel)),
        discordly(words, directories.of(channel)),
    )


def test_everyone_is_no_name(channel: discord.TextChannel):
    """The role of everybody is told to nobody, and nobody is called by it."""
    directory = Directories().of(channel)
    assert ({BUILDERS: "builders"}, "@everyone", "@a-role") == (
        dict(directory.roles), discordly("@everyone", directory), readable(f"<@&{GUILD}>", directory),
    )  # fmt: skip
