-- Who had which name in a space, and when.

-- name: called
-- Who has or had these names, in small letters, or such as begin with them: since when, when they were last seen by it,
-- and from when on by another.
SELECT lower(m.name) AS name, lower(split_part(m.name, ' ', 1)) AS first, m.person_id, m.first_seen_at, m.last_seen_at,
       (SELECT min(greatest(o.first_seen_at, m.last_seen_at)) FROM member o
        WHERE o.space_id = $1 AND o.person_id = m.person_id AND o.last_seen_at > m.last_seen_at) AS left_at
FROM member m
WHERE m.space_id = $1 AND (lower(m.name) = ANY ($2::text[]) OR lower(split_part(m.name, ' ', 1)) = ANY ($2::text[]))

-- name: namesakes
-- Everybody who is called now what looks like one of these names, or like what one of these people is called now; and
-- since when they had such a name, who had it first standing first.
WITH latest AS (
    SELECT called.likeness FROM unnest($3::bigint[]) AS asked (person_id) CROSS JOIN LATERAL (
        SELECT m.likeness FROM member m WHERE m.space_id = $1 AND m.person_id = asked.person_id
        ORDER BY m.last_seen_at DESC, m.name DESC LIMIT 1) AS called)
SELECT m.person_id, m.name, m.likeness,
       (SELECT min(f.first_seen_at) FROM member f
        WHERE f.space_id = $1 AND f.person_id = m.person_id AND f.likeness = m.likeness) AS since
FROM (SELECT unnest($2::text[]) UNION SELECT likeness FROM latest) AS alike (likeness)
CROSS JOIN LATERAL (
    SELECT * FROM member WHERE space_id = $1 AND likeness = alike.likeness OFFSET 0) AS m
WHERE m.name = (SELECT o.name FROM member o WHERE o.space_id = $1 AND o.person_id = m.person_id
                ORDER BY o.last_seen_at DESC, o.name DESC LIMIT 1)
ORDER BY since, m.person_id LIMIT $4

-- name: held
-- What the newest memories say that have one of some words in them.
SELECT newest.content FROM (
    SELECT content FROM memory WHERE space_id = $1 AND forgotten_at IS NULL AND superseded_by IS NULL
    ORDER BY memory_id DESC LIMIT $2) AS newest
WHERE newest.content ~* $3
