"""Survives gateway events that discord.py can't read, and fetches the affected guild anew over REST.

An exception in discord.py while it reads an event ends the whole client: one unexpected field in one guild stops every
guild. Here it ends nothing. What the event would have changed is unknown, so its guild is not trusted until it was
fetched over REST: it counts as away, and no memory is shown in it. What was said in a channel is read from its history.
An event that names no guild makes the connection start anew.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any, Final

import aiohttp
import discord
from discord import gateway as wire

from bot import errors, log

_log = log.logger(__name__)

MOST_TOLD: Final = 1000
"""Kinds of events and guilds that are known to have been told of."""
SOONEST: Final = 1.0
LATEST: Final = 600.0
"""Seconds between two times a guild is asked for: twice as long each time, until as long went by without a need."""
PAGE: Final = 100
_SESSION: Final = frozenset({"READY", "RESUMED"})
_OF_GUILDS: Final = ("GUILD_", "CHANNEL_", "THREAD_")
"""What the names of events begin with that say who may do what, and where."""
_OF_MESSAGES: Final = frozenset({"MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_DELETE_BULK"})
_OF_CONNECTIONS: Final = (wire.ReconnectWebSocket, discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)
"""What discord.py answers by itself."""
_received: Final = wire.DiscordWebSocket.received_message


class Unreadable:
    """Wraps discord.py's event parsers, and handles what they can't read."""

    def __init__(self, client: discord.AutoShardedClient) -> None:
        """Before the client connects, and after anything else that stands there."""
        self._client = client
        self._state = client._connection  # noqa: SLF001 - what reads events is not public
        self._told: dict[tuple[str, int | None], None] = {}
        self._asking: dict[int, asyncio.Task[None]] = {}
        """Guilds that are asked for."""
        self._edits: dict[int, int] = {}
        """How often something of them changed since they first were."""
        self._asked: dict[int, tuple[float, float]] = {}
        """When each was asked for last, and how long was waited for that."""
        for name, parse in self._state.parsers.items():
            if name not in _SESSION:
                self._state.parsers[name] = self._guarded(name, parse)

        async def received(socket: wire.DiscordWebSocket, message: Any, /) -> None:
            try:
                await _received(socket, message)
            except _OF_CONNECTIONS:
                raise
            except Exception as exc:  # noqa: BLE001 - whatever it is, a new session tells everything again
                self._tell("connection", None, exc)
                # discord.py makes another in its place, and leaves this one open, its heart beating.
                await socket.close(code=1000)
                raise aiohttp.ClientError("what the gateway said can't be read") from None

        wire.DiscordWebSocket.received_message = received

    def stop(self) -> None:
        """Sends no more requests."""
        for task in self._asking.values():
            task.cancel()

    def _guarded(self, name: str, parse: Callable[[Any], None]) -> Callable[[Any], None]:
        def guarded(data: Any) -> None:
            guild_id = _guild_of(name, data)
            guild = None if guild_id is None else self._client.get_guild(guild_id)
            roles = None if guild is None else guild._roles  # noqa: SLF001
            try:
                parse(data)
            except Exception as exc:
                if guild is not None and roles:
                    # Read in part it may be left without any, and in such a guild nothing can be answered.
                    guild._roles = roles  # noqa: SLF001
                is_new = self._tell(name, guild_id, exc)
                if name in _OF_MESSAGES and (channel_id := _id(data, "channel_id")) is not None:
                    said = _id(data, "id") if name == "MESSAGE_CREATE" else None
                    self._client.dispatch("channel_unread", guild_id, channel_id, said, is_new)
                elif name in _OF_MESSAGES or name.startswith(_OF_GUILDS):
                    if guild_id is None:
                        raise
                    self._ask_for(guild_id)
            if guild_id in self._asking and name.startswith(_OF_GUILDS):
                # Whatever this has made of it, it is not known whole.
                self._edits[guild_id] += 1
                self._distrust(guild_id)

        return guarded

    def _tell(self, kind: str, guild_id: int | None, exc: Exception) -> bool:
        """Log it unless that was done for this kind of event and guild; whether it was not."""
        key = kind, guild_id
        is_new = key not in self._told
        if is_new:
            self._told[key] = None
            if len(self._told) > MOST_TOLD:
                del self._told[next(iter(self._told))]
            _log.error("gateway.unreadable", kind=kind, guild_id=guild_id, error=type(exc).__name__, at=_place(exc))
        return is_new

    def _distrust(self, guild_id: int) -> None:
        guild = self._client.get_guild(guild_id)
        if guild is not None:
            guild.unavailable = True

    def _ask_for(self, guild_id: int) -> None:
        self._distrust(guild_id)
        self._edits.setdefault(guild_id, 0)
        if guild_id not in self._asking:
            task = self._client.loop.create_task(self._until_known(guild_id))
            self._asking[guild_id] = task
            task.add_done_callback(lambda _: self._asking.pop(guild_id, None))

    async def _until_known(self, guild_id: int) -> None:
        is_told = False
        while True:
            await asyncio.sleep(self._wait(guild_id))
            before = self._edits[guild_id]
            try:
                told = await self._fetched(guild_id)
                # What came meanwhile may be newer than what was asked for.
                if self._edits[guild_id] == before:
                    return self._know(guild_id, told)
            except (discord.NotFound, discord.Forbidden):
                return self._left(guild_id)
            except (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError) as exc:
                error = type(exc).__name__
            except Exception as exc:  # noqa: BLE001 - REST tells it no better; it may some day
                error = f"{type(exc).__name__} at {_place(exc)}"
            else:
                continue
            if not is_told:
                _log.warning("gateway.guild_unknown", guild_id=guild_id, error=error)
                is_told = True

    def _wait(self, guild_id: int) -> float:
        """Seconds until a guild may be asked for: none the first time."""
        now = self._client.loop.time()
        at, waited = self._asked.get(guild_id, (-LATEST, 0.0))
        wait = 0.0 if now - at >= LATEST else min(LATEST, max(SOONEST, waited * random.uniform(1.5, 2.5)))  # noqa: S311 - to spread them
        self._asked[guild_id] = now + wait, wait
        return wait

    async def _fetched(self, guild_id: int) -> dict[str, Any]:
        """The guild as GUILD_CREATE tells it."""
        http, me = self._client.http, self._state.self_id
        assert me is not None
        told: dict[str, Any] = {**await http.get_guild(guild_id, with_counts=False)}
        active: dict[str, Any] = {**await http.get_active_threads(guild_id)}
        joined = {member["id"]: member for member in active.get("members", ())}
        return told | {
            "unavailable": False,
            "channels": [*await http.get_all_guild_channels(guild_id)],
            "threads": [
                thread | ({"member": joined[thread["id"]]} if thread["id"] in joined else {})
                for thread in active["threads"]
            ],
            "members": [await http.get_member(guild_id, me)],
        }

    def _know(self, guild_id: int, told: dict[str, Any]) -> None:
        """Replaces the cached guild, whole or not at all, and has what was missed caught up with."""
        was_known = self._client.get_guild(guild_id) is not None
        guild: discord.Guild = self._state._add_guild_from_data(told)  # noqa: SLF001  # pyright: ignore[reportArgumentType]
        self._asking.pop(guild_id, None)
        _log.info("gateway.guild_known", guild_id=guild_id)
        self._client.dispatch("guild_available" if was_known else "guild_join", guild)

    def _left(self, guild_id: int) -> None:
        """Drops the guild: Hathi is no longer in it."""
        guild = self._client.get_guild(guild_id)
        if guild is not None:
            self._state._remove_guild(guild)  # noqa: SLF001
            self._client.dispatch("guild_remove", guild)


async def history(
    client: discord.Client, channel: discord.abc.Messageable, most: int
) -> AsyncGenerator[discord.Message | discord.Object]:
    """The last messages of a channel, newest first; of what can't be read only the id."""
    state, place = client._connection, await channel._get_channel()  # noqa: SLF001
    before: int | None = None
    for read in range(0, most, PAGE):
        page = await client.http.logs_from(place.id, min(PAGE, most - read), before)
        for data in page:
            try:
                yield state.create_message(channel=place, data=data)
            except Exception as exc:  # noqa: BLE001 - one message is not the channel's history
                _log.debug("history.unreadable", error=type(exc).__name__, at=_place(exc))
                yield discord.Object(int(data["id"]))
        if len(page) < PAGE:
            return
        before = int(page[-1]["id"])


async def history_after(
    client: discord.Client, channel: discord.abc.Messageable, after: int
) -> list[discord.Message | discord.Object]:
    """The hundred messages of a channel after one, oldest first; of what can't be read only the id."""
    state, place = client._connection, await channel._get_channel()  # noqa: SLF001
    found = list[discord.Message | discord.Object]()
    for data in sorted(await client.http.logs_from(place.id, PAGE, None, after), key=lambda data: int(data["id"])):
        try:
            found.append(state.create_message(channel=place, data=data))
        except Exception as exc:  # noqa: BLE001 - one message is not the channel's history
            _log.debug("history.unreadable", error=type(exc).__name__, at=_place(exc))
            found.append(discord.Object(int(data["id"])))
    return found


def _guild_of(name: str, data: Any) -> int | None:
    is_guild = name in {"GUILD_CREATE", "GUILD_UPDATE", "GUILD_DELETE"}
    return _id(data, "id" if is_guild else "guild_id")


def _id(data: Any, key: str) -> int | None:
    found = data.get(key) if isinstance(data, dict) else None
    return int(found) if isinstance(found, str | int) and str(found).isdecimal() else None


def _place(exc: Exception) -> str:
    """Where it was raised; its text may be somebody's words."""
    trace = exc.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
