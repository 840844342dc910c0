-- Attachments: what is written in the files that came with a message.

-- Its words as they are searched. A file can hold more different ones than a vector takes (1 MiB): then of its beginning.
-- Without their places in the text, which nothing asks for and which are most of a vector.
CREATE FUNCTION attachment_vector(language text, body text) RETURNS tsvector
LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE AS $$
DECLARE
    taken integer := char_length(body);
BEGIN
    LOOP
        BEGIN
            RETURN strip(search_vector(language, left(body, taken)));
        EXCEPTION WHEN program_limit_exceeded THEN
            taken := taken / 2;
        END;
    END LOOP;
END
$$;

-- The foreign key removes it with its message, in the same transaction, whoever deletes that; and as every read joins the
-- message, it is hidden with it and shown again with it.
CREATE TABLE attachment (
    space_id bigint NOT NULL,
    message_id bigint NOT NULL,
    attachment_id bigint NOT NULL,
    -- The message's: whose readers may see it.
    channel_id bigint NOT NULL,
    name text NOT NULL,
    -- What it may be called by in a question: its name in words, with its extension and without.
    called text[] NOT NULL,
    content_type text,
    size bigint NOT NULL,
    state text NOT NULL CHECK (state IN ('text', 'unreadable', 'too_large', 'failed')),
    content text NOT NULL,
    search tsvector NOT NULL,
    read_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, message_id, attachment_id),
    FOREIGN KEY (space_id, message_id) REFERENCES message (space_id, message_id) ON DELETE CASCADE,
    CHECK ((state = 'text') = (content <> ''))
);
-- Without a list of what is not in the index yet, which every search would read: a file is stored in the background,
-- and can wait for its thousands of words to be put in.
CREATE INDEX attachment_search ON attachment USING gin (space_id, search) WITH (fastupdate = off)
    WHERE state = 'text';
CREATE INDEX attachment_called ON attachment USING gin (space_id, called) WITH (fastupdate = off)
    WHERE state = 'text';
