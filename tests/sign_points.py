"""Fits the points of `bot/language/statements/signs.py`: `python -m tests.sign_points` prints them beside today's.

By logistic regression on the sentences of `kept_1` to `kept_4.jsonl` and, at less weight, `sentences.jsonl`, whose
sentences stand alone and are half traps. A point is a quarter of a logit. `LEAST` is three more than what is as likely
as not worth keeping: of talk without figures too many sentences are just above that.
"""

import itertools
import json
import math
import operator
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bot.language.statements import claims, exclusions, signs
from bot.text import sentences
from tests.benchmarks import kept

_TALK: Final = kept.SETS[:4]
SENTENCES: Final = Path(__file__).parent / "bot/language/statements/sentences.jsonl"
_ALONE: Final = 0.3
"""The weight of a sentence that stands alone."""
_A_LOGIT: Final = 4
_ABOVE: Final = 3
_SHRINK: Final = 2.0
_ROUNDS: Final = 150
_STEP: Final = 0.5

Example = tuple[frozenset[str], bool, float]


def examples() -> Iterator[Example]:
    """The signs of each sentence that no doubt excludes, whether it is worth keeping, and its weight."""
    for text, spans in itertools.chain.from_iterable(map(kept.labelled, _TALK)):
        at = 0
        for sentence in sentences.split(text):
            at = text.index(sentence, at)
            span = at, at + len(sentence)
            yield from _example(text, sentence, is_worth=any(kept.overlap(span, worth) for worth in spans), weight=1)
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield from _example(row["text"], row["text"], is_worth=row["keep"], weight=_ALONE)


def _example(text: str, sentence: str, *, is_worth: bool, weight: float) -> Iterator[Example]:
    reading = None if exclusions.taints(text) else claims.read(sentence)
    if reading is not None:
        yield reading.signs, is_worth, weight


def fitted(rows: list[Example]) -> dict[str, float]:
    """The logits of each sign, and under "" of a sentence without any; by Adagrad, from nothing."""
    names = ["", *sorted({name for found, _, _ in rows for name in found})]
    weights, seen = dict.fromkeys(names, 0.0), dict.fromkeys(names, 1e-8)
    for _ in range(_ROUNDS):
        slopes = {name: _SHRINK * weights[name] if name else 0.0 for name in names}
        for found, is_worth, weight in rows:
            likely = 1 / (1 + math.exp(-weights[""] - sum(weights[name] for name in found)))
            for name in ("", *found):
                slopes[name] += weight * (likely - is_worth)
        for name, slope in slopes.items():
            seen[name] += slope * slope
            weights[name] -= _STEP * slope / math.sqrt(seen[name])
    return weights


def main() -> None:
    today = {name: sign.points for name, sign in (signs.PLAIN | signs.WRITTEN).items()} | signs.KINDS | signs.DOUBTS
    found = fitted([*examples()])
    print(f"{'LEAST':16} {_ABOVE - _A_LOGIT * found.pop(''):6.1f} {signs.LEAST:4}")
    for name, logit in sorted(found.items(), key=operator.itemgetter(1), reverse=True):
        print(f"{name:16} {_A_LOGIT * logit:6.1f} {today[name]:4}")


if __name__ == "__main__":
    main()
