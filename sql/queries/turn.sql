-- name: record
-- The message and its turn, once: the channel's row lock keeps a reset from closing the session in between.
WITH here AS (
    UPDATE channel SET last_message_id = greatest(last_message_id, $3)
    WHERE space_id = $1 AND channel_id = $2 RETURNING open_session_id),
said AS (
    INSERT INTO message (space_id, message_id, channel_id, session_id, role, author_id, author, content, reply_to,
                         said_at, search)
    SELECT $1, $3, $2, here.open_session_id, 'person', $4, $5, $6, $7, $8,
           to_tsvector($11::text::regconfig, unaccent($6))
    FROM here
    ON CONFLICT (space_id, message_id) DO NOTHING
    RETURNING session_id)
INSERT INTO turn (space_id, turn_id, channel_id, session_id, asker_id, state, worker, lease_until, recorded_at)
SELECT $1, $3, $2, said.session_id, $4, 'recorded', $9, $10, $8 FROM said
ON CONFLICT (space_id, turn_id) DO NOTHING
RETURNING session_id

-- name: lock_channel
-- Two workers never answer in one channel at once: claims of a channel take turns at its row.
SELECT 1 FROM channel WHERE space_id = $1 AND channel_id = $2 FOR NO KEY UPDATE

-- name: claim
UPDATE turn SET state = 'claimed', worker = $4, lease_until = $5
WHERE space_id = $1 AND channel_id = $2 AND turn_id = $3
  AND (worker = $4 OR lease_until < $6) AND state IN ('recorded', 'claimed')
  AND NOT EXISTS (SELECT 1 FROM turn other
                  WHERE other.space_id = $1 AND other.channel_id = $2 AND other.turn_id <> $3
                    AND other.state IN ('claimed', 'sending') AND other.lease_until >= $6)
RETURNING session_id

-- name: state
SELECT state, worker FROM turn WHERE space_id = $1 AND turn_id = $2

-- name: sending
UPDATE turn SET state = 'sending', kept = $4, kept_whole = $5
WHERE space_id = $1 AND turn_id = $2 AND worker = $3 AND state IN ('claimed', 'sending')
RETURNING turn_id

-- name: answered
-- The reply and the end of its turn are one statement: a question never has two reply rows.
WITH done AS (
    UPDATE turn SET state = 'answered', kept = NULL, reply_ids = $4, shown = $10, trail = $11, model = $12,
        tokens_in = $13, tokens_out = $14, durations = $15, answered_at = $8
    WHERE space_id = $1 AND turn_id = $2 AND worker = $3 AND state = 'sending'
    RETURNING channel_id, session_id)
INSERT INTO message (space_id, message_id, channel_id, session_id, role, author, content, reply_to, cut_off, said_at,
                     search)
SELECT $1, $5, done.channel_id, done.session_id, 'hathi', $6, $7, $2, $9, $8,
       to_tsvector($16::text::regconfig, unaccent($7))
FROM done
RETURNING message_id

-- name: failed
UPDATE turn SET state = 'failed', kept = NULL, failure = $4, answered_at = $5
WHERE space_id = $1 AND turn_id = $2 AND worker = $3 AND state IN ('recorded', 'claimed', 'sending')
RETURNING turn_id

-- name: renew
UPDATE turn SET lease_until = $4
WHERE space_id = $1 AND turn_id = ANY ($2::bigint[]) AND worker = $3 AND state IN ('recorded', 'claimed', 'sending')

-- name: unfinished
SELECT t.turn_id, t.channel_id, t.session_id, t.state, t.worker, t.lease_until, t.kept, t.kept_whole, t.recorded_at,
       m.content, m.author, m.author_id, m.said_at
FROM turn t LEFT JOIN message m ON m.space_id = t.space_id AND m.message_id = t.turn_id
WHERE t.space_id = $1 AND t.channel_id = $2 AND t.state IN ('recorded', 'claimed', 'sending')
ORDER BY t.turn_id LIMIT 100

-- name: take_over
-- Only from the worker that was seen holding it. What was claimed is to be claimed anew, in the channel's order.
UPDATE turn SET worker = $4, lease_until = $5, state = CASE WHEN state = 'claimed' THEN 'recorded' ELSE state END
WHERE space_id = $1 AND turn_id = $2 AND worker = $3 AND state IN ('recorded', 'claimed', 'sending')
RETURNING turn_id

-- name: in_hand
SELECT count(*) FROM turn
WHERE space_id = $1 AND channel_id = $2 AND session_id = $3 AND state IN ('recorded', 'claimed', 'sending')
  AND lease_until >= $4
