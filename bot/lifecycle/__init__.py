"""Changes memories over time: summaries, promoted notes, contradictions, edits, deletions, personal data."""
