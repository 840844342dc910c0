-- Since when what is somebody's is being erased, everywhere and in batches: until that is over, also where whoever did it
-- was killed, none of it is read any more.
ALTER TABLE person ADD COLUMN erasing_at timestamptz;
-- And since when all that was said in a space until then is.
ALTER TABLE space ADD COLUMN emptying_at timestamptz;
CREATE INDEX person_erasing ON person (person_id) WHERE erasing_at IS NOT NULL;
