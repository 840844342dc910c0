-- How many living memories there are, kept and not counted: of a channel, and in it of each room, topic, topic of a room
-- and tag. Whatever changes memories changes these in the same statement, while it holds the lock of the space.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE tally (
    space_id bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('channel', 'room', 'topic', 'tag')),
    -- Of a topic its room; or nothing, of a topic whatever its room, as of all else.
    room text NOT NULL,
    -- What it is called; of a channel nothing.
    name text NOT NULL,
    channel_id bigint NOT NULL,
    short bigint NOT NULL,
    long bigint NOT NULL,
    -- When something of it was last saved, or said again.
    changed_at timestamptz NOT NULL,
    -- The channel last: what one name comes to in many channels stands side by side.
    PRIMARY KEY (space_id, kind, room, name, channel_id)
) WITH (fillfactor=90);
-- In these columns stand as expressions: a plan that is made once takes a space to be small, so that all indexes seem
-- alike to it, and would read all names of a channel, or of the space, through the wrong one.
CREATE INDEX tally_fullest ON tally (space_id, (-channel_id), (kind || ':' || room), (short + long) DESC);
CREATE INDEX tally_begins ON tally (space_id, (channel_id | 0), (kind || ':' || room), lower(name) text_pattern_ops);
-- Of channels there is nothing to look for, and a topic is found without its room.
CREATE INDEX tally_within ON tally USING gin (space_id, lower(name) gin_trgm_ops)
    WHERE kind <> 'channel' AND (room || '') = '';
-- No statistics of what people say.
ALTER TABLE tally
    ALTER COLUMN room SET STATISTICS 0,
    ALTER COLUMN name SET STATISTICS 0;
ALTER INDEX tally_fullest ALTER COLUMN 3 SET STATISTICS 0;
ALTER INDEX tally_begins ALTER COLUMN 3 SET STATISTICS 0;
ALTER INDEX tally_begins ALTER COLUMN 4 SET STATISTICS 0;
ALTER INDEX tally_within ALTER COLUMN 2 SET STATISTICS 0;

-- Names that came in a file, longer than an index has room for and than any that is given.
UPDATE memory SET room = left(room, 200), topic = left(topic, 200), tags = ARRAY(
    SELECT left(tag, 200) FROM unnest(tags) WITH ORDINALITY AS given (tag, place) ORDER BY place)
WHERE length(room) > 200 OR length(topic) > 200 OR length(array_to_string(tags, '')) > 200;

INSERT INTO tally (space_id, kind, room, name, channel_id, short, long, changed_at)
SELECT m.space_id, part.kind, part.room, part.name, m.channel_id, count(*) FILTER (WHERE m.tier = 'short'),
       count(*) FILTER (WHERE m.tier = 'long'), max(m.reinforced_at)
FROM memory m CROSS JOIN LATERAL (
    VALUES ('channel', '', ''), ('room', '', m.room), ('topic', '', m.topic), ('topic', m.room, m.topic)
    UNION SELECT 'tag', '', tag FROM unnest(m.tags) AS tag) AS part (kind, room, name)
WHERE m.forgotten_at IS NULL AND m.superseded_by IS NULL
GROUP BY 1, 2, 3, 4, 5;

-- Memories in the orders in which they are listed, channel by channel. By minus the channel: to lists alone these are of
-- use, and no plan of a recall, which asks for channels as they are, is to walk all memories of some.
CREATE INDEX memory_listed ON memory (space_id, (-channel_id), importance DESC, said_at DESC, memory_id DESC)
    INCLUDE (channel_id) WHERE forgotten_at IS NULL AND superseded_by IS NULL;
CREATE INDEX memory_newest ON memory (space_id, (-channel_id), said_at DESC, memory_id DESC)
    INCLUDE (channel_id) WHERE forgotten_at IS NULL AND superseded_by IS NULL;
CREATE INDEX memory_room ON memory (space_id, (-channel_id), room, importance DESC, said_at DESC, memory_id DESC)
    WHERE forgotten_at IS NULL AND superseded_by IS NULL;
CREATE INDEX memory_topic ON memory (space_id, (-channel_id), topic, importance DESC, said_at DESC, memory_id DESC)
    WHERE forgotten_at IS NULL AND superseded_by IS NULL;
-- Of tags that few memories have; added to nothing for the same reason.
CREATE INDEX memory_tags ON memory USING gin (space_id, (tags || '{}')) WHERE forgotten_at IS NULL AND superseded_by IS NULL;
ALTER INDEX memory_tags ALTER COLUMN 2 SET STATISTICS 0;
-- These in the same order too.
DROP INDEX memory_author, memory_subject;
CREATE INDEX memory_author ON memory (space_id, author_id, (-channel_id), importance DESC, said_at DESC, memory_id DESC)
    WHERE author_id IS NOT NULL;
CREATE INDEX memory_subject ON memory (space_id, subject_id, (-channel_id), importance DESC, said_at DESC, memory_id DESC)
    WHERE subject_id IS NOT NULL;
