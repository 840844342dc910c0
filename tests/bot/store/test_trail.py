"""The laws of the trail: what is written is read again, and what any version wrote is read as far as it is valid."""

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain import ChannelId, Forgettable, Layer, MemoryId, MessageId, SessionId
from bot.layers.walk import LayerOutcome
from bot.store.trail import Detected, Grounded, Origin, Step, ToolUse, Trail, seconds

ASKED: Final = Detected(recall=True, confidence=0.891, cues=("shared past",), layers=("L1",))
ASKED_STORED: Final = {"recall": True, "confidence": 0.891, "cues": ["shared past"], "layers": ["L1"]}
WALK: Final = (
    Step(layer=Layer.IDENTITY, outcome=LayerOutcome.LOADED, why="always there"),
    Step(layer=Layer.PALACE, outcome=LayerOutcome.HIT, looked=4, chosen=(("#1", 0.9558),), milliseconds=4.55),
)
WALK_STORED: Final = [
    {"layer": "L0", "outcome": "loaded", "looked": 0, "hits": 0, "chosen": [], "why": "always there", "ms": 0.0},
    {"layer": "L1", "outcome": "hit", "looked": 4, "hits": 1, "chosen": [["#1", 0.9558]], "why": "", "ms": 4.55},
]
BARE: Final = {"memory_id": None, "message": None, "session": None, "url": None, "score": 0.0}
CHECKED: Final = {"outcome": "checked", "kinds": ["name"], "cited": ["#1"]}


@pytest.mark.parametrize(
    ("trail", "stored"),
    [
        (Trail(), {}),
        (Trail(recovered=True), {"recovered": True}),
        (Trail(history=2, left_out=0, around=0, tools=()), {"history": 2, "left_out": 0, "around": 0, "tools": []}),
        (
            Trail(
                tools=(ToolUse(tool="memory_recall", outcome="done"), ToolUse(tool="unknown", outcome="BadArgument")),
                sources={"M1": Origin(message=(ChannelId(0), MessageId(7)))},
            ),
            {
                "tools": [{"tool": "memory_recall", "outcome": "done"}, {"tool": "unknown", "outcome": "BadArgument"}],
                "sources": [BARE | {"label": "M1", "message": [0, 7]}],
            },
        ),
        (
            Trail(
                asked=ASKED,
                walk=WALK,
                grounded=Grounded(outcome="checked", kinds=("name",), cited=("#1",)),
                sources={
                    "#1": Origin(memory_id=MemoryId(1), score=0.9558),
                    "S1": Origin(session_id=SessionId(5), score=1.0),
                    "A1": Origin(url="https://example.com/pulls/12"),
                    "M1": Origin(message=(ChannelId(10), MessageId(7)), elsewhere=ChannelId(11)),
                },
            ),
            {
                "asked": ASKED_STORED,
                "walk": WALK_STORED,
                "grounded": CHECKED,
                "sources": [
                    BARE | {"label": "#1", "memory_id": 1, "score": 0.9558},
                    BARE | {"label": "S1", "session": 5, "score": 1.0},
                    BARE | {"label": "A1", "url": "https://example.com/pulls/12"},
                    BARE | {"label": "M1", "message": [10, 7], "elsewhere": 11},
                ],
            },
        ),
        (
            Trail(asked=ASKED, walk=WALK, grounded=Grounded(outcome="none"), sources={}),
            {
                "asked": ASKED_STORED,
                "walk": WALK_STORED,
                "grounded": {"outcome": "none", "kinds": [], "cited": []},
                "sources": [],
            },
        ),
        (
            Trail(forgets=Forgettable(memories=(MemoryId(2), MemoryId(1)), messages=(MessageId(9),))),
            {"forgets": {"memories": [2, 1], "messages": [9], "everything": False}},
        ),
        (
            Trail(forgets=Forgettable(everything=True)),
            {"forgets": {"memories": [], "messages": [], "everything": True}},
        ),
    ],
)
def test_each_kind_of_turn_is_written_so_and_read_again(trail: Trail, stored: dict[str, Any]) -> None:
    """By a set phrase, after a restart, by the model, from memory, from nothing, and asking what to forget."""
    assert (stored, trail) == (trail.as_json(), Trail.of(stored))


def test_figures_are_rounded_where_they_are_written() -> None:
    """Certainty to three places, scores to four, milliseconds to two."""
    trail = Trail(
        asked=Detected(recall=True, confidence=0.12345),
        walk=(Step(layer=Layer.PALACE, outcome="hit", chosen=(("#1", 0.123456),), milliseconds=1.2345),),
        sources={"#1": Origin(score=0.123456)},
    )
    stored = trail.as_json()
    step = stored["walk"][0]
    assert (0.123, [["#1", 0.1235]], 1.23, 0.1235) == (
        stored["asked"]["confidence"],
        step["chosen"],
        step["ms"],
        stored["sources"][0]["score"],
    )


@pytest.mark.parametrize(
    ("stored", "trail"),
    [
        # Before the walk, and before what stands around a question was read.
        ({"history": 12, "left_out": 3}, Trail(history=12, left_out=3)),
        # Before chat summaries were named, and places that are not stored here.
        (
            {"sources": [{"label": "M1", "memory_id": None, "message": [10, 7], "url": None, "score": 0.5}]},
            Trail(sources={"M1": Origin(message=(ChannelId(10), MessageId(7)), score=0.5)}),
        ),
        # By whoever knew more ways for a layer to end, more layers, more answers and more parts.
        (
            {
                "walk": [{"layer": "L1", "outcome": "asleep"}, {"layer": "L9", "outcome": "hit"}],
                "grounded": {"outcome": "dreamt"},
                "mood": "good",
            },
            Trail(
                walk=(Step(layer=Layer.PALACE, outcome="asleep", looked=None, milliseconds=None),),
                grounded=Grounded(outcome="dreamt"),
            ),
        ),
        # What no version wrote, as an import may hold it.
        ([], Trail()),
        (None, Trail()),
        ({"asked": [], "walk": {}, "forgets": 1, "history": -1, "recovered": "yes"}, Trail()),
        ({"sources": None, "tools": 5}, Trail(sources={}, tools=())),
        ({"sources": [{"label": "M1", "message": [10, None, 7], "score": 10**400}]}, Trail(sources={"M1": Origin()})),
    ],
)
def test_what_another_version_wrote_is_read_as_far_as_it_is_valid(stored: object, trail: Trail) -> None:
    """What is not there is not made up, and a word of a newer version stays."""
    assert trail == Trail.of(stored)


_WORDS = st.sampled_from(("L1", "#1", "hit")) | st.text(max_size=8)
_KEYS = st.sampled_from(
    ("recall", "cues", "layer", "outcome", "chosen", "ms", "cited", "label", "message", "url", "tool", "memories")
)
_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS | st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(Trail.__dataclass_fields__, _ANY)) | _ANY)
def test_any_trail_is_read_and_written_again(stored: object) -> None:
    """Nothing fails, and what was read once is read the same for ever."""
    again = Trail.of(stored).as_json()
    assert again == Trail.of(again).as_json()


@pytest.mark.parametrize(
    ("label", "memory_id"),
    [("#42", 42), ("#0042", 42), ("#", None), ("42", None), ("#4x", None), ("#" + "9" * 5000, None)],
)
def test_a_label_may_name_its_memory_by_itself(label: str, memory_id: int | None) -> None:
    """Where no source says otherwise; a number longer than any is none."""
    assert Origin(memory_id=None if memory_id is None else MemoryId(memory_id)) == Trail().origin(label)


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ({"model": 1.5, "queue": 0, "odd": "x", "never": float("nan"), "yes": True}, {"model": 1.5, "queue": 0.0}),
        ([], {}),
    ],
)
def test_durations_are_read_as_far_as_they_are_seconds(stored: object, read: dict[str, float]) -> None:
    """Whatever else an import holds is left out."""
    assert read == seconds(stored)
