-- What Hathi reads of a channel's history from before it listened: who asked, how far it is, and who wants no part in it.
CREATE TABLE learning (
    space_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    state text NOT NULL CHECK (state IN ('asked', 'announced', 'reading', 'stopped', 'done')),
    -- Who asked for it; nobody any more where they have erased what is theirs.
    asked_by bigint,
    asked_at timestamptz NOT NULL,
    since timestamptz NOT NULL,
    -- Hours between the announcement and the first message that is read.
    wait_hours integer NOT NULL,
    -- Messages, as they were estimated.
    about integer NOT NULL,
    begins_at timestamptz,
    -- The id a message said when the reading began would have: what is said later Hathi hears itself.
    until_id bigint,
    -- The last message that was read: from there on it goes on.
    through_id bigint NOT NULL,
    -- The session that takes the messages in now.
    session_id bigint,
    -- Whose messages are left out, and of whom some may still be there.
    left_out bigint[] NOT NULL DEFAULT '{}',
    leaving bigint[] NOT NULL DEFAULT '{}',
    messages_read integer NOT NULL DEFAULT 0,
    recorded integer NOT NULL DEFAULT 0,
    distilled integer NOT NULL DEFAULT 0,
    -- The message that announces it, and shows how far it is.
    notice_id bigint,
    -- Why it was stopped.
    why text,
    worker text,
    lease_until timestamptz,
    -- Failures in a row, and when it is tried again.
    attempts integer NOT NULL DEFAULT 0,
    next_at timestamptz,
    PRIMARY KEY (space_id, channel_id)
);
-- A session that takes in what is learned is neither the open one of its channel nor one that waits for its summary.
ALTER TABLE session
    DROP CONSTRAINT session_state_check,
    ADD CONSTRAINT session_state_check CHECK (state IN ('open', 'closed', 'summarised', 'discarded', 'learning'));
