"""Routes of the gateway's address, users, the application and its commands."""

from typing import Any, Final

from tests.discord_server import access, refusals, wire
from tests.discord_server.calls import Call, Route, Status


def _gateway(call: Call) -> wire.Json:
    return {"url": call.gateway.url}


def _gateway_bot(call: Call) -> wire.Json:
    gateway = call.gateway
    limit = {
        "total": gateway.most_identifies,
        "remaining": gateway.identifies_left,
        "reset_after": 14_400_000,
        "max_concurrency": 1,
    }
    return {"url": gateway.url, "shards": gateway.shards, "session_start_limit": limit}


def _me(call: Call) -> wire.Json:
    return wire.user(call.world.bot) | {"verified": True, "mfa_enabled": False, "flags": 0, "email": None}


def _user(call: Call) -> wire.Json:
    return wire.user(access.user(call))


def _direct(call: Call) -> wire.Json:
    recipient = call.world.users.get(int(call.fields.get("recipient_id") or 0))
    if recipient is None or recipient is call.world.bot:
        raise refusals.Refusal(400, 50033, "Invalid Recipient(s)")
    return wire.channel(call.world.direct_channel(recipient))


def _application(call: Call) -> wire.Json:
    bot = call.world.bot
    owner = call.world.owner
    return {
        "id": str(call.world.application_id),
        "name": bot.name,
        "icon": None,
        "summary": "",
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": call.world.application_flags,
        "owner": wire.user(owner),
        "team": None,
        "approximate_guild_count": len(call.world.guilds),
        "bot": wire.user(bot),
    }


# ---- commands


def _scope(call: Call) -> int | None:
    """The guild whose commands are meant, None for the global ones. Raises `Refusal`."""
    if call.number("application_id") != call.world.application_id:
        raise refusals.unknown_application()
    return access.guild(call).guild_id if "guild_id" in call.parameters else None


def _commands(call: Call) -> list[wire.Json]:
    return call.world.commands.listed(_scope(call))


def _overwrite(call: Call) -> list[wire.Json]:
    scope, wanted = _scope(call), call.body
    if not isinstance(wanted, list):
        raise refusals.invalid_form("_errors", "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType.")
    listed: list[Any] = wanted  # pyright: ignore[reportUnknownVariableType]
    return call.world.commands.overwrite(scope, listed)


def _create(call: Call) -> Status:
    return Status(201, call.world.commands.upsert(_scope(call), call.fields))


def _command(call: Call) -> wire.Json:
    return call.world.commands.one(_scope(call), call.number("command_id"))


def _edit(call: Call) -> wire.Json:
    return call.world.commands.edit(_scope(call), call.number("command_id"), call.fields)


def _delete(call: Call) -> None:
    call.world.commands.delete(_scope(call), call.number("command_id"))


_GLOBAL: Final = "/applications/{application_id}/commands"
_GUILD: Final = "/applications/{application_id}/guilds/{guild_id}/commands"
ROUTES: Final = (
    Route("GET", "/gateway", _gateway, needs_token=False),
    Route("GET", "/gateway/bot", _gateway_bot),
    Route("GET", "/users/@me", _me),
    Route("POST", "/users/@me/channels", _direct),
    Route("GET", "/users/{user_id}", _user),
    Route("GET", "/applications/@me", _application),
    Route("GET", "/oauth2/applications/@me", _application),
    *(
        route
        for scope in (_GLOBAL, _GUILD)
        for route in (
            Route("GET", scope, _commands),
            Route("PUT", scope, _overwrite),
            Route("POST", scope, _create),
            Route("GET", scope + "/{command_id}", _command),
            Route("PATCH", scope + "/{command_id}", _edit),
            Route("DELETE", scope + "/{command_id}", _delete),
        )
    ),
)
