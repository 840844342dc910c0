"""The retriever of what holds some of the given keywords: memories, what people said, and entries of ledgers."""

from bot.domain import Memory, Result, Role, Strategy
from bot.recall import strategies
from bot.recall.query import Query
from bot.recall.retrievers.retrieval import (
    Readers,
    Retrieval,
    Retrieved,
    Takes,
    Wanted,
    of_entry,
    of_memory,
    of_message,
)


class KeywordSearch:
    """What any of the phrases between semicolons matches, by what they are worth together."""

    name: str = "search"
    about: str = (
        "What memory, messages and summed-up talk hold of keywords; those that belong together stand between"
        " semicolons, at most 60: gate; spare key."
    )
    takes: Takes = Takes.WORDS

    def __init__(self, readers: Readers) -> None:
        self._librarian = readers.librarian
        self._clock = readers.clock

    async def retrieve(self, wanted: Wanted) -> Retrieval:
        """The best first; live talk before what is kept."""
        query = Query(
            text=wanted.words,
            as_of=self._clock(),
            until=wanted.until,
            strategy=Strategy.KEYWORDS,
            limit=wanted.most,
            apart_from=wanted.apart_from,
        )
        found = await self._librarian.recall(wanted.caller, query)
        passages = (*_live(wanted), *map(_passage, found.results))
        left_out = max(0, len(passages) - wanted.most)
        return Retrieval(passages=passages[: wanted.most], notes=found.asked.notes, left_out=left_out)


def _passage(found: Result) -> Retrieved:
    if isinstance(found.item, Memory):
        return of_memory(found.item)
    return of_message(found.item) if found.entry is None else of_entry(found.entry, found.item.channel_id)


def _live(wanted: Wanted) -> list[Retrieved]:
    """Of live talk the messages that hold all words of a phrase: those of most phrases first, then the newest."""
    if wanted.live is None:
        return []
    phrases = [frozenset(strategies.tokens(phrase)) for phrase in strategies.phrases(wanted.words)[0]]
    said = [
        (message, frozenset(strategies.tokens(message.content)))
        for message in wanted.live
        if message.role is Role.PERSON and message.message_id not in wanted.apart_from
    ]
    held = [(sum(bool(phrase) and phrase <= words for phrase in phrases), message) for message, words in said]
    best = sorted((one for one in held if one[0]), key=lambda one: (one[0], one[1].message_id), reverse=True)
    return [of_message(message) for _, message in best]
