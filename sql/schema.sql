-- The whole schema of today, to be read: what the migrations make, which alone are run.
-- Made by `python -m tests.schema_page --write`. Not here: the tables of vectors, one a model, made at run time.

CREATE EXTENSION btree_gin;
CREATE EXTENSION unaccent;
CREATE EXTENSION pg_trgm;

-- What a turn was shown, as its trail names it: messages, and the sessions of chat summaries.
CREATE FUNCTION source_ids(trail jsonb) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
    SELECT ARRAY(
        SELECT key::bigint FROM jsonb_path_query(trail, '$.sources[*].message[1] ? (@.type() == "number")') AS key
        UNION ALL
        SELECT key::bigint FROM jsonb_path_query(trail, '$.sources[*].session ? (@.type() == "number")') AS key)
$$;

CREATE TABLE migration (
    number integer NOT NULL,
    file text NOT NULL,
    checksum text NOT NULL,
    ran_at timestamptz NOT NULL,
    PRIMARY KEY (number)
);

CREATE TABLE space (
    space_id bigint NOT NULL,
    -- Text, not regconfig: an oid does not survive dump, restore or another server.
    language text NOT NULL,
    time_zone text NOT NULL DEFAULT 'UTC',
    prefix text NOT NULL DEFAULT '!',
    settings jsonb NOT NULL DEFAULT '{}',
    -- The last memory id given; its row lock is what makes two savers of one space take turns.
    memory_count bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    -- When Hathi told the community what it remembers; once, over all processes and restarts.
    introduced_at timestamptz,
    -- When something was last said in a space that is a person's direct messages: Discord does not list those.
    direct_at timestamptz,
    -- When Discord first left this server out when it named all of Hathi's.
    missed_at timestamptz,
    -- Since when Hathi is in this server no more, as far as is known; what is kept of it is erased some time after.
    gone_at timestamptz,
    -- The languages, each after a `+` but the first, by whose words some texts of the space may still be found.
    formerly text NOT NULL DEFAULT '',
    -- And since when all that was said in a space until then is.
    emptying_at timestamptz,
    -- Who is answered in a space, as its admins chose: those with one of these roles alone, and none with one of those;
    -- in these channels alone, and in none of those. A thread is its channel's.
    roles_allowed bigint[] NOT NULL DEFAULT '{}',
    roles_blocked bigint[] NOT NULL DEFAULT '{}',
    channels_allowed bigint[] NOT NULL DEFAULT '{}',
    channels_blocked bigint[] NOT NULL DEFAULT '{}',
    -- The last message by its id that was said before all of a space was erased: what stands on Discord up to it is
    -- told by no search and no talk around a question.
    emptied_through bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (space_id),
    CHECK (NOT roles_allowed && roles_blocked),
    CHECK (NOT channels_allowed && channels_blocked)
);
CREATE INDEX space_direct ON space (direct_at DESC) WHERE direct_at IS NOT NULL;
CREATE INDEX space_gone ON space (gone_at) WHERE gone_at IS NOT NULL;
-- No statistics of what people say.
ALTER TABLE space
    ALTER COLUMN settings SET STATISTICS 0;

-- Alone, so that workers can claim due spaces without touching their data; nothing points here.
CREATE TABLE upkeep (
    space_id bigint NOT NULL,
    next_due_at timestamptz NOT NULL,
    PRIMARY KEY (space_id)
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
    -- Whether everything said here is answered, not only what is said to Hathi.
    enabled boolean NOT NULL DEFAULT false,
    -- Which worker answers here, as long as it does.
    worker text,
    lease_until timestamptz,
    -- Whose readers are the audience of what is said here: a public thread's parent; itself when null.
    origin_id bigint,
    -- The last number given to a note of the place: numbers are never given twice, so N3 is one note for ever.
    note_count integer NOT NULL DEFAULT 0,
    -- The talk before a mention: how many messages of the channel join the prompt, where its admins want another number
    -- than whoever runs Hathi.
    around integer CHECK (around >= 0 AND around <= 50),
    -- Where Discord refuses Hathi a channel, it is not asked again at each start: here stands, as one number, what
    -- Hathi was allowed to do there when it was refused; it is asked again once that is another.
    refused_with bigint,
    -- The id that a message would have had when the channel's mode was set last; none where it never was.
    mode_since bigint,
    -- What is made of the talk of a channel, and by which workflow of the settings folder, where its admins want
    -- something else than whoever runs Hathi.
    makes text[] CHECK (makes <@ ARRAY['ledger', 'facts'] AND cardinality(makes) > 0),
    workflow text,
    -- Whether what mentions Hathi in a channel is answered in a thread made from it, in which no mention is needed.
    threads boolean NOT NULL DEFAULT false,
    PRIMARY KEY (space_id, channel_id)
);
-- The workflows that are in use anywhere.
CREATE INDEX channel_workflow ON channel (workflow) WHERE workflow IS NOT NULL;
-- A channel and its public threads, where something was said last the first. By minus the channel: what is known by its
-- key already is not to be looked for among all that a channel has.
CREATE INDEX channel_heard ON channel (space_id, (- COALESCE(origin_id, channel_id)), last_message_id DESC NULLS LAST);
-- No statistics of what people say.
ALTER TABLE channel
    ALTER COLUMN name SET STATISTICS 0;

CREATE TABLE person (
    person_id bigint NOT NULL,
    opted_out_at timestamptz,
    told_at timestamptz,
    -- The spaces a person was met in: what is theirs is found without a search through every space.
    spaces bigint[] NOT NULL DEFAULT '{}',
    -- Until when what a person said is not to be read on Discord either: they have erased it here.
    erased_at timestamptz,
    -- Since when what is somebody's is being erased, everywhere and in batches: until that is over, also where whoever
    -- did it was killed, none of it is read any more.
    erasing_at timestamptz,
    PRIMARY KEY (person_id)
);
-- Who was met in a space that is erased, without a look at everybody.
CREATE INDEX person_spaces ON person USING gin (spaces);
CREATE INDEX person_erasing ON person (person_id) WHERE erasing_at IS NOT NULL;

CREATE TABLE member (
    space_id bigint NOT NULL,
    person_id bigint NOT NULL,
    name text NOT NULL,
    first_seen_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    -- What the name looks like (`bot/text/lookalikes.py`): letters that are drawn alike are one letter.
    likeness text NOT NULL DEFAULT '',
    PRIMARY KEY (space_id, person_id, name)
);
-- Who is meant by a name, or by the first word of one: people who were met here, by their names of then and now.
CREATE INDEX member_name ON member (space_id, lower(name));
CREATE INDEX member_first_name ON member (space_id, lower(split_part(name, ' ', 1)));
CREATE INDEX member_likeness ON member (space_id, likeness);
-- Of a community's people those who were seen last are read, however many ever were there.
CREATE INDEX member_seen ON member (space_id, last_seen_at DESC);
-- No statistics of what people say.
ALTER TABLE member
    ALTER COLUMN name SET STATISTICS 0,
    ALTER COLUMN likeness SET STATISTICS 0;
ALTER INDEX member_name ALTER COLUMN 2 SET STATISTICS 0;
ALTER INDEX member_first_name ALTER COLUMN 2 SET STATISTICS 0;
ALTER TABLE member ALTER COLUMN space_id SET (n_distinct=1);

CREATE TABLE session (
    space_id bigint NOT NULL,
    session_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    number integer NOT NULL,
    state text NOT NULL CHECK (state IN ('open', 'closed', 'summarised', 'discarded', 'learning')),
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
    -- The message that told of the reset, to be edited when the summary is made, after a restart too.
    notice_place_id bigint,
    notice_id bigint,
    -- When its summary was, or is, to be made again; of a channel at most one an hour, however much is deleted in it.
    remade_at timestamptz,
    -- Whether a person ended it by a reset: what a model is shown of the ledger begins behind it.
    was_reset boolean NOT NULL DEFAULT false,
    -- Up to which message a session was in memory when it ended; none where none of it was. Undo of a reset goes back
    -- to there: what of that is made again meanwhile is no work of the reset's.
    kept_through bigint,
    PRIMARY KEY (space_id, session_id),
    CHECK ((state = 'open') = (closed_at IS NULL))
);
CREATE UNIQUE INDEX session_number ON session (space_id, channel_id, number);
CREATE UNIQUE INDEX session_open ON session (space_id, channel_id) WHERE state = 'open';
-- The sessions that still wait for a summary are few; the retry reads only them.
CREATE INDEX session_waiting ON session (space_id, next_attempt_at) WHERE state = 'closed';
CREATE INDEX session_remade ON session (space_id, channel_id, remade_at DESC) WHERE remade_at IS NOT NULL;
CREATE INDEX session_reset ON session (space_id, channel_id, number) WHERE was_reset;
-- What somebody ended by a reset, to be undone; and to be left unnamed where they erase what is theirs.
CREATE INDEX session_closed ON session (space_id, closed_by, closed_at) WHERE closed_by IS NOT NULL;
ALTER TABLE session ALTER COLUMN space_id SET (n_distinct=1);
ALTER TABLE session ALTER COLUMN channel_id SET (n_distinct=10);

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
    -- A message's channel_id is its audience; where it stands, if elsewhere, is its place: the thread of a channel.
    place_id bigint,
    PRIMARY KEY (space_id, message_id)
);
CREATE INDEX message_session ON message (space_id, session_id, message_id);
CREATE INDEX message_hidden ON message (space_id, hidden_at) WHERE hidden_at IS NOT NULL;
CREATE INDEX message_author ON message (space_id, author_id, message_id) WHERE author_id IS NOT NULL;
CREATE INDEX message_reply ON message (space_id, reply_to) WHERE role = 'hathi';
-- btree_gin puts space_id into the text index: without it a small space reads every space's postings. New messages wait
-- in a list that every search reads from end to end, until one of them puts all into the index: with a short list a
-- search costs next to nothing more, and that message waits milliseconds.
CREATE INDEX message_search ON message USING gin (space_id, search) WITH (gin_pending_list_limit='256')
    WHERE hidden_at IS NULL AND role = 'person';
-- What people said in a channel, by time: what happened in a while is read of many channels at once.
CREATE INDEX message_said ON message (space_id, channel_id, message_id) WHERE hidden_at IS NULL AND role = 'person';
-- No statistics of what people say.
ALTER TABLE message
    ALTER COLUMN author SET STATISTICS 0,
    ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN search SET STATISTICS 0;
ALTER TABLE message ALTER COLUMN space_id SET (n_distinct=1);

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
    -- Its question and reply are in no table: the channel's mode or a person's wish forbids it.
    unkept boolean NOT NULL DEFAULT false,
    -- What a reply was made from that is not stored: the ids of its messages, their authors and their places. Whichever
    -- goes takes the reply along, whose own record holds but links.
    made_from bigint[] NOT NULL DEFAULT '{}',
    -- Which of Hathi's own set texts a reply is; none where it is an answer. Such a text is no evidence, is never kept
    -- as a memory, and no model is told it as its own words.
    stock text,
    -- How often that had happened when what was kept of its reply was compared with what is left.
    compared bigint,
    -- Of a command in hand, how it is answered: 'message', or the token of its interaction, which is good for fifteen
    -- minutes. None of a question, and none once it is answered.
    command text,
    -- The channels that everyone who could read a reply could read when what it was made from was chosen.
    audience bigint[] NOT NULL DEFAULT '{}',
    -- What stands of a reply is to go, because somebody reads along by now or something it was made from is gone.
    withdrawing boolean NOT NULL DEFAULT false,
    PRIMARY KEY (space_id, turn_id)
);
-- Turns in hand are few: claiming, recovery and a waiting summary read only them.
CREATE INDEX turn_in_hand ON turn (space_id, channel_id, turn_id) WHERE state IN ('recorded', 'claimed', 'sending');
-- The last replies of a channel: without it a quiet channel's are looked for among those of its whole space.
CREATE INDEX turn_replied ON turn (space_id, channel_id, turn_id) WHERE state = 'answered' AND reply_ids <> '{}';
-- The same of what replies were made from. A turn is written several times while its reply is made: a short list.
CREATE INDEX turn_shown ON turn USING gin (space_id, shown) WITH (gin_pending_list_limit='64') WHERE shown <> '{}';
CREATE INDEX turn_sources ON turn USING gin (space_id, source_ids(trail)) WITH (gin_pending_list_limit='64')
    WHERE trail ? 'sources';
CREATE INDEX turn_made_from ON turn USING gin (space_id, made_from) WITH (gin_pending_list_limit='64')
    WHERE made_from <> '{}';
-- What somebody asked, without a look at every question of the space.
CREATE INDEX turn_asker ON turn (space_id, asker_id, turn_id);
-- No statistics of what people say.
ALTER TABLE turn
    ALTER COLUMN kept SET STATISTICS 0;
ALTER TABLE turn ALTER COLUMN space_id SET (n_distinct=1);

CREATE TABLE memory (
    space_id bigint NOT NULL,
    memory_id bigint NOT NULL,
    tier text NOT NULL CHECK (tier IN ('short', 'long')),
    room text NOT NULL,
    topic text NOT NULL,
    content text NOT NULL CHECK (content <> ''),
    importance smallint NOT NULL CHECK (importance >= 1 AND importance <= 10),
    importance_set smallint NOT NULL CHECK (importance_set >= 1 AND importance_set <= 10),
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
    -- What a memory was made from beside the messages it rests on: other memories, which an answer quoted or a model
    -- looked up. Whatever goes takes along what was made from it, over any number of steps.
    made_from bigint[] NOT NULL DEFAULT '{}',
    -- Since when what replaced this memory counts: as of any moment before, this one does.
    superseded_at timestamptz,
    PRIMARY KEY (space_id, memory_id)
) WITH (fillfactor=90);
-- The hash before the channel: with the channel second, the planner took this index for every read by channel and
-- fetched a whole space.
CREATE UNIQUE INDEX memory_fact ON memory (space_id, content_hash, channel_id)
    WHERE forgotten_at IS NULL AND superseded_by IS NULL;
-- In the order Active Memory fills its block; ageing reads it backwards.
CREATE INDEX memory_hot ON memory (space_id, importance DESC, said_at DESC, memory_id DESC)
    WHERE tier = 'short' AND forgotten_at IS NULL AND superseded_by IS NULL;
CREATE INDEX memory_forgotten ON memory (space_id, forgotten_at) WHERE forgotten_at IS NOT NULL;
CREATE INDEX memory_session ON memory (space_id, session_id) WHERE session_id IS NOT NULL;
-- What rests on each of somebody's messages is looked up thousands of times in a row: not with a list of what is not in
-- the index yet, which every look-up would read.
CREATE INDEX memory_evidence ON memory USING gin (space_id, evidence) WITH (fastupdate=off)
    WHERE forgotten_at IS NULL AND superseded_by IS NULL;
-- The versions that an edit has replaced: they go with the memory that replaced them.
CREATE INDEX memory_version ON memory (space_id, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memory_made_from ON memory USING gin (space_id, made_from) WHERE made_from <> '{}';
CREATE INDEX memory_search ON memory USING gin (space_id, search) WHERE forgotten_at IS NULL AND superseded_by IS NULL;
-- Apart from the one for what stands, which every recall reads.
CREATE INDEX memory_replaced ON memory USING gin (space_id, search)
    WHERE forgotten_at IS NULL AND superseded_by IS NOT NULL;
-- What rests on what was replaced is looked up with every question, to tell nobody an old value as the current one.
CREATE INDEX memory_outdated ON memory USING gin (space_id, evidence) WHERE superseded_by IS NOT NULL;
-- Memories in the orders in which they are listed, channel by channel. By minus the channel: to lists alone these are
-- of use, and no plan of a recall, which asks for channels as they are, is to walk all memories of some.
CREATE INDEX memory_listed ON memory (space_id, (- channel_id), importance DESC, said_at DESC, memory_id DESC) INCLUDE (channel_id)
    WHERE forgotten_at IS NULL AND superseded_by IS NULL;
CREATE INDEX memory_newest ON memory (space_id, (- channel_id), said_at DESC, memory_id DESC) INCLUDE (channel_id)
    WHERE forgotten_at IS NULL AND superseded_by IS NULL;
CREATE INDEX memory_room ON memory (space_id, (- channel_id), room, importance DESC, said_at DESC, memory_id DESC)
    WHERE forgotten_at IS NULL AND superseded_by IS NULL;
CREATE INDEX memory_topic ON memory (space_id, (- channel_id), topic, importance DESC, said_at DESC, memory_id DESC)
    WHERE forgotten_at IS NULL AND superseded_by IS NULL;
-- Of tags that few memories have; added to nothing for the same reason.
CREATE INDEX memory_tags ON memory USING gin (space_id, (tags || '{}'))
    WHERE forgotten_at IS NULL AND superseded_by IS NULL;
CREATE INDEX memory_author ON memory (space_id, author_id, (- channel_id), importance DESC, said_at DESC, memory_id DESC)
    WHERE author_id IS NOT NULL;
-- What is about somebody and was said by another is found as what they said themselves.
CREATE INDEX memory_subject ON memory (space_id, subject_id, (- channel_id), importance DESC, said_at DESC, memory_id DESC)
    WHERE subject_id IS NOT NULL;
-- What is heavy in the order in which it keeps its place, and what is held in the order in which it is shown.
CREATE INDEX memory_heavy ON memory (space_id, memory_id)
    WHERE tier = 'short' AND forgotten_at IS NULL AND superseded_by IS NULL AND importance >= 9;
-- What is shown first however unimportant it is.
CREATE INDEX memory_held ON memory (space_id, (source = 'directive') DESC, importance DESC, said_at DESC, memory_id DESC)
    WHERE tier = 'short' AND forgotten_at IS NULL AND superseded_by IS NULL AND (pinned OR source = 'directive');
-- A room is moved in the order of its memories, without a look at those of others. By the room and nothing: no plan of
-- a list, which asks for rooms as they are, is to read all that is in one.
CREATE INDEX memory_filed ON memory (space_id, (room || ''), memory_id);
-- What people ask to have removed, among all that is about anybody.
CREATE INDEX memory_asked ON memory (space_id, memory_id) WHERE metadata ? 'removal_asked_at';
-- What somebody said, and what is about them, in the order in which it is handed to them.
CREATE INDEX memory_said ON memory (space_id, author_id, memory_id) WHERE author_id IS NOT NULL;
CREATE INDEX memory_about ON memory (space_id, subject_id, memory_id) WHERE subject_id IS NOT NULL;
-- No statistics of what people say.
ALTER TABLE memory
    ALTER COLUMN room SET STATISTICS 0,
    ALTER COLUMN topic SET STATISTICS 0,
    ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN tags SET STATISTICS 0,
    ALTER COLUMN entities SET STATISTICS 0,
    ALTER COLUMN key_phrases SET STATISTICS 0,
    ALTER COLUMN metadata SET STATISTICS 0,
    ALTER COLUMN author SET STATISTICS 0,
    ALTER COLUMN search SET STATISTICS 0;
ALTER INDEX memory_tags ALTER COLUMN 2 SET STATISTICS 0;
ALTER INDEX memory_filed ALTER COLUMN 2 SET STATISTICS 0;
ALTER TABLE memory ALTER COLUMN space_id SET (n_distinct=1);

CREATE TABLE memory_event (
    space_id bigint NOT NULL,
    memory_id bigint NOT NULL,
    event_id bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL CHECK (kind IN ('saved', 'merged', 'superseded', 'aged', 'decayed', 'promoted', 'pinned',
        'unpinned', 'forgotten', 'restored', 'moved')),
    actor text NOT NULL CHECK (actor IN ('person', 'model', 'summary', 'job', 'import')),
    actor_id bigint,
    reason text,
    -- What a merge changed, so that undoing the reset that merged it can put it back.
    before jsonb,
    at timestamptz NOT NULL,
    PRIMARY KEY (space_id, memory_id, event_id)
);
-- What was promoted in a session, without a look at every event of the space.
CREATE INDEX memory_event_promoted ON memory_event (space_id, at) WHERE kind = 'promoted';
-- What somebody saved within the hour is counted by who acted and when; whoever is erased is still found by it.
CREATE INDEX memory_event_acted ON memory_event (space_id, actor_id, at) WHERE actor_id IS NOT NULL;
-- What the summary of a session saved, to be taken back with it.
CREATE INDEX memory_event_distilled ON memory_event (space_id, reason) WHERE actor = 'summary';
-- Whose a pin is: whoever moved a room has acted on all that was in it.
CREATE INDEX memory_event_pinned ON memory_event (space_id, actor_id, memory_id, event_id) WHERE kind = 'pinned';
-- No statistics of what people say.
ALTER TABLE memory_event
    ALTER COLUMN reason SET STATISTICS 0,
    ALTER COLUMN before SET STATISTICS 0;
ALTER TABLE memory_event ALTER COLUMN space_id SET (n_distinct=1);

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
-- What was forgotten lately, to be taken back: also where there never was a memory of it.
CREATE INDEX tombstone_at ON tombstone (space_id, at);
-- What is read on Discord for an answer is compared with what was forgotten, by its messages: a session that was
-- discarded leaves all of its own.
CREATE INDEX tombstone_evidence ON tombstone USING gin (space_id, evidence);
ALTER TABLE tombstone ALTER COLUMN space_id SET (n_distinct=1);

CREATE TABLE chat_summary (
    space_id bigint NOT NULL,
    summary_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    session_id bigint,
    text text NOT NULL,
    raw text NOT NULL,
    message_count integer NOT NULL,
    model text NOT NULL,
    created_at timestamptz NOT NULL,
    -- Since a message it was made from is forgotten; nobody is shown it again.
    withheld_at timestamptz,
    chunk_id bigint,
    PRIMARY KEY (space_id, summary_id),
    CHECK ((session_id IS NULL) <> (chunk_id IS NULL))
);
CREATE UNIQUE INDEX chat_summary_session ON chat_summary (space_id, session_id);
CREATE INDEX chat_summary_channel ON chat_summary (space_id, channel_id, summary_id DESC);
CREATE INDEX chat_summary_rolling ON chat_summary (space_id, channel_id, chunk_id) WHERE chunk_id IS NOT NULL;
-- What a forget withheld, to be shown again when that is undone.
CREATE INDEX chat_summary_withheld ON chat_summary (space_id, withheld_at) WHERE withheld_at IS NOT NULL;
-- No statistics of what people say.
ALTER TABLE chat_summary
    ALTER COLUMN text SET STATISTICS 0,
    ALTER COLUMN raw SET STATISTICS 0;
ALTER TABLE chat_summary ALTER COLUMN space_id SET (n_distinct=1);
ALTER TABLE chat_summary ALTER COLUMN channel_id SET (n_distinct=10);

CREATE TABLE job_run (
    job text NOT NULL,
    slot timestamptz NOT NULL,
    worker text NOT NULL,
    started_at timestamptz NOT NULL,
    finished_at timestamptz,
    outcome text,
    PRIMARY KEY (job, slot)
);
-- Old runs of jobs are deleted in batches.
CREATE INDEX job_run_slot ON job_run (slot);

-- One secret for the keyed hashes of what was forgotten; it never leaves the database.
CREATE TABLE secret (
    name text NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (name)
);

-- What was done once for the whole installation, such as the commands that Discord knows.
CREATE TABLE mark (
    name text NOT NULL,
    value text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (name)
);

-- The tables of vectors, one a model and dimension, made at run time where there is pgvector. One that has been dropped
-- stays here as retired; `filled_at` is when every text there was had its vector.
CREATE TABLE embedding_table (
    table_name text NOT NULL,
    model text NOT NULL,
    dimension integer NOT NULL,
    made_at timestamptz NOT NULL,
    filled_at timestamptz,
    retired_at timestamptz,
    -- Which worker fills it, as long as it does.
    worker text,
    lease_until timestamptz,
    PRIMARY KEY (table_name)
);

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
-- No statistics of what people say.
ALTER TABLE note
    ALTER COLUMN author SET STATISTICS 0,
    ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE note ALTER COLUMN space_id SET (n_distinct=1);

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

-- The foreign key removes it with its message, in the same transaction, whoever deletes that; and as every read joins
-- the message, it is hidden with it and shown again with it.
CREATE TABLE attachment (
    space_id bigint NOT NULL,
    message_id bigint NOT NULL,
    attachment_id bigint NOT NULL,
    -- The message's: whose readers may see it.
    channel_id bigint NOT NULL,
    name text NOT NULL,
    -- What it may be called by in a question: its name in words, with its extension and without.
    called text[] NOT NULL,
    content_type text,
    size bigint NOT NULL,
    state text NOT NULL CHECK (state IN ('text', 'unreadable', 'too_large', 'failed')),
    content text NOT NULL,
    search tsvector NOT NULL,
    read_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, message_id, attachment_id),
    FOREIGN KEY (space_id, message_id) REFERENCES message(space_id, message_id) ON DELETE CASCADE,
    CHECK ((state = 'text') = (content <> ''))
);
CREATE INDEX attachment_called ON attachment USING gin (space_id, called) WITH (fastupdate=off) WHERE state = 'text';
-- Without a list of what is not in the index yet, which every search would read: a file is stored in the background,
-- and can wait for its thousands of words to be put in.
CREATE INDEX attachment_search ON attachment USING gin (space_id, search) WITH (fastupdate=off) WHERE state = 'text';
-- No statistics of what people say.
ALTER TABLE attachment
    ALTER COLUMN name SET STATISTICS 0,
    ALTER COLUMN called SET STATISTICS 0,
    ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN search SET STATISTICS 0;
ALTER TABLE attachment ALTER COLUMN space_id SET (n_distinct=1);

-- How often something of a space was forgotten, erased, edited or discarded. An answer that was begun before looks
-- again before it is shown or recorded. Apart from the space's row: whoever takes something back locks this before all
-- else.
CREATE TABLE taken_back (
    space_id bigint NOT NULL,
    times bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (space_id)
);

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
    -- What it was made of, as of a memory: the question, what others said, memories. It goes with whatever of that
    -- goes.
    evidence bigint[] NOT NULL,
    made_from bigint[] NOT NULL,
    -- Those of the evidence that are answers of Hathi's.
    replies bigint[] NOT NULL,
    proposed_at timestamptz NOT NULL,
    -- What a model would do that its asker has to agree to, beside what it would keep: a command, held in the same way.
    command text,
    line text,
    PRIMARY KEY (space_id, turn_id, number),
    CHECK ((command IS NULL) = (line IS NULL))
);
-- No statistics of what people say.
ALTER TABLE proposal
    ALTER COLUMN room SET STATISTICS 0,
    ALTER COLUMN topic SET STATISTICS 0,
    ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN tags SET STATISTICS 0,
    ALTER COLUMN author SET STATISTICS 0,
    ALTER COLUMN command SET STATISTICS 0,
    ALTER COLUMN line SET STATISTICS 0;

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

-- Hathi's own messages that stand on Discord and tell of what somebody erased: by ids alone and for two days, in which
-- whoever erased may have them deleted there.
CREATE TABLE standing_reply (
    space_id bigint NOT NULL,
    -- Who erased, not who was answered.
    person_id bigint NOT NULL,
    message_id bigint NOT NULL,
    place_id bigint NOT NULL,
    noted_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, person_id, message_id)
);

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
    -- An entry of a ledger is found by its words, as messages are: when those are no longer kept, or stand apart in
    -- them.
    search tsvector NOT NULL DEFAULT '',
    PRIMARY KEY (space_id, chunk_id)
);
CREATE INDEX chunk_channel ON chunk (space_id, channel_id, chunk_id);
CREATE INDEX chunk_session ON chunk (space_id, session_id, chunk_id);
CREATE INDEX chunk_messages ON chunk USING gin (space_id, messages) WITH (fastupdate=off);
CREATE INDEX chunk_withheld ON chunk (space_id, withheld_at) WHERE withheld_at IS NOT NULL;
CREATE INDEX chunk_search ON chunk USING gin (space_id, search) WITH (gin_pending_list_limit='256')
    WHERE withheld_at IS NULL;
-- How a channel began is read from its first chunks on, however many followed.
CREATE INDEX chunk_first ON chunk (space_id, channel_id, first_message_id);
-- Whose words are in an entry of a ledger.
CREATE INDEX chunk_people ON chunk USING gin (space_id, people) WITH (fastupdate=off);
-- The entries of all ledgers in the order of what was said, without those that nobody is told of: what was only read
-- has no words, and is many times as much.
CREATE INDEX chunk_told ON chunk (space_id, chunk_id) WHERE withheld_at IS NULL AND text <> '';
-- No statistics of what people say.
ALTER TABLE chunk
    ALTER COLUMN text SET STATISTICS 0,
    ALTER COLUMN search SET STATISTICS 0;
ALTER TABLE chunk ALTER COLUMN space_id SET (n_distinct=1);
ALTER TABLE chunk ALTER COLUMN channel_id SET (n_distinct=10);

-- How far a channel's messages are in its memory, and who is at it. Apart from the channel: whoever takes something
-- back has locked the space by then, and whoever locks a channel locks the space after it.
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
    -- Up to where a channel's ledger is in its rolling summary, and was looked through for what is to be condensed: a
    -- process that ends between a chunk and its version leaves that to be done.
    rolled_through bigint,
    -- Up to when a channel was looked through with nothing left to do, as an id.
    looked_through bigint,
    PRIMARY KEY (space_id, channel_id)
);

-- What making memory cost, of each space and day: so that a budget holds over all processes and restarts.
CREATE TABLE memory_use (
    space_id bigint NOT NULL,
    -- Of UTC.
    day date NOT NULL,
    -- Calls of the summarizer, those that failed too; and tokens as its server counted them, else as they are
    -- estimated.
    calls integer NOT NULL DEFAULT 0,
    tokens_in bigint NOT NULL DEFAULT 0,
    tokens_out bigint NOT NULL DEFAULT 0,
    -- When a call was first refused that day: it is told once.
    spent_at timestamptz,
    PRIMARY KEY (space_id, day)
);

-- What Hathi reads of a channel's history from before it listened: who asked, how far it is, and who wants no part in
-- it.
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
    -- What of a channel's history is still to be read, the place that is being read first: the channel, then its public
    -- threads. None before the reading begins, and of one that began when no threads were read.
    places bigint[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (space_id, channel_id)
);

-- What the oldest chunks of a ledger came to, once it was past its budget. They stay where they are: this is one entry
-- in their place, for whoever is shown the ledger as a whole.
CREATE TABLE condensation (
    space_id bigint NOT NULL,
    condensation_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    -- The session that a person's reset ended last before it; 0 where none did. It tells of nothing on the other side.
    after_session_id bigint NOT NULL,
    -- It stands for every chunk since then, through the last; each was made of the one before and of what followed.
    first_chunk_id bigint NOT NULL,
    through_chunk_id bigint NOT NULL,
    -- How many they are.
    chunks integer NOT NULL,
    text text NOT NULL,
    -- Who wrote it; `extraction` where no model did.
    model text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, condensation_id)
);
CREATE INDEX condensation_channel ON condensation (space_id, channel_id, after_session_id, through_chunk_id);
-- No statistics of what people say.
ALTER TABLE condensation
    ALTER COLUMN text SET STATISTICS 0;

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
    PRIMARY KEY (space_id, kind, room, name, channel_id)
) WITH (fillfactor=90);
-- In these columns stand as expressions: a plan that is made once takes a space to be small, so that all indexes seem
-- alike to it, and would read all names of a channel, or of the space, through the wrong one.
CREATE INDEX tally_fullest ON tally (space_id, (- channel_id), ((kind || ':') || room), (short + long) DESC);
CREATE INDEX tally_begins ON tally (space_id, (channel_id | 0::bigint), ((kind || ':') || room), lower(name) text_pattern_ops);
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
ALTER TABLE tally ALTER COLUMN space_id SET (n_distinct=1);

-- How often the common words of a large space are said there, as a sample of its rows tells. A search looks into the
-- text index for what is rare, and reads of what is common only the newest: the index has no order but that of its
-- words.
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

-- What is changed of everything in a space: other languages have other words, and a room has another name in each of
-- its memories. It is done a batch at a time, and whoever goes on with it begins where this says.
CREATE TABLE rework (
    space_id bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('language', 'room')),
    -- The room's name before; of the language, of which there is one, nothing.
    former text NOT NULL,
    -- The name it has now, or the language.
    latter text NOT NULL,
    -- Of the language, which of a space's texts are gone over now; and the last row that was.
    stage smallint NOT NULL DEFAULT 0,
    after_id bigint NOT NULL,
    -- Of a room, its last memory when it was renamed: what is filed under that name since then is another room's.
    through_id bigint,
    -- How many were gone over, of how many; the latter is counted once it has begun.
    done bigint NOT NULL DEFAULT 0,
    total bigint,
    -- Who renamed the room, and how: with each of its memories that is told. Nobody any more where they have erased
    -- what is theirs.
    person_id bigint,
    reason text,
    started_at timestamptz NOT NULL,
    next_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, kind, former)
);
-- No statistics of what people say.
ALTER TABLE rework
    ALTER COLUMN former SET STATISTICS 0,
    ALTER COLUMN latter SET STATISTICS 0;

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

CREATE VIEW memory_shortterm AS
 SELECT space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags, entities,
    key_phrases, metadata, subject_id, author_id, author, channel_id, session_id, evidence, content_hash,
    seen_count, pinned, created_at, said_at, reinforced_at, last_used_at, aged_at, forgotten_at, superseded_by,
    search, made_from
   FROM memory
  WHERE tier = 'short' AND forgotten_at IS NULL AND superseded_by IS NULL;

CREATE VIEW memory_longterm AS
 SELECT space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags, entities,
    key_phrases, metadata, subject_id, author_id, author, channel_id, session_id, evidence, content_hash,
    seen_count, pinned, created_at, said_at, reinforced_at, last_used_at, aged_at, forgotten_at, superseded_by,
    search, made_from
   FROM memory
  WHERE tier = 'long' AND forgotten_at IS NULL AND superseded_by IS NULL;

CREATE VIEW standing_condensation AS
 SELECT space_id, condensation_id, channel_id, after_session_id, first_chunk_id, through_chunk_id, chunks,
    text, model, created_at
   FROM condensation
  WHERE NOT (EXISTS ( SELECT 1
           FROM chunk w
          WHERE w.space_id = condensation.space_id AND w.channel_id = condensation.channel_id AND w.session_id > condensation.after_session_id AND w.chunk_id <= condensation.through_chunk_id AND w.withheld_at IS NOT NULL));

CREATE VIEW fresh_chunk AS
 SELECT space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, people, text, model,
    created_at, withheld_at, search
   FROM chunk
  WHERE withheld_at IS NULL AND text <> '' AND session_id > COALESCE(( SELECT e.session_id
           FROM session e
          WHERE e.space_id = chunk.space_id AND e.channel_id = chunk.channel_id AND e.was_reset
          ORDER BY e.number DESC
         LIMIT 1), 0::bigint);

CREATE VIEW filed_memory AS
 SELECT m.space_id, m.memory_id, m.tier, COALESCE(r.latter, m.room) AS room, m.topic, m.content, m.importance,
    m.importance_set, m.source, m.tags, m.entities, m.key_phrases, m.metadata, m.subject_id, m.author_id,
    m.author, m.channel_id, m.session_id, m.evidence, m.content_hash, m.seen_count, m.pinned, m.created_at,
    m.said_at, m.reinforced_at, m.last_used_at, m.aged_at, m.forgotten_at, m.superseded_by, m.search,
    m.made_from, m.superseded_at
   FROM memory m
     LEFT JOIN rework r ON r.space_id = m.space_id AND r.kind = 'room' AND r.former = m.room AND m.memory_id <= r.through_id;

-- The text search configuration of a language; `simple`, which only tells words apart, where this server has none.
CREATE FUNCTION other_text_config(language text) RETURNS regconfig
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT coalesce((SELECT oid::regconfig FROM pg_ts_config
                     WHERE cfgname = language AND pg_ts_config_is_visible(oid)), 'simple'::regconfig)
$$;

-- Those that every server has are not looked up: this is put into the statement that calls it.
CREATE FUNCTION text_config(language text) RETURNS regconfig
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN language IN (
        'simple', 'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french',
        'german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali', 'norwegian',
        'portuguese', 'romanian', 'russian', 'serbian', 'spanish', 'swedish', 'tamil', 'turkish', 'yiddish')
    THEN language::regconfig ELSE other_text_config(language) END
$$;

-- The letters of scripts that leave no blanks between words, or whose words no stemmer of Postgres takes apart: Thai
-- and Lao, Burmese, Khmer, Chinese, Japanese, Korean.
CREATE FUNCTION unspaced_letters() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u3100-\u312f\u31a0-\u31ff'
           '\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]'
$$;

-- They are found by pairs. The last letter of a run also stands alone, so that each letter begins a word of the index
-- and a query of one letter finds it; in a query that would find what merely ends alike.
CREATE FUNCTION letter_pairs(body text, is_query boolean) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ARRAY(
        SELECT pair
        FROM (SELECT n, at, count(*) OVER run AS letters,
                     letter || coalesce(lead(letter) OVER (run ORDER BY at), '') AS pair
              FROM regexp_matches(body, unspaced_letters() || '+', 'g') WITH ORDINALITY AS runs (run, n),
                   string_to_table(run[1], NULL) WITH ORDINALITY AS spelled (letter, at)
              WINDOW run AS (PARTITION BY n)) AS found
        WHERE NOT is_query OR at < letters OR letters = 1
        ORDER BY n, at)
$$;

-- A text that is not all ASCII: accents, full-width letters and the like become plain ones first. Some endings are
-- known to a stemmer by their accents alone (arrivées, razões), so a text is also found by what it makes of those.
CREATE FUNCTION folded_vector(config regconfig, body text, is_query boolean) RETURNS tsvector
LANGUAGE plpgsql STABLE PARALLEL SAFE STRICT AS $$
DECLARE
    spelled text := regexp_replace(normalize(body, NFKC), '[-+/<>]', ' ', 'g');
    folded text := regexp_replace(unaccent(regexp_replace(spelled, '[\u0300-\u036f]+', '', 'g')), '[-+/<>]', ' ', 'g');
    words tsvector;
BEGIN
    IF folded ~ unspaced_letters() THEN
        RETURN to_tsvector(config, regexp_replace(folded, unspaced_letters() || '+', ' ', 'g'))
               || (SELECT string_agg(format('''%s'':%s', pair, least(at, 16383)), ' ')::tsvector
                   FROM unnest(letter_pairs(folded, is_query)) WITH ORDINALITY AS pairs (pair, at));
    END IF;
    words := to_tsvector(config, folded);
    IF is_query OR folded = spelled OR words = '' THEN
        RETURN words;
    END IF;
    RETURN words || to_tsvector('simple', coalesce((
        SELECT string_agg(stem, ' ' ORDER BY stem)
        FROM (SELECT unaccent(word) FROM unnest(tsvector_to_array(to_tsvector(config, spelled))) AS word
              EXCEPT SELECT unnest(tsvector_to_array(words))) AS stems (stem)), ''));
END
$$;

-- The words of a text as they are searched: without accents, reduced by the language's stemmer. Signs that the parser
-- takes for part of a word, or for a mark around one, part words here: gpt-4, 2026-05-08, yes/no, <Ann>.
CREATE FUNCTION search_vector(language text, body text) RETURNS tsvector
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length(body) = char_length(body)
                THEN to_tsvector(text_config(language), regexp_replace(body, '[-+/<>]', ' ', 'g'))
                ELSE folded_vector(text_config(language), body, false) END
$$;

-- A message is also found by its day, as people name it: '8 May 2026'.
CREATE FUNCTION message_vector(language text, body text, said_at timestamptz) RETURNS tsvector
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length(body) = char_length(body)
                THEN to_tsvector(text_config(language), regexp_replace(body, '[-+/<>]', ' ', 'g')
                                                        || to_char(said_at AT TIME ZONE 'UTC', ' FMDD FMMonth YYYY'))
                ELSE folded_vector(text_config(language),
                                   body || to_char(said_at AT TIME ZONE 'UTC', ' FMDD FMMonth YYYY'), false) END
$$;

-- The words a text is looked for by, each once: what `search_vector` makes of it, but for last letters. What
-- `query_words` has, and the words in the languages before.
CREATE FUNCTION query_words(language text, body text) RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT tsvector_to_array(
        CASE WHEN octet_length(body) = char_length(body) THEN search_vector(language, body)
             ELSE folded_vector(text_config(language), body, true) END)
$$;

-- One of them as a query; a letter that stands alone is looked for as the beginning of a pair.
CREATE FUNCTION query_term(word text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT '''' || replace(replace(word, '\', '\\'), '''', '''''') || ''''
           || CASE WHEN word ~ ('^' || unspaced_letters() || '$') THEN ':*' ELSE '' END
$$;

-- A query that any word of a text answers; of a very long one, as many as Postgres takes in one query. A query that any
-- of them answers.
CREATE FUNCTION any_word(language text, body text) RETURNS tsquery
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT coalesce(string_agg(query_term(word), ' | '), '')::tsquery
    FROM unnest((query_words(language, body))[:4096]) AS word
$$;

-- Which of 16 queries a text answers, as bits. Written out, as it is put into the statement that calls it.
CREATE FUNCTION term_mask(search tsvector, terms tsquery[]) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN search @@ terms[1] THEN 1 ELSE 0 END + CASE WHEN search @@ terms[2] THEN 2 ELSE 0 END
         + CASE WHEN search @@ terms[3] THEN 4 ELSE 0 END + CASE WHEN search @@ terms[4] THEN 8 ELSE 0 END
         + CASE WHEN search @@ terms[5] THEN 16 ELSE 0 END + CASE WHEN search @@ terms[6] THEN 32 ELSE 0 END
         + CASE WHEN search @@ terms[7] THEN 64 ELSE 0 END + CASE WHEN search @@ terms[8] THEN 128 ELSE 0 END
         + CASE WHEN search @@ terms[9] THEN 256 ELSE 0 END + CASE WHEN search @@ terms[10] THEN 512 ELSE 0 END
         + CASE WHEN search @@ terms[11] THEN 1024 ELSE 0 END + CASE WHEN search @@ terms[12] THEN 2048 ELSE 0 END
         + CASE WHEN search @@ terms[13] THEN 4096 ELSE 0 END + CASE WHEN search @@ terms[14] THEN 8192 ELSE 0 END
         + CASE WHEN search @@ terms[15] THEN 16384 ELSE 0 END + CASE WHEN search @@ terms[16] THEN 32768 ELSE 0 END
$$;

-- Tags. What of them is among the words a memory is found by: a domain by its bare name, and a person's own; what every
-- memory has, and how it came to be, are none, or a search for "type" would find everything.
CREATE FUNCTION tag_words(tags text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(string_agg(CASE WHEN tag LIKE 'domain:%' THEN substr(tag, 8) ELSE tag END, ' ' ORDER BY place), '')
    FROM unnest(tags) WITH ORDINALITY AS given (tag, place)
    WHERE tag <> 'auto' AND tag NOT LIKE 'type:%'
$$;

-- Which words a vector was made of: a text that was edited is told by it, without being kept beside its vector.
CREATE FUNCTION content_digest(body text) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE STRICT AS $$
    SELECT substr(sha256(convert_to(body, 'UTF8')), 1, 16)
$$;

-- Its words as they are searched. A file can hold more different ones than a vector takes (1 MiB): then of its
-- beginning. Without their places in the text, which nothing asks for and which are most of a vector.
CREATE FUNCTION attachment_vector(language text, body text) RETURNS tsvector
LANGUAGE plpgsql STABLE STRICT AS $$
DECLARE
    taken integer := char_length(body);
BEGIN
    LOOP
        BEGIN
            RETURN strip(search_vector(language, left(body, taken)));
        EXCEPTION WHEN program_limit_exceeded THEN
            taken := taken / 2;
        END;
    END LOOP;
END
$$;

-- The words a memory is found by: its topic counts for more than its content, and that for more than its tags. A memory
-- is also found by the names and key phrases it is filed with, which need not stand in its own words.
CREATE FUNCTION memory_vector(language text, topic text, content text, tags text[]) RETURNS tsvector
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT setweight(search_vector(language, topic), 'A')
           || setweight(search_vector(language, content), 'B')
           || setweight(search_vector(language, tag_words(tags)), 'C')
$$;

-- The words a memory is found by: its topic counts for more than its content, and that for more than its tags. A memory
-- is also found by the names and key phrases it is filed with, which need not stand in its own words.
CREATE FUNCTION memory_vector(language text, topic text, content text, tags text[], phrases text[]) RETURNS tsvector
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT setweight(search_vector(language, topic), 'A')
           || setweight(search_vector(language, content), 'B')
           || setweight(search_vector(language, tag_words(tags) || ' ' || array_to_string(phrases, ' ')), 'C')
$$;

-- The words of a text in those languages, each once.
CREATE FUNCTION other_words(formerly text, body text) RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT ARRAY(SELECT DISTINCT word
                 FROM unnest(string_to_array(formerly, '+')) AS asked (language)
                 CROSS JOIN LATERAL unnest(query_words(asked.language, body)) AS word ORDER BY word)
$$;

-- The words a text is looked for by, each once: what `search_vector` makes of it, but for last letters. What
-- `query_words` has, and the words in the languages before.
CREATE FUNCTION query_words(language text, formerly text, body text) RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN coalesce(formerly, '') = '' THEN query_words(language, body)
           ELSE ARRAY(SELECT unnest(query_words(language, body)) UNION SELECT unnest(other_words(formerly, body))
                      ORDER BY 1) END
$$;

-- A query that any word of a text answers; of a very long one, as many as Postgres takes in one query. A query that any
-- of them answers.
CREATE FUNCTION any_word(language text, formerly text, body text) RETURNS tsquery
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT coalesce(string_agg(query_term(word), ' | '), '')::tsquery
    FROM unnest((query_words(language, formerly, body))[:4096]) AS word
$$;

-- A query that only all words of a text answer, in whichever of the languages; nothing where it has none.
CREATE FUNCTION every_word(language text, formerly text, body text) RETURNS tsquery
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT string_agg(all_of_it, ' | ')::tsquery
    FROM (SELECT string_agg(query_term(word), ' & ') AS all_of_it
          FROM unnest(array_prepend(language, string_to_array(formerly, '+'))) AS asked (language)
          CROSS JOIN LATERAL unnest(query_words(asked.language, body)) AS word GROUP BY asked.language) AS read
$$;
