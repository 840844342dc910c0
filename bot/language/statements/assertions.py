"""Extracts what a message states, without its questions, requests and small talk; pure, in one pass.

Each sentence is judged by itself, so a message that states and asks counts by its statement. A sentence that does both
("I have the ladder, who needs it?") is judged by its parts.
"""

import functools
import itertools
import re
from typing import Final

from bot.language.requests import bare_words, closing, opening_words, plain_words
from bot.language.statements import courtesy_words, topic_words
from bot.language.tags import triviality
from bot.text import folding, patterns, plain_form, sentences, short_forms
from bot.text.plain_form import Plain

_MARKS: Final = ("?", "\uff1f")
_AFTER: Final = " \t\"')*_\u201d\u2019\u00bb"
"""What may stand behind the mark that ends a sentence."""
_INDIRECT: Final = patterns.vocabulary(
    """
    know knows knew see sees saw seen sure remember remembers recall forgot forget forgotten tell tells told ask asks
    asked say says said check explain explained show shows showed learn learnt learned heard hear wonder wondering idea
    clue figure decide decided decides out about of on from to by in at with until till since for than as is was be are
    that's it's matter matters depends and or the a not this
    """
)
"""Words behind which a question word only goes on: `I know where is what`."""
_RUN_ON: Final = (
    r"\s(?=(?:(?:when|where|why|how)(?: (?:is|are|was|were|do|does|did|can|could|will|should|would)|'s|s)"
    r"|what(?: (?:do|does|did|should|can|could)|'s|s)|how (?:much|many|long|old|late|far) (?:is|are|do|does|did))"
    r" (?:i|we|you|u|he|she|they|it|there|the|a|an|my|our|your|his|her|their|this|that|these|those|next|one)\b)"
    # Behind what is rare: each is looked at one by one.
    + "".join(rf"(?<!\b{word}\s)" for word in sorted(_INDIRECT))
)
"""Where a question begins that no mark parts from what stands before it: `I burnt my hand where is the plaster`."""
_PART: Final = re.compile(r"[,;:]\s+|\s[-\u2013\u2014]+\s+|\s(?=(?:but|so|and)\s)|" + _RUN_ON)
"""Where one part of a sentence ends and another may begin."""
_START: Final = re.compile(r"\A|[.!\u2026\n]+\s*|" + _PART.pattern)
"""Where a sentence or a part of one may begin."""
_SIGNS: Final = r"[\W_]{0,20}+"
_MOST_PARTS: Final = 8
"""Parts of a sentence that are told apart, the last of them."""
_MOST_STARTS: Final = 40
"""Places looked at before a text is read sentence by sentence anyway."""
_EDGE: Final = 200
"""Characters of a sentence's end in which what is hung on it is looked for."""
_TOLD: Final = re.compile(r"[:=\d]")
"""What tells something without a verb: `price of a stall: 45`."""
_LEAST_WORDS: Final = 3
"""Words of the shortest part of a sentence that states something beside a question."""
_LEAST_KEYWORDS: Final = 2
_MOST_KEYWORDS: Final = 7
_SIGN: Final = re.compile(
    r"[!,.:;@<>()*_\U0001f000-\U0001ffff]|\b(?:i|i'm|we|you|he|she|they|it|that|this|me|us|btw|fyi|ich|wir|du"
    r"|ist|sind|war|waren|hat|haben|wird|werden|kann|muss|est|sont|était|sera|es|son|está|están|era|será"
    r"|every|each|jede[nmrs]?|chaque|cada|(?:at|um|à|a las?) \d[\d:h]*)\b"
)
"""What keywords have none of."""
_NO_PLURALS: Final = topic_words.PLURAL_SINGULARS | topic_words.AUXILIARIES | topic_words.DETERMINERS
_BESIDES: Final = topic_words.PREPOSITIONS | topic_words.ASIDES
"""What follows a verb that is no noun too."""
_THANKS: Final = re.compile(rf"{_SIGNS}{courtesy_words.THANKS}")
"""A part that begins so thanks for what it names, and tells nothing of it."""
_LEAVE: Final = re.compile(rf"{_SIGNS}{courtesy_words.LEAVE}{_SIGNS}")
_PRAISE: Final = re.compile(rf"{_SIGNS}{courtesy_words.PRAISE}{_SIGNS}")
_COURTESIES: Final = re.compile(r"[,.!?;:]")
"""What stands between courtesies."""
_SMALL: Final = 80
"""Characters of the longest small talk."""


@functools.lru_cache(maxsize=1024)
def stated(text: str) -> str:
    """What of the text states something, verbatim; empty where it only asks, requests or is small talk.

    Code and quoted lines are no sentences, and stay. Known of the last texts, as each question is asked it of many.
    """
    plain = _plain(text)
    if len(text) <= _SMALL and _is_courtesy(plain):
        return ""
    said = _without_questions(text) if _may_ask(plain) else text
    if not any(map(str.isalnum, said)):
        return ""
    return "" if len(said) <= _SMALL and _is_small_talk(said.strip()) else said


def states(text: str) -> bool:
    """Whether anything of the text states something."""
    return bool(stated(text))


def asks(text: str, plain: Plain | None = None) -> bool:
    """Whether any of the text asks to be told something, and has a word by which that may be found.

    `plain` is its plain form, where that was read.
    """
    said = _plain(text)
    # "The code of the gate" is wanted; "the code of the gate is 4411" is told.
    is_named = _opens(said, "wanted") and not (_TOLD.search(said) or _has_verb(said))
    wants = is_named or _opens(said, "begged", "fetched")
    plain = plain or plain_form.read(text)
    wants = wants or plain.asks or patterns.compiled(_RUN_ON).search(said) is not None or is_keywords(text, plain)
    return wants and bool(plain_words.search_words(text))


def run_on(text: str) -> str:
    """The question that follows what else a text says without a mark between; the whole text where none does."""
    found = [*patterns.compiled(_RUN_ON).finditer(_plain(text))]
    return text[found[-1].end() :] if found else text


def without_fetching(text: str) -> str:
    """What a message asks to bring, without the asking: of "look up the gate code" the code; any other as it is."""
    asked = _opening("fetched").match(_plain(text))
    return text if asked is None else text[asked.end() :]


def questions(text: str) -> list[str]:
    """The sentences of a text that ask somebody something, and have a word of what; not what one types to search."""
    return [sentence for sentence in sentences.split(text) if is_question(sentence)]


def is_question(sentence: str) -> bool:
    """Whether a sentence asks somebody something, with a question mark or without, and has a word of what."""
    plain = _plain(sentence)
    is_marked = plain.rstrip(f"{_AFTER}!.\u2026").endswith(_MARKS)
    asks_last = any(_opens(plain[end:], "question") for _, end in _parts(plain)[-1:])
    return (is_marked or _only_asks(plain, plain.rstrip(_AFTER)) or asks_last) and bool(plain_words.search_words(plain))


def is_keywords(text: str, plain: Plain | None = None) -> bool:
    """Whether it is a few words that need not be a question, as one types into a search: `gate code`, `open day`.

    `plain` is its plain form, where that was read.
    """
    said = _plain(short_forms.written_out(text))
    words = said.split(maxsplit=_MOST_KEYWORDS)
    if not _LEAST_KEYWORDS <= len(words) <= _MOST_KEYWORDS or _has_verb(said) or _SIGN.search(said):
        return False
    if (plain or plain_form.read(text)).asks or _opens(said, "request", "begged"):
        return False
    if any(_acts(*three) for three in zip(words, words[1:], words[2:], strict=False)):
        return False
    return not _is_small_talk(text.strip()) and not triviality.is_trivial(text)


@functools.lru_cache(maxsize=1024)
def only_requests(text: str) -> bool:
    """Whether it has something done, and neither tells nor asks anything: `list all dates`, `save that`."""
    said = [_plain(sentence) for sentence in sentences.split(text)]
    return bool(said) and all(_only_points(one) or _opens(one, "request") for one in said) and not stated(text)


@functools.lru_cache(maxsize=256)
def without_requests(text: str) -> str:
    """What a message tells: of one that asks to keep something that alone, and no last sentence that only points.

    Known of the last texts: what is found is looked at again and again until it is told.
    """
    told = plain_words.without_request(text)
    said = [*sentences.split(told)]
    while len(said) > 1 and _only_points(_plain(said[-1])):
        told = told[: told.rindex(said.pop())].rstrip()
    return told


def asks_what_was_asked(text: str) -> bool:
    """Whether a question is about what was asked: a question answers that."""
    return any(patterns.compiled(language.asked).search(_plain(text)) for language in opening_words.LANGUAGES)


def _acts(before: str, word: str, after: str) -> bool:
    """Whether a word between two others tells what one or several do, and is no noun: `the freeze starts on Friday`."""
    begins = after in topic_words.DETERMINERS or after[:1].isdigit()
    if word in topic_words.THIRDS:
        return begins or word not in topic_words.NOUN_VERBS or after in topic_words.BEHIND_VERBS
    is_plural = before in topic_words.ODD_PLURALS or (before.endswith("s") and before not in _NO_PLURALS)
    if word not in topic_words.BASES or not is_plural:
        return False
    behind = topic_words.BEHIND_VERBS if word in topic_words.NOUN_VERBS else topic_words.BEHIND_VERBS | _BESIDES
    return begins or after in behind


def _is_small_talk(text: str) -> bool:
    return triviality.is_small_talk(text) or closing.is_closure(text)


def _without_questions(text: str) -> str:
    """The text with every sentence cut down to what it states."""
    kept, at = list[str](), 0
    for sentence in sentences.split(text):
        start = text.index(sentence, at)
        kept += (text[at:start], _told(sentence))
        at = start + len(sentence)
    return "".join((*kept, text[at:])).strip()


def _told(sentence: str) -> str:
    """What a sentence states: all of it, the part before or after a question or request, or nothing."""
    plain = _plain(sentence)
    bare = plain.rstrip(_AFTER)
    points = _only_points(plain)
    if points or _opens(plain, "to_keep"):
        return "" if points else sentence
    if bare.endswith(_MARKS):
        if _is_confirmed(bare) and not _opens(plain, "question") and not _opens(plain, "unmarked"):
            return sentence
        return _before_the_question(sentence, plain)
    if _only_asks(plain, bare):
        return ""
    if _opens(plain, "request", "fetched"):
        return _after_the_request(sentence, plain)
    asks_last = any(_opens(plain[end:], "question") for _, end in _parts(plain)[-1:])
    return _before_the_question(sentence, plain) if asks_last else sentence


def _only_asks(plain: str, bare: str) -> bool:
    """Whether a sentence asks without a question mark, or names what is wanted and no more: `two, please`."""
    if _opens(plain, "question") or (not bare.endswith((".", "!", "\u2026")) and _opens(plain, "unmarked")):
        return True
    return _opens(plain, "wanted", "begged") and not (_TOLD.search(plain) or _has_verb(plain))


def _is_courtesy(plain: str) -> bool:
    """Whether a message only thanks, takes leave or wishes well, part by part, beside praise or a name."""
    if _TOLD.search(plain):
        return False
    parts = [part for part in _COURTESIES.split(plain) if any(map(str.isalnum, part))]
    thanks = [_thanks(part) for part in parts]
    leaves = [_takes_leave(part) for part in parts]
    return any(thanks + leaves) and all(
        thanks[at] or leaves[at] or _is_idle(part) or (any(thanks[:at]) and _is_aside(part))
        for at, part in enumerate(parts)
    )


def _thanks(part: str) -> bool:
    return _THANKS.match(part) is not None and not _has_verb(part.partition(" for ")[2])


def _takes_leave(part: str) -> bool:
    is_so = closing.is_closure(part) or _LEAVE.fullmatch(folding.folded(part)) is not None
    return is_so and not (_has_verb(part) or _says_when(part))


def _is_idle(part: str) -> bool:
    return _is_small_talk(part.strip()) or _PRAISE.fullmatch(folding.folded(part)) is not None


def _is_aside(part: str) -> bool:
    """Whether a part behind thanks has too few words to tell anything: a name, or what it is for."""
    return len(part.split()) <= _LEAST_WORDS and not (_has_verb(part) or _says_when(part))


def _says_when(part: str) -> bool:
    return not courtesy_words.WHEN.isdisjoint(folding.folded(part).split())


def _before_the_question(sentence: str, plain: str) -> str:
    """The part before the question at the end, where that tells something: `I have two, who wants one?`."""
    for start, end in reversed(_parts(plain)):
        if _opens(plain[end:], "question") or _opens(plain[end:], "unmarked"):
            return sentence[:start] if _tells(plain[:start]) else ""
    return ""


def _after_the_request(sentence: str, plain: str) -> str:
    """The part after a request, where that tells something: `forget the old code, the new one is 12`."""
    return next((sentence[end:] for _, end in _parts(plain) if _tells(plain[end:])), "")


def _parts(plain: str) -> list[tuple[int, int]]:
    """Where the last parts of a sentence are kept apart: from the end of one to the beginning of the next."""
    return [found.span() for found in _PART.finditer(plain)][-_MOST_PARTS:]


def _only_points(plain: str) -> bool:
    """Whether a sentence has Hathi do something with what it points at, and names nothing itself: `save that`."""
    return len(plain) <= _SMALL and _pointing().match(plain) is not None


@functools.cache
def _pointing() -> re.Pattern[str]:
    """Such a sentence, in any language, up to where it ends."""
    gap = r"[\s,.:!\u2013\u2014-]{1,4}"
    ways = (
        rf"(?:(?:{each.lead}){gap}){{0,4}}(?:{each.asking})(?:{gap}(?:{each.behind})\b){{0,3}}"
        for each in bare_words.LANGUAGES
    )
    return patterns.compiled(rf"{_SIGNS}(?:{'|'.join(ways)})(?=[\W_]*(?:[.!?\u2026\n]|$))")


def _tells(part: str) -> bool:
    """Whether a part of a sentence states something by itself: it is no condition, and something is or does."""
    if len(part.split(maxsplit=_LEAST_WORDS)) < _LEAST_WORDS or _opens(part, "question") or _opens(part, "unmarked"):
        return False
    return not _opens(part, "bound") and _has_verb(part)


def _has_verb(part: str) -> bool:
    return any(patterns.compiled(language.verb).search(part) for language in opening_words.LANGUAGES)


def _opens(plain: str, *hows: str) -> bool:
    """Whether a sentence, or a part of one, begins in one of these ways."""
    return _opening(*hows).match(plain) is not None


def _is_confirmed(plain: str) -> bool:
    """Whether a statement only wants to be confirmed: `it is on Friday, right?`."""
    tail = plain.rstrip("?\uff1f !").rstrip()[-_EDGE:]
    return any(_tags(language).search(tail) for language in opening_words.LANGUAGES)


@functools.cache
def _opening(*hows: str) -> re.Pattern[str]:
    """What begins a sentence in one of these ways, in any language."""
    ways = (
        f"{language.lead}(?:{'|'.join(getattr(language, how) for how in hows)})" for language in opening_words.LANGUAGES
    )
    return patterns.compiled(f"{_SIGNS}(?:{'|'.join(ways)})")


@functools.cache
def _tags(language: opening_words.OpeningWords) -> re.Pattern[str]:
    return patterns.compiled(rf"[,\u2013\u2014-]\s*{language.tag}$")


def _may_ask(plain: str) -> bool:
    """Whether anything in the text may ask or request: it has a question mark, or some part of it opens so."""
    if any(mark in plain for mark in _MARKS):
        return True
    opening, pointing = _opening("question", "unmarked", "request", "fetched", "wanted", "begged"), _pointing()
    starts = [found.end() for found in itertools.islice(_START.finditer(plain), _MOST_STARTS)]
    return len(starts) == _MOST_STARTS or any(
        opening.match(plain, start) or pointing.match(plain, start) for start in starts
    )


def _plain(text: str) -> str:
    """Small letters, straight quotes; character for character, so that offsets stay true."""
    small = text.lower()
    return (small if len(small) == len(text) else text).translate(patterns.STRAIGHT_QUOTES)
