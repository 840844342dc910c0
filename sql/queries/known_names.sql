-- What the recall detector knows a space by. Nothing here writes, locks or calls a volatile function.

-- name: names
-- Names of people, now and before; of channels; and of what the newest memories are filed under and speak of. Of more
-- than there is room for, people stand first, then channels, each the latest first.
WITH recent AS MATERIALIZED (
    SELECT m.room, m.topic, m.entities, m.memory_id FROM filed_memory m
    WHERE m.space_id = $1 AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND (m.channel_id + 0) = ANY ($2::bigint[])
    ORDER BY m.memory_id DESC LIMIT $4),
named AS (
    SELECT p.name, 1 AS kind, extract(epoch FROM p.last_seen_at) AS at FROM member p WHERE p.space_id = $1
    UNION ALL
    SELECT c.name, 2, extract(epoch FROM c.created_at) FROM channel c
    WHERE c.space_id = $1 AND c.channel_id = ANY ($2::bigint[])
    UNION ALL
    SELECT r.topic, 3, r.memory_id FROM recent r
    UNION ALL
    SELECT r.room, 3, r.memory_id FROM recent r
    UNION ALL
    SELECT entity, 3, r.memory_id FROM recent r, unnest(r.entities) AS entity)
SELECT name, min(kind) AS kind FROM named WHERE name <> ''
GROUP BY name ORDER BY min(kind), max(at) DESC, name LIMIT $3
