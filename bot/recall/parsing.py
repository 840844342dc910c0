"""Reads a query before the search: its words, the people it names, and the times."""

import itertools
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from bot import catalogue
from bot.dates import times
from bot.db import statements
from bot.db.pool import Connection, Row
from bot.domain import Caller, Message, PersonId
from bot.language.questions import asking_clauses, countdowns, owners
from bot.recall import asked_times, irregular_forms, synonyms
from bot.recall.query import ASKED_FOR, ASKING, MOST_WORDS, NAME_SHARE, ParsedQuery, Query, Term
from bot.text import folding, lookalikes, patterns, short_forms, stop_words, trigrams

TOKENS: Final = 256
"""Distinct words of a query that are read; of those the longest that say something are looked for."""
TOKEN: Final = re.compile(r"\w+(?:['\u2019.\-/]\w+)*")
ASKING_SHARE: Final = 0.5
"""What a word of asking weighs: it says what is wanted ("kind", "many", "mention"), and answers seldom repeat it."""
UNSURE: Final = 0.5
"""How much somebody counts as named whose name is written like any other word."""
_LONGEST_NAME: Final = 3
"""Words of a name that are looked up together."""
_POSSESSIVE: Final = re.compile(r"['\u2019]s?$")
_SPEAKERS: Final = frozenset(["i", "my", "mine", "ich", "mein", "meine", "je", "yo"])
"""Words for whoever speaks; they are nobody's name."""
_OF_ME: Final = re.compile(r"\b(?:am|was|did|have|had|bin|war|habe|hatte) (?:i|ich)\b", re.IGNORECASE)
"""What asks of oneself alone."""
_OF_MINE: Final = re.compile(
    r"\b(?:my|mine|myself|mein(?:e[mnrs]?)?|je|yo)\b"
    rf"|\bi(?:'ve|'d)? (?:(?!need\b|feed\b)\w+ed|{'|'.join(sorted(irregular_forms.PASTS))})\b",
    re.IGNORECASE,
)
"""What speaks of what is one's own, or of what one did. All else that "I" is in may be asked for anybody."""
_OF_OTHERS: Final = re.compile(
    r"\b(?:(?:any|some)(?:one|body)|jemand|irgendwer|quelqu'un|alguien)\b"
    r"|^\W*(?:who|wer|qui|qui\u00e9n)\b(?! (?:am|is|was) i\b)"
    r"|^\W*where(?:'s| is| are| did you (?:put|see)) my\b",
    re.IGNORECASE,
)
"""What others may know better, also of what is one's own: `did anyone find my beanie`, `where is my beanie`."""
_PAIR: Final = re.compile(r"\b(?=([^\W\d_]{3,12})[ -]([^\W\d_]{3,12})\b)")
"""Two words that many write in one."""
_WITH_UNIT: Final = re.compile(r"(\d{1,9})[a-z]{1,3}")
"""A number that others write with a blank before its unit."""
_RELATIVE: Final = re.compile(
    r"today|yesterday|tonight|tomorrow|this|last|past|next|previous|recent(?:ly)?|lately|ago|early|late|earlier|later"
    r"|(?:day|night|morning|afternoon|evening|week|weekend|month|quarter|year|summer|winter|spring|autumn|fall)s?"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|couple|few|several"
    r"|gestern|vorgestern|heute|morgen|diese[mnrs]?|letzte[mnrs]?|n\u00e4chste[mnrs]?|vor|tage?n?|wochen?|monate?n?"
    r"|jahre?n?|\d{1,2}(?:st|nd|rd|th)?"
)
"""Words of a time that say when it was only to whoever reads them that day, and numbers of days, which other days have
too; dates are compared as dates."""
_WEIGHED: Final = 64
"""Words of a long query that are looked up to see which of them anybody ever said."""


class Sql:
    """The statements that read a query."""

    read: Final = statements.named("recall.read")
    known: Final = statements.named("recall.known")


async def parse(connection: Connection, caller: Caller, query: Query) -> ParsedQuery:
    """A query as the caller's space reads it; whoever said what is given beside it is known by name too."""
    text = countdowns.plainly(asking_clauses.without_not_knowing(short_forms.written_out(query.text)))
    query = replace(query, text=text)
    tokens = [*dict.fromkeys(TOKEN.findall(text.replace("\0", " ")))][:TOKENS]
    bare = {token: _POSSESSIVE.sub("", token).lower() for token in tokens}
    owners_of = _owners(tokens, bare)
    names = [*dict.fromkeys((*_names([bare[token] for token in tokens]), *owners_of.values()))]
    joined = _joined(text)
    others = {other for word in bare.values() for other in (*_instead(word, caller.language), *joined.get(word, ()))}
    found = await connection.fetch(
        Sql.read,
        caller.language,
        [*tokens, *others.difference(tokens)],
        caller.space_id,
        names,
        [*dict.fromkeys(map(lookalikes.likeness, names))],
    )
    indexed = {row["token"]: tuple(row["words"]) for row in found if row["token"] is not None}
    people = [*(row for row in found if row["person_id"] is not None), *_authors(query.beside)]
    called = {name for row in people for name in (row["name"], row["first"])}
    bare |= {token: name for token, name in owners_of.items() if name in called and bare[token] not in called}
    formerly = {bare[row["token"]]: row["formerly"] for row in found if row["token"] in bare}
    named = _named(text, tokens, bare, indexed, people)
    of_names = {word: sure for name, sure in named.values() for word in name.split()}
    when = asked_times.read(text, as_of=query.as_of, zone=caller.time_zone)
    to_come = {*when.spans}.difference(times.read(text, as_of=query.as_of, zone=caller.time_zone).spans)
    # Jun and May are also months: who is here is meant before when.
    when = replace(when, spans=tuple(span for span in when.spans if span.words.lower() not in of_names))
    terms = _terms(text, bare, indexed, of_names, when, to_come)
    own = {term.word for term in terms}
    instead = {
        term.word: () if term.is_name else (*_instead(term.token, caller.language), *joined.get(term.token, ()))
        for term in terms
    }
    terms = [
        replace(term, also=_others(instead[term.word], formerly.get(term.token, ()), indexed, own)) for term in terms
    ]
    if not trigrams.has_stemmer(caller.language):
        terms = [replace(term, is_loose=term.can_be_loose) for term in terms]
    no_day = catalogue.gettext("There is no {day}; I looked for the rest.")
    notes = [no_day.format(day=day) for day in when.wrong]
    if len(terms) > MOST_WORDS:
        kept = await _longest_known(connection, caller, terms)
        told = catalogue.gettext("Of {count} words I looked for the {kept} longest that were ever said.")
        notes.append(told.format(count=len(terms), kept=len(kept)))
        terms = [term for term in terms if term in kept]
    people_named = {person_id: sure for person_id, (_, sure) in named.items()}
    # What somebody tells beside a question makes nothing that it asks for theirs.
    plain = asking_clauses.asking(text).translate(patterns.STRAIGHT_QUOTES)
    is_of_me = _OF_ME.search(plain) is not None
    of_oneself = is_of_me or _OF_MINE.search(plain) is not None
    if is_of_me or (of_oneself and _OF_OTHERS.search(plain) is None):
        people_named.setdefault(caller.person_id, 1.0 if is_of_me else UNSURE)
    return ParsedQuery(
        query=query,
        terms=tuple(terms),
        named=people_named,
        names=tuple(dict.fromkeys(name for name, _ in named.values())),
        asker=(caller.name,) if of_oneself else (),
        asker_id=caller.person_id,
        times=when,
        notes=tuple(notes),
        language=caller.language,
    )


def _terms(
    text: str,
    bare: Mapping[str, str],
    indexed: Mapping[str, Sequence[str]],
    of_names: Mapping[str, float],
    when: times.Times,
    to_come: Collection[times.Span],
) -> list[Term]:
    """The words of a query that are looked for, each once; what was said yesterday does not say so.

    What is asked of a Sunday that is to come is looked for by that: it was said before.
    """
    in_times = {word for span in when.spans if span not in to_come for word in TOKEN.findall(span.words.lower())}
    in_none = {word for day in when.wrong for word in TOKEN.findall(day.lower())}
    terms: dict[str, Term] = {}
    for token, plain in bare.items():
        sure, is_time = of_names.get(plain), token.lower() in in_times
        if token.lower() in in_none or (is_time and _RELATIVE.fullmatch(token.lower())):
            continue
        for word in indexed.get(token, ()):
            term = Term(
                word=word,
                token=plain,
                share=_share(plain, sure),
                is_name=sure is not None,
                is_time=is_time,
                is_proper=token[0].isupper() and not (text.lstrip().startswith(token) or text.isupper()),
            )
            terms.setdefault(word, term)
    return list(terms.values())


def _others(
    others: Iterable[str], formerly: Iterable[str], indexed: Mapping[str, Sequence[str]], own: Collection[str]
) -> tuple[str, ...]:
    """What may stand for a word of a query, as it is indexed, but the words the query has itself.

    Those are other words for it, and what it is in languages by which some texts may still be found.
    """
    found = (*(word for other in others for word in indexed.get(other, ())), *formerly)
    return tuple(dict.fromkeys(word for word in found if word not in own))


def _instead(word: str, language: str) -> tuple[str, ...]:
    number = _WITH_UNIT.fullmatch(word)
    return (number[1],) if number else synonyms.of(word, language)


def _joined(text: str) -> dict[str, tuple[str, ...]]:
    """The words of a text with those that others write them in, in one: of a band saw the bandsaw."""
    found = dict[str, tuple[str, ...]]()
    for pair in _PAIR.finditer(text.lower()):
        one, other = pair[1], pair[2]
        if not {one, other} & (ASKING | ASKED_FOR | stop_words.FUNCTION):
            for word in (one, other):
                found[word] = (*found.get(word, ()), one + other)
    return found


def _share(word: str, sure: float | None) -> float:
    """How much a word counts, before how rare it is; `sure` is how surely it is a name, none for what is no name."""
    if sure is None:
        return ASKING_SHARE if word in ASKING or word in ASKED_FOR else 1.0
    return NAME_SHARE if sure == 1.0 else 1.0


async def _longest_known(connection: Connection, caller: Caller, terms: Sequence[Term]) -> list[Term]:
    """Of a long query the words that take part; where too few were ever said, others to show that they were not."""
    longest = sorted(terms, key=lambda term: (-len(term.word), term.word))[:_WEIGHED]
    found = await connection.fetch(
        Sql.known, caller.space_id, caller.visible, [term.word for term in longest], [term.query for term in longest]
    )
    known = {row["word"] for row in found}
    return sorted(longest, key=lambda term: term.word not in known)[:MOST_WORDS]


def _owners(tokens: Sequence[str], bare: Mapping[str, str]) -> dict[str, str]:
    """The words that may be a name with an "s" that many write without its apostrophe, before what is theirs."""
    before_things = (
        token
        for token, after in itertools.pairwise(tokens)
        if len(bare[token]) > 1 and bare[token].endswith("s") and after.lower() not in ASKING
    )
    return {token: bare[token][:-1] for token in before_things}


def _names(words: Sequence[str]) -> list[str]:
    """Everything in a row of words that may be somebody's name, at most three words long."""
    found = [" ".join(words[at : at + size]) for size in range(1, _LONGEST_NAME + 1) for at in range(len(words))]
    return [*dict.fromkeys(found)]


def _authors(beside: Iterable[Message]) -> list[Mapping[str, Any]]:
    """Who said the messages, as rows of people; those who are stored come first, and stay who they are."""
    authors = {said.author_id: " ".join(said.author.lower().split()) for said in beside if said.author_id is not None}
    return [
        {"person_id": person_id, "name": name, "first": name.partition(" ")[0]}
        for person_id, name in authors.items()
        if name
    ]


def _named(
    text: str,
    tokens: Sequence[str],
    bare: Mapping[str, str],
    indexed: Mapping[str, Sequence[str]],
    people: Sequence[Row | Mapping[str, Any]],
) -> dict[PersonId, tuple[str, float]]:
    """Who is named, by the name that was used, and how surely: a name is also a word, and many write it like one."""
    found: dict[PersonId, tuple[str, float]] = {}
    said = [bare.get(token, token.lower()) for token in TOKEN.findall(text)[:TOKENS]]
    # Many leave out the accents of a name.
    as_said = {folding.folded(word): word for word in reversed(said)}
    plain = folding.folded(f" {' '.join(said)} ")
    written = {bare[token]: token for token in reversed(tokens)}
    doers = owners.doers(text)
    whole = {row["first"] for row in people if " " in row["name"] and f" {folding.folded(row['name'])} " in plain}
    for row in people:
        # Where a name stands in full, its first word names nobody else.
        for called in (row["name"], *(() if row["first"] in whole else (row["first"],))):
            if called not in _SPEAKERS and f" {folding.folded(called)} " in plain:
                name = " ".join(as_said.get(word, word) for word in folding.folded(called).split())
                token = written.get(name) or name
                says_nothing = not indexed.get(token, (name,))
                sure = 1.0 if name in doers else _sureness(text, token, says_nothing=says_nothing)
                if sure:
                    found.setdefault(PersonId(row["person_id"]), (name, sure))
                    break
    return found


def _sureness(text: str, token: str, *, says_nothing: bool) -> float:
    """How surely a word is a name here; one such as "will" is none unless it is written as one."""
    if f"@{token}" in text or " " in token:
        return 1.0
    if says_nothing:
        return 1.0 if token[0].isupper() and not text.lstrip().startswith(token) else 0.0
    return 1.0 if token[0].isupper() and not text.isupper() else UNSURE
