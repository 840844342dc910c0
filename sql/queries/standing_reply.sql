-- Hathi's own messages that stand on Discord and tell of what somebody erased.

-- name: note_answers
-- Those that answered somebody up to then, also where neither question nor answer was recorded; of direct messages all
-- of Hathi's. But for what answers the question in which they ask for it.
INSERT INTO standing_reply (space_id, person_id, message_id, place_id, noted_at)
SELECT $1, $2, told.message_id, told.place_id, $4
FROM (
    SELECT part.message_id, t.channel_id AS place_id
    FROM turn t CROSS JOIN unnest(t.reply_ids) AS part (message_id)
    WHERE t.space_id = $1 AND t.asker_id = $2 AND t.turn_id <= $5 AND t.turn_id <> $3
    UNION
    SELECT m.message_id, m.channel_id
    FROM space s JOIN message m ON m.space_id = $1 AND m.role = 'hathi' AND m.message_id <= $5
    WHERE s.space_id = $1 AND s.direct_at IS NOT NULL AND m.reply_to IS DISTINCT FROM $3) AS told
ON CONFLICT (space_id, person_id, message_id) DO NOTHING

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

-- name: count
SELECT count(*) FROM standing_reply WHERE space_id = ANY ($1::bigint[]) AND person_id = $2

-- name: after
SELECT space_id, place_id, message_id FROM standing_reply
WHERE space_id = ANY ($1::bigint[]) AND person_id = $2 AND message_id > $3 ORDER BY message_id LIMIT $4

-- name: gone
DELETE FROM standing_reply WHERE space_id = $1 AND person_id = $2 AND message_id = $3

-- name: tidy
DELETE FROM standing_reply WHERE space_id = ANY ($1::bigint[]) AND noted_at <= $2
