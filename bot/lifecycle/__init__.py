"""What becomes of memories: summaries, promoted notes, contradictions, edits and deletions, personal data."""
