-- The palace: that a memory was filed in another room is one of the things that happen to it.

ALTER TABLE memory_event DROP CONSTRAINT memory_event_kind_check, ADD CONSTRAINT memory_event_kind_check CHECK (kind IN
    ('saved', 'merged', 'superseded', 'aged', 'decayed', 'promoted', 'pinned', 'unpinned', 'forgotten', 'restored',
     'moved'));
