"""The two strategies of recall that can be checked by hand: `literal` and `keywords`.

`literal` counts: a memory scores the number of distinct query words in its content, and nothing else. `keywords`
weighs: each phrase scores for every part of a memory (topic, content …), or message, that holds all its words.
`docs/MEMORY_ARCHITECTURE.md` has the bounds.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from bot import catalogue, log
from bot.db import statements
from bot.db.pool import Database, Row
from bot.domain import Asked, Caller, Memory, MemoryId, Parts, Recollection, Result
from bot.recall import ledger_search
from bot.recall.parsing import TOKENS
from bot.recall.query import NO_WORD, Query
from bot.store import bounded_words, rows, word_counts
from bot.store.bounded_words import Divided, Sought
from bot.store.word_counts import Counted
from bot.text import folding, normalize

_log = log.logger(__name__)

CANDIDATES: Final = 1000
"""Rows of a kind that are looked at: of more, the newest."""
BEST: Final = 10
"""Of those literal chooses the answer from."""
MOST_PHRASES: Final = 60
MOST_NAMED: Final = 3
"""Phrases without a word to look for that are named."""
TOPIC: Final = 3
CONTENT: Final = 2
ENTITIES: Final = 2
KEY_PHRASES: Final = 2
SAID: Final = 1
"""Of a message; and of a memory where a phrase's words stand apart, some here and some there."""
_WEIGHTS: Final = [TOPIC, CONTENT, ENTITIES, KEY_PHRASES, SAID]
_JOINED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u3100-\u312f\u31a0-\u31ff"
    "\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
"""What is written without blanks between words; it is read by pairs of letters, as in the text index."""
_WORD: Final = re.compile(rf"(?P<joined>[{_JOINED}]+)|[^\W_{_JOINED}]+")


class Sql:
    """The statements of the plain strategies."""

    literal_candidates: Final = statements.named("strategies.literal_candidates")
    memories: Final = statements.named("strategies.memories")
    phrases: Final = statements.named("strategies.phrases")
    keyword_memories: Final = statements.named("strategies.keyword_memories")
    keyword_messages: Final = statements.named("strategies.keyword_messages")


class Strategies:
    """Runs the strategies; every read binds the space and the channels everyone may see."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def literal(self, caller: Caller, query: Query) -> Recollection:
        """The memories that hold most words of the query; first of them one of the ten best of its domains, if any is.

        Those that hold none are no results, equals stand by their ids, and messages are not looked at.
        """
        words = tokens(query.text)
        asked = Asked(
            words=words, domains=tuple(sorted(query.domains)), notes=() if words else (catalogue.gettext(NO_WORD),)
        )
        if not words:
            return Recollection(asked=asked)
        async with self._database.connection() as connection:
            sought = await bounded_words.of_text(connection, caller, " ".join(words))
            found = await connection.fetch(
                Sql.literal_candidates,
                caller.space_id,
                caller.visible,
                sought.indexed,
                query.tier.value if query.tier else None,
                [*query.tags],
                CANDIDATES,
            )
            scored = _counted(words, found)
            first = dict(scored[: max(BEST, query.limit)])
            kept = await connection.fetch(Sql.memories, caller.space_id, caller.visible, [*first])
        memories = {memory.memory_id: memory for memory in map(rows.memory, kept)}
        # One may have been forgotten since it was counted.
        ranked = [Result(item=memories[key], parts=Parts(text=n)) for key, n in first.items() if key in memories]
        best = ranked[:BEST]
        results, note = _chosen(best, query.domains)
        _log.info(
            "recall.literal",
            considered=len(scored),
            chosen=results[0].name if results else None,
            best=[(result.name, round(result.parts.score)) for result in best],
        )
        return Recollection(
            results=(*results, *ranked[BEST:])[: query.limit],
            asked=replace(asked, notes=note),
            candidates=tuple(best),
            considered=len(scored),
        )

    async def keywords(self, caller: Caller, query: Query) -> Recollection:
        """What any of the first 60 phrases matches, by what they are worth together, the newest of equals first.

        Beside memories and messages these are entries of ledgers, where nothing else that is found tells of the same.
        """
        given, more = phrases(query.text)
        told = catalogue.gettext("Of {count} keywords only the first {most} were looked for.")
        cut = (told.format(count=len(given) + more, most=MOST_PHRASES),) if more else ()
        async with self._database.connection() as connection:
            read = await connection.fetch(Sql.phrases, caller.space_id, caller.language, [*given])
            if not read:
                return Recollection(asked=Asked(words=given, notes=(*cut, catalogue.gettext(NO_WORD))))
            anywhere = [row["anywhere"] for row in read]
            counted = await word_counts.of_words(
                connection, caller.space_id, [word for row in read for words in row["words"] for word in words]
            )
            kept = _phrases_divided(read, counted.memories)
            found = await connection.fetch(
                Sql.keyword_memories,
                caller.space_id,
                caller.visible,
                caller.language,
                kept.indexed,
                anywhere,
                [row["in_topic"] for row in read],
                [row["in_content"] for row in read],
                query.tier.value if query.tier else None,
                [*query.tags],
                _WEIGHTS,
                CANDIDATES,
                query.limit,
                query.until,
                kept.walked,
                kept.walk(1),
            )
            results = [Result(item=rows.memory(row), parts=Parts(text=row["worth"])) for row in found]
            considered = _considered(found)
            if query.messages:
                quoted = {key for memory in map(rows.memory, found) for key in memory.evidence}
                heard = _phrases_divided(read, counted.messages)
                said = await connection.fetch(
                    Sql.keyword_messages,
                    caller.space_id,
                    caller.visible,
                    heard.indexed,
                    anywhere,
                    sorted({*quoted, *query.apart_from}),
                    SAID,
                    CANDIDATES,
                    query.limit,
                    ledger_search.end_id(query.until),
                    heard.walked,
                    heard.walk(len(caller.visible)),
                )
                results += [Result(item=rows.message(row), parts=Parts(text=row["worth"])) for row in said]
                considered += _considered(said)
                entries = await ledger_search.holding_in(
                    connection, caller, anywhere, heard, most=query.limit, until=query.until
                )
                told = {key for result in results for key in ledger_search.sources(result)}
                results += [ledger_search.result(one, one.words * SAID) for one in entries if one.is_new(told)]
                considered += len(entries)
        places = {row["place"] for row in read}
        empty = [phrase for place, phrase in enumerate(given, 1) if place not in places]
        # Sorted twice: the newest first among equals, and of those of one moment the lowest id.
        results.sort(key=_key)
        results.sort(key=lambda result: (result.parts.score, result.item.said_at), reverse=True)
        _log.info(
            "recall.keywords",
            phrases=len(read),
            considered=considered,
            best=[(result.name, round(result.parts.score)) for result in results[:BEST]],
        )
        return Recollection(
            results=tuple(results[: query.limit]),
            asked=Asked(words=given, notes=(*cut, *_unread(empty))),
            candidates=tuple(results[:BEST]),
            considered=considered,
        )


def _phrases_divided(read: Sequence[Row], counted: Counted) -> Divided:
    """How each phrase is looked for."""
    return bounded_words.divided([Sought.all_of(row["anywhere"], row["words"], counted) for row in read], counted)


def tokens(text: str) -> tuple[str, ...]:
    """The distinct words of a text in small letters and without accents, in order; at most 256."""
    return tuple(itertools.islice(dict.fromkeys(_words(_plain(text))), TOKENS))


def phrases(text: str) -> tuple[tuple[str, ...], int]:
    """The first 60 phrases between semicolons, each once, and how many there are beyond them."""
    given = (" ".join(part.split()) for part in _plain(text).split(";"))
    found = tuple(dict.fromkeys(part for part in given if part))
    return found[:MOST_PHRASES], max(0, len(found) - MOST_PHRASES)


def _counted(words: Iterable[str], found: Iterable[Row]) -> list[tuple[MemoryId, int]]:
    """How many of the words stand anywhere in each memory, also within others: the most first, then the lowest id.

    Those without any are left out.
    """
    wanted = frozenset(words)
    texts = ((row["memory_id"], folding.folded(row["content"])) for row in found)
    held = ((key, sum(word in text for word in wanted)) for key, text in texts)
    scored = [(MemoryId(key), count) for key, count in held if count]
    return sorted(scored, key=lambda one: (-one[1], one[0]))


def _chosen(best: Sequence[Result], domains: frozenset[str]) -> tuple[tuple[Result, ...], tuple[str, ...]]:
    """The best with the one that is the answer first, and the reason where that is not its score."""
    for result in best:
        shared = sorted(domains.intersection(result.item.tags)) if isinstance(result.item, Memory) else []
        if shared and result is not best[0]:
            others = tuple(other for other in best if other is not result)
            told = catalogue.gettext("{result} comes first for its {domains}.")
            return (result, *others), (told.format(result=result.name, domains=", ".join(shared)),)
        if shared:
            break
    return tuple(best), ()


def _unread(empty: Sequence[str]) -> tuple[str, ...]:
    """What is said of phrases without a word that is in an index."""
    named = [repr(normalize.one_line(normalize.shown(phrase), 40)) for phrase in empty[:MOST_NAMED]]
    told = catalogue.gettext("There was no word to look for in {phrases}.")
    return (told.format(phrases=", ".join(named) + " …" * (len(empty) > MOST_NAMED)),) if named else ()


def _considered(found: Sequence[Row]) -> int:
    return found[0]["considered"] if found else 0


def _key(result: Result) -> tuple[int, int]:
    """Memories before messages, the lower id first."""
    item = result.item
    return (0, item.memory_id) if isinstance(item, Memory) else (1, item.message_id)


def _words(text: str) -> Iterator[str]:
    """Every word of a text in small letters and without accents; by pairs of letters what is written without blanks."""
    for match in _WORD.finditer(folding.folded(text)):
        word = match[0]
        if match["joined"] is None:
            yield word
        else:
            yield from (word[at : at + 2] for at in range(max(1, len(word) - 1)))


def _plain(text: str) -> str:
    """The text as Postgres takes it."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()
