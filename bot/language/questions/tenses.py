"""Tells whether a question is of what is to come: then a day without a year is the next one; pure."""

from bot.language.questions import tense_words
from bot.text import patterns, plain_form
from bot.text.plain_form import Plain


def looks_ahead(question: str, read: Plain | None = None) -> bool:
    """Whether it asks what is or will be, and of nothing that was; `read` is its plain form, where that was read."""
    plain = question.translate(patterns.STRAIGHT_QUOTES)
    if any(patterns.compiled(each.past).search(plain) for each in tense_words.LANGUAGES):
        return False
    if any(patterns.compiled(each.coming).search(plain) for each in tense_words.LANGUAGES):
        return True
    is_done = any(patterns.compiled(each.done).search(plain) for each in tense_words.LANGUAGES)
    return not is_done and (read or plain_form.read(question)).asks
