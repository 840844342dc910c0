"""Tells in two sentences why Hathi said something: where it looked and what it found, and what it left out; pure."""

from collections.abc import Collection, Iterable
from typing import Final

from bot import catalogue
from bot.domain import Layer, MemoryId
from bot.layers.walk import LayerOutcome
from bot.store.trail import RunTrail, Step, Trail
from bot.store.turn_trails import TurnReasons

RECOVERED: Final = catalogue.later("I was restarted while I wrote this, so what led to it is not known any more.")
_PLACES: Final = {
    Layer.PALACE: catalogue.later("memory and what was said here"),
    Layer.SCRATCHPAD: catalogue.later("this conversation's notes"),
    Layer.ARTIFACTS: catalogue.later("files, links and old messages"),
    Layer.PROCEDURES: catalogue.later("the playbooks"),
}
"""Where a layer looks, as somebody says it who does not know of layers."""
_NOT_LOOKED: Final = frozenset({LayerOutcome.LOADED, LayerOutcome.SKIPPED, LayerOutcome.SPOKEN})
"""Ends at which nothing was looked for."""
_QUOTED: Final = frozenset({"verbatim", "offline", "unreachable"})
"""Ends of the check at which the answer is what was found, word for word."""
SHOWN: Final = "shown"
"""The end at which it rests on what stood in the model's prompt."""
DRAFTED: Final = "drafted"
"""The end at which it is a text that was asked for."""
_OF_ITS_OWN: Final = catalogue.later(
    "The answer is the model's own, and I checked that it claims nothing about anybody here."
)
_IN_ITS_WORDS: Final = catalogue.later("I quoted it word for word.")
_WROTE: Final = {
    "unreachable": catalogue.later("I quoted it word for word, the model could not be reached."),
    "verbatim": _IN_ITS_WORDS,
    "offline": _IN_ITS_WORDS,
    "general": _OF_ITS_OWN,
    "free": _OF_ITS_OWN,
    SHOWN: catalogue.later("A model put it into words, and I checked those against that."),
    DRAFTED: catalogue.later("A model wrote the text; what I found that says otherwise is told under it."),
    "none": catalogue.later("The model had no answer that holds, so nothing it said is told."),
}
"""Whose words it is in, by the end of its check."""


def rests_on(trail: Trail) -> list[str]:
    """The labels of what an answer says; of all that was found, where it cites nothing of it."""
    found = trail.found
    return [label for label in trail.cited if label in found] or [*found]


def briefly(told: TurnReasons, shown: int) -> str:
    """Two sentences a member of the community understands; `shown` sources follow them."""
    trail = told.trail
    if trail.recovered:
        return catalogue.gettext(RECOVERED)
    if trail.run is not None:
        return _ran(trail.run)
    return f"{_looked(trail, shown, told.shown)} {_wrote(told, shown)}".strip()


def _ran(run: RunTrail) -> str:
    """Who spoke, by which workflow, and how much of memory was found for them."""
    names = catalogue.both(dict.fromkeys(step.persona for step in run.steps if step.persona))
    told = catalogue.gettext("{names} answered one after the other, by the workflow {workflow}.")
    text = told.format(names=names, workflow=run.workflow)
    looks = [step.found for step in run.steps if step.found is not None]
    if not looks:
        unlooked = catalogue.gettext("None of them looked into memory.")
        return f"{text} {unlooked}"
    found = catalogue.ngettext(
        "I looked for them in memory and what was said here, and found {count} thing.",
        "I looked for them in memory and what was said here, and found {count} things.",
        max(looks),
    )
    return f"{text} {found.format(count=max(looks))}"


def _looked(trail: Trail, shown: int, active: Collection[MemoryId]) -> str:
    """Where it was looked, and what was found there."""
    looked = [step for step in trail.walk if step.layer in _PLACES and step.outcome not in _NOT_LOOKED]
    failed = _named(step for step in looked if step.outcome == LayerOutcome.FAILED)
    places = _named(looked)
    closed = catalogue.gettext("; {places} could not be reached").format(places=failed) if failed else ""
    if not looked:
        told = catalogue.gettext("I did not take it for a question about the past, so I looked nowhere{before}.")
        return told.format(before=_before(len(active)))
    found = len(trail.found)
    if trail.grounded is not None and trail.grounded.outcome == SHOWN:
        told = catalogue.ngettext(
            "I looked in {places} and found no answer there{closed}; it stood in {count} thing I had before me.",
            "I looked in {places} and found no answer there{closed}; it stood in {count} things I had before me.",
            len(trail.cited),
        )
        return told.format(places=places, closed=closed, count=len(trail.cited))
    if not found:
        told = catalogue.gettext("I looked in {places} and found nothing on it{closed}.")
        return told.format(places=places, closed=closed)
    left_out = found - shown if trail.cited and 0 < shown < found else 0
    rest = catalogue.gettext("; I left out {count} that said less").format(count=left_out) if left_out else ""
    told = catalogue.ngettext(
        "I looked in {places} and found {count} thing on it{rest}{closed}.",
        "I looked in {places} and found {count} things on it{rest}{closed}.",
        found,
    )
    return told.format(places=places, count=found, rest=rest, closed=closed)


def _before(active: int) -> str:
    """How many memories the model had before it; empty where none."""
    if not active:
        return ""
    told = catalogue.ngettext("; I had {count} memory before me", "; I had {count} memories before me", active)
    return told.format(count=active)


def _wrote(told: TurnReasons, shown: int) -> str:
    """Whose words the answer is in, and what they were held against."""
    grounded = told.trail.grounded
    outcome = "" if grounded is None else grounded.outcome
    if told.model is None and outcome not in _QUOTED:
        return catalogue.gettext("No model took part.")
    if outcome in _WROTE:
        return catalogue.gettext(_WROTE[outcome])
    if outcome and shown:
        return catalogue.gettext("A model put it into words, and I checked those against what was found.")
    return catalogue.gettext("A model wrote the answer.")


def _named(steps: Iterable[Step]) -> str:
    """The places of these steps, each once."""
    return catalogue.both(dict.fromkeys(catalogue.gettext(_PLACES[step.layer]) for step in steps))
