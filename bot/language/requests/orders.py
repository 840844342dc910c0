"""Reads requests to remember and to forget in languages that have a table of whole sayings (`order_words`); pure.

A request begins the message, after words that change nothing, or ends it and points at what stands before. What it is
about is kept or named verbatim.
"""

import functools
import re
from typing import Final

from bot.domain import MemoryId
from bot.language.requests import closing, kept_texts
from bot.language.requests.forget_request import ForgetRequest
from bot.language.requests.order_words import french_orders, german_orders, spanish_orders
from bot.language.requests.order_words.order_patterns import OrderPatterns
from bot.text import folding, pasted_lists, patterns, sentences

LANGUAGES: Final = (german_orders.GERMAN, french_orders.FRENCH, spanish_orders.SPANISH)
_HEAD: Final = 300
"""Characters in which a request begins; one to forget is no longer."""
_TAIL: Final = 160
"""Characters in which one is looked for that ends a message."""
_LEADS: Final = 6
"""Pieces before a request."""
_GAP: Final = r"[\s,.!:;\u2026\u2013\u2014\u00a1\u00bf\u00ab\"*_-]"
_STOPS: Final = ",.;:!\u2026\n\u2013\u2014-"
_NUMBER: Final = re.compile(r"#?\w+[\u00b0\u00ba]?|\u00b0|\u00ba")
_DIGITS: Final = re.compile(r"#?\d{1,18}")


def kept(text: str, bot_name: str = "Hathi") -> pasted_lists.Listed | None:
    """What the message as a whole asks to keep, verbatim, or the lines of a list; None where it asks for none of it.

    Without a thing where something is announced and nothing follows.
    """
    found = (_kept(text, language, bot_name) for language in LANGUAGES)
    return next((one for one in found if one is not None), None)


def asks_to_be_reminded(text: str, bot_name: str = "Hathi") -> bool:
    """Whether a message begins as one to whoever has an alarm clock."""
    return any(_begun(language.reminded, text, language, bot_name) for language in LANGUAGES)


def forgotten(text: str, bot_name: str = "Hathi") -> ForgetRequest | None:
    """What a message asks to forget; None for one that asks for nothing of the kind, or for something else besides."""
    if len(text) > _HEAD:
        return None
    for language in LANGUAGES:
        found = _forgotten(text, language, bot_name)
        if found is not None:
            is_sigh = found.last and _starts(rf"{_GAP}*(?:{language.sighing})\b", _plain(text))
            return None if is_sigh else found
    return None


def _kept(text: str, language: OrderPatterns, bot_name: str) -> pasted_lists.Listed | None:
    text = text.strip()
    head, _, body = text.partition("\n")
    listed = _begun(language.listed, head, language, bot_name) if body else None
    if listed and not head[listed.end() :].strip(" ?:.!,\u00a0\u202f"):
        found = pasted_lists.read(kept_texts.without_courtesy(body, language), is_announced=True)
        if found.is_list:
            return found
    shown = _begun(language.shown, text, language, bot_name)
    if shown is not None:
        rest = text[shown.end() :].strip()
        thing = kept_texts.thing(rest, language, is_introduced=True)
        return pasted_lists.Listed(things=()) if not rest else pasted_lists.read(thing) if thing else None
    for table in (language.told, language.reminded):
        begun = _begun(table, text, language, bot_name)
        if begun is not None:
            thing = kept_texts.thing(text[begun.end() :].strip(), language, is_asked=bool(_asked(begun)))
            return pasted_lists.read(thing) if thing else None
    return _above(text, language, bot_name)


def _above(text: str, language: OrderPatterns, bot_name: str) -> pasted_lists.Listed | None:
    """What stands before a request that ends the message."""
    start = max(0, len(text) - _TAIL)
    found = _ending(language, bot_name).search(folding.evenly(text[start:].translate(patterns.STRAIGHT_QUOTES)))
    if found is None:
        return None
    at = start + found.start()
    lead = _led(language, bot_name).match(_plain(text))
    thing = kept_texts.thing(text[lead.end() if lead else 0 : at + (text[at] in ".!\u2026")].strip(" ,;:-\n"), language)
    return pasted_lists.read(thing) if thing else None


def _forgotten(text: str, language: OrderPatterns, bot_name: str) -> ForgetRequest | None:
    text = text.strip()
    for verb, last in ((language.forgetting, language.forgotten), (language.deleting, language.deleted)):
        begun, stop = _begun(verb, text, language, bot_name), None
        if begun is None and language.wrapped:
            begun = _begun(language.wrapped, text, language, bot_name)
            stop = re.search(rf"\s(?:{last})\W*$", _plain(text)) if begun else None
            begun = begun if stop else None
        if begun is None:
            continue
        whole = kept_texts.without_courtesy(text[begun.end() : stop.start() if stop else None], language)
        numbers = _numbered(_plain(whole), language)
        if numbers:
            return ForgetRequest(numbers=numbers)
        end = stop.start() if stop else sentences.stop_after(text, begun.end())
        more = "" if stop else text[end:].strip(" .!?\n")
        if (more and kept_texts.asks(more, language)) or ("?" in text[end - 1 :] and not _asked(begun)):
            return None
        rest = kept_texts.without_courtesy(text[begun.end() : end].rstrip(" .!?"), language)
        is_over = closing.is_closure(more) or not more
        return _meant(rest, language, is_verb=verb == language.forgetting, more="" if is_over else more)
    return None


def _meant(rest: str, language: OrderPatterns, *, is_verb: bool, more: str) -> ForgetRequest | None:
    """What follows a verb; `is_verb` says that it is one of forgetting, and not one that may speak of anything."""
    soft = patterns.compiled(rf"(?:(?:{language.lead}|{language.courtesy})\b{_GAP}*){{0,3}}").match(_plain(rest))
    rest = rest[soft.end() if soft else 0 :].strip(" ,")
    about, is_placed = _without(rest, rf"\s?(?:{language.memory})")
    about = kept_texts.without_courtesy(about, language)
    plain = _plain(about)
    if any(_is_whole(each, plain) for each in (language.everything, language.last, language.talk)):
        return ForgetRequest(
            everything=_is_whole(language.everything, plain),
            last=_is_whole(language.last, plain),
            talk=_is_whole(language.talk, plain),
            rest=more,
        )
    about, _ = _without(about, language.behind)
    named = patterns.compiled(language.about).match(plain)
    if named is not None:
        return _of(about[named.end() :], is_sure=True, more=more)
    clause = patterns.compiled(language.clause).match(plain)
    if clause is not None:
        return _of(about[clause.end() :], is_sure=True, more=more) if is_verb or is_placed else None
    if not (is_verb or is_placed) or (language.negated and re.search(language.negated, plain)):
        return None
    is_own = _starts(language.own, plain)
    is_one = not re.search(rf",|\s(?:{language.joint})\s", plain)
    return _of(about, is_sure=is_own, more=more) if is_own or (is_one and _starts(language.known, plain)) else None


def _without(text: str, end: str) -> tuple[str, bool]:
    """A text without what it ends with, and whether it does."""
    found = patterns.compiled(rf"(?:{end})$").search(_plain(text)) if end else None
    return (text[: found.start()], True) if found else (text, False)


def _starts(pattern: str, plain: str) -> bool:
    return patterns.compiled(pattern).match(plain) is not None


def _of(about: str, *, is_sure: bool, more: str) -> ForgetRequest | None:
    about = about.strip(" \t\"'.,:;")
    return ForgetRequest(about=about, is_sure=is_sure, rest=more) if about else None


def _numbered(plain: str, language: OrderPatterns) -> tuple[MemoryId, ...]:
    """Memories by their numbers, where nothing else is named and it is said that they are numbers."""
    words = _NUMBER.findall(plain)
    numbers = [word for word in words if _DIGITS.fullmatch(word)]
    others = {word for word in words if word not in numbers}
    is_signed = bool(others) or any(word[0] == "#" for word in numbers)
    return (
        tuple(MemoryId(int(word.lstrip("#"))) for word in numbers) if is_signed and others <= language.numbers else ()
    )


def _is_whole(pattern: str, plain: str) -> bool:
    return patterns.compiled(pattern).fullmatch(plain) is not None


def _asked(begun: re.Match[str]) -> str | None:
    return begun.groupdict().get("ask")


@functools.lru_cache(maxsize=64)
def _plain(text: str) -> str:
    """The beginning of a text as the tables write, as long as it was: it is held against a dozen of them."""
    return folding.evenly(text[:_HEAD].translate(patterns.STRAIGHT_QUOTES))


def _begun(table: str, text: str, language: OrderPatterns, bot_name: str) -> re.Match[str] | None:
    """One of a table's sayings at the beginning of a text, after whatever leads up to it."""
    return _after_lead(table, language.lead, bot_name).match(_plain(text))


@functools.lru_cache(maxsize=64)
def _after_lead(table: str, lead: str, bot_name: str) -> re.Pattern[str]:
    return re.compile(rf"{_lead(lead, bot_name)}(?:{table})")


def _led(language: OrderPatterns, bot_name: str) -> re.Pattern[str]:
    return patterns.compiled(_lead(language.lead, bot_name))


def _lead(lead: str, bot_name: str) -> str:
    address = rf"@?{re.escape(folding.evenly(bot_name))}|<@!?\d{{1,20}}>"
    return rf"{_GAP}{{0,4}}(?:(?:{lead}|{address})(?:{_GAP}+|$)){{0,{_LEADS}}}"


def _ending(language: OrderPatterns, bot_name: str) -> re.Pattern[str]:
    """What ends a message, behind a mark, and points at what stands before it."""
    polite = rf"(?:[\s,.!?]{{1,3}}(?:{language.courtesy}|{re.escape(folding.evenly(bot_name))})){{0,2}}"
    return patterns.compiled(
        rf"[{_STOPS}]\s{{0,3}}{_lead(language.lead, bot_name)}(?:{language.pointed}){polite}[\s.!?]*$"
    )
