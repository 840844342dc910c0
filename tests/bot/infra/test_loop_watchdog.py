"""Whatever holds the event loop is told, with how long it did and what it was."""

import asyncio
import sys
import threading
from collections.abc import Callable

from structlog.testing import capture_logs

from bot.infra import loop_watchdog
from bot.infra.metrics import Metrics
from bot.text import sentences


class Loop:
    """A clock, and a loop that comes back from each pause as late as it is told."""

    def __init__(self, *late: float, looked: Callable[[], None] = lambda: None) -> None:
        self.at = 100.0
        self.ended = asyncio.Event()
        self._late = [*late]
        self._looked = looked

    def now(self) -> float:
        return self.at

    async def pause(self, seconds: float) -> None:
        if not self._late:
            self.ended.set()
            await asyncio.Event().wait()
        self.at += seconds + self._late.pop(0)
        self._looked()


def told(metrics: Metrics, name: str) -> float:
    """A count as Prometheus is told it."""
    lines = metrics.exposition(None).decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))


async def test_what_holds_the_loop_is_told_with_how_long():
    """A loop that turns more than 200 ms late is told once, and counted; one that is a little late is not."""
    metrics, loop = Metrics(), Loop(0.0, 0.19, 1.7, 0.01, 0.3)

    with capture_logs() as lines:
        async with loop_watchdog.Watch(metrics, now=loop.now, pause=loop.pause).kept():
            await loop.ended.wait()

    assert [("loop.held", 1700), ("loop.held", 300)] == [(line["event"], line["milliseconds"]) for line in lines]
    assert 2 == told(metrics, "hathi_loop_held_total")
    assert round(told(metrics, "hathi_loop_held_seconds_total"), 3) == 2.0


async def test_what_ran_meanwhile_is_named():
    """The function of Hathi's own that ran is told with its line, as it was seen from beside the loop."""

    def beside() -> None:
        thread = threading.Thread(target=watch.look, args=(threading.get_ident(),))
        thread.start()
        thread.join()

    def look() -> None:
        # Looked at while the loop is inside of Hathi's own code.
        exec(compile("call()", "sentences.py", "exec"), {"__name__": sentences.__name__, "call": beside})

    metrics, loop = Metrics(), Loop(2.0, 0.0, 0.4, looked=look)
    watch = loop_watchdog.Watch(metrics, now=loop.now, pause=loop.pause)
    with capture_logs() as lines:
        async with watch.kept():
            await loop.ended.wait()

    assert ["bot.text.sentences.<module>:1"] * 2 == [line["running"] for line in lines]


def test_a_thread_in_nobodys_code_is_unknown():
    """Where nothing of Hathi's runs, or the thread is gone, nothing is made up."""
    assert loop_watchdog.UNKNOWN == loop_watchdog.running(None)
    assert loop_watchdog.UNKNOWN == loop_watchdog.running(sys._getframe())


async def test_the_watch_ends_with_its_block():
    """Neither the task nor the thread beside it outlives what they watch."""
    async with loop_watchdog.Watch(Metrics()).kept():
        assert "loop.held" in {thread.name for thread in threading.enumerate()}
    watching = [task for task in asyncio.all_tasks() if task.get_name() == "loop.held"]
    for thread in threading.enumerate():
        if thread.name == "loop.held":
            thread.join()

    assert [] == watching
    assert "loop.held" not in {thread.name for thread in threading.enumerate()}
