-- Marks of what was done once for the whole installation.

-- name: read
SELECT value FROM mark WHERE name = $1

-- name: write
INSERT INTO mark (name, value, at) VALUES ($1, $2, $3)
ON CONFLICT (name) DO UPDATE SET value = excluded.value, at = excluded.at
