-- Discord: places and their audiences, who was met where, where a reset's message stands, and marks of what was done.

-- When Hathi told the community what it remembers; once, over all processes and restarts.
ALTER TABLE space
    ADD COLUMN introduced_at timestamptz,
    -- When something was last said in a space that is a person's direct messages: Discord does not list those.
    ADD COLUMN direct_at timestamptz;
CREATE INDEX space_direct ON space (direct_at DESC) WHERE direct_at IS NOT NULL;

ALTER TABLE channel
    -- Whether everything said here is answered, not only what is said to Hathi.
    ADD COLUMN enabled boolean NOT NULL DEFAULT false,
    -- Which worker answers here, as long as it does.
    ADD COLUMN worker text,
    ADD COLUMN lease_until timestamptz,
    -- Whose readers are the audience of what is said here: a public thread's parent; itself when null.
    ADD COLUMN origin_id bigint;

-- The spaces a person was met in: what is theirs is found without a search through every space.
ALTER TABLE person ADD COLUMN spaces bigint[] NOT NULL DEFAULT '{}';

-- A message's channel_id is its audience; where it stands, if elsewhere, is its place: the thread of a channel.
ALTER TABLE message ADD COLUMN place_id bigint;
CREATE INDEX message_author ON message (space_id, author_id, message_id) WHERE author_id IS NOT NULL;
CREATE INDEX memory_author ON memory (space_id, author_id) WHERE author_id IS NOT NULL;
-- The versions that an edit has replaced: they go with the memory that replaced them.
CREATE INDEX memory_version ON memory (space_id, superseded_by) WHERE superseded_by IS NOT NULL;

-- Its question and reply are in no table: the channel's mode or a person's wish forbids it.
ALTER TABLE turn ADD COLUMN unkept boolean NOT NULL DEFAULT false;

-- The message that told of the reset, to be edited when the summary is made, after a restart too.
ALTER TABLE session ADD COLUMN notice_place_id bigint, ADD COLUMN notice_id bigint;

-- What was done once for the whole installation, such as the commands that Discord knows.
CREATE TABLE mark (
    name text PRIMARY KEY,
    value text NOT NULL,
    at timestamptz NOT NULL
);
