"""Nothing starts on a prompt that is wrong."""

from pathlib import Path

import pytest

from bot import errors
from bot.db.pool import Database
from bot.prompting import prompt_tree
from tests.conftest import Clock
from tests.conversations import room


async def test_hathi_does_not_start_on_a_wrong_prompt(database: Database, clock: Clock, tmp_path: Path) -> None:
    """It says which file and line it is, before anybody is answered."""
    (tmp_path / prompt_tree.FOLDER).mkdir()
    (tmp_path / prompt_tree.FOLDER / "identity.md").write_text("Speak up.\n[SECTIONS]\ntoen: How it sounds")
    with pytest.raises(errors.SettingsError, match=r"prompts/identity\.md, line 3: there is no prompts/toen\.md"):
        async with room(database, clock, settings_dir=tmp_path):
            pass
