"""Reads a query before the search: its words, the people it names, and the times."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from bot.dates import times
from bot.db import statements
from bot.db.pool import Connection, Row
from bot.domain import Asked, Caller, Message, PersonId
from bot.recall import ranking
from bot.text import stop_words, trigrams

TOKENS: Final = 256
"""Distinct words of a query that are read; of those the longest that say something are looked for."""
NAME_SHARE: Final = 0.1
"""What a name in a text weighs: who is asked about is in the words of others, and in hardly any of their own."""
ASKING_SHARE: Final = 0.5
"""What a word of asking weighs: it says what is wanted ("kind", "many", "mention"), and answers seldom repeat it."""
UNSURE: Final = 0.5
"""How much somebody counts as named whose name is written like any other word."""
TOKEN: Final = re.compile(r"\w+(?:['\u2019.\-/]\w+)*")
NO_WORD: Final = "There was no word in that to look for; name something that was said."
_LONGEST_NAME: Final = 3
"""Words of a name that are looked up together."""
_ASKING: Final = stop_words.ASKING | stop_words.FUNCTION
ASKED_FOR: Final = frozenset(
    ["kind", "kinds", "type", "types", "sort", "sorts", "many", "much", "name", "names", "likely"]
)
"""Words for what is asked for; unlike those of asking they may be what is looked for, and are never left out."""
_KIND: Final = re.compile(r"\b(?:what|which|welche[nmrs]?|quelle?s?|qu\u00e9) (\w+)", re.IGNORECASE)
"""What comes after the question word is what is wanted."""
_POSSESSIVE: Final = re.compile(r"['\u2019]s?$")
_SPEAKS: Final = {"english": ("I", "my", "we")}
"""How one speaks of oneself, of what is one's own, and of oneself with another, by language."""
_BEFORE_WORDS: Final = (
    r"(?:a|an|the|this|that|these|those|my|your|his|her|its|our|their|no|any|some|eine?[nmrs]?|d(?:er|ie|as|en|em|es)"
    r"|les?|la|une?)"
)
"""What stands before a word that is a name elsewhere, and not before a name."""
_MYSELF: Final = frozenset(
    [
        "i",
        "i'm",
        "i've",
        "i'd",
        "my",
        "mine",
        "myself",
        "ich",
        "mein",
        "meine",
        "meinen",
        "meinem",
        "meiner",
        "je",
        "yo",
    ]
)
_RELATIVE: Final = re.compile(
    r"today|yesterday|tonight|tomorrow|this|last|past|next|previous|recent(?:ly)?|lately|ago|early|late|earlier|later"
    r"|(?:day|night|morning|afternoon|evening|week|weekend|month|quarter|year|summer|winter|spring|autumn|fall)s?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|one|two|three|four|five|six|seven|eight|nine|ten|couple|few|several"
    r"|gestern|vorgestern|heute|morgen|diese[mnrs]?|letzte[mnrs]?|n\u00e4chste[mnrs]?|vor|tage?n?|wochen?|monate?n?"
    r"|jahre?n?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag"
)
"""Words of a time that say when it was only to whoever reads them that day; its date is another matter."""
_WEIGHED: Final = 64
"""Words of a long query that are looked up to see which of them anybody ever said."""


class Sql:
    """The statements that read a query."""

    read: Final = statements.named("recall.read")
    known: Final = statements.named("recall.known")


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One word of a query."""

    word: str
    """As the index has it."""
    token: str
    """As it was written, in small letters."""
    share: float = 1.0
    """How much it counts, before how rare it is."""
    is_name: bool = False
    is_time: bool = False
    is_proper: bool = False
    """Whether it is written as the name of somebody or something: what is only somewhat alike is another."""
    is_loose: bool = False
    """Whether what is written alike counts too."""

    @property
    def can_be_loose(self) -> bool:
        """Whether the word is long enough to be matched by its beginning."""
        return trigrams.prefix(self.word) is not None

    @property
    def query(self) -> str:
        """The word as a Postgres text query."""
        start = trigrams.prefix(self.word) if self.is_loose else None
        pairs = ":*" if trigrams.is_letter(self.word) else ""
        return _quoted(self.word) + pairs + (f" | {_quoted(start)}:*" if start else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A parsed query."""

    terms: tuple[Term, ...]
    named: Mapping[PersonId, float]
    """Who is named, and how surely."""
    names: tuple[str, ...]
    times: times.Times
    notes: tuple[str, ...]
    text: str
    language: str

    @property
    def meaning(self) -> str:
        """The question to embed: put as its subject would say it, or without names, which would outweigh the rest."""
        return _spoken(self.text, self.names, self.language)

    @property
    def is_about_people_alone(self) -> bool:
        """Whether it has only names, times and question words: "what did Ana say in May?"."""
        return all(term.is_name or term.is_time or term.token in _ASKING for term in self.terms)

    def without_asking(self) -> "Read":
        """A copy without question words such as "tell"; unchanged if nothing else would remain."""
        telling = tuple(term for term in self.terms if term.is_name or term.is_time or term.token not in _ASKING)
        return replace(self, terms=telling) if telling else self

    @property
    def telling(self) -> tuple[Term, ...]:
        """The words that say what is asked about: no question words, times, or certain names."""
        return tuple(
            term
            for term in self.terms
            if not term.is_time and term.token not in _ASKING and not (term.is_name and term.share == NAME_SHARE)
        )

    def unknown(self, counts: Sequence[int]) -> float:
        """How many of its words nobody here ever said, each by its share; question words don't count."""
        return sum(
            term.share for term, n in zip(self.terms, counts, strict=True) if not n and term.token not in _ASKING
        )

    @property
    def needed(self) -> tuple[bool, ...]:
        """For each word, whether an answer would hold it; "what colour" would not."""
        kind = {found[1].lower() for found in _KIND.finditer(self.text)}
        return tuple(term.token not in kind for term in self.terms)

    def missing(self, counts: Sequence[int]) -> float:
        """Those nobody here ever said that an answer would hold, as `unknown` counts them."""
        return self.unknown([n or int(not needed) for n, needed in zip(counts, self.needed, strict=True)])

    def asked(self, *, domains: Iterable[str] = (), without: str | None = None) -> Asked:
        """What `!recall … why` tells of the query; `without` says why meaning was not compared."""
        notes = self.notes if without is None else (*self.notes, f"Meaning was not compared: {without}.")
        return Asked(
            words=tuple(term.word for term in self.terms),
            people=self.names,
            dates=tuple(span.words for span in self.times.spans),
            domains=tuple(sorted(domains)),
            notes=notes,
        )


async def read(
    connection: Connection, caller: Caller, text: str, as_of: datetime, *, beside: Iterable[Message] = ()
) -> Read:
    """The words of a query as the caller's space indexes them, with people and times as of a moment.

    Whoever said what is looked at `beside` what is stored is known by name too.
    """
    tokens = [*dict.fromkeys(TOKEN.findall(text.replace("\0", " ")))][:TOKENS]
    bare = {token: _POSSESSIVE.sub("", token).lower() for token in tokens}
    names = _names([bare[token] for token in tokens])
    found = await connection.fetch(Sql.read, caller.language, tokens, caller.space_id, names)
    indexed = {row["token"]: tuple(row["words"]) for row in found if row["token"] is not None}
    people = [*(row for row in found if row["person_id"] is not None), *_authors(beside)]
    named = _named(text, tokens, bare, indexed, people)
    of_names = {word: sure for name, sure in named.values() for word in name.split()}
    when = times.read(text, as_of=as_of, zone=caller.time_zone)
    # Jun and May are also months: who is here is meant before when.
    when = replace(when, spans=tuple(span for span in when.spans if span.words.lower() not in of_names))
    in_times = {word for span in when.spans for word in TOKEN.findall(span.words.lower())}
    in_none = {word for day in when.wrong for word in TOKEN.findall(day.lower())}
    loose = not trigrams.has_stemmer(caller.language)
    terms: dict[str, Term] = {}
    for token in tokens:
        sure, is_time = of_names.get(bare[token]), token.lower() in in_times
        if token.lower() in in_none or (is_time and _RELATIVE.fullmatch(token.lower())):
            # What was said yesterday does not say so.
            continue
        is_written_as_name = token[0].isupper() and not (text.lstrip().startswith(token) or text.isupper())
        for word in indexed.get(token, ()):
            share = _share(bare[token], sure)
            term = Term(
                word=word,
                token=bare[token],
                share=share,
                is_name=sure is not None,
                is_time=is_time,
                is_proper=is_written_as_name,
            )
            terms.setdefault(word, term if not (loose and term.can_be_loose) else _loosened(term))
    notes = [f"There is no {day}; I looked for the rest." for day in when.wrong]
    chosen = list(terms.values())
    if len(chosen) > ranking.MOST_WORDS:
        kept = await _longest_known(connection, caller, chosen)
        notes.append(f"Of {len(chosen)} words I looked for the {len(kept)} longest that were ever said.")
        chosen = [term for term in chosen if term in kept]
    people_named = {person_id: sure for person_id, (_, sure) in named.items()}
    if not _MYSELF.isdisjoint(token.lower().replace("\u2019", "'") for token in tokens):
        people_named.setdefault(caller.person_id, UNSURE)
    return Read(
        terms=tuple(chosen),
        named=people_named,
        names=tuple(dict.fromkeys(name for name, _ in named.values())),
        times=when,
        notes=tuple(notes),
        text=text,
        language=caller.language,
    )


def _spoken(text: str, names: Iterable[str], language: str) -> str:
    """The question as who it names would put it, in a language in which that is known; else without their names.

    A full name is one, its first word alone is too. "The bill" is nobody called Bill.
    """
    called = sorted({*names, *(name.split()[0] for name in names)}, key=len, reverse=True)
    if not called:
        return " ".join(text.split())
    i, my, we = _SPEAKS.get(language, ("", "", ""))
    one_of = "|".join(r"\s+".join(map(re.escape, name.split())) for name in called)
    found = re.compile(
        rf"(?<!\w)(?P<before>{_BEFORE_WORDS}\s+)?@?(?P<name>{one_of})(?P<of>['\u2019]s?(?!\w))?(?!\w)", re.IGNORECASE
    )

    def put(one: re.Match[str]) -> str:
        if one["before"] and one["name"].islower():
            return one[0]
        return f"{one['before'] or ''}{my if one['of'] else i}"

    spoken = " ".join(found.sub(put, text).split())
    return spoken.replace(f"{i} and {i}", we) if we else spoken


def _share(word: str, sure: float | None) -> float:
    """How much a word counts, before how rare it is; `sure` is how surely it is a name, none for what is no name."""
    if sure is None:
        return ASKING_SHARE if word in _ASKING or word in ASKED_FOR else 1.0
    return NAME_SHARE if sure == 1.0 else 1.0


async def _longest_known(connection: Connection, caller: Caller, terms: Sequence[Term]) -> list[Term]:
    """Of a long query the words that take part; where too few were ever said, others to show that they were not."""
    longest = sorted(terms, key=lambda term: (-len(term.word), term.word))[:_WEIGHED]
    found = await connection.fetch(
        Sql.known, caller.space_id, caller.visible, [term.word for term in longest], [term.query for term in longest]
    )
    known = {row["word"] for row in found}
    return sorted(longest, key=lambda term: term.word not in known)[: ranking.MOST_WORDS]


def loosened(terms: Sequence[Term], counts: Sequence[int]) -> tuple[Term, ...]:
    """The same words; one that nothing holds as it stands may be written otherwise."""
    return tuple(
        _loosened(term) if not n and term.can_be_loose else term for term, n in zip(terms, counts, strict=True)
    )


def _loosened(term: Term) -> Term:
    return replace(term, is_loose=True)


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
    plain = " " + " ".join(_POSSESSIVE.sub("", token).lower() for token in TOKEN.findall(text)[:TOKENS]) + " "
    written = {bare[token]: token for token in reversed(tokens)}
    whole = {row["first"] for row in people if " " in row["name"] and f" {row['name']} " in plain}
    for row in people:
        # Where a name stands in full, its first word names nobody else.
        for name in (row["name"], *(() if row["first"] in whole else (row["first"],))):
            if name not in _MYSELF and f" {name} " in plain:
                token = written.get(name) or name
                sure = _sureness(text, token, says_nothing=not indexed.get(token, (name,)))
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


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
