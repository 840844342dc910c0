"""Plays attempts and tells of each whether what it went for was held, with why not where it was not."""

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.config import DatabaseSettings
from bot.db import embedded, pool
from tests import conftest
from tests.attacks import claims, stage, steps
from tests.attacks.corpus import Attempt
from tests.attacks.scene import SOON, Scene
from tests.attacks.stage import Stage

AT_MOST: Final = 60.0
"""Seconds one attempt may take; only one that waits in vain takes as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How an attempt ended."""

    attempt: Attempt
    is_held: bool
    why: str = ""
    """What came about, or what did not happen, where it is broken."""


async def tried(on: Stage, attempt: Attempt, *, patience: float = SOON) -> Outcome:
    """The outcome of one attempt on a running Hathi; what must not be has so many seconds in which to pass."""
    scene, why = Scene(on, attempt), "it did not begin"
    try:
        async with asyncio.timeout(AT_MOST):
            await scene.open()
            for line in attempt.steps:
                why = f"the step {line!r} was not carried out"
                await steps.play(scene, line)
            why = "its claims could not be looked at"
            for line in attempt.must:
                if not await claims.holds(scene, line, wanted=True):
                    return Outcome(attempt=attempt, is_held=False, why=f"nothing is proved, for it must be: {line}")
            for line in attempt.never:
                if await claims.holds(scene, line, wanted=False, within=patience):
                    return Outcome(attempt=attempt, is_held=False, why=f"it came about: {line}")
            if unsaid := on.place.model.steps:
                return Outcome(
                    attempt=attempt, is_held=False, why=f"nothing is proved: {len(unsaid)} answers were not asked for"
                )
            return Outcome(attempt=attempt, is_held=True)
    except Exception as exc:  # noqa: BLE001 - whatever kept it from happening is its outcome
        return Outcome(attempt=attempt, is_held=False, why=f"{why}: {type(exc).__name__} {exc}")
    finally:
        await scene.close()


async def all_tried(attempts: Sequence[Attempt]) -> AsyncGenerator[Outcome]:
    """Every outcome, on a Postgres of its own."""
    with tempfile.TemporaryDirectory(dir=conftest.in_memory(), prefix="hathi-attacks-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        for setup in dict.fromkeys(attempt.setup for attempt in attempts):
            own = folder / setup
            own.mkdir()
            async with (
                embedded.owned(own) as dsn,
                pool.opened(dsn, DatabaseSettings()) as database,
                stage.opened(setup, database, own) as on,
            ):
                for attempt in attempts:
                    if attempt.setup == setup:
                        yield await tried(on, attempt)
