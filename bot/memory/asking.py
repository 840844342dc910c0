"""Asking: what a query says, before anything is looked for: its words, who is named in it, and the times."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.db import statements
from bot.db.pool import Connection, Row
from bot.domain import Asked, Caller, PersonId
from bot.memory import likeness, phrases, ranking, times

TOKENS: Final = 256
"""Distinct words of a query that are read; of those the longest that say something are looked for."""
NAME_SHARE: Final = 0.1
"""What a name in a text weighs: who is asked about is in the words of others, and in hardly any of their own."""
UNSURE: Final = 0.5
"""How much somebody counts as named whose name is written like any other word."""
TOKEN: Final = re.compile(r"\w+(?:['\u2019.\-_/]\w+)*")
NO_WORD: Final = "There was no word in that to look for; name something that was said."
_LONGEST_NAME: Final = 3
"""Words of a name that are looked up together."""
_ASKING: Final = frozenset[str]().union(
    *(language.cue_words | language.function_words for language in phrases.LANGUAGES)
)
_POSSESSIVE: Final = re.compile(r"['\u2019]s?$")
_MYSELF: Final = frozenset([
    "i", "i'm", "i've", "i'd", "me", "my", "mine", "myself", "ich", "mich", "mir", "mein", "meine", "meinen", "meinem",
    "meiner", "je", "moi", "yo", "mi",
])  # fmt: skip


class Sql:
    """The statements that read a query."""

    words: Final = statements.named("recall.words")
    named: Final = statements.named("recall.named")


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One word that is looked for."""

    word: str
    """As the index has it."""
    token: str
    """As it was written, in small letters."""
    share: float = 1.0
    """How much it counts, before how rare it is."""
    is_name: bool = False
    is_loose: bool = False
    """Whether what is written alike counts too."""

    @property
    def can_be_loose(self) -> bool:
        """Whether it is long enough to be known by its beginning."""
        return likeness.prefix(self.word) is not None

    @property
    def query(self) -> str:
        """The word as a query of Postgres."""
        start = likeness.prefix(self.word) if self.is_loose else None
        pairs = ":*" if likeness.is_letter(self.word) else ""
        return _quoted(self.word) + pairs + (f" | {_quoted(start)}:*" if start else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A query as it was read."""

    terms: tuple[Term, ...]
    named: Mapping[PersonId, float]
    """Who is named, and how surely."""
    names: tuple[str, ...]
    times: times.Times
    notes: tuple[str, ...]
    bare: str
    """The question without the names of people: in meaning they outweigh what is asked."""

    @property
    def is_about_people_alone(self) -> bool:
        """Whether it has no word to look for but names, and those of asking: "what did Ana say?"."""
        return all(term.is_name or term.token in _ASKING for term in self.terms)

    def asked(self, *, domains: Iterable[str] = (), without: str | None = None) -> Asked:
        """What is told of it; `without` is why meaning was not compared."""
        notes = self.notes if without is None else (*self.notes, f"Meaning was not compared: {without}.")
        return Asked(
            words=tuple(term.word for term in self.terms), people=self.names,
            dates=tuple(span.words for span in self.times.spans), domains=tuple(sorted(domains)), notes=notes,
        )  # fmt: skip


async def read(connection: Connection, caller: Caller, text: str, as_of: datetime) -> Read:
    """The words of a query as the caller's space indexes them, with people and times as of a moment."""
    tokens = [*dict.fromkeys(TOKEN.findall(text.replace("\0", " ")))][:TOKENS]
    bare = {token: _POSSESSIVE.sub("", token).lower() for token in tokens}
    people = await connection.fetch(Sql.named, caller.space_id, _names([bare[token] for token in tokens]))
    found = await connection.fetch(Sql.words, caller.language, tokens)
    indexed = {row["token"]: tuple(row["words"]) for row in found}
    named = _named(text, tokens, bare, indexed, people)
    of_names = {word: sure for name, sure in named.values() for word in name.split()}
    loose = not likeness.has_stemmer(caller.language)
    terms: dict[str, Term] = {}
    for token in tokens:
        sure = of_names.get(bare[token])
        for word in indexed.get(token, ()):
            share = NAME_SHARE if sure == 1.0 else 1.0
            term = Term(word=word, token=bare[token], share=share, is_name=sure is not None)
            terms.setdefault(word, term if not (loose and term.can_be_loose) else _loosened(term))
    chosen, notes = list(terms.values()), list[str]()
    if len(chosen) > ranking.MOST_WORDS:
        longest = sorted(chosen, key=lambda term: (-len(term.word), term.word))[: ranking.MOST_WORDS]
        notes.append(f"Of {len(chosen)} words I looked for the {len(longest)} longest.")
        chosen = [term for term in chosen if term in longest]
    when = times.read(text, as_of=as_of, zone=caller.time_zone)
    notes += [f"There is no {day}; I looked for its words." for day in when.wrong]
    people_named = {person_id: sure for person_id, (_, sure) in named.items()}
    if not _MYSELF.isdisjoint(token.lower().replace("\u2019", "'") for token in tokens):
        people_named.setdefault(caller.person_id, 1.0)
    asked = TOKEN.sub(lambda one: "" if bare.get(one[0]) in of_names else one[0], text)
    return Read(
        terms=tuple(chosen), named=people_named, names=tuple(dict.fromkeys(name for name, _ in named.values())),
        times=when, notes=tuple(notes), bare=" ".join(asked.split()),
    )  # fmt: skip


def loosened(terms: Sequence[Term], counts: Sequence[int]) -> tuple[Term, ...]:
    """The same words; one that nothing holds as it stands may be written otherwise."""
    return tuple(
        _loosened(term) if not n and term.can_be_loose else term for term, n in zip(terms, counts, strict=True)
    )


def _loosened(term: Term) -> Term:
    return Term(word=term.word, token=term.token, share=term.share, is_name=term.is_name, is_loose=True)


def _names(words: Sequence[str]) -> list[str]:
    """Everything in a row of words that may be somebody's name, at most three words long."""
    found = [" ".join(words[at : at + size]) for size in range(1, _LONGEST_NAME + 1) for at in range(len(words))]
    return [*dict.fromkeys(found)]


def _named(
    text: str, tokens: Sequence[str], bare: Mapping[str, str], indexed: Mapping[str, Sequence[str]],
    people: Sequence[Row],
) -> dict[PersonId, tuple[str, float]]:  # fmt: skip
    """Who is named, by the name that was used, and how surely: a name is also a word, and many write it like one."""
    found: dict[PersonId, tuple[str, float]] = {}
    plain = " " + " ".join(bare[token] for token in tokens) + " "
    written = {bare[token]: token for token in reversed(tokens)}
    for row in people:
        for name in (row["name"], row["first"]):
            if name and f" {name} " in plain:
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
    return 1.0 if token[0].isupper() else UNSURE


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
