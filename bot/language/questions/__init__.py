"""Tells what kind of answer a question wants: a number, a time, a person, a picture, or common knowledge."""
