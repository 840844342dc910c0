"""Models of one or more scripted servers, for tests."""

import contextlib
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import timedelta
from typing import Any

from bot.config import Roles, RoleSettings
from bot.domain import ModelRole
from bot.llm import retries
from bot.llm.messages import ChatMessage, Finished, TextDelta, ToolSpec
from bot.llm.models import Models

REASONING = ModelRole.REASONING
HELLO = [ChatMessage(role="user", content="Hello, my secret is swordfish.")]
TOOL = ToolSpec(name="recall", description="Look.", parameters={"type": "object", "properties": {}})


class Naps:
    """Sleeping that takes no time and is remembered, in seconds."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


@contextlib.asynccontextmanager
async def asking(
    base_url: str,
    *fallbacks: str,
    naps: retries.Sleep | None = None,
    between: float = 5,
    now: float = 0,
    monotonic: Callable[[], float] = time.monotonic,
    **fields: Any,
) -> AsyncGenerator[Models]:
    """A reasoning model on the first address, its fallbacks on the others, named `m0`, `m1` and so on."""
    given = {"base_url": base_url, "model": "m0", "timeout": 5} | fields
    others = [
        {"base_url": url, "model": f"m{number}", "timeout": given["timeout"]} for number, url in enumerate(fallbacks, 1)
    ]
    role = RoleSettings.model_validate(given | {"fallbacks": others})
    models = Models(
        Roles(reasoning=role),
        between_tokens=timedelta(seconds=between),
        sleep=naps or Naps(),
        now=lambda: now,
        monotonic=monotonic,
    )
    try:
        yield models
    finally:
        await models.aclose()


async def answer(models: Models, tools: Sequence[ToolSpec] = ()) -> tuple[list[str], Finished]:
    """The pieces of text of one streamed answer, and its end."""
    pieces: list[str] = []
    async with contextlib.aclosing(models.stream(REASONING, HELLO, tools)) as events:
        async for event in events:
            match event:
                case TextDelta():
                    pieces.append(event.text)
                case Finished():
                    return pieces, event
    raise AssertionError("no end")
