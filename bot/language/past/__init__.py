"""Detects questions about the past: cues in the words of a message and the names a space knows."""
