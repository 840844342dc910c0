"""The discord.py client: how Hathi connects, what it asks before, and where the library is bent."""
