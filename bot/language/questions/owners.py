"""Tells whose thing a question or text speaks of, `my birthday`, `toms birthday`, and whose words it asks for; pure."""

import re
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import Final

from bot.language.questions import self_words
from bot.text import folding, patterns, stop_words, trigrams

_WORD: Final = re.compile(r"[\w']+")
_MINE: Final = re.compile(r"my|mein(?:e[mnrs]?)?")
_OTHERS: Final = frozenset({"his", "her", "their", "sein", "seine", "ihr", "ihre"})
_ASKED_OF: Final = re.compile(rf"\b(?:{_MINE.pattern}) (\w+)(?: (\w+))?", re.IGNORECASE)
_SAYER: Final = re.compile(
    r"\b(?:did|didn't|does|doesn't|has|hasn't|had|hat|hatte|sagte|meinte|schrieb|dit|dijo|dicho) @?(\w+)", re.IGNORECASE
)
"""Who comes right behind the verb of a question for what somebody said or did."""
_REPORTS: Final = (
    r"(?:said|says|told|tells|mentioned|wrote|writes|thinks|thought|suggested|promised|asked|meint|meinte|sagt|sagte)\b"
)
_REPORTED: Final = re.compile(rf"(?<![\w'])@?(\w+) (?:just |also |once )?{_REPORTS}", re.IGNORECASE)
"""Who comes right before the verb where what somebody said is asked for in other words: "show me what Tom said"."""


_OWN_WORDS: Final = re.compile(patterns.either(self_words.SAID))
_OF_SELF: Final = re.compile(patterns.either(self_words.OWN))
_STATE: Final = re.compile(patterns.either(self_words.STATE))
_YOURS: Final = re.compile(self_words.YOURS)


def own_things(question: str) -> frozenset[str]:
    """The words for what a question calls the asker's own."""
    found = _ASKED_OF.findall(question)
    return frozenset(word.lower() for pair in found for word in pair if word) - stop_words.FUNCTION


def is_anothers(text: str, things: Collection[str], own_names: AbstractSet[str], *, is_askers: bool) -> bool:
    """Whether a text tells of such a thing as of somebody else's only; `is_askers` says who asks said it."""
    words = _WORD.findall(text.translate(patterns.STRAIGHT_QUOTES).lower())
    places = [at for at, word in enumerate(words) if word in things]
    if any(_MINE.fullmatch(word) for at in places for word in words[max(0, at - 2) : at]):
        return not is_askers
    before = [words[at - 1] for at in places if at]
    before += [words[at - 2] for at in places if at > 1 and words[at - 2].endswith("'s")]
    # "Sam left his jacket" tells of Sam's, also to Sam.
    is_of_asker = not own_names.isdisjoint(map(trigrams.folded, words))
    return any(_is_others(word, own_names) for word in before if not (is_of_asker and word in _OTHERS))


def asks_own_words(question: str) -> bool:
    """Whether somebody asks for what they said themselves: "what did I say about nuts?"."""
    return _OWN_WORDS.search(folding.folded(question.translate(patterns.STRAIGHT_QUOTES))) is not None


def asks_of_self(question: str) -> bool:
    """Whether somebody asks how it is with themselves: "what am I allergic to?"; not who did something to theirs."""
    return _OF_SELF.search(folding.folded(question.translate(patterns.STRAIGHT_QUOTES))) is not None


def tells_of_self(text: str, others: AbstractSet[str]) -> bool:
    """Whether somebody tells how it is with themselves, and names none of the `others`, nor says "you"."""
    low = folding.folded(text.translate(patterns.STRAIGHT_QUOTES))
    if not _STATE.search(low) or _YOURS.search(low):
        return False
    return others.isdisjoint(map(trigrams.folded, _WORD.findall(low)))


def sayer(question: str, names: Collection[str]) -> str | None:
    """The one of these names whose words a question asks for: of "what did Tom say?" Tom."""
    found = doers(question)
    return next((name for name in names if name.split()[0] in found), None)


def doers(question: str) -> frozenset[str]:
    """The words of a question, in small letters, that stand where whoever said or did something does.

    A word that may be a name is one there, however it is written: `what did will say`.
    """
    plain = question.translate(patterns.STRAIGHT_QUOTES)
    return frozenset(word.lower() for reader in (_SAYER, _REPORTED) for word in reader.findall(plain))


def reports(text: str, name: str) -> bool:
    """Whether a text tells what somebody of that name said."""
    return re.search(rf"\b{re.escape(name)} (?:also |once )?{_REPORTS}", text, re.IGNORECASE) is not None


def _is_others(word: str, own_names: Collection[str]) -> bool:
    """Whether a word before a thing names somebody else as its owner."""
    bare = word.replace("'s", "").rstrip("'").removesuffix("s")
    is_owner = word in _OTHERS or (word != bare and word not in stop_words.FUNCTION)
    return is_owner and trigrams.folded(bare) not in own_names
