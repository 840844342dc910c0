-- What the plain strategies of a recall read. None writes, locks or calls a volatile function; how places are given:
-- `bot/recall/strategies.py`. Candidates are the newest: the text index knows no order but that of its words.

-- name: literal_candidates
-- The newest memories that hold one of these words; then, where those are fewer, of the space's newest the others: words
-- that say nothing are in no index, and what is common is not looked up, and both count all the same.
WITH q AS MATERIALIZED (SELECT $3::text::tsquery AS words),
-- Found before they are put in order: else a plan may walk the whole space from its end in search of a rare word.
said AS MATERIALIZED (
    SELECT m.memory_id FROM q, memory m
    WHERE m.space_id = $1 AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.search @@ q.words AND ($4::text IS NULL OR m.tier = $4) AND m.tags @> $5::text[]),
hit AS MATERIALIZED (SELECT memory_id FROM said ORDER BY memory_id DESC LIMIT $6),
-- So many before any of them is looked at: who sees little of a large space must not have all of it read.
newest AS MATERIALIZED (
    SELECT m.memory_id FROM memory m WHERE m.space_id = $1 ORDER BY m.memory_id DESC LIMIT $6),
wanted AS MATERIALIZED (
    SELECT memory_id, bool_or(is_hit) AS is_hit FROM (
        SELECT memory_id, true AS is_hit FROM hit UNION ALL SELECT memory_id, false FROM newest) AS each
    GROUP BY memory_id)
SELECT m.memory_id, m.content
FROM wanted, LATERAL (
    SELECT memory_id, content FROM memory
    WHERE space_id = $1 AND memory_id = wanted.memory_id AND forgotten_at IS NULL AND superseded_by IS NULL
      AND (channel_id + 0) = ANY ($2::bigint[]) AND ($4::text IS NULL OR tier = $4) AND tags @> $5::text[]
    OFFSET 0) AS m
ORDER BY wanted.is_hit DESC, m.memory_id DESC LIMIT $6

-- name: memories
-- Memories by their ids.
SELECT m.* FROM filed_memory m
WHERE m.space_id = $1 AND m.memory_id IN (SELECT unnest($3::bigint[])) AND m.forgotten_at IS NULL
  AND m.superseded_by IS NULL
  AND (m.channel_id + 0) = ANY ($2::bigint[])
  AND (m.author_id = ANY (ARRAY(SELECT person_id FROM person WHERE erasing_at IS NOT NULL))
       AND (SELECT p.erasing_at FROM person p WHERE p.person_id = m.author_id) >= m.said_at) IS NOT TRUE
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
ORDER BY m.memory_id

-- name: phrases
-- Each phrase as a query that all its words must answer, in whichever language, and as one of its words in a topic and in
-- a content alone; and the words of each language. Nothing for a phrase without a word that says something.
SELECT p.place, jsonb_agg(t.words) AS words, string_agg(t.anywhere, ' | ') AS anywhere,
       string_agg(t.in_topic, ' | ') AS in_topic, string_agg(t.in_content, ' | ') AS in_content
FROM unnest($3::text[]) WITH ORDINALITY AS p (text, place),
     LATERAL (SELECT array_agg(said.word) AS words, string_agg(said.term, ' & ') AS anywhere,
                     string_agg(said.term || said.colon || 'A', ' & ') AS in_topic,
                     string_agg(said.term || said.colon || 'B', ' & ') AS in_content
              FROM unnest(array_prepend($2, string_to_array((SELECT formerly FROM space WHERE space_id = $1), '+'))) AS asked (language)
                   CROSS JOIN LATERAL (
                       SELECT word, query_term(word) AS term,
                              CASE WHEN query_term(word) LIKE '%:*' THEN '' ELSE ':' END AS colon
                       FROM unnest(query_words(asked.language, p.text)) AS word) AS said
              GROUP BY asked.language) AS t
GROUP BY p.place ORDER BY p.place

-- name: keyword_memories
-- The newest memories that some phrase matches, with what all of them are worth together; none of what was said from
-- $13 on. Of phrases that are common in a large space ($14) the space's newest are read ($15).
WITH q AS MATERIALIZED (
    SELECT $4::text::tsquery AS any_phrase, $5::text[]::tsquery[] AS anywhere, $6::text[]::tsquery[] AS in_topic,
           $7::text[]::tsquery[] AS in_content, $14::text::tsquery AS common),
matching AS MATERIALIZED (
    SELECT m.memory_id FROM q, memory m
    WHERE m.space_id = $1 AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.search @@ q.any_phrase AND ($8::text IS NULL OR m.tier = $8) AND m.tags @> $9::text[]
      AND m.said_at < coalesce($13, 'infinity'::timestamptz)
    UNION
    SELECT m.memory_id
    FROM q, (SELECT * FROM memory WHERE space_id = $1 ORDER BY memory_id DESC LIMIT $15) AS m
    WHERE m.forgotten_at IS NULL AND m.superseded_by IS NULL AND m.channel_id = ANY ($2::bigint[])
      AND m.search @@ q.common AND ($8::text IS NULL OR m.tier = $8) AND m.tags @> $9::text[]
      AND m.said_at < coalesce($13, 'infinity'::timestamptz)),
hit AS MATERIALIZED (SELECT memory_id FROM matching ORDER BY memory_id DESC LIMIT $11)
SELECT m.*, said.worth, count(*) OVER () AS considered
FROM q, filed_memory m
     CROSS JOIN LATERAL (SELECT search_vector($3, array_to_string(m.entities, ' ')) AS entities,
                                search_vector($3, array_to_string(m.key_phrases, ' ')) AS key_phrases OFFSET 0) AS own
     CROSS JOIN LATERAL (
         SELECT sum(greatest(
             -- Its words stand apart, some in the topic perhaps and some in a tag: as much as being said.
             ($10::integer[])[5],
             CASE WHEN m.search @@ q.in_topic[place] THEN ($10::integer[])[1] ELSE 0 END
             + CASE WHEN m.search @@ q.in_content[place] THEN ($10::integer[])[2] ELSE 0 END
             + CASE WHEN own.entities @@ q.anywhere[place] THEN ($10::integer[])[3] ELSE 0 END
             + CASE WHEN own.key_phrases @@ q.anywhere[place] THEN ($10::integer[])[4] ELSE 0 END)) AS worth
         FROM generate_subscripts(q.anywhere, 1) AS place WHERE m.search @@ q.anywhere[place]) AS said
WHERE m.space_id = $1 AND m.memory_id IN (SELECT memory_id FROM hit) AND m.forgotten_at IS NULL
  AND m.superseded_by IS NULL AND (m.channel_id + 0) = ANY ($2::bigint[])
  AND (m.author_id = ANY (ARRAY(SELECT person_id FROM person WHERE erasing_at IS NOT NULL))
       AND (SELECT p.erasing_at FROM person p WHERE p.person_id = m.author_id) >= m.said_at) IS NOT TRUE
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
ORDER BY said.worth DESC, m.said_at DESC, m.memory_id LIMIT $12

-- name: keyword_messages
-- The newest messages that some phrase matches, with how many do; none from the id $9 on. Of phrases that are common
-- ($10) the newest of each channel are read ($11). Nothing of people who opted out since.
WITH q AS MATERIALIZED (
    SELECT $3::text::tsquery AS any_phrase, $4::text[]::tsquery[] AS anywhere, $10::text::tsquery AS common),
matching AS MATERIALIZED (
    SELECT m.message_id FROM q, message m
    WHERE m.space_id = $1 AND m.hidden_at IS NULL AND m.role = 'person' AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.search @@ q.any_phrase AND m.message_id <> ALL ($5::bigint[]) AND m.message_id < $9
    UNION
    SELECT newest.message_id
    FROM q, unnest($2::bigint[]) AS seen (channel_id),
         LATERAL (SELECT m.message_id, m.search FROM message m
                  WHERE m.space_id = $1 AND m.channel_id = seen.channel_id AND m.hidden_at IS NULL AND m.role = 'person'
                    AND m.message_id < $9
                  ORDER BY m.message_id DESC LIMIT $11) AS newest
    WHERE newest.search @@ q.common AND newest.message_id <> ALL ($5::bigint[])),
hit AS MATERIALIZED (SELECT message_id FROM matching ORDER BY message_id DESC LIMIT $7)
SELECT m.space_id, m.channel_id, m.message_id, m.session_id, m.role, m.author_id, m.author, m.content, m.said_at,
       m.reply_to, m.cut_off, said.worth, count(*) OVER () AS considered
FROM q, message m
     CROSS JOIN LATERAL (
         SELECT count(*) * $6::integer AS worth FROM generate_subscripts(q.anywhere, 1) AS place
         WHERE m.search @@ q.anywhere[place]) AS said
WHERE m.space_id = $1 AND m.message_id IN (SELECT message_id FROM hit) AND m.hidden_at IS NULL
  AND m.role = 'person' AND (m.channel_id + 0) = ANY ($2::bigint[])
  AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= m.said_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = m.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
ORDER BY said.worth DESC, m.said_at DESC, m.message_id LIMIT $8
