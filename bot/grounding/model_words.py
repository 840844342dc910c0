"""Makes a model's text the model's own: no words of Hathi's, no invented citation, no link that hides or is unknown."""

import re
from collections.abc import Callable, Collection, Iterator
from typing import Final

from bot import catalogue
from bot.grounding import texts
from bot.text import markdown, notices, sanitize, sentences

NO_ANSWER: Final = "NOTHING"
"""What the model says where it has no answer."""
UNKNOWN: Final = " (link not checked)"
"""What stands behind a link that neither the question nor anything the model was shown has."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_SMALL: Final = re.compile(rf"^([\s>]*){notices.SMALL.strip()}\s")
_OPENING: Final = re.compile(r"^(?:\[[ x]?\]|[^\w\[])++")
"""What a line is drawn with, before its first word or bracket."""
_SPACED: Final = re.compile(r"\[\s*+(\w{1,10})\s*+\]")
_NOTICES: Final = (notices.MEMORY, notices.NOTE)
_SOURCES: Final = tuple(
    texts.folded(told) for each in (notices.FROM, notices.LOOKED_AT) for told in catalogue.in_all(each)
)
_WHY: Final = re.compile(rf"[\u00b7\u2022|-]\W{{0,4}}{notices.WHY.rstrip('?')}\b\W*$")
_DEEDS: Final = tuple(texts.folded(told).rstrip(".#") for each in notices.DEEDS for told in catalogue.in_all(each))
_CLEARED: Final = tuple(texts.folded(told).rstrip(".") for told in catalogue.in_all(notices.CLEARED))
_LINK: Final = re.compile(
    r"(?<![a-z0-9.+-])(?:[a-z][a-z0-9.+-]{1,30}+:[/\\]{1,3}|(?:mailto|javascript|data):(?=\w)|www\.)(?![\s<>])[^\s<>]++",
    re.IGNORECASE,
)
_AFTER: Final = ".,;:!?'\"*_~|`>]"
"""What may stand right behind a link without being of it."""


def own_words(text: str) -> str:
    """What a model says in its own voice: nothing nobody sees, no notice of Hathi's, no small print, no source line.

    And no line that says it has no answer. Of a text that is still coming, what is whole of it stays as it is then.
    """
    lines = sanitize.visible(text).split("\n")
    own = [said for line in lines if (said := _own(line)) is not None]
    return "\n".join(lines) if own == lines else "\n".join(own).strip()


def finished(text: str) -> str:
    """What may be shown of a text that is still coming: whole sentences, and of a line that may name sources all."""
    head, end, line = sentences.finished(text).rpartition("\n")
    return head + end if _bare(line).startswith(_SOURCES) else head + end + line


def says_none(text: str) -> bool:
    """Whether a model that was told how to say so says that it has no answer, whatever it puts around it."""
    words = _WORD.findall(text)
    return NO_ANSWER in words or [word.upper() for word in words] == [NO_ANSWER]


def links(text: str) -> frozenset[str]:
    """The links of a text, as they are compared."""
    return frozenset(_compared(text[start:end]) for start, end in _found(text))


def with_links_told(text: str, known: Collection[str]) -> str:
    """The text with the address of every link in sight, and a mark behind each that is not `known`; code stays."""
    return _outside_code(text, lambda part: _marked(sanitize.unmasked(part), known))


def _marked(text: str, known: Collection[str]) -> str:
    parts: list[str] = []
    at = 0
    for start, end in _found(text):
        if _compared(text[start:end]) not in known:
            past = end + (text[end : end + 1] in {">", ")"})
            parts += [text[at:past], UNKNOWN]
            at = past
    return "".join([*parts, text[at:]])


def _found(text: str) -> Iterator[tuple[int, int]]:
    """Where each link of a text begins and ends, without the signs around it."""
    for found in _LINK.finditer(text):
        link, end = found[0], len(found[0])
        unopened = link.count(")") - link.count("(")
        while link[end - 1] in _AFTER or (link[end - 1] == ")" and unopened > 0):
            unopened -= link[end - 1] == ")"
            end -= 1
        yield found.start(), found.start() + end


def _compared(link: str) -> str:
    """A link without what does not tell where it leads."""
    scheme, mark, rest = link.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme.lower()}{mark}{host.lower()}{slash}{path}".rstrip("/")


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    parts: list[str] = []
    at = 0
    for code in markdown.code(markdown.closed(text)):
        parts += change(text[at : code.start]), text[code.start : code.end]
        at = code.end
    return "".join([*parts, change(text[at:])])


def _own(line: str) -> str | None:
    """What a line says in the model's own voice; none where that is nothing."""
    low = _bare(line)
    is_none = NO_ANSWER in line and set(_WORD.findall(line)) == {NO_ANSWER}
    if is_none or low.startswith(_NOTICES) or (low.startswith(_SOURCES) and _WHY.search(low)):
        return None
    if any(deed in low for deed in _DEEDS):
        said = [piece for piece in sentences.pieces(line) if not _tells_of_deed(_bare(piece))]
        line = "".join(said).rstrip()
        if not _WORD.search(line):
            return None
    return _SMALL.sub(r"\1", line)


def _tells_of_deed(low: str) -> bool:
    # With the last of them a channel in which nothing is kept begins anew, wherever a message ends so.
    return low.startswith(_DEEDS) or low.rstrip(" .!").endswith(_CLEARED)


def _bare(line: str) -> str:
    """The line as it is read: in small letters, without emphasis, from its first word or bracket on."""
    read = texts.folded(texts.plain(line.replace("`", "").replace("\\", "")))
    return _SPACED.sub(r"[\1]", _OPENING.sub("", read))
