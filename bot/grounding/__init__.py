"""Checks whether an answer is supported by what was shown: one module for each kind of mistake; pure."""
