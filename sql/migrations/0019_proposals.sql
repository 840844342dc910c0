-- What a model would keep and its asker did not say, until they agree to it, or ten minutes are over.
CREATE TABLE proposal (
    space_id bigint NOT NULL,
    turn_id bigint NOT NULL,
    number smallint NOT NULL,
    room text NOT NULL,
    topic text NOT NULL,
    content text NOT NULL CHECK (content <> ''),
    importance smallint NOT NULL,
    tags text[] NOT NULL,
    -- Whose words they are, not who asked.
    author_id bigint,
    author text,
    -- What it was made of, as of a memory: the question, what others said, memories. It goes with whatever of that goes.
    evidence bigint[] NOT NULL,
    made_from bigint[] NOT NULL,
    -- Those of the evidence that are answers of Hathi's.
    replies bigint[] NOT NULL,
    proposed_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, turn_id, number)
);
ALTER TABLE proposal
    ALTER COLUMN room SET STATISTICS 0,
    ALTER COLUMN topic SET STATISTICS 0,
    ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN tags SET STATISTICS 0,
    ALTER COLUMN author SET STATISTICS 0;

-- What was erased, by ids alone and for two days: a day later it is looked whether anything of it is left.
CREATE TABLE erasure (
    space_id bigint NOT NULL,
    erasure_id bigint NOT NULL,
    messages bigint[] NOT NULL,
    memories bigint[] NOT NULL,
    erased_at timestamptz NOT NULL,
    checked_at timestamptz,
    PRIMARY KEY (space_id, erasure_id)
);
