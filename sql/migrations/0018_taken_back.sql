-- What one process takes back, the others know of.

-- How often something of a space was forgotten, erased, edited or discarded. An answer that was begun before looks again
-- before it is shown or recorded. Apart from the space's row: whoever takes something back locks this before all else.
CREATE TABLE taken_back (
    space_id bigint PRIMARY KEY,
    times bigint NOT NULL DEFAULT 0
);
INSERT INTO taken_back (space_id) SELECT space_id FROM space;

ALTER TABLE turn
    -- How often that had happened when what was kept of its reply was compared with what is left.
    ADD COLUMN compared bigint;
