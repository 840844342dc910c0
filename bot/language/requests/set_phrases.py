"""Compares a message with every set phrase at once: thanks, yes and no, greetings, who Hathi is; pure.

A message consists of set phrases entirely, or says something of its own. The patterns are in `closing_words`,
`approval_words`, `greeting_words`, `self_questions`, `privacy_questions`, `talk_words` and `picture_words`, one row a
language.
"""

import functools
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import Final

from bot.language.questions import picture_words
from bot.language.requests import approval, closing, greeting_words, privacy_questions, self_questions, talk_words
from bot.text import formulas


class SetAnswer(StrEnum):
    """The requests answered by a set text: greeting, help, who Hathi is."""

    GREETING = "greeting"
    WHO = "who"
    HELP = "help"
    POINTING = "pointing"
    """Help, unless something else is pointed at."""


_ORDER: Final = (SetAnswer.HELP, SetAnswer.WHO, SetAnswer.GREETING, SetAnswer.POINTING)
"""In which they are looked for."""


class _Phrase(Enum):
    CLOSING = auto()
    NO = auto()
    YES = auto()
    UNDO = auto()
    STOP = auto()
    SELF = auto()
    TALK = auto()
    PICTURE = auto()
    WHY = auto()
    PRIVACY = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPhrases:
    """What a message as a whole says in set phrases; of most messages nothing."""

    closes: bool
    """Whether it only ends the conversation."""
    approves: bool
    """Whether it asks to keep what was just answered."""
    agrees: bool | None
    """Whether it says yes, or no."""
    undoes: bool
    """Whether it wants what was just done taken back."""
    stops: bool
    """Whether it ends an answer that is still being written."""
    asks_about_self: bool
    """Whether it asks what is known about whoever says it: "what do you know about me?", but not "… about my car?"."""
    asks_of_talk: bool
    """Whether it asks what the talk at hand came to: "what did we just talk about?", "recap please"."""
    asks_of_picture: bool
    """Whether it asks what a picture shows, and names one: "what is in this picture?"."""
    asks_why: bool
    """Whether it asks for the sources of what was just answered: "why?", "how do you know that?"."""
    asks_of_privacy: bool
    """Whether it asks what is recorded, who sees that or how it is stopped: "is this private?", "opt out"."""
    word: SetAnswer | None
    """Whether it greets, or asks who Hathi is or what it can do."""

    @property
    def has_one(self) -> bool:
        """Whether the message is answered by what it says as a whole, and nothing is looked up for it."""
        says = self.closes or self.approves or self.undoes or self.asks_about_self or self.asks_of_picture
        says = says or self.asks_of_privacy
        return says or self.agrees is not None or self.word is not None


@functools.lru_cache(maxsize=256)
def read(text: str, bot_name: str = "Hathi") -> SetPhrases:
    """The set phrases that the message as a whole consists of; known of the last texts."""
    said = formulas.all_of(text, _stated(), bot_name)
    asked = formulas.all_of(formulas.unmarked(text), _asked(), bot_name)
    return SetPhrases(
        closes=_Phrase.CLOSING in said,
        approves=approval.is_approval(text, bot_name),
        agrees=False if _Phrase.NO in said else True if _Phrase.YES in said else None,
        undoes=_Phrase.UNDO in asked,
        stops=_Phrase.STOP in said,
        asks_about_self=_Phrase.SELF in asked,
        asks_of_talk=_Phrase.TALK in asked,
        asks_of_picture=_Phrase.PICTURE in asked,
        asks_why=_Phrase.WHY in asked,
        asks_of_privacy=_Phrase.PRIVACY in asked,
        word=next((word for word in _ORDER if word in asked), None),
    )


@functools.cache
def _stated() -> tuple[tuple[_Phrase, formulas.Tables], ...]:
    """Phrases that a question mark makes something else of."""
    return (
        (_Phrase.CLOSING, closing.tables()),
        (_Phrase.NO, tuple((each.no, each.beside) for each in greeting_words.LANGUAGES)),
        (_Phrase.YES, tuple((each.yes, each.beside) for each in greeting_words.LANGUAGES)),
        (_Phrase.STOP, tuple((each.stop, f"{each.beside}|no|nein|non") for each in greeting_words.LANGUAGES)),
    )


@functools.cache
def _asked() -> tuple[tuple[_Phrase | SetAnswer, formulas.Tables], ...]:
    """Phrases with a question mark or without."""
    return (
        (_Phrase.UNDO, tuple((each.undo, each.beside) for each in greeting_words.LANGUAGES)),
        (_Phrase.SELF, tuple((each.asking, each.beside) for each in self_questions.LANGUAGES)),
        (_Phrase.TALK, tuple((each.asking, each.beside) for each in talk_words.LANGUAGES)),
        (_Phrase.PICTURE, tuple((each.asking, each.beside) for each in picture_words.LANGUAGES)),
        (_Phrase.PRIVACY, tuple((each.asking, each.beside) for each in privacy_questions.LANGUAGES)),
        (_Phrase.WHY, tuple((each.why, each.beside) for each in greeting_words.LANGUAGES)),
        *(
            # Each saying once: a saying that is there twice doubles the ways to read every one of them.
            (word, tuple((getattr(each, word), _others(each, word)) for each in greeting_words.LANGUAGES))
            for word in _ORDER
        ),
    )


def _others(language: greeting_words.GreetingWords, word: SetAnswer) -> str:
    """What may stand beside a greeting or question: the others, but what points at something."""
    named = (SetAnswer.GREETING, SetAnswer.WHO, SetAnswer.HELP)
    return "|".join([language.beside, *(getattr(language, one) for one in named if one is not word)])
