-- What facts that are being saved are compared with. It reads alone; the archivist holds the space by then.

-- name: near
-- What facts that are being saved are held against, for each by its place: what shares most words with it, of those that
-- it is looked for by. A memory is given by a person too where its author said again what a model had saved for them.
WITH given AS MATERIALIZED (
    SELECT place, query::tsquery AS words FROM unnest($3::text[]) WITH ORDINALITY AS t (query, place))
SELECT given.place, found.*,
       (SELECT e.actor FROM memory_event e
        WHERE e.space_id = $1 AND e.memory_id = found.memory_id
          AND (e.kind = 'saved' OR e.kind = 'merged' AND e.actor = 'person' AND e.actor_id = found.author_id)
        ORDER BY e.actor = 'person' DESC, e.event_id LIMIT 1) AS given_by
FROM given CROSS JOIN LATERAL (
    SELECT m.* FROM filed_memory m
    WHERE m.space_id = $1 AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND (m.channel_id + 0) = ANY ($2::bigint[]) AND m.search @@ given.words
    ORDER BY ts_rank(m.search, given.words) DESC, m.memory_id DESC LIMIT $4) AS found
ORDER BY given.place, ts_rank(found.search, given.words) DESC, found.memory_id DESC
