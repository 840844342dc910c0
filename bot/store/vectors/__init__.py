"""Vectors of remembered texts: made in the background, stored in a table for each model, searched by meaning."""
