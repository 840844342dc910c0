-- Up to where a channel's ledger is in its rolling summary, and was looked through for what is to be condensed: a process that
-- ends between a chunk and its version leaves that to be done.
ALTER TABLE tracker ADD COLUMN rolled_through bigint;
