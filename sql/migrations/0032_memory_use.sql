-- What making memory cost, of each space and day: so that a budget holds over all processes and restarts.
CREATE TABLE memory_use (
    space_id bigint NOT NULL,
    -- Of UTC.
    day date NOT NULL,
    -- Calls of the summarizer, those that failed too; and tokens as its server counted them, else as they are estimated.
    calls integer NOT NULL DEFAULT 0,
    tokens_in bigint NOT NULL DEFAULT 0,
    tokens_out bigint NOT NULL DEFAULT 0,
    -- When a call was first refused that day: it is told once.
    spent_at timestamptz,
    PRIMARY KEY (space_id, day)
);
