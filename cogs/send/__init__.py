"""Sends to Discord: streamed replies, single requests, files, the pace, and what must not be cancelled."""
