"""Matches short set phrases such as thanks or greetings: a message consists of them entirely, or not at all; pure."""

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from bot.text import folding, patterns, short_forms

T = TypeVar("T")

LONGEST: Final = 200
"""Characters; what is longer says more than a formula."""
_SPELLED: Final = short_forms.CONTRACTIONS | short_forms.table(
    """
    u=you ur=your r=are abt=about rn=right_now wat=what wut=what botty=bot whatcha=what_do_you tho=though k=ok
    """
)
"""What people write in a hurry."""
_HURRIED: Final = re.compile(r"(?<![\w'])(?:" + "|".join(_SPELLED) + r")(?![\w'])")
_MOST: Final = 12
"""Pieces of one message."""
_GAP: Final = r"[\W_]"
"""What stands between pieces: blanks, punctuation, emoji."""
Tables = Iterable[tuple[str, str]]
"""Of each language what is needed, and what may stand beside it."""
_SIGNS: Final = re.compile(
    r"(?<!\w)(?::\w{1,32}:|[:;=8]['-]?[)(DPpOo3/|]|<3|[xX]D)(?!\w)"  # emoji by name, and smileys
    r"|<@!?\d{1,20}>|<a?:\w{1,32}:\d{1,20}>"
)


def is_made_of(text: str, languages: Tables, bot_name: str) -> bool:
    """Whether the text is made of needed pieces and nothing else but those beside them, the bot's name and emoji.

    Each language has its own: those needed, and those beside them. A question mark makes it none: a question wants an
    answer.
    """
    return bool(first_of(text, [(True, languages)], bot_name))


def is_asked_with(text: str, languages: Tables, bot_name: str) -> bool:
    """The same of a question, with question marks or without."""
    return is_made_of(unmarked(text), languages, bot_name)


def first_of(text: str, formulas: Iterable[tuple[T, Tables]], bot_name: str) -> T | None:
    """The first of these formulas that the text is made of, as `is_made_of` tells; None for a text of none."""
    return next(_matching(text, formulas, bot_name), None)


def all_of(text: str, formulas: Iterable[tuple[T, Tables]], bot_name: str) -> frozenset[T]:
    """All of these formulas that the text is made of."""
    return frozenset(_matching(text, formulas, bot_name))


def unmarked(text: str) -> str:
    """The text with a blank for every question mark."""
    return text.replace("?", " ").replace("\N{INVERTED QUESTION MARK}", " ")


def _matching(text: str, formulas: Iterable[tuple[T, Tables]], bot_name: str) -> Iterator[T]:
    """The formulas that the text is made of, as they are needed."""
    if len(text) > LONGEST or "?" in text:
        return
    plain = _read(text)
    for name, languages in formulas:
        for needed, beside in languages:
            whole, some = _patterns(needed, beside, bot_name)
            if whole.fullmatch(plain) and some.search(plain):
                yield name
                break


@functools.lru_cache(maxsize=64)
def _read(text: str) -> str:
    """The text as it is compared: a message is held against a dozen tables, one after another."""
    return _plain(_SIGNS.sub(" ", text))


def _plain(text: str) -> str:
    """The text as the tables write: lower case, without accents, one blank between words."""
    folded = folding.folded(text.translate(patterns.STRAIGHT_QUOTES))
    return " ".join(_HURRIED.sub(lambda found: _SPELLED[found[0]], folded).split())


@functools.lru_cache(maxsize=512)
def _patterns(needed: str, beside: str, bot_name: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    piece = f"(?:{needed}|{beside}|{re.escape(_plain(bot_name))})"
    whole = patterns.compiled(rf"{_GAP}*(?:{piece}(?:{_GAP}+|$)){{1,{_MOST}}}")
    return whole, patterns.compiled(rf"(?<!\w)(?:{needed})(?!\w)")
