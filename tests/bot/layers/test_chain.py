"""The laws of the walk."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from bot import errors
from bot.domain import Layer
from bot.layers import chain
from bot.layers.chain import Chain, NamedSource
from bot.layers.walk import Evidence, Finding, LayerOutcome, Walk, WalkQuestion
from bot.llm.tokens import estimate
from bot.store.trail import Trail
from tests import people

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
ORDER = (Layer.PALACE, Layer.SCRATCHPAD, Layer.ARTIFACTS, Layer.PROCEDURES)


@dataclass
class Scripted:
    """A source that has what it is given, or fails, or hangs."""

    finding: Finding = field(default_factory=lambda: Finding(looked=1))
    error: Exception | None = None
    hangs: bool = False
    asked: int = 0
    seen: list[WalkQuestion] = field(default_factory=list[WalkQuestion])

    async def look(self, asking: WalkQuestion) -> Finding:
        self.asked += 1
        self.seen.append(asking)
        if self.hangs:
            await asyncio.Event().wait()
        if self.error is not None:
            raise self.error
        return self.finding


def has(label: str = "M", content: str = "it is so", **given: object) -> Finding:
    evidence = Evidence(label=label, layer=Layer.PALACE, content=content, **given)  # pyright: ignore[reportArgumentType]
    return Finding(evidence=(evidence,), looked=3, why="scripted")


def asking(*layers: Layer) -> WalkQuestion:
    caller = people.caller()
    return WalkQuestion(
        caller=caller, question=people.said(caller, "What did we decide?", NOW), session_id=None, layers=layers
    )


def chain_of(sources: Sequence[Scripted]) -> Chain:
    return Chain(
        {
            layer: [NamedSource(name=f"source {layer}", source=source)]
            for layer, source in zip(ORDER, sources, strict=True)
        }
    )


def outcomes(walk: Walk) -> list[tuple[str, str]]:
    return [(step.layer.value, str(step.outcome)) for step in walk.steps]


def four() -> list[Scripted]:
    return [Scripted() for _ in ORDER]


async def test_layers_are_asked_in_order_and_every_one_leaves_a_step() -> None:
    """Nothing found: palace, scratchpad, artifacts, procedures, each once, and the walk is exhausted."""
    sources = four()
    walk = await chain_of(sources).walk(asking())
    assert outcomes(walk) == [("L0", "loaded"), ("L1", "empty"), ("L2", "empty"), ("L3", "empty"), ("L4", "empty")]
    assert [source.asked for source in sources] == [1, 1, 1, 1]
    assert (walk.exhausted, walk.hit, walk.failed) == (True, None, ())


@pytest.mark.parametrize("at", range(4))
async def test_the_first_layer_that_answers_ends_the_walk(at: int) -> None:
    """Layers behind it are not asked, and say why."""
    sources = four()
    for later in sources[at:]:
        later.finding = has()
    walk = await chain_of(sources).walk(asking())
    expected = ["empty"] * at + ["hit"] + ["skipped"] * (4 - at)
    assert [outcome for _, outcome in outcomes(walk)[1:]] == expected
    assert [source.asked for source in sources] == [1] * (at + 1) + [0] * (3 - at)
    assert {step.why for step in walk.steps if step.outcome is LayerOutcome.SKIPPED} == {"an earlier layer answered"}
    assert [one.label for one in walk.evidence] == ["M1"]


@pytest.mark.parametrize("at", range(4))
async def test_a_layer_that_fails_is_marked_failed_and_the_walk_goes_on(at: int) -> None:
    """It does not count as exhausted, and the source that could not be reached is named."""
    sources = four()
    sources[at].error = errors.ModelUnreachable()
    walk = await chain_of(sources).walk(asking())
    assert [source.asked for source in sources] == [1, 1, 1, 1]
    assert walk.steps[at + 1].outcome is LayerOutcome.FAILED
    assert (walk.exhausted, walk.failed) == (False, (f"source {ORDER[at]}",))


async def test_a_layer_that_fails_keeps_no_later_one_from_answering() -> None:
    """The answer is given, and the failure is still told."""
    sources = four()
    sources[0].error = errors.ModelUnreachable()
    sources[2].finding = has()
    walk = await chain_of(sources).walk(asking())
    assert (walk.failed, len(walk.evidence)) == (("source L1",), 1)


async def test_a_layer_that_takes_too_long_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each layer is bounded in time."""
    monkeypatch.setattr(chain, "PATIENCE", dict.fromkeys(ORDER, timedelta(0)))
    sources = four()
    sources[1].hangs = True
    walk = await chain_of(sources).walk(asking())
    assert walk.steps[2].outcome is LayerOutcome.FAILED
    assert walk.steps[2].why == "took too long"


async def test_the_database_is_waited_for_and_not_told_as_a_source() -> None:
    """Without it no answer could be kept: whoever walks begins anew when it is back."""
    sources = four()
    sources[0].error = errors.DatabaseDown()
    with pytest.raises(errors.DatabaseDown):
        await chain_of(sources).walk(asking())


async def test_a_fault_of_a_source_is_a_failed_layer() -> None:
    """The walk goes on, and the layer is not taken for empty."""
    sources = four()
    sources[0].error = ZeroDivisionError()
    walk = await chain_of(sources).walk(asking())
    assert (walk.steps[1].outcome, walk.exhausted) == (LayerOutcome.FAILED, False)


async def test_a_message_and_its_files_are_told_apart() -> None:
    """They stand in one place, and are three things."""
    place = (people.caller().channel_id, people.said(people.caller(), "x", NOW).message_id)
    found = tuple(
        Evidence(label=label, layer=Layer.ARTIFACTS, content="x", title=title, message=place)
        for label, title in (("M", ""), ("A", "a.md"), ("A", "b.md"))
    )
    walk = await Chain(
        {Layer.ARTIFACTS: [NamedSource(name="files", source=Scripted(finding=Finding(evidence=found)))]}
    ).walk(asking())
    assert [one.label for one in walk.evidence] == ["M1", "A1", "A2"]


async def test_nothing_is_announced_where_an_earlier_layer_was_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """That memory has nothing is only said where it is known."""
    told: list[str] = []

    async def slow() -> None:
        told.append("slow")

    monkeypatch.setattr(chain, "SLOW", timedelta(0))
    monkeypatch.setattr(chain, "PATIENCE", dict.fromkeys(ORDER, timedelta(milliseconds=50)))
    for spoil in (0, 1):
        sources = four()
        sources[2].hangs = True
        sources[spoil].error = errors.ModelUnreachable()
        await chain_of(sources).walk(asking(), slow)
    assert told == []


async def test_a_question_about_the_present_session_begins_at_the_scratchpad() -> None:
    """The palace is asked last, and only where nothing else has it."""
    sources = four()
    sources[0].finding = sources[1].finding = has()
    walk = await chain_of(sources).walk(asking(Layer.SCRATCHPAD))
    assert outcomes(walk)[:3] == [("L0", "loaded"), ("L1", "skipped"), ("L2", "hit")]
    sources[1].finding = Finding()
    walk = await chain_of(sources).walk(asking(Layer.SCRATCHPAD))
    assert outcomes(walk)[-2:] == [("L1", "hit"), ("L5", "skipped")]


async def test_what_is_asked_last_is_asked_after_palace_and_session_wherever_the_walk_begins() -> None:
    """A question about a file begins at the artifacts without it; nobody asks it where anything else answers."""
    palace, session, files, others, last = (Scripted() for _ in range(5))
    walks = Chain(
        {
            Layer.PALACE: [NamedSource(name="palace", source=palace)],
            Layer.SCRATCHPAD: [NamedSource(name="session", source=session)],
            Layer.ARTIFACTS: [
                NamedSource(name="files", source=files),
                NamedSource(name="last", source=last, is_last=True),
            ],
            Layer.PROCEDURES: [NamedSource(name="ways", source=others)],
        }
    )
    for source in (files, others, palace, session):
        source.finding = has()
        await walks.walk(asking(Layer.ARTIFACTS))
        source.finding = Finding()
    assert 0 == last.asked
    last.finding = has()
    walk = await walks.walk(asking(Layer.ARTIFACTS))
    assert [
        ("L0", "loaded"),
        ("L1", "skipped"),
        ("L2", "skipped"),
        ("L3", "empty"),
        ("L4", "empty"),
        ("L1", "empty"),
        ("L2", "empty"),
        ("L3", "hit"),
        ("L5", "skipped"),
    ] == outcomes(walk)
    assert (1, 5) == (last.asked, files.asked)
    await walks.walk(asking())
    assert (2, 6) == (last.asked, files.asked)


async def test_a_layer_shows_no_more_than_its_tokens() -> None:
    """What does not fit is cut at its end, or left out."""
    words = "the quick brown fox jumps over the lazy dog " * 200
    found = tuple(Evidence(label="M", layer=Layer.PALACE, content=f"{n} {words}") for n in range(5))
    sources = four()
    sources[0].finding = Finding(evidence=found)
    walk = await chain_of(sources).walk(asking())
    shown = sum(estimate(one.content) for one in walk.evidence)
    assert 0 < shown <= chain.TOKENS[Layer.PALACE]
    assert len(walk.evidence) < 5


async def test_sources_of_a_layer_are_asked_together_and_each_thing_is_told_once() -> None:
    """The order of the sources is the order of what they found; numbers go up by letter."""
    place = (people.caller().channel_id, people.said(people.caller(), "x", NOW).message_id)
    one, two = Scripted(finding=has(message=place)), Scripted(finding=has(message=place))
    three = Scripted(finding=has(label="A", content="file"), error=None)
    walk = await Chain(
        {Layer.ARTIFACTS: [NamedSource(name=str(n), source=source) for n, source in enumerate((one, two, three))]}
    ).walk(asking())
    assert [one.label for one in walk.evidence] == ["M1", "A1"]


async def test_one_failed_source_beside_one_that_answers_is_told_with_a_hit() -> None:
    """The layer has answered; what could not be reached is named all the same."""
    walk = await Chain(
        {
            Layer.ARTIFACTS: [
                NamedSource(name="messages", source=Scripted(finding=has())),
                NamedSource(name="the forge", source=Scripted(error=errors.ModelUnreachable())),
            ]
        }
    ).walk(asking())
    assert (walk.steps[1].outcome, walk.failed) == (LayerOutcome.HIT, ("the forge",))


async def test_slow_artifacts_are_told_once_and_quick_ones_never(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only while the third layer is looked at, and only after a second."""
    told: list[str] = []

    async def slow() -> None:
        told.append("slow")

    await chain_of(four()).walk(asking(), slow)
    assert told == []
    monkeypatch.setattr(chain, "SLOW", timedelta(0))
    monkeypatch.setattr(chain, "PATIENCE", dict.fromkeys(ORDER, timedelta(milliseconds=50)))
    sources = four()
    sources[2].hangs = True
    await chain_of(sources).walk(asking(), slow)
    assert told == ["slow"]


async def test_the_trail_holds_no_word_of_what_was_said() -> None:
    """Labels, scores and the program's own words; the log is told the same."""
    sources = four()
    sources[0].finding = has(content="a secret of Ann's", label="#7", title="secret title", author="Ann")
    walk = await chain_of(sources).walk(asking())
    trail = str(Trail(walk=walk.steps).as_json())
    assert "secret" not in trail
    assert "'chosen': [['#7', 0.0]]" in trail


async def test_what_only_comes_near_ends_no_walk() -> None:
    """A later layer may surely have it; where none has, the first that came near is told."""
    sources = four()
    sources[1].finding, sources[2].finding = has("M", "near", is_sure=False), has("M", "sure")
    walk = await chain_of(sources).walk(asking())
    assert (["sure"], ("L2", "near"), ("L3", "hit")) == ([one.content for one in walk.evidence], *outcomes(walk)[2:4])
    sources[2].finding = has("M", "nearer?", is_sure=False)
    walk = await chain_of(sources).walk(asking())
    assert (["near"], False) == ([one.content for one in walk.evidence], walk.is_sure)
    assert [1, 1, 1, 1] == [source.asked - 1 for source in sources[:3]] + [sources[3].asked]
