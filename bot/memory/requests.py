"""What a person asks in plain words, beside to remember: to forget, to list, who Hathi is; pure rules over tables.

The tables are `tables.request_words`, `tables.listings` and `tables.hellos`, one row a language.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.domain import MemoryId
from bot.memory import clauses, closing, pieces, plain_words
from bot.memory.tables import hellos, listings, request_words
from bot.memory.tables.request_words import Kind

_STOPS: Final = ".!?\n\u2026"
_NUMBER: Final = re.compile(r"#?\d{1,18}")
_KNOWN: Final = frozenset(
    {Kind.MY, Kind.THE, Kind.ALL, Kind.POINT, Kind.STUFF, Kind.MEMORY, Kind.NUMBER, Kind.ME, Kind.YOU, Kind.ABOUT}
)
_AWAY: Final = frozenset({Kind.OFF, Kind.MEMORY, Kind.THE, Kind.AFTER, Kind.SOFT, Kind.YOU, Kind.MY, Kind.STUFF})
"""How what is to go ends: `from your memory`."""
_SAYING: Final = frozenset(
    {
        Kind.ALL, Kind.STUFF, Kind.TOLD, Kind.THE, Kind.MY, Kind.I, Kind.YOU, Kind.ME, Kind.LAST, Kind.TALK, Kind.WHERE,
        Kind.TIME, Kind.SOFT, Kind.OFF, Kind.MEMORY, Kind.TO, Kind.THAT, Kind.BE, Kind.GLUE,
    }
)  # fmt: skip
"""What says no more than that something was said."""
_LISTING: Final = frozenset(
    {
        Kind.SOFT, Kind.YOU, Kind.I, Kind.ME, Kind.ASK, Kind.WISH, Kind.WHAT, Kind.SHOW, Kind.STORED, Kind.MEMORY,
        Kind.STUFF, Kind.ALL, Kind.TIME, Kind.TOLD, Kind.BE, Kind.THE, Kind.MY, Kind.TO, Kind.GLUE, Kind.WHERE,
        Kind.ABOUT, Kind.AFTER,
    }
)  # fmt: skip
"""What a question for all that is remembered is made of."""
_DAY: Final = re.compile(r"\d{1,4}")


class Word(StrEnum):
    """What needs no more than a word of Hathi's own."""

    GREETING = "greeting"
    WHO = "who"
    HELP = "help"
    POINTING = "pointing"
    """Help, unless something else is pointed at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget:
    """A request to forget: memories by their numbers, everything, what came last, or what some words are about."""

    numbers: tuple[MemoryId, ...] = ()
    everything: bool = False
    talk: bool = False
    """Whether it is this conversation that is to be forgotten."""
    last: bool = False
    about: str = ""
    is_sure: bool = True
    """Whether nothing else can be meant; else it depends on what is remembered."""
    rest: str = ""
    """What the message says besides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A question what is remembered; of whoever asks alone, or of everybody."""

    is_mine: bool


def asked_to_forget(text: str, bot_name: str = "Hathi") -> Forget | None:
    """What a message asks to forget; None for one that asks for nothing of the kind, or for something else besides.

    A message that speaks of forgetting ("don't forget …", "I forgot …") is none.
    """
    if len(text) > clauses.LONGEST:
        return None
    words = clauses.read(text, bot_name)
    frame = clauses.opening(words)
    if frame is not None:
        return None if frame.keeps else _follows(text, words, frame)
    return _gone(text, words) or _precedes(text, words) or _further_on(text, words)


def asked_to_list(text: str, bot_name: str = "Hathi") -> Listing | None:
    """Whether a message as a whole asks for what is remembered, and whose."""
    for is_mine in (True, False):
        tables = ((each.mine if is_mine else each.everybodys, each.beside) for each in listings.LANGUAGES)
        if pieces.is_asked_with(text, tables, bot_name):
            return Listing(is_mine=is_mine)
    return _lists(clauses.read(text, bot_name)) if len(text) <= pieces.LONGEST else None


def _lists(words: Sequence[clauses.Word]) -> Listing | None:
    """The same where every word is one that such a question is made of, and enough of them are."""
    if any(not (word.is_mark or word.kinds & _LISTING or _DAY.fullmatch(word.text)) for word in words):
        return None
    said = [word for word in words if not word.is_mark]
    kinds = {kind for word in said for kind in word.kinds}
    texts = {word.text.casefold() for word in said}
    if texts & request_words.OTHERS or _is_for_one_thing(said):
        return None
    is_held = Kind.YOU in kinds and not texts.isdisjoint({"have", "got"}) and bool(kinds & {Kind.STUFF, Kind.ME})
    stored = [word.text.casefold() for word in said if Kind.STORED in word.kinds]
    is_stored = is_held or Kind.MEMORY in kinds or bool(stored and Kind.YOU in kinds)
    is_stored = is_stored or any(text.endswith(request_words.PASSIVE) for text in stored)
    told = [place for place, word in enumerate(said) if Kind.TOLD in word.kinds and _by(said, place, Kind.I)]
    was_told = (bool(told) and bool(kinds & {Kind.YOU, Kind.TIME} or Kind.STORED in said[told[-1]].kinds)) or any(
        (Kind.TOLD in word.kinds and Kind.YOU in after.kinds) or (word.text == "been" and Kind.TOLD in after.kinds)
        for word, after in itertools.pairwise(said)
    )
    opens = next((word.kinds for word in said if Kind.SOFT not in word.kinds), frozenset[Kind]())
    if Kind.I in opens and not any(Kind.WISH in word.kinds for word in said[:4]):
        return None
    asks = bool(kinds & {Kind.WHAT, Kind.SHOW}) or {Kind.ALL, Kind.YOU} <= kinds
    asks = asks or all(word.kinds & {Kind.SOFT, Kind.MEMORY, Kind.MY, Kind.THE, Kind.STORED} for word in said)
    if said and said[0].text.casefold() in request_words.PAST and Kind.ALL not in kinds:
        return None
    if not asks or not (is_stored or was_told):
        return None
    is_mine = bool(told) or any(word.kinds & {Kind.MY} for word in said) or _from_me(said)
    return Listing(is_mine=is_mine)


def _is_for_one_thing(said: Sequence[clauses.Word]) -> bool:
    """Whether a question asks when, who or where, or for a day; and not for all that is remembered."""
    if next((word.text.casefold() in request_words.ONE_THING for word in said if Kind.SOFT not in word.kinds), False):
        return True
    return any(
        Kind.WHAT in word.kinds and after.text.casefold() in request_words.PERIODS
        for word, after in itertools.pairwise(said)
    )


def _by(said: Sequence[clauses.Word], place: int, who: Kind) -> bool:
    """Whether one of the few words before a verb says who did it."""
    for word in reversed(said[max(0, place - 3) : place]):
        if who in word.kinds:
            return True
        if not word.kinds & {Kind.SOFT, Kind.BE, Kind.TIME}:
            return False
    return False


def _from_me(said: Sequence[clauses.Word]) -> bool:
    return any(word.text.casefold() == "from" and Kind.ME in after.kinds for word, after in itertools.pairwise(said))


def asked_for_word(text: str, bot_name: str = "Hathi") -> Word | None:
    """Whether a message as a whole greets, or asks who Hathi is or what it can do."""
    for word in (Word.HELP, Word.WHO, Word.GREETING, Word.POINTING):
        # Each saying once: a saying that is there twice doubles the ways to read every one of them.
        tables = [(getattr(each, word), _others(each, word)) for each in hellos.LANGUAGES]
        if pieces.is_asked_with(text, tables, bot_name):
            return word
    return None


def _others(language: hellos.Language, word: Word) -> str:
    """What may stand beside a greeting or question: the others, but what points at something."""
    return "|".join(
        [language.beside, *(getattr(language, one) for one in (Word.GREETING, Word.WHO, Word.HELP) if one is not word)]
    )


def agrees(text: str, bot_name: str = "Hathi") -> bool | None:
    """Whether a message as a whole says yes, or no; None for any other."""
    for answer in (False, True):
        tables = ((each.yes if answer else each.no, each.beside) for each in hellos.LANGUAGES)
        if pieces.is_made_of(text, tables, bot_name):
            return answer
    return None


def asks_to_undo(text: str, bot_name: str = "Hathi") -> bool:
    """Whether a message as a whole wants what was just done taken back."""
    return pieces.is_made_of(text, ((each.undo, each.beside) for each in hellos.LANGUAGES), bot_name)


def is_request(text: str) -> bool:
    """Whether a message asks Hathi for something of its memory, and so tells nothing itself."""
    return (
        plain_words.asked_to_remember(text) is not None
        or asked_to_forget(text) is not None
        or asked_to_list(text) is not None
    )


def _follows(
    text: str, words: Sequence[clauses.Word], frame: clauses.Frame, *, is_later: bool = False
) -> Forget | None:
    """What follows the verb."""
    first = frame.next
    while first < len(words) and (words[first].is_mark or words[first].kinds & {Kind.DELETE, Kind.FORGET}):
        first += 1
    is_marked = first > frame.next and ":" in words[first - 1].text + words[frame.next].text
    if frame.verb is Kind.DELETE and not is_marked and not (first < len(words) and _is_known(words[first])):
        return None
    stop = next((at for at in range(first, len(words)) if words[at].cuts and words[at].text[0] in _STOPS), len(words))
    more = text[words[stop].end :].strip() if stop < len(words) else ""
    if more and plain_words.asks_something(more):
        return None
    is_asked = frame.asks or any(Kind.ASK in word.kinds for word in words[:first])
    if stop < len(words) and "?" in words[stop].text and not is_asked:
        return None
    if closing.is_closure(more) or not any(not word.kinds & {Kind.SOFT} and not word.is_mark for word in words[stop:]):
        more = ""
    said = words[first:stop]
    remark = next((at for at in range(1, len(said)) if _is_remark(said, at)), len(said))
    is_sure = not is_later and (frame.verb is Kind.FORGET or _is_of_memory(words[first:]))
    return _numbered(said, is_sure=is_sure, more=more) or _wanted(text, said[:remark], is_sure=is_sure, more=more)


def _precedes(text: str, words: Sequence[clauses.Word]) -> Forget | None:
    """What stands before a frame that ends the message: "my old code, forget it"."""
    frame = clauses.closing(words, asked=text.rstrip(" .!").endswith("?"))
    if frame is None or frame.keeps or not frame.points:
        return None
    said = [word for word in words if word.end <= frame.at]
    if any("?" in word.text for word in said):
        return None
    is_sure = _is_of_memory(said)
    number = next((at for at, word in enumerate(said) if Kind.BE in word.kinds), len(said))
    found = _numbered(said[:number], is_sure=True, more="") or _wanted(text, said, is_sure=is_sure, more="")
    return None if found is None or (found.everything and not is_sure) else found


def _further_on(text: str, words: Sequence[clauses.Word]) -> Forget | None:
    """What follows a frame after a reason: "I moved, so forget my address"."""
    for first in clauses.beginnings(words):
        frame = clauses.opening(words, first)
        if frame is None or frame.keeps or frame.next >= len(words):
            continue
        if (
            words[frame.next].kinds & {Kind.DELETE, Kind.FORGET, Kind.MY, Kind.THE, Kind.ALL, Kind.NUMBER}
            or "#" in words[frame.next].text
        ):
            return _follows(text, words, frame, is_later=True)
    return None


def _gone(text: str, words: Sequence[clauses.Word]) -> Forget | None:
    """What somebody wants gone, or says may go: "#9 can go", "I want my birthday gone from your memory"."""
    gone = next((at for at in range(len(words) - 1, 0, -1) if Kind.GONE in words[at].kinds), 0)
    if not gone or (any("?" in word.text for word in words) and Kind.ASK not in words[0].kinds):
        return None
    if not _ends(words[gone + 1 :], _AWAY | {Kind.ALL, Kind.TO, Kind.POINT}):
        return None
    if Kind.ASK in words[0].kinds and words[gone - 1].text == "be":
        return _wanted(text, words[1 : gone - 1], is_sure=_is_of_memory(words), more="")
    lead = 0
    wished: set[Kind] = set()
    while lead < gone and words[lead].kinds & {Kind.SOFT, Kind.I, Kind.WISH} and Kind.MY not in words[lead].kinds:
        wished |= words[lead].kinds
        lead += 1
    is_sure = _is_of_memory(words)
    if {Kind.I, Kind.WISH} <= wished:
        return _wanted(text, words[lead:gone], is_sure=is_sure, more="")
    last = gone
    while last and (Kind.SOFT in words[last - 1].kinds or words[last - 1].text == "be"):
        last -= 1
    if not last or Kind.ASK not in words[last - 1].kinds | ({Kind.ASK} if words[last - 1].text == "should" else set()):
        return None
    said = words[: last - 1]
    found = _numbered(said, is_sure=is_sure, more="")
    return found or (_wanted(text, said, is_sure=is_sure, more="") if is_sure else None)


def _is_known(word: clauses.Word) -> bool:
    """Whether a thing begins as one does that was spoken of: nobody deletes "a file" from memory."""
    if word.text.casefold() in request_words.INDEFINITE:
        return False
    return bool(word.kinds & _KNOWN) or word.text[0] == "#" or word.text.isdecimal() or "'s" in word.text


def _numbered(said: Sequence[clauses.Word], *, is_sure: bool, more: str) -> Forget | None:
    """Memories named by their numbers."""
    found: list[MemoryId] = []
    has_sign = False
    for place, word in enumerate(said):
        if _NUMBER.fullmatch(word.text):
            found.append(MemoryId(int(word.text.lstrip("#"))))
            has_sign = has_sign or word.text[0] == "#"
        elif word.is_mark and place and found and _is_remark(said, place):
            break
        elif not (word.is_mark or word.kinds & {Kind.NUMBER, Kind.SOFT, Kind.OFF}):
            return None
        else:
            has_sign = has_sign or (Kind.NUMBER in word.kinds and len(word.text) > 1 and Kind.STUFF in word.kinds)
            has_sign = has_sign or word.text.casefold() in request_words.NUMBERED
    numbers = tuple(dict.fromkeys(one for one in found if one))
    return Forget(numbers=numbers, is_sure=is_sure or has_sign, rest=more) if numbers else None


def _wanted(text: str, said: Sequence[clauses.Word], *, is_sure: bool, more: str) -> Forget | None:
    """What some words are about, without those that only say that it was said."""
    first, last = _core(said)
    if first == last:
        return _whole(said, is_sure=is_sure, more=more)
    about = text[said[first].start : said[last - 1].end].strip(" \t\"'.,:;")
    if not any(map(str.isalnum, about)):
        return None
    is_plain = not any(word.cuts and "," in word.text for word in said[first:last])
    return Forget(about=about, is_sure=is_sure and is_plain, rest=more)


def _core(said: Sequence[clauses.Word]) -> tuple[int, int]:
    """Where what some words are about begins and ends."""
    last = len(said)
    while last and (said[last - 1].is_mark or Kind.SOFT in said[last - 1].kinds):
        last -= 1
    away = next((at for at in range(last) if Kind.OFF in said[at].kinds and _ends(said[at + 1 : last], _AWAY)), last)
    told = next((at for at in range(1, away) if Kind.I in said[at].kinds and _ends(said[at:away], _SAYING)), away)
    last = told if told > 1 else away
    while last and (said[last - 1].is_mark or Kind.SOFT in said[last - 1].kinds):
        last -= 1
    if all(word.is_mark or word.kinds & (_SAYING | {Kind.ABOUT}) for word in said[:last]):
        return 0, 0
    first = 0
    for place, word in enumerate(said[:last]):
        if not (word.is_mark or word.kinds & (_SAYING | {Kind.ABOUT})):
            break
        is_thing = any(one.kinds & {Kind.STUFF, Kind.ALL, Kind.TOLD} for one in said[:place])
        opens = place == 0 and word.text.casefold() in request_words.BEGINS
        if place + 1 < last and ((Kind.ABOUT in word.kinds and is_thing) or opens):
            first = place + 1
    while first < last and Kind.SOFT in said[first].kinds and not said[first].kinds & _SAYING:
        first += 1
    return first, last


def _whole(said: Sequence[clauses.Word], *, is_sure: bool, more: str) -> Forget | None:
    """What is meant where nothing is named: everything, this conversation, or what came last."""
    kinds = {kind for word in said for kind in word.kinds}
    texts = {word.text.casefold() for word in said}
    if texts & request_words.OTHERS:
        return None
    if Kind.TALK in kinds and not any(word.kinds & {Kind.MEMORY} for word in said):
        return Forget(talk=True, is_sure=is_sure, rest=more)
    is_owned = bool(kinds & {Kind.THE, Kind.MY})
    is_all = (Kind.STUFF in kinds and is_owned) or bool(texts & request_words.SELF)
    if Kind.ALL in kinds or (is_all and not texts & request_words.ONE):
        return Forget(everything=True, is_sure=is_sure, rest=more)
    is_said = not kinds.isdisjoint({Kind.TOLD, Kind.STUFF})
    is_time = any(Kind.TIME in word.kinds and not word.kinds & {Kind.LAST, Kind.SOFT} for word in said)
    if (Kind.LAST in kinds and (is_said or not is_time)) or (Kind.TOLD in kinds and is_owned):
        return Forget(last=True, is_sure=is_sure, rest=more)
    return None


def _ends(words: Sequence[clauses.Word], kinds: clauses.Kinds) -> bool:
    return all(word.is_mark or word.kinds & kinds for word in words)


def _is_remark(said: Sequence[clauses.Word], place: int) -> bool:
    """Whether a remark begins after a word, that is no part of what is to go."""
    if said[place].text.casefold() in request_words.REASONS:
        return True
    after = said[place + 1].kinds if place + 1 < len(said) else frozenset()
    return said[place].cuts and bool(after & {Kind.REMARK, Kind.SOFT, Kind.FORGET, Kind.DELETE})


def _is_of_memory(words: Sequence[clauses.Word]) -> bool:
    """Whether memory is spoken of: its nouns, what somebody said, a number."""
    for place, word in enumerate(words):
        if word.text[0] == "#" or word.text.casefold() in request_words.REMEMBERED:
            return True
        if Kind.TOLD in word.kinds and any(one.kinds & {Kind.I, Kind.YOU} for one in words[max(0, place - 3) : place]):
            return True
    return False
