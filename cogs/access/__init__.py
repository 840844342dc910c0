"""Tells who is asking, where, and who may read the answer, from Discord's live permissions."""
