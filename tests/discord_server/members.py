"""The members a gateway session asks for (op 8), in chunks."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tests.discord_server import wire

if TYPE_CHECKING:
    from tests.discord_server.guilds import Guild, Member
    from tests.discord_server.sessions import Session
    from tests.discord_server.world import World

CHUNK: Final = 1000
MOST_ASKED: Final = 100


def search(guild: "Guild", query: str, limit: int) -> "list[Member]":
    """Members whose name or nick begins so."""
    start = query.casefold()
    found = [
        member
        for member in guild.members.values()
        if any((name or "").casefold().startswith(start) for name in (member.nick, member.user.name))
    ]
    return found[:limit] if limit else found


def chunks(world: "World", session: "Session", data: wire.Json) -> None:
    """Tell the session the members it asked for: everybody only with the intent for it."""
    guild = world.guilds.get(int(data["guild_id"]))
    if guild is None or world.bot.user_id not in guild.members:
        return
    missing: list[str] = []
    if "user_ids" in data:
        asked = data["user_ids"] if isinstance(data["user_ids"], list) else [data["user_ids"]]
        ids = [int(each) for each in asked[:MOST_ASKED]]
        found = [guild.members[each] for each in ids if each in guild.members]
        missing = [str(each) for each in ids if each not in guild.members]
    else:
        query, limit = str(data.get("query", "")), int(data.get("limit") or 0)
        everybody = not query and not limit
        if everybody and not session.intents & wire.Intent.MEMBERS:
            return
        found = search(guild, query, limit if everybody else min(limit or MOST_ASKED, MOST_ASKED))
    _tell(session, guild, found, missing, data.get("nonce"))


def _tell(
    session: "Session", guild: "Guild", found: "Sequence[Member]", missing: Sequence[str], nonce: str | None
) -> None:
    count = max(1, -(-len(found) // CHUNK))
    for index in range(count):
        part = found[index * CHUNK : (index + 1) * CHUNK]
        told: wire.Json = {
            "guild_id": str(guild.guild_id),
            "members": [wire.member(member) for member in part],
            "chunk_index": index,
            "chunk_count": count,
            "not_found": list(missing),
        }
        session.tell("GUILD_MEMBERS_CHUNK", told if nonce is None else told | {"nonce": nonce})
