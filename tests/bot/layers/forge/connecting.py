"""Settings, callers and questions for tests of the forge."""

from datetime import UTC, datetime
from typing import Any

from pydantic import SecretStr

from bot.config import ForgeSettings
from bot.domain import Caller, ChannelId, Layer, Message, MessageId, PersonId, Role, SpaceId
from bot.layers.walk import WalkQuestion
from tests.forge_server import TOKEN, ForgeServer

PUBLIC = ChannelId(10)
PRIVATE = ChannelId(20)
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def settings(server: ForgeServer, **more: Any) -> ForgeSettings:
    """The settings that connect it: nexus for everybody, vault for one channel alone."""
    repositories = {
        "nexus": {"path": "acme/the-nexus"},
        "vault": {"path": "acme/vault", "private": True, "channels": [PRIVATE]},
    }
    made = ForgeSettings.model_validate(
        {"kind": server.kind, "base_url": server.api, "repositories": repositories, "default_repository": "nexus"}
        | more
    )
    return made.model_copy(update={"token": SecretStr(TOKEN)})


def asking(
    text: str, channel: ChannelId = PUBLIC, *, origin: ChannelId | None = None, layers: tuple[Layer, ...] = ()
) -> WalkQuestion:
    """Somebody's question."""
    caller = Caller(
        space_id=SpaceId(1),
        channel_id=channel,
        person_id=PersonId(5),
        name="Ann",
        is_admin=True,
        visible=(channel,),
        origin=origin,
    )
    question = Message(
        space_id=SpaceId(1),
        channel_id=channel,
        message_id=MessageId(1),
        role=Role.PERSON,
        author_id=PersonId(5),
        author="Ann",
        content=text,
        said_at=NOW,
    )
    return WalkQuestion(caller=caller, question=question, session_id=None, layers=layers)
