"""Receives every message and sees each question through to its answer."""
