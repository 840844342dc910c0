-- Hathi's own messages that stand on Discord and tell of what is gone. Those that somebody's erasure left are deleted when
-- they say so; all others, noted for nobody (person 0), by Hathi itself. What a command was answered by is no reply of
-- its turn: the trail names it, where it tells a memory.

-- name: asked
-- The next questions and commands of somebody's up to one, from behind another on.
SELECT turn_id FROM turn WHERE space_id = $1 AND asker_id = $2 AND turn_id > $3 AND turn_id <= $4
ORDER BY turn_id LIMIT $5

-- name: note_answers
-- Those that answered these questions, also where neither question nor answer was recorded. But for what answers the one
-- in which somebody asks for it.
INSERT INTO standing_reply (space_id, person_id, message_id, place_id, noted_at)
SELECT DISTINCT $1::bigint, $2::bigint, part.message_id, t.channel_id, $4::timestamptz
FROM turn t CROSS JOIN unnest(t.reply_ids || ARRAY(
    SELECT id::bigint FROM jsonb_array_elements_text(t.trail -> 'receipt') AS id)) AS part (message_id)
WHERE t.space_id = $1 AND t.turn_id = ANY ($5::bigint[]) AND t.turn_id <> $3
ON CONFLICT (space_id, person_id, message_id) DO NOTHING

-- name: told_directly
-- The next of Hathi's in direct messages up to one, from behind another on; none elsewhere.
SELECT m.message_id FROM message m
WHERE m.space_id = $1 AND m.role = 'hathi' AND m.message_id > $2 AND m.message_id <= $3
  AND (SELECT s.direct_at FROM space s WHERE s.space_id = $1) IS NOT NULL
ORDER BY m.message_id LIMIT $4

-- name: note
-- Those of Hathi's among these messages, which are about to go here, with every part of a long one. But for what
-- answers the question in which somebody asks for it.
INSERT INTO standing_reply (space_id, person_id, message_id, place_id, noted_at)
SELECT $1, $2, part.message_id, coalesce(m.place_id, m.channel_id), $4
FROM message m LEFT JOIN turn t ON t.space_id = $1 AND t.turn_id = m.reply_to AND t.reply_ids @> ARRAY[m.message_id]
CROSS JOIN unnest(coalesce(t.reply_ids, ARRAY[m.message_id])) AS part (message_id)
WHERE m.space_id = $1 AND m.message_id IN (SELECT unnest($5::bigint[])) AND m.role = 'hathi'
  AND m.reply_to IS DISTINCT FROM $3
ON CONFLICT (space_id, person_id, message_id) DO NOTHING

-- name: note_told
-- Those that answered one of these messages ($5), confirmed that something of it was kept ($6), or told one of these
-- memories ($7) in a set text. But for what answers the question in which somebody asks for it.
WITH told AS (
    SELECT t.turn_id, t.channel_id, t.reply_ids, t.trail FROM turn t
    WHERE t.space_id = $1 AND t.turn_id = ANY ($5::bigint[] || $6::bigint[])
      AND (t.turn_id = ANY ($5::bigint[]) OR t.stock = 'kept' OR t.trail ? 'receipt')
    UNION ALL
    SELECT t.turn_id, t.channel_id, t.reply_ids, t.trail FROM turn t
    WHERE t.space_id = $1 AND t.shown && $7::bigint[] AND t.shown <> '{}'
      AND (t.stock IN ('kept', 'forgotten', 'asked', 'listed') OR t.trail ? 'receipt'))
INSERT INTO standing_reply (space_id, person_id, message_id, place_id, noted_at)
SELECT $1, $2, part.message_id, told.channel_id, $4
FROM told CROSS JOIN unnest(told.reply_ids || ARRAY(
    SELECT id::bigint FROM jsonb_array_elements_text(told.trail -> 'receipt') AS id)) AS part (message_id)
WHERE told.turn_id <> $3
ON CONFLICT (space_id, person_id, message_id) DO NOTHING

-- name: note_due
-- The same of what was forgotten in these spaces by then, before it is erased; and the answers that go with it. Not those
-- of a session that was discarded as a whole. What was forgotten without being a memory has its number as a tombstone.
WITH due AS (
    SELECT m.space_id, m.memory_id, m.evidence FROM memory m
    WHERE m.space_id = ANY ($1::bigint[]) AND m.forgotten_at <= $2),
hidden AS (
    SELECT m.space_id, m.message_id, m.role, m.reply_to, coalesce(m.place_id, m.channel_id) AS place_id
    FROM message m
    WHERE m.space_id = ANY ($1::bigint[]) AND m.hidden_at <= $2
      AND NOT EXISTS (SELECT 1 FROM session s WHERE s.space_id = ANY ($1::bigint[]) AND s.space_id = m.space_id
                      AND s.session_id = m.session_id AND s.state = 'discarded')),
number AS (
    SELECT due.space_id, due.memory_id FROM due
    UNION
    SELECT hidden.space_id, d.memory_id FROM hidden JOIN tombstone d ON d.space_id = ANY ($1::bigint[])
        AND d.space_id = hidden.space_id AND d.evidence @> ARRAY[hidden.message_id]),
asked AS (
    SELECT due.space_id, id AS turn_id, true AS is_kept FROM due CROSS JOIN unnest(due.evidence) AS id
    UNION
    SELECT hidden.space_id, hidden.reply_to, false FROM hidden WHERE hidden.role = 'hathi'),
told AS (
    SELECT t.space_id, t.channel_id, t.reply_ids, t.trail
    FROM number JOIN turn t ON t.space_id = ANY ($1::bigint[]) AND t.space_id = number.space_id
        AND t.shown @> ARRAY[number.memory_id]
    WHERE t.shown <> '{}' AND (t.stock IN ('kept', 'forgotten', 'asked', 'listed') OR t.trail ? 'receipt')
    UNION ALL
    SELECT t.space_id, t.channel_id, t.reply_ids, t.trail
    FROM asked JOIN turn t ON t.space_id = ANY ($1::bigint[]) AND t.space_id = asked.space_id
        AND t.turn_id = asked.turn_id
    WHERE NOT asked.is_kept OR t.stock = 'kept' OR t.trail ? 'receipt')
INSERT INTO standing_reply (space_id, person_id, message_id, place_id, noted_at)
SELECT found.space_id, 0, found.message_id, found.place_id, $3
FROM (
    SELECT told.space_id, part.message_id, told.channel_id AS place_id
    FROM told CROSS JOIN unnest(told.reply_ids || ARRAY(
        SELECT id::bigint FROM jsonb_array_elements_text(told.trail -> 'receipt') AS id)) AS part (message_id)
    UNION
    SELECT hidden.space_id, hidden.message_id, hidden.place_id FROM hidden WHERE hidden.role = 'hathi') AS found
WHERE found.space_id <> 0
ON CONFLICT (space_id, person_id, message_id) DO NOTHING

-- name: kept_now
-- What is left of that which a message of Hathi's confirmed to have kept of the message it answers. No index leads from a
-- reply to its turn: only those of the day before ($3) are looked at.
SELECT m.* FROM turn t JOIN memory m ON m.space_id = $1 AND m.evidence @> ARRAY[t.turn_id]
WHERE t.space_id = $1 AND t.turn_id BETWEEN $3 AND $2 AND t.reply_ids @> ARRAY[$2::bigint] AND t.stock = 'kept'
  AND m.source <> 'summary' AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
ORDER BY m.memory_id

-- name: count
SELECT count(*) FROM standing_reply WHERE space_id = ANY ($1::bigint[]) AND person_id = $2

-- name: after
SELECT space_id, place_id, message_id FROM standing_reply
WHERE space_id = ANY ($1::bigint[]) AND person_id = $2 AND message_id > $3 ORDER BY message_id LIMIT $4

-- name: gone
DELETE FROM standing_reply WHERE space_id = $1 AND person_id = $2 AND message_id = $3

-- name: tidy
DELETE FROM standing_reply WHERE space_id = ANY ($1::bigint[]) AND noted_at <= $2
