-- What is one person's, in the spaces they were met in: shown to them, handed to them, and erased for them; but for the
-- writes of memories, which only the archivist makes.

-- name: person
SELECT spaces, opted_out_at, told_at, erased_at FROM person WHERE person_id = $1

-- name: erased
-- Until when nothing of theirs is to be read on Discord either; and from now on none of it here.
INSERT INTO person (person_id, erased_at, erasing_at) VALUES ($1, $2, $3)
ON CONFLICT (person_id) DO UPDATE SET erased_at = excluded.erased_at, erasing_at = excluded.erasing_at

-- name: gone
UPDATE person SET erasing_at = NULL WHERE person_id = $1

-- name: unfinished
-- People who have been on their way to be erased since then.
SELECT person_id, erasing_at FROM person WHERE erasing_at <= $1 ORDER BY erasing_at, person_id LIMIT $2

-- name: direct
-- Which of these spaces are somebody's direct messages: theirs alone.
SELECT space_id FROM space WHERE space_id = ANY ($1::bigint[]) AND direct_at IS NOT NULL

-- name: counts
-- How much there is of them in each of these spaces, each counted no further than to $6: their messages with the files,
-- memories by them, those about them by others, and their living notes, all but the messages from channels they can read
-- now, which come as pairs of a space and a channel. Their direct messages are one channel, numbered as the space.
SELECT s.space_id, s.direct_at IS NOT NULL AS is_direct, s.gone_at,
       (SELECT count(*) FROM (
            SELECT 1 FROM message m
            WHERE m.space_id = s.space_id AND m.author_id = $2 AND m.hidden_at IS NULL LIMIT $6) AS few) AS messages,
       (SELECT count(*) FROM (
            SELECT m.message_id FROM message m
            WHERE m.space_id = s.space_id AND m.author_id = $2 AND m.hidden_at IS NULL LIMIT $6) AS mine
        JOIN attachment a ON a.space_id = s.space_id AND a.message_id = mine.message_id) AS files,
       (SELECT count(*) FROM (
            SELECT 1 FROM memory y
            WHERE y.space_id = s.space_id AND y.author_id = $2 AND y.channel_id = ANY (read.channels)
              AND y.forgotten_at IS NULL AND y.superseded_by IS NULL LIMIT $6) AS few) AS memories,
       (SELECT count(*) FROM (
            SELECT 1 FROM memory y
            WHERE y.space_id = s.space_id AND y.subject_id = $2 AND y.author_id IS DISTINCT FROM $2
              AND y.channel_id = ANY (read.channels) AND y.forgotten_at IS NULL AND y.superseded_by IS NULL
            LIMIT $6) AS few) AS by_others,
       (SELECT count(*) FROM note n
        WHERE n.space_id = s.space_id AND n.author_id = $2 AND n.channel_id = ANY (read.channels)
          AND n.expires_at > $5) AS notes
FROM space s CROSS JOIN LATERAL (
    SELECT array_append(array_agg(r.channel_id), CASE WHEN s.direct_at IS NOT NULL THEN s.space_id END) AS channels
    FROM unnest($3::bigint[], $4::bigint[]) AS r (space_id, channel_id) WHERE r.space_id = s.space_id) AS read
WHERE s.space_id = ANY ($1::bigint[])

-- name: notes
SELECT number, channel_id, author, content, written_at, expires_at FROM note
WHERE space_id = $1 AND author_id = $2 AND channel_id = ANY ($3::bigint[]) AND expires_at > $4
ORDER BY written_at DESC, number DESC LIMIT $5

-- name: erase_notes
-- Expired ones too, that are not removed yet; what is noted later is not part of it.
DELETE FROM note WHERE space_id = $1 AND author_id = $2 AND written_at <= $3

-- name: newest_messages
SELECT m.space_id, m.channel_id, m.said_at AS at, m.content AS text
FROM space s CROSS JOIN LATERAL (
    SELECT * FROM message WHERE space_id = s.space_id AND author_id = $2 AND hidden_at IS NULL
    ORDER BY message_id DESC LIMIT $3) AS m
WHERE s.space_id = ANY ($1::bigint[]) ORDER BY m.message_id DESC LIMIT $3

-- name: messages
-- Theirs; in their direct messages Hathi's too.
(SELECT message_id, coalesce(place_id, channel_id) AS channel_id, role, said_at, edited_at, content FROM message
 WHERE NOT $3 AND space_id = $1 AND author_id = $2 AND message_id > $4 AND hidden_at IS NULL
 ORDER BY message_id LIMIT $5)
UNION ALL
(SELECT message_id, coalesce(place_id, channel_id), role, said_at, edited_at, content FROM message
 WHERE $3 AND space_id = $1 AND message_id > $4 AND hidden_at IS NULL
 ORDER BY message_id LIMIT $5)
ORDER BY message_id

-- name: attachments
-- The files that came with their messages.
SELECT a.attachment_id, a.message_id, coalesce(m.place_id, m.channel_id) AS channel_id, a.name, a.content_type, a.size,
       a.state, a.content
FROM message m JOIN attachment a ON a.space_id = $1 AND a.message_id = m.message_id
WHERE m.space_id = $1 AND a.attachment_id > $4 AND m.hidden_at IS NULL AND (m.author_id = $2 OR $3)
ORDER BY a.attachment_id LIMIT $5

-- name: memories
-- By them, whoever they are about, and about them, whoever said them.
SELECT memory_id, channel_id, said_at, room, topic, content, importance, tags, author,
       coalesce(author_id = $2, false) AS is_own,
       CASE WHEN subject_id = $2 THEN 'you' WHEN subject_id IS NOT NULL THEN 'somebody else' END AS about
FROM filed_memory
WHERE space_id = $1 AND memory_id IN (
    (SELECT memory_id FROM memory
     WHERE space_id = $1 AND author_id = $2 AND memory_id > $4 AND (channel_id + 0) = ANY ($3::bigint[])
       AND forgotten_at IS NULL AND superseded_by IS NULL ORDER BY memory_id LIMIT $5)
    UNION
    (SELECT memory_id FROM memory
     WHERE space_id = $1 AND subject_id = $2 AND memory_id > $4 AND (channel_id + 0) = ANY ($3::bigint[])
       AND forgotten_at IS NULL AND superseded_by IS NULL ORDER BY memory_id LIMIT $5))
ORDER BY memory_id LIMIT $5

-- name: names
SELECT name, first_seen_at, last_seen_at FROM member WHERE space_id = $1 AND person_id = $2 AND name > $3
ORDER BY name LIMIT $4

-- name: erasable
-- What would go: their messages, hidden or not, Hathi's replies to them, the memories they made or that rest on them
-- and were not said before, the questions they asked, the names they went by. Each is counted no further than to $3, and
-- what hangs on messages for so many of them. That is looked up message by message: compared with all of them at once,
-- every row of the space would be.
WITH mine AS MATERIALIZED (SELECT message_id FROM message WHERE space_id = $1 AND author_id = $2 LIMIT $3),
read AS MATERIALIZED (
    SELECT said.message_id FROM chunk c CROSS JOIN LATERAL unnest(c.messages) AS said (message_id)
    WHERE c.space_id = $1 AND c.people @> ARRAY[$2::bigint] AND c.model = '' LIMIT $3)
SELECT (SELECT count(*) FROM mine) AS messages,
       (SELECT coalesce(sum(answers.count), 0)::bigint
        FROM mine CROSS JOIN LATERAL (
            SELECT count(*) AS count FROM message m
            WHERE m.space_id = $1 AND m.role = 'hathi' AND m.reply_to = mine.message_id) AS answers) AS replies,
       (SELECT count(*) FROM (
            (SELECT y.memory_id FROM memory y
             WHERE y.space_id = $1 AND y.author_id = $2 AND y.forgotten_at IS NULL AND y.superseded_by IS NULL LIMIT $3)
            UNION
            SELECT resting.memory_id FROM (SELECT message_id FROM mine UNION ALL SELECT message_id FROM read) AS of_theirs
            CROSS JOIN LATERAL (
                SELECT y.memory_id FROM memory y
                WHERE y.space_id = $1 AND y.evidence @> ARRAY[of_theirs.message_id] AND y.seen_count = 1
                  AND y.forgotten_at IS NULL AND y.superseded_by IS NULL OFFSET 0) AS resting) AS theirs) AS memories,
       (SELECT count(*) FROM note WHERE space_id = $1 AND author_id = $2) AS notes,
       (SELECT count(*) FROM (SELECT 1 FROM turn WHERE space_id = $1 AND asker_id = $2 LIMIT $3) AS few) AS turns,
       (SELECT count(*) FROM member WHERE space_id = $1 AND person_id = $2) AS names

-- name: fail_turns
UPDATE turn SET state = 'failed', kept = NULL, failure = 'deleted', answered_at = $3
WHERE space_id = $1 AND asker_id = $2 AND turn_id <> $4 AND turn_id <= $5
  AND state IN ('recorded', 'claimed', 'sending') AND command IS NULL
RETURNING turn_id

-- name: message_ids
-- Those of theirs that were only read, too.
(SELECT message_id FROM message WHERE space_id = $1 AND author_id = $2 AND message_id <= $3 ORDER BY message_id LIMIT $4)
UNION ALL
(SELECT said.message_id FROM chunk c CROSS JOIN LATERAL unnest(c.messages) AS said (message_id)
 WHERE c.space_id = $1 AND $2::bigint = ANY (c.people) AND c.model = '' AND said.message_id <= $3 LIMIT $4)
LIMIT $4

-- name: memory_ids
-- In no order: by number every memory of the space would be walked past.
SELECT memory_id FROM memory WHERE space_id = $1 AND author_id = $2 AND said_at <= $3 LIMIT $4

-- name: erase_turns
DELETE FROM turn
WHERE space_id = $1 AND turn_id = ANY (ARRAY(
    SELECT turn_id FROM turn
    WHERE space_id = $1 AND asker_id = $2 AND (state IN ('answered', 'failed') OR command IS NOT NULL)
      AND turn_id <= $3 LIMIT $4))

-- name: leave_sessions
UPDATE session SET closed_by = NULL WHERE space_id = $1 AND session_id = ANY (ARRAY(
    SELECT session_id FROM session WHERE space_id = $1 AND closed_by = $2 LIMIT $3))

-- name: erase_names
DELETE FROM member WHERE space_id = ANY ($1::bigint[]) AND person_id = $2
