"""What time it is by Discord."""

from datetime import UTC, datetime

import pytest

from bot.connection import discord_time
from bot.db.pool import Database
from tests import discord_bot


@pytest.mark.parametrize(
    ("date", "at"),
    [
        ("Mon, 02 Mar 2026 12:00:05 GMT", datetime(2026, 3, 2, 12, 0, 5, tzinfo=UTC)),
        ("Mon, 02 Mar 2026 13:00:05 +0100", datetime(2026, 3, 2, 12, 0, 5, tzinfo=UTC)),
        ("", None),
        ("yesterday", None),
        ("Mon, 99 Mar 2026 12:00:05 GMT", None),
    ],
)
def test_the_date_of_a_response(date: str, at: datetime | None) -> None:
    """In UTC; one that is no date says nothing."""
    assert at == discord_time.read(date)


async def test_hathi_believes_postgres_once_discord_agrees(database: Database) -> None:
    """At its log-in, by the first response; and goes by Postgres's clock."""
    async with discord_bot.running(database, clock=None) as bot:
        assert bot.app.timeline is bot.app.clock
        assert bot.app.timeline is not None
        assert (True, "") == (bot.app.timeline.sure.is_set(), bot.app.timeline.doubt)
