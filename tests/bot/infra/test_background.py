"""Background work: it fails alone, and ends with what it belongs to."""

import asyncio
import contextlib

from structlog.testing import capture_logs

from bot import errors
from bot.infra.background import Background


async def test_background_work_that_fails_ends_alone() -> None:
    """The others run on, and closing waits for none of them longer than it takes to cancel."""
    background, done = Background(), list[str]()

    async def work(name: str, fails: Exception | None = None) -> None:
        if fails:
            raise fails
        await asyncio.sleep(0)
        done.append(name)

    async def endless() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()

    with capture_logs() as lines:
        background.spawn(work("one", ValueError()))
        background.spawn(work("two", errors.DatabaseDown()))
        background.spawn(work("three"))
        await background.settled(5)
    assert ["background.failed"] == [line["event"] for line in lines]
    background.spawn(endless())
    await background.settled(0.01)
    await background.close()
    assert (done, background.tasks) == (["three"], set())


async def test_what_is_waited_for_includes_what_it_begins() -> None:
    """One piece of work may end by beginning the next."""
    background, done = Background(), list[int]()

    async def work(left: int) -> None:
        await asyncio.sleep(0)
        done.append(left)
        if left:
            background.spawn(work(left - 1))

    background.spawn(work(3))
    await background.settled(5)
    assert ([3, 2, 1, 0], set()) == (done, background.tasks)


async def test_nothing_is_begun_once_it_is_closed() -> None:
    """Neither what was given just before, nor what is given afterwards; none of it is left behind, never awaited."""
    background, done = Background(), list[str]()

    async def work(name: str) -> None:
        await asyncio.sleep(0)
        done.append(name)

    background.spawn(work("before"))
    await background.close()
    background.spawn(work("after"))
    await background.settled(1)
    assert (done, background.tasks) == ([], set())
