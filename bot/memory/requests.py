"""What a person asks in plain words, beside to remember: to forget, to list, who Hathi is; pure rules over tables.

The tables are `tables.forgetting`, `tables.listings` and `tables.hellos`, one row a language.
"""

import functools
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.domain import MemoryId
from bot.memory import closing, patterns, pieces, plain_words
from bot.memory.tables import forgetting, hellos, listings

_MOST: Final = 12
"""Pieces before a verb, and words of courtesy after it."""
_LONGEST: Final = 600
"""Characters of a request; what is longer is no request."""
_GAP: Final = r"[\s,.!:;\u2013\u2014-]"
_STOP: Final = re.compile(r"(?<=[.!?…])\s+|\n+")
_TAIL: Final = 120
"""Characters at the end in which courtesy is looked for."""
_CLAUSE: Final = re.compile(r",\s+\w")
"""Where a sentence goes on to say something else: "forget Paris, let's go to Rome"."""


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
    if len(text) > _LONGEST:
        return None
    written = text.strip()
    straight = written.translate(patterns.STRAIGHT_QUOTES)
    for language in forgetting.LANGUAGES:
        opening = _opening(language, bot_name).match(straight)
        if opening is not None:
            read = _read(written[opening.end() :], straight[opening.end() :], language, opening)
        else:
            read = _turned(written, straight, language, bot_name)
        if read is not None:
            return read
    return None


def asked_to_list(text: str, bot_name: str = "Hathi") -> Listing | None:
    """Whether a message as a whole asks for what is remembered, and whose."""
    for is_mine in (True, False):
        tables = ((each.mine if is_mine else each.everybodys, each.beside) for each in listings.LANGUAGES)
        if _is_made_of(text, tables, bot_name):
            return Listing(is_mine=is_mine)
    return None


def asked_for_word(text: str, bot_name: str = "Hathi") -> Word | None:
    """Whether a message as a whole greets, or asks who Hathi is or what it can do."""
    for word in (Word.HELP, Word.WHO, Word.GREETING, Word.POINTING):
        # Each saying once: a saying that is there twice doubles the ways to read every one of them.
        tables = [(getattr(each, word), _others(each, word)) for each in hellos.LANGUAGES]
        if _is_made_of(text, tables, bot_name):
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


def _is_made_of(text: str, tables: "pieces.Tables", bot_name: str) -> bool:
    question = text.replace("?", " ").replace("\N{INVERTED QUESTION MARK}", " ")
    return pieces.is_made_of(question, tables, bot_name)


def _read(
    written: str, rest: str, language: forgetting.Language, opening: re.Match[str], *, is_sure: bool = True
) -> Forget | None:
    """What follows the verb, as it was `written` and with straight quotes, which are as long."""
    parts = _STOP.split(rest.strip(" \t:,-"), maxsplit=1)
    more = parts[1].strip() if len(parts) > 1 else ""
    is_asked = patterns.compiled(rf"\b(?:{language.asked})\b").search(opening[0]) is not None
    if (parts[0].rstrip(" .!").endswith("?") and not is_asked) or (more and plain_words.asks_something(more)):
        return None
    said = _bare(parts[0].rstrip("? "), language) or parts[0].rstrip("? ")
    remark = patterns.compiled(rf",\s+{language.comment}|\s+(?:because|cuz|since)\b").search(said)
    said = _bare(said[: remark.start()] if remark else said, language)
    if not _bare(more, language) or closing.is_closure(more):
        more = ""
    speaks = opening["forget"] is not None or patterns.compiled(language.of_memory).search(rest) is not None
    at = rest.find(said)
    return _wanted(said, written[at : at + len(said)], language, is_sure=speaks and is_sure, more=more)


def _turned(written: str, straight: str, language: forgetting.Language, bot_name: str) -> Forget | None:
    """A request that begins with what is to go, or with why: "my code, forget it", "I moved, so wipe my address"."""
    first = _thing_first(language, bot_name)
    thing = first.fullmatch(straight) or first.fullmatch(_bare(straight, language))
    if thing is not None:
        said = (thing["named"] or thing["wanted"] or thing["going"]).strip(" ,.;:")
        at = straight.find(said)
        is_sure = patterns.compiled(language.of_memory).search(straight) is not None
        found = _wanted(said, written[at : at + len(said)], language, is_sure=is_sure, more="")
        return found if found is None or thing["going"] is None or found.numbers or is_sure else None
    reason = _reason_first(language, bot_name).search(straight)
    if reason is None:
        return None
    return _read(written[reason.end() :], straight[reason.end() :], language, reason, is_sure=False)


def _bare(text: str, language: forgetting.Language) -> str:
    """Without courtesy at its end."""
    after = patterns.compiled(rf"(?:(?:^|(?<![\s,.!?])[\s,.!?]++){language.after}){{1,{_MOST}}}[\s,.!?]*+$")
    return (text[:-_TAIL] + after.sub("", text[-_TAIL:])).rstrip(" .!,;:?")


def _wanted(said: str, written: str, language: forgetting.Language, *, is_sure: bool, more: str) -> Forget | None:
    number = rf"(?:{language.number}\s*)?#?(\d{{1,18}})"
    if patterns.compiled(rf"{number}(?:\s*{language.joint}\s*{number}){{0,50}}").fullmatch(said):
        numbers = tuple(dict.fromkeys(MemoryId(int(one)) for one in re.findall(r"\d+", said) if int(one)))
        has_sign = "#" in said or patterns.compiled(rf"{language.number}\b").match(said) is not None
        return Forget(numbers=numbers, is_sure=is_sure or has_sign, rest=more) if numbers else None
    talk, everything, last = (
        patterns.compiled(what).fullmatch(said) is not None
        for what in (language.talk, language.everything, language.last)
    )
    if talk or everything or last:
        return Forget(talk=talk, everything=everything and not talk, last=last, is_sure=is_sure, rest=more)
    prefix = patterns.compiled(rf"(?:{language.said})\s+").match(said)
    about = written[prefix.end() if prefix else 0 :].strip(" \t\"'.,:;")
    if not any(map(str.isalnum, about)) or patterns.compiled(language.vague).fullmatch(about):
        return None
    return Forget(about=about, is_sure=is_sure and not _CLAUSE.search(said), rest=more)


@functools.lru_cache(maxsize=64)
def _opening(language: forgetting.Language, bot_name: str) -> re.Pattern[str]:
    address = rf"(?:@?{re.escape(bot_name)}\b|<@!?\d{{1,20}}>)"
    before = rf"(?:(?:{language.before}|{address}){_GAP}++){{0,5}}"
    verb = rf"(?:(?P<forget>{language.forget})|(?P<delete>{language.delete}))"
    return patterns.compiled(rf"{_GAP}*+{before}{verb}(?![\w'-])(?=[\s:,#.!?]|$)")


@functools.lru_cache(maxsize=64)
def _thing_first(language: forgetting.Language, bot_name: str) -> re.Pattern[str]:
    lead = _lead(language, bot_name)
    return patterns.compiled(
        rf"{lead}(?:(?P<named>[^\n?]{{1,200}}?[^\s?,.;:!])[,.;:!]++\s*+{lead}{language.later}\s+{language.it}"
        rf"|{language.wanted}\s+(?P<wanted>[^\n?]{{1,200}}?[^\s?])\s++{language.gone}"
        rf"|(?P<going>[^\n?]{{0,200}}?[^\s?])\s++{language.may_go})[\s.!]*"
    )


@functools.lru_cache(maxsize=64)
def _reason_first(language: forgetting.Language, bot_name: str) -> re.Pattern[str]:
    return patterns.compiled(
        rf"(?:[,;.!]\s+|\s(?:so|and|then)\s+){_lead(language, bot_name)}"
        rf"(?:(?P<forget>(?!))|{language.later})(?=\s+{language.own}\b)"
    )


def _lead(language: forgetting.Language, bot_name: str) -> str:
    address = rf"(?:@?{re.escape(bot_name)}\b|<@!?\d{{1,20}}>)"
    return rf"(?:(?:{language.before}|{address}){_GAP}++){{0,4}}"
