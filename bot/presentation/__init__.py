"""What people are sent: memories, messages and trails as readable lines, and what Hathi says of itself."""
