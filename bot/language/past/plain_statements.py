"""Tells a short statement that has no word of asking, wanting or not knowing: `our choir has forty members`; pure."""

from collections.abc import Sequence
from typing import Final

from bot.language.statements import topic_words
from bot.text import patterns
from bot.text.plain_form import Plain

SHORTEST: Final = 3
LONGEST: Final = 12
"""Words of it: a longer one may ask in passing."""
_ASKING: Final = patterns.vocabulary(
    """
    what whatever who whose where when which why how what's who's where's when's how's if whether or need needs
    needed want wants wanna wanted forgot forget forgets forgotten forgetting remember remembers remembered recall
    recalls know knows knew clue idea check find found look looking tell told settle pls please curious wonder
    wondering lost again help somebody someone anyone anybody asking asked ask asks sure swear something some thing
    that those last before back ago once previous old earlier ever still anymore supposed think thought heard read
    mean meant show give got get see dig bring up remind rely missing stands stand way can could would should may
    might did does do pic list number name names said says mentioned posted explained i i'm i've i'd me my you your
    it he she they them this these there yet not no never more about , & ?
    """
)
"""What a question that is put as a statement has some of; and who speaks of themselves may be at a loss."""
_OF_ONESELF: Final = patterns.vocabulary("i'm not no never anymore yet about")
"""Of those, what says how it is with whoever begins with "I'm": `i'm not vegan anymore`."""
_OFFERED: Final = patterns.vocabulary("anybody anyone somebody someone you u y'all")
"""Whom something is offered to: "two spare helmets, if anybody needs one"."""
_OWNING: Final = frozenset({("i've", "got"), ("i", "have"), ("we've", "got"), ("we", "have")})
"""How somebody begins who tells what they have."""
_DID: Final = patterns.vocabulary(
    "gave put left took sent moved lent brought bought sold fixed booked paid returned hid"
)
"""How somebody begins who tells what they did, and leaves out that it was they."""
_VERBS: Final = patterns.vocabulary("is are was were has have had will") | (topic_words.THIRDS - topic_words.NOUN_VERBS)


def tells(plain: Plain) -> bool:
    """Whether a message is one such sentence: something that is, has or does something."""
    if plain.asks or len(plain.sentences) != 1:
        return False
    sentence = plain.sentences[0]
    words = _without_offer(plain.words[sentence.start : sentence.end])
    if not SHORTEST <= len(words) <= LONGEST:
        return False
    if words[0] == "i'm":
        return (_ASKING - _OF_ONESELF).isdisjoint(words)
    if words[:2] in _OWNING:
        return _ASKING.isdisjoint(words[2:])
    return _ASKING.isdisjoint(words) and (words[0] in _DID or not _VERBS.isdisjoint(words[1:-1]))


def _without_offer(words: Sequence[str]) -> tuple[str, ...]:
    """What is told before it is offered to whoever wants it."""
    offers = [at for at, word in enumerate(words[:-1]) if word == "if" and words[at + 1] in _OFFERED]
    return tuple(words[: offers[-1]] if offers else words)
