"""Client of OpenAI-compatible model servers: roles, streams, embeddings, and the only retries of model calls."""
