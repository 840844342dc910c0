"""Condenses the oldest entries of a ledger that is past its budget into one."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from bot import log
from bot.domain import SpaceId, id_time
from bot.language.statements import extraction
from bot.lifecycle.retelling import Retelling, names_and_numbers
from bot.lifecycle.summarizer import Summarizer
from bot.llm.tokens import cut_to, estimate
from bot.store.chunks import ChunkClaim
from bot.store.condensations import MOST_APART, Condensations, KeptApart, Oldest
from bot.text import sentences

_log = log.logger(__name__)

MOST_TOKENS: Final = 900
"""Of a condensation."""
MOST_LOST: Final = 1 / 2
"""Of the names and numbers of what it is made of, the share it may leave out: it is far shorter."""
MOST_STEPS: Final = 8
"""Of one channel in a run: where a long ledger is condensed anew, the next run goes on."""


class Condenser:
    """Makes condensations by the summarizer; where it can't be had, or changes what was said, of telling sentences."""

    def __init__(
        self,
        condensations: Condensations,
        summarizer: Summarizer,
        instructions: str,
        ledger_tokens: int,
        clock: Callable[[], datetime],
    ) -> None:
        self.condensations = condensations
        self._retelling = Retelling(summarizer, instructions, most_tokens=MOST_TOKENS, most_lost=MOST_LOST)
        self._ledger_tokens = ledger_tokens
        self._clock = clock

    async def condense(self, claim: ChunkClaim) -> None:
        """Condenses the oldest half of the ledger of a channel this worker holds, as long as it is past its budget.

        Raises `LeaseLost`, and `EvidenceGone` where what it is made of is taken back meanwhile.
        """
        for _ in range(MOST_STEPS):
            oldest = await self.condensations.oldest(claim)
            # Off the event loop: the tokens of all of it are counted.
            taken = await asyncio.to_thread(self._taken, oldest)
            if not taken:
                return
            told = [] if oldest.before is None else [oldest.before.text]
            text, model = await self._made(claim.space_id, [*told, *(chunk.text for chunk in taken)], taken)
            await self.condensations.condense(claim, oldest, taken, text, model, now=self._clock())
            _log.info("ledger.condensed", channel_id=claim.channel_id, chunks=len(taken), model=model)

    def _taken(self, oldest: Oldest) -> Sequence[KeptApart]:
        """The chunks to be condensed now, with what stands for those before; none within the budget.

        The newest is none of them, and one entry alone is not condensed.
        """
        before = 0 if oldest.before is None else estimate(oldest.before.text)
        costs = [estimate(chunk.text) for chunk in oldest.chunks]
        whole = before + sum(costs)
        if whole <= self._ledger_tokens and len(costs) < MOST_APART:
            return ()
        half, least = whole // 2, 2 if oldest.before is None else 1
        room = half if self._retelling.room is None else min(half, self._retelling.room)
        count, spent = 0, before
        while count < len(costs) - 1 and (count < least or spent + costs[count] <= room):
            spent += costs[count]
            count += 1
        return oldest.chunks[:count] if count >= least else ()

    async def _made(self, space_id: SpaceId, parts: Sequence[str], taken: Sequence[KeptApart]) -> tuple[str, str]:
        """The condensation, and who wrote it."""
        entries = "\n\n".join(f"- {part}" for part in parts)
        asked = f"## The entries, oldest first\n{entries}"
        made = await self._retelling.told(space_id, asked, parts, id_time(taken[-1].chunk_id))
        # Off the event loop: all of it is read.
        return made or (await asyncio.to_thread(most_telling, "\n\n".join(parts)), extraction.NAME)


def most_telling(text: str) -> str:
    """Of a text that is too long the sentences with most names and numbers, as many as fit, in their order."""
    if estimate(text) <= MOST_TOKENS:
        return text
    told = [*dict.fromkeys(sentences.split(text))]
    kept, left = list[int](), MOST_TOKENS
    for number in sorted(range(len(told)), key=lambda number: -len(names_and_numbers(told[number]))):
        cost = estimate(told[number]) + 1
        if cost <= left:
            kept.append(number)
            left -= cost
    return " ".join(told[number] for number in sorted(kept)) or cut_to(text, MOST_TOKENS)
