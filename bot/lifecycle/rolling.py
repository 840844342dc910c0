"""Keeps the rolling summary of a channel: each version is made of the one before it and the chunks since."""

import asyncio
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final

from bot import errors, log
from bot.domain import ChannelId, Message, MessageId, Role, SpaceId, id_time
from bot.grounding import provenance
from bot.language.statements import extraction
from bot.lifecycle.summarizer import Summarizer
from bot.llm.messages import ChatMessage
from bot.llm.tokens import cut_to, estimate
from bot.store.chunks import Chunk, ChunkClaim, Chunks
from bot.text import normalize, sentences

_log = log.logger(__name__)

MOST_TOKENS: Final = 600
"""Of a version; one that is longer loses what it tells first, which the ledger keeps."""
MOST_LOST: Final = 1 / 3
"""Of the names and numbers of what it is made of, the share a version may leave out."""
_WORD: Final = re.compile(r"[^\W_]{2,40}")


class RollingSummaries:
    """Makes versions by the summarizer; where it can't be had, or changes what was said, by appending the chunks."""

    def __init__(
        self, chunks: Chunks, summarizer: Summarizer, instructions: str, clock: Callable[[], datetime]
    ) -> None:
        self._chunks = chunks
        self._summarizer = summarizer
        self._instructions = instructions
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
        if self._summarizer.is_there and len(parts) > 1:
            try:
                for _ in range(2):
                    text, model = await self._asked(space_id, parts)
                    if await asyncio.to_thread(is_faithful, text, parts, id_time(fresh[-1].chunk_id)):
                        return text, model
                _log.warning("summary.roll_refused", chunks=len(fresh))
            except (errors.ModelError, errors.BudgetSpent) as exc:
                _log.warning("summary.roll_failed", error=type(exc).__name__)
        return shortened("\n\n".join(parts)), extraction.NAME

    async def _asked(self, space_id: SpaceId, parts: Sequence[str]) -> tuple[str, str]:
        before, *since = parts
        told = "\n\n".join(since)
        prompt = [
            ChatMessage(role="system", content=self._instructions),
            ChatMessage(role="user", content=f"## The summary so far\n{before}\n\n## Since then\n{told}"),
        ]
        answer = await self._summarizer.complete(space_id, prompt)
        return "" if answer.cut_off else normalize.shown(answer.text).strip(), answer.model


def is_faithful(text: str, parts: Sequence[str], at: datetime) -> bool:
    """Whether a version holds no name, number or date that its parts do not, and most of those they do."""
    if not text or estimate(text) > MOST_TOKENS:
        return False
    wanted = set[str]().union(*map(names_and_numbers, parts))
    said = names_and_numbers(text) | {word.lower() for word in _WORD.findall(text)}
    if len(wanted - said) > MOST_LOST * len(wanted):
        return False
    return all(
        provenance.stands(sentence, [_line(part, at) for part in parts], zone="UTC", share=0.0)
        for sentence in sentences.split(text)
    )


def names_and_numbers(text: str) -> set[str]:
    """What has a digit, and what is written with a capital within a sentence, in lower case."""
    found = set[str]()
    for sentence in sentences.split(text):
        words = _WORD.findall(sentence)
        found |= {word.lower() for n, word in enumerate(words) if (n and word[0].isupper()) or not word.isalpha()}
    return found


def shortened(text: str) -> str:
    """The text without as many of its first sentences as make it too long."""
    if estimate(text) <= MOST_TOKENS:
        return text
    lines = sentences.split(text)
    costs = [estimate(line) + 1 for line in lines]
    first, left = 0, sum(costs)
    while left > MOST_TOKENS and first < len(lines) - 1:
        left -= costs[first]
        first += 1
    return cut_to(" ".join(lines[first:]), MOST_TOKENS)


def _line(part: str, at: datetime) -> Message:
    """A part as a line that a text is held against."""
    return Message(
        space_id=SpaceId(0),
        channel_id=ChannelId(0),
        message_id=MessageId(0),
        role=Role.PERSON,
        author_id=None,
        author="",
        content=part,
        said_at=at.astimezone(UTC),
    )
