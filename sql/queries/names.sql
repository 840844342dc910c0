-- Who had which name in a space, and when.

-- name: called
-- Who has or had these names, in small letters, or such as begin with them: since when, when they were last seen by it,
-- and from when on by another.
SELECT lower(m.name) AS name, lower(split_part(m.name, ' ', 1)) AS first, m.person_id, m.first_seen_at, m.last_seen_at,
       (SELECT min(greatest(o.first_seen_at, m.last_seen_at)) FROM member o
        WHERE o.space_id = $1 AND o.person_id = m.person_id AND o.last_seen_at > m.last_seen_at) AS left_at
FROM member m
WHERE m.space_id = $1 AND (lower(m.name) = ANY ($2::text[]) OR lower(split_part(m.name, ' ', 1)) = ANY ($2::text[]))
