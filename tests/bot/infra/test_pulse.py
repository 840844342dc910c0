"""The laws of the pulse: a process that stands still is seen from outside, and no other is taken for one."""

import asyncio
import os
import signal
import sys
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.infra import pulse
from bot.infra.pulse import Pulse
from tests.waiting import eventually

_BEATS: Final = """
import asyncio, pathlib, sys
from datetime import timedelta
from bot.infra import pulse
pulse.EVERY = timedelta(seconds=0.01)
async def run():
    async with pulse.Pulse(pathlib.Path(sys.argv[1]), alive=lambda: True, connected=lambda: True).kept():
        await asyncio.Event().wait()
asyncio.run(run())
"""


def _found(folder: Path) -> list[tuple[int, bool, bool]]:
    return [(beat.pid, beat.stands_still, beat.connected) for beat in pulse.beats(folder)]


async def test_a_process_that_stands_still_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped it is seen to stand still, set going again to live, and killed it is no longer looked for."""
    monkeypatch.setattr(pulse, "STILL_AFTER", timedelta(seconds=1))
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", _BEATS, str(tmp_path))
    try:
        await eventually(lambda: _found(tmp_path) == [(child.pid, False, True)])
        child.send_signal(signal.SIGSTOP)
        await eventually(lambda: _found(tmp_path) == [(child.pid, True, True)])
        child.send_signal(signal.SIGCONT)
        await eventually(lambda: _found(tmp_path) == [(child.pid, False, True)])
    finally:
        child.kill()
        await child.wait()
    assert [] == _found(tmp_path)


async def test_what_is_not_alive_does_not_beat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has lost its connection for good beats no more; one that is only away from Discord does."""
    monkeypatch.setattr(pulse, "EVERY", timedelta(0))
    alive = asyncio.Event()
    async with Pulse(tmp_path, alive=alive.is_set, connected=lambda: False).kept():
        assert [] == _found(tmp_path)
        alive.set()
        await eventually(lambda: _found(tmp_path) == [(os.getpid(), False, False)])
        alive.clear()
        # Read while it is being written it may be no beat at all.
        await eventually(lambda: any(beat.ago > timedelta(seconds=0.1) for beat in pulse.beats(tmp_path)))
    assert [] == _found(tmp_path)


@pytest.mark.parametrize("text", ["", "{}", "null", '{"pid": 1, "at": 1e12, "connected": true}'])
async def test_what_is_no_beat_of_this_run_of_the_machine_is_left_out(tmp_path: Path, text: str) -> None:
    """A file that is broken, or of before the machine was started again, says nothing of a process."""
    async with Pulse(tmp_path, alive=lambda: True, connected=lambda: True).kept():
        await eventually(lambda: _found(tmp_path))
        (file,) = (tmp_path / pulse.FOLDER).iterdir()
        file.write_text(text, "ascii")
        assert [] == _found(tmp_path)


async def test_a_folder_that_can_t_be_written_ends_nothing(tmp_path: Path) -> None:
    """A disk that takes no more is a line in the log; the service goes on, and nothing is told of it."""
    (tmp_path / pulse.FOLDER).write_text("in the way", "ascii")
    async with Pulse(tmp_path, alive=lambda: True, connected=lambda: True).kept():
        await asyncio.sleep(0)
        assert [] == _found(tmp_path)
