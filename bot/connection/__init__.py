"""The discord.py client: connecting, checks before connecting, and where Hathi changes the library's behaviour."""
