-- What of a channel's history is still to be read, the place that is being read first: the channel, then its public
-- threads. None before the reading begins, and of one that began when no threads were read.
ALTER TABLE learning ADD COLUMN places bigint[] NOT NULL DEFAULT '{}';
