"""What a model is sent: identity, memories, evidence, nearby talk and history, fitted to its context window."""
