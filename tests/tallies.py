"""What the tally is to be: counted from the memories themselves, as the migration filled it."""

from typing import Any, Final

TRUTH: Final = """
SELECT m.space_id, part.kind, part.room, part.name, m.channel_id, count(*) FILTER (WHERE m.tier = 'short') AS short,
       count(*) FILTER (WHERE m.tier = 'long') AS long, max(m.reinforced_at) AS changed_at
FROM memory m CROSS JOIN LATERAL (
    VALUES ('channel', '', ''), ('room', '', m.room), ('topic', '', m.topic), ('topic', m.room, m.topic)
    UNION ALL SELECT DISTINCT 'tag', '', tag FROM unnest(m.tags) AS tag) AS part (kind, room, name)
WHERE m.forgotten_at IS NULL AND m.superseded_by IS NULL
GROUP BY 1, 2, 3, 4, 5"""


async def fill(connection: Any) -> None:
    """Tallies memories that a test or a benchmark has put into the table itself."""
    await connection.execute(
        f"TRUNCATE tally;INSERT INTO tally (space_id, kind, room, name, channel_id, short, long, changed_at) {TRUTH}"
    )


async def differing(connection: Any) -> list[tuple[Any, ...]]:
    """Where the tally is not what there is, both beside each other; a change may be later than what is left tells."""
    rows = await connection.fetch(
        f"SELECT kind, room, name, channel_id, t.short, t.long, m.short AS is_short, m.long AS is_long "
        f"FROM tally t FULL JOIN ({TRUTH}) AS m USING (space_id, kind, room, name, channel_id) "
        "WHERE (t.short, t.long) IS DISTINCT FROM (m.short, m.long) OR t.changed_at < m.changed_at ORDER BY 1, 2, 3, 4"
    )
    return [tuple(row) for row in rows]
