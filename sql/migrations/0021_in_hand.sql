-- What a crash cuts short: commands go through states as questions do, to be done or told of; and of a reply that is
-- being sent it is known for whom it was made, and whether it is to go.

ALTER TABLE turn
    -- Of a command in hand, how it is answered: 'message', or the token of its interaction, which is good for fifteen
    -- minutes. None of a question, and none once it is answered.
    ADD COLUMN command text,
    -- The channels that everyone who could read a reply could read when what it was made from was chosen.
    ADD COLUMN audience bigint[] NOT NULL DEFAULT '{}',
    -- What stands of a reply is to go, because somebody reads along by now or something it was made from is gone.
    ADD COLUMN withdrawing boolean NOT NULL DEFAULT false;
