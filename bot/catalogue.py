"""The one catalogue of the texts that people see, in their language: gettext files, a folder each (`bot/locale`).

English is what stands in the code and needs no file. What a catalogue does not have stays English.
"""

import contextlib
import functools
import gettext as catalogues
from collections.abc import Generator
from contextvars import ContextVar
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "locale"
DOMAIN: Final = "hathi"
ENGLISH: Final = "en"
_spoken: Final = ContextVar("hathi.spoken", default=ENGLISH)


@contextlib.contextmanager
def spoken(language: str) -> Generator[None]:
    """Lets texts be in this language, such as `de`, for what runs within, its tasks included."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def gettext(text: str) -> str:
    """The text in the language that is spoken here."""
    return _read(_spoken.get()).gettext(text)


def ngettext(one: str, many: str, count: int) -> str:
    """The text for that many, as its language counts."""
    return _read(_spoken.get()).ngettext(one, many, count)


def in_language(text: str, language: str, context: str = "") -> str | None:
    """A text in a language, of several that are spelt alike the one with this context; None where it is no other."""
    known = _read(language)
    found = known.pgettext(context, text) if context else known.gettext(text)
    return None if found == text else found


@functools.cache
def _read(language: str) -> catalogues.NullTranslations:
    return catalogues.translation(DOMAIN, FOLDER, [language], fallback=True)
