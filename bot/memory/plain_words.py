"""What a person asks of memory in plain words: keep this, what was said, where were we; pure rules over tables.

The tables are in `phrases`, one a language; here is only what is done with them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.memory import clauses, listed, patterns, phrases, pieces
from bot.memory.tables import pictures, request_words, self_questions
from bot.memory.tables.request_words import Kind

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
_RECALLING: Final = re.compile(r"(?:rem|mem)\w*$", re.IGNORECASE)
"""A verb that may also ask what is known: "can you remember my name?"."""
_ASKING: Final = r"(?:what|who|whose|when|where|which|why|how)"
_CLAUSES: Final = 60
"""Words at the beginning among which a clause that asks to keep what follows is looked for."""
_OTHERS: Final = 3
"""Words before a colon that do nothing in a request."""
_INTRODUCING: Final = ":,.!?\n\u2013\u2014-\u2026"
_WORD: Final = re.compile(r"#?\w+(?:['.\-/]\w+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What a message asks to remember, verbatim."""

    thing: str
    is_many: bool = False
    """Whether it is announced as several things: "remember these: …"."""


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
    headed = _headed(text, bot_name)
    wanted = _wanted(text, bot_name) if headed is None else None
    return headed if wanted is None else listed.read(wanted.thing, is_announced=wanted.is_many)


def asks_where_left_off(text: str) -> bool:
    """Whether the message asks to go on from the last session: "where did we leave off?", "catch me up"."""
    plain = _plain(text)
    return any(patterns.compiled(language.left_off).search(plain) for language in phrases.LANGUAGES)


def asks_about_self(text: str, bot_name: str = "Hathi") -> bool:
    """Whether the message as a whole asks what is known about whoever says it: "what do you know about me?".

    One that asks for anything else besides, or about one thing of theirs ("… about my car?"), is none.
    """
    return pieces.is_asked_with(text, ((each.asking, each.beside) for each in self_questions.LANGUAGES), bot_name)


def asks_of_picture(text: str, *, has_one: bool, bot_name: str = "Hathi") -> bool:
    """Whether the message as a whole asks what a picture shows: "what is in this picture?".

    Where it came with one or points at one, "what is this?" does, and a message without a word.
    """
    if has_one and not pieces.unmarked(text).strip():
        return True
    tables = (
        (f"{each.asking}|{each.pointing}" if has_one else each.asking, each.beside) for each in pictures.LANGUAGES
    )
    return pieces.is_asked_with(text, tables, bot_name)


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
    """What a frame at the beginning of a message asks to keep, or one at its end, or both."""
    after = _after(text, bot_name)
    return (after and _before(after.thing, bot_name)) or after or _before(text, bot_name)


def _after(text: str, bot_name: str) -> _Wanted | None:
    """What follows a frame at the beginning of a message, or at the beginning of one of its clauses."""
    words = clauses.read(text[:_EDGE], bot_name)
    frame = clauses.opening(words)
    if frame is not None:
        return _told(text, words, frame) if frame.keeps else None
    for first in clauses.beginnings(words[:_CLAUSES]):
        frame = clauses.opening(words, first)
        if frame is not None and frame.keeps:
            # Further on it is one only if it is a clause of its own, and points at what follows.
            return _told(text, words, frame, is_later=True)
    return _introduced(text, words)


def _introduced(text: str, words: Sequence[clauses.Word]) -> _Wanted | None:
    """What follows a colon, before which somebody is to remember this."""
    colon = next(
        (at for at, word in enumerate(words) if word.text[0] == ":" and not text.startswith("//", word.end)), 0
    )
    first = max((at for at in range(colon) if words[at].cuts), default=-1) + 1
    kinds = {kind for word in words[first:colon] for kind in word.kinds}
    other = sum(not word.kinds for word in words[first:colon])
    keeps = Kind.KEEP in kinds or (Kind.AWAY in kinds and kinds & {Kind.PUT, Kind.FILE, Kind.YOU})
    if (
        not (colon and keeps)
        or Kind.POINT not in kinds
        or {Kind.TOLD, Kind.ME} <= kinds
        or other > _OTHERS
        or words[first].kinds & {Kind.I, Kind.WHAT}
    ):
        return None
    return _thing(text[words[colon].start + 1 :], is_introduced=True, is_many=Kind.MANY in kinds)


def _told(text: str, words: Sequence[clauses.Word], frame: clauses.Frame, *, is_later: bool = False) -> _Wanted | None:
    """What follows a frame, after a mark or joined to it."""
    place = clauses.following(words, frame.next)
    run = words[frame.next : place]
    if _is_recalling(text, frame) and _is_of(phrases.ENGLISH.reminiscence, text[frame.end : frame.end + _HEAD]):
        return None
    if is_later and not any(Kind.POINT in word.kinds for word in run):
        return _thing(text[words[frame.next].start :]) if _is_owned(words, frame.next) else None
    mark = words[place] if place < len(words) and words[place].text[0] in _INTRODUCING else None
    if mark is None or text.startswith("//", mark.end):
        return None if is_later or frame.verb in {Kind.HEADING, Kind.KNOW} else _along(text, words, frame, place)
    stop = mark.text[0]
    points = is_later or any(
        word.kinds & {Kind.POINT, Kind.MEMORY} and word.text not in request_words.IT for word in run
    )
    is_noted = frame.verb is Kind.KEEP and (stop == "," or "note" in text[frame.at : frame.end].casefold())
    if (stop == "?" and not frame.asks) or (stop in ".!," and not (points or is_noted or frame.verb is Kind.HEADING)):
        return None
    is_many = any(Kind.MANY in word.kinds for word in words[:place])
    return _thing(text[mark.start + 1 :].lstrip(".!? "), is_introduced=stop != ",", is_many=is_many)


def _along(text: str, words: Sequence[clauses.Word], frame: clauses.Frame, place: int) -> _Wanted | None:
    """What is joined to a frame, with "that" or without."""
    at, has_that = _joined(words, frame, place)
    if at is None:
        return None
    rest = text[at:]
    if frame.verb is Kind.FILE and not has_that:
        filed = clauses.filed(words, frame.next) if len(text) <= _EDGE else 0
        if filed:
            return _thing(text[words[frame.next].start : words[filed].start])
        is_written = text[: frame.end].casefold().endswith("down")
        if not (is_written and _tells(rest)) and not _is_owned(words, frame.next):
            return None
    if not has_that and _is_of(rf"{_ASKING}\b", rest):
        return None
    may_ask = frame.asks and _is_recalling(text, frame)
    if may_ask and not _tells(rest if has_that else text[frame.end :].lstrip()):
        return None
    return _thing(rest, is_asked=frame.asks)


def _tells(text: str) -> bool:
    """Whether a text begins with a statement: "the name is Bo", and not "the name of the dentist"."""
    return _is_of(phrases.ENGLISH.telling, text[:_HEAD])


def _is_recalling(text: str, frame: clauses.Frame) -> bool:
    """Whether its verb may also ask what is known."""
    return _RECALLING.search(text[frame.at : frame.end]) is not None


def _joined(words: Sequence[clauses.Word], frame: clauses.Frame, place: int) -> tuple[int | None, bool]:
    """Where what is joined to a frame begins, and whether "that" joins it."""
    first = next((word for word in words[frame.next : place] if not word.kinds & {Kind.SOFT, Kind.ME}), None)
    may_join = first is None or Kind.THAT in first.kinds or first.text.casefold() in request_words.UNTIL_THAT
    for number in range(frame.next, min(place + 1, len(words) - 1)) if may_join else ():
        word, after = words[number], words[number + 1]
        if Kind.THAT in word.kinds and not (after.is_mark or after.text.casefold() in request_words.IS):
            return after.start, True
    number = frame.next
    while number < len(words) and (
        words[number].text.casefold() in request_words.WITH or words[number].kinds == frozenset({Kind.SOFT})
    ):
        number += 1
    if number < len(words) and words[number].text.casefold() in request_words.OF:
        number += 1
    return (words[number].start, False) if number < len(words) else (None, False)


def _is_owned(words: Sequence[clauses.Word], first: int) -> bool:
    """Whether what is to be filed names what it is, and then says it: "my size, it's XL"."""
    if first >= len(words) or not words[first].kinds & {Kind.MY, Kind.THE}:
        return False
    if Kind.MY not in words[first].kinds:
        return any(word.text == ":" for word in words[first + 1 : first + 6])
    return any(word.text.casefold().replace("'", "") in request_words.SAID for word in words[first + 1 : first + 10])


def _before(text: str, bot_name: str) -> _Wanted | None:
    """What precedes a frame at the end of the message."""
    start = max(0, len(text) - _EDGE)
    words = clauses.read(text[start:], bot_name)
    frame = clauses.closing(words, asked=_is_question(words))
    if frame is None or not frame.keeps:
        return None
    thing = text[: start + frame.at].rstrip(" ,;:-\u2013\u2014")
    lead = patterns.compiled(
        rf"(?:(?:{phrases.ENGLISH.lead}|{phrases.ENGLISH.filler}|{_address(bot_name)})\b{_GAP}*){{1,6}}"
    ).match(thing)
    return _thing(thing[lead.end() if lead else 0 :])


def _is_question(words: Sequence[clauses.Word]) -> bool:
    """Whether the last mark asks, and not only for agreement: "remember that, ok?"."""
    marks = [number for number, word in enumerate(words) if word.cuts]
    if not marks or "?" not in words[marks[-1]].text or any(word.kinds for word in words[marks[-1] + 1 :]):
        return False
    return not (marks[-1] and Kind.SOFT in words[marks[-1] - 1].kinds)


def _headed(text: str, bot_name: str) -> listed.Listed | None:
    """The list under a line that asks to keep it, or above one: "can you keep these codes for me?"."""
    head, _, body = text.strip().partition("\n")
    if not body.strip():
        return None
    if len(head) <= _TAIL:
        words = clauses.read(head, bot_name)
        frame = clauses.opening(words)
        before = _before(head.rstrip(" :.!?-\u2013\u2014"), bot_name) if frame is None else None
        if before is not None or (frame is not None and frame.keeps and _may_list(words, frame)):
            return _under(head, body, words, frame, before)
    body, _, foot = text.rstrip().rpartition("\n")
    if len(foot) > _TAIL:
        return None
    words = clauses.read(f".\n{foot}", bot_name)
    frame = clauses.closing(words, asked=_is_question(words))
    if frame is None or not frame.keeps:
        return None
    lines = [line for line in body.splitlines() if line.strip()]
    found = listed.read(body, is_announced=all(len(line) < listed.HEADING and line[-1] not in ".?" for line in lines))
    return found if found.is_list else None


def _may_list(words: Sequence[clauses.Word], frame: clauses.Frame) -> bool:
    """Whether what stands under a frame may be meant: not under "write a poem:"."""
    after = words[frame.next :]
    if frame.verb is not Kind.FILE:
        return frame.verb is not Kind.KNOW
    return not after or after[0].text.casefold() not in {"a", "an", "some", "how", "what"}


def _under(
    head: str, body: str, words: Sequence[clauses.Word], frame: clauses.Frame | None, before: _Wanted | None
) -> listed.Listed | None:
    """The list under a line that asks to keep it."""
    body = body.rstrip()
    courtesy = rf"\n\s*(?:{phrases.ENGLISH.courtesy})[\s.!?]*$"
    body = body[:-_TAIL] + patterns.compiled(courtesy).sub("", body[-_TAIL:])
    called = before.thing if before else ""
    if frame is not None:
        left = words[frame.next :]
        first = clauses.following(left, 0)
        last = len(left)
        while last > first and (left[last - 1].is_mark or left[last - 1].kinds & {Kind.SOFT, Kind.AFTER, Kind.ME}):
            last -= 1
        called = head[left[first].start : left[last - 1].end] if last > first else ""
        if called and words[frame.next].text.casefold() in {"my", "our", "the"} and first:
            called = head[words[frame.next].start : left[last - 1].end]
    is_many = bool(called) or any(Kind.MANY in word.kinds for word in words)
    found = listed.read(body, is_announced=frame is not None and is_many)
    if not found.is_list or (frame and _is_of(phrases.ENGLISH.reminiscence, head[frame.end :])):
        return None
    return listed.Listed(things=found.things, heading=found.heading or called)


def _thing(rest: str, *, is_introduced: bool = False, is_asked: bool = False, is_many: bool = False) -> _Wanted | None:
    """The rest as the thing to keep: None when it is empty or when it asks for something besides."""
    language = phrases.ENGLISH
    courtesy = rf"(?:\s*[,.!?\n]\s*(?:{language.courtesy})|\s(?:ty|thx|thanks|pls|plz))[\s.!?]*$"
    thing = patterns.compiled(courtesy).sub("", rest.rstrip()[-_TAIL:])
    thing = (rest.rstrip()[:-_TAIL] + thing).strip()
    if is_asked:
        # The question mark belongs to the asking.
        asked, mark, rest = thing.partition("? ")
        thing = asked.rstrip("? ") if not (mark and asks_something(rest)) else thing
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


def _is_of(pattern: str, text: str) -> bool:
    return patterns.compiled(pattern).match(text) is not None


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
