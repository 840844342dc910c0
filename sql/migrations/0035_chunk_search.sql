-- An entry of a ledger is found by its words, as messages are: when those are no longer kept, or stand apart in them.
ALTER TABLE chunk
    ADD COLUMN search tsvector NOT NULL DEFAULT '',
    ALTER COLUMN search SET STATISTICS 0;
UPDATE chunk SET search = search_vector(space.language, chunk.text)
FROM space WHERE space.space_id = chunk.space_id;
CREATE INDEX chunk_search ON chunk USING gin (space_id, search) WITH (gin_pending_list_limit='256')
    WHERE withheld_at IS NULL;
