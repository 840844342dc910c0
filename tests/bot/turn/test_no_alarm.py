"""The laws of a request to whoever has an alarm clock."""

import pytest

from bot.db.pool import Database
from bot.turn import request_answers
from tests.conftest import Clock
from tests.conversations import room
from tests.rows import column


@pytest.mark.parametrize(
    ("request_", "kept"),
    [
        ("remind me tmrw at 6 to bring my shoes", ["tmrw at 6 to bring my shoes"]),
        ("remind me on friday about the forerun", ["on friday about the forerun"]),
        ("set a reminder for 6 to bring shoes", ["for 6 to bring shoes"]),
        ("can you set a reminder?", []),
        ("remind me later", []),
    ],
)
async def test_what_is_to_come_back_at_a_time_is_kept_and_no_more(
    database: Database, clock: Clock, request_: str, kept: list[str]
) -> None:
    """It is said that nothing rings, also where nothing is said to be kept."""
    async with room(database, clock) as r:
        told = await r.say(request_)
    assert told.text.endswith(request_answers.NO_ALARM)
    assert kept == await column(database, "SELECT content FROM memory")
