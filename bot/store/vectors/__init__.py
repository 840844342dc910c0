"""Vectors of remembered texts: made in the background, kept in a table a model, searched by meaning."""
