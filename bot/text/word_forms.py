"""Tells whether two English words are forms of one: inflected, spelt as elsewhere, or mistyped by a letter; pure."""

import re
from functools import lru_cache
from typing import Final

_ENDINGS: Final = (("ies", 5, "y"), ("sis", 6, "s"), ("ses", 6, "s"), ("ing", 6, ""), ("ed", 5, ""))
"""Of inflected words: what they end on, the letters such a word has at least, and what stands there without it."""
_SPELLINGS: Final = (("our", "or"), ("tr", "ter"), ("ogu", "og"), ("enc", "ens"), ("mm", "m"), ("ll", "l"))
"""What stems end on in Britain, and in America: colour, centre, catalogue, licence, programme, cancelled."""
_Z: Final = re.compile(r"(?<=[iy])z")
"""In America, where Britain may write an s: organize, analyze."""
_SHORTEST: Final = 5
"""Letters of a word that others may be made of: deployment of deploy."""
_SWAPPED: Final = 6
"""Letters from which on one of them may be another."""
_LOST: Final = 4
"""Letters from which on one may be missing, or stand in the wrong place."""


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """The word without common English endings, in one spelling: planned and planning become plan."""
    for ending, least, instead in _ENDINGS:
        if word.endswith(ending) and len(word) >= least:
            word = word.removesuffix(ending) + instead
            break
    else:
        if word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiousl":
        word = word[:-1]
    word = word.removesuffix("e") if len(word) > 3 else word
    for british, american in _SPELLINGS:
        if len(word) > 4 and word.endswith(british):
            word = word.removesuffix(british) + american
            break
    return _Z.sub("s", word)


def alike(one: str, other: str) -> bool:
    """Whether two stems are of one word: the same, one made of the other, or the same but for one letter."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if not short or short[0] != long[0] or len(long) < _LOST:
        return False
    if len(short) >= _SHORTEST and long.startswith(short):
        return True
    at = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return len(long) == len(short) + 1 and short[at:] == long[at + 1 :]
    is_turned = short[at : at + 2] == long[at : at + 2][::-1] and short[at + 2 :] == long[at + 2 :]
    return is_turned or (len(long) >= _SWAPPED and short[at + 1 :] == long[at + 1 :])
