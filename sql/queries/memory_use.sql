-- What making memory costs a space in a day.

-- name: begin
-- Counts a call that is about to be made, unless as many calls ($3) or tokens ($4) are used up; of no budget it is only
-- counted. In one statement: two workers that want the last call take turns at the row.
INSERT INTO memory_use AS used (space_id, day, calls) VALUES ($1, $2, 1)
ON CONFLICT (space_id, day) DO UPDATE SET calls = used.calls + 1
WHERE $3::bigint IS NULL OR (used.calls < $3 AND used.tokens_in + used.tokens_out < $4)
RETURNING calls

-- name: add_tokens
UPDATE memory_use SET tokens_in = tokens_in + $3, tokens_out = tokens_out + $4 WHERE space_id = $1 AND day = $2

-- name: spent
-- Told by whoever finds it first.
UPDATE memory_use SET spent_at = $3 WHERE space_id = $1 AND day = $2 AND spent_at IS NULL RETURNING calls

-- name: of_day
SELECT calls, tokens_in, tokens_out FROM memory_use WHERE space_id = $1 AND day = $2

-- name: forget_old
DELETE FROM memory_use WHERE space_id = ANY ($1::bigint[]) AND day < $2
