-- Whoever takes another's name is told apart from them, also where it is written in other letters.

ALTER TABLE member
    -- What the name looks like (`bot/text/lookalikes.py`): letters that are drawn alike are one letter.
    ADD COLUMN likeness text NOT NULL DEFAULT '',
    ALTER COLUMN likeness SET STATISTICS 0;
-- Of names in Latin letters without accents it is the same, of others near to it, until they are met again.
UPDATE member SET likeness = regexp_replace(
    replace(translate(lower(normalize(name, NFKD)), 'i1|0', 'lllo'), 'm', 'rn'), '[^[:alnum:]]', '', 'g');
UPDATE member SET likeness = normalize(name, NFKD) WHERE likeness = '';
CREATE INDEX member_likeness ON member (space_id, likeness);
