-- What was said before a channel remembered anything is not taken up later, when Hathi catches up with what it missed.
ALTER TABLE channel
    -- The id that a message would have had when the channel's mode was set last; none where it never was.
    ADD COLUMN mode_since bigint;
