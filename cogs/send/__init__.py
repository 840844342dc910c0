"""Sends to Discord: streamed replies, single requests and files, within Discord's limits."""
