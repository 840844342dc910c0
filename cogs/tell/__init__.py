"""One-off notices to people: errors, and what is remembered of them."""
