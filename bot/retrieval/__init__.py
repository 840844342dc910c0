"""Looking before speaking: who asks about the past, where to look, in which order, and what may be said of it."""
