-- One entry in place of a ledger's oldest chunks, each made of the one before it and of the chunks that followed.

-- name: since
-- The session that a person's reset of a channel ended last; 0 where none did.
SELECT coalesce((SELECT e.session_id FROM session e
                 WHERE e.space_id = $1 AND e.channel_id = $2 AND e.was_reset ORDER BY e.number DESC LIMIT 1), 0)

-- name: newest
SELECT condensation_id, first_chunk_id, through_chunk_id, chunks, text FROM standing_condensation
WHERE space_id = $1 AND channel_id = $2 AND after_session_id = $3 ORDER BY through_chunk_id DESC LIMIT 1

-- name: rest
-- The chunks after it, in their order.
SELECT chunk_id, text, withheld_at IS NOT NULL AS is_withheld FROM chunk
WHERE space_id = $1 AND channel_id = $2 AND session_id > $3 AND chunk_id > $4 AND text <> ''
ORDER BY chunk_id LIMIT $5

-- name: add
INSERT INTO condensation (space_id, condensation_id, channel_id, after_session_id, first_chunk_id, through_chunk_id,
                          chunks, text, model, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)

-- name: erase
-- Those that tell of any of these chunks, or should since it was made: the ones before them stand.
DELETE FROM condensation USING unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS told (channel_id, session_id, chunk_id)
WHERE condensation.space_id = $1 AND condensation.channel_id = told.channel_id
  AND condensation.after_session_id < told.session_id AND condensation.through_chunk_id >= told.chunk_id

-- name: erase_of_place
DELETE FROM condensation WHERE space_id = $1 AND condensation_id = ANY (ARRAY(
    SELECT condensation_id FROM condensation WHERE space_id = $1 AND channel_id = ANY ($2::bigint[]) LIMIT $3))
