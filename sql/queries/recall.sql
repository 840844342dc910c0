-- What a recall reads. None writes, locks or calls a volatile function; how places are given: `bot/recall/ranking.py`.
-- `terms` are at most 16 queries of one word each; those a row answers are the bits of its mask. They are an array made
-- once: a text cast where it is used would be read anew for every row.

-- name: words
-- The words of each token as they are indexed: none for what says nothing.
SELECT token, query_words($1, token) AS words FROM unnest($2::text[]) AS token

-- name: read
-- The same, with the words of languages by which some texts may still be found; and after them who is meant by these names
-- in small letters: as people are or were called here, or by the first word of that; or by what a name looks like ($5),
-- as one is typed without its accents. person_id + 0: few are, and in that order a plan would walk all that were ever met.
SELECT token, query_words($1, token) AS words,
       other_words((SELECT formerly FROM space WHERE space_id = $3), token) AS formerly,
       NULL::bigint AS person_id, NULL::text AS name, NULL::text AS first
FROM unnest($2::text[]) AS token
UNION ALL
(SELECT NULL, NULL, NULL, person_id, lower(name), lower(split_part(name, ' ', 1)) FROM member
 WHERE space_id = $3 AND (lower(name) = ANY ($4::text[]) OR lower(split_part(name, ' ', 1)) = ANY ($4::text[])
                          OR likeness = ANY ($5::text[]))
 ORDER BY person_id + 0, name LIMIT 64)

-- name: known
-- Those of the words that a message or a memory here holds. What is common need not be looked for.
SELECT word FROM unnest($3::text[], $4::text[]) AS asked (word, query)
WHERE EXISTS (SELECT 1 FROM common_word c WHERE c.space_id = $1 AND c.held_by = 'message' AND c.word = asked.word)
   OR EXISTS (SELECT 1 FROM message m
              WHERE m.space_id = $1 AND m.hidden_at IS NULL AND m.role = 'person'
                AND (m.channel_id + 0) = ANY ($2::bigint[])
                AND m.search @@ asked.query::tsquery)
   OR EXISTS (SELECT 1 FROM memory m
              WHERE m.space_id = $1 AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
                AND (m.channel_id + 0) = ANY ($2::bigint[]) AND m.search @@ asked.query::tsquery)

-- name: held
-- How many messages and memories hold each word, in the order of the words; counted no further than to a bound, and not
-- at all where the word is known to be common.
SELECT coalesce(
    (SELECT least(c.rows, $4) FROM common_word c
     WHERE c.space_id = $1 AND c.held_by = 'message' AND c.word = asked.word),
    (SELECT count(*) FROM (
         SELECT 1 FROM message m
         WHERE m.space_id = $1 AND m.hidden_at IS NULL AND m.role = 'person' AND (m.channel_id + 0) = ANY ($2::bigint[])
           AND m.search @@ asked.query::tsquery LIMIT $4) AS said)
    + (SELECT count(*) FROM (
         SELECT 1 FROM memory m
         WHERE m.space_id = $1 AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
           AND (m.channel_id + 0) = ANY ($2::bigint[]) AND m.search @@ asked.query::tsquery
         LIMIT $4) AS kept)) AS held
FROM unnest($3::text[], $5::text[]) WITH ORDINALITY AS asked (query, word, place) ORDER BY asked.place

-- part: weighed
-- What was hit (id, mask, is_by_named) by what its words weigh ($9), of which the common ones are held by more rows than
-- were read ($12, together $13). Rows with the same words weigh the same: they are weighed together, and only those
-- sorted that can be among the best.
grouped AS MATERIALIZED (
    SELECT mask, is_by_named, count(*) AS n, array_agg(id) AS ids FROM hit GROUP BY mask, is_by_named),
counted AS MATERIALIZED (
    SELECT bit, greatest(sum(CASE WHEN mask & (1 << bit) <> 0 THEN n ELSE 0 END),
                         ($12::bigint[])[bit + 1])::bigint AS n,
           greatest(sum(n), $13)::bigint AS hits
    FROM grouped, generate_series(0, 15) AS bit GROUP BY bit),
weight AS MATERIALIZED (
    SELECT n, ids, (SELECT sum(ln(1 + (8 * hits - n + 0.5) / (n + 0.5)) * ($9::float8[])[bit + 1])
                    FROM counted WHERE grouped.mask & (1 << bit) <> 0)
                   * (CASE WHEN is_by_named THEN 2 ELSE 1 END) AS weight
    FROM grouped),
placed AS (
    SELECT ids, weight, coalesce(sum(n) OVER (
        ORDER BY weight DESC GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS better
    FROM weight)

-- part: hit_memories
-- By ids with the importance before them.
hit AS (
    SELECT DISTINCT f.importance::bigint << 56 | f.memory_id AS id, term_mask(f.search, q.terms) AS mask,
           coalesce(f.author_id = ANY ($5::bigint[]), false) AS is_by_named
    FROM q, found f)

-- part: best_memories
best AS MATERIALIZED (
    SELECT id & (1::bigint << 56) - 1 AS memory_id FROM placed, unnest(ids) AS id
    WHERE better < $8
    ORDER BY weight DESC, id DESC LIMIT $8)

-- name: message_candidates
-- The messages that hold most of what the words weigh, twice if by somebody named, and those the meaning found; with
-- what stands beside each in its session, nearest first, the words that all of these hold together with it and what it
-- replies to, and how many rows hold each word. In a large space the index is asked only for what is rare ($3); of what
-- is common ($10, about so many rows each: $12, together $13) the newest are read, of each channel ($11) and of whoever
-- is named. Of words it is not known how common they are: what the index names is read as far as twice what it is asked
-- for, and planned for itself; with a bound of its own a plan would hope for early rows, and read all of a space.
-- Rows by their ids are read one by one: a plan can't then read all of a space because it believes few rows to be left.
WITH q AS MATERIALIZED (
    SELECT $3::text::tsquery AS words, $4::text[]::tsquery[] AS terms, $10::text::tsquery AS common),
indexed AS MATERIALIZED (
    SELECT m.message_id, m.author_id, m.search
    FROM q, message m
    WHERE m.space_id = $1 AND m.hidden_at IS NULL AND m.role = 'person' AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.search @@ q.words),
found AS (
    (SELECT * FROM indexed LIMIT 4000)
    UNION ALL
    SELECT newest.message_id, newest.author_id, newest.search
    FROM q, unnest($2::bigint[]) AS seen (channel_id),
         LATERAL (SELECT m.message_id, m.author_id, m.search FROM message m
                  WHERE m.space_id = $1 AND m.channel_id = seen.channel_id AND m.hidden_at IS NULL AND m.role = 'person'
                  ORDER BY m.message_id DESC LIMIT $11) AS newest
    WHERE newest.search @@ q.common
    UNION ALL
    SELECT newest.message_id, newest.author_id, newest.search
    FROM q, unnest($5::bigint[]) AS named (author_id),
         LATERAL (SELECT m.message_id, m.author_id, m.channel_id, m.search FROM message m
                  WHERE m.space_id = $1 AND m.author_id = named.author_id AND m.hidden_at IS NULL AND m.role = 'person'
                  ORDER BY m.message_id DESC LIMIT $11) AS newest
    WHERE newest.channel_id = ANY ($2::bigint[]) AND newest.search @@ q.common),
hit AS (
    SELECT DISTINCT f.message_id AS id, term_mask(f.search, q.terms) AS mask,
           coalesce(f.author_id = ANY ($5::bigint[]), false) AS is_by_named
    FROM q, found f WHERE f.message_id <> ALL ($6::bigint[])),
{weighed},
best AS MATERIALIZED (
    SELECT id AS message_id FROM placed, unnest(ids) AS id
    WHERE better < $8
    ORDER BY weight DESC, id DESC LIMIT $8),
core AS MATERIALIZED (
    SELECT m.message_id, m.session_id, m.reply_to, term_mask(m.search, q.terms) AS mask
    FROM q, (SELECT message_id FROM best UNION SELECT unnest($7::bigint[])) AS wanted
    CROSS JOIN LATERAL (
        SELECT * FROM message WHERE space_id = $1 AND message_id = wanted.message_id LIMIT 1) AS m
    WHERE m.hidden_at IS NULL AND m.role = 'person'
      AND (m.channel_id + 0) = ANY ($2::bigint[]) AND m.message_id <> ALL ($6::bigint[]))
SELECT core.message_id, core.reply_to, coalesce(before.ids, '{}') AS before, coalesce(after.ids, '{}') AS after,
       core.mask | coalesce(before.mask, 0) | coalesce(after.mask, 0) | coalesce(replied.mask, 0) AS mask,
       ARRAY(SELECT n FROM counted ORDER BY bit) AS counts, (SELECT max(hits) FROM counted) AS hits
FROM q, core,
     LATERAL (SELECT array_agg(near.message_id ORDER BY near.message_id DESC) AS ids,
                     bit_or(term_mask(near.search, q.terms)) AS mask
              FROM (SELECT m.message_id, m.search FROM message m
                    WHERE m.space_id = $1 AND m.session_id = core.session_id AND m.message_id < core.message_id
                      AND m.hidden_at IS NULL AND m.role = 'person' AND (m.channel_id + 0) = ANY ($2::bigint[])
                    ORDER BY m.message_id DESC LIMIT 2) AS near) AS before,
     LATERAL (SELECT array_agg(near.message_id ORDER BY near.message_id) AS ids,
                     bit_or(term_mask(near.search, q.terms)) AS mask
              FROM (SELECT m.message_id, m.search FROM message m
                    WHERE m.space_id = $1 AND m.session_id = core.session_id AND m.message_id > core.message_id
                      AND m.hidden_at IS NULL AND m.role = 'person' AND (m.channel_id + 0) = ANY ($2::bigint[])
                    ORDER BY m.message_id LIMIT 3) AS near) AS after
     LEFT JOIN LATERAL (SELECT term_mask(m.search, q.terms) AS mask FROM message m
                        WHERE m.space_id = $1 AND m.message_id = core.reply_to AND m.hidden_at IS NULL
                          AND m.role = 'person' AND (m.channel_id + 0) = ANY ($2::bigint[])) AS replied ON true
ORDER BY core.message_id

-- name: any_held
-- Whether anything that is looked at holds one of the words: a memory, a message, or one of the channel's last
-- summaries. Each is made for itself: a plan that hopes for an early row would read all of a space that holds none.
WITH q AS MATERIALIZED (SELECT $3::text::tsquery AS words),
kept AS MATERIALIZED (
    SELECT 1 FROM q, memory m
    WHERE m.space_id = $1 AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.search @@ q.words AND ($4::text IS NULL OR m.tier = $4) AND m.tags @> $5::text[]),
said AS MATERIALIZED (
    SELECT 1 FROM q, message m
    WHERE m.space_id = $1 AND m.hidden_at IS NULL AND m.role = 'person' AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.search @@ q.words AND m.message_id <> ALL ($7::bigint[])),
told AS MATERIALIZED (
    SELECT c.text FROM session s JOIN chat_summary c ON c.space_id = s.space_id AND c.session_id = s.session_id
    WHERE s.space_id = $1 AND s.channel_id = $8 AND s.state = 'summarised' AND s.message_count > 0
      AND c.withheld_at IS NULL AND c.text <> ''
    ORDER BY s.number DESC LIMIT $9::integer)
SELECT EXISTS (SELECT 1 FROM kept) OR ($6::boolean AND EXISTS (SELECT 1 FROM said))
    OR EXISTS (SELECT 1 FROM q, told WHERE search_vector($10, told.text) @@ q.words)

-- name: message_recent
-- Where a query has no word to look for: the newest of what the people it names said ($3) in the time it names, between
-- two ids; whoever said it where that is null. Of what each of them said the newest $8 are looked at.
SELECT said.message_id FROM (
    SELECT newest.message_id FROM unnest($2::bigint[]) AS seen (channel_id), LATERAL (
        SELECT m.message_id FROM message m
        WHERE $3::bigint[] IS NULL AND m.space_id = $1 AND m.channel_id = seen.channel_id AND m.hidden_at IS NULL
          AND m.role = 'person' AND m.message_id >= $4 AND m.message_id < $5 AND m.message_id <> ALL ($6::bigint[])
        ORDER BY m.message_id DESC LIMIT $7) AS newest
    UNION ALL
    SELECT newest.message_id FROM unnest($3::bigint[]) AS named (author_id), LATERAL (
        SELECT m.message_id, m.channel_id FROM message m
        WHERE m.space_id = $1 AND m.author_id = named.author_id AND m.hidden_at IS NULL AND m.role = 'person'
          AND m.message_id >= $4 AND m.message_id < $5 AND m.message_id <> ALL ($6::bigint[])
        ORDER BY m.message_id DESC LIMIT $8) AS newest
    WHERE newest.channel_id = ANY ($2::bigint[])) AS said
ORDER BY said.message_id DESC LIMIT $7

-- name: memory_recent
-- The same of memories: those whose words they were, of each channel the $7 that weigh most; whoever they are where that
-- is null.
WITH newest AS MATERIALIZED (
    SELECT latest.memory_id FROM unnest($2::bigint[]) AS seen (channel_id), LATERAL (
        SELECT m.memory_id FROM memory m
        WHERE $3::bigint[] IS NULL AND m.space_id = $1 AND -m.channel_id = -seen.channel_id AND m.forgotten_at IS NULL
          AND m.superseded_by IS NULL AND m.said_at >= coalesce($4, '-infinity'::timestamptz)
          AND m.said_at < coalesce($5, 'infinity'::timestamptz)
        ORDER BY m.said_at DESC, m.memory_id DESC LIMIT $6) AS latest
    UNION ALL
    SELECT first.memory_id
    FROM unnest($3::bigint[]) AS named (author_id), unnest($2::bigint[]) AS seen (channel_id), LATERAL (
        SELECT m.memory_id, m.said_at FROM memory m
        WHERE m.space_id = $1 AND m.author_id = named.author_id AND -m.channel_id = -seen.channel_id
          AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
        ORDER BY m.importance DESC, m.said_at DESC, m.memory_id DESC LIMIT $7) AS first
    WHERE first.said_at >= coalesce($4, '-infinity'::timestamptz) AND first.said_at < coalesce($5, 'infinity'::timestamptz))
SELECT m.* FROM filed_memory m
WHERE m.space_id = $1 AND m.memory_id IN (SELECT memory_id FROM newest)
  AND m.forgotten_at IS NULL AND m.superseded_by IS NULL AND (m.channel_id + 0) = ANY ($2::bigint[])
  AND (m.author_id = ANY (ARRAY(SELECT person_id FROM person WHERE erasing_at IS NOT NULL))
       AND (SELECT p.erasing_at FROM person p WHERE p.person_id = m.author_id) >= m.said_at) IS NOT TRUE
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
ORDER BY m.said_at DESC, m.memory_id DESC LIMIT $6

-- name: message_rows
-- Messages by their ids, with the words each holds and how many it has; those of its day are not counted. Nothing of
-- people who opted out since: asked here, of few rows, and not of every row that holds a word. One by one, as above.
WITH q AS MATERIALIZED (SELECT $4::text[]::tsquery[] AS terms)
SELECT m.space_id, m.channel_id, m.message_id, m.session_id, m.role, m.author_id, m.author, m.content, m.said_at,
       m.reply_to, m.cut_off, greatest(1, length(m.search) - 3) AS length, term_mask(m.search, q.terms) AS mask,
       EXISTS (SELECT 1 FROM turn t WHERE t.space_id = $1 AND t.turn_id = m.message_id
               AND t.state = 'answered' AND t.stock IS NULL) AS hathi_answered
FROM q, unnest($3::bigint[]) AS wanted (message_id)
CROSS JOIN LATERAL (SELECT * FROM message WHERE space_id = $1 AND message_id = wanted.message_id LIMIT 1) AS m
WHERE m.hidden_at IS NULL AND m.role = 'person' AND (m.channel_id + 0) = ANY ($2::bigint[])
  AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= m.said_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = m.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
ORDER BY m.message_id

-- name: session_rows
-- What was said in one session, the newest of it, with the words each holds. Nothing of people who opted out since.
WITH q AS MATERIALIZED (SELECT $1::text[]::tsquery[] AS terms),
said AS (
    SELECT m.* FROM message m
    WHERE m.space_id = $2 AND m.session_id = $4 AND m.hidden_at IS NULL AND m.role = 'person'
      AND (m.channel_id + 0) = ANY ($3::bigint[]) AND m.message_id <> ALL ($5::bigint[])
    ORDER BY m.message_id DESC LIMIT $6)
SELECT m.space_id, m.channel_id, m.message_id, m.session_id, m.role, m.author_id, m.author, m.content, m.said_at,
       m.reply_to, m.cut_off, greatest(1, length(m.search) - 3) AS length, term_mask(m.search, q.terms) AS mask,
       EXISTS (SELECT 1 FROM turn t WHERE t.space_id = $2 AND t.turn_id = m.message_id
               AND t.state = 'answered' AND t.stock IS NULL) AS hathi_answered
FROM q, said m
WHERE (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= m.said_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = m.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $2) >= m.said_at) IS NOT TRUE
ORDER BY m.message_id

-- name: summaries
-- What the channel's last resets wrote, as messages of Hathi's; what is withheld is not there.
WITH q AS MATERIALIZED (SELECT $1::text[]::tsquery[] AS terms),
told AS (
    SELECT c.session_id, c.channel_id, c.text, s.closed_at, search_vector($5, c.text) AS search
    FROM session s CROSS JOIN LATERAL (
        SELECT * FROM chat_summary
        WHERE space_id = $2 AND session_id = s.session_id AND withheld_at IS NULL AND text <> '' LIMIT 1) AS c
    WHERE s.space_id = $2 AND s.channel_id = $3 AND s.state = 'summarised' AND s.message_count > 0
    ORDER BY s.number DESC LIMIT $4)
SELECT $2::bigint AS space_id, t.channel_id, t.session_id AS message_id, t.session_id, 'hathi' AS role,
       NULL::bigint AS author_id, 'Hathi' AS author, t.text AS content, t.closed_at AS said_at,
       NULL::bigint AS reply_to, false AS cut_off, greatest(1, length(t.search)) AS length,
       term_mask(t.search, q.terms) AS mask
FROM q, told t ORDER BY t.session_id

-- name: texts
-- Texts in the order they are given, with the words each holds.
WITH q AS MATERIALIZED (SELECT $1::text[]::tsquery[] AS terms)
SELECT greatest(1, length(read.body)) AS length, term_mask(read.body, q.terms) AS mask
FROM q, unnest($3::text[]) WITH ORDINALITY AS given (body, place),
     LATERAL (SELECT search_vector($2, given.body) AS body) AS read
ORDER BY given.place

-- name: memories
-- The memories that hold most of the words, the weightier of equals first, and those the meaning found; chosen as
-- above; of what is common ($10) those that weigh most and are newest.
-- channel_id + 0: by an index that knows channels the planner would read all of a space, not what holds the words.
WITH q AS MATERIALIZED (
    SELECT $3::text::tsquery AS words, $4::text[]::tsquery[] AS terms, $10::text::tsquery AS common),
indexed AS MATERIALIZED (
    SELECT m.importance, m.memory_id, m.author_id, m.search
    FROM q, memory m
    WHERE m.space_id = $1 AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.search @@ q.words AND ($6::text IS NULL OR m.tier = $6) AND m.tags @> $14::text[]),
found AS (
    (SELECT * FROM indexed LIMIT 4000)
    UNION ALL
    SELECT first.importance, first.memory_id, first.author_id, first.search
    FROM q, unnest($2::bigint[]) AS seen (channel_id),
         LATERAL (SELECT m.* FROM memory m
                  WHERE m.space_id = $1 AND -m.channel_id = -seen.channel_id
                    AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
                  ORDER BY m.importance DESC, m.said_at DESC, m.memory_id DESC LIMIT $11) AS first
    WHERE first.search @@ q.common AND ($6::text IS NULL OR first.tier = $6) AND first.tags @> $14::text[]),
{hit_memories},
{weighed},
{best_memories}
SELECT m.*, greatest(1, length(m.search)) AS length, term_mask(m.search, q.terms) AS mask,
       ARRAY(SELECT n FROM counted ORDER BY bit) AS counts, (SELECT max(hits) FROM counted) AS hits
FROM q, filed_memory m
WHERE m.space_id = $1 AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
  AND (m.author_id = ANY (ARRAY(SELECT person_id FROM person WHERE erasing_at IS NOT NULL))
       AND (SELECT p.erasing_at FROM person p WHERE p.person_id = m.author_id) >= m.said_at) IS NOT TRUE
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
  AND (m.channel_id + 0) = ANY ($2::bigint[])
  AND m.memory_id IN (SELECT memory_id FROM best UNION ALL SELECT unnest($7::bigint[]))
  AND ($6::text IS NULL OR m.tier = $6) AND m.tags @> $14::text[]
ORDER BY m.memory_id

-- name: outdated
-- Those of the messages on which a memory rests that was replaced, and none that still holds but an edit of it; and when
-- it was replaced, the last of several.
SELECT said.message_id, max(m.superseded_at) AS until FROM memory m, unnest(m.evidence) AS said (message_id)
WHERE m.space_id = $1 AND m.evidence && $2::bigint[] AND m.superseded_by IS NOT NULL AND m.forgotten_at IS NULL
  AND said.message_id = ANY ($2::bigint[])
  AND NOT EXISTS (SELECT 1 FROM memory living WHERE living.space_id = $1 AND living.evidence && ARRAY[said.message_id]
                  AND living.superseded_by IS NULL AND living.forgotten_at IS NULL
                  AND NOT living.made_from @> ARRAY[m.memory_id])
GROUP BY said.message_id

-- name: corrected
-- On what the versions of these memories rested that an edit replaced: the words said there are not theirs any more.
SELECT m.memory_id, array_agg(DISTINCT said.message_id) AS messages
FROM memory m JOIN memory older ON older.space_id = $1 AND older.memory_id = ANY (m.made_from),
     unnest(older.evidence) AS said (message_id)
WHERE m.space_id = $1 AND m.memory_id IN (SELECT unnest($2::bigint[])) AND older.superseded_by IS NOT NULL
GROUP BY m.memory_id

-- name: vocabulary
-- The words, as they are indexed, of the newest messages and memories, that begin with one of these letters, have one of
-- these endings behind their first, or end with one of these words.
SELECT DISTINCT word FROM (
    SELECT search FROM (
        SELECT m.search FROM message m
        WHERE m.space_id = $1 AND m.hidden_at IS NULL AND m.role = 'person' AND (m.channel_id + 0) = ANY ($2::bigint[])
        ORDER BY m.message_id DESC LIMIT $4) AS said
    UNION ALL
    SELECT search FROM (
        SELECT m.search FROM memory m
        WHERE m.space_id = $1 AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
          AND (m.channel_id + 0) = ANY ($2::bigint[])
        ORDER BY m.memory_id DESC LIMIT $4) AS kept) AS newest, unnest(tsvector_to_array(search)) AS word
WHERE left(word, 1) = ANY ($3::text[]) OR substr(word, 2) = ANY ($5::text[])
   OR EXISTS (SELECT 1 FROM unnest($6::text[]) AS ending WHERE right(word, length(ending)) = ending)

-- name: memories_then
-- The same of memory as it stood at a moment: with what was replaced after it, without what was said after it.
-- channel_id + 0: by an index that knows channels the planner would read all of a space, not what holds the words.
WITH q AS MATERIALIZED (
    SELECT $3::text::tsquery AS words, $4::text[]::tsquery[] AS terms, $10::text::tsquery AS common),
indexed AS MATERIALIZED (
    SELECT m.importance, m.memory_id, m.author_id, m.search
    FROM q, memory m
    WHERE m.space_id = $1 AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.search @@ q.words AND ($6::text IS NULL OR m.tier = $6) AND m.tags @> $14::text[]
      AND least(m.said_at, m.created_at) < $15),
replaced AS MATERIALIZED (
    SELECT m.importance, m.memory_id, m.author_id, m.search
    FROM q, memory m
    WHERE m.space_id = $1 AND m.forgotten_at IS NULL AND m.superseded_by IS NOT NULL
      AND m.superseded_at >= $15 AND least(m.said_at, m.created_at) < $15
      AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.search @@ q.words AND ($6::text IS NULL OR m.tier = $6) AND m.tags @> $14::text[]),
found AS (
    (SELECT * FROM indexed LIMIT 4000)
    UNION ALL
    SELECT first.importance, first.memory_id, first.author_id, first.search
    FROM q, unnest($2::bigint[]) AS seen (channel_id),
         LATERAL (SELECT m.* FROM memory m
                  WHERE m.space_id = $1 AND -m.channel_id = -seen.channel_id
                    AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
                  ORDER BY m.importance DESC, m.said_at DESC, m.memory_id DESC LIMIT $11) AS first
    WHERE first.search @@ q.common AND ($6::text IS NULL OR first.tier = $6) AND first.tags @> $14::text[]
      AND least(first.said_at, first.created_at) < $15
    UNION ALL
    (SELECT * FROM replaced LIMIT 4000)),
{hit_memories},
{weighed},
{best_memories}
SELECT m.*, greatest(1, length(m.search)) AS length, term_mask(m.search, q.terms) AS mask,
       ARRAY(SELECT n FROM counted ORDER BY bit) AS counts, (SELECT max(hits) FROM counted) AS hits
FROM q, filed_memory m
WHERE m.space_id = $1 AND m.forgotten_at IS NULL AND (m.superseded_by IS NULL OR m.superseded_at >= $15)
  AND (m.author_id = ANY (ARRAY(SELECT person_id FROM person WHERE erasing_at IS NOT NULL))
       AND (SELECT p.erasing_at FROM person p WHERE p.person_id = m.author_id) >= m.said_at) IS NOT TRUE
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= m.said_at) IS NOT TRUE
  AND least(m.said_at, m.created_at) < $15 AND (m.channel_id + 0) = ANY ($2::bigint[])
  AND m.memory_id IN (SELECT memory_id FROM best UNION ALL SELECT unnest($7::bigint[]))
  AND ($6::text IS NULL OR m.tier = $6) AND m.tags @> $14::text[]
ORDER BY m.memory_id
