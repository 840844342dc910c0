"""Folds letters to lower case without accents, for comparing words however they are typed; pure."""

import re
import unicodedata
from typing import Final

_ACCENT: Final = re.compile("[\u0300-\u036f]+")
_LETTERS: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "\N{LATIN SMALL LETTER DOTLESS I}": "i"}
)
"""What no accent can be taken from."""


def folded(text: str) -> str:
    """The text in lower case and without accents."""
    plain = text.casefold()
    if plain.isascii():
        return plain
    bare = _ACCENT.sub("", unicodedata.normalize("NFKD", plain))
    return unicodedata.normalize("NFC", bare).translate(_LETTERS)
