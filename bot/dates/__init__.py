"""Reads the times people name ("last week", "5 May") as spans and days, in questions and answers; pure."""
