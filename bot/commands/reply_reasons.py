"""`!why`: explains a reply by the layers walked, what was found and shown, the model, and the time taken."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot import catalogue, errors
from bot.commands.invocation import Invocation
from bot.domain import Caller, ChannelId, Entry, Layer, Listing, Memory, MemoryId, Message, MessageId, Reply
from bot.layers.walk import LayerOutcome
from bot.presentation import introduction, reasons, render
from bot.recall.librarian import Librarian
from bot.store.trail import Origin, Step, Trail
from bot.store.turn_trails import TurnReasons, TurnTrails, WhatIsLeft
from bot.text import normalize
from bot.text.sanitize import counted

ROWS_A_PAGE: Final = 6
EXCERPT: Final = 300
"""Characters of what a row says; `!memories` has the whole."""
NO_REPLY_YET: Final = "I have not replied to anything in this channel yet, so there is nothing to explain."
NOT_KNOWN: Final = (
    "I know of no reply of mine there that I may explain here; take the link of one in this channel, or reply to it."
)

IN_ORDER: Final = "Waited for one after the other"
BESIDE: Final = "At the same time, and in all"
TIME: Final = "Time"

ELSEWHERE: Final = "a message that Discord's search found"

_REFERENCE: Final = re.compile(
    r"<?(?:https?://(?:\w+\.)?discord(?:app)?\.com/channels/(?:\d{1,20}|@me)/\d{1,20}/|\d{1,20}-)?(\d{1,19})/?>?"
)
_LARGEST: Final = 2**63
_PARTS: Final = {
    "recalled": "what was found",
    "earlier": "what was said earlier",
    "around": "what was said around the question",
}
"""The parts of a prompt, by their names in the trail."""
_LAYERS: Final = {
    Layer.IDENTITY: "identity",
    Layer.PALACE: "palace",
    Layer.SCRATCHPAD: "scratchpad",
    Layer.ARTIFACTS: "artifacts",
    Layer.PROCEDURES: "procedures",
    Layer.GENERATION: "free generation",
}
_OUTCOMES: Final[Mapping[str, str]] = {LayerOutcome.EMPTY: "miss"}
"""As people say it, where it is another word."""
_NOT_LOOKED: Final = frozenset({LayerOutcome.LOADED, LayerOutcome.SKIPPED, LayerOutcome.SPOKEN})
"""Ends at which nothing was looked for."""
_KINDS: Final = {
    "#": "a memory",
    "N": "a note",
    "M": "a message",
    "A": "an artifact",
    "P": "a playbook",
    "S": "a summary",
}
_GROUNDED: Final = {
    "checked": "The answer was checked against what was found",
    "verbatim": "What was found was quoted word for word",
    "offline": "Memory answered without a model",
    "unreachable": "The model could not be reached; what was found was quoted word for word",
    "general": "What was found is not it; the answer is the model's own, and claims nothing about anybody here",
    "free": "Nothing was found; the answer is the model's own, and claims nothing about anybody here",
    "none": "Nothing was found to hold the answer against",
}
VERBATIM: Final = frozenset({"verbatim", "offline", "unreachable"})
"""Of those, the outcomes that are quotations."""


def reference(text: str) -> MessageId | None:
    """The message id that a link or a number names; none for anything else."""
    found = _REFERENCE.fullmatch(text.strip())
    number = int(found[1]) if found else 0
    return MessageId(number) if 0 < number < _LARGEST else None


class ReplyReasons:
    """The use case behind `!why`."""

    def __init__(self, reasons: TurnTrails, librarian: Librarian, clock: Callable[[], datetime]) -> None:
        self._reasons = reasons
        self._librarian = librarian
        self._clock = clock

    async def why(self, given: Invocation) -> Reply:
        """Explains the last reply here, or the one named: in two sentences, or exactly. Raises as `_told` does."""
        caller, args, is_exact = given.caller, given.args, "exactly" in given.args.bare
        page, told = args.number("page", 1), await self._told(caller, args.text)
        rows, hidden = await self._rows(caller, told, rests_on=None if is_exact else reasons.rests_on(told.trail))
        pages = max(1, -(-len(rows) // ROWS_A_PAGE))
        if page > pages:
            return Reply(
                text=f"No more on page {page}; there {'is' if pages == 1 else 'are'} {counted(pages, 'page')}."
            )
        shown = rows[(page - 1) * ROWS_A_PAGE : page * ROWS_A_PAGE]
        head = [*(how(told) if is_exact else [reasons.briefly(told, len(rows))]), *_counted(hidden)]
        head = [*_asked(told), *head] if page == 1 else []
        title = f"Why I said that, {self._when(caller, told.answered_at, is_exact=is_exact)}"
        again = f"why {told.turn_id}{' exactly' * is_exact}"
        listing = Listing(
            title=title,
            lead="\n".join(head),
            entries=tuple(shown),
            page=page,
            pages=pages,
            again=again,
            explains=None if is_exact else told.turn_id,
        )
        more = render.more(page=page, pages=pages, again=again, prefix=caller.prefix)
        if not is_exact:
            more = "\n".join(filter(None, (more, f"{caller.prefix}{again} exactly tells how.")))
        return Reply(text=_text(caller, title, head, shown, more), listing=listing)

    async def quoted(self, caller: Caller, turn_id: MessageId) -> list[Memory | Message]:
        """What a reply quotes word for word, as far as it still exists and may be shown."""
        told = await self._reasons.of(caller, turn_id)
        trail = Trail() if told is None else told.trail
        if trail.grounded is None or trail.grounded.outcome not in VERBATIM:
            return []
        origins = [trail.origin(label) for label in trail.grounded.cited]
        standing = await self._reasons.standing(
            caller,
            [one.memory_id for one in origins if one.memory_id is not None],
            [one.message[1] for one in origins if one.message is not None],
        )
        found: list[Memory | Message | None] = []
        for one in origins:
            if one.memory_id is not None:
                found.append(standing.memories.get(one.memory_id))
            elif one.message is not None:
                found.append(standing.messages.get(one.message[1]))
        return [item for item in found if item is not None]

    def _when(self, caller: Caller, at: datetime, *, is_exact: bool) -> str:
        return render.time(at, caller.time_zone) if is_exact else render.age(at, self._clock())

    async def _told(self, caller: Caller, text: str) -> TurnReasons:
        if not text:
            last = await self._reasons.last(caller)
            if last is None:
                raise errors.NotFound(NO_REPLY_YET)
            return last
        message_id = reference(text)
        if message_id is None:
            raise errors.BadArgument(
                lambda p: f"{p}why takes the link or the number of a reply of mine, or nothing for the last one here."
            )
        found = await self._reasons.of(caller, message_id)
        if found is None:
            raise errors.NotFound(NOT_KNOWN)
        return found

    async def _rows(
        self, caller: Caller, told: TurnReasons, rests_on: Collection[str] | None
    ) -> tuple[list[Entry], int]:
        """One row for each source found or shown, and how many more may not be shown here.

        Where it is told what the reply `rests_on`, those alone; where nothing was found, what it shows.
        """
        trail, found = told.trail, told.trail.found
        labels = [*found] if rests_on is None else [label for label in found if label in rests_on]
        origins = {label: trail.origin(label) for label in labels}
        ids = {origin.memory_id for origin in origins.values() if origin.memory_id is not None}
        # What a model had before it unasked had no part in most answers.
        is_told = rests_on is None or (told.model is None and not labels)
        active = [memory_id for memory_id in told.shown if memory_id not in ids and is_told]
        said = [origin.message[1] for origin in origins.values() if origin.message is not None]
        standing = await self._reasons.standing(caller, [*ids, *active], said)
        drawer = _Drawer(
            standing,
            await self._librarian.channel_names(caller),
            await self._librarian.places(caller, {e for m in standing.memories.values() for e in m.evidence}),
            self._clock(),
            caller,
            is_exact=rests_on is None,
        )
        rows = [drawer.found(label, origin, found[label]) for label, origin in origins.items()]
        rows += [drawer.memory(memory_id, _shown_by(told)) for memory_id in active]
        entries = [row for row in rows if row is not None]
        return entries, len(rows) - len(entries)


class _Drawer:
    """Renders sources of a reply, as far as they may be shown."""

    def __init__(
        self,
        standing: WhatIsLeft,
        channels: Mapping[ChannelId, str],
        links: render.Links,
        now: datetime,
        caller: Caller,
        *,
        is_exact: bool,
    ) -> None:
        self._is_exact = is_exact
        self._standing = standing
        self._channels = channels
        self._links = links
        self._now = now
        self._caller = caller

    def found(self, label: str, origin: Origin, score: float | None) -> Entry | None:
        """What a label stands for, with its score."""
        how = "found" if score is None else f"found, score {score:.2f}"
        if origin.memory_id is not None:
            return self.memory(origin.memory_id, how)
        if origin.message is not None and origin.elsewhere is not None:
            if origin.elsewhere not in self._caller.visible:
                return None
            return Entry(head=f"{label} · {ELSEWHERE} · {how}", body="nothing of it is kept here", link=origin.message)
        if origin.message is not None:
            return self._message(label, origin.message[1], how)
        kind = _KINDS.get(label[:1], "something")
        return Entry(
            head=f"{normalize.one_line(normalize.shown(label), 20)} · {kind} · {how}", body=_address(origin.url or "")
        )

    def memory(self, memory_id: MemoryId, how: str) -> Entry | None:
        """A memory, what became of it, or none where it can't be seen."""
        memory: Memory | None = self._standing.memories.get(memory_id)
        if memory is not None:
            entry = render.memory_entry(memory, self._channels, self._links, self._now)
            return self._told(entry, how, f"{entry.head} · {how}")
        if memory_id not in self._standing.gone:
            return None
        by = self._standing.gone[memory_id]
        return Entry(head=f"#{memory_id} · {how}", body="forgotten since" if by is None else f"replaced since by #{by}")

    def _message(self, label: str, message_id: MessageId, how: str) -> Entry | None:
        message = self._standing.messages.get(message_id)
        if message is None:
            return None
        entry = render.message_entry(message, self._standing.places, self._caller.time_zone)
        name = normalize.one_line(normalize.shown(label), 20)
        return self._told(entry, f"{name} · {how}", f"{name} · {entry.head} · {how}")

    def _told(self, entry: Entry, how: str, head: str) -> Entry:
        """The entry on a line, with how it came into the reply where that is told exactly."""
        said = replace(entry, body=normalize.one_line(entry.body, EXCERPT))
        return replace(said, head=head, marks=(*entry.marks, how)) if self._is_exact else said


def how(told: TurnReasons) -> list[str]:
    """How the reply came about: what was asked of memory, layer by layer, of tools, and of the model."""
    trail = told.trail
    return [
        *([catalogue.gettext(reasons.RECOVERED)] if trail.recovered else []),
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


def _asked(told: TurnReasons) -> list[str]:
    """Which reply it is about, by what it answers."""
    line = normalize.one_line(normalize.shown(told.question or ""), EXCERPT)
    return [f"The question: \u201c{line}\u201d"] if line else []


def _detected(trail: Trail) -> list[str]:
    """Whether it was taken for a question about the past, and what of that is not known."""
    asked = trail.asked
    if asked is None:
        return [] if trail.walk or trail.recovered else ["Nothing was kept of a walk through the layers."]
    sure = "" if asked.confidence is None else f", certainty {asked.confidence:.2f}"
    cues = f", by {_listed(asked.cues)}" if asked.cues else ""
    begins = f"; suggested {_listed(asked.layers)}" if asked.layers else ""
    taken = "Taken" if asked.recall else "Not taken"
    walked = "" if trail.walk else " No layer was walked."
    return [f"{taken} for a question about the past{sure}{cues}{begins}.{walked}"]


def _layer(step: Step) -> str:
    """`L1 palace: hit, 12 looked at, 2 found, 3.1 ms; …`."""
    facts = [_OUTCOMES.get(step.outcome, _word(step.outcome) or "unknown")]
    looks = step.outcome not in _NOT_LOOKED
    if looks and step.looked is not None:
        facts.append(f"{step.looked} looked at")
    if step.chosen:
        facts.append(f"{len(step.chosen)} found")
    if looks and step.milliseconds is not None:
        facts.append(f"{step.milliseconds:.1f} ms")
    why = f"; {_word(step.why, 120)}" if step.why else ""
    return f"{step.layer.value} {_LAYERS[step.layer]}: {', '.join(facts)}{why}"


def _generation(told: TurnReasons) -> list[str]:
    """The last layer, where the walk itself does not tell of it and it is known what came before it."""
    trail = told.trail
    if any(step.layer is Layer.GENERATION for step in trail.walk) or not (trail.walk or trail.asked):
        return []
    reached = told.model is not None and not trail.found
    name = f"{Layer.GENERATION.value} {_LAYERS[Layer.GENERATION]}"
    return [f"{name}: {'reached' if reached else 'skipped'}"]


def _tools(trail: Trail) -> list[str]:
    used = [f"{_word(use.tool)} ({_word(use.outcome) or 'unknown'})" for use in trail.tools or () if use.tool]
    return [f"Tools used: {', '.join(used)}."] if used else []


def _history(trail: Trail) -> list[str]:
    if trail.history is None:
        return []
    left_out = f", {trail.left_out} of them did not fit" if trail.left_out else ""
    unfit = [f"{trail.unfit[part]} of {name}" for part, name in _PARTS.items() if part in trail.unfit]
    besides = f" There was no room for {' and '.join(unfit)}." if unfit else ""
    return [f"Read with it: {counted(trail.history, 'message')} of this session{left_out}.{besides}"]


def _grounded(trail: Trail) -> list[str]:
    grounded = trail.grounded
    if grounded is None:
        return []
    said = _GROUNDED.get(grounded.outcome, f"Held against what was found: {_word(grounded.outcome)}")
    kinds = f"; it did not hold for: {_listed(grounded.kinds)}" if grounded.kinds else ""
    cited = f"; cited: {_listed(grounded.cited)}" if grounded.cited else ""
    return [f"{said}{kinds}{cited}."]


def _model(told: TurnReasons) -> list[str]:
    if told.model is None:
        return [] if told.trail.recovered else ["No model took part."]
    cached = f" ({told.trail.cached} of them its server still had)" if told.trail.cached else ""
    return [f"Model: {_word(told.model, 80)}, {counted(told.tokens_in, 'token')} in{cached}, {told.tokens_out} out."]


def _durations(told: TurnReasons) -> list[str]:
    """The steps that were waited for one after the other, in their order; then what was timed beside them."""
    waited = [name for name in told.trail.waited if name in told.durations]
    beside = [name for name in told.durations if name not in waited]
    lines = [(IN_ORDER, waited), (BESIDE if waited else TIME, beside)]
    return [
        f"{title}: {', '.join(f'{_word(name)} {told.durations[name]:.3f} s' for name in names)}."
        for title, names in lines
        if names
    ]


def _shown_by(told: TurnReasons) -> str:
    """How a source came into the reply that no layer found."""
    if told.model is None:
        return "shown in the reply"
    return "shown, as Active Memory or by a tool" if told.trail.tools else "shown as Active Memory"


def _counted(hidden: int) -> list[str]:
    return [f"{hidden} more can't be shown here (any more)."] if hidden else []


def _text(caller: Caller, title: str, head: Iterable[str], rows: Iterable[Entry], more: str) -> str:
    """All of it in words; under each memory stands what can be done with it."""
    lines = [title, *head]
    for row in rows:
        lines += ["", row.head]
        if row.body:
            lines.append(render.led(caller, f"    {row.body}", row))
        if row.memory_id is not None:
            lines.append(render.changes(row.memory_id, caller.prefix))
    return "\n".join([*lines, *(["", more] if more else [])])


def _address(url: str) -> str:
    return normalize.one_line(normalize.shown(url), EXCERPT)


def _listed(words: Iterable[str]) -> str:
    return ", ".join(_word(word) for word in words)


def _word(text: str, limit: int = 60) -> str:
    return normalize.one_line(normalize.shown(text), limit)
