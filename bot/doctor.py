"""`hathi doctor`: what is wrong with this installation, and what to do about it."""

import contextlib
import os
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bot import app, config, errors
from bot.db import health, migrations
from bot.db.pool import Database
from bot.domain import ModelRole
from bot.llm.client import Models, Probe

MODEL_PATIENCE: Final = timedelta(seconds=20)
OLDEST_POSTGRES: Final = 15
_NEEDED: Final = ("btree_gin", "unaccent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at."""

    what: str
    found: str
    todo: str = ""
    """What would mend it; empty when nothing is wrong."""


async def examine(config_file: Path | None, console: Console | None = None) -> int:
    """Print a table of what was found; 1 when something is wrong, else 0."""
    findings = [finding async for finding in _findings(config_file)]
    table = Table("", "what", "found", "what to do", title="hathi doctor", title_justify="left")
    for finding in findings:
        table.add_row("✗" if finding.todo else "✓", *map(escape, (finding.what, finding.found, finding.todo)))
    (console or Console()).print(table)
    return 1 if any(finding.todo for finding in findings) else 0


async def _findings(config_file: Path | None) -> AsyncGenerator[Finding]:
    try:
        settings = config.load(config_file)
    except errors.SettingsError as exc:
        yield Finding(what="settings", found="not usable", todo=str(exc))
        return
    yield Finding(what="settings", found=str(config_file or settings.settings_dir))
    if settings.database_url is None:
        yield _data_directory(settings.data_dir)
    async with contextlib.aclosing(_database(settings)) as findings:
        async for finding in findings:
            yield finding
    async with contextlib.aclosing(_models(settings)) as findings:
        async for finding in findings:
            yield finding


def _data_directory(folder: Path) -> Finding:
    what = "data directory"
    if not folder.exists():
        return Finding(what=what, found=f"{folder} (made at the first start)")
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return Finding(what=what, found=f"{folder} is not writable", todo="give it to the user who runs hathi")
    if folder.stat().st_mode & 0o022:
        return Finding(what=what, found=f"{folder} is writable by others", todo=f"chmod go-w {folder}")
    return Finding(what=what, found=str(folder))


async def _database(settings: config.Settings) -> AsyncGenerator[Finding]:
    kind = "database (embedded)" if settings.database_url is None else "database (DATABASE_URL)"
    try:
        async with app.database(settings, own=False) as database:
            yield await _version(database, kind)
            yield await _extensions(database)
            yield await _migrations(database)
    except errors.DatabaseDown:
        todo = "check the address and that the server runs" if settings.database_url else "see postgres.log beside it"
        yield Finding(what=kind, found="can't be reached", todo=todo)
    except errors.DatabaseError as exc:
        yield Finding(what=kind, found="can't be used", todo=str(exc))


async def _version(database: Database, kind: str) -> Finding:
    version = await health.server_version(database)
    old = int(version.split(".")[0].split(" ")[0]) < OLDEST_POSTGRES
    return Finding(
        what=kind, found=f"Postgres {version}", todo=f"use Postgres {OLDEST_POSTGRES} or later" if old else ""
    )


async def _extensions(database: Database) -> Finding:
    available = await health.extensions(database)
    missing = [name for name in _NEEDED if name not in available]
    found = ", ".join(f"{name} {version}" if version else f"{name} (available)" for name, version in available.items())
    todo = f"install the packages that bring {' and '.join(missing)} (postgresql-contrib)" if missing else ""
    return Finding(what="extensions", found=found or "none", todo=todo)


async def _migrations(database: Database) -> Finding:
    pending = await migrations.pending(database)
    return Finding(
        what="migrations",
        found=f"{len(pending)} to run" if pending else "up to date",
        todo="hathi migrate (a start runs them too)" if pending else "",
    )


async def _models(settings: config.Settings) -> AsyncGenerator[Finding]:
    models = Models(settings.roles)
    try:
        asked = [role for role in ModelRole if models.has(role)]
        if not asked:
            yield Finding(what="models", found="none: answers come from memory alone")
        for role in asked:
            for probe in await models.probe(role, within=MODEL_PATIENCE):
                yield _probed(probe)
    finally:
        await models.aclose()


def _probed(probe: Probe) -> Finding:
    what = f"model {probe.role.value}"
    if probe.error is None:
        return Finding(what=what, found=f"{probe.model} at {probe.host}: answered in {probe.seconds:.1f} s")
    return Finding(what=what, found=f"{probe.model} at {probe.host}", todo=probe.error)
