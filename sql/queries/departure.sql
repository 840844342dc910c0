-- Servers that Hathi is in no more: noted, and found when their time is over.

-- name: present
-- Servers Hathi is in: whatever was noted of their absence is over.
UPDATE space SET missed_at = NULL, gone_at = NULL
WHERE space_id = ANY ($1::bigint[]) AND (missed_at IS NOT NULL OR gone_at IS NOT NULL)
RETURNING space_id

-- name: left
UPDATE space SET gone_at = $2 WHERE space_id = $1 AND gone_at IS NULL RETURNING space_id

-- name: absent
-- Servers of a shard that Discord did not name among all of the shard's. One time may be Discord's fault: gone are those
-- that were missing a day before too. Direct messages are no server, and neither is what has a number too low for one.
UPDATE space SET missed_at = coalesce(missed_at, $4), gone_at = CASE WHEN missed_at <= $5 THEN $4 END
WHERE space_id >= 4194304 AND (space_id >> 22) % $3 = $2 AND space_id <> ALL ($1::bigint[])
  AND direct_at IS NULL AND gone_at IS NULL AND (missed_at IS NULL OR missed_at <= $5)
RETURNING space_id, gone_at

-- name: due
SELECT space_id FROM space WHERE gone_at <= $1 ORDER BY gone_at LIMIT $2

-- name: lock_gone
-- The space, if it is still gone: whoever brings Hathi back waits for the batch, and what is left then stays.
SELECT memory_count FROM space WHERE space_id = $1 AND gone_at <= $2 FOR UPDATE
