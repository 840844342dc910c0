"""Recognises messages that only end the conversation, and chooses the acknowledgement; pure.

The patterns are in `closing_words`, one row a language.
"""

from bot.domain import MessageId
from bot.language.requests import closing_words
from bot.text import formulas


def is_closure(text: str, bot_name: str = "Hathi") -> bool:
    """Whether the message as a whole thanks, says that it is enough or takes its leave, in any language there is.

    One that asks or tells anything more ("thanks, and what did we decide?") is none and goes the way of every other
    message.
    """
    return formulas.is_made_of(text, tables(), bot_name)


def tables() -> formulas.Tables:
    """The phrases, by language."""
    return tuple((each.closing, each.beside) for each in closing_words.LANGUAGES)


def acknowledgement(message_id: MessageId, language: str) -> str:
    """What is said to a closing message: the same to the same one, in the language of its space or else in English."""
    spoken = next((each for each in closing_words.LANGUAGES if each.name == language), closing_words.ENGLISH)
    # By the milliseconds of the id: its lower bits hardly change.
    return spoken.answers[(message_id >> 22) % len(spoken.answers)]
