"""Handles events other than messages: joining a server, a 📌 on a message, the form that asks a question."""
