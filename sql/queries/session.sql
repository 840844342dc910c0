-- Sessions of channels: opened, closed, leased to the worker that summarises them, and taken back.

-- name: open
INSERT INTO session (space_id, session_id, channel_id, number, state, opened_at) VALUES ($1, $2, $3, $4, 'open', $5)

-- name: point_channel
UPDATE channel SET open_session_id = $3, session_count = $4 WHERE space_id = $1 AND channel_id = $2

-- name: said
-- What was said in a session up to a message, and how much of it by people; and whether anything was said in it later.
SELECT count(*) AS messages, count(*) FILTER (WHERE role = 'person') AS by_people,
       min(message_id) AS first_id, max(message_id) AS last_id,
       EXISTS (SELECT 1 FROM turn WHERE space_id = $1 AND turn_id > $3 AND session_id = $2)
       OR EXISTS (SELECT 1 FROM message
                  WHERE space_id = $1 AND session_id = $2 AND message_id > $3 AND role = 'person') AS goes_on
FROM message
WHERE space_id = $1 AND session_id = $2 AND hidden_at IS NULL
  AND CASE WHEN role = 'hathi' THEN coalesce(reply_to, message_id) ELSE message_id END <= $3

-- name: carry_turns
-- What was asked after a message belongs to the session that follows; but for commands in hand, whose turns are locked
-- last.
UPDATE turn SET session_id = $4 WHERE space_id = $1 AND turn_id > $3 AND session_id = $2 AND command IS NULL

-- name: carry_messages
-- The same of what was said; a reply belongs where its question does.
UPDATE message SET session_id = $4
WHERE space_id = $1 AND session_id = $2
  AND CASE WHEN role = 'hathi' THEN coalesce(reply_to, message_id) ELSE message_id END > $3

-- name: carried
-- What was carried over from a session after a message: what stands in a chunk of it and in another session.
SELECT m.message_id FROM chunk c CROSS JOIN LATERAL unnest(c.messages) AS said (message_id)
JOIN message m ON m.space_id = $1 AND m.message_id = said.message_id AND m.session_id <> $2
WHERE c.space_id = $1 AND c.session_id = $2 AND c.chunk_id > $3

-- name: is_unkept
-- Whether anything was asked in a session whose words stand in no table, or noted, or promoted. Ids tell when; the hour
-- is for clocks that differ. Without that bound every turn of the space would be read.
SELECT EXISTS (SELECT 1 FROM note WHERE space_id = $1 AND session_id = $2)
    OR EXISTS (SELECT 1 FROM session s
               JOIN memory_event e ON e.space_id = $1 AND e.kind = 'promoted' AND e.at >= s.opened_at
                                  AND e.before ->> 'session_id' = s.session_id::text
               WHERE s.space_id = $1 AND s.session_id = $2)
    OR EXISTS (SELECT 1 FROM turn
               WHERE space_id = $1 AND session_id = $2 AND unkept AND turn_id > $2 - (3600000::bigint << 22)
                 AND turn_id <= $3)

-- name: close
-- It is locked already, so that what was made memory of it until then is seen here. The tracker may be further than its
-- chunks, of which one may be about to be made again, but not of another session's.
UPDATE session SET state = $3, closed_at = $4, closed_by = $5, first_message_id = $6, last_message_id = $7,
    message_count = $8, next_attempt_at = $9, worker = $10, lease_until = $11, was_reset = $12,
    kept_through = coalesce(
        (SELECT least(t.ledger_through, $7) FROM tracker t
         WHERE t.space_id = $1 AND t.channel_id = session.channel_id AND t.ledger_through >= $6
           AND NOT EXISTS (SELECT 1 FROM chunk c
                           WHERE c.space_id = $1 AND c.chunk_id = t.ledger_through AND c.session_id <> $2)),
        (SELECT max(c.chunk_id) FROM chunk c
         WHERE c.space_id = $1 AND c.session_id = $2 AND c.model <> '' AND c.chunk_id <= $7))
WHERE space_id = $1 AND session_id = $2 AND state = 'open'
RETURNING number

-- name: claim
UPDATE session SET worker = $3, lease_until = $4
WHERE space_id = $1 AND session_id = $2 AND state = 'closed'
  AND (worker = $3 OR lease_until IS NULL OR lease_until < $5)
RETURNING session_id, channel_id, number, attempts, message_count, closed_by, notice_place_id, notice_id, was_reset,
    remade_at, closed_at,
    EXISTS (SELECT 1 FROM channel c JOIN space s ON s.space_id = $1
            WHERE c.space_id = $1 AND c.channel_id = session.channel_id AND c.mode = 'addressed'
              AND s.direct_at IS NULL AND s.space_id <> 0) AS leaves_talk

-- name: origin
-- Whose audience a channel's memories have: a public thread's are its parent's.
SELECT coalesce(origin_id, channel_id) FROM channel WHERE space_id = $1 AND channel_id = $2

-- name: notice
-- Where on Discord the reset is told of.
UPDATE session SET notice_place_id = $3, notice_id = $4 WHERE space_id = $1 AND session_id = $2

-- name: renew
UPDATE session SET lease_until = $4 WHERE space_id = $1 AND session_id = $2 AND worker = $3 AND state = 'closed'
RETURNING session_id

-- name: hold
-- By the worker that makes its chunks; one that a model made ($4) ends the failures in a row.
UPDATE session SET attempts = CASE WHEN $4 THEN 0 ELSE attempts END
WHERE space_id = $1 AND session_id = $2 AND worker = $3 AND state = 'closed'
RETURNING session_id

-- name: summarised
-- Only the worker that still holds the lease; the facts are saved in the same transaction.
UPDATE session SET state = 'summarised', worker = NULL, lease_until = NULL, next_attempt_at = NULL,
    message_count = $4, fact_count = $5, first_message_id = coalesce($6, first_message_id),
    last_message_id = coalesce($7, last_message_id)
WHERE space_id = $1 AND session_id = $2 AND worker = $3 AND state = 'closed'
RETURNING channel_id

-- name: failed
-- How often in a row, with this time.
UPDATE session SET attempts = attempts + 1
WHERE space_id = $1 AND session_id = $2 AND worker = $3 AND state = 'closed'
RETURNING attempts

-- name: wait
UPDATE session SET next_attempt_at = $4, worker = NULL, lease_until = NULL
WHERE space_id = $1 AND session_id = $2 AND worker = $3 AND state = 'closed'

-- name: write_summary
INSERT INTO chat_summary (space_id, summary_id, channel_id, session_id, text, raw, message_count, model, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (space_id, session_id) DO NOTHING

-- name: due
-- Waiting sessions of the spaces a worker has claimed, each space's longest waiting first: one with more than are looked
-- for in one go keeps no other waiting. Leases of workers that died have run out.
SELECT space_id, session_id, channel_id, worker FROM session
WHERE space_id = ANY ($1::bigint[]) AND state = 'closed' AND next_attempt_at <= $2
  AND (lease_until IS NULL OR lease_until < $2)
ORDER BY row_number() OVER (PARTITION BY space_id ORDER BY next_attempt_at, session_id), next_attempt_at, space_id
LIMIT $3

-- name: over
-- Open sessions of these spaces that end by themselves: their last message is older than $2, or their first older than
-- $3, or there are more messages than $4. Of one without a message there is nothing to keep.
SELECT s.space_id, s.channel_id, s.session_id FROM session s
CROSS JOIN LATERAL (SELECT m.message_id FROM message m WHERE m.space_id = s.space_id AND m.session_id = s.session_id
                    ORDER BY m.message_id DESC LIMIT 1) AS newest
CROSS JOIN LATERAL (SELECT m.message_id FROM message m WHERE m.space_id = s.space_id AND m.session_id = s.session_id
                    ORDER BY m.message_id LIMIT 1) AS oldest
WHERE s.space_id = ANY ($1::bigint[]) AND s.state = 'open'
  AND (newest.message_id < $2 OR oldest.message_id < $3
       OR (SELECT m.message_id FROM message m WHERE m.space_id = s.space_id AND m.session_id = s.session_id
           ORDER BY m.message_id OFFSET $4 LIMIT 1) IS NOT NULL)
ORDER BY s.session_id LIMIT $5

-- name: held_by_others
SELECT worker FROM session WHERE space_id = $1 AND state = 'closed' AND worker IS NOT NULL AND worker <> $2
UNION
SELECT worker FROM tracker WHERE space_id = $1 AND worker IS NOT NULL AND worker <> $2

-- name: release
UPDATE session SET worker = NULL, lease_until = NULL, next_attempt_at = $3
WHERE space_id = $1 AND state = 'closed' AND worker = ANY ($2::text[])

-- name: last_reset
-- The caller's latest reset that can still be undone.
SELECT space_id, session_id, channel_id, number, state, closed_at, kept_through FROM session
WHERE space_id = $1 AND channel_id = $2 AND closed_by = $3 AND closed_at > $4 AND undone_at IS NULL
ORDER BY closed_at DESC LIMIT 1

-- name: undo
-- A summary still being made loses its lease and finds the session discarded. What tells of the reset tells of its undo.
UPDATE session SET undone_at = $3, worker = NULL, lease_until = NULL, next_attempt_at = NULL, state = 'discarded',
    notice_place_id = NULL, notice_id = NULL
WHERE space_id = $1 AND session_id = $2 AND undone_at IS NULL
RETURNING session_id

-- name: is_begun
-- Whether more than talk came of a session already: notes, or chunks.
SELECT EXISTS (SELECT 1 FROM note WHERE space_id = $1 AND session_id = $2)
    OR EXISTS (SELECT 1 FROM chunk WHERE space_id = $1 AND session_id = $2)

-- name: reopen
-- A session whose reset is taken back before its summary is there goes on as if it had not ended.
UPDATE session SET state = 'open', closed_at = NULL, closed_by = NULL, first_message_id = NULL, last_message_id = NULL,
    message_count = 0, fact_count = 0, attempts = 0, next_attempt_at = NULL, worker = NULL, lease_until = NULL,
    was_reset = false, kept_through = NULL, undone_at = NULL
WHERE space_id = $1 AND session_id = $2

-- name: leave
-- What becomes of a session whose reset was taken back. Up to $5 it was in memory before: its summary tells no further,
-- however often it is made again.
UPDATE session SET state = $3, fact_count = $4, last_message_id = $5, next_attempt_at = $6
WHERE space_id = $1 AND session_id = $2

-- name: is_left
-- Whether anything that people said in a session up to a message is in no chunk.
SELECT EXISTS (
    SELECT 1 FROM message m
    WHERE m.space_id = $1 AND m.session_id = $2 AND m.message_id <= $3 AND m.hidden_at IS NULL AND m.role = 'person'
      AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= m.said_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = m.author_id) IS NULL
      AND NOT EXISTS (SELECT 1 FROM chunk c
                      WHERE c.space_id = $1 AND c.session_id = $2 AND c.messages @> ARRAY[m.message_id]))

-- name: reach
-- Up to which message a session is made memory of whose reset was taken back.
SELECT last_message_id FROM session WHERE space_id = $1 AND session_id = $2 AND undone_at IS NOT NULL

-- name: set_fact_count
UPDATE session SET fact_count = $3 WHERE space_id = $1 AND session_id = $2

-- name: remade_at
-- When a summary of the channels of these sessions was, or is, last to be made again.
SELECT max(last.remade_at)
FROM (SELECT DISTINCT o.channel_id FROM session o
      WHERE o.space_id = $1 AND o.session_id IN (SELECT unnest($2::bigint[]))) AS place,
     LATERAL (SELECT s.remade_at FROM session s
              WHERE s.space_id = $1 AND s.channel_id = place.channel_id AND s.remade_at IS NOT NULL
              ORDER BY s.remade_at DESC LIMIT 1) AS last

-- name: withheld
-- Whose chat summary tells what was forgotten and can't come back any more.
SELECT space_id, session_id FROM chat_summary
WHERE space_id = ANY ($1::bigint[]) AND withheld_at <= $2 AND session_id IS NOT NULL

-- name: lock
-- A summary that is just being written is waited for, or finds its lease lost.
SELECT session_id FROM session WHERE space_id = $1 AND session_id = ANY ($2::bigint[])
ORDER BY session_id FOR NO KEY UPDATE

-- name: erase_summaries
DELETE FROM chat_summary WHERE space_id = $1 AND session_id = ANY ($2::bigint[])

-- name: summarise_again
-- From what is left; where nothing of a person is, or nothing may be distilled any more, there is no summary. Of a reset
-- that was taken back, only of what was in memory before.
WITH remains AS (
    SELECT s.session_id, count(m.message_id) AS messages,
           count(m.message_id) FILTER (WHERE m.role = 'person') > 0 AND c.mode IN ('addressed', 'all') AS is_due
    FROM session s
    JOIN channel c ON c.space_id = $1 AND c.channel_id = s.channel_id
    LEFT JOIN message m ON m.space_id = $1 AND m.session_id = s.session_id AND m.hidden_at IS NULL
                       AND (s.undone_at IS NULL OR m.message_id <= coalesce(s.last_message_id, m.message_id))
    WHERE s.space_id = $1 AND s.session_id = ANY ($2::bigint[]) AND s.state IN ('closed', 'summarised')
    GROUP BY s.session_id, c.mode)
UPDATE session SET state = CASE WHEN remains.is_due THEN 'closed' ELSE 'discarded' END,
    message_count = remains.messages, attempts = 0, worker = NULL, lease_until = NULL,
    next_attempt_at = CASE WHEN remains.is_due THEN $3::timestamptz END, remade_at = $3::timestamptz
FROM remains WHERE session.space_id = $1 AND session.session_id = remains.session_id
RETURNING session.state
