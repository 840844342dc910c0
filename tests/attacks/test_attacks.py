"""The corpus of attacks: every attempt is held, and the harness notices one that is not."""

import contextlib
import os
import tempfile
from collections import Counter
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio

from bot import log
from bot.config import DatabaseSettings
from bot.db import pool
from tests.attacks import claims, corpus, play, stage, steps
from tests.attacks.corpus import Attempt
from tests.attacks.stage import Stage
from tests.conftest import on

LEAST = {"leaks": 35, "poisoning": 35, "bridging": 40, "erasure": 31, "denial": 14, "outside": 15}
"""How many attempts each class has at least."""
pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass
class Stages:
    """One Hathi for all attempts of a setup, one at a time."""

    server: str
    folder: Path
    _open: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)
    _current: Stage | None = None

    async def of(self, attempt: Attempt) -> Stage:
        """The Hathi of an attempt's setup."""
        if self._current is None or self._current.setup != attempt.setup:
            await self.close()
            name = f"attacked_{os.getpid()}_{attempt.setup}"
            admin = await asyncpg.connect(self.server)
            await admin.execute(f"DROP DATABASE IF EXISTS {name}")
            await admin.execute(f"CREATE DATABASE {name}")
            await admin.close()
            database = await self._open.enter_async_context(pool.opened(on(self.server, name), DatabaseSettings()))
            own = Path(tempfile.mkdtemp(dir=self.folder))
            self._current = await self._open.enter_async_context(stage.opened(attempt.setup, database, own))
        return self._current

    async def close(self) -> None:
        """Let it go."""
        self._current = None
        await self._open.aclose()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stages(server: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stages]:
    opened = Stages(server, tmp_path_factory.mktemp("attacked"))
    yield opened
    await opened.close()
    log.configure(to=Path(os.devnull))


def every(attempts: Iterable[Attempt]) -> pytest.MarkDecorator:
    """The attempts, those of one setup beside each other."""
    ordered = sorted(attempts, key=lambda attempt: [*stage.SETUPS].index(attempt.setup))
    return pytest.mark.parametrize("attempt", [pytest.param(each, id=each.key) for each in ordered])


@every(corpus.attempts())
async def test_the_attempt_is_held(stages: Stages, attempt: Attempt) -> None:
    """What had to happen did, and what must not come about did not."""
    outcome = await play.tried(await stages.of(attempt), attempt)
    assert outcome.is_held, f"{attempt.title}: {outcome.why}"


WALLS_DOWN = corpus.read(corpus.FOLDER / "walls_down.toml")
"""Attempts that come about, as what they go for is allowed: one at least for each class and each kind of claim."""


@every(WALLS_DOWN)
async def test_a_broken_wall_is_noticed(stages: Stages, attempt: Attempt) -> None:
    """What came about is told as that, by the claim that it made true, which is true at once."""
    outcome = await play.tried(await stages.of(attempt), attempt, patience=0)
    assert (False, f"it came about: {attempt.never[0]}") == (outcome.is_held, outcome.why)


@pytest.mark.parametrize(
    ("must", "steps_more", "why"),
    [
        (["Bob sees Buckthorn"], "", "nothing is proved, for it must be: Bob sees Buckthorn"),
        (["Ann sees Fine."], "the model says: unheard", "nothing is proved: 1 answers were not asked for"),
        (["Ann sees Fine."], 'Ann edits "never said" to: x', "the step"),
    ],
)
async def test_what_did_not_happen_is_not_held(stages: Stages, must: list[str], steps_more: str, why: str) -> None:
    """An attempt whose control fails, whose scripted model was not asked, or whose step can't be done, is broken."""
    table = {
        "id": "nothing-happens",
        "title": "Nothing happens",
        "steps": f"Ann in #general: @Hathi hello\n{steps_more}",
        "must": must,
        "never": ["Bob sees Buckthorn"],
    }
    attempt = corpus.made("leaks", table)
    outcome = await play.tried(await stages.of(attempt), attempt)
    assert not outcome.is_held
    assert outcome.why.startswith(why)


async def test_every_class_has_its_attempts() -> None:
    """So many at least, together 130 and more."""
    counts = Counter(attempt.kind for attempt in corpus.attempts())
    assert {} == {kind: counts[kind] for kind, least in LEAST.items() if counts[kind] < least}
    assert 130 <= sum(counts.values())


async def test_every_line_can_be_read() -> None:
    """Steps and claims alike, and of the steps and claims that there are each is used."""
    attempts = [*corpus.attempts(), *WALLS_DOWN]
    played = {steps.read(line)[0] for attempt in attempts for line in attempt.steps}
    claimed = {claims.read(line)[0] for attempt in attempts for line in (*attempt.must, *attempt.never)}
    assert set() == set(steps.VERBS.values()) - played
    assert set() == set(claims.CLAIMS.values()) - claimed


@pytest.mark.parametrize("missing", ["id", "title", "steps", "must", "never"])
async def test_an_attempt_says_all_that_is_needed(missing: str) -> None:
    """Without a title it can't be told, without what must be it can't fail to happen."""
    whole = {"id": "a", "title": "t", "steps": "s", "must": ["m"], "never": ["n"]}
    with pytest.raises(ValueError, match=missing):
        corpus.made("leaks", {name: value for name, value in whole.items() if name != missing})
