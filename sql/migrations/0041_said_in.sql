-- What people said in a channel, by time: what happened in a while is read of many channels at once.
CREATE INDEX message_said ON message (space_id, channel_id, message_id) WHERE hidden_at IS NULL AND role = 'person';
