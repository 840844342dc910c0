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
    -- Who renamed the room, and how: with each of its memories that is told. Nobody any more where they have erased what
    -- is theirs.
    person_id bigint,
    reason text,
    started_at timestamptz NOT NULL,
    next_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, kind, former)
);
-- No statistics of what people call their rooms.
ALTER TABLE rework
    ALTER COLUMN former SET STATISTICS 0,
    ALTER COLUMN latter SET STATISTICS 0;

-- Memories as they are filed: one of a room that was renamed is in the new one, wherever the batches are.
CREATE VIEW filed_memory AS
SELECT m.space_id, m.memory_id, m.tier, coalesce(r.latter, m.room) AS room, m.topic, m.content, m.importance,
       m.importance_set, m.source, m.tags, m.entities, m.key_phrases, m.metadata, m.subject_id, m.author_id, m.author,
       m.channel_id, m.session_id, m.evidence, m.content_hash, m.seen_count, m.pinned, m.created_at, m.said_at,
       m.reinforced_at, m.last_used_at, m.aged_at, m.forgotten_at, m.superseded_by, m.search, m.made_from,
       m.superseded_at
FROM memory m
LEFT JOIN rework r ON r.space_id = m.space_id AND r.kind = 'room' AND r.former = m.room AND m.memory_id <= r.through_id;

-- A room is moved in the order of its memories, without a look at those of others. By the room and nothing: no plan of a
-- list, which asks for rooms as they are, is to read all that is in one.
CREATE INDEX memory_filed ON memory (space_id, (room || ''), memory_id);
ALTER INDEX memory_filed ALTER COLUMN 2 SET STATISTICS 0;

-- The languages, each after a `+` but the first, by whose words some texts of the space may still be found.
ALTER TABLE space ADD COLUMN formerly text NOT NULL DEFAULT '';

-- The words of a text in those languages, each once.
CREATE FUNCTION other_words(formerly text, body text) RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT ARRAY(SELECT DISTINCT word
                 FROM unnest(string_to_array(formerly, '+')) AS asked (language)
                 CROSS JOIN LATERAL unnest(query_words(asked.language, body)) AS word ORDER BY word)
$$;

-- What `query_words` has, and the words in the languages before.
CREATE FUNCTION query_words(language text, formerly text, body text) RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN coalesce(formerly, '') = '' THEN query_words(language, body)
           ELSE ARRAY(SELECT unnest(query_words(language, body)) UNION SELECT unnest(other_words(formerly, body))
                      ORDER BY 1) END
$$;

-- A query that any of them answers.
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
