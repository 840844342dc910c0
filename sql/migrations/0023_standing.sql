-- Hathi's own messages that stand on Discord and tell of what somebody erased: by ids alone and for two days, in which
-- whoever erased may have them deleted there.
CREATE TABLE standing_reply (
    space_id bigint NOT NULL,
    -- Who erased, not who was answered.
    person_id bigint NOT NULL,
    message_id bigint NOT NULL,
    place_id bigint NOT NULL,
    noted_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, person_id, message_id)
);
