"""The door and the lane of a channel: one after another in the order they came, and no channel waits for another."""

import asyncio
import contextlib

import pytest

from bot import errors
from bot.domain import ChannelId, SpaceId
from bot.infra.ordering import MOST_WAITING, Doors, Lanes

HOME = SpaceId(1)


def passing(way: Doors | Lanes, channel: int) -> contextlib.AbstractAsyncContextManager[None]:
    return way.through(channel) if isinstance(way, Doors) else way.place(HOME, ChannelId(channel))


@pytest.mark.parametrize("way", [Doors(), Lanes()])
async def test_one_passes_after_another_in_order(way: Doors | Lanes) -> None:
    """While one is inside the others of its channel wait, and they pass as they came."""
    passed, inside = list[int](), 0

    async def come(number: int) -> None:
        nonlocal inside
        async with passing(way, 5):
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


@pytest.mark.parametrize("way", [Doors(), Lanes()])
@pytest.mark.parametrize("waits", [False, True])
async def test_who_fails_or_gives_up_lets_the_next_in(way: Doors | Lanes, waits: bool) -> None:
    """An error inside, or a wait that is broken off, leaves the way free."""
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
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(lanes.place(HOME, ChannelId(5)))
        waiting = [asyncio.create_task(lanes.place(HOME, ChannelId(5)).__aenter__()) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(errors.ChannelBusy):
            await stack.enter_async_context(lanes.place(HOME, ChannelId(5)))
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
