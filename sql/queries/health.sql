-- name: version
SELECT current_setting('server_version')

-- name: extensions
SELECT name, installed_version FROM pg_available_extensions
WHERE name IN ('btree_gin', 'unaccent', 'vector') ORDER BY name
