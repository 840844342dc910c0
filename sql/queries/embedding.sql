-- Vectors of texts, for recall by meaning. Each model and dimension has a table of its own, made at run time: `{table}`
-- stands for its name, `{vector}` for the type of its vectors, `{kind}` for that type without its length, `{storage}`
-- for where they lie. `bot/store/vectors/vector_table.py` alone puts them in.
-- A vector is only ever told of a living row whose text is the one it was made of: every read joins it again.
-- Of several sentences each has a vector too, and half of the likeness is that of the likest. Which rows are nearest is
-- looked for by the whole text alone: the sentences of a space are many, and lie beside their rows.

-- name: support
-- The pgvector of this server, made in this database or to be made; nothing where it has none.
SELECT coalesce(installed_version, default_version) AS version FROM pg_available_extensions WHERE name = 'vector'

-- name: patience
-- Of this transaction alone. Making and dropping a table waits for whoever is using the tables it refers to, and all
-- others would wait behind it: better to give up and try again.
SELECT set_config('lock_timeout', $1, true)

-- name: extension
-- Whether this user may is known by trying: some who host Postgres let others than superusers.
CREATE EXTENSION IF NOT EXISTS vector

-- name: table
-- The foreign keys are what removes a vector with its text, in the same transaction, whoever deletes it and whether an
-- embedder is configured or not. `vector` is null where the embedder does not take the text, `sentences` where it is
-- one. In the row itself, where it fits, a vector is read twice as fast as beside it (measured, 1,536 dimensions).
CREATE TABLE IF NOT EXISTS {table} (
    space_id bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('memory', 'message')),
    id bigint NOT NULL,
    channel_id bigint NOT NULL,
    said_at timestamptz NOT NULL,
    content_hash bytea NOT NULL,
    vector {vector},
    sentences {vector}[],
    memory_id bigint GENERATED ALWAYS AS (CASE WHEN kind = 'memory' THEN id END) STORED,
    message_id bigint GENERATED ALWAYS AS (CASE WHEN kind = 'message' THEN id END) STORED,
    PRIMARY KEY (space_id, kind, id),
    FOREIGN KEY (space_id, memory_id) REFERENCES memory (space_id, memory_id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, message_id) REFERENCES message (space_id, message_id) ON DELETE CASCADE
);
ALTER TABLE {table} ALTER COLUMN vector SET STORAGE {storage};
ALTER TABLE {table} ALTER COLUMN sentences SET STORAGE EXTERNAL;
ALTER TABLE {table} ALTER COLUMN vector SET STATISTICS 0;
ALTER TABLE {table} ALTER COLUMN sentences SET STATISTICS 0;
CREATE INDEX IF NOT EXISTS {table}_newest ON {table} (space_id, said_at, kind, id);
CREATE INDEX IF NOT EXISTS {table}_memory ON {table} (space_id, memory_id) WHERE memory_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS {table}_message ON {table} (space_id, message_id) WHERE message_id IS NOT NULL

-- name: compact
VACUUM (FULL, ANALYZE) {table}

-- name: index
-- For spaces too large to be compared row by row; it holds at most 2,000 dimensions, or 4,000 of half the precision.
CREATE INDEX IF NOT EXISTS {table}_nearest ON {table} USING hnsw (vector {kind}_cosine_ops)

-- name: register
-- Just made; one that was there before and was dropped begins anew.
INSERT INTO embedding_table (table_name, model, dimension, made_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (table_name) DO UPDATE SET made_at = excluded.made_at, filled_at = NULL, retired_at = NULL, worker = NULL,
    lease_until = NULL

-- name: registered
-- Nothing, too, where somebody dropped it by hand.
SELECT filled_at FROM embedding_table
WHERE table_name = $1 AND retired_at IS NULL AND to_regclass(table_name) IS NOT NULL

-- name: claim
-- One worker fills a table; it keeps the lease for as long as it runs.
UPDATE embedding_table SET worker = $2, lease_until = $3
WHERE table_name = $1 AND retired_at IS NULL AND (worker = $2 OR lease_until IS NULL OR lease_until < $4)
RETURNING filled_at

-- name: filled
UPDATE embedding_table SET filled_at = $2 WHERE table_name = $1 AND filled_at IS NULL AND retired_at IS NULL

-- name: outdated
-- Tables of other models, or of an earlier form, that nobody fills any more.
SELECT table_name, model, dimension FROM embedding_table
WHERE retired_at IS NULL AND table_name <> $1 AND (worker = $2 OR lease_until IS NULL OR lease_until < $3)
ORDER BY made_at

-- name: drop
DROP TABLE IF EXISTS {table}

-- name: retire
UPDATE embedding_table SET retired_at = $2, worker = NULL, lease_until = NULL WHERE table_name = $1

-- name: fresh
-- Of these spaces, those with a text of late that has no vector of its words of now: messages since $3, memories past
-- the number that was the last when the space was looked through.
SELECT s.space_id FROM unnest($1::bigint[], $2::bigint[]) AS s (space_id, memory_id)
WHERE EXISTS (SELECT 1 FROM message m
              WHERE m.space_id = s.space_id AND m.message_id > $3 AND m.role = 'person' AND m.hidden_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM {table} e
                                WHERE e.space_id = s.space_id AND e.kind = 'message' AND e.id = m.message_id
                                  AND e.content_hash = content_digest(m.content)))
   OR EXISTS (SELECT 1 FROM memory m
              WHERE m.space_id = s.space_id AND m.memory_id > s.memory_id
                AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
                AND NOT EXISTS (SELECT 1 FROM {table} e
                                WHERE e.space_id = s.space_id AND e.kind = 'memory' AND e.id = m.memory_id))

-- name: pending_memories
-- Living memories without a vector of their words, newest first, between two numbers; not of who opted out.
SELECT m.memory_id AS id, content_digest(m.content) AS content_hash, left(m.content, $5) AS text
FROM memory m LEFT JOIN {table} e ON e.space_id = $1 AND e.kind = 'memory' AND e.id = m.memory_id
WHERE m.space_id = $1 AND m.memory_id > $2 AND m.memory_id < $3 AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
  AND NOT EXISTS (SELECT 1 FROM person p WHERE p.person_id = m.author_id AND p.opted_out_at IS NOT NULL)
  AND e.content_hash IS DISTINCT FROM content_digest(m.content)
ORDER BY m.memory_id DESC LIMIT $4

-- name: pending_messages
-- The same of what people said.
SELECT m.message_id AS id, content_digest(m.content) AS content_hash, left(m.content, $5) AS text
FROM message m LEFT JOIN {table} e ON e.space_id = $1 AND e.kind = 'message' AND e.id = m.message_id
WHERE m.space_id = $1 AND m.message_id > $2 AND m.message_id < $3 AND m.role = 'person' AND m.hidden_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM person p WHERE p.person_id = m.author_id AND p.opted_out_at IS NOT NULL)
  AND e.content_hash IS DISTINCT FROM content_digest(m.content)
ORDER BY m.message_id DESC LIMIT $4

-- name: write_memories
-- From the living rows, as they are now: what was forgotten or erased while the embedder worked is not there any more.
-- One that is just being erased is passed over, not waited for.
INSERT INTO {table} (space_id, kind, id, channel_id, said_at, content_hash, vector, sentences)
SELECT $1, 'memory', m.memory_id, m.channel_id, m.said_at, made.content_hash, made.vector::{vector},
       made.sentences::{vector}[]
FROM unnest($2::bigint[], $3::bytea[], $4::text[], $5::text[]) AS made (id, content_hash, vector, sentences)
JOIN memory m ON m.space_id = $1 AND m.memory_id = made.id
WHERE m.forgotten_at IS NULL AND m.superseded_by IS NULL AND content_digest(m.content) = made.content_hash
  AND NOT EXISTS (SELECT 1 FROM person p WHERE p.person_id = m.author_id AND p.opted_out_at IS NOT NULL)
FOR KEY SHARE OF m SKIP LOCKED
ON CONFLICT (space_id, kind, id) DO UPDATE SET content_hash = excluded.content_hash, vector = excluded.vector,
    sentences = excluded.sentences

-- name: write_messages
-- The same of what people said.
INSERT INTO {table} (space_id, kind, id, channel_id, said_at, content_hash, vector, sentences)
SELECT $1, 'message', m.message_id, m.channel_id, m.said_at, made.content_hash, made.vector::{vector},
       made.sentences::{vector}[]
FROM unnest($2::bigint[], $3::bytea[], $4::text[], $5::text[]) AS made (id, content_hash, vector, sentences)
JOIN message m ON m.space_id = $1 AND m.message_id = made.id
WHERE m.hidden_at IS NULL AND content_digest(m.content) = made.content_hash
  AND NOT EXISTS (SELECT 1 FROM person p WHERE p.person_id = m.author_id AND p.opted_out_at IS NOT NULL)
FOR KEY SHARE OF m SKIP LOCKED
ON CONFLICT (space_id, kind, id) DO UPDATE SET content_hash = excluded.content_hash, vector = excluded.vector,
    sentences = excluded.sentences

-- name: tidy
-- Vectors of what is hidden, replaced, or of somebody who opted out since. What is erased took its vector with it.
DELETE FROM {table} AS e
WHERE e.space_id = $1
  AND NOT EXISTS (SELECT 1 FROM memory m
                  WHERE m.space_id = $1 AND m.memory_id = e.memory_id AND m.forgotten_at IS NULL
                    AND m.superseded_by IS NULL
                    AND NOT EXISTS (SELECT 1 FROM person p
                                    WHERE p.person_id = m.author_id AND p.opted_out_at IS NOT NULL))
  AND NOT EXISTS (SELECT 1 FROM message m
                  WHERE m.space_id = $1 AND m.message_id = e.message_id AND m.hidden_at IS NULL
                    AND NOT EXISTS (SELECT 1 FROM person p
                                    WHERE p.person_id = m.author_id AND p.opted_out_at IS NOT NULL))

-- name: newest_memory
SELECT memory_count FROM space WHERE space_id = $1

-- name: progress
-- How many of a space's texts, said before a message and kept before a time if one is given, have their vectors.
SELECT count(*) AS of, count(e.id) AS made
FROM (SELECT 'memory' AS kind, m.memory_id AS id FROM memory m
      WHERE m.space_id = $1 AND ($3::timestamptz IS NULL OR m.created_at < $3)
        AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
        AND NOT EXISTS (SELECT 1 FROM person p WHERE p.person_id = m.author_id AND p.opted_out_at IS NOT NULL)
      UNION ALL
      SELECT 'message', m.message_id FROM message m
      WHERE m.space_id = $1 AND m.message_id < $2 AND m.role = 'person' AND m.hidden_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM person p WHERE p.person_id = m.author_id AND p.opted_out_at IS NOT NULL)) AS due
LEFT JOIN {table} e ON e.space_id = $1 AND e.kind = due.kind AND e.id = due.id

-- name: size
-- How many vectors a space has, up to a number.
SELECT count(*) FROM (SELECT 1 FROM {table} WHERE space_id = $1 LIMIT $2) AS vectors

-- name: nearest_of_all
-- Row by row: exact, and the same for the same rows. The sum keeps the planner from the index, which holds every space
-- and finds of a small one next to nothing. The question's vector is read once, not for every row.
WITH question AS MATERIALIZED (SELECT $3::text::{vector} AS vector),
near AS MATERIALIZED (
    SELECT e.kind, e.id, e.memory_id, e.message_id, e.content_hash, e.sentences,
           (e.vector <=> (SELECT vector FROM question)) + 0 AS distance
    FROM {table} e
    WHERE e.space_id = $1 AND e.channel_id = ANY ($2::bigint[]) AND e.vector IS NOT NULL
    ORDER BY distance, kind, id LIMIT $4),
sample AS (
    SELECT avg(1 - (distance + coalesce(likest, distance)) / 2) AS mean,
           stddev_pop(1 - (distance + coalesce(likest, distance)) / 2) AS deviation
    FROM (SELECT e.vector <=> (SELECT vector FROM question) AS distance, e.sentences FROM {table} e
          WHERE e.space_id = $1 AND e.channel_id = ANY ($2::bigint[]) AND e.vector IS NOT NULL
          ORDER BY e.said_at DESC, e.kind DESC, e.id DESC LIMIT $6) AS newest
    CROSS JOIN LATERAL (SELECT min(one <=> (SELECT vector FROM question)) AS likest
                        FROM unnest(newest.sentences) AS one) AS sentence)
SELECT near.kind, near.id, 1 - (near.distance + coalesce(sentence.likest, near.distance)) / 2 AS cosine,
       sample.mean, sample.deviation
FROM sample, near
CROSS JOIN LATERAL (SELECT min(one <=> (SELECT vector FROM question)) AS likest
                    FROM unnest(near.sentences) AS one) AS sentence
CROSS JOIN LATERAL (
    SELECT 1 FROM memory m
    WHERE m.space_id = $1 AND m.memory_id = near.memory_id AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND NOT EXISTS (SELECT 1 FROM person p WHERE p.person_id = m.author_id AND p.opted_out_at IS NOT NULL)
    UNION ALL
    SELECT 1 FROM message m
    WHERE m.space_id = $1 AND m.message_id = near.message_id AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.hidden_at IS NULL AND content_digest(m.content) = near.content_hash
      AND NOT EXISTS (SELECT 1 FROM person p WHERE p.person_id = m.author_id AND p.opted_out_at IS NOT NULL)) AS living
ORDER BY cosine DESC, near.kind, near.id LIMIT $5

-- name: widely
-- Of this transaction alone: how far the index is walked.
SELECT set_config('hnsw.ef_search', '400', true), set_config('hnsw.iterative_scan', 'strict_order', true)

-- name: nearest_by_index
-- The same of a space that is too large for it, by the index: nearly exact.
WITH question AS MATERIALIZED (SELECT $3::text::{vector} AS vector),
near AS MATERIALIZED (
    SELECT e.kind, e.id, e.memory_id, e.message_id, e.content_hash, e.sentences,
           e.vector <=> (SELECT vector FROM question) AS distance
    FROM {table} e
    WHERE e.space_id = $1 AND e.channel_id = ANY ($2::bigint[]) AND e.vector IS NOT NULL
    ORDER BY e.vector <=> (SELECT vector FROM question) LIMIT $4),
sample AS (
    SELECT avg(1 - (distance + coalesce(likest, distance)) / 2) AS mean,
           stddev_pop(1 - (distance + coalesce(likest, distance)) / 2) AS deviation
    FROM (SELECT e.vector <=> (SELECT vector FROM question) AS distance, e.sentences FROM {table} e
          WHERE e.space_id = $1 AND e.channel_id = ANY ($2::bigint[]) AND e.vector IS NOT NULL
          ORDER BY e.said_at DESC, e.kind DESC, e.id DESC LIMIT $6) AS newest
    CROSS JOIN LATERAL (SELECT min(one <=> (SELECT vector FROM question)) AS likest
                        FROM unnest(newest.sentences) AS one) AS sentence)
SELECT near.kind, near.id, 1 - (near.distance + coalesce(sentence.likest, near.distance)) / 2 AS cosine,
       sample.mean, sample.deviation
FROM sample, near
CROSS JOIN LATERAL (SELECT min(one <=> (SELECT vector FROM question)) AS likest
                    FROM unnest(near.sentences) AS one) AS sentence
CROSS JOIN LATERAL (
    SELECT 1 FROM memory m
    WHERE m.space_id = $1 AND m.memory_id = near.memory_id AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND NOT EXISTS (SELECT 1 FROM person p WHERE p.person_id = m.author_id AND p.opted_out_at IS NOT NULL)
    UNION ALL
    SELECT 1 FROM message m
    WHERE m.space_id = $1 AND m.message_id = near.message_id AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.hidden_at IS NULL AND content_digest(m.content) = near.content_hash
      AND NOT EXISTS (SELECT 1 FROM person p WHERE p.person_id = m.author_id AND p.opted_out_at IS NOT NULL)) AS living
ORDER BY cosine DESC, near.kind, near.id LIMIT $5

-- name: similarity
-- How near these rows are, found by whatever else.
WITH question AS MATERIALIZED (SELECT $3::text::{vector} AS vector)
SELECT e.kind, e.id, 1 - (whole.distance + coalesce(sentence.likest, whole.distance)) / 2 AS cosine
FROM unnest($4::text[], $5::bigint[]) AS wanted (kind, id)
JOIN {table} e ON e.space_id = $1 AND e.kind = wanted.kind AND e.id = wanted.id AND e.vector IS NOT NULL
CROSS JOIN LATERAL (SELECT e.vector <=> (SELECT vector FROM question) AS distance) AS whole
CROSS JOIN LATERAL (SELECT min(one <=> (SELECT vector FROM question)) AS likest
                    FROM unnest(e.sentences) AS one) AS sentence
CROSS JOIN LATERAL (
    SELECT 1 FROM memory m
    WHERE m.space_id = $1 AND m.memory_id = e.memory_id AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.forgotten_at IS NULL AND m.superseded_by IS NULL
      AND NOT EXISTS (SELECT 1 FROM person p WHERE p.person_id = m.author_id AND p.opted_out_at IS NOT NULL)
    UNION ALL
    SELECT 1 FROM message m
    WHERE m.space_id = $1 AND m.message_id = e.message_id AND (m.channel_id + 0) = ANY ($2::bigint[])
      AND m.hidden_at IS NULL AND content_digest(m.content) = e.content_hash
      AND NOT EXISTS (SELECT 1 FROM person p WHERE p.person_id = m.author_id AND p.opted_out_at IS NOT NULL)) AS living
