-- Spaces, channels, people, messages, turns, sessions, memories and their events.
-- Every table that holds a space's data starts its primary key with space_id: the wall no memory crosses, and the
-- distribution key when one Postgres is outgrown.

CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS unaccent;

CREATE TABLE space (
    space_id bigint PRIMARY KEY,
    -- Text, not regconfig: an oid does not survive dump, restore or another server.
    language text NOT NULL,
    time_zone text NOT NULL DEFAULT 'UTC',
    prefix text NOT NULL DEFAULT '!',
    settings jsonb NOT NULL DEFAULT '{}',
    -- The last memory id given; its row lock is what makes two savers of one space take turns.
    memory_count bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL
);

-- Alone, so that workers can claim due spaces without touching their data; nothing points here.
CREATE TABLE upkeep (
    space_id bigint PRIMARY KEY,
    next_due_at timestamptz NOT NULL
);
CREATE INDEX upkeep_due ON upkeep (next_due_at);

CREATE TABLE channel (
    space_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    name text NOT NULL,
    mode text NOT NULL CHECK (mode IN ('off', 'explicit', 'addressed', 'all')),
    open_session_id bigint,
    session_count integer NOT NULL DEFAULT 0,
    last_message_id bigint,
    ledger_through bigint,
    facts_through bigint,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, channel_id)
);

CREATE TABLE person (
    person_id bigint PRIMARY KEY,
    opted_out_at timestamptz,
    told_at timestamptz
);

CREATE TABLE member (
    space_id bigint NOT NULL,
    person_id bigint NOT NULL,
    name text NOT NULL,
    first_seen_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, person_id, name)
);

CREATE TABLE session (
    space_id bigint NOT NULL,
    session_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    number integer NOT NULL,
    state text NOT NULL CHECK (state IN ('open', 'closed', 'summarised', 'discarded')),
    opened_at timestamptz NOT NULL,
    closed_at timestamptz,
    closed_by bigint,
    first_message_id bigint,
    last_message_id bigint,
    message_count integer NOT NULL DEFAULT 0,
    fact_count integer NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz,
    worker text,
    lease_until timestamptz,
    undone_at timestamptz,
    PRIMARY KEY (space_id, session_id),
    CHECK ((state = 'open') = (closed_at IS NULL))
);
CREATE UNIQUE INDEX session_number ON session (space_id, channel_id, number);
CREATE UNIQUE INDEX session_open ON session (space_id, channel_id) WHERE state = 'open';
-- The sessions that still wait for a summary are few; the retry reads only them.
CREATE INDEX session_waiting ON session (space_id, next_attempt_at) WHERE state = 'closed';

CREATE TABLE message (
    space_id bigint NOT NULL,
    message_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    session_id bigint NOT NULL,
    role text NOT NULL CHECK (role IN ('person', 'hathi')),
    author_id bigint,
    author text NOT NULL,
    content text NOT NULL,
    reply_to bigint,
    cut_off boolean NOT NULL DEFAULT false,
    said_at timestamptz NOT NULL,
    edited_at timestamptz,
    hidden_at timestamptz,
    search tsvector NOT NULL,
    PRIMARY KEY (space_id, message_id)
);
CREATE INDEX message_session ON message (space_id, session_id, message_id);
-- btree_gin puts space_id into the text index: without it a small space reads every space's postings.
CREATE INDEX message_search ON message USING gin (space_id, search) WHERE hidden_at IS NULL AND role = 'person';
CREATE INDEX message_hidden ON message (space_id, hidden_at) WHERE hidden_at IS NOT NULL;

CREATE TABLE turn (
    space_id bigint NOT NULL,
    turn_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    session_id bigint NOT NULL,
    asker_id bigint NOT NULL,
    state text NOT NULL CHECK (state IN ('recorded', 'claimed', 'sending', 'answered', 'failed')),
    worker text NOT NULL,
    lease_until timestamptz NOT NULL,
    -- What was shown so far of a reply that is still being sent; emptied when the reply is recorded.
    kept text,
    kept_whole boolean NOT NULL DEFAULT false,
    reply_ids bigint[] NOT NULL DEFAULT '{}',
    shown bigint[] NOT NULL DEFAULT '{}',
    trail jsonb NOT NULL DEFAULT '{}',
    model text,
    tokens_in integer NOT NULL DEFAULT 0,
    tokens_out integer NOT NULL DEFAULT 0,
    durations jsonb NOT NULL DEFAULT '{}',
    failure text,
    recorded_at timestamptz NOT NULL,
    answered_at timestamptz,
    PRIMARY KEY (space_id, turn_id)
);
-- Turns in hand are few: claiming, recovery and a waiting summary read only them.
CREATE INDEX turn_in_hand ON turn (space_id, channel_id, turn_id) WHERE state IN ('recorded', 'claimed', 'sending');

CREATE TABLE memory (
    space_id bigint NOT NULL,
    memory_id bigint NOT NULL,
    tier text NOT NULL CHECK (tier IN ('short', 'long')),
    room text NOT NULL,
    topic text NOT NULL,
    content text NOT NULL CHECK (content <> ''),
    importance smallint NOT NULL CHECK (importance BETWEEN 1 AND 10),
    importance_set smallint NOT NULL CHECK (importance_set BETWEEN 1 AND 10),
    source text NOT NULL CHECK (source IN ('summary', 'user', 'directive')),
    tags text[] NOT NULL,
    entities text[] NOT NULL DEFAULT '{}',
    key_phrases text[] NOT NULL DEFAULT '{}',
    metadata jsonb NOT NULL DEFAULT '{}',
    subject_id bigint,
    author_id bigint,
    author text,
    channel_id bigint NOT NULL,
    session_id bigint,
    evidence bigint[] NOT NULL DEFAULT '{}',
    content_hash bytea NOT NULL,
    seen_count integer NOT NULL DEFAULT 1,
    pinned boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    said_at timestamptz NOT NULL,
    reinforced_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    aged_at timestamptz,
    forgotten_at timestamptz,
    superseded_by bigint,
    search tsvector NOT NULL,
    PRIMARY KEY (space_id, memory_id)
) WITH (fillfactor = 90);
-- The hash before the channel: with the channel second, the planner took this index for every read by channel and
-- fetched a whole space.
CREATE UNIQUE INDEX memory_fact ON memory (space_id, content_hash, channel_id)
    WHERE forgotten_at IS NULL AND superseded_by IS NULL;
-- In the order Active Memory fills its block; ageing reads it backwards.
CREATE INDEX memory_hot ON memory (space_id, importance DESC, said_at DESC, memory_id DESC)
    WHERE tier = 'short' AND forgotten_at IS NULL AND superseded_by IS NULL;
-- What is shown first however unimportant it is.
CREATE INDEX memory_held ON memory (space_id)
    WHERE tier = 'short' AND forgotten_at IS NULL AND superseded_by IS NULL AND (pinned OR source = 'directive');
CREATE INDEX memory_search ON memory USING gin (space_id, search)
    WHERE forgotten_at IS NULL AND superseded_by IS NULL;
CREATE INDEX memory_forgotten ON memory (space_id, forgotten_at) WHERE forgotten_at IS NOT NULL;
CREATE INDEX memory_session ON memory (space_id, session_id) WHERE session_id IS NOT NULL;
CREATE INDEX memory_evidence ON memory USING gin (space_id, evidence)
    WHERE forgotten_at IS NULL AND superseded_by IS NULL;

CREATE VIEW memory_shortterm AS SELECT * FROM memory
    WHERE tier = 'short' AND forgotten_at IS NULL AND superseded_by IS NULL;
CREATE VIEW memory_longterm AS SELECT * FROM memory
    WHERE tier = 'long' AND forgotten_at IS NULL AND superseded_by IS NULL;

CREATE TABLE memory_event (
    space_id bigint NOT NULL,
    memory_id bigint NOT NULL,
    event_id bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL CHECK (kind IN
        ('saved', 'merged', 'superseded', 'aged', 'decayed', 'promoted', 'pinned', 'unpinned', 'forgotten', 'restored')),
    actor text NOT NULL CHECK (actor IN ('person', 'model', 'summary', 'job', 'import')),
    actor_id bigint,
    reason text,
    -- What a merge changed, so that undoing the reset that merged it can put it back.
    before jsonb,
    at timestamptz NOT NULL,
    PRIMARY KEY (space_id, memory_id, event_id)
);

CREATE TABLE tombstone (
    space_id bigint NOT NULL,
    memory_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    evidence bigint[] NOT NULL,
    -- Keyed, so that the table does not tell what was forgotten to whoever guesses at it.
    content_mac bytea NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (space_id, memory_id)
);
CREATE INDEX tombstone_mac ON tombstone (space_id, content_mac);

CREATE TABLE chat_summary (
    space_id bigint NOT NULL,
    summary_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    session_id bigint NOT NULL,
    text text NOT NULL,
    raw text NOT NULL,
    message_count integer NOT NULL,
    model text NOT NULL,
    created_at timestamptz NOT NULL,
    -- Since a message it was made from is forgotten; nobody is shown it again.
    withheld_at timestamptz,
    PRIMARY KEY (space_id, summary_id)
);
CREATE UNIQUE INDEX chat_summary_session ON chat_summary (space_id, session_id);
CREATE INDEX chat_summary_channel ON chat_summary (space_id, channel_id, summary_id DESC);

CREATE TABLE job_run (
    job text NOT NULL,
    slot timestamptz NOT NULL,
    worker text NOT NULL,
    started_at timestamptz NOT NULL,
    finished_at timestamptz,
    outcome text,
    PRIMARY KEY (job, slot)
);

-- One secret for the keyed hashes of what was forgotten; it never leaves the database.
CREATE TABLE secret (
    name text PRIMARY KEY,
    value bytea NOT NULL
);
