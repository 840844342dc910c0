"""Hathi: a chat bot that remembers, and can show why."""

__version__ = "0.1.0"
