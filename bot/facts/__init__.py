"""Compares facts: whether two say the same, contradict each other, or one changes the other; rules in tables, pure."""
