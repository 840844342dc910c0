-- The record of the migrations that ran, and the lock under which one process at a time runs them.

-- name: table
CREATE TABLE IF NOT EXISTS migration (
    number integer PRIMARY KEY,
    file text NOT NULL,
    checksum text NOT NULL,
    ran_at timestamptz NOT NULL
)

-- name: applied
SELECT number, checksum FROM migration ORDER BY number

-- name: record
INSERT INTO migration (number, file, checksum, ran_at) VALUES ($1, $2, $3, $4)

-- name: renumber
UPDATE migration SET number = $2, file = $3 WHERE number = $1

-- name: try_lock
-- Held to the end of the transaction: a session lock would stay behind in a connection pooler.
SELECT pg_try_advisory_xact_lock($1::bigint)
