"""Where an export goes."""

import contextlib
from collections.abc import AsyncGenerator
from urllib.parse import urlsplit

import asyncpg
import pytest

from bot.config import DatabaseSettings
from bot.db import pool
from bot.db.pool import Database
from tests.conftest import on


@pytest.fixture
async def target(dsn: str) -> AsyncGenerator[Database]:
    """A second fresh database."""
    async with contextlib.AsyncExitStack() as stack:
        name = "target_" + urlsplit(dsn).path[1:]
        admin = await asyncpg.connect(dsn)
        stack.push_async_callback(admin.close)
        await admin.execute(f"CREATE DATABASE {name} TEMPLATE hathi_template")
        stack.push_async_callback(admin.execute, f"DROP DATABASE {name} WITH (FORCE)")
        yield await stack.enter_async_context(pool.opened(on(dsn, name), DatabaseSettings()))
