-- What a model would do that its asker has to agree to, beside what it would keep: a command, held in the same way.
ALTER TABLE proposal
    ADD COLUMN command text,
    ADD COLUMN line text,
    ADD CHECK ((command IS NULL) = (line IS NULL));
ALTER TABLE proposal
    ALTER COLUMN command SET STATISTICS 0,
    ALTER COLUMN line SET STATISTICS 0;
