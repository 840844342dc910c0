"""The words a memory had before somebody said it more fully: what stood when, and what is left when messages go; pure.

They stand in the memory's metadata, the last of them on top and those before it inside.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from bot.db.pool import Row
from bot.domain import Memory, MessageId

KEY: Final = "reworded"
"""Under which key of its metadata a memory has them."""
MOST: Final = 20
"""Wordings kept of one memory; of what is said still more fully the last ones before are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """Words that a memory had until fuller ones were said."""

    content: str
    content_hash: str
    """In hexadecimal digits."""
    before: tuple[int, ...]
    """The messages it rested on until then."""
    evidence: tuple[int, ...]
    """The messages that brought the fuller words."""
    at: datetime | None
    """When those were said; none where that was not noted."""
    said_at: datetime | None
    """When these were said last; none as well."""
    seen_count: int

    @property
    def noted(self) -> dict[str, Any]:
        """As it stands in the metadata, but for those before it."""
        return {
            "content": self.content,
            "hash": self.content_hash,
            "before": [*self.before],
            "evidence": [*self.evidence],
            "at": self.at and self.at.isoformat(),
            "said_at": self.said_at and self.said_at.isoformat(),
            "seen_count": self.seen_count,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What is left of a memory's wordings when messages are gone."""

    restored: Wording | None
    """The one it has again, as its own words are gone; none where those stay."""
    wordings: tuple[Wording, ...]
    """Those before it."""


def read(metadata: Mapping[str, Any]) -> tuple[Wording, ...]:
    """The earlier wordings of a memory, the first of them first."""
    found, noted = list[Wording](), metadata.get(KEY)
    while noted is not None:
        found.append(_wording(noted))
        noted = noted.get("earlier")
    return tuple(reversed(found))


def texts(row: Row) -> tuple[str, ...]:
    """All the words of a memory, those it has now last."""
    return *(one.content for one in read(row["metadata"])), row["content"]


def noted(wordings: Sequence[Wording]) -> dict[str, Any]:
    """Them as metadata; empty where there are none."""
    value: dict[str, Any] | None = None
    for one in wordings:
        value = one.noted | ({} if value is None else {"earlier": value})
    return {} if value is None else {KEY: value}


def added(row: Row, evidence: Collection[int], at: datetime) -> tuple[Wording, ...]:
    """The wordings of a memory that now gets fuller words, which these messages say, at that moment.

    At the bound the words it has now are not kept: those before them stand for them.
    """
    earlier, fuller = read(row["metadata"]), tuple(sorted(set(evidence).difference(row["evidence"])))
    if len(earlier) >= MOST:
        last = earlier[-1]
        return *earlier[:-1], replace(last, evidence=(*last.evidence, *fuller), at=at)
    now = Wording(
        content=row["content"],
        content_hash=bytes(row["content_hash"]).hex(),
        before=tuple(row["evidence"]),
        evidence=fuller,
        at=at,
        said_at=row["said_at"],
        seen_count=row["seen_count"],
    )
    return *earlier, now


def without(wordings: Sequence[Wording], gone: Collection[int]) -> Left | None:
    """What is left where these messages go, and the memory stays; none where nothing of it changes.

    Words go with the messages that brought them; the ones before stand for them. The first are what the memory rests
    on as long as it stays.
    """
    kept = list[Wording]()
    is_lost = False
    for place, one in enumerate(wordings):
        is_unsure = place == 0 and one.at is None and not set(gone).isdisjoint(one.before)
        if not (is_lost or is_unsure):
            kept.append(one)
        elif kept:
            kept[-1] = replace(kept[-1], evidence=one.evidence, at=one.at)
        is_lost = not set(gone).isdisjoint(one.evidence)
    if is_lost:
        restored = kept.pop() if kept else wordings[-1]
        return Left(restored=restored, wordings=tuple(kept))
    return None if kept == [*wordings] else Left(restored=None, wordings=tuple(kept))


def as_of(memory: Memory, metadata: Mapping[str, Any], then: datetime) -> Memory:
    """The memory in the words that stood just before a moment."""
    stood, end = None, memory.said_at
    for one in reversed(read(metadata)):
        # Where it was not noted when fuller words were said, it was when the memory was said last before the next.
        if (one.at or end) < then:
            break
        stood, end = one, one.said_at or end
    if stood is None:
        return memory
    evidence = tuple(map(MessageId, stood.before))
    return replace(
        memory, content=stood.content, evidence=evidence, said_at=stood.said_at or end, seen_count=stood.seen_count
    )


def _wording(noted: Mapping[str, Any]) -> Wording:
    at, said_at = noted.get("at"), noted.get("said_at")
    return Wording(
        content=noted["content"],
        content_hash=noted["hash"],
        before=tuple(noted["before"]),
        evidence=tuple(noted["evidence"]),
        at=at and datetime.fromisoformat(at),
        said_at=said_at and datetime.fromisoformat(said_at),
        seen_count=noted.get("seen_count", 1),
    )
