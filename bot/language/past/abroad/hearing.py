"""Tells in which language a message is, and what speaks in it for or against a question about the past; pure."""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.language.past.abroad.french_cues import FRENCH
from bot.language.past.abroad.german_cues import GERMAN
from bot.language.past.abroad.language_cues import LanguageCues
from bot.language.past.abroad.spanish_cues import SPANISH
from bot.language.past.space_names import Names
from bot.text import folding, stop_words
from bot.text.plain_form import BOUNDARY, Plain

LANGUAGES: Final = (GERMAN, FRENCH, SPANISH)
_LEAST: Final = 2
"""Words of a language that tell it; in a short message one does."""
_SHORT: Final = 4
"""Words of a message in which one word tells the language."""
_JOINED: Final = re.compile(r"['\-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignAsking:
    """A message in another language than English."""

    asks: bool
    is_mixed: bool
    """Whether there are English sentences in it as well."""
    worth: Mapping[str, float]
    """The cues that were found, and the points of each."""


def heard(plain: Plain, names: Names) -> ForeignAsking | None:
    """What a message in one of the languages has to say; None where it is in none of them, as English is not."""
    language = spoken(plain)
    if language is None:
        return None
    text = _form(plain, language)
    asks, rules = _read(language)
    is_asked = "?" in plain.words or bool(asks.search(text))
    worth = dict[str, float]()
    for cue, points, pattern in rules:
        if abs(points) > abs(worth.get(cue, 0)) and pattern.search(text):
            worth[cue] = points
    if is_asked and _is_of_a_name(plain, names, language):
        worth["known name"] = 0.0
    is_mixed = len(_english(plain, language)) >= _LEAST
    return ForeignAsking(asks=is_asked, is_mixed=is_mixed, worth=MappingProxyType(worth))


def spoken(plain: Plain) -> LanguageCues | None:
    """The language that most words are of, where that is not English."""
    words = {part for word in plain.words for part in _JOINED.split(folding.folded(word)) if part.isalpha()}
    language, most = max(
        ((each, len(words & each.words - stop_words.FUNCTION)) for each in LANGUAGES), key=lambda counted: counted[1]
    )
    least = _LEAST if len(words) > _SHORT else 1
    return language if most >= least and most > len(_english(plain, language)) else None


def _english(plain: Plain, language: LanguageCues) -> frozenset[str]:
    """The words of a message that are English, and not of the language as well."""
    return stop_words.FUNCTION.intersection(plain.words) - language.words


def _form(plain: Plain, language: LanguageCues) -> str:
    """The message as patterns of the language read it."""
    parts = [BOUNDARY]
    for sentence in plain.sentences:
        for place in range(sentence.start, sentence.end):
            parts += _parts(plain.words[place], plain.written[place], language)
        parts.append(BOUNDARY)
    return " ".join(parts)


def _parts(word: str, written: str, language: LanguageCues) -> Iterator[str]:
    if word.startswith("<") or word == "?":
        yield word
    elif word != ",":
        for part in _JOINED.split(folding.folded(written)):
            yield language.spelled.get(part, part)


def _is_of_a_name(plain: Plain, names: Names, language: LanguageCues) -> bool:
    """Whether a name known here is spoken of, and nobody by it spoken to."""
    addressing = language.addressing.split("|")
    for name in names.spoken_in(plain):
        before = plain.words[name.start - 1] if name.start else BOUNDARY
        after = plain.words[name.end] if name.end < len(plain.words) else BOUNDARY
        if name.telling and before not in addressing and not (before == BOUNDARY and after == ","):
            return True
    return False


@functools.cache
def _read(language: LanguageCues) -> tuple[re.Pattern[str], tuple[tuple[str, float, re.Pattern[str]], ...]]:
    """The language's patterns, compiled once."""
    rules = tuple((cue, points, re.compile(pattern)) for cue, points, pattern in language.rules)
    return re.compile(language.asking), rules
