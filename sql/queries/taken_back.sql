-- How often something of a space was forgotten, erased, edited or discarded.

-- name: count
INSERT INTO taken_back (space_id, times) VALUES ($1, 1)
ON CONFLICT (space_id) DO UPDATE SET times = taken_back.times + 1
