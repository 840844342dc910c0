-- What the admins of a space chose for a channel with its public threads, or for the whole space: which model answers,
-- as which persona, and which workflows may be run. By the name of what is chosen, one row a place.
CREATE TABLE place_setting (
    space_id bigint NOT NULL,
    -- 0 stands for the whole space; no channel of Discord's has that number.
    channel_id bigint NOT NULL,
    name text NOT NULL,
    value text NOT NULL CHECK (value <> ''),
    -- Who chose it; nobody any more where they have erased what is theirs.
    set_by bigint,
    set_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, channel_id, name)
);
