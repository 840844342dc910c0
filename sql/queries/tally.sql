-- What is counted already: rooms, topics and tags by name, and how many memories there are. None writes, locks or calls a
-- volatile function. Every statement reads so many rows a channel and no more, whatever is stored. Where something is
-- added to nothing, names are to be found by themselves, not among all of a channel.

-- part: moving
-- Rooms on their way into others: what is in them is counted where it stands, and is theirs no more; but for what was
-- filed under their names since, which is little, and no part of where they go (`late`).
moving AS MATERIALIZED (
    SELECT former, latter, through_id FROM rework WHERE space_id = $1 AND kind = 'room'),
late AS MATERIALIZED (
    SELECT part.kind, part.room, part.name, m.channel_id, part.n * m.memories AS memories,
           CASE WHEN part.n > 0 THEN m.changed_at END AS changed_at
    FROM moving v CROSS JOIN LATERAL (
        SELECT topic, channel_id, count(*) AS memories, max(reinforced_at) AS changed_at FROM memory
        WHERE space_id = $1 AND (room || '') = v.former AND memory_id > v.through_id
          AND (channel_id + 0) = ANY ($2::bigint[]) AND forgotten_at IS NULL AND superseded_by IS NULL
        GROUP BY topic, channel_id) AS m
    CROSS JOIN LATERAL (
        VALUES ('room', '', v.former, 1), ('room', '', v.latter, -1),
               ('topic', v.former, m.topic, 1), ('topic', v.latter, m.topic, -1)) AS part (kind, room, name, n))

-- part: place
-- In which rooms the topics of one ($4) stand; or none, where no room is asked for.
place AS MATERIALIZED (
    SELECT $4::text AS room WHERE $4 NOT IN (SELECT former FROM moving)
    UNION ALL
    SELECT former FROM moving WHERE latter = $4)

-- part: summed
-- What each of `asked` comes to; nothing of what there is none of.
stored AS (
    SELECT a.kind, a.room, a.name, a.room AS in_room, a.name AS as_name FROM asked a
    WHERE NOT EXISTS (SELECT 1 FROM moving v WHERE (a.kind, v.former) IN (('room', a.name), ('topic', a.room)))
    UNION ALL
    SELECT a.kind, a.room, a.name, CASE a.kind WHEN 'topic' THEN v.former ELSE '' END,
           CASE a.kind WHEN 'room' THEN v.former ELSE a.name END
    FROM asked a JOIN moving v ON (a.kind, v.latter) IN (('room', a.name), ('topic', a.room))),
filed AS (
    SELECT kind, room, name, sum(memories) AS memories, max(changed_at) AS changed_at,
           array_agg(DISTINCT channel_id) AS channels
    FROM (
        SELECT s.kind, s.room, s.name, t.channel_id, t.memories, t.changed_at FROM stored s CROSS JOIN LATERAL (
            SELECT channel_id, short + long AS memories, changed_at FROM tally
            WHERE space_id = $1 AND kind = s.kind AND room = s.in_room AND name = s.as_name
              AND (channel_id + 0) = ANY ($2::bigint[]) OFFSET 0) AS t
        UNION ALL
        SELECT l.kind, l.room, l.name, l.channel_id, l.memories, l.changed_at
        FROM late l JOIN asked USING (kind, room, name)) AS each
    GROUP BY kind, room, name HAVING sum(memories) > 0)

-- name: counts
SELECT coalesce(sum(short), 0) AS short, coalesce(sum(long), 0) AS long FROM tally
WHERE space_id = $1 AND kind = 'channel' AND room = '' AND name = '' AND channel_id = ANY ($2::bigint[])

-- name: names
-- Those of one kind, the fullest first; of what is being typed ($5) those that begin with it, then those that hold it.
-- Read are the fullest of each channel ($6), as many that begin so, and where these are too few some that hold it
-- anywhere; what the likeliest of them come to is added up exactly. `read` is how many names there are, if no channel had
-- more of them (`is_cut`). A room that is on its way has the name of where it goes.
WITH
{moving},
{place},
typing AS MATERIALIZED (
    SELECT lower($5) AS typed, '%' || regexp_replace(lower($5), '([\\%_])', '\\\1', 'g') || '%' AS pattern),
seen AS (
    SELECT DISTINCT unnest($2::bigint[]) AS channel_id),
gone AS (
    SELECT former FROM moving WHERE $3 = 'room'),
fullest AS MATERIALIZED (
    SELECT seen.channel_id, place.room, t.name, t.memories FROM seen CROSS JOIN place CROSS JOIN LATERAL (
        SELECT name, short + long AS memories FROM tally
        WHERE space_id = $1 AND -channel_id = -seen.channel_id AND kind || ':' || room = $3 || ':' || place.room
        ORDER BY short + long DESC LIMIT $6) AS t),
known AS MATERIALIZED (
    SELECT name, memories FROM fullest WHERE name NOT IN (SELECT former FROM gone)
    UNION ALL
    SELECT v.latter, t.memories FROM moving v CROSS JOIN LATERAL (
        SELECT sum(short + long) AS memories FROM tally
        WHERE space_id = $1 AND kind = 'room' AND room = '' AND name = v.former
          AND (channel_id + 0) = ANY ($2::bigint[])) AS t
    WHERE $3 = 'room' AND t.memories > 0
    UNION ALL
    SELECT name, memories FROM late WHERE kind = $3 AND room = $4),
beginning AS MATERIALIZED (
    SELECT t.name, t.memories FROM typing, seen CROSS JOIN place CROSS JOIN LATERAL (
        SELECT name, short + long AS memories FROM tally
        WHERE space_id = $1 AND (channel_id | 0) = seen.channel_id AND kind || ':' || room = $3 || ':' || place.room
          AND lower(name) ~>=~ typing.typed AND lower(name) ~<~ (typing.typed || chr(1114111))
        ORDER BY lower(name) USING ~<~ LIMIT $6) AS t
    WHERE typing.typed <> '' AND t.name NOT IN (SELECT former FROM gone)),
fitting AS MATERIALIZED (
    SELECT name, memories FROM known, typing WHERE typing.typed = '' OR strpos(lower(name), typing.typed) > 0
    UNION ALL
    SELECT name, memories FROM beginning),
within AS MATERIALIZED (
    SELECT t.name, t.short + t.long AS memories FROM tally t
    WHERE t.space_id = $1 AND t.kind <> 'channel' AND (t.room || '') = '' AND (t.kind || '') = $3 AND $4 = ''
      AND (t.channel_id + 0) = ANY ($2::bigint[]) AND lower(t.name) LIKE (SELECT pattern FROM typing)
      AND (SELECT typed ~ '[[:alnum:]]{3}' FROM typing) AND (SELECT count(DISTINCT name) FROM fitting) < $7
      AND t.name NOT IN (SELECT former FROM gone)
    LIMIT 500),
asked AS MATERIALIZED (
    SELECT $3 AS kind, $4 AS room, f.name
    FROM (SELECT name, sum(memories::integer) AS memories FROM (SELECT * FROM fitting UNION ALL SELECT * FROM within) AS r
          WHERE name <> ALL ($9::text[]) GROUP BY name) AS f, typing
    ORDER BY strpos(lower(f.name), typing.typed) > 1, f.memories DESC, f.name LIMIT $7 + $8 + 50),
{summed}
SELECT f.name, f.memories, f.changed_at,
       (SELECT count(*) FROM (SELECT name FROM known WHERE name <> ALL ($9::text[])
                              GROUP BY name HAVING sum(memories) > 0) AS there) AS read,
       EXISTS (SELECT 1 FROM fullest GROUP BY channel_id, room HAVING count(*) >= $6) AS is_cut
FROM filed f ORDER BY strpos(lower(f.name), lower($5)) > 1, f.memories DESC, f.name LIMIT $7 OFFSET $8

-- name: called
-- The names of one kind that are these, in any case, and where.
WITH
{moving},
{place},
given AS (
    SELECT DISTINCT lower(called) AS typed FROM unnest($5::text[]) AS called),
asked AS MATERIALIZED (
    SELECT $3::text AS kind, $4 AS room, t.name
    FROM unnest($2::bigint[]) AS seen (channel_id) CROSS JOIN given CROSS JOIN place CROSS JOIN LATERAL (
        SELECT name FROM tally
        WHERE space_id = $1 AND (channel_id | 0) = seen.channel_id AND kind || ':' || room = $3 || ':' || place.room
          AND lower(name) = given.typed
        LIMIT 100) AS t
    UNION
    SELECT 'room', '', v.latter FROM moving v JOIN given ON lower(v.latter) = given.typed WHERE $3 = 'room'
    UNION
    SELECT l.kind, l.room, l.name FROM late l JOIN given ON lower(l.name) = given.typed WHERE l.kind = $3 AND l.room = $4),
{summed}
SELECT name, memories, changed_at, channels FROM filed ORDER BY name

-- name: like
-- Topics of a room that are written much like one.
WITH
{moving},
asked AS MATERIALIZED (
    SELECT DISTINCT 'topic' AS kind, $3::text AS room, t.name FROM (
        SELECT name FROM tally
        WHERE space_id = $1 AND kind <> 'channel' AND (room || '') = '' AND (kind || '') = 'topic'
          AND lower(name) % lower($4) AND (channel_id + 0) = ANY ($2::bigint[]) LIMIT 500) AS t),
{summed}
SELECT name FROM filed ORDER BY name

-- name: filed
-- How many memories each of these rooms, topics ('' for their room) and topics of a room has.
WITH
{moving},
asked AS MATERIALIZED (
    SELECT kind, room, name FROM unnest($3::text[], $4::text[], $5::text[]) AS given (kind, room, name)),
{summed}
SELECT kind, room, name, memories FROM filed

-- name: tagged
-- Which of these tags there are here, with how many memories have each, and where; and how many in the whole space,
-- which is what it costs to look for them.
SELECT name, sum(short + long) FILTER (WHERE channel_id = ANY ($2::bigint[])) AS memories,
       array_agg(channel_id) FILTER (WHERE channel_id = ANY ($2::bigint[])) AS channels, sum(short + long) AS of_space
FROM tally WHERE space_id = $1 AND kind = 'tag' AND room = '' AND name = ANY ($3::text[])
GROUP BY name HAVING bool_or(channel_id = ANY ($2::bigint[]))
