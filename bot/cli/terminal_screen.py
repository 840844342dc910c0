"""The terminal's screen: shows replies as they are made, on a terminal drawn for its width, piped as they are."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from typing import Final, Self

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.live import Live
from rich.segment import Segment
from rich.spinner import Spinner

from bot.cli.terminal_layout import Answered, Wrapped, blocks
from bot.domain import MemoryId, MessageId, Reply
from bot.presentation import both_sides
from bot.text.normalize import shown
from bot.turn.delivery import Keep

_TURNS: Final = 10
"""Times a second the spinner is drawn."""


class Screen:
    """Standard output, one writer at a time; a spinner until the first word of an answer."""

    def __init__(self, *, interactive: bool, console: Console | None = None) -> None:
        self._console = (console or Console(highlight=False)) if interactive else None
        self._lock = asyncio.Lock()
        self._live: Live | None = None
        self._told = ""
        """The reply so far."""
        self._stands = 0
        """How many blocks of it stand for good; on a terminal the last one is drawn anew until it is whole."""
        self.opened: Sequence[MemoryId] = ()
        """The memory of which it was asked last whether it holds, until something else is said."""

    @property
    def draws(self) -> bool:
        """Whether people read it, who see it drawn, and no other program does."""
        return self._console is not None

    def line(self, text: str) -> None:
        """One or more whole lines."""
        self._print(Wrapped(text)) if self._console else print(text, flush=True)

    def told(self, text: str) -> None:
        """The same with its Markdown drawn, where anything is."""
        self._print(Answered(text)) if self._console else self.line(text)

    def more(self, text: str) -> None:
        """More of the line being written, where nothing is drawn."""
        print(text, end="", flush=True)

    @contextlib.asynccontextmanager
    async def answering(self) -> AsyncGenerator["Screen"]:
        """The screen while one answer is written; lines of others wait until it is over."""
        async with self._lock:
            self._told, self._stands = "", 0
            if self._console:
                self._live = Live(
                    Spinner("dots"),
                    console=self._console,
                    transient=True,
                    refresh_per_second=_TURNS,
                    redirect_stdout=False,
                    redirect_stderr=False,
                )
                self._live.start()
            try:
                yield self
            finally:
                self._end()

    async def later(self, reply: Reply) -> None:
        """Lines that come when they are ready, never in the middle of an answer."""
        async with self._lock:
            self.line(reply.text)

    async def __aenter__(self) -> Self:
        """Nothing: the spinner turns already."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Nothing."""

    async def show(self, text: str, keep: Keep) -> None:
        """The answer so far."""
        await keep(text)
        self._tell(shown(text))

    async def finish(self, text: str, notes: Sequence[str], reply: Reply | None = None) -> tuple[MessageId, ...]:
        """The end of the answer, and what stands under it; there is nothing to press here."""
        self._tell(shown(text))
        self._end()
        self.opened = () if reply is None else both_sides.opened(reply)
        for note in notes:
            self.told(note)
        return ()

    async def withdraw(self) -> None:
        """Takes back what is still being drawn; what stands for good can't be, and nobody else reads it."""
        if self._console:
            self._told = self._standing()
        if self._live is not None:
            self._live.update(Spinner("dots"), refresh=True)

    def _tell(self, text: str) -> None:
        """The reply so far: its whole blocks for good, the last one as it is by now."""
        if not self._console:
            self._tell_on(text)
            return
        if not text.startswith(self._standing()):
            # It stands by itself, below what can't be taken back.
            self._stands = 0
        self._told, told = text, blocks(text)
        for whole in told[self._stands : -1]:
            self._stand(whole)
        if self._live is not None:
            self._live.update(_Bottom(Answered(told[-1].rstrip())), refresh=True)

    def _tell_on(self, text: str) -> None:
        """The same where nothing is drawn twice: only what is new."""
        if not text.startswith(self._told):
            self.more("\n")
            self._told = ""
        self.more(text[len(self._told) :])
        self._told = text

    def _standing(self) -> str:
        """What of the reply stands for good."""
        return "".join(blocks(self._told)[: self._stands])

    def _stand(self, block: str) -> None:
        """Prints a block of the reply for good, and the blank line it ends on."""
        self._print(Answered(block.rstrip()))
        if block.endswith("\n"):
            self._print("")
        self._stands += 1

    def _end(self) -> None:
        """Stops the spinner; of the reply everything stands then."""
        live, self._live = self._live, None
        if live is not None:
            live.stop()
        if self._told and not self._console:
            self.line("")
        elif self._told:
            for block in blocks(self._told.rstrip())[self._stands :]:
                self._stand(block)
        self._told, self._stands = "", 0

    def _print(self, what: RenderableType) -> None:
        assert self._console is not None
        # A long address is not cut, and not broken where it is to be copied.
        self._console.print(what, crop=False)


class _Bottom:
    """As much of something as the screen has room for, from its end."""

    def __init__(self, inner: RenderableType) -> None:
        self._inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Its last lines."""
        for line in console.render_lines(self._inner, options, pad=False)[1 - console.height :]:
            yield from line
            yield Segment.line()
