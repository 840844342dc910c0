"""Discord's text format: mentions, and splitting a reply within Discord's limits; pure."""
