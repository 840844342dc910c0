"""Tells how a reply came about, where `!why` is asked exactly: layers, tools, checks, the model, and the time."""

from collections.abc import Iterable, Mapping
from typing import Final

from bot import catalogue
from bot.domain import Layer
from bot.layers.walk import LayerOutcome
from bot.presentation import introduction, reasons
from bot.store.trail import Step, Trail
from bot.store.turn_trails import TurnReasons
from bot.text import amounts, normalize

IN_ORDER: Final = catalogue.later("Waited for one after the other")
BESIDE: Final = catalogue.later("At the same time, and in all")
TIME: Final = catalogue.later("Time")
_PARTS: Final = {
    "recalled": catalogue.later("what was found"),
    "earlier": catalogue.later("what was said earlier"),
    "around": catalogue.later("what was said around the question"),
}
"""The parts of a prompt, by their names in the trail."""
_LAYERS: Final = {
    Layer.IDENTITY: catalogue.later("identity"),
    Layer.PALACE: catalogue.later("palace"),
    Layer.SCRATCHPAD: catalogue.later("scratchpad"),
    Layer.ARTIFACTS: catalogue.later("artifacts"),
    Layer.PROCEDURES: catalogue.later("procedures"),
    Layer.GENERATION: catalogue.later("free generation"),
}
_OUTCOMES: Final[Mapping[str, str]] = {
    LayerOutcome.LOADED: catalogue.later("loaded"),
    LayerOutcome.HIT: catalogue.later("hit"),
    LayerOutcome.NEAR: catalogue.later("near"),
    LayerOutcome.EMPTY: catalogue.later("miss"),
    LayerOutcome.FAILED: catalogue.later("failed"),
    LayerOutcome.SKIPPED: catalogue.later("skipped"),
    LayerOutcome.SPOKEN: catalogue.later("spoken"),
}
_UNKNOWN: Final = catalogue.later("unknown")
_NOT_LOOKED: Final = frozenset({LayerOutcome.LOADED, LayerOutcome.SKIPPED, LayerOutcome.SPOKEN})
"""Ends at which nothing was looked for."""
_GROUNDED: Final = {
    "checked": catalogue.later("The answer was checked against what was found"),
    reasons.SHOWN: catalogue.later("The answer was checked against what stood before the model"),
    reasons.DRAFTED: catalogue.later("The text that was wanted was held against what was found"),
    "verbatim": catalogue.later("What was found was quoted word for word"),
    "offline": catalogue.later("Memory answered without a model"),
    "unreachable": catalogue.later("The model could not be reached; what was found was quoted word for word"),
    "general": catalogue.later(
        "What was found is not it; the answer is the model's own, and claims nothing about anybody here"
    ),
    "free": catalogue.later("Nothing was found; the answer is the model's own, and claims nothing about anybody here"),
    "none": catalogue.later("Nothing was found to hold the answer against"),
}


def of(told: TurnReasons) -> list[str]:
    """How the reply came about: what was asked of memory, layer by layer, of tools, and of the model."""
    trail = told.trail
    return [
        *([catalogue.gettext(reasons.RECOVERED)] if trail.recovered else []),
        *_run(trail),
        *_detected(trail),
        *(_layer(step) for step in trail.walk),
        # Behind the other sources of its layer it would be cut.
        *introduction.needed(step.why for step in trail.walk),
        *_generation(told),
        *_tools(trail),
        *_history(trail),
        *_grounded(trail),
        *_model(told),
        *_durations(told),
    ]


def _run(trail: Trail) -> list[str]:
    """`Workflow parlour, 2 of 4 steps: answer by Ferris (looked, 3 found); remark by Quince.`."""
    run = trail.run
    if run is None:
        return []
    looked, unlooked = (
        catalogue.gettext("{step} by {persona} (looked, {count} found)"),
        catalogue.gettext("{step} by {persona}"),
    )
    steps = [
        (unlooked if step.found is None else looked).format(
            step=_word(step.name), persona=_word(step.persona), count=step.found
        )
        for step in run.steps
    ]
    told = catalogue.gettext("Workflow {workflow}, {begun} of {count} steps: {steps}.")
    return [told.format(workflow=_word(run.workflow), begun=len(steps), count=run.count, steps="; ".join(steps))]


def _detected(trail: Trail) -> list[str]:
    """Whether it was taken for a question about the past, and what of that is not known."""
    asked = trail.asked
    if asked is None:
        kept = trail.walk or trail.recovered or trail.run is not None
        return [] if kept else [catalogue.gettext("Nothing was kept of a walk through the layers.")]
    more = ""
    if asked.confidence is not None:
        more += catalogue.gettext(", certainty {certainty}").format(certainty=f"{asked.confidence:.2f}")
    if asked.cues:
        more += catalogue.gettext(", by {cues}").format(cues=_listed(asked.cues))
    if asked.layers:
        more += catalogue.gettext("; suggested {layers}").format(layers=_listed(asked.layers))
    told = (
        catalogue.gettext("Taken for a question about the past{more}.")
        if asked.recall
        else catalogue.gettext("Not taken for a question about the past{more}.")
    )
    no_walk = catalogue.gettext("No layer was walked.")
    return [told.format(more=more) if trail.walk else f"{told.format(more=more)} {no_walk}"]


def _layer(step: Step) -> str:
    """`L1 palace: hit, 12 looked at, 2 found, 3.1 ms; …`."""
    facts = [catalogue.gettext(_OUTCOMES.get(step.outcome, _word(step.outcome) or _UNKNOWN))]
    looks = step.outcome not in _NOT_LOOKED
    if looks and step.looked is not None:
        facts.append(catalogue.gettext("{count} looked at").format(count=step.looked))
    if step.chosen:
        facts.append(catalogue.gettext("{count} found").format(count=len(step.chosen)))
    if looks and step.milliseconds is not None:
        facts.append(f"{step.milliseconds:.1f} ms")
    why = f"; {_word(step.why, 120)}" if step.why else ""
    return f"{_named(step.layer)}: {', '.join(facts)}{why}"


def _named(layer: Layer) -> str:
    return f"{layer.value} {catalogue.gettext(_LAYERS[layer])}"


def _generation(told: TurnReasons) -> list[str]:
    """The last layer, where the walk itself does not tell of it and it is known what came before it."""
    trail = told.trail
    if any(step.layer is Layer.GENERATION for step in trail.walk) or not (trail.walk or trail.asked):
        return []
    reached = told.model is not None and not trail.found
    outcome = catalogue.gettext("reached") if reached else catalogue.gettext("skipped")
    return [f"{_named(Layer.GENERATION)}: {outcome}"]


def _tools(trail: Trail) -> list[str]:
    unknown = catalogue.gettext(_UNKNOWN)
    used = [f"{_word(use.tool)} ({_word(use.outcome) or unknown})" for use in trail.tools or () if use.tool]
    return [catalogue.gettext("Tools used: {tools}.").format(tools=", ".join(used))] if used else []


def _history(trail: Trail) -> list[str]:
    if trail.history is None:
        return []
    told = (
        catalogue.gettext("Read with it: {messages} of this session, {count} of them did not fit.")
        if trail.left_out
        else catalogue.gettext("Read with it: {messages} of this session.")
    ).format(messages=amounts.messages(trail.history), count=trail.left_out)
    part = catalogue.gettext("{count} of {what}")
    unfit = [
        part.format(count=trail.unfit[name], what=catalogue.gettext(what))
        for name, what in _PARTS.items()
        if name in trail.unfit
    ]
    besides = catalogue.gettext("There was no room for {parts}.").format(parts=catalogue.both(unfit))
    return [f"{told} {besides}" if unfit else told]


def _grounded(trail: Trail) -> list[str]:
    grounded = trail.grounded
    if grounded is None:
        return []
    other = catalogue.gettext("Held against what was found: {outcome}").format(outcome=_word(grounded.outcome))
    said = catalogue.gettext(_GROUNDED[grounded.outcome]) if grounded.outcome in _GROUNDED else other
    kinds = catalogue.gettext("; it did not hold for: {kinds}").format(kinds=_listed(grounded.kinds))
    cited = catalogue.gettext("; cited: {labels}").format(labels=_listed(grounded.cited))
    return [f"{said}{kinds if grounded.kinds else ''}{cited if grounded.cited else ''}."]


def _model(told: TurnReasons) -> list[str]:
    if told.model is None:
        return [] if told.trail.recovered else [catalogue.gettext("No model took part.")]
    text = (
        catalogue.gettext("Model: {model}, {tokens} in ({cached} of them its server still had), {out} out.")
        if told.trail.cached
        else catalogue.gettext("Model: {model}, {tokens} in, {out} out.")
    )
    tokens = amounts.tokens(told.tokens_in)
    return [text.format(model=_word(told.model, 80), tokens=tokens, cached=told.trail.cached, out=told.tokens_out)]


def _durations(told: TurnReasons) -> list[str]:
    """The steps that were waited for one after the other, in their order; then what was timed beside them."""
    waited = [name for name in told.trail.waited if name in told.durations]
    beside = [name for name in told.durations if name not in waited]
    lines = [(IN_ORDER, waited), (BESIDE if waited else TIME, beside)]
    return [
        f"{catalogue.gettext(title)}: {', '.join(f'{_word(name)} {told.durations[name]:.3f} s' for name in names)}."
        for title, names in lines
        if names
    ]


def _listed(words: Iterable[str]) -> str:
    return ", ".join(_word(word) for word in words)


def _word(text: str, limit: int = 60) -> str:
    return normalize.one_line(normalize.shown(text), limit)
