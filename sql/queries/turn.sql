-- Questions and their answers: recorded, claimed, sent, answered, and found again after a crash; so too commands.

-- name: record
-- The message and its turn, once: the channel's row lock keeps a reset from closing the session in between. Where the
-- channel's mode or the person's wish forbids keeping, the turn holds ids only. While something may have been missed
-- before it ($12), it is not the last thing heard; in a channel of which nothing is known yet only what was said more
-- than ten minutes before it, and so is not answered any more, counts as heard. The turn is claimed in the same breath where no other worker has one
-- of the channel in hand, by the worker that serves the channel: who that is stands in the row that is locked, so of
-- two with a message each only one takes this short way. A worker's own turns wait for each other in its lane.
WITH here AS (
    UPDATE channel SET
        last_message_id = CASE WHEN $12 THEN coalesce(last_message_id, $3 - (600000::bigint << 22))
                               ELSE greatest(last_message_id, $3) END,
        worker = CASE WHEN worker <> $9 AND lease_until >= $13 THEN worker ELSE $9 END,
        lease_until = CASE WHEN worker <> $9 AND lease_until >= $13 THEN lease_until ELSE $10 END
    WHERE space_id = $1 AND channel_id = $2
    RETURNING open_session_id, origin_id, worker = $9 AS serves,
              mode IN ('addressed', 'all') AND (mode_since IS NULL OR mode_since < $3) AS keeps),
declined AS (
    SELECT 1 FROM person WHERE person_id = $4 AND opted_out_at IS NOT NULL),
asked AS (
    SELECT open_session_id, origin_id, keeps AND NOT EXISTS (SELECT 1 FROM declined) AS kept,
           serves AND NOT EXISTS (SELECT 1 FROM turn other
                                  WHERE other.space_id = $1 AND other.channel_id = $2
                                    AND other.state IN ('recorded', 'claimed', 'sending') AND other.worker <> $9
                                    AND other.lease_until >= $13) AS is_next
    FROM here),
said AS (
    INSERT INTO message (space_id, message_id, channel_id, place_id, session_id, role, author_id, author, content,
                         reply_to, said_at, search)
    SELECT $1, $3, coalesce(asked.origin_id, $2), CASE WHEN asked.origin_id <> $2 THEN $2 END, asked.open_session_id,
           'person', $4, $5, $6, $7, $8, message_vector($11, $6, $8)
    FROM asked WHERE asked.kept
    ON CONFLICT (space_id, message_id) DO NOTHING
    RETURNING session_id),
begun AS (
    INSERT INTO turn (space_id, turn_id, channel_id, session_id, asker_id, state, worker, lease_until, recorded_at,
                      unkept)
    SELECT $1, $3, $2, asked.open_session_id, $4, CASE WHEN asked.is_next THEN 'claimed' ELSE 'recorded' END, $9, $10,
           $8, NOT asked.kept
    FROM asked
    WHERE NOT asked.kept OR EXISTS (SELECT 1 FROM said)
    ON CONFLICT (space_id, turn_id) DO NOTHING
    RETURNING session_id, unkept, state)
SELECT session_id, unkept, state, coalesce((SELECT times FROM taken_back WHERE space_id = $1), 0) AS taken_back
FROM begun

-- name: recorded
-- What a try of this worker recorded whose answer was lost.
SELECT session_id, unkept, state, coalesce((SELECT times FROM taken_back WHERE space_id = $1), 0) AS taken_back
FROM turn
WHERE space_id = $1 AND turn_id = $2 AND worker = $3 AND state IN ('recorded', 'claimed')

-- name: overhear
-- A message that asks nothing of Hathi, in a channel where all is remembered, and was when it was said.
WITH here AS (
    UPDATE channel SET last_message_id = CASE WHEN $10 THEN coalesce(last_message_id, $3 - (600000::bigint << 22))
                                              ELSE greatest(last_message_id, $3) END
    WHERE space_id = $1 AND channel_id = $2 AND mode = 'all'
    RETURNING open_session_id, origin_id, mode_since),
declined AS (
    SELECT 1 FROM person WHERE person_id = $4 AND opted_out_at IS NOT NULL)
INSERT INTO message (space_id, message_id, channel_id, place_id, session_id, role, author_id, author, content, reply_to,
                     said_at, search)
SELECT $1, $3, coalesce(here.origin_id, $2), CASE WHEN here.origin_id <> $2 THEN $2 END, here.open_session_id, 'person',
       $4, $5, $6, $7, $8, message_vector($9, $6, $8)
FROM here WHERE (here.mode_since IS NULL OR here.mode_since < $3) AND NOT EXISTS (SELECT 1 FROM declined)
ON CONFLICT (space_id, message_id) DO NOTHING
RETURNING session_id

-- name: claim
WITH claimed AS (
    UPDATE turn SET state = 'claimed', worker = $4, lease_until = $5
    WHERE space_id = $1 AND channel_id = $2 AND turn_id = $3
      AND (worker = $4 OR lease_until < $6) AND state IN ('recorded', 'claimed')
      AND NOT EXISTS (SELECT 1 FROM turn other
                      WHERE other.space_id = $1 AND other.channel_id = $2 AND other.turn_id <> $3
                        AND other.state IN ('claimed', 'sending') AND other.worker <> $4 AND other.lease_until >= $6)
    RETURNING session_id, unkept)
SELECT session_id, unkept, coalesce((SELECT times FROM taken_back WHERE space_id = $1), 0) AS taken_back FROM claimed

-- name: state
SELECT state, worker FROM turn WHERE space_id = $1 AND turn_id = $2

-- name: sending
-- With what it is made from and for whom: should the worker die, what was shown of the reply goes with that all the
-- same. Whoever keeps text again has withdrawn what stood before. Not where something of the space was taken back since
-- the text was compared with what is left ($10; null: with nothing).
WITH here AS (
    SELECT coalesce((SELECT times FROM taken_back WHERE space_id = $1), 0) AS times),
kept AS (
    UPDATE turn SET state = 'sending', kept = CASE WHEN unkept THEN '' ELSE $4 END, kept_whole = $5, shown = $6,
        trail = $7, made_from = $8, stock = $9, audience = coalesce($11::bigint[], audience), withdrawing = false,
        compared = $10
    WHERE space_id = $1 AND turn_id = $2 AND worker = $3 AND state IN ('claimed', 'sending') AND failure IS NULL
      AND ($10::bigint IS NULL OR $10 = (SELECT times FROM here))
    RETURNING turn_id)
SELECT here.times AS taken_back, EXISTS (SELECT 1 FROM kept) AS is_done FROM here

-- name: take_back
-- Before it is tried, which may fail or be cut short: whoever has the turn then goes on with that.
UPDATE turn SET withdrawing = true, kept = NULL, kept_whole = false, reply_ids = '{}'
WHERE space_id = $1 AND turn_id = $2 AND worker = $3 AND state IN ('claimed', 'sending')

-- name: answered
-- The reply and the end of its turn are one statement: a question never has two reply rows. Whoever ends what another
-- began to send does not know what it was made from; that stays as it was kept. Not where something of the space was
-- taken back since the text was compared ($17): whoever is taking something back holds the count from before looking for
-- what was made of it until it is gone, and is waited for here, so that no reply escapes both.
WITH here AS (
    SELECT times FROM taken_back WHERE space_id = $1 FOR SHARE),
done AS (
    UPDATE turn SET state = 'answered', kept = NULL, audience = '{}', reply_ids = $4,
        shown = CASE WHEN $10::bigint[] = '{}' THEN shown ELSE $10 END, trail = trail || $11::jsonb,
        model = coalesce($12, model),
        tokens_in = $13, tokens_out = $14, durations = $15, answered_at = $8
    WHERE space_id = $1 AND turn_id = $2 AND worker = $3 AND state = 'sending' AND NOT withdrawing
      AND ($17::bigint IS NULL OR $17 = coalesce((SELECT times FROM here), 0))
    RETURNING turn_id, channel_id, session_id, unkept),
replied AS (
    INSERT INTO message (space_id, message_id, channel_id, place_id, session_id, role, author, content, reply_to,
                         cut_off, said_at, search)
    SELECT $1, $5, coalesce(channel.origin_id, done.channel_id),
           CASE WHEN channel.origin_id <> done.channel_id THEN done.channel_id END, done.session_id, 'hathi', $6, $7,
           $2, $9, $8, message_vector($16, $7, $8)
    FROM done JOIN channel ON channel.space_id = $1 AND channel.channel_id = done.channel_id
    WHERE NOT done.unkept
    ON CONFLICT (space_id, message_id) DO NOTHING)
SELECT coalesce((SELECT times FROM here), 0) AS taken_back, EXISTS (SELECT 1 FROM done) AS is_done

-- name: failed
UPDATE turn SET state = 'failed', kept = NULL, command = NULL, audience = '{}', withdrawing = false, failure = $4,
    answered_at = $5
WHERE space_id = $1 AND turn_id = $2 AND worker = $3 AND state IN ('recorded', 'claimed', 'sending')
RETURNING turn_id

-- name: renew
UPDATE turn SET lease_until = $4
WHERE space_id = $1 AND turn_id = ANY ($2::bigint[]) AND worker = $3 AND state IN ('recorded', 'claimed', 'sending')

-- name: unfinished
-- A reply that was kept before something of the space was taken back may tell that, and is to go too.
SELECT t.turn_id, t.channel_id, t.session_id, t.state, t.worker, t.lease_until, t.kept, t.kept_whole, t.recorded_at,
       t.asker_id, t.unkept, t.audience, t.failure, t.reply_ids, t.trail ? 'run' AS is_run,
       t.withdrawing OR (t.state = 'sending' AND t.compared <> coalesce(b.times, 0)) AS withdrawing,
       m.content, m.author, m.author_id, m.said_at, m.reply_to
FROM turn t LEFT JOIN message m ON m.space_id = t.space_id AND m.message_id = t.turn_id
LEFT JOIN taken_back b ON b.space_id = t.space_id
WHERE t.space_id = $1 AND t.channel_id = $2 AND t.state IN ('recorded', 'claimed', 'sending') AND t.command IS NULL
ORDER BY t.turn_id LIMIT 100

-- name: take_over
-- Each only from the worker that was seen holding it. What was claimed is to be claimed anew, in the channel's order.
UPDATE turn SET worker = $4, lease_until = $5, state = CASE WHEN state = 'claimed' THEN 'recorded' ELSE state END
FROM unnest($2::bigint[], $3::text[]) AS seen (turn_id, worker)
WHERE turn.space_id = $1 AND turn.turn_id = seen.turn_id AND turn.worker = seen.worker
  AND turn.state IN ('recorded', 'claimed', 'sending')
RETURNING turn.turn_id

-- name: in_hand
SELECT count(*) FROM turn
WHERE space_id = $1 AND channel_id = $2 AND session_id = $3 AND state IN ('recorded', 'claimed', 'sending')
  AND lease_until >= $4 AND command IS NULL

-- name: stranded
-- The channels of these spaces in which a worker may have left a turn or a command behind.
SELECT DISTINCT space_id, channel_id FROM turn
WHERE space_id = ANY ($1::bigint[]) AND state IN ('recorded', 'claimed', 'sending')
  AND (worker <> $2 OR lease_until < $3)

-- name: as_command
-- A request that is carried out as a command is: nothing is kept of it but that it was given.
WITH done AS (
    UPDATE turn SET unkept = true
    WHERE space_id = $1 AND turn_id = $2 AND worker = $3 AND state IN ('claimed', 'sending')
    RETURNING turn_id)
DELETE FROM message WHERE space_id = $1 AND message_id IN (SELECT turn_id FROM done)

-- name: before
-- What the asker of a turn said to Hathi before it in its channel, commands too; only turns of the day before, as no
-- index knows who asked.
SELECT turn_id, stock, trail, recorded_at, answered_at FROM turn
WHERE space_id = $1 AND channel_id = $2 AND asker_id = $3 AND turn_id < $4 AND turn_id > $5
  AND (state = 'answered' OR command IS NOT NULL)
ORDER BY turn_id DESC LIMIT 1

-- name: asked_lately
-- What came last of being asked, and still being so, and of an answer to that.
SELECT stock FROM turn
WHERE space_id = $1 AND channel_id = $2 AND asker_id = $3 AND turn_id < $4 AND turn_id > $5 AND state = 'answered'
  AND (stock = 'forgotten' OR (stock = 'asked' AND trail ? 'forgets')) AND answered_at >= $6
ORDER BY turn_id DESC LIMIT 1

-- name: withdraw
-- What the asker of a turn was asked before it in its channel; only turns of the day before, as above.
UPDATE turn SET trail = trail - 'forgets'
WHERE space_id = $1 AND channel_id = $2 AND asker_id = $3 AND turn_id < $4 AND turn_id > $5 AND state = 'answered'
  AND stock = 'asked'

-- name: asking
SELECT turn_id, stock, trail, answered_at, asker_id FROM turn
WHERE space_id = $1 AND channel_id = $2 AND turn_id = $3 AND state = 'answered'

-- name: has_told
-- Whether the asker of a turn was told such a text before, in the same session.
SELECT EXISTS (SELECT 1 FROM turn
               WHERE space_id = $1 AND channel_id = $2 AND asker_id = $3 AND session_id = $4 AND turn_id < $5
                 AND state = 'answered' AND reply_ids <> '{}' AND stock = ANY ($6::text[]))

-- name: stocks
-- Which set text each of Hathi's messages is that answered a question; null for an answer.
SELECT unnest(reply_ids) AS message_id, stock FROM turn
WHERE space_id = $1 AND channel_id = $2 AND turn_id BETWEEN $4 AND $5 AND state = 'answered'
  AND reply_ids && $3::bigint[]

-- name: of_askers_words
-- Which of Hathi's messages in a channel hold nobody's words but those of whoever asked, as far as that was recorded.
SELECT unnest(reply_ids) AS message_id FROM turn
WHERE space_id = $1 AND channel_id = $2 AND turn_id BETWEEN $4 AND $5 AND state = 'answered'
  AND reply_ids <> '{}' AND reply_ids && $3::bigint[] AND trail -> 'holds_others' = 'false'

-- name: without_memory
-- Which of Hathi's messages in a channel were made of nothing that memory has: no memory, and nothing else that was found.
SELECT unnest(reply_ids) AS message_id FROM turn
WHERE space_id = $1 AND channel_id = $2 AND turn_id BETWEEN $4 AND $5 AND state = 'answered'
  AND reply_ids <> '{}' AND reply_ids && $3::bigint[] AND shown = '{}'
  AND coalesce(trail -> 'sources', '[]') = '[]'

-- name: reopen
UPDATE turn SET state = 'recorded', kept = NULL, kept_whole = false, shown = '{}', trail = '{}', made_from = '{}',
    audience = '{}', withdrawing = false
WHERE space_id = $1 AND turn_id = $2 AND worker = $3 AND state = 'sending'

-- name: replaceable
-- A question and its reply, for whoever wants another one: whether its session goes on, anything was asked in its
-- channel since, and it may be kept by now. A question that ended without a reply, or that a command was, is none that
-- follows.
SELECT t.turn_id, t.state, t.failure, t.stock, t.asker_id, t.session_id, t.unkept, t.reply_ids, t.model, m.author,
       m.content, m.said_at, m.reply_to, t.recorded_at,
       c.open_session_id = t.session_id AS goes_on,
       c.mode IN ('addressed', 'all')
       AND (SELECT p.opted_out_at FROM person p WHERE p.person_id = t.asker_id) IS NULL AS keeps,
       EXISTS (SELECT 1 FROM turn later
               WHERE later.space_id = $1 AND later.channel_id = $2 AND later.turn_id > $3
                 AND ((later.state = 'answered' AND later.reply_ids <> '{}')
                      OR (later.state IN ('recorded', 'claimed', 'sending') AND later.command IS NULL))) AS is_followed
FROM turn t JOIN channel c ON c.space_id = $1 AND c.channel_id = $2
LEFT JOIN message m ON m.space_id = $1 AND m.message_id = t.turn_id AND m.hidden_at IS NULL
WHERE t.space_id = $1 AND t.channel_id = $2 AND t.turn_id = $3

-- name: last_answered
SELECT turn_id FROM turn
WHERE space_id = $1 AND channel_id = $2 AND state = 'answered' AND reply_ids <> '{}'
ORDER BY turn_id DESC LIMIT 1

-- name: replace
-- As if it had been recorded just now. The messages of the reply are known on: another one takes their place; and which
-- model gave it, should none give the next. One that failed is one that was stopped.
UPDATE turn SET state = 'recorded', worker = $3, lease_until = $4, recorded_at = $5, unkept = $6, kept = NULL,
    kept_whole = false, shown = '{}', trail = '{}', made_from = '{}', stock = NULL, compared = NULL, audience = '{}',
    withdrawing = false, durations = '{}', failure = NULL, answered_at = NULL
WHERE space_id = $1 AND turn_id = $2 AND state IN ('answered', 'failed')

-- name: command
-- A command somebody gave, taken by one worker of all; nothing is kept of it but that it was given. What it does and
-- that it did so are one commit: 'claimed' has done nothing yet, 'sending' has, and its answer may be missing.
INSERT INTO turn (space_id, turn_id, channel_id, session_id, asker_id, state, worker, lease_until, recorded_at, command)
SELECT $1, $3, $2, open_session_id, $4, 'claimed', $5, $7, $6, $8
FROM channel WHERE space_id = $1 AND channel_id = $2
ON CONFLICT (space_id, turn_id) DO NOTHING
RETURNING turn_id

-- name: command_done
-- True too where nobody knows the command any more, who might do it again.
WITH done AS (
    UPDATE turn SET state = 'sending'
    WHERE space_id = $1 AND turn_id = $2 AND worker = $3 AND state IN ('recorded', 'claimed', 'sending')
    RETURNING turn_id)
SELECT EXISTS (SELECT 1 FROM done) OR NOT EXISTS (SELECT 1 FROM turn WHERE space_id = $1 AND turn_id = $2)

-- name: command_answered
UPDATE turn SET state = 'answered', command = NULL, answered_at = $4
WHERE space_id = $1 AND turn_id = $2 AND worker = $3 AND state IN ('recorded', 'claimed', 'sending')

-- name: told
-- What was sent in answer to a command, or by a press of a button under the reply to a turn, and the memories it tells.
UPDATE turn SET shown = ARRAY(SELECT DISTINCT unnest(shown || $4::bigint[])),
    trail = trail || jsonb_build_object('receipt', coalesce(trail -> 'receipt', '[]') || to_jsonb($3::bigint[]))
WHERE space_id = $1 AND turn_id = $2

-- name: commands_left
SELECT turn_id, asker_id, state, worker, lease_until, command, recorded_at FROM turn
WHERE space_id = $1 AND channel_id = $2 AND state IN ('recorded', 'claimed', 'sending') AND command IS NOT NULL
ORDER BY turn_id LIMIT 100
