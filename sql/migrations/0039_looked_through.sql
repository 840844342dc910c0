-- Up to when a channel was looked through with nothing left to do, as an id.
ALTER TABLE tracker ADD COLUMN looked_through bigint;

CREATE INDEX session_reset ON session (space_id, channel_id, number) WHERE was_reset;

-- The entries of a channel's ledger that may be shown, since a person's reset: what its rolling summary is made of.
CREATE VIEW fresh_chunk AS SELECT * FROM chunk
    WHERE withheld_at IS NULL AND text <> '' AND session_id > coalesce((
        SELECT e.session_id FROM session e
        WHERE e.space_id = chunk.space_id AND e.channel_id = chunk.channel_id AND e.was_reset
        ORDER BY e.number DESC LIMIT 1), 0);
