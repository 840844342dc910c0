-- Commands go through states as questions do, so that one that a crash cuts short is done or told of.

ALTER TABLE turn
    -- Of a command in hand, how it is answered: 'message', or the token of its interaction, which is good for fifteen
    -- minutes. None of a question, and none once it is answered.
    ADD COLUMN command text;
