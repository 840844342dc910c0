"""The connection pool; the one place where Postgres's errors become Hathi's."""

import asyncio
import json
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager
from contextvars import ContextVar
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, Final, LiteralString, Protocol, TypeVar, cast
from urllib.parse import parse_qs, urlsplit

import asyncpg

from bot import config, errors, log
from bot.db import waits

_log = log.logger(__name__)
T = TypeVar("T")

CONNECT_TIMEOUT: Final = timedelta(seconds=5)
STATEMENT_TIMEOUT: Final = timedelta(seconds=60)
FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 2.0
"""Seconds between two tries while the database is away: up to twice as long each time, and never all at once."""
BACK_AFTER: Final = 10.0
"""Seconds without a failure after which it counts as back: of one that does half of its work every second use fails."""
_DOWN: Final = ("08", "25006", "28", "3D000", "53", "55P03", "57014", "57P", "58")
"""How the SQLSTATE begins of a server that is away, starting or stopping, lets nobody in, takes no writes, has no room,
or takes too long."""

_ARRAYS: Final = {
    1000: ("bool", 16),
    1001: ("bytea", 17),
    1005: ("int2", 21),
    1007: ("int4", 23),
    1016: ("int8", 20),
    1021: ("float4", 700),
    1022: ("float8", 701),
    1185: ("timestamptz", 1184),
}
"""Arrays of Postgres's own types, by their numbers in every Postgres (pg_type.dat): what each is of."""
_KNOWN: Final = SimpleNamespace(name="known")
"""In place of the statement by which the driver asked for types: it stands in no other's way."""

Row = asyncpg.Record


class Connection(Protocol):
    """The part of a connection that Hathi uses; statements are program text, never built."""

    async def execute(self, query: LiteralString, *args: Any, timeout: float | None = None) -> str:
        """The command tag, such as `UPDATE 3`; `timeout` in seconds, where the one of the pool is too short."""
        ...

    async def fetch(self, query: LiteralString, *args: Any) -> Sequence[Row]:
        """Every row."""
        ...

    async def fetchrow(self, query: LiteralString, *args: Any) -> Row | None:
        """The first row."""
        ...

    async def fetchval(self, query: LiteralString, *args: Any) -> Any:
        """The first column of the first row."""
        ...

    def transaction(self) -> AbstractAsyncContextManager[Any]:
        """A transaction, or a savepoint inside one."""
        ...


Mark = Callable[[Connection], Awaitable[None]]
"""Records in a transaction that what it does is done. Raises what is to undo the transaction."""
_mark: ContextVar[Mark | None] = ContextVar("_mark", default=None)


@contextmanager
def marking(mark: Mark) -> Generator[None]:
    """A block in which every transaction of `Database.once` ends with this mark."""
    token = _mark.set(mark)
    try:
        yield
    finally:
        _mark.reset(token)


class _PlainConnection(asyncpg.Connection):  # pyright: ignore[reportMissingTypeArgument, reportUntypedBaseClass]
    def get_reset_query(self) -> str:
        """Nothing: Hathi leaves no session state behind, and this would be one more round trip at every release."""
        return ""

    async def _introspect_types(self, typeoids: set[int], timeout: float | None) -> tuple[Sequence[Any], Any]:
        """What the driver needs to know of types: asked of the server only for those that not every server has.

        It would ask for each array anew in every connection, 25 ms before the first statement that takes one.
        """
        if typeoids <= _ARRAYS.keys():
            return [_array(oid) for oid in typeoids], _KNOWN
        return await super()._introspect_types(typeoids, timeout)


def _array(oid: int) -> dict[str, Any]:
    name, element = _ARRAYS[oid]
    nothing = dict.fromkeys(("basetype", "range_subtype", "attrtypoids", "attrnames"))
    return nothing | {
        "oid": oid,
        "ns": "pg_catalog",
        "name": f"_{name}",
        "kind": b"b",
        "elemtype": element,
        "elemtype_name": name,
        "elemdelim": ",",
    }


def affected(tag: str) -> int:
    """The rows a statement wrote, from its command tag: 3 of `UPDATE 3`."""
    return int(tag.rpartition(" ")[2])


async def swept(connection: Connection, statement: LiteralString, *args: object) -> int:
    """Runs a statement that takes a batch, again and again until none is left; the rows it wrote in all."""
    rows = 0
    while batch := affected(await connection.execute(statement, *args)):
        rows += batch
    return rows


class Database:
    """A pool of connections to one Postgres; every block translates errors."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self.pool = pool
        """For whoever counts its connections, or opens a `Database` of another kind on them."""
        self.waiting = 0
        """Who waits for a connection."""
        self._down_since: float | None = None
        """None while it works; told when that changes, and not at every use that fails."""
        self._failed_at = 0.0

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        """A connection outside a transaction. Raises `DatabaseDown` when there is none to be had or to be used."""
        try:
            with waits.waiting(), translated():
                connection = await self._acquired()
                try:
                    yield cast("Connection", connection)
                finally:
                    await self.pool.release(connection)
        except errors.DatabaseDown as exc:
            self._failed(exc)
            raise
        if self._down_since is not None:
            self._worked(self._down_since)

    @property
    def connections(self) -> dict[str, int]:
        """How many connections are open, as `in_use` and `idle`."""
        idle = self.pool.get_idle_size()
        return {"in_use": self.pool.get_size() - idle, "idle": idle}

    async def _acquired(self) -> asyncpg.pool.PoolConnectionProxy:
        self.waiting += 1
        try:
            # One that is idle is there at once, and needs no clock.
            timeout = None if self.pool.get_idle_size() else CONNECT_TIMEOUT.total_seconds()
            return await self.pool.acquire(timeout=timeout)
        finally:
            self.waiting -= 1

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Connection]:
        """A connection in a transaction, committed at the end of the block and rolled back on any error."""
        async with self.connection() as connection, connection.transaction():
            yield connection

    @asynccontextmanager
    async def once(self) -> AsyncGenerator[Connection]:
        """A transaction with what a command must not do a second time.

        The command that is being carried out, if any, is marked as done in the same commit: see `marking`.
        """
        async with self.transaction() as connection:
            yield connection
            if (mark := _mark.get()) is not None:
                await mark(connection)

    async def keep_trying(self, work: Callable[[], Awaitable[T]], *, within: timedelta) -> T:
        """Runs `work`, again while the database is down; raises `DatabaseDown` when `within` is over.

        Only for work that may be repeated: a commit whose answer was lost is done again.
        """
        loop = asyncio.get_running_loop()
        began, pause = loop.time(), FIRST_PAUSE
        with ExitStack() as away:
            while True:
                try:
                    return await work()
                except errors.DatabaseDown:
                    if loop.time() > began + within.total_seconds():
                        raise
                if pause == FIRST_PAUSE:
                    # Each try may fail at once, and all of them wait.
                    away.enter_context(waits.waiting(began))
                await asyncio.sleep(random.uniform(pause / 2, pause))  # noqa: S311 - so that not all come back at once
                pause = min(2 * pause, LONGEST_PAUSE)

    def _failed(self, why: errors.DatabaseDown) -> None:
        self._failed_at = time.monotonic()
        if self._down_since is None:
            self._down_since = self._failed_at
            _log.warning("database.down", error=type(why.__cause__ or why).__name__)

    def _worked(self, down_since: float) -> None:
        now = time.monotonic()
        if now - self._failed_at >= BACK_AFTER:
            self._down_since = None
            _log.info("database.back", seconds=round(now - down_since, 3))


@asynccontextmanager
async def opened(dsn: str, settings: config.DatabaseSettings) -> AsyncGenerator[Database]:
    """A pool on `dsn`.

    Raises `DatabaseDown` when the first connection fails, `DatabaseError` when it is refused, and `SettingsError` for
    an address that can't be read.

    Nothing relies on session state, so PgBouncer in transaction mode may stand between.
    """
    pool = await open_driver(dsn, settings)
    try:
        yield Database(pool)
    finally:
        await close_driver(pool)


async def open_driver(dsn: str, settings: config.DatabaseSettings) -> asyncpg.Pool:
    """The driver's pool, with its first connection; raises as `opened` does."""
    pool = asyncpg.create_pool(
        dsn,
        min_size=1,
        max_size=settings.pool_size,
        timeout=CONNECT_TIMEOUT.total_seconds(),
        command_timeout=STATEMENT_TIMEOUT.total_seconds(),
        statement_cache_size=200 if settings.prepared_statements else 0,
        max_cached_statement_lifetime=0,  # else a turn after five quiet minutes plans each of them anew
        connection_class=_PlainConnection,
        init=_with_json,
    )
    try:
        with translated():
            return await pool
    except (ValueError, OverflowError):
        # Not quoted, nor what the driver says of it: a password may stand in it.
        raise errors.SettingsError(
            f"DATABASE_URL: can't be read; it must be an address such as {config.POSTGRES_ADDRESS}."
        ) from None
    except errors.DatabaseDown as exc:
        raise _unopened(dsn, exc) from exc


async def close_driver(pool: asyncpg.Pool) -> None:
    """Close it in order, or at once where that takes too long."""
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT.total_seconds()):
            await pool.close()
    except (TimeoutError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        pool.terminate()


def _unopened(dsn: str, why: errors.DatabaseDown) -> errors.DatabaseError:
    """What whoever starts Hathi is told: at a start it may be the settings that are wrong."""
    match why.__cause__:
        case asyncpg.InvalidPasswordError() | asyncpg.InvalidAuthorizationSpecificationError():
            return errors.DatabaseError("The database refused the user or password of DATABASE_URL.")
        case asyncpg.InvalidCatalogNameError():
            return errors.DatabaseError("The database that DATABASE_URL names does not exist; create it.")
        case _:
            return errors.DatabaseDown(f"The database at {_place(dsn)} can't be reached; is it running?")


def _place(dsn: str) -> str:
    """Where a database is, without user and password."""
    parts = urlsplit(dsn)
    return parts.netloc.rpartition("@")[2] or parse_qs(parts.query).get("host", ["localhost"])[0]


async def _with_json(connection: asyncpg.Connection) -> None:
    await connection.set_type_codec("jsonb", schema="pg_catalog", encoder=json.dumps, decoder=json.loads)


class translated:  # noqa: N801 - reads as a word in `with translated():`
    """A block in which Postgres's errors become Hathi's; programming errors stay as they are."""

    def __enter__(self) -> None:
        """Nothing to set up."""

    def __exit__(self, _kind: object, exc: BaseException | None, _trace: object) -> None:
        """Raise Hathi's error in place of the driver's."""
        match exc:
            case asyncpg.PostgresError() if _state(exc).startswith(_DOWN):
                raise errors.DatabaseDown from exc
            # A ValueError among them is an argument the driver can't encode: a fault of ours, not an outage.
            case asyncpg.InterfaceError() | asyncpg.InternalClientError() if not isinstance(exc, ValueError):
                raise errors.DatabaseDown from exc
            case OSError() | TimeoutError():
                raise errors.DatabaseDown from exc
            case _:
                return


def _state(exc: asyncpg.PostgresError) -> str:
    """The SQLSTATE, which the driver sets on every error of the server."""
    return getattr(exc, "sqlstate", None) or ""
