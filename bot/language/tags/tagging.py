"""Infers a memory's tags (domain, kind of work) from what people wrote, never from a model's words; pure.

A memory's tags begin with `auto`; then come `domain:*`, found by the words of a registry, then `type:*`, by how the
memory was made and what people were doing when they wrote, then the tags a person gave it. Callers pass words of
people, never of a model, so a model that was talked into something can tag nothing.
"""

import functools
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from bot.language.tags import domains
from bot.language.tags import workflows as table
from bot.text import normalize, patterns, sentences
from bot.text.folding import folded

AUTO: Final = "auto"
"""What every memory is tagged with first."""
DOMAIN: Final = "domain:"
TYPE: Final = "type:"
NOTE: Final = "note"
"""The workflow of what a person asked to keep."""
SESSION: Final = "session"
"""The workflow of what was distilled from a conversation, by a reset or by a model in the midst of it."""
MOST: Final = 50
"""Tags of one memory; what it is tagged with beyond, said again and again with other tags, is left out."""
MOST_WORKFLOWS: Final = 2
"""What people were at, of one text or of one memory's messages together: the first of the table."""
READ: Final = 4000
"""Characters of a text that are read for what people were at."""
_BEFORE: Final = 16
"""Characters before a cue that may take it back."""

_CJK: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+|[^\w\s'\u2019-]")
"""A word, a letter of those written without blanks, or a mark that no phrase reaches across; not ', - and _."""
_MASKED: Final = re.compile(r"https?://\S+|<a?:\w+:\d+>")
"""Links and pictures: what they are called is not what was said."""
_HISSED: Final = ("s", "x", "z", "ch", "sh")
_VOWELS: Final = frozenset("aeiou")
_UNADORNED: Final = {**patterns.STRAIGHT_QUOTES, **dict.fromkeys(map(ord, "*_~"))}
"""Straight quotes, and no marks of bold and italic."""
_ASKED: Final = frozenset(each.name for each in table.WORKFLOWS if each.asks)
"""What a question tells too."""


class Registry:
    """The domains, and the words and phrases that indicate each."""

    def __init__(self, chosen: Mapping[str, Sequence[str]] = MappingProxyType({})) -> None:
        """The default domains, but for what is chosen: its words replace a default's, no words remove it."""
        named = {**domains.DOMAINS, **chosen}
        self.names: Final = tuple(name for name, phrases in named.items() if phrases)
        self._phrases: Final = _by_first_word(tuple((name, *named[name]) for name in self.names))

    def domains(self, text: str) -> tuple[str, ...]:
        """The domains the text names, in the order of the registry; one walk over its words."""
        said = words(text)
        found = {
            name
            for at, word in enumerate(said)
            for rest, name in self._phrases.get(word, ())
            if said[at + 1 : at + 1 + len(rest)] == rest
        }
        return tuple(name for name in self.names if name in found)

    def inferred(self, text: str, *, workflow: str) -> tuple[str, ...]:
        """The tags of what a person wrote, and of what is made of it there: `auto`, `domain:*`, `type:*`.

        First of the types is how it came to be, then come those of what the person was at.
        """
        return self.of_domains(self.domains(text), workflow=workflow, workflows=workflows(text))

    def of_domains(self, named: Collection[str], *, workflow: str, workflows: Collection[str] = ()) -> tuple[str, ...]:
        """The same of domains and workflows that were looked up before, in several texts perhaps."""
        types = dict.fromkeys((workflow, *first_workflows(workflows)))
        return (
            AUTO,
            *(f"{DOMAIN}{name}" for name in self.names if name in named),
            *(f"{TYPE}{name}" for name in types),
        )

    def reworded(self, tags: Iterable[str], old: str, new: str) -> tuple[str, ...]:
        """The tags of a text a person put in other words: what the old ones told makes way for what the new ones do."""
        gone, come = self._told(old), self._told(new)
        return ordered([*(tag for tag in tags if tag not in gone), *come])

    def _told(self, text: str) -> tuple[str, ...]:
        """What a text tells by itself, as tags."""
        return (*(f"{DOMAIN}{name}" for name in self.domains(text)), *(f"{TYPE}{name}" for name in workflows(text)))


def workflows(text: str) -> tuple[str, ...]:
    """What people were at when they wrote the text, in the order of the table; at most `MOST_WORKFLOWS`.

    Told by phrases in English, German, French and Spanish, a sentence at a time. Code, quoted lines and links tell
    nothing; a question tells no more than what may be asked for, such as feedback.
    """
    cues, unsure = _cues()
    found: set[str] = set()
    for sentence in sentences.split(_MASKED.sub(" ", text[:READ])):
        said = " ".join(folded(sentence.translate(_UNADORNED)).split())
        asked = "?" in said
        for cue in cues.finditer(said):
            name = str(cue.lastgroup)
            before = said[max(0, cue.start() - _BEFORE) : cue.start()]
            if not (asked and name not in _ASKED) and not unsure.search(before):
                found.add(name)
    return first_workflows(found)


def first_workflows(found: Collection[str]) -> tuple[str, ...]:
    """Those of them that a memory is tagged with, in the order of the table, at most `MOST_WORKFLOWS`."""
    return tuple(each.name for each in table.WORKFLOWS if each.name in found)[:MOST_WORKFLOWS]


def own(tags: Iterable[str]) -> tuple[str, ...]:
    """The tags a person gave, as they are kept: one line, lower case, each once. Raises `RefusedText` for NUL bytes.

    They are the person's own words, so `domain:finance` and `type:recipe` may be among them.
    """
    return tuple(dict.fromkeys(name for tag in tags if (name := normalize.label(tag, ""))))


def ordered(tags: Iterable[str]) -> tuple[str, ...]:
    """Each tag once: `auto`, the domains, the types, then the others as given; at most `MOST`."""
    given = [tag for tag in dict.fromkeys(tags) if tag != AUTO]
    return (AUTO, *sorted(given, key=_kind))[:MOST]


def words(text: str) -> list[str]:
    """The words of a text, lower case and without accents, and the marks between them, in order."""
    return _WORD.findall(folded(_MASKED.sub(" ", text)))


@functools.cache
def _cues() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Every cue, its group the workflow's name, and what takes one back; texts are folded, so case needs no care."""
    named = "|".join(
        f"(?P<{each.name}>{each.english}|{each.german}|{each.french}|{each.spanish})" for each in table.WORKFLOWS
    )
    return re.compile(rf"(?<!\w)(?=\w)(?:{named})\b"), re.compile(rf"(?<!\w){table.UNSURE} ?\Z")


def _kind(tag: str) -> int:
    return 0 if tag.startswith(DOMAIN) else 1 if tag.startswith(TYPE) else 2


@functools.lru_cache(maxsize=4)
def _by_first_word(named: tuple[tuple[str, ...], ...]) -> Mapping[str, Sequence[tuple[list[str], str]]]:
    """What may follow each word that a phrase begins with, and its domain; given are names, each with its phrases."""
    found: dict[str, list[tuple[list[str], str]]] = {}
    for name, *phrases in named:
        for first, *rest in sorted({form for phrase in phrases for form in _forms(phrase)}):
            found.setdefault(first, []).append((rest, name))
    return found


def _forms(phrase: str) -> list[tuple[str, ...]]:
    """The phrase and its plural by the rules of English; plurals of other kinds are listed."""
    said = words(phrase)
    return [(*said[:-1], last) for last in (said[-1], _plural(said[-1]))] if said else []


def _plural(word: str) -> str:
    if word.endswith(_HISSED):
        return f"{word}es"
    return f"{word[:-1]}ies" if word.endswith("y") and word[-2:-1] not in _VOWELS else f"{word}s"
