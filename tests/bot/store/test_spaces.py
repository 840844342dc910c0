"""The laws of spaces."""

import pytest

from bot import errors
from bot.db.pool import Database
from bot.store.spaces import Spaces
from tests import people
from tests.conftest import Clock
from tests.rows import one


async def test_a_language_postgres_does_not_know_is_a_wrong_setting(database: Database, clock: Clock) -> None:
    """It is named before a space is made in it, and nothing is written."""
    with pytest.raises(errors.SettingsError, match="no text search configuration 'klingon'"):
        await Spaces(database).ensure(people.caller(), channel_name="c", mode="all", language="klingon", now=clock())
    assert 0 == await one(database, "SELECT count(*) FROM space")


async def test_a_language_postgres_has_no_stemmer_for_is_no_wrong_setting(database: Database, clock: Clock) -> None:
    """The space keeps its name, and a configuration of the server's own counts too."""
    async with database.connection() as connection:
        await connection.execute("CREATE TEXT SEARCH CONFIGURATION legalese (COPY = english)")
    kept = [
        (
            await Spaces(database).ensure(
                people.caller(space=number), channel_name="c", mode="all", language=name, now=clock()
            )
        ).language
        for number, name in enumerate(("polish", "legalese"), 1)
    ]
    known = await Spaces(database).languages()
    assert ["polish", "legalese"] == kept
    assert known == sorted(known)
    assert {"legalese", "simple", "german", "polish"} <= {*known}


@pytest.mark.parametrize(("mode", "names"), [("all", ["Ann", "Bob"]), ("off", [])])
async def test_somebody_new_is_met_in_a_known_channel(
    database: Database, clock: Clock, mode: str, names: list[str]
) -> None:
    """Their name is kept where messages are, once, and whoever goes by the space's names hears of it once."""
    changed: list[int] = []
    spaces, ann, bob = Spaces(database, changed=changed.append), people.caller(), people.caller(person=2, name="Bob")
    await spaces.ensure(ann, channel_name="c", mode=mode, language="english", now=clock())
    changed.clear()
    for _ in range(2):
        clock.forward(minutes=1)
        await spaces.meet(bob, now=clock())
    async with database.connection() as connection:
        met = await connection.fetch("SELECT name FROM member WHERE space_id = $1 ORDER BY name", ann.space_id)
        seen = await connection.fetchval("SELECT max(last_seen_at) FROM member WHERE name = 'Bob'")
        known = await connection.fetchval("SELECT spaces FROM person WHERE person_id = $1", bob.person_id)
    assert names == [row["name"] for row in met]
    assert [ann.space_id] == known
    assert (clock() if names else None) == seen
    assert [ann.space_id][: len(names)] == changed
