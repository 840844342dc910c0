-- A statement that is planned once, for all spaces, is planned for large ones: where most are small the planner believes
-- in an average of a hundred rows, reads them all where it could look for ten by their key, and does so in a space of a
-- million. What is planned for many rows is as fast where there are few. So the largest is taken for all there is.
ALTER TABLE attachment ALTER COLUMN space_id SET (n_distinct = 1);
ALTER TABLE chat_summary ALTER COLUMN space_id SET (n_distinct = 1);
ALTER TABLE chunk ALTER COLUMN space_id SET (n_distinct = 1);
ALTER TABLE member ALTER COLUMN space_id SET (n_distinct = 1);
ALTER TABLE memory ALTER COLUMN space_id SET (n_distinct = 1);
ALTER TABLE memory_event ALTER COLUMN space_id SET (n_distinct = 1);
ALTER TABLE message ALTER COLUMN space_id SET (n_distinct = 1);
ALTER TABLE note ALTER COLUMN space_id SET (n_distinct = 1);
ALTER TABLE session ALTER COLUMN space_id SET (n_distinct = 1);
ALTER TABLE tally ALTER COLUMN space_id SET (n_distinct = 1);
ALTER TABLE tombstone ALTER COLUMN space_id SET (n_distinct = 1);
ALTER TABLE turn ALTER COLUMN space_id SET (n_distinct = 1);
-- Known with the next statistics: made at once where there is anything.
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM message LIMIT 1) OR EXISTS (SELECT 1 FROM memory LIMIT 1) THEN
        ANALYZE attachment, chat_summary, chunk, member, memory, memory_event, message, note, session, tally, tombstone,
            turn;
    END IF;
END
$$;
