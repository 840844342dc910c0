-- What `hathi export` reads, a page at a time in the order of a key, and what `hathi import` writes besides memories,
-- their events and tombstones, which only the archivist writes. What was forgotten and can still be undone stays out.

-- name: counts
SELECT (SELECT count(*) FROM space WHERE space_id = $1) AS space,
       (SELECT count(*) FROM channel WHERE space_id = $1) AS channel,
       (SELECT count(*) FROM place_setting WHERE space_id = $1) AS place_setting,
       (SELECT count(*) FROM person p
        WHERE EXISTS (SELECT 1 FROM member m WHERE m.space_id = $1 AND m.person_id = p.person_id)
           OR (p.spaces @> ARRAY[$1::bigint] AND (p.opted_out_at IS NOT NULL OR p.erased_at IS NOT NULL))) AS person,
       (SELECT count(*) FROM member WHERE space_id = $1) AS member,
       (SELECT count(*) FROM session WHERE space_id = $1) AS session,
       (SELECT count(*) FROM message WHERE space_id = $1 AND hidden_at IS NULL) AS message,
       (SELECT count(*) FROM attachment a
        JOIN message m ON m.space_id = $1 AND m.message_id = a.message_id AND m.hidden_at IS NULL
        WHERE a.space_id = $1) AS attachment,
       (SELECT count(*) FROM turn t
        WHERE t.space_id = $1 AND t.state IN ('answered', 'failed')
          AND EXISTS (SELECT 1 FROM message m
                      WHERE m.space_id = $1 AND m.message_id = t.turn_id AND m.hidden_at IS NULL)) AS turn,
       (SELECT count(*) FROM chat_summary WHERE space_id = $1 AND withheld_at IS NULL) AS chat_summary,
       (SELECT count(*) FROM chunk WHERE space_id = $1 AND withheld_at IS NULL) AS chunk,
       (SELECT count(*) FROM memory WHERE space_id = $1 AND forgotten_at IS NULL) AS memory,
       (SELECT count(*) FROM memory_event e
        JOIN memory m ON m.space_id = $1 AND m.memory_id = e.memory_id AND m.forgotten_at IS NULL
        WHERE e.space_id = $1) AS event,
       (SELECT count(*) FROM tombstone WHERE space_id = $1) AS tombstone

-- name: spaces
-- One at most; with a limit, so that it is read as the others are.
SELECT language, time_zone, prefix, settings, memory_count, created_at, introduced_at, direct_at, roles_allowed,
       roles_blocked, channels_allowed, channels_blocked
FROM space WHERE space_id = $1 LIMIT $2

-- name: channels
SELECT c.channel_id, c.name, c.mode, c.open_session_id, c.session_count, c.last_message_id, t.ledger_through,
       t.ledger_hash, t.facts_through, t.facts_hash, c.makes, c.workflow, c.created_at, c.origin_id, c.enabled, c.around,
       c.mode_since, c.threads
FROM channel c LEFT JOIN tracker t ON t.space_id = c.space_id AND t.channel_id = c.channel_id
WHERE c.space_id = $1 AND c.channel_id > $2 ORDER BY c.channel_id LIMIT $3

-- name: place_settings
-- In the order of bytes, as names of people are.
SELECT channel_id, name, value, set_by, set_at FROM place_setting
WHERE space_id = $1 AND (channel_id, name COLLATE "C") > ($2, $3::text COLLATE "C")
ORDER BY channel_id, name COLLATE "C" LIMIT $4

-- name: people
-- Who said that they want no memory goes on wanting none, and what was erased for somebody is not read again: also where
-- they have no name here for that.
SELECT p.person_id, p.opted_out_at, p.told_at, p.erased_at FROM person p
WHERE p.person_id > $2
  AND (EXISTS (SELECT 1 FROM member m WHERE m.space_id = $1 AND m.person_id = p.person_id)
       OR (p.spaces @> ARRAY[$1::bigint] AND (p.opted_out_at IS NOT NULL OR p.erased_at IS NOT NULL)))
ORDER BY p.person_id LIMIT $3

-- name: members
-- In the order of bytes: databases differ in their collations, and an export must not.
SELECT person_id, name, first_seen_at, last_seen_at FROM member
WHERE space_id = $1 AND (person_id, name COLLATE "C") > ($2, $3::text COLLATE "C")
ORDER BY person_id, name COLLATE "C" LIMIT $4

-- name: sessions
-- Without the lease: the worker that holds it is not where the copy will be. Nor is the learning of a channel's past: of
-- what was read by then the copy makes a summary.
SELECT session_id, channel_id, number, CASE WHEN state = 'learning' THEN 'closed' ELSE state END AS state, opened_at,
       closed_at, closed_by, first_message_id, last_message_id, message_count, fact_count, attempts,
       CASE WHEN state = 'learning' THEN closed_at ELSE next_attempt_at END AS next_attempt_at, undone_at, was_reset, notice_place_id,
       notice_id
FROM session WHERE space_id = $1 AND session_id > $2 ORDER BY session_id LIMIT $3

-- name: messages
SELECT message_id, channel_id, session_id, role, author_id, author, content, reply_to, cut_off, said_at, edited_at,
       place_id
FROM message WHERE space_id = $1 AND message_id > $2 AND hidden_at IS NULL ORDER BY message_id LIMIT $3

-- name: attachments
SELECT a.message_id, a.attachment_id, a.channel_id, a.name, a.called, a.content_type, a.size, a.state, a.content, a.read_at
FROM attachment a JOIN message m ON m.space_id = $1 AND m.message_id = a.message_id AND m.hidden_at IS NULL
WHERE a.space_id = $1 AND (a.message_id, a.attachment_id) > ($2, $3)
ORDER BY a.message_id, a.attachment_id LIMIT $4

-- name: turns
-- Finished ones whose question is in the export: one still in hand belongs to a worker here.
SELECT t.turn_id, t.channel_id, t.session_id, t.asker_id, t.state, t.reply_ids, t.shown, t.stock, t.trail, t.model,
       t.tokens_in, t.tokens_out, t.durations, t.failure, t.recorded_at, t.answered_at, t.made_from
FROM turn t
WHERE t.space_id = $1 AND t.turn_id > $2 AND t.state IN ('answered', 'failed')
  AND EXISTS (SELECT 1 FROM message m WHERE m.space_id = $1 AND m.message_id = t.turn_id AND m.hidden_at IS NULL)
ORDER BY t.turn_id LIMIT $3

-- name: chat_summaries
-- A withheld one tells what was forgotten.
SELECT summary_id, channel_id, session_id, chunk_id, text, raw, message_count, model, created_at
FROM chat_summary WHERE space_id = $1 AND summary_id > $2 AND withheld_at IS NULL ORDER BY summary_id LIMIT $3

-- name: chunks
SELECT chunk_id, channel_id, session_id, first_message_id, last_hash, messages, people, text, model, created_at
FROM chunk WHERE space_id = $1 AND chunk_id > $2 AND withheld_at IS NULL ORDER BY chunk_id LIMIT $3

-- name: memories
SELECT memory_id, tier, room, topic, content, importance, importance_set, source, tags, entities, key_phrases, metadata,
       subject_id, author_id, author, channel_id, session_id, evidence, made_from, seen_count, pinned, created_at,
       said_at, reinforced_at, last_used_at, aged_at, superseded_by, superseded_at
FROM filed_memory WHERE space_id = $1 AND memory_id > $2 AND forgotten_at IS NULL ORDER BY memory_id LIMIT $3

-- name: events
SELECT e.memory_id, e.event_id, e.kind AS change, e.actor, e.actor_id, e.reason, e.before, e.at FROM memory_event e
WHERE e.space_id = $1 AND (e.memory_id, e.event_id) > ($2, $3)
  AND EXISTS (SELECT 1 FROM memory m
              WHERE m.space_id = $1 AND m.memory_id = e.memory_id AND m.forgotten_at IS NULL)
ORDER BY e.memory_id, e.event_id LIMIT $4

-- name: tombstones
SELECT memory_id, channel_id, evidence, content_mac, at
FROM tombstone WHERE space_id = $1 AND memory_id > $2 ORDER BY memory_id LIMIT $3

-- name: lock_channels
-- Whoever records a message waits here, and then finds the imported session open.
SELECT channel_id FROM channel WHERE space_id = $1 ORDER BY channel_id FOR NO KEY UPDATE

-- name: held
-- Anything that was ever said or kept, forgotten or not.
SELECT (SELECT count(*) FROM memory WHERE space_id = $1) AS memory,
       (SELECT count(*) FROM message WHERE space_id = $1) AS message,
       (SELECT count(*) FROM session WHERE space_id = $1 AND state <> 'open') AS session,
       (SELECT count(*) FROM turn WHERE space_id = $1)
       + (SELECT count(*) FROM memory_event WHERE space_id = $1)
       + (SELECT count(*) FROM chat_summary WHERE space_id = $1)
       + (SELECT count(*) FROM chunk WHERE space_id = $1)
       + (SELECT count(*) FROM tombstone WHERE space_id = $1)
       + (SELECT count(*) FROM note WHERE space_id = $1) AS traces

-- name: drop_open_sessions
-- Those an empty space began with, before anything was said in them.
DELETE FROM session WHERE space_id = $1 AND state = 'open'

-- name: unpoint_channels
UPDATE channel SET open_session_id = NULL, session_count = 0 WHERE space_id = $1

-- name: knows_language
-- A text search configuration is the server's, not the space's.
SELECT EXISTS (SELECT 1 FROM pg_ts_config WHERE cfgname = $1::text AND pg_ts_config_is_visible(oid))

-- name: import_space
WITH counted AS (INSERT INTO taken_back (space_id) VALUES ($1) ON CONFLICT DO NOTHING)
INSERT INTO space (space_id, language, time_zone, prefix, settings, memory_count, created_at, introduced_at, direct_at,
                   roles_allowed, roles_blocked, channels_allowed, channels_blocked)
-- Whoever is not chosen yet, in an export of before that could be.
SELECT $1, f.language, f.time_zone, f.prefix, f.settings, f.memory_count, f.created_at, f.introduced_at, f.direct_at,
       coalesce(f.roles_allowed, '{}'), coalesce(f.roles_blocked, '{}'), coalesce(f.channels_allowed, '{}'),
       coalesce(f.channels_blocked, '{}')
FROM jsonb_to_recordset($2::jsonb) AS f (
    language text, time_zone text, prefix text, settings jsonb, memory_count bigint, created_at timestamptz,
    introduced_at timestamptz, direct_at timestamptz, roles_allowed bigint[], roles_blocked bigint[],
    channels_allowed bigint[], channels_blocked bigint[])
ON CONFLICT (space_id) DO UPDATE SET language = excluded.language, time_zone = excluded.time_zone,
    prefix = excluded.prefix, settings = excluded.settings, created_at = excluded.created_at,
    introduced_at = coalesce(space.introduced_at, excluded.introduced_at), direct_at = excluded.direct_at,
    memory_count = greatest(space.memory_count, excluded.memory_count),
    roles_allowed = excluded.roles_allowed, roles_blocked = excluded.roles_blocked,
    channels_allowed = excluded.channels_allowed, channels_blocked = excluded.channels_blocked

-- name: import_channels
WITH tracked AS (
    INSERT INTO tracker (space_id, channel_id, ledger_through, ledger_hash, facts_through, facts_hash)
    SELECT $1, f.channel_id, f.ledger_through, f.ledger_hash, f.facts_through, f.facts_hash
    FROM jsonb_to_recordset($2::jsonb) AS f (
        channel_id bigint, ledger_through bigint, ledger_hash bytea, facts_through bigint, facts_hash bytea)
    WHERE f.ledger_through IS NOT NULL OR f.facts_through IS NOT NULL
    ON CONFLICT (space_id, channel_id) DO UPDATE SET ledger_through = excluded.ledger_through,
        ledger_hash = excluded.ledger_hash, facts_through = excluded.facts_through, facts_hash = excluded.facts_hash)
INSERT INTO channel (space_id, channel_id, name, mode, open_session_id, session_count, last_message_id, makes, workflow,
                     created_at, origin_id, enabled, around, mode_since, threads)
SELECT $1, f.channel_id, f.name, f.mode, f.open_session_id, f.session_count, f.last_message_id, f.makes, f.workflow,
       f.created_at, f.origin_id, coalesce(f.enabled, false), f.around, f.mode_since,
       coalesce(f.threads, false)
FROM jsonb_to_recordset($2::jsonb) AS f (
    channel_id bigint, name text, mode text, open_session_id bigint, session_count integer, last_message_id bigint,
    makes text[], workflow text, created_at timestamptz, origin_id bigint, enabled boolean, around integer,
    mode_since bigint, threads boolean)
ON CONFLICT (space_id, channel_id) DO UPDATE SET name = excluded.name, mode = excluded.mode,
    open_session_id = excluded.open_session_id, session_count = excluded.session_count,
    last_message_id = excluded.last_message_id, makes = excluded.makes, workflow = excluded.workflow,
    created_at = excluded.created_at, origin_id = excluded.origin_id, enabled = excluded.enabled,
    around = excluded.around, mode_since = excluded.mode_since, threads = excluded.threads

-- name: behind
-- Channels whose next session would have the number of one there is.
SELECT c.channel_id FROM channel c
WHERE c.space_id = $1 AND c.session_count < (SELECT max(s.number) FROM session s
                                             WHERE s.space_id = $1 AND s.channel_id = c.channel_id)
ORDER BY c.channel_id LIMIT 1

-- name: import_place_settings
INSERT INTO place_setting (space_id, channel_id, name, value, set_by, set_at)
SELECT $1, f.channel_id, f.name, f.value, f.set_by, f.set_at
FROM jsonb_to_recordset($2::jsonb) AS f (
    channel_id bigint, name text, value text, set_by bigint, set_at timestamptz)
ON CONFLICT (space_id, channel_id, name)
DO UPDATE SET value = excluded.value, set_by = excluded.set_by, set_at = excluded.set_at

-- name: import_people
-- They were met in this space. Of who is known already stands what they want here, and nothing of the file.
INSERT INTO person (person_id, opted_out_at, told_at, erased_at, spaces)
SELECT f.person_id, f.opted_out_at, f.told_at, f.erased_at, ARRAY[$1::bigint]
FROM jsonb_to_recordset($2::jsonb) AS f (
    person_id bigint, opted_out_at timestamptz, told_at timestamptz, erased_at timestamptz)
ON CONFLICT (person_id) DO UPDATE SET spaces = array_append(person.spaces, $1::bigint)
WHERE NOT person.spaces @> ARRAY[$1::bigint]

-- name: import_terminal_person
-- Whoever talks at the terminal: their opt-out stands, whichever side it comes from, and so does what they had erased.
INSERT INTO person (person_id, opted_out_at, told_at, erased_at)
SELECT f.person_id, f.opted_out_at, f.told_at, f.erased_at
FROM jsonb_to_recordset($1::jsonb) AS f (
    person_id bigint, opted_out_at timestamptz, told_at timestamptz, erased_at timestamptz)
ON CONFLICT (person_id) DO UPDATE SET opted_out_at = coalesce(person.opted_out_at, excluded.opted_out_at),
    told_at = coalesce(person.told_at, excluded.told_at), erased_at = greatest(person.erased_at, excluded.erased_at)

-- name: import_members
INSERT INTO member (space_id, person_id, name, first_seen_at, last_seen_at, likeness)
SELECT $1, f.person_id, f.name, f.first_seen_at, f.last_seen_at, f.likeness
FROM jsonb_to_recordset($2::jsonb) AS f (
    person_id bigint, name text, first_seen_at timestamptz, last_seen_at timestamptz, likeness text)
ON CONFLICT (space_id, person_id, name) DO UPDATE SET
    first_seen_at = least(member.first_seen_at, excluded.first_seen_at),
    last_seen_at = greatest(member.last_seen_at, excluded.last_seen_at)

-- name: import_sessions
INSERT INTO session (space_id, session_id, channel_id, number, state, opened_at, closed_at, closed_by,
                     first_message_id, last_message_id, message_count, fact_count, attempts, next_attempt_at, undone_at,
                     was_reset, notice_place_id, notice_id)
SELECT $1, f.session_id, f.channel_id, f.number, f.state, f.opened_at, f.closed_at, f.closed_by, f.first_message_id,
       f.last_message_id, f.message_count, f.fact_count, f.attempts, f.next_attempt_at, f.undone_at,
       coalesce(f.was_reset, f.closed_by IS NOT NULL), f.notice_place_id, f.notice_id
FROM jsonb_to_recordset($2::jsonb) AS f (
    session_id bigint, channel_id bigint, number integer, state text, opened_at timestamptz, closed_at timestamptz,
    closed_by bigint, first_message_id bigint, last_message_id bigint, message_count integer, fact_count integer,
    attempts integer, next_attempt_at timestamptz, undone_at timestamptz, was_reset boolean,
    notice_place_id bigint, notice_id bigint)

-- name: import_messages
INSERT INTO message (space_id, message_id, channel_id, session_id, role, author_id, author, content, reply_to, cut_off,
                     said_at, edited_at, place_id, search)
SELECT $1, f.message_id, f.channel_id, f.session_id, f.role, f.author_id, f.author, f.content, f.reply_to, f.cut_off,
       f.said_at, f.edited_at, f.place_id, message_vector($2, f.content, f.said_at)
FROM jsonb_to_recordset($3::jsonb) AS f (
    message_id bigint, channel_id bigint, session_id bigint, role text, author_id bigint, author text, content text,
    reply_to bigint, cut_off boolean, said_at timestamptz, edited_at timestamptz, place_id bigint)

-- name: import_attachments
INSERT INTO attachment (space_id, message_id, attachment_id, channel_id, name, called, content_type, size, state, content,
                        read_at, search)
SELECT $1, f.message_id, f.attachment_id, f.channel_id, f.name, f.called, f.content_type, f.size, f.state, f.content,
       f.read_at, attachment_vector($2, f.content)
FROM jsonb_to_recordset($3::jsonb) AS f (
    message_id bigint, attachment_id bigint, channel_id bigint, name text, called text[], content_type text, size bigint,
    state text, content text, read_at timestamptz)

-- name: import_turns
-- Finished, so that nobody holds them: the worker is named for who brought them here.
INSERT INTO turn (space_id, turn_id, channel_id, session_id, asker_id, state, worker, lease_until, reply_ids, shown,
                  stock, trail, model, tokens_in, tokens_out, durations, failure, recorded_at, answered_at, made_from)
SELECT $1, f.turn_id, f.channel_id, f.session_id, f.asker_id, f.state, 'import', f.recorded_at, f.reply_ids, f.shown,
       f.stock, f.trail, f.model, f.tokens_in, f.tokens_out, f.durations, f.failure, f.recorded_at, f.answered_at,
       f.made_from
FROM jsonb_to_recordset($2::jsonb) AS f (
    turn_id bigint, channel_id bigint, session_id bigint, asker_id bigint, state text, reply_ids bigint[],
    shown bigint[], stock text, trail jsonb, model text, tokens_in integer, tokens_out integer, durations jsonb,
    failure text, recorded_at timestamptz, answered_at timestamptz, made_from bigint[])

-- name: import_chat_summaries
INSERT INTO chat_summary (space_id, summary_id, channel_id, session_id, chunk_id, text, raw, message_count, model,
                          created_at)
SELECT $1, f.summary_id, f.channel_id, f.session_id, f.chunk_id, f.text, f.raw, f.message_count, f.model, f.created_at
FROM jsonb_to_recordset($2::jsonb) AS f (
    summary_id bigint, channel_id bigint, session_id bigint, chunk_id bigint, text text, raw text, message_count integer, model text,
    created_at timestamptz)

-- name: import_chunks
INSERT INTO chunk (space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, people, text, model,
                   created_at, search)
SELECT $1, f.chunk_id, f.channel_id, f.session_id, f.first_message_id, f.last_hash, f.messages, f.people, f.text,
       f.model, f.created_at, search_vector(s.language, f.text)
FROM space s, jsonb_to_recordset($2::jsonb) AS f (
    chunk_id bigint, channel_id bigint, session_id bigint, first_message_id bigint, last_hash bytea, messages bigint[],
    people bigint[], text text, model text, created_at timestamptz)
WHERE s.space_id = $1

-- name: declined_chunks
-- Entries of ledgers with the words of somebody who opted out.
SELECT chunk_id, session_id FROM chunk
WHERE space_id = $1 AND model <> ''
  AND EXISTS (SELECT 1 FROM person p WHERE p.person_id = ANY (chunk.people) AND p.opted_out_at IS NOT NULL)

-- name: adrift
-- Channels whose open session is not there: what is said in one would be lost.
SELECT c.channel_id FROM channel c
WHERE c.space_id = $1 AND c.open_session_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM session s
                  WHERE s.space_id = $1 AND s.session_id = c.open_session_id AND s.channel_id = c.channel_id
                    AND s.state = 'open')
ORDER BY c.channel_id LIMIT 1
