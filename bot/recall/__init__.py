"""Searches memories and messages for a query, and ranks them, with the reason for each rank."""
