"""The laws of what is typed while nothing reads it."""

import contextlib
import os
import pty
import select
import sys
import termios
import types
from collections.abc import Generator
from typing import Any, NoReturn

import pytest

from bot import __main__, config, errors, log
from bot.cli import held_keys

_LOCAL = 3
"""Where the modes of a terminal hold what it does with what is typed."""


@contextlib.contextmanager
def _typist(monkeypatch: pytest.MonkeyPatch) -> Generator[int]:
    """Who types at a terminal that standard input and output are."""
    master, screen = pty.openpty()
    with (
        open(screen, closefd=False) as read,
        open(screen, "w", closefd=False) as write,
        monkeypatch.context() as patched,
    ):
        patched.setattr(sys, "stdin", read)
        patched.setattr(sys, "stdout", write)
        yield master
    os.close(master)
    os.close(screen)


def _echoes() -> bool:
    return bool(termios.tcgetattr(sys.stdin)[_LOCAL] & termios.ECHO)


@pytest.mark.parametrize("name", ["chat", "demo"])
def test_nothing_is_echoed_from_before_the_program_is_loaded(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Both conversations hold the keys around all they load, and let them go at the end."""
    held = list[bool]()

    def load(_: object) -> NoReturn:
        held.append(_echoes())
        raise errors.SettingsError("There are none.")

    monkeypatch.setattr(config, "load", load)
    monkeypatch.setattr(log, "configure", lambda **_: None)
    command: Any = getattr(__main__, name)
    with _typist(monkeypatch):
        with pytest.raises(SystemExit):
            command(types.SimpleNamespace(obj=None), *([None] if name == "demo" else []))
        held.append(_echoes())
    assert held == [False, True]


def test_an_interrupt_throws_away_nothing_that_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C stops an answer; the lines for after it stay."""
    with _typist(monkeypatch) as typist, held_keys.held():
        os.write(typist, b"typed ahead\r")
        os.write(typist, b"\x03")
        ready, _, _ = select.select([sys.stdin.fileno()], [], [], 5)
        assert ready
        assert os.read(sys.stdin.fileno(), 100) == b"typed ahead\r"


def test_where_nobody_types_nothing_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Piped, or with a stream that is closed."""
    monkeypatch.setattr(sys, "stdin", None)
    with held_keys.held():
        assert not held_keys.typed()
