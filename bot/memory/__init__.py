"""What Hathi remembers: one writer (the archivist), one reader (the librarian), and the sessions between resets."""
