"""What a person asks of memory in plain words: keep this, what was said, where were we; pure rules over tables.

The tables are in `phrases`, one a language; here is only what is done with them.
"""

import functools
import re
from typing import Final

from bot.memory import patterns, phrases, pieces
from bot.memory.tables import pictures, self_questions

_EDGE: Final = 500
"""Characters looked at on either end of a message for a question about the past: what lies deeper is pasted."""
_TAIL: Final = 120
"""Characters at the end of a message in which "please remember that" is looked for."""

_DASH: Final = r"\u2013\u2014"
_GAP: Final = rf"[\s,.!:;{_DASH}-]"
_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])\s+|\n+")
_WORD: Final = re.compile(r"#?\w+(?:['.\-/]\w+)*")


def asked_to_remember(text: str, bot_name: str = "Hathi") -> str | None:
    """The thing to keep, verbatim, when the message as a whole asks to remember it; else None.

    The reply to such a message is the confirmation alone, so a message that also wants something else ("remember that
    I am vegan. What can I cook?") is None and goes the way of every other question. After a colon anything may be
    kept, questions too, unless the message ends on a request of its own. A question ("can you remember …?"), a
    negation and a shared memory ("remember when we …") are None, and so is a request with nothing to keep.
    "My code is 4417, please remember that" keeps what comes before.
    """
    for language in phrases.LANGUAGES:
        thing = _after(text, language, bot_name) or _before(text, language, bot_name)
        if thing:
            return thing
    return None


def asks_where_left_off(text: str) -> bool:
    """Whether the message asks to go on from the last session: "where did we leave off?", "catch me up"."""
    plain = _plain(text)
    return any(patterns.compiled(language.left_off).search(plain) for language in phrases.LANGUAGES)


def asks_about_self(text: str, bot_name: str = "Hathi") -> bool:
    """Whether the message as a whole asks what is known about whoever says it: "what do you know about me?".

    One that asks for anything else besides, or about one thing of theirs ("… about my car?"), is none.
    """
    question = text.replace("?", " ").replace("\N{INVERTED QUESTION MARK}", " ")
    return pieces.is_made_of(question, ((each.asking, each.beside) for each in self_questions.LANGUAGES), bot_name)


def asks_of_picture(text: str, *, has_one: bool, bot_name: str = "Hathi") -> bool:
    """Whether the message as a whole asks what a picture shows: "what is in this picture?".

    Where it came with one or points at one, "what is this?" does, and a message without a word.
    """
    question = text.replace("?", " ").replace("\N{INVERTED QUESTION MARK}", " ")
    if has_one and not question.strip():
        return True
    tables = (
        (f"{each.asking}|{each.pointing}" if has_one else each.asking, each.beside) for each in pictures.LANGUAGES
    )
    return pieces.is_made_of(question, tables, bot_name)


def search_words(text: str) -> str:
    """The content words of a question, in order and in their case, without the words that only ask.

    When every content word is one of asking ("what was the decision?"), those are given: it is empty only for a text
    that has no content word at all.
    """
    straight = text.translate(patterns.STRAIGHT_QUOTES)
    functions = frozenset[str]().union(*(language.function_words for language in phrases.LANGUAGES))
    cues = functions.union(*(language.cue_words for language in phrases.LANGUAGES))
    bare = straight
    for language in phrases.LANGUAGES:
        bare = patterns.compiled(language.cue_phrases).sub(" ", bare)
    return _without(bare, cues) or _without(straight, functions)


def _after(text: str, language: phrases.Language, bot_name: str) -> str | None:
    """What follows an imperative that opens the message."""
    opening = _opening(language, bot_name).match(text)
    if not opening:
        return None
    rest = text[opening.end() :]
    if patterns.compiled(language.reminiscence).match(rest, 0, _TAIL):
        return None
    introduced = patterns.compiled(rf"{language.introduction}\s*(?::(?!//)|[{_DASH}]|-\s|\n)").match(rest)
    if introduced:
        return _thing(rest[introduced.end() :], language, is_introduced=True)
    joined = patterns.compiled(language.connector).match(rest)
    return _thing(rest[joined.end() if joined else 0 :], language, is_introduced=False)


def _before(text: str, language: phrases.Language, bot_name: str) -> str | None:
    """What precedes "please remember that" at the end of the message."""
    start = max(0, len(text) - _TAIL)
    address = rf"(?:{_address(bot_name)}[\s,]*)?"
    tail = patterns.compiled(rf"[,.;:!)…\n{_DASH}-]\s*{address}{language.back_reference}[\s,]*{address}\W*$").search(
        text, start
    )
    if not tail or text.rstrip().endswith("?"):
        return None
    end = tail.start() + (text[tail.start()] in ".!)…")
    return _thing(text[:end].rstrip(" ,;:-\u2013\u2014"), language, is_introduced=False)


def _thing(rest: str, language: phrases.Language, *, is_introduced: bool) -> str | None:
    """The rest as the thing to keep: None when it is empty or when it asks for something besides."""
    thing = patterns.compiled(rf"\s*[,.!]\s*(?:{language.courtesy})[\s.!]*$").sub("", rest.rstrip()[-_TAIL:])
    thing = (rest.rstrip()[:-_TAIL] + thing).strip()
    if len(thing) <= _EDGE and patterns.compiled(language.nothing + r"\W*").fullmatch(thing):
        return None
    sentences = [part for part in _SENTENCE_END.split(thing) if part.strip()]
    asking = [_asks(part, language) for part in sentences]
    if is_introduced:
        return None if len(asking) > 1 and asking[-1] else thing
    return None if any(asking) or patterns.compiled(language.errand).search(thing) else thing


def _asks(sentence: str, language: phrases.Language) -> bool:
    ending = re.sub(r"[^\w?]+$", "", sentence[-20:])
    return ending.endswith("?") or bool(patterns.compiled(language.asking).match(_plain(sentence)))


def _without(text: str, dropped: frozenset[str]) -> str:
    words = (word.removesuffix("'s") for word in _WORD.findall(text))
    return " ".join(word for word in words if word and word.lower() not in dropped)


def _plain(text: str) -> str:
    """The ends of a text with straight apostrophes and single blanks, where cues are looked for."""
    ends = text if len(text) <= 2 * _EDGE else f"{text[:_EDGE]} {text[-_EDGE:]}"
    return " ".join(ends.translate(patterns.STRAIGHT_QUOTES).split())


def _address(bot_name: str) -> str:
    return rf"(?:@?{re.escape(bot_name)}\b|<@!?\d+>)"


@functools.lru_cache(maxsize=64)
def _opening(language: phrases.Language, bot_name: str) -> re.Pattern[str]:
    before = rf"(?:(?:{language.filler}|{language.please}|{_address(bot_name)}){_GAP}+){{0,6}}"
    return patterns.compiled(rf"{_GAP}*(?:{before})(?:{language.remember})\b(?!['\u2019])")
