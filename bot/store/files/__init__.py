"""Attached files: recognises the type of a file, reads its text and stores it, and makes pictures small for models."""
