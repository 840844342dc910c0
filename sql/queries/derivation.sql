-- What memories were made from: messages, their evidence, and other memories.

-- name: said
SELECT message_id, role, content FROM message WHERE space_id = $1 AND message_id IN (SELECT unnest($2::bigint[]))

-- name: resting
-- What rests on these messages, was made from these memories or is one of them, with every older version that an edit
-- replaced. What is forgotten and can still be undone is among it.
WITH RECURSIVE touched AS (
    SELECT memory_id FROM memory
    WHERE space_id = $1 AND evidence && $2::bigint[] AND forgotten_at IS NULL AND superseded_by IS NULL
    UNION
    SELECT memory_id FROM memory WHERE space_id = $1 AND evidence && $2::bigint[] AND forgotten_at IS NOT NULL
    UNION
    SELECT memory_id FROM memory WHERE space_id = $1 AND made_from && $3::bigint[] AND made_from <> '{}'
    UNION
    SELECT memory_id FROM memory WHERE space_id = $1 AND memory_id IN (SELECT unnest($3::bigint[]))),
version AS (
    SELECT memory_id FROM touched
    UNION
    SELECT m.memory_id FROM memory m JOIN version v ON m.superseded_by = v.memory_id
    WHERE m.space_id = $1 AND m.superseded_by IS NOT NULL)
SELECT m.* FROM memory m JOIN version v ON v.memory_id = m.memory_id WHERE m.space_id = $1 ORDER BY m.memory_id

-- name: kept_of
-- What somebody asked in plain words to be kept of a message, also as `!edit` has worded it since; but for commands. And
-- whether the message itself asked for it, as a list does, of which nothing else is recorded.
SELECT m.*, EXISTS (SELECT 1 FROM turn t WHERE t.space_id = $1 AND t.turn_id = $2) AS asked
FROM memory m
WHERE m.space_id = $1 AND m.evidence @> ARRAY[$2::bigint] AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
  AND EXISTS (SELECT 1 FROM memory_event e
              WHERE e.space_id = $1 AND e.memory_id = ANY (m.memory_id || m.made_from)
                AND e.kind = 'saved' AND e.reason = 'asked')
ORDER BY m.memory_id

-- name: unstored_of
-- What was distilled of a message that was read and is not stored.
SELECT m.* FROM memory m
WHERE m.space_id = $1 AND m.evidence @> ARRAY[$2::bigint] AND m.source = 'summary'
  AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
  AND EXISTS (SELECT 1 FROM chunk c WHERE c.space_id = $1 AND c.messages @> ARRAY[$2::bigint] AND c.model = '')
ORDER BY m.memory_id

-- name: first_evidence
-- What these memories rested on before they were said again.
SELECT DISTINCT ON (memory_id) memory_id,
       ARRAY(SELECT id::bigint FROM jsonb_array_elements_text(before -> 'evidence') AS id) AS evidence
FROM memory_event
WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[])) AND kind = 'merged' AND before ? 'evidence'
ORDER BY memory_id, event_id

-- name: cited
-- The memories that these of Hathi's replies cite, by the reply.
SELECT m.message_id, array_agg(substr(cited.label, 2)::bigint) AS memory_ids
FROM message m JOIN turn t ON t.space_id = $1 AND t.turn_id = m.reply_to
CROSS JOIN jsonb_array_elements_text(t.trail -> 'grounded' -> 'cited') AS cited (label)
WHERE m.space_id = $1 AND m.message_id IN (SELECT unnest($2::bigint[])) AND m.role = 'hathi'
  AND cited.label ~ '^#[0-9]{1,18}$'
GROUP BY m.message_id
