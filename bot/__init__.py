"""Hathi: a chat bot that remembers what a community said, and can show why it answers as it does."""

__version__ = "0.1.0"
