-- What is read of a channel's history: agreed on, announced, read a page at a time, and stopped.

-- name: ask
-- In place of one that is over, or was never agreed to; who wants no part in the channel's past still wants none.
INSERT INTO learning (space_id, channel_id, state, asked_by, asked_at, since, wait_hours, about, through_id)
VALUES ($1, $2, 'asked', $3, $4, $5, $6, $7, $8)
ON CONFLICT (space_id, channel_id) DO UPDATE SET state = 'asked', asked_by = excluded.asked_by,
    asked_at = excluded.asked_at, since = excluded.since, wait_hours = excluded.wait_hours, about = excluded.about,
    through_id = excluded.through_id, begins_at = NULL, until_id = NULL, session_id = NULL, messages_read = 0,
    recorded = 0, distilled = 0, notice_id = NULL, why = NULL, worker = NULL, lease_until = NULL, attempts = 0,
    next_at = NULL, places = '{}'
WHERE learning.state IN ('asked', 'stopped', 'done')
RETURNING channel_id

-- name: agree
-- Only to what was asked lately ($4), and by whoever asked.
UPDATE learning SET state = 'announced'
WHERE space_id = $1 AND channel_id = $2 AND asked_by = $3 AND state = 'asked' AND asked_at > $4
RETURNING channel_id

-- name: one
SELECT * FROM learning WHERE space_id = $1 AND channel_id = $2

-- name: of_space
-- Those of these channels and of their public threads that were agreed to, the newest first.
SELECT l.* FROM learning l LEFT JOIN channel c ON c.space_id = $1 AND c.channel_id = l.channel_id
WHERE l.space_id = $1 AND coalesce(c.origin_id, l.channel_id) = ANY ($2::bigint[]) AND l.state <> 'asked'
ORDER BY l.asked_at DESC, l.channel_id LIMIT $3

-- name: due
SELECT space_id, channel_id FROM learning
WHERE space_id = ANY ($1::bigint[])
  AND ((state = 'announced' AND (begins_at IS NULL OR begins_at <= $2)) OR state = 'reading' OR leaving <> '{}')
  AND (next_at IS NULL OR next_at <= $2) AND (lease_until IS NULL OR lease_until < $2)
ORDER BY asked_at LIMIT $3

-- name: claim
UPDATE learning SET worker = $3, lease_until = $4
WHERE space_id = $1 AND channel_id = $2
  AND ((state = 'announced' AND (begins_at IS NULL OR begins_at <= $5)) OR state = 'reading' OR leaving <> '{}')
  AND (lease_until IS NULL OR lease_until < $5 OR worker = $3)
RETURNING *

-- name: renew
UPDATE learning SET lease_until = $4 WHERE space_id = $1 AND channel_id = $2 AND worker = $3 RETURNING channel_id

-- name: release
UPDATE learning SET worker = NULL, lease_until = NULL, attempts = 0, next_at = NULL
WHERE space_id = $1 AND channel_id = $2 AND worker = $3

-- name: failed
-- How often in a row, with this time.
UPDATE learning SET attempts = attempts + 1 WHERE space_id = $1 AND channel_id = $2 AND worker = $3 RETURNING attempts

-- name: wait
UPDATE learning SET worker = NULL, lease_until = NULL, next_at = $4
WHERE space_id = $1 AND channel_id = $2 AND worker = $3

-- name: announced
UPDATE learning SET notice_id = $4, begins_at = $5
WHERE space_id = $1 AND channel_id = $2 AND worker = $3 AND state = 'announced'
RETURNING *

-- name: moved
-- The message that shows it is another one: that one ($3) was deleted, or it was stopped before its own was noted.
UPDATE learning SET notice_id = $4
WHERE space_id = $1 AND channel_id = $2 AND notice_id IS NOT DISTINCT FROM $3 AND asked_at = $5
RETURNING *

-- name: begin
UPDATE learning SET state = 'reading', until_id = $4, places = $5
WHERE space_id = $1 AND channel_id = $2 AND worker = $3 AND state = 'announced'
RETURNING *

-- name: left_out
-- Who wants no part in the channel's past ($2), nor in that of the thread being read ($3); of a thread learned by itself
-- nor in that of its channel.
SELECT left_out FROM learning
WHERE space_id = $1 AND (channel_id IN ($2, $3)
       OR channel_id = (SELECT origin_id FROM channel WHERE space_id = $1 AND channel_id = $2))
ORDER BY channel_id

-- name: hold
-- The same rows, and whether this worker reads it: whoever stops it, or wants no part in it, waits for what is being
-- recorded.
SELECT left_out, session_id, channel_id = $2 AND worker = $4 AND state = 'reading' AS is_held FROM learning
WHERE space_id = $1 AND (channel_id IN ($2, $3)
       OR channel_id = (SELECT origin_id FROM channel WHERE space_id = $1 AND channel_id = $2))
ORDER BY channel_id FOR NO KEY UPDATE

-- name: next_place
UPDATE learning SET places = places[2:], through_id = $5, session_id = NULL, attempts = 0
WHERE space_id = $1 AND channel_id = $2 AND worker = $3 AND state = 'reading' AND places[1] = $4
RETURNING *

-- name: advance
UPDATE learning SET through_id = $4, session_id = $5, messages_read = messages_read + $6, recorded = recorded + $7,
    distilled = distilled + $8, attempts = 0
WHERE space_id = $1 AND channel_id = $2 AND worker = $3 AND state = 'reading'
RETURNING *

-- name: finish
UPDATE learning SET state = 'done', session_id = NULL, worker = NULL, lease_until = NULL, attempts = 0, next_at = NULL
WHERE space_id = $1 AND channel_id = $2 AND worker = $3 AND state = 'reading'
RETURNING *

-- name: stop
-- By anybody who may, whoever is at it.
UPDATE learning SET state = 'stopped', why = $3, worker = NULL, lease_until = NULL, attempts = 0, next_at = NULL
WHERE space_id = $1 AND channel_id = $2 AND state IN ('asked', 'announced', 'reading')
RETURNING *

-- name: forget_session
-- It has taken in as much as a session takes, or the learning is over.
UPDATE learning SET session_id = NULL WHERE space_id = $1 AND channel_id = $2

-- name: open_session
-- It begins when its first message was said; that it is closed says no more than that nobody talks in it.
INSERT INTO session (space_id, session_id, channel_id, number, state, opened_at, closed_at)
VALUES ($1, $2, $3, $4, 'learning', $5, $5)

-- name: count_session
UPDATE channel SET session_count = $3 WHERE space_id = $1 AND channel_id = $2

-- name: hold_session
SELECT session_id FROM session WHERE space_id = $1 AND session_id = $2 AND state = 'learning' FOR NO KEY UPDATE

-- name: session_size
-- With what was only read: what it came to stands under a number below 0.
SELECT count(*) + (SELECT coalesce(sum(cardinality(k.messages)), 0)::bigint FROM chunk k
                   WHERE k.space_id = $1 AND k.session_id = $2 AND k.chunk_id < 0) AS messages,
       min(message_id) AS first_id, max(message_id) AS last_id, max(said_at) AS last_at
FROM message WHERE space_id = $1 AND session_id = $2

-- name: close_session
-- It waits for its summary as others do; where nothing may be distilled any more, it just ends.
UPDATE session SET state = CASE WHEN c.mode IN ('addressed', 'all') THEN 'closed' ELSE 'discarded' END,
    closed_at = greatest(session.opened_at, $3), first_message_id = $4, last_message_id = $5, message_count = $6,
    next_attempt_at = CASE WHEN c.mode IN ('addressed', 'all') THEN $7::timestamptz END
FROM channel c
WHERE session.space_id = $1 AND session.session_id = $2 AND session.state = 'learning'
  AND c.space_id = $1 AND c.channel_id = session.channel_id
RETURNING session.session_id

-- name: record
INSERT INTO message (space_id, message_id, channel_id, place_id, session_id, role, author_id, author, content, reply_to,
                     said_at, search)
SELECT $1, s.message_id, coalesce(c.origin_id, $2), CASE WHEN c.origin_id <> $2 THEN $2 END, $3, 'person', s.author_id,
       s.author, s.content, s.reply_to, s.said_at, message_vector($4, s.content, s.said_at)
FROM unnest($5::bigint[], $6::bigint[], $7::text[], $8::text[], $9::bigint[], $10::timestamptz[])
         AS s (message_id, author_id, author, content, reply_to, said_at)
JOIN channel c ON c.space_id = $1 AND c.channel_id = $2
ON CONFLICT (space_id, message_id) DO NOTHING
RETURNING message_id

-- name: name
-- By the names they had then, of those whose messages were recorded.
INSERT INTO member (space_id, person_id, name, first_seen_at, last_seen_at, likeness)
SELECT $1, s.person_id, s.name, min(s.said_at), max(s.said_at), min(s.likeness)
FROM unnest($2::bigint[], $3::text[], $4::timestamptz[], $5::text[]) AS s (person_id, name, said_at, likeness)
GROUP BY s.person_id, s.name
ON CONFLICT (space_id, person_id, name) DO UPDATE SET
    first_seen_at = least(member.first_seen_at, excluded.first_seen_at),
    last_seen_at = greatest(member.last_seen_at, excluded.last_seen_at)

-- name: leave
-- Once a person has said so it holds for every learning of the channel.
UPDATE learning SET left_out = array_append(array_remove(left_out, $3::bigint), $3::bigint),
    leaving = array_append(array_remove(leaving, $3::bigint), $3::bigint)
WHERE space_id = $1 AND channel_id = $2
RETURNING channel_id

-- name: theirs
-- What was learned of a person in a channel and its public threads, recorded or only read: in the sessions of their
-- past, whose ids are below 0.
(SELECT m.message_id FROM channel c JOIN session s ON s.space_id = $1 AND s.channel_id = c.channel_id
 JOIN message m ON m.space_id = $1 AND m.session_id = s.session_id
 WHERE c.space_id = $1 AND (c.channel_id = $2 OR -coalesce(c.origin_id, c.channel_id) = -$2::bigint) AND s.session_id < 0 AND m.author_id = $3 LIMIT $4)
UNION ALL
(SELECT said.message_id FROM channel c JOIN chunk k ON k.space_id = $1 AND k.channel_id = c.channel_id
 CROSS JOIN LATERAL unnest(k.messages) AS said (message_id)
 WHERE c.space_id = $1 AND (c.channel_id = $2 OR -coalesce(c.origin_id, c.channel_id) = -$2::bigint) AND k.session_id < 0 AND k.model = ''
   AND $3::bigint = ANY (k.people) LIMIT $4)
LIMIT $4

-- name: has_left
UPDATE learning SET leaving = array_remove(leaving, $3::bigint) WHERE space_id = $1 AND channel_id = $2 AND worker = $4
RETURNING *

-- name: forget_asker
UPDATE learning SET asked_by = NULL WHERE space_id = $1 AND asked_by = $2

-- name: erase_of_place
DELETE FROM learning WHERE space_id = $1 AND channel_id = ANY ($2::bigint[])

-- name: stop_all
-- Where all that was said is erased, or Hathi is gone: nothing more is read unless somebody asks anew.
UPDATE learning SET state = 'stopped', why = $2, session_id = NULL, worker = NULL, lease_until = NULL
WHERE space_id = $1 AND state IN ('asked', 'announced', 'reading')

-- name: close_all
-- What was read of the space's channels by then is summed up like the rest.
UPDATE session SET state = 'closed', next_attempt_at = $2 WHERE space_id = $1 AND state = 'learning'
