"""Detects questions about the past, by cues in the words of a message and the names a space knows."""
