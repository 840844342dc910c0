"""Reasons not to keep a sentence: asked, supposed, denied, joke, song, greeting or log; and reasons to be slow to.

Matched on the normalised sentence (`colloquial.plain`). A doubt outweighs any sign of a fact: what a summary leaves
out recall still finds, but a summary that says what nobody meant stays wrong. Hearsay and small errands are weighed
(`worth.py`): a sentence is quoted whole, with the words that say who is said to have said it.
"""

from typing import Final

from bot.language.statements import reservations, signs
from bot.language.tags import noise
from bot.text import patterns

_DOUBTS: Final = reservations.RESERVATIONS | noise.NOISE
_RETRACTION: Final = patterns.compiled(
    r"(?:never ?mind|nvm|scrap that|ignore that|forget (?:it|that)|wait,? no|not really)\b"
)
_WHOLE_MESSAGE: Final = patterns.compiled(
    r"(?:^|\s)(?:jk|j/k|just kidding|/s|/j|/jk|kidding|joking)\b\W*$|^\W*[\u266a-\u266c\U0001f3b5\U0001f3b6]|"
    r"^[!/][a-z]"
)
_CONFIDED: Final = patterns.compiled(
    r"\b(?:do not|don['\u2019]?t|please never|never) (?:\w+ )?"
    r"(?:store|save|remember|keep|record|memori[sz]e|write down|log) (?:this|that|it|any of)\b"
    r"|\boff the record\b|\b(?:just )?between (?:us|you and me)\b"
)
_READ: Final = 600
"""Characters of a sentence that are looked at: longer ones state nothing."""


def doubt(plain: str) -> str | None:
    """The first reason not to keep this sentence, or none."""
    read = plain[:_READ]
    return next((reason for reason in _DOUBTS if reason not in signs.DOUBTS and _is_met(reason, read)), None)


def misgivings(plain: str) -> set[str]:
    """The reasons to be slow to keep this sentence, which its signs may outweigh."""
    return {reason for reason in signs.DOUBTS if _is_met(reason, plain[:_READ])}


def takes_back(plain: str) -> bool:
    """Whether a sentence withdraws the one before it: it laughs, or says never mind."""
    return bool(_is_met("joke", plain) or _RETRACTION.match(plain))


def taints(message: str) -> bool:
    """Whether a message is excluded as a whole: a command, a song, withdrawn, or told in confidence."""
    return bool(
        _CONFIDED.search(message.lower())
        or _WHOLE_MESSAGE.search(message.strip()[:200])
        or _WHOLE_MESSAGE.search(message.strip()[-40:])
    )


def _is_met(reason: str, text: str) -> bool:
    return patterns.compiled(_DOUBTS[reason]).search(text) is not None
