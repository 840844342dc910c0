"""Recovery after a crash or a gap: finishes interrupted replies and takes in what was missed."""
