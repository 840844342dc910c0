-- What Hathi's replies were made from, as their turns tell it: each cites labels, and the trail says what those stand for.

-- name: replies
-- Nothing said before them can cite them. Labels of messages count from one in each turn; memories have one number, and
-- notes one in their channel.
SELECT m.message_id, m.session_id
FROM message m JOIN turn t ON t.space_id = $1 AND t.turn_id = m.reply_to
WHERE m.space_id = $1 AND m.role = 'hathi' AND m.message_id >= $6 AND t.trail ? 'grounded'
  AND (EXISTS (SELECT 1
               FROM jsonb_path_query(t.trail, '$.sources[*] ? (@.label == $.grounded.cited[*]).message[1]') AS key
               WHERE key::bigint = ANY ($2::bigint[]))
       OR jsonb_path_exists(t.trail, '$.grounded.cited[*] ? (@ == $labels[*])',
                            jsonb_build_object('labels', to_jsonb($3::text[])))
       OR EXISTS (SELECT 1 FROM unnest($4::bigint[], $5::text[]) AS noted (channel_id, label)
                  WHERE noted.channel_id = t.channel_id
                    AND jsonb_path_exists(t.trail, '$.grounded.cited[*] ? (@ == $label)',
                                          jsonb_build_object('label', noted.label))))

-- name: made_from
-- Replies that were made from something of these ids that is not stored here: a message, its author or its place.
SELECT m.message_id, m.session_id FROM turn t JOIN message m ON m.space_id = $1 AND m.message_id = t.reply_ids[1]
WHERE t.space_id = $1 AND t.made_from && $2::bigint[] AND t.made_from <> '{}'

-- name: shown
-- Replies that were made with one of these memories in sight, and hold a word of it that their question does not.
SELECT m.message_id, m.session_id, m.content, told.word
FROM message m JOIN turn t ON t.space_id = $1 AND t.turn_id = m.reply_to
LEFT JOIN message asked ON asked.space_id = $1 AND asked.message_id = m.reply_to
CROSS JOIN unnest($2::bigint[], $3::text[]) AS told (memory_id, word)
WHERE m.space_id = $1 AND m.role = 'hathi' AND m.message_id >= $4 AND t.shown && $2::bigint[]
  AND told.memory_id = ANY (t.shown) AND strpos(lower(m.content), told.word) > 0
  AND strpos(lower(coalesce(asked.content, '')), told.word) = 0

-- name: said
SELECT message_id, content FROM message WHERE space_id = $1 AND message_id = ANY ($2::bigint[]) AND role = 'person'

-- name: heard
-- Replies to questions that were asked while one of these messages was in sight, each with those that were.
SELECT m.message_id, m.session_id, m.content, array_agg(gone.message_id) AS heard
FROM message gone
CROSS JOIN LATERAL (
    SELECT r.message_id, r.session_id, r.role, r.content, r.reply_to FROM message r
    WHERE r.space_id = $1 AND r.session_id = gone.session_id AND r.message_id > gone.message_id
    ORDER BY r.message_id LIMIT $3) AS m
WHERE gone.space_id = $1 AND gone.message_id = ANY ($2::bigint[]) AND m.role = 'hathi' AND m.reply_to > gone.message_id
GROUP BY m.message_id, m.session_id, m.content

-- name: looked_up
-- Replies for which a model looked any of these messages up by itself, each with all that it was shown.
SELECT m.message_id, m.session_id, m.content,
       ARRAY(SELECT jsonb_path_query(t.trail, '$.sources[*].message[1]')::bigint) AS heard
FROM message m JOIN turn t ON t.space_id = $1 AND t.turn_id = m.reply_to
WHERE m.space_id = $1 AND m.role = 'hathi' AND m.message_id >= $3 AND NOT t.trail ? 'grounded'
  AND EXISTS (SELECT 1 FROM jsonb_path_query(t.trail, '$.sources[*].message[1]') AS key
              WHERE key::bigint = ANY ($2::bigint[]))

-- name: also_said
-- Which of the words somebody said in their session with what stays.
SELECT told.session_id, told.word FROM unnest($2::bigint[], $3::text[]) AS told (session_id, word)
WHERE EXISTS (SELECT 1 FROM message o
              WHERE o.space_id = $1 AND o.session_id = told.session_id AND o.role = 'person'
                AND o.hidden_at IS NULL AND o.message_id <> ALL ($4::bigint[])
                AND strpos(lower(o.content), told.word) > 0)

-- name: notes
-- Those that were given by these messages, with the channel they are numbered in.
SELECT s.channel_id, n.number FROM note n JOIN session s ON s.space_id = $1 AND s.session_id = n.session_id
WHERE n.space_id = $1 AND n.message_id = ANY ($2::bigint[])

-- name: notes_of
-- A person's, expired ones too; in their direct messages Hathi's are theirs.
SELECT s.channel_id, n.number, n.written_at
FROM note n JOIN session s ON s.space_id = $1 AND s.session_id = n.session_id
WHERE n.space_id = $1 AND (n.author_id = $2 OR $3) AND n.written_at <= $4
