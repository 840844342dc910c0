"""Normalises a message for pattern matching: lower case, single blanks, marks around sentences."""

import functools
import itertools
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.text import patterns, short_forms

EDGE: Final = 500
"""Characters looked at on either end of a message: what lies deeper is pasted."""
BOUNDARY: Final = "|"
"""Stands in the plain form before the first sentence, between two and after the last."""
QUOTED: Final = "<quoted>"
"""Stands for quoted words: they are somebody else's."""
LINK: Final = "<link>"
SOMEBODY: Final = "<somebody>"
"""Stands for a mention."""

_TOKEN: Final = re.compile(
    r"""https?://\S{1,400}|<[@\#][!&]?\d+>|"[^"\n]{1,300}"|\#?\w+(?:['./:\#-]\w+)*|\?+|[.!;:…\n]+|,""", re.VERBOSE
)
_SPELLED: Final = short_forms.HURRIED | short_forms.table(
    "rember=remember remeber=remember yday=yesterday yesturday=yesterday discused=discussed"
)
_FILLERS: Final = patterns.vocabulary(
    """
    so and but or hey hi hello yo ok okay well oh um hmm btw also then now please pls right wait sorry thanks just
    hathi , quick question by the way anyway actually
    """
)
_OPENERS: Final = patterns.vocabulary(
    """
    what what's whats which who who's whom whose when when's where where's why why's how how's
    is are was were am do does did don't doesn't didn't have has had haven't hasn't hadn't isn't aren't wasn't weren't
    can could will would should shall may might any anyone anybody
    remind recap summarize summarise tell
    """
)
_WH: Final = patterns.vocabulary("what which who whose where when why how what's who's where's when's how's")
_MISTYPED: Final = ("what", "which", "who", "whose", "where", "when", "how")
"""Question words that are put right; of two that are as near the last."""
_SHORTEST: Final = 3
"""Letters of a word that may be another, or a name: only before what it would ask with is it put right."""
_BEFORE_A_QUESTION: Final = patterns.vocabulary("by since from until till in on at for to with about of under")
_ASKED_LAST: Final = frozenset(
    tuple(words.split())
    for words in (
        "is it",
        "was it",
        "are they",
        "were they",
        "is she",
        "is he",
        "is that",
        "did it",
        "did they",
        "did she",
        "did he",
        "does it",
        "has it",
        "could you",
        "can you",
        "would you",
        "find it",
        "find them",
        "find that",
        "do you",
        "did you",
        "have you",
    )
)
_RELATIVE: Final = frozenset({"which", "who", "where", "when", "whose"})
_SUBJECTS: Final = tuple([word] for word in ("it", "that", "he", "she", "they", "we", "i", "you", "the", "our", "my"))
_WANTED: Final = frozenset({("give", "me"), ("show", "me"), ("get", "me"), ("send", "me"), ("i", "need")})
_WONDERING: Final = patterns.by_first_word(
    (
        "i want to know",
        "i wanted to know",
        "i need to know",
        "i'd like to know",
        "i'd love to know",
        "i wonder",
        "i was wondering",
        "i'm wondering",
        "wondering",
        "i've forgotten",
        "i forgot",
        "i forget",
        "no idea",
        "i have no idea",
        "not sure",
        "i'm not sure",
        "i can't remember",
        "i don't remember",
    )
)
"""How a question begins that is told: `I'd like to know who has the key`."""
_AUXILIARIES: Final = patterns.vocabulary(
    """
    is are was were am do does did don't doesn't didn't have has had haven't hasn't hadn't isn't aren't wasn't weren't
    can could will would should shall may might must
    """
)
_BEING: Final = patterns.vocabulary("is are was were has had may must will can could should would")
"""What a thing is or does, behind its name."""
_SUBJECT: Final = patterns.vocabulary(
    "i we you he she they it there the a an my our your his her its their this that these"
)
_NOUNS_TOO: Final = frozenset({"can", "will", "may", "might"})
_EXCLAIMED: Final = frozenset({"a", "an"})
_LEAST_TOLD: Final = 6
"""Words of the shortest sentence of two clauses that no mark ends: `when it rains the cellar floods`."""
_LOOKED_AT: Final = 4
"""Words of a sentence among which a question's opening is looked for, after fillers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence, as indexes into the message's words."""

    start: int
    end: int
    asks: bool
    """Whether it ends on a question mark, begins as a question does, or has one at its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """A normalised message."""

    written: tuple[str, ...]
    """Its words and marks as they were written."""
    words: tuple[str, ...]
    """The same in small letters and spelled out; `written` and `words` go side by side."""
    sentences: tuple[Sentence, ...]
    text: str
    """The words with one blank between, sentences between bars: `| what's new ? |`."""

    @property
    def asks(self) -> bool:
        """Whether any sentence is a question."""
        return any(sentence.asks for sentence in self.sentences)


@functools.cache
def mistyped() -> Mapping[str, str]:
    """Question words by what they become with two letters swapped, or of four and more with one left out."""
    places = [(word, at) for word in _MISTYPED for at in range(1, len(word))]
    left_out = {word[:at] + word[at + 1 :]: word for word, at in places if len(word) > _SHORTEST}
    swapped = {word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]: word for word, at in places}
    return {wrong: word for wrong, word in (left_out | swapped).items() if wrong not in _OPENERS}


def surely_mistyped() -> list[str]:
    """Those of them that are nothing else."""
    return sorted(word for word in mistyped() if len(word) > _SHORTEST)


def read(text: str) -> Plain:
    """The ends of a text in plain form; in one pass, whatever the text."""
    ends = text if len(text) <= 2 * EDGE else f"{text[:EDGE]}\n{text[-EDGE:]}"
    if not ends.isascii():
        ends = unicodedata.normalize("NFC", ends.translate(patterns.STRAIGHT_QUOTES))
    # All in capitals, none of them tells a name.
    written = _TOKEN.findall(ends.lower() if ends.isupper() else ends)
    words = [_word(token) for token in written]
    sentences = _sentences(words, written)
    parts = [BOUNDARY]
    for sentence in sentences:
        parts += words[sentence.start : sentence.end]
        if sentence.asks and parts[-1] != "?":
            parts.append("?")
        parts.append(BOUNDARY)
    return Plain(written=tuple(written), words=tuple(words), sentences=tuple(sentences), text=" ".join(parts))


def _word(token: str) -> str:
    first = token[0]
    if first.isalpha():
        word = token.casefold()
        return LINK if "://" in word else _SPELLED.get(word, word)
    if first == '"' and len(token) > 1:
        return QUOTED
    if first == "?":
        return "?"
    if first in ".!;:…\n":
        return BOUNDARY
    if first == "<":
        return SOMEBODY
    return token.casefold()


def _sentences(words: list[str], written: list[str]) -> list[Sentence]:
    """Where one ends and the next begins; a question mark belongs to the sentence it ends.

    A misspelt question word that opens one is put right.
    """
    found: list[Sentence] = []
    start = 0
    for place, word in enumerate([*words, BOUNDARY]):
        if word == "?" and place > start:
            found.append(Sentence(start=start, end=place + 1, asks=True))
            start = place + 1
        elif word in {BOUNDARY, "?"}:
            if place > start:
                is_stopped = place < len(words) and written[place][0] in ".!"
                asks = _opens_a_question(words, start, place, is_stopped=is_stopped)
                asks = asks or _ends_on_a_question(words, start, place)
                found.append(Sentence(start=start, end=place, asks=asks))
            start = place + 1
    return found


def _opens_a_question(words: list[str], start: int, end: int, *, is_stopped: bool) -> bool:
    for place in range(start, min(end, start + _LOOKED_AT)):
        right = mistyped().get(words[place])
        is_sure = len(words[place]) > _SHORTEST
        if right and (is_sure or not _AUXILIARIES.isdisjoint(words[place + 1 : min(end, place + _LOOKED_AT)])):
            words[place] = right
        if words[place] in _OPENERS:
            return not _tells(words[place:end], is_stopped=is_stopped)
        if _tells_a_question(words, place, end):
            return True
        if words[place] not in _FILLERS:
            return False
    return False


def _tells(said: list[str], *, is_stopped: bool) -> bool:
    """Whether what begins as a question does tells something: `what a day`, `can openers are …`, `when it rains …`."""
    first, second, third = (*said, "", "", "")[:3]
    match first:
        case "what" | "how" if second in _EXCLAIMED:
            return True
        case "do" | "don't" | "have" | "had" if second in {"not", "fun", *_EXCLAIMED}:
            return True
        case "when" | "where" | "what" | "how" | "who":
            if second not in _SUBJECT or second == "":
                return False
            is_asked = any(
                one in _AUXILIARIES and other in _SUBJECT - _EXCLAIMED for one, other in itertools.pairwise(said[1:])
            )
            is_whole = is_stopped or len(said) >= _LEAST_TOLD
            return is_whole and not is_asked and said[-1] not in _AUXILIARIES
        case "any":
            return second not in _WH and third in _BEING
        case _:
            is_thing = first in _NOUNS_TOO and third in _BEING and second not in _SUBJECT
            return first in _AUXILIARIES and (second in _BEING or is_thing)


def _tells_a_question(words: list[str], place: int, end: int) -> bool:
    """Whether a question word comes where one is to come: `by when`, `I'd like to know who`."""
    if words[place] in _BEFORE_A_QUESTION:
        return place + 1 < end and words[place + 1] in _WH
    for told in _WONDERING.get(words[place], ()):
        after = place + len(told)
        if tuple(words[place:after]) == told:
            return not _WH.isdisjoint(words[after : min(end, after + 2)])
    wanted = tuple(words[place : place + 2])
    return wanted in _WANTED and (not _WH.isdisjoint(words[place:end]) or "everything" in words[place:end])


def _ends_on_a_question(words: list[str], start: int, end: int) -> bool:
    """Whether what stands after the last comma is one: `Ann had a recipe for it, what was it`."""
    comma = next((place for place in range(end - 1, start, -1) if words[place] == ","), end)
    last = words[comma + 1 : end]
    if not last or last[:2] in (["what", "a"], ["what", "an"]):
        return False
    if last[0] in _RELATIVE:
        # Else it goes on about the same: `we met Ann, who was late`.
        return len(last) == 1 or last[1] in {"one", "ones"} or last[2:3] in _SUBJECTS
    return last[0] in _WH or tuple(last[:2]) in _ASKED_LAST
