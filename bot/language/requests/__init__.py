"""Reads requests in plain words: remember, forget, list, approve, close; and greetings."""
