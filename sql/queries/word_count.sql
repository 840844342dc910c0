-- How often words are said in a space; which of them are common tells a sample of its rows.

-- name: of_words
-- How many messages and memories a space has, and about how many hold each of these words, and a common word that begins
-- with each of those ($3); none that is known of a word is few. All are zero where the space is small.
SELECT asked.word, asked.begins, held.messages, held.memories,
       coalesce((SELECT w.rows FROM word_sample w
                 WHERE w.space_id = $1 AND w.held_by = 'message' AND w.sampled_rows > 0), 0) AS all_messages,
       coalesce((SELECT w.rows FROM word_sample w
                 WHERE w.space_id = $1 AND w.held_by = 'memory' AND w.sampled_rows > 0), 0) AS all_memories
FROM (SELECT word, false AS begins FROM unnest($2::text[]) AS word
      UNION ALL SELECT word, true FROM unnest($3::text[]) AS word) AS asked,
     LATERAL (
         SELECT coalesce(sum(c.rows) FILTER (WHERE c.held_by = 'message'), 0)::bigint AS messages,
                coalesce(sum(c.rows) FILTER (WHERE c.held_by = 'memory'), 0)::bigint AS memories
         FROM (SELECT held_by, rows FROM common_word
               WHERE NOT asked.begins AND space_id = $1 AND held_by IN ('message', 'memory') AND word = asked.word
               UNION ALL
               SELECT held_by, rows FROM common_word
               WHERE asked.begins AND space_id = $1 AND word ^@ asked.word) AS c) AS held

-- name: of_texts
-- The words that each text is looked for by, also in languages by which some texts may still be found: each as a query,
-- about how many memories hold it, and how many there are.
SELECT asked.place, word, query_term(word) AS query,
       coalesce((SELECT c.rows FROM common_word c
                 WHERE c.space_id = $1 AND c.held_by = 'memory' AND c.word = found.word), 0) AS rows,
       coalesce((SELECT w.rows FROM word_sample w
                 WHERE w.space_id = $1 AND w.held_by = 'memory' AND w.sampled_rows > 0), 0) AS total
FROM unnest($3::text[]) WITH ORDINALITY AS asked (text, place),
     unnest(query_words($2, (SELECT formerly FROM space WHERE space_id = $1), asked.text)) AS found (word)
ORDER BY asked.place, word

-- name: messages_since
-- How many messages each of these spaces has behind what was counted, at most so many at once.
SELECT s.space_id, coalesce(w.rows, 0) + more.rows AS rows, coalesce(w.sampled_rows, 0) AS sampled_rows, w.sampled_at,
       more.rows AS found, coalesce(more.last_id, w.through_id, 0) AS through_id
FROM unnest($1::bigint[]) AS s (space_id)
LEFT JOIN word_sample w ON w.space_id = ANY ($1::bigint[]) AND w.space_id = s.space_id AND w.held_by = 'message'
CROSS JOIN LATERAL (
    SELECT count(*) AS rows, max(m.message_id) AS last_id FROM (
        SELECT message_id FROM message
        WHERE space_id = s.space_id AND message_id > coalesce(w.through_id, 0)
        ORDER BY message_id LIMIT $2) AS m) AS more

-- name: memories_since
-- The same of memories, which are numbered.
SELECT s.space_id, more.through_id AS rows, coalesce(w.sampled_rows, 0) AS sampled_rows, w.sampled_at,
       more.through_id - coalesce(w.through_id, 0) AS found, more.through_id
FROM space s
LEFT JOIN word_sample w ON w.space_id = ANY ($1::bigint[]) AND w.space_id = s.space_id AND w.held_by = 'memory'
CROSS JOIN LATERAL (SELECT least(s.memory_count, coalesce(w.through_id, 0) + $2) AS through_id) AS more
WHERE s.space_id = ANY ($1::bigint[])

-- name: keep_count
INSERT INTO word_sample (space_id, held_by, rows, through_id) VALUES ($1, $2, $3, $4)
ON CONFLICT (space_id, held_by) DO UPDATE SET rows = excluded.rows, through_id = excluded.through_id

-- name: sampled
UPDATE word_sample SET sampled_rows = rows, sampled_at = $3 WHERE space_id = $1 AND held_by = $2

-- name: clear
DELETE FROM common_word WHERE space_id = $1 AND held_by = $2

-- part: counted
-- The words of a sample, as if all $2 rows were such as those taken; a row that two runs reach counts once.
once AS MATERIALIZED (SELECT DISTINCT ON (id) search FROM taken),
size AS (SELECT count(*) AS n FROM once)
INSERT INTO common_word (space_id, held_by, word, rows)
SELECT $1, $7, word, count(*) * $2::bigint / max(size.n)
FROM size, once, unnest(tsvector_to_array(once.search)) AS word
GROUP BY word HAVING count(*) >= $5 AND count(*) * $2::bigint / max(size.n) >= $6

-- name: sample_messages
-- Counts words in runs of messages that stand as far from each other, by their ids, as all of them reach.
WITH reach AS (
    SELECT (SELECT message_id FROM message WHERE space_id = $1 ORDER BY message_id LIMIT 1) AS first,
           (SELECT message_id FROM message WHERE space_id = $1 ORDER BY message_id DESC LIMIT 1) AS last),
taken AS MATERIALIZED (
    SELECT run.message_id AS id, run.search
    FROM reach, generate_series(0, $3::bigint - 1) AS n,
         LATERAL (SELECT m.message_id, m.search FROM message m
                  WHERE m.space_id = $1 AND m.message_id >= reach.first + (reach.last - reach.first) / $3 * n
                    AND m.hidden_at IS NULL AND m.role = 'person'
                  ORDER BY m.message_id LIMIT $4) AS run),
{counted}

-- name: sample_memories
-- The same of memories.
WITH taken AS MATERIALIZED (
    SELECT run.memory_id AS id, run.search
    FROM generate_series(0, $3::bigint - 1) AS n,
         LATERAL (SELECT m.memory_id, m.search FROM memory m
                  WHERE m.space_id = $1 AND m.memory_id > $2::bigint / $3 * n
                    AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
                  ORDER BY m.memory_id LIMIT $4) AS run),
{counted}

-- name: drop_words
DELETE FROM common_word WHERE space_id = $1

-- name: unsampled
UPDATE word_sample SET sampled_rows = 0, sampled_at = NULL WHERE space_id = $1

-- name: drop_samples
DELETE FROM word_sample WHERE space_id = $1
