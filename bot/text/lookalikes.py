"""Tells which names look alike: the form that all of them share; pure."""

import functools
import json
import re
import unicodedata
from importlib import resources
from typing import Final

_MARKED: Final = re.compile(r"\((?:\d{1,9}|then\b[^()]{0,64})\)\Z")
"""What Hathi adds to a name: nobody is told apart by having it in theirs."""
_THEN: Final = re.compile(r"\(then ([^()]{1,32}(?:\(\d{1,9}\))?)'s name\)\Z")
_SCRIPTS: Final = re.compile(r"\b(?:LATIN|REGIONAL INDICATOR)\b")
_PLAIN: Final = re.compile(r"\b(?:LETTER|SMALL CAPITAL) ([A-Z])\b")
"""In the Unicode name of what is drawn as a Latin letter, in a box or as a small capital among them: which it is."""
_ALIKE: Final = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o", "m": "rn"})
"""Of what has become small letters and digits; as `sql/migrations/0022_names.sql` has it."""


def bare(name: str) -> str:
    """A name without what Hathi adds to one."""
    return _MARKED.sub("", name.rstrip()).rstrip()


def owner(called: str) -> str:
    """Whose words they are, of what Hathi calls their author: of `Ann (then Mal's name)` it is Mal."""
    found = _THEN.search(called)
    return called if found is None else found[1]


def likeness(name: str) -> str:
    """What all names that look like this one have in common; empty only for a blank name.

    Accents, case, spacing and signs are no difference, nor is a letter of another script or style that looks the same,
    by Unicode's table of confusables (UTS 39).
    """
    plain = unicodedata.normalize("NFKD", bare(name))
    letters = plain if plain.isascii() else "".join(map(_letter, plain))
    alike = "".join(filter(str.isalnum, letters.casefold().translate(_ALIKE)))
    return alike or "".join(plain.split())


@functools.lru_cache(maxsize=4096)
def _letter(letter: str) -> str:
    """What a letter is drawn like, in as plain letters as there are."""
    seen = letter
    for _ in range(3):
        # A Cyrillic en looks like a small capital H, which is an H.
        drawn = _confusables().get(seen, seen)
        if drawn.isascii():
            return drawn
        called = unicodedata.name(drawn, "") if len(drawn) == 1 else ""
        if _SCRIPTS.search(called) and (named := _PLAIN.search(called)):
            return named[1]
        if drawn == seen:
            break
        seen = drawn
    return seen


@functools.cache
def _confusables() -> dict[str, str]:
    """What letters are drawn like; of the table that comes with `confusable-homoglyphs` only this is kept."""
    text = (resources.files("confusable_homoglyphs") / "confusables.json").read_text(encoding="utf-8")
    # Letters of scripts that run from right to left stand there between marks of direction.
    table: dict[str, list[str]] = {
        letter.strip("\u200e"): [other["c"].strip("\u200e") for other in others]
        for letter, others in json.loads(text).items()
    }
    # What many letters look like is listed with all of them; of two that look alike each is listed with the other.
    return {
        letter: others[0]
        for letter, others in table.items()
        if len(letter) == 1
        and len(others) == 1
        and (len(table.get(others[0], ())) != 1 or others[0].isascii() or (not letter.isascii() and others[0] < letter))
    }
