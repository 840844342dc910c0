"""Keeps the rolling summary of a channel: each version is made of the one before it and the chunks since."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from bot import log
from bot.domain import SpaceId, id_time
from bot.language.statements import extraction
from bot.lifecycle.retelling import Retelling
from bot.lifecycle.summarizer import Summarizer
from bot.prompting import last_sentences
from bot.store.chunks import Chunk, ChunkClaim, Chunks

_log = log.logger(__name__)

MOST_TOKENS: Final = 600
"""Of a version; one that is longer loses what it tells first, which the ledger keeps."""
MOST_LOST: Final = 1 / 3
"""Of the names and numbers of what it is made of, the share a version may leave out."""


class RollingSummaries:
    """Makes versions by the summarizer; where it can't be had, or changes what was said, by appending the chunks."""

    def __init__(
        self, chunks: Chunks, summarizer: Summarizer, instructions: str, clock: Callable[[], datetime]
    ) -> None:
        self._chunks = chunks
        self._retelling = Retelling(summarizer, instructions, most_tokens=MOST_TOKENS, most_lost=MOST_LOST)
        self._clock = clock

    async def roll(self, claim: ChunkClaim) -> None:
        """Makes the versions that are due in a channel this worker holds; none where nothing is new.

        Raises `LeaseLost`, and `EvidenceGone` where what it is made of is taken back meanwhile.
        """
        while True:
            version, fresh = await self._chunks.rolled(claim)
            if not fresh:
                return
            told = [] if version is None else [version.text]
            text, model = await self._made(claim.space_id, [*told, *(chunk.text for chunk in fresh)], fresh)
            await self._chunks.roll(claim, version, fresh, text, model, now=self._clock())
            _log.info("summary.rolled", channel_id=claim.channel_id, chunks=len(fresh), model=model)

    async def _made(self, space_id: SpaceId, parts: Sequence[str], fresh: Sequence[Chunk]) -> tuple[str, str]:
        """The next version, and who wrote it."""
        before, *since = parts
        if since:
            told = "\n\n".join(since)
            asked = f"## The summary so far\n{before}\n\n## Since then\n{told}"
            made = await self._retelling.told(space_id, asked, parts, id_time(fresh[-1].chunk_id))
            if made is not None:
                return made
        # Off the event loop: all of it is read.
        return await asyncio.to_thread(last_sentences.of, "\n\n".join(parts), MOST_TOKENS), extraction.NAME
