"""`!recall … why`: explains each result by the parts of its score."""

from collections.abc import Sequence
from typing import Final

from bot import catalogue
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
    Strategy.LITERAL: catalogue.later("Literal: a memory scores one for each word of the query that stands in it."),
    Strategy.KEYWORDS: catalogue.later(
        "Keywords: for each phrase {topic} in the topic, {content} in the text, {entities} among names, {key_phrases} "
        "among key phrases, {said} elsewhere."
    ),
}
_WORTH: Final = {
    "topic": strategies.TOPIC,
    "content": strategies.CONTENT,
    "entities": strategies.ENTITIES,
    "key_phrases": strategies.KEY_PHRASES,
    "said": strategies.SAID,
}
"""What a keyword counts, by where it stands."""
_PARTS: Final = {
    "text": catalogue.later("text"),
    "neighbours": catalogue.later("neighbours"),
    "session": catalogue.later("session"),
    "semantic": catalogue.later("semantic"),
    "tags": catalogue.later("tags"),
    "recency": catalogue.later("recency"),
    "importance": catalogue.later("importance"),
    "author": catalogue.later("author"),
    "dates": catalogue.later("dates"),
    "form": catalogue.later("form"),
}
"""The parts of a score, by their names in `Parts`."""


def explained(
    found: Recollection, strategy: Strategy, *, page: int, size: int, zone: str, limit: int | None = LIMIT
) -> str:
    """The results of one page with what gave them their places, what was read from the query, and what came next.

    Within the limit: results that do not fit are counted instead.
    """
    shown = found.results[(page - 1) * size : page * size]
    head = [_counted(found, shown, first=(page - 1) * size + 1), *_read(found)]
    if _RULES[strategy]:
        head.append(catalogue.gettext(_RULES[strategy]).format(**_WORTH))
    tail = _candidates(found)
    entries = [_entry(result, place, zone) for place, result in enumerate(shown, (page - 1) * size + 1)]
    fitting = list(entries)
    while True:
        left_out = len(entries) - len(fitting)
        more = catalogue.gettext("… and {count} more that do not fit here.").format(count=left_out)
        text = "\n\n".join(["\n".join(head), *fitting, *([more] if left_out else []), *tail])
        if limit is None or _size(text) <= limit:
            return text
        if not fitting:
            return _cut(text, limit)
        fitting.pop()


def _counted(found: Recollection, shown: Sequence[Result], *, first: int) -> str:
    """How many were looked at and what became of them."""
    if found.results:
        total, last = len(found.results), first + len(shown) - 1
        if len(shown) == total == 1:
            told = catalogue.gettext("Why this result: {looked} looked at, {discarded} discarded.")
        elif len(shown) == total:
            told = catalogue.gettext("Why these {total} results: {looked} looked at, {discarded} discarded.")
        elif first == last:
            told = catalogue.gettext("Why result {first} of {total}: {looked} looked at, {discarded} discarded.")
        else:
            told = catalogue.gettext(
                "Why results {first} to {last} of {total}: {looked} looked at, {discarded} discarded."
            )
        discarded = found.considered - total
        return told.format(first=first, last=last, total=total, looked=found.considered, discarded=discarded)
    if found.candidates:
        told = catalogue.gettext(
            "Why nothing: {looked} looked at, all of them discarded. The best hardly stands out from the rest: "
            "certainty {certainty}, and an answer takes {threshold}."
        )
        certainty, threshold = f"{found.certainty:.2f}", f"{found.threshold:.2f}"
        return told.format(looked=found.considered, certainty=certainty, threshold=threshold)
    if not found.asked.words:
        return catalogue.gettext("Why nothing: there was nothing to look for.")
    return catalogue.gettext("Why nothing: nothing here has anything of the query in it.")


def _read(found: Recollection) -> list[str]:
    """What was understood of the query."""
    asked = found.asked
    domains = [domain.removeprefix("domain:") for domain in asked.domains]
    read = [
        (catalogue.later("Read from the query, words: {values}."), asked.words),
        (catalogue.later("Read from the query, people: {values}."), asked.people),
        (catalogue.later("Read from the query, dates: {values}."), asked.dates),
        (catalogue.later("Read from the query, domains: {values}."), domains),
    ]
    told = [_line(catalogue.gettext(text).format(values=", ".join(values))) for text, values in read if values]
    if found.compared_meaning:
        told.append(catalogue.gettext("Meaning was compared as well as words."))
    notes = catalogue.gettext("Note: {note}").format(note=" ".join(asked.notes))
    return [*told, *([_line(notes)] if asked.notes else [])]


def _entry(result: Result, place: int, zone: str) -> str:
    """One result: what it is, how it begins, and its parts."""
    item = result.item
    is_memory = isinstance(item, Memory)
    named = catalogue.gettext("memory {name}").format(name=result.name) if is_memory else catalogue.gettext("message")
    who = normalize.one_line(normalize.shown(item.speaker or catalogue.gettext("nobody named")), 40)
    excerpt = normalize.one_line(normalize.shown(item.content), _EXCERPT)
    told = catalogue.gettext("Score {score}: {parts}.")
    # What people said stands behind four spaces, as in every listing.
    return "\n".join(
        [
            f"{place}. {named}, {who}, {render.time(item.said_at, zone)}",
            f"    {excerpt}",
            told.format(score=f"{result.parts.score:.2f}", parts=_parts(result.parts)),
        ]
    )


def _parts(parts: Parts) -> str:
    """Those that count, to two digits."""
    given = [(name, f"{value:.2f}") for name, value in parts._asdict().items()]
    counting = [f"{catalogue.gettext(_PARTS[name])} {value}" for name, value in given if float(value)]
    return ", ".join(counting) or catalogue.gettext("nothing but when it was said")


def _candidates(found: Recollection) -> list[str]:
    """The ten best, whether they are results or not."""
    if not found.candidates:
        return []
    scores = [f"{result.name} {result.parts.score:.2f}" for result in found.candidates]
    return [catalogue.gettext("Best candidates, number and score: {scores}.").format(scores="; ".join(scores))]


def _line(text: str) -> str:
    return normalize.one_line(normalize.shown(text), _LINE)


def _size(text: str) -> int:
    """UTF-16 units, as Discord counts."""
    return len(text.encode("utf-16-le", "replace")) // 2


def _cut(text: str, limit: int) -> str:
    return text.encode("utf-16-le", "replace")[: 2 * (limit - 1)].decode("utf-16-le", "ignore") + "…"
