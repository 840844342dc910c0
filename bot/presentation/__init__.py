"""Writes the texts people read: memories, messages, search results and sessions, and Hathi's introductions."""
