"""Turns a query into a ranking of memories and messages, with the reason for every place."""
