"""Checks that each quotation and link of an answer stands in the evidence or the question, word for word."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from bot.grounding import citations, links, texts
from bot.grounding.case import Case
from bot.grounding.faults import Fault, FaultKind
from bot.grounding.texts import AnswerPart
from bot.text import normalize

_QUOTED: Final = re.compile(
    r"\"([^\"\n]{1,1000})\"|\u201c([^\u201d\u201c\n]{1,1000})[\u201d\u201c]|"
    r"\u201e([^\u201e\u201c\u201d\n]{1,1000})[\u201c\u201d]"
    r"|\u00ab ?([^\u00ab\u00bb\n]{1,1000}?) ?\u00bb|\u2018([^\u2018\u2019\n]{3,1000})\u2019(?!\w)|"
    r"(?<!\w)'([^'\n]{3,1000})'(?!\w)"
)
_MARKS: Final = frozenset("\"'\u201c\u201e\u00ab\u2018\u201f\u201b")
"""What every quote begins with; most texts have none of them."""
_BLOCK: Final = re.compile(r"^[ \t]*>{1,3} ?(.+)$", re.MULTILINE)
_GAP: Final = re.compile(r"\u2026|\.\.\.|\[\s?(?:\u2026|\.\.\.)\s?\]")
_NOT_LETTERS: Final = re.compile(r"[\W_]+")
_SHOWN_IN_A_REASON: Final = 60


def faults(case: Case) -> Iterator[Fault]:
    """Quotes nobody wrote, and links nobody gave."""
    yield from _quotes(case)
    yield from _links(case)


def unquoted(text: str) -> str:
    """The text without its quotes, which are checked as a whole."""
    return text if _MARKS.isdisjoint(text) else _QUOTED.sub(" ", text)


def _quotes(case: Case) -> Iterator[Fault]:
    sources = [(shown.label, _letters(f"{shown.text}")) for shown in case.ground.shown]
    question = _letters(case.ground.question)
    for claim in case.claims:
        own = {shown.label for shown in case.own(claim)}
        for quote in dict.fromkeys(_quoted(claim.text)):
            yield from _quote(quote, sources, question, own, claim)
    for block in _BLOCK.findall(case.answer):
        yield from _quote(citations.without(block), sources, question, set(), None)


def _quote(
    quote: str, sources: Sequence[tuple[str, str]], question: str, own: set[str], claim: AnswerPart | None
) -> Iterator[Fault]:
    parts = [part for piece in _GAP.split(quote) if (part := _letters(texts.folded(texts.plain(piece))).strip())]
    holders = [label for label, source in sources if _in_order(parts, source)]
    if not parts or _in_order(parts, question):
        return
    if not holders:
        yield Fault(
            kind=FaultKind.QUOTE, reason=f"It quoted \u201c{_cut(quote)}\u201d, which nobody wrote in what I found."
        )
    elif own and claim and not own.intersection(holders):
        reason = f"It quoted \u201c{_cut(quote)}\u201d with {', '.join(claim.cited)}, where that does not stand."
        yield Fault(kind=FaultKind.CITATION, reason=reason)


def _quoted(text: str) -> Iterator[str]:
    if _MARKS.isdisjoint(text):
        return
    straight = text.replace("\u201f", '"').replace("\u201b", "'")
    for found in _QUOTED.finditer(straight):
        yield next(part for part in found.groups() if part is not None)


def _in_order(parts: Sequence[str], source: str) -> bool:
    at = 0
    for part in parts:
        found = source.find(f" {part} ", at)
        if found < 0:
            return False
        at = found + len(part) + 1
    return bool(parts)


def _letters(text: str) -> str:
    """The words of a folded text alone, a blank on either side of each."""
    return f" {_NOT_LETTERS.sub(' ', text).strip()} "


def _links(case: Case) -> Iterator[Fault]:
    known = "\n".join(
        [case.ground.question, *(f"{one.text}\n{texts.folded(one.evidence.url or '')}" for one in case.ground.shown)]
    )
    for link in links.found(case.answer):
        if texts.folded(link) not in known:
            yield Fault(kind=FaultKind.NAME, reason="It gave a link or mention that is nowhere in what I found.")


def _cut(text: str) -> str:
    return normalize.one_line(text, _SHOWN_IN_A_REASON)
