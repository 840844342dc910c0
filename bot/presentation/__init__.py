"""What people are sent: memories, messages and trails as readable lines, and Hathi's introductions."""
