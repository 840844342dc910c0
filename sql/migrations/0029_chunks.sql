-- The ledger of a channel: what runs of its messages came to, written in the background or by a reset.
CREATE TABLE chunk (
    space_id bigint NOT NULL,
    -- The id of its last message: a ledger is in the order of what was said.
    chunk_id bigint NOT NULL,
    -- Where people talked, as of a session.
    channel_id bigint NOT NULL,
    session_id bigint NOT NULL,
    first_message_id bigint NOT NULL,
    -- Of its last message, as it was read.
    last_hash bytea NOT NULL,
    -- All it was made of: no message is in two chunks, and whichever goes takes the chunk along.
    messages bigint[] NOT NULL,
    -- Whose words are in it, or were answered: what somebody said who opts out is told no more.
    people bigint[] NOT NULL DEFAULT '{}',
    text text NOT NULL,
    -- Who wrote it; `extraction` where no model did.
    model text NOT NULL,
    created_at timestamptz NOT NULL,
    -- Since a message it was made of is forgotten; nobody is shown it again.
    withheld_at timestamptz,
    PRIMARY KEY (space_id, chunk_id)
);
CREATE INDEX chunk_channel ON chunk (space_id, channel_id, chunk_id);
CREATE INDEX chunk_session ON chunk (space_id, session_id, chunk_id);
CREATE INDEX chunk_messages ON chunk USING gin (space_id, messages) WITH (fastupdate=off);
CREATE INDEX chunk_withheld ON chunk (space_id, withheld_at) WHERE withheld_at IS NOT NULL;
-- No statistics of what people say.
ALTER TABLE chunk
    ALTER COLUMN text SET STATISTICS 0;

-- How far a channel's messages are in its memory, and who is at it. Apart from the channel: whoever takes something back
-- has locked the space by then, and whoever locks a channel locks the space after it.
CREATE TABLE tracker (
    space_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    -- The last message that is in the ledger, and the last that facts were looked for in, each with its hash.
    ledger_through bigint,
    ledger_hash bytea,
    facts_through bigint,
    facts_hash bytea,
    -- Which worker makes chunks here, as long as it does.
    worker text,
    lease_until timestamptz,
    -- Failures in a row, and when it is tried again.
    attempts integer NOT NULL DEFAULT 0,
    next_at timestamptz,
    -- When what was taken back is made again, without what is gone; and when that was done last.
    remake_at timestamptz,
    remade_at timestamptz,
    PRIMARY KEY (space_id, channel_id)
);
