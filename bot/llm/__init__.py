"""Models behind OpenAI-compatible servers: roles, streaming and the only retries."""
