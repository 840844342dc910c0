"""Tells which texts still say what an edited message says no more; by its words, and pure."""

import re
from collections.abc import Callable
from typing import Final

_TOKEN: Final = re.compile(r"\w+(?:['\u2019.:,/%-]\w+)*")
_NEGATION: Final = re.compile(
    r"not|no|none|never|cannot|without|neither|nor|\w+n['\u2019]t|nicht|kein\w{0,2}|nie|niemals|ohne|ne|pas|jamais|aucune?"
    r"|sans|nunca|jam\u00e1s|sin|ning\u00fan|ninguna"
)


def outdating(old: str, new: str) -> Callable[[str], bool]:
    """Tells of texts made from old words whether they say what the new ones do not: a word that went, another "not"."""
    before, after = ({word.lower() for word in _TOKEN.findall(said)} for said in (old, new))
    gone, is_denied = before - after, any(_NEGATION.fullmatch(word) for word in before ^ after)
    return lambda text: is_denied or not gone.isdisjoint(word.lower() for word in _TOKEN.findall(text))
