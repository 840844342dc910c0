-- What Hathi's replies were made from, as their turns tell it: each cites labels, and the trail says what they mean.
-- Replies are found by what their turns were shown, each by an index, never by a search through all that Hathi said.

-- name: made_from
-- Replies that were made from something of these ids that is not stored here: a message, its author or its place.
SELECT m.message_id, m.session_id, m.content, m.reply_to
FROM turn t JOIN message m ON m.space_id = $1 AND m.message_id = t.reply_ids[1]
WHERE t.space_id = $1 AND t.made_from && $2::bigint[] AND t.made_from <> '{}'

-- name: said
-- What goes, as people said it, with the text of the files that came with it; of Hathi's own only that it is recorded.
SELECT m.message_id, m.session_id, m.role,
       m.content || coalesce((SELECT string_agg(E'\n' || a.content, '') FROM attachment a
                              WHERE a.space_id = $1 AND a.message_id = m.message_id), '') AS content
FROM message m WHERE m.space_id = $1 AND m.message_id IN (SELECT unnest($2::bigint[]))

-- name: summed_up
-- What ledgers tell of these messages.
SELECT session_id, text FROM chunk WHERE space_id = $1 AND messages && $2::bigint[] AND model <> ''

-- name: entries
-- What these entries of ledgers tell.
SELECT session_id, text FROM chunk WHERE space_id = $1 AND chunk_id = ANY ($2::bigint[]) AND model <> ''

-- name: answers
-- What Hathi said to these messages.
SELECT message_id, session_id, content, reply_to FROM message
WHERE space_id = $1 AND role = 'hathi' AND reply_to = ANY ($2::bigint[])

-- name: naming
-- Replies that were shown any of these, each with all its turn names. Each is looked up for its turn: expecting many the
-- planner would join all that Hathi said.
SELECT m.message_id, m.session_id, m.content, m.reply_to, source_ids(t.trail) AS heard
FROM turn t CROSS JOIN LATERAL (
    SELECT r.message_id, r.session_id, r.content, r.reply_to FROM message r
    WHERE r.space_id = $1 AND r.role = 'hathi' AND r.reply_to = t.turn_id OFFSET 0) AS m
WHERE t.space_id = $1 AND t.trail ? 'sources' AND source_ids(t.trail) && $2::bigint[]

-- name: replies
-- Those that cite messages, memories or notes. Labels of messages count from one in each turn; memories have one
-- number, and notes one in their channel. Nothing said before a note was written can cite it.
WITH citing AS (
    SELECT t.turn_id FROM turn t
    WHERE t.space_id = $1 AND t.trail ? 'sources' AND source_ids(t.trail) && $2::bigint[]
      AND EXISTS (SELECT 1
                  FROM jsonb_path_query(t.trail, '$.sources[*] ? (@.label == $.grounded.cited[*]).message[1]') AS key
                  WHERE key::bigint = ANY ($2::bigint[]))
    UNION
    SELECT t.turn_id FROM turn t
    WHERE t.space_id = $1 AND t.shown <> '{}' AND t.shown && $3::bigint[]
      AND EXISTS (SELECT 1 FROM unnest($3::bigint[]) AS gone (memory_id)
                  WHERE t.trail -> 'grounded' -> 'cited' ? ('#' || gone.memory_id))
    UNION
    SELECT t.turn_id FROM unnest($4::bigint[], $5::text[], $6::bigint[]) AS noted (channel_id, label, since)
    JOIN turn t ON t.space_id = $1 AND t.channel_id = noted.channel_id AND t.turn_id >= noted.since
               AND t.state = 'answered' AND t.reply_ids <> '{}'
    WHERE t.trail -> 'grounded' -> 'cited' ? noted.label)
-- By an array: as a join the planner expects so many of them that it reads all that Hathi said.
SELECT m.message_id, m.session_id, m.content, m.reply_to FROM message m
WHERE m.space_id = $1 AND m.role = 'hathi' AND m.reply_to = ANY (ARRAY(SELECT turn_id FROM citing))

-- name: shown
-- Replies that were made with one of these memories ($4) in sight, each with a word of it that it holds. Turns are looked
-- up memory by memory: of a list of them the planner expects to meet most turns, and reads all.
SELECT m.message_id, m.session_id, m.content, m.reply_to, told.word
FROM unnest($4::bigint[]) AS gone (memory_id)
CROSS JOIN LATERAL (
    SELECT t.turn_id FROM turn t
    WHERE t.space_id = $1 AND t.shown <> '{}' AND t.shown @> ARRAY[gone.memory_id] OFFSET 0) AS seen
CROSS JOIN LATERAL (
    SELECT r.message_id, r.session_id, r.content, lower(r.content) AS read, r.reply_to FROM message r
    WHERE r.space_id = $1 AND r.role = 'hathi' AND r.reply_to = seen.turn_id OFFSET 0) AS m
JOIN unnest($2::bigint[], $3::text[]) AS told (memory_id, word) ON told.memory_id = gone.memory_id
WHERE strpos(m.read, told.word) > 0

-- name: heard
-- Replies to one of these messages, or to questions that were asked while one was in sight, each with those that were.
SELECT m.message_id, m.session_id, m.content, m.reply_to, array_agg(gone.message_id) AS heard
FROM message gone
CROSS JOIN LATERAL (
    SELECT r.message_id, r.session_id, r.role, r.content, r.reply_to FROM message r
    WHERE r.space_id = $1 AND r.session_id = gone.session_id AND r.message_id > gone.message_id
    ORDER BY r.message_id LIMIT $3) AS m
WHERE gone.space_id = $1 AND gone.message_id IN (SELECT unnest($2::bigint[])) AND m.role = 'hathi'
  AND m.reply_to >= gone.message_id
GROUP BY m.message_id, m.session_id, m.content, m.reply_to

-- name: also_shown
-- Which of the words something else had that the reply was shown: its question, what people said in the session before,
-- the messages, sessions and memories its turn names. A session is read once for all its words: where each is said
-- first. A pattern is tried only on what holds its word somewhere, which takes a tenth of the time to find out.
WITH told AS MATERIALIZED (
    SELECT pair.reply_id, pair.word, '(?<!\w)' || pair.word || '(?!\w)' AS whole, m.session_id, m.reply_to,
           coalesce(t.shown, '{}') AS shown, coalesce(source_ids(t.trail), '{}') AS sources
    FROM unnest($2::bigint[], $3::text[]) AS pair (reply_id, word)
    JOIN message m ON m.space_id = $1 AND m.message_id = pair.reply_id
    LEFT JOIN turn t ON t.space_id = $1 AND t.turn_id = m.reply_to),
said AS MATERIALIZED (
    SELECT each.session_id, held.word, held.first_id
    FROM (SELECT session_id, max(reply_to) AS through, array_agg(DISTINCT word) AS words FROM told GROUP BY 1) AS each
    CROSS JOIN LATERAL (
        SELECT w.word, min(o.message_id) AS first_id
        FROM (SELECT message_id, lower(content) AS read FROM message
              WHERE space_id = $1 AND session_id = each.session_id AND message_id <= each.through AND role = 'person'
                AND hidden_at IS NULL AND message_id <> ALL ($4::bigint[]) OFFSET 0) AS o
        JOIN unnest(each.words) AS w (word)
          ON CASE WHEN strpos(o.read, w.word) > 0 THEN o.read ~ ('(?<!\w)' || w.word || '(?!\w)') END
        GROUP BY 1) AS held)
SELECT told.reply_id, told.word FROM told
LEFT JOIN said ON said.session_id = told.session_id AND said.word = told.word
WHERE said.first_id <= told.reply_to
   OR EXISTS (SELECT 1 FROM message o
              WHERE o.space_id = $1 AND o.message_id IN (SELECT unnest(told.sources))
                AND o.message_id <> ALL ($4::bigint[]) AND o.role = 'person' AND o.hidden_at IS NULL
                AND CASE WHEN strpos(lower(o.content), told.word) > 0 THEN lower(o.content) ~ told.whole END)
   OR EXISTS (SELECT 1 FROM attachment a JOIN message o ON o.space_id = $1 AND o.message_id = a.message_id
              WHERE a.space_id = $1 AND a.message_id = ANY (told.reply_to || told.sources)
                AND a.message_id <> ALL ($4::bigint[]) AND o.hidden_at IS NULL
                AND CASE WHEN strpos(lower(a.content), told.word) > 0 THEN lower(a.content) ~ told.whole END)
   OR EXISTS (SELECT 1 FROM message o
              WHERE o.space_id = $1 AND o.session_id = ANY (told.sources) AND o.message_id <> ALL ($4::bigint[])
                AND o.role = 'person' AND o.hidden_at IS NULL
                AND CASE WHEN strpos(lower(o.content), told.word) > 0 THEN lower(o.content) ~ told.whole END)
   OR EXISTS (SELECT 1 FROM memory y
              WHERE y.space_id = $1 AND y.memory_id = ANY (told.shown) AND y.memory_id <> ALL ($5::bigint[])
                AND y.forgotten_at IS NULL
                AND CASE WHEN strpos(lower(y.content), told.word) > 0 THEN lower(y.content) ~ told.whole END)

-- name: own_lines
-- The same of what Hathi itself said in the session before, each line with its number: it may go too. Not of what it
-- said to the messages that go.
WITH told AS MATERIALIZED (
    SELECT pair.reply_id, pair.word, m.session_id, m.reply_to
    FROM unnest($2::bigint[], $3::text[]) AS pair (reply_id, word)
    JOIN message m ON m.space_id = $1 AND m.message_id = pair.reply_id),
line AS MATERIALIZED (
    SELECT each.session_id, held.*
    FROM (SELECT session_id, max(reply_id) AS before_id, array_agg(DISTINCT word) AS words FROM told GROUP BY 1) AS each
    CROSS JOIN LATERAL (
        SELECT w.word, o.message_id, o.reply_to
        FROM (SELECT message_id, reply_to, lower(content) AS read FROM message
              WHERE space_id = $1 AND session_id = each.session_id AND message_id < each.before_id AND role = 'hathi'
                AND hidden_at IS NULL AND reply_to <> ALL ($4::bigint[]) OFFSET 0) AS o
        JOIN unnest(each.words) AS w (word)
          ON CASE WHEN strpos(o.read, w.word) > 0 THEN o.read ~ ('(?<!\w)' || w.word || '(?!\w)') END) AS held)
SELECT told.reply_id, told.word, line.message_id AS line FROM told
JOIN line ON line.session_id = told.session_id AND line.word = told.word
WHERE line.message_id < told.reply_id AND line.reply_to < told.reply_to

-- name: notes
-- Those that were given by these messages, with the channel they are numbered in.
SELECT s.channel_id, n.number, n.written_at
FROM note n JOIN session s ON s.space_id = $1 AND s.session_id = n.session_id
WHERE n.space_id = $1 AND n.message_id IN (SELECT unnest($2::bigint[]))

-- name: notes_of
-- A person's, expired ones too.
SELECT s.channel_id, n.number, n.written_at
FROM note n JOIN session s ON s.space_id = $1 AND s.session_id = n.session_id
WHERE n.space_id = $1 AND n.author_id = $2 AND n.written_at <= $3
