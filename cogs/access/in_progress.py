"""Registers work that somebody waits for, so that a shutdown can wait for it."""

import asyncio
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class InProgress(Generic[T]):
    """What asked for the work that is being done."""

    def __init__(self) -> None:
        self._work: dict[asyncio.Task[Any], T] = {}

    def take(self, asked: T) -> None:
        """The running task does what is asked, until it ends."""
        task = asyncio.current_task()
        assert task is not None
        if task not in self._work:
            task.add_done_callback(self._work.pop)
        self._work[task] = asked

    @property
    def tasks(self) -> frozenset[asyncio.Task[Any]]:
        """The tasks at work."""
        return frozenset(self._work)

    @property
    def asked(self) -> tuple[T, ...]:
        """What is not done yet, in the order it was taken in hand."""
        return tuple(self._work.values())
