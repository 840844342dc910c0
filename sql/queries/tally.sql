-- What is counted already: rooms, topics and tags by name, and how many memories there are. None writes, locks or calls a
-- volatile function. Every statement reads so many rows a channel and no more, whatever is stored. Where something is
-- added to nothing, names are to be found by themselves, not among all of a channel.

-- name: counts
SELECT coalesce(sum(short), 0) AS short, coalesce(sum(long), 0) AS long FROM tally
WHERE space_id = $1 AND kind = 'channel' AND room = '' AND name = '' AND channel_id = ANY ($2::bigint[])

-- name: names
-- Those of one kind, the fullest first; of what is being typed ($5) those that begin with it, then those that hold it.
-- Read are the fullest of each channel ($6), as many that begin so, and where these are too few some that hold it
-- anywhere; what the likeliest of them come to is added up exactly. `read` is how many names there are, if no channel had
-- more of them (`is_cut`).
WITH asked AS MATERIALIZED (
    SELECT lower($5) AS typed, '%' || regexp_replace(lower($5), '([\\%_])', '\\\1', 'g') || '%' AS pattern),
seen AS (
    SELECT DISTINCT unnest($2::bigint[]) AS channel_id),
fullest AS MATERIALIZED (
    SELECT seen.channel_id, t.name, t.memories FROM seen CROSS JOIN LATERAL (
        SELECT name, short + long AS memories FROM tally
        WHERE space_id = $1 AND -channel_id = -seen.channel_id AND kind || ':' || room = $3 || ':' || $4
        ORDER BY short + long DESC LIMIT $6) AS t),
beginning AS MATERIALIZED (
    SELECT t.name, t.memories FROM asked, seen CROSS JOIN LATERAL (
        SELECT name, short + long AS memories FROM tally
        WHERE space_id = $1 AND (channel_id | 0) = seen.channel_id AND kind || ':' || room = $3 || ':' || $4
          AND lower(name) ~>=~ asked.typed AND lower(name) ~<~ (asked.typed || chr(1114111))
        ORDER BY lower(name) USING ~<~ LIMIT $6) AS t
    WHERE asked.typed <> ''),
fitting AS MATERIALIZED (
    SELECT name, memories FROM fullest, asked WHERE asked.typed = '' OR strpos(lower(name), asked.typed) > 0
    UNION ALL
    SELECT name, memories FROM beginning),
within AS MATERIALIZED (
    SELECT t.name, t.short + t.long AS memories FROM tally t
    WHERE t.space_id = $1 AND t.kind <> 'channel' AND (t.room || '') = '' AND (t.kind || '') = $3 AND $4 = ''
      AND (t.channel_id + 0) = ANY ($2::bigint[]) AND lower(t.name) LIKE (SELECT pattern FROM asked)
      AND (SELECT typed ~ '[[:alnum:]]{3}' FROM asked) AND (SELECT count(DISTINCT name) FROM fitting) < $7
    LIMIT 500),
likely AS MATERIALIZED (
    SELECT f.name, strpos(lower(f.name), asked.typed) > 1 AS is_within
    FROM (SELECT name, sum(memories::integer) AS memories FROM (SELECT * FROM fitting UNION ALL SELECT * FROM within) AS r
          WHERE name <> ALL ($9::text[]) GROUP BY name) AS f, asked
    ORDER BY is_within, f.memories DESC, f.name LIMIT $7 + $8 + 50)
SELECT l.name, t.memories, t.changed_at,
       (SELECT count(DISTINCT name) FROM fullest WHERE name <> ALL ($9::text[])) AS read,
       EXISTS (SELECT 1 FROM fullest GROUP BY channel_id HAVING count(*) >= $6) AS is_cut
FROM likely l CROSS JOIN LATERAL (
    SELECT sum(short + long) AS memories, max(changed_at) AS changed_at FROM tally
    WHERE space_id = $1 AND kind = $3 AND room = $4 AND name = l.name
      AND (channel_id + 0) = ANY ($2::bigint[])) AS t
ORDER BY l.is_within, t.memories DESC, l.name LIMIT $7 OFFSET $8

-- name: called
-- The names of one kind that are these, in any case, and where.
SELECT t.name, sum(t.short + t.long) AS memories, max(t.changed_at) AS changed_at,
       array_agg(seen.channel_id ORDER BY seen.channel_id) AS channels
FROM unnest($2::bigint[]) AS seen (channel_id)
CROSS JOIN (SELECT DISTINCT lower(given) AS typed FROM unnest($5::text[]) AS given) AS asked CROSS JOIN LATERAL (
    SELECT name, short, long, changed_at FROM tally
    WHERE space_id = $1 AND (channel_id | 0) = seen.channel_id AND kind || ':' || room = $3 || ':' || $4
      AND lower(name) = asked.typed
    LIMIT 100) AS t
GROUP BY t.name ORDER BY t.name

-- name: like
-- Topics of a room that are written much like one.
SELECT DISTINCT t.name FROM (
    SELECT name FROM tally
    WHERE space_id = $1 AND kind <> 'channel' AND (room || '') = '' AND (kind || '') = 'topic'
      AND lower(name) % lower($4) AND (channel_id + 0) = ANY ($2::bigint[]) LIMIT 500) AS t
WHERE (SELECT true FROM tally here
       WHERE here.space_id = $1 AND here.kind = 'topic' AND here.room = $3 AND here.name = t.name
         AND (here.channel_id + 0) = ANY ($2::bigint[]) LIMIT 1)
ORDER BY t.name

-- name: filed
-- How many memories are filed under any of these rooms or topics: what is under both counts once.
SELECT coalesce(sum(asked.times * t.memories), 0) FROM (
    SELECT 'room' AS kind, '' AS room, called AS name, 1 AS times FROM unnest($3::text[]) AS called
    UNION SELECT 'topic', '', called, 1 FROM unnest($4::text[]) AS called
    UNION SELECT 'topic', inside, called, -1 FROM unnest($3::text[]) AS inside, unnest($4::text[]) AS called) AS asked
CROSS JOIN LATERAL (
    SELECT short + long AS memories FROM tally
    WHERE space_id = $1 AND kind = asked.kind AND room = asked.room AND name = asked.name
      AND (channel_id + 0) = ANY ($2::bigint[]) OFFSET 0) AS t

-- name: held
-- How many memories a room has, or a topic of it.
SELECT coalesce(sum(short + long), 0) FROM tally
WHERE space_id = $1 AND kind = CASE WHEN $4::text IS NULL THEN 'room' ELSE 'topic' END
  AND room = CASE WHEN $4::text IS NULL THEN '' ELSE $3 END AND name = coalesce($4, $3)
  AND (channel_id + 0) = ANY ($2::bigint[])

-- name: tagged
-- Which of these tags there are here, with how many memories have each, and where; and how many in the whole space,
-- which is what it costs to look for them.
SELECT name, sum(short + long) FILTER (WHERE channel_id = ANY ($2::bigint[])) AS memories,
       array_agg(channel_id) FILTER (WHERE channel_id = ANY ($2::bigint[])) AS channels, sum(short + long) AS of_space
FROM tally WHERE space_id = $1 AND kind = 'tag' AND room = '' AND name = ANY ($3::text[])
GROUP BY name HAVING bool_or(channel_id = ANY ($2::bigint[]))
