"""Every step of a turn or a command, as a numbered point at which a test may let something happen."""

import contextlib
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cache
from typing import Any, Final, LiteralString

import asyncpg

from bot.cli.terminal import Screen
from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import MessageId, Reply
from bot.llm.models import Models
from bot.turn.delivery import Keep

_WRITES: Final = re.compile(r"\b(?:INSERT|UPDATE|DELETE)\b")

Happens = Callable[[int, str], Awaitable[None]]
"""What a test does at a point: its number, from 1, and its name."""


async def _nothing(_number: int, _name: str) -> None: ...


class Points:
    """Counts the steps done: each statement, each commit, each event of a model, each piece shown."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.armed = False
        self.before: Callable[[str], None] = lambda _name: None
        """Called with the name of a statement that is about to be sent."""
        self.happens: Happens = _nothing

    async def reached(self, name: str) -> None:
        """A step was done."""
        if self.armed:
            self.names.append(name)
            await self.happens(len(self.names), name)

    def begins(self, name: str) -> None:
        """A step is about to be done."""
        if self.armed:
            self.before(name)


@cache
def _names() -> dict[str, str]:
    return {text: f"{file}.{name}" for file in statements.files() for name, text in statements.load(file).items()}


def but_reads(names: Sequence[str]) -> list[str]:
    """The steps that are no statement which only reads: of reads made at one time any may come first."""
    reads = {name for text, name in _names().items() if not _WRITES.search(text)}
    return [name for name in names if name not in reads]


class _Watched:
    """A connection that tells of every statement it has carried out."""

    def __init__(self, connection: Connection, points: Points) -> None:
        self._connection = connection
        self._points = points

    async def execute(self, query: LiteralString, *args: Any, timeout: float | None = None) -> str:
        return await self._told(query, self._connection.execute(query, *args, timeout=timeout))

    async def fetch(self, query: LiteralString, *args: Any) -> Sequence[Row]:
        return await self._told(query, self._connection.fetch(query, *args))

    async def fetchrow(self, query: LiteralString, *args: Any) -> Row | None:
        return await self._told(query, self._connection.fetchrow(query, *args))

    async def fetchval(self, query: LiteralString, *args: Any) -> Any:
        return await self._told(query, self._connection.fetchval(query, *args))

    async def _told(self, query: str, work: Awaitable[Any]) -> Any:
        name = _names().get(query, "?")
        self._points.begins(name)
        result = await work
        await self._points.reached(name)
        return result

    def transaction(self) -> AbstractAsyncContextManager[Any]:
        return self._connection.transaction()


class WatchedDatabase(Database):
    """A database whose statements and commits are points."""

    def __init__(self, pool: asyncpg.Pool, points: Points) -> None:
        super().__init__(pool)
        self._points = points

    @contextlib.asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        async with super().connection() as connection:
            yield _Watched(connection, self._points)

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Connection]:
        async with super().transaction() as connection:
            yield connection
            self._points.begins("commit")
        await self._points.reached("commit")


def watch_models(models: Models, points: Points) -> None:
    """Make the start and every event of every model call a point."""
    plain = models.stream

    async def stream(*args: Any, **named: Any) -> AsyncGenerator[Any]:
        await points.reached("model asked")
        async with contextlib.aclosing(plain(*args, **named)) as events:
            async for event in events:
                await points.reached(f"model {type(event).__name__}")
                yield event

    models.stream = stream  # pyright: ignore[reportAttributeAccessIssue]


class WatchedScreen(Screen):
    """A screen whose every word is a point: before it is shown and after."""

    def __init__(self, points: Points) -> None:
        super().__init__(interactive=False)
        self._points = points
        self.spoken: list[str] = []
        """What was shown of answers, piece by piece."""

    async def show(self, text: str, keep: Keep) -> None:
        await self._points.reached("before show")
        await super().show(text, keep)
        await self._points.reached("shown")

    async def finish(self, text: str, notes: Sequence[str], reply: Reply | None = None) -> tuple[MessageId, ...]:
        await self._points.reached("before finish")
        sent = await super().finish(text, notes, reply)
        await self._points.reached("finished")
        return sent

    def more(self, text: str) -> None:
        super().more(text)
        self.spoken.append(text)
