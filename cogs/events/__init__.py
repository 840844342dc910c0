"""Other events of Discord: joining a server, a pin reaction, the question field."""
