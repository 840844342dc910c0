"""Makes vectors on this machine: asks `sentence_model.py`, which runs in a process of its own, a text at a time."""

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from bot import log
from bot.config import LocalEmbedderSettings
from bot.llm import failures, model_files
from bot.llm.failures import Failure
from bot.llm.vector_source import TextRefused, Told, Vector

_log = log.logger(__name__)

PROGRAM: Final = Path(__file__).with_name("sentence_model.py")
INSTALL: Final = "pip install --require-hashes -r requirements-local.txt"
"""What brings the libraries it needs, from a checkout."""
EXTRA: Final = "hathi-bot[local]"
"""The same for who installs the wheel."""
BATCH: Final = 64
BATCH_TIME: Final = timedelta(seconds=60)
START: Final = timedelta(seconds=30)
LONGEST: Final = timedelta(seconds=20)
"""For one text, of which the longest takes a tenth of a second; a process that is not done by then hangs."""
AGAIN: Final = timedelta(minutes=1)
"""After this a model that could not be started, or fetched, is tried again."""
# Nothing of ours: the environment holds the bot's tokens.
_ENVIRONMENT: Final = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
_LONGEST_ANSWER: Final = 2**20
UNREAD: Final = "local model"
"""The name of a model until it is read; then a part of its SHA-256 follows."""


class _Ended(Exception):
    """The process is not there any more."""


@dataclass(slots=True, kw_only=True)
class _Process:
    """The running program, asked by one at a time."""

    process: asyncio.subprocess.Process

    async def said(self) -> Any:
        """The next line of its output. Raises `_Ended`."""
        assert self.process.stdout is not None
        try:
            return json.loads(await self.process.stdout.readline())
        except ValueError as exc:
            raise _Ended from exc

    async def vector(self, text: str) -> Vector | None:
        """The answer to one text. Raises `_Ended`."""
        assert self.process.stdin is not None
        with contextlib.suppress(ConnectionError):
            self.process.stdin.write(json.dumps(text).encode() + b"\n")
            await self.process.stdin.drain()
        return await self.said()

    async def end(self) -> None:
        """Kill it: there is nothing it would have to finish."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()


class LocalVectors:
    """One sentence model on this machine. It starts, and its files are fetched, when it is first asked."""

    def __init__(
        self,
        settings: LocalEmbedderSettings,
        *,
        python: str = sys.executable,
        longest: timedelta = LONGEST,
        again: timedelta = AGAIN,
    ) -> None:
        self._settings = settings
        self._python = python
        self._longest = longest
        self._again = again
        self._turn = asyncio.Lock()
        self._opening: asyncio.Task[_Process | Failure] | None = None
        self._opened_at = 0.0
        self._exchange: asyncio.Task[Vector | None] | None = None
        self._fetched = ""
        """How far a fetch is, while there is one."""
        self._is_closed = False
        self.model = UNREAD
        self.place = "this machine"
        self.batch = BATCH
        self.patience = BATCH_TIME

    async def vectors(self, texts: Sequence[str]) -> list[Vector | None]:
        """The vectors, one text after the other: whoever asks meanwhile comes in between. Raises `Failure`."""
        return [await self._vector(text) for text in texts]

    async def fetch(self, told: Told) -> None:
        """Fetch now what the model lacks. Raises `Failure`."""
        if model_files.missing(self._settings):
            await model_files.fetch(self._settings, told)

    async def aclose(self) -> None:
        """End the process."""
        self._is_closed = True
        if self._opening is None:
            return
        self._opening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            opened = await self._opening
            if isinstance(opened, _Process):
                await opened.end()

    @property
    def pid(self) -> int | None:
        """The process that makes the vectors; none while there is none."""
        opened = self._opening.result() if self._opening is not None and self._opening.done() else None
        return opened.process.pid if isinstance(opened, _Process) else None

    async def opened(self) -> None:
        """Wait until the process that was asked for runs, or failed to."""
        if self._opening is not None:
            await asyncio.wait({self._opening})

    async def _vector(self, text: str) -> Vector | None:
        for _ in range(2):
            with contextlib.suppress(_Ended):
                return await self._asked(text)
        why = f"its process on {self.place} ended at a text, twice"
        raise TextRefused(why, kind="cut", retry=False, refused=True)

    async def _asked(self, text: str) -> Vector | None:
        process = await self._process()
        await self._turn.acquire()
        # Whoever does not wait for the answer leaves it to be read, before the next text is sent.
        self._exchange = asyncio.create_task(self._exchanged(process, text))
        self._exchange.add_done_callback(lambda _: self._turn.release())
        return await asyncio.shield(self._exchange)

    async def _exchanged(self, process: _Process, text: str) -> Vector | None:
        try:
            async with asyncio.timeout(self._longest.total_seconds()):
                return await process.vector(text)
        except TimeoutError:
            await self._put_away(process)
            raise Failure(f"its process on {self.place} hung and was ended", kind="stalled", retry=True) from None
        except _Ended:
            await self._put_away(process)
            raise

    async def _process(self) -> _Process:
        """The running process, started if there is none. Raises `Failure`, at once while the files are fetched."""
        if self._is_closed:
            raise failures.of_end()
        if self._opening is None or self._may_be_tried_again(self._opening):
            self._opened_at = time.monotonic()
            self._fetched = "0 MB so far" if model_files.missing(self._settings) else ""
            self._opening = asyncio.create_task(self._open())
        if self._fetched:
            raise Failure(f"its files are being fetched, {self._fetched}", kind="unreachable", retry=False)
        # Goes on when whoever asked first does not wait.
        opened = await asyncio.shield(self._opening)
        if isinstance(opened, Failure):
            raise opened.with_traceback(None)
        return opened

    def _may_be_tried_again(self, opening: "asyncio.Task[_Process | Failure]") -> bool:
        failed = opening.done() and isinstance(opening.result(), Failure)
        return failed and time.monotonic() - self._opened_at >= self._again.total_seconds()

    async def _put_away(self, process: _Process) -> None:
        """End a process that is of no use any more; the next text starts another."""
        if self._opening is not None and self._opening.done() and self._opening.result() is process:
            self._opening = None
        await process.end()
        _log.warning("embedder.process_ended", code=process.process.returncode)

    async def _open(self) -> _Process | Failure:
        """What it failed with is no exception: maybe nobody waits any more."""
        try:
            if model_files.missing(self._settings):
                await model_files.fetch(self._settings, self._tell)
                _log.info("embedder.fetched", folder=str(self._settings.folder))
                self._fetched = ""
            return await self._start()
        except Failure as exc:
            return exc
        finally:
            self._fetched = ""

    def _tell(self, name: str, came: int, total: int | None) -> None:
        of = f" of {total // 10**6}" if total else ""
        self._fetched = f"{came // 10**6}{of} MB of {name} so far"

    async def _start(self) -> _Process:
        """A process that has read its model. Raises `Failure`."""
        try:
            process = await asyncio.create_subprocess_exec(
                self._python,
                "-I",
                str(PROGRAM),
                str(self._settings.folder),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                # Ctrl+C at the terminal is for Hathi.
                start_new_session=True,
                env=_ENVIRONMENT,
                cwd="/",
                limit=_LONGEST_ANSWER,
            )
        except OSError as exc:
            raise _unusable(f"its process can't be started: {exc.strerror}") from exc
        own = _Process(process=process)
        try:
            async with asyncio.timeout(START.total_seconds()):
                self.model = self._name_in(await own.said())
        except BaseException as exc:
            await own.end()
            if isinstance(exc, TimeoutError | _Ended):
                raise _unusable("its process ended, or hung, while it started") from exc
            raise
        return own

    def _name_in(self, said: dict[str, Any]) -> str:
        """The name of the model that a process has read. Raises `Failure`."""
        if spoilt := model_files.spoilt(self._settings, said.get("files", {})):
            names = " and ".join(map(str, spoilt))
            raise _unusable(f"what is in {names} is not what was fetched; delete it, and it is fetched again")
        if "lacks" in said:
            raise _unusable(
                f"{said['lacks']} is not installed; it comes with {EXTRA}, or in Hathi's checkout and environment by "
                f"{INSTALL}"
            )
        if "error" in said:
            raise _unusable(said["error"])
        name = f"{UNREAD} {said['model'][:12]}"
        if self.model not in {UNREAD, name}:
            raise _unusable("its files have changed; start Hathi again")
        return name


def _unusable(why: str) -> Failure:
    return Failure(why, kind="unreachable", retry=False, refused=True)
