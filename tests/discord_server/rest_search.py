"""The search of a guild's messages, as https://docs.discord.com/developers/resources/message#search-guild-messages."""

import re
from collections.abc import Callable
from typing import Final

from tests.discord_server import access, message_wire, refusals, wire
from tests.discord_server.calls import Call, Route, Status
from tests.discord_server.messages import WRITTEN, Message
from tests.discord_server.permissions import Permission
from tests.discord_server.threads import Thread
from tests.discord_server.wire import Intent

MOST: Final = 25
MOST_CHANNELS: Final = 500
LONGEST: Final = 1024
_BOOLEANS: Final = {"true": True, "1": True, "false": False, "0": False}
_IS: Final[dict[str, Callable[[Message], bool]]] = {
    "user": lambda said: not said.author.bot and not said.webhook,
    "bot": lambda said: said.author.bot,
    "webhook": lambda said: said.webhook,
}
_WORD: Final = re.compile(r"\w+")
_NEEDED: Final = (Permission.VIEW_CHANNEL, Permission.READ_MESSAGE_HISTORY)


def _search(call: Call) -> wire.Json | Status:
    guild, bot = access.guild(call), call.world.bot
    if not guild.permissions(bot) & Permission.READ_MESSAGE_HISTORY:
        raise refusals.missing_permissions()
    if not call.world.privileged & Intent.CONTENT:
        raise refusals.missing_access()
    limit, wanted = call.limit(MOST, MOST), _words(call)
    channels, types = _ids(call, "channel_id", MOST_CHANNELS), _types(call)
    after, before = _bound(call, "min_id", 0), _bound(call, "max_id", 2**63)
    _one_of(call, "sort_by", ("timestamp", "relevance"))
    _at_most(call, "slop", 100)
    _at_most(call, "offset", 9975)
    adult = _boolean(call, "include_nsfw")
    if call.world.unindexed:
        return Status(202, _unindexed(call.world.unindexed.popleft()))
    found = [
        said
        for place in call.world.channels.values()
        if place.guild is guild and place.sees(bot) and (adult or not place.home.nsfw)
        if not channels
        or {place.channel_id, *([place.home.channel_id] if isinstance(place, Thread) else [])} & channels
        if all(place.permissions(bot) & needed for needed in _NEEDED)
        for said in place.messages
        if after < said.message_id < before
        if said.kind in WRITTEN and wanted <= _in(said.content) and all(fits(said) for fits in types)
    ]
    found.sort(key=lambda said: -said.message_id)
    if call.query.get("sort_by") == "relevance":
        found.sort(key=lambda said: len(_in(said.content)))
    return _told(call, found, limit)


def _told(call: Call, found: list[Message], limit: int) -> wire.Json:
    """Each message in a list of its own, with the threads they stand in, those not joined too."""
    bot, shown = call.world.bot, found[:limit]
    threads = list(dict.fromkeys(said.channel for said in shown if isinstance(said.channel, Thread)))
    return {
        "doing_deep_historical_index": False,
        "documents_indexed": 0,
        "total_results": len(found),
        "messages": [[_without_reactions(message_wire.message(said)) | {"hit": True}] for said in shown],
        "threads": [wire.channel(thread) for thread in threads],
        "members": [wire.thread_member(thread, bot) for thread in threads if bot.user_id in thread.members],
    }


def _without_reactions(data: wire.Json) -> wire.Json:
    return {name: value for name, value in data.items() if name != "reactions"}


def _unindexed(retry_after: float) -> wire.Json:
    return {
        "message": "Index not yet available. Try again later",
        "code": 110000,
        "documents_indexed": 0,
        "retry_after": retry_after,
    }


def _in(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _words(call: Call) -> set[str]:
    """All of them are to be in a message, however far from each other: so with the greatest slop."""
    content = call.query.get("content", "")
    if len(content) > LONGEST:
        raise refusals.invalid_form("content", "BASE_TYPE_MAX_LENGTH", f"Must be {LONGEST} or fewer in length.")
    return _in(content)


def _ids(call: Call, name: str, most: int) -> set[int]:
    given = [value for key, value in call.pairs if key == name]
    if len(given) > most:
        raise refusals.invalid_form(name, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
    if not all(value.isdigit() for value in given):
        raise refusals.invalid_form(name, "NUMBER_TYPE_COERCE", "Value is not snowflake.")
    return {int(value) for value in given}


def _bound(call: Call, name: str, otherwise: int) -> int:
    return max(_ids(call, name, 1), default=otherwise)


def _types(call: Call) -> list[Callable[[Message], bool]]:
    """What each type that is asked for lets through; one with a minus keeps its kind out."""
    given = [value for key, value in call.pairs if key == "author_type"]
    if not {value.removeprefix("-") for value in given} <= _IS.keys():
        raise refusals.invalid_form("author_type", "BASE_TYPE_CHOICES", f"Value must be one of {(*_IS,)}.")
    wanted = [_IS[value] for value in given if value in _IS]
    kept_out = [_IS[value[1:]] for value in given if value.startswith("-")]
    return [
        *([lambda said: any(fits(said) for fits in wanted)] if wanted else []),
        *([lambda said: not any(fits(said) for fits in kept_out)] if kept_out else []),
    ]


def _one_of(call: Call, name: str, known: tuple[str, ...]) -> None:
    if call.query.get(name, known[0]) not in known:
        raise refusals.invalid_form(name, "BASE_TYPE_CHOICES", f"Value must be one of {known}.")


def _at_most(call: Call, name: str, most: int) -> None:
    if (call.asked(name) or 0) > most:
        raise refusals.invalid_form(name, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {most}.")


def _boolean(call: Call, name: str) -> bool:
    value = call.query.get(name, "false").lower()
    if value not in _BOOLEANS:
        raise refusals.invalid_form(name, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")
    return _BOOLEANS[value]


ROUTES: Final = (Route("GET", "/guilds/{guild_id}/messages/search", _search),)
