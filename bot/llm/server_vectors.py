"""Asks any OpenAI-compatible `/v1/embeddings` for vectors."""

import re
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, ValidationError

from bot.config import EmbedderSettings
from bot.llm import failures
from bot.llm.connections import Connections
from bot.llm.failures import Failure
from bot.llm.vector_source import TextRefused, Told, Vector

BATCH_TIME: Final = timedelta(seconds=60)
"""For one batch, retries included, unless the settings say otherwise."""
_ABOUT_THE_TEXT: Final = frozenset({400, 413, 422})
_TOO_LONG: Final = re.compile(r"too (?:large|long)|context|maximum")
"""How servers that answer 500 to a text they can't take say so."""


class _Item(BaseModel):
    index: int | None = None
    embedding: list[Annotated[float, Field(allow_inf_nan=False)]] = Field(min_length=1)


class _Answer(BaseModel):
    data: list[_Item]


class ServerVectors:
    """One embedding model on a server."""

    def __init__(self, settings: EmbedderSettings, *, now: Callable[[], float] = time.time) -> None:
        self._settings = settings
        self._connections = Connections(now=now)
        self.model = settings.model
        self.place = failures.host(settings)
        self.batch = settings.batch
        self.patience = settings.timeout or BATCH_TIME

    async def vectors(self, texts: Sequence[str]) -> list[Vector | None]:
        """The vectors, by one request. Raises `Failure` and `TextRefused`."""
        # Floats are understood by every server; base64 is not.
        body: dict[str, Any] = {"model": self.model, "input": list(texts), "encoding_format": "float"}
        if self._settings.dimensions is not None:
            body["dimensions"] = self._settings.dimensions
        try:
            async with await self._connections.post(self._settings, "embeddings", body) as response:
                answer = await response.read()
        except Failure as exc:
            if not _is_about_the_text(exc):
                raise
            raise TextRefused(exc.why, kind="status", retry=False, refused=True, status=exc.status) from exc
        except Exception as exc:
            raise failures.of_exception(self._settings, exc) from exc
        return self._read(answer, len(texts))

    async def fetch(self, told: Told) -> None:
        """Nothing: the server has its model."""

    async def aclose(self) -> None:
        """Close every connection."""
        await self._connections.aclose()

    def _read(self, answer: bytes, count: int) -> list[Vector | None]:
        """The vectors in the order of their texts. A vector without a direction is none. Raises `Failure`."""
        try:
            items = _Answer.model_validate_json(answer).data
        except ValidationError:
            raise failures.of_garbage(self._settings) from None
        if all(item.index is not None for item in items):
            items = sorted(items, key=lambda item: item.index or 0)
        vectors = [item.embedding for item in items]
        lengths = {len(vector) for vector in vectors}
        wanted = self._settings.dimensions
        if len(vectors) != count or len(lengths) != 1 or wanted not in {None, *lengths}:
            raise failures.of_garbage(self._settings)
        return [vector if any(vector) else None for vector in vectors]


def _is_about_the_text(failure: Failure) -> bool:
    if failure.status == 500:
        return bool(_TOO_LONG.search(failure.told))
    return failure.status in _ABOUT_THE_TEXT
