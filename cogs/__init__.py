"""Discord in, Discord out: cogs translate, `bot` decides."""
