"""Fits the weights of `bot/language/past/wording.py`: `python -m tests.fit_wording [--write]`; needs numpy.

A logistic regression on our own sentences and on messages that strangers labelled. What it prints counts: each
strangers' set by what others teach, as the detector would judge it then.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bot.language.past import detector, wording
from bot.language.past.space_names import Names
from bot.text import plain_form
from bot.text.plain_form import Plain
from tests.bot.language.past import sentences

HERE: Final = Path(__file__).parent
STRANGERS: Final = (
    *(HERE / "benchmarks" / "unseen" / f"detector_{number}.jsonl" for number in (1, 2, 3)),
    *sorted((HERE / "benchmarks" / "wording").glob("*.jsonl")),
)
OURS: Final = HERE / "bot" / "language" / "past" / "questions.jsonl"
WEIGHTS: Final = Path(wording.__file__).with_name(wording.WEIGHTS)
SHARE: Final = 3.0
"""How much more a stranger's message, or one of the tests' sentences, counts than one the rules were made for."""
LEAST_OFTEN: Final = 3
"""Messages that must have a run of words for it to be weighed."""
LEAST: Final = 0.02
"""Weights nearer to zero than this are left out."""
STEPS: Final = 1_500
FOLDS: Final = 7
"""Parts of the strangers' sets, each of which is judged by what the others teach."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One labelled message."""

    source: str
    signs: Mapping[str, float]
    plain: Plain
    cues: Mapping[str, float]
    by_rules: float
    is_recall: bool


def examples() -> list[Example]:
    """Every labelled message, ours first."""
    found = [_example("tests", text, True, sentences.NAMES) for text in sentences.RECALL]
    found += [_example("tests", text, False, sentences.NAMES) for text in sentences.OTHER]
    for path in (OURS, *STRANGERS):
        rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
        source = "ours" if path == OURS else f"{path.parent.name}/{path.stem}"
        found += [_example(source, row["text"], row["recall"], row["names"]) for row in rows]
    return found


def _example(source: str, text: str, is_recall: bool, names: Iterable[str]) -> Example:
    plain, known = plain_form.read(text), Names(names)
    cues = detector.weighed(plain, known)
    by_rules = detector.BIAS + sum(cues.values())
    return Example(
        source=source,
        signs=wording.signs(plain, known, cues, by_rules),
        plain=plain,
        cues=cues,
        by_rules=by_rules,
        is_recall=is_recall,
    )


def fitted(
    among: Sequence[Example], start: Mapping[str, float] | None = None, *, steps: int = STEPS
) -> dict[str, float]:
    """The weights that make the labels likeliest, kept small by their squares; by Nesterov's accelerated descent.

    From good weights to `start` at, few steps reach the same.
    """
    often = Counter(sign for one in among for sign in one.signs)
    names = [wording.BIAS, *sorted(sign for sign, count in often.items() if count >= LEAST_OFTEN)]
    place = {sign: number for number, sign in enumerate(names)}
    cells = [
        (number, place[sign], value)
        for number, one in enumerate(among)
        for sign, value in [(wording.BIAS, 1.0), *one.signs.items()]
        if sign in place
    ]
    row, column, values = (np.array(part) for part in zip(*cells, strict=True))
    wanted = np.array([one.is_recall for one in among], dtype=float)
    counts = np.array([1.0 if one.source == "ours" else SHARE for one in among])
    kept_small = np.ones(len(names))
    kept_small[0] = 0.0

    def scores(weights: Floats) -> Floats:
        return np.bincount(row, values * weights[column], minlength=len(among)).astype(np.float64)

    def summed(by_row: Floats) -> Floats:
        return np.bincount(column, values * by_row[row], minlength=len(names)).astype(np.float64)

    steepest = np.ones(len(names))
    for _ in range(50):
        steepest /= np.linalg.norm(steepest)
        steepest = summed(counts / 4 * scores(steepest)) + kept_small * steepest
    step = 1 / float(np.linalg.norm(steepest))
    weights = ahead = np.array([(start or {}).get(name, 0.0) for name in names])
    for number in range(steps):
        likely = 1 / (1 + np.exp(-scores(ahead)))
        after = ahead - step * (summed(counts * (likely - wanted)) + kept_small * ahead)
        ahead = after + number / (number + 3) * (after - weights)
        weights = after
    return dict(zip(names, (float(weight) for weight in weights), strict=True))


def judged(weights: Mapping[str, float], one: Example) -> float:
    """The score the detector gives an example by these weights."""
    return detector.scored(one.plain, one.cues, one.by_rules, wording.weighed(weights, one.signs))


def _told(name: str, among: Sequence[tuple[Example, float]], least: float) -> str:
    found = [one.is_recall for one, score in among if score >= least]
    asked = sum(one.is_recall for one, _ in among)
    right, wrong = sum(found) / asked, (len(found) - sum(found)) / (len(among) - asked)
    return f"{name}: from {least:+.1f} recall {right:.2f}, wrongly {wrong:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fit_wording", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    options = parser.parse_args()
    found = examples()
    everything = list[tuple[Example, float]]()
    strangers = [*dict.fromkeys(one.source for one in found if one.source not in {"ours", "tests"})]
    for fold in range(FOLDS):
        held_out = strangers[fold::FOLDS]
        weights = fitted([one for one in found if one.source not in held_out])
        for source in held_out:
            theirs = [(one, judged(weights, one)) for one in found if one.source == source]
            print(_told(f"{source}, the rules alone", [(one, one.by_rules) for one, _ in theirs], 0.0))
            print(_told(source, theirs, detector.SURE))
            everything += theirs
    for least in (-0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0):
        print(_told("all of them", everything, least))
    if options.write:
        weights = fitted(found)
        kept = {sign: weight for sign, weight in weights.items() if abs(weight) >= LEAST or sign == wording.BIAS}
        WEIGHTS.write_text("".join(f"{sign}\t{weight:.3f}\n" for sign, weight in kept.items()), encoding="utf-8")
        print(f"{len(kept)} weights written")


if __name__ == "__main__":
    main()
