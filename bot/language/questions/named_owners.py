"""Tells whose thing or doing a question names, `Marco's birthday`, and which texts tell of another's alone; pure."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from bot.language.questions import owners
from bot.text import patterns, stop_words, trigrams

_LARGE: Final = r"[A-Z\u00c0-\u00de]\w+"
_BESIDE: Final = rf"(?:{_LARGE} (?:(?:and|und|et|y|&) )?)?"
_OWNED: Final = re.compile(
    rf"(?<![\w'])({_BESIDE}\w+'s|{_BESIDE}\w+s'|{_BESIDE}{_LARGE}(?<=s)(?= \w))(?![\w'])(?=(?: (\w+)(?: (\w+))?)?)"
)
"""An owner, and up to two words for what is theirs: `Lena's birthday cake`, `Lenas Geburtstag`."""
_OF: Final = re.compile(rf"(?<!\w)(\w{{1,40}}) (?:of|von|de) (?=({_LARGE}(?: {_LARGE})?))")
_ARTICLE: Final = re.compile(r"\b(?:the|an?|this|that|our|your|d(?:er|ie|as|e[mns])|l[ae]s?|el|los) $", re.IGNORECASE)
"""What stands before an owner who is not called by a name: `the dog's bed`."""
_LONGEST_ARTICLE: Final = 6
"""Characters of such a word, with the blank behind it."""
_DOES: Final = re.compile(
    rf"\b(?:do|does|did|has|had|is|was|hat|hatte) @?({_LARGE}(?: {_LARGE})?) (?:also |usually |currently )?([a-z]\w\w+)"
)
"""Who does what in a question."""
_DOER: Final = re.compile(
    rf"(?P<first>\A|[.!?\n] ?)?(?<![\w'])(?P<who>{_LARGE}) (?P<helped>is |was |has )?(?:also |usually |currently )?"
    r"(?=(?P<does>[a-z]\w\w+))"
)
"""Who may do it in a text, and whether that begins a sentence, as "Just started" does, which says it of oneself."""
_MOST_ENDING: Final = 3
"""Letters by which a form of a verb is longer than what was asked with."""
_LEAST_ALIKE: Final = 2
"""Letters of a short name that a longer one begins with."""
_ALIKE: Final = 0.5
"""Of the trigrams of two spellings of a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whose:
    """Whom a question names, and what it asks of theirs: things, or what they do."""

    names: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()
    acts: frozenset[str] = frozenset()


def asked(question: str, apart_from: Collection[str]) -> Whose:
    """Whose thing or doing a question asks for; what it says of a time, `today's menu`, is nobody's."""
    plain = question.translate(patterns.STRAIGHT_QUOTES)
    held = [(who, things) for who, things, is_named in _owned(plain) if is_named and who.isdisjoint(apart_from)]
    done = [(_names(found[1]), found[2].lower()) for found in _DOES.finditer(plain)]
    return Whose(
        names=frozenset[str]().union(*(who for who, _ in held), *(who for who, _ in done)),
        things=frozenset[str]().union(*(things for _, things in held)),
        acts=frozenset(act for who, act in done if who) - stop_words.FUNCTION,
    )


def is_anothers(text: str, whose: Whose, *, is_own: bool) -> bool:
    """Whether a text tells such a thing or doing of somebody else alone; `is_own` of what who is asked about said."""
    if not whose.names:
        return False
    plain = text.translate(patterns.STRAIGHT_QUOTES)
    return _has_anothers(plain, whose, is_own=is_own) or _does_another(plain, whose, is_own=is_own)


def is_named(texts: Iterable[str], names: Collection[str]) -> bool:
    """Whether any of the texts has one of these names, or one much like it."""
    return any(_is_alike(word, name) for text in texts for word in trigrams.words(text) for name in names)


def _has_anothers(plain: str, whose: Whose, *, is_own: bool) -> bool:
    if not whose.things:
        return False
    held = [(who, things) for who, things, _ in _owned(plain)]
    owning = frozenset[str]().union(*(who for who, _ in held))
    # "Lena's brother's birthday" is none of Lena's.
    if any(is_named(who, whose.names) and things.isdisjoint(owning) for who, things in held):
        return False
    mine = not is_own and not owners.own_things(plain).isdisjoint(whose.things)
    return mine or any(not things.isdisjoint(whose.things) for _, things in held)


def _does_another(plain: str, whose: Whose, *, is_own: bool) -> bool:
    if not whose.acts or is_named([plain], whose.names):
        return False
    if not is_own and owners.tells_of_self(plain, whose.names):
        return True
    doing = ((found, is_own and found["first"] is not None) for found in _DOER.finditer(plain) if _names(found["who"]))
    return any(_is_done(found, act, surely=surely) for found, surely in doing for act in whose.acts)


def _owned(plain: str) -> list[tuple[frozenset[str], frozenset[str], bool]]:
    """Whose and what a text tells of, in small letters, and whether by name."""
    found = [(one[1], (one[2], one[3]), _is_named(plain, one.start())) for one in _OWNED.finditer(plain)]
    found += [(one[2], (one[1],), True) for one in _OF.finditer(plain)]
    return [(_names(who), _things(told), by_name) for who, told, by_name in found if _names(who)]


def _is_named(plain: str, at: int) -> bool:
    return _ARTICLE.search(plain[max(0, at - _LONGEST_ARTICLE) : at]) is None


def _things(told: Iterable[str | None]) -> frozenset[str]:
    return frozenset(word.lower() for word in told if word) - stop_words.FUNCTION


def _names(written: str) -> frozenset[str]:
    """The words of a name, folded, without what shows that something is theirs."""
    words = (word.removesuffix("'").removesuffix("'s") for word in written.lower().split())
    return frozenset(trigrams.folded(word) for word in words if word not in stop_words.FUNCTION)


def _is_alike(word: str, name: str) -> bool:
    short, long = sorted((word, name), key=len)
    begins = len(short) >= _LEAST_ALIKE and long.startswith(short)
    return word == name or begins or trigrams.similarity(word, name) >= _ALIKE


def _is_done(found: re.Match[str], act: str, *, surely: bool) -> bool:
    """Whether it is a form of the verb that is asked with by which one tells of somebody: of "live" "lives"."""
    word, is_helped = found["does"], found["helped"] is not None
    told_of = is_helped or word.endswith("s") or not (surely or word == act or word.endswith("ing"))
    return told_of and word.startswith(act.rstrip("ey")) and len(word) <= len(act) + _MOST_ENDING
