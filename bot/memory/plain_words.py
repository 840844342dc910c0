"""What a person asks of memory in plain words: keep this, what was said, where were we; pure rules over tables.

The tables are in `phrases`, one a language; here is only what is done with them.
"""

import functools
import re
from dataclasses import dataclass
from typing import Final

from bot.memory import listed, patterns, phrases, pieces
from bot.memory.tables import pictures, self_questions

_EDGE: Final = 500
"""Characters looked at on either end of a message for a question about the past: what lies deeper is pasted."""
_HEAD: Final = 300
"""Characters after an imperative in which it is looked for where the thing begins."""
_TAIL: Final = 120
"""Characters at the end of a message in which "please remember that" is looked for."""

_DASH: Final = r"\u2013\u2014"
_GAP: Final = rf"[\s,.!:;{_DASH}-]"
_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])\s+|\n+")
_ATTACHED: Final = re.compile(r"\[(?:attachment|sticker): [^\]\n]{1,300}\]")
_WORD: Final = re.compile(r"#?\w+(?:['.\-/]\w+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What a message asks to remember, verbatim."""

    thing: str
    is_many: bool = False
    """Whether it is announced as several things: "remember these: …"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Start:
    """Where the thing to remember begins."""

    at: int
    is_introduced: bool = False
    """Whether a colon or the like stands before it."""
    is_many: bool = False


def asked_to_remember(text: str, bot_name: str = "Hathi") -> str | None:
    """The thing to keep, verbatim, when the message as a whole asks to remember it; else None.

    Asked as an order ("remember that …"), politely ("could you note that …?"), as a wish ("I want you to …") or by a
    heading ("note to self: …"). The reply to such a message is the confirmation alone, so a message that also wants
    something else ("remember that I am vegan. What can I cook?") is None and goes the way of every other question.
    After a colon anything may be kept, questions too, unless the message ends on a request of its own. A question
    ("can you remember Ann's number?"), a negation and a shared memory ("remember when we …") are None, and so is a
    request with nothing to keep. "My code is 4417, please remember that" keeps what comes before.
    """
    wanted = _wanted(text, bot_name)
    if wanted is not None:
        return wanted.thing
    return text.strip().partition("\n")[2].strip() if _headed(text, bot_name) else None


def things_to_remember(text: str, bot_name: str = "Hathi") -> listed.Listed | None:
    """The same as one thing, or as the lines of a pasted list, each a thing of its own; else None."""
    wanted = _wanted(text, bot_name)
    if wanted is None:
        return _headed(text, bot_name)
    found = listed.read(wanted.thing, is_announced=wanted.is_many)
    return found if found.is_list else _headed(text, bot_name) or found


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


def asks_something(text: str) -> bool:
    """Whether any sentence of a text wants an answer or something done."""
    parts = [part for part in _SENTENCE_END.split(text) if part.strip()]
    return any(_asks(part, language) for part in parts for language in phrases.LANGUAGES)


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


def _wanted(text: str, bot_name: str) -> _Wanted | None:
    for language in phrases.LANGUAGES:
        wanted = _after(text, language, bot_name) or _before(text, language, bot_name)
        if wanted is not None:
            return wanted
    return None


def _after(text: str, language: phrases.Language, bot_name: str) -> _Wanted | None:
    """What follows an imperative, or a heading, that opens the message."""
    opening = _opening(language, bot_name).match(text)
    if not opening:
        return None
    rest = text[opening.end() :]
    if patterns.compiled(language.reminiscence).match(rest, 0, _HEAD):
        return None
    start = _start(rest[:_HEAD], opening, language)
    if start is None:
        return None
    return _thing(
        rest[start.at :], language, is_introduced=start.is_introduced, is_asked=opening["asked"] is not None,
        is_many=start.is_many,
    )  # fmt: skip


def _start(head: str, opening: re.Match[str], language: phrases.Language) -> _Start | None:
    """Where the thing begins after the imperative; None where nothing is asked to be remembered."""
    introduced = patterns.compiled(
        rf"({language.introduction})\s*(?::(?!//)|[{_DASH}]|-\s|[.!?]?\s*\n|\?\s)"
    ).match(head)  # fmt: skip
    if introduced:
        announced = f"{opening['heading'] or ''}{introduced[1]}"
        is_many = patterns.compiled(language.many).search(announced) is not None
        return _Start(at=introduced.end(), is_introduced=True, is_many=is_many)
    if opening["heading"] is not None:
        comma = re.match(r"\s*,\s*", head)
        return None if comma is None else _Start(at=comma.end())
    pointed = patterns.compiled(
        rf"(?=[^,.]*\b(?:{language.pointing})\b){language.introduction}\s*(?:[,.]\s+|\s+{language.that}\s+)"
    ).match(head)
    if pointed:
        return _Start(at=pointed.end())
    joined = patterns.compiled(language.connector).match(head)
    at = joined.end() if joined else 0
    has_that = joined is not None and patterns.compiled(rf"\b{language.that}\b").search(joined[0]) is not None
    if opening["filing"] is not None and not has_that and not patterns.compiled(language.owned).match(head):
        return None
    may_ask = opening["asked"] is not None and opening["recalling"] is not None
    told = head[at:] if has_that else head.lstrip()
    return None if may_ask and not patterns.compiled(language.telling).match(told) else _Start(at=at)


def _before(text: str, language: phrases.Language, bot_name: str) -> _Wanted | None:
    """What precedes "please remember that" at the end of the message."""
    start = max(0, len(text) - _TAIL)
    tail = _closing(language, bot_name).search(text, start)
    if not tail or (text.rstrip().endswith("?") and not tail["asked"]):
        return None
    end = tail.start() + (text[tail.start()] in ".!)…")
    lead = patterns.compiled(rf"(?:(?:{language.lead}|{language.filler}|{_address(bot_name)})\b{_GAP}*){{1,6}}").match(
        text
    )
    return _thing(text[lead.end() if lead else 0 : end].rstrip(" ,;:-\u2013\u2014"), language)


def _headed(text: str, bot_name: str) -> listed.Listed | None:
    """The list under a line that asks to keep it: "can you keep these codes for me?", "house rules, remember them:"."""
    head, _, body = text.strip().partition("\n")
    head = head.rstrip(" :.!?-\u2013\u2014")
    if not body.strip() or len(head) > _TAIL:
        return None
    for language in phrases.LANGUAGES:
        opening = _list_opening(language, bot_name).match(head)
        before = None if opening else _before(head, language, bot_name)
        if not (opening or before):
            continue
        about = head[opening.end() :] if opening else before.thing if before else ""
        body = body.rstrip()
        body = body[:-_TAIL] + patterns.compiled(rf"\n\s*(?:{language.courtesy})[\s.!?]*$").sub("", body[-_TAIL:])
        ends = rf"^{language.introduction}|{language.introduction}$"
        called = patterns.compiled(ends).sub("", f" {about}").strip()
        is_many = bool(called) or patterns.compiled(language.many).search(head) is not None
        found = listed.read(body, is_announced=opening is not None and is_many)
        if found.is_list and not (opening and patterns.compiled(language.reminiscence).match(about)):
            return listed.Listed(things=found.things, heading=found.heading or called)
    return None


def _thing(
    rest: str, language: phrases.Language, *, is_introduced: bool = False, is_asked: bool = False, is_many: bool = False
) -> _Wanted | None:
    """The rest as the thing to keep: None when it is empty or when it asks for something besides."""
    thing = patterns.compiled(rf"\s*[,.!?\n]\s*(?:{language.courtesy})[\s.!?]*$").sub("", rest.rstrip()[-_TAIL:])
    thing = (rest.rstrip()[:-_TAIL] + thing).strip()
    if is_asked:
        # The question mark belongs to the asking.
        thing = thing.rstrip("? ")
    # A file or sticker that came with the words is kept with its message.
    bare = _ATTACHED.sub("", thing)
    if len(bare) <= _EDGE and patterns.compiled(language.nothing + r"\W*").fullmatch(bare):
        return None
    sentences = [part for part in _SENTENCE_END.split(thing) if part.strip()]
    asking = [_asks(part, language) for part in sentences]
    if is_introduced:
        refused = len(asking) > 1 and asking[-1]
    else:
        refused = any(asking) or patterns.compiled(language.errand).search(thing)
    return None if refused else _Wanted(thing=thing, is_many=is_many)


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
    """An imperative, however it is asked for, or a heading, at the beginning of a message."""
    verb = rf"(?P<recalling>{language.recalling})|(?:{language.remember})|(?P<filing>{language.filing})"
    heading = rf"(?P<heading>{language.heading})(?=\s*[:,\n{_DASH}-])"
    asking = _asking(language)
    return patterns.compiled(rf"{_GAP}*+{_lead(language, bot_name)}(?:{asking}(?:{verb})\b(?!['\u2019])|{heading})")


@functools.lru_cache(maxsize=64)
def _list_opening(language: phrases.Language, bot_name: str) -> re.Pattern[str]:
    """The same above a list, which tells what is to be kept."""
    verb = rf"(?:{language.remember}|{language.recalling}|{language.keeping})"
    return patterns.compiled(rf"{_GAP}*+{_lead(language, bot_name)}{_asking(language)}{verb}\b(?!['\u2019])")


@functools.lru_cache(maxsize=64)
def _closing(language: phrases.Language, bot_name: str) -> re.Pattern[str]:
    """A request for what stands before it, at the end of a message."""
    return patterns.compiled(
        rf"[,.;:!)…\n{_DASH}-]\s*+{_lead(language, bot_name)}{_asking(language)}"
        rf"{language.back_reference}(?:[\s,]+{_address(bot_name)})?\W*$"
    )


def _lead(language: phrases.Language, bot_name: str) -> str:
    return rf"(?:(?:{language.filler}|{language.please}|{_address(bot_name)}){_GAP}++){{0,6}}"


def _asking(language: phrases.Language) -> str:
    return rf"(?:(?P<asked>{language.asked})\s+)?(?:(?:{language.wished})\s+)?"
