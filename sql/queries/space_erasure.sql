-- Everything that stands of one space, deleted a batch at a time; but for memories, their events and tombstones, which
-- only the archivist deletes.

-- name: counts
-- Each counted no further than to $2.
SELECT (SELECT count(*) FROM (SELECT 1 FROM message WHERE space_id = $1 LIMIT $2) AS few) AS messages,
       (SELECT least(coalesce(sum(short + long), 0), $2)::bigint FROM tally
        WHERE space_id = $1 AND kind = 'channel' AND room = '' AND name = '') AS memories,
       (SELECT count(*) FROM (SELECT 1 FROM chat_summary WHERE space_id = $1 LIMIT $2) AS few) AS summaries,
       (SELECT count(*) FROM (SELECT 1 FROM note WHERE space_id = $1 LIMIT $2) AS few) AS notes,
       (SELECT count(*) FROM (SELECT 1 FROM turn WHERE space_id = $1 LIMIT $2) AS few) AS turns,
       (SELECT count(*) FROM (SELECT 1 FROM member WHERE space_id = $1 LIMIT $2) AS few) AS names

-- name: begin
-- From now on nothing is read that was said until then, wherever the batches are, and never again from Discord.
UPDATE space SET emptying_at = $2, emptied_through = greatest(emptied_through, $3) WHERE space_id = $1

-- name: is_emptied
SELECT emptying_at FROM space WHERE space_id = $1

-- name: unfinished
-- Spaces that have been on their way to be emptied since then.
SELECT space_id, emptying_at FROM space WHERE emptying_at <= $1 ORDER BY emptying_at, space_id LIMIT $2

-- name: over
UPDATE space SET emptying_at = NULL WHERE space_id = $1

-- name: fail_turns
-- First of all: whoever answers one finds it closed, and records no reply. What is asked since stays.
UPDATE turn SET state = 'failed', kept = NULL, failure = 'deleted', answered_at = $2
WHERE space_id = $1 AND turn_id <> $3 AND turn_id <= $4 AND state IN ('recorded', 'claimed', 'sending')
  AND command IS NULL
RETURNING turn_id

-- name: messages
DELETE FROM message WHERE space_id = $1 AND message_id = ANY (ARRAY(
    SELECT message_id FROM message WHERE space_id = $1 AND message_id <= $2 ORDER BY message_id LIMIT $3))
RETURNING message_id

-- name: proposals
DELETE FROM proposal WHERE space_id = $1 AND turn_id = ANY (ARRAY(
    SELECT turn_id FROM proposal WHERE space_id = $1 AND turn_id <= $2 ORDER BY turn_id LIMIT $3))

-- name: erasures
DELETE FROM erasure WHERE space_id = $1 AND erasure_id = ANY (ARRAY(
    SELECT erasure_id FROM erasure WHERE space_id = $1 ORDER BY erasure_id LIMIT $2))

-- name: standing
DELETE FROM standing_reply WHERE space_id = $1 AND (person_id, message_id) IN (
    SELECT person_id, message_id FROM standing_reply WHERE space_id = $1 LIMIT $2)

-- name: turns
DELETE FROM turn WHERE space_id = $1 AND turn_id = ANY (ARRAY(
    SELECT turn_id FROM turn
    WHERE space_id = $1 AND turn_id <= $2 AND (state IN ('answered', 'failed') OR command IS NOT NULL)
    ORDER BY turn_id LIMIT $3))

-- name: notes
-- A session begins before what is noted in it.
DELETE FROM note WHERE space_id = $1 AND session_id = ANY (ARRAY(
    SELECT DISTINCT session_id FROM note WHERE space_id = $1 AND session_id <= $2 LIMIT $3))

-- name: wakes
DELETE FROM wake WHERE space_id = $1 AND session_id = ANY (ARRAY(
    SELECT session_id FROM wake WHERE space_id = $1 AND session_id <= $2 ORDER BY session_id LIMIT $3))

-- name: summaries
DELETE FROM chat_summary WHERE space_id = $1 AND summary_id = ANY (ARRAY(
    SELECT summary_id FROM chat_summary WHERE space_id = $1 AND summary_id <= $2 ORDER BY summary_id LIMIT $3))

-- name: chunks
DELETE FROM chunk WHERE space_id = $1 AND chunk_id = ANY (ARRAY(
    SELECT chunk_id FROM chunk WHERE space_id = $1 AND chunk_id <= $2 ORDER BY chunk_id LIMIT $3))

-- name: condensations
DELETE FROM condensation WHERE space_id = $1 AND condensation_id = ANY (ARRAY(
    SELECT condensation_id FROM condensation WHERE space_id = $1 AND condensation_id <= $2
    ORDER BY condensation_id LIMIT $3))

-- name: trackers
DELETE FROM tracker WHERE space_id = $1 AND channel_id = ANY (ARRAY(
    SELECT channel_id FROM tracker WHERE space_id = $1 LIMIT $2))

-- name: uses
DELETE FROM memory_use WHERE space_id = $1 AND day < $2

-- name: learnings
DELETE FROM learning WHERE space_id = $1 AND channel_id = ANY (ARRAY(
    SELECT channel_id FROM learning WHERE space_id = $1 LIMIT $2))

-- name: past_sessions
-- The open ones stay: they are where the next word is kept.
DELETE FROM session WHERE space_id = $1 AND session_id = ANY (ARRAY(
    SELECT session_id FROM session
    WHERE space_id = $1 AND session_id <= $2 AND state <> 'open' ORDER BY session_id LIMIT $3))

-- name: names
DELETE FROM member WHERE space_id = $1 AND person_id = ANY (ARRAY(
    SELECT DISTINCT person_id FROM member WHERE space_id = $1 ORDER BY person_id LIMIT $2))

-- name: sessions
DELETE FROM session WHERE space_id = $1 AND session_id = ANY (ARRAY(
    SELECT session_id FROM session WHERE space_id = $1 ORDER BY session_id LIMIT $2))

-- name: unfinished_turns
DELETE FROM turn WHERE space_id = $1 AND turn_id = ANY (ARRAY(
    SELECT turn_id FROM turn WHERE space_id = $1 ORDER BY turn_id LIMIT $2))

-- name: place_settings
DELETE FROM place_setting WHERE space_id = $1 AND channel_id = ANY (ARRAY(
    SELECT channel_id FROM place_setting WHERE space_id = $1 ORDER BY channel_id LIMIT $2))

-- name: channels
DELETE FROM channel WHERE space_id = $1 AND channel_id = ANY (ARRAY(
    SELECT channel_id FROM channel WHERE space_id = $1 ORDER BY channel_id LIMIT $2))

-- name: strangers
-- People who were met nowhere else, and wished nothing that holds everywhere.
DELETE FROM person WHERE person_id = ANY (ARRAY(
    SELECT person_id FROM person
    WHERE spaces @> ARRAY[$1::bigint] AND cardinality(spaces) = 1 AND opted_out_at IS NULL AND erased_at IS NULL
    LIMIT $2))

-- name: acquaintances
UPDATE person SET spaces = array_remove(spaces, $1::bigint) WHERE person_id = ANY (ARRAY(
    SELECT person_id FROM person WHERE spaces @> ARRAY[$1::bigint] LIMIT $2))

-- name: upkeep
DELETE FROM upkeep WHERE space_id = $1

-- name: space
WITH counted AS (DELETE FROM taken_back WHERE space_id = $1)
DELETE FROM space WHERE space_id = $1
