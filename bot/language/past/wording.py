"""How a message is worded, weighed by what was learnt from labelled messages: for what the rules can't tell.

People write in small letters, without marks, in half sentences, and tell what looks like a question. Which rules spoke,
and runs of up to three words, each add a weight that `python -m tests.fit_wording` has learnt; names stand for one
another, and so do numbers.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Final

from bot.language.past.space_names import Names
from bot.text.plain_form import BOUNDARY, Plain

WEIGHTS: Final = "wording.tsv"
"""What was learnt: a sign and its weight a line."""
BIAS: Final = "bias"
NAME: Final = "<name>"
"""Stands for a name that is known here."""
_LONGEST_RUN: Final = 3
_MOST: Final = 8.0
"""The rules' score beyond this tells nothing more."""
_LONG: Final = 30
"""Words of a message beyond which its length tells nothing more."""
_DIGITS: Final = re.compile(r"\d+")


def score(plain: Plain, names: Names, cues: Mapping[str, float], by_rules: float) -> float:
    """The score of a message, from 0 on of one about the past; `cues` and `by_rules` are what the rules found."""
    return weighed(learnt(), signs(plain, names, cues, by_rules))


def weighed(weights: Mapping[str, float], found: Mapping[str, float]) -> float:
    """The score that signs have by these weights; a sign without one adds nothing."""
    return weights[BIAS] + sum(weights.get(sign, 0.0) * value for sign, value in found.items())


def signs(plain: Plain, names: Names, cues: Mapping[str, float], by_rules: float) -> dict[str, float]:
    """What there is to weigh in a message, by its name in the table: the rules' verdict, its shape, its words."""
    words = list(_words(plain, names))
    is_named, asks = NAME in words, plain.asks
    found = {
        "rules": max(-_MOST, min(_MOST, by_rules)) / 4,
        "rules for": float(by_rules > 0),
        "asks": float(asks),
        "names": float(is_named),
        "asks and names": float(asks and is_named),
        "length": min(1.0, len(words) / _LONG),
    }
    found |= {f"cue: {cue}": 0.5 for cue in cues}
    for longest in range(1, _LONGEST_RUN + 1):
        for start in range(len(words) - longest + 1):
            found[" ".join(words[start : start + longest])] = 0.5
    return found


@functools.cache
def learnt() -> Mapping[str, float]:
    """The weights, by sign."""
    text = (resources.files("bot.language.past") / WEIGHTS).read_text(encoding="utf-8")
    rows = (line.rsplit("\t", 1) for line in text.splitlines())
    return {sign: float(weight) for sign, weight in rows}


def _words(plain: Plain, names: Names) -> Iterator[str]:
    """The words of the plain form, with a bar before, between and after the sentences."""
    named = {place: spoken for spoken in names.spoken_in(plain) for place in range(spoken.start, spoken.end)}
    yield BOUNDARY
    for sentence in plain.sentences:
        for place in range(sentence.start, sentence.end):
            word = plain.words[place]
            if place not in named:
                yield _DIGITS.sub("0", word)
            elif place == named[place].start:
                yield NAME
        if sentence.asks and plain.words[sentence.end - 1] != "?":
            yield "?"
        yield BOUNDARY
