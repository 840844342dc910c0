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


def acknowledgement(message_id: MessageId, language: str, text: str = "") -> str:
    """What is said to a closing message: the same to the same one, in the language that it is in.

    That is its space's where it may be, and where no one language has all of it; else English.
    """
    spoken = {each.name: each for each in closing_words.LANGUAGES}
    ways = sorted(spoken.values(), key=lambda each: each.name != language)
    said = (each for each in ways if text and formulas.is_made_of(text, ((each.closing, each.beside),), "Hathi"))
    spoken = next(said, spoken.get(language, closing_words.ENGLISH))
    # By the milliseconds of the id: its lower bits hardly change.
    return spoken.answers[(message_id >> 22) % len(spoken.answers)]
