"""The one catalogue of the texts that people see, in their language: gettext files, a folder each (`bot/locale`).

English is what stands in the code and needs no file. What a catalogue does not have stays English.
"""

import functools
import gettext as catalogues
from collections.abc import Iterable
from contextvars import ContextVar
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "locale"
DOMAIN: Final = "hathi"
ENGLISH: Final = "en"
CODES: Final = {"german": "de", "french": "fr", "spanish": "es"}
"""The folders, by the language of a space."""
_spoken: Final = ContextVar("hathi.spoken", default=ENGLISH)


def speak(language: str) -> None:
    """Has texts told in a space's language, such as `german`, from here on: in this task and what it starts."""
    _spoken.set(CODES.get(language, ENGLISH))


def later(text: str) -> str:
    """The text as it is: it is looked up where it is told, as that of an error is."""
    return text


def gettext(text: str) -> str:
    """The text in the language that is spoken here."""
    # An empty one is what a catalogue's own description stands under.
    return _read(FOLDER, _spoken.get()).gettext(text) if text else text


def ngettext(one: str, many: str, count: int) -> str:
    """The text for that many, as its language counts."""
    return _read(FOLDER, _spoken.get()).ngettext(one, many, count)


def both(words: Iterable[str]) -> str:
    """All of these words, as a sentence has them: `a, b and c`; the one alone, and nothing where there is none."""
    return _in_a_row([*words], gettext(" and "))


def either(words: Iterable[str]) -> str:
    """One of these words, as a sentence has them: `a, b or c`."""
    return _in_a_row([*words], gettext(" or "))


def in_language(text: str, language: str, context: str = "") -> str | None:
    """A text in the language of a folder, of several spelt alike that of this context; None where it is no other."""
    known = _read(FOLDER, language)
    found = known.pgettext(context, text) if context else known.gettext(text)
    return None if found == text else found


def in_all(text: str) -> tuple[str, ...]:
    """The text as it may have been told, in whatever language."""
    return (text, *(told for code in CODES.values() if (told := in_language(text, code)) is not None))


def _in_a_row(words: list[str], last: str) -> str:
    return last.join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


@functools.cache
def _read(folder: Path, code: str) -> catalogues.NullTranslations:
    return catalogues.translation(DOMAIN, folder, [code], fallback=True)
