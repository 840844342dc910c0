-- How much of a space one person may use.

-- What somebody saved within the hour is counted by who acted and when; whoever is erased is still found by it.
CREATE INDEX memory_event_acted ON memory_event (space_id, actor_id, at) WHERE actor_id IS NOT NULL;
DROP INDEX memory_event_actor;
