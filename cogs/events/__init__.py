"""Handles events other than messages: joining a server, a 📌 on an answer, the form that asks a question."""
