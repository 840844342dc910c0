"""Parses the stored trail of a turn, tolerating what other versions left out or wrote differently."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from bot.domain import ChannelId, Layer, MemoryId, MessageId, SessionId

_LARGEST: Final = 2**63


@dataclass(frozen=True, slots=True, kw_only=True)
class Detected:
    """The recall detector's verdict on the question."""

    recall: bool
    confidence: float | None = None
    cues: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """One layer of the walk."""

    layer: Layer
    outcome: str
    looked: int | None = None
    chosen: tuple[tuple[str, float], ...] = ()
    why: str = ""
    milliseconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounded:
    """The verdict of the answer's check."""

    outcome: str
    kinds: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The thing a label stands for."""

    memory_id: MemoryId | None = None
    message: tuple[ChannelId, MessageId] | None = None
    url: str = ""
    session_id: SessionId | None = None
    """Of a chat summary: the session it tells of."""
    elsewhere: ChannelId | None = None
    """Of a message that is not stored here: the channel whose readers may be shown it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """How a reply came about, as its turn recorded it."""

    asked: Detected | None = None
    walk: tuple[Walked, ...] = ()
    grounded: Grounded | None = None
    sources: Mapping[str, Origin]
    tools: tuple[tuple[str, str], ...] = ()
    history: int | None = None
    left_out: int | None = None
    recovered: bool = False

    @property
    def found(self) -> dict[str, float | None]:
        """Labels of what was found, as the layers found it, each with its score where there is one."""
        found: dict[str, float | None] = {}
        for step in self.walk:
            found |= {label: score for label, score in step.chosen if label not in found}
        return found | {label: None for label in self.sources if label not in found}

    def origin(self, label: str) -> Origin:
        """What a label stands for; one such as `#42` names its memory by itself."""
        known = self.sources.get(label)
        if known is not None and (known.memory_id is not None or not label.startswith("#")):
            return known
        digits = label.removeprefix("#")
        is_memory = label.startswith("#") and digits.isascii() and digits.isdigit() and int(digits) < _LARGEST
        return Origin(memory_id=MemoryId(int(digits))) if is_memory else known or Origin()


def read(trail: Mapping[str, Any]) -> Trail:
    """The trail's valid parts."""
    return Trail(
        asked=_detected(trail.get("asked")),
        walk=tuple(step for each in _list(trail.get("walk")) if (step := _walked(each)) is not None),
        grounded=_grounded(trail.get("grounded")),
        sources=_sources(trail.get("sources")),
        tools=tuple((_text(each.get("tool")), _text(each.get("outcome"))) for each in _maps(trail.get("tools"))),
        history=_whole(trail.get("history")),
        left_out=_whole(trail.get("left_out")),
        recovered=trail.get("recovered") is True,
    )


def _detected(value: object) -> Detected | None:
    given = _map(value)
    if not isinstance(given.get("recall"), bool):
        return None
    return Detected(
        recall=given["recall"],
        confidence=number(given.get("confidence")),
        cues=_texts(given.get("cues")),
        layers=_texts(given.get("layers")),
    )


def _walked(value: object) -> Walked | None:
    given = _map(value)
    try:
        layer = Layer(_text(given.get("layer")))
    except ValueError:
        return None
    pairs = [_list(pair) for pair in _list(given.get("chosen"))]
    chosen = [(_text(pair[0]), number(pair[1])) for pair in pairs if len(pair) == 2]
    return Walked(
        layer=layer,
        outcome=_text(given.get("outcome")),
        looked=_whole(given.get("looked")),
        chosen=tuple((label, score) for label, score in chosen if label and score is not None),
        why=_text(given.get("why")),
        milliseconds=number(given.get("ms")),
    )


def _grounded(value: object) -> Grounded | None:
    given = _map(value)
    outcome = _text(given.get("outcome"))
    if not outcome:
        return None
    return Grounded(outcome=outcome, kinds=_texts(given.get("kinds")), cited=_texts(given.get("cited")))


def _sources(value: object) -> dict[str, Origin]:
    found: dict[str, Origin] = {}
    for given in _maps(value):
        memory_id = _whole(given.get("memory_id"))
        place = [_whole(part) for part in _list(given.get("message"))]
        # The terminal's channel is 0.
        is_place = len(place) == 2 and None not in place
        origin, session_id = _whole(given.get("elsewhere")), _whole(given.get("session"))
        stands = (ChannelId(place[0] or 0), MessageId(place[1] or 0)) if is_place else None
        if label := _text(given.get("label")):
            found[label] = Origin(
                memory_id=None if memory_id is None else MemoryId(memory_id),
                message=stands,
                url=_text(given.get("url")),
                elsewhere=None if origin is None else ChannelId(origin),
                session_id=None if session_id is None else SessionId(session_id),
            )
    return found


def _map(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _maps(value: object) -> list[Mapping[str, Any]]:
    return [_map(each) for each in _list(value)]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(text for each in _list(value) if (text := _text(each)))


def number(value: object) -> float | None:
    """A number as one; none for anything else, and for what is no number."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        return None
    return float(value)


def _whole(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value < _LARGEST else None
