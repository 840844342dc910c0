"""Trigram similarity of words, which finds word forms in languages without a stemmer in Postgres.

The measure is that of pg_trgm (https://www.postgresql.org/docs/current/pgtrgm.html), which a server need not have.
"""

import re
import unicodedata
from typing import Final

from bot.text import languages

SHORTEST: Final = 4
"""Letters of a word that is looked for by its beginning."""
BEGINNING: Final = 3
"""Letters that forms of one word begin with, at least."""
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u3100-\u312f\u31a0-\u31ff"
    "\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""As `unspaced_letters` of the database has them: they are indexed by pairs."""
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
_FOLDING: Final = re.compile("[^\u0400-\u052f]+")
"""All but Cyrillic letters, which are others without their marks: \u0439, \u0457."""
_PLAIN: Final = str.maketrans(
    {
        "\u00e6": "ae",
        "\u00f0": "d",
        "\u00f8": "o",
        "\u00fe": "th",
        "\u00df": "ss",
        "\u0111": "d",
        "\u0127": "h",
        "\u0131": "i",
        "\u0138": "q",
        "\u0142": "l",
        "\u014b": "n",
        "\u0153": "oe",
        "\u0167": "t",
        "\u0451": "\u0435",
    }
)
_WORD: Final = re.compile(r"\w+")
_PART: Final = re.compile(r"[^\W_]+")


def folded(word: str) -> str:
    """The word as the index has it: in small letters, without accents, full-width letters as plain ones."""
    if word.isascii():
        return word.lower()
    plain = _FOLDING.sub(_bare, unicodedata.normalize("NFKC", word))
    return unicodedata.normalize("NFC", plain).lower().translate(_PLAIN)


def words(text: str) -> frozenset[str]:
    """The words of a text, each folded."""
    if text.isascii():
        return frozenset(_WORD.findall(text.lower()))
    return frozenset(folded(word) for word in _WORD.findall(text))


def similarity(word: str, other: str) -> float:
    """The share of trigrams that two words have in common, 0 to 1, without accents and case."""
    mine, theirs = _trigrams(word), _trigrams(other)
    return len(mine & theirs) / (len(mine | theirs) or 1)


def prefix(word: str) -> str | None:
    """What other forms of the word begin with: its first three fifths, three letters at least.

    None where that says too little: of short words, of numbers, and of what is indexed by pairs of letters.
    """
    plain = folded(word)
    if len(plain) < SHORTEST or _UNSPACED.search(plain) or any(letter.isdigit() for letter in plain):
        return None
    return plain[: max(BEGINNING, -(-len(plain) * 3 // 5))]


def is_letter(word: str) -> bool:
    """Whether it is one letter of what is indexed by pairs: it is looked for as the beginning of a pair."""
    return _UNSPACED.fullmatch(word) is not None


def has_stemmer(language: str) -> bool:
    """Whether forms of a word meet in the index already."""
    return language in languages.STEMMED


def _trigrams(word: str) -> frozenset[str]:
    padded = [f"  {part} " for part in _PART.findall(folded(word))]
    return frozenset(part[at : at + 3] for part in padded for at in range(len(part) - 2))


def _bare(run: re.Match[str]) -> str:
    return _ACCENTS.sub("", unicodedata.normalize("NFD", run[0]))
