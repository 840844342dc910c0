"""`!status`: how memory, jobs, database and model are doing."""

import time
from collections.abc import Callable
from datetime import datetime

import bot
from bot import errors
from bot.commands.invocation import Invocation
from bot.db import health
from bot.db.pool import Database
from bot.domain import ModelRole, Reply, Tier
from bot.infra.job_runs import Jobs
from bot.lifecycle.reworker import Reworker
from bot.lifecycle.summarizer import Spent, Summarizer
from bot.llm.failures import briefly
from bot.llm.models import Models
from bot.presentation import render, reworked
from bot.recall.librarian import Librarian
from bot.store.memory_lag import MemoryLag
from bot.store.vectors.embeddings import Embeddings
from bot.text.sanitize import counted


class StatusReport:
    """The use case behind `!status`."""

    def __init__(
        self,
        database: Database,
        librarian: Librarian,
        jobs: Jobs,
        models: Models,
        summarizer: Summarizer,
        lag: MemoryLag,
        reworker: Reworker,
        embeddings: Embeddings | None,
        clock: Callable[[], datetime],
    ) -> None:
        self._database = database
        self._librarian = librarian
        self._jobs = jobs
        self._models = models
        self._summarizer = summarizer
        self._lag = lag
        self._reworker = reworker
        self._embeddings = embeddings
        self._clock = clock

    async def status(self, given: Invocation) -> Reply:
        """One line for each part; a database that is away is reported as such.

        Whoever may not manage a server is told that something failed, and not where and why; of what the jobs did in
        all spaces nobody is told more than when.
        """
        lines, now = [f"Hathi {bot.__version__}"], self._clock()
        in_full = given.caller.is_told_causes
        try:
            started = time.perf_counter()
            version = await health.server_version(self._database)
            lines.append(f"database: Postgres {version}, answered in {(time.perf_counter() - started) * 1000:.1f} ms")
            rows, waiting = await self._librarian.counts(given.caller)
            lines.append(f"memories: {rows[Tier.SHORT]} short-term, {rows[Tier.LONG]} long-term")
            lines += [reworked.told(one) for one in await self._reworker.under_way(given.caller.space_id)]
            lines.append(f"sessions awaiting a summary: {waiting}")
            lag = await self._lag.of(given.caller)
            where = f" in {counted(lag.channels, 'channel')}" if lag.messages else ""
            lines.append(f"not yet in memory: {counted(lag.messages, 'message')}{where}")
            if self._summarizer.is_there:
                lines.append(_spent(await self._summarizer.spent(given.caller.space_id)))
            if self._embeddings is not None:
                lines.append(await self._embeddings.status(given.caller, in_full=in_full))
            lines += await self._runs(now) if in_full else []
        except errors.DatabaseError as exc:
            lines.append(f"database: {exc}")
        return Reply(text="\n".join([*lines, *_models(self._models, in_full=in_full)]))

    async def _runs(self, now: datetime) -> list[str]:
        runs = await self._jobs.last_runs(now=now)
        told = [f"{run.job}: {render.age(run.started_at, now)}, {'done' if run.outcome else 'running'}" for run in runs]
        return [f"job {each}" for each in told] or ["jobs: none has run yet"]


def _spent(spent: Spent) -> str:
    """What making memory cost today, and whether it goes on."""
    calls, tokens = f"{spent.used.calls:,} of {spent.calls:,}", f"{spent.used.tokens:,} of {spent.tokens:,}"
    waits = "; that is used up, and what waits is made after midnight UTC" if spent.is_up else ""
    return f"made memory today: model calls {calls}, tokens {tokens}{waits}"


def _models(models: Models, *, in_full: bool) -> list[str]:
    lines: list[str] = []
    for role in ModelRole:
        if models.has(role):
            last = models.last_call(role) or "not asked yet"
            lines.append(f"model {role.value}: {models.settings(role).model}, {last if in_full else briefly(last)}")
    return lines or ["model: none; answers come from memory alone (docs/MODELS.md tells how to connect one)"]
