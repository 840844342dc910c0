-- Why a reply says what it says: what its turn kept, and of what led to it only what may be shown where it is asked.

-- name: last
-- The channel's last reply. A command has a turn too, and no reply in it.
SELECT t.turn_id, t.answered_at, t.trail, t.shown, t.model, t.tokens_in, t.tokens_out, t.durations,
       (SELECT m.content FROM message m
        WHERE m.space_id = $1 AND m.message_id = t.turn_id AND m.hidden_at IS NULL
          AND (SELECT p.opted_out_at FROM person p WHERE p.person_id = m.author_id) IS NULL) AS question
FROM turn t JOIN channel c ON c.space_id = $1 AND c.channel_id = t.channel_id
WHERE t.space_id = $1 AND t.channel_id = $2 AND t.state = 'answered' AND t.reply_ids <> '{}'
  AND coalesce(c.origin_id, c.channel_id) = ANY ($3::bigint[])
ORDER BY t.turn_id DESC LIMIT 1

-- name: turn
-- By its question, or by any of the messages the reply was sent as. No index leads from a reply to its turn: only those
-- of the day before are looked at.
SELECT t.turn_id, t.answered_at, t.trail, t.shown, t.model, t.tokens_in, t.tokens_out, t.durations,
       (SELECT m.content FROM message m
        WHERE m.space_id = $1 AND m.message_id = t.turn_id AND m.hidden_at IS NULL
          AND (SELECT p.opted_out_at FROM person p WHERE p.person_id = m.author_id) IS NULL) AS question
FROM turn t JOIN channel c ON c.space_id = $1 AND c.channel_id = t.channel_id
WHERE t.space_id = $1 AND t.turn_id BETWEEN $3 AND $2 AND t.state = 'answered' AND t.reply_ids <> '{}'
  AND (t.turn_id = $2 OR t.reply_ids @> ARRAY[$2::bigint])
  AND coalesce(c.origin_id, c.channel_id) = ANY ($4::bigint[])
ORDER BY t.turn_id = $2 DESC LIMIT 1

-- name: memories
-- Of these, the living ones that may be shown.
SELECT * FROM memory
WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[])) AND (channel_id + 0) = ANY ($3::bigint[])
  AND forgotten_at IS NULL AND superseded_by IS NULL

-- name: gone
-- Of these, those that might be shown if they were still there, with what replaced them; nothing of their text.
SELECT memory_id, CASE WHEN forgotten_at IS NULL THEN superseded_by END AS replaced_by FROM memory
WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[])) AND (channel_id + 0) = ANY ($3::bigint[])
  AND (forgotten_at IS NOT NULL OR superseded_by IS NOT NULL)
UNION
SELECT memory_id, NULL FROM tombstone
WHERE space_id = $1 AND memory_id IN (SELECT unnest($2::bigint[])) AND channel_id = ANY ($3::bigint[])

-- name: messages
-- Of these, those that may be shown, and where they stand. Nothing of people who opted out since.
SELECT m.space_id, m.channel_id, m.message_id, m.session_id, m.role, m.author_id, m.author, m.content, m.said_at,
       m.reply_to, m.cut_off, coalesce(m.place_id, m.channel_id) AS place_id
FROM message m
WHERE m.space_id = $1 AND m.message_id IN (SELECT unnest($2::bigint[])) AND (m.channel_id + 0) = ANY ($3::bigint[])
  AND m.hidden_at IS NULL AND (SELECT p.opted_out_at FROM person p WHERE p.person_id = m.author_id) IS NULL

-- name: declined
-- For whoever wants a reply kept: what it was shown of people who opted out since. That is the memories it was shown,
-- by them or resting on what they said; notes and the sessions of summaries it cites; and what they said in its session
-- before it, the newest.
SELECT y.content, y.memory_id, false AS is_cited FROM memory y
WHERE y.space_id = $1 AND y.memory_id IN (SELECT unnest($3::bigint[]))
  AND EXISTS (SELECT 1 FROM person p
              WHERE p.opted_out_at IS NOT NULL
                AND (p.person_id = y.author_id
                     OR p.person_id IN (SELECT m.author_id FROM message m
                                        WHERE m.space_id = $1 AND m.message_id = ANY (y.evidence))))
UNION ALL
SELECT n.content, NULL, true FROM note n
WHERE n.space_id = $1 AND n.number = ANY ($4::bigint[]) AND n.channel_id = ANY ($6::bigint[])
  AND (SELECT p.opted_out_at FROM person p WHERE p.person_id = n.author_id) IS NOT NULL
UNION ALL
SELECT m.content, NULL, true FROM message m
WHERE m.space_id = $1 AND m.session_id = ANY ($5::bigint[])
  AND (SELECT p.opted_out_at FROM person p WHERE p.person_id = m.author_id) IS NOT NULL
UNION ALL
(SELECT m.content, NULL, false FROM message m
 WHERE m.space_id = $1 AND m.message_id < $2
   AND m.session_id = (SELECT asked.session_id FROM message asked WHERE asked.space_id = $1 AND asked.message_id = $2)
   AND (SELECT p.opted_out_at FROM person p WHERE p.person_id = m.author_id) IS NOT NULL
 ORDER BY m.message_id DESC LIMIT 400)

-- name: replies
-- For whoever is typing: the channel's last replies that may be shown, and hold what is typed; newest first.
SELECT t.turn_id, t.answered_at, m.content
FROM (SELECT turn_id, asker_id, answered_at, reply_ids FROM turn
      WHERE space_id = $1 AND channel_id = $2 AND state = 'answered' AND reply_ids <> '{}'
      ORDER BY turn_id DESC LIMIT 200) AS t
JOIN message m ON m.space_id = $1 AND m.message_id = t.reply_ids[1]
WHERE (m.channel_id + 0) = ANY ($3::bigint[]) AND m.hidden_at IS NULL AND strpos(lower(m.content), lower($4)) > 0
  AND (SELECT p.opted_out_at FROM person p WHERE p.person_id = t.asker_id) IS NULL
ORDER BY t.turn_id DESC LIMIT $5
