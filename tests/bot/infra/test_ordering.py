"""Doors and lanes keep a channel's order, and no channel waits for another; the turnstile holds nobody up for long."""

import asyncio
import contextlib
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import pytest

from bot import errors
from bot.domain import ChannelId, PersonId, SpaceId
from bot.infra.ordering import MOST_WAITING, SHARE, Doors, Lanes, Turnstile
from tests.waiting import eventually

HOME = SpaceId(1)


Way = Doors | Lanes | Turnstile
WAYS: Final[list[Callable[[], Way]]] = [Doors, Lanes, lambda: Turnstile(timedelta(minutes=1))]


def passing(way: Way, channel: int, person: int = 0) -> contextlib.AbstractAsyncContextManager[None]:
    match way:
        case Doors():
            return way.through(channel)
        case Lanes():
            return way.place(HOME, ChannelId(channel), PersonId(person))
        case Turnstile():
            return way.through()


@pytest.mark.parametrize("made", WAYS)
async def test_one_passes_after_another_in_order(made: Callable[[], Way]) -> None:
    """While one is inside the others of its channel wait, and they pass as they came."""
    way = made()
    passed, inside = list[int](), 0

    async def come(number: int) -> None:
        nonlocal inside
        async with passing(way, 5, number):
            inside += 1
            assert 1 == inside
            await asyncio.sleep(0)
            inside -= 1
            passed.append(number)

    await asyncio.gather(*map(come, range(MOST_WAITING)))
    assert [*range(MOST_WAITING)] == passed


@pytest.mark.parametrize("way", [Doors(), Lanes()])
async def test_no_channel_waits_for_another(way: Doors | Lanes) -> None:
    """However long one takes."""
    async with passing(way, 5), asyncio.timeout(1), passing(way, 6):
        pass


@pytest.mark.parametrize("made", WAYS)
@pytest.mark.parametrize("waits", [False, True])
async def test_who_fails_or_gives_up_lets_the_next_in(made: Callable[[], Way], waits: bool) -> None:
    """An error inside, or a wait that is broken off, leaves the way free."""
    way = made()
    if waits:
        async with passing(way, 5):
            waiting = asyncio.create_task(passing(way, 5).__aenter__())
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
    else:
        with pytest.raises(ValueError, match="inside"):
            async with passing(way, 5):
                raise ValueError("inside")
    async with asyncio.timeout(1), passing(way, 5):
        pass


async def test_a_lane_takes_so_many_and_no_more() -> None:
    """Behind twenty others nobody is taken in."""
    lanes = Lanes()
    async with passing(lanes, 5):
        waiting = [asyncio.create_task(passing(lanes, 5, person).__aenter__()) for person in range(MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(errors.ChannelBusy):
            await passing(lanes, 5, MOST_WAITING).__aenter__()
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def test_of_those_waiting_in_a_lane_so_many_are_one_persons() -> None:
    """Whoever has three waiting is refused and others are not; one that is being answered waits no more."""
    lanes, ann, ben = Lanes(), 1, 2
    gates, answered = [asyncio.Event() for _ in range(SHARE + 3)], list[int]()

    async def ask(number: int, person: int, channel: int = 5) -> None:
        async with passing(lanes, channel, person):
            await gates[number].wait()
            answered.append(number)

    asked = [asyncio.create_task(ask(number, ann)) for number in range(1 + SHARE)]
    await asyncio.sleep(0)
    with pytest.raises(errors.ShareTaken):
        await ask(0, ann)
    asked.append(asyncio.create_task(ask(1 + SHARE, ben)))
    gates[0].set()
    await asked[0]
    asked.append(asyncio.create_task(ask(2 + SHARE, ann)))
    for gate in gates:
        gate.set()
    await asyncio.gather(*asked, ask(0, ann, channel=6))
    assert ([*range(3 + SHARE)], 6) == (sorted({*answered}), len(asked))


async def test_a_wide_door_lets_so_many_through_at_a_time() -> None:
    """Of one person; of another as many, whatever the first is about."""
    doors, gate, inside = Doors(2), asyncio.Event(), list[int]()

    async def come(person: int) -> None:
        async with doors.through(person):
            inside.append(person)
            await gate.wait()

    coming = [asyncio.create_task(come(person)) for person in (1, 1, 1, 1, 2)]
    await asyncio.sleep(0)
    assert [1, 1, 2] == inside
    gate.set()
    await asyncio.gather(*coming)
    assert [1, 1, 2, 1, 1] == inside


async def test_who_takes_long_holds_nobody_up_at_the_turnstile() -> None:
    """The next is let in after a moment, and once: the slow one's leaving lets in nobody besides."""
    turnstile, gates = Turnstile(timedelta(milliseconds=1)), [asyncio.Event() for _ in range(3)]
    inside: list[int] = []

    async def come(number: int) -> None:
        async with turnstile.through():
            inside.append(number)
            await gates[number].wait()

    coming = [asyncio.create_task(come(number)) for number in range(3)]
    await eventually(lambda: len(inside) >= len(coming))
    for gate in gates:
        gate.set()
    await asyncio.gather(*coming)
    async with turnstile.through():
        late = asyncio.create_task(come(0))
        await asyncio.sleep(0)
        assert [0, 1, 2] == inside
    await late
