"""Tells whether a text is too trivial to archive: greeting, thanks, filler, emoji, test, machine output; pure.

In doubt a text is not trivial: one word of anything else makes it worth keeping.
"""

import functools
import json
import re
from typing import Final

from bot.language.tags import noise, small_talk, tagging
from bot.text import normalize, patterns

_FENCED: Final = re.compile(r"```[\w+-]*+\n?(.*)```", re.DOTALL)
_MARKED: Final = re.compile(r"<(?:@[!&]?|a?:\w+:|#)\d+>|(?<!\w):\w+:(?!\w)")
"""Mentions and pictures."""
_REPORTED: Final = re.compile(
    r"""\A\s*[\w.'-]+(?:\ [\w.'-]+){0,3}\ (?:said|says|wrote|writes|typed|replied|sagte|schrieb|a\ dit|a\ écrit|dijo|
        escribió)(?:\ |:\ |:)""",
    re.VERBOSE | re.IGNORECASE,
)
"""How a memory tells who said it."""
_STRETCHED: Final = re.compile(r"(\w)\1{2,}")
_LAUGH: Final = re.compile(
    r"(?:a?(?:h+[aeio]+){2,}h?|(?:j+[aei]+){2,}j?|l+(?:o+l+)+|(?:lu)?lz|x+d+|h+m+|m+h+m*|r+o+f+l+)"
)
_OUTPUT: Final = patterns.compiled(noise.OUTPUT)
_HEADLINE: Final = re.compile(r"(?:\w+ )?\w*(?:error|exception)\b|[\[({]+\s*$", re.IGNORECASE)
"""What may stand above machine output, and may be a person's without any."""
_CLOSING: Final = re.compile(r"[\]})]+[,;]?\s*")
_PYTHON: Final = re.compile(r"[{\[]\s{0,20}'[^'\n]{1,60}'\s{0,20}[:,]")
"""How Python writes an object or a list of words."""
_TESTS: Final = frozenset({"test", "testing", "check"})
_LINE: Final = 400
"""Characters of a line by which a program is known."""
_COUNTED: Final = 3
"""Digits of a number that only counts a test."""


def is_trivial(text: str) -> bool:
    """Whether the text is small talk or machine output and nothing else, in English, German, French or Spanish."""
    bare = _REPORTED.sub("", text).strip()
    return is_output(bare) or is_small_talk(bare)


def is_small_talk(text: str) -> bool:
    """Whether nothing is left once every phrase that tells nothing is taken away."""
    text = _MARKED.sub(" ", text)
    said = [word for word in tagging.words(text) if any(map(str.isalnum, word))]
    if text.strip(" .!") in {"+1", "-1"}:
        return True
    at, greeted = 0, False
    while at < len(said):
        size, greets = _phrase(said, at)
        if not size and said[at].isdecimal() and len(said[at]) <= _COUNTED and not _TESTS.isdisjoint(said):
            size = 1
        if not size and greeted:
            # Whoever is greeted; one word, as what else is said has more.
            size = not said[at].isdecimal()
        if not size:
            return False
        at, greeted = at + size, greets
    return "://" not in text


def _phrase(said: list[str], at: int) -> tuple[int, bool]:
    """Words of the longest phrase that begins there, and whether a name may follow it; no words when none does."""
    known = _phrases()
    for size in range(min(_longest(), len(said) - at), 0, -1):
        words = tuple(said[at : at + size])
        if words in known:
            return size, known[words]
    if _LAUGH.fullmatch(said[at]):
        return 1, False
    for times in (r"\1", r"\1\1"):
        short = (_STRETCHED.sub(times, said[at]),)
        if short in known:
            return 1, known[short]
    return 0, False


@functools.cache
def _phrases() -> dict[tuple[str, ...], bool]:
    """The phrases of the tables, by their words; whether a name may follow."""
    tables = ((small_talk.FILLERS, False), (small_talk.ADDRESSED, False), (small_talk.GREETINGS, True))
    return {tuple(tagging.words(phrase)): greets for table, greets in tables for phrase in table.split(",")}


@functools.cache
def _longest() -> int:
    return max(map(len, _phrases()))


def is_output(text: str) -> bool:
    """Whether every line is a program's: JSON, a trace, a log; one line in somebody's own words makes it theirs."""
    text = text.strip()
    fenced = _FENCED.fullmatch(text)
    body = fenced[1].strip() if fenced else text
    if normalize.is_tool_output(body) or _is_json(body):
        return True
    lines = [line for line in body.splitlines() if line.strip()]
    certain = [_OUTPUT.match(line, 0, _LINE) is not None for line in lines]
    return any(certain) and all(
        sure
        or (at == 0 and len(lines) > 1 and certain[1] and _HEADLINE.match(line, 0, _LINE))
        or (any(certain[:at]) and (line[0].isspace() or _CLOSING.fullmatch(line)))
        for at, (line, sure) in enumerate(zip(lines, certain, strict=True))
    )


def _is_json(text: str) -> bool:
    """Whether it is an object or a list, or one a line, or a name of nothing; a bare number may be meant."""
    if text in {"null", "true", "false"}:
        return True
    if text[:1] not in {"{", "["}:
        return False
    if _PYTHON.match(text):
        return True
    try:
        parts = [json.loads(text)]
    except (ValueError, RecursionError):
        try:
            parts = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            return False
    return all(isinstance(part, dict | list) for part in parts)
