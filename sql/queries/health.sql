-- What the server tells of itself: its version, its extensions, and how much it holds.

-- name: version
SELECT current_setting('server_version')

-- name: read_only
-- Of a standby it is on, too.
SELECT current_setting('transaction_read_only') = 'on'

-- name: extensions
SELECT name, installed_version FROM pg_available_extensions
WHERE name IN ('btree_gin', 'pg_trgm', 'unaccent', 'vector') ORDER BY name

-- name: sizes
-- How many rows the indexes of living and hot memories and of waiting sessions hold, as Postgres counted last; less
-- than nothing where it never did.
SELECT max(reltuples) FILTER (WHERE relname = 'memory_fact') AS living,
       max(reltuples) FILTER (WHERE relname = 'memory_hot') AS short,
       max(reltuples) FILTER (WHERE relname = 'session_waiting') AS waiting
FROM pg_class WHERE relname IN ('memory_fact', 'memory_hot', 'session_waiting') AND relkind = 'i'

-- name: counts
-- The same, counted: for a database small enough.
SELECT (SELECT count(*) FROM memory WHERE forgotten_at IS NULL AND superseded_by IS NULL) AS living,
       (SELECT count(*) FROM memory WHERE tier = 'short' AND forgotten_at IS NULL AND superseded_by IS NULL) AS short,
       (SELECT count(*) FROM session WHERE state = 'closed') AS waiting
