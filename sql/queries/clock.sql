-- What time it is by Postgres, and what time it was when Hathi last believed it.

-- name: read
SELECT clock_timestamp() AS now, (SELECT at FROM mark WHERE name = $1) AS believed,
       (SELECT value FROM mark WHERE name = $1) AS doubted_since
