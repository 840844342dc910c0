"""The laws of `hathi doctor`."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from bot import doctor
from tests.model_server import ModelServer, Reply, Status


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, dsn: str) -> Path:
    """A folder without settings, and a database that is there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", dsn)
    return tmp_path


async def examined() -> tuple[int, str]:
    out = Console(file=io.StringIO(), width=200)
    code = await doctor.examine(None, out)
    assert isinstance(out.file, io.StringIO)
    return code, out.file.getvalue()


async def test_a_sound_installation_exits_with_0(here: Path) -> None:
    """Settings, database, version, extensions and migrations are each named, and nothing is to do."""
    code, table = await examined()
    assert (0, False) == (code, "✗" in table)
    for what in ("settings", "database (DATABASE_URL)", "Postgres 18", "btree_gin", "up to date", "models"):
        assert what in table


async def test_every_model_is_called_for_real(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One call a role; a refused key is a finding with what to do, and the exit code is 1."""
    async with ModelServer(Reply(text="ok"), Status(status=401)) as server:
        monkeypatch.setenv("LLM_BASE_URL", server.base_url)
        monkeypatch.setenv("LLM_MODEL", "scripted")
        code, table = await examined()
    assert (1, 2) == (code, len(server.requests))
    assert ("model reasoning" in table, "refused the API key (401); check it" in table) == (True, True)


async def test_a_database_that_is_away_is_a_finding(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what to check; the rest is still examined."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann:secret@127.0.0.1:1/hathi")
    code, table = await examined()
    assert (1, True, False) == (code, "can't be reached" in table, "secret" in table)
    assert "models" in table


async def test_a_wrong_setting_ends_the_examination_with_its_name(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Brackets in the sentence are shown, not taken for colours."""
    monkeypatch.setenv("LLM_MODEL", "scripted")
    code, table = await examined()
    assert (1, True) == (code, "LLM_BASE_URL: is missing" in table and "[roles.reasoning]" in table)


async def test_a_data_directory_others_can_write_is_a_finding(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory somebody else could put a database into is named with the command that mends it."""
    folder = here / "data"
    folder.mkdir()
    folder.chmod(0o777)
    finding = doctor._data_directory(folder)
    assert f"chmod go-w {folder}" == finding.todo
