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


async def test_a_language_postgres_has_no_stemmer_for_is_no_wrong_setting(database: Database, clock: Clock) -> None:
    """The space keeps its name, and a configuration of the server's own counts too."""
    async with database.connection() as connection:
        await connection.execute("CREATE TEXT SEARCH CONFIGURATION legalese (COPY = english)")
    kept = [
        (await Spaces(database).ensure(
            people.caller(space=number), channel_name="c", mode="all", language=name, now=clock()
        )).language
        for number, name in enumerate(("polish", "legalese"), 1)
    ]  # fmt: skip
    known = await Spaces(database).languages()
    assert ["polish", "legalese"] == kept
    assert known == sorted(known)
    assert {"legalese", "simple", "german", "polish"} <= {*known}
