"""Registers work that somebody waits for, so that a shutdown can wait for it."""

import asyncio
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class InProgress(Generic[T]):
    """The running tasks, with the message or interaction that asked for each."""

    def __init__(self) -> None:
        self._work: dict[asyncio.Task[Any], T] = {}

    def take(self, asked: T) -> None:
        """Registers the running task until the block ends."""
        task = asyncio.current_task()
        assert task is not None
        if task not in self._work:
            task.add_done_callback(self._work.pop)
        self._work[task] = asked

    @property
    def tasks(self) -> frozenset[asyncio.Task[Any]]:
        """The registered tasks."""
        return frozenset(self._work)

    @property
    def asked(self) -> tuple[T, ...]:
        """What unfinished tasks were asked by, oldest first."""
        return tuple(self._work.values())
