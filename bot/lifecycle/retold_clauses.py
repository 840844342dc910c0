"""Holds what is told shorter against what it was made of, clause by clause: of what each name and number is told."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.text import folding, patterns, stop_words, word_forms

_JOINT: Final = re.compile(r"[,;:()\u2013\u2014]|\b(?:and|but|while|who|which|und|aber|et|mais|y|pero)\b")
_WORD: Final = re.compile(r"[^\W_]{2,40}")
_PRONOUNS: Final = patterns.vocabulary(
    "he she it they him her them this that these those er sie es il elle lui eso ella"
)
MOST_ALIKE: Final = 50
"""Clauses with one word that another is held against, the last of them: a check takes time with each."""
_REPLACED: Final = 0.5
"""The share of a clause's other words that a later one repeats which tells the same thing anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetoldClause:
    """A part of a sentence that tells one thing."""

    told: frozenset[str]
    """The names and numbers in it, in lower case."""
    about: frozenset[str]
    """The stems of its other words that tell something."""
    around: frozenset[str]
    """All that it tells; of one that leaves open of what, also all that its sentence and the one before it tell."""


def of(sentences: Iterable[str], names: Callable[[str], set[str]]) -> list[RetoldClause]:
    """The clauses of sentences, in order; `names` finds the names and numbers of a sentence."""
    found, before = list[RetoldClause](), frozenset[str]()
    for sentence in sentences:
        named, whole = names(sentence), _stems(_WORD.findall(sentence))
        for part in _JOINT.split(sentence):
            words = _WORD.findall(part)
            told = frozenset(word.lower() for word in words if word.lower() in named)
            about = _stems(words) - _stems(told)
            is_open = not about or any(word.lower() in _PRONOUNS for word in words)
            around = about | _stems(told) | (whole | before if is_open else frozenset())
            if told or about:
                found.append(RetoldClause(told=told, about=about, around=around))
        before = whole
    return found


def replaced(clauses: Sequence[RetoldClause]) -> set[str]:
    """The names and numbers in place of which later clauses tell others of the same thing, each time they are told."""
    of_word, gone, kept = defaultdict[str, list[int]](list), set[str](), set[str]()
    for number, clause in enumerate(clauses):
        for word in clause.about:
            of_word[word].append(number)
    for number, clause in enumerate(clauses):
        later = {n for word in clause.about for n in of_word[word][-MOST_ALIKE:] if n > number}
        (gone if any(_replaces(clauses[n], clause) for n in later) else kept).update(clause.told)
    return gone - kept


def are_bound(text: Sequence[RetoldClause], clauses: Sequence[RetoldClause]) -> bool:
    """Whether each name and number of a text is told of something that it is told of in the clauses it was made of."""
    around = defaultdict[str, set[str]](set)
    for clause in clauses:
        for name in clause.told:
            around[name] |= clause.around - _stems((name,))
    return all(_is_bound(name, clause, around[name]) for clause in text for name in clause.told if name in around)


def _replaces(later: RetoldClause, clause: RetoldClause) -> bool:
    """Whether a later clause tells of the same thing, with other names and numbers."""
    is_same = len(later.about & clause.about) >= _REPLACED * len(clause.about)
    return is_same and bool(later.told) and later.told.isdisjoint(clause.told)


def _is_bound(name: str, clause: RetoldClause, around: Collection[str]) -> bool:
    others = clause.around - _stems((name,))
    return not others or not others.isdisjoint(around)


def _stems(words: Iterable[str]) -> frozenset[str]:
    folded = (folding.folded(word) for word in words)
    return frozenset(word_forms.stem(word) for word in folded if word not in stop_words.FUNCTION)
