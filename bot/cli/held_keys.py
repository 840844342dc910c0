"""Holds what is typed at the terminal while nothing reads it; needs nothing of Hathi, so that it can come first."""

import contextlib
import sys
import termios
from collections.abc import Generator


@contextlib.contextmanager
def held() -> Generator[None]:
    """Keeps what is typed while nothing is read from being echoed into an answer: the next prompt has it.

    Ctrl-C still interrupts, and throws nothing of it away. Before and after a prompt reads keys by itself, the terminal
    is as it is set here. Where nobody types, nothing is done.
    """
    if not typed():
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    held = [*before]
    held[0] &= ~termios.ICRNL
    held[3] = (held[3] | termios.NOFLSH) & ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, held)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def typed() -> bool:
    """Whether somebody types, and sees what is answered; neither stream may be there."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))  # pyright: ignore[reportUnnecessaryComparison]
