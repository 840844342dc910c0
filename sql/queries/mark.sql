-- Marks of what was done once for the whole installation.

-- name: read
SELECT value FROM mark WHERE name = $1

-- name: take
-- Nothing where it was taken so lately, by whichever process: the time is the database's. One that lies ahead was written
-- by a clock that was wrong.
INSERT INTO mark (name, value, at) SELECT $1, '', clock_timestamp()
ON CONFLICT (name) DO UPDATE SET at = excluded.at
WHERE mark.at NOT BETWEEN excluded.at - $2::interval AND excluded.at + $2::interval
RETURNING name

-- name: write
INSERT INTO mark (name, value, at) VALUES ($1, $2, $3)
ON CONFLICT (name) DO UPDATE SET value = excluded.value, at = excluded.at
