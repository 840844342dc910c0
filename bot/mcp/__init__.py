"""Calls the tools of MCP servers that settings name; each is held by a task of its own for as long as Hathi runs."""
