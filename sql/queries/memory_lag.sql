-- What was said and is not yet in memory: of open sessions what is behind the tracker, of those that wait for their
-- summaries what is behind the last chunk of their own. Where something is to be made again, whatever is in no chunk. Not
-- what nothing is made of: the words of whoever opted out, what they were answered, and what rests on what is not stored
-- here. Read by the index of sessions, behind those: what is in memory is not read again.

-- name: here
-- In the channels whose audience the caller is: of each, with its threads, in the so many ($3) where something was said
-- last, and whether there may be more. Where nothing is said a session ends by itself, and then is found by its state.
WITH place AS (
    SELECT heard.* FROM unnest($2::bigint[]) AS seen (channel_id) CROSS JOIN LATERAL (
        SELECT channel_id, open_session_id AS session_id, NULL::bigint AS through,
               row_number() OVER (ORDER BY last_message_id DESC NULLS LAST) AS place FROM channel
        WHERE space_id = $1 AND mode IN ('addressed', 'all') AND -coalesce(origin_id, channel_id) = -seen.channel_id
        ORDER BY last_message_id DESC NULLS LAST LIMIT $3) AS heard
    UNION ALL
    SELECT s.channel_id, s.session_id, coalesce((
        SELECT max(k.chunk_id) FROM chunk k
        WHERE k.space_id = $1 AND k.session_id = s.session_id AND k.model <> ''), 0), 0
    FROM session s
    JOIN channel c ON c.space_id = $1 AND c.channel_id = s.channel_id + 0
    WHERE s.space_id = $1 AND s.state = 'closed' AND coalesce(c.origin_id, c.channel_id) = ANY ($2::bigint[]))
SELECT coalesce(sum(waiting.messages), 0)::bigint AS messages,
       count(DISTINCT place.channel_id) FILTER (WHERE waiting.messages > 0) AS channels,
       coalesce(bool_or(place.place = $3 AND waiting.messages > 0), false) AS is_least
FROM place
LEFT JOIN tracker t ON t.space_id = $1 AND t.channel_id = place.channel_id
CROSS JOIN LATERAL (
    SELECT count(*) AS messages FROM message m
    WHERE m.space_id = $1 AND m.session_id = place.session_id AND m.hidden_at IS NULL
      AND m.message_id > CASE WHEN t.remake_at IS NULL THEN coalesce(place.through, t.ledger_through, 0) ELSE 0 END
      AND (SELECT p.opted_out_at FROM person p WHERE p.person_id = m.author_id) IS NULL
      AND (m.role = 'person'
           OR (SELECT (SELECT p.opted_out_at FROM person p WHERE p.person_id = asked.author_id)
               FROM message asked WHERE asked.space_id = $1 AND asked.message_id = m.reply_to) IS NULL)
      AND NOT EXISTS (SELECT 1 FROM turn a WHERE a.space_id = $1 AND a.turn_id = m.reply_to
                      AND a.made_from <> '{}')
      AND (t.remake_at IS NULL
           OR NOT EXISTS (SELECT 1 FROM chunk k WHERE k.space_id = $1 AND k.messages @> ARRAY[m.message_id]))) AS waiting

-- name: of_spaces
-- In all channels of spaces this worker looks after, where anything waits, and since when.
WITH place AS (
    SELECT space_id, channel_id, open_session_id AS session_id, NULL::bigint AS through FROM channel
    WHERE space_id = ANY ($1::bigint[]) AND mode IN ('addressed', 'all')
    UNION ALL
    SELECT s.space_id, s.channel_id, s.session_id, coalesce((
        SELECT max(k.chunk_id) FROM chunk k
        WHERE k.space_id = s.space_id AND k.session_id = s.session_id AND k.model <> ''), 0)
    FROM session s WHERE s.space_id = ANY ($1::bigint[]) AND s.state = 'closed')
SELECT place.space_id, sum(waiting.messages)::bigint AS messages, min(waiting.oldest_at) AS oldest_at
FROM place
LEFT JOIN tracker t ON t.space_id = place.space_id AND t.channel_id = place.channel_id
CROSS JOIN LATERAL (
    SELECT count(*) AS messages, min(m.said_at) AS oldest_at FROM message m
    WHERE m.space_id = place.space_id AND m.session_id = place.session_id AND m.hidden_at IS NULL
      AND m.message_id > CASE WHEN t.remake_at IS NULL THEN coalesce(place.through, t.ledger_through, 0) ELSE 0 END
      AND (SELECT p.opted_out_at FROM person p WHERE p.person_id = m.author_id) IS NULL
      AND (m.role = 'person'
           OR (SELECT (SELECT p.opted_out_at FROM person p WHERE p.person_id = asked.author_id)
               FROM message asked WHERE asked.space_id = place.space_id AND asked.message_id = m.reply_to) IS NULL)
      AND NOT EXISTS (SELECT 1 FROM turn a WHERE a.space_id = place.space_id AND a.turn_id = m.reply_to
                      AND a.made_from <> '{}')
      AND (t.remake_at IS NULL
           OR NOT EXISTS (SELECT 1 FROM chunk k WHERE k.space_id = place.space_id AND k.messages @> ARRAY[m.message_id]))) AS waiting
WHERE waiting.messages > 0
GROUP BY place.space_id
