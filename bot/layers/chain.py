"""Walks the layers in order, each within its time and tokens, until one answers; keeps the trail."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from bot import catalogue, errors, log
from bot.domain import Layer
from bot.layers.walk import Evidence, Finding, LayerOutcome, LayerSource, Walk, WalkQuestion
from bot.llm.tokens import estimate, shortened
from bot.store.trail import Step

_log = log.logger(__name__)

PATIENCE: Final[Mapping[Layer, timedelta]] = {
    Layer.PALACE: timedelta(seconds=5),
    Layer.SCRATCHPAD: timedelta(seconds=3),
    Layer.ARTIFACTS: timedelta(seconds=10),
    Layer.PROCEDURES: timedelta(seconds=3),
}
"""How long a layer may look; what takes longer has failed."""
TOKENS: Final[Mapping[Layer, int]] = {
    Layer.PALACE: 1200,
    Layer.SCRATCHPAD: 800,
    Layer.ARTIFACTS: 2000,
    Layer.PROCEDURES: 1200,
}
"""What a layer may show of what it found, by the offline estimate."""
LEAST_SHOWN: Final = 60
"""Tokens for which it is still worth quoting a part."""
_BEGINS: Final[Mapping[Layer, str]] = {
    Layer.SCRATCHPAD: catalogue.later("asks about the present session"),
    Layer.ARTIFACTS: catalogue.later("asks about a file"),
    Layer.PROCEDURES: catalogue.later("asks for a documented way"),
}
"""Where a walk may begin beside the palace, and why."""
_NUMBERED: Final = re.compile(r"[A-Z]")

SLOW: Final = timedelta(seconds=1)
"""After which the person is told that the artifacts are looked at."""

Slow = Callable[[], Awaitable[None]]
"""Called, once, when the artifacts take longer than a second."""


async def _nothing() -> None:
    return


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSource:
    """A source, with the name a person is told when it can't be reached."""

    name: str
    source: LayerSource
    is_last: bool = False
    """Whether it is asked only after the palace and the session, wherever a walk begins."""
    is_outside: bool = False
    """Whether it lies outside: it is asked once a question, and not again for what only comes near."""


class Chain:
    """Walks from the palace (L1) to the procedures (L4); free generation (L5) is not its concern."""

    def __init__(self, sources: Mapping[Layer, Sequence[NamedSource]]) -> None:
        self._sources = sources

    async def walk(self, asking: WalkQuestion, slow: Slow = _nothing) -> Walk:
        """Walks to the first layer that surely answers, else returns the first that has anything; records each step.

        A question about the present session begins at the scratchpad, one about a file at the artifacts, one on the way
        to treat an issue at the procedures; what was left out is made up for where nothing is there. A layer of which a
        source failed has failed, unless another source of it answered; the walk goes on. Raises `DatabaseDown`, and
        what `slow` raises.
        """
        if not asking.caller.access.reads:
            closed = catalogue.gettext("memory is not read here")
            steps = (Step(layer=layer, outcome=LayerOutcome.SKIPPED, why=closed) for layer in self._sources)
            return Walk(steps=tuple(steps))
        begins = asking.layers[0] if asking.layers and asking.layers[0] in _BEGINS else Layer.PALACE
        steps = [Step(layer=Layer.IDENTITY, outcome=LayerOutcome.LOADED, why=catalogue.gettext("always there"))]
        steps += [
            Step(layer=layer, outcome=LayerOutcome.SKIPPED, why=catalogue.gettext(_BEGINS[begins]))
            for layer in self._sources
            if layer < begins
        ]
        answered = catalogue.gettext("an earlier layer answered")
        failed: list[str] = []
        answer: tuple[Evidence, ...] = ()
        nearest: tuple[Evidence, ...] = ()
        for layer, sources in self._legs(begins):
            if answer:
                if layer not in {step.layer for step in steps}:
                    steps.append(Step(layer=layer, outcome=LayerOutcome.SKIPPED, why=answered))
                continue
            look = asyncio.create_task(self._look(layer, asking, sources))
            try:
                # Only where it is true that memory has nothing: both before it were looked at, and are empty.
                empty = {step.layer for step in steps if step.outcome is LayerOutcome.EMPTY}
                if layer is Layer.ARTIFACTS and {Layer.PALACE, Layer.SCRATCHPAD} <= empty:
                    await asyncio.wait({look}, timeout=SLOW.total_seconds())
                    if not look.done():
                        await slow()
                step, found, missing = await look
            finally:
                look.cancel()
            steps.append(step)
            if step.outcome is LayerOutcome.HIT:
                answer = found
            nearest = nearest or found
            failed += missing
        if answer:
            steps.append(Step(layer=Layer.GENERATION, outcome=LayerOutcome.SKIPPED, why=answered))
        return Walk(steps=tuple(steps), evidence=answer or nearest, failed=tuple(dict.fromkeys(failed)))

    def _legs(self, begins: Layer) -> list[tuple[Layer, Sequence[NamedSource]]]:
        """The layers in the order of this walk, with their sources; those skipped at the start come last."""
        legs = [(layer, self._sources[layer]) for layer in self._sources if layer >= begins]
        left_out = [(layer, self._sources[layer]) for layer in self._sources if layer < begins]
        if begins is not Layer.ARTIFACTS:
            return legs + left_out
        last = [(layer, [one for one in sources if one.is_last]) for layer, sources in legs]
        legs = [(layer, [one for one in sources if not one.is_last]) for layer, sources in legs]
        return legs + left_out + [(layer, sources) for layer, sources in last if sources]

    async def _look(
        self, layer: Layer, asking: WalkQuestion, sources: Sequence[NamedSource]
    ) -> tuple[Step, tuple[Evidence, ...], list[str]]:
        """Asks the sources of a layer concurrently; their findings in order, and which failed."""
        started = time.perf_counter()
        asked = [named for named in sources if not (asking.loosely and named.is_outside)]
        found = await asyncio.gather(*(_found(named, asking, PATIENCE[layer]) for named in asked))
        # What surely answers comes before what only comes nearest, whichever source has it.
        there = numbered(sorted(_apart(found), key=lambda one: not one.is_sure))
        evidence = shown([one for one in there if not asking.told.has(one)], TOKENS[layer])
        failed = [finding.failed for finding in found if finding.failed]
        outcome = LayerOutcome.FAILED if failed else LayerOutcome.EMPTY
        if evidence:
            outcome = LayerOutcome.HIT if any(one.is_sure for one in evidence) else LayerOutcome.NEAR
        step = Step(
            layer=layer,
            outcome=outcome,
            looked=sum(finding.looked for finding in found),
            chosen=tuple((one.label, one.score) for one in evidence),
            why="; ".join(finding.why for finding in found if finding.why),
            milliseconds=1000 * (time.perf_counter() - started),
        )
        return step, evidence, failed


async def _found(named: NamedSource, asking: WalkQuestion, patience: timedelta) -> Finding:
    """A source's finding; a failure or a timeout is a finding too."""
    try:
        async with asyncio.timeout(patience.total_seconds()):
            return await named.source.look(asking)
    except errors.DatabaseDown:
        # No source of one layer: without it nothing could be kept either. The walk waits for it and begins anew.
        raise
    except TimeoutError:
        error, why = "TimeoutError", catalogue.gettext("took too long")
    except Exception as exc:  # noqa: BLE001 - a fault of one source costs no other; the log has the cause
        error = type(exc).__name__
        why = catalogue.gettext("failed: {error}").format(error=error)
        if not isinstance(exc, errors.HathiError):
            _log.exception("chain.source_broken", source=named.name)
    _log.warning("chain.source_failed", source=named.name, error=error)
    return Finding(failed=catalogue.gettext(named.name), why=why)


def _apart(found: Sequence[Finding]) -> list[Evidence]:
    """All evidence, each message and memory once."""
    kept: dict[object, Evidence] = {}
    for finding in found:
        for one in finding.evidence:
            # A message and the files that came with it stand in one place.
            where = (one.memory_id, one.message, one.url, one.label if one.label.startswith("N") else "")
            kept.setdefault((*where, one.title, one.content if not any(where) else ""), one)
    return list(kept.values())


def numbered(found: Sequence[Evidence]) -> list[Evidence]:
    """The evidence with numbered labels, in this order; memories and notes have theirs already."""
    counts: dict[str, int] = {}
    numbered: list[Evidence] = []
    for one in found:
        letter = one.label[:1]
        if _NUMBERED.fullmatch(letter) and letter != "N":
            counts[letter] = counts.get(letter, 0) + 1
            numbered.append(replace(one, label=f"{letter}{counts[letter]}"))
        else:
            numbered.append(one)
    return numbered


def shown(found: Sequence[Evidence], tokens: int) -> tuple[Evidence, ...]:
    """As much of the evidence as fits, best first; the last piece may be cut at its end."""
    kept: list[Evidence] = []
    for one in found:
        content = shortened(one.content, tokens)
        if content != one.content and tokens < LEAST_SHOWN:
            break
        kept.append(replace(one, content=content))
        tokens -= estimate(content)
    return tuple(kept)
