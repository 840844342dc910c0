"""Classifies messages: questions about the past, requests, statements worth keeping; rules in tables, pure."""
