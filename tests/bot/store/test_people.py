"""The laws of what holds for a person everywhere, and of who is told what is remembered."""

import asyncio

import pytest

from bot.db.pool import Database
from bot.domain import PersonId, SpaceId
from bot.store.people import People
from bot.store.spaces import Spaces
from tests import people
from tests.conftest import Clock
from tests.rows import one

ANN = people.caller()
STRANGER = PersonId(404)


@pytest.fixture
async def known(database: Database, clock: Clock) -> People:
    for caller in (ANN, people.caller(space=2, channel=20)):
        await Spaces(database).ensure(caller, channel_name="c", mode="all", language="english", now=clock())
    return People(database)


@pytest.mark.parametrize("person", [ANN.person_id, STRANGER])
async def test_a_person_is_told_once_everywhere(known: People, clock: Clock, person: PersonId) -> None:
    """Of twenty who would tell at once exactly one does, and nobody later; met before or not."""
    claims = await asyncio.gather(*(known.tell([person], clock()) for _ in range(20)))
    later = await known.tell([person], clock.forward(days=400))
    assert ([person], []) == ([each for claimed in claims for each in claimed], [*later])


async def test_several_are_claimed_at_once(known: People, clock: Clock) -> None:
    """Whoever tells several gets those who were never told, however the others ask meanwhile."""
    orders = ([STRANGER, ANN.person_id], [ANN.person_id, STRANGER])
    claims = await asyncio.gather(*(known.tell(orders[number % 2], clock()) for number in range(20)))
    assert sorted(orders[0]) == sorted(each for claimed in claims for each in claimed)
    assert {PersonId(12)} == await known.tell([STRANGER, PersonId(12), ANN.person_id], clock())


async def test_who_could_not_be_told_is_told_by_another(known: People, clock: Clock) -> None:
    """Whoever takes their own claim back leaves it to the next; nobody takes back another's."""
    first, second = clock(), clock.forward(hours=1)
    claims = [await known.tell([ANN.person_id], first)]
    for told_at in (second, first):
        await known.untell([ANN.person_id], told_at)
        claims.append(await known.tell([ANN.person_id], second))
    assert [1, 0, 1] == [*map(len, claims)]


async def test_a_community_is_told_once_a_space(known: People, clock: Clock) -> None:
    """Each space has its own telling; a space that is not known is not told."""
    claims = await asyncio.gather(*(known.introduce(ANN.space_id, clock()) for _ in range(20)))
    told = [sum(claims)] + [await known.introduce(SpaceId(space), clock()) for space in (1, 2, 2, 3)]
    assert [1, False, True, False, False] == told


async def test_a_community_that_could_not_be_told_is_told_by_another(known: People, clock: Clock) -> None:
    """Whoever takes their own claim back leaves it to the next; nobody takes back another's, nor another space's."""
    first, second = clock(), clock.forward(hours=1)
    claims = [await known.introduce(SpaceId(space), first) for space in (1, 2)]
    for introduced_at in (second, first):
        await known.unintroduce(SpaceId(1), introduced_at)
        claims += [await known.introduce(SpaceId(space), second) for space in (1, 2)]
    assert [True, True, False, False, True, False] == claims


@pytest.mark.parametrize("person", [ANN.person_id, STRANGER])
async def test_opting_out_and_in_tells_whether_anything_changed(known: People, clock: Clock, person: PersonId) -> None:
    """Out, out again, in, in again; for somebody never met too, and for nobody else."""
    seen = [await known.opted_out(person)]
    changes: list[bool] = []
    for change in (known.opt_out(person, clock()), known.opt_out(person, clock.forward(hours=1))):
        changes.append(await change)
        seen.append(await known.opted_out(person))
    other = await known.opted_out(PersonId(8))
    for _ in range(2):
        changes.append(await known.opt_in(person))
        seen.append(await known.opted_out(person))
    assert ([False, True, True, False, False], [True, False, True, False], False) == (seen, changes, other)


async def test_the_first_opt_out_is_the_one_that_is_dated(known: People, clock: Clock, database: Database) -> None:
    """Opting out again does not move its time."""
    first = clock()
    await known.opt_out(ANN.person_id, first)
    await known.opt_out(ANN.person_id, clock.forward(hours=1))
    assert first == await one(database, "SELECT opted_out_at FROM person WHERE person_id = 7")
