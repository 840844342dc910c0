-- What admins chose for places: a channel with its public threads, or with 0 the whole space.

-- name: of
-- Of one channel and of its space.
SELECT channel_id, name, value, set_by, set_at FROM place_setting
WHERE space_id = $1 AND channel_id = ANY (ARRAY[$2::bigint, 0]) ORDER BY name, channel_id DESC

-- name: set
INSERT INTO place_setting (space_id, channel_id, name, value, set_by, set_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (space_id, channel_id, name)
DO UPDATE SET value = excluded.value, set_by = excluded.set_by, set_at = excluded.set_at

-- name: clear
DELETE FROM place_setting WHERE space_id = $1 AND channel_id = $2 AND name = $3

-- name: forget_chooser
UPDATE place_setting SET set_by = NULL WHERE space_id = $1 AND set_by = $2
