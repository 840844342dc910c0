-- What is one person's, in the spaces they were met in: shown to them, handed to them, and erased for them; but for the
-- writes of memories, which only the archivist makes.

-- name: person
SELECT spaces, opted_out_at, told_at, erased_at FROM person WHERE person_id = $1

-- name: erased
-- Until when nothing of theirs is to be read on Discord either.
INSERT INTO person (person_id, erased_at) VALUES ($1, $2)
ON CONFLICT (person_id) DO UPDATE SET erased_at = excluded.erased_at

-- name: direct
-- Which of these spaces are somebody's direct messages: theirs alone.
SELECT space_id FROM space WHERE space_id = ANY ($1::bigint[]) AND direct_at IS NOT NULL

-- name: message_counts
SELECT s.space_id, (SELECT count(*) FROM message m
                    WHERE m.space_id = s.space_id AND m.author_id = $2 AND m.hidden_at IS NULL) AS messages,
       (SELECT count(*) FROM attachment a JOIN message m ON m.space_id = s.space_id AND m.message_id = a.message_id
        WHERE a.space_id = s.space_id AND m.author_id = $2 AND m.hidden_at IS NULL) AS files
FROM space s WHERE s.space_id = ANY ($1::bigint[])

-- name: memory_count
-- By them or about them, from channels they can read now.
SELECT count(*) FROM memory
WHERE space_id = $1 AND (author_id = $2 OR subject_id = $2) AND channel_id = ANY ($3::bigint[])
  AND forgotten_at IS NULL AND superseded_by IS NULL

-- name: note_count
-- Living ones of theirs, from channels they can read now.
SELECT count(*) FROM note
WHERE space_id = $1 AND author_id = $2 AND channel_id = ANY ($3::bigint[]) AND expires_at > $4

-- name: notes
SELECT number, channel_id, author, content, written_at, expires_at FROM note
WHERE space_id = $1 AND author_id = $2 AND channel_id = ANY ($3::bigint[]) AND expires_at > $4
ORDER BY written_at DESC, number DESC LIMIT $5

-- name: erase_notes
-- Expired ones too, that are not removed yet; what is noted later is not part of it.
DELETE FROM note WHERE space_id = $1 AND (author_id = $2 OR $3) AND written_at <= $4

-- name: newest_messages
SELECT m.space_id, m.channel_id, m.said_at AS at, m.content AS text
FROM space s CROSS JOIN LATERAL (
    SELECT * FROM message WHERE space_id = s.space_id AND author_id = $2 AND hidden_at IS NULL
    ORDER BY message_id DESC LIMIT $3) AS m
WHERE s.space_id = ANY ($1::bigint[]) ORDER BY m.message_id DESC LIMIT $3

-- name: messages
-- Theirs; in their direct messages Hathi's too.
SELECT message_id, coalesce(place_id, channel_id) AS channel_id, role, said_at, edited_at, content FROM message
WHERE space_id = $1 AND message_id > $4 AND hidden_at IS NULL AND (author_id = $2 OR $3)
ORDER BY message_id LIMIT $5

-- name: attachments
-- The files that came with their messages.
SELECT a.attachment_id, a.message_id, coalesce(m.place_id, m.channel_id) AS channel_id, a.name, a.content_type, a.size,
       a.state, a.content
FROM message m JOIN attachment a ON a.space_id = $1 AND a.message_id = m.message_id
WHERE m.space_id = $1 AND a.attachment_id > $4 AND m.hidden_at IS NULL AND (m.author_id = $2 OR $3)
ORDER BY a.attachment_id LIMIT $5

-- name: memories
SELECT memory_id, channel_id, said_at, room, topic, content, importance, tags, author FROM memory
WHERE space_id = $1 AND memory_id > $4 AND (author_id = $2 OR subject_id = $2) AND channel_id = ANY ($3::bigint[])
  AND forgotten_at IS NULL AND superseded_by IS NULL
ORDER BY memory_id LIMIT $5

-- name: names
SELECT name, first_seen_at, last_seen_at FROM member WHERE space_id = $1 AND person_id = $2 AND name > $3
ORDER BY name LIMIT $4

-- name: erasable
-- What would go: their messages, hidden or not, Hathi's replies to them, the memories they made or that rest on them
-- and on nobody else, the questions they asked, the names they went by.
WITH mine AS (
    SELECT message_id FROM message WHERE space_id = $1 AND (author_id = $2 OR $3))
SELECT (SELECT count(*) FROM mine) AS messages,
       (SELECT count(*) FROM message m WHERE m.space_id = $1 AND m.role = 'hathi' AND NOT $3
          AND m.reply_to IN (SELECT message_id FROM mine)) AS replies,
       (SELECT count(*) FROM memory m WHERE m.space_id = $1 AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
          AND ($3 OR m.author_id = $2
               OR (m.seen_count = 1 AND m.evidence && ARRAY(SELECT message_id FROM mine)))) AS memories,
       (SELECT count(*) FROM note WHERE space_id = $1 AND (author_id = $2 OR $3)) AS notes,
       (SELECT count(*) FROM turn WHERE space_id = $1 AND (asker_id = $2 OR $3)) AS turns,
       (SELECT count(*) FROM member WHERE space_id = $1 AND person_id = $2) AS names

-- name: fail_turns
UPDATE turn SET state = 'failed', kept = NULL, failure = 'deleted', answered_at = $4
WHERE space_id = $1 AND (asker_id = $2 OR $3) AND turn_id <> $5 AND state IN ('recorded', 'claimed', 'sending')
RETURNING turn_id

-- name: message_ids
SELECT message_id FROM message WHERE space_id = $1 AND author_id = $2 AND message_id <= $3 ORDER BY message_id LIMIT $4

-- name: all_message_ids
SELECT message_id FROM message WHERE space_id = $1 AND message_id <= $2 ORDER BY message_id LIMIT $3

-- name: memory_ids
SELECT memory_id FROM memory WHERE space_id = $1 AND (author_id = $2 OR $3) ORDER BY memory_id LIMIT $4

-- name: erase_turns
DELETE FROM turn
WHERE space_id = $1 AND turn_id = ANY (ARRAY(
    SELECT turn_id FROM turn
    WHERE space_id = $1 AND (asker_id = $2 OR $3) AND state IN ('answered', 'failed') AND turn_id <= $4 LIMIT $5))

-- name: leave_sessions
UPDATE session SET closed_by = NULL WHERE space_id = $1 AND closed_by = $2

-- name: erase_summaries
DELETE FROM chat_summary WHERE space_id = $1

-- name: erase_sessions
-- The open one stays: it is where the next word is kept.
DELETE FROM session WHERE space_id = $1 AND state <> 'open'

-- name: erase_names
DELETE FROM member WHERE space_id = ANY ($1::bigint[]) AND person_id = $2
