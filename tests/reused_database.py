"""A database that one test after the other uses: emptied between them, over connections that stay open.

A new one takes 35 ms, and a new connection has to read and plan every statement, which takes most of what Postgres does
in a short test.
"""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from typing import Any, Final

import asyncpg

from bot.config import DatabaseSettings
from bot.db import pool

USES: Final = 200
"""So many tests use one; then another is made, before what they deleted makes it slow."""
_TABLES: Final = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migration'"
_SHAPE: Final = """
    SELECT array_agg(r.oid ORDER BY r.oid), sum(r.xmin::text::bigint), (SELECT sum(xmin::text::bigint) FROM migration),
        (SELECT sum(c.xmin::text::bigint) FROM pg_constraint c WHERE c.connamespace = 'public'::regnamespace),
        (SELECT count(*) FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
            WHERE d.datname = current_database()),
        (SELECT sum(a.xmin::text::bigint) FROM pg_attribute a WHERE a.attrelid >= 16384),
        (SELECT sum(p.xmin::text::bigint) FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace),
        (SELECT sum(d.objid::bigint) FROM pg_depend d WHERE d.objid >= 16384)
    FROM pg_class r WHERE r.relnamespace = 'public'::regnamespace AND r.relkind <> 't'
"""
"""Changes with every table, column, index, constraint, function and setting, and whatever else is made or taken away;
16384 is the first of ours."""


@dataclass(frozen=True, slots=True)
class _Made:
    """One database, and the connection that empties it."""

    address: str
    admin: asyncpg.Connection
    shape: Any
    full: str
    """Asks which tables have rows."""

    async def emptied(self) -> bool:
        """Whether it is as it was when it was made, but for the rows, which are gone now."""
        try:
            if await self.admin.fetchrow(_SHAPE) != self.shape:
                return False
            for table in await self.admin.fetch(self.full):
                await self.admin.execute(f"DELETE FROM {table[0]}")
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return False
        return True


class ReusedDatabase:
    """Lends one database at a time, and makes another when the last does not come back as it was."""

    def __init__(self, made: Callable[[], AbstractAsyncContextManager[str]]) -> None:
        self._made = made
        self._loop = asyncio.get_running_loop()
        self._stack = AsyncExitStack()
        self._current: _Made | None = None
        self._uses = 0
        self._idle: defaultdict[str, list[asyncpg.Pool]] = defaultdict(list)
        self._busy: dict[asyncpg.Pool, str] = {}

    @contextlib.asynccontextmanager
    async def lent(self) -> AsyncGenerator[str]:
        """Its address; it is migrated, and holds nothing."""
        current = self._current = self._current or await self._another()
        self._uses += 1
        yield current.address
        if self._uses == USES or self._busy or not await current.emptied():
            await self.drop()

    async def drop(self) -> None:
        """It is gone, with the connections to it."""
        self._current, self._uses = None, 0
        for each in [each for idle in self._idle.values() for each in idle]:
            await close_driver(each)
        self._idle.clear()
        self._busy.clear()
        await self._stack.aclose()

    async def open_driver(self, dsn: str, settings: DatabaseSettings) -> asyncpg.Pool:
        """In place of `pool.open_driver`: one that is open already, if there is."""
        if self._current is None or dsn != self._current.address or asyncio.get_running_loop() is not self._loop:
            return await open_driver(dsn, settings)
        key = settings.model_dump_json()
        found = self._idle[key].pop() if self._idle[key] else await open_driver(dsn, settings)
        self._busy[found] = key
        return found

    async def close_driver(self, given: asyncpg.Pool) -> None:
        """In place of `pool.close_driver`: keeps it for the next, unless somebody still works with it."""
        key = self._busy.pop(given, None)
        if key is not None and given.get_idle_size() == given.get_size() and await _as_opened(given):
            self._idle[key].append(given)
        else:
            await close_driver(given)

    async def _another(self) -> _Made:
        address = await self._stack.enter_async_context(self._made())
        admin = await asyncpg.connect(address)
        self._stack.push_async_callback(admin.close)
        # No row keeps another from going, and who still holds one is not waited for.
        await admin.execute("SET session_replication_role = replica; SET lock_timeout = '1s'")
        tables = [row[0] for row in await admin.fetch(_TABLES)]
        full = " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT FROM {table})" for table in tables)
        return _Made(address, admin, await admin.fetchrow(_SHAPE), full)


async def _as_opened(given: asyncpg.Pool) -> bool:
    """Whether its connections hold no statement that somebody prepared by name; what they set is reset."""
    try:
        async with AsyncExitStack() as stack:
            for _ in range(given.get_size()):
                connection = await stack.enter_async_context(given.acquire())
                await connection.execute("RESET ALL")
                if await connection.fetchval("SELECT EXISTS (SELECT FROM pg_prepared_statements WHERE from_sql)"):
                    return False
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        return False
    return True


open_driver, close_driver = pool.open_driver, pool.close_driver


@contextlib.asynccontextmanager
async def reused(made: Callable[[], AbstractAsyncContextManager[str]]) -> AsyncGenerator[ReusedDatabase]:
    """Such a database; within the block whoever opens it gets connections that are open already."""
    database = ReusedDatabase(made)
    pool.open_driver, pool.close_driver = database.open_driver, database.close_driver
    try:
        yield database
    finally:
        pool.open_driver, pool.close_driver = open_driver, close_driver
        await database.drop()
