"""Defines a query: what a recall is asked for, and what it says once its words, names and times are read."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from bot import catalogue
from bot.dates import times
from bot.domain import Asked, Message, MessageId, PersonId, SessionId, Strategy, Tier
from bot.language.questions import answer_kinds
from bot.text import stop_words, trigrams

MOST_WORDS: Final = 16
"""Words of a query that take part: bits of a row's mask."""
NAME_SHARE: Final = 0.1
"""What a name in a text weighs: who is asked about is in the words of others, and in hardly any of their own."""
NO_WORD: Final = catalogue.later("There was no word in that to look for; name something that was said.")
ASKING: Final = stop_words.ASKING | stop_words.FUNCTION
ASKED_FOR: Final = frozenset(
    [
        "kind",
        "kinds",
        "type",
        "types",
        "sort",
        "sorts",
        "many",
        "much",
        "name",
        "names",
        "likely",
        "time",
        "times",
        "date",
        "dates",
    ]
)
"""Words for what is asked for; unlike those of asking they may be what is looked for, and are never left out."""
_DULL: Final = ASKING | ASKED_FOR
"""Words that an answer has no reason to hold."""
_KIND: Final = re.compile(r"\b(?:what|which|how|welche[nmrs]?|wie|quelle?s?|qu\u00e9) (\w+)", re.IGNORECASE)
"""What comes after the question word is what is wanted."""
_HOW: Final = re.compile(r"\b(?:how|wie)\b", re.IGNORECASE)
_SPEAKS: Final = {"english": ("I", "my", "we")}
"""How one speaks of oneself, of what is one's own, and of oneself with another, by language."""
_BEFORE_WORDS: Final = (
    r"(?:a|an|the|this|that|these|those|my|your|his|her|its|our|their|no|any|some|eine?[nmrs]?|d(?:er|ie|as|en|em|es)"
    r"|les?|la|une?)"
)
"""What stands before a word that is a name elsewhere, and not before a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What a recall looks for, and where."""

    text: str
    as_of: datetime
    """The moment from which times in it are read."""
    then: datetime | None = None
    """Where memory is asked as it stood at a moment: what was said after it does not exist, what was replaced after it
    does."""
    until: datetime | None = None
    """Where only what was said before a moment is looked at, by the strategy `keywords`."""
    strategy: Strategy = Strategy.RANKED
    limit: int = 5
    tier: Tier | None = None
    """Where only memories of one tier are looked at."""
    tags: tuple[str, ...] = ()
    """Where only memories that have all of them are looked at."""
    domains: frozenset[str] = frozenset()
    """What it is about, as tags; read from its text where none are given."""
    session_id: SessionId | None = None
    """Where only what was said in one session is looked at, and what is given beside it."""
    beside: tuple[Message, ...] = ()
    """Texts that are ranked with it, as messages: those of working notes, and what was found elsewhere."""
    summaries: bool = False
    """Whether the channel's last chat summaries are looked at too, as messages of Hathi's."""
    apart_from: tuple[MessageId, ...] = ()
    """Messages that are no result."""
    is_question: bool = False
    """Whether it is a question put to Hathi: its words of asking are not looked for, and those it answered before lend
    nothing to what was said beside them."""
    strictly: bool = False
    """Whether only what is surely about all of it is a result."""
    least: float | None = None
    """The certainty below which nothing is a result, where it is not the one that was measured."""

    @property
    def messages(self) -> bool:
        """Whether messages are looked at too: they have neither tier nor tags, and no versions."""
        return self.tier is None and not self.tags and self.then is None


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
    also: tuple[str, ...] = ()
    """Other words that may stand for it, as the index has them."""
    query: str = field(init=False, compare=False)
    """The word as a Postgres text query."""

    def __post_init__(self) -> None:
        wanted = [*map(_quoted, self.words), *(f"{_quoted(start)}:*" for start in self.beginnings)]
        object.__setattr__(self, "query", " | ".join(wanted))

    @property
    def words(self) -> tuple[str, ...]:
        """All words it is looked for by, as the index has them; what only begins like it is not among them."""
        return (self.word, *self.also)

    @property
    def beginnings(self) -> tuple[str, ...]:
        """What it is looked for by where it stands at the beginning of words, as the index has them."""
        start = trigrams.prefix(self.word) if self.is_loose else None
        of_pairs = self.word if not self.word.isascii() and trigrams.is_letter(self.word) else None
        return tuple(one for one in (of_pairs, start) if one)

    @property
    def can_be_loose(self) -> bool:
        """Whether the word is long enough to be matched by its beginning."""
        return trigrams.prefix(self.word) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedQuery:
    """A parsed query."""

    query: Query
    terms: tuple[Term, ...]
    named: Mapping[PersonId, float]
    """Who is named, and how surely."""
    names: tuple[str, ...]
    asker: tuple[str, ...]
    """The name of whoever asks, where they ask of themselves."""
    asker_id: PersonId | None = None
    times: times.Times
    notes: tuple[str, ...]
    language: str

    @property
    def tokens(self) -> frozenset[str]:
        """Its words as they are written, in small letters."""
        return frozenset(term.token for term in self.terms)

    @property
    def meaning(self) -> str:
        """The question to embed: put as its subject would say it, or without names, which would outweigh the rest."""
        return _spoken(self.query.text, self.names, self.language)

    @property
    def is_about_people_alone(self) -> bool:
        """Whether it has only names, times and question words: "what did Ana say in May?"."""
        return all(term.is_name or term.is_time or term.token in ASKING for term in self.terms)

    def without_asking(self) -> "ParsedQuery":
        """A copy without question words such as "tell"; unchanged if nothing else would remain."""
        telling = tuple(term for term in self.terms if term.is_name or term.is_time or term.token not in ASKING)
        return replace(self, terms=telling) if telling else self

    @property
    def telling(self) -> tuple[Term, ...]:
        """The words that say what is asked about: no question words, times, or certain names."""
        return tuple(
            term
            for term in self.terms
            if not term.is_time and term.token not in ASKING and not (term.is_name and term.share == NAME_SHARE)
        )

    def unknown(self, counts: Sequence[int]) -> float:
        """How many of its words nobody here ever said, by their shares; words for what is asked for don't count."""
        return sum(term.share for term, n in zip(self.terms, counts, strict=True) if not n and term.token not in _DULL)

    @property
    def needed(self) -> tuple[bool, ...]:
        """For each word, whether an answer would hold it: "what colour" would not, nor the name of who gives it."""
        kind = {found[1].lower() for found in _KIND.finditer(self.query.text)}
        asked = [term.token not in kind for term in self.terms]
        apart = [is_so and not term.is_name for is_so, term in zip(asked, self.terms, strict=True)]
        if not (self._tells(apart) or answer_kinds.wanted(self.query.text)):
            # Of "which engine do we use?" the kind is all that it is about.
            of_kind = [term.token in kind for term in self.terms]
            if not _HOW.search(self.query.text) and self._tells(of_kind):
                return tuple(of_kind)
        return tuple(apart) if any(apart) else tuple(asked)

    def _tells(self, among: Sequence[bool]) -> bool:
        """Whether any of these of its words says more than what is done with a thing."""
        return any(
            is_so and not answer_kinds.tells_little(term.token) for is_so, term in zip(among, self.terms, strict=True)
        )

    @property
    def things(self) -> tuple[bool, ...]:
        """The same without what is done with a thing that is named: "has Ben finished the rocket?" asks of a rocket."""
        needed = self.needed
        told = [
            is_so and not answer_kinds.tells_little(term.token) for is_so, term in zip(needed, self.terms, strict=True)
        ]
        names_one = any(is_so and not term.is_name for is_so, term in zip(told, self.terms, strict=True))
        return tuple(told) if names_one else needed

    def loosened(self, counts: Sequence[int]) -> "ParsedQuery":
        """A copy in which words that nothing holds as they stand also match other forms."""
        terms = [
            replace(term, is_loose=True) if not n and term.can_be_loose else term
            for term, n in zip(self.terms, counts, strict=True)
        ]
        return replace(self, terms=tuple(terms))

    def asked(self, *, without: str | None = None) -> Asked:
        """What `!recall … why` tells of the query; `without` says why meaning was not compared."""
        notes = (
            self.notes
            if without is None
            else (*self.notes, catalogue.gettext("Meaning was not compared: {why}.").format(why=without))
        )
        return Asked(
            words=tuple(term.word for term in self.terms),
            people=self.names,
            dates=tuple(span.words for span in self.times.spans),
            domains=tuple(sorted(self.query.domains)),
            notes=notes,
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


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
