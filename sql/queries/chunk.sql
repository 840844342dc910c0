-- The ledger of a channel, chunk by chunk, and the trackers that tell how far its messages are in memory.

-- name: claim
-- Where something may be distilled. A session of the channel that waits for its summary is nobody's hindrance: a ledger is
-- in the order of what was said.
INSERT INTO tracker (space_id, channel_id, worker, lease_until)
SELECT $1, $2, $3, $4 FROM channel c
WHERE c.space_id = $1 AND c.channel_id = $2 AND c.mode IN ('addressed', 'all') AND c.open_session_id IS NOT NULL
ON CONFLICT (space_id, channel_id) DO UPDATE SET worker = excluded.worker, lease_until = excluded.lease_until
WHERE (tracker.lease_until IS NULL OR tracker.lease_until < $5)
  AND (tracker.next_at IS NULL OR tracker.next_at <= $5)
RETURNING ledger_through, attempts, remake_at,
    (SELECT c.open_session_id FROM channel c WHERE c.space_id = $1 AND c.channel_id = $2) AS session_id

-- name: renew
UPDATE tracker SET lease_until = $4 WHERE space_id = $1 AND channel_id = $2 AND worker = $3 RETURNING channel_id

-- name: release
-- By whoever holds it, who began to look at $6; what was to be made again is, or will be with what is said next.
UPDATE tracker SET worker = NULL, lease_until = NULL, attempts = 0, next_at = NULL, looked_through = $6,
    rolled_through = ledger_through,
    remake_at = CASE WHEN remake_at = $4::timestamptz THEN NULL ELSE remake_at END,
    remade_at = CASE WHEN $4::timestamptz IS NULL THEN remade_at ELSE $5 END
WHERE space_id = $1 AND channel_id = $2 AND worker = $3

-- name: release_dead
UPDATE tracker SET worker = NULL, lease_until = NULL WHERE space_id = $1 AND worker = ANY ($2::text[])

-- name: failed
-- How often in a row, with this time.
UPDATE tracker SET attempts = attempts + 1 WHERE space_id = $1 AND channel_id = $2 AND worker = $3 RETURNING attempts

-- name: wait
UPDATE tracker SET worker = NULL, lease_until = NULL, next_at = $4
WHERE space_id = $1 AND channel_id = $2 AND worker = $3

-- name: roll_anew
UPDATE tracker SET next_at = NULL, rolled_through = NULL WHERE space_id = $1 AND channel_id = $2

-- name: due
-- Channels of these spaces where enough was said since their trackers: so many messages, what may be so many tokens, or
-- a few that nothing was added to since a while; or where something is to be made again, or was not rolled up. Of what may
-- not become memory only reading tells: where that found nothing to do, it is left for as long as a silence ($8, as ids tell
-- it) until more is said. Each space's longest waiting first, and those last, by size, that may have too few tokens: one
-- with more than are looked for in one go keeps no other waiting.
SELECT c.space_id, c.channel_id
FROM channel c
LEFT JOIN tracker t ON t.space_id = c.space_id AND t.channel_id = c.channel_id
CROSS JOIN LATERAL (
    SELECT count(*) AS messages, coalesce(sum(octet_length(m.content)), 0) AS bytes, max(m.message_id) AS newest
    FROM message m
    WHERE m.space_id = c.space_id AND m.session_id = c.open_session_id AND m.hidden_at IS NULL
      AND m.message_id > coalesce(t.ledger_through, 0)) AS waiting
CROSS JOIN LATERAL (
    SELECT CASE WHEN t.looked_through BETWEEN $6 AND $6 + $8 THEN t.looked_through ELSE 0 END AS looked,
           waiting.messages >= $5 AND waiting.newest < $6 AS is_silent) AS place
CROSS JOIN LATERAL (
    SELECT coalesce(t.remake_at <= $2, false) OR t.ledger_through > coalesce(t.rolled_through, 0)
           OR (waiting.messages >= $3 AND waiting.newest > place.looked)
           OR (place.is_silent AND waiting.newest + $8 > place.looked) AS is_sure) AS enough
WHERE c.space_id = ANY ($1::bigint[]) AND c.mode IN ('addressed', 'all') AND c.open_session_id IS NOT NULL
  AND (t.next_at IS NULL OR t.next_at <= $2) AND (t.lease_until IS NULL OR t.lease_until < $2)
  AND (enough.is_sure OR (waiting.messages >= $5 AND waiting.bytes >= $4 AND waiting.newest > place.looked))
ORDER BY row_number() OVER (
             PARTITION BY c.space_id ORDER BY enough.is_sure DESC, CASE WHEN NOT enough.is_sure THEN waiting.bytes END DESC,
                                              waiting.newest NULLS FIRST, c.channel_id),
         waiting.newest NULLS FIRST, c.space_id LIMIT $7

-- name: of_session
-- The ledger's part of one session. A withheld chunk is among it: its messages are in memory, until undo is over. What
-- was only read (see unstored.sql) is none of it.
SELECT chunk_id, channel_id, session_id, messages, text, model, created_at, withheld_at IS NOT NULL AS is_withheld
FROM chunk WHERE space_id = $1 AND session_id = $2 AND model <> '' ORDER BY first_message_id

-- name: hold_session
-- As long as it goes on; before the space, as resets lock them.
SELECT session_id FROM session WHERE space_id = $1 AND session_id = $2 AND state = 'open' FOR SHARE

-- name: is_covered
-- Whether any of these messages is in a chunk.
SELECT EXISTS (SELECT 1 FROM chunk WHERE space_id = $1 AND messages && $2::bigint[] AND model <> '')

-- name: add
-- Where something may still be distilled.
INSERT INTO chunk (space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, text, model,
                   created_at, people, search)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ARRAY(
    SELECT DISTINCT said.author_id FROM message m
    JOIN message said ON said.space_id = $1 AND said.message_id IN (m.message_id, m.reply_to)
    WHERE m.space_id = $1 AND m.message_id IN (SELECT unnest($7::bigint[])) AND said.author_id IS NOT NULL),
    search_vector(s.language, $8)
FROM channel c JOIN space s ON s.space_id = $1
WHERE c.space_id = $1 AND c.channel_id = $3 AND c.mode IN ('addressed', 'all')
RETURNING chunk_id

-- name: track
-- The tracker only goes on. Of a session that has ended nobody need hold it.
INSERT INTO tracker AS here (space_id, channel_id, ledger_through, ledger_hash, facts_through, facts_hash)
VALUES ($1, $2, $3, $4, $3, $4)
ON CONFLICT (space_id, channel_id) DO UPDATE SET
    ledger_hash = CASE WHEN here.ledger_through > $3 THEN here.ledger_hash ELSE $4 END,
    facts_hash = CASE WHEN here.facts_through > $3 THEN here.facts_hash ELSE $4 END,
    ledger_through = greatest(here.ledger_through, $3), facts_through = greatest(here.facts_through, $3)
RETURNING channel_id

-- name: withhold
-- What holds any of these messages.
UPDATE chunk SET withheld_at = $3
WHERE space_id = $1 AND messages && $2::bigint[] AND withheld_at IS NULL AND model <> ''
RETURNING channel_id, session_id, chunk_id

-- name: withhold_session
UPDATE chunk SET withheld_at = $3
WHERE space_id = $1 AND session_id = $2 AND withheld_at IS NULL AND model <> ''
RETURNING channel_id, session_id, chunk_id

-- name: withhold_rolls
-- The rolling summaries of these channels from these chunks on: the versions before them stand. Apart from the chunks: a
-- version that is just being written of them is waited for there, and seen here.
UPDATE chat_summary SET withheld_at = $4 FROM unnest($2::bigint[], $3::bigint[]) AS held (channel_id, chunk_id)
WHERE chat_summary.space_id = $1 AND chat_summary.channel_id = held.channel_id
  AND chat_summary.chunk_id >= held.chunk_id AND chat_summary.withheld_at IS NULL

-- name: show
UPDATE chunk SET withheld_at = NULL WHERE space_id = $1 AND withheld_at = $2 RETURNING channel_id, session_id, chunk_id

-- name: retell
-- The chat summaries of these sessions that were written meanwhile: the texts of all their chunks.
UPDATE chat_summary SET text = told.text
FROM (SELECT session_id, string_agg(text, E'\n\n' ORDER BY first_message_id) AS text FROM chunk
      WHERE space_id = $1 AND session_id = ANY ($2::bigint[]) AND withheld_at IS NULL AND text <> ''
      GROUP BY session_id) AS told
WHERE chat_summary.space_id = $1 AND chat_summary.session_id = told.session_id AND chat_summary.created_at > $3

-- name: erase_since
-- What of a session became a chunk since a moment, but for what was made again of what was in memory before ($4).
DELETE FROM chunk
WHERE space_id = $1 AND session_id = $2 AND created_at >= $3 AND chunk_id > coalesce($4::bigint, 0) AND model <> ''
RETURNING channel_id

-- name: forget_hashes
-- Of messages that are in no chunk any more: nothing would tell when they go.
UPDATE tracker SET ledger_hash = NULL, facts_hash = NULL WHERE space_id = $1 AND channel_id = ANY ($2::bigint[])

-- name: withheld
-- What can't come back any more.
SELECT space_id, chunk_id, session_id FROM chunk WHERE space_id = ANY ($1::bigint[]) AND withheld_at <= $2

-- name: of_person
SELECT chunk_id, session_id FROM chunk WHERE space_id = $1 AND people @> ARRAY[$2::bigint] AND model <> '' LIMIT $3

-- name: of_place
SELECT chunk_id FROM chunk WHERE space_id = $1 AND channel_id = ANY ($2::bigint[]) AND model <> '' LIMIT $3

-- name: holding
-- The chunks that hold any of these messages.
SELECT chunk_id FROM chunk WHERE space_id = $1 AND messages && $2::bigint[] AND model <> ''

-- name: erase
DELETE FROM chunk WHERE space_id = $1 AND chunk_id = ANY ($2::bigint[]) RETURNING channel_id, session_id, chunk_id

-- name: erase_rolls_since
-- Of those only what was written since ($4): it knows nothing of these chunks.
DELETE FROM chat_summary USING unnest($2::bigint[], $3::bigint[]) AS back (channel_id, chunk_id)
WHERE chat_summary.space_id = $1 AND chat_summary.channel_id = back.channel_id
  AND chat_summary.chunk_id >= back.chunk_id AND chat_summary.created_at > $4

-- name: erase_rolls
DELETE FROM chat_summary USING unnest($2::bigint[], $3::bigint[]) AS gone (channel_id, chunk_id)
WHERE chat_summary.space_id = $1 AND chat_summary.channel_id = gone.channel_id
  AND chat_summary.chunk_id >= gone.chunk_id

-- name: rolled
-- The newest version of a channel's rolling summary since a person's reset.
SELECT s.summary_id, s.text, s.chunk_id
FROM (SELECT summary_id, text, chunk_id FROM chat_summary
      WHERE space_id = $1 AND channel_id = $2 AND chunk_id IS NOT NULL AND withheld_at IS NULL
      ORDER BY chunk_id DESC LIMIT 1) AS s
JOIN fresh_chunk c ON c.space_id = $1 AND c.chunk_id = s.chunk_id

-- name: unrolled
-- The chunks that no version has taken in, in their order.
SELECT chunk_id, channel_id, session_id, messages, text, model, created_at, false AS is_withheld FROM fresh_chunk
WHERE space_id = $1 AND channel_id = $2 AND chunk_id > $3
ORDER BY chunk_id LIMIT $4

-- name: count_unrolled
SELECT count(*) FROM fresh_chunk WHERE space_id = $1 AND channel_id = $2

-- name: drop_rolls
DELETE FROM chat_summary WHERE space_id = $1 AND channel_id = $2 AND chunk_id IS NOT NULL

-- name: hold
-- By whoever makes its chunks. Whoever takes something of the ledger back waits here, and so sees the version after it.
SELECT channel_id FROM tracker WHERE space_id = $1 AND channel_id = $2 AND worker = $3 FOR NO KEY UPDATE

-- name: succeeded
-- By whoever makes its chunks: one that a model made ends the failures in a row.
UPDATE tracker SET attempts = 0 WHERE space_id = $1 AND channel_id = $2 AND worker = $3 RETURNING channel_id

-- name: hold_any
SELECT channel_id, remade_at FROM tracker WHERE space_id = $1 AND channel_id IN (SELECT unnest($2::bigint[]))
ORDER BY channel_id FOR NO KEY UPDATE

-- name: stands
-- How many of these chunks, of these versions, and of these condensations, still stand.
SELECT (SELECT count(*) FROM chunk WHERE space_id = $1 AND chunk_id = ANY ($2::bigint[]) AND withheld_at IS NULL)
     + (SELECT count(*) FROM chat_summary
        WHERE space_id = $1 AND summary_id = ANY ($3::bigint[]) AND withheld_at IS NULL)
     + (SELECT count(*) FROM standing_condensation WHERE space_id = $1 AND condensation_id = ANY ($4::bigint[]))

-- name: roll
INSERT INTO chat_summary (space_id, summary_id, channel_id, chunk_id, text, raw, message_count, model, created_at)
VALUES ($1, $2, $3, $4, $5, '', $6, $7, $8)

-- name: remake
-- When each of these channels has its chunks made again. The hash of its last message may be of one that is gone: whoever
-- tries all there is to say would know it by that.
INSERT INTO tracker (space_id, channel_id, remake_at)
SELECT $1, due.channel_id, due.at FROM unnest($2::bigint[], $3::timestamptz[]) AS due (channel_id, at)
ON CONFLICT (space_id, channel_id) DO UPDATE SET remake_at = excluded.remake_at, ledger_hash = NULL, facts_hash = NULL

-- name: roll_again
-- Where entries since a person's reset are in no version: what a session that ended has added, and those behind it, of
-- which the versions went with that; or all, of which they were dropped. Once no session of the channel is about to add any.
UPDATE tracker SET rolled_through = NULL
WHERE space_id = $1 AND channel_id = $2
  AND NOT EXISTS (SELECT 1 FROM session s
                  WHERE s.space_id = $1 AND s.channel_id = $2 AND s.state = 'closed' AND s.next_attempt_at <= $3)
  AND EXISTS (
    SELECT 1 FROM fresh_chunk c
    WHERE c.space_id = $1 AND c.channel_id = $2
      AND c.chunk_id > coalesce((SELECT max(v.chunk_id) FROM chat_summary v
                                 WHERE v.space_id = $1 AND v.channel_id = $2 AND v.withheld_at IS NULL), 0))
RETURNING channel_id

-- name: erase_of_place
DELETE FROM chunk WHERE space_id = $1 AND chunk_id = ANY (ARRAY(
    SELECT chunk_id FROM chunk WHERE space_id = $1 AND channel_id = ANY ($2::bigint[]) LIMIT $3))

-- name: erase_trackers_of_place
DELETE FROM tracker WHERE space_id = $1 AND channel_id = ANY ($2::bigint[])

-- name: reindex
-- The next so many after an id, for another language: how many these are, and the last of them.
WITH fresh AS (
    SELECT chunk_id, search_vector($2, text) AS search FROM chunk
    WHERE space_id = $1 AND chunk_id > $3 ORDER BY chunk_id LIMIT $4),
changed AS (
    UPDATE chunk SET search = fresh.search FROM fresh
    WHERE chunk.space_id = $1 AND chunk.chunk_id = fresh.chunk_id AND chunk.search <> fresh.search)
SELECT count(*) AS seen, max(chunk_id) AS last_id FROM fresh
