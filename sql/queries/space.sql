-- name: create
INSERT INTO space (space_id, language, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING

-- name: knows_language
SELECT EXISTS (SELECT 1 FROM pg_ts_config WHERE cfgname = $1)

-- name: create_upkeep
INSERT INTO upkeep (space_id, next_due_at) VALUES ($1, $2) ON CONFLICT DO NOTHING

-- name: wake
-- The space is due no later than this; a worker that holds it notices, because the value moved.
UPDATE upkeep SET next_due_at = $2 WHERE space_id = $1 AND next_due_at > $2

-- name: claim_due
-- The claim is a lease: a worker that dies lets the spaces fall due again. It is longer than any wake-up ahead.
UPDATE upkeep SET next_due_at = $2
WHERE space_id IN (SELECT space_id FROM upkeep WHERE next_due_at <= $1
                   ORDER BY next_due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING space_id

-- name: upkeep_done
UPDATE upkeep SET next_due_at = $3 WHERE space_id = ANY ($1::bigint[]) AND next_due_at = $2

-- name: pending
-- When something of these spaces falls due before their hour is over: a summary or the lease of one, an erasure. A
-- wake-up alone would be lost where the space was due already when it was woken.
SELECT space_id, min(at) AS at FROM (
    SELECT space_id, greatest(next_attempt_at, lease_until) AS at FROM session
    WHERE space_id = ANY ($1::bigint[]) AND state = 'closed'
    UNION ALL
    SELECT space_id, forgotten_at + $2::interval FROM memory
    WHERE space_id = ANY ($1::bigint[]) AND forgotten_at IS NOT NULL
    UNION ALL
    SELECT space_id, hidden_at + $2::interval FROM message
    WHERE space_id = ANY ($1::bigint[]) AND hidden_at IS NOT NULL) AS pending
GROUP BY space_id

-- name: page
SELECT space_id FROM space WHERE space_id > $1 ORDER BY space_id LIMIT $2

-- name: create_channel
-- A public thread is remembered as its parent is.
INSERT INTO channel (space_id, channel_id, name, mode, created_at, origin_id)
SELECT $1, $2, $3, coalesce(parent.mode, $4), $5, $6
FROM (VALUES ($6::bigint)) AS origin (id)
LEFT JOIN channel parent ON parent.space_id = $1 AND parent.channel_id = origin.id
ON CONFLICT DO NOTHING

-- name: place
-- How a channel is to be treated.
SELECT c.mode, c.enabled, s.prefix, s.language, s.time_zone
FROM channel c JOIN space s ON s.space_id = c.space_id
WHERE c.space_id = $1 AND c.channel_id = $2

-- name: rename_channel
UPDATE channel SET name = $3 WHERE space_id = $1 AND channel_id = $2 AND name <> $3

-- name: meet
INSERT INTO member (space_id, person_id, name, first_seen_at, last_seen_at) VALUES ($1, $2, $3, $4, $4)
ON CONFLICT (space_id, person_id, name) DO UPDATE SET last_seen_at = excluded.last_seen_at

-- name: create_person
INSERT INTO person (person_id, spaces) VALUES ($1, ARRAY[$2::bigint]) ON CONFLICT DO NOTHING

-- name: met_in
UPDATE person SET spaces = array_append(spaces, $2::bigint) WHERE person_id = $1 AND NOT spaces @> ARRAY[$2::bigint]
