"""Tells whose thing is spoken of: what is one's own to forget, and what somebody else said; pure."""

import re
from typing import Final

from bot.domain import Caller
from bot.language.requests import plain_words
from bot.language.requests.forget_request import ForgetRequest
from bot.text import folding, patterns, stop_words

_LONGEST: Final = 300
"""Characters of a request to forget what somebody said."""
_WORD: Final = re.compile(r"\w+(?:'\w*)?")
_OWN: Final = patterns.vocabulary("my mine mein meine meinen meinem meiner meines mon ma mes mi mis")
_OTHERS: Final = patterns.vocabulary(
    "his her their your sein seine seinen ihr ihre ihren son sa ses leur leurs su sus tu"
)
_OF: Final = patterns.vocabulary("of von vom de du des del")
_ME: Final = patterns.vocabulary("me mich mir moi mi")
_NEAR: Final = 3
"""Words before a thing among which stands whose it is."""
_MOST_WORDS: Final = 8
"""Words of a thing that are looked at."""
_NAME: Final = (
    r"(?!(?:i|you|we|he|she|they|ich|du|wir|er|sie|ihr|j|je|tu|nous|il|elle|yo|nosotros)\b)"
    r"(?P<by>@?\w[\w.'-]{0,30}(?: \w[\w.'-]{0,30})?)"
)
_SAID: Final = (
    # Each is a whole request, after what asks to forget.
    (
        rf"(?:what|whatever|everything|anything|all)(?: that)? {_NAME} (?:has |had )?"
        r"(?:said|told|wrote|mentioned|claimed)(?: (?:you|me|us|here))? (?:about|regarding|concerning) (?P<about>.+)"
    ),
    (
        rf"(?:(?:alles|das),? )?was {_NAME} (?:dir |mir |uns )?(?:u|ue)ber (?P<about>.+) "
        r"(?:gesagt|erz(?:a|ae)hlt|geschrieben|behauptet) hat"
    ),
    rf"(?:tout )?ce que {_NAME} (?:a|t'a|m'a) (?:dit|raconte|ecrit) (?:sur|de|du|a propos de) (?P<about>.+)",
    rf"(?:todo )?lo que (?:dijo|conto|escribio) {_NAME} (?:sobre|de|del|acerca de) (?P<about>.+)",
    rf"(?:todo )?lo que {_NAME} (?:dijo|conto|escribio|ha dicho) (?:sobre|de|del|acerca de) (?P<about>.+)",
)
_ASKED: Final = (
    r"\W*(?:(?:please|pls|hathi|bitte|hey|ok|can you|could you|s'il te plait|por favor)[\s,]+){0,3}"
    r"(?:forget|delete|erase|remove|vergiss|l(?:o|oe)sche?|oublie|efface|supprime|olvida|borra),? "
)


def said_by_another(text: str) -> ForgetRequest | None:
    """A request to forget what somebody named said about something; None for any other."""
    if len(text) > _LONGEST:
        return None
    straight = text.translate(patterns.STRAIGHT_QUOTES).rstrip(" .!?\n")
    plain = folding.evenly(straight)
    for said in _SAID:
        found = patterns.compiled(_ASKED + said).fullmatch(plain)
        if found is not None:
            by, about = (straight[slice(*found.span(part))] for part in ("by", "about"))
            return ForgetRequest(by=by.lstrip("@"), about=about)
    return None


def is_me(about: str) -> bool:
    """Whether what something is about is whoever says so."""
    return folding.folded(about) in _ME


def is_named(called: str | None, name: str) -> bool:
    """Whether somebody who is called that may be meant by a name."""
    return called is not None and not {*_words(name)[:1]}.isdisjoint(_words(called))


def is_own(about: str) -> bool:
    """Whether what something is about is the speaker's own: "my birthday"."""
    return not _OWN.isdisjoint(_words(about)[:1])


def may_be_theirs(caller: Caller, about: str, content: str, *, is_by_them: bool) -> bool:
    """Whether a text may speak of what is the caller's own, and not of somebody else's thing of that name.

    What they said themselves is of them where it says "my", or nobody else's; what others said, where it says so.
    """
    words = _words(content)
    things = [word for word in _words(plain_words.search_words(about)) if word not in _OWN][:_MOST_WORDS]
    owners = [_owner(words, at, things) for at, word in enumerate(words) if things and _is_same(word, things[0])]
    if not any(owners):
        return is_by_them
    return any((owner in _OWN and is_by_them) or (owner and is_named(caller.name, owner)) for owner in owners)


def _owner(words: list[str], at: int, things: list[str]) -> str:
    """Whose thing stands at a place: the word that says so, a name without its s; empty where none does."""
    before = words[max(0, at - _NEAR) : at]
    for word in reversed(before):
        if word in _OWN or word in _OTHERS:
            return word
        bare = word.partition("'")[0]
        if bare != word or (word == before[-1] and word.endswith("s") and word not in stop_words.FUNCTION):
            return bare.removesuffix("s") if bare == word else bare
    after = [
        word for word in words[at + 1 : at + _NEAR + len(things)] if not any(_is_same(word, each) for each in things)
    ]
    return after[1] if len(after) > 1 and after[0] in _OF else ""


def _is_same(word: str, thing: str) -> bool:
    """Whether a word is a thing's, whatever its ending."""
    return word.startswith(thing) or (len(word) > _NEAR and thing.startswith(word))


def _words(text: str) -> list[str]:
    return _WORD.findall(folding.folded(text.translate(patterns.STRAIGHT_QUOTES)))
