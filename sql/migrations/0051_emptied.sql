-- The last message by its id that was said before all of a space was erased: what stands on Discord up to it is told by
-- no search and no talk around a question.
ALTER TABLE space ADD COLUMN emptied_through bigint NOT NULL DEFAULT 0;
