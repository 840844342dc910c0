-- How often the common words of a large space are said there, as a sample of its rows tells. A search looks into the text
-- index for what is rare, and reads of what is common only the newest: the index has no order but that of its words.
CREATE TABLE common_word (
    space_id bigint NOT NULL,
    -- Whether messages or memories hold it.
    held_by text NOT NULL CHECK (held_by IN ('message', 'memory')),
    word text NOT NULL,
    rows bigint NOT NULL,
    PRIMARY KEY (space_id, held_by, word)
);
-- No statistics of what people say.
ALTER TABLE common_word
    ALTER COLUMN word SET STATISTICS 0;

-- How many rows a space has, and as of how many its common words were counted; none where it is small.
CREATE TABLE word_sample (
    space_id bigint NOT NULL,
    held_by text NOT NULL CHECK (held_by IN ('message', 'memory')),
    rows bigint NOT NULL,
    -- Counted up to this id.
    through_id bigint NOT NULL,
    sampled_rows bigint NOT NULL DEFAULT 0,
    sampled_at timestamptz,
    PRIMARY KEY (space_id, held_by)
);

-- What is heavy in the order in which it keeps its place, and what is held in the order in which it is shown.
CREATE INDEX memory_heavy ON memory (space_id, memory_id)
    WHERE tier = 'short' AND forgotten_at IS NULL AND superseded_by IS NULL AND importance >= 9;
DROP INDEX memory_held;
CREATE INDEX memory_held
    ON memory (space_id, (source = 'directive') DESC, importance DESC, said_at DESC, memory_id DESC)
    WHERE tier = 'short' AND forgotten_at IS NULL AND superseded_by IS NULL AND (pinned OR source = 'directive');
