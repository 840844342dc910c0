-- Up to which message a session was in memory when it ended; none where none of it was. Undo of a reset goes back to there:
-- what of that is made again meanwhile is no work of the reset's.
ALTER TABLE session ADD COLUMN kept_through bigint;
UPDATE session SET kept_through = (
    SELECT max(c.chunk_id) FROM chunk c
    WHERE c.space_id = session.space_id AND c.session_id = session.session_id AND c.model <> ''
      AND c.created_at < session.closed_at)
WHERE closed_at IS NOT NULL;
