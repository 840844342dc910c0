-- Spaces with their settings, their channels, and who was met there; and their upkeep, which workers claim.

-- name: create
WITH made AS (
    INSERT INTO space (space_id, language, time_zone, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING)
INSERT INTO taken_back (space_id) VALUES ($1) ON CONFLICT DO NOTHING

-- name: knows_language
SELECT EXISTS (SELECT 1 FROM pg_ts_config WHERE cfgname = $1 AND pg_ts_config_is_visible(oid))

-- name: create_upkeep
INSERT INTO upkeep (space_id, next_due_at) VALUES ($1, $2) ON CONFLICT DO NOTHING

-- name: wake
-- The space is due no later than this; a worker that holds it notices, because the value moved.
UPDATE upkeep SET next_due_at = $2 WHERE space_id = $1 AND next_due_at > $2

-- name: claim_due
-- The claim is a lease: a worker that dies lets the spaces fall due again. It is longer than any wake-up ahead. What is
-- due later than anything ever is ($4) was written by a clock that was wrong.
UPDATE upkeep SET next_due_at = $2
WHERE space_id IN (SELECT space_id FROM upkeep WHERE next_due_at <= $1 OR next_due_at > $4
                   ORDER BY next_due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING space_id

-- name: upkeep_done
UPDATE upkeep SET next_due_at = $3 WHERE space_id = ANY ($1::bigint[]) AND next_due_at = $2

-- name: wake_pending
-- No later than when something of these spaces falls due: a summary or the lease of one, an erasure. A wake-up alone
-- would be lost where the space was due already when it was woken. Later than now ($3), or one upkeep would never end.
UPDATE upkeep SET next_due_at = greatest(falls.due, $3)
FROM (SELECT space_id, min(at) AS due FROM (
    SELECT space_id, greatest(next_attempt_at, lease_until) AS at FROM session
    WHERE space_id = ANY ($1::bigint[]) AND state = 'closed'
    UNION ALL
    SELECT space_id, forgotten_at + $2::interval FROM memory
    WHERE space_id = ANY ($1::bigint[]) AND forgotten_at IS NOT NULL
    UNION ALL
    SELECT space_id, hidden_at + $2::interval FROM message
    WHERE space_id = ANY ($1::bigint[]) AND hidden_at IS NOT NULL
    UNION ALL
    SELECT space_id, withheld_at + $2::interval FROM chunk
    WHERE space_id = ANY ($1::bigint[]) AND withheld_at IS NOT NULL
    UNION ALL
    SELECT t.space_id, due.at FROM tracker t CROSS JOIN LATERAL unnest(ARRAY[t.next_at, t.remake_at]) AS due (at)
    WHERE t.space_id = ANY ($1::bigint[]) AND due.at > $3
    UNION ALL
    SELECT space_id, greatest(begins_at, next_at, lease_until, $3) FROM learning
    WHERE space_id = ANY ($1::bigint[]) AND (state IN ('announced', 'reading') OR leaving <> '{}')
    UNION ALL
    SELECT space_id, greatest(next_at, $3) FROM rework WHERE space_id = ANY ($1::bigint[])
    UNION ALL
    SELECT space_id, proposed_at + $2::interval FROM proposal WHERE space_id = ANY ($1::bigint[])) AS pending
GROUP BY space_id) AS falls
WHERE upkeep.space_id = ANY ($1::bigint[]) AND upkeep.space_id = falls.space_id
  AND upkeep.next_due_at > greatest(falls.due, $3)

-- name: page
SELECT space_id FROM space WHERE space_id > $1 ORDER BY space_id LIMIT $2

-- name: create_channel
-- A public thread is remembered and answered as its parent is, and since then.
INSERT INTO channel (space_id, channel_id, name, mode, mode_since, enabled, threads, around, makes, workflow,
                     created_at, origin_id)
SELECT $1, $2, $3, coalesce(parent.mode, $4), parent.mode_since, coalesce(parent.enabled, false),
       coalesce(parent.threads, false), parent.around, parent.makes, parent.workflow, $5, $6
FROM (VALUES ($6::bigint)) AS origin (id)
LEFT JOIN channel parent ON parent.space_id = $1 AND parent.channel_id = origin.id
ON CONFLICT DO NOTHING

-- name: place
-- How a channel is to be treated; what was chosen for it is a public thread's too.
SELECT c.mode, c.enabled, c.threads, c.around, s.prefix, s.language, s.time_zone,
       coalesce(s.settings ->> 'why', 'on') = 'on' AS explains,
       coalesce(s.settings ->> 'answers', 'on') = 'on' AS answers,
       coalesce(s.settings ->> 'search', 'on') = 'on' AS searches,
       (SELECT jsonb_object_agg(p.name, p.value) FROM place_setting p
        WHERE p.space_id = $1 AND p.channel_id = coalesce(c.origin_id, c.channel_id)) AS chosen_here,
       (SELECT jsonb_object_agg(p.name, p.value) FROM place_setting p
        WHERE p.space_id = $1 AND p.channel_id = 0) AS chosen_everywhere
FROM channel c JOIN space s ON s.space_id = c.space_id
WHERE c.space_id = $1 AND c.channel_id = $2

-- name: untouched
-- How a channel of the space is to be treated in which nobody was heard yet.
SELECT $2::text AS mode, false AS enabled, false AS threads, NULL::integer AS around, s.prefix, s.language, s.time_zone,
       coalesce(s.settings ->> 'why', 'on') = 'on' AS explains,
       coalesce(s.settings ->> 'answers', 'on') = 'on' AS answers,
       coalesce(s.settings ->> 'search', 'on') = 'on' AS searches, NULL::jsonb AS chosen_here,
       (SELECT jsonb_object_agg(p.name, p.value) FROM place_setting p
        WHERE p.space_id = $1 AND p.channel_id = 0) AS chosen_everywhere
FROM space s WHERE s.space_id = $1

-- name: was_set
-- What somebody chose for a channel and its space, as far as it can be told from what holds by itself.
SELECT c.mode_since IS NOT NULL AS mode, c.makes, c.workflow, ARRAY(SELECT jsonb_object_keys(s.settings)) AS names
FROM channel c JOIN space s ON s.space_id = c.space_id
WHERE c.space_id = $1 AND c.channel_id = $2

-- name: open_session
SELECT open_session_id FROM channel WHERE space_id = $1 AND channel_id = $2

-- name: follow_origin
-- A public thread made while it was being changed how its parent is treated.
UPDATE channel SET mode = parent.mode, mode_since = parent.mode_since, enabled = parent.enabled,
    threads = parent.threads, around = parent.around, makes = parent.makes, workflow = parent.workflow
FROM channel parent
WHERE channel.space_id = $1 AND channel.channel_id = $2 AND parent.space_id = $1 AND parent.channel_id = $3
  AND (channel.mode <> parent.mode OR channel.enabled <> parent.enabled
       OR channel.threads <> parent.threads
       OR channel.around IS DISTINCT FROM parent.around OR channel.makes IS DISTINCT FROM parent.makes
       OR channel.workflow IS DISTINCT FROM parent.workflow)

-- name: set_mode
-- Of a channel and of every thread whose audience it is; nothing that was said before is recorded from then on.
UPDATE channel SET mode = $3, mode_since = CASE WHEN mode = $3 THEN mode_since ELSE $4 END
WHERE space_id = $1 AND (channel_id = $2 OR -coalesce(origin_id, channel_id) = -$2::bigint)
RETURNING channel_id

-- name: drop_summaries
-- A summary still being made loses its lease and finds the session discarded.
UPDATE session SET state = 'discarded', worker = NULL, lease_until = NULL, next_attempt_at = NULL
WHERE space_id = $1 AND channel_id = ANY ($2::bigint[]) AND state IN ('closed', 'learning')

-- name: lock
-- Whoever saves memories of a space takes turns here; the row is the counter of their ids as well.
SELECT space_id, memory_count, language, formerly FROM space WHERE space_id = $1 FOR NO KEY UPDATE

-- name: lock_channel
-- Resets of a channel take turns here, and so do claims of its turns: two workers never answer in it at once.
SELECT open_session_id, session_count, mode, name FROM channel WHERE space_id = $1 AND channel_id = $2 FOR NO KEY UPDATE

-- name: set_enabled
-- Of a channel and of every thread whose audience it is.
UPDATE channel SET enabled = $3 WHERE space_id = $1 AND (channel_id = $2 OR -coalesce(origin_id, channel_id) = -$2::bigint)

-- name: set_threads
-- Of a channel and of every thread whose audience it is.
UPDATE channel SET threads = $3 WHERE space_id = $1 AND (channel_id = $2 OR -coalesce(origin_id, channel_id) = -$2::bigint)

-- name: set_around
-- Of a channel and of every thread whose audience it is.
UPDATE channel SET around = $3 WHERE space_id = $1 AND (channel_id = $2 OR -coalesce(origin_id, channel_id) = -$2::bigint)

-- name: making
-- What is made of the talk of a channel, as far as its admins chose.
SELECT channel_id, makes, workflow FROM channel WHERE space_id = $1 AND channel_id = $2

-- name: making_of_session
-- And what its audience is: a public thread has its channel's.
SELECT c.channel_id, c.makes, c.workflow, c.origin_id, p.language, p.time_zone,
       (SELECT jsonb_object_agg(o.name, o.value) FROM place_setting o
        WHERE o.space_id = $1 AND o.channel_id = coalesce(c.origin_id, c.channel_id)) AS chosen_here,
       (SELECT jsonb_object_agg(o.name, o.value) FROM place_setting o
        WHERE o.space_id = $1 AND o.channel_id = 0) AS chosen_everywhere
FROM session s
JOIN channel c ON c.space_id = $1 AND c.channel_id = s.channel_id
JOIN space p ON p.space_id = $1
WHERE s.space_id = $1 AND s.session_id = $2

-- name: set_making
-- Of a channel and of every thread whose audience it is.
UPDATE channel SET makes = $3, workflow = $4 WHERE space_id = $1 AND (channel_id = $2 OR -coalesce(origin_id, channel_id) = -$2::bigint)

-- name: workflows
-- Every workflow that some channel wants.
SELECT DISTINCT workflow FROM channel WHERE workflow IS NOT NULL ORDER BY workflow

-- name: set_prefix
UPDATE space SET prefix = $2 WHERE space_id = $1

-- name: set_language
UPDATE space SET language = $2, formerly = $3 WHERE space_id = $1

-- name: set_time_zone
UPDATE space SET time_zone = $2 WHERE space_id = $1

-- name: identity
SELECT settings ->> 'identity' FROM space WHERE space_id = $1

-- name: set_identity
UPDATE space SET settings = jsonb_set(settings, '{identity}', to_jsonb($2::text)) WHERE space_id = $1

-- name: drop_identity
UPDATE space SET settings = settings - 'identity' WHERE space_id = $1

-- name: pin
SELECT settings ->> 'pin' FROM space WHERE space_id = $1

-- name: set_pin
UPDATE space SET settings = settings || jsonb_build_object('pin', $2::text) WHERE space_id = $1

-- name: set_explains
UPDATE space SET settings = settings || jsonb_build_object('why', $2::text) WHERE space_id = $1

-- name: set_searches
UPDATE space SET settings = settings || jsonb_build_object('search', $2::text) WHERE space_id = $1

-- name: off
SELECT channel_id FROM channel WHERE space_id = $1 AND mode = 'off'

-- name: set_answers
UPDATE space SET settings = settings || jsonb_build_object('answers', $2::text) WHERE space_id = $1

-- name: languages
SELECT cfgname FROM pg_ts_config WHERE pg_ts_config_is_visible(oid) ORDER BY cfgname

-- name: introduce
UPDATE space SET introduced_at = $2 WHERE space_id = $1 AND introduced_at IS NULL RETURNING space_id

-- name: unintroduce
-- Only what the same claim has set.
UPDATE space SET introduced_at = NULL WHERE space_id = $1 AND introduced_at = $2

-- name: rename_channel
UPDATE channel SET name = $3 WHERE space_id = $1 AND channel_id = $2 AND name <> $3

-- name: meet
-- Names are kept where messages are, of those who let theirs be.
INSERT INTO member (space_id, person_id, name, first_seen_at, last_seen_at, likeness)
SELECT $1, $2, $3, $4, $4, $6 FROM channel
WHERE space_id = $1 AND channel_id = $5 AND mode IN ('addressed', 'all')
  AND NOT EXISTS (SELECT 1 FROM person WHERE person_id = $2 AND opted_out_at IS NOT NULL)
ON CONFLICT (space_id, person_id, name) DO UPDATE SET last_seen_at = excluded.last_seen_at,
    likeness = excluded.likeness
RETURNING first_seen_at

-- name: people
-- Each by the name they had last, of those who let theirs be kept, the last seen first.
SELECT latest.person_id, latest.name FROM (
    SELECT DISTINCT ON (m.person_id) m.person_id, m.name, m.last_seen_at FROM member m
    WHERE m.space_id = $1 ORDER BY m.person_id, m.last_seen_at DESC) latest
WHERE (SELECT p.opted_out_at FROM person p WHERE p.person_id = latest.person_id) IS NULL
ORDER BY latest.last_seen_at DESC, latest.person_id LIMIT $2

-- name: nameless
-- Of these people those whose name is not to be written here: who do not want to be remembered, and who erased what was
-- theirs and have said nothing here since.
SELECT p.person_id FROM person p
WHERE p.person_id = ANY ($2::bigint[])
  AND (p.opted_out_at IS NOT NULL
       OR (p.erased_at IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM member m WHERE m.space_id = $1 AND m.person_id = p.person_id)))

-- name: create_person
INSERT INTO person (person_id, spaces) VALUES ($1, ARRAY[$2::bigint]) ON CONFLICT DO NOTHING

-- name: met_in
UPDATE person SET spaces = array_append(spaces, $2::bigint) WHERE person_id = $1 AND NOT spaces @> ARRAY[$2::bigint]

-- name: talked_directly
UPDATE space SET direct_at = $2 WHERE space_id = $1

-- name: direct
-- The direct messages something was said in of late, the latest first.
SELECT space_id FROM space WHERE direct_at > $1 ORDER BY direct_at DESC LIMIT $2

-- name: heard_until
-- Where something is heard, Hathi is let in.
UPDATE channel SET last_message_id = greatest(last_message_id, $3), refused_with = NULL
WHERE space_id = $1 AND channel_id = $2

-- name: heard
-- Of many channels at once what was said in them last; but for those another statement has in hand: they are told of
-- again, and two that each want many channels never wait for each other.
UPDATE channel SET last_message_id = greatest(channel.last_message_id, heard.message_id), refused_with = NULL
FROM (SELECT c.space_id, c.channel_id, said.message_id
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS said (space_id, channel_id, message_id)
      JOIN channel c ON c.space_id = said.space_id AND c.channel_id = said.channel_id
      WHERE c.space_id = ANY ($1::bigint[]) AND (c.last_message_id < said.message_id OR c.refused_with IS NOT NULL)
      FOR NO KEY UPDATE OF c SKIP LOCKED) AS heard
WHERE channel.space_id = ANY ($1::bigint[]) AND channel.space_id = heard.space_id
  AND channel.channel_id = heard.channel_id

-- name: refused
-- Where Discord lets Hathi see nothing, with what it may do there: it is not asked again while that stays so.
UPDATE channel SET refused_with = $3 WHERE space_id = $1 AND channel_id = $2
