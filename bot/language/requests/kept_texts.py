"""Takes what a request asks to keep from the words around it; pure.

Of the courtesies at its end nothing is kept, and nothing at all of a text that wants something else besides.
"""

import re
from typing import Final

from bot.language.requests import phrases
from bot.text import folding, patterns

_EDGE: Final = 500
"""Characters looked at on either end of a message: what lies deeper is pasted."""
_TAIL: Final = 120
"""Characters of courtesy at the end of a message."""
_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])\s+|\n+")
_ATTACHED: Final = re.compile(r"\[(?:attachment|sticker): [^\]\n]{1,300}\]")


def thing(
    rest: str, language: phrases.BesidePatterns, *, is_introduced: bool = False, is_asked: bool = False
) -> str | None:
    """The rest of a request as the thing to keep: None when it is empty or when it asks for something besides.

    What is introduced by a mark may hold questions; of a request that is put as a question the mark is no part.
    """
    found = without_courtesy(rest, language)
    if is_asked:
        # The question mark belongs to the asking.
        asked, mark, more = found.partition("? ")
        found = asked.rstrip("? \u00a0\u202f") if not (mark and asks(more, language)) else found
    # A file or sticker that came with the words is kept with its message.
    bare = folding.evenly(_ATTACHED.sub("", found))
    if len(bare) <= _EDGE and patterns.compiled(language.nothing + r"\W*").fullmatch(bare):
        return None
    if only_points(bare, language):
        return None
    asking = [_asks(part, language) for part in _SENTENCE_END.split(found) if part.strip()]
    if is_introduced:
        return None if len(asking) > 1 and asking[-1] else found
    return None if any(asking) or _has_errand(found, language) else found


def only_points(text: str, language: phrases.BesidePatterns) -> bool:
    """Whether what is to be kept only names something that lies in the talk: "this thread", "what Ann said"."""
    plain = folding.evenly(text.translate(patterns.STRAIGHT_QUOTES)).strip(" .,!")
    return bool(language.pointing and len(plain) <= _TAIL and patterns.compiled(language.pointing).fullmatch(plain))


def without_courtesy(text: str, language: phrases.BesidePatterns) -> str:
    """The text without polite words at its end."""
    courtesy = rf"(?:\s*[,.!?\n]\s*(?:{language.courtesy})|\s(?:{language.pleading}))[\s.!?]*$"
    text = text.rstrip()
    start = max(0, len(text) - _TAIL)
    found = patterns.compiled(courtesy).search(folding.evenly(text[start:]))
    return text[: start + found.start() if found else None].strip()


def asks(text: str, language: phrases.BesidePatterns) -> bool:
    """Whether any sentence of a text wants an answer or something done."""
    return any(_asks(part, language) for part in _SENTENCE_END.split(text) if part.strip())


def ends(text: str) -> str:
    """The ends of a text with straight apostrophes and single blanks, where cues are looked for."""
    both = text if len(text) <= 2 * _EDGE else f"{text[:_EDGE]} {text[-_EDGE:]}"
    return " ".join(both.translate(patterns.STRAIGHT_QUOTES).split())


def _has_errand(text: str, language: phrases.BesidePatterns) -> bool:
    return patterns.compiled(language.errand).search(folding.evenly(text)) is not None


def _asks(sentence: str, language: phrases.BesidePatterns) -> bool:
    ending = re.sub(r"[^\w?]+$", "", sentence[-20:])
    return ending.endswith("?") or bool(patterns.compiled(language.asking).match(folding.evenly(ends(sentence))))
