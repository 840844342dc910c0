"""Rows by table: spaces, people, sessions, turns, notes, and the archivist, the one writer of memories."""
