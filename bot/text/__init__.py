"""Handles letters and words, whatever they mean: cleaning, normal forms, sentences, patterns, links; pure."""
