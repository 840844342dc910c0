-- What is read on Discord for an answer is compared with what was forgotten, by its messages: a session that was
-- discarded leaves all of its own.

CREATE INDEX tombstone_evidence ON tombstone USING gin (space_id, evidence);
