-- Of a community's people those who were seen last are read, however many ever were there.
CREATE INDEX member_seen ON member (space_id, last_seen_at DESC);
-- The entries of all ledgers in the order of what was said, without those that nobody is told of: what was only read has
-- no words, and is many times as much.
CREATE INDEX chunk_told ON chunk (space_id, chunk_id) WHERE withheld_at IS NULL AND text <> '';
