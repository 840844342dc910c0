-- One fact is one row, and what is replaced is found again where memory is asked as of an earlier day.
ALTER TABLE memory
    -- Since when what replaced this memory counts: as of any moment before, this one does.
    ADD COLUMN superseded_at timestamptz;
UPDATE memory SET superseded_at = e.at
FROM (SELECT space_id, memory_id, max(at) AS at FROM memory_event WHERE kind = 'superseded'
      GROUP BY space_id, memory_id) AS e
WHERE memory.space_id = e.space_id AND memory.memory_id = e.memory_id AND memory.superseded_by IS NOT NULL;
-- Apart from the one for what stands, which every recall reads.
CREATE INDEX memory_replaced ON memory USING gin (space_id, search)
    WHERE forgotten_at IS NULL AND superseded_by IS NOT NULL;
