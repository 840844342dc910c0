"""The laws of spaces."""

import pytest

from bot import errors
from bot.db.pool import Database
from bot.memory.spaces import Spaces
from tests import people
from tests.conftest import Clock


async def test_a_language_postgres_does_not_know_is_a_wrong_setting(database: Database, clock: Clock) -> None:
    """It is named before a space is made in it, and nothing is written."""
    with pytest.raises(errors.SettingsError, match="no text search configuration 'klingon'"):
        await Spaces(database).ensure(people.caller(), channel_name="c", mode="all", language="klingon", now=clock())
    async with database.connection() as connection:
        assert 0 == await connection.fetchval("SELECT count(*) FROM space")
