"""Finds the statements worth keeping in what people write; English tables, one cue a line."""
