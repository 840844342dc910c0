-- What a memory was made from beside the messages it rests on: other memories, which an answer quoted or a model looked
-- up. Whatever goes takes along what was made from it, over any number of steps.

ALTER TABLE memory ADD COLUMN made_from bigint[] NOT NULL DEFAULT '{}';

CREATE INDEX memory_made_from ON memory USING gin (space_id, made_from) WHERE made_from <> '{}';

CREATE OR REPLACE VIEW memory_shortterm AS
SELECT space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags, entities,
       key_phrases, metadata, subject_id, author_id, author, channel_id, session_id, evidence, content_hash,
       seen_count, pinned, created_at, said_at, reinforced_at, last_used_at, aged_at, forgotten_at, superseded_by,
       search, made_from
FROM memory WHERE tier = 'short' AND forgotten_at IS NULL AND superseded_by IS NULL;

CREATE OR REPLACE VIEW memory_longterm AS
SELECT space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags, entities,
       key_phrases, metadata, subject_id, author_id, author, channel_id, session_id, evidence, content_hash,
       seen_count, pinned, created_at, said_at, reinforced_at, last_used_at, aged_at, forgotten_at, superseded_by,
       search, made_from
FROM memory WHERE tier = 'long' AND forgotten_at IS NULL AND superseded_by IS NULL;

-- When its summary was, or is, to be made again; of a channel at most one an hour, however much is deleted in it.
ALTER TABLE session ADD COLUMN remade_at timestamptz;

CREATE INDEX session_remade ON session (space_id, channel_id, remade_at DESC) WHERE remade_at IS NOT NULL;
