-- What follows an edit or a deletion on Discord, but for the memories, which only the archivist writes.

-- name: before_edit
-- What a person said, if it may be shown, and whether this edit of it was followed already. Events of two edits may
-- come in any order: the later edit stays. And whether its channel and its author let it be kept as it is now.
SELECT m.content, m.session_id, coalesce(m.edited_at = $3, false) AS is_done, c.text AS summary,
       EXISTS (SELECT 1 FROM channel here WHERE here.space_id = $1
               AND here.channel_id = coalesce(m.place_id, m.channel_id) AND here.mode IN ('addressed', 'all'))
       AND (SELECT p.opted_out_at FROM person p WHERE p.person_id = m.author_id) IS NULL AS may_be_kept
FROM message m LEFT JOIN chat_summary c ON c.space_id = $1 AND c.session_id = m.session_id
WHERE m.space_id = $1 AND m.message_id = $2 AND m.role = 'person' AND m.hidden_at IS NULL
  AND (m.edited_at IS NULL OR m.edited_at <= $3)

-- name: edit
WITH fresh AS (
    SELECT message_id, message_vector($5, $3, said_at) AS search FROM message
    WHERE space_id = $1 AND message_id = $2)
UPDATE message SET content = $3, edited_at = $4, search = fresh.search
FROM fresh
WHERE message.space_id = $1 AND message.message_id = fresh.message_id
  AND (message.edited_at IS NULL OR message.edited_at < $4)
RETURNING message.message_id

-- name: whole_replies
-- A long reply is several messages, recorded as its first: whichever of them goes, it goes. Only turns of the day
-- before.
SELECT reply_ids[1] AS message_id FROM turn
WHERE space_id = $1 AND turn_id BETWEEN $3 AND $4 AND reply_ids && $2::bigint[]

-- name: is_touched
-- Most of what is deleted on Discord was never recorded; then one look is all. Counted, not asked whether there is one:
-- expecting many the planner would read every turn until it met the first.
SELECT EXISTS (SELECT 1 FROM message WHERE space_id = $1 AND message_id IN (SELECT unnest($2::bigint[])))
    OR EXISTS (SELECT 1 FROM turn WHERE space_id = $1 AND turn_id = ANY ($2::bigint[]))
    OR (SELECT count(*) FROM turn WHERE space_id = $1 AND made_from && $2::bigint[] AND made_from <> '{}') > 0
    OR (SELECT count(*) FROM memory WHERE space_id = $1 AND evidence && $2::bigint[]
        AND forgotten_at IS NULL AND superseded_by IS NULL) > 0
    OR (SELECT count(*) FROM memory WHERE space_id = $1 AND evidence && $2::bigint[] AND forgotten_at IS NOT NULL) > 0
    OR (SELECT count(*) FROM chunk WHERE space_id = $1 AND messages && $2::bigint[]) > 0
    OR (SELECT count(*) FROM turn WHERE space_id = $1 AND trail ? 'sources' AND source_ids(trail) && $2::bigint[]) > 0

-- name: is_only_named
-- Whether a message that is recorded nowhere was shown to a model all the same, is what a memory rests on, or was read
-- for one.
SELECT ((SELECT count(*) FROM turn
         WHERE space_id = $1 AND trail ? 'sources' AND source_ids(trail) && ARRAY[$2::bigint]) > 0
        OR (SELECT count(*) FROM memory WHERE space_id = $1 AND evidence @> ARRAY[$2::bigint]
            AND forgotten_at IS NULL AND superseded_by IS NULL) > 0
        OR (SELECT count(*) FROM chunk WHERE space_id = $1 AND messages @> ARRAY[$2::bigint] AND model = '') > 0)
   AND NOT EXISTS (SELECT 1 FROM message WHERE space_id = $1 AND message_id = $2)

-- name: fail_commands
-- Whoever carries one out finds it closed, and does nothing. In a commit of its own: it is the last row they lock.
UPDATE turn SET state = 'failed', kept = NULL, command = NULL, failure = 'deleted', answered_at = $3
WHERE space_id = $1 AND turn_id = ANY ($2::bigint[]) AND state IN ('recorded', 'claimed', 'sending')
  AND command IS NOT NULL
RETURNING turn_id

-- name: fail_turns
-- First of all: whoever answers one finds it closed, and records no reply. One of whose reply something may stand is
-- closed when that was taken back.
UPDATE turn SET state = CASE WHEN state = 'sending' THEN 'sending' ELSE 'failed' END, withdrawing = state = 'sending',
    kept = NULL, failure = 'deleted', answered_at = $3
WHERE space_id = $1 AND state IN ('recorded', 'claimed', 'sending') AND command IS NULL
  AND (turn_id = ANY ($2::bigint[]) OR made_from && $2::bigint[])
RETURNING turn_id

-- name: said
SELECT message_id, session_id, role, content FROM message WHERE space_id = $1
  AND message_id IN (SELECT unnest($2::bigint[]))

-- name: erase_messages
DELETE FROM message WHERE space_id = $1 AND message_id IN (SELECT unnest($2::bigint[]))

-- name: erase_notes
-- What was noted by these messages, or by a model that was answering them.
DELETE FROM note WHERE space_id = $1 AND message_id IN (SELECT unnest($2::bigint[]))

-- name: close_place
-- A channel and its public threads: from here on nothing that is said in them is kept.
UPDATE channel SET mode = 'off', enabled = false WHERE space_id = $1 AND (channel_id = $2 OR -coalesce(origin_id, channel_id) = -$2::bigint)
RETURNING channel_id, origin_id

-- name: fail_turns_of_place
UPDATE turn SET state = 'failed', kept = NULL, command = NULL, failure = 'deleted', answered_at = $3
WHERE space_id = $1 AND channel_id = ANY ($2::bigint[]) AND state IN ('recorded', 'claimed', 'sending')
RETURNING turn_id

-- name: messages_of_place
-- What was only read there is among it.
(SELECT m.message_id FROM session s JOIN message m ON m.space_id = $1 AND m.session_id = s.session_id
 WHERE s.space_id = $1 AND s.channel_id = ANY ($2::bigint[]) LIMIT $3)
UNION ALL
(SELECT said.message_id FROM chunk c CROSS JOIN LATERAL unnest(c.messages) AS said (message_id)
 WHERE c.space_id = $1 AND c.channel_id = ANY ($2::bigint[]) AND c.model = '' LIMIT $3)
LIMIT $3

-- name: memories_of_place
SELECT memory_id FROM memory WHERE space_id = $1 AND channel_id = $2 ORDER BY memory_id LIMIT $3

-- name: erase_turns_of_place
DELETE FROM turn
WHERE space_id = $1 AND turn_id = ANY (ARRAY(
    SELECT turn_id FROM turn WHERE space_id = $1 AND channel_id = ANY ($2::bigint[]) LIMIT $3))

-- name: erase_summaries_of_place
DELETE FROM chat_summary WHERE space_id = $1 AND summary_id = ANY (ARRAY(
    SELECT summary_id FROM chat_summary WHERE space_id = $1 AND channel_id = ANY ($2::bigint[]) LIMIT $3))

-- name: lock_place
SELECT channel_id FROM channel WHERE space_id = $1 AND channel_id = ANY ($2::bigint[]) ORDER BY channel_id FOR UPDATE

-- name: lock_sessions_of_place
-- So many of those that have ended, or ($3) of all, in the order in which everybody locks them.
SELECT session_id FROM session WHERE space_id = $1 AND session_id = ANY (ARRAY(
    SELECT session_id FROM session
    WHERE space_id = $1 AND channel_id = ANY ($2::bigint[]) AND ($3 OR state <> 'open') LIMIT $4))
ORDER BY session_id FOR UPDATE

-- name: erase_sessions
-- With what was noted in them, and what they were shown when they began.
WITH noted AS (DELETE FROM note WHERE space_id = $1 AND session_id = ANY ($2::bigint[])),
shown AS (DELETE FROM wake WHERE space_id = $1 AND session_id = ANY ($2::bigint[]))
DELETE FROM session WHERE space_id = $1 AND session_id = ANY ($2::bigint[])

-- name: erase_place
WITH chosen AS (DELETE FROM place_setting WHERE space_id = $1 AND channel_id = ANY ($2::bigint[]))
DELETE FROM channel WHERE space_id = $1 AND channel_id = ANY ($2::bigint[])

-- name: recorded
-- What is recorded of a channel between two messages, both included, hidden or not; and the commands among them on
-- which a memory or a note rests: of those only that they were given is. And what a reply was made from that is not; and
-- what was read for memory, of which an edit is missed that came later than that.
SELECT message_id, role, edited_at FROM message
WHERE space_id = $1 AND coalesce(place_id, channel_id) = $2 AND message_id BETWEEN $3 AND $4
UNION ALL
SELECT t.turn_id, 'command', NULL FROM turn t
WHERE t.space_id = $1 AND t.channel_id = $2 AND t.turn_id BETWEEN $3 AND $4
  AND NOT EXISTS (SELECT 1 FROM message m WHERE m.space_id = $1 AND m.message_id = t.turn_id)
  AND (EXISTS (SELECT 1 FROM memory y WHERE y.space_id = $1 AND y.evidence @> ARRAY[t.turn_id]
               AND y.forgotten_at IS NULL AND y.superseded_by IS NULL)
       OR EXISTS (SELECT 1 FROM note n WHERE n.space_id = $1 AND n.message_id = t.turn_id))
UNION ALL
SELECT found.key, 'elsewhere', NULL
FROM turn t, jsonb_array_elements(t.trail -> 'sources') AS source,
     LATERAL (SELECT (source -> 'message' ->> 1)::bigint AS key) AS found
WHERE t.space_id = $1 AND t.made_from && ARRAY[$2::bigint] AND t.made_from <> '{}'
  AND (source -> 'message' ->> 0)::bigint = $2 AND found.key = ANY (t.made_from) AND found.key BETWEEN $3 AND $4
UNION ALL
SELECT said.message_id, 'person', c.created_at FROM chunk c CROSS JOIN LATERAL unnest(c.messages) AS said (message_id)
WHERE c.space_id = $1 AND c.channel_id = $2 AND c.model = '' AND said.message_id BETWEEN $3 AND $4

-- name: elsewhere
-- Messages that replies were made from and that are not stored, with their channels; those of the newest replies that
-- are still recorded first.
SELECT (source -> 'message' ->> 0)::bigint AS channel_id, found.key AS message_id
FROM turn t JOIN message m ON m.space_id = $1 AND m.message_id = t.reply_ids[1],
     jsonb_array_elements(t.trail -> 'sources') AS source,
     LATERAL (SELECT (source -> 'message' ->> 1)::bigint AS key) AS found
WHERE t.space_id = $1 AND t.made_from <> '{}' AND found.key = ANY (t.made_from)
GROUP BY 1, 2 ORDER BY max(t.turn_id) DESC, 2 LIMIT $2

-- name: accounted_for
-- Of these messages, those whose row need not be there: questions that were taken in, parts of replies, and what was
-- forgotten or erased.
SELECT turn_id AS message_id FROM turn WHERE space_id = $1 AND turn_id = ANY ($2::bigint[])
UNION ALL
SELECT unnest(reply_ids) FROM turn
WHERE space_id = $1 AND channel_id = $3 AND turn_id BETWEEN $4 AND $5 AND reply_ids && $2::bigint[]
UNION ALL
SELECT unnest(evidence) FROM tombstone WHERE space_id = $1 AND evidence && $2::bigint[]
UNION ALL
SELECT unnest(messages) FROM erasure WHERE space_id = $1 AND messages && $2::bigint[]

-- name: last_seen
SELECT seen.* FROM unnest($1::bigint[]) AS here (space_id) CROSS JOIN LATERAL (
    SELECT c.space_id, c.channel_id, c.origin_id, c.last_message_id, c.refused_with FROM channel c
    WHERE c.space_id = ANY ($1::bigint[]) AND c.space_id = here.space_id AND c.last_message_id IS NOT NULL
    ORDER BY c.last_message_id DESC LIMIT $2) AS seen
