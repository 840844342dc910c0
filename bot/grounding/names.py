"""Checks that each name of a person, project, place or piece of code was shown or asked for."""

import functools
import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from bot.dates import day_words
from bot.grounding import number_words, texts, vocabulary
from bot.grounding.case import Case
from bot.grounding.faults import Fault, FaultKind
from bot.grounding.texts import AnswerPart
from bot.recall import irregular_forms
from bot.text import normalize, patterns

_TOKEN: Final = re.compile(r"[@#]?[^\W_](?:\w|[-./'+](?=\w)){0,99}")
_LONGEST_TOKEN: Final = 100
_LONG_TOKEN: Final = re.compile(r"[@#]?[^\W_]\w*(?:[-./'+]\w+)*")
"""The same of any length, which is found sooner; of a text without long ones both find the same."""
_CODE: Final = re.compile(r"`([^`\n]{1,200})`")
_CODE_LIKE: Final = re.compile(r"(?:[a-z][A-Z]|_|[^\W\d]-?\d|\d[^\W\d]|\w[./]\w)")
_MEASURED: Final = re.compile(r"(?:\d+(?:[.,:]\d+)*(?:/?[^\W\d]{1,12})?|\d+(?:st|nd|rd|th|e|er|eme)|\d+h\d*)\Z")
_OPENS_AFTER: Final = re.compile(r"(?:^|[.!?:\u2026]\s+|[\"(\[\u2013\u2014-]\s*|\n\s*|\|\s*)\W*$")
_TITLE: Final = re.compile(
    r"\b(?:mr|mrs|ms|dr|prof|st|hr|fr|sr|sra|mme|mlle|herr|frau|senor|senora)\.? $", re.IGNORECASE
)
_WINDOW: Final = 30
"""Characters before a word in which the end of the last sentence is looked for."""
_PART: Final = re.compile(r"[^\W_]+")
_LABEL: Final = re.compile(r"^[^:\n]{1,40}:(?=\s)")
_NOUN_ENDINGS: Final = (
    "ing",
    "ings",
    "ly",
    "tion",
    "tions",
    "ment",
    "ments",
    "ness",
    "ity",
    "ities",
    "ance",
    "ence",
    "ship",
    "ism",
    "ung",
    "heit",
    "keit",
    "schaft",
    "tat",
    "cion",
    "dad",
    "ite",
)
_ARTICLES: Final = patterns.vocabulary(
    """
    der die das den dem des ein eine einen einem einer eines im am zum zur vom beim ins ans kein keine keinen
    keinem unser unsere unseren unserem euer eure eurer euren eurem mein meine meinen dein deine sein seine
    seinen seinem ihr ihre ihren ihrem jeder jede jedes jeden diese dieser dieses diesen alle viele beide beiden
    welche
    """
)
"""German words before a noun; where one of them stands, a capital says nothing."""
_GERMAN_LEAST: Final = 4
_LEAST_VERB: Final = 3
_ABBREVIATIONS: Final = frozenset({"i.e", "e.g", "z.b", "p.m", "a.m", "u.s", "n.b", "p.ej", "d.h"})
_EVERYDAY: Final = vocabulary.ALL_FUNCTION | vocabulary.COMMON
_OUR_OWN: Final = frozenset({"hathi", "discord"})


def faults(case: Case) -> Iterator[Fault]:
    """Names of an answer that stand nowhere in what was shown nor in the question, each once."""
    known = _Known(case)
    told: set[str] = set()
    for claim in case.claims:
        for name in dict.fromkeys(_names(case, claim, known)):
            if (folded := texts.folded(name)) not in told:
                told.add(folded)
                shown = normalize.one_line(name, 60)
                yield Fault(kind=FaultKind.NAME, reason=f"It named {shown}, which is nowhere in what I found.")


def written(text: str, people: Collection[str]) -> frozenset[str]:
    """The folded words by which a text names people, of the words of their names.

    One that is a word of everyday, too, as Will and May are, is a name where it is written as one.
    """
    found, text = set[str](), texts.bare(text)
    for token in texts.WORD.finditer(text):
        word = token[0].lower().removesuffix("'s")
        if word in people and (word not in _EVERYDAY or is_written(text, token)):
            found.add(word)
    return frozenset(found)


def is_written(text: str, word: re.Match[str]) -> bool:
    """Whether a word of a text has a capital that no sentence gave it, or is what somebody does something by."""
    if not word[0][0].isupper():
        return False
    if not _OPENS_AFTER.search(text, max(0, word.start() - _WINDOW), word.start()):
        return True
    following = texts.WORD.search(text, word.end())
    after = "" if following is None else following[0].lower()
    return word[0].endswith("'s") or _is_verb(after) or after in irregular_forms.PASTS


class _Known:
    """The words of evidence and question, as written and stemmed."""

    def __init__(self, case: Case) -> None:
        shown = [f"{one.text}\n{one.author}\n{texts.folded(one.evidence.url or '')}" for one in case.ground.shown]
        self.text = "\n".join([case.ground.question, case.ground.asker, *shown])
        self.whole = frozenset(_whole(self.text))
        parts: list[list[str]] = [_PART.findall(text) for text in (*shown, case.ground.question)]
        self.words = _OUR_OWN.union(_PART.findall(case.ground.asker), *parts)
        self.stems = frozenset(texts.stem(word) for word in self.words)
        self.first_names = frozenset(name.split()[0] for name in case.ground.everybody if len(name.split()) > 1)
        self._had: dict[str, bool] = {}
        names: list[list[str]] = [_PART.findall(name) for name in case.ground.everybody]
        self.pairs = frozenset(pair for words in (*parts, *names) for pair in itertools.pairwise(words))

    @functools.cached_property
    def beginnings(self) -> frozenset[str]:
        """For telling forms of a word."""
        return texts.beginnings(self.stems)

    @functools.cached_property
    def short_beginnings(self) -> frozenset[str]:
        """The same for German, whose nouns are built of shorter words."""
        return frozenset(word[:_GERMAN_LEAST] for word in self.words if len(word) >= _GERMAN_LEAST)

    def has(self, name: str) -> bool:
        """Whether a folded name is known, or every part of it is."""
        if name not in self._had:
            self._had[name] = self._has(name)
        return self._had[name]

    def _has(self, name: str) -> bool:
        name = name.lstrip("@#").removesuffix("'s").removesuffix("'")
        if name in self.whole or self._has_word(name):
            return True
        parts = _PART.findall(name)
        return len(parts) > 1 and (all(self._has_word(part) for part in parts) and _is_spread(name, self.text))

    def _has_word(self, word: str) -> bool:
        if word in self.words or vocabulary.ALIASES.get(word) in self.words:
            return True
        singular = word.removesuffix("s")
        if singular in self.words or f"{word}s" in self.words:
            return True
        return word.isalpha() and len(word) > 3 and texts.stem(word) in self.stems


def _tokens(text: str) -> list[re.Match[str]]:
    """The words of a text, with what is joined to them; one that is too long in parts."""
    return list((_TOKEN if _may_have_long(text) else _LONG_TOKEN).finditer(text))


def _whole(text: str) -> list[str]:
    """The same as text alone."""
    return (_TOKEN if _may_have_long(text) else _LONG_TOKEN).findall(text)


def _may_have_long(text: str) -> bool:
    """Whether one of them may be too long: none is where nothing between blanks is."""
    return any(len(each) > _LONGEST_TOKEN for each in text.split())


def _is_spread(name: str, text: str) -> bool:
    """Whether the parts of a name may stand apart: in words joined by hyphens, not in paths and names of code."""
    return bool(re.fullmatch(r"[^\W\d_]+(?:-[^\W_]+)+", name)) or name in text


def _names(case: Case, claim: AnswerPart, known: _Known) -> Iterator[str]:
    written = case.bared(claim)
    text = texts.bare(written)
    for code in _CODE.findall(text):
        low = code.lower().strip()
        if low not in known.text and not all(known.has(part[0]) for part in _tokens(low)):
            yield code
    text = _CODE.sub(_blank, text)
    tokens = _tokens(text)
    label = _LABEL.match(text)
    heading = len(text) if claim.is_heading else label.end() if label else 0
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        if texts.BLANKLESS.search(token[0]):
            continue
        if _is_name(case, text, tokens, at, known, is_heading=token.start() < heading):
            is_alike = len(written) == len(text)
            yield (written[token.start() : token.end()] if is_alike else token[0]).removesuffix("'s")
        elif following and token[0][0].isupper() and _is_other_person(text, token, following, known):
            yield f"{token[0]} {following[0].removesuffix(chr(39) + 's')}"


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _is_name(
    case: Case, text: str, tokens: Sequence[re.Match[str]], at: int, known: _Known, *, is_heading: bool
) -> bool:
    """Whether a word is a name that is not known, by how it is written and where it stands."""
    word = tokens[at][0]
    if word.isalpha() and word.islower():
        return case.ground.is_person(word) and word not in _EVERYDAY and not known.has(word)
    low = word.lower()
    base = low.removesuffix("'s").removesuffix("'")
    if (word[0].isdigit() and _MEASURED.match(low)) or known.has(low):
        return False
    # Most words are letters alone, with no capital inside: to see that is sooner done than to look for code.
    is_plain = word.isalpha() and word[1:] == low[1:]
    if not is_plain and (word[0] in "@#" or _CODE_LIKE.search(word)):
        return low not in _ABBREVIATIONS
    is_common = base in _EVERYDAY or low in _EVERYDAY
    if is_common or case.ground.is_person(base) or not word[0].isupper() or _is_of_calendar(base):
        return case.ground.is_person(base) and not is_common
    if word.isupper() or is_heading:
        return len(word) > 1 and word.isupper() and base not in vocabulary.ACRONYMS
    return _is_name_by_place(case, text, tokens, at, known)


def _is_name_by_place(case: Case, text: str, tokens: Sequence[re.Match[str]], at: int, known: _Known) -> bool:
    """Whether a word with a capital is a name, and not the first of its sentence or a German noun."""
    token = tokens[at]
    base = token[0].lower().removesuffix("'s").removesuffix("'")
    window = max(0, token.start() - _WINDOW)
    if _TITLE.search(text, window, token.start()):
        return True
    if _OPENS_AFTER.search(text, window, token.start()):
        following = tokens[at + 1][0] if at + 1 < len(tokens) else ""
        if following and not text[token.end() : tokens[at + 1].start()].isspace():
            following = text[token.end() :].lstrip()[:1]
        return _opens_as_name(case, base, following, known, is_owner=token[0].endswith("'s"))
    if case.language == "german":
        return _is_german_name(base, tokens[at - 1][0].lower() if at else "", known)
    return not _is_akin(base, known)


def _opens_as_name(case: Case, base: str, following: str, known: _Known, *, is_owner: bool) -> bool:
    """Whether a word that opens a sentence is a name: nobody's form of a known word, before a verb or another name."""
    if _is_akin(base, known) or base.endswith(_NOUN_ENDINGS) or base in vocabulary.SPEECH or base in vocabulary.STATE:
        return False
    if case.language == "german" and base[:_GERMAN_LEAST] in known.short_beginnings:
        return False
    if is_owner:
        return True
    after = texts.folded(following)
    if following[:1].isupper() and after not in vocabulary.COMMON and after not in vocabulary.ALL_FUNCTION:
        return case.language != "german"
    return following in {"", ",", "."} or _is_verb(after, of_plural=base.endswith("s"))


def _is_verb(word: str, *, of_plural: bool = False) -> bool:
    """Whether a folded word behind a name is what its bearer does, by its looks; a plural does nothing in -s or -ed."""
    if word in vocabulary.SPEECH or word in vocabulary.STATE or word in _AUXILIARIES:
        return True
    return word.endswith(("ed", "s")) and len(word) > _LEAST_VERB and not of_plural


def _is_german_name(base: str, before: str, known: _Known) -> bool:
    if before in _ARTICLES or before.endswith(("e", "en", "er", "es", "em")) or not before:
        return False
    is_noun = base.endswith(_NOUN_ENDINGS) or base[:_GERMAN_LEAST] in known.short_beginnings
    return before in {"von", "mit", "bei", "nach", "in", "aus", "laut", "fur", "durch", "herr", "frau"} and not is_noun


def _is_other_person(text: str, one: re.Match[str], other: re.Match[str], known: _Known) -> bool:
    """Whether a first name stands with a surname that nobody of that name has: `Ana Costa` for Ana Silva."""
    if not other[0][0].isupper() or text[one.end() : other.start()] != " ":
        return False
    first, last = one[0].lower(), other[0].lower().removesuffix("'s")
    if first not in known.first_names or last in _EVERYDAY or _is_of_calendar(last):
        return False
    return (first, last) not in known.pairs


def _is_akin(base: str, known: _Known) -> bool:
    return texts.is_akin(texts.stem(base), known.stems, known.beginnings)


def _is_of_calendar(word: str) -> bool:
    word = word.removesuffix("'s")
    singular = word.removesuffix("s")
    return any(
        one in table
        for one in (word, singular)
        for table in (day_words.MONTHS, day_words.WEEKDAYS, day_words.DAYS, _NUMBERS)
    )


_AUXILIARIES: Final = patterns.vocabulary(
    """
    is was are were has have had will would can could may might must does did do should isn't wasn't didn't
    doesn't won't ist war hat wird wurde wurden kann soll haben sind est a sera etait peut es fue tiene esta va
    """
)
_NUMBERS: Final = (
    frozenset(part for table in number_words.WORDS.values() for phrase in table for part in phrase.split())
    | number_words.ORDINALS.keys()
    | number_words.UNITS.keys()
)
