"""The laws of the look, a day later, for what is left of what was erased."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.db.pool import Database
from bot.domain import MessageId
from bot.lifecycle.residue import ResidueCheck
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import rows

ANN = people.caller()
AGAIN = (
    "INSERT INTO message"
    " (space_id, message_id, channel_id, session_id, role, author_id, author, content, said_at, search)"
    " VALUES ($1, $2, 10, 1, 'person', 7, 'Ann', 'The vault code is 4417.', now(), '')"
)


async def _forgets(r: Room, said: MessageId) -> None:
    await r.app.archivist.forget_all(r.caller, [], [said], now=r.clock())
    r.clock.forward(minutes=11)
    await r.app.schedule.upkeep()


async def _deletes(r: Room, said: MessageId) -> None:
    await r.app.discord_edits.deleted(ANN.space_id, [said], r.clock())


async def _erases(r: Room, said: MessageId) -> None:
    del said
    await r.app.personal_data.erase(ANN.person_id, now=r.clock())


async def _empties(r: Room, said: MessageId) -> None:
    del said
    await r.run("!memory erase confirm", replace(r.caller, is_admin=True))


@pytest.mark.parametrize("goes", [_forgets, _deletes, _erases, _empties])
async def test_what_is_left_of_what_was_erased_is_found_a_day_later(
    database: Database, clock: Clock, goes: Callable[[Room, MessageId], Awaitable[None]]
) -> None:
    """Nothing is, as a rule; what came back is told once, and nothing is noted of it after two days."""
    async with room(database, clock, who=ANN) as r:
        await r.say("The vault code is 4417.")
        await r.say("remember that I like tea")
        (row,) = await rows(database, "SELECT message_id FROM message WHERE content LIKE '%4417%' AND role = 'person'")
        await goes(r, MessageId(row[0]))
        async with database.connection() as connection:
            await connection.execute(AGAIN, ANN.space_id, row[0])
        residue = ResidueCheck(database, r.app.metrics)
        hours = (1, 24, 1)
        assert [0, 1, 0] == [await residue.check([ANN.space_id], now=clock.forward(hours=passed)) for passed in hours]
        assert b'hathi_erasure_residue_total{held_in="message"} 1.0' in r.app.metrics.exposition(None)
        await residue.check([ANN.space_id], now=clock.forward(days=1))
    assert [] == await rows(database, "SELECT erasure_id FROM erasure")


async def test_of_a_whole_space_memories_are_looked_for_too(database: Database, clock: Clock) -> None:
    """As messages are: of direct messages, and of a server that has everything erased."""
    direct = replace(ANN, is_direct=True, is_admin=True)
    async with room(database, clock, who=direct) as r:
        await r.say("remember that I like tea")
        await r.app.personal_data.erase(ANN.person_id, now=clock.forward(seconds=1))
        found = await rows(
            database, "SELECT sum(cardinality(messages)), sum(cardinality(memories)) FROM erasure WHERE space_id = 1"
        )
    assert [(2, 1)] == found


async def test_what_stands_on_discord_is_noted_for_two_days(database: Database, clock: Clock) -> None:
    """Then whoever erased can't have it deleted any more."""
    async with room(database, clock, who=ANN) as r:
        await r.say("The vault code is 4417.")
        await r.app.personal_data.erase(ANN.person_id, now=r.clock())
        residue, standing = ResidueCheck(database, r.app.metrics), list[int]()
        for passed in (47, 2):
            await residue.check([ANN.space_id], now=clock.forward(hours=passed))
            standing.append(await r.app.personal_data.count_standing(ANN.person_id))
    assert [1, 0] == standing
