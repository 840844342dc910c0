-- Jobs that run by the clock: which worker runs one, how it ended, and what two of them remove.

-- name: claim
-- One worker a slot, however many processes run the clock.
INSERT INTO job_run (job, slot, worker, started_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING job

-- name: finish
UPDATE job_run SET finished_at = $3, outcome = $4 WHERE job = $1 AND slot = $2

-- name: release
DELETE FROM job_run WHERE job = $1 AND slot = $2 AND worker = $3 AND finished_at IS NULL

-- name: last_runs
SELECT DISTINCT ON (job) job, slot, started_at, finished_at, outcome FROM job_run
WHERE slot > $1 ORDER BY job, slot DESC

-- name: forget_old
DELETE FROM job_run WHERE slot < $1

-- name: old_messages
-- Never what an unsummarised session still needs.
DELETE FROM message
WHERE space_id = ANY ($1::bigint[]) AND message_id < $2
  AND NOT EXISTS (SELECT 1 FROM session s WHERE s.space_id = ANY ($1::bigint[]) AND s.space_id = message.space_id
                  AND s.session_id = message.session_id AND s.state IN ('open', 'closed'))

-- name: old_turns
DELETE FROM turn WHERE space_id = ANY ($1::bigint[]) AND turn_id < $2 AND state IN ('answered', 'failed')
