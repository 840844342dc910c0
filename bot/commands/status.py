"""`!status`: how memory, jobs, database and model are doing."""

import time
from collections.abc import Callable
from datetime import datetime
from typing import Final

import bot
from bot import catalogue, errors
from bot.commands.invocation import Invocation
from bot.commands.mydata import receipt_text
from bot.db import health
from bot.db.pool import Database
from bot.domain import ModelRole, Reply, Tier
from bot.infra.job_runs import Jobs
from bot.lifecycle.reworker import Reworker
from bot.lifecycle.space_erasure import SpaceErasure
from bot.lifecycle.summarizer import Spent, Summarizer
from bot.llm.failures import briefly
from bot.llm.models import Models
from bot.presentation import render, reworked
from bot.recall.librarian import Librarian
from bot.store.memory_lag import Lag, MemoryLag
from bot.store.vectors.embeddings import Embeddings
from bot.text import amounts

_DONE: Final = catalogue.later("job {job}: {age}, done")
_RUNNING: Final = catalogue.later("job {job}: {age}, running")


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
        erasure: SpaceErasure,
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
        self._erasure = erasure
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
            told = catalogue.gettext("database: Postgres {version}, answered in {time} ms")
            lines.append(told.format(version=version, time=f"{(time.perf_counter() - started) * 1000:.1f}"))
            rows, waiting = await self._librarian.counts(given.caller)
            told = catalogue.gettext("memories: {short} short-term, {long} long-term")
            lines.append(told.format(short=rows[Tier.SHORT], long=rows[Tier.LONG]))
            lines += [reworked.told(one) for one in await self._reworker.under_way(given.caller.space_id)]
            if (left := await self._erasure.left(given.caller.space_id)) is not None:
                lines.append(
                    catalogue.gettext("being erased, and read by nobody: {left}").format(left=receipt_text(left))
                )
            lines.append(catalogue.gettext("sessions awaiting a summary: {count}").format(count=waiting))
            lines.append(_lagging(await self._lag.of(given.caller)))
            if self._summarizer.is_there:
                lines.append(_spent(await self._summarizer.spent(given.caller.space_id)))
            if self._embeddings is not None:
                lines.append(await self._embeddings.status(given.caller, in_full=in_full))
            lines += await self._runs(now) if in_full else []
        except errors.DatabaseError as exc:
            lines.append(catalogue.gettext("database: {trouble}").format(trouble=exc.said(given.caller.prefix)))
        return Reply(text="\n".join([*lines, *_models(self._models, in_full=in_full)]))

    async def _runs(self, now: datetime) -> list[str]:
        runs = await self._jobs.last_runs(now=now)
        lines = list[str]()
        for run in runs:
            told = _DONE if run.outcome else _RUNNING
            lines.append(catalogue.gettext(told).format(job=run.job, age=render.age(run.started_at, now)))
        return lines or [catalogue.gettext("jobs: none has run yet")]


def _lagging(lag: Lag) -> str:
    """How much of what was said is not in memory yet."""
    told = (
        catalogue.gettext("not yet in memory: {messages} in {channels}")
        if lag.messages
        else catalogue.gettext("not yet in memory: {messages}")
    )
    messages = amounts.told(amounts.messages(lag.messages), is_least=lag.is_least)
    return told.format(messages=messages, channels=amounts.told(amounts.channels(lag.channels), is_least=lag.is_least))


def _spent(spent: Spent) -> str:
    """What making memory cost today, and whether it goes on."""
    told = (
        catalogue.gettext(
            "made memory today: model calls {calls} of {most_calls}, tokens {tokens} of {most_tokens}; that is used "
            "up, and what waits is made after midnight UTC"
        )
        if spent.is_up
        else catalogue.gettext(
            "made memory today: model calls {calls} of {most_calls}, tokens {tokens} of {most_tokens}"
        )
    )
    return told.format(
        calls=amounts.number(spent.used.calls),
        most_calls=amounts.number(spent.calls),
        tokens=amounts.number(spent.used.tokens),
        most_tokens=amounts.number(spent.tokens),
    )


def _models(models: Models, *, in_full: bool) -> list[str]:
    lines: list[str] = []
    for role in ModelRole:
        if models.has(role):
            last = models.last_call(role)
            how = catalogue.gettext("not asked yet") if last is None else last if in_full else briefly(last)
            told = catalogue.gettext("model {role}: {model}, {how}")
            lines.append(told.format(role=role.value, model=models.settings(role).model, how=how))
    if lines:
        return lines
    return [catalogue.gettext("model: none; answers come from memory alone (docs/MODELS.md tells how to connect one)")]
