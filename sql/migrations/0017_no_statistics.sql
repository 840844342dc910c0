-- What people say stands in no statistics: of a column's values Postgres keeps some, word for word, until it looks again,
-- which may be never. Plans don't need them: texts are found by indexes over what is asked for, never by how common it is.
-- What is there goes with a change of a column's type, to the type it has. No row is written for it, but the partial
-- indexes over such a column are built anew: some seconds for each 100,000 messages.

-- They depend on the columns of memories, and are made again as they were.
DROP VIEW memory_shortterm, memory_longterm;

ALTER TABLE message
    ALTER COLUMN author TYPE text, ALTER COLUMN author SET STATISTICS 0,
    ALTER COLUMN content TYPE text, ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN search TYPE tsvector, ALTER COLUMN search SET STATISTICS 0;
ALTER TABLE memory
    ALTER COLUMN room TYPE text, ALTER COLUMN room SET STATISTICS 0,
    ALTER COLUMN topic TYPE text, ALTER COLUMN topic SET STATISTICS 0,
    ALTER COLUMN content TYPE text, ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN tags TYPE text[], ALTER COLUMN tags SET STATISTICS 0,
    ALTER COLUMN entities TYPE text[], ALTER COLUMN entities SET STATISTICS 0,
    ALTER COLUMN key_phrases TYPE text[], ALTER COLUMN key_phrases SET STATISTICS 0,
    ALTER COLUMN metadata TYPE jsonb, ALTER COLUMN metadata SET STATISTICS 0,
    ALTER COLUMN author TYPE text, ALTER COLUMN author SET STATISTICS 0,
    ALTER COLUMN search TYPE tsvector, ALTER COLUMN search SET STATISTICS 0;
ALTER TABLE memory_event
    ALTER COLUMN reason TYPE text, ALTER COLUMN reason SET STATISTICS 0,
    ALTER COLUMN before TYPE jsonb, ALTER COLUMN before SET STATISTICS 0;
ALTER TABLE chat_summary
    ALTER COLUMN text TYPE text, ALTER COLUMN text SET STATISTICS 0,
    ALTER COLUMN raw TYPE text, ALTER COLUMN raw SET STATISTICS 0;
ALTER TABLE note
    ALTER COLUMN author TYPE text, ALTER COLUMN author SET STATISTICS 0,
    ALTER COLUMN content TYPE text, ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE attachment
    ALTER COLUMN name TYPE text, ALTER COLUMN name SET STATISTICS 0,
    ALTER COLUMN called TYPE text[], ALTER COLUMN called SET STATISTICS 0,
    ALTER COLUMN content TYPE text, ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN search TYPE tsvector, ALTER COLUMN search SET STATISTICS 0;
ALTER TABLE turn ALTER COLUMN kept TYPE text, ALTER COLUMN kept SET STATISTICS 0;
-- Names too; those of an index over an expression are its own.
ALTER TABLE member ALTER COLUMN name TYPE text, ALTER COLUMN name SET STATISTICS 0;
ALTER INDEX member_name ALTER COLUMN 2 SET STATISTICS 0;
ALTER INDEX member_first_name ALTER COLUMN 2 SET STATISTICS 0;
ALTER TABLE channel ALTER COLUMN name TYPE text, ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE space ALTER COLUMN settings TYPE jsonb, ALTER COLUMN settings SET STATISTICS 0;

CREATE VIEW memory_shortterm AS SELECT * FROM memory
    WHERE tier = 'short' AND forgotten_at IS NULL AND superseded_by IS NULL;
CREATE VIEW memory_longterm AS SELECT * FROM memory
    WHERE tier = 'long' AND forgotten_at IS NULL AND superseded_by IS NULL;
