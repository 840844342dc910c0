-- Which of Hathi's own set texts a reply is; none where it is an answer. Such a text is no evidence, is never kept as a
-- memory, and no model is told it as its own words.

ALTER TABLE turn ADD COLUMN stock text;

-- Until now these were replies that neither a model nor a walk through the layers had made.
UPDATE turn SET stock = 'other' WHERE state = 'answered' AND model IS NULL AND reply_ids <> '{}' AND NOT trail ? 'walk';

-- What was forgotten lately, to be taken back: also where there never was a memory of it.
CREATE INDEX tombstone_at ON tombstone (space_id, at);
