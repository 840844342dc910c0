-- What is gone is gone: servers that Hathi was removed from, and the indexes by which what is somebody's, or is past its
-- time, is found without a look at what is not.

-- Two migrations of before the first release were added to after they had landed; a database that ran the first of
-- either catches up.
DO $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM information_schema.columns
                   WHERE table_schema = current_schema() AND table_name = 'space' AND column_name = 'direct_at') THEN
        ALTER TABLE space ADD COLUMN direct_at timestamptz;
        -- Direct messages are a space with one channel, of the same number.
        UPDATE space SET direct_at = created_at
        WHERE space_id > 0 AND ARRAY[space_id] = ARRAY(SELECT channel_id FROM channel WHERE channel.space_id = space.space_id);
    END IF;
END
$$;
CREATE INDEX IF NOT EXISTS space_direct ON space (direct_at DESC) WHERE direct_at IS NOT NULL;
ALTER TABLE channel ADD COLUMN IF NOT EXISTS worker text, ADD COLUMN IF NOT EXISTS lease_until timestamptz;
CREATE INDEX IF NOT EXISTS memory_version ON memory (space_id, superseded_by) WHERE superseded_by IS NOT NULL;
ALTER INDEX message_search SET (gin_pending_list_limit = 256);

ALTER TABLE space
    -- When Discord first left this server out when it named all of Hathi's.
    ADD COLUMN missed_at timestamptz,
    -- Since when Hathi is in this server no more, as far as is known; what is kept of it is erased some time after.
    ADD COLUMN gone_at timestamptz;
CREATE INDEX space_gone ON space (gone_at) WHERE gone_at IS NOT NULL;
-- Who was met in a space that is erased, without a look at everybody.
CREATE INDEX person_spaces ON person USING gin (spaces);

-- What somebody asked, without a look at every question of the space.
CREATE INDEX turn_asker ON turn (space_id, asker_id, turn_id);
-- What rests on each of somebody's messages is looked up thousands of times in a row: not with a list of what is not in
-- the index yet, which every look-up would read.
ALTER INDEX memory_evidence SET (fastupdate = off);
SELECT gin_clean_pending_list('memory_evidence');
-- The same of what replies were made from. A turn is written several times while its reply is made: a short list.
ALTER INDEX turn_shown SET (gin_pending_list_limit = 64);
ALTER INDEX turn_sources SET (gin_pending_list_limit = 64);
ALTER INDEX turn_made_from SET (gin_pending_list_limit = 64);

-- Old runs of jobs are deleted in batches.
CREATE INDEX job_run_slot ON job_run (slot);
