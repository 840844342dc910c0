-- Notes of sessions. Each read binds the channels that may be seen, and shows nothing that has expired, nothing of who
-- opted out since, and nothing that was said in a message that is hidden.

-- name: save
-- In the channel's open session: the row lock keeps a reset from closing it in between. The number is given by the row
-- too; none is where the session has as many notes as it may have.
WITH here AS (
    UPDATE channel SET note_count = note_count + 1 WHERE space_id = $1 AND channel_id = $2
    RETURNING open_session_id, note_count)
INSERT INTO note (space_id, session_id, number, channel_id, actor, author_id, author, content, message_id, written_at,
                  expires_at)
SELECT $1, here.open_session_id, here.note_count, $3, $4, $5, $6, $7, $8, $9, $10
FROM here
WHERE (SELECT count(*) FROM note n
       WHERE n.space_id = $1 AND n.session_id = here.open_session_id AND n.expires_at > $9) < $11
RETURNING *

-- name: drop_of_turn
-- What a model noted when it answered a question.
DELETE FROM note WHERE space_id = $1 AND message_id = $2 AND actor = 'model'

-- name: living
-- Of a session of the channel; of its open one unless another is named.
SELECT n.*, count(*) OVER () AS total
FROM channel c
JOIN session s ON s.space_id = $1 AND s.channel_id = c.channel_id AND s.session_id = coalesce($5, c.open_session_id)
JOIN note n ON n.space_id = $1 AND n.session_id = s.session_id
WHERE c.space_id = $1 AND c.channel_id = $2 AND n.channel_id = ANY ($3::bigint[]) AND n.expires_at > $4
  AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= n.written_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = n.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= n.written_at) IS NOT TRUE
  AND (SELECT m.hidden_at FROM message m WHERE m.space_id = $1 AND m.message_id = n.message_id) IS NULL
ORDER BY n.number LIMIT $6 OFFSET $7

-- name: search
-- Those that hold any word of a query, the nearest first. They are few: each is read, and none is indexed.
WITH q AS MATERIALIZED (
    SELECT any_word($6, $7) AS words)
SELECT n.*
FROM channel c
JOIN session s ON s.space_id = $1 AND s.channel_id = c.channel_id AND s.session_id = coalesce($5, c.open_session_id)
JOIN note n ON n.space_id = $1 AND n.session_id = s.session_id
CROSS JOIN q
CROSS JOIN LATERAL search_vector($6, n.content) AS read (body)
WHERE c.space_id = $1 AND c.channel_id = $2 AND n.channel_id = ANY ($3::bigint[]) AND n.expires_at > $4
  AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= n.written_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = n.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= n.written_at) IS NOT TRUE
  AND (SELECT m.hidden_at FROM message m WHERE m.space_id = $1 AND m.message_id = n.message_id) IS NULL
  AND read.body @@ q.words
ORDER BY ts_rank(read.body, q.words) DESC, n.number DESC LIMIT $8

-- name: one
-- By its number, of the channel's open session or the one before; and which session is open.
SELECT n.*, c.open_session_id
FROM channel c
JOIN session s ON s.space_id = $1 AND s.channel_id = c.channel_id AND s.number >= c.session_count - 1
JOIN note n ON n.space_id = $1 AND n.session_id = s.session_id
WHERE c.space_id = $1 AND c.channel_id = $2 AND n.channel_id = ANY ($3::bigint[]) AND n.expires_at > $4
  AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= n.written_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = n.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= n.written_at) IS NOT TRUE
  AND (SELECT m.hidden_at FROM message m WHERE m.space_id = $1 AND m.message_id = n.message_id) IS NULL
  AND n.number = $5

-- name: typed
-- For whoever is typing a number or a word of the text: those of both sessions, the newest first.
SELECT n.*
FROM channel c
JOIN session s ON s.space_id = $1 AND s.channel_id = c.channel_id AND s.number >= c.session_count - 1
JOIN note n ON n.space_id = $1 AND n.session_id = s.session_id
WHERE c.space_id = $1 AND c.channel_id = $2 AND n.channel_id = ANY ($3::bigint[]) AND n.expires_at > $4
  AND (SELECT coalesce(p.opted_out_at, CASE WHEN p.erasing_at >= n.written_at THEN p.erasing_at END)
       FROM person p WHERE p.person_id = n.author_id) IS NULL
  AND ((SELECT s.emptying_at FROM space s WHERE s.space_id = $1) >= n.written_at) IS NOT TRUE
  AND (SELECT m.hidden_at FROM message m WHERE m.space_id = $1 AND m.message_id = n.message_id) IS NULL
  AND (starts_with(n.number::text, $5) OR strpos(lower(n.content), lower($5)) > 0)
ORDER BY starts_with(n.number::text, $5) DESC, n.number DESC LIMIT $6

-- name: remove
DELETE FROM note WHERE space_id = $1 AND session_id = $2 AND number = $3 RETURNING number

-- name: remove_session
DELETE FROM note WHERE space_id = $1 AND session_id = $2

-- name: remove_expired
-- What nobody is shown any more: its time is over, its author opted out, or undo can't bring back what it was said in.
DELETE FROM note
WHERE space_id = ANY ($1::bigint[])
  AND (expires_at <= $2
       OR EXISTS (SELECT 1 FROM person p WHERE p.person_id = note.author_id AND p.opted_out_at IS NOT NULL)
       OR EXISTS (SELECT 1 FROM message m WHERE m.space_id = ANY ($1::bigint[]) AND m.space_id = note.space_id
                  AND m.message_id = note.message_id AND m.hidden_at <= $3))
