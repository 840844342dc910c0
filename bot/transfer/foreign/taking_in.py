"""Takes the store of another system into a space: sifted, in batches of a transaction each, and everything once."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncGenerator, Generator, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Final

import asyncpg

from bot import errors, log
from bot.db import statements
from bot.db.pool import Connection, Database
from bot.domain import ChannelId, SpaceId
from bot.store.archivist import Archivist
from bot.store.spaces import Spaces
from bot.transfer.foreign import foreign_sessions, keepsakes, store_forms
from bot.transfer.foreign.landing import Landed, Landing
from bot.transfer.foreign.neutral import KINDS, ForeignMemory, ForeignMessage, Found, Unread
from bot.transfer.foreign.tally import Tally
from bot.transfer.importing import REFUSED

_log = log.logger(__name__)

AHEAD: Final = timedelta(days=1)
"""By how much another clock may be fast."""
LONGEST: Final = 50_000
"""Characters of a text; far above any message, and below what can be searched."""
TOO_LONG: Final = f"longer than {LONGEST} characters"
BATCH: Final = 2000
"""Things that are held in memory and looked up at a time."""


class Sql:
    """The statement that reads where something can land."""

    channels: Final = statements.named("foreign.channels")


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover:
    """What is wanted of one import."""

    space_id: SpaceId
    channel: ChannelId | str | None = None
    """Where all of it lands, by its id or its name there; without one, where the store itself says."""
    write: bool = False
    """Without, it is only told what would come."""
    zone: tzinfo = UTC
    """Of times that name none."""
    keep: timedelta | None = None
    """Messages older than this are not kept; none: all are."""
    min_messages: int = 1
    """With fewer in it a session is not summarised."""
    language: str = "english"
    """Of a space that is not there yet."""
    now: datetime


async def take_in(database: Database, path: Path, wanted: Takeover) -> Tally:
    """What came, or would come, what not and why.

    Each batch is a transaction: whatever happens in between, another import of the same finds what is here and takes in
    the rest. Raises `TransferError` for what can't be read, or has no place to land.
    """
    source = await asyncio.to_thread(store_forms.recognised, path)
    shape = await asyncio.to_thread(source.shape)
    async with database.connection() as connection:
        known = await connection.fetch(Sql.channels, wanted.space_id)
    landing = Landing(path, shape, wanted.space_id, wanted.channel, [*known])
    tally = Tally(name=shape.name, names=landing.names, is_written=wanted.write)
    ground = _Ground(database, wanted)
    said = foreign_sessions.ForeignHistory(
        database, wanted.space_id, tally, min_messages=wanted.min_messages, now=wanted.now
    )
    kept = keepsakes.Keepsakes(Archivist(database), wanted.space_id, tally, now=wanted.now, write=wanted.write)
    found = source.read(wanted.zone, wanted.now)
    async with contextlib.aclosing(_batches(found)) as batches:
        async for batch in batches:
            for landed, messages in _landed(batch, landing, tally, wanted):
                runs = await said.sifted(landed, messages)
                if wanted.write:
                    await ground.write(runs, said)
            for landed, things in _others(batch, landing, tally):
                await ground.keep(landed, things, kept)
    if wanted.write:
        await ground.write(said.rest(), said)
    tally.lands_in = tuple(landed.told for landed in landing.used.values())
    _log.info("space.taken_in", space_id=wanted.space_id, written=wanted.write, come=sum(tally.came.values()))
    return tally


class _Ground:
    """The space and its channels, made where they are missing, and transactions on them."""

    def __init__(self, database: Database, wanted: Takeover) -> None:
        self._database = database
        self._spaces = Spaces(database)
        self._wanted = wanted

    async def write(self, runs: Sequence[foreign_sessions.SessionRun], said: foreign_sessions.ForeignHistory) -> None:
        """Writes sessions with their messages, those of one go in one transaction."""
        for landed, of_channel in itertools.groupby(runs, key=lambda run: run.landed):
            sessions = [*of_channel]
            with _refused(sessions[0].messages[0].place, sessions[-1].messages[-1].place):
                async with self._database.transaction() as connection:
                    await self._establish(connection, landed)
                    await said.write(connection, landed, sessions)

    async def keep(self, landed: Landed, things: Sequence[Found], kept: keepsakes.Keepsakes) -> None:
        """Files memories, summaries, notes and the like."""
        with _refused(things[0].place, things[-1].place):
            async with self._database.transaction() as connection:
                if self._wanted.write:
                    await self._establish(connection, landed)
                await kept.file(connection, landed, things)

    async def _establish(self, connection: Connection, landed: Landed) -> None:
        await self._spaces.establish_in(
            connection,
            self._wanted.space_id,
            landed.made_of,
            mode=landed.mode,
            language=self._wanted.language,
            now=self._wanted.now,
        )


@contextlib.contextmanager
def _refused(first: str, last: str) -> Generator[None]:
    """Tells where something stands that Postgres refuses, and which of its rules says so, not what it is."""
    try:
        yield
    except asyncpg.PostgresError as exc:
        if not str(getattr(exc, "sqlstate", "")).startswith(REFUSED):
            raise
        why = str(exc.args[0]).partition("\n")[0]
        raise errors.TransferError(
            f"The database refused something from {first} to {last}: {why}; what came before that is in."
        ) from None


async def _batches(found: Iterator[Found]) -> AsyncGenerator[list[Found]]:
    """Off the event loop, each read while the one before is written."""

    def read() -> list[Found]:
        return [*itertools.islice(found, BATCH)]

    ahead = asyncio.ensure_future(asyncio.to_thread(read))
    try:
        while batch := await ahead:
            ahead = asyncio.ensure_future(asyncio.to_thread(read))
            yield batch
    finally:
        # A thread can't be stopped: what is open is closed after it.
        await asyncio.wait([ahead])


def _landed(
    batch: Sequence[Found], landing: Landing, tally: Tally, wanted: Takeover
) -> Iterator[tuple[Landed, list[ForeignMessage]]]:
    """The messages that are young enough and may be kept where they land, by channel, in order."""
    by_channel: dict[Landed, list[ForeignMessage]] = {}
    for each in batch:
        if not isinstance(each, ForeignMessage):
            continue
        landed = landing.of(each.channel)
        if why := landed.why_not or _fault(each, wanted):
            tally.leave("message", why, each.place)
        else:
            by_channel.setdefault(landed, []).append(each)
    yield from by_channel.items()


def _fault(each: ForeignMessage, wanted: Takeover) -> str:
    """Why a message can't be kept, wherever it lands; empty where it can."""
    if wanted.keep is not None and each.said_at <= wanted.now - wanted.keep:
        return f"older than messages.keep_days: {wanted.keep.days}"
    if each.said_at > wanted.now + AHEAD:
        return "said in the future"
    return TOO_LONG if len(each.content) > LONGEST else ""


def _others(batch: Sequence[Found], landing: Landing, tally: Tally) -> Iterator[tuple[Landed, list[Found]]]:
    """All but messages: they land together, in the one channel that was named."""
    things = list[Found]()
    for each in batch:
        if isinstance(each, Unread):
            tally.leave(each.kind, each.why, each.place)
        elif not isinstance(each, ForeignMessage):
            text = each.content if isinstance(each, ForeignMemory) else each.text
            if why := landing.of(None).why_not or (TOO_LONG if len(text) > LONGEST else ""):
                tally.leave(KINDS[type(each)], why, each.place)
            else:
                things.append(each)
    if things:
        yield landing.of(None), things
