-- Up to when a channel was looked through with nothing left to do, as an id.
ALTER TABLE tracker ADD COLUMN looked_through bigint;

CREATE INDEX session_reset ON session (space_id, channel_id, number) WHERE was_reset;

-- The entries of a channel's ledger that may be shown, since a person's reset: what its rolling summary is made of.
CREATE VIEW fresh_chunk AS SELECT * FROM chunk
    WHERE withheld_at IS NULL AND text <> '' AND session_id > coalesce((
        SELECT e.session_id FROM session e
        WHERE e.space_id = chunk.space_id AND e.channel_id = chunk.channel_id AND e.was_reset
        ORDER BY e.number DESC LIMIT 1), 0);

-- Whose newest entry a version has taken in is rolled up; the others are looked at once.
UPDATE tracker SET rolled_through = ledger_through
WHERE rolled_through IS NULL AND NOT EXISTS (
    SELECT 1 FROM fresh_chunk c
    WHERE c.space_id = tracker.space_id AND c.channel_id = tracker.channel_id
      AND c.chunk_id > coalesce((SELECT max(v.chunk_id) FROM chat_summary v
                                 WHERE v.space_id = tracker.space_id AND v.channel_id = tracker.channel_id
                                   AND v.withheld_at IS NULL), 0));
