-- What a walk through the palace reads: rooms, topics, and what is filed there. None writes, locks or calls a volatile
-- function.

-- name: memories
-- Of a room, or of one of its topics: each channel is walked in the order of its index, no further than the page goes.
WITH walked AS MATERIALIZED (
    SELECT m.memory_id, m.importance, m.said_at
    FROM unnest($2::bigint[]) AS seen (channel_id)
    CROSS JOIN unnest($7::text[], $8::bigint[], $9::bigint[]) AS stands (room, after_id, through_id)
    CROSS JOIN LATERAL (
        (SELECT memory_id, importance, said_at FROM memory
         WHERE space_id = $1 AND -channel_id = -seen.channel_id AND forgotten_at IS NULL AND superseded_by IS NULL
           AND room = stands.room AND memory_id > stands.after_id AND memory_id <= stands.through_id
           AND $3::text IS NULL
         ORDER BY importance DESC, said_at DESC, memory_id DESC LIMIT $6)
        UNION ALL
        (SELECT memory_id, importance, said_at FROM memory
         WHERE space_id = $1 AND -channel_id = -seen.channel_id AND forgotten_at IS NULL AND superseded_by IS NULL
           AND topic = $3 AND room = stands.room AND memory_id > stands.after_id AND memory_id <= stands.through_id
         ORDER BY importance DESC, said_at DESC, memory_id DESC LIMIT $6)) AS m),
shown AS MATERIALIZED (
    SELECT * FROM walked ORDER BY importance DESC, said_at DESC, memory_id DESC LIMIT $4 OFFSET $5)
SELECT m.* FROM shown CROSS JOIN LATERAL (
    SELECT * FROM filed_memory WHERE space_id = $1 AND memory_id = shown.memory_id LIMIT 1) AS m
WHERE (m.author_id = ANY (ARRAY(SELECT person_id FROM person WHERE erasing_at IS NOT NULL))
       AND (SELECT p.erasing_at FROM person p WHERE p.person_id = m.author_id) >= m.said_at) IS NOT TRUE
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
ORDER BY m.importance DESC, m.said_at DESC, m.memory_id DESC

-- name: procedures
-- What shares a word with the question, in one room. It answers if it shares two, or has all words of its topic in the
-- question. `considered` is how many share any: of those that the question is looked for by ($7), or among the first.
-- A room is compared as no index has it, but where it is walked.
WITH q AS MATERIALIZED (
    SELECT $7::text::tsquery AS words, any_word($4, space.formerly, $5) AS any_word,
           query_words($4, space.formerly, $5) AS lexemes, cardinality(query_words($4, $5)) AS asked
    FROM (SELECT (SELECT formerly FROM space WHERE space_id = $1)) AS space (formerly)),
named AS MATERIALIZED (
    SELECT m.memory_id FROM q, filed_memory m
    WHERE m.space_id = $1 AND (m.channel_id + 0) = ANY ($2::bigint[]) AND (m.room || '') = $3
      AND m.forgotten_at IS NULL AND m.superseded_by IS NULL AND m.search @@ q.words
    UNION
    SELECT first.memory_id
    FROM q, unnest($2::bigint[]) AS seen (channel_id),
         unnest($9::text[], $10::bigint[], $11::bigint[]) AS stands (room, after_id, through_id),
         LATERAL (SELECT m.memory_id, m.search FROM memory m
                  WHERE m.space_id = $1 AND -m.channel_id = -seen.channel_id AND m.room = stands.room
                    AND m.memory_id > stands.after_id AND m.memory_id <= stands.through_id
                    AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
                  ORDER BY m.importance DESC, m.said_at DESC, m.memory_id DESC LIMIT $8) AS first
    WHERE first.search @@ q.any_word),
candidate AS MATERIALIZED (
    SELECT m.memory_id, m.importance, m.said_at, ts_rank(m.search, q.any_word) AS rank,
           (SELECT count(*) FROM unnest(q.lexemes) AS lexeme
            WHERE m.search @@ query_term(lexeme)::tsquery) AS shared,
           m.topic <> 'general' AND query_words($4, m.topic) <> '{}'
               AND query_words($4, m.topic) <@ q.lexemes AS is_named,
           count(*) OVER () AS considered
    FROM q, named JOIN memory m ON m.space_id = $1 AND m.memory_id = named.memory_id
    WHERE (m.author_id = ANY (ARRAY(SELECT person_id FROM person WHERE erasing_at IS NOT NULL))
       AND (SELECT p.erasing_at FROM person p WHERE p.person_id = m.author_id) >= m.said_at) IS NOT TRUE
      AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
    ORDER BY m.importance DESC, m.said_at DESC, m.memory_id DESC LIMIT 200),
best AS MATERIALIZED (
    SELECT c.*, c.is_named OR c.shared >= 2 AS answers,
           row_number() OVER (ORDER BY c.is_named OR c.shared >= 2 DESC, c.shared DESC, c.rank DESC,
                              c.importance DESC, c.said_at DESC, c.memory_id DESC) AS place
    FROM candidate c ORDER BY place LIMIT $6)
SELECT m.*, b.shared, q.asked, b.considered, b.answers
FROM q, best b CROSS JOIN LATERAL (
    SELECT * FROM filed_memory WHERE space_id = $1 AND memory_id = b.memory_id LIMIT 1) AS m
ORDER BY b.place
