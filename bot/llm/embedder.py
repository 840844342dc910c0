"""Turns texts into vectors, persistently: what to cut, to ask again and to leave out, whatever makes the vectors."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot import errors, log
from bot.config import EmbedderSettings, LocalEmbedderSettings
from bot.infra.metrics import EMBEDDER, Metrics
from bot.llm import retries
from bot.llm.failures import Failure
from bot.llm.local_vectors import LocalVectors
from bot.llm.server_vectors import ServerVectors
from bot.llm.vector_source import TextRefused, Told, Vector, VectorSource

_log = log.logger(__name__)

LONGEST_TEXT: Final = 2000
"""Letters of a text that are sent: what it is about is told by then, and most embedders read no further."""
PROBE: Final = "ok"
"""A text no embedder refuses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderProbe:
    """How the embedder answered one short text."""

    model: str
    place: str
    seconds: float
    dimension: int
    error: str | None


class Embedder:
    """One embedding model; safe to share between tasks of one event loop."""

    def __init__(
        self,
        settings: EmbedderSettings | LocalEmbedderSettings,
        *,
        source: VectorSource | None = None,
        metrics: Metrics | None = None,
        pause: timedelta = retries.PAUSE,
        sleep: retries.Sleep = asyncio.sleep,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`source` makes the vectors, where it is not the one of the settings."""
        self._source: VectorSource = source or (
            LocalVectors(settings) if isinstance(settings, LocalEmbedderSettings) else ServerVectors(settings, now=now)
        )
        self._metrics = metrics or Metrics()
        self._pause = pause
        self._sleep = sleep
        self._last: str | None = None

    @property
    def model(self) -> str:
        """The model's name, by which vectors of another are told apart."""
        return self._source.model

    @property
    def batch(self) -> int:
        """How many texts it takes at once."""
        return self._source.batch

    @property
    def last_call(self) -> str | None:
        """How the last call ended, in a few words; none before the first."""
        return self._last

    async def embed(self, texts: Sequence[str]) -> list[Vector | None]:
        """A vector for each text, all of one length; none for a text that is blank or that the server does not take.

        Tried again for as long as the settings say. Raises `ModelRefused` and `ModelUnreachable`.
        """
        sendable = [number for number, text in enumerate(texts) if text.strip()]
        try:
            made = await self._embedded([texts[number] for number in sendable]) if sendable else []
        except Failure as exc:
            raise self._unanswered(exc) from exc
        vectors: list[Vector | None] = [None] * len(texts)
        for number, vector in zip(sendable, made, strict=True):
            vectors[number] = vector
        return vectors

    async def embed_one(self, text: str, *, within: timedelta) -> Vector:
        """The vector of one text, asked for once. Raises `TimeoutError`, `ModelRefused` and `ModelUnreachable`."""
        try:
            async with asyncio.timeout(within.total_seconds()):
                (vector,) = await self._counted([text])
        except Failure as exc:
            raise self._unanswered(exc) from exc
        if vector is None:
            raise errors.ModelRefused(f"The embedder {self.model} knows no vector for this text.")
        return vector

    async def probe(self, *, within: timedelta) -> EmbedderProbe:
        """Calls the model with one short text, without retries."""
        started, dimension, error = time.perf_counter(), 0, None
        try:
            async with asyncio.timeout(within.total_seconds()):
                (vector,) = await self._counted([PROBE])
            dimension = len(vector or ())
        except TimeoutError:
            error = self._silence(within).why
        except Failure as exc:
            error = exc.why
        return EmbedderProbe(
            model=self.model,
            place=self._source.place,
            seconds=time.perf_counter() - started,
            dimension=dimension,
            error=error,
        )

    async def fetch(self, told: Told) -> None:
        """Fetch what the model lacks on this machine; at once where it lacks nothing. Raises `ModelError`."""
        try:
            await self._source.fetch(told)
        except Failure as exc:
            raise self._unanswered(exc) from exc

    async def aclose(self) -> None:
        """Free what the model holds."""
        await self._source.aclose()

    async def _embedded(self, texts: Sequence[str]) -> list[Vector | None]:
        """Embeds all at once; if that is refused, in halves, down to the refused text."""
        try:
            return await self._persistently(texts)
        except TextRefused:
            # What refuses everything is no matter of one text.
            await self._persistently([PROBE])
            return await self._halved(texts)

    async def _halved(self, texts: Sequence[str]) -> list[Vector | None]:
        if len(texts) == 1:
            return [None]
        made: list[Vector | None] = []
        middle = len(texts) // 2
        for half in (texts[:middle], texts[middle:]):
            try:
                made += await self._persistently(half)
            except TextRefused:
                made += await self._halved(half)
        return made

    async def _persistently(self, texts: Sequence[str]) -> list[Vector | None]:
        bound = self._source.patience
        deadline = time.monotonic() + bound.total_seconds()

        async def attempt() -> list[Vector | None]:
            try:
                async with asyncio.timeout(deadline - time.monotonic()):
                    return await self._counted(texts)
            except TimeoutError:
                raise self._silence(bound) from None

        def told(number: int, failure: Failure, wait: timedelta) -> None:
            _log.warning(
                "embedder.retried",
                model=self.model,
                attempt=number,
                status=failure.status,
                reason=failure.kind,
                wait=round(wait.total_seconds(), 3),
            )

        return await retries.persist(attempt, deadline=bound, told=told, pause=self._pause, sleep=self._sleep)

    async def _counted(self, texts: Sequence[str]) -> list[Vector | None]:
        """One request, counted however it ends."""
        started, failure = time.perf_counter(), errors.ModelUnreachable()
        try:
            vectors = await self._source.vectors([_cut(text) for text in texts])
        except Failure as exc:
            failure = errors.ModelRefused() if exc.refused else failure
            self._last = f"last call failed: {exc.why}"
            raise
        except asyncio.CancelledError:
            self._last = f"last call given up after {time.perf_counter() - started:.1f} s"
            raise
        else:
            failure = None
            self._last = f"last call ok in {time.perf_counter() - started:.1f} s"
            return vectors
        finally:
            self._metrics.model_called(EMBEDDER, time.perf_counter() - started, failure=failure)

    def _silence(self, bound: timedelta) -> Failure:
        """Nothing came within `bound`."""
        why = f"{self._source.place} did not answer within {bound.total_seconds():g} s"
        return Failure(why, kind="timeout", retry=True)

    def _unanswered(self, failure: Failure) -> errors.ModelError:
        _log.warning("embedder.failed", model=self.model, status=failure.status, reason=failure.kind)
        kind = errors.ModelRefused if failure.refused else errors.ModelUnreachable
        return kind(f"The embedder {self.model} does not answer: {failure.why}.")


def _cut(text: str) -> str:
    """As much of a text as is read. A lone surrogate can't be sent, and would fail the whole batch."""
    return text[:LONGEST_TEXT].encode("utf-8", "replace").decode()
