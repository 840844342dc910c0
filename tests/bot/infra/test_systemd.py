"""What the service manager hears, on sockets of our own."""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncGenerator, Generator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.infra.systemd import SEND_LIMIT, Notifier

PERIOD = timedelta(seconds=30)


class Manager:
    """The service manager's end of the socket."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        self.socket.bind("\0" + address[1:] if address.startswith("@") else address)

    async def heard(self) -> str:
        async with asyncio.timeout(10):
            return (await asyncio.get_running_loop().sock_recv(self.socket, 4096)).decode()

    def heard_nothing_more(self) -> bool:
        with contextlib.suppress(BlockingIOError):
            return not self.socket.recv(4096)
        return True


class Pauses:
    """The pauses between two feedings: they last until they are ended here."""

    def __init__(self) -> None:
        self.taken: list[float] = []
        self._begun = asyncio.Semaphore(0)
        self._ended = asyncio.Semaphore(0)

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)
        self._begun.release()
        await self._ended.acquire()

    async def begun(self) -> None:
        async with asyncio.timeout(10):
            await self._begun.acquire()

    def end(self) -> None:
        self._ended.release()


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Manager]:
    """A manager at a path, and one at an abstract name."""
    made = Manager(str(tmp_path / "notify") if request.param == "path" else f"@hathi-test-{os.getpid()}")
    yield made
    made.socket.close()


@contextlib.asynccontextmanager
async def feeding(manager: Manager, alive: list[bool]) -> AsyncGenerator[Pauses]:
    """A fed watchdog; `alive[0]` is what it is told."""
    pauses = Pauses()
    async with Notifier(manager.address, PERIOD, pause=pauses).fed(lambda: alive[0]):
        yield pauses


async def test_a_start_and_a_stop_are_told(manager: Manager) -> None:
    """Each message is one datagram of assignments, as sd_notify(3) has it."""
    notifier = Notifier(manager.address, None)
    await notifier.ready("12 spaces")
    await notifier.status("waiting for Discord")
    await notifier.stopping()

    assert "READY=1\nSTATUS=12 spaces" == await manager.heard()
    assert "STATUS=waiting for Discord" == await manager.heard()
    assert "STOPPING=1\nSTATUS=stopping" == await manager.heard()


async def test_a_status_is_one_line(manager: Manager) -> None:
    """No text of a status can become an assignment of its own."""
    await Notifier(manager.address, None).status("fine\nMAINPID=1\n")

    assert "STATUS=fine MAINPID=1" == await manager.heard()


async def test_the_watchdog_is_fed_at_a_third_of_its_period(manager: Manager) -> None:
    """It is fed at once, and again after every third of the period."""
    async with feeding(manager, [True]) as pauses:
        for _ in range(3):
            await pauses.begun()
            pauses.end()
            assert "WATCHDOG=1" == await manager.heard()

        assert {10.0} == set(pauses.taken)


async def test_who_is_not_alive_is_not_fed(manager: Manager) -> None:
    """While Hathi is not alive the watchdog hears nothing; alive again, it is fed again."""
    alive = [False]
    async with feeding(manager, alive) as pauses:
        await pauses.begun()
        pauses.end()
        await pauses.begun()
        assert manager.heard_nothing_more()
        alive[0] = True
        pauses.end()

        assert "WATCHDOG=1" == await manager.heard()


async def test_who_cannot_say_is_not_fed(manager: Manager) -> None:
    """An error in the question whether Hathi lives is a no, and is asked again."""
    answers = iter([ZeroDivisionError, None])

    def alive() -> bool:
        if error := next(answers):
            raise error
        return True

    pauses = Pauses()
    async with Notifier(manager.address, PERIOD, pause=pauses).fed(alive):
        await pauses.begun()
        assert manager.heard_nothing_more()
        pauses.end()

        assert "WATCHDOG=1" == await manager.heard()


async def test_feeding_ends_with_its_block(manager: Manager) -> None:
    """After the block nothing feeds the watchdog."""
    async with feeding(manager, [True]) as pauses:
        await pauses.begun()
        await manager.heard()
    pauses.end()
    await asyncio.sleep(0)

    assert manager.heard_nothing_more()
    assert [] == [task for task in asyncio.all_tasks() if task.get_name() == "systemd.watchdog"]


@pytest.mark.parametrize("address", [None, "", "vsock:2:1234"])
async def test_without_a_manager_nothing_is_told(address: str | None) -> None:
    """Where no Unix socket is named every message is a no-op, and nothing is fed."""
    pauses = Pauses()
    notifier = Notifier(address, PERIOD, pause=pauses)
    await notifier.ready("ready")
    async with notifier.fed(lambda: True):
        await asyncio.sleep(0)

    assert [] == pauses.taken


async def test_a_manager_that_is_gone_is_no_failure(tmp_path: Path) -> None:
    """A message that can't be delivered is dropped."""
    await Notifier(str(tmp_path / "nobody"), None).ready("ready")


async def test_a_manager_that_does_not_read_is_not_waited_for(
    manager: Manager, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full queue of the manager's holds a message up for a bounded time, then it is dropped."""
    monkeypatch.setattr("bot.infra.systemd.SEND_LIMIT", SEND_LIMIT / 100)
    full = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    full.setblocking(False)
    full.connect(manager.socket.getsockname())
    with full, contextlib.suppress(BlockingIOError):
        for _ in range(10_000):
            full.send(b"STATUS=busy")

    await Notifier(manager.address, None).ready("ready")

    assert "STATUS=busy" == await manager.heard()
