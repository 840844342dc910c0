-- What `hathi import` takes over of other systems' stores, but for memories, which only the archivist writes.

-- name: channels
SELECT channel_id, name, mode, coalesce(origin_id, channel_id) AS origin_id FROM channel WHERE space_id = $1
ORDER BY channel_id

-- name: standing
-- Of these messages those that are here, those that were taken back, and those of which only that something was said was
-- to be kept.
SELECT m.message_id, 'here' AS how FROM message m
WHERE m.space_id = $1 AND m.message_id IN (SELECT unnest($2::bigint[]))
UNION ALL
SELECT gone.message_id, 'forgotten' FROM tombstone t CROSS JOIN LATERAL unnest(t.evidence) AS gone (message_id)
WHERE t.space_id = $1 AND t.evidence && $2::bigint[] AND gone.message_id = ANY ($2::bigint[])
UNION ALL
SELECT gone.message_id, 'forgotten' FROM erasure e CROSS JOIN LATERAL unnest(e.messages) AS gone (message_id)
WHERE e.space_id = $1 AND e.messages && $2::bigint[] AND gone.message_id = ANY ($2::bigint[])
UNION ALL
SELECT t.turn_id, CASE WHEN t.failure = 'deleted' THEN 'forgotten' ELSE 'unkept' END FROM turn t
WHERE t.space_id = $1 AND t.turn_id IN (SELECT unnest($2::bigint[])) AND (t.unkept OR t.failure = 'deleted')

-- name: declined_names
-- Of these names, in small letters, those of people who opted out: of who is told by a name alone nothing else is known.
SELECT DISTINCT lower(m.name) AS name FROM member m JOIN person p ON p.person_id = m.person_id
WHERE m.space_id = $1 AND lower(m.name) = ANY ($2::text[]) AND (p.opted_out_at IS NOT NULL OR p.erased_at IS NOT NULL)

-- name: make_room
-- The open session goes behind those that come: its number is the first of theirs.
UPDATE session SET number = number + $3 WHERE space_id = $1 AND session_id = $2 RETURNING number - $3

-- name: sessions
INSERT INTO session (space_id, session_id, channel_id, number, state, opened_at, closed_at, first_message_id,
                     last_message_id, message_count, next_attempt_at)
SELECT $1, f.session_id, $2, f.number, f.state, f.opened_at, f.closed_at, f.first_message_id, f.last_message_id,
       f.message_count, f.next_attempt_at
FROM jsonb_to_recordset($3::jsonb) AS f (
    session_id bigint, number integer, state text, opened_at timestamptz, closed_at timestamptz, first_message_id bigint,
    last_message_id bigint, message_count integer, next_attempt_at timestamptz)

-- name: messages
-- Not of who opted out meanwhile, and not where memory was switched off meanwhile.
INSERT INTO message (space_id, message_id, channel_id, place_id, session_id, role, author_id, author, content, reply_to,
                     said_at, edited_at, search)
SELECT $1, f.message_id, coalesce(c.origin_id, $2), CASE WHEN c.origin_id <> $2 THEN $2 END, f.session_id, 'person',
       f.author_id, f.author, f.content, f.reply_to, f.said_at, f.edited_at,
       message_vector(s.language, f.content, f.said_at)
FROM jsonb_to_recordset($3::jsonb) AS f (
    message_id bigint, session_id bigint, author_id bigint, author text, content text, reply_to bigint,
    said_at timestamptz, edited_at timestamptz)
JOIN space s ON s.space_id = $1
JOIN channel c ON c.space_id = $1 AND c.channel_id = $2 AND c.mode IN ('addressed', 'all')
LEFT JOIN person p ON p.person_id = f.author_id
WHERE p.opted_out_at IS NULL
ON CONFLICT (space_id, message_id) DO NOTHING

-- name: people
INSERT INTO person (person_id, spaces) SELECT met.id, ARRAY[$1::bigint] FROM unnest($2::bigint[]) AS met (id)
ON CONFLICT (person_id) DO UPDATE SET spaces = array_append(person.spaces, $1::bigint)
WHERE NOT person.spaces @> ARRAY[$1::bigint]

-- name: members
INSERT INTO member (space_id, person_id, name, first_seen_at, last_seen_at, likeness)
SELECT $1, f.person_id, f.name, f.first_seen_at, f.last_seen_at, f.likeness
FROM jsonb_to_recordset($2::jsonb) AS f (
    person_id bigint, name text, first_seen_at timestamptz, last_seen_at timestamptz, likeness text)
JOIN person p ON p.person_id = f.person_id AND p.opted_out_at IS NULL
ON CONFLICT (space_id, person_id, name) DO UPDATE SET
    first_seen_at = least(member.first_seen_at, excluded.first_seen_at),
    last_seen_at = greatest(member.last_seen_at, excluded.last_seen_at)

-- name: known_sessions
SELECT session_id FROM session WHERE space_id = $1 AND session_id = ANY ($2::bigint[])

-- name: summaries
INSERT INTO chat_summary (space_id, summary_id, channel_id, session_id, text, raw, message_count, model, created_at)
SELECT $1, f.session_id, $2, f.session_id, f.text, f.raw, f.message_count, f.model, f.created_at
FROM jsonb_to_recordset($3::jsonb) AS f (
    session_id bigint, text text, raw text, message_count integer, model text, created_at timestamptz)

-- name: known_chunks
SELECT chunk_id, session_id, last_hash, text FROM chunk
WHERE space_id = $1 AND channel_id = $2 AND last_hash = ANY ($3::bytea[]) AND messages = '{}' ORDER BY chunk_id

-- name: chunks
INSERT INTO chunk (space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, text, model,
                   created_at, search)
SELECT $1, f.chunk_id, $2, f.session_id, f.chunk_id, f.last_hash, '{}', f.text, f.model, f.created_at,
       search_vector(s.language, f.text)
FROM space s, jsonb_to_recordset($3::jsonb) AS f (
    chunk_id bigint, session_id bigint, last_hash bytea, text text, model text, created_at timestamptz)
WHERE s.space_id = $1

-- name: known_rolls
SELECT chunk_id, text FROM chat_summary
WHERE space_id = $1 AND channel_id = $2 AND chunk_id = ANY ($3::bigint[])

-- name: rolls
INSERT INTO chat_summary (space_id, summary_id, channel_id, chunk_id, text, raw, message_count, model, created_at)
SELECT $1, f.summary_id, $2, f.chunk_id, f.text, '', 0, f.model, f.created_at
FROM jsonb_to_recordset($3::jsonb) AS f (
    summary_id bigint, chunk_id bigint, text text, model text, created_at timestamptz)

-- name: known_notes
SELECT content, written_at FROM note WHERE space_id = $1 AND channel_id = $2

-- name: notes
-- As many as the open session may have; each with a number of its own.
WITH here AS (
    UPDATE channel SET note_count = note_count + jsonb_array_length($3::jsonb) WHERE space_id = $1 AND channel_id = $2
    RETURNING open_session_id, coalesce(origin_id, channel_id) AS origin_id,
              note_count - jsonb_array_length($3::jsonb) AS before)
INSERT INTO note (space_id, session_id, number, channel_id, actor, author_id, author, content, written_at, expires_at)
SELECT $1, here.open_session_id, here.before + f.number, here.origin_id, 'model', $4, $5, f.content, f.written_at,
       f.expires_at
FROM here, jsonb_to_recordset($3::jsonb) AS f (
    number integer, content text, written_at timestamptz, expires_at timestamptz)
