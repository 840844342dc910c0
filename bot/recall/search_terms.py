"""Picks the words that say what a question is about, and those of them that are rarest in this space."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot.db import statements
from bot.db.pool import Connection, Database
from bot.domain import Caller
from bot.language.questions import answer_kinds
from bot.recall import parsing
from bot.recall.query import ASKED_FOR, Query, Term
from bot.store import bounded_words, word_counts
from bot.store.bounded_words import Divided, Sought
from bot.store.word_counts import Counted, WordCounts

COUNTED: Final = 1_000
"""Messages and memories each up to which a word is counted: what more hold is not rare."""
_ANYBODY: Final = frozenset(["anybody", "anyone"])
"""Words that only ask."""


class Sql:
    """The statements that count words."""

    held: Final = statements.named("recall.held")


class SearchTerms:
    """Counts words; every read binds the space and the channels everyone who asks may see."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def words(self, caller: Caller, text: str, as_of: datetime) -> tuple[Term, ...]:
        """The telling words of a question, in order: no question words, times, or names of known people.

        Where there are no others, those for what is asked for are given.
        """
        async with self._database.connection() as connection:
            parsed = await parsing.parse(connection, caller, Query(text=text, as_of=as_of))
        words = tuple({term.token: term for term in reversed(parsed.telling)}.values())[::-1]
        return tuple(term for term in words if term.token not in ASKED_FOR | _ANYBODY) or words

    async def rarest(self, caller: Caller, words: Sequence[Term], most: int) -> list[Term]:
        """The words that fewest messages and memories hold, in order; of equals the later.

        What is asked about is mostly named last: "who fixed the hearing loop?". What only tells what is done with it,
        or what kind of answer is wanted, as in "what does the loop cost?", comes after all others: the answer tells it
        in its own way.
        """
        async with self._database.connection() as connection:
            found = await connection.fetch(
                Sql.held,
                caller.space_id,
                caller.visible,
                [term.query for term in words],
                COUNTED,
                [term.word for term in words],
            )
        held = [row["held"] for row in found]
        places = sorted(range(len(words)), key=lambda at: (answer_kinds.tells_little(words[at].token), held[at], -at))[
            :most
        ]
        return [words[at] for at in sorted(places)]


async def counted(connection: Connection, caller: Caller, terms: Sequence[Term]) -> WordCounts:
    """How common what these words look for is in the caller's space."""
    words = [word for term in terms for word in term.words]
    beginnings = [start for term in terms for start in term.beginnings]
    return await word_counts.of_words(connection, caller.space_id, words, beginnings)


def divided(terms: Sequence[Term], counted: Counted) -> Divided:
    """How each word is looked for among what was counted."""
    sought = [Sought.any_of(term.query, term.words, counted, term.beginnings) for term in terms]
    return bounded_words.divided(sought, counted)
