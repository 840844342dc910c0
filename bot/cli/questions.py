"""Asks a person at a terminal: a line, a secret, one of several, yes or no.

Plain reads in the main thread, so that Ctrl-C ends them at once.
"""

import termios
from collections.abc import Callable, Sequence
from typing import Final, TextIO, TypeVar

from bot import errors
from bot.text import sanitize

T = TypeVar("T")
_YES: Final = {"y", "yes"}
_NO: Final = {"n", "no"}


class Questions:
    """Questions on one terminal; the end of its input is a Ctrl-C."""

    def __init__(self, typed: TextIO, screen: TextIO) -> None:
        self._typed = typed
        self._screen = screen

    def tell(self, text: str) -> None:
        """A line of text, without what a terminal would obey."""
        self._screen.write(f"{sanitize.shown(text)}\n")
        self._screen.flush()

    def line(self, question: str, default: str = "") -> str:
        """What is typed, without blanks around it; Enter alone is the default."""
        return self._asked(f"{question} [{default}]: " if default else f"{question}: ") or default

    def secret(self, question: str) -> str:
        """The same, not shown while it is typed."""
        before = termios.tcgetattr(self._typed.fileno())
        hidden = [*before]
        hidden[3] &= ~termios.ECHO
        termios.tcsetattr(self._typed.fileno(), termios.TCSADRAIN, hidden)
        try:
            return self._asked(f"{question} (not shown): ")
        finally:
            termios.tcsetattr(self._typed.fileno(), termios.TCSADRAIN, before)
            self.tell("")

    def choice(self, question: str, options: Sequence[str], default: int = 0) -> int:
        """The place of the option that is chosen by its number."""
        self.tell(question)
        for number, option in enumerate(options, 1):
            self.tell(f"  {number:2}  {option}")

        def chosen() -> int:
            typed = self.line("Number", str(default + 1))
            if not (typed.isdecimal() and 1 <= int(typed) <= len(options)):
                raise errors.BadArgument(f"That is no number from 1 to {len(options)}.")
            return int(typed) - 1

        return self.until_right(chosen)

    def yes(self, question: str, *, default: bool) -> bool:
        """Whether it is to be so."""

        def chosen() -> bool:
            typed = self._asked(f"{question} [{'Y/n' if default else 'y/N'}]: ").lower()
            if typed and typed not in _YES | _NO:
                raise errors.BadArgument("Please answer y or n.")
            return typed in _YES if typed else default

        return self.until_right(chosen)

    def until_right(self, question: Callable[[], T]) -> T:
        """What a question comes to, which is told what is wrong and asked again until nothing is."""
        while True:
            try:
                return question()
            except errors.HathiError as exc:
                self.tell(f"{exc}")

    def _asked(self, prompt: str) -> str:
        self._screen.write(prompt)
        self._screen.flush()
        if not (typed := self._typed.readline()):
            raise KeyboardInterrupt
        return typed.strip()
