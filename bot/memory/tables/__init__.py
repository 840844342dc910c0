"""English tables of what lasting statements look like, and of what only looks like them; one cue a line."""
