"""Fits the weights of `bot/recall/confidence.py`: `python -m tests.fit_confidence [--write] [--embedder]`.

It asks the questions of `tests/benchmarks/communities` in a scratch database and fits, by logistic regression, how
likely one of the first three results answers them. `--embedder` fits the weights for when meaning is compared too,
by the settings' role `embedder`. What it prints first counts: each community by the weights of the others.
"""

import argparse
import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from bot import config, log
from bot.cli import evaluation
from bot.recall import confidence, confidence_weights
from bot.recall.librarian import Librarian
from bot.recall.query import Query

COMMUNITIES: Final = Path(__file__).parent / "benchmarks" / "communities"
WEIGHTS: Final = Path(confidence_weights.__file__)
QUOTED: Final = 3
STRICTNESS: Final = 0.003
"""Of the squares of the weights, to keep those small of which the questions say little."""
STEPS: Final = 4_000
STEP: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One question."""

    community: str
    signs: Mapping[str, float]
    is_right: bool
    is_answerable: bool


async def examples(data: Path, *, embedder: bool) -> list[Example]:
    """The questions as recall stands to them."""
    settings, found = config.load(None), list[Example]()
    async with evaluation.scratch(settings) as database:
        loaded = await evaluation.load(database, data, one_space=False, language="english")
        async with evaluation.embedded(settings, database, wanted=embedder) as embeddings:
            librarian = Librarian(database, embeddings=embeddings)
            for question in evaluation.questions(data, loaded):
                query = Query(text=question.text, as_of=loaded.as_of[question.conv], is_question=True, least=0.0)
                recalled = await librarian.recall(loaded.asker(question), query)
                first = [loaded.names[message.message_id][1] for message in recalled.messages[:QUOTED]]
                found.append(
                    Example(
                        community=question.conv,
                        signs=recalled.signs,
                        is_right=not set(first).isdisjoint(question.gold),
                        is_answerable=bool(question.gold),
                    )
                )
    return found


def fitted(among: Sequence[Example]) -> dict[str, float]:
    """The weights by which the signs tell best which answers are right: gradient descent on the logarithmic loss."""
    names = [confidence.BIAS, *confidence.signs(confidence.BestPlace())]
    rows = np.array([[1.0, *(one.signs.get(name, 0.0) for name in names[1:])] for one in among])
    right = np.array([one.is_right for one in among], dtype=float)
    kept_small = np.full(len(names), STRICTNESS)
    kept_small[0] = 0.0
    weights = np.zeros(len(names))
    for _ in range(STEPS):
        off = 1 / (1 + np.exp(-(rows @ weights))) - right
        weights -= STEP * (off @ rows / len(rows) + kept_small * weights)
    return {name: round(float(weight), 2) for name, weight in zip(names, weights, strict=True)}


def likely(weights: Mapping[str, float], one: Example) -> float:
    """How likely an example is right."""
    return _likely([*weights.values()], [1.0, *(one.signs.get(name, 0.0) for name in [*weights][1:])])


def left_out(among: Sequence[Example]) -> list[tuple[Example, float]]:
    """Each example with how likely it is right by the weights that the other communities give."""
    found = list[tuple[Example, float]]()
    for community in dict.fromkeys(one.community for one in among):
        weights = fitted([one for one in among if one.community != community])
        found += ((one, likely(weights, one)) for one in among if one.community == community)
    return found


def _likely(weights: Sequence[float], row: Sequence[float]) -> float:
    return 1 / (1 + math.exp(-sum(weight * sign for weight, sign in zip(weights, row, strict=True))))


def _told(judged: Sequence[tuple[Example, float]], least: float) -> str:
    """What is told from a confidence on: of the answerable right and wrong, of the others what is met with silence."""
    told = [one for one, sure in judged if sure >= least]
    answerable = sum(one.is_answerable for one, _ in judged) or 1
    right = sum(one.is_right for one in told) / answerable
    wrong = sum(one.is_answerable and not one.is_right for one in told) / answerable
    others = sum(not one.is_answerable for one, _ in judged) or 1
    silent = 1 - sum(not one.is_answerable for one in told) / others
    return f"from {least:.2f}: right {right:.2f}, wrong {wrong:.2f}, silent where unanswerable {silent:.2f}"


def _written(by_words: Mapping[str, float], with_meaning: Mapping[str, float]) -> str:
    def table(name: str, weights: Mapping[str, float]) -> str:
        lines = "".join(f'    "{key}": {weight},\n' for key, weight in weights.items())
        return f"{name}: Final[Mapping[str, float]] = {{\n{lines}}}\n"

    head = '"""The weights of `confidence.py`; made by `python -m tests.fit_confidence --write`."""\n\n'
    imports = "from collections.abc import Mapping\nfrom typing import Final\n\n"
    return head + imports + table("BY_WORDS", by_words) + table("WITH_MEANING", with_meaning)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fit_confidence", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    parser.add_argument("--embedder", action="store_true", help="those for when meaning is compared too")
    options = parser.parse_args()
    log.configure(level="ERROR")
    found = asyncio.run(examples(COMMUNITIES, embedder=options.embedder))
    judged = left_out(found)
    for least in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        print(_told(judged, least))
    weights = fitted(found)
    print(weights)
    if options.write:
        kept = confidence_weights
        words, meaning = (kept.BY_WORDS, weights) if options.embedder else (weights, kept.WITH_MEANING)
        WEIGHTS.write_text(_written(words, meaning), encoding="utf-8")


if __name__ == "__main__":
    main()
