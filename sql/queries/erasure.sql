-- What was erased, and what may be left of it.

-- name: note
INSERT INTO erasure (space_id, erasure_id, messages, memories, erased_at) VALUES ($1, $2, $3, $4, $5)

-- name: due
-- Few rows: those of two days.
SELECT space_id, erasure_id, messages, memories FROM erasure
WHERE space_id = ANY ($1::bigint[]) AND erased_at <= $2 AND checked_at IS NULL
ORDER BY erasure_id LIMIT $3

-- name: residue
-- Rows by table that should be gone, or still name what is. A tombstone names it on purpose, and so does the event of a
-- memory, but for its words. Vectors and files have keys that no message or memory stands behind any more. What hangs on
-- an id is looked up id by id.
SELECT 'message' AS held_in, count(*) AS count FROM message
WHERE space_id = $1 AND message_id IN (SELECT unnest($2::bigint[]))
UNION ALL
SELECT 'reply', count(*) FROM unnest($2::bigint[]) AS gone (id)
JOIN message m ON m.space_id = $1 AND m.role = 'hathi' AND m.reply_to = gone.id
UNION ALL
SELECT 'attachment', count(*) FROM attachment WHERE space_id = $1 AND message_id IN (SELECT unnest($2::bigint[]))
UNION ALL
SELECT 'note', count(*) FROM note WHERE space_id = $1 AND message_id IN (SELECT unnest($2::bigint[]))
UNION ALL
SELECT 'memory', count(*) FROM memory WHERE space_id = $1 AND memory_id IN (SELECT unnest($3::bigint[]))
UNION ALL
SELECT 'evidence', count(*) FROM unnest($2::bigint[]) AS gone (id) CROSS JOIN LATERAL (
    SELECT 1 FROM memory y
    WHERE y.space_id = $1 AND y.evidence @> ARRAY[gone.id] AND y.forgotten_at IS NULL AND y.superseded_by IS NULL
      -- What its author had remembered anew, once it was forgotten, is not left over.
      AND NOT EXISTS (SELECT 1 FROM tombstone d
                      WHERE d.space_id = $1 AND d.evidence @> ARRAY[gone.id] AND d.at < y.created_at)
    OFFSET 0) AS resting
UNION ALL
SELECT 'made_from', count(*) FROM memory
WHERE space_id = $1 AND made_from && $3::bigint[] AND made_from <> '{}' AND forgotten_at IS NULL
UNION ALL
SELECT 'memory_event', count(*) FROM memory_event
WHERE space_id = $1 AND memory_id IN (SELECT unnest($3::bigint[]))
  AND (before IS NOT NULL OR (kind = 'promoted' AND reason IS NOT NULL))
UNION ALL
SELECT 'turn', count(*) FROM turn WHERE space_id = $1 AND turn_id = ANY ($2::bigint[]) AND kept <> ''
UNION ALL
SELECT 'chunk', count(*) FROM chunk WHERE space_id = $1 AND messages && $2::bigint[]
UNION ALL
-- Of what it was made of nothing may be missing: the newest tells of whatever those before it do.
SELECT 'condensation', count(*) FROM (
    SELECT DISTINCT ON (channel_id, after_session_id) channel_id, after_session_id, through_chunk_id, chunks
    FROM condensation WHERE space_id = $1
    ORDER BY channel_id, after_session_id, through_chunk_id DESC) AS newest
WHERE newest.through_chunk_id >= ANY ($2::bigint[]) AND newest.chunks <> (
    SELECT count(*) FROM chunk c
    WHERE c.space_id = $1 AND c.channel_id = newest.channel_id AND c.session_id > newest.after_session_id
      AND c.chunk_id <= newest.through_chunk_id AND c.text <> '')
UNION ALL
SELECT 'proposal', count(*) FROM proposal
WHERE space_id = $1 AND (evidence && $2::bigint[] OR made_from && $3::bigint[])

-- name: checked
UPDATE erasure SET checked_at = $3 WHERE space_id = $1 AND erasure_id = $2

-- name: tidy
DELETE FROM erasure WHERE space_id = ANY ($1::bigint[]) AND erased_at <= $2
