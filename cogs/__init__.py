"""Discord in, Discord out: the cogs translate, `bot/` decides."""
