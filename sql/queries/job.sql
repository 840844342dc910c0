-- Jobs that run by the clock: which worker runs one, how it ended, and what two of them remove.

-- name: claim
-- One worker a slot, however many processes run the clock.
INSERT INTO job_run (job, slot, worker, started_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING job

-- name: held_by
-- Who is at it, or died at it.
SELECT worker, started_at FROM job_run WHERE job = $1 AND slot = $2 AND finished_at IS NULL

-- name: take_over
-- Only from the worker that was seen at it.
UPDATE job_run SET worker = $5, started_at = $6
WHERE job = $1 AND slot = $2 AND worker = $3 AND started_at = $4 AND finished_at IS NULL
RETURNING job

-- name: finish
UPDATE job_run SET finished_at = $3, outcome = $4 WHERE job = $1 AND slot = $2

-- name: release
DELETE FROM job_run WHERE job = $1 AND slot = $2 AND worker = $3 AND finished_at IS NULL

-- name: last_runs
-- The names of jobs first, each by one look at the index, and then the last run of each: never all runs there are.
WITH RECURSIVE known (job) AS (
    (SELECT job FROM job_run ORDER BY job LIMIT 1)
    UNION ALL
    SELECT (SELECT r.job FROM job_run r WHERE r.job > known.job ORDER BY r.job LIMIT 1)
    FROM known WHERE known.job IS NOT NULL)
SELECT last.job, last.slot, last.started_at, last.finished_at, last.outcome
FROM known CROSS JOIN LATERAL (
    SELECT r.* FROM job_run r WHERE r.job = known.job AND r.slot > $1 ORDER BY r.slot DESC LIMIT 1) AS last
ORDER BY last.job

-- name: forget_old
DELETE FROM job_run WHERE (job, slot) IN (SELECT job, slot FROM job_run WHERE slot < $1 LIMIT $2)

-- name: old_messages
-- Never what an unsummarised session still needs: of those the upkeep ends what is open and old enough.
DELETE FROM message
WHERE space_id = ANY ($1::bigint[]) AND (space_id, message_id) IN (
    SELECT m.space_id, m.message_id FROM message m
    WHERE m.space_id = ANY ($1::bigint[]) AND m.message_id < $2
      AND NOT EXISTS (SELECT 1 FROM session s WHERE s.space_id = ANY ($1::bigint[]) AND s.space_id = m.space_id
                      AND s.session_id = m.session_id
                      AND s.state IN ('open', 'closed', 'learning'))
    LIMIT $3)

-- name: old_turns
DELETE FROM turn
WHERE space_id = ANY ($1::bigint[]) AND (space_id, turn_id) IN (
    SELECT t.space_id, t.turn_id FROM turn t
    WHERE t.space_id = ANY ($1::bigint[]) AND t.turn_id < $2 AND t.state IN ('answered', 'failed')
    LIMIT $3)
