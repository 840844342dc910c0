-- Who is answered in a space, as its admins chose: those with one of these roles alone, and none with one of those; in
-- these channels alone, and in none of those. A thread is its channel's.
ALTER TABLE space
    ADD COLUMN roles_allowed bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN roles_blocked bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN channels_allowed bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN channels_blocked bigint[] NOT NULL DEFAULT '{}',
    ADD CHECK (NOT roles_allowed && roles_blocked),
    ADD CHECK (NOT channels_allowed && channels_blocked);
