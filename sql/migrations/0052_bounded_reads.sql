-- What a question or a command reads of what a space has gathered it finds by an index, without a look at the rest.

-- What a forget withheld, to be shown again when that is undone.
CREATE INDEX chat_summary_withheld ON chat_summary (space_id, withheld_at) WHERE withheld_at IS NOT NULL;
-- What the summary of a session saved, to be taken back with it.
CREATE INDEX memory_event_distilled ON memory_event (space_id, reason) WHERE actor = 'summary';
-- Whose a pin is: whoever moved a room has acted on all that was in it.
CREATE INDEX memory_event_pinned ON memory_event (space_id, actor_id, memory_id, event_id) WHERE kind = 'pinned';
-- What somebody ended by a reset, to be undone; and to be left unnamed where they erase what is theirs.
CREATE INDEX session_closed ON session (space_id, closed_by, closed_at) WHERE closed_by IS NOT NULL;
-- What people ask to have removed, among all that is about anybody.
CREATE INDEX memory_asked ON memory (space_id, memory_id) WHERE metadata ? 'removal_asked_at';
-- What somebody said, and what is about them, in the order in which it is handed to them.
CREATE INDEX memory_said ON memory (space_id, author_id, memory_id) WHERE author_id IS NOT NULL;
CREATE INDEX memory_about ON memory (space_id, subject_id, memory_id) WHERE subject_id IS NOT NULL;
-- Whose words are in an entry of a ledger.
CREATE INDEX chunk_people ON chunk USING gin (space_id, people) WITH (fastupdate = off);
-- A channel and its public threads, where something was said last the first. By minus the channel: what is known by its
-- key already is not to be looked for among all that a channel has.
CREATE INDEX channel_heard ON channel (space_id, (-coalesce(origin_id, channel_id)), last_message_id DESC NULLS LAST);
-- And a channel may have most of what a space has: a plan that is made once is made for large ones, as of spaces, but not
-- so that a small one is looked for among what others have.
ALTER TABLE chat_summary ALTER COLUMN channel_id SET (n_distinct = 10);
ALTER TABLE chunk ALTER COLUMN channel_id SET (n_distinct = 10);
ALTER TABLE session ALTER COLUMN channel_id SET (n_distinct = 10);
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM session LIMIT 1) THEN
        ANALYZE channel, chat_summary, chunk, memory, memory_event, session;
    END IF;
END
$$;
