-- What the librarian reads for people and models. None writes, locks or calls a volatile function.
-- `(channel_id + 0) = ANY` where a hot index gives the order: as a plain column the planner believes the list to be
-- selective and leaves that index. `coalesce(… , false)` where a walk of it ends after a few rows: of such a condition
-- one row in two is believed to pass, of the other one in ten, for which all are read and sorted.

-- name: active
-- The short tier, if it has less than 200 rows: of more none is compared with the message here, but by `active_large`.
-- How many there are, to 200, stands in every row, also in one of nothing else. The first ten of what wants one of the
-- five places say which goes first: an admin's directives before what anybody pinned, and that before what weighs 9 or
-- more, of which the oldest keep their places. Who has one is known once it is known what fits. In a large space also
-- the words by which it is looked for further on, each as a query with about how many memories hold it, and how many
-- there are.
WITH q AS MATERIALIZED (
    SELECT any_word($3, (SELECT formerly FROM space WHERE space_id = $1), $4) AS words),
head AS MATERIALIZED (
    SELECT m.* FROM memory m
    WHERE m.space_id = $1 AND m.tier = 'short' AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND m.importance >= $5 AND coalesce(m.channel_id = ANY ($2::bigint[]), false)
    ORDER BY m.importance DESC, m.said_at DESC, m.memory_id DESC LIMIT 200),
size AS MATERIALIZED (
    SELECT count(*) AS rows FROM head),
short AS MATERIALIZED (
    SELECT h.memory_id, h.tier, h.room, h.topic, h.content, h.importance, h.source, h.pinned, h.author, h.author_id, h.said_at,
           CASE WHEN h.search @@ q.words THEN ts_rank(h.search, q.words) END AS rank
    FROM q, size, head h WHERE size.rows < 200),
first AS (
    SELECT memory_id, row_number() OVER (
        ORDER BY CASE WHEN source = 'directive' THEN 1 WHEN pinned THEN 2 ELSE 3 END,
                 CASE WHEN NOT pinned AND source <> 'directive' THEN memory_id END, importance DESC,
                 said_at DESC, memory_id DESC) AS precedence
    FROM short WHERE pinned OR source = 'directive' OR importance >= 9 ORDER BY precedence LIMIT 10),
shown AS (
    SELECT short.*, precedence FROM short LEFT JOIN first USING (memory_id)
    WHERE (short.author_id = ANY (ARRAY(SELECT person_id FROM person WHERE erasing_at IS NOT NULL))
       AND (SELECT p.erasing_at FROM person p WHERE p.person_id = short.author_id) >= short.said_at) IS NOT TRUE
      AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= short.said_at) IS NOT TRUE
    ORDER BY precedence IS NULL, rank DESC NULLS LAST, importance DESC, said_at DESC, memory_id DESC LIMIT $6 + 10)
SELECT shown.*, size.rows AS tier_rows, counted.rows AS counted,
       CASE WHEN counted.rows > 0 THEN (
           SELECT jsonb_agg(jsonb_build_array(query_term(found.word), coalesce(c.rows, 0)) ORDER BY found.word)
           FROM unnest(query_words($3, (SELECT formerly FROM space WHERE space_id = $1), $4)) AS found (word)
           LEFT JOIN common_word c ON c.space_id = $1 AND c.held_by = 'memory' AND c.word = found.word) END AS sought
FROM size
CROSS JOIN (SELECT coalesce((SELECT w.rows FROM word_sample w
                             WHERE w.space_id = $1 AND w.held_by = 'memory' AND w.sampled_rows > 0), 0) AS rows) AS counted
LEFT JOIN shown ON true
ORDER BY rank DESC NULLS LAST, importance DESC, said_at DESC, memory_id DESC

-- name: active_large
-- The same block where the short tier is longer than 200 rows: candidates are the first 200 that share a word, of those
-- that the message is looked for by ($8; where that is null any word) and of the head of the tier ($9).
WITH asked AS MATERIALIZED (
    SELECT any_word($3, (SELECT formerly FROM space WHERE space_id = $1), $4) AS words),
q AS MATERIALIZED (
    SELECT words, coalesce($8::text::tsquery, words) AS telling FROM asked),
named AS MATERIALIZED (
    SELECT m.memory_id FROM q, memory m
    WHERE m.space_id = $1 AND m.tier = 'short' AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND m.importance >= $5 AND coalesce(m.channel_id = ANY ($2::bigint[]), false) AND m.search @@ q.telling
    UNION
    SELECT first.memory_id
    FROM q, (SELECT m.memory_id, m.search FROM memory m
             WHERE m.space_id = $1 AND m.tier = 'short' AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
               AND m.importance >= $5 AND coalesce(m.channel_id = ANY ($2::bigint[]), false)
             ORDER BY m.importance DESC, m.said_at DESC, m.memory_id DESC LIMIT $9) AS first
    WHERE first.search @@ q.words),
speaking AS (
    SELECT m.memory_id, m.tier, m.room, m.topic, m.content, m.importance, m.source, m.pinned, m.author, m.author_id, m.said_at,
           m.search
    FROM named JOIN memory m ON m.space_id = $1 AND m.memory_id = named.memory_id
    ORDER BY m.importance DESC, m.said_at DESC, m.memory_id DESC LIMIT $7),
best AS MATERIALIZED (
    SELECT s.memory_id, s.tier, s.room, s.topic, s.content, s.importance, s.source, s.pinned, s.author, s.author_id, s.said_at,
           ts_rank(s.search, q.words) AS rank, 1 AS part
    FROM q, speaking s ORDER BY rank DESC, s.importance DESC, s.said_at DESC, s.memory_id DESC LIMIT $6),
head AS (
    SELECT m.memory_id, m.tier, m.room, m.topic, m.content, m.importance, m.source, m.pinned, m.author, m.author_id, m.said_at,
           CASE WHEN m.search @@ q.words THEN ts_rank(m.search, q.words) END AS rank, 2 AS part
    FROM q, memory m
    WHERE m.space_id = $1 AND m.tier = 'short' AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND m.importance >= $5 AND coalesce(m.channel_id = ANY ($2::bigint[]), false)
    ORDER BY m.importance DESC, m.said_at DESC, m.memory_id DESC LIMIT $6),
held AS (
    SELECT m.memory_id, m.tier, m.room, m.topic, m.content, m.importance, m.source, m.pinned, m.author, m.author_id, m.said_at,
           CASE WHEN m.search @@ q.words THEN ts_rank(m.search, q.words) END AS rank, 2 AS part
    FROM q, memory m
    WHERE m.space_id = $1 AND m.tier = 'short' AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND m.importance >= $5 AND coalesce(m.channel_id = ANY ($2::bigint[]), false) AND (m.pinned OR m.source = 'directive')
    ORDER BY (m.source = 'directive') DESC, m.importance DESC, m.said_at DESC, m.memory_id DESC LIMIT 10),
heavy AS (
    SELECT m.memory_id, m.tier, m.room, m.topic, m.content, m.importance, m.source, m.pinned, m.author, m.author_id, m.said_at,
           CASE WHEN m.search @@ q.words THEN ts_rank(m.search, q.words) END AS rank, 2 AS part
    FROM q, memory m
    WHERE m.space_id = $1 AND m.tier = 'short' AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND m.importance >= 9 AND m.importance >= $5 AND coalesce(m.channel_id = ANY ($2::bigint[]), false)
    ORDER BY m.memory_id LIMIT 10),
short AS MATERIALIZED (
    SELECT DISTINCT ON (memory_id) * FROM
        (SELECT * FROM best UNION ALL SELECT * FROM head UNION ALL SELECT * FROM held UNION ALL SELECT * FROM heavy)
        AS parts
    ORDER BY memory_id, part),
first AS (
    SELECT memory_id, row_number() OVER (
        ORDER BY CASE WHEN source = 'directive' THEN 1 WHEN pinned THEN 2 ELSE 3 END,
                 CASE WHEN NOT pinned AND source <> 'directive' THEN memory_id END, importance DESC,
                 said_at DESC, memory_id DESC) AS precedence
    FROM short WHERE pinned OR source = 'directive' OR importance >= 9 ORDER BY precedence LIMIT 10),
shown AS (
    SELECT short.*, precedence FROM short LEFT JOIN first USING (memory_id)
    WHERE (short.author_id = ANY (ARRAY(SELECT person_id FROM person WHERE erasing_at IS NOT NULL))
       AND (SELECT p.erasing_at FROM person p WHERE p.person_id = short.author_id) >= short.said_at) IS NOT TRUE
      AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= short.said_at) IS NOT TRUE
    ORDER BY precedence IS NULL, rank DESC NULLS LAST, importance DESC, said_at DESC, memory_id DESC LIMIT $6 + 10)
SELECT * FROM shown ORDER BY rank DESC NULLS LAST, importance DESC, said_at DESC, memory_id DESC

-- name: active_long
-- Where no short row speaks to the message: long rows that share two of its words, or one that is rare here; of those
-- that it is looked for by ($6; where that is null any word).
WITH q AS MATERIALIZED (
    SELECT coalesce($6::text::tsquery, any_word($3, (SELECT formerly FROM space WHERE space_id = $1), $4)) AS words,
           tsvector_to_array(search_vector($3, $4)) || other_words((SELECT formerly FROM space WHERE space_id = $1), $4) AS lexemes),
candidate AS MATERIALIZED (
    SELECT m.memory_id, m.tier, m.room, m.topic, m.content, m.importance, m.source, m.pinned, m.author, m.author_id, m.said_at,
           ts_rank(m.search, q.words) AS rank,
           ARRAY(SELECT unnest(tsvector_to_array(m.search)) INTERSECT SELECT unnest(q.lexemes)) AS shared
    FROM q, memory m
    WHERE m.space_id = $1 AND m.tier = 'long' AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND m.importance >= $5 AND (m.channel_id + 0) = ANY ($2::bigint[]) AND m.search @@ q.words
      AND (m.author_id = ANY (ARRAY(SELECT person_id FROM person WHERE erasing_at IS NOT NULL))
       AND (SELECT p.erasing_at FROM person p WHERE p.person_id = m.author_id) >= m.said_at) IS NOT TRUE
      AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
    ORDER BY m.importance DESC, m.said_at DESC, m.memory_id DESC LIMIT 200),
rare AS (
    SELECT array_agg(word) AS words FROM
        (SELECT word FROM candidate, unnest(candidate.shared) AS word GROUP BY word HAVING count(*) <= 3) AS few)
SELECT memory_id, tier, room, topic, content, importance, source, pinned, author, author_id, said_at, rank, NULL::bigint AS precedence
FROM candidate, rare
WHERE cardinality(shared) >= 2 OR shared && rare.words
ORDER BY cardinality(shared) DESC, rank DESC, importance DESC, said_at DESC, memory_id DESC LIMIT 3

-- name: memory
SELECT * FROM filed_memory
WHERE space_id = $1 AND memory_id = $2 AND channel_id = ANY ($3::bigint[])
  AND forgotten_at IS NULL AND superseded_by IS NULL
  AND (author_id = ANY (ARRAY(SELECT person_id FROM person WHERE erasing_at IS NOT NULL))
       AND (SELECT p.erasing_at FROM person p WHERE p.person_id = filed_memory.author_id)
           >= filed_memory.said_at) IS NOT TRUE
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= said_at) IS NOT TRUE

-- name: replaced_by
-- What stands in the place of a memory that was replaced, maybe more than once; both may be seen by the caller.
WITH RECURSIVE later AS (
    SELECT memory_id, superseded_by, forgotten_at, channel_id FROM memory
    WHERE space_id = $1 AND memory_id = $2 AND channel_id = ANY ($3::bigint[]) AND superseded_by IS NOT NULL
    UNION
    SELECT m.memory_id, m.superseded_by, m.forgotten_at, m.channel_id
    FROM later l JOIN memory m ON m.space_id = $1 AND m.memory_id = l.superseded_by)
SELECT memory_id FROM later
WHERE superseded_by IS NULL AND forgotten_at IS NULL AND channel_id = ANY ($3::bigint[])

-- name: near
-- What a text is held against that is to become a memory: what shares a word with it or its topic, that of its topic
-- first, then what shares most.
WITH q AS MATERIALIZED (
    SELECT $3::text::tsquery AS words)
SELECT m.* FROM q, filed_memory m
WHERE m.space_id = $1 AND (m.channel_id + 0) = ANY ($2::bigint[]) AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
  AND (m.author_id = ANY (ARRAY(SELECT person_id FROM person WHERE erasing_at IS NOT NULL))
       AND (SELECT p.erasing_at FROM person p WHERE p.person_id = m.author_id) >= m.said_at) IS NOT TRUE
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
  AND m.search @@ q.words
ORDER BY m.topic = $4 DESC, ts_rank(m.search, q.words) DESC, m.memory_id DESC LIMIT $5

-- name: directives
-- What admins laid down and is in force, the most important first: by the index of what is shown however unimportant.
SELECT m.* FROM memory m
WHERE m.space_id = $1 AND m.tier = 'short' AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
  AND (m.pinned OR m.source = 'directive') AND m.source = 'directive' AND (m.channel_id + 0) = ANY ($2::bigint[])
  AND (m.author_id = ANY (ARRAY(SELECT person_id FROM person WHERE erasing_at IS NOT NULL))
       AND (SELECT p.erasing_at FROM person p WHERE p.person_id = m.author_id) >= m.said_at) IS NOT TRUE
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
ORDER BY (m.source = 'directive') DESC, m.importance DESC, m.said_at DESC, m.memory_id DESC LIMIT $3

-- name: contradictions
-- Of these memories, which others contradict each of them that stand where all who read along may see them.
SELECT m.memory_id, array_agg(o.memory_id ORDER BY o.memory_id) AS others FROM memory m
CROSS JOIN LATERAL jsonb_array_elements(m.metadata -> 'contradicts') AS c (id)
JOIN memory o ON o.space_id = $1 AND o.memory_id = (c.id)::bigint
WHERE m.space_id = $1 AND m.memory_id IN (SELECT unnest($2::bigint[])) AND m.superseded_by IS NULL
  AND (o.channel_id + 0) = ANY ($3::bigint[]) AND o.forgotten_at IS NULL AND o.superseded_by IS NULL
GROUP BY m.memory_id

-- part: narrowed
-- What else lists are narrowed by, where no index leads to it.
    m.tags @> $8::text[] AND ($9::bigint IS NULL OR m.author_id = $9)

-- part: page
-- A page of what was walked, and how many rows that is: all there are, if there was no more on any way (`is_cut`). Each
-- row by its key: nobody knows how long a page is when a plan is made once, and a join could read the whole space.
shown AS MATERIALIZED (
    SELECT memory_id, importance, said_at FROM walked
    ORDER BY CASE WHEN $3 THEN importance END DESC, said_at DESC, memory_id DESC LIMIT $4 OFFSET $5)
SELECT m.*, (SELECT count(*) FROM walked) AS walked,
       EXISTS (SELECT 1 FROM walked GROUP BY channel_id, step HAVING count(*) >= $6) AS is_cut
FROM shown CROSS JOIN LATERAL (
    SELECT * FROM filed_memory WHERE space_id = $1 AND memory_id = shown.memory_id LIMIT 1) AS m
WHERE (m.author_id = ANY (ARRAY(SELECT person_id FROM person WHERE erasing_at IS NOT NULL))
       AND (SELECT p.erasing_at FROM person p WHERE p.person_id = m.author_id) >= m.said_at) IS NOT TRUE
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
ORDER BY CASE WHEN $3 THEN shown.importance END DESC, shown.said_at DESC, shown.memory_id DESC

-- name: listed
-- The most important first. Each channel is walked in the order of its index, no further than the page goes ($6); of many
-- channels first a little ($8), which tells how far down what is on the page stands: together it is one way.
WITH sampled AS MATERIALIZED (
    SELECT m.importance, m.said_at, m.memory_id FROM unnest($2::bigint[]) AS seen (channel_id) CROSS JOIN LATERAL (
        SELECT memory_id, importance, said_at FROM memory
        WHERE space_id = $1 AND -channel_id = -seen.channel_id AND forgotten_at IS NULL AND superseded_by IS NULL
          AND importance >= $7
        ORDER BY importance DESC, said_at DESC, memory_id DESC LIMIT $8) AS m
    ORDER BY m.importance DESC, m.said_at DESC, m.memory_id DESC OFFSET $6 - 1 LIMIT 1),
least AS MATERIALIZED (
    SELECT coalesce(max(importance), $7) AS importance, coalesce(max(said_at), '-infinity') AS said_at,
           coalesce(max(memory_id), 0) AS memory_id FROM sampled),
walked AS MATERIALIZED (
    SELECT m.memory_id, m.importance, m.said_at, 0 AS channel_id, 0 AS step
    FROM least, unnest($2::bigint[]) AS seen (channel_id) CROSS JOIN LATERAL (
        SELECT memory_id, importance, said_at FROM memory
        WHERE space_id = $1 AND -channel_id = -seen.channel_id AND forgotten_at IS NULL AND superseded_by IS NULL
          AND (importance, said_at, memory_id) >= (least.importance, least.said_at, least.memory_id)
        ORDER BY importance DESC, said_at DESC, memory_id DESC LIMIT $6) AS m),
{page}

-- name: newest
-- The same, the newest first, of what was said in a while.
WITH sampled AS MATERIALIZED (
    SELECT m.said_at, m.memory_id FROM unnest($2::bigint[]) AS seen (channel_id) CROSS JOIN LATERAL (
        SELECT memory_id, said_at FROM memory
        WHERE space_id = $1 AND -channel_id = -seen.channel_id AND forgotten_at IS NULL AND superseded_by IS NULL
          AND said_at >= coalesce($7::timestamptz, '-infinity')
          AND said_at < coalesce($8::timestamptz, 'infinity')
        ORDER BY said_at DESC, memory_id DESC LIMIT $9) AS m
    ORDER BY m.said_at DESC, m.memory_id DESC OFFSET $6 - 1 LIMIT 1),
least AS MATERIALIZED (
    SELECT coalesce(max(said_at), '-infinity') AS said_at, coalesce(max(memory_id), 0) AS memory_id FROM sampled),
walked AS MATERIALIZED (
    SELECT m.memory_id, 0 AS importance, m.said_at, 0 AS channel_id, 0 AS step
    FROM least, unnest($2::bigint[]) AS seen (channel_id) CROSS JOIN LATERAL (
        SELECT memory_id, said_at FROM memory
        WHERE space_id = $1 AND -channel_id = -seen.channel_id AND forgotten_at IS NULL AND superseded_by IS NULL
          AND said_at >= coalesce($7::timestamptz, '-infinity')
          AND said_at < coalesce($8::timestamptz, 'infinity')
          AND (said_at, memory_id) >= (least.said_at, least.memory_id)
        ORDER BY said_at DESC, memory_id DESC LIMIT $6) AS m),
{page}

-- name: sifted
-- The same of what has all of some tags, which many have.
WITH walked AS MATERIALIZED (
    SELECT m.memory_id, m.importance, m.said_at, seen.channel_id, 0 AS step
    FROM unnest($2::bigint[]) AS seen (channel_id) CROSS JOIN LATERAL (
        SELECT memory_id, importance, said_at FROM memory
        WHERE space_id = $1 AND -channel_id = -seen.channel_id AND forgotten_at IS NULL AND superseded_by IS NULL
          AND importance >= $7 AND tags @> $8::text[]
        ORDER BY importance DESC, said_at DESC, memory_id DESC LIMIT $6) AS m),
{page}

-- name: weighed
-- The same of what is narrowed by more: one importance after the other, each by its time, so that one index is enough for
-- both orders; both are compared at once, or the index by time alone would be walked past all that weigh otherwise.
WITH walked AS MATERIALIZED (
    SELECT m.memory_id, m.importance, m.said_at, seen.channel_id, weight.importance AS step
    FROM unnest($2::bigint[]) AS seen (channel_id) CROSS JOIN generate_series($7::integer, 10) AS weight (importance)
    CROSS JOIN LATERAL (
        SELECT memory_id, importance, said_at FROM memory m
        WHERE space_id = $1 AND -channel_id = -seen.channel_id AND forgotten_at IS NULL AND superseded_by IS NULL
          AND (importance, said_at) >= (weight.importance, coalesce($10::timestamptz, '-infinity'))
          AND (importance, said_at) < (weight.importance, coalesce($11::timestamptz, 'infinity')) AND
{narrowed}
        ORDER BY importance DESC, said_at DESC, memory_id DESC LIMIT $6) AS m),
{page}

-- name: filed
-- What is filed in rooms and under topics, each of a channel: in those rooms, between those numbers ($10 to $13), stands
-- what is in one, and these are the topics ($14, $15). The most important first.
WITH walked AS MATERIALIZED (
    SELECT m.memory_id, m.importance, m.said_at, asked.channel_id, asked.place AS step
    FROM unnest($10::bigint[], $11::text[], $12::bigint[], $13::bigint[])
        WITH ORDINALITY AS asked (channel_id, room, after_id, through_id, place)
    CROSS JOIN LATERAL (
        SELECT memory_id, importance, said_at FROM memory m
        WHERE space_id = $1 AND -channel_id = -asked.channel_id AND forgotten_at IS NULL AND superseded_by IS NULL
          AND room = asked.room AND importance >= $7 AND memory_id > asked.after_id AND memory_id <= asked.through_id AND
{narrowed}
        ORDER BY importance DESC, said_at DESC, memory_id DESC LIMIT $6) AS m
    WHERE asked.channel_id = ANY ($2::bigint[])
    UNION ALL
    SELECT m.memory_id, m.importance, m.said_at, asked.channel_id, -asked.place AS step
    FROM unnest($14::bigint[], $15::text[]) WITH ORDINALITY AS asked (channel_id, topic, place) CROSS JOIN LATERAL (
        SELECT memory_id, importance, said_at FROM memory m
        WHERE space_id = $1 AND -channel_id = -asked.channel_id AND forgotten_at IS NULL AND superseded_by IS NULL
          AND topic = asked.topic AND importance >= $7
          AND (room <> ALL ($11::text[])
               OR NOT EXISTS (SELECT 1 FROM unnest($11::text[], $12::bigint[], $13::bigint[]) AS s (room, after_id, through_id)
                              WHERE s.room = m.room AND m.memory_id > s.after_id AND m.memory_id <= s.through_id)) AND
{narrowed}
        ORDER BY importance DESC, said_at DESC, memory_id DESC LIMIT $6) AS m
    WHERE asked.channel_id = ANY ($2::bigint[])),
{page}

-- name: filed_weighed
-- The same, one importance after the other, each by its time.
WITH walked AS MATERIALIZED (
    SELECT m.memory_id, m.importance, m.said_at, asked.channel_id, asked.place * 10 + weight.importance AS step
    FROM unnest($12::bigint[], $13::text[], $14::bigint[], $15::bigint[])
        WITH ORDINALITY AS asked (channel_id, room, after_id, through_id, place)
    CROSS JOIN generate_series($7::integer, 10) AS weight (importance) CROSS JOIN LATERAL (
        SELECT memory_id, importance, said_at FROM memory m
        WHERE space_id = $1 AND -channel_id = -asked.channel_id AND forgotten_at IS NULL AND superseded_by IS NULL
          AND room = asked.room AND memory_id > asked.after_id AND memory_id <= asked.through_id
          AND (importance, said_at) >= (weight.importance, coalesce($10::timestamptz, '-infinity'))
          AND (importance, said_at) < (weight.importance, coalesce($11::timestamptz, 'infinity')) AND
{narrowed}
        ORDER BY importance DESC, said_at DESC, memory_id DESC LIMIT $6) AS m
    WHERE asked.channel_id = ANY ($2::bigint[])
    UNION ALL
    SELECT m.memory_id, m.importance, m.said_at, asked.channel_id, asked.place * -10 - weight.importance AS step
    FROM unnest($16::bigint[], $17::text[]) WITH ORDINALITY AS asked (channel_id, topic, place)
    CROSS JOIN generate_series($7::integer, 10) AS weight (importance) CROSS JOIN LATERAL (
        SELECT memory_id, importance, said_at FROM memory m
        WHERE space_id = $1 AND -channel_id = -asked.channel_id AND forgotten_at IS NULL AND superseded_by IS NULL
          AND topic = asked.topic AND (importance, said_at) >= (weight.importance, coalesce($10::timestamptz, '-infinity'))
          AND (importance, said_at) < (weight.importance, coalesce($11::timestamptz, 'infinity'))
          AND (room <> ALL ($13::text[])
               OR NOT EXISTS (SELECT 1 FROM unnest($13::text[], $14::bigint[], $15::bigint[]) AS s (room, after_id, through_id)
                              WHERE s.room = m.room AND m.memory_id > s.after_id AND m.memory_id <= s.through_id)) AND
{narrowed}
        ORDER BY importance DESC, said_at DESC, memory_id DESC LIMIT $6) AS m
    WHERE asked.channel_id = ANY ($2::bigint[])),
{page}

-- name: authored
-- What one person said.
WITH walked AS MATERIALIZED (
    SELECT m.memory_id, m.importance, m.said_at, seen.channel_id, weight.importance AS step
    FROM unnest($2::bigint[]) AS seen (channel_id) CROSS JOIN generate_series($7::integer, 10) AS weight (importance)
    CROSS JOIN LATERAL (
        SELECT memory_id, importance, said_at FROM memory
        WHERE space_id = $1 AND author_id = $9 AND -channel_id = -seen.channel_id
          AND forgotten_at IS NULL AND superseded_by IS NULL
          AND (importance, said_at) >= (weight.importance, coalesce($10::timestamptz, '-infinity'))
          AND (importance, said_at) < (weight.importance, coalesce($11::timestamptz, 'infinity')) AND tags @> $8::text[]
        ORDER BY importance DESC, said_at DESC, memory_id DESC LIMIT $6) AS m),
{page}

-- name: tagged
-- What has all of some tags, one of which few have: these are found first, by nothing but their tags.
WITH having_all AS MATERIALIZED (
    SELECT memory_id, importance, said_at, channel_id, room, topic, author_id FROM memory
    WHERE space_id = $1 AND (tags || '{}') @> $8::text[] AND forgotten_at IS NULL AND superseded_by IS NULL),
walked AS MATERIALIZED (
    SELECT memory_id, importance, said_at, 0 AS channel_id, 0 AS step FROM having_all
    WHERE channel_id = ANY ($2::bigint[]) AND importance >= $7
      AND said_at >= coalesce($10::timestamptz, '-infinity') AND said_at < coalesce($11::timestamptz, 'infinity')
      AND ($9::bigint IS NULL OR author_id = $9)
      AND ($12::text[] IS NULL OR topic = ANY ($15::text[])
           OR EXISTS (SELECT 1 FROM unnest($12, $13::bigint[], $14::bigint[]) AS s (room, after_id, through_id)
                      WHERE s.room = having_all.room AND memory_id > s.after_id AND memory_id <= s.through_id))
    ORDER BY CASE WHEN $3 THEN importance END DESC, said_at DESC, memory_id DESC LIMIT $6),
{page}

-- name: of_person
-- What is about somebody, as far as everyone here may see it: the most important first, then the newest. What they said
-- of others, or of things, is not about them.
WITH walked AS MATERIALIZED (
    SELECT m.memory_id, m.importance, m.said_at, 0 AS step, seen.channel_id
    FROM unnest($2::bigint[]) AS seen (channel_id) CROSS JOIN LATERAL (
        SELECT memory_id, importance, said_at FROM memory
        WHERE space_id = $1 AND subject_id = $7 AND -channel_id = -seen.channel_id
          AND forgotten_at IS NULL AND superseded_by IS NULL
        ORDER BY importance DESC, said_at DESC, memory_id DESC LIMIT $6) AS m),
{page}

-- name: due_to_age
-- The least important first, as they are moved; they are counted no further than to $6.
WITH due AS MATERIALIZED (
    SELECT memory_id, importance, said_at FROM filed_memory
    WHERE space_id = $1 AND (channel_id + 0) = ANY ($2::bigint[]) AND tier = 'short'
      AND forgotten_at IS NULL AND superseded_by IS NULL AND reinforced_at <= $3
      AND importance < CASE WHEN $5 THEN 11 ELSE 9 END
      AND ($5 OR NOT (pinned OR source = 'directive' OR room = 'preferences'
                      OR (source = 'user' AND importance_set >= 8)))
    ORDER BY importance, said_at, memory_id LIMIT greatest($4::bigint, $6::bigint)),
shown AS (SELECT * FROM due ORDER BY importance, said_at, memory_id LIMIT $4)
SELECT m.*, (SELECT count(*) FROM due) AS total
FROM shown CROSS JOIN LATERAL (
    SELECT * FROM filed_memory WHERE space_id = $1 AND memory_id = shown.memory_id LIMIT 1) AS m
ORDER BY m.importance, m.said_at, m.memory_id

-- name: history
-- The newest messages of a session before the question, newest first. A reply belongs to its question: one that was
-- written after this question was asked, to one asked before, is history; one asked later is not. Nothing of people
-- who opted out since, nor of what they were answered; asked row by row, as a join would read the whole session.
SELECT m.space_id, m.channel_id, m.message_id, m.session_id, m.role, m.author_id, m.author, m.content, m.said_at,
       m.reply_to, m.cut_off,
       CASE WHEN m.role = 'hathi'
            THEN (SELECT t.stock FROM turn t WHERE t.space_id = $1 AND t.turn_id = m.reply_to) END AS stock
FROM message m
WHERE m.space_id = $1 AND m.session_id = $2 AND m.hidden_at IS NULL
  AND CASE WHEN m.role = 'hathi' THEN coalesce(m.reply_to, m.message_id) ELSE m.message_id END < $3
  AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= m.said_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = m.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
  AND (m.role = 'person'
       OR (SELECT (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= asked.said_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = asked.author_id)
           FROM message asked WHERE asked.space_id = $1 AND asked.message_id = m.reply_to) IS NULL)
ORDER BY m.message_id DESC LIMIT $4

-- name: reply
-- A reply of Hathi's, by any of the messages it was sent as, and its question. No index leads from a reply to its turn:
-- only those of the day before are looked at. Nothing of people who opted out since.
SELECT m.space_id, m.channel_id, m.message_id, m.session_id, m.role, m.author_id, m.author, m.content, m.said_at,
       m.reply_to, m.cut_off, CASE WHEN m.role = 'hathi' THEN t.stock END AS stock
FROM turn t JOIN message m ON m.space_id = $1 AND m.message_id IN (t.turn_id, t.reply_ids[1])
WHERE t.space_id = $1 AND t.turn_id BETWEEN $3 AND $2 AND t.state = 'answered' AND t.reply_ids @> ARRAY[$2::bigint]
  AND m.hidden_at IS NULL AND m.channel_id = ANY ($4::bigint[])
  AND (SELECT p.opted_out_at FROM person p WHERE p.person_id = t.asker_id) IS NULL

-- name: session_messages
-- With what people said who opted out since, which is not to be told, and which tells what else is not; nothing of what
-- they were answered, or what was answered from what they had said; and no reply that was made from what is not stored
-- here, of which nothing is distilled.
SELECT m.space_id, m.channel_id, m.message_id, m.session_id, m.role, m.author_id, m.author, m.content, m.said_at,
       m.reply_to, m.cut_off,
       CASE WHEN m.role = 'hathi'
            THEN (SELECT t.stock FROM turn t WHERE t.space_id = $1 AND t.turn_id = m.reply_to) END AS stock,
       (SELECT p.opted_out_at FROM person p WHERE p.person_id = m.author_id) IS NOT NULL AS declined
FROM message m
WHERE m.space_id = $1 AND m.session_id = $2 AND m.hidden_at IS NULL AND m.message_id > $3
  AND (m.role = 'person'
       OR (SELECT (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= asked.said_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = asked.author_id)
           FROM message asked WHERE asked.space_id = $1 AND asked.message_id = m.reply_to) IS NULL)
  AND NOT EXISTS (
      SELECT 1 FROM turn t WHERE t.space_id = $1 AND t.turn_id = m.reply_to AND (
          t.made_from <> '{}'
          OR EXISTS (SELECT 1 FROM message told JOIN person p ON p.person_id = told.author_id
                     WHERE told.space_id = $1 AND told.message_id = ANY (source_ids(t.trail))
                       AND p.opted_out_at IS NOT NULL)
          OR EXISTS (SELECT 1 FROM jsonb_array_elements_text(t.trail -> 'grounded' -> 'cited') AS cited (label)
                     JOIN memory told ON told.space_id = $1 AND told.memory_id =
                         CASE WHEN cited.label ~ '^#[0-9]{1,18}$' THEN substr(cited.label, 2)::bigint END
                     JOIN person p ON p.person_id = told.author_id
                     WHERE p.opted_out_at IS NOT NULL)))
ORDER BY m.message_id LIMIT $4

-- name: told_elsewhere
-- The answers of a session that were shown anything of another channel, whether they cite it, and its texts: what people
-- said, sent and had kept there, what its ledger tells, and what Hathi answered there; with the texts of what they were
-- shown of their own channel. One that was not held against what was found cites it all; what is recorded no more is of
-- another channel.
SELECT m.message_id, seen.cites, seen.there, seen.answered, seen.here
FROM message m JOIN turn t ON t.space_id = $1 AND t.turn_id = m.reply_to
CROSS JOIN LATERAL (
    SELECT bool_or(s.elsewhere) AS any, coalesce(bool_or(s.cited) FILTER (WHERE s.elsewhere), false) AS cites,
           coalesce(array_agg(s.content) FILTER (WHERE s.elsewhere AND NOT s.answered), '{}') AS there,
           coalesce(array_agg(s.content) FILTER (WHERE s.elsewhere AND s.answered), '{}') AS answered,
           coalesce(array_agg(s.content) FILTER (WHERE NOT s.elsewhere), '{}') AS here
    FROM (SELECT y.channel_id <> m.channel_id AS elsewhere, false AS answered, y.content,
                 t.trail -> 'grounded' -> 'cited' ? ('#' || y.memory_id) AS cited
          FROM memory y WHERE y.space_id = $1 AND y.memory_id = ANY (t.shown)
          UNION ALL
          SELECT o.channel_id IS DISTINCT FROM m.channel_id, coalesce(o.role = 'hathi', false),
                 coalesce(o.content, '') || coalesce((
                     SELECT string_agg(E'\n' || a.content, '') FROM attachment a
                     WHERE a.space_id = $1 AND a.message_id = o.message_id), ''),
                 NOT t.trail ? 'grounded' OR t.trail -> 'grounded' -> 'cited' ? (source ->> 'label')
          FROM jsonb_path_query(t.trail, '$.sources[*] ? (@.message[1].type() == "number")') AS source
          LEFT JOIN message o ON o.space_id = $1 AND o.message_id = (source -> 'message' ->> 1)::bigint
          UNION ALL
          SELECT true, false, coalesce((
                     SELECT string_agg(k.text, E'\n') FROM chunk k
                     WHERE k.space_id = $1 AND k.session_id = (source ->> 'session')::bigint), ''),
                 NOT t.trail ? 'grounded' OR t.trail -> 'grounded' -> 'cited' ? (source ->> 'label')
          FROM jsonb_path_query(t.trail, '$.sources[*] ? (@.session.type() == "number")') AS source
          LEFT JOIN session e ON e.space_id = $1 AND e.session_id = (source ->> 'session')::bigint
          LEFT JOIN channel place ON place.space_id = $1 AND place.channel_id = e.channel_id
          WHERE coalesce(place.origin_id, place.channel_id) IS DISTINCT FROM m.channel_id) AS s) AS seen
WHERE m.space_id = $1 AND m.session_id = $2 AND m.role = 'hathi' AND seen.any

-- name: last_summary
-- What the channel's last reset that kept something wrote; withheld since part of it was forgotten. What was learned of
-- its past came before all of them.
SELECT s.session_id, s.number, c.text, c.model, c.withheld_at, s.closed_at, s.message_count
FROM session s LEFT JOIN chat_summary c ON c.space_id = s.space_id AND c.session_id = s.session_id
WHERE s.space_id = $1 AND s.channel_id = $2 AND s.state IN ('closed', 'summarised') AND s.message_count > 0
  AND s.session_id > 0
ORDER BY s.number DESC LIMIT 1

-- name: rolling_summary
-- The newest version since a person's reset, from which message on it tells, and how many entries the ledger has; how
-- many of them were made by rule ($3), and how many condensed into one. Counted are the newest, no further than to $4.
SELECT s.text, s.created_at, s.chunk_id, coalesce(begun.since_id, s.chunk_id) AS since_id, ledger.entries,
       ledger.by_rule, ledger.is_least,
       coalesce((SELECT k.chunks FROM standing_condensation k
                 WHERE k.space_id = $1 AND k.channel_id = $2 AND k.after_session_id = fresh.after
                 ORDER BY k.through_chunk_id DESC LIMIT 1), 0) AS condensed
FROM (SELECT coalesce((SELECT e.session_id FROM session e
                       WHERE e.space_id = $1 AND e.channel_id = $2 AND e.was_reset
                       ORDER BY e.number DESC LIMIT 1), 0) AS after) AS fresh
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE withheld_at IS NULL AND text <> '') AS entries,
           count(*) FILTER (WHERE withheld_at IS NULL AND model = $3) AS by_rule, count(*) >= $4 AS is_least
    FROM (SELECT withheld_at, text, model FROM chunk
          WHERE space_id = $1 AND channel_id = $2 AND chunk_id > fresh.after AND session_id > fresh.after
          ORDER BY chunk_id DESC LIMIT $4) AS newest) AS ledger
LEFT JOIN LATERAL (
    SELECT first_message_id AS since_id FROM chunk
    WHERE space_id = $1 AND channel_id = $2 AND chunk_id > fresh.after AND session_id > fresh.after
    ORDER BY chunk_id LIMIT 1) AS begun ON true
CROSS JOIN (
    SELECT text, created_at, chunk_id FROM chat_summary
    WHERE space_id = $1 AND channel_id = $2 AND chunk_id IS NOT NULL AND withheld_at IS NULL
    ORDER BY chunk_id DESC LIMIT 1) AS s
JOIN chunk c ON c.space_id = $1 AND c.chunk_id = s.chunk_id AND c.session_id > fresh.after

-- name: unsummed
-- Why there is no such version: when what it would tell was withheld, how many entries wait to be summed up, when the
-- person's reset was, and whether anything became memory here at all. Counted are the newest, no further than to $3.
WITH reset AS MATERIALIZED (
    SELECT s.session_id, s.closed_at FROM session s
    WHERE s.space_id = $1 AND s.channel_id = $2 AND s.was_reset ORDER BY s.number DESC LIMIT 1),
fresh AS MATERIALIZED (
    SELECT coalesce((SELECT session_id FROM reset), 0) AS after)
SELECT (SELECT max(c.withheld_at) FROM fresh, chunk c
        WHERE c.space_id = $1 AND c.withheld_at IS NOT NULL AND c.channel_id = $2 AND c.session_id > fresh.after
          AND c.model <> '') AS withheld_at,
       count(*) FILTER (WHERE newest.is_entry) AS entries, count(*) >= $3 AS is_least,
       (SELECT closed_at FROM reset) AS reset_at,
       EXISTS (SELECT 1 FROM chunk WHERE space_id = $1 AND channel_id = $2 AND model <> '') AS was_made
FROM fresh CROSS JOIN LATERAL (
    SELECT withheld_at IS NULL AND text <> '' AS is_entry FROM chunk
    WHERE space_id = $1 AND channel_id = $2 AND chunk_id > fresh.after AND session_id > fresh.after AND model <> ''
    ORDER BY chunk_id DESC LIMIT $3) AS newest

-- name: sessions
-- Those of which nothing was kept are none to anybody. Withheld is a summary also as long as all it would tell is. A page,
-- and how many there are: all, if there was no more on the way ($5).
WITH walked AS MATERIALIZED (
    SELECT number FROM session
    WHERE space_id = $1 AND channel_id = $2 AND state <> 'open' AND message_count > 0
    ORDER BY number DESC LIMIT $5),
shown AS MATERIALIZED (
    SELECT number FROM walked ORDER BY number DESC LIMIT $3 OFFSET $4)
SELECT s.number, s.opened_at, s.closed_at, s.message_count, s.fact_count, s.attempts,
       CASE WHEN s.undone_at IS NOT NULL AND s.state = 'discarded' THEN 'undone' ELSE s.state END AS state,
       CASE WHEN c.withheld_at IS NULL THEN c.text END AS text, c.model,
       c.withheld_at IS NOT NULL OR (c.text = '' AND EXISTS (
           SELECT 1 FROM chunk k WHERE k.space_id = $1 AND k.session_id = s.session_id AND k.withheld_at IS NOT NULL))
           AS withheld,
       (SELECT count(*) FROM walked) AS walked, (SELECT count(*) FROM walked) >= $5 AS is_cut
FROM shown
CROSS JOIN LATERAL (
    SELECT * FROM session WHERE space_id = $1 AND channel_id = $2 AND number = shown.number LIMIT 1) AS s
LEFT JOIN LATERAL (
    SELECT text, model, withheld_at FROM chat_summary
    WHERE space_id = $1 AND session_id = s.session_id LIMIT 1) AS c ON true
ORDER BY s.number DESC

-- name: waiting_sessions
-- channel_id + 0: those that wait are few, and a plan may walk all that a channel had.
SELECT count(*) FROM session s JOIN channel c ON c.space_id = s.space_id AND c.channel_id = s.channel_id + 0
WHERE s.space_id = $1 AND s.state = 'closed' AND coalesce(c.origin_id, c.channel_id) = ANY ($2::bigint[])

-- name: channel_names
SELECT channel_id, name FROM channel WHERE space_id = $1 AND channel_id = ANY ($2::bigint[])

-- name: places
-- First how many of these memories and messages may be shown now, then where others stand that a link may lead to. Of a
-- command only that it was given is kept, and where: a link leads to it as long as a living memory rests on it. So it
-- does to what was only read, and to what somebody pointed at: where that stands its memory tells itself.
-- channel_id + 0: by an index that knows channels the planner would read all memories of them.
SELECT NULL::bigint AS message_id, NULL::bigint AS place_id,
       (SELECT count(*) FROM memory y
        WHERE y.space_id = $1 AND y.memory_id IN (SELECT unnest($4::bigint[]))
          AND (y.channel_id + 0) = ANY ($3::bigint[]) AND y.forgotten_at IS NULL AND y.superseded_by IS NULL)
     + (SELECT count(*) FROM message m
        WHERE m.space_id = $1 AND m.message_id IN (SELECT unnest($5::bigint[])) AND m.channel_id = ANY ($3::bigint[])
          AND m.hidden_at IS NULL) AS there
UNION ALL
SELECT message_id, coalesce(place_id, channel_id), NULL FROM message
WHERE space_id = $1 AND message_id IN (SELECT unnest($2::bigint[])) AND channel_id = ANY ($3::bigint[])
  AND hidden_at IS NULL
UNION ALL
SELECT t.turn_id, t.channel_id, NULL FROM turn t
JOIN channel c ON c.space_id = $1 AND c.channel_id = t.channel_id
WHERE t.space_id = $1 AND t.turn_id = ANY ($2::bigint[])
  AND coalesce(c.origin_id, c.channel_id) = ANY ($3::bigint[])
  AND NOT EXISTS (SELECT 1 FROM message m WHERE m.space_id = $1 AND m.message_id = t.turn_id)
  AND EXISTS (SELECT 1 FROM memory y WHERE y.space_id = $1 AND y.evidence @> ARRAY[t.turn_id]
              AND y.forgotten_at IS NULL AND y.superseded_by IS NULL)
UNION ALL
SELECT said.message_id, u.channel_id, NULL FROM chunk u
JOIN channel c ON c.space_id = $1 AND c.channel_id = u.channel_id
CROSS JOIN LATERAL unnest(u.messages) AS said (message_id)
WHERE u.space_id = $1 AND u.messages && $2::bigint[] AND u.model = '' AND said.message_id = ANY ($2::bigint[])
  AND coalesce(c.origin_id, c.channel_id) = ANY ($3::bigint[])
  AND EXISTS (SELECT 1 FROM memory y WHERE y.space_id = $1 AND y.evidence @> ARRAY[said.message_id]
              AND y.forgotten_at IS NULL AND y.superseded_by IS NULL)
UNION ALL
SELECT asked.id, (y.metadata #>> ARRAY['stands', asked.id::text])::bigint, NULL FROM unnest($2::bigint[]) AS asked (id)
JOIN memory y ON y.space_id = $1 AND y.evidence @> ARRAY[asked.id]
WHERE (y.channel_id + 0) = ANY ($3::bigint[]) AND y.forgotten_at IS NULL AND y.superseded_by IS NULL
  AND (y.metadata #>> ARRAY['stands', asked.id::text]) ~ '^[0-8]?[0-9]{1,18}$'
  AND NOT EXISTS (SELECT 1 FROM message m WHERE m.space_id = $1 AND m.message_id = asked.id)

-- name: left_memories
-- An older version of a memory is still there.
SELECT memory_id FROM memory WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[])) AND forgotten_at IS NULL

-- name: left_messages
-- Ids that are selected are read by their key, here and elsewhere; of `= ANY` a plan that is made once, for spaces
-- of middling size, walks the index of sessions, all of it.
SELECT m.message_id, m.content FROM message m
WHERE m.space_id = $1 AND m.message_id IN (SELECT unnest($2::bigint[])) AND m.hidden_at IS NULL
  AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= m.said_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = m.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE

-- name: withheld
-- Of these messages, those nobody is to be shown: hidden, gone with a memory that rested on them, or said before all of
-- the space was erased.
SELECT message_id FROM message
WHERE space_id = $1 AND message_id IN (SELECT unnest($2::bigint[])) AND hidden_at IS NOT NULL
UNION
SELECT rested.message_id FROM tombstone, unnest(tombstone.evidence) AS rested (message_id)
WHERE tombstone.space_id = $1 AND tombstone.evidence && $2::bigint[] AND rested.message_id = ANY ($2::bigint[])
UNION
SELECT asked.message_id FROM unnest($2::bigint[]) AS asked (message_id)
WHERE asked.message_id <= (SELECT s.emptied_through FROM space s WHERE s.space_id = $1)

-- name: readable
-- Which of these messages, recorded or not, nobody is to be shown; which of these people do not want to be read, and
-- until when others erased what they said; and when the session began, if a reset opened it: what was said before that
-- was cleared. Of Hathi's own messages ($9), which of the memories and messages that they name are not there any more;
-- and of those that answered a question which set text they are, what was recorded, which stands with the first of its
-- parts, and whether that stands: null where nothing was to be recorded. An answer comes within a day of its question.
SELECT ARRAY(SELECT m.message_id FROM message m
             WHERE m.space_id = $1 AND m.message_id IN (SELECT unnest($3::bigint[])) AND m.hidden_at IS NOT NULL
             UNION
             SELECT rested.message_id FROM tombstone t, unnest(t.evidence) AS rested (message_id)
             WHERE t.space_id = $1 AND t.evidence && $3::bigint[] AND rested.message_id = ANY ($3::bigint[])
             UNION
             SELECT asked.message_id FROM unnest($3::bigint[]) AS asked (message_id)
             WHERE asked.message_id <= (SELECT s.emptied_through FROM space s WHERE s.space_id = $1)
             ) AS withheld,
       ARRAY(SELECT p.person_id FROM person p
             WHERE p.person_id = ANY ($4::bigint[]) AND p.opted_out_at IS NOT NULL) AS declined,
       (SELECT jsonb_object_agg(p.person_id, p.erased_at) FROM person p
        WHERE p.person_id = ANY ($5::bigint[]) AND p.erased_at IS NOT NULL) AS erased,
       ARRAY(SELECT told.memory_id FROM unnest($6::bigint[]) AS told (memory_id)
             WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.space_id = $1 AND m.memory_id = told.memory_id
                               AND m.forgotten_at IS NULL AND m.superseded_by IS NULL)) AS gone,
       ARRAY(SELECT linked.message_id FROM unnest($7::bigint[]) AS linked (message_id)
             WHERE NOT EXISTS (SELECT 1 FROM message m WHERE m.space_id = $1 AND m.message_id = linked.message_id
                               AND m.hidden_at IS NULL)
               -- A command is recorded nowhere but in the memory that it gave.
               AND NOT EXISTS (SELECT 1 FROM memory y WHERE y.space_id = $1 AND y.evidence @> ARRAY[linked.message_id]
                               AND y.forgotten_at IS NULL AND y.superseded_by IS NULL)) AS unlinked,
       (SELECT jsonb_object_agg(part.message_id, jsonb_build_object(
                   'stock', t.stock, 'stands', CASE WHEN NOT t.unkept THEN m.message_id IS NOT NULL END,
                   'content', CASE WHEN part.message_id = m.message_id THEN m.content END))
        FROM turn t CROSS JOIN unnest(t.reply_ids) AS part (message_id)
        LEFT JOIN message m ON m.space_id = t.space_id AND m.message_id = t.reply_ids[1] AND m.hidden_at IS NULL
        WHERE t.space_id = $1 AND t.channel_id = $8 AND t.state = 'answered' AND t.reply_ids <> '{}'
          AND t.turn_id BETWEEN ($9::bigint[])[1] - (86400000::bigint << 22) AND ($9::bigint[])[cardinality($9::bigint[])]
          AND t.reply_ids && $9::bigint[]) AS told,
       (SELECT s.opened_at FROM session s
        WHERE s.space_id = $1 AND s.session_id = $2 AND s.number > 1) AS since

-- name: closed_at
SELECT closed_at FROM session WHERE space_id = $1 AND channel_id + 0 = $2 AND session_id = $3

-- name: changeable
-- For whoever is typing words of the text: what they may change, the newest first. The newest ones are read; where too
-- few of them have it as it is typed, some that are found by the words before the last ($7) and what that begins with.
WITH asked AS MATERIALIZED (
    SELECT every_word($6, space.formerly, $7) AS before,
           CASE WHEN $8 ~ '[[:alnum:]]{3}'
                THEN (query_term(lower($8)) || ':*')::tsquery || any_word($6, space.formerly, $8) END AS last
    FROM (SELECT (SELECT formerly FROM space WHERE space_id = $1)) AS space (formerly)),
newest AS MATERIALIZED (
    SELECT m.memory_id FROM unnest($2::bigint[]) AS seen (channel_id) CROSS JOIN LATERAL (
        SELECT memory_id, said_at FROM memory
        WHERE space_id = $1 AND -channel_id = -seen.channel_id AND forgotten_at IS NULL AND superseded_by IS NULL
        ORDER BY said_at DESC, memory_id DESC LIMIT greatest($9, $10 * 4 / cardinality($2::bigint[]))) AS m
    ORDER BY m.said_at DESC, m.memory_id DESC LIMIT $10),
holding AS MATERIALIZED (
    SELECT m.memory_id, m.said_at FROM newest CROSS JOIN LATERAL (
        SELECT memory_id, said_at, author_id, content FROM memory
        WHERE space_id = $1 AND memory_id = newest.memory_id LIMIT 1) AS m
    WHERE ($4::boolean OR m.author_id IS NULL OR m.author_id = $5) AND strpos(lower(m.content), lower($3)) > 0),
found AS MATERIALIZED (
    SELECT m.memory_id, m.said_at FROM memory m
    WHERE m.space_id = $1 AND (m.channel_id + 0) = ANY ($2::bigint[]) AND m.forgotten_at IS NULL
      AND m.superseded_by IS NULL AND ($4::boolean OR m.author_id IS NULL OR m.author_id = $5)
      AND m.search @@ (SELECT CASE WHEN before IS NULL THEN last ELSE before && coalesce(last, before) END FROM asked)
      AND (SELECT count(*) FROM holding) < $9
      AND ((SELECT before IS NOT NULL FROM asked)
           OR (SELECT coalesce(sum(c.rows), 0) FROM common_word c
               WHERE c.space_id = $1 AND c.held_by = 'memory' AND c.word ^@ lower($8)) <= 2000)
    LIMIT 2000)
SELECT m.* FROM (SELECT * FROM holding UNION SELECT * FROM found ORDER BY said_at DESC, memory_id DESC LIMIT $9) AS one
CROSS JOIN LATERAL (SELECT * FROM filed_memory WHERE space_id = $1 AND memory_id = one.memory_id LIMIT 1) AS m
ORDER BY m.said_at DESC, m.memory_id DESC

-- name: numbered
-- The same by the beginning of a number: those in these ranges, one after the other, the newest number of each first.
SELECT m.* FROM unnest($3::bigint[], $4::bigint[]) AS asked (low, high) CROSS JOIN LATERAL (
    SELECT memory_id FROM (
        SELECT * FROM memory WHERE space_id = $1 AND memory_id BETWEEN asked.low AND asked.high
        ORDER BY memory_id DESC LIMIT $8) AS numbered
    WHERE (channel_id + 0) = ANY ($2::bigint[]) AND forgotten_at IS NULL AND superseded_by IS NULL
      AND ($5::boolean OR author_id IS NULL OR author_id = $6)
    ORDER BY memory_id DESC LIMIT $7) AS one
JOIN filed_memory m ON m.space_id = $1 AND m.memory_id = one.memory_id
ORDER BY asked.low, m.memory_id DESC LIMIT $7

-- name: linked
-- Messages by their ids, people's and Hathi's answers, with where they stand. Nothing of people who opted out since,
-- nor of what they were answered.
SELECT m.space_id, m.channel_id, m.message_id, m.session_id, m.role, m.author_id, m.author, m.content, m.said_at,
       m.reply_to, m.cut_off, coalesce(m.place_id, m.channel_id) AS place_id
FROM message m
WHERE m.space_id = $1 AND m.message_id IN (SELECT unnest($2::bigint[])) AND m.channel_id = ANY ($3::bigint[])
  AND m.hidden_at IS NULL
  AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= m.said_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = m.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
  AND (m.role = 'person'
       OR (SELECT (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= asked.said_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = asked.author_id)
           FROM message asked WHERE asked.space_id = $1 AND asked.message_id = m.reply_to) IS NULL)
  AND (m.role = 'person'
       OR NOT EXISTS (SELECT 1 FROM turn t WHERE t.space_id = $1 AND t.turn_id = m.reply_to AND t.stock IS NOT NULL))
ORDER BY m.message_id

-- name: removals_asked
-- What people ask to have removed of what others said about them, with what they are called: few, and found by an index
-- of their own.
SELECT m.*, count(*) OVER () AS total,
       (SELECT p.name FROM member p WHERE p.space_id = $1 AND p.person_id = m.subject_id
        ORDER BY p.last_seen_at DESC LIMIT 1) AS asker
FROM memory m
WHERE m.space_id = $1 AND m.subject_id IS NOT NULL AND m.metadata ? 'removal_asked_at'
  AND (m.channel_id + 0) = ANY ($2::bigint[]) AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
ORDER BY m.metadata ->> 'removal_asked_at', m.memory_id LIMIT $3

-- part: asked_for
-- The words that are asked for, in each language that texts are looked for in: all of them, those that are not known to
-- be common among what is asked for ($6, memories or messages), which the index finds, and whether a language has none of
-- these: then the newest are read.
q AS MATERIALIZED (
    SELECT string_agg(words, ' | ')::tsquery AS words, string_agg(rare, ' | ')::tsquery AS rare,
           bool_or(rare IS NULL) AS is_common
    FROM (SELECT string_agg(query_term(given.word), ' & ') AS words,
                 string_agg(query_term(given.word), ' & ') FILTER (WHERE common.rows IS NULL) AS rare
          FROM unnest(array_prepend($3, string_to_array((SELECT formerly FROM space WHERE space_id = $1), '+')))
              AS asked (language)
          CROSS JOIN LATERAL unnest(query_words(asked.language, $4)) AS given (word)
          LEFT JOIN common_word common ON common.space_id = $1 AND common.held_by = $6 AND common.word = given.word
          GROUP BY asked.language) AS read)

-- name: forgettable
-- The memories that hold every word, the newest first; of common words among the newest of each channel ($7).
WITH
{asked_for},
found AS MATERIALIZED (
    SELECT m.memory_id, m.search FROM q, memory m
    WHERE m.space_id = $1 AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND (m.channel_id + 0) = ANY ($2::bigint[]) AND m.search @@ q.rare
    UNION
    SELECT newest.memory_id, newest.search FROM unnest($2::bigint[]) AS seen (channel_id) CROSS JOIN LATERAL (
        SELECT memory_id, search FROM memory
        WHERE space_id = $1 AND -channel_id = -seen.channel_id AND forgotten_at IS NULL AND superseded_by IS NULL
        ORDER BY said_at DESC, memory_id DESC LIMIT $7) AS newest
    WHERE (SELECT is_common FROM q))
SELECT m.* FROM q, found CROSS JOIN LATERAL (
    SELECT * FROM filed_memory WHERE space_id = $1 AND memory_id = found.memory_id LIMIT 1) AS m
WHERE found.search @@ q.words
  AND (m.author_id = ANY (ARRAY(SELECT person_id FROM person WHERE erasing_at IS NOT NULL))
       AND (SELECT p.erasing_at FROM person p WHERE p.person_id = m.author_id) >= m.said_at) IS NOT TRUE
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
ORDER BY m.said_at DESC, m.memory_id DESC LIMIT $5

-- name: forgettable_messages
-- Those of the asker's own messages ($8) that do; of common words among their own newest ($7). Found before they are put
-- in order, and by their words: else a plan walks all that the person ever said.
WITH
{asked_for},
found AS MATERIALIZED (
    SELECT m.message_id, m.search FROM q, message m
    WHERE m.space_id = $1 AND m.hidden_at IS NULL AND m.role = 'person' AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.search @@ q.rare AND (m.author_id + 0) = $8 AND m.message_id <> $9
    UNION
    SELECT own.message_id, own.search FROM (
        SELECT * FROM message
        WHERE space_id = $1 AND author_id = $8 AND hidden_at IS NULL AND role = 'person' AND message_id <> $9
        ORDER BY message_id DESC LIMIT $7) AS own
    WHERE own.channel_id = ANY ($2::bigint[]) AND (SELECT is_common FROM q)),
hit AS (
    SELECT message_id FROM q, found WHERE found.search @@ q.words ORDER BY message_id DESC LIMIT $5)
SELECT m.space_id, m.channel_id, m.message_id, m.session_id, m.role, m.author_id, m.author, m.content, m.said_at,
       m.reply_to, m.cut_off
FROM hit CROSS JOIN LATERAL (SELECT * FROM message WHERE space_id = $1 AND message_id = hit.message_id LIMIT 1) AS m
ORDER BY m.message_id DESC

-- name: resting_on
-- The living memories that rest on a message.
SELECT * FROM memory
WHERE space_id = $1 AND evidence @> ARRAY[$2::bigint] AND (channel_id + 0) = ANY ($3::bigint[])
  AND forgotten_at IS NULL AND superseded_by IS NULL
ORDER BY memory_id

-- name: made_of
-- The living memories that a session became, as they were made; not what was given in it by name.
SELECT * FROM memory
WHERE space_id = $1 AND session_id = $2 AND channel_id = ANY ($3::bigint[]) AND source = 'summary'
  AND forgotten_at IS NULL AND superseded_by IS NULL
ORDER BY memory_id
LIMIT $4 OFFSET $5

-- name: count_made_of
SELECT count(*) FROM memory
WHERE space_id = $1 AND session_id = $2 AND channel_id = ANY ($3::bigint[]) AND source = 'summary'
  AND forgotten_at IS NULL AND superseded_by IS NULL

-- name: own_messages
-- Those of the messages that somebody said and that may be seen here.
SELECT m.space_id, m.channel_id, m.message_id, m.session_id, m.role, m.author_id, m.author, m.content, m.said_at,
       m.reply_to, m.cut_off
FROM message m
WHERE m.space_id = $1 AND m.message_id IN (SELECT unnest($2::bigint[])) AND m.channel_id = ANY ($3::bigint[])
  AND m.author_id = $4
  AND m.role = 'person' AND m.hidden_at IS NULL
ORDER BY m.message_id
