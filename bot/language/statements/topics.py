"""Finds the noun phrases of a text, and which of them says best what it is about; by rules, without a model; pure.

Small words, verbs and what stands beside a word tell nouns from the rest. English is read with care; of German the
capitals tell the nouns, of French and Spanish the articles.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from bot.domain import Mentions
from bot.language.past.generic_words import GENERIC, HONORIFICS
from bot.language.statements import topic_words as words
from bot.text import markdown, normalize, patterns, stop_words

MOST_PHRASES: Final = 5
MOST_ENTITIES: Final = 8
GENERAL: Final = "general"
"""The topic of a text that names nothing."""
_MOST_TOKENS: Final = 120
"""Words and marks that are read: what a text is about stands at its beginning."""
_LONGEST_WRITTEN: Final = 250
"""Characters without a blank that are read."""
_PHRASE_WORDS: Final = 3
_LONGEST_PHRASE: Final = 64
_TOKEN: Final = re.compile(
    r"(?P<link>\w+://\S{1,200}|\S{0,60}@\S{1,60}|[^\W\d]\w{1,40}(?:\.\w{2,40}){1,8})"
    r"|(?P<number>[£$€]?\d+(?:[.,:/%-]?\w+){0,8})|(?P<word>[^\W\d_](?:[\w]|['\u2019&-](?=\w)){0,60}(?:(?<=s)['\u2019](?!\w))?)|(?P<mark>[^\s\w])"
)
_WORD: Final = re.compile(r"\w+")
_TELLING: Final = re.compile(r"\w[\w']*")
_TITLES: Final = HONORIFICS - {"the"}
_SMALL: Final = (
    frozenset({GENERAL, "misc", "miscellaneous", "other", "none", "null", "unknown", "topic"})
    | stop_words.FUNCTION
    | words.DETERMINERS
    | words.PREPOSITIONS
    | words.JOINING
    | words.PRONOUNS
    | words.AUXILIARIES
)
"""Words that say nothing of what something is about."""
_REPORTED: Final = re.compile(r"\A[\w.' -]{1,40}\b(?:said|says|wrote|asked)(?:,? that\b|[:,]? [\"\u201c])")


class _Part(Enum):
    """What a word does in its sentence."""

    STOP = auto()
    """The end of a clause."""
    GAP = auto()
    """Nothing that a phrase is made of."""
    POINTER = auto()
    """A determiner."""
    BEFORE = auto()
    """A preposition."""
    PRONOUN = auto()
    VERB = auto()
    TIME = auto()
    NUMBER = auto()
    OWNER = auto()
    """`Anna's`"""
    QUALITY = auto()
    NOUN = auto()
    NAME = auto()


_NOMINAL: Final = frozenset({_Part.NOUN, _Part.NAME})
_LEADS: Final = frozenset({_Part.POINTER, _Part.QUALITY, _Part.OWNER, _Part.NUMBER})
"""What a noun follows."""


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    plain: str
    """In small letters, with straight apostrophes."""
    part: _Part


@dataclass(frozen=True, slots=True, kw_only=True)
class _Phrase:
    """One noun phrase."""

    text: str
    is_name: bool
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Filing:
    """What a text is about."""

    topic: str = GENERAL
    """Its most telling noun phrase, in small letters."""
    key_phrases: tuple[str, ...] = ()
    """The most telling ones, that first."""
    entities: tuple[str, ...] = ()
    """Those it names: people, places, products, as they are written."""


def about(text: str, mentioned: Mentions | None = None) -> Filing:
    """What a text is about; `mentioned` are people by the names that stand in it behind an @.

    What is hidden in it is no topic: that is told beside it.
    """
    text = markdown.without_spoilers(text)
    tokens = list(_read(_REPORTED.sub("", text[: normalize.MAX_LENGTH], count=1)))
    language = _language(tokens)
    # Who writes no capitals, or no articles, leaves none to tell nouns by.
    abroad = [*_abroad(tokens, language)] if language else []
    phrases = abroad or [*_phrases(_without_small(tokens, language))]
    best = sorted(phrases, key=lambda phrase: -phrase.weight)
    telling = tuple(dict.fromkeys(normalize.label(phrase.text, GENERAL) for phrase in best))
    people = [name for name in mentioned or () if f"@{name}" in text]
    names = dict.fromkeys([*people, *(phrase.text for phrase in phrases if phrase.is_name)])
    return Filing(
        topic=telling[0] if telling else GENERAL,
        key_phrases=telling[:MOST_PHRASES],
        entities=tuple(names)[:MOST_ENTITIES],
    )


def found_in(phrases: Iterable[str], texts: Iterable[str], most: int) -> tuple[str, ...]:
    """Those of the phrases that are made of the texts' own words: a model must not have it found by others."""
    said = {word for text in texts for word in _WORD.findall(text.lower())}
    named = [normalize.one_line(phrase, _LONGEST_PHRASE) for phrase in phrases]
    told = [phrase for phrase in named if (words := _WORD.findall(phrase.lower())) and said.issuperset(words)]
    return tuple(dict.fromkeys(told))[:most]


def topic_of(text: str) -> str:
    """A topic for a fact that was given none: its most telling noun phrase, `general` when it has none."""
    return about(text).topic


def tells(topic: str) -> bool:
    """Whether a topic says what something is about: in more than small words, and not that it is of any subject."""
    said = topic.lower().translate(patterns.STRAIGHT_QUOTES).replace("_", " ")
    return any(word not in _SMALL for word in _TELLING.findall(said))


def says_something(text: str) -> bool:
    """Whether a text is more than sounds people make while they think."""
    said = _TELLING.findall(text[: normalize.MAX_LENGTH].lower())
    return any(word not in words.INTERJECTIONS for word in said) or (not said and not text.isascii())


def topic_given(topic: str, text: str) -> str:
    """The topic a model gave a text, where it tells anything; else that of the text."""
    given = normalize.label(topic, GENERAL)
    return given if tells(given) else topic_of(text)


def topic_after(topic: str, old: str, new: str) -> str:
    """The topic of a memory that is worded anew: by its new words where it has one of the old that is gone.

    Else what it was.
    """
    gone = {*_WORD.findall(old.lower())} - {*_WORD.findall(new.lower())}
    return topic if gone.isdisjoint(_WORD.findall(topic.lower())) else topic_of(new)


def _read(text: str) -> Iterator[_Token]:
    """The words and marks of a text, each with what it does there as far as it tells by itself."""
    found = [*itertools.islice(_matches(text), _MOST_TOKENS)]
    tokens = [_Token(m[0], m[0].lower().translate(patterns.STRAIGHT_QUOTES), _alone(m)) for m in found]
    tokens = [token for at, token in enumerate(tokens) if token.text != "." or tokens[at - 1].plain not in _TITLES]
    for at, token in enumerate(tokens):
        part = _beside(tokens, at) if token.part in {_Part.NOUN, _Part.TIME} else token.part
        tokens[at] = _Token(token.text, token.plain, part)
    return iter(tokens)


def _matches(text: str) -> Iterator[re.Match[str]]:
    for written in text.split(maxsplit=_MOST_TOKENS)[:_MOST_TOKENS]:
        yield from _TOKEN.finditer(written[:_LONGEST_WRITTEN])


def _alone(match: re.Match[str]) -> _Part:
    """What a token does wherever it stands; a noun where that depends."""
    if match["number"]:
        return _Part.NUMBER
    if match["mark"]:
        return _Part.GAP if match[0] in "*_#~`" else _Part.STOP
    word = match[0].lower().translate(patterns.STRAIGHT_QUOTES)
    by_table = (part for part, table in _TABLES if word in table)
    by_form = (part for part, form in _FORMS if form.search(word))
    return next(by_table, None) or next(by_form, _Part.NOUN)


_TABLES: Final = (
    (_Part.VERB, words.AUXILIARIES),
    (_Part.POINTER, words.DETERMINERS),
    (_Part.TIME, words.TIMES),
    (_Part.NUMBER, words.COUNTS),
    (_Part.BEFORE, words.PREPOSITIONS),
    (_Part.STOP, words.JOINING),
    (_Part.PRONOUN, words.PRONOUNS),
    (_Part.GAP, words.ASIDES | words.INTERJECTIONS | words.FOREIGN_ALONE),
    (_Part.QUALITY, words.ADJECTIVES),
)


_FORMS: Final = (
    # Links, codes, keys and single letters are nobody's subject.
    (_Part.GAP, re.compile(r"[\d.@/]|\A.\Z|.{31}")),
    (_Part.VERB, re.compile(r"n't\Z|'(?:ll|ve|re|m|d)\Z|\A(?:he|she|it|there|here|what|who|that|let)'s\Z")),
    (_Part.GAP, re.compile(r".{4}ly\Z")),
    (_Part.OWNER, re.compile(r"'s\Z|s'\Z")),
)


def _beside(tokens: Sequence[_Token], at: int) -> _Part:
    """Whether a word that may be a noun is one, by what stands beside it."""
    token, word = tokens[at], tokens[at].plain
    before = tokens[at - 1].part if at else _Part.STOP
    after = tokens[at + 1] if at + 1 < len(tokens) else _Token("", "", _Part.STOP)
    if token.part is _Part.TIME:
        leads = word in words.KEPT_TIMES and after.part is _Part.NOUN and after.plain not in words.THIRDS
        leads = leads and before is not _Part.NUMBER and tokens[at - 1].plain not in _THESE
        return _Part.NOUN if leads else _Part.TIME
    if before is _Part.GAP and at > 1 and tokens[at - 2].part is _Part.PRONOUN:
        before = _Part.PRONOUN
    acts_alone = _may_act(word) and word not in words.NOUN_VERBS
    is_with = before is _Part.BEFORE and tokens[at - 1].plain != "to" and not _is_gerund(word) and not acts_alone
    if _is_led(tokens, at, before) or is_with:
        return _Part.NAME if _is_name(tokens, at) else _Part.NOUN
    if _acts(tokens, at, before, after):
        return _Part.VERB
    return _Part.NAME if _is_name(tokens, at) else _Part.NOUN


_THESE: Final = frozenset({"this", "that", "every", "each", "one", "other"})


def _is_led(tokens: Sequence[_Token], at: int, before: _Part) -> bool:
    """Whether a determiner, a quality or a number makes a noun of the word behind it."""
    word, lead = tokens[at].plain, tokens[at - 1].plain
    if before is _Part.POINTER:
        return not (lead in {"all", "both", "each", "that", "what", "which"} and (_is_gerund(word) or _may_act(word)))
    if before is _Part.NUMBER:
        return not (word in words.THIRDS and at > 1 and tokens[at - 2].plain in words.NUMBERED)
    return before in _LEADS


def _acts(tokens: Sequence[_Token], at: int, before: _Part, after: _Token) -> bool:
    """Whether a word that no pointer or quality leads is a verb."""
    word = tokens[at].plain
    if _is_gerund(word) or (word in words.NOUNS_IN_ING and before is _Part.VERB):
        is_first = before in {_Part.STOP, _Part.GAP, _Part.VERB, _Part.PRONOUN, _Part.BEFORE}
        heads = at + 2 < len(tokens) and after.part is _Part.NOUN and _may_act(tokens[at + 2].plain)
        return is_first and not heads and after.part is not _Part.VERB
    if not _may_act(word):
        is_past = word.endswith("ed") and before in _NOMINAL | {_Part.PRONOUN} and after.part not in _NOMINAL
        is_order = after.part is _Part.POINTER and (before is _Part.PRONOUN or _is_first(tokens, at))
        is_third = word.endswith("s") and any(one.plain in words.THIRD_PERSONS for one in tokens[max(0, at - 2) : at])
        return is_past or is_order or (is_third and before is _Part.PRONOUN)
    is_placed = before in _PLACING or _is_first(tokens, at)
    if is_placed and word in words.THIRDS and after.plain in words.PLURALS and after.part is not _Part.BEFORE:
        return False
    return word not in words.NOUN_VERBS or _acts_here(tokens, at, before, after)


_PLACING: Final = frozenset({_Part.BEFORE, _Part.TIME})


def _is_first(tokens: Sequence[_Token], at: int) -> bool:
    """Whether a word begins its clause, at most behind one that tells nothing: "never prune the roses"."""
    before = [token.part for token in tokens[max(0, at - 2) : at]]
    return not before or before[-1] is _Part.STOP or before in ([_Part.GAP], [_Part.STOP, _Part.GAP])


def _acts_here(tokens: Sequence[_Token], at: int, before: _Part, after: _Token) -> bool:
    """Whether a word that is as often a noun is a verb: one keeps, several keep."""
    lead = tokens[at - 1].plain
    if before is _Part.VERB and lead not in words.AUXILIARIES and after.part is _Part.NOUN:
        return False
    if before in {_Part.PRONOUN, _Part.VERB, _Part.BEFORE}:
        return lead not in {"is", "are", "was", "were", "be", "has", "have", "had", "got"}
    if before in _NOMINAL | {_Part.TIME}:
        is_plural = before is _Part.NOUN and lead.endswith("s") and lead not in words.PLURAL_SINGULARS
        agrees = is_plural != (tokens[at].plain in words.THIRDS)
        ends = after.part is _Part.STOP and tokens[at].plain not in words.MISHAPS
        return agrees and not ends and after.part is not _Part.VERB
    is_order = before in {_Part.STOP, _Part.GAP} and after.part is _Part.BEFORE
    return is_order or after.part in {_Part.POINTER, _Part.PRONOUN}


def _may_act(word: str) -> bool:
    return word in words.BASES or word in words.THIRDS or word in words.PASTS or word in words.AUXILIARIES


def _is_gerund(word: str) -> bool:
    return word.endswith("ing") and word not in words.NOUNS_IN_ING and word not in words.BASES


def _is_name(tokens: Sequence[_Token], at: int) -> bool:
    """Whether a word is written as a name; the first of a sentence only where it acts like one."""
    text = tokens[at].text
    if not text[0].isupper():
        return False
    before = tokens[at - 1] if at else None
    if before is not None and before.part is not _Part.STOP and before.plain not in _TITLES:
        return not text.isupper() or tokens[at].plain not in GENERIC
    if tokens[at].plain in GENERIC or _may_act(tokens[at].plain):
        return False
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if after is None or tokens[at].plain.endswith("s"):
        return after is not None and after.text[:1].isupper()
    is_doing = after.plain in words.THIRDS | words.PASTS and after.plain not in words.AUXILIARIES
    return is_doing or after.text[:1].isupper()


def _phrases(tokens: Sequence[_Token]) -> Iterator[_Phrase]:
    """The noun phrases, each with how much it tells."""
    clause, has_verb, lead, run = 0, False, _Part.STOP, list[_Token]()
    clauses = _clauses_with_verbs(tokens)
    is_first = True
    for at, token in enumerate([*tokens, _Token("", "", _Part.STOP)]):
        if token.part in _NOMINAL | {_Part.QUALITY, _Part.OWNER}:
            run.append(token)
            continue
        if token.part is _Part.NUMBER and token.text[0].isdigit() and run and run[-1].plain in words.NUMBERED:
            run.append(token)
        elif token.plain in words.KEPT_TIMES and run and run[-1].part in {_Part.OWNER, _Part.NOUN}:
            run.append(_Token(token.text, token.plain, _Part.NOUN))
            continue
        phrase = _phrase(run)
        if phrase:
            weight = _weight(phrase, lead, clause, has_verb=has_verb, is_alone=clause not in clauses)
            weight -= 2.5 * (token.plain in words.SAYING)
            yield _Phrase(text=_said(phrase), is_name=phrase[-1].part is _Part.NAME, weight=weight + 1.0 * is_first)
            is_first = False
        run = []
        lead = token.part if token.part in _LEADING else lead if token.part is _Part.NUMBER else _Part.GAP
        if token.part is _Part.POINTER and at and tokens[at - 1].part is _Part.BEFORE:
            lead = _Part.BEFORE
        has_verb = has_verb or token.part is _Part.VERB
        if token.part is _Part.STOP and at and tokens[at - 1].part is not _Part.STOP:
            clause, has_verb = clause + 1, False


_LEADING: Final = frozenset({_Part.POINTER, _Part.BEFORE, _Part.VERB})


def _clauses_with_verbs(tokens: Sequence[_Token]) -> set[int]:
    clause, found = 0, set[int]()
    for at, token in enumerate(tokens):
        clause += token.part is _Part.STOP and at > 0 and tokens[at - 1].part is not _Part.STOP
        if token.part is _Part.VERB:
            found.add(clause)
    return found


def _phrase(run: Sequence[_Token]) -> list[_Token]:
    """The last words of a run that ends on a noun: whose it is, and at most two words of which."""
    end = len(run)
    while end and run[end - 1].part in {_Part.QUALITY, _Part.OWNER}:
        end -= 1
    if not end:
        return []
    first = max(0, end - _PHRASE_WORDS)
    owners = [at for at in range(first, end) if run[at].part is _Part.OWNER]
    return [*run[owners[-1] if owners else first : end]]


def _said(phrase: Sequence[_Token]) -> str:
    text = " ".join(token.text for token in phrase)
    return text.translate(patterns.STRAIGHT_QUOTES)


def _weight(phrase: Sequence[_Token], lead: _Part, clause: int, *, has_verb: bool, is_alone: bool) -> float:
    """How much a phrase tells: what is told of more than what is done with, that more than where."""
    head = phrase[-1]
    if lead is _Part.BEFORE:
        weight = 0.5
    elif has_verb:
        weight = 2.0
    else:
        weight = 1.5 if is_alone else 3.0
    names = sum(token.part is _Part.NAME for token in phrase)
    weight += 1.0 * (len(phrase) > 1) - 0.6 * min(clause, 2)
    if names == len(phrase):
        weight -= 2.5 if names == 1 or phrase[0].plain in _TITLES else 1.2
    return weight - 2.5 * (head.plain in words.DULL and len(phrase) == 1)


def _language(tokens: Sequence[_Token]) -> str:
    """The language a text is in where that is not English; empty where it is."""
    said = [token.plain for token in tokens]
    english = sum(word in words.ENGLISH_ALONE for word in said)
    found = {name: sum(word in table for word in said) for name, table in words.FOREIGN.items()}
    best = max(found, key=lambda name: found[name])
    is_sure = found[best] >= 2 or not words.FOREIGN_ALONE.isdisjoint(said)
    return best if is_sure and found[best] > english else ""


def _abroad(tokens: Sequence[_Token], language: str) -> Iterator[_Phrase]:
    """Noun phrases of another language: capitals tell those of German, articles the others."""
    small = words.FOREIGN[language]
    articles = words.ARTICLES.get(language, frozenset())
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else None
        if token.plain in small or token.part in {_Part.STOP, _Part.NUMBER} or len(token.plain) < 3:
            continue
        is_noun = token.text[0].isupper() if not articles else before is not None and before.plain in articles
        if is_noun and token.part is not _Part.TIME:
            yield _Phrase(text=_linked(tokens, at, articles), is_name=False, weight=3.0 - 0.1 * at)


def _without_small(tokens: Sequence[_Token], language: str) -> list[_Token]:
    """The tokens, with the small words of that language as nothing that a phrase is made of."""
    small = words.FOREIGN.get(language, frozenset())
    return [_Token(one.text, one.plain, _Part.GAP) if one.plain in small else one for one in tokens]


def _linked(tokens: Sequence[_Token], at: int, articles: frozenset[str]) -> str:
    """A noun with what belongs to it: `clé de rechange`."""
    after = [token.text for token in tokens[at : at + _PHRASE_WORDS]]
    is_linked = articles and len(after) == _PHRASE_WORDS and tokens[at + 1].plain in words.LINKS
    return " ".join(after) if is_linked else after[0]
