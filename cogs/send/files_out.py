"""Attaches the lines of an export to a reply, as files within Discord's size limit."""

import io
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

import discord

MOST_BYTES: Final = 8 * 2**20
"""Of one file; Discord takes ten mebibytes from a bot."""


async def files(lines: AsyncIterator[str] | None, name: str) -> AsyncGenerator[discord.File]:
    """The lines as files of whole lines, each made when the one before is sent: never all of them in memory."""
    number, piece = 0, bytearray()
    async for line in _none() if lines is None else lines:
        data = line.encode()
        if piece and len(piece) + len(data) > MOST_BYTES:
            number += 1
            yield _file(piece, name, number)
            piece = bytearray()
        piece += data
    if piece:
        yield _file(piece, name, number + 1)


def _file(piece: bytearray, name: str, number: int) -> discord.File:
    return discord.File(io.BytesIO(bytes(piece)), filename=f"{name}-{number}.jsonl")


async def _none() -> AsyncGenerator[str]:
    return
    yield
