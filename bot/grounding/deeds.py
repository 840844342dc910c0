"""Finds where an answer says that Hathi did something, or will do it, so that nothing is claimed that was not done.

What was done is known: it stands in the trail of the turn. What Hathi can never do, such as to remind somebody later,
to message or to book, is never true. The check is of words, not of meaning: a deed told in a picture may pass.
"""

import re
from collections.abc import Collection, Iterator
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final, NamedTuple

from bot.grounding import citations, deed_idioms, deed_words, texts
from bot.text import markdown, patterns, sentences


class Deed(StrEnum):
    """What an answer may say that Hathi did."""

    KEPT = "kept"
    FORGOTTEN = "forgotten"
    CHANGED = "changed"
    PINNED = "pinned"
    AGED = "aged"
    OUTWARD = "outward"
    """To remind, notify, message, book, watch, moderate: nothing that Hathi ever does."""
    UNKEPT = "unkept"
    """To keep nothing of what is said: true only where nothing is recorded."""


class Claim(NamedTuple):
    """A sentence of an answer that says so."""

    start: int
    end: int
    deeds: frozenset[Deed]
    """Of which one would make it true."""


class _Asked(NamedTuple):
    """What kind of a question it answers."""

    informs: bool
    """It asks how something is, and for nothing to be done."""
    deed: bool
    request: bool
    """It asks for something to be done, whatever that is."""


_NAMES: Final = {
    name.lower(): getattr(deed_words, name)
    for name in (
        *("STORE", "LIST", "OPENINGS", "OUTSIDE", "THEM", "NOTE", "DAY", "HAS", "KEEP", "MADE"),
        *("THAT", "ENTRY", "TAIL"),
    )
}
_DONE: Final = {
    Deed.KEPT: deed_words.KEPT,
    Deed.FORGOTTEN: deed_words.FORGOTTEN,
    Deed.CHANGED: deed_words.CHANGED,
    Deed.PINNED: deed_words.PINNED,
    Deed.AGED: deed_words.AGED,
    Deed.OUTWARD: deed_words.OUTWARD,
}
_PROMISED: Final = {
    Deed.KEPT: deed_words.PROMISED_KEPT,
    Deed.FORGOTTEN: deed_words.PROMISED_FORGOTTEN,
    Deed.CHANGED: deed_words.PROMISED_CHANGED,
    Deed.PINNED: deed_words.PROMISED_PINNED,
    Deed.OUTWARD: deed_words.PROMISED,
}
_DOING: Final = {
    Deed.KEPT: deed_words.DOING_KEPT,
    Deed.FORGOTTEN: deed_words.DOING_FORGOTTEN,
    Deed.CHANGED: deed_words.DOING_CHANGED,
    Deed.PINNED: deed_words.DOING_PINNED,
    Deed.OUTWARD: deed_words.DOING,
}
_IDIOMS: Final = {
    Deed.KEPT: f"{patterns.either(deed_words.IDIOMS_KEPT, _NAMES)}|{deed_idioms.of('kept')}",
    Deed.FORGOTTEN: deed_idioms.of("forgotten"),
    Deed.CHANGED: deed_idioms.of("changed"),
    Deed.OUTWARD: f"{patterns.either(deed_words.IDIOMS_OUTWARD, _NAMES)}|{deed_idioms.of('outward')}",
}
_PASSIVE: Final = r"\b(?:is|are|am|has been|have been|been|got|gets|stands|now)|'s been|'ve been|'s|'re"
_ADV: Final = deed_words.ADVERBS
_WILL: Final = (
    r"(?:\bi(?:'ll| will| shall|'m going to| am going to|'m gonna|mma|'ma| plan to| promise to)|(?:^|[,.!;:] |\band )"
    r"(?:gonna|will|i'll|ill|shall)) "
)


@cache
def _voices(deed: Deed) -> dict[str, re.Pattern[str]]:
    done = f"{patterns.either(_DONE[deed], _NAMES)}(?![a-z])"
    voices = {
        "active": rf"\bi(?:'ve| have|'d| had|'m done| did)? {_ADV}{done}",
        "passive": rf"(?:{_PASSIVE}) {_ADV}{done}",
        "elided": rf"^\W*+{deed_words.OPENINGS}{_ADV}(?!(?:set|put|let|cut)\b){done}",
        "joined": rf"(?:\band|,|&) {_ADV}{done}",
    }
    if deed in _PROMISED:
        voices["promise"] = rf"{_WILL}{_ADV}{patterns.either(_PROMISED[deed], _NAMES)}"
    if deed in _DOING:
        begins = rf"(?:\bi(?:'m| am|'ll be| will be) |^\W*+{deed_words.OPENINGS}){_ADV}"
        voices["doing"] = f"{begins}{patterns.either(_DOING[deed], _NAMES)}"
    if deed in _IDIOMS:
        voices["idiom"] = _IDIOMS[deed]
    return {voice: re.compile(pattern) for voice, pattern in voices.items()}


_QUOTED: Final = re.compile(
    r"\"[^\"\n]{1,400}\"|\u201c[^\u201d\n]{1,400}\u201d|\u00ab[^\u00bb\n]{1,400}\u00bb|(?<!\w)'[^'\n]{2,400}'(?!\w)|"
    r"(?<![\w*])\*[^*]{40,2000}\*(?![\w*])"
)
_NOT_SO: Final = re.compile(deed_words.NOT_SO)
_BY_ANOTHER: Final = re.compile(patterns.either(deed_words.BY_ANOTHER, _NAMES))
_LONG_AGO: Final = re.compile(patterns.either(deed_words.LONG_AGO, _NAMES))
_INFORMS: Final = re.compile(deed_words.INFORMS)
_REQUESTS: Final = re.compile(deed_words.REQUESTS)
_ASKS_FOR_TEXT: Final = re.compile(patterns.either(deed_words.ASKS_FOR_TEXT, _NAMES))
_JUST_NOW: Final = re.compile(
    r"\b(?:now|just|for you|for ya|as (?:you )?(?:asked|wished|requested)|from now on|at your request)\b"
)
_CHANGED_INSIDE: Final = re.compile(patterns.either(deed_words.CHANGED_INSIDE, _NAMES))
_IN_MEMORY: Final = re.compile(patterns.either(deed_words.INSIDE, _NAMES))
_OF_ME: Final = re.compile(patterns.either(deed_words.OUTSIDE_OF_ME, _NAMES))
_TO_COME: Final = re.compile(deed_words.TO_COME)
_DENIED: Final = re.compile(deed_words.DENIED)
_DATED: Final = re.compile(deed_words.DATED)
_AS_A_FAVOUR: Final = re.compile(deed_words.AS_A_FAVOUR)
_ASSURES: Final = re.compile(deed_words.ASSURES)
_BARE: Final = re.compile(deed_words.BARE)
_ASKS_FOR_DEED: Final = re.compile(deed_words.ASKS_FOR_DEED)
_CONDITIONS: Final = re.compile(deed_words.CONDITIONS)
_TO_BE_DONE: Final = re.compile(deed_words.TO_BE_DONE.replace("{verbs}", deed_words.DEED_VERBS))
_DOES: Final = re.compile(
    patterns.either(
        deed_words.DOES,
        {
            "adverbs": deed_words.ADVERBS,
            "openings": deed_words.OPENINGS,
            "irregular": deed_words.IRREGULAR,
            "looked": deed_words.LOOKED,
        },
    )
)
_KEEPS_NOTHING: Final = re.compile(patterns.either(deed_words.UNKEPT))
_TURN: Final = re.compile(r"\bbut |; ?|\b(?:not a|no) (?:problem|worries|bother|trouble)\W+|\bado\W+")
_CLAUSE: Final = re.compile(r"[,;:\u2013\u2014]")
_ACTS: Final = frozenset(Deed) - {Deed.UNKEPT}
_INSIDE: Final = _ACTS - {Deed.OUTWARD}
_OUTSIDE: Final = frozenset({Deed.OUTWARD})


def wants_deed(text: str) -> bool:
    """Whether a message wants something to be done, and tells nothing by that."""
    asked = texts.folded(text)
    return bool(_ASKS_FOR_DEED.search(asked) or _TO_BE_DONE.search(asked))


def claims(answer: str, question: str, done: Collection[Deed] = ()) -> list[Claim]:
    """The sentences of an answer by which Hathi did what is not among the `done`, in order.

    What is quoted, what stands in code and what cites a memory is somebody's word, and so is a text that was asked for.
    """
    asked = texts.folded(question)
    if _ASKS_FOR_TEXT.search(asked):
        return []
    kind = _Asked(
        informs=bool(_INFORMS.match(asked)) and not _REQUESTS.search(asked),
        deed=bool(_ASKS_FOR_DEED.search(asked)),
        request=bool(_TO_BE_DONE.search(asked)),
    )
    # What is quoted may be of several sentences.
    said = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), answer)
    told = ((start, end, _deeds(said[start:end], kind)) for start, end in _sentences(answer))
    return [Claim(start, end, deeds) for start, end, said in told for deeds in said if deeds.isdisjoint(done)]


def without(answer: str, told: Collection[Claim]) -> str:
    """The answer without these sentences, nor the lines of which no word is left by that."""
    claimed = [(claim.start, claim.end) for claim in told]
    kept: list[str] = []
    at = 0
    for line in answer.splitlines(keepends=True):
        end = at + len(line)
        cut = [(max(start, at) - at, min(stop, end) - at) for start, stop in claimed if start < end and at < stop]
        left = _cut(line, cut)
        if not cut or texts.WORD.search(left):
            kept.append(left if left.endswith("\n") or not line.endswith("\n") else f"{left}\n")
        at = end
    return "".join(kept).strip()


def _cut(line: str, parts: Collection[tuple[int, int]]) -> str:
    at, left = 0, list[str]()
    for start, end in parts:
        left.append(line[at:start])
        at = max(at, end)
    return "".join([*left, line[at:]])


def _sentences(answer: str) -> Iterator[tuple[int, int]]:
    """Where each sentence stands that is neither code nor a quoted line."""
    hidden = [(code.start, code.end) for code in markdown.code(markdown.closed(answer))]
    at = 0
    for line in answer.splitlines(keepends=True):
        for piece in sentences.pieces(line):
            end = at + len(piece)
            while hidden and hidden[0][1] <= at:
                hidden.pop(0)
            if not line.lstrip().startswith(">") and not (hidden and hidden[0][0] < end):
                yield at, end
            at = end


@lru_cache(maxsize=1024)
def _deeds(piece: str, asked: _Asked) -> list[frozenset[Deed]]:
    """What Hathi says in a sentence to have done, or to be going to do; of each one is enough."""
    if citations.GROUP.search(piece):
        return []
    said = texts.plain(texts.bare(piece)).strip()
    low = _ASSURES.sub(" ", said.lower()).strip()
    by_another = bool(_BY_ANOTHER.search(said))
    if asked.deed and _BARE.match(low):
        return [_ACTS]
    if _KEEPS_NOTHING.search(low) and not (low.endswith("?") or _CONDITIONS.search(low)):
        return [frozenset({Deed.UNKEPT})]
    if not deed_words.MADE_TEXTS.isdisjoint(texts.words(low)):
        return _in_pictures(low)
    found = [deed for deed in _DONE if _says(deed, low, asked, by_another=by_another)]
    if found:
        found += [
            deed for deed in _DONE if deed not in found and _says(deed, low, asked, by_another=by_another, joined=True)
        ]
    if not found and _AS_A_FAVOUR.search(low) and not low.endswith("?"):
        return [_ACTS]
    return [frozenset({deed}) for deed in found] or _in_pictures(low) or _in_reply(low, asked, by_another=by_another)


def _says(deed: Deed, low: str, asked: _Asked, *, by_another: bool, joined: bool = False) -> bool:
    """Whether a sentence tells of the deed; of a sentence that tells of another, what it joins with it is looked at."""
    voices = _voices(deed)
    looked_at = ("joined",) if joined else (voice for voice in voices if voice != "joined")
    return any(
        _holds(voice, low, found, asked, by_another=by_another)
        for voice in looked_at
        for found in voices[voice].finditer(low)
    )


def _holds(voice: str, low: str, found: re.Match[str], asked: _Asked, *, by_another: bool) -> bool:
    """Whether what reads like a deed is none that is denied, offered, asked, of long ago, or somebody else's."""
    begun = _turned(low, found.start())
    if voice == "idiom":
        return not low.endswith("?") and not _NOT_SO.search(low, begun, found.start())
    if voice == "promise":
        return not _NOT_SO.search(low, begun, found.end())
    if (
        _NOT_SO.search(low, begun, found.end())
        or low.endswith(("?", ":"))
        or _LONG_AGO.search(low)
        or _CONDITIONS.search(low, found.end())
    ):
        return False
    if voice in {"active", "doing"} or _JUST_NOW.search(low):
        return True
    if voice == "passive" and not (asked.deed or _IN_MEMORY.search(low)):
        return False
    return not (asked.informs or by_another or _DATED.search(low))


def _turned(low: str, at: int) -> int:
    """Where the part of a sentence begins that is no longer denied: `I can't do that, but I saved it`."""
    return max((turn.end() for turn in _TURN.finditer(low, 0, at)), default=0)


def _in_reply(low: str, asked: _Asked, *, by_another: bool) -> list[frozenset[Deed]]:
    """The same to who asked for a deed, in whatever verb: whichever was done makes it true."""
    if not asked.request or by_another or low.endswith(("?", ":")) or _LONG_AGO.search(low) or _DATED.search(low):
        return []
    claims_it = (f for f in _DOES.finditer(low) if not _NOT_SO.search(low, _turned(low, f.start()), f.start()))
    claimed = next(claims_it, None)
    return [] if claimed is None or _CONDITIONS.search(low, claimed.end()) else [_ACTS]


def _in_pictures(low: str) -> list[frozenset[Deed]]:
    """The same, said of Hathi's memory or of what comes from Hathi."""
    if low.endswith("?") or _LONG_AGO.search(low):
        return []
    for part in dict.fromkeys((*_CLAUSE.split(low), low)):
        if _DENIED.search(part):
            continue
        if _OF_ME.search(part) and _TO_COME.search(part):
            return [_OUTSIDE]
        if _IN_MEMORY.search(part) and _CHANGED_INSIDE.search(part):
            return [_INSIDE]
    return []
