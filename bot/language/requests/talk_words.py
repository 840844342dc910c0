"""Patterns for asking what the talk at hand came to, by language.

Patterns ignore case and are written without accents. A message asks for it when it consists of `asking` pieces and
nothing else but `beside` ones, with a question mark or without. What was said at another time is another question.
"""

from dataclasses import dataclass
from typing import Final

from bot.language.requests import self_questions
from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkWords:
    """One language's questions about the talk at hand."""

    asking: str
    """What asks for it, each piece alone."""
    beside: str
    """What may stand before or after it: a greeting, please, thanks."""


_ENGLISH: Final = {
    "talk": (
        r"(?:(?:the |this |our |that )?(?:whole )?(?:talk|discussion|conversation|chat|thread|debate|exchange)"
        r"|(?:all )?(?:of )?(?:this|that|the above|it)|the last (?:\w{1,8} )?messages"
        r"|what (?:we|they|people) (?:just )?said)"
    ),
    "sum": r"(?:summari[sz]e|sum up|recap|condense|boil down)",
    "above": r"(?:(?: (?:above|here|so far|up there|until now|just now|right now|for me|in short|briefly))*)",
}

ENGLISH: Final = TalkWords(
    asking=patterns.either(
        r"""
        tl;? ?dr|(?:(?:what(?:'s| is) |give (?:me|us) |i need )?(?:the|a) (?:short |quick |brief )?\
            (?:tl;? ?dr|recap|summary|gist)|tl;? ?dr|(?:a |quick |short )?(?:recap|summary))\
            (?: (?:of|on|for) {talk})?{above}
        {sum}(?: {talk})?{above}
        {sum} (?:our|the|this|my) \w{1,20}(?: \w{1,20})? so far
        what (?:did|have) (?:we|they|you(?: all| guys)?|people) just (?:talk(?:ed)? about|discuss(?:ed)?|say|said\
            |decided?|agreed? on|agree on){above}
        what (?:are|were) (?:we|they|you(?: all| guys)?|people) (?:just )?(?:talking about|discussing|on about){above}
        what(?:'s| is) (?:{talk}) about|what(?:'s| is) being discussed{above}
        """,
        _ENGLISH,
    ),
    beside=self_questions.ENGLISH.beside,
)

LANGUAGES: Final = (ENGLISH,)
