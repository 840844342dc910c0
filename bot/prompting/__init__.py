"""Builds the prompt from identity, memories, evidence, nearby talk and history, within the model's token limit."""
