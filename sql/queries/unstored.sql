-- Messages that were read on Discord for the facts in them and are not stored. What is known of them are their ids and
-- whose they are, in entries of the ledger, one a person, that nobody wrote: their `model` is empty, as is their text.

-- name: left
-- Of these messages, by their authors and times, those that facts may be made of: recorded nowhere and never read, of
-- nothing forgotten or erased, and by nobody who does not want to be remembered or has erased what they said.
SELECT said.message_id
FROM unnest($2::bigint[], $3::bigint[], $4::timestamptz[]) AS said (message_id, author_id, said_at)
WHERE NOT EXISTS (SELECT 1 FROM message m WHERE m.space_id = $1 AND m.message_id = said.message_id)
  AND NOT EXISTS (SELECT 1 FROM turn t WHERE t.space_id = $1 AND t.turn_id = said.message_id)
  AND NOT EXISTS (SELECT 1 FROM chunk c WHERE c.space_id = $1 AND c.messages @> ARRAY[said.message_id])
  AND NOT EXISTS (SELECT 1 FROM memory y WHERE y.space_id = $1 AND y.evidence @> ARRAY[said.message_id]
                  AND y.forgotten_at IS NULL AND y.superseded_by IS NULL)
  AND NOT EXISTS (SELECT 1 FROM tombstone g WHERE g.space_id = $1 AND g.evidence @> ARRAY[said.message_id])
  AND NOT EXISTS (SELECT 1 FROM erasure e WHERE e.space_id = $1 AND e.messages @> ARRAY[said.message_id])
  AND NOT EXISTS (SELECT 1 FROM person p WHERE p.person_id = said.author_id
                  AND (p.opted_out_at IS NOT NULL OR p.erased_at >= said.said_at))
ORDER BY said.message_id

-- name: hold_session
-- That it was not taken back or discarded; of what was discarded its tombstone tells.
SELECT session_id FROM session
WHERE space_id = $1 AND session_id = $2 AND undone_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM tombstone g WHERE g.space_id = $1 AND g.memory_id = -$2)
FOR SHARE

-- name: span
-- Since when talk belongs to a session: the last reset before it, and what the channel's mode was set for; until when;
-- and whether it may still be read.
SELECT s.closed_at, c.mode, coalesce(c.mode_since, 0) AS mode_since, (
    SELECT e.closed_at FROM session e
    WHERE e.space_id = $1 AND e.channel_id = $2 AND e.was_reset AND e.number < s.number
    ORDER BY e.number DESC LIMIT 1) AS reset_at
FROM session s JOIN channel c ON c.space_id = $1 AND c.channel_id = $2
WHERE s.space_id = $1 AND s.channel_id = $2 AND s.session_id = $3 AND s.undone_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM tombstone g WHERE g.space_id = $1 AND g.memory_id = -$3)

-- name: read_at
-- What was read in a session at that moment.
SELECT DISTINCT unnest(messages) AS message_id FROM chunk
WHERE space_id = $1 AND session_id = $2 AND created_at = $3 AND model = ''

-- name: create_people
INSERT INTO person (person_id, spaces)
SELECT heard.person_id, ARRAY[$2::bigint] FROM unnest($1::bigint[]) AS heard (person_id) ORDER BY heard.person_id
ON CONFLICT DO NOTHING

-- name: hold_people
-- Who opts out, or erases what they said, waits for what is just being kept.
SELECT person_id FROM person WHERE person_id IN (SELECT unnest($1::bigint[])) ORDER BY person_id FOR NO KEY UPDATE

-- name: met_in
UPDATE person SET spaces = array_append(spaces, $2::bigint)
WHERE person_id IN (SELECT unnest($1::bigint[])) AND NOT spaces @> ARRAY[$2::bigint]

-- name: add
-- Where something may still be distilled.
INSERT INTO chunk (space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, people, text, model,
                   created_at)
SELECT $1, max(said.message_id), $2, $3, min(said.message_id), '', array_agg(said.message_id ORDER BY said.message_id),
       ARRAY[said.author_id], '', '', $6
FROM unnest($4::bigint[], $5::bigint[]) AS said (message_id, author_id)
JOIN channel c ON c.space_id = $1 AND c.channel_id = $2 AND c.mode IN ('addressed', 'all')
GROUP BY said.author_id
RETURNING chunk_id

-- name: tell
-- What they came to, under a number that no message has.
INSERT INTO chunk (space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, people, text, model,
                   created_at, search)
SELECT $1, -max(said.message_id), $2, $3, min(said.message_id), '', array_agg(said.message_id ORDER BY said.message_id),
       $5, $6, $7, $8, search_vector(max(s.language), $6)
FROM unnest($4::bigint[]) AS said (message_id), space s
WHERE s.space_id = $1

-- name: drop
-- What is gone from Discord, or is to be read anew.
WITH touched AS (
    SELECT c.chunk_id, ARRAY(
        SELECT said.id FROM unnest(c.messages) AS said (id) WHERE said.id <> ALL ($2::bigint[]) ORDER BY said.id) AS left
    FROM chunk c WHERE c.space_id = $1 AND c.messages && $2::bigint[] AND c.model = ''),
gone AS (
    DELETE FROM chunk USING touched
    WHERE chunk.space_id = $1 AND chunk.chunk_id = touched.chunk_id AND touched.left = '{}')
UPDATE chunk SET messages = touched.left, first_message_id = touched.left[1],
    chunk_id = touched.left[cardinality(touched.left)]
FROM touched WHERE chunk.space_id = $1 AND chunk.chunk_id = touched.chunk_id AND touched.left <> '{}'
