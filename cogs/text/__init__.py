"""Discord's text format: markdown, mentions, and splitting a reply within Discord's limits; pure."""
