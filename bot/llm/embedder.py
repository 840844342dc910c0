"""Turns texts into vectors by any OpenAI-compatible `/v1/embeddings`."""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, ValidationError

from bot import errors, log
from bot.config import EmbedderSettings
from bot.infra.metrics import EMBEDDER, Metrics
from bot.llm import failures, retries
from bot.llm.connections import Connections
from bot.llm.failures import Failure

_log = log.logger(__name__)

BATCH_TIME: Final = timedelta(seconds=60)
"""For one batch, retries included, unless the settings say otherwise."""
LONGEST_TEXT: Final = 2000
"""Letters of a text that are sent: what it is about is told by then, and most embedders read no further."""
PROBE: Final = "ok"
"""A text no embedder refuses."""
_ABOUT_THE_TEXT: Final = frozenset({400, 413, 422})
_TOO_LONG: Final = re.compile(r"too (?:large|long)|context|maximum")
"""How servers that answer 500 to a text they can't take say so."""

Vector = list[float]


class _TextRefused(Failure):
    """The server took the request, and not what was in it."""


class _Item(BaseModel):
    index: int | None = None
    embedding: list[Annotated[float, Field(allow_inf_nan=False)]] = Field(min_length=1)


class _Answer(BaseModel):
    data: list[_Item]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderProbe:
    """How the embedder answered one short text."""

    model: str
    host: str
    seconds: float
    dimension: int
    error: str | None


class Embedder:
    """One embedding model; safe to share between tasks of one event loop."""

    def __init__(
        self,
        settings: EmbedderSettings,
        *,
        metrics: Metrics | None = None,
        pause: timedelta = retries.PAUSE,
        sleep: retries.Sleep = asyncio.sleep,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.settings = settings
        self._metrics = metrics or Metrics()
        self._connections = Connections(now=now)
        self._pause = pause
        self._sleep = sleep
        self._last: str | None = None

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
            raise errors.ModelRefused(f"The embedder {self.settings.model} knows no vector for this text.")
        return vector

    async def probe(self, *, within: timedelta) -> EmbedderProbe:
        """Calls the model with one short text, without retries."""
        started, dimension, error = time.perf_counter(), 0, None
        try:
            async with asyncio.timeout(within.total_seconds()):
                (vector,) = await self._counted([PROBE])
            dimension = len(vector or ())
        except TimeoutError:
            error = failures.of_silence(self.settings, within, began=False).why
        except Failure as exc:
            error = exc.why
        return EmbedderProbe(
            model=self.settings.model,
            host=failures.host(self.settings),
            seconds=time.perf_counter() - started,
            dimension=dimension,
            error=error,
        )

    async def aclose(self) -> None:
        """Close every connection."""
        await self._connections.aclose()

    async def _embedded(self, texts: Sequence[str]) -> list[Vector | None]:
        """Embeds in one request; if the server refuses it, in halves, down to the refused text."""
        try:
            return await self._persistently(texts)
        except _TextRefused:
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
            except _TextRefused:
                made += await self._halved(half)
        return made

    async def _persistently(self, texts: Sequence[str]) -> list[Vector | None]:
        bound = self.settings.timeout or BATCH_TIME
        deadline = time.monotonic() + bound.total_seconds()

        async def attempt() -> list[Vector | None]:
            try:
                async with asyncio.timeout(deadline - time.monotonic()):
                    return await self._counted(texts)
            except TimeoutError:
                raise failures.of_silence(self.settings, bound, began=False) from None

        def told(number: int, failure: Failure, wait: timedelta) -> None:
            _log.warning(
                "embedder.retried",
                model=self.settings.model,
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
            vectors = await self._asked(texts)
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

    async def _asked(self, texts: Sequence[str]) -> list[Vector | None]:
        # A lone surrogate can't be sent; it would fail the whole batch.
        body: dict[str, Any] = {
            "model": self.settings.model,
            "input": [text[:LONGEST_TEXT].encode("utf-8", "replace").decode() for text in texts],
            # Understood by every server; base64 is not.
            "encoding_format": "float",
        }
        if self.settings.dimensions is not None:
            body["dimensions"] = self.settings.dimensions
        try:
            async with await self._connections.post(self.settings, "embeddings", body) as response:
                answer = await response.read()
        except Failure as exc:
            if not _is_about_the_text(exc):
                raise
            raise _TextRefused(exc.why, kind="status", retry=False, refused=True, status=exc.status) from exc
        except Exception as exc:
            raise failures.of_exception(self.settings, exc) from exc
        return self._read(answer, len(texts))

    def _read(self, answer: bytes, count: int) -> list[Vector | None]:
        """The vectors in the order of their texts. A vector without a direction is none. Raises `Failure`."""
        try:
            items = _Answer.model_validate_json(answer).data
        except ValidationError:
            raise failures.of_garbage(self.settings) from None
        if all(item.index is not None for item in items):
            items = sorted(items, key=lambda item: item.index or 0)
        vectors = [item.embedding for item in items]
        lengths = {len(vector) for vector in vectors}
        wanted = self.settings.dimensions
        if len(vectors) != count or len(lengths) != 1 or wanted not in {None, *lengths}:
            raise failures.of_garbage(self.settings)
        return [vector if any(vector) else None for vector in vectors]

    def _unanswered(self, failure: Failure) -> errors.ModelError:
        _log.warning("embedder.failed", model=self.settings.model, status=failure.status, reason=failure.kind)
        kind = errors.ModelRefused if failure.refused else errors.ModelUnreachable
        return kind(f"The embedder {self.settings.model} does not answer: {failure.why}.")


def _is_about_the_text(failure: Failure) -> bool:
    if failure.status == 500:
        return bool(_TOO_LONG.search(failure.told))
    return failure.status in _ABOUT_THE_TEXT
