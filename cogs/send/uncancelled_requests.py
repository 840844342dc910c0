"""Runs Discord requests in tasks that are never cancelled; cancelling one can block discord.py for good."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")


def start(request: Coroutine[None, None, T]) -> asyncio.Task[T]:
    """A request in a task of its own, which must not be cancelled.

    For discord.py holds up every request while one waits for the global rate limit, and one that is cancelled while
    it waits would hold them up for ever. Its failure may be looked at or not.
    """
    task = asyncio.create_task(request)
    task.add_done_callback(_look_at)
    return task


def _look_at(task: asyncio.Task[T]) -> None:
    if not task.cancelled():
        task.exception()
