"""Folds letters to lower case without accents, for comparing words however they are typed; pure."""

import functools
import re
import unicodedata
from typing import Final

_ACCENT: Final = re.compile("[\u0300-\u036f]+")
_LETTERS: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "\N{LATIN SMALL LETTER DOTLESS I}": "i"}
)
"""What no accent can be taken from."""

_LOOKALIKES: Final = str.maketrans(
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425"
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u051b\u051d"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03b1\u03bd\u03b9",
    "ABESIJKMHOPCTYXaeopcyxijsdhqwABEZHIKMNOPTYXoavi",
)
"""Cyrillic and Greek letters that look like Latin ones."""
_LOOKALIKE: Final = re.compile(f"[{''.join(map(chr, _LOOKALIKES))}]")
_LETTERED: Final = re.compile(r"[^\W\d_]+")
_LATIN: Final = re.compile("[A-Za-z]")


def unmixed(text: str) -> str:
    """The text with Latin letters in words that are of these and of such as look like them; as long as it was."""
    if not _LOOKALIKE.search(text):
        return text
    return _LETTERED.sub(lambda word: word[0].translate(_LOOKALIKES) if _LATIN.search(word[0]) else word[0], text)


def folded(text: str) -> str:
    """The text in lower case and without accents."""
    plain = text.casefold()
    if plain.isascii():
        return plain
    bare = _ACCENT.sub("", unicodedata.normalize("NFKD", plain))
    return unicodedata.normalize("NFC", bare).translate(_LETTERS)


def evenly(text: str) -> str:
    """The text in lower case and without accents, as long as it was: letters that would become two stay."""
    return text.lower() if text.isascii() else "".join(map(_letter, text))


@functools.lru_cache(maxsize=2048)
def _letter(sign: str) -> str:
    return next(bare for bare in (folded(sign), sign.lower(), sign) if len(bare) == 1)
