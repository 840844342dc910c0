"""The turnstile: one after another in the order they came, and nobody is held up for long."""

import asyncio
from datetime import timedelta

import pytest

from bot.infra.ordering import Turnstile
from tests.waiting import eventually


async def test_one_passes_after_another_in_order() -> None:
    """While one is inside the others wait, and they pass as they came."""
    turnstile, passed, inside = Turnstile(timedelta(minutes=1)), list[int](), 0

    async def come(number: int) -> None:
        nonlocal inside
        async with turnstile.through():
            inside += 1
            assert 1 == inside
            await asyncio.sleep(0)
            inside -= 1
            passed.append(number)

    await asyncio.gather(*map(come, range(20)))
    assert [*range(20)] == passed


async def test_who_takes_long_holds_up_nobody() -> None:
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


@pytest.mark.parametrize("waits", [False, True])
async def test_who_fails_or_gives_up_lets_the_next_in(waits: bool) -> None:
    """An error inside, or a wait that is broken off, leaves the turnstile free."""
    turnstile = Turnstile(timedelta(minutes=1))
    if waits:
        async with turnstile.through():
            waiting = asyncio.create_task(turnstile.through().__aenter__())
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
    else:
        with pytest.raises(ValueError, match="inside"):
            async with turnstile.through():
                raise ValueError("inside")
    async with asyncio.timeout(1), turnstile.through():
        pass
