"""What a reset without a model keeps of talk: how much of it is worth keeping, and how much of that it finds.

`kept_N.jsonl` are twelve conversations each, by somebody who knew none of the rules: a line a message, under `keep` the
sentences in it that a sensible member would want remembered. A fact is worth keeping if it overlaps one of them, and a
sentence is found if it overlaps a fact. The signs of worth were found in the first set, and their points fitted to the
first four; the fifth was opened once, at the end.
"""

import itertools
import json
import operator
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bot.domain import Message
from bot.language.requests import plain_requests
from bot.language.statements import extraction
from tests import people

SETS: Final = tuple(sorted(Path(__file__).parent.glob("kept_*.jsonl")))
_NOON: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
Span = tuple[int, int]


async def run(*, small: bool) -> dict[str, float]:
    del small  # it takes some seconds
    return {f"{name}_{path.stem}": figure for path in SETS for name, figure in judge(path).items()}


def judge(path: Path) -> dict[str, float]:
    """How many facts are kept, how many sentences are labelled, and of either the share that the other bears out."""
    kept = worth = labelled = found = 0
    for facts, labels in judged(path):
        kept, labelled = kept + len(facts), labelled + len(labels)
        worth += sum(any(overlap(fact, label) for label in labels) for fact in facts)
        found += sum(any(overlap(fact, label) for fact in facts) for label in labels)
    return {
        "facts": kept,
        "precision": 100 * worth / max(1, kept),
        "labelled": labelled,
        "recall": 100 * found / max(1, labelled),
    }


def judged(path: Path) -> Iterator[tuple[Sequence[Span], Sequence[Span]]]:
    """For each message, where in it the sentences stand that were kept, and those that are worth it."""
    for rows in _conversations(path):
        messages = _messages(rows)
        # What a person asks to remember is a memory already, as in a reset.
        told = [message for message in messages if not plain_requests.is_request(message.content)]
        facts = extraction.extract(told).facts
        for row, message in zip(rows, messages, strict=True):
            sentences = (fact.content for fact in facts if message.message_id in fact.evidence)
            before = len(f'{message.author} said: "')
            kept = [_span(message.content, sentence[before:-1]) for sentence in sentences]
            yield kept, [_span(message.content, label) for label in row["keep"]]


def labelled(path: Path) -> Iterator[tuple[str, Sequence[Span]]]:
    """Each message, and where the sentences stand in it that are worth keeping."""
    return ((row["text"], [_span(row["text"], label) for label in row["keep"]]) for row in _rows(path))


def conversations(path: Path) -> Iterator[list[Message]]:
    """The messages of each conversation."""
    return map(_messages, _conversations(path))


def _conversations(path: Path) -> Iterator[list[dict[str, Any]]]:
    return ([*rows] for _, rows in itertools.groupby(_rows(path), key=operator.itemgetter("conv")))


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _messages(rows: Sequence[dict[str, Any]]) -> list[Message]:
    names = [*dict.fromkeys(row["author"] for row in rows)]
    return [
        people.said(
            people.caller(row["author"], person=10 + names.index(row["author"])),
            row["text"],
            _NOON + timedelta(minutes=minute),
        )
        for minute, row in enumerate(rows)
    ]


def _span(text: str, part: str) -> Span:
    start = text.index(part)
    return start, start + len(part)


def overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
