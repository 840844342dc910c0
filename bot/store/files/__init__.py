"""The texts of attached files: recognises the type of a file, reads its text, and stores it."""
