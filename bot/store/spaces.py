"""Stores spaces, channels, members and their settings, and claims spaces that are due for upkeep."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from bot import catalogue, errors
from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import UNDO_WINDOW, Caller, ChannelId, MessageId, PersonId, PlaceChoices, SessionId, SpaceId, new_id
from bot.store import rows
from bot.text import languages, lookalikes

KEEPING_MODES: Final = frozenset({"addressed", "all"})
"""In `off` and `explicit` channels no message is recorded, and a reset only clears."""
HOURLY: Final = timedelta(hours=1)
LEASE: Final = timedelta(minutes=15)
"""Of claimed spaces; longer than any wake-up ahead, so a wake-up always moves `next_due_at`."""
SOON: Final = timedelta(seconds=1)
FURTHEST: Final = 2 * HOURLY
"""How far ahead no upkeep is ever due."""
BATCH: Final = 100
PIN: Final = "\N{PUSHPIN}"
"""What has a message remembered where nobody chose something else."""


class Sql:
    """Statements of spaces, channels and people."""

    create: Final = statements.named("space.create")
    knows_language: Final = statements.named("space.knows_language")
    create_upkeep: Final = statements.named("space.create_upkeep")
    create_channel: Final = statements.named("space.create_channel")
    create_person: Final = statements.named("space.create_person")
    met_in: Final = statements.named("space.met_in")
    place: Final = statements.named("space.place")
    was_set: Final = statements.named("space.was_set")
    untouched: Final = statements.named("space.untouched")
    rename_channel: Final = statements.named("space.rename_channel")
    follow_origin: Final = statements.named("space.follow_origin")
    set_mode: Final = statements.named("space.set_mode")
    drop_summaries: Final = statements.named("space.drop_summaries")
    lock_space: Final = statements.named("space.lock")
    lock_channel: Final = statements.named("space.lock_channel")
    set_enabled: Final = statements.named("space.set_enabled")
    set_threads: Final = statements.named("space.set_threads")
    set_around: Final = statements.named("space.set_around")
    set_prefix: Final = statements.named("space.set_prefix")
    set_time_zone: Final = statements.named("space.set_time_zone")
    identity: Final = statements.named("space.identity")
    set_identity: Final = statements.named("space.set_identity")
    drop_identity: Final = statements.named("space.drop_identity")
    pin: Final = statements.named("space.pin")
    set_pin: Final = statements.named("space.set_pin")
    set_explains: Final = statements.named("space.set_explains")
    set_answers: Final = statements.named("space.set_answers")
    set_searches: Final = statements.named("space.set_searches")
    off: Final = statements.named("space.off")
    languages: Final = statements.named("space.languages")
    talked_directly: Final = statements.named("space.talked_directly")
    heard_until: Final = statements.named("space.heard_until")
    heard: Final = statements.named("space.heard")
    refused: Final = statements.named("space.refused")
    direct: Final = statements.named("space.direct")
    meet: Final = statements.named("space.meet")
    people: Final = statements.named("space.people")
    nameless: Final = statements.named("space.nameless")
    wake: Final = statements.named("space.wake")
    claim_due: Final = statements.named("space.claim_due")
    upkeep_done: Final = statements.named("space.upkeep_done")
    wake_pending: Final = statements.named("space.wake_pending")
    page: Final = statements.named("space.page")
    opened_session: Final = statements.named("space.open_session")
    open_session: Final = statements.named("session.open")
    point_channel: Final = statements.named("session.point_channel")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The settings of a channel."""

    mode: str
    enabled: bool
    """Whether everything said in it is answered."""
    prefix: str
    language: str
    time_zone: str
    threads: bool = False
    """Whether what mentions Hathi is answered in a thread made from it, in which everything is answered."""
    explains: bool = True
    """Whether a button under replies that rest on memory tells what led to them."""
    answers: bool = True
    """Whether a model may add what it knows in general where memory has nothing."""
    around: int | None = None
    """Messages of the channel before a mention that join the prompt; none where nobody has set it."""
    searches: bool = True
    """Whether Discord's own search is asked where memory has nothing."""
    choices: PlaceChoices = field(default_factory=PlaceChoices)
    """What admins chose for it by name: the model, the persona, the workflows."""

    @property
    def kept(self) -> bool:
        """Whether what is said to Hathi here is recorded."""
        return self.mode in KEEPING_MODES

    def settled(self, caller: Caller) -> Caller:
        """The caller with the settings of this place, where they ask."""
        return replace(
            caller,
            language=self.language,
            time_zone=self.time_zone,
            prefix=caller.address + self.prefix,
            choices=self.choices,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatWasSet:
    """What somebody chose for a channel and its space, and does not hold by itself."""

    mode: bool = False
    """Whether its mode was set since that is noted."""
    makes: tuple[str, ...] = ()
    """What is made of its talk; empty where nobody chose that."""
    workflow: str | None = None
    names: frozenset[str] = frozenset()
    """Of the space's settings those that were set, by their names in its row."""


class Spaces:
    """Reads and writes spaces, channels and their settings."""

    def __init__(self, database: Database, *, changed: Callable[[SpaceId], None] = lambda _: None) -> None:
        self._database = database
        self._changed = changed

    async def ensure(
        self, caller: Caller, *, channel_name: str, origin_name: str = "", mode: str, language: str, now: datetime
    ) -> Place:
        """Creates the caller's space, channel, first session and name where missing; the channel's settings.

        A new space begins in the caller's time zone.

        Raises `SettingsError` for a language nobody knows.
        """
        async with self._database.transaction() as connection:
            await _know_space(connection, caller.space_id, language, caller.time_zone, now)
            if caller.origin_id != caller.channel_id:
                await connection.execute(
                    Sql.create_channel, caller.space_id, caller.origin_id, origin_name, mode, now, None
                )
            made = await connection.execute(
                Sql.create_channel, caller.space_id, caller.channel_id, channel_name, mode, now, caller.origin
            )
            renamed = await connection.execute(Sql.rename_channel, caller.space_id, caller.channel_id, channel_name)
            await connection.execute(Sql.follow_origin, caller.space_id, caller.channel_id, caller.origin_id)
            await _open_first(connection, caller.space_id, caller.channel_id, now)
            if caller.is_direct:
                await connection.execute(Sql.talked_directly, caller.space_id, now)
            is_new = await _meet(connection, caller, now)
            row = await connection.fetchrow(Sql.place, caller.space_id, caller.channel_id)
        if is_new or "1" in {made[-1:], renamed[-1:]}:
            self._changed(caller.space_id)
        assert row is not None
        return _place(row)

    async def establish_in(
        self,
        connection: Connection,
        space_id: SpaceId,
        channels: Sequence[tuple[ChannelId, str, ChannelId | None]],
        *,
        mode: str,
        language: str,
        now: datetime,
    ) -> None:
        """Inside a transaction: creates a space, and channels with name and audience and first session, where missing.

        Of what is there nothing changes. Raises `SettingsError` for a language nobody knows.
        """
        await _know_space(connection, space_id, language, "UTC", now)
        for channel_id, name, origin_id in channels:
            await connection.execute(Sql.create_channel, space_id, channel_id, name, mode, now, origin_id)
            await _open_first(connection, space_id, channel_id, now)

    async def know_threads(
        self, space_id: SpaceId, channel_id: ChannelId, threads: Mapping[ChannelId, str], *, now: datetime
    ) -> None:
        """Creates public threads of a channel, by their names, where missing: treated as the channel is."""
        for thread_id, name in threads.items():
            # One a transaction: whoever holds several channels at once may wait for somebody who waits for them.
            async with self._database.transaction() as connection:
                await connection.execute(Sql.create_channel, space_id, thread_id, name, "off", now, channel_id)
                await _open_first(connection, space_id, thread_id, now)

    async def meet(self, caller: Caller, *, now: datetime) -> None:
        """Records the caller's name in a channel that is known already."""
        async with self._database.transaction() as connection:
            is_new = await _meet(connection, caller, now)
        if is_new:
            self._changed(caller.space_id)

    async def people(self, space_id: SpaceId, *, most: int) -> dict[PersonId, str]:
        """The last names of those who were heard in the space and let theirs be kept, the last seen first."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.people, space_id, most)
        return {PersonId(row["person_id"]): row["name"] for row in found}

    async def nameless(self, space_id: SpaceId, people: Sequence[PersonId]) -> frozenset[PersonId]:
        """Those of these people whose names are not to be written in the space."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.nameless, space_id, [*people])
        return frozenset(PersonId(row["person_id"]) for row in found)

    async def place(self, space_id: SpaceId, channel_id: ChannelId) -> Place | None:
        """The channel's settings; none when the channel is not known yet."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.place, space_id, channel_id)
        return None if row is None else _place(row)

    async def was_set(self, caller: Caller) -> WhatWasSet:
        """What was set of the caller's channel and space."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.was_set, caller.space_id, caller.channel_id)
        if row is None:
            return WhatWasSet()
        return WhatWasSet(
            mode=row["mode"], makes=tuple(row["makes"] or ()), workflow=row["workflow"], names=frozenset(row["names"])
        )

    async def untouched(self, space_id: SpaceId, *, mode: str) -> Place | None:
        """The settings of a channel in which nobody was heard yet; none where the space is not known either."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.untouched, space_id, mode)
        return None if row is None else _place(row)

    async def open_session(self, caller: Caller) -> SessionId | None:
        """The open session of the caller's channel; none when the channel is not known yet."""
        async with self._database.connection() as connection:
            return await connection.fetchval(Sql.opened_session, caller.space_id, caller.channel_id)

    async def set_mode(self, caller: Caller, mode: str, *, now: datetime) -> Place:
        """Sets the mode of the channel the caller's memories belong to, with its public threads, from now on.

        Where nothing may be distilled any more, no summary that still waits is made. Raises `NotFound`.
        """
        async with self._database.transaction() as connection:
            found = await connection.fetch(Sql.set_mode, caller.space_id, caller.origin_id, mode, new_id(now))
            if mode not in KEEPING_MODES:
                channels = [row["channel_id"] for row in found]
                await connection.execute(Sql.drop_summaries, caller.space_id, channels)
            # What is being saved under the old mode ends first; what is saved later finds the new one.
            await connection.execute(Sql.lock_space, caller.space_id)
            return await self._known(connection, caller)

    async def set_enabled(self, caller: Caller, *, enabled: bool) -> Place:
        """Sets whether everything said is answered, in the same places as `set_mode`. Raises `NotFound`."""
        async with self._database.transaction() as connection:
            await connection.execute(Sql.set_enabled, caller.space_id, caller.origin_id, enabled)
            return await self._known(connection, caller)

    async def set_threads(self, caller: Caller, *, threads: bool) -> Place:
        """Sets whether a mention is answered in a thread of its own, in the same places. Raises `NotFound`."""
        async with self._database.transaction() as connection:
            await connection.execute(Sql.set_threads, caller.space_id, caller.origin_id, threads)
            return await self._known(connection, caller)

    async def set_around(self, caller: Caller, messages: int) -> Place:
        """Sets how much talk before a mention joins the prompt, as `set_mode` does. Raises `NotFound`."""
        async with self._database.transaction() as connection:
            await connection.execute(Sql.set_around, caller.space_id, caller.origin_id, messages)
            return await self._known(connection, caller)

    async def set_prefix(self, caller: Caller, prefix: str) -> Place:
        """Sets the prefix of commands in the caller's space. Raises `NotFound`."""
        async with self._database.transaction() as connection:
            await connection.execute(Sql.set_prefix, caller.space_id, prefix)
            return await self._known(connection, caller)

    async def set_time_zone(self, caller: Caller, time_zone: str) -> Place:
        """Sets the time zone of the caller's space, by IANA name. Raises `NotFound`."""
        async with self._database.transaction() as connection:
            await connection.execute(Sql.set_time_zone, caller.space_id, time_zone)
            return await self._known(connection, caller)

    async def identity(self, space_id: SpaceId) -> str | None:
        """The identity text that the space's admins set; none where they set none."""
        async with self._database.connection() as connection:
            return await connection.fetchval(Sql.identity, space_id)

    async def set_identity(self, space_id: SpaceId, text: str | None) -> None:
        """Sets the space's identity text; none for the default."""
        async with self._database.connection() as connection:
            if text is None:
                await connection.execute(Sql.drop_identity, space_id)
            else:
                await connection.execute(Sql.set_identity, space_id, text)

    async def pin(self, space_id: SpaceId) -> str:
        """The emoji that has a message of the space remembered when it is put there; empty where none has."""
        async with self._database.connection() as connection:
            found = await connection.fetchval(Sql.pin, space_id)
        return PIN if found is None else found

    async def set_pin(self, space_id: SpaceId, emoji: str) -> None:
        """Sets that emoji, empty for none."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.set_pin, space_id, emoji)

    async def set_explains(self, caller: Caller, *, explains: bool) -> Place:
        """Sets whether replies have a button "Why?". Raises `NotFound`."""
        async with self._database.transaction() as connection:
            await connection.execute(Sql.set_explains, caller.space_id, "on" if explains else "off")
            return await self._known(connection, caller)

    async def set_answers(self, caller: Caller, *, answers: bool) -> Place:
        """Sets whether a model may answer from general knowledge after a miss. Raises `NotFound`."""
        async with self._database.transaction() as connection:
            await connection.execute(Sql.set_answers, caller.space_id, "on" if answers else "off")
            return await self._known(connection, caller)

    async def set_searches(self, caller: Caller, *, searches: bool) -> Place:
        """Sets whether Discord's own search is used where memory has nothing. Raises `NotFound`."""
        async with self._database.transaction() as connection:
            await connection.execute(Sql.set_searches, caller.space_id, "on" if searches else "off")
            return await self._known(connection, caller)

    async def off(self, space_id: SpaceId) -> frozenset[ChannelId]:
        """The channels and threads of the space with mode `off`."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.off, space_id)
        return frozenset(ChannelId(row["channel_id"]) for row in found)

    async def languages(self) -> list[str]:
        """What a space can choose, by name: the languages known, and what this Postgres is configured for beside."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.languages)
        return sorted({row["cfgname"] for row in found} | languages.KNOWN)

    async def _known(self, connection: Connection, caller: Caller) -> Place:
        row = await connection.fetchrow(Sql.place, caller.space_id, caller.channel_id)
        if row is None:
            raise errors.NotFound(catalogue.later("This channel is not known yet."))
        return _place(row)

    async def heard_until(self, space_id: SpaceId, channel_id: ChannelId, message_id: MessageId) -> None:
        """Records the message up to which nothing of the channel was missed."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.heard_until, space_id, channel_id, message_id)

    async def heard(self, last: Mapping[tuple[SpaceId, ChannelId], MessageId]) -> None:
        """Records the same of many channels, but for those that are being changed at that moment."""
        spaces, channels = [space_id for space_id, _ in last], [channel_id for _, channel_id in last]
        async with self._database.connection() as connection:
            await connection.execute(Sql.heard, spaces, channels, [*last.values()])

    async def refused(self, space_id: SpaceId, channel_id: ChannelId, sight: int) -> None:
        """Records that Discord lets Hathi see nothing of a channel, as long as what it may do there is this."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.refused, space_id, channel_id, sight)

    async def direct(self, *, since: datetime, limit: int) -> list[SpaceId]:
        """The spaces of direct messages in which something was said since then, the latest first."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.direct, since, limit)
        return [SpaceId(row["space_id"]) for row in found]

    async def wake(self, space_id: SpaceId, at: datetime) -> None:
        """Makes the space due for upkeep no later than `at`."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.wake, space_id, at)

    async def claim_due(self, *, now: datetime) -> list[SpaceId]:
        """Claims up to 100 due spaces for this worker."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.claim_due, now, now + LEASE, BATCH, now + FURTHEST)
        return [SpaceId(row["space_id"]) for row in found]

    async def done(self, spaces: Sequence[SpaceId], *, claimed_at: datetime, now: datetime) -> None:
        """Sets the spaces' next upkeep: in an hour, or earlier where something falls due before."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.upkeep_done, [*spaces], claimed_at + LEASE, now + HOURLY)
            await connection.execute(Sql.wake_pending, [*spaces], UNDO_WINDOW, now + SOON)

    async def page(self, after: SpaceId | None) -> list[SpaceId]:
        """The next 100 spaces in the order of their ids."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.page, -(2**62) if after is None else after, BATCH)
        return [SpaceId(row["space_id"]) for row in found]


async def _know_space(connection: Connection, space_id: SpaceId, language: str, time_zone: str, now: datetime) -> None:
    if language not in languages.KNOWN and not await connection.fetchval(Sql.knows_language, language):
        raise errors.SettingsError(
            f"language: this Postgres has no text search configuration {language!r}; "
            "english, polish, japanese, simple and some eighty others are known."
        )
    await connection.execute(Sql.create, space_id, language, time_zone, now)
    await connection.execute(Sql.create_upkeep, space_id, now)


async def _open_first(connection: Connection, space_id: SpaceId, channel_id: ChannelId, now: datetime) -> None:
    # Rows are locked in one order everywhere: channel, session, space, person.
    channel = await connection.fetchrow(Sql.lock_channel, space_id, channel_id)
    assert channel is not None
    if channel["open_session_id"] is None:
        session_id = SessionId(new_id(now))
        await connection.execute(Sql.open_session, space_id, session_id, channel_id, 1, now)
        await connection.execute(Sql.point_channel, space_id, channel_id, session_id, 1)


async def _meet(connection: Connection, caller: Caller, now: datetime) -> bool:
    """Whether the name is one the space did not have."""
    await connection.execute(Sql.create_person, caller.person_id, caller.space_id)
    await connection.execute(Sql.met_in, caller.person_id, caller.space_id)
    met = await connection.fetchval(
        Sql.meet,
        caller.space_id,
        caller.person_id,
        caller.name,
        now,
        caller.channel_id,
        lookalikes.likeness(caller.name),
    )
    return met == now


def _place(row: Row) -> Place:
    plain = {name: row[name] for name in Place.__dataclass_fields__ if name != "choices"}
    return Place(**plain, choices=rows.choices(row))
