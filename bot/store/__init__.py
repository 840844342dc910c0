"""Reads and writes database rows: spaces, people, sessions, turns, notes; the archivist writes memories."""
