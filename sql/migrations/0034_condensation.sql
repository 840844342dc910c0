-- What the oldest chunks of a ledger came to, once it was past its budget. They stay where they are: this is one entry in
-- their place, for whoever is shown the ledger as a whole.
CREATE TABLE condensation (
    space_id bigint NOT NULL,
    condensation_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    -- The session that a person's reset ended last before it; 0 where none did. It tells of nothing on the other side.
    after_session_id bigint NOT NULL,
    -- It stands for every chunk since then, through the last; each was made of the one before and of what followed.
    first_chunk_id bigint NOT NULL,
    through_chunk_id bigint NOT NULL,
    -- How many they are.
    chunks integer NOT NULL,
    text text NOT NULL,
    -- Who wrote it; `extraction` where no model did.
    model text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, condensation_id)
);
CREATE INDEX condensation_channel ON condensation (space_id, channel_id, after_session_id, through_chunk_id);
-- No statistics of what people say.
ALTER TABLE condensation
    ALTER COLUMN text SET STATISTICS 0;

-- Those that may be shown: with a chunk that is withheld so is every condensation that tells of it, and undo brings both
-- back at once. Few chunks are withheld at any time.
CREATE VIEW standing_condensation AS SELECT * FROM condensation
    WHERE NOT EXISTS (SELECT 1 FROM chunk w
                      WHERE w.space_id = condensation.space_id AND w.channel_id = condensation.channel_id
                        AND w.session_id > condensation.after_session_id
                        AND w.chunk_id <= condensation.through_chunk_id AND w.withheld_at IS NOT NULL);
