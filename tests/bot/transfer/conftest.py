"""Where an export goes."""

from collections.abc import AsyncGenerator

import pytest

from bot.config import DatabaseSettings
from bot.db import pool
from bot.db.pool import Database
from tests.conftest import cloned


@pytest.fixture
async def target(server: str) -> AsyncGenerator[Database]:
    """A second fresh database."""
    async with cloned(server) as dsn, pool.opened(dsn, DatabaseSettings()) as database:
        yield database
