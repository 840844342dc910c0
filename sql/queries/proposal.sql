-- What models would keep that their askers did not say, or do that they did not ask for; few in a space, for minutes.

-- name: propose
INSERT INTO proposal (space_id, turn_id, number, room, topic, content, importance, tags, author_id, author, evidence,
                      made_from, replies, command, line, proposed_at)
SELECT $1, $2, f.number, f.room, f.topic, f.content, f.importance, f.tags, f.author_id, f.author, f.evidence,
       f.made_from, f.replies, f.command, f.line, $3
FROM jsonb_to_recordset($4::jsonb) AS f (
    number smallint, room text, topic text, content text, importance smallint, tags text[], author_id bigint,
    author text, evidence bigint[], made_from bigint[], replies bigint[], command text, line text)

-- name: of_turn
-- Whom a reply asked, and what of that still stands on all it was made of.
SELECT t.asker_id, p.*,
       NOT EXISTS (SELECT 1 FROM unnest(p.evidence) AS e (message_id)
                   LEFT JOIN message m ON m.space_id = $1 AND m.message_id = e.message_id
                   WHERE m.message_id IS NULL OR m.hidden_at IS NOT NULL)
       AND NOT EXISTS (SELECT 1 FROM unnest(p.made_from) AS e (memory_id)
                       LEFT JOIN memory m ON m.space_id = $1 AND m.memory_id = e.memory_id
                       WHERE m.memory_id IS NULL OR m.forgotten_at IS NOT NULL OR m.superseded_by IS NOT NULL)
       AS stands
FROM turn t LEFT JOIN proposal p ON p.space_id = $1 AND p.turn_id = t.turn_id
WHERE t.space_id = $1 AND t.channel_id = $2 AND t.turn_id = $3 AND t.state = 'answered'
ORDER BY p.number

-- name: drop
-- What was made of these messages or memories.
DELETE FROM proposal WHERE space_id = $1 AND (evidence && $2::bigint[] OR made_from && $3::bigint[])

-- name: drop_of_turn
DELETE FROM proposal WHERE space_id = $1 AND turn_id = $2

-- name: drop_acts
-- Before they are carried out: to agree twice does them once.
DELETE FROM proposal WHERE space_id = $1 AND turn_id = $2 AND command IS NOT NULL

-- name: expire
DELETE FROM proposal WHERE space_id = ANY ($1::bigint[]) AND proposed_at <= $2
