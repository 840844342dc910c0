"""The files of the catalogue (`bot/locale`): what they hold, and what they lack; `python -m tests.catalogue --write`.

Writing adds what is marked in code, without a translation, and makes each `.mo` anew from its `.po`. Names of commands
are added and taken away by hand: the tests of them say which are missing, as lines of a `.po`, and which are left over.
"""

import functools
import io
import re
import string
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from babel.messages import mofile, pofile
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir

from bot import catalogue, errors

ROOT: Final = Path(__file__).parents[1]
LANGUAGES: Final = tuple(sorted(path.name for path in catalogue.FOLDER.iterdir()))
NAME: Final = re.compile(r"[-_'\w]{1,32}")
"""What Discord takes as the name of a typed command, if it is in lower case too."""
_HEADER: Final = """\
# What people see, in their language. A line without a translation is told in English.
# `python -m tests.catalogue --write` adds what the code has anew and makes the .mo file.
msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"
"""
_KEYWORDS: Final = {"gettext": None, "ngettext": (1, 2), "later": None}
_MENUS: Final = (2, 3)
_GROUPS: Final = (1, 2)


class Told(NamedTuple):
    """A text of a command, and what tells it from others that are spelt alike."""

    context: str
    text: Any
    """Of one that counts, for one and for many."""


def path(language: str, kind: str) -> Path:
    """The `.po` or `.mo` of a language."""
    return catalogue.FOLDER / language / "LC_MESSAGES" / f"{catalogue.DOMAIN}.{kind}"


def read(language: str) -> Catalog:
    """The `.po` of a language."""
    with path(language, "po").open("rb") as file:
        return pofile.read_po(file, locale=language, domain=catalogue.DOMAIN)


def compiled(language: str) -> Catalog:
    """The `.mo` of a language."""
    with path(language, "mo").open("rb") as file:
        return mofile.read_mo(file)


def translations(found: Catalog) -> dict[tuple[str, Any], Any]:
    """What is translated to what; of several numbers each."""
    read = cast("list[Any]", [*found])
    return {
        (each.context or "", _fixed(each.id)): _fixed(each.string)
        for each in read
        if each.id and _is_translated(each.string)
    }


def entries(found: Catalog) -> set[Told]:
    """The texts that have an entry, translated or not."""
    return {Told(each.context or "", _fixed(each.id)) for each in cast("list[Any]", [*found]) if each.id}


def known(found: Catalog) -> set[Any]:
    """The same, without their contexts."""
    return {each.text for each in entries(found)}


@functools.cache
def marked() -> frozenset[str | tuple[str, ...]]:
    """The texts that are marked in code for being told in another language; of several numbers each.

    Those of errors need no mark: their docstrings are told.
    """
    found: set[str | tuple[str, ...]] = {*_sentences_of_errors()}
    for package in ("bot", "cogs"):
        for _file, _line, text, _comments, _context in extract_from_dir(str(ROOT / package), keywords=_KEYWORDS):
            found.add(text)
    return frozenset(found)


def without_entry(found: Catalog) -> set[str | tuple[str, ...]]:
    """The texts that are marked in code and have no entry; that of a command which is spelt alike is another."""
    there = entries(found)
    return {text for text in marked() if Told("", text) not in there}


def _sentences_of_errors() -> Iterator[str]:
    waiting: list[type[errors.HathiError]] = [errors.HathiError]
    while waiting:
        one = waiting.pop()
        waiting += one.__subclasses__()
        if one.__module__ == errors.__name__:
            yield str(one.__doc__).strip()


def of_commands(commands: list[dict[str, Any]]) -> Iterator[Told]:
    """Every name, description and choice of commands, as Discord was told of them."""
    for one in commands:
        is_menu = one.get("type", 1) in _MENUS
        yield Told("menu" if is_menu else "name", one["name"])
        if not is_menu:
            yield Told("", one["description"])
            yield from _of_options(one.get("options") or [])


def _of_options(options: list[dict[str, Any]]) -> Iterator[Told]:
    for one in options:
        yield Told("name" if one["type"] in _GROUPS else "option", one["name"])
        yield Told("", one["description"])
        yield from (Told("choice", choice["name"]) for choice in one.get("choices") or [])
        yield from _of_options(one.get("options") or [])


def named(text: str) -> set[str]:
    """What is filled into a text, by its names."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def as_entry(told: Told) -> str:
    """A text as the lines of a `.po`, without a translation."""
    entry, file = Catalog(), io.BytesIO()
    entry.add(told.text, context=told.context or None)
    pofile.write_po(file, entry, width=120, omit_header=True)
    return file.getvalue().decode()


def untranslated(found: Catalog) -> set[str | tuple[str, ...]]:
    """The texts that are marked in code and have no translation."""
    told = translations(found)
    return {text for text in marked() if ("", text) not in told}


def write(language: str) -> None:
    """Add what is marked in code, and make the `.mo` anew."""
    found, file = read(language), io.BytesIO()
    for text in sorted(without_entry(found), key=str):
        found.add(text)
    pofile.write_po(file, found, width=120, no_location=True, sort_output=True, omit_header=True)
    header = _HEADER.format(language=language, plurals=found.plural_forms)
    path(language, "po").write_text(f"{header}\n{file.getvalue().decode().strip()}\n", encoding="utf-8")
    # A text of which no number is translated would be told as nothing.
    whole = Catalog(locale=language)
    for (context, text), told in translations(found).items():
        whole.add(text, told, context=context or None)
    with path(language, "mo").open("wb") as made:
        mofile.write_mo(made, whole)


def _fixed(text: Any) -> Any:
    """Of several numbers as a `.po` has them: a `.mo` is read with lists of them."""
    return tuple(text) if isinstance(text, list) else text


def _is_translated(told: str | tuple[str, ...] | None) -> bool:
    return bool(told) and all((told,) if isinstance(told, str) else told or ())


if __name__ == "__main__":
    for spoken in LANGUAGES:
        if "--write" in sys.argv[1:]:
            write(spoken)
        print(f"{spoken}: {len(untranslated(read(spoken)))} texts of the code are told in English")
