"""The scenes of the pictures come about with this Hathi, and what is missing is told; nothing is drawn here."""

import sys
from pathlib import Path
from types import ModuleType

import pytest
import simcord

from bot.db.pool import Database
from cogs.ui import drawn_lists
from tests.cogs.simulated import buttons, shown
from tests.conftest import Clock
from tests.pictures import __main__ as pictures
from tests.pictures import potters, scenes, studio


async def test_the_eight_scenes_come_about(database: Database, clock: Clock):
    """Each is something that Hathi said, and the answer rests on what the potters told it.

    Under the three that README shows (`docs/pictures/`) stand the buttons that are drawn there: where these change, the
    pictures are to be drawn anew (`python -m tests.pictures OUT/`).
    """
    told: dict[str, str] = {}
    pressed: dict[str, list[str]] = {}
    async with studio.opened(database, clock) as opened:
        async for scene in scenes.scenes(opened):
            said = scene.shown
            assert scene.viewer in opened.people
            if isinstance(said, simcord.InteractionResult):
                assert said.response is not None
                said = said.response.message
            assert opened.client.user == said.author
            pressed[scene.name] = buttons(said)
            told[scene.name] = "\n".join([shown(said), *(str(embed.to_dict()) for embed in said.embeds)])
    assert ["introduction", "reset", "answer", "why", "recall", "memories", "about-me", "help"] == [*told]
    assert all(told.values())
    assert told["answer"].startswith(potters.ANSWER.partition(" [")[0])
    assert "10 memories" in told["reset"]
    for name, fact in (("recall", "Tenmoku"), ("memories", "spare key"), ("about-me", "wheel by the window")):
        assert fact in told[name]
    assert ["Why?", "Regenerate"] == pressed["answer"]
    assert [drawn_lists.MORE, "How exactly?"] == pressed["why"]
    assert [*[drawn_lists.MORE] * 6, "Page 2 ▶"] == pressed["memories"]


async def test_a_command_of_another_name_is_found(database: Database, clock: Clock):
    """Of several names the first that is a command is given, and where none is, that is said."""
    async with studio.opened(database, clock) as opened:
        given = await opened.gives(potters.POTTER, "no-such", "help")
        assert given.response is not None
        with pytest.raises(LookupError, match="no-such"):
            await opened.gives(potters.POTTER, "no-such")


def test_a_missing_browser_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    """Without the browser, or without the renderer, one sentence says what brings it, and nothing is written."""
    out, programs = tmp_path / "out", tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setattr(sys, "argv", ["pictures", str(out)])
    monkeypatch.setenv("PATH", str(programs))
    assert (1, f"{pictures.NO_BROWSER}\n") == (pictures.main(), capsys.readouterr().err)
    browser = programs / pictures.BROWSER
    browser.touch(mode=0o755)
    monkeypatch.setitem(sys.modules, "playwright", None)
    assert 1 == pictures.main()
    assert capsys.readouterr().err.startswith(pictures.NO_RENDERER)
    assert not out.exists()


def test_the_browser_found_is_the_one_that_starts(monkeypatch: pytest.MonkeyPatch):
    """Whoever starts a browser within the block starts the one that was found, and none after it."""

    class BrowserType:
        def launch(self, *, executable_path: str | None = None) -> str | None:
            return executable_path

    playwright = ModuleType("playwright.async_api")
    monkeypatch.setattr(playwright, "BrowserType", BrowserType, raising=False)
    monkeypatch.setitem(sys.modules, "playwright", ModuleType("playwright"))
    monkeypatch.setitem(sys.modules, "playwright.async_api", playwright)
    with pictures.started_as("/usr/bin/found"):
        assert "/usr/bin/found" == BrowserType().launch()
    assert BrowserType().launch() is None
