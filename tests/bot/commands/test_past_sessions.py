"""The laws of `!sessions`."""

from bot.db.pool import Database
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import rows

MANY = """
INSERT INTO session (space_id, session_id, channel_id, number, state, opened_at, closed_at, message_count)
SELECT 1, n, 10, n + 1, 'summarised', now(), now(), CASE n WHEN 1100 THEN 0 ELSE 2 END
FROM generate_series(1, 1201) AS n RETURNING 1"""
"""More sessions of a channel than are counted, and one of which nothing was kept."""


async def title(r: Room, page: int) -> tuple[str, str]:
    """What the list is headed with, and the last line of its text."""
    reply = await r.app.commands.run(r.caller, "sessions", f"page:{page}", r.tell_later)
    assert reply.listing is not None
    return reply.listing.title, reply.text.splitlines()[-1]


async def test_they_are_counted_as_far_as_they_are_read(database: Database, clock: Clock) -> None:
    """So a page costs the same in a channel of any age; on the last the number is known."""
    async with room(database, clock) as r:
        await rows(database, MANY)
        first, last = await title(r, 1), await title(r, 240)
        told = await r.run("!sessions page:241")
    assert first == ("at least 1000 past sessions of this channel", "Page 1 of 200+; go on with !sessions page:2")
    assert last[0] == "1200 past sessions of this channel"
    assert last[1] == "    (nothing to summarise)"
    assert told == "No sessions on page 241."
