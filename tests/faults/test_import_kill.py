"""SIGKILL at every step of an import: nothing is lost, nothing is there twice."""

import asyncio
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from bot.db.pool import Database
from bot.domain import ChannelId, SpaceId
from bot.transfer import foreign
from tests.bot.transfer.foreign import stores
from tests.faults.crashes import NOW, ROOT
from tests.rows import rows

CHANNEL: Final = 71
FIRST: Final = 5000


@pytest.mark.parametrize("store", ["talk", "tiered", "chat"])
async def test_an_import_killed_at_any_step_is_completed_by_another(
    database: Database, dsn: str, tmp_path: Path, store: str
) -> None:
    """Whatever the process had done when it died, the same import again leaves all of the store, each thing once."""
    weeks = (stores.said(n, f"Said {n}", at=NOW - timedelta(days=60 - 8 * (n // 3), minutes=-n)) for n in range(1, 8))
    path = {"talk": lambda: stores.discord(tmp_path, *weeks), "tiered": lambda: stores.tiered(tmp_path)}.get(
        store, lambda: stores.chat(tmp_path)
    )()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.faults.killed_imports", dsn, path, str(FIRST), str(CHANNEL)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    died = int(out)
    whole = await held(database, FIRST + died + 1)
    assert any(whole)
    for step in range(1, died + 1):
        space = FIRST + step
        wanted = foreign.Takeover(
            space_id=SpaceId(space), channel=ChannelId(CHANNEL), write=True, now=NOW + timedelta(minutes=1)
        )
        await foreign.take_in(database, path, wanted)
        assert whole == await held(database, space), step


async def held(database: Database, space: int) -> list[list[Any]]:
    """What is in a space: what was said, in which sessions, what is remembered, and what talk came to."""
    return [
        await rows(database, query, space)  # type: ignore[arg-type]
        for query in (
            "SELECT message_id, content FROM message WHERE space_id = $1 ORDER BY 1",
            "SELECT content, tier, importance, metadata FROM memory WHERE space_id = $1 ORDER BY 1",
            "SELECT count(*) FROM memory_event WHERE space_id = $1",
            "SELECT text, message_count FROM chat_summary WHERE space_id = $1 ORDER BY 1",
            "SELECT text, last_hash FROM chunk WHERE space_id = $1 ORDER BY 1",
            "SELECT sum(message_count), count(*) FILTER (WHERE state = 'open') FROM session WHERE space_id = $1",
        )
    ]
