-- What is read of ledgers, and of what was said in a while, for whoever asks. None writes, locks or calls a volatile
-- function.

-- name: newest
-- The rolling summary of a channel, then its newest chunks and what the oldest of those were condensed into; or ($4) of
-- it since a person's reset; each with the sessions it tells of; here and below as if nothing had been said from some id
-- ($5) on. One version of the summary is read: older ones tell of less.
WITH fresh AS MATERIALIZED (
    SELECT CASE WHEN $4 THEN coalesce((SELECT e.session_id FROM session e
                                       WHERE e.space_id = $1 AND e.channel_id = $2 AND e.was_reset
                                         AND coalesce(e.last_message_id, e.session_id) < $5
                                       ORDER BY e.number DESC LIMIT 1), 0) ELSE 0 END AS after),
condensed AS MATERIALIZED (
    SELECT k.* FROM fresh, standing_condensation k
    WHERE k.space_id = $1 AND k.channel_id = $2 AND k.after_session_id = fresh.after AND k.through_chunk_id < $5
    ORDER BY k.through_chunk_id DESC LIMIT 1)
(SELECT s.summary_id, NULL::bigint AS condensation_id, s.chunk_id,
        -- A session's id is of before its first message: no chunk up to it is of a later one.
        (SELECT first.first_message_id FROM chunk first
         WHERE first.space_id = $1 AND first.channel_id = $2 AND first.chunk_id > fresh.after
           AND first.session_id > fresh.after
         ORDER BY first.chunk_id LIMIT 1) AS first_message_id, s.text,
        ARRAY(SELECT e.session_id FROM session e
              WHERE e.space_id = $1 AND e.channel_id = $2 AND e.session_id > fresh.after) AS sessions
 FROM fresh
 CROSS JOIN (
     SELECT summary_id, chunk_id, text FROM chat_summary
     WHERE space_id = $1 AND channel_id = $2 AND chunk_id < $5 AND withheld_at IS NULL
     ORDER BY chunk_id DESC LIMIT 1) AS s
 JOIN chunk c ON c.space_id = $1 AND c.chunk_id = s.chunk_id AND c.session_id > fresh.after)
UNION ALL
(SELECT NULL, k.condensation_id, k.through_chunk_id, first.first_message_id, k.text,
        ARRAY(SELECT e.session_id FROM session e
              WHERE e.space_id = $1 AND e.channel_id = $2
                AND e.session_id > k.after_session_id AND e.session_id <= last.session_id)
 FROM condensed k
 JOIN chunk first ON first.space_id = $1 AND first.chunk_id = k.first_chunk_id
 JOIN chunk last ON last.space_id = $1 AND last.chunk_id = k.through_chunk_id)
UNION ALL
(SELECT NULL, NULL, c.chunk_id, c.first_message_id, c.text, ARRAY[c.session_id]
 FROM chunk c, fresh
 WHERE c.space_id = $1 AND c.channel_id = $2 AND c.session_id > fresh.after AND c.withheld_at IS NULL AND c.text <> ''
   AND c.chunk_id > coalesce((SELECT k.through_chunk_id FROM condensed k), fresh.after) AND c.chunk_id < $5
 ORDER BY c.chunk_id DESC LIMIT $3)

-- name: first_entries
-- The first chunks of a channel, from its beginning or since a person's reset.
SELECT NULL::bigint AS summary_id, NULL::bigint AS condensation_id, c.chunk_id, c.first_message_id, c.text,
       ARRAY[c.session_id] AS sessions
FROM chunk c
WHERE c.space_id = $1 AND c.channel_id = $2 AND c.withheld_at IS NULL AND c.text <> '' AND abs(c.chunk_id) < $5
  AND (NOT $4 OR c.session_id > coalesce((
      SELECT e.session_id FROM session e
      WHERE e.space_id = $1 AND e.channel_id = $2 AND e.was_reset AND coalesce(e.last_message_id, e.session_id) < $5
      ORDER BY e.number DESC LIMIT 1), 0))
ORDER BY c.first_message_id LIMIT $3

-- name: entries_holding
-- The newest chunks that hold some of these words, those that hold most of them first, of what was said before the id
-- $7; a chunk's audience is its channel's. The index is asked for what is rare ($3); what is common ($8) is looked for
-- among the newest $9.
WITH q AS MATERIALIZED (
    SELECT $3::text::tsquery AS rare, $4::text[]::tsquery[] AS words, $8::text::tsquery AS common),
hit AS MATERIALIZED (
    SELECT held.chunk_id FROM (
        SELECT c.chunk_id FROM q, chunk c
        WHERE c.space_id = $1 AND c.withheld_at IS NULL AND c.text <> '' AND c.search @@ q.rare
          AND abs(c.chunk_id) < $7
        UNION
        SELECT newest.chunk_id FROM q, (
            SELECT c.chunk_id, c.search FROM chunk c
            WHERE c.space_id = $1 AND c.withheld_at IS NULL AND c.text <> '' AND abs(c.chunk_id) < $7
            ORDER BY c.chunk_id DESC LIMIT $9) AS newest
        WHERE newest.search @@ q.common) AS held
    ORDER BY held.chunk_id DESC LIMIT $5)
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
-- The newest messages of people between two ids in the channels that may be told of: what is said in others takes none of
-- their places.
WITH newest AS MATERIALIZED (
    SELECT one.message_id
    FROM unnest($2::bigint[]) AS place (channel_id)
    CROSS JOIN LATERAL (
        SELECT m.message_id FROM message m
        WHERE m.space_id = $1 AND m.channel_id = place.channel_id AND m.message_id >= $3 AND m.message_id < $4
          AND m.hidden_at IS NULL AND m.role = 'person'
        ORDER BY m.message_id DESC LIMIT $5) AS one
    ORDER BY one.message_id DESC LIMIT $5)
SELECT m.space_id, coalesce(m.place_id, m.channel_id) AS channel_id, m.message_id, m.session_id, m.role, m.author_id,
       m.author, m.content, m.said_at, m.reply_to, m.cut_off,
       -- What was put to Hathi waits for nobody else, whatever came of it. Where everything is answered people ask each
       -- other too: that memory has nothing, or that something was heard, is no answer to them. Of a reply that quotes
       -- what is not stored there is no message, but its turn.
       EXISTS (SELECT 1 FROM turn t JOIN channel c ON c.space_id = $1 AND c.channel_id = m.channel_id
               WHERE t.space_id = $1 AND t.turn_id = m.message_id
                 AND (NOT c.enabled OR (t.state = 'answered'
                      AND (t.stock IN ('nothing', 'heard', 'failed', 'other')) IS NOT TRUE))) AS is_answered
FROM message m
WHERE m.space_id = $1 AND m.message_id IN (SELECT message_id FROM newest)
  AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= m.said_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = m.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
ORDER BY m.message_id DESC

-- name: entries_within
-- The newest chunks that tell of something from one id on, and of nothing from another on. What was read of before is
-- kept under minus its id: each half is walked from its newest on, and no further than $6 chunks of whatever channel.
WITH walked AS (
    (SELECT c.chunk_id FROM (
         SELECT c.chunk_id, c.channel_id FROM chunk c
         WHERE c.space_id = $1 AND c.chunk_id >= greatest($3::bigint, 1) AND c.chunk_id < $4::bigint
           AND c.withheld_at IS NULL AND c.text <> ''
         ORDER BY c.chunk_id DESC LIMIT $6) AS c
     JOIN channel place ON place.space_id = $1 AND place.channel_id = c.channel_id
     WHERE coalesce(place.origin_id, place.channel_id) = ANY ($2::bigint[])
     ORDER BY c.chunk_id DESC LIMIT $5)
    UNION ALL
    (SELECT c.chunk_id FROM (
         SELECT c.chunk_id, c.channel_id FROM chunk c
         WHERE c.space_id = $1 AND c.chunk_id <= -greatest($3::bigint, 1) AND c.chunk_id > -$4::bigint
           AND c.withheld_at IS NULL AND c.text <> ''
         ORDER BY c.chunk_id LIMIT $6) AS c
     JOIN channel place ON place.space_id = $1 AND place.channel_id = c.channel_id
     WHERE coalesce(place.origin_id, place.channel_id) = ANY ($2::bigint[])
     ORDER BY c.chunk_id LIMIT $5)),
newest AS MATERIALIZED (SELECT chunk_id FROM walked ORDER BY abs(chunk_id) DESC LIMIT $5)
SELECT NULL::bigint AS summary_id, NULL::bigint AS condensation_id, c.chunk_id, c.first_message_id, c.text,
       ARRAY[c.session_id] AS sessions, c.channel_id,
       c.messages
FROM chunk c
WHERE c.space_id = $1 AND c.chunk_id IN (SELECT chunk_id FROM newest)
ORDER BY abs(c.chunk_id) DESC

-- name: last_heard
-- When somebody last said something that is kept, before a moment.
SELECT m.said_at FROM message m WHERE m.space_id = $1 AND m.author_id = $2 AND m.message_id < $3
ORDER BY m.message_id DESC LIMIT 1
