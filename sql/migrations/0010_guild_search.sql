-- What Discord's own search finds is quoted and never stored.

-- Until when what a person said is not to be read on Discord either: they have erased it here.
ALTER TABLE person ADD COLUMN erased_at timestamptz;

-- What a reply was made from that is not stored: the ids of its messages, their authors and their places. Whichever
-- goes takes the reply along, whose own record holds but links.
ALTER TABLE turn ADD COLUMN made_from bigint[] NOT NULL DEFAULT '{}';
CREATE INDEX turn_made_from ON turn USING gin (space_id, made_from) WHERE made_from <> '{}';
