"""`!recall … why`: explains each result by the parts of its score."""

from collections.abc import Sequence
from typing import Final

from bot.domain import Memory, Parts, Recollection, Result, Strategy
from bot.presentation import render
from bot.recall import strategies
from bot.text import normalize

LIMIT: Final = 1900
"""UTF-16 units of an explanation where one message has to hold it: a prefix may make names of commands longer."""
_EXCERPT: Final = 100
_LINE: Final = 200
_RULES: Final = {
    Strategy.RANKED: "",
    Strategy.LITERAL: "Literal: a memory scores one for each word of the query that stands in it.",
    Strategy.KEYWORDS: (
        f"Keywords: for each phrase {strategies.TOPIC} in the topic, {strategies.CONTENT} in the text, "
        f"{strategies.ENTITIES} among names, {strategies.KEY_PHRASES} among key phrases, {strategies.SAID} elsewhere."
    ),
}


def explained(
    found: Recollection, strategy: Strategy, *, page: int, size: int, zone: str, limit: int | None = LIMIT
) -> str:
    """The results of one page with what gave them their places, what was read from the query, and what came next.

    Within the limit: results that do not fit are counted instead.
    """
    shown = found.results[(page - 1) * size : page * size]
    head = [_counted(found, shown, first=(page - 1) * size + 1), *_read(found)]
    if _RULES[strategy]:
        head.append(_RULES[strategy])
    tail = _candidates(found)
    entries = [_entry(result, place, zone) for place, result in enumerate(shown, (page - 1) * size + 1)]
    fitting = list(entries)
    while True:
        left_out = len(entries) - len(fitting)
        more = [f"… and {left_out} more that do not fit here."] if left_out else []
        text = "\n\n".join(["\n".join(head), *fitting, *more, *tail])
        if limit is None or _size(text) <= limit:
            return text
        if not fitting:
            return _cut(text, limit)
        fitting.pop()


def _counted(found: Recollection, shown: Sequence[Result], *, first: int) -> str:
    """How many were looked at and what became of them."""
    if found.results:
        total, last = len(found.results), first + len(shown) - 1
        places = f"result {first} of {total}" if first == last else f"results {first} to {last} of {total}"
        if len(shown) == total:
            places = "this result" if total == 1 else f"these {total} results"
        return f"Why {places}: {found.considered} looked at, {found.considered - total} discarded."
    if found.candidates:
        return (
            f"Why nothing: {found.considered} looked at, all of them discarded. The best hardly stands out from the "
            f"rest: certainty {found.certainty:.2f}, and an answer takes {found.threshold:.2f}."
        )
    if not found.asked.words:
        return "Why nothing: there was nothing to look for."
    return "Why nothing: nothing here has anything of the query in it."


def _read(found: Recollection) -> list[str]:
    """What was understood of the query."""
    asked = found.asked
    domains = [domain.removeprefix("domain:") for domain in asked.domains]
    read = [("words", asked.words), ("people", asked.people), ("dates", asked.dates), ("domains", domains)]
    told = [_line(f"Read from the query, {name}: {', '.join(values)}.") for name, values in read if values]
    if found.compared_meaning:
        told.append("Meaning was compared as well as words.")
    return [*told, *([_line(f"Note: {' '.join(asked.notes)}")] if asked.notes else [])]


def _entry(result: Result, place: int, zone: str) -> str:
    """One result: what it is, how it begins, and its parts."""
    item = result.item
    named = f"memory {result.name}" if isinstance(item, Memory) else "message"
    who = normalize.one_line(normalize.shown(item.speaker or "nobody named"), 40)
    excerpt = normalize.one_line(normalize.shown(item.content), _EXCERPT)
    # What people said stands behind four spaces, as in every listing.
    return "\n".join(
        [
            f"{place}. {named}, {who}, {render.time(item.said_at, zone)}",
            f"    {excerpt}",
            f"Score {result.parts.score:.2f}: {_parts(result.parts)}.",
        ]
    )


def _parts(parts: Parts) -> str:
    """Those that count, to two digits."""
    given = [(name, f"{value:.2f}") for name, value in parts._asdict().items()]
    counting = [f"{name} {value}" for name, value in given if float(value)]
    return ", ".join(counting) or "nothing but when it was said"


def _candidates(found: Recollection) -> list[str]:
    """The ten best, whether they are results or not."""
    if not found.candidates:
        return []
    scores = [f"{result.name} {result.parts.score:.2f}" for result in found.candidates]
    return [f"Best candidates, number and score: {'; '.join(scores)}."]


def _line(text: str) -> str:
    return normalize.one_line(normalize.shown(text), _LINE)


def _size(text: str) -> int:
    """UTF-16 units, as Discord counts."""
    return len(text.encode("utf-16-le", "replace")) // 2


def _cut(text: str, limit: int) -> str:
    return text.encode("utf-16-le", "replace")[: 2 * (limit - 1)].decode("utf-16-le", "ignore") + "…"
