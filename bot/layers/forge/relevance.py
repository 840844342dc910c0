"""Scores how well an issue or file matches the words that say what a question is about; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.language.requests import plain_words
from bot.layers.forge.things import Item
from bot.recall import irregular_forms
from bot.text import patterns, trigrams

MOST: Final = 12
"""Words of a question that count."""
LEAST_SHARED: Final = 2
"""Telling words an item must share with the question, unless one of them is the name of something."""
_IN_TITLE: Final = 1.0
_IN_BODY: Final = 0.6
_LEAST_STEM: Final = 4
_MOST_LINES: Final = 20_000
_LONGEST_LINE: Final = 400
_LONGEST_READ: Final = 20_000
"""Characters of an item's text that are compared."""
_TOKEN: Final = re.compile(r"\w+(?:['\u2019.\-/]\w+)*")
_PART: Final = re.compile(r"[^\W_]+")
_IDENTIFIER: Final = re.compile(r"\w*(?:_\w|[a-z][A-Z]|[A-Za-z][0-9]|[0-9][A-Za-z]|\w[./]\w).*", re.DOTALL)
_ENDINGS: Final = (
    "ations",
    "ation",
    "ions",
    "ion",
    "ings",
    "ing",
    "ers",
    "ies",
    "ied",
    "er",
    "ed",
    "es",
    "ly",
    "e",
    "s",
    "y",
)
_FIRST_FORMS: Final = {
    form: forms[0] for forms in map(str.split, irregular_forms.GROUPS.splitlines()) for form in forms[1:]
}
"""Of what no ending tells, "lost", the form that others are made of."""
_DULL: Final = patterns.vocabulary(
    """
    issue issues pr prs pull pulls request requests merge merged merges mr mrs ci build builds pipeline pipelines
    workflow workflows run runs log logs commit commits committed github gitea forge repo repos repository repositories
    bug bugs ticket tickets open opened close closed status state latest last recent recently newest new old current
    fail fails failed failing failure broke broken pass passed green red branch main master patch report reports
    today yesterday tonight tomorrow day days week weeks month months year years monday tuesday wednesday thursday
    friday saturday sunday morning evening time number about regarding concerning there find found search show list
    look looked looking see seen give get got make made use used want need needs related one two three first thing
    fix fixed fixes fixing touch touched touches change changed changes introduce introduced solve solved resolve
    resolved address addressed revert reverted wrong matter happen happened happens come comes came
    things problem problems work works working us people everyone still now yet same much many more most
    """
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TellingWord:
    """A word that says what a question is about."""

    word: str
    """As it was written."""
    stem: str
    """What its forms have in common."""
    is_name: bool
    """Whether it is the name of something in code (`ttl_seconds`, `TypeError`, `http2`): rare enough to tell alone."""


def telling(text: str, apart_from: Sequence[str] = ()) -> tuple[TellingWord, ...]:
    """The words of a question that tell what it is about, names of things first, then the longest."""
    words: dict[str, TellingWord] = {}
    apart = {part for name in apart_from for part in (name.casefold(), *_PART.findall(name.casefold()))}
    for token in _TOKEN.findall(plain_words.search_words(text)):
        plain = token.casefold()
        is_name = _IDENTIFIER.fullmatch(token) is not None
        if plain in _DULL or plain in apart or (not is_name and (len(plain) < 3 or plain.isdigit())):
            continue
        stem = plain if is_name else _stem(plain)
        words.setdefault(stem, TellingWord(word=token, stem=stem, is_name=is_name))
    ranked = sorted(words.values(), key=lambda word: (not word.is_name, -len(word.word)))
    return tuple(ranked[:MOST])


def searched(word: TellingWord) -> str:
    """The word as a forge is asked for it: without a plural's s, as some look for the very letters."""
    plain = word.word
    is_plural = len(plain) > _LEAST_STEM and plain.endswith("s") and not plain.endswith(("ss", "us", "is"))
    return plain[:-1] if is_plural and not word.is_name else plain


def score(words: Sequence[TellingWord], item: Item) -> float:
    """How much of the question the item is about, 0 to 1; 0 where it shares too little to be an answer.

    It must share two words, or one that is the name of something, or hold the only word there is in its title.
    """
    title, body = _stems(item.title), _stems(f"{item.body} {' '.join(item.labels)}")
    shared = [word for word in words if word.stem in title or word.stem in body]
    is_only = len(words) == 1 and words[0].stem in title
    if len(shared) < LEAST_SHARED and not any(word.is_name for word in shared) and not is_only:
        return 0.0
    return sum(_IN_TITLE if word.stem in title else _IN_BODY for word in shared) / len(words)


def passage(text: str, words: Sequence[TellingWord], longest: int) -> str:
    """The whole lines of a text, one after another, that hold most of the words; the first lines where none does."""
    lines = text.splitlines()[:_MOST_LINES]
    stems = {word.stem for word in words}
    beginnings = {stem[:_LEAST_STEM] for stem in stems}
    held = [
        len(stems & _stems(line)) if any(part in plain for part in beginnings) else 0
        for line, plain in ((line, line[:_LONGEST_LINE].casefold()) for line in lines)
    ]
    best, best_sum, start, size, total = 0, 0, 0, 0, 0
    for end, line in enumerate(lines):
        size += len(line) + 1
        total += held[end]
        while start < end and (size > longest or not held[start]):
            size -= len(lines[start]) + 1
            total -= held[start]
            start += 1
        if total > best_sum:
            best, best_sum = start, total
    return whole_lines(lines[best:], longest)


def whole_lines(lines: Sequence[str], longest: int) -> str:
    """As many lines as fit, from the first; a first one that is too long alone is cut."""
    kept: list[str] = []
    size = 0
    for line in lines:
        size += len(line) + 1
        if size > longest + 1:
            break
        kept.append(line)
    if not kept and lines:
        return lines[0][: longest - 1] + "…"
    return "\n".join(kept).strip("\n")


def _stems(text: str) -> set[str]:
    read = text[:_LONGEST_READ]
    whole = {token.casefold() for token in _TOKEN.findall(read)}
    return whole | {_stem(part.casefold()) for part in _PART.findall(read)} | {_stem(token) for token in whole}


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    plain = trigrams.folded(word).removesuffix("'s").removesuffix("\u2019s")
    plain = _FIRST_FORMS.get(plain, plain)
    for ending in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= _LEAST_STEM:
            return plain.removesuffix(ending)
    return plain
