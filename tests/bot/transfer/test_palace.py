"""The laws of moving what a palace and an identity hold."""

from pathlib import Path
from typing import Final

from bot import transfer
from bot.db.pool import Database
from bot.domain import TERMINAL_CHANNEL, TERMINAL_SPACE
from bot.store.spaces import Spaces
from tests import people
from tests.conftest import Clock
from tests.conversations import room

KIM: Final = people.caller("Kim", space=TERMINAL_SPACE, channel=TERMINAL_CHANNEL, person=0, admin=True)


async def test_a_spaces_own_survives_a_move(database: Database, target: Database, clock: Clock, tmp_path: Path) -> None:
    """An export holds it and an import brings it back, with the other settings of the space."""
    async with room(database, clock, who=KIM) as r:
        await r.run("!identity set I am the potter.")
        await r.run("!palace new code-review")
        await r.run("!room rename reviews lessons")
    await transfer.export_to(database, tmp_path / "f")
    await transfer.import_from(target, tmp_path / "f", language="english")
    assert "I am the potter." == await Spaces(target).identity(TERMINAL_SPACE)
    async with target.connection() as connection:
        moved = await connection.fetch("SELECT before FROM memory_event WHERE kind = 'moved'")
    assert [{"room": "reviews"}] == [row["before"] for row in moved]
