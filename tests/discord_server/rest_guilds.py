"""Routes of guilds, their channels, members and roles."""

from typing import Final

from tests.discord_server import access, members, refusals, wire
from tests.discord_server.calls import Call, Route
from tests.discord_server.guilds import Guild, Member
from tests.discord_server.wire import Intent


def _one(call: Call) -> wire.Json:
    guild = access.guild(call)
    return wire.guild(guild) | _counts(call, guild)


def _counts(call: Call, guild: Guild) -> wire.Json:
    """How many members there are, where that is asked for."""
    if call.query.get("with_counts") not in {"1", "true"}:
        return {}
    members = len(guild.members) if guild.told_members is None else guild.told_members
    return {"approximate_member_count": members, "approximate_presence_count": 1}


def _mine(call: Call) -> list[wire.Json]:
    bot = call.world.bot
    guilds = [guild for guild in call.world.guilds.values() if bot.user_id in guild.members]
    limit, after = call.limit(200, 200), call.asked("after") or 0
    chosen = sorted((each for each in guilds if each.guild_id > after), key=lambda each: each.guild_id)[:limit]
    return [
        wire.guild(guild) | _counts(call, guild) | {"owner": False, "permissions": str(int(guild.permissions(bot)))}
        for guild in chosen
    ]


def _leave(call: Call) -> None:
    access.guild(call).leave(call.world.bot)


def _channels(call: Call) -> list[wire.Json]:
    return [wire.channel(channel) for channel in access.guild(call).channels.values()]


def _active_threads(call: Call) -> wire.Json:
    guild, bot = access.guild(call), call.world.bot
    active = [t for t in call.world.threads.values() if t.guild is guild and not t.archived and t.sees(bot)]
    mine = [wire.thread_member(thread, bot) for thread in active if bot.user_id in thread.members]
    return {"threads": [wire.channel(thread) for thread in reversed(active)], "members": mine}


def _member_of(call: Call, guild: Guild) -> Member:
    user = access.user(call)
    if user.user_id not in guild.members:
        raise refusals.unknown_member()
    return guild.members[user.user_id]


def _member(call: Call) -> wire.Json:
    return wire.member(_member_of(call, access.guild(call)))


def _members(call: Call) -> list[wire.Json]:
    guild = access.guild(call)
    if not call.world.privileged & Intent.MEMBERS:
        raise refusals.missing_access()
    limit, after = call.limit(1, 1000), call.asked("after") or 0
    chosen = sorted(each for each in guild.members if each > after)[:limit]
    return [wire.member(guild.members[each]) for each in chosen]


def _search(call: Call) -> list[wire.Json]:
    guild = access.guild(call)
    found = members.search(guild, call.query.get("query", ""), call.limit(1, 1000))
    return [wire.member(member) for member in found]


def _roles(call: Call) -> list[wire.Json]:
    return [wire.role(role) for role in access.guild(call).roles.values()]


def _role(call: Call) -> wire.Json:
    found = access.guild(call).roles.get(call.number("role_id"))
    if found is None:
        raise refusals.unknown_role()
    return wire.role(found)


_GUILD: Final = "/guilds/{guild_id}"
ROUTES: Final = (
    Route("GET", "/users/@me/guilds", _mine),
    Route("DELETE", "/users/@me/guilds/{guild_id}", _leave),
    Route("GET", _GUILD, _one),
    Route("GET", _GUILD + "/channels", _channels),
    Route("GET", _GUILD + "/threads/active", _active_threads),
    Route("GET", _GUILD + "/members", _members),
    Route("GET", _GUILD + "/members/search", _search),
    Route("GET", _GUILD + "/members/{user_id}", _member),
    Route("GET", _GUILD + "/roles", _roles),
    Route("GET", _GUILD + "/roles/{role_id}", _role),
)
