"""Parses citations in an answer (`(#42)`, `[M1]`, `(#1, #2)`), and rewrites them for readers."""

import re
from collections.abc import Callable, Collection
from typing import Final

from bot.text import patterns

_LABEL: Final = r"(?:#\d{1,18}|[MNAPS]\d{1,6})"
_LEADS: Final = patterns.any_of(
    (
        "see",
        "source",
        "sources",
        "from",
        "memory",
        "memories",
        "siehe",
        "quelle",
        "quellen",
        "voir",
        "ver",
        "fuente",
        "cf",
        "cf.",
    )
)
_LEAD: Final = rf"(?:{_LEADS}:? )?"
_JOIN: Final = r"(?:, ?|; ?|/| ?& ?| and | und | et | y |, and | )"
_STYLE: Final = r"[*_`~| ]{0,4}+"
"""What may stand inside the brackets without being read."""
GROUP: Final = re.compile(
    rf"[(\[\u3010\uff08]{{1,2}}{_STYLE}{_LEAD}(?P<labels>{_LABEL}(?:{_JOIN}{_LABEL}){{0,19}})"
    rf"{_STYLE}[)\]\u3011\uff09]{{1,2}}",
    re.IGNORECASE,
)
"""One pair of brackets and the labels in it, nothing else."""
_ONE: Final = re.compile(_LABEL, re.IGNORECASE)


def cited_labels(text: str) -> tuple[str, ...]:
    """The labels cited in brackets, each once, in order of first mention."""
    return tuple(dict.fromkeys(label for group in GROUP.finditer(text) for label in labels_of(group)))


def labels_of(group: re.Match[str]) -> tuple[str, ...]:
    """The labels of one pair of brackets."""
    return tuple(found[0].upper() for found in _ONE.finditer(group["labels"]))


def labels(text: str) -> frozenset[str]:
    """The labels that stand anywhere in a text, in brackets or not."""
    return frozenset(found[0].upper() for found in _ONE.finditer(text))


def without(text: str) -> str:
    """The text without any citation, its spacing mended."""
    return _replaced(text, lambda _labels: "")


def of_shown(text: str, shown: Collection[str]) -> str:
    """The text without any citation of what is not `shown`."""

    def kept(labels: tuple[str, ...]) -> str | None:
        known = [label for label in labels if label in shown]
        return None if len(known) == len(labels) else f"({', '.join(known)})" if known else ""

    return _replaced(text, kept)


def tidied(text: str, shown: Collection[str]) -> str:
    """The answer as people read it.

    Citations of memories stay, as `(#42)`: a memory can be asked for by its number. Those of notes, messages,
    artifacts and playbooks go, as the line under a reply names these. Brackets that hold no label of `shown` stay as
    they are: they are the text's own.
    """

    def kept(labels: tuple[str, ...]) -> str | None:
        known = [label for label in labels if label in shown]
        memories = [label for label in known if label.startswith("#")]
        return None if not known else f"({', '.join(memories)})" if memories else ""

    return _replaced(text, kept)


def _replaced(text: str, new_of: Callable[[tuple[str, ...]], str | None]) -> str:
    """The text with each citation replaced, without the blanks a removed one leaves; None leaves it as it is."""
    parts: list[str] = []
    last = 0
    for group in GROUP.finditer(text):
        new = new_of(labels_of(group))
        if new is None:
            continue
        before = text[last : group.start()]
        after = text[group.end() : group.end() + 1]
        if not new and (not after or after.isspace() or after in ".,;:!?)" or after in "([\u3010"):
            before = before.rstrip(" \t")
        parts += [before, new]
        is_doubled = not new and after in {" ", "\t"} and (not before or before[-1].isspace())
        last = group.end() + is_doubled
    return "".join([*parts, text[last:]])
