-- Whether what mentions Hathi in a channel is answered in a thread made from it, in which no mention is needed.
ALTER TABLE channel ADD COLUMN threads boolean NOT NULL DEFAULT false;
