"""The laws of the command: a table on standard output, sentences on standard error, and an exit code that tells."""

import asyncio
import os
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from bot import log
from bot.__main__ import cli
from bot.db.pool import Database
from tests.bot.transfer.foreign import stores
from tests.rows import one
from tests.transfers import community, write

SAID: Final = "SELECT count(*) FROM message WHERE space_id = 7"


@pytest.fixture(autouse=True)
def _quiet_again() -> Generator[None]:
    """The command has its own way of logging."""
    yield
    log.configure(to=Path(os.devnull))


async def hathi(dsn: str, *words: object) -> tuple[int, str, str]:
    """Exit code, output and errors."""
    environment = {"DATABASE_URL": dsn, "HATHI_LOG_LEVEL": "ERROR"}
    done = await asyncio.to_thread(CliRunner().invoke, cli, [*map(str, words)], env=environment)
    return done.exit_code, done.stdout, done.stderr


async def test_a_store_is_shown_first_and_taken_in_when_told(database: Database, dsn: str, tmp_path: Path) -> None:
    """Without `--yes` a table and nothing else; with it the same table, and it is there. Hathi's own needs none."""
    file = stores.lines(tmp_path, stores.line("Hello", channel=71), "{broken")
    code, shown, told = await hathi(dsn, "import", file, "--space", 7)
    assert (0, 0) == (code, await one(database, SAID))
    assert "--yes" in told
    assert "line 2" in shown
    code, done, _ = await hathi(dsn, "import", file, "--space", 7, "--yes")
    assert (0, 1, shown) == (code, await one(database, SAID), done)
    own = tmp_path / "own.jsonl"
    write(own, community())
    code, _, _ = await hathi(dsn, "import", own)
    assert (0, 3) == (code, await one(database, "SELECT count(*) FROM message WHERE space_id = 0"))
    code, _, _ = await hathi(dsn, "export", tmp_path / "out", "--space", 7)
    assert (0, True) == (code, b'"space_id":7' in (tmp_path / "out").read_bytes())


async def test_what_cannot_be_taken_in_is_one_sentence(database: Database, dsn: str, tmp_path: Path) -> None:
    """Another shape, no channel, no such zone, nothing there: exit 1, no traceback, nothing written."""
    other = tmp_path / "x.json"
    other.write_text('{"users": []}', "utf-8")
    for words, why in (
        (("import", other, "--space", 7, "--yes"), "users"),
        (("import", stores.ledger(tmp_path), "--space", 7, "--yes"), "--channel"),
        (("import", other, "--space", 7, "--time-zone", "Mars/Base"), "Mars/Base"),
        (("export", tmp_path / "out", "--space", 7), "space 7"),
    ):
        code, out, told = await hathi(dsn, *words)
        assert (1, "", 1) == (code, out, len(told.strip().splitlines())), told
        assert told.startswith("hathi: ")
        assert why in told
    assert 0 == await one(database, SAID)
