"""What a model may do: its tools, in sets, each run with the rights of whoever asks."""
