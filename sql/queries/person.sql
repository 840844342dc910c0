-- People, everywhere: whether they were told, and whether they want to be remembered.

-- name: tell
-- Once, over all processes: whoever claims it tells. In the order of their ids, so that two who claim several never wait
-- for each other.
INSERT INTO person (person_id, told_at) SELECT untold.person_id, $2 FROM unnest($1::bigint[]) AS untold (person_id)
ORDER BY untold.person_id
ON CONFLICT (person_id) DO UPDATE SET told_at = excluded.told_at WHERE person.told_at IS NULL
RETURNING person_id

-- name: untell
-- Only what the same claim has set: another may have told them meanwhile.
UPDATE person SET told_at = NULL WHERE person_id = ANY ($1::bigint[]) AND told_at = $2

-- name: opt_out
-- What is being told or summarised with words of theirs is compared with what may be before it is recorded, as where
-- something is forgotten.
WITH done AS (
    INSERT INTO person (person_id, opted_out_at) VALUES ($1, $2)
    ON CONFLICT (person_id) DO UPDATE SET opted_out_at = excluded.opted_out_at WHERE person.opted_out_at IS NULL
    RETURNING person_id, spaces),
counted AS (
    INSERT INTO taken_back (space_id, times) SELECT met.space_id, 1 FROM done, unnest(done.spaces) AS met (space_id)
    ORDER BY met.space_id ON CONFLICT (space_id) DO UPDATE SET times = taken_back.times + 1)
SELECT spaces FROM done

-- name: kept_by_others
-- Whether somebody else had something of theirs kept in a space, before this memory.
SELECT EXISTS (SELECT 1 FROM memory m
               WHERE m.space_id = $1 AND m.author_id = $2 AND m.memory_id < $3 AND m.source <> 'summary'
                 AND EXISTS (SELECT 1 FROM memory_event e
                             WHERE e.space_id = $1 AND e.memory_id = m.memory_id AND e.kind = 'saved'
                               AND e.actor = 'person' AND e.actor_id <> $2))

-- name: spaces
SELECT spaces FROM person WHERE person_id = $1

-- name: opt_in
UPDATE person SET opted_out_at = NULL WHERE person_id = $1 AND opted_out_at IS NOT NULL RETURNING person_id

-- name: opted_out
SELECT EXISTS (SELECT 1 FROM person WHERE person_id = $1 AND opted_out_at IS NOT NULL)

-- name: declined
SELECT person_id FROM person WHERE person_id = ANY ($1::bigint[]) AND opted_out_at IS NOT NULL

-- name: unreadable
-- Of these people those of whom not everything may be read on Discord: who do not want to be remembered, and who erased
-- what they had said until then.
SELECT person_id, opted_out_at IS NOT NULL AS declined, erased_at FROM person
WHERE person_id = ANY ($1::bigint[]) AND (opted_out_at IS NOT NULL OR erased_at IS NOT NULL)
