-- Writing tables anew without the bytes of rows that were deleted: one by one, so that disk is needed for one at a time.

-- name: size
SELECT pg_total_relation_size(to_regclass($1))

-- name: message
VACUUM (FULL, ANALYZE) message

-- name: attachment
VACUUM (FULL, ANALYZE) attachment

-- name: memory
VACUUM (FULL, ANALYZE) memory

-- name: tally
VACUUM (FULL, ANALYZE) tally

-- name: memory_event
VACUUM (FULL, ANALYZE) memory_event

-- name: tombstone
VACUUM (FULL, ANALYZE) tombstone

-- name: chat_summary
VACUUM (FULL, ANALYZE) chat_summary

-- name: chunk
VACUUM (FULL, ANALYZE) chunk

-- name: condensation
VACUUM (FULL, ANALYZE) condensation

-- name: rework
VACUUM (FULL, ANALYZE) rework

-- name: note
VACUUM (FULL, ANALYZE) note

-- name: turn
VACUUM (FULL, ANALYZE) turn

-- name: proposal
VACUUM (FULL, ANALYZE) proposal

-- name: place_setting
VACUUM (FULL, ANALYZE) place_setting

-- name: session
VACUUM (FULL, ANALYZE) session

-- name: member
VACUUM (FULL, ANALYZE) member

-- name: channel
VACUUM (FULL, ANALYZE) channel

-- name: space
VACUUM (FULL, ANALYZE) space

-- name: common_word
VACUUM (FULL, ANALYZE) common_word

-- name: statistics
-- Those of before the time in which none of people's words were kept; a user who does not own them is warned and goes on.
VACUUM (FULL) pg_catalog.pg_statistic

-- name: vector_tables
SELECT table_name, model, dimension FROM embedding_table
WHERE retired_at IS NULL AND to_regclass(table_name) IS NOT NULL ORDER BY table_name

-- name: checkpoint
-- After it Postgres may write over what its log has of before.
CHECKPOINT
