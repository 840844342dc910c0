-- What is read of ledgers, and of what was said in a while, for whoever asks. None writes, locks or calls a volatile
-- function.

-- name: first_entries
-- The first chunks of a channel, from its beginning or since a person's reset.
SELECT NULL::bigint AS summary_id, NULL::bigint AS condensation_id, c.chunk_id, c.first_message_id, c.text,
       ARRAY[c.session_id] AS sessions
FROM chunk c
WHERE c.space_id = $1 AND c.channel_id = $2 AND c.withheld_at IS NULL AND c.text <> ''
  AND (NOT $4 OR c.session_id > coalesce((
      SELECT e.session_id FROM session e
      WHERE e.space_id = $1 AND e.channel_id = $2 AND e.was_reset ORDER BY e.number DESC LIMIT 1), 0))
ORDER BY c.first_message_id LIMIT $3

-- name: entries_holding
-- The newest chunks that hold some of these words, those that hold most of them first; a chunk's audience is its
-- channel's.
WITH q AS MATERIALIZED (SELECT $3::text::tsquery AS any_word, $4::text[]::tsquery[] AS words),
hit AS MATERIALIZED (
    SELECT c.chunk_id FROM q, chunk c
    WHERE c.space_id = $1 AND c.withheld_at IS NULL AND c.text <> '' AND c.search @@ q.any_word
    ORDER BY c.chunk_id DESC LIMIT $5)
SELECT NULL::bigint AS summary_id, NULL::bigint AS condensation_id, c.chunk_id, c.first_message_id, c.text,
       ARRAY[c.session_id] AS sessions, c.channel_id,
       c.messages, held.words
FROM q, chunk c JOIN channel place ON place.space_id = $1 AND place.channel_id = c.channel_id
     CROSS JOIN LATERAL (
         SELECT count(*) AS words FROM generate_subscripts(q.words, 1) AS at WHERE c.search @@ q.words[at]) AS held
WHERE c.space_id = $1 AND c.chunk_id IN (SELECT chunk_id FROM hit) AND c.withheld_at IS NULL
  AND coalesce(place.origin_id, place.channel_id) = ANY ($2::bigint[])
ORDER BY held.words DESC, c.chunk_id DESC LIMIT $6

-- name: said_within
-- The newest messages of people between two ids; so many are looked at before any is read, however little one sees.
WITH newest AS MATERIALIZED (
    SELECT m.message_id FROM message m
    WHERE m.space_id = $1 AND m.message_id >= $3 AND m.message_id < $4 AND m.hidden_at IS NULL AND m.role = 'person'
    ORDER BY m.message_id DESC LIMIT $5)
SELECT m.space_id, coalesce(m.place_id, m.channel_id) AS channel_id, m.message_id, m.session_id, m.role, m.author_id,
       m.author, m.content, m.said_at, m.reply_to, m.cut_off,
       EXISTS (SELECT 1 FROM message r WHERE r.space_id = $1 AND r.reply_to = m.message_id AND r.role = 'hathi')
           AS is_answered
FROM message m
WHERE m.space_id = $1 AND m.message_id IN (SELECT message_id FROM newest) AND m.channel_id = ANY ($2::bigint[])
  AND (SELECT p.opted_out_at FROM person p WHERE p.person_id = m.author_id) IS NULL
ORDER BY m.message_id DESC LIMIT $6

-- name: entries_within
-- The newest chunks that tell of something between two ids.
SELECT NULL::bigint AS summary_id, NULL::bigint AS condensation_id, c.chunk_id, c.first_message_id, c.text,
       ARRAY[c.session_id] AS sessions, c.channel_id,
       c.messages
FROM chunk c JOIN channel place ON place.space_id = $1 AND place.channel_id = c.channel_id
WHERE c.space_id = $1 AND (c.chunk_id >= $3 OR (c.chunk_id < 0 AND -c.chunk_id >= $3)) AND c.first_message_id < $4 AND c.withheld_at IS NULL AND c.text <> ''
  AND coalesce(place.origin_id, place.channel_id) = ANY ($2::bigint[])
ORDER BY abs(c.chunk_id) DESC LIMIT $5

-- name: last_heard
-- When somebody last said something that is kept, before a moment.
SELECT max(m.said_at) FROM message m WHERE m.space_id = $1 AND m.author_id = $2 AND m.message_id < $3
