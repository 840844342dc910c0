-- How a channel began is read from its first chunks on, however many followed.
CREATE INDEX chunk_first ON chunk (space_id, channel_id, first_message_id);
