"""Tells what a sentence takes back of what was decided before: `scrap the Tuesday rule`; pure."""

from collections.abc import Iterator
from typing import Final

from bot.text import patterns, stop_words, trigrams, word_forms

_REVOKES: Final = patterns.compiled(
    r"^\W*(?:(?:actually|ok|okay|so|well|right|then|no|and|but|let's|lets|we(?:'ll| will|'re going to)?|please"
    r"|update|doch|also|dann|wir|lasst uns)\W+){0,4}"
    + patterns.either(
        r"""
        (?:scrap|drop|ditch|bin|shelve|axe|abandon|revoke|lift|undo|cancel|call off|get rid of|throw out|forget about) \
            (?:scrapped |dropped )?(?P<thing>[^,;:.!?\n]{3,60})
        (?:scrapped|dropped|ditched|shelved|cancelled|canceled|abandoned|lifted) (?P<thing_done>[^,;:.!?\n]{3,60})
        (?P<thing_gone>(?:the|our|that) [^,;:.!?\n]{3,60}?) (?:is|are) (?:off|gone|dead|void|history|scrapped|dropped\
            |cancelled|canceled|lifted|no longer valid|off the table)\b
        (?:streich|streicht|streichen|verwerfen|vergesst|kippen) (?P<thing_german>[^,;:.!?\n]{3,60})
        """
    )
)
_OF_ANYTHING: Final = patterns.vocabulary(
    """
    rule rules plan plans idea ideas decision decisions old thing whole previous earlier regel plan idee die der das den
    alte alten
    """
)
"""What a thing that is taken back may be called beside what it is of."""


def revoked(sentence: str) -> frozenset[str]:
    """The stems of what it takes back; none where it takes back nothing that it names."""
    found = _REVOKES.search(sentence.translate(patterns.STRAIGHT_QUOTES))
    if found is None:
        return frozenset()
    return frozenset(_stems(next(thing for thing in found.groups() if thing)))


def is_revoked(sentence: str, by: frozenset[str]) -> bool:
    """Whether a sentence tells of all that was taken back."""
    return bool(by) and by <= {*_stems(sentence)}


def _stems(text: str) -> Iterator[str]:
    for word in trigrams.words(text):
        if word not in stop_words.FUNCTION and word not in _OF_ANYTHING:
            yield word_forms.stem(word)
