-- What replies were made from is told by what their turns were shown, and found by that.

-- What a turn was shown, as its trail names it: messages, and the sessions of chat summaries.
CREATE FUNCTION source_ids(trail jsonb) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
    SELECT ARRAY(
        SELECT key::bigint FROM jsonb_path_query(trail, '$.sources[*].message[1] ? (@.type() == "number")') AS key
        UNION ALL
        SELECT key::bigint FROM jsonb_path_query(trail, '$.sources[*].session ? (@.type() == "number")') AS key)
$$;

CREATE INDEX message_reply ON message (space_id, reply_to) WHERE role = 'hathi';
CREATE INDEX turn_shown ON turn USING gin (space_id, shown) WHERE shown <> '{}';
CREATE INDEX turn_sources ON turn USING gin (space_id, source_ids(trail)) WHERE trail ? 'sources';

-- Whoever is erased is looked for among those who acted, not among all that happened.
CREATE INDEX memory_event_actor ON memory_event (space_id, actor_id) WHERE actor_id IS NOT NULL;
