"""The disk of the data directory is full: one plain sentence, nothing damaged, and on it goes when there is room."""

import contextlib
import os
import random
import subprocess
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

from bot.commands.hello import HEARD_BRIEFLY
from tests.faults.terminals import START, Hathi, environment, hathi, said

SIZE: Final = "size=120m"
"""Room for a new database, which takes some 60 MB."""
GONE: Final = ("I can't reach my memory right now", "I lost my memory in the middle of this")
PATIENT: Final = 120.0
"""Seconds within which somebody is told: in the middle of an answer a database is waited for."""
MOST_MESSAGES: Final = 60


@pytest.fixture
def disk() -> Generator[Path]:
    """A small file system of our own."""
    if os.geteuid():
        pytest.skip("only root may mount a file system")
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-disk-") as made:
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"{SIZE},mode=711", "tmpfs", made], check=False).returncode:
            pytest.skip("no file system can be mounted here")
        try:
            yield Path(made)
        finally:
            subprocess.run(["umount", "--lazy", made], check=True)


def _fill(disk: Path) -> Path:
    """Leave no room at all."""
    ballast = disk / "ballast"
    with ballast.open("ab", buffering=0) as file:
        for size in (2**20, 4096, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"x" * size)
    return ballast


def _long(number: int) -> str:
    """A message that does not compress."""
    letters = random.Random(number)
    return f"message {number} " + " ".join(f"{letters.getrandbits(40):x}" for _ in range(300))


async def _until_refused(running: Hathi) -> int:
    """Say something until there is no room for it; how many messages had their usual answer."""
    for number in range(MOST_MESSAGES):
        before = len(running.out)
        running.say(_long(number))
        await running.shows(HEARD_BRIEFLY, *GONE, after=before, within=PATIENT)
        if any(words in running.out[before:] for words in GONE):
            return number
    raise AssertionError(f"{MOST_MESSAGES} messages found room on a full disk")


async def test_a_full_disk_is_told_and_nothing_is_damaged(disk: Path, tmp_path: Path) -> None:
    """The same process goes on when there is room again; earlier memories and messages are whole, now and later."""
    env = environment(tmp_path, HATHI_DATA_DIR=str(disk / "data"))
    async with hathi(tmp_path, env) as running:
        running.say("remember that the vault code is 4417.")
        await running.shows("[memory] saved: ", within=START)
        ballast = _fill(disk)
        kept = await _until_refused(running)
        ballast.unlink()
        before = len(running.out)
        running.say("remember that the retro is on Tuesday.")
        await running.shows("[memory] saved: ", after=before)
        running.say("!recall vault")
        await running.shows("4417", after=before)
        running.say("exit")
        assert await running.ends() == 0
        assert "Traceback" not in running.err
    later = await said(tmp_path, env, "!recall vault tier:short", "!recall retro tier:short", "!reset", "exit")
    assert "4417" in later
    assert "Tuesday" in later
    # Those that were answered, each with its reply; of the one that was refused not even the question.
    assert f"[memory] Summarizing {2 * (kept + 2)} messages" in later


async def test_a_start_on_a_full_disk_is_one_sentence_and_the_next_one_with_room_has_everything(
    disk: Path, tmp_path: Path
) -> None:
    """It says what is wrong and ends with 1, or starts and remembers; with room again all is there."""
    env = environment(tmp_path, HATHI_DATA_DIR=str(disk / "data"))
    assert "[memory] saved: " in await said(tmp_path, env, "remember that the vault code is 4417.", "exit")
    ballast = _fill(disk)
    async with hathi(tmp_path, env) as running:
        running.say("!recall vault tier:short")
        running.say("exit")
        code = await running.ends(START)
    assert "Traceback" not in running.err
    assert "disk" in running.err or "4417" in running.out
    assert (code == 0) == ("4417" in running.out)
    ballast.unlink()
    assert "4417" in await said(tmp_path, env, "!recall vault tier:short", "exit")
