"""The recall detector: decides whether a message asks about the past here; pure, no language model.

Each rule that applies adds its points, for or against; how a message is worded is weighed with them (`wording`). In
well-formed questions, for which they were written, the rules count twice. They are in `cues_of_memory`,
`cues_of_work`, `cues_against`, `word_cues` and `name_cues`; a verdict names those that spoke for it.
"""

import functools
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from bot.domain import Layer
from bot.language.past import (
    cues_against,
    cues_of_memory,
    cues_of_work,
    name_cues,
    plain_statements,
    this_session,
    word_cues,
    wording,
)
from bot.language.past.abroad import hearing
from bot.language.past.abroad.hearing import ForeignAsking
from bot.language.past.cue_rules import Rule
from bot.language.past.space_names import Names
from bot.text import plain_form
from bot.text.plain_form import Plain

THRESHOLD: Final = 0.5
"""The confidence from which on a message asks about the past."""
BIAS: Final = -2.5
"""The score of a message in which no rule finds anything."""
WORDING: Final = "its wording"
"""The cue of a message in which no rule speaks for what its words do."""
SURE: Final = 0.5
"""What the score must exceed: of what only looks like a question about the past less is taken for one."""
WORTH: Final[Mapping[str, float]] = MappingProxyType(
    {
        "known name": 5.4,
        "namesake": -2.0,
        "file": 3.5,
        "project": 3.5,
        "commit": 3.5,
        "link": 2.0,
        "question of mine": 3.0,
        "common work": 2.8,
        "end of a story": 3.4,
        "no question": -2.0,
        "sums": -6.0,
        "title of a story": -3.4,
    }
)
"""Points of the cues that are no patterns."""
EXPLICIT: Final = frozenset(
    {
        "asked to recall",
        "reminded of",
        "my reminders",
        "who I am",
        "what you said",
        "what I said",
        "left off",
        "shared past",
        "how it stands",
    }
)
"""Cues that name memory, or how things here stand: beside them what is asked for, or about, counts half against."""
YIELDING: Final = frozenset(
    {"request", "general knowledge", "how to", "customer", "small talk", "title of a story", "stories and fame"}
)
_TO_A_NAME: Final = frozenset({"customer", "how to", "in general"})
"""What counts half against a name that is known here: `how much is the membership fee?`."""
WORLDLY: Final = frozenset({"general knowledge", "title of a story", "stories and fame", "in general"})
"""Cues of questions about the world: of several only the one that is worth most counts."""
RULES: Final = (*cues_of_memory.RULES, *cues_of_work.RULES, *cues_against.RULES)
POINTING: Final = frozenset({"issue number", "file", "project", "commit", "time past"})
"""Cues that are enough in a message of nothing else."""
_POINTER: Final = 3
"""Words of the longest message that only points."""
_STEEPEST: Final = 30.0
"""Scores beyond this are as certain as can be told."""

_ARTIFACTS: Final = frozenset({"issue number", "file", "project", "commit", "link"})
_SETTLED: Final = _ARTIFACTS | {"how it stands"}
"""Cues beside which the wording takes nothing away."""
_PROCEDURES: Final = frozenset({"how we do it"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """The detector's verdict on a message."""

    recall: bool
    confidence: float
    """From 0 to 1; recall from `THRESHOLD` on."""
    cues: tuple[str, ...] = ()
    """Names of the rules that spoke for it, never words of the message."""
    layers: tuple[Layer, ...] = ()
    """Where to look, in order: the walk begins at the first, the others are suggested. Empty where nothing is asked."""
    is_spoken_against: bool = False
    """Whether the rules found more against it than for it."""
    plain: Plain | None = field(default=None, compare=False)
    """The message in plain form, where it was read."""


def detect(text: str, names: Names) -> Detection:
    """Whether the text asks about the past of those who know these names."""
    plain = plain_form.read(text)
    heard = hearing.heard(plain, names)
    if heard is not None:
        worth = _weighed_abroad(plain, heard)
        by_rules = BIAS + sum(worth.values())
        found = _judged(plain, worth, by_rules, by_rules)
        if found.recall or not heard.is_mixed:
            return found
    worth = weighed(plain, names)
    by_rules = BIAS + sum(worth.values())
    score = scored(plain, worth, by_rules, wording.score(plain, names, worth, by_rules)) - SURE
    if score >= 0 and max(worth.values(), default=0.0) <= 0 and plain_statements.tells(plain):
        # No rule speaks for it: it is worded like a question that somebody put as a statement, and is one.
        score = -SURE
    return _judged(plain, worth, by_rules, score)


def _judged(plain: Plain, worth: Mapping[str, float], by_rules: float, score: float) -> Detection:
    confidence = round(1 / (1 + math.exp(-max(-_STEEPEST, min(_STEEPEST, score)))), 4)
    recall = confidence >= THRESHOLD
    cues = tuple(cue for cue, points in worth.items() if points > 0) or (WORDING,) * recall
    return Detection(
        recall=recall,
        confidence=confidence,
        cues=cues,
        layers=_layers(plain, cues) if recall else (),
        is_spoken_against=by_rules < BIAS,
        plain=plain,
    )


def weighed(plain: Plain, names: Names) -> dict[str, float]:
    """The cues of a message with the points each adds, those that speak for recall first."""
    worth = _by_patterns(plain)
    for cue in (*word_cues.words_for(plain), *word_cues.words_against(plain), *name_cues.spoken(plain, names)):
        worth[cue] = WORTH[cue]
    if not plain.asks and not _is_a_pointer(plain, worth):
        worth["no question"] = WORTH["no question"]
    return _yielded(worth)


def _weighed_abroad(plain: Plain, heard: ForeignAsking) -> dict[str, float]:
    """The cues of a message in another language than English; what it points to is the same in all of them."""
    worth = {**heard.worth}
    if "known name" in worth:
        worth["known name"] = WORTH["known name"]
    worth |= {cue: points for cue, points in _by_patterns(plain).items() if cue in _ARTIFACTS}
    worth |= {cue: WORTH[cue] for cue in word_cues.words_for(plain) if cue in _ARTIFACTS}
    if not heard.asks and not _is_a_pointer(plain, worth):
        worth["no question"] = WORTH["no question"]
    return _yielded(worth)


def _yielded(worth: dict[str, float]) -> dict[str, float]:
    """The cues with what each is worth beside the others, those that speak for recall first."""
    worldly = sorted(WORLDLY.intersection(worth), key=lambda cue: (worth[cue], cue))
    for cue in worldly[1:]:
        del worth[cue]
    yielding = YIELDING if not EXPLICIT.isdisjoint(worth) else _TO_A_NAME if "known name" in worth else frozenset[str]()
    for cue in yielding.intersection(worth):
        worth[cue] /= 2
    return dict(sorted(worth.items(), key=lambda pair: (-pair[1], pair[0])))


def scored(plain: Plain, worth: Mapping[str, float], by_rules: float, by_wording: float) -> float:
    """What its rules and its wording come to: from `SURE` on it is about the past."""
    score = by_wording + by_rules if _is_for_rules(plain, worth) else by_wording
    return score if _SETTLED.isdisjoint(worth) else max(score, by_rules + SURE)


def _is_for_rules(plain: Plain, worth: Mapping[str, float]) -> bool:
    """Whether the rules were made for it: one sentence with its question mark, and what points to something."""
    is_well_formed = len(plain.sentences) == 1 and plain.words[-1] == "?"
    return is_well_formed or not _SETTLED.isdisjoint(worth) or _is_a_pointer(plain, worth)


def _is_a_pointer(plain: Plain, worth: Mapping[str, float]) -> bool:
    """Whether a message is nothing but what it points to: `#123`, `mempalace.py`, `yesterday`."""
    return len(plain.words) <= _POINTER and not POINTING.isdisjoint(worth)


def _by_patterns(plain: Plain) -> dict[str, float]:
    worth: dict[str, float] = {}
    rules, index = _rules()
    words = {*plain.words, "#"} if "#" in plain.text else {*plain.words}
    tried = {place for word in words.intersection(index) for place in index[word]}
    for place in sorted(tried):
        rule, pattern = rules[place]
        if abs(rule.points) > abs(worth.get(rule.cue, 0)) and pattern.search(plain.text):
            worth[rule.cue] = rule.points
    return worth


@functools.cache
def _rules() -> tuple[tuple[tuple[Rule, re.Pattern[str]], ...], dict[str, tuple[int, ...]]]:
    """The rules, compiled once, and by each word they need which may apply."""
    rules = tuple((rule, re.compile(rule.pattern)) for rule in RULES)
    index: dict[str, list[int]] = {}
    for place, (rule, _) in enumerate(rules):
        for word in rule.needs:
            index.setdefault(word, []).append(place)
    return rules, {word: tuple(places) for word, places in index.items()}


def _layers(plain: Plain, cues: tuple[str, ...]) -> tuple[Layer, ...]:
    """A question about the session at hand begins at the scratchpad, every other one at the palace."""
    first = Layer.SCRATCHPAD if this_session.asked_of(plain.text) else Layer.PALACE
    found = [first]
    if not _ARTIFACTS.isdisjoint(cues):
        found.append(Layer.ARTIFACTS)
    if not _PROCEDURES.isdisjoint(cues):
        found.append(Layer.PROCEDURES)
    return tuple(found)
