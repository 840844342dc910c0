"""Recognises plain-language requests to remember, and questions about where the last session ended; pure.

The patterns are in `phrases`, one row for each language; requests in languages but English are read by `orders`.
"""

import functools
import itertools
import re
from collections.abc import Collection
from dataclasses import replace
from typing import Final

from bot.language.questions import picture_words
from bot.language.requests import clauses, closing, greeting_words, importance, kept_texts, orders, phrases
from bot.language.requests.request_words import WordKind
from bot.text import formulas, markdown, pasted_lists, patterns, sentences, stop_words

_HEAD: Final = 300
"""Characters after an imperative in which it is looked for where the thing begins."""
_POLITE: Final = 120
"""Characters in which a message greets before it says something."""
_PART: Final = re.compile(r"[.,;:!?\u2026\u2013\u2014](?=\s)|\n")
"""What ends a greeting, and what thanks stand behind."""
_ANNOUNCED: Final = (
    r"(?:(?:a|one|just a) )?(?:(?:quick|small|short|silly|dumb|stupid) )?(?:q|qq|question)(?: for you)?|quick one"
    r"|(?:thanks|thank you|thx) (?:in advance|for (?:the|your) help)"
)
"""What announces a question, and thanks for its answer."""
_TAIL: Final = 120
"""Characters of a line that asks to keep a list."""

_DASH: Final = "\u2013\u2014"
_GAP: Final = rf"[\s,.!:;{_DASH}-]"
_LISTED: Final = frozenset({WordKind.KEEP, WordKind.RECALL, WordKind.FILE, WordKind.HEADING})
"""Verbs under which a list is kept."""
_INTRODUCING: Final = ":,.!?\n\u2013\u2014-\u2026"
_ANNOUNCING: Final = ":?"
"""How a line ends that says what stands below it."""
_SOFT: Final = frozenset({WordKind.SOFT})
_REMARK: Final = 8
"""Words and marks of a remark before a request."""
_LED: Final = frozenset({WordKind.I, WordKind.NOT, WordKind.YOU})
"""What makes it no order there: `we remember that …`."""
_FILED: Final = clauses.FOLLOWING | {WordKind.ASK, WordKind.YOU}
"""Where something is put, at the end: `to your notes, please`."""
_IS: Final = frozenset({WordKind.IS})
_WORD: Final = re.compile(r"#?\w+(?:['.\-/]\w+)*")
_QUOTED: Final = re.compile(r"\s{1,20}(?=[{\[\"'\u201c\u201e\u00ab\u2018])")
"""Where a quotation, an object or a list begins behind a word."""


def asked_to_remember(text: str, bot_name: str = "Hathi") -> str | None:
    """The thing to keep, verbatim, when the message as a whole asks to remember it; else None.

    Asked as an order ("remember that …"), politely ("could you note that …?"), as a wish ("I want you to …") or by a
    heading ("note to self: …"). The reply to such a message is the confirmation alone, so a message that also wants
    something else ("remember that I am vegan. What can I cook?") is None and goes the way of every other question.
    After a colon anything may be kept, questions too, unless the message ends on a request of its own. A question
    ("can you remember Ann's number?"), a negation and a shared memory ("remember when we …") are None, and so is a
    request with nothing to keep. "My code is 4417, please remember that" keeps what comes before.
    """
    found = things_to_remember(text, bot_name)
    return found.text or None if found else None


def things_asked_for(text: str) -> tuple[str, ...]:
    """What a message as a whole asks to remember, or else what single sentences of it do, verbatim and in order."""
    whole = asked_to_remember(text)
    each = [whole] if whole else map(asked_to_remember, sentences.split(text))
    return tuple(filter(None, each))


def beside_things_asked_for(text: str) -> str:
    """A message without the sentences that ask to remember something; as it is where there are none, or no others."""
    said = [*sentences.split(text)]
    asking = [sentence for sentence in said if asked_to_remember(sentence)]
    if not 0 < len(asking) < len(said) or asked_to_remember(text):
        return text
    rest, at = list[str](), 0
    for sentence in asking:
        start = text.index(sentence, at)
        rest.append(text[at:start])
        at = start + len(sentence)
    return "".join([*rest, text[at:]]).strip()


@functools.lru_cache(maxsize=256)
def things_to_remember(text: str, bot_name: str = "Hathi") -> pasted_lists.Listed | None:
    """The same as one thing, or as the lines of a pasted list, each a thing of its own; else None.

    Without a thing where something is announced and nothing follows: "remember these:". Known of the last texts: a turn
    asks it of each sentence more than once.
    """
    return kept(clauses.read(text, bot_name))


def without_request(text: str) -> str:
    """What a message tells that as a whole asks to keep it, without the asking; any other message as it is."""
    found = things_to_remember(text)
    return found.text if found and found.text else text


def kept(said: clauses.Clauses, names: Collection[str] = ()) -> pasted_lists.Listed | None:
    """The same of a message that was read, with the importance it is asked to be kept with, if any.

    What these names hold of people is none.
    """
    weighed, headed = importance.taken_out(said.text, names), importance.heading(said.text, names)
    for told in filter(None, (weighed, headed)):
        found = _kept(replace(clauses.read(told[0], said.bot_name), is_weighed=True))
        if found is not None:
            return replace(found, importance=told[1])
    return _kept(said) if headed is None else replace(pasted_lists.read(headed[0]), importance=headed[1])


@functools.lru_cache(maxsize=64)
def _kept(said: clauses.Clauses) -> pasted_lists.Listed | None:
    """What is between a frame at the beginning and one at the end; known of the last messages."""
    found = _under(said)
    if found is not None:
        return found
    start, thing = _opened(said)
    start = start if thing else 0
    frame = clauses.closing([word for word in said.words if word.start >= start]) if start else said.closing
    lead = _unled(markdown.with_its_marks(said.text, start, frame.at), said.bot_name) if frame and frame.keeps else ""
    before = kept_texts.thing(lead, phrases.ENGLISH) if frame and frame.keeps else None
    if frame is not None and before is not None:
        return _above(said.text, frame.end) or pasted_lists.read(before)
    if thing:
        is_many = any(word.does(WordKind.MANY) for word in said.words if word.end <= start)
        return pasted_lists.read(thing, is_announced=is_many)
    return pasted_lists.Listed(things=()) if _is_missing(said) else orders.kept(said.text, said.bot_name)


def only_points(text: str, bot_name: str = "Hathi") -> bool:
    """Whether a message asks to keep what it only points at: "remember this thread", "save what Ann wrote"."""
    said = clauses.read(text, bot_name)
    frame = said.opening
    if frame is None or not frame.keeps or frame.verb is WordKind.KNOW or frame.asks:
        return False
    thing = kept_texts.without_courtesy(text.strip()[frame.end :], phrases.ENGLISH)
    return kept_texts.only_points(thing.strip(), phrases.ENGLISH)


def asks_to_be_reminded(text: str) -> bool:
    """Whether a message begins as one to whoever has an alarm clock: "remind me tomorrow to call Beth"."""
    frame = clauses.read(text).opening
    return frame.verb is WordKind.REMIND if frame is not None else orders.asks_to_be_reminded(text)


def asks_for_alarm(text: str) -> bool:
    """Whether a message as a whole asks for an alarm clock: "can you set a reminder for six?"."""
    plain = kept_texts.ends(text)
    return any(patterns.compiled(language.alarm).fullmatch(plain) for language in phrases.LANGUAGES)


def asks_where_left_off(text: str) -> bool:
    """Whether the message asks to go on from the last session: "where did we leave off?", "catch me up"."""
    plain = kept_texts.ends(text)
    return any(patterns.compiled(language.left_off).search(plain) for language in phrases.LANGUAGES)


def names_last_session(text: str) -> bool:
    """Whether a question where it was left off names the last session: "what did we decide last time?"."""
    return any(patterns.compiled(language.last_session).search(kept_texts.ends(text)) for language in phrases.LANGUAGES)


def asks_of_picture(text: str, *, has_one: bool, bot_name: str = "Hathi") -> bool:
    """Whether the message as a whole asks what a picture shows: "what is in this picture?".

    Where it came with one or points at one, "what is this?" does, and a message without a word.
    """
    if has_one and not formulas.unmarked(text).strip():
        return True
    tables = (
        (f"{each.asking}|{each.pointing}" if has_one else each.asking, each.beside) for each in picture_words.LANGUAGES
    )
    return formulas.is_asked_with(text, tables, bot_name)


def asks_something(text: str) -> bool:
    """Whether any sentence of a text wants an answer or something done."""
    return any(kept_texts.asks(text, language) for language in (*phrases.LANGUAGES, *orders.LANGUAGES))


def search_words(text: str) -> str:
    """The content words of a question, in order and in their case, without the words that only ask.

    When every content word is one of asking ("what was the decision?"), those are given: it is empty only for a text
    that has no content word at all.
    """
    straight = text.translate(patterns.STRAIGHT_QUOTES)
    bare = straight
    for language in phrases.LANGUAGES:
        bare = patterns.compiled(language.cue_phrases).sub(" ", bare)
    return _without(bare, stop_words.ASKING | stop_words.FUNCTION) or _without(straight, stop_words.FUNCTION)


def without_pleasantries(text: str, bot_name: str = "Hathi") -> str:
    """A message without the greetings and thanks around what it says; the whole one where it consists of them.

    "morning! what did we decide? thx": what is only polite is nothing that anybody looks for.
    """
    parts = [part.end() for part in _PART.finditer(text)]
    begin = max((at for at in parts if at <= _POLITE and _is_polite(text[:at], bot_name)), default=0)
    behind = (at for at in parts if begin < at and len(text) - at <= _POLITE and _is_polite(text[at:], bot_name))
    return text[begin : min(behind, default=len(text))].strip() or text


def _is_polite(text: str, bot_name: str) -> bool:
    return formulas.is_made_of(text, _pleasantries(), bot_name)


@functools.cache
def _pleasantries() -> formulas.Tables:
    greetings = ((f"{each.greeting}|{_ANNOUNCED}", each.beside) for each in greeting_words.LANGUAGES)
    return (*greetings, *closing.tables())


def _opened(said: clauses.Clauses) -> tuple[int, str | None]:
    """Where what follows a frame begins, and what it is; a frame further on has to point at what follows it."""
    words, text = said.words, said.text
    first = said.opening
    frame = first or next((frame for frame in said.later if frame.keeps), None)
    if frame is None or not frame.keeps:
        return 0, None
    place = clauses.following(words, frame.next)
    run = words[frame.next : place]
    is_beside = first is None and _is_beside(said, frame)
    is_over = first is None and not is_beside and not any(word.does(WordKind.POINT) for word in run)
    is_memory = frame.verb is WordKind.RECALL and _is_of(
        phrases.ENGLISH.reminiscence, text[frame.end : frame.end + _HEAD]
    )
    if is_over or is_memory:
        return 0, None
    mark = words[place] if place < len(words) and words[place].is_mark else None
    if mark is not None and mark.text[0] in _INTRODUCING and not text.startswith("//", mark.end):
        points = any(word.does(WordKind.POINT, WordKind.MEMORY) and not word.does(WordKind.IT) for word in run)
        return _marked(text, frame, mark, points=points or first is None)
    is_alone = first is not None and frame.verb is not WordKind.HEADING
    return _along(said, frame, place) if is_alone or is_beside else (0, None)


def _is_beside(said: clauses.Clauses, frame: clauses.Frame) -> bool:
    """Whether a frame stands behind a brief remark, and tells what to keep: "I'm back, remember that I host"."""
    words = said.words
    before = [word for word in words if word.end <= frame.at]
    is_remark = 0 < len(before) <= _REMARK and before[-1].cuts and "?" not in before[-1].text
    if not is_remark or any(word.does(WordKind.CONDITION) for word in before) or frame.lead & _LED:
        return False
    # "Do not, under any circumstances, note that …": what is put in behind a denial is no remark.
    if any(word.does(WordKind.NOT) and mark.cuts for word, mark in itertools.pairwise(before)):
        return False
    after = frame.next + words[frame.next].does(WordKind.THAT)
    is_kept = frame.verb in {WordKind.KEEP, WordKind.RECALL} or after > frame.next
    return is_kept and frame.verb in _LISTED and after < len(words) and _tells(said.text[words[after].start :])


def _is_called(word: clauses.ClauseWord, bot_name: str) -> bool:
    """Whether a word only calls whoever listens."""
    return word.kinds == _SOFT and word.text.casefold() == bot_name.casefold()


def _marked(text: str, frame: clauses.Frame, mark: clauses.ClauseWord, *, points: bool) -> tuple[int, str | None]:
    """What stands behind a mark: it may hold questions, unless the mark is a mere comma."""
    stop, start = mark.text[0], mark.end - len(mark.text.lstrip(mark.text[0]))
    points = (
        points or frame.verb in {WordKind.HEADING, WordKind.KEEP} or (frame.verb is WordKind.RECALL and stop == ",")
    )
    if (stop == "?" and not frame.asks) or (stop in ".!," and not points):
        return 0, None
    if frame.verb is WordKind.REMIND and stop not in ":\n":
        return 0, None
    return start, kept_texts.thing(
        text[start:], phrases.ENGLISH, is_introduced=stop not in ",.!" and frame.verb is not WordKind.REMIND
    )


def _along(said: clauses.Clauses, frame: clauses.Frame, place: int) -> tuple[int, str | None]:
    """What is joined to a frame, with "that" or without."""
    words, first = said.words, frame.next
    joints = (at for at in range(first, min(place, len(words) - 1)) if words[at].does(WordKind.THAT))
    start = next((at + 1 for at in joints if not words[at + 1].passes(_IS)), 0)
    has_that, end, is_filed = start > 0, len(words), False
    if not has_that:
        into = range(max(first + 1, clauses.tail(words, _FILED)), len(words) if frame.verb is WordKind.FILE else 0)
        put = next((at for at in into if words[at].does(WordKind.INTO)), end)
        is_filed = any(word.does(WordKind.MEMORY) for word in words[put:])
        start, end = first, put if is_filed else end
        while start < end and (words[start].does(WordKind.WITH) or _is_called(words[start], said.bot_name)):
            start += 1
        start += start < end and words[start].does(WordKind.TO)
    if start >= end or not (has_that or not words[start].does(WordKind.ONE_THING, WordKind.WHAT)):
        return 0, None
    tells = _tells(said.text[words[start].start if has_that else words[first].start :])
    match frame.verb:
        case WordKind.KNOW:
            is_meant = (has_that or tells) and not frame.asks and WordKind.I not in frame.lead
        case WordKind.REMIND:
            is_meant = tells
        case WordKind.RECALL:
            is_meant = tells or not frame.asks
        case WordKind.FILE:
            is_told = _is_owned(words[first : first + 10]) or (tells and words[first - 1].does(WordKind.DOWN))
            is_meant = has_that or is_filed or is_told or said.is_weighed
        case _:
            is_meant = True
    # What is quoted or written for machines is no words of the request.
    is_led = words[start].does(WordKind.THAT, WordKind.POINT) and _QUOTED.match(said.text, words[start].end)
    begin = is_led.end() if is_led else words[start].start
    rest = markdown.with_its_marks(said.text, begin, words[end].start if is_filed else len(said.text))
    return (words[start].start, kept_texts.thing(rest, phrases.ENGLISH, is_asked=frame.asks)) if is_meant else (0, None)


def _is_owned(words: clauses.Words) -> bool:
    """Whether what is to be filed names what it is, and then says it: "my size, it's XL"."""
    is_mine = words[0].does(WordKind.MY)
    return (is_mine or words[0].does(WordKind.THE)) and any(
        word.text in {":", "="} or (is_mine and word.does(WordKind.SAYS)) for word in words[1:]
    )


def _tells(text: str) -> bool:
    """Whether a text begins with a statement: "the name is Bo", and not "the name of the dentist"."""
    return _is_of(phrases.ENGLISH.telling, text[:_HEAD])


def _is_missing(said: clauses.Clauses) -> bool:
    """Whether something is announced, and nothing follows."""
    frame = said.opening
    rest = said.words[frame.next :] if frame and frame.keeps else ()
    if rest and only_points(said.text, said.bot_name):
        return True
    return any(":" in word.text or word.does(WordKind.AHEAD) for word in rest) and clauses.are(rest, clauses.FOLLOWING)


def _under(said: clauses.Clauses) -> pasted_lists.Listed | None:
    """The list under a line that asks to keep it, and says what it is: "can you keep these codes for me?"."""
    head, _, body = said.text.partition("\n")
    if not body or len(head) > _TAIL:
        return None
    words = [word for word in said.words if word.end <= len(head)]
    frame = clauses.opening(words) or clauses.closing(words)
    if frame is None or frame.verb not in _LISTED:
        return None
    left = words[frame.next :]
    if frame.points:
        left = [word for word in words if word.end <= frame.at]
    elif not (left and left[0].does(WordKind.MY)):
        left = left[clauses.following(left, 0) :]
    left = left[: clauses.tail(left, frozenset({WordKind.SOFT, WordKind.AFTER, WordKind.ME}))]
    called = head[left[0].start : left[-1].end].strip(f" ,{_DASH}-") if left else ""
    if ":" in called or _is_of(phrases.ENGLISH.reminiscence, head[frame.end :]):
        return None
    body = kept_texts.without_courtesy(body, phrases.ENGLISH)
    is_many = any(word.does(WordKind.MANY) for word in words)
    found = pasted_lists.read(body, is_announced=not frame.points and (bool(called) or is_many))
    if found.is_list and called and not (frame.points or is_many or head.rstrip()[-1] in _ANNOUNCING):
        start = next(word.start for word in words[frame.next :] if not word.does(WordKind.THAT))
        first, text = head[start:].strip(), kept_texts.without_courtesy(said.text[start:], phrases.ENGLISH)
        if not pasted_lists.read(body).is_list:
            # Without bullets no line is a thing by itself.
            return pasted_lists.Listed(things=(text,), text=text)
        if _tells(first):
            return replace(found, things=(first, *found.things), text=text)
    return replace(found, heading=found.heading or called) if found.is_list else None


def _above(text: str, end: int) -> pasted_lists.Listed | None:
    """The list above the line that ends there."""
    body = text[: max(0, text.rfind("\n", 0, end))]
    lines = [line for line in body.splitlines() if line.strip()]
    found = pasted_lists.read(
        body, is_announced=all(len(line) < pasted_lists.HEADING and line[-1] not in ".?" for line in lines)
    )
    return found if found.is_list else None


def _unled(text: str, bot_name: str) -> str:
    """What is kept without what only leads up to it: "just so you know, …"."""
    address = rf"(?:@?{re.escape(bot_name)}\b|<@!?\d+>)"
    lead = rf"(?:(?:{phrases.ENGLISH.lead}|{phrases.ENGLISH.filler}|{address})\b{_GAP}*){{1,6}}"
    found = patterns.compiled(lead).match(text)
    return text[found.end() if found else 0 :].rstrip(f" ,;:{_DASH}-")


def _is_of(pattern: str, text: str) -> bool:
    return patterns.compiled(pattern).match(text) is not None


def _without(text: str, dropped: frozenset[str]) -> str:
    words = (word.removesuffix("'s") for word in _WORD.findall(text))
    return " ".join(word for word in words if word and word.lower() not in dropped)
