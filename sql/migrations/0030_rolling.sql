-- The rolling summary of a channel: versions, each made of the one before it and the chunks since. What a reset wrote has
-- a session, and they have the last chunk they took in.
ALTER TABLE chat_summary
    ALTER COLUMN session_id DROP NOT NULL,
    ADD COLUMN chunk_id bigint,
    ADD CHECK ((session_id IS NULL) <> (chunk_id IS NULL));
CREATE INDEX chat_summary_rolling ON chat_summary (space_id, channel_id, chunk_id) WHERE chunk_id IS NOT NULL;
ALTER TABLE tracker
    -- The last message before a person's reset: what a model is shown of the ledger begins behind it.
    ADD COLUMN fresh_after bigint NOT NULL DEFAULT 0;
