"""The trail of a turn, which records how its reply came about: the one writer and reader of `turn.trail`.

A step that a turn did not reach has no key in the JSON, since SQL statements test for keys, and merge the trails of two
workers on one turn. The statements name `sources` with `label`, `message` and `session`, and `cited` of `grounded`; a
migration tested for `walk`. Trails of every version can be read, and imported ones: a missing or malformed part is left
out.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from bot.domain import ChannelId, Forgettable, Layer, MemoryId, MessageId, SessionId, Stock

_LARGEST: Final = 2**63
_OF_MEMORY: Final = re.compile(r"#([0-9]{1,18})")
"""The label of a memory; more digits than its number can have are no number of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detected:
    """The recall detector's verdict on the question."""

    recall: bool
    confidence: float | None = None
    cues: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One layer of a walk."""

    layer: Layer
    outcome: str
    """A `LayerOutcome`, or what another version calls its own."""
    looked: int | None = 0
    chosen: tuple[tuple[str, float], ...] = ()
    """Labels and scores of what was found, best first."""
    why: str = ""
    milliseconds: float | None = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounded:
    """The verdict of the answer's check."""

    outcome: str
    kinds: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The thing a label stands for, without a word of it."""

    memory_id: MemoryId | None = None
    message: tuple[ChannelId, MessageId] | None = None
    session_id: SessionId | None = None
    """Of a chat summary: the session it tells of."""
    url: str | None = None
    score: float = 0.0
    elsewhere: ChannelId | None = None
    """Of a message that is not stored here: the channel whose readers may be shown it."""

    @property
    def is_nowhere(self) -> bool:
        """Whether nothing but its label tells it from others: a note, or a playbook."""
        return self.memory_id is None and self.message is None and self.session_id is None and self.url is None


def _is_of_prompt(label: str, origin: Origin) -> bool:
    """Whether it is an entry of the ledger, a message beside it, or one that brought a picture."""
    return label[:1] in {"E", "V"} or (label[:1] == "P" and origin.message is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """One call of a tool by the model: which, and how it went; not what it was asked."""

    tool: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStep:
    """One step of a workflow that was run: its name, who spoke, and how many things it was shown of memory."""

    name: str
    persona: str
    found: int | None = None
    """None where it did not look."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTrail:
    """The workflow by which a reply was written, as far as it came."""

    workflow: str
    count: int
    """The steps it has."""
    steps: tuple[RunStep, ...] = ()
    """Those that were begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """How a reply came about; a part is None where the turn did not reach that step."""

    asked: Detected | None = None
    walk: tuple[Step, ...] = ()
    grounded: Grounded | None = None
    sources: Mapping[str, Origin] | None = None
    """What was found or shown, by label."""
    tools: tuple[ToolUse, ...] | None = None
    history: int | None = None
    """How many messages the session had for the model."""
    left_out: int | None = None
    """How many of them did not fit."""
    around: int | None = None
    """How many the model was shown of what stood around the question."""
    unfit: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many things did not fit into the other parts of its prompt, by part."""
    waited: tuple[str, ...] = ()
    """The steps that were waited for one after the other, in order; the turn's durations tell how long each took."""
    forgets: Forgettable | None = None
    """What the reply asks whether to forget."""
    explains: MessageId | None = None
    """The question to which the reply explains the answer."""
    again: tuple[MessageId, ...] = ()
    """Where the reply offers to search again: the turns that told of it so far, from the question to this one."""
    cached: int = 0
    """Of the tokens that went into the model, those that its server still had."""
    run: RunTrail | None = None
    """The workflow by which several wrote it."""
    holds_others: bool | None = None
    """Whether the reply may hold words of anyone but the asker; None where that is not known."""
    recovered: bool = False
    """Whether another worker recorded the reply, who does not know what led to it."""

    @property
    def found(self) -> dict[str, float | None]:
        """Labels of what was found, as the layers found it, each with its score where there is one.

        What the prompt told of the channel's past unasked was not found, and is noted to go with what it was made of.
        """
        found: dict[str, float | None] = {}
        for step in self.walk:
            found |= {label: score for label, score in step.chosen if label not in found}
        told = (label for label, origin in (self.sources or {}).items() if not _is_of_prompt(label, origin))
        return found | {label: None for label in told if label not in found}

    @property
    def cited(self) -> tuple[str, ...]:
        """Labels of what the reply cites; of all that was shown, where it was not held against that."""
        return tuple(self.sources or ()) if self.grounded is None else self.grounded.cited

    def origin(self, label: str) -> Origin:
        """What a label stands for; one such as `#42` names its memory by itself."""
        known = (self.sources or {}).get(label)
        if known is not None and (known.memory_id is not None or not label.startswith("#")):
            return known
        named = _OF_MEMORY.fullmatch(label)
        return Origin(memory_id=MemoryId(int(named[1]))) if named else known or Origin()

    def as_json(self) -> dict[str, Any]:
        """What is stored of it."""
        parts = {
            "asked": self.asked and _write_detected(self.asked),
            "walk": [_write_step(step) for step in self.walk] or None,
            "grounded": self.grounded and _write_grounded(self.grounded),
            "sources": None if self.sources is None else [_write_origin(*source) for source in self.sources.items()],
            "tools": None if self.tools is None else [{"tool": u.tool, "outcome": u.outcome} for u in self.tools],
            "history": self.history,
            "left_out": self.left_out,
            "around": self.around,
            "unfit": dict(self.unfit) or None,
            "waited": [*self.waited] or None,
            "forgets": self.forgets and _write_forgets(self.forgets),
            "explains": self.explains,
            "again": [*self.again] or None,
            "cached": self.cached or None,
            "run": self.run and _write_run(self.run),
            "holds_others": self.holds_others,
            "recovered": self.recovered or None,
        }
        return {key: part for key, part in parts.items() if part is not None}

    @classmethod
    def of(cls, stored: object) -> "Trail":
        """The valid parts of what is stored, whichever version wrote it."""
        given = _map(stored)
        return cls(
            asked=_read_detected(given.get("asked")),
            walk=tuple(step for each in _list(given.get("walk")) if (step := _read_step(each)) is not None),
            grounded=_read_grounded(given.get("grounded")),
            sources=_read_sources(given["sources"]) if "sources" in given else None,
            tools=_read_tools(given["tools"]) if "tools" in given else None,
            history=_whole(given.get("history")),
            left_out=_whole(given.get("left_out")),
            around=_whole(given.get("around")),
            unfit={name: n for name, each in _map(given.get("unfit")).items() if (n := _whole(each))},
            waited=_texts(given.get("waited")),
            forgets=_read_forgets(given.get("forgets")),
            explains=None if (explained := _whole(given.get("explains"))) is None else MessageId(explained),
            again=tuple(map(MessageId, _wholes(given.get("again")))),
            cached=_whole(given.get("cached")) or 0,
            run=_read_run(given.get("run")),
            holds_others=others if isinstance(others := given.get("holds_others"), bool) else None,
            recovered=given.get("recovered") is True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """The record of a finished turn, beside its reply."""

    shown: tuple[MemoryId, ...] = ()
    """Memories the model or the person was shown."""
    recalled: tuple[MemoryId, ...] = ()
    """Of those, the ones a recall found: being recalled is being used."""
    trail: Trail = field(default_factory=Trail)
    made_from: tuple[int, ...] = ()
    """Ids of what it was made from that need not be stored: messages, authors, places. Nothing is distilled of it."""
    stock: Stock | None = None
    """Which set text it is, if it is one."""
    model: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    durations: dict[str, float] = field(default_factory=dict[str, float])
    """Seconds by step."""


def seconds(stored: object) -> dict[str, float]:
    """What is stored as a turn's durations, of any version, as far as it is seconds by step."""
    return {name: taken for name, value in _map(stored).items() if (taken := _number(value)) is not None}


def _write_detected(asked: Detected) -> dict[str, Any]:
    confidence = None if asked.confidence is None else round(asked.confidence, 3)
    return {"recall": asked.recall, "confidence": confidence, "cues": [*asked.cues], "layers": [*asked.layers]}


def _read_detected(stored: object) -> Detected | None:
    given = _map(stored)
    if not isinstance(given.get("recall"), bool):
        return None
    return Detected(
        recall=given["recall"],
        confidence=_number(given.get("confidence")),
        cues=_texts(given.get("cues")),
        layers=_texts(given.get("layers")),
    )


def _write_step(step: Step) -> dict[str, Any]:
    return {
        "layer": step.layer.value,
        "outcome": str(step.outcome),
        "looked": step.looked,
        "hits": len(step.chosen),
        "chosen": [[label, round(score, 4)] for label, score in step.chosen],
        "why": step.why,
        "ms": None if step.milliseconds is None else round(step.milliseconds, 2),
    }


def _read_step(stored: object) -> Step | None:
    given = _map(stored)
    try:
        layer = Layer(_text(given.get("layer")))
    except ValueError:
        return None
    pairs = [_list(pair) for pair in _list(given.get("chosen"))]
    chosen = [(_text(pair[0]), _number(pair[1])) for pair in pairs if len(pair) == 2]
    return Step(
        layer=layer,
        outcome=_text(given.get("outcome")),
        looked=_whole(given.get("looked")),
        chosen=tuple((label, score) for label, score in chosen if label and score is not None),
        why=_text(given.get("why")),
        milliseconds=_number(given.get("ms")),
    )


def _write_run(run: RunTrail) -> dict[str, Any]:
    steps = [{"name": step.name, "persona": step.persona, "found": step.found} for step in run.steps]
    return {"workflow": run.workflow, "count": run.count, "steps": steps}


def _read_run(stored: object) -> RunTrail | None:
    given = _map(stored)
    workflow, count = _text(given.get("workflow")), _whole(given.get("count"))
    if not workflow or count is None:
        return None
    steps = (
        RunStep(name=_text(step.get("name")), persona=_text(step.get("persona")), found=_whole(step.get("found")))
        for step in _maps(given.get("steps"))
    )
    return RunTrail(workflow=workflow, count=count, steps=tuple(steps))


def _write_grounded(grounded: Grounded) -> dict[str, Any]:
    return {"outcome": grounded.outcome, "kinds": [*grounded.kinds], "cited": [*grounded.cited]}


def _read_grounded(stored: object) -> Grounded | None:
    given = _map(stored)
    outcome = _text(given.get("outcome"))
    if not outcome:
        return None
    return Grounded(outcome=outcome, kinds=_texts(given.get("kinds")), cited=_texts(given.get("cited")))


def _write_origin(label: str, origin: Origin) -> dict[str, Any]:
    return {
        "label": label,
        "memory_id": origin.memory_id,
        "message": origin.message and [*origin.message],
        "session": origin.session_id,
        "url": origin.url,
        "score": round(origin.score, 4),
        **({} if origin.elsewhere is None else {"elsewhere": origin.elsewhere}),
    }


def _read_sources(stored: object) -> dict[str, Origin]:
    return {label: _read_origin(given) for given in _maps(stored) if (label := _text(given.get("label")))}


def _read_origin(given: Mapping[str, Any]) -> Origin:
    memory_id, session_id = _whole(given.get("memory_id")), _whole(given.get("session"))
    elsewhere = _whole(given.get("elsewhere"))
    return Origin(
        memory_id=None if memory_id is None else MemoryId(memory_id),
        message=_read_place(given.get("message")),
        session_id=None if session_id is None else SessionId(session_id),
        url=_text(given.get("url")) or None,
        score=_number(given.get("score")) or 0.0,
        elsewhere=None if elsewhere is None else ChannelId(elsewhere),
    )


def _read_place(stored: object) -> tuple[ChannelId, MessageId] | None:
    match [_whole(part) for part in _list(stored)]:
        case [int(channel_id), int(message_id)]:
            return ChannelId(channel_id), MessageId(message_id)
        case _:
            return None


def _read_tools(stored: object) -> tuple[ToolUse, ...]:
    return tuple(ToolUse(tool=_text(u.get("tool")), outcome=_text(u.get("outcome"))) for u in _maps(stored))


def _write_forgets(forgets: Forgettable) -> dict[str, Any]:
    return {"memories": [*forgets.memories], "messages": [*forgets.messages], "everything": forgets.everything}


def _read_forgets(stored: object) -> Forgettable | None:
    given = _map(stored)
    if not given:
        return None
    return Forgettable(
        memories=tuple(map(MemoryId, _wholes(given.get("memories")))),
        messages=tuple(map(MessageId, _wholes(given.get("messages")))),
        everything=given.get("everything") is True,
    )


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


def _number(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if abs(value) < _LARGEST else None


def _whole(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value < _LARGEST else None


def _wholes(value: object) -> list[int]:
    return [whole for each in _list(value) if (whole := _whole(each)) is not None]
