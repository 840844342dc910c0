-- What a session is shown when it begins. Which rows that is, is chosen once a session; their words are read each time.

-- name: woken
-- What was chosen for a session of the channel, as far as it is still there and may still be seen. The row itself comes
-- first; none comes where nothing was chosen yet. channel_id + 0: a plan may walk all sessions that a channel had.
WITH chosen AS MATERIALIZED (
    SELECT w.* FROM wake w JOIN session s ON s.space_id = $1 AND s.session_id = w.session_id
    WHERE w.space_id = $1 AND w.session_id = $3 AND s.channel_id + 0 = $2)
SELECT 0 AS part, 0 AS place, made_at AS at, NULL::bigint AS id, '' AS room, '' AS content, NULL::text AS author,
       0 AS counted, left_out, cardinality(room_memory_ids) + cardinality(memory_ids) + cardinality(note_numbers)
           AS chosen,
       NULL::timestamptz AS expires_at, NULL::bigint AS author_id, NULL::bigint AS channel_id,
       NULL::bigint AS session_id, NULL::text AS actor, NULL::text AS source
FROM chosen
UNION ALL
SELECT 1, room.place::int, m.created_at, m.memory_id, m.room, '', NULL, chosen.room_counts[room.place], NULL, 0, NULL,
       m.author_id, NULL, NULL, NULL, m.source
FROM chosen CROSS JOIN LATERAL unnest(chosen.room_memory_ids) WITH ORDINALITY AS room (memory_id, place)
JOIN filed_memory m ON m.space_id = $1 AND m.memory_id = room.memory_id
WHERE (m.channel_id + 0) = ANY ($4::bigint[]) AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
UNION ALL
SELECT 2, promoted.place::int, m.created_at, m.memory_id, m.room, m.content, m.author, 0, NULL, 0, NULL,
       m.author_id, NULL, NULL, NULL, NULL
FROM chosen CROSS JOIN LATERAL unnest(chosen.memory_ids) WITH ORDINALITY AS promoted (memory_id, place)
JOIN filed_memory m ON m.space_id = $1 AND m.memory_id = promoted.memory_id
WHERE (m.channel_id + 0) = ANY ($4::bigint[]) AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
UNION ALL
SELECT 3, noted.place::int, n.written_at, n.number, '', n.content, n.author, 0, NULL, 0, n.expires_at, n.author_id,
       n.channel_id, n.session_id, n.actor, NULL
FROM chosen CROSS JOIN LATERAL unnest(chosen.note_numbers) WITH ORDINALITY AS noted (number, place)
JOIN note n ON n.space_id = $1 AND n.session_id IN (chosen.session_id, chosen.before_id) AND n.number = noted.number
WHERE n.channel_id = ANY ($4::bigint[]) AND n.expires_at > $5
  AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= n.written_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = n.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= n.written_at) IS NOT TRUE
  AND (SELECT m.hidden_at FROM message m WHERE m.space_id = $1 AND m.message_id = n.message_id) IS NULL
ORDER BY part, place

-- name: session
-- An open session of the channel, and the one before.
SELECT s.session_id, before.session_id AS before_id, before.opened_at AS before_opened_at
FROM session s
LEFT JOIN LATERAL (
    SELECT session_id, opened_at FROM session
    WHERE space_id = $1 AND channel_id = $2 AND number = s.number - 1 LIMIT 1) AS before ON true
WHERE s.space_id = $1 AND s.channel_id = $2 AND s.session_id = $3 AND s.state = 'open'

-- name: rooms
-- Where something was filed of late, by the newest memories there are.
WITH newest AS MATERIALIZED (
    SELECT m.memory_id, m.room, m.created_at FROM filed_memory m
    WHERE m.space_id = $1 AND (m.channel_id + 0) = ANY ($2::bigint[]) AND m.forgotten_at IS NULL
      AND m.superseded_by IS NULL
    ORDER BY m.memory_id DESC LIMIT $4)
SELECT room, count(*)::int AS counted, max(memory_id) AS id, max(created_at) AS at
FROM newest WHERE created_at > $3 GROUP BY room ORDER BY max(memory_id) DESC

-- name: promoted
-- What the session before made memories of, the latest first.
SELECT m.memory_id AS id, m.room, m.content, m.author, m.author_id, m.created_at AS at
FROM filed_memory m
WHERE m.space_id = $1 AND (m.channel_id + 0) = ANY ($2::bigint[]) AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
  AND m.memory_id = ANY (ARRAY(
      SELECT e.memory_id FROM memory_event e
      WHERE e.space_id = $1 AND e.kind = 'promoted' AND e.at >= $4 AND e.before ->> 'session_id' = ($3::bigint)::text))
ORDER BY m.memory_id DESC

-- name: notes
-- Those that still live of the session and the one before, the latest first.
SELECT n.* FROM note n
WHERE n.space_id = $1 AND n.session_id = ANY ($2::bigint[]) AND n.channel_id = ANY ($3::bigint[]) AND n.expires_at > $4
  AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= n.written_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = n.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= n.written_at) IS NOT TRUE
  AND (SELECT m.hidden_at FROM message m WHERE m.space_id = $1 AND m.message_id = n.message_id) IS NULL
ORDER BY n.number DESC

-- name: keep
-- Once a session, whoever comes first.
INSERT INTO wake (space_id, session_id, before_id, made_at, room_memory_ids, room_counts, memory_ids, note_numbers,
                  left_out)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (space_id, session_id) DO NOTHING
RETURNING session_id

-- name: tidy
-- Of sessions that are over.
DELETE FROM wake
WHERE space_id = ANY ($1::bigint[])
  AND NOT EXISTS (SELECT 1 FROM session s WHERE s.space_id = ANY ($1::bigint[]) AND s.space_id = wake.space_id
                  AND s.session_id = wake.session_id AND s.state = 'open')
