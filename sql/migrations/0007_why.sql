-- Why a reply says what it says, and what is known about a person.

-- The last replies of a channel: without it a quiet channel's are looked for among those of its whole space.
CREATE INDEX turn_replied ON turn (space_id, channel_id, turn_id) WHERE state = 'answered' AND reply_ids <> '{}';

-- What is about somebody and was said by another is found as what they said themselves.
CREATE INDEX memory_subject ON memory (space_id, subject_id) WHERE subject_id IS NOT NULL;
