"""Real terminals: `python -m bot` in processes of its own, on pipes or on a pseudo-terminal."""

import asyncio
import contextlib
import os
import pty
import signal
import sys
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Final

from tests.conftest import QUICK_START
from tests.faults.crashes import ROOT

START: Final = 40.0
"""Seconds a first start may take on a busy machine: the database is created in them."""
ANSWER: Final = 20.0


def environment(folder: Path, **settings: str | None) -> dict[str, str]:
    """Nothing of the environment of the tests but what Python needs; settings that are none are left out."""
    base = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": f"{QUICK_START}:{ROOT}",
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "TERM": "xterm",
        "LANG": "C.UTF-8",
        "USER": "ann",
        "LOGNAME": "ann",
        "PROMPT_TOOLKIT_NO_CPR": "1",
    }
    return base | {name: value for name, value in settings.items() if value is not None}


def model(address: str) -> dict[str, str]:
    """The settings of a scripted model."""
    return {"LLM_BASE_URL": address, "LLM_MODEL": "scripted"}


class Hathi:
    """One process; what it printed so far, and where to type."""

    def __init__(self, process: asyncio.subprocess.Process, type_: Callable[[str], None]) -> None:
        self.process = process
        self.out = ""
        self.err = ""
        self._type = type_
        self._news = asyncio.Event()

    def say(self, line: str) -> None:
        """Type a line."""
        self._type(line)

    def printed(self, text: str) -> None:
        """Take note of more output."""
        self.out += text
        self._news.set()

    async def shows(self, *texts: str, after: int = 0, within: float = ANSWER) -> None:
        """Wait until one of the texts stands in its output, behind the first `after` characters."""
        try:
            async with asyncio.timeout(within):
                while not any(text in self.out[after:] for text in texts):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"{texts} was not printed; this was:\n{self.out[after:]}\n{self.err}") from None

    async def ends(self, within: float = ANSWER) -> int:
        """Its exit code."""
        async with asyncio.timeout(within):
            return await self.process.wait()

    async def kill(self) -> None:
        """SIGKILL to it alone: what it started must end by itself."""
        self.process.send_signal(signal.SIGKILL)
        await self.ends()


async def _read(reader: asyncio.StreamReader, take: Callable[[str], None]) -> None:
    with contextlib.suppress(OSError):  # a pseudo-terminal ends with EIO
        while piece := await reader.read(65_536):
            take(piece.decode("utf-8", "replace"))


def _heed_interrupts() -> None:
    """Has Ctrl-C end the program, as for whoever sits before it; where tests run in the background it is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextlib.asynccontextmanager
async def hathi(folder: Path, env: dict[str, str], *arguments: str, on_terminal: bool = False) -> AsyncGenerator[Hathi]:
    """`python -m bot`, killed at the end of the block if it still runs."""
    inside, outside = pty.openpty() if on_terminal else (-1, -1)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        *arguments,
        stdin=outside if on_terminal else asyncio.subprocess.PIPE,
        stdout=outside if on_terminal else asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=folder,
        env=env,
        start_new_session=True,
        preexec_fn=_heed_interrupts,
    )

    def type_(line: str) -> None:
        if on_terminal:
            os.write(inside, f"{line}\r".encode())
        else:
            assert process.stdin is not None
            process.stdin.write(f"{line}\n".encode())

    running = Hathi(process, type_)

    def complained(text: str) -> None:
        running.err += text

    assert process.stderr is not None
    screen: asyncio.BaseTransport | None = None
    if on_terminal:
        os.close(outside)
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        screen, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(inside, "rb", 0)
        )
    else:
        assert process.stdout is not None
        reader = process.stdout
    reading = [
        asyncio.create_task(_read(reader, running.printed)),
        asyncio.create_task(_read(process.stderr, complained)),
    ]
    try:
        yield running
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        if screen is not None:
            screen.close()
            for task in reading:
                task.cancel()
        await asyncio.wait(reading, timeout=5)


async def said(folder: Path, env: dict[str, str], *lines: str) -> str:
    """What a terminal prints that is piped these lines; it ends with exit 0."""
    async with hathi(folder, env) as running:
        for line in lines:
            running.say(line)
        assert running.process.stdin is not None
        running.process.stdin.close()
        code = await running.ends(START + ANSWER)
    assert code == 0, running.err
    return running.out


async def command(folder: Path, env: dict[str, str], *arguments: str) -> tuple[int, str, str]:
    """The exit code, output and complaints of a short command."""
    async with hathi(folder, env, *arguments) as running:
        code = await running.ends(START)
    return code, running.out, running.err
