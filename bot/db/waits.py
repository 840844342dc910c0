"""How long one task and those it starts have been waiting for the database, so that whoever asked can be told."""

import asyncio
import itertools
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar


class Wait:
    """What is waited for, by when it began in the event loop's time."""

    def __init__(self) -> None:
        self._begun: dict[int, float] = {}
        self._keys = itertools.count()

    @property
    def since(self) -> float | None:
        """When what is waited for longest began; none while nothing is."""
        return min(self._begun.values(), default=None)

    @contextmanager
    def going_on(self, since: float) -> Generator[None]:
        """A block in which the database is waited for."""
        key = next(self._keys)
        self._begun[key] = since
        try:
            yield
        finally:
            del self._begun[key]


_wait: ContextVar[Wait | None] = ContextVar("_wait", default=None)


@contextmanager
def watched(wait: Wait) -> Generator[None]:
    """A block of which all waiting is told to `wait`, with that of the tasks it starts."""
    token = _wait.set(wait)
    try:
        yield
    finally:
        _wait.reset(token)


@contextmanager
def waiting(since: float | None = None) -> Generator[None]:
    """A block in which the database is waited for, from now on or from an earlier moment of the event loop's time."""
    wait = _wait.get()
    if wait is None:
        yield
        return
    with wait.going_on(asyncio.get_running_loop().time() if since is None else since):
        yield
