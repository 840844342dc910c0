-- The talk before a mention: how many messages of the channel join the prompt, where its admins want another number than
-- whoever runs Hathi.

ALTER TABLE channel ADD COLUMN around integer CHECK (around BETWEEN 0 AND 50);
