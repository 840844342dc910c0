"""Reads how important something is, where a request to keep it says so in plain words: "with importance 9"; pure."""

import itertools
import re
from collections.abc import Collection
from typing import Final

from bot.language.requests import clauses
from bot.language.requests.request_words import WordKind

MOST: Final = 10
_NEAR: Final = 160
"""Characters on either end of a message in which it is looked for: what lies deeper is part of what is told."""
_SPELT: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBER: Final = rf"\d{{1,2}}|{'|'.join(_SPELT)}"
_SAID: Final = (
    r"(?:(?:\ban\s{1,3})?\b(?:importance|imp|wichtigkeit|importancia)\b\s{0,3}(?:level\s{0,3})?(?:(?:of|is)\b|[:=])?\s{0,3}"
    rf"(?P<number>{_NUMBER})|(?:\ban?\s{{1,3}})?\b(?P<counted>{_NUMBER})\s{{1,3}}(?:in|of)\s{{1,3}}importance)"
    r"(?:/10|\s{1,3}out\s{1,3}of\s{1,3}(?:10|ten))?(?![\w.,]?\d|\w)"
)
_PHRASE: Final = re.compile(
    r"(?P<mark>[,;(.!\u2013\u2014-]\s{0,3})?(?:\band\s{1,3})?"
    r"(?:\b(?P<of_it>(?:this|that|it)(?:\s{1,3}(?:has|is)|['\u2019]s)(?:\s{1,3}of)?)\s{1,3}"
    rf"|\b(?P<by>with|at|as|of|mit|avec|con)\s{{1,3}})?{_SAID}(?:\s{{0,3}}[,;)])?",
    re.IGNORECASE,
)
_HEADING: Final = re.compile(
    rf"\s*(?:hathi\s?[,:]\s?)?(?:(?:this|that|it)(?: is|'s|\u2019s) (?:\w{{1,12}} ){{0,2}}"
    rf"important[,;.:!]?\s{{0,3}}[\u2013\u2014-]?\s{{0,3}})?(?:with )?{_SAID}"
    r"\s{0,3}[:\u2013\u2014-]\s{0,3}(?=(?P<thing>\S))",
    re.IGNORECASE,
)
_WORD: Final = re.compile("imp|wichtigkeit", re.IGNORECASE)
"""How a word for it begins, without which nothing tells it: most texts hold none."""
_TELLING: Final = (" has", " have", " had", " is", " are", " was", " gets", " the", " my", "'s", "\u2019s")
"""Before an importance that is told of something else."""
_GOES_ON: Final = re.compile(r"\s{1,3}(?:is|was|means|are|has|goes)\b", re.IGNORECASE)
_COURTESY: Final[clauses.Kinds] = frozenset({WordKind.SOFT})
_THAT: Final = re.compile(r"\Athat\s{1,3}", re.IGNORECASE)


def heading(text: str, names: Collection[str] = ()) -> tuple[str, int] | None:
    """What stands under an importance, and that: "this is very important, importance 10: the gate code is 4417".

    None that is part of a name; here as below.
    """
    found = _HEADING.match(text[:_NEAR])
    number = _number(found) if found else 0
    if found is None or not 1 <= number <= MOST:
        return None
    thing = text[found.start("thing") :].strip()
    return (thing, number) if _holds(thing, text, names) else None


def taken_out(text: str, names: Collection[str] = ()) -> tuple[str, int] | None:
    """A request without its importance, and that, where nothing but words of asking stands before it or behind it."""
    if _WORD.search(text) is None:
        return None
    behind = _PHRASE.finditer(text, max(0, len(text) - _NEAR))
    ahead = itertools.takewhile(lambda found: found.start() < _NEAR, _PHRASE.finditer(text))
    for found in (*behind, *ahead):
        rest = _rest(found, text) if 1 <= _number(found) <= MOST else None
        if rest is not None and _holds(rest, text, names):
            return rest, _number(found)
    return None


def of_thing(text: str, names: Collection[str] = ()) -> tuple[str, int | None]:
    """What a command is to keep, without its importance, and that, if it tells one."""
    found = taken_out(text, names)
    if found is None or not found[0]:
        return text, None
    thing, number = found
    return (thing if text.startswith(thing) else _THAT.sub("", thing), number)


def _rest(found: re.Match[str], text: str) -> str | None:
    """What is left of a request without what was found in it, if that tells its importance."""
    before, after = text[: found.start()].rstrip(), text[found.end() :].lstrip()
    if _ends(found, before, after):
        return before + (", " + after if after[:1].isalnum() else "")
    if _begins(found, before, after):
        rest = after if before else after.lstrip(" :,;.!\u2013\u2014-")
        return (before + ("" if rest[:1] in ":,;" else " ") + rest).strip()
    return None


def _holds(rest: str, text: str, names: Collection[str]) -> bool:
    """Whether these names stand in what is left as often as in the text."""
    return all(rest.count(name) == text.count(name) for name in names)


def _ends(found: re.Match[str], before: str, after: str) -> bool:
    """Whether the message ends on it, and it is not told of what was just named."""
    apart = found["mark"] or found["of_it"] or found["by"]
    is_told = found["by"] == "of" if apart else before.lower().endswith(_TELLING)
    several = "\n" in before and _PHRASE.search(before[: before.rfind("\n")])
    is_over = found[0][-1] in ",;)" or not after[:1].isalnum()
    return bool(before) and not is_told and not several and _asks(after, None if is_over else _COURTESY)


def _begins(found: re.Match[str], before: str, after: str) -> bool:
    """Whether it is said before the thing, and is no part of it."""
    if len(before) > _NEAR or not _asks(before):
        return False
    if found["mark"]:
        return True
    if found["of_it"]:
        # A clause of its own, before the request.
        return not before and (found[0][-1] in ",;" or after[:1] in {*".:!\u2013\u2014-"})
    words = clauses.read(before).words
    goes_on = not found["by"] and _GOES_ON.match(f" {after}")
    return not goes_on and not (words and words[-1].does(WordKind.THAT))


def _asks(text: str, kinds: clauses.Kinds | None = None) -> bool:
    """Whether a text has no words but those that ask, and of them none but of these kinds."""
    words = clauses.read(text).words if len(text) <= _NEAR else ()
    return len(text) <= _NEAR and all(word.is_mark or word.kinds & (kinds or word.kinds) for word in words)


def _number(found: re.Match[str]) -> int:
    said = (found["number"] or found["counted"]).lower()
    return _SPELT.index(said) + 1 if said in _SPELT else int(said)
