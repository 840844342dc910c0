-- What rests on what was replaced is looked up with every question, to tell nobody an old value as the current one.
CREATE INDEX memory_outdated ON memory USING gin (space_id, evidence) WHERE superseded_by IS NOT NULL;
