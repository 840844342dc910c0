-- What the recall detector knows a space by. Nothing here writes, locks or calls a volatile function.

-- name: people
-- Names of people, now and before, of those who were seen since a moment, or of all; the last seen first.
SELECT p.name FROM member p
WHERE p.space_id = $1 AND p.last_seen_at >= coalesce($2::timestamptz, '-infinity') AND p.name <> ''
ORDER BY p.last_seen_at DESC, p.name LIMIT $3

-- name: channels
SELECT c.name FROM channel c WHERE c.space_id = $1 AND c.channel_id = ANY ($2::bigint[]) AND c.name <> ''
ORDER BY c.created_at DESC, c.name

-- name: last_memory
SELECT m.memory_id FROM memory m WHERE m.space_id = $1 ORDER BY m.memory_id DESC LIMIT 1

-- name: filed
-- What memories are filed under and speak of, from behind one number ($3) to another, the latest first.
WITH these AS MATERIALIZED (
    SELECT m.room, m.topic, m.entities, m.memory_id FROM filed_memory m
    WHERE m.space_id = $1 AND m.memory_id > $3 AND m.memory_id <= $4
      AND m.forgotten_at IS NULL AND m.superseded_by IS NULL AND (m.channel_id + 0) = ANY ($2::bigint[])),
named AS (
    SELECT t.topic AS name, t.memory_id FROM these t
    UNION ALL
    SELECT t.room, t.memory_id FROM these t
    UNION ALL
    SELECT entity, t.memory_id FROM these t, unnest(t.entities) AS entity)
SELECT name FROM named WHERE name <> '' GROUP BY name ORDER BY max(memory_id) DESC, name LIMIT $5
