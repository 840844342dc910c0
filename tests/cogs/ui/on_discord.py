"""What a drawn message is on Discord: held to its limits, and as discord.py reads it back."""

from typing import Any, Final

import discord
from simcord.components import COMPONENTS_V2_FLAG, validate_message_state, walk_components

MENUS: Final = 25
"""What a menu offers at most."""
_CLIENT: Final = discord.Client(intents=discord.Intents.none())
_AUTHOR: Final = {"id": "1", "username": "Hathi", "discriminator": "0", "avatar": None}


def units(text: str) -> int:
    """UTF-16 code units."""
    return len(text.encode("utf-16-le", "replace")) // 2


def parts(view: discord.ui.LayoutView) -> list[dict[str, Any]]:
    """Its components, those inside others too, within what Discord takes of one message."""
    kept = validate_message_state(
        view.to_components(), flags=COMPONENTS_V2_FLAG, content=None, embeds=[], require_nonempty=True
    )
    found = [*walk_components(kept)]
    ids = [part["custom_id"] for part in found if "custom_id" in part]
    assert len(found) <= 40
    assert sum(units(part.get("content", "")) for part in found) <= 4_000
    assert all(part.get("content", "-").strip() for part in found)
    assert len(ids) == len(set(ids))
    assert all(len(each) <= 100 for each in ids)
    assert all(1 <= len(part["options"]) <= MENUS for part in found if "options" in part)
    return found


def read(view: discord.ui.LayoutView) -> discord.Message:
    """The message as it stands there."""
    data: Any = {
        "id": "1",
        "channel_id": "1",
        "type": 0,
        "content": "",
        "author": _AUTHOR,
        "attachments": [],
        "embeds": [],
        "edited_timestamp": None,
        "pinned": False,
        "mention_everyone": False,
        "tts": False,
        "flags": COMPONENTS_V2_FLAG,
        "components": validate_message_state(
            view.to_components(), flags=COMPONENTS_V2_FLAG, content=None, embeds=[], require_nonempty=True
        ),
    }
    client: Any = _CLIENT
    return discord.Message(state=client._connection, channel=client.get_partial_messageable(1), data=data)


def of_text(words: str) -> discord.ui.LayoutView:
    """A message of one text."""
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.TextDisplay(words))
    return view


def texts(view: discord.ui.LayoutView) -> list[str]:
    """What is to be read in it, in its order."""
    return [part["content"] for part in parts(view) if "content" in part]


def ids(view: discord.ui.LayoutView) -> list[str]:
    """The ids of what can be pressed or chosen from, in its order."""
    return [part["custom_id"] for part in parts(view) if "custom_id" in part]


def options(view: discord.ui.LayoutView) -> list[str]:
    """The values that its menus offer."""
    return [each["value"] for part in parts(view) for each in part.get("options", ())]
