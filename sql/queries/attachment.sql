-- The files that came with people's messages. Every read joins the message: what is hidden or gone has no attachment,
-- nor has what is of people who opted out since.

-- name: save
-- Only while its message is there to be seen, kept by its channel and by who wrote it; the lock keeps the message from
-- being deleted in between. One that could not be fetched may be, later.
INSERT INTO attachment (space_id, message_id, attachment_id, channel_id, name, called, content_type, size, state,
                        content, search, read_at)
SELECT m.space_id, m.message_id, $3, m.channel_id, $4, $5::text[], $6, $7, $8, $9,
       attachment_vector(s.language, $9), $10
FROM message m JOIN space s ON s.space_id = m.space_id
WHERE m.space_id = $1 AND m.message_id = $2 AND m.role = 'person' AND m.hidden_at IS NULL
  AND EXISTS (SELECT 1 FROM channel c WHERE c.space_id = $1 AND c.channel_id = coalesce(m.place_id, m.channel_id)
              AND c.mode IN ('addressed', 'all'))
  AND NOT EXISTS (SELECT 1 FROM person p WHERE p.person_id = m.author_id AND p.opted_out_at IS NOT NULL)
FOR KEY SHARE OF m
ON CONFLICT (space_id, message_id, attachment_id) DO UPDATE SET state = excluded.state, content = excluded.content,
    search = excluded.search, read_at = excluded.read_at
WHERE attachment.state = 'failed'
RETURNING state

-- name: known
-- Those of a message that need not be fetched again.
SELECT attachment_id FROM attachment WHERE space_id = $1 AND message_id = $2 AND state <> 'failed'

-- name: keep_only
-- Whoever edits a message can take files out of it.
DELETE FROM attachment WHERE space_id = $1 AND message_id = $2 AND attachment_id <> ALL ($3::bigint[])
RETURNING content

-- name: texts
SELECT content FROM attachment WHERE space_id = $1 AND message_id = $2 AND state = 'text'

-- name: reindex
-- Those of the next so many messages after an id, for another language: how many these are, and the last of the messages.
WITH sent AS (
    SELECT DISTINCT message_id FROM attachment
    WHERE space_id = $1 AND message_id > $3 AND state = 'text' ORDER BY message_id LIMIT $4),
fresh AS (
    SELECT message_id, attachment_id, attachment_vector($2, content) AS search FROM attachment
    WHERE space_id = $1 AND message_id IN (SELECT message_id FROM sent) AND state = 'text'),
changed AS (
    UPDATE attachment SET search = fresh.search FROM fresh
    WHERE attachment.space_id = $1 AND attachment.message_id = fresh.message_id
      AND attachment.attachment_id = fresh.attachment_id AND attachment.search <> fresh.search)
SELECT count(*) AS seen, max(message_id) AS last_id FROM fresh

-- name: of_messages
SELECT a.message_id, a.attachment_id, a.name, a.content, m.author, m.author_id, m.said_at,
       coalesce(m.place_id, m.channel_id) AS place_id
FROM attachment a JOIN message m ON m.space_id = $1 AND m.message_id = a.message_id
WHERE a.space_id = $1 AND a.message_id IN (SELECT unnest($3::bigint[])) AND a.state = 'text'
  AND m.hidden_at IS NULL AND (m.channel_id + 0) = ANY ($2::bigint[])
  AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= m.said_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = m.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
ORDER BY a.message_id, a.attachment_id LIMIT $4

-- name: named
-- The newest whose name is among these.
SELECT a.message_id, a.attachment_id FROM attachment a JOIN message m ON m.space_id = $1 AND m.message_id = a.message_id
WHERE a.space_id = $1 AND a.state = 'text' AND a.called && $3::text[]
  AND m.hidden_at IS NULL AND (m.channel_id + 0) = ANY ($2::bigint[]) AND m.message_id <> ALL ($4::bigint[])
  AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= m.said_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = m.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
ORDER BY a.message_id DESC, a.attachment_id LIMIT $5

-- name: holding
-- Those that hold most of what the words weigh, with how many hold each. Each word is looked for alone: then the index
-- tells by itself who holds it, and the vector of a long text need not be unpacked. Of a word that many hold 2,000 are
-- read, which one tells from another by it no more.
WITH hit AS MATERIALIZED (
    SELECT asked.place, read.message_id, read.attachment_id
    FROM unnest($3::text[]) WITH ORDINALITY AS asked (term, place), LATERAL (
        WITH holding AS MATERIALIZED (
            SELECT a.message_id, a.attachment_id FROM attachment a
            WHERE a.space_id = $1 AND a.state = 'text' AND a.search @@ asked.term::tsquery
              AND a.message_id <> ALL ($4::bigint[]))
        SELECT * FROM holding LIMIT 2000) AS read),
seen AS MATERIALIZED (
    SELECT h.place, h.message_id, h.attachment_id
    FROM hit h JOIN message m ON m.space_id = $1 AND m.message_id = h.message_id
    WHERE m.hidden_at IS NULL AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= m.said_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = m.author_id) IS NULL
      AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE),
counted AS MATERIALIZED (SELECT place, count(*) AS n FROM seen GROUP BY place),
held AS MATERIALIZED (
    SELECT s.message_id, s.attachment_id,
           sum(ln(1 + (SELECT max(c.n) FROM counted c)::float8 / (SELECT c.n FROM counted c WHERE c.place = s.place)))
               AS weight
    FROM seen s GROUP BY s.message_id, s.attachment_id)
SELECT message_id, attachment_id, count(*) OVER () AS considered,
       ARRAY(SELECT coalesce(c.n, 0) FROM generate_subscripts($3::text[], 1) AS asked (place)
             LEFT JOIN counted c ON c.place = asked.place ORDER BY asked.place) AS counts
FROM held
ORDER BY weight DESC, message_id DESC, attachment_id LIMIT $5

-- name: said
-- In how many messages each of the words stands, counted to $4, and not at all where the word is known to be common.
SELECT asked.place, coalesce(
    (SELECT least(c.rows, $4) FROM common_word c
     WHERE c.space_id = $1 AND c.held_by = 'message' AND c.word = asked.word),
    (SELECT count(*) FROM (
         SELECT 1 FROM message m
         WHERE m.space_id = $1 AND m.hidden_at IS NULL AND m.role = 'person' AND (m.channel_id + 0) = ANY ($2::bigint[])
           AND m.search @@ asked.term::tsquery AND m.message_id <> ALL ($5::bigint[]) LIMIT $4) AS few)) AS messages
FROM unnest($3::text[], $6::text[]) WITH ORDINALITY AS asked (term, word, place) ORDER BY asked.place

-- name: contents
SELECT a.message_id, a.attachment_id, a.name, a.content, m.author, m.author_id, m.said_at,
       coalesce(m.place_id, m.channel_id) AS place_id
FROM unnest($3::bigint[], $4::bigint[]) AS wanted (message_id, attachment_id)
JOIN attachment a ON a.space_id = $1 AND a.message_id = wanted.message_id AND a.attachment_id = wanted.attachment_id
JOIN message m ON m.space_id = $1 AND m.message_id = a.message_id
WHERE a.state = 'text' AND m.hidden_at IS NULL AND (m.channel_id + 0) = ANY ($2::bigint[])
  AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= m.said_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = m.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
ORDER BY a.message_id, a.attachment_id
