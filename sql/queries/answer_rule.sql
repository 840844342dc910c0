-- Who is answered in a space, as its admins chose.

-- name: of
SELECT roles_allowed, roles_blocked, channels_allowed, channels_blocked FROM space WHERE space_id = $1

-- name: choose_role
-- What was chosen for the role before makes room; so many in all ($4), and no more.
UPDATE space SET
    roles_allowed = array_remove(roles_allowed, $2) || CASE WHEN $3::boolean THEN ARRAY[$2::bigint] ELSE '{}' END,
    roles_blocked = array_remove(roles_blocked, $2) || CASE WHEN $3::boolean THEN '{}' ELSE ARRAY[$2::bigint] END
WHERE space_id = $1 AND cardinality(array_remove(roles_allowed || roles_blocked, $2)) < $4
RETURNING space_id

-- name: choose_channel
UPDATE space SET
    channels_allowed = array_remove(channels_allowed, $2) || CASE WHEN $3::boolean THEN ARRAY[$2::bigint] ELSE '{}' END,
    channels_blocked = array_remove(channels_blocked, $2) || CASE WHEN $3::boolean THEN '{}' ELSE ARRAY[$2::bigint] END
WHERE space_id = $1 AND cardinality(array_remove(channels_allowed || channels_blocked, $2)) < $4
RETURNING space_id

-- name: clear
-- A role and a channel may have the same number: that of everyone's role is the server's, and so was its first channel's.
UPDATE space SET
    roles_allowed = CASE WHEN $3 = 'channel' THEN roles_allowed ELSE array_remove(roles_allowed, $2) END,
    roles_blocked = CASE WHEN $3 = 'channel' THEN roles_blocked ELSE array_remove(roles_blocked, $2) END,
    channels_allowed = CASE WHEN $3 = 'role' THEN channels_allowed ELSE array_remove(channels_allowed, $2) END,
    channels_blocked = CASE WHEN $3 = 'role' THEN channels_blocked ELSE array_remove(channels_blocked, $2) END
WHERE space_id = $1

-- name: clear_all
UPDATE space SET roles_allowed = '{}', roles_blocked = '{}', channels_allowed = '{}', channels_blocked = '{}'
WHERE space_id = $1
