-- Every statement that writes a memory, its events, its tombstone or what is tallied. Only the archivist names them.

-- part: tallied
-- Ends each statement that makes, moves or takes away living memories: `change` has them as they were (n = -1) and as they
-- are (n = 1), with when they were last saved or said again. Whoever runs it holds the lock of the space, or what stood
-- could be old. Of nothing left no row is left: names are people's words.
delta AS (
    SELECT part.kind, part.room, part.name, c.channel_id,
           coalesce(sum(c.n) FILTER (WHERE c.tier = 'short'), 0) AS short,
           coalesce(sum(c.n) FILTER (WHERE c.tier = 'long'), 0) AS long, max(c.at) FILTER (WHERE c.n > 0) AS at
    FROM change c CROSS JOIN LATERAL (
        VALUES ('channel', '', ''), ('room', '', c.room), ('topic', '', c.topic), ('topic', c.room, c.topic)
        UNION SELECT 'tag', '', tag FROM unnest(c.tags) AS tag) AS part (kind, room, name)
    GROUP BY 1, 2, 3, 4),
-- Each row is found by its key. A plan that is made once does not know that they are few, and would read all names of the
-- space; it is told so by a comparison that always holds, of which it believes that one row in two hundred passes.
stood AS MATERIALIZED (
    SELECT d.kind, d.room, d.name, d.channel_id, d.at, d.short + coalesce(t.short, 0) AS short,
           d.long + coalesce(t.long, 0) AS long, t.space_id IS NULL AS is_new
    FROM delta d LEFT JOIN LATERAL (
        SELECT space_id, short, long, changed_at FROM tally
        WHERE space_id = $1 AND kind = d.kind AND room = d.room AND name = d.name AND channel_id = d.channel_id
        OFFSET 0) AS t ON true
    WHERE (t.space_id IS NULL OR d.short <> 0 OR d.long <> 0 OR d.at > t.changed_at)
      AND d.channel_id + 0 = d.channel_id),
emptied AS (
    DELETE FROM tally USING stood s
    WHERE tally.space_id = $1 AND tally.kind = s.kind AND tally.room = s.room AND tally.name = s.name
      AND tally.channel_id = s.channel_id AND s.short + s.long <= 0),
counted AS (
    UPDATE tally SET short = s.short, long = s.long, changed_at = greatest(tally.changed_at, s.at)
    FROM stood s
    WHERE tally.space_id = $1 AND tally.kind = s.kind AND tally.room = s.room AND tally.name = s.name
      AND tally.channel_id = s.channel_id AND s.short + s.long > 0),
begun AS (
    INSERT INTO tally (space_id, kind, room, name, channel_id, short, long, changed_at)
    SELECT $1, s.kind, s.room, s.name, s.channel_id, s.short, s.long, s.at FROM stood s
    WHERE s.is_new AND s.short + s.long > 0)

-- name: count
UPDATE space SET memory_count = greatest(memory_count, $2) WHERE space_id = $1

-- name: saved_lately
-- When a person last saved something new, the latest first; what is saved together has one time. Counted from the
-- events, which every process writes under the lock of the space, and which stay when a memory is forgotten.
SELECT DISTINCT at FROM memory_event
WHERE space_id = $1 AND actor_id = $2 AND at > $4 AND actor = 'person' AND kind = 'saved' AND reason = ANY ($3::text[])
ORDER BY at DESC LIMIT $5

-- name: saved_in_turn
-- How many memories a model saved when it answered a question, before a crash too; not for an answer that was replaced.
SELECT count(DISTINCT e.memory_id) FROM memory y
JOIN memory_event e ON e.space_id = $1 AND e.memory_id = y.memory_id
WHERE y.space_id = $1 AND y.evidence @> ARRAY[$2::bigint] AND e.actor = 'model' AND e.kind = 'saved' AND y.forgotten_at IS NULL

-- name: made_in_turn
-- What a model saved or said again for whoever asked while it answered a question, the last first, and whether nothing
-- happened to it since: nobody changed it, and nobody has said it again. Not what it had saved before, on which the
-- question rests only since something else was merged into it.
SELECT m.*, e.kind, e.before, e.at,
       m.superseded_by IS NULL AND m.reinforced_at = e.at AND NOT EXISTS (
           SELECT 1 FROM memory_event since
           WHERE since.space_id = $1 AND since.memory_id = m.memory_id AND since.event_id > e.event_id
             AND since.actor = 'person' AND since.kind <> 'restored') AS is_untouched
FROM turn t JOIN memory m ON m.evidence @> ARRAY[t.turn_id]
JOIN memory_event e ON e.space_id = $1 AND e.memory_id = m.memory_id
WHERE t.space_id = $1 AND t.turn_id = $2 AND m.space_id = $1 AND m.forgotten_at IS NULL
  AND e.actor = 'model' AND e.actor_id = t.asker_id AND e.kind IN ('saved', 'merged')
  AND (t.answered_at IS NULL OR e.at <= t.answered_at)
  AND NOT EXISTS (SELECT 1 FROM memory_event later
                  WHERE later.space_id = $1 AND later.memory_id = m.memory_id AND later.event_id > e.event_id
                    AND later.before ? 'evidence' AND NOT later.before -> 'evidence' @> to_jsonb(t.turn_id))
ORDER BY e.event_id DESC

-- name: told_by
-- What was distilled of answers and nobody has said again: it rests on them.
SELECT memory_id FROM memory
WHERE space_id = $1 AND evidence && $2::bigint[] AND source = 'summary' AND seen_count = 1
  AND forgotten_at IS NULL AND superseded_by IS NULL

-- name: pinned_by
-- What this person has pinned, but for one memory, and with what is forgotten and can be brought back. Whose a pin is
-- tells the last event of it.
WITH mine AS (
    SELECT memory_id, max(event_id) AS event_id FROM memory_event
    WHERE space_id = $1 AND actor_id = $2 AND kind = 'pinned' AND memory_id <> $3
    GROUP BY memory_id)
SELECT m.memory_id, m.channel_id, m.forgotten_at FROM mine JOIN memory m ON m.memory_id = mine.memory_id
WHERE m.space_id = $1 AND m.pinned AND m.superseded_by IS NULL
  AND NOT EXISTS (SELECT 1 FROM memory_event e
                  WHERE e.space_id = $1 AND e.memory_id = m.memory_id AND e.kind = 'pinned'
                    AND e.event_id > mine.event_id)
ORDER BY m.memory_id

-- name: consent
-- How the channel may be remembered, who of these people opted out, and which of these messages are of somebody who
-- did. Their rows are locked: an opt-out waits for what is just being kept, and nothing is kept after it.
WITH said AS (
    SELECT message_id, author_id FROM message WHERE space_id = $1 AND message_id IN (SELECT unnest($4::bigint[]))),
people AS (
    SELECT person_id, opted_out_at FROM person
    WHERE person_id IN (SELECT unnest($3::bigint[]) UNION SELECT author_id FROM said)
    ORDER BY person_id FOR SHARE)
SELECT mode,
       (SELECT jsonb_object_agg(p.name, p.value) FROM place_setting p
        WHERE p.space_id = $1 AND p.channel_id = $2) AS chosen_here,
       (SELECT jsonb_object_agg(p.name, p.value) FROM place_setting p
        WHERE p.space_id = $1 AND p.channel_id = 0) AS chosen_everywhere,
       ARRAY(SELECT person_id FROM people WHERE opted_out_at IS NOT NULL) AS declined,
       ARRAY(SELECT message_id FROM said JOIN people ON person_id = author_id
             WHERE opted_out_at IS NOT NULL) AS withheld
FROM channel WHERE space_id = $1 AND channel_id = $2

-- name: kept_by
-- Of these memories those that this person had kept, whoever said them.
SELECT DISTINCT memory_id FROM memory_event
WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[])) AND kind = 'saved' AND actor = 'person' AND actor_id = $3

-- name: known
SELECT * FROM memory
WHERE space_id = $1 AND channel_id = $2 AND content_hash = ANY ($3::bytea[])
  AND forgotten_at IS NULL AND superseded_by IS NULL

-- name: entombed
-- Which of these keyed hashes ($3) are of something that was forgotten in a channel; and which of these messages ($4)
-- something rested on that was. Each by its own index, whatever else was forgotten there.
SELECT t.content_mac, '{}'::bigint[] AS evidence FROM tombstone t
WHERE t.space_id = $1 AND t.channel_id = $2 AND t.content_mac = ANY ($3::bytea[])
UNION ALL
SELECT NULL, ARRAY(SELECT said.id FROM unnest(t.evidence) AS said (id) WHERE said.id = ANY ($4::bigint[]))
FROM tombstone t
WHERE t.space_id = $1 AND t.channel_id = $2 AND t.evidence && $4::bigint[]

-- name: mac_key
SELECT value FROM secret WHERE name = 'tombstone'

-- name: create_mac_key
INSERT INTO secret (name, value) VALUES ('tombstone', $1) ON CONFLICT DO NOTHING

-- name: insert
WITH fresh AS (
    INSERT INTO memory (space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags,
        entities, key_phrases, metadata, subject_id, author_id, author, channel_id, session_id, evidence, made_from,
        content_hash, pinned, created_at, said_at, reinforced_at, last_used_at, search)
    SELECT $1, f.memory_id, 'short', f.room, f.topic, f.content, f.importance, f.importance, f.source, f.tags,
           f.entities, f.key_phrases, f.metadata, f.subject_id, f.author_id, f.author, $2,
           coalesce(f.session_id, (SELECT open_session_id FROM channel WHERE space_id = $1 AND channel_id = $6)),
           f.evidence, f.made_from, f.content_hash, f.pinned, $3,
           f.said_at, $3, $3,
           memory_vector($4, f.topic, f.content, f.tags, f.entities || f.key_phrases)
    FROM jsonb_to_recordset($5::jsonb) AS f (
        memory_id bigint, room text, topic text, content text, importance smallint, source text, tags text[],
        entities text[], key_phrases text[], metadata jsonb, subject_id bigint, author_id bigint, author text,
        session_id bigint, evidence bigint[], made_from bigint[], content_hash bytea, pinned boolean,
        said_at timestamptz)
    RETURNING *),
change AS (
    SELECT channel_id, tier, room, topic, tags, 1 AS n, reinforced_at AS at FROM fresh),
{tallied}
SELECT * FROM fresh

-- name: merge
-- The same fact again: one row, back in the short tier, found by its new tags too. Values were joined from the rows as
-- locked.
WITH fresh AS MATERIALIZED (
    SELECT f.*, memory_vector($4, m.topic, m.content, f.tags, f.entities || f.key_phrases) AS search,
           m.tier AS old_tier, m.tags AS old_tags
    FROM jsonb_to_recordset($3::jsonb) AS f (
        memory_id bigint, importance smallint, source text, tags text[], entities text[], key_phrases text[],
        evidence bigint[], made_from bigint[], seen_count integer, said_at timestamptz)
    JOIN memory m ON m.space_id = $1 AND m.memory_id = f.memory_id),
merged AS (
    UPDATE memory SET tier = 'short', importance = f.importance, importance_set = f.importance, source = f.source,
        tags = f.tags, evidence = f.evidence, made_from = f.made_from, seen_count = f.seen_count, said_at = f.said_at,
        reinforced_at = $2, last_used_at = $2, aged_at = NULL, entities = f.entities, key_phrases = f.key_phrases,
        search = f.search
    FROM fresh f WHERE memory.space_id = $1 AND memory.memory_id = f.memory_id
    RETURNING memory.*),
change AS (
    SELECT m.channel_id, f.old_tier AS tier, m.room, m.topic, f.old_tags AS tags, -1 AS n, m.reinforced_at AS at
    FROM merged m JOIN fresh f ON f.memory_id = m.memory_id
    UNION ALL
    SELECT channel_id, tier, room, topic, tags, 1, reinforced_at FROM merged),
{tallied}
SELECT * FROM merged

-- name: record_events
INSERT INTO memory_event (space_id, memory_id, kind, actor, actor_id, reason, before, at)
SELECT $1, e.memory_id, e.kind, $2, $3, $4, e.before, $5
FROM jsonb_to_recordset($6::jsonb) AS e (memory_id bigint, kind text, before jsonb)

-- name: reword
-- The same person said it more fully: these words now, and the ones before them beside, in case the fuller go.
WITH fresh AS MATERIALIZED (
    SELECT f.memory_id, f.content, f.content_hash, m.metadata || f.reworded AS metadata,
           memory_vector($3, m.topic, f.content, m.tags, m.entities || m.key_phrases) AS search
    FROM jsonb_to_recordset($2::jsonb) AS f (memory_id bigint, content text, content_hash bytea, reworded jsonb)
    JOIN memory m ON m.space_id = $1 AND m.memory_id = f.memory_id
    WHERE NOT EXISTS (SELECT 1 FROM memory twin
                      WHERE twin.space_id = $1 AND twin.content_hash = f.content_hash
                        AND twin.channel_id = m.channel_id AND twin.memory_id <> m.memory_id
                        AND twin.forgotten_at IS NULL AND twin.superseded_by IS NULL))
UPDATE memory SET content = f.content, content_hash = f.content_hash, metadata = f.metadata, search = f.search
FROM fresh f WHERE memory.space_id = $1 AND memory.memory_id = f.memory_id
RETURNING memory.*

-- name: reworded
-- The memories among these that had other words before.
SELECT memory_id, metadata FROM memory
WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[])) AND metadata ? 'reworded'

-- name: unreword
-- Words go with the messages that brought them: a memory whose own go has the ones before again.
WITH fresh AS MATERIALIZED (
    SELECT f.memory_id, coalesce(f.content, m.content) AS content,
           coalesce(f.content_hash, m.content_hash) AS content_hash,
           (m.metadata - 'reworded') || coalesce(f.reworded, '{}') AS metadata,
           memory_vector($3, m.topic, coalesce(f.content, m.content), m.tags, m.entities || m.key_phrases) AS search
    FROM jsonb_to_recordset($2::jsonb) AS f (memory_id bigint, content text, content_hash bytea, reworded jsonb)
    JOIN memory m ON m.space_id = $1 AND m.memory_id = f.memory_id)
UPDATE memory SET content = f.content, content_hash = f.content_hash, metadata = f.metadata, search = f.search
FROM fresh f WHERE memory.space_id = $1 AND memory.memory_id = f.memory_id

-- name: supersede
WITH change AS MATERIALIZED (
    SELECT channel_id, tier, room, topic, tags, -1 AS n, reinforced_at AS at FROM memory
    WHERE space_id = $1 AND memory_id = $2 AND forgotten_at IS NULL AND superseded_by IS NULL),
replaced AS (
    UPDATE memory SET superseded_by = $3, superseded_at = $4 WHERE space_id = $1 AND memory_id = $2),
{tallied}
SELECT count(*) FROM change

-- name: superseded_lately
-- What this person replaced in the last minutes by telling what changed, an edit or a choice, the latest first; and of what
-- they let stand together, each with one that it was held against.
SELECT m.memory_id, m.superseded_by AS other, e.at, true AS is_replaced, e.reason = 'edit' AS is_edited FROM memory_event e
JOIN memory m ON m.space_id = $1 AND m.memory_id = e.memory_id
WHERE e.space_id = $1 AND e.actor_id = $2 AND e.at > $3 AND e.kind = 'superseded' AND e.reason IN ('change', 'settle', 'edit')
  AND m.superseded_by IS NOT NULL AND m.forgotten_at IS NULL AND m.channel_id = ANY ($4::bigint[])
  -- Nor what gave way again when an edit of something else was undone.
  AND NOT EXISTS (SELECT 1 FROM memory_event u WHERE u.space_id = $1 AND u.memory_id = e.memory_id
                  AND u.kind = 'superseded' AND u.reason = 'undo' AND u.at >= e.at)
UNION ALL
SELECT o.memory_id, m.memory_id, e.at, false, false FROM memory_event e
JOIN memory m ON m.space_id = $1 AND m.memory_id = e.memory_id
CROSS JOIN LATERAL jsonb_array_elements(e.before -> 'contradicts') AS c (id)
JOIN memory o ON o.space_id = $1 AND o.memory_id = (c.id)::bigint
WHERE e.space_id = $1 AND e.actor_id = $2 AND e.at > $3 AND e.kind = 'merged' AND e.reason = 'settle'
  AND NOT coalesce(m.metadata -> 'contradicts', '[]') @> c.id
  AND m.superseded_by IS NULL AND m.forgotten_at IS NULL AND m.channel_id = ANY ($4::bigint[])
  AND o.superseded_by IS NULL AND o.forgotten_at IS NULL AND o.channel_id = ANY ($4::bigint[])
ORDER BY 3 DESC, 1

-- name: unsupersede
-- Not what was said again since: that is known already.
WITH back AS (
    UPDATE memory SET superseded_by = NULL, superseded_at = NULL
    WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[])) AND superseded_by IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM memory twin
                      WHERE twin.space_id = $1 AND twin.content_hash = memory.content_hash
                        AND twin.channel_id = memory.channel_id
                        AND twin.forgotten_at IS NULL AND twin.superseded_by IS NULL)
    RETURNING *),
change AS (
    SELECT channel_id, tier, room, topic, tags, 1 AS n, reinforced_at AS at FROM back WHERE forgotten_at IS NULL),
{tallied}
SELECT * FROM back

-- name: contradicted
-- What a memory contradicts that stands, where all who read along may see it.
SELECT o.* FROM memory m JOIN memory o ON o.space_id = $1
WHERE m.space_id = $1 AND m.memory_id = $2 AND o.channel_id = ANY ($3::bigint[])
  AND o.memory_id IN (SELECT (c.id)::bigint FROM jsonb_array_elements(m.metadata -> 'contradicts') AS c (id))
  AND o.forgotten_at IS NULL AND o.superseded_by IS NULL
ORDER BY o.said_at DESC, o.memory_id DESC

-- name: unlink
-- Two memories that are not held against each other any more.
UPDATE memory SET metadata = jsonb_set(metadata, '{contradicts}', (
    SELECT coalesce(jsonb_agg(c.id), '[]') FROM jsonb_array_elements(metadata -> 'contradicts') AS c (id)
    WHERE (c.id)::bigint NOT IN ($2, $3)))
WHERE space_id = $1 AND memory_id IN ($2, $3) AND metadata ? 'contradicts'

-- name: link
-- A memory and those it contradicts, each with the others' numbers.
WITH fresh AS MATERIALIZED (
    SELECT memory_id, jsonb_set(metadata, '{contradicts}', coalesce(metadata -> 'contradicts', '[]')
        || CASE WHEN memory_id = $2 THEN to_jsonb($3::bigint[]) ELSE to_jsonb($2::bigint) END) AS metadata
    FROM memory WHERE space_id = $1 AND (memory_id = $2 OR memory_id = ANY ($3::bigint[])))
UPDATE memory SET metadata = f.metadata
FROM fresh f WHERE memory.space_id = $1 AND memory.memory_id = f.memory_id

-- name: pin
-- What is pinned is in the short tier, or it could not be in view.
WITH old AS MATERIALIZED (
    SELECT channel_id, tier, room, topic, tags, reinforced_at FROM memory
    WHERE space_id = $1 AND memory_id = $2 AND forgotten_at IS NULL AND superseded_by IS NULL),
moved AS (
    UPDATE memory SET pinned = $3, tier = CASE WHEN $3 THEN 'short' ELSE tier END,
        aged_at = CASE WHEN $3 THEN NULL ELSE aged_at END
    WHERE space_id = $1 AND memory_id = $2 AND forgotten_at IS NULL AND superseded_by IS NULL
    RETURNING *),
change AS (
    SELECT channel_id, tier, room, topic, tags, -1 AS n, reinforced_at AS at FROM old
    UNION ALL
    SELECT channel_id, tier, room, topic, tags, 1, reinforced_at FROM moved),
{tallied}
SELECT * FROM moved

-- name: ask_removal
-- That whom it is about asks to have it removed; nothing where they did before.
UPDATE memory SET metadata = metadata || jsonb_build_object('removal_asked_at', $3::timestamptz)
WHERE space_id = $1 AND memory_id = $2 AND NOT metadata ? 'removal_asked_at'
RETURNING memory_id

-- name: versions
-- A memory and every older version of it that an edit replaced.
WITH RECURSIVE version AS (
    SELECT m.memory_id FROM memory m WHERE m.space_id = $1 AND m.memory_id = $2
    UNION
    SELECT m.memory_id FROM memory m JOIN version v ON m.superseded_by = v.memory_id WHERE m.space_id = $1)
SELECT memory_id FROM version

-- name: forget
WITH gone AS (
    UPDATE memory SET forgotten_at = $3
    WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[])) AND forgotten_at IS NULL
    RETURNING *),
change AS (
    SELECT channel_id, tier, room, topic, tags, -1 AS n, reinforced_at AS at FROM gone WHERE superseded_by IS NULL),
{tallied}
SELECT * FROM gone

-- name: hide_evidence
-- A message another living memory rests on stays.
UPDATE message SET hidden_at = $3
WHERE space_id = $1 AND message_id IN (SELECT unnest($2::bigint[])) AND hidden_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.space_id = $1 AND m.evidence @> ARRAY[message.message_id]
                  AND m.forgotten_at IS NULL AND m.superseded_by IS NULL)
RETURNING session_id, message_id, content

-- name: unrecorded_evidence
-- What is recorded nowhere of these messages, and no other living memory rests on.
SELECT evidence.message_id FROM unnest($2::bigint[]) AS evidence (message_id)
WHERE NOT EXISTS (SELECT 1 FROM message m WHERE m.space_id = $1 AND m.message_id = evidence.message_id)
  AND NOT EXISTS (SELECT 1 FROM memory y WHERE y.space_id = $1 AND y.evidence @> ARRAY[evidence.message_id]
                  AND y.forgotten_at IS NULL AND y.superseded_by IS NULL)

-- name: hide_said
-- What somebody said, whatever rests on it.
UPDATE message SET hidden_at = $4
WHERE space_id = $1 AND message_id IN (SELECT unnest($2::bigint[])) AND author_id = $3 AND role = 'person'
  AND hidden_at IS NULL AND channel_id = ANY ($5::bigint[])
RETURNING session_id, message_id, content, channel_id

-- name: hide_replies
UPDATE message SET hidden_at = $3
WHERE space_id = $1 AND message_id IN (SELECT unnest($2::bigint[])) AND role = 'hathi' AND hidden_at IS NULL

-- name: unhide
UPDATE message SET hidden_at = NULL WHERE space_id = $1 AND hidden_at = $2 RETURNING message_id, content

-- name: hide_session
UPDATE message SET hidden_at = $3 WHERE space_id = $1 AND session_id = $2 AND hidden_at IS NULL RETURNING message_id

-- name: withhold_summaries
UPDATE chat_summary SET withheld_at = $3
WHERE space_id = $1 AND session_id = ANY ($2::bigint[]) AND withheld_at IS NULL

-- name: show_summaries
UPDATE chat_summary SET withheld_at = NULL WHERE space_id = $1 AND withheld_at = $2

-- name: parts
-- The messages that answers to these were sent as.
SELECT DISTINCT unnest(reply_ids) AS message_id FROM turn WHERE space_id = $1 AND turn_id = ANY ($2::bigint[])

-- name: entomb
-- Of a session that was discarded it is one, under the session's id below zero: it has no number of a memory's, and no
-- hash, so what is said again later is kept as anything else is.
INSERT INTO tombstone (space_id, memory_id, channel_id, evidence, content_mac, at)
SELECT $1, t.memory_id, t.channel_id, t.evidence, t.content_mac, $2
FROM jsonb_to_recordset($3::jsonb) AS t (memory_id bigint, channel_id bigint, evidence bigint[], content_mac bytea)
ON CONFLICT (space_id, memory_id) DO UPDATE SET at = excluded.at

-- name: exhume
-- Of these memories, and of what was forgotten in the same moment without ever having been one.
DELETE FROM tombstone WHERE space_id = $1 AND (memory_id = ANY ($2::bigint[]) OR at = $3) RETURNING memory_id, evidence

-- name: forgotten_at
SELECT memory_id, superseded_by, content_hash, channel_id FROM memory WHERE space_id = $1 AND forgotten_at = $2

-- name: restore
WITH back AS (
    UPDATE memory SET forgotten_at = NULL
    WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[])) AND forgotten_at IS NOT NULL
    RETURNING *),
change AS (
    SELECT channel_id, tier, room, topic, tags, 1 AS n, reinforced_at AS at FROM back WHERE superseded_by IS NULL),
{tallied}
SELECT * FROM back

-- name: drop
-- A forgotten row that need not wait for its ten minutes: the same was said again, and that is the row to keep.
DELETE FROM memory WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[])) AND forgotten_at IS NOT NULL

-- name: last_forget
-- The caller's latest forget that can still be undone, of what this channel may see: undo shows what it brings back.
SELECT t.at FROM tombstone t
JOIN memory_event e ON e.space_id = t.space_id AND e.memory_id = t.memory_id
WHERE t.space_id = $1 AND t.at > $3 AND t.channel_id = ANY ($4::bigint[])
  AND e.kind = 'forgotten' AND e.reason = 'forget' AND e.actor_id = $2 AND e.at = t.at
  AND ($5::bigint IS NULL OR t.memory_id = $5)
ORDER BY t.at DESC LIMIT 1

-- name: events_of_session
-- What the summary of one session saved or merged since a moment, to take it back; what was said again since is not its
-- own any more, and what rests only on what was in memory before ($5), and nobody had included, never was. Or of that only
-- what this person ($3) had included last.
SELECT e.memory_id, e.kind, e.before, e.at, m.channel_id FROM memory_event e
JOIN memory m ON m.space_id = e.space_id AND m.memory_id = e.memory_id
WHERE e.space_id = $1 AND e.actor = 'summary' AND e.reason = $2 AND e.kind IN ('saved', 'merged') AND e.at >= $4
  AND ($3::bigint IS NULL OR (e.actor_id = $3 AND e.at = (
      SELECT max(latest.at) FROM memory_event latest
      WHERE latest.space_id = $1 AND latest.actor_id = $3 AND latest.at > $4 AND latest.reason = $2
        AND latest.actor = 'summary')))
  AND m.forgotten_at IS NULL AND m.superseded_by IS NULL AND m.reinforced_at = e.at
  AND ($5::bigint IS NULL OR e.actor_id IS NOT NULL OR $5 < ANY (m.evidence))

-- name: unmerge
-- Only where nothing happened to the memory since.
WITH fresh AS MATERIALIZED (
    SELECT f.*, memory_vector($3, m.topic, m.content, f.tags, m.entities || m.key_phrases) AS search,
           m.tier AS old_tier, m.tags AS old_tags
    FROM jsonb_to_recordset($2::jsonb) AS f (
        memory_id bigint, merged_at timestamptz, tier text, importance smallint, importance_set smallint, source text,
        tags text[], evidence bigint[], made_from bigint[], seen_count integer, said_at timestamptz,
        reinforced_at timestamptz, last_used_at timestamptz, aged_at timestamptz)
    JOIN memory m ON m.space_id = $1 AND m.memory_id = f.memory_id AND m.reinforced_at = f.merged_at),
back AS (
    UPDATE memory SET tier = f.tier, importance = f.importance, importance_set = f.importance_set, source = f.source,
        tags = f.tags, evidence = f.evidence, made_from = coalesce(f.made_from, '{}'), seen_count = f.seen_count,
        said_at = f.said_at, reinforced_at = f.reinforced_at, last_used_at = f.last_used_at, aged_at = f.aged_at,
        search = f.search
    FROM fresh f
    WHERE memory.space_id = $1 AND memory.memory_id = f.memory_id AND memory.reinforced_at = f.merged_at
    RETURNING memory.*),
living AS (
    SELECT * FROM back WHERE forgotten_at IS NULL AND superseded_by IS NULL),
change AS (
    SELECT l.channel_id, f.old_tier AS tier, l.room, l.topic, f.old_tags AS tags, -1 AS n, l.reinforced_at AS at
    FROM living l JOIN fresh f ON f.memory_id = l.memory_id
    UNION ALL
    SELECT channel_id, tier, room, topic, tags, 1, reinforced_at FROM living),
{tallied}
SELECT memory_id FROM back

-- name: to_age
-- In which spaces a row may leave the short tier: only these are locked.
SELECT space_id FROM unnest($1::bigint[]) AS asked (space_id)
WHERE EXISTS (
    SELECT 1 FROM memory m
    WHERE m.space_id = ANY ($1::bigint[]) AND m.space_id = asked.space_id AND m.tier = 'short'
      AND m.forgotten_at IS NULL AND m.superseded_by IS NULL AND m.reinforced_at <= $2
      AND ($4::bigint[] IS NULL OR m.channel_id = ANY ($4::bigint[]))
      AND m.importance < CASE WHEN $3 THEN 11 ELSE 9 END
      AND ($3 OR NOT (m.pinned OR m.source = 'directive' OR m.room = 'preferences'
                      OR (m.source = 'user' AND m.importance_set >= 8))))
ORDER BY space_id

-- name: age
-- Lowest importance first, so many at once; the tier a row leaves is named, or two agers would both move it.
WITH due AS (
    SELECT memory_id FROM filed_memory
    WHERE space_id = $1 AND tier = 'short' AND forgotten_at IS NULL AND superseded_by IS NULL
      AND reinforced_at <= $3 AND ($6::bigint[] IS NULL OR channel_id = ANY ($6::bigint[]))
      AND importance < CASE WHEN $5 THEN 11 ELSE 9 END
      AND ($5 OR NOT (pinned OR source = 'directive' OR room = 'preferences'
                      OR (source = 'user' AND importance_set >= 8)))
    ORDER BY importance, said_at, memory_id LIMIT $4),
moved AS (
    UPDATE memory SET tier = 'long', aged_at = $2
    FROM due WHERE memory.space_id = $1 AND memory.memory_id = due.memory_id AND memory.tier = 'short'
    RETURNING memory.memory_id, memory.channel_id, memory.room, memory.topic, memory.tags, memory.reinforced_at),
told AS (
    INSERT INTO memory_event (space_id, memory_id, kind, actor, actor_id, reason, at)
    SELECT $1, memory_id, 'aged', $7, $8, $9, $2 FROM moved),
change AS (
    SELECT channel_id, left_or_reached.tier, room, topic, tags, left_or_reached.n, reinforced_at AS at
    FROM moved CROSS JOIN (VALUES ('short', -1), ('long', 1)) AS left_or_reached (tier, n)),
{tallied}
SELECT count(*) FROM moved

-- name: last_aged
-- When the caller last had memories aged, of which one is as that left it, so that it can still be undone.
SELECT max(e.at) FROM memory_event e
JOIN memory m ON m.space_id = $1 AND m.memory_id = e.memory_id AND m.tier = 'long' AND m.aged_at = e.at
    AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
WHERE e.space_id = $1 AND e.actor_id = $2 AND e.at > $3 AND e.kind = 'aged'

-- name: aged_in_turn
-- When a model had memories aged for whoever asked while it answered a question, and for whom.
SELECT DISTINCT e.at, e.actor_id FROM turn t
JOIN memory_event e ON e.space_id = $1 AND e.actor_id = t.asker_id AND e.at >= t.recorded_at
    AND (t.answered_at IS NULL OR e.at <= t.answered_at)
WHERE t.space_id = $1 AND t.turn_id = $2 AND e.kind = 'aged' AND e.reason = $3

-- name: unage
-- Back to the short tier, of what the caller had aged then; not what was changed or aged again since.
WITH back AS (
    UPDATE memory SET tier = 'short', aged_at = NULL
    FROM (SELECT memory_id FROM memory_event
          WHERE space_id = $1 AND actor_id = $2 AND at = $3 AND kind = 'aged') AS aged
    WHERE memory.space_id = $1 AND memory.memory_id = aged.memory_id AND memory.tier = 'long' AND memory.aged_at = $3
      AND memory.forgotten_at IS NULL AND memory.superseded_by IS NULL
    RETURNING memory.memory_id, memory.channel_id, memory.room, memory.topic, memory.tags, memory.reinforced_at),
told AS (
    INSERT INTO memory_event (space_id, memory_id, kind, actor, actor_id, reason, at)
    SELECT $1, memory_id, 'restored', 'person', $2, 'undo age', $4 FROM back),
change AS (
    SELECT channel_id, left_or_reached.tier, room, topic, tags, left_or_reached.n, reinforced_at AS at
    FROM back CROSS JOIN (VALUES ('long', -1), ('short', 1)) AS left_or_reached (tier, n)),
{tallied}
SELECT count(*) FROM back

-- name: decay
-- Computed from what was set, so running it twice, or late, is running it once on time. At most so many rows of each space
-- at once, behind the one that was looked at last.
WITH looked AS MATERIALIZED (
    SELECT m.* FROM unnest($1::bigint[], $3::bigint[]) AS at (space_id, after_id) CROSS JOIN LATERAL (
        SELECT space_id, memory_id, greatest(least(3, importance_set),
               importance_set - greatest(0, floor(extract(epoch FROM $2::timestamptz - last_used_at) / 604800))::int
               ) AS now_worth,
               forgotten_at IS NULL AND superseded_by IS NULL AND NOT pinned AND source <> 'directive'
               AND importance_set < 9 AS fades
        FROM memory WHERE space_id = at.space_id AND memory_id > at.after_id ORDER BY memory_id LIMIT $4) AS m),
changed AS (
    UPDATE memory SET importance = looked.now_worth
    FROM looked
    WHERE memory.space_id = ANY ($1::bigint[]) AND memory.space_id = looked.space_id
      AND memory.memory_id = looked.memory_id AND looked.fades AND memory.importance <> looked.now_worth
    RETURNING memory.space_id, memory.memory_id),
told AS (
    INSERT INTO memory_event (space_id, memory_id, kind, actor, reason, at)
    SELECT space_id, memory_id, 'decayed', 'job', 'decay', $2 FROM changed)
SELECT space_id, max(memory_id) AS last_id, count(*) AS looked, (SELECT count(*) FROM changed) AS changed
FROM looked GROUP BY space_id

-- name: touch
UPDATE memory SET last_used_at = $3
WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[])) AND last_used_at < $4

-- name: erase_memories
-- What an edit replaced goes with the version that was forgotten; and so do the words of people in its events: the tags
-- and the room it had before, and the reason it was promoted for. At most so many at once.
WITH due AS (
    SELECT space_id, memory_id FROM memory WHERE space_id = ANY ($1::bigint[]) AND forgotten_at <= $2 LIMIT $3),
gone AS (
    DELETE FROM memory USING due
    WHERE memory.space_id = ANY ($1::bigint[]) AND memory.space_id = due.space_id
      AND memory.memory_id = due.memory_id AND memory.forgotten_at <= $2
    RETURNING memory.space_id, memory.memory_id),
silenced AS (
    UPDATE memory_event SET before = NULL, reason = CASE WHEN kind <> 'promoted' THEN reason END
    FROM gone
    WHERE memory_event.space_id = ANY ($1::bigint[]) AND memory_event.space_id = gone.space_id
      AND memory_event.memory_id = gone.memory_id AND (memory_event.before IS NOT NULL OR kind = 'promoted')),
noted AS (
    INSERT INTO erasure (space_id, erasure_id, messages, memories, erased_at)
    SELECT space_id, $4, '{}', array_agg(memory_id), $5 FROM gone GROUP BY space_id)
SELECT count(*) FROM gone

-- name: erase_messages
WITH due AS (
    SELECT space_id, message_id FROM message WHERE space_id = ANY ($1::bigint[]) AND hidden_at <= $2 LIMIT $3),
gone AS (
    DELETE FROM message USING due
    WHERE message.space_id = ANY ($1::bigint[]) AND message.space_id = due.space_id
      AND message.message_id = due.message_id AND message.hidden_at <= $2
    RETURNING message.space_id, message.message_id),
noted AS (
    INSERT INTO erasure (space_id, erasure_id, messages, memories, erased_at)
    SELECT space_id, $4, array_agg(message_id), '{}', $5 FROM gone GROUP BY space_id)
SELECT count(*) FROM gone

-- name: reindex_memories
-- The next so many after a number: how many these are, and the last of them. What is worked out of a row is read beside
-- the write: a distributed database takes no STABLE function of a column in an UPDATE.
WITH fresh AS (
    SELECT memory_id, memory_vector($2, topic, content, tags, entities || key_phrases) AS search FROM memory
    WHERE space_id = $1 AND memory_id > $3 ORDER BY memory_id LIMIT $4),
changed AS (
    UPDATE memory SET search = fresh.search FROM fresh
    WHERE memory.space_id = $1 AND memory.memory_id = fresh.memory_id AND memory.search <> fresh.search)
SELECT count(*) AS seen, max(memory_id) AS last_id FROM fresh

-- name: reindex_messages
-- One that is edited meanwhile was indexed by that.
WITH fresh AS (
    SELECT message_id, content, message_vector($2, content, said_at) AS search FROM message
    WHERE space_id = $1 AND message_id > $3 ORDER BY message_id LIMIT $4),
changed AS (
    UPDATE message SET search = fresh.search FROM fresh
    WHERE message.space_id = $1 AND message.message_id = fresh.message_id AND message.content = fresh.content
      AND message.search <> fresh.search)
SELECT count(*) AS seen, max(message_id) AS last_id FROM fresh

-- name: import_memories
WITH fresh AS (
    INSERT INTO memory (space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags,
        entities, key_phrases, metadata, subject_id, author_id, author, channel_id, session_id, evidence, made_from,
        content_hash, seen_count, pinned, created_at, said_at, reinforced_at, last_used_at, aged_at, superseded_by,
        superseded_at, search)
    SELECT $1, f.memory_id, f.tier, f.room, f.topic, f.content, f.importance, f.importance_set, f.source, f.tags,
           f.entities, f.key_phrases, f.metadata, f.subject_id, f.author_id, f.author, f.channel_id, f.session_id,
           f.evidence, f.made_from, f.content_hash, f.seen_count, f.pinned, f.created_at, f.said_at, f.reinforced_at,
           f.last_used_at, f.aged_at, f.superseded_by, f.superseded_at,
           memory_vector($2, f.topic, f.content, f.tags, f.entities || f.key_phrases)
    FROM jsonb_to_recordset($3::jsonb) AS f (
        memory_id bigint, tier text, room text, topic text, content text, importance smallint,
        importance_set smallint, source text, tags text[], entities text[], key_phrases text[], metadata jsonb,
        subject_id bigint, author_id bigint, author text, channel_id bigint, session_id bigint, evidence bigint[],
        made_from bigint[], content_hash bytea, seen_count integer, pinned boolean, created_at timestamptz,
        said_at timestamptz, reinforced_at timestamptz, last_used_at timestamptz, aged_at timestamptz,
        superseded_by bigint, superseded_at timestamptz)
    RETURNING channel_id, tier, room, topic, tags, reinforced_at, superseded_by),
change AS (
    SELECT channel_id, tier, room, topic, tags, 1 AS n, reinforced_at AS at FROM fresh WHERE superseded_by IS NULL),
{tallied}
SELECT count(*) FROM fresh

-- name: origins
-- Which memories of other systems these are, from a number on.
SELECT memory_id, metadata FROM memory
WHERE space_id = $1 AND memory_id > $2 AND (metadata ? 'origin' OR metadata ? 'origins') ORDER BY memory_id

-- name: join_inherited
-- What another system has as well: one row, with all it is there.
WITH joined AS (
    SELECT m.memory_id, m.topic, m.content, m.entities || m.key_phrases AS phrases, m.tier AS old_tier,
           m.tags AS old_tags, greatest(m.importance, f.importance) AS importance,
           greatest(m.importance_set, f.importance) AS importance_set, m.seen_count + f.seen AS seen_count,
           CASE WHEN f.is_short THEN 'short' ELSE m.tier END AS tier,
           CASE WHEN f.is_short THEN NULL ELSE m.aged_at END AS aged_at,
           m.tags || ARRAY(SELECT DISTINCT tag FROM unnest(f.tags) AS tag WHERE tag <> ALL (m.tags)) AS tags,
           jsonb_set(m.metadata, '{origins}', coalesce(m.metadata -> 'origins', '[]') || f.origins) AS metadata
    FROM jsonb_to_recordset($2::jsonb) AS f (
        memory_id bigint, importance smallint, is_short boolean, seen integer, tags text[], origins jsonb)
    JOIN memory m ON m.space_id = $1 AND m.memory_id = f.memory_id),
fresh AS MATERIALIZED (
    SELECT *, memory_vector($3, topic, content, tags, phrases) AS search FROM joined),
written AS (
    UPDATE memory SET importance = f.importance, importance_set = f.importance_set, seen_count = f.seen_count,
        tier = f.tier, aged_at = f.aged_at, tags = f.tags, metadata = f.metadata, search = f.search
    FROM fresh f WHERE memory.space_id = $1 AND memory.memory_id = f.memory_id
    RETURNING memory.memory_id, memory.channel_id, memory.tier, memory.room, memory.topic, memory.tags,
        memory.reinforced_at),
change AS (
    SELECT w.channel_id, f.old_tier AS tier, w.room, w.topic, f.old_tags AS tags, -1 AS n, w.reinforced_at AS at
    FROM written w JOIN fresh f ON f.memory_id = w.memory_id
    UNION ALL
    SELECT channel_id, tier, room, topic, tags, 1, reinforced_at FROM written),
{tallied}
SELECT count(*) FROM written

-- name: import_events
INSERT INTO memory_event (space_id, memory_id, kind, actor, actor_id, reason, before, at)
SELECT $1, e.memory_id, e.kind, e.actor, e.actor_id, e.reason, e.before, e.at
FROM jsonb_to_recordset($2::jsonb) AS e (
    memory_id bigint, kind text, actor text, actor_id bigint, reason text, before jsonb, at timestamptz)

-- name: import_tombstones
INSERT INTO tombstone (space_id, memory_id, channel_id, evidence, content_mac, at)
SELECT $1, t.memory_id, t.channel_id, t.evidence, t.content_mac, t.at
FROM jsonb_to_recordset($2::jsonb) AS t (
    memory_id bigint, channel_id bigint, evidence bigint[], content_mac bytea, at timestamptz)

-- name: living
SELECT * FROM filed_memory
WHERE space_id = $1 AND memory_id = $2 AND channel_id = ANY ($3::bigint[])
  AND forgotten_at IS NULL AND superseded_by IS NULL

-- name: move_room
-- The next so many of a room after a number, through another, older versions and what can still be undone too, each with
-- its event: how many these are, the last of them, and how many of them live and are seen by the caller.
WITH due AS (
    SELECT memory_id FROM memory
    WHERE space_id = $1 AND (room || '') = $2 AND memory_id > $8 AND memory_id <= $9 ORDER BY memory_id LIMIT $10),
moved AS (
    UPDATE memory SET room = $3 FROM due
    WHERE memory.space_id = $1 AND memory.memory_id = due.memory_id AND memory.room = $2
    RETURNING memory.memory_id, memory.channel_id, memory.tier, memory.topic, memory.tags, memory.reinforced_at,
              memory.forgotten_at, memory.superseded_by),
told AS (
    INSERT INTO memory_event (space_id, memory_id, kind, actor, actor_id, reason, before, at)
    SELECT $1, memory_id, 'moved', 'person', $5, $6, jsonb_build_object('room', $2::text), $7 FROM moved),
living AS (
    SELECT * FROM moved WHERE forgotten_at IS NULL AND superseded_by IS NULL),
change AS (
    SELECT channel_id, tier, left_or_reached.room, topic, tags, left_or_reached.n, reinforced_at AS at
    FROM living CROSS JOIN (VALUES ($2::text, -1), ($3::text, 1)) AS left_or_reached (room, n)),
{tallied}
SELECT count(*) AS moved, max(memory_id) AS last_id,
       (SELECT count(*) FROM living WHERE channel_id = ANY ($4::bigint[])) AS seen
FROM moved

-- name: laid_out
-- What the caller's layouts made in the last minutes and nobody changed since, the latest first. What is new is in the
-- short tier.
SELECT m.memory_id, e.at FROM memory m
JOIN memory_event e ON e.space_id = m.space_id AND e.memory_id = m.memory_id
WHERE m.space_id = $1 AND m.tier = 'short' AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
  AND m.created_at > $3 AND m.channel_id = ANY ($4::bigint[]) AND m.reinforced_at = e.at
  AND e.kind = 'saved' AND e.reason = 'palace' AND e.actor_id = $2 AND e.at > $3
ORDER BY e.at DESC, m.memory_id LIMIT 100

-- name: of_session
-- What was distilled from a session; what a person asked to remember in it is theirs and stays.
SELECT memory_id FROM memory
WHERE space_id = $1 AND session_id = $2 AND source = 'summary' AND forgotten_at IS NULL AND superseded_by IS NULL

-- name: count_asked
-- What a person asked to remember in a session, of what may be seen.
SELECT count(*) FROM memory
WHERE space_id = $1 AND session_id = $2 AND source <> 'summary' AND forgotten_at IS NULL AND superseded_by IS NULL
  AND channel_id = ANY ($3::bigint[])

-- name: distilled_of
-- What was distilled from a session, and these, where they stand; and whether its summary saved it since a moment ($5).
SELECT *, EXISTS (SELECT 1 FROM memory_event e
                  WHERE e.space_id = $1 AND e.memory_id = memory.memory_id AND e.kind = 'saved' AND e.reason = $4
                    AND e.actor_id IS NULL AND e.at >= $5) AS is_saved_since
FROM memory
WHERE space_id = $1 AND ((session_id = $2 AND source = 'summary') OR memory_id = ANY ($3::bigint[]))
  AND forgotten_at IS NULL AND superseded_by IS NULL
ORDER BY memory_id

-- name: speakers
-- Those of messages that were read and are not stored too, which are of people.
SELECT message_id, role, author_id FROM message
WHERE space_id = $1 AND message_id IN (SELECT unnest($2::bigint[]))
UNION ALL
SELECT said.message_id, 'person', people[1] FROM chunk CROSS JOIN LATERAL unnest(messages) AS said (message_id)
WHERE space_id = $1 AND messages && $2::bigint[] AND model = '' AND said.message_id = ANY ($2::bigint[])

-- name: unrest
-- These memories lose the messages that only approved of them.
UPDATE memory SET evidence = ARRAY(
    SELECT e FROM unnest(memory.evidence) AS e WHERE e <> ALL ($3::bigint[])),
    metadata = CASE WHEN metadata ? 'stands'
        THEN jsonb_set(metadata, '{stands}', (metadata -> 'stands') - $3::bigint[]::text[]) ELSE metadata END
WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[]))

-- name: unrest_events
-- Or taking back the reset that merged it would bring them back. Why it was promoted goes with the message saying so.
UPDATE memory_event SET reason = CASE WHEN kind <> 'promoted' OR NOT EXISTS (
        SELECT 1 FROM jsonb_array_elements(before -> 'evidence') AS e (id) WHERE (e.id)::bigint = ANY ($3::bigint[]))
    THEN reason END,
    before = jsonb_set(before, '{evidence}', (
    SELECT coalesce(jsonb_agg(e.id), '[]') FROM jsonb_array_elements(before -> 'evidence') AS e (id)
    WHERE (e.id)::bigint <> ALL ($3::bigint[])))
WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[])) AND before ? 'evidence'

-- name: erase_now
WITH gone AS (
    DELETE FROM memory WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[]))
    RETURNING channel_id, tier, room, topic, tags, reinforced_at, forgotten_at, superseded_by),
change AS (
    SELECT channel_id, tier, room, topic, tags, -1 AS n, reinforced_at AS at FROM gone
    WHERE forgotten_at IS NULL AND superseded_by IS NULL),
{tallied}
SELECT count(*) FROM gone

-- name: empty_events
-- The tags of what is erased, and why it was promoted.
UPDATE memory_event SET before = NULL, reason = CASE WHEN kind <> 'promoted' THEN reason END
WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[])) AND before IS NOT NULL

-- name: is_deleted
SELECT EXISTS (SELECT 1 FROM turn WHERE space_id = $1 AND turn_id = ANY ($2::bigint[]) AND failure = 'deleted')

-- name: asked_in
-- What a person asked to remember in one message, in the words of that message; whoever said it.
SELECT * FROM memory
WHERE space_id = $1 AND evidence @> ARRAY[$2::bigint] AND cardinality(evidence) = 1
  AND substr(content_hash, 1, 16) = $3
  AND source <> 'summary' AND forgotten_at IS NULL AND superseded_by IS NULL

-- name: said_already
-- What summaries made of these messages before.
SELECT * FROM memory
WHERE space_id = $1 AND channel_id = $2 AND source = 'summary' AND evidence && $3::bigint[]
  AND forgotten_at IS NULL AND superseded_by IS NULL
ORDER BY memory_id

-- name: leave_events
-- Whoever they were, they are not named any more, nor are their reasons told.
UPDATE memory_event SET actor_id = NULL, reason = CASE WHEN kind <> 'promoted' THEN reason END
WHERE space_id = $1 AND (memory_id, event_id) IN (
    SELECT memory_id, event_id FROM memory_event WHERE space_id = $1 AND actor_id = $2 LIMIT $3)

-- name: drop_memories
WITH gone AS (
    DELETE FROM memory
    WHERE space_id = $1 AND memory_id = ANY (ARRAY(
        SELECT memory_id FROM memory WHERE space_id = $1 AND memory_id <= $2 ORDER BY memory_id LIMIT $3))
    RETURNING memory_id, channel_id, tier, room, topic, tags, reinforced_at, forgotten_at, superseded_by),
change AS (
    SELECT channel_id, tier, room, topic, tags, -1 AS n, reinforced_at AS at FROM gone
    WHERE forgotten_at IS NULL AND superseded_by IS NULL),
{tallied}
SELECT memory_id FROM gone

-- name: drop_distilled
-- What was distilled since of what had been said until then.
WITH gone AS (
    DELETE FROM memory
    WHERE space_id = $1 AND memory_id = ANY (ARRAY(
        SELECT memory_id FROM memory
        WHERE space_id = $1 AND memory_id > $2 AND source = 'summary' AND said_at <= $3 ORDER BY memory_id LIMIT $4))
    RETURNING memory_id, channel_id, tier, room, topic, tags, reinforced_at, forgotten_at, superseded_by),
change AS (
    SELECT channel_id, tier, room, topic, tags, -1 AS n, reinforced_at AS at FROM gone
    WHERE forgotten_at IS NULL AND superseded_by IS NULL),
{tallied}
SELECT memory_id FROM gone

-- name: drop_tally
-- Of a space in which nothing is left.
DELETE FROM tally WHERE space_id = $1

-- name: drop_events_of
DELETE FROM memory_event WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[]))

-- name: drop_events
DELETE FROM memory_event
WHERE space_id = $1 AND (memory_id, event_id) IN (
    SELECT memory_id, event_id FROM memory_event
    WHERE space_id = $1 AND memory_id <= $2 ORDER BY memory_id, event_id LIMIT $3)

-- name: drop_tombstones
DELETE FROM tombstone
WHERE space_id = $1 AND memory_id = ANY (ARRAY(
    SELECT memory_id FROM tombstone WHERE space_id = $1 AND memory_id <= $2 ORDER BY memory_id LIMIT $3))

-- part: truth
-- What of a channel is to be tallied of one kind.
truth AS MATERIALIZED (
    SELECT part.room, part.name, count(*) FILTER (WHERE m.tier = 'short') AS short,
           count(*) FILTER (WHERE m.tier = 'long') AS long, max(m.reinforced_at) AS at
    FROM memory m CROSS JOIN LATERAL (
        SELECT '' AS room, '' AS name WHERE $3 = 'channel'
        UNION SELECT '', m.room WHERE $3 = 'room'
        UNION SELECT room.name, m.topic FROM (VALUES (''), (m.room)) AS room (name) WHERE $3 = 'topic'
        UNION SELECT '', tag FROM unnest(m.tags) AS tag WHERE $3 = 'tag') AS part
    WHERE m.space_id = $1 AND -m.channel_id = -$2::bigint AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
    GROUP BY 1, 2)

-- name: miscounted
-- How many names are tallied wrongly: a memory and its tally change in one statement, so no lock is needed to see that.
WITH
{truth}
SELECT count(*) FROM (SELECT * FROM tally WHERE space_id = $1 AND channel_id = $2 AND kind = $3) AS t
FULL JOIN truth ON truth.room = t.room AND truth.name = t.name
WHERE (t.short, t.long) IS DISTINCT FROM (truth.short, truth.long)

-- name: recount
-- The same, put right; how many.
WITH
{truth},
wrong AS MATERIALIZED (
    SELECT coalesce(truth.room, t.room) AS room, coalesce(truth.name, t.name) AS name, truth.short, truth.long, truth.at
    FROM (SELECT * FROM tally WHERE space_id = $1 AND channel_id = $2 AND kind = $3) AS t
    FULL JOIN truth ON truth.room = t.room AND truth.name = t.name
    WHERE (t.short, t.long) IS DISTINCT FROM (truth.short, truth.long)),
emptied AS (
    DELETE FROM tally USING wrong w
    WHERE tally.space_id = $1 AND tally.kind = $3 AND tally.room = w.room AND tally.name = w.name
      AND tally.channel_id = $2 AND w.short IS NULL),
counted AS (
    INSERT INTO tally (space_id, kind, room, name, channel_id, short, long, changed_at)
    SELECT $1, $3, w.room, w.name, $2, w.short, w.long, w.at FROM wrong w WHERE w.short IS NOT NULL
    ON CONFLICT (space_id, kind, room, name, channel_id) DO UPDATE
        SET short = excluded.short, long = excluded.long, changed_at = greatest(tally.changed_at, excluded.changed_at))
SELECT count(*) FROM wrong

-- name: tallied_channels
SELECT channel_id FROM channel WHERE space_id = $1
UNION
SELECT channel_id FROM tally WHERE space_id = $1 AND kind = 'channel'
ORDER BY channel_id
