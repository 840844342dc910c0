-- The rolling summary of a channel: versions, each made of the one before it and the chunks since. What a reset wrote has
-- a session, and they have the last chunk they took in.
ALTER TABLE chat_summary
    ALTER COLUMN session_id DROP NOT NULL,
    ADD COLUMN chunk_id bigint,
    ADD CHECK ((session_id IS NULL) <> (chunk_id IS NULL));
CREATE INDEX chat_summary_rolling ON chat_summary (space_id, channel_id, chunk_id) WHERE chunk_id IS NOT NULL;
ALTER TABLE session
    -- Whether a person ended it by a reset: what a model is shown of the ledger begins behind it.
    ADD COLUMN was_reset boolean NOT NULL DEFAULT false;
UPDATE session SET was_reset = true WHERE closed_by IS NOT NULL;
