-- What is made of the talk of a channel, and by which workflow of the settings folder, where its admins want something
-- else than whoever runs Hathi.
ALTER TABLE channel
    ADD COLUMN makes text[] CHECK (makes <@ ARRAY['ledger', 'facts'] AND cardinality(makes) > 0),
    ADD COLUMN workflow text;
-- The workflows that are in use anywhere.
CREATE INDEX channel_workflow ON channel (workflow) WHERE workflow IS NOT NULL;
