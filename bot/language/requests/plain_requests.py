"""Recognises plain-language requests to forget and to list; pure.

A request to forget is a frame and the words it is about; a question what is remembered consists of nothing but words
for that. The patterns are in `request_words` and `listing_words`, one row a language; requests to forget in languages
but English are read by `orders`.
"""

import functools
import itertools
import re
from dataclasses import dataclass, replace
from typing import Final

from bot.domain import MemoryId
from bot.language.requests import (
    clauses,
    closing,
    corrections,
    listing_words,
    orders,
    plain_words,
    stopping_words,
    whose,
)
from bot.language.requests.corrections import Correction
from bot.language.requests.forget_request import ForgetRequest
from bot.language.requests.request_words import WordKind
from bot.text import folding, formulas, pasted_lists, patterns, sentences

_KNOWN: Final = (
    WordKind.MY,
    WordKind.THE,
    WordKind.ALL,
    WordKind.POINT,
    WordKind.STUFF,
    WordKind.MEMORY,
    WordKind.NUMBER,
    WordKind.ME,
    WordKind.YOU,
    WordKind.ABOUT,
)
"""How a thing begins that was spoken of."""
_NAMED: Final = (WordKind.DELETE, WordKind.FORGET, WordKind.MY, WordKind.THE, WordKind.ALL, WordKind.NUMBER)
"""How one begins that is surely meant, after a reason."""
_AWAY: Final = frozenset(
    {
        WordKind.OFF,
        WordKind.MEMORY,
        WordKind.THE,
        WordKind.AFTER,
        WordKind.SOFT,
        WordKind.YOU,
        WordKind.MY,
        WordKind.STUFF,
    }
)
"""How what is to go ends: `from your memory`."""
_SAYING: Final = frozenset(
    {
        WordKind.ALL,
        WordKind.STUFF,
        WordKind.TOLD,
        WordKind.THE,
        WordKind.MY,
        WordKind.I,
        WordKind.YOU,
        WordKind.ME,
        WordKind.LAST,
        WordKind.TALK,
        WordKind.WHERE,
        WordKind.TIME,
        WordKind.SOFT,
        WordKind.OFF,
        WordKind.MEMORY,
        WordKind.TO,
        WordKind.THAT,
        WordKind.BE,
        WordKind.GLUE,
    }
)
"""What says no more than that something was said."""
_NO_LISTING: Final = (
    WordKind.OTHER,
    WordKind.GONE,
    WordKind.FORGET,
    WordKind.DELETE,
    WordKind.NOT,
    WordKind.PUT,
    WordKind.CHEER,
)
"""What a question for all that is remembered has none of."""
_SPOKEN_OF: Final = (WordKind.TIME, WordKind.STUFF, WordKind.MEMORY, WordKind.WHERE, WordKind.TALK, WordKind.STORED)
"""What is a thing of its own where something was said about it, or a memory is about it."""
_TOLD: Final = (WordKind.TOLD, WordKind.MEMORY, WordKind.STUFF)
"""What says that something was."""
_NOTHING: Final = (WordKind.SOFT, WordKind.ME, WordKind.SELF, WordKind.ALL, WordKind.MY, WordKind.POINT)
"""What then names none."""
_NOUNS: Final = frozenset({WordKind.SOFT, WordKind.MEMORY, WordKind.MY, WordKind.THE, WordKind.STORED, WordKind.KEPT})
"""Such a question in a word or two: `my notes?`."""
_VERBS: Final = frozenset({WordKind.DELETE, WordKind.FORGET})
_NUMBERS: Final = frozenset({WordKind.NUMBER, WordKind.SOFT, WordKind.OFF})
_SOFT: Final = frozenset({WordKind.SOFT})
_WISHING: Final = frozenset({WordKind.SOFT, WordKind.I, WordKind.WISH, WordKind.ASK})
_YEAR: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRequest:
    """A question what is remembered, of the asker alone or of everybody."""

    is_mine: bool


Asked = pasted_lists.Listed | ForgetRequest | ListRequest | Correction | None
"""What a message asks of memory: to keep, to forget, to list or to put right something, or none of these."""


@functools.lru_cache(maxsize=256)
def read(text: str, bot_name: str = "Hathi", *, names: tuple[str, ...] = ()) -> Asked:
    """What a message that mentions these names asks of memory; known of the last ones."""
    said = clauses.read(text, bot_name)
    return (
        corrections.read(text)
        or _stopping(said)
        or _unrecorded(said)
        or plain_words.kept(said, names)
        or _wanted_gone(said)
        or _listed(said)
    )


@functools.lru_cache(maxsize=64)
def asked_to_forget(text: str, bot_name: str = "Hathi") -> ForgetRequest | None:
    """What a message asks to forget; None for one that asks for nothing of the kind, or for something else besides.

    A message that speaks of forgetting ("don't forget …", "I forgot …") is none. Known of the last texts.
    """
    said = clauses.read(text, bot_name)
    return _stopping(said) or _unrecorded(said) or _wanted_gone(said)


def is_withheld(text: str, bot_name: str = "Hathi") -> bool:
    """Whether a message says of itself that it is not to be kept, and so is told to nobody."""
    wanted = asked_to_forget(text, bot_name)
    return wanted is not None and wanted.itself


def is_request(text: str) -> bool:
    """Whether a message asks Hathi for something of its memory, and so tells nothing itself."""
    wanted = read(text)
    return wanted is not None and not (isinstance(wanted, ForgetRequest) and wanted.instead)


def _stopping(said: clauses.Clauses) -> ForgetRequest | None:
    """A request to keep nothing from now on, in the sayings of any language; what is kept already stays."""
    sayings = ((each.asking, each.beside) for each in stopping_words.LANGUAGES)
    return ForgetRequest(stops=True) if formulas.is_asked_with(said.text, sayings, said.bot_name) else None


def _unrecorded(said: clauses.Clauses) -> ForgetRequest | None:
    """A message that says of itself, before what it tells or after it, that it is off the record or a secret.

    Behind what somebody asks to keep it is a remark: they chose to have it kept.
    """
    plain = folding.evenly(said.text[: clauses.LONGEST].translate(patterns.STRAIGHT_QUOTES))
    found = _off_the_record(said.bot_name).search(plain)
    is_kept = said.opening is not None and said.opening.keeps
    return None if found is None or (is_kept and found.start()) else ForgetRequest(itself=True)


@functools.lru_cache(maxsize=4)
def _off_the_record(bot_name: str) -> re.Pattern[str]:
    """Such words at the beginning, with what they are about behind a mark, or behind one at the end."""
    saying = "|".join(each.unrecorded for each in stopping_words.LANGUAGES)
    beside = "|".join((re.escape(folding.evenly(bot_name)), *(each.beside for each in stopping_words.LANGUAGES)))
    lead = rf"(?:(?:{beside}|this is|that's|it's|psst|but|and|aber|mais|pero|all(?: this)?)\W+){{0,3}}"
    joint = r"(?:\s*[,.:;!\u2013\u2014-]\s*|\s(?:but|that|aber|dass|mais|que|pero)\s+)"
    marks = r"(?:[,.:;!(\u2013\u2014-]\s*|\s(?=(?:but|and|aber|mais|pero)\s))"
    return patterns.compiled(
        rf"\A\W*{lead}(?:{saying})(?: (?:please|pls|ok|bitte|svp|porfa))?{joint}\w|{marks}{lead}(?:{saying})[^\w?]*\Z"
    )


def _wanted_gone(said: clauses.Clauses) -> ForgetRequest | None:
    if instead := corrections.instead(said.text):
        return ForgetRequest(last=True, instead=instead, is_sure=False)
    wanted = whose.said_by_another(said.text) or _forgotten(said)
    if wanted is None:
        return orders.forgotten(said.text, said.bot_name)
    if wanted.last and _is_withheld(said):
        return replace(wanted, last=False, itself=True)
    kinds = {kind for word in said.words for kind in word.kinds}
    # "Stop remembering me", and not "forget me" or "forget everything about me".
    stops = wanted.everything and WordKind.NOT in kinds and kinds.isdisjoint({WordKind.ALL, *_VERBS})
    return replace(wanted, everything=False, stops=True) if stops else wanted


def _is_withheld(said: clauses.Clauses) -> bool:
    """Whether what is not to be kept follows in the message itself: "don't remember this: my PIN is …"."""
    frame = said.opening
    if frame is None or WordKind.NOT not in frame.lead:
        return False
    colon = next((at for at in range(frame.next, len(said.words)) if said.words[at].is_mark), len(said.words))
    return colon + 1 < len(said.words) and said.words[colon].text.startswith(":")


def _formula(said: clauses.Clauses) -> ListRequest | None:
    """A question what is remembered in the sayings of a language that has no words here."""
    mine = ((each.mine, each.beside) for each in listing_words.LANGUAGES)
    all_of_it = ((each.everybodys, each.beside) for each in listing_words.LANGUAGES)
    asked = formulas.first_of(formulas.unmarked(said.text), [(True, mine), (False, all_of_it)], said.bot_name)
    return None if asked is None else ListRequest(is_mine=asked)


def _listed(said: clauses.Clauses) -> ListRequest | None:
    """A question made of words for what is remembered alone: it asks, and says that something was kept or told."""
    words = [word for word in said.words if not word.is_mark]
    if len(said.text) > formulas.LONGEST or not all(word.kinds or 0 < word.number < _YEAR for word in words):
        return _formula(said)
    kinds = {kind for word in words for kind in word.kinds}
    first = next((word for word in words if not word.does(WordKind.SOFT)), None)
    if first is None or (first.does(WordKind.ONE_THING) and WordKind.ALL not in kinds):
        return None
    acting = [
        word
        for word in words
        if word.does(WordKind.TOLD, WordKind.I) or not word.does(WordKind.SOFT, WordKind.BE, WordKind.TIME)
    ]
    told = _has(acting, WordKind.I, WordKind.TOLD)
    asks = kinds & {WordKind.WHAT, WordKind.SHOW} or {WordKind.ALL, WordKind.YOU} <= kinds or clauses.are(words, _NOUNS)
    is_kept = (
        kinds & {WordKind.MEMORY, WordKind.KEPT}
        or (WordKind.YOU in kinds and kinds & {WordKind.STORED, WordKind.HAVE})
        or (told and kinds & {WordKind.YOU, WordKind.TIME})
    )
    is_told = first.does(WordKind.I) and WordKind.WISH not in kinds
    if (
        not (asks and is_kept)
        or is_told
        or kinds.intersection(_NO_LISTING)
        or _has(words, WordKind.WHAT, WordKind.TIME)
    ):
        return None
    return ListRequest(is_mine=told or WordKind.MY in kinds or _has(words, WordKind.OFF, WordKind.ME))


def _has(words: clauses.Words, kind: WordKind, then: WordKind) -> bool:
    """Whether one of the words does this, and the next one that."""
    return any(one.does(kind) and other.does(then) for one, other in itertools.pairwise(words))


def _forgotten(said: clauses.Clauses) -> ForgetRequest | None:
    """What is to be forgotten: it follows a frame, or comes before one, or is said to go."""
    if len(said.text) > clauses.LONGEST:
        return None
    if said.opening is not None:
        return None if said.opening.keeps else _after(said, said.opening)
    return _gone(said) or _before(said) or _further_on(said)


def _after(said: clauses.Clauses, frame: clauses.Frame, *, is_later: bool = False) -> ForgetRequest | None:
    """What follows the verb, up to the end of the sentence; None where the message wants something else besides."""
    words = said.words
    first = next((at for at in range(frame.next, len(words)) if not words[at].passes(_VERBS)), len(words))
    if frame.verb is WordKind.DELETE and not (first < len(words) and _is_known(words[first])):
        return None
    end = sentences.stop_after(said.text, words[first].start) if first < len(words) else len(said.text)
    stop = next((at for at in range(first, len(words)) if words[at].end > end), len(words))
    more = said.text[words[stop].end :].strip() if stop < len(words) else ""
    if plain_words.asks_something(more) or (stop < len(words) and "?" in words[stop].text and not frame.asks):
        return None
    if closing.is_closure(more) or clauses.are(words[stop:], _SOFT):
        more = ""
    remark = next((at for at in range(first + 1, stop) if _is_remark(words[:stop], at)), stop)
    is_sure = not is_later and (frame.verb is WordKind.FORGET or _is_of_memory(words[first:]))
    return _meant(said.text, words[first:remark], is_sure=is_sure, more=more)


def _further_on(said: clauses.Clauses) -> ForgetRequest | None:
    """What follows a frame after a reason: "I moved, so forget my address"."""
    for frame in said.later:
        thing = said.words[frame.next]
        if not frame.keeps and (thing.does(*_NAMED) or thing.text[0] == "#"):
            return _after(said, frame, is_later=True)
    return None


def _before(said: clauses.Clauses) -> ForgetRequest | None:
    """What stands before a frame that ends the message: "my old code, forget it"."""
    frame = said.closing
    if frame is None or frame.keeps or not frame.points:
        return None
    words = [word for word in said.words if word.end <= frame.at]
    is_sure = _is_of_memory(words)
    found = _meant(said.text, words, is_sure=is_sure)
    return None if found and found.everything and not is_sure else found


def _gone(said: clauses.Clauses) -> ForgetRequest | None:
    """What somebody wants gone, or says may go: "#9 can go", "I want my birthday gone from your memory"."""
    if WordKind.GONE not in said.kinds:
        return None
    words = said.words
    gone = next((at for at in range(len(words) - 1, 0, -1) if words[at].does(WordKind.GONE)), 0)
    if not gone or not clauses.are(words[gone + 1 :], _AWAY | {WordKind.ALL, WordKind.TO, WordKind.POINT}):
        return None
    first = clauses.following(words, 0, _WISHING)
    last = clauses.tail(words[:gone], frozenset({WordKind.SOFT, WordKind.ASK, WordKind.BE}), first)
    wished = {kind for word in (*words[:first], *words[last:gone]) for kind in word.kinds}
    if not (WordKind.ASK in wished or {WordKind.I, WordKind.WISH} <= wished):
        return None
    return _meant(said.text, words[first:last], is_sure=_is_of_memory(words))


def _is_known(word: clauses.ClauseWord) -> bool:
    """Whether a thing begins as one does that was spoken of: nobody deletes "a file" from memory."""
    is_named = word.does(*_KNOWN) or word.number or "'s" in word.text
    return bool(is_named) and not word.does(WordKind.INDEFINITE)


def _meant(text: str, words: clauses.Words, *, is_sure: bool, more: str = "") -> ForgetRequest | None:
    """What some words name to be forgotten: numbers, something they are about, or nothing but that it was said."""
    numbers = _numbered(words)
    if numbers:
        return ForgetRequest(numbers=numbers, is_sure=is_sure or _is_signed(words), rest=more)
    first, last = _core(words)
    if first == last:
        return _whole(words, is_sure=is_sure, more=more)
    about = text[words[first].start : words[last - 1].end].strip(" \t\"'.,:;")
    is_plain = not any(word.cuts and "," in word.text for word in words[first:last])
    return ForgetRequest(about=about, is_sure=is_sure and is_plain, rest=more)


def _numbered(words: clauses.Words) -> tuple[MemoryId, ...]:
    """Memories by their numbers, where nothing else is named."""
    end = next((at for at, word in enumerate(words) if not (word.number or word.passes(_NUMBERS))), len(words))
    numbers = dict.fromkeys(MemoryId(word.number) for word in words[:end] if word.number)
    return tuple(numbers) if end == len(words) or _is_signed(words[:end]) else ()


def _is_signed(words: clauses.Words) -> bool:
    """Whether a number is surely that of a memory."""
    return any(word.text[0] == "#" or word.does(WordKind.NUMBERED) for word in words)


def _core(words: clauses.Words) -> tuple[int, int]:
    """Where what some words are about begins and ends, without those that only say that it was said."""
    away, said = clauses.tail(words, _AWAY), len(words)
    said = next((at for at in range(away, said) if words[at].does(WordKind.OFF)), said)
    told = clauses.tail(words[:said], _SAYING)
    said = next((at for at in range(max(told, 2), said) if words[at].does(WordKind.I)), said)
    last = clauses.tail(words[:said], _SOFT)
    topic = _topic_spoken_of(words)
    if topic:
        # "The notes" alone is a thing, and "from your notes" is where it goes from.
        end = next((at for at in range(max(topic + 1, away), len(words)) if words[at].does(WordKind.OFF)), len(words))
        return topic, clauses.tail(words[:end], _SOFT)
    said = next((at for at in range(last) if not words[at].passes(_SAYING | {WordKind.ABOUT})), last)
    if said == last:
        return 0, 0
    first = 1 if words[0].does(WordKind.BEGINS) else 0
    thing = next((at for at in range(said) if words[at].does(WordKind.STUFF, WordKind.ALL, WordKind.TOLD)), said)
    first = max((at + 1 for at in range(thing + 1, said) if words[at].does(WordKind.ABOUT)), default=first)
    while first < last and words[first].kinds == _SOFT:
        first += 1
    return first, last


def _topic_spoken_of(words: clauses.Words) -> int:
    """Where begins what something was said about; 0 where none does, or nobody's words are spoken of.

    Whatever a word means elsewhere: a time that is not that of the saying, "what I said about friday", and what memory
    is called itself, "what I said about the notes", "the memory about saving".
    """
    told = next((at for at, word in enumerate(words) if word.does(*_TOLD)), len(words))
    for at in (at + 1 for at in range(told + 1, len(words) - 1) if words[at].does(WordKind.TOPIC)):
        thing = next((word for word in words[at : at + 3] if not word.does(WordKind.THE, WordKind.LAST)), words[at])
        if not (words[at].does(WordKind.POINT) or thing.does(*_NOTHING)) and thing.does(*_SPOKEN_OF):
            return at
    return 0


def _whole(words: clauses.Words, *, is_sure: bool, more: str) -> ForgetRequest | None:
    """What is meant where nothing is named: everything, this conversation, or what came last."""
    kinds = {kind for word in words for kind in word.kinds}
    if WordKind.OTHER in kinds:
        return None
    is_talk = WordKind.TALK in kinds and WordKind.MEMORY not in kinds
    is_owned = not kinds.isdisjoint({WordKind.THE, WordKind.MY})
    is_own = (WordKind.STUFF in kinds and is_owned) or WordKind.SELF in kinds
    is_all = not is_talk and (WordKind.ALL in kinds or (is_own and WordKind.ONE not in kinds))
    is_time = any(word.does(WordKind.TIME) and not word.does(WordKind.LAST, WordKind.SOFT) for word in words)
    is_said = not kinds.isdisjoint({WordKind.TOLD, WordKind.STUFF})
    is_last = (WordKind.LAST in kinds and (is_said or not is_time)) or (WordKind.TOLD in kinds and is_owned)
    if not (is_talk or is_all or is_last):
        return None
    return ForgetRequest(talk=is_talk, everything=is_all, last=not (is_talk or is_all), is_sure=is_sure, rest=more)


def _is_remark(words: clauses.Words, place: int) -> bool:
    """Whether a remark begins after a word, that is no part of what is to go."""
    is_begun = place + 1 < len(words) and words[place + 1].does(
        WordKind.REMARK, WordKind.SOFT, WordKind.FORGET, WordKind.DELETE
    )
    return words[place].does(WordKind.REASON) or (words[place].cuts and is_begun)


def _is_of_memory(words: clauses.Words) -> bool:
    """Whether memory is spoken of: its nouns, what somebody said, a number."""
    return any(
        word.text[0] == "#"
        or word.does(WordKind.REMEMBERED)
        or (
            word.does(WordKind.TOLD)
            and any(one.does(WordKind.I, WordKind.YOU) for one in words[max(0, place - 3) : place])
        )
        for place, word in enumerate(words)
    )
