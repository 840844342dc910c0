-- What is changed of everything in a space, a batch at a time: where it stands, for whoever goes on with it.

-- name: begin_language
-- From the beginning, too, where another language is being gone over to.
INSERT INTO rework (space_id, kind, former, latter, after_id, started_at, next_at)
VALUES ($1, 'language', '', $2, $3, $4, $4)
ON CONFLICT (space_id, kind, former) DO UPDATE SET latter = excluded.latter, stage = 0, after_id = excluded.after_id,
    done = 0, total = NULL, started_at = excluded.started_at, next_at = excluded.next_at

-- name: begin_room
INSERT INTO rework (space_id, kind, former, latter, after_id, through_id, done, person_id, reason, started_at, next_at)
VALUES ($1, 'room', $2, $3, $4, $5, $6, $7, $8, $9, $9)

-- name: redirect
-- What is still on its way into a room goes where that goes.
UPDATE rework SET latter = $3 WHERE space_id = $1 AND kind = 'room' AND latter = $2

-- name: is_emptied
-- Whether a room is still on its way out of this name.
SELECT EXISTS (SELECT 1 FROM rework WHERE space_id = $1 AND kind = 'room' AND former = $2)

-- name: stands
-- Where the memories of a room stand, and which they are: what was filed in a room since it was renamed is no part of what
-- is on its way.
SELECT $2::text AS room, coalesce(max(through_id), 0) AS after_id, 9223372036854775807 AS through_id FROM rework
WHERE space_id = $1 AND kind = 'room' AND former = $2
UNION ALL
SELECT former, 0, through_id FROM rework WHERE space_id = $1 AND kind = 'room' AND latter = $2

-- name: due
SELECT space_id, kind, former, stage FROM rework WHERE space_id = ANY ($1::bigint[]) AND next_at <= $2
ORDER BY started_at, space_id, kind, former

-- name: hold
-- For one batch; nothing where somebody else has it in hand.
SELECT latter, stage, after_id, through_id, person_id, reason, started_at FROM rework
WHERE space_id = $1 AND kind = $2 AND former = $3 AND next_at <= $4 FOR UPDATE SKIP LOCKED

-- name: go_on
UPDATE rework SET stage = $4, after_id = $5, done = done + $6, next_at = $7
WHERE space_id = $1 AND kind = $2 AND former = $3

-- name: end
DELETE FROM rework WHERE space_id = $1 AND kind = $2 AND former = $3

-- name: end_languages
-- Every text of the space is found by the words of its language alone.
UPDATE space SET formerly = '' WHERE space_id = $1

-- name: uncounted
SELECT kind, former FROM rework WHERE space_id = $1 AND total IS NULL

-- name: count_texts
SELECT (SELECT count(*) FROM memory WHERE space_id = $1) + (SELECT count(*) FROM message WHERE space_id = $1)
     + (SELECT count(*) FROM chunk WHERE space_id = $1)
     + (SELECT count(*) FROM attachment WHERE space_id = $1 AND state = 'text')

-- name: count_room
-- What is left of it, and what was moved.
SELECT max(r.done) + count(*) FROM rework r
JOIN memory m ON m.space_id = $1 AND (m.room || '') = r.former AND m.memory_id <= r.through_id
WHERE r.space_id = $1 AND r.kind = 'room' AND r.former = $2

-- name: set_total
UPDATE rework SET total = $4 WHERE space_id = $1 AND kind = $2 AND former = $3 AND total IS NULL

-- name: under_way
SELECT kind, former, latter, stage, done, total FROM rework WHERE space_id = $1 ORDER BY started_at, kind, former

-- name: forget_person
UPDATE rework SET person_id = NULL WHERE space_id = $1 AND person_id = $2

-- name: drop_rooms
-- Their names are what people wrote. A language is no one's: its texts go, and so does what is left to do of them.
DELETE FROM rework WHERE space_id = $1 AND kind = 'room'

-- name: drop
DELETE FROM rework WHERE space_id = $1
