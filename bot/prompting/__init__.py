"""What a model is sent: identity, memories, evidence, surrounding talk and history, fitted to its context window."""
