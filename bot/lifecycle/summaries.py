"""Summarises closed sessions: what is in none of their chunks yet becomes the last of them, and all a chat summary."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot import errors, log
from bot.config import ChunkSettings
from bot.domain import ChannelId, MessageId, Saved, SessionId, SpaceId
from bot.infra import leases
from bot.infra.metrics import Metrics
from bot.language.statements import extraction
from bot.lifecycle import seams
from bot.lifecycle.distilling import MOST_FAILURES, Distiller
from bot.store.chunks import Distilled
from bot.store.memory_use import next_day
from bot.store.sessions import Claimed, Sessions
from bot.store.turns import Turns

_log = log.logger(__name__)

_TURN_POLL: Final = timedelta(milliseconds=100)
_TURNS_AT_MOST: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryDone:
    """The result of summarising one closed session."""

    space_id: SpaceId
    channel_id: int
    session_id: SessionId
    message_count: int
    saved: tuple[Saved, ...] = ()
    entries: int = 0
    """Of the ledger, that it came to."""
    by_rule: int = 0
    """Those of them that were made without the model there is."""
    retry_at: datetime | None = None
    """Set when it is not summarised yet."""
    why: str = ""
    """Why the model did not answer, for whoever is told causes."""
    notice: tuple[ChannelId, MessageId] | None = None
    """The message that told of the reset, to be edited."""
    by_itself: bool = False
    """Whether the session ended without anybody's reset: nobody waits to be told."""
    leaves_talk: bool = False
    """Whether what people said to each other there is not recorded, and may be made memory of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Left:
    """What is to be saved last of a session."""

    distilled: Distilled
    """Its last chunk."""
    said: Collection[MessageId]
    """All its messages."""
    before: Sequence[Saved]
    """What was saved of it just before."""


class Summaries:
    """Summarises closed sessions, one at a time a session, for as long as it takes."""

    def __init__(
        self,
        sessions: Sessions,
        turns: Turns,
        distiller: Distiller,
        settings: ChunkSettings,
        metrics: Metrics,
        clock: Callable[[], datetime],
    ) -> None:
        self._sessions = sessions
        self._turns = turns
        self.distiller = distiller
        self._settings = settings
        self._metrics = metrics
        self._clock = clock

    async def make(self, space_id: SpaceId, session_id: SessionId) -> SummaryDone | None:
        """The outcome for one closed session; none when another worker has it or it needs no summary.

        A failure, of whatever kind, is an outcome with `retry_at`: one session must not stop the others. Only a
        database that stays away raises, and then the lease runs out.
        """
        claimed = await self._sessions.claim(space_id, session_id, now=self._clock())
        if claimed is None:
            return None
        try:
            async with leases.holding(lambda: self._sessions.renew(claimed, now=self._clock())):
                await self._turns_ended(claimed)
                left = await self._distilled(claimed)
            made = await self._sessions.finish(claimed, left.distilled, left.said, left.before, now=self._clock())
        except errors.LeaseLost:
            _log.info("summary.lease_lost", session_id=session_id)
            return None
        except errors.DatabaseError:
            raise
        except (errors.BudgetSpent, errors.EvidenceGone, TimeoutError) as exc:
            # Something was taken back meanwhile, or is still being answered: no failure of the model's either.
            _log.info("summary.waits", session_id=session_id, error=type(exc).__name__)
            now = self._clock()
            at = next_day(now) if isinstance(exc, errors.BudgetSpent) else now + leases.FIRST_RETRY
            await self._sessions.wait(claimed, at, now=now)
            return replace(_outcome(claimed), retry_at=at)
        except (errors.ModelError, errors.SummaryUnusable) as exc:
            retry = await self._sessions.retry_later(claimed, now=self._clock())
            _log.warning("summary.failed", session_id=session_id, attempt=retry.failures, error=type(exc).__name__)
            why = str(exc) if isinstance(exc, errors.ModelError) else ""
            return replace(_outcome(claimed), retry_at=retry.at, why=why)
        except Exception:  # noqa: BLE001 - a fault of ours; the log has the cause
            _log.exception("summary.broke", session_id=session_id)
            retry = await self._sessions.retry_later(claimed, now=self._clock())
            return replace(_outcome(claimed), retry_at=retry.at)
        if left.distilled.read:
            self._metrics.chunk_made(by_rule=left.distilled.model == extraction.NAME)
        by_rule = made.models.count(extraction.NAME) if self.distiller.summarizer.is_there else 0
        count, entries = len(left.said), len(made.models)
        _log.info("summary.made", session_id=session_id, messages=count, saved=len(made.saved), by_rule=by_rule)
        return replace(_outcome(claimed), message_count=count, saved=made.saved, entries=entries, by_rule=by_rule)

    async def _distilled(self, claimed: Claimed) -> _Left:
        """Makes what is in no chunk yet into chunks, one after the other, and saves all but the last."""
        space_id, session_id, is_asked = claimed.space_id, claimed.session_id, claimed.is_asked
        messages, made = await self.distiller.read(space_id, session_id)
        left = [message for message in messages if message.message_id not in made]
        most, tokens = self._settings.messages, self._settings.tokens
        # Off the event loop: the tokens of all that is left are counted.
        *runs, last = await asyncio.to_thread(seams.cut, left, most=most, most_tokens=tokens) or [[]]
        before = list[Saved]()

        async def save(distilled: Distilled) -> None:
            by_rule = distilled.model == extraction.NAME
            before.extend(await self._sessions.keep(claimed, distilled, by_model=not by_rule, now=self._clock()))
            self._metrics.chunk_made(by_rule=by_rule)

        await self.distiller.distil_each(space_id, session_id, runs, save, failures=claimed.attempts, is_asked=is_asked)
        by_rule = claimed.attempts >= MOST_FAILURES and not runs
        distilled = await self.distiller.distil(space_id, session_id, last, by_rule=by_rule, is_asked=is_asked)
        said = {message.message_id for message in messages} | made
        return _Left(distilled=distilled, said=said, before=before)

    async def _turns_ended(self, claimed: Claimed) -> None:
        """Waits until the session's running turns have their replies, at most ten minutes."""
        async with asyncio.timeout(_TURNS_AT_MOST.total_seconds()):
            while await self._turns.in_progress(
                claimed.space_id, claimed.channel_id, claimed.session_id, now=self._clock()
            ):
                await asyncio.sleep(_TURN_POLL.total_seconds())


def _outcome(claimed: Claimed) -> SummaryDone:
    return SummaryDone(
        space_id=claimed.space_id,
        channel_id=claimed.channel_id,
        session_id=claimed.session_id,
        message_count=claimed.message_count,
        notice=claimed.notice,
        by_itself=claimed.by_itself,
        leaves_talk=claimed.leaves_talk,
    )
