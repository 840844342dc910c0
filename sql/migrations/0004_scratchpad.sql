-- The scratchpad: notes of a session that live for a while, and what a session was shown when it began.

-- The last number given to a note of the place: numbers are never given twice, so N3 is one note for ever.
ALTER TABLE channel ADD COLUMN note_count integer NOT NULL DEFAULT 0;

CREATE TABLE note (
    space_id bigint NOT NULL,
    session_id bigint NOT NULL,
    number integer NOT NULL,
    -- Whose readers are its audience, as of a memory.
    channel_id bigint NOT NULL,
    actor text NOT NULL CHECK (actor IN ('person', 'model')),
    -- Whose it is: who gave the command, or asked what a model was at when it wrote this.
    author_id bigint NOT NULL,
    author text NOT NULL,
    content text NOT NULL CHECK (content <> ''),
    -- The message it was said in, or that was being answered: it goes with that.
    message_id bigint,
    written_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, session_id, number)
);
CREATE INDEX note_expiry ON note (space_id, expires_at);

-- What a session was shown when it began, by ids alone: what they stand for is read when it is shown, so nothing stays
-- here of what is forgotten.
CREATE TABLE wake (
    space_id bigint NOT NULL,
    session_id bigint NOT NULL,
    before_id bigint,
    made_at timestamptz NOT NULL,
    -- A room by its newest memory of then, with how many it had of late.
    room_memory_ids bigint[] NOT NULL,
    room_counts integer[] NOT NULL,
    memory_ids bigint[] NOT NULL,
    note_numbers integer[] NOT NULL,
    -- How many rooms, memories and notes there were besides.
    left_out integer[] NOT NULL,
    PRIMARY KEY (space_id, session_id)
);

-- What was promoted in a session, without a look at every event of the space.
CREATE INDEX memory_event_promoted ON memory_event (space_id, at) WHERE kind = 'promoted';
