"""Finds the memories and messages that match a query, best first, with the reason for each rank."""

import asyncio
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, LiteralString

from bot import catalogue, log
from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import Caller, Memory, MemoryId, Message, MessageId, Parts, PersonId, Recollection, Result
from bot.language.questions import answer_kinds
from bot.language.statements import assertions, claims
from bot.recall import answer_signs, confidence, neighbours, pieces, ranking, search_terms
from bot.recall.ledger_search import ids_between
from bot.recall.pieces import Corrected
from bot.recall.query import ASKING, MOST_WORDS, NO_WORD, ParsedQuery, Query, Term
from bot.recall.ranking import Candidate, Counts, RowReading
from bot.store import bounded_words, rows, wordings
from bot.store.bounded_words import Divided
from bot.store.vectors.embeddings import Embeddings, Nearest, key_of
from bot.store.word_counts import Counted
from bot.text import sentences, spelling, trigrams

_log = log.logger(__name__)

CORE: Final = 60
"""Messages and memories each that are scored, with what stands beside them; how little that costs is measured."""
FEW: Final = 40
"""The same for a question that is not about the past: it is looked up beside what would be answered anyway."""
TOLD: Final = 0.25
"""Confidence from which what was found is told to a question about the past."""
TOLD_UNASKED: Final = 0.47
"""The same to any other question: a model would answer it too, so noise costs more there."""
MORE_BY_MEANING: Final = 0.12
"""So much more where meaning was compared: then something comes near to whatever is asked."""
TOLD_FOR_NO: Final = 0.2
"""The same where yes or no is asked, of what is told as coming nearest: silence would be read as a no."""
LISTED: Final = 0.2
"""The same in a list of results, which whoever searched reads for themselves."""
COVERED: Final = 0.5
"""Of what a question weighs that is not about the past: what holds less is no answer."""
NEAREST: Final = 100
"""Rows that are scored because their meaning is near."""
VOCABULARY: Final = 1000
"""Messages and memories each, the newest, in which a misspelt word is looked for."""
RARE: Final = 5
"""Rows that may hold a misspelt word, if all of them only ask."""
LONG: Final = 6
"""Letters from which on a word that is nearly one of asking is it misspelt."""
FEW_WORDS: Final = 4
"""Words of a question that is not about the past; in one of more, misspelt ones are looked for if it finds nothing."""
PIECES: Final = 300
"""Places that are joined to pieces of evidence."""
IN_TRAIL: Final = 10
"""Candidates whose scores can be looked at."""
ASKED_ENOUGH: Final = 0.3
"""How far a question stands out, as a share of what the query weighs, that is shown as asked."""
MOST_OF_SESSION: Final = 300
"""Messages of one session that are looked at, the newest."""
MOST_SUMMARIES: Final = 5
DECIDED: Final = 200
"""The newest messages among which decisions are looked for, where they are asked for without a word of what."""
LIKE_ENOUGH: Final = 0.5
LIKE_ENOUGH_FOR_A_NAME: Final = 0.6
"""Who asks for Callum is told nothing of a call."""


class Sql:
    """The statements of a recall."""

    message_candidates: Final = statements.named("recall.message_candidates")
    message_recent: Final = statements.named("recall.message_recent")
    memory_recent: Final = statements.named("recall.memory_recent")
    message_rows: Final = statements.named("recall.message_rows")
    memories: Final = statements.named("recall.memories")
    memories_then: Final = statements.named("recall.memories_then")
    any_held: Final = statements.named("recall.any_held")
    session_rows: Final = statements.named("recall.session_rows")
    summaries: Final = statements.named("recall.summaries")
    texts: Final = statements.named("recall.texts")
    vocabulary: Final = statements.named("recall.vocabulary")
    outdated: Final = statements.named("recall.outdated")
    corrected: Final = statements.named("recall.corrected")


class Recall:
    """Searches memories and messages; every read binds the space and the channels everyone who asks may see."""

    def __init__(self, database: Database, embeddings: Embeddings | None = None) -> None:
        self._database = database
        self._embeddings = embeddings

    async def ranked(self, caller: Caller, parsed: ParsedQuery) -> Recollection:
        """The best results, at most the query's `limit`; none where nothing stands out from the rest."""
        query = parsed.query
        if query.is_question:
            parsed = parsed.without_asking()
        latest, decides = tuple[Result, ...](), _asks_for_decisions(parsed)
        if parsed.is_about_people_alone and (decides or not query.strictly):
            async with self._database.connection() as connection:
                latest = await self._latest(connection, caller, parsed, decides=decides)
        if decides:
            # A decision is known by how it is told: the words of asking stand in what only asks for it.
            return _without_words(parsed, latest)
        if not parsed.terms:
            return _without_words(parsed, latest)
        # Asked with no connection in hand: the embedder may take its time.
        near = Nearest() if query.session_id is not None else await self._nearest(caller, parsed)
        counts, candidates, core = await self._found(caller, parsed, near)
        loose = parsed.loosened(counts.rows)
        if await self._is_held(caller, parsed, [t for t in loose.terms if t not in parsed.terms]):
            parsed = loose
            counts, candidates, core = await self._found(caller, parsed, near)
        considered, covered = _coverage(parsed, counts, candidates, core)
        # A long question that is not about the past is looked up with every answer.
        is_settled = query.strictly and len(parsed.terms) > FEW_WORDS and covered >= COVERED
        spelled = None if is_settled else await self._spelled(caller, parsed, counts, candidates, core)
        if spelled is not None:
            parsed = spelled
            counts, candidates, core = await self._found(caller, parsed, near)
            considered, covered = _coverage(parsed, counts, candidates, core)
        least = _least(query, compared_meaning=near.deviation > 0.0)
        if query.strictly and near.deviation == 0.0 and covered < COVERED:
            # Whatever places they had, none of them would be told: nothing more of them is read.
            return _nothing(parsed, considered, least)
        candidates += await self._messages(caller, parsed, core)
        if query.is_question and not assertions.asks_what_was_asked(query.text):
            _keep_apart(candidates)
        await self._compare(caller, near, candidates)
        places = query.limit if query.strictly else ranking.PLACES
        newest = answer_kinds.wants_newest(query.text) if query.is_question else None
        read = _reading(parsed, candidates, caller.time_zone)
        ranked = ranking.rank(parsed, counts, candidates, read, places=places, newest=newest)
        certainty = confidence.of(ranked.standing, compared_meaning=near.deviation > 0.0)
        results = await self._pieces(caller, query, ranked.results[:PIECES])
        found = _recollection(query, replace(ranked, results=(*results,)), latest, certainty, least)
        _log.info(
            "recall.ranked",
            words=len(parsed.terms),
            considered=found.considered,
            results=len(found.results),
            certainty=round(found.certainty, 3),
            best=[(r.name, round(r.parts.score, 4)) for r in found.candidates],
        )
        asked = parsed.asked(without=near.failed)
        return replace(found, asked=asked, compared_meaning=near.deviation > 0.0)

    async def _spelled(
        self, caller: Caller, parsed: ParsedQuery, counts: Counts, candidates: Sequence[Candidate], core: Sequence[Row]
    ) -> ParsedQuery | None:
        """The query with what its words nearly spell or end, of those that nobody ever said; none for nothing.

        What nearly spells a small word or one of asking ("teh", "remeber") is not looked for.
        """
        bits = await self._only_asked(caller, counts, candidates, core)
        unknown = [term for bit, term in enumerate(parsed.terms) if bit in bits and not term.is_name]
        if not unknown:
            return None
        letters = sorted({letter for term in unknown for letter in (term.word[:1], *spelling.initials(term.word))})
        endings = sorted({ending for term in unknown for ending in spelling.endings(term.word)})
        words = [term.word for term in unknown]
        rows = await self._fetch(Sql.vocabulary, caller.space_id, caller.visible, letters, VOCABULARY, endings, words)
        known = [row["word"] for row in rows]
        spelled = {
            word: spelling.compounds(word, known) or spelling.nearly(word, known) or spelling.misbegun(word, known)
            for word in words
        }
        also = {word: near for word, near in spelled.items() if near}
        in_two = {word: two for word in words if word not in also and (two := spelling.parts(word, {*known}))}
        small = {term.word for term in unknown if term.word not in also and _spells_asking(term.token)}
        if not (also or in_two or small):
            return None
        told = [term for term in parsed.terms if term.word not in small] or parsed.terms
        told = [each for term in told for each in _in_two(term, in_two.get(term.word, ()))]
        return replace(parsed, terms=(*(replace(t, also=(*t.also, *also.get(t.word, ()))) for t in told),)[:MOST_WORDS])

    async def _only_asked(
        self, caller: Caller, counts: Counts, candidates: Sequence[Candidate], core: Sequence[Row]
    ) -> set[int]:
        """The places of the words that nobody ever said, but in questions: a misspelt one that was asked stays such."""
        rare = {bit for bit, n in enumerate(counts.rows) if n <= RARE}
        held = [(bit, row["message_id"]) for row in core for bit in rare if row["mask"] >> bit & 1]
        rare -= {bit for bit in rare for c in candidates if ranking.held(c) >> bit & 1}
        ids = [message_id for bit, message_id in held if bit in rare]
        if not ids:
            return {bit for bit in rare if not counts.rows[bit]}
        rows_of = await self._fetch(Sql.message_rows, caller.space_id, caller.visible, ids, list[str]())
        stated = {row["message_id"] for row in rows_of if assertions.states(row["content"])}
        return {bit for bit in rare if stated.isdisjoint(key for at, key in held if at == bit)}

    async def _pieces(self, caller: Caller, query: Query, results: Sequence[Result]) -> list[Result]:
        """The results as pieces of evidence; what no longer holds is left out, or marked where how it was is asked."""
        said = [result.item.message_id for result in results if isinstance(result.item, Message)]
        edited = [r.item.memory_id for r in results if isinstance(r.item, Memory) and r.item.made_from]
        in_words = query.is_question and answer_kinds.asks_what_was_said(query.text)
        if not (said or edited or in_words):
            return pieces.joined(results)
        async with self._database.connection() as connection:
            until = await self._until(connection, caller, said)
            corrected = await self._corrected(connection, caller, edited)
            is_past = not answer_kinds.wants_newest(query.text)
            found = pieces.joined(results, frozenset() if is_past else until.keys(), corrected)
            first, others = found[: query.limit], found[query.limit :]
            words = await self._words_of(connection, caller, query, first) if in_words else ()
        return pieces.marked([*pieces.in_words(first, words, corrected), *others], until)

    @staticmethod
    async def _until(connection: Connection, caller: Caller, said: Sequence[MessageId]) -> Mapping[MessageId, datetime]:
        """Those of the messages that tell what was replaced, and when it was."""
        found = await connection.fetch(Sql.outdated, caller.space_id, said) if said else ()
        return {MessageId(row["message_id"]): row["until"] for row in found}

    @staticmethod
    async def _words_of(
        connection: Connection, caller: Caller, query: Query, results: Sequence[Result]
    ) -> Sequence[Message]:
        """What people stated in the messages that the memories among these rest on."""
        rests_on = {key for result in results if isinstance(result.item, Memory) for key in result.item.evidence}
        ids = sorted(rests_on.difference(query.apart_from))
        found = await connection.fetch(Sql.message_rows, caller.space_id, caller.visible, ids, list[str]())
        return [said for said in map(rows.message, found) if assertions.states(said.content)]

    @staticmethod
    async def _corrected(connection: Connection, caller: Caller, edited: Sequence[MemoryId]) -> Corrected:
        """Which messages told what these memories were before an edit."""
        found = await connection.fetch(Sql.corrected, caller.space_id, edited) if edited else ()
        return {MemoryId(row["memory_id"]): frozenset(map(MessageId, row["messages"])) for row in found}

    async def _nearest(self, caller: Caller, parsed: ParsedQuery) -> Nearest:
        """What is near the question in meaning; nothing where no embedder is configured, or it did not answer."""
        if self._embeddings is None:
            return Nearest()
        return await self._embeddings.nearest(caller, parsed.meaning, limit=NEAREST)

    async def _compare(self, caller: Caller, near: Nearest, candidates: Sequence[Candidate]) -> None:
        """Sets the similarity of each candidate, as far as it is known."""
        if self._embeddings is None or near.vector is None or near.deviation == 0.0:
            return
        similar = dict(near.similar)
        keys = {key_of(candidate.item): candidate for candidate in candidates}
        missing = [key for key in keys if key not in similar]
        similar |= await self._embeddings.similarity(
            caller,
            [key for kind, key in missing if kind == "message"],
            [key for kind, key in missing if kind == "memory"],
            near.vector,
        )
        for key, candidate in keys.items():
            if key in similar:
                candidate.similarity = (similar[key] - near.mean) / near.deviation

    async def _latest(
        self, connection: Connection, caller: Caller, parsed: ParsedQuery, *, decides: bool
    ) -> tuple[Result, ...]:
        """What was said last by whom, or when, the query names, where that is all it names; or what was decided."""
        spans = parsed.times.spans[:1]
        if not (parsed.named or spans or decides) or not parsed.query.messages:
            return ()
        start, end = (spans[0].start, spans[0].end) if spans else (None, None)
        walk = bounded_words.walk(len(caller.visible))
        found = await connection.fetch(
            Sql.message_recent,
            caller.space_id,
            caller.visible,
            [*parsed.named] or None,
            *ids_between(start, end),
            [*parsed.query.apart_from],
            DECIDED if decides else 2 * parsed.query.limit,
            bounded_words.WALKED,
        )
        ids = [row["message_id"] for row in found]
        pool = await connection.fetch(Sql.message_rows, caller.space_id, caller.visible, ids, list[str]())
        said = [rows.message(row) for row in pool]
        told = await connection.fetch(
            Sql.memory_recent,
            caller.space_id,
            caller.visible,
            [*parsed.named] or (None if decides else []),
            start,
            end,
            DECIDED if decides else parsed.query.limit,
            walk,
        )
        memories = [rows.memory(row) for row in told]
        counts = (lambda _: True) if assertions.asks_what_was_asked(parsed.query.text) else assertions.states
        counts = _decides if decides else counts
        # What a memory was made from says it again.
        known = {key for memory in memories for key in memory.evidence}
        items: list[Memory | Message] = [*memories, *(m for m in said if m.message_id not in known)]
        # Asked how it is with somebody, what was kept tells more of them than what they happened to say last.
        kept_first = bool(parsed.named) and not spans and _asks_how_it_is(parsed.query)
        items.sort(key=lambda item: (kept_first and isinstance(item, Memory), item.said_at), reverse=True)
        told_of = (one for one in items if (isinstance(one, Memory) and not decides) or counts(one.content))
        # Of decisions many texts may have to be read, which takes its time.
        newest = await asyncio.to_thread(lambda: [*itertools.islice(told_of, parsed.query.limit)])
        latest = [Result(item=item, parts=Parts()) for item in newest]
        words = await self._words_of(connection, caller, parsed.query, latest)
        edited = [memory.memory_id for memory in memories if memory.made_from]
        corrected = await self._corrected(connection, caller, edited)
        shown = [one.item.message_id for one in latest if isinstance(one.item, Message)]
        until = await self._until(connection, caller, shown)
        return tuple(pieces.marked(pieces.in_words(latest, words, corrected), until))

    async def _found(
        self, caller: Caller, parsed: ParsedQuery, near: Nearest
    ) -> tuple[Counts, list[Candidate], Sequence[Row]]:
        """How many rows hold each word, those that are to be scored, and the messages yet to be read for that."""
        core: Sequence[Row] = ()
        if parsed.query.session_id is not None:
            counts, candidates = await self._few(
                Sql.session_rows,
                parsed,
                caller.space_id,
                caller.visible,
                parsed.query.session_id,
                [*parsed.query.apart_from],
                MOST_OF_SESSION,
            )
        else:
            counts, candidates, core = await self._everywhere(caller, parsed, near)
        told, texts = await self._given(caller, parsed)
        return counts + told, candidates + texts, core

    async def _is_held(self, caller: Caller, parsed: ParsedQuery, terms: Sequence[Term]) -> bool:
        """Whether any row holds one of these words; most words nobody said have no other forms either."""
        if not terms:
            return False
        parsed = replace(parsed, terms=(*terms,))
        if parsed.query.session_id is not None:
            counts, _, _ = await self._found(caller, parsed, Nearest())
            return counts.hits > 0
        given, _ = await self._given(caller, parsed)
        if given.hits > 0:
            return True
        async with self._database.connection() as connection:
            counted = await search_terms.counted(connection, caller, terms)
            if any(of.rows or of.beginnings for of in (counted.memories, counted.messages)):
                # Of what is common the index would name all that hold it.
                return True
            return await connection.fetchval(
                Sql.any_held,
                caller.space_id,
                caller.visible,
                " | ".join(term.query for term in terms),
                parsed.query.tier.value if parsed.query.tier else None,
                [*parsed.query.tags],
                parsed.query.messages,
                [*parsed.query.apart_from],
                caller.channel_id,
                MOST_SUMMARIES if parsed.query.summaries else 0,
                caller.language,
            )

    async def _everywhere(
        self, caller: Caller, parsed: ParsedQuery, near: Nearest
    ) -> tuple[Counts, list[Candidate], Sequence[Row]]:
        async with self._database.connection() as connection:
            counted = await search_terms.counted(connection, caller, parsed.terms)
        (counts, candidates), core, (told, summaries) = await asyncio.gather(
            self._found_memories(caller, parsed, near, counted.memories),
            self._found_messages(caller, parsed, near, counted.messages),
            self._found_summaries(caller, parsed),
        )
        return counts + _counts(core, len(parsed.terms)) + told, candidates + summaries, core

    async def _found_messages(
        self, caller: Caller, parsed: ParsedQuery, near: Nearest, counted: Counted
    ) -> Sequence[Row]:
        if not parsed.query.messages:
            return ()
        words = search_terms.divided(parsed.terms, counted)
        return await self._fetch(
            Sql.message_candidates,
            caller.space_id,
            caller.visible,
            *_looked_for(parsed, words),
            [*parsed.query.apart_from],
            [key for kind, key in near.similar if kind == "message"],
            FEW if parsed.query.strictly else CORE,
            _padded(parsed.terms),
            *_read_for(words, caller),
        )

    async def _found_summaries(self, caller: Caller, parsed: ParsedQuery) -> tuple[Counts, list[Candidate]]:
        if not parsed.query.summaries:
            return _counted((), len(parsed.terms)), []
        return await self._few(
            Sql.summaries, parsed, caller.space_id, caller.channel_id, MOST_SUMMARIES, caller.language
        )

    async def _few(self, statement: LiteralString, parsed: ParsedQuery, *args: Any) -> tuple[Counts, list[Candidate]]:
        """A few messages, all of them, with how many hold each word."""
        loose = [(bit, term) for bit, term in enumerate(parsed.terms) if term.is_loose or term.also]
        found = await self._fetch(statement, [term.query for term in parsed.terms], *args)
        said = {MessageId(row["message_id"]): _candidate(rows.message(row), row, loose) for row in found}
        neighbours.link_all(said)
        return _counted(found, len(parsed.terms)), list(said.values())

    async def _given(self, caller: Caller, parsed: ParsedQuery) -> tuple[Counts, list[Candidate]]:
        """The texts that are given beside the query, as the index would have them."""
        texts = parsed.query.beside
        if not texts:
            return Counts(rows=(0,) * len(parsed.terms), hits=0), []
        loose = [(bit, term) for bit, term in enumerate(parsed.terms) if term.is_loose or term.also]
        found = await self._fetch(
            Sql.texts, [term.query for term in parsed.terms], caller.language, [text.content for text in texts]
        )
        candidates = [_candidate(text, row, loose) for text, row in zip(texts, found, strict=True)]
        return _counted(found, len(parsed.terms)), candidates

    async def _found_memories(
        self, caller: Caller, parsed: ParsedQuery, near: Nearest, counted: Counted
    ) -> tuple[Counts, list[Candidate]]:
        terms, words = parsed.terms, search_terms.divided(parsed.terms, counted)
        loose = [(bit, term) for bit, term in enumerate(terms) if term.is_loose or term.also]
        then = parsed.query.then
        found = await self._fetch(
            Sql.memories if then is None else Sql.memories_then,
            caller.space_id,
            caller.visible,
            *_looked_for(parsed, words),
            parsed.query.tier.value if parsed.query.tier else None,
            [key for kind, key in near.similar if kind == "memory"],
            FEW if parsed.query.strictly else CORE,
            _padded(terms),
            *_read_for(words, caller),
            [*parsed.query.tags],
            *([] if then is None else [then]),
        )
        counts, pairs = _counts(found, len(terms)), [(rows.memory(row), row) for row in found]
        if then is not None:
            pairs = await self._as_worded(caller, parsed, then, pairs)
        return counts, [_candidate(memory, row, loose) for memory, row in pairs]

    async def _as_worded(
        self, caller: Caller, parsed: ParsedQuery, then: datetime, found: Sequence[tuple[Memory, Row]]
    ) -> list[tuple[Memory, Row]]:
        """The memories in the words that stood then, without those found by words alone that were said later."""
        stood = [(wordings.as_of(memory, row["metadata"], then), memory, row) for memory, row in found]
        texts = [f"{was.topic} {' '.join(was.tags)} {was.content}" for was, now, _ in stood if was is not now]
        if not texts:
            return [*found]
        queries = [term.query for term in parsed.terms]
        read = iter(await self._fetch(Sql.texts, queries, caller.language, texts))
        as_worded = [(was, row if was is now else next(read)) for was, now, row in stood]
        return [(memory, row) for memory, row in as_worded if row["mask"]]

    async def _messages(self, caller: Caller, parsed: ParsedQuery, core: Sequence[Row]) -> list[Candidate]:
        """The found messages with their neighbours."""
        if not core:
            return []
        ids = sorted({key for row in core for key in neighbours.of(row)} - {*parsed.query.apart_from})
        queries = [term.query for term in parsed.terms]
        pool = await self._fetch(Sql.message_rows, caller.space_id, caller.visible, ids, queries)
        loose = [(bit, term) for bit, term in enumerate(parsed.terms) if term.is_loose or term.also]
        said = {MessageId(row["message_id"]): _candidate(rows.message(row), row, loose) for row in pool}
        neighbours.link(said, core)
        found = {row["message_id"] for row in core}
        return [candidate for key, candidate in said.items() if candidate.beside or key in found]

    async def _fetch(self, statement: LiteralString, *args: Any) -> Sequence[Row]:
        async with self._database.connection() as connection:
            return await connection.fetch(statement, *args)


def _asks_for_decisions(parsed: ParsedQuery) -> bool:
    """Whether a question asks for what was decided, with no word of what."""
    query = parsed.query
    return query.is_question and parsed.is_about_people_alone and answer_kinds.asks_for_decisions(query.text)


def _asks_how_it_is(query: Query) -> bool:
    """Whether a question asks how it is with somebody, and neither what they said nor what they did."""
    text = query.text
    is_now = query.is_question and answer_kinds.wants_newest(text) is True
    return is_now and not answer_kinds.asks_what_was_said(text)


def _decides(text: str) -> bool:
    """Whether any of a text tells a decision."""
    return any(map(claims.decides, sentences.split(assertions.stated(text))))


def _looked_for(parsed: ParsedQuery, words: Divided) -> tuple[str, list[str], list[PersonId]]:
    """What the index is asked for, each word alone, and who is named, as the statements take them."""
    return words.indexed, [term.query for term in parsed.terms], [*parsed.named]


def _read_for(words: Divided, caller: Caller) -> tuple[str, int, list[int], int]:
    """What the newest rows are read for, how many of them, and how many hold it, as the statements take them."""
    return words.walked, words.walk(len(caller.visible)), [*words.rows], words.hits


def _without_words(parsed: ParsedQuery, latest: tuple[Result, ...]) -> Recollection:
    """What was said last by whom, or when, the query names, as it has no word to look for."""
    notes = () if latest else (catalogue.gettext(NO_WORD),)
    return Recollection(
        results=latest,
        asked=replace(parsed.asked(), domains=(), notes=(*parsed.notes, *notes)),
        candidates=latest[:IN_TRAIL],
        considered=len(latest),
    )


def _coverage(
    parsed: ParsedQuery, counts: Counts, candidates: Sequence[Candidate], core: Sequence[Row]
) -> tuple[int, float]:
    """How much was found for a question not about the past, and the most of what it weighs that any of it holds.

    With what stands beside it; any other question is taken for covered.
    """
    if not parsed.query.strictly:
        return 0, 1.0
    together = neighbours.together(candidates, core)
    return len(together), ranking.most_covered(parsed, counts, together.values())


def _in_two(term: Term, parts: Sequence[str]) -> list[Term]:
    """A word as the two that others write it in."""
    return [replace(term, word=part, token=part) for part in parts] or [term]


def _spells_asking(word: str) -> bool:
    """Whether it is a misspelt small word or one of asking; a short one only by swapped letters: a tale is no talk."""
    near = spelling.nearly(word, ASKING)
    return bool(near) and (len(word) >= LONG or sorted(word) in map(sorted, near))


def _least(query: Query, *, compared_meaning: bool) -> float:
    """The confidence below which nothing is a result."""
    if query.least is not None:
        return query.least
    if not query.is_question:
        return LISTED
    return (TOLD_UNASKED if query.strictly else TOLD) + MORE_BY_MEANING * compared_meaning


def _recollection(
    query: Query, ranked: ranking.Ranking, latest: tuple[Result, ...], certainty: float, least: float
) -> Recollection:
    """What of the ranking is told: nothing below the least confidence."""
    results = ranked.results[: query.limit] if certainty >= least else ()
    asks = certainty >= least or ranked.of_questions >= ASKED_ENOUGH
    return Recollection(
        results=_joined(latest, results, query.limit),
        questions=ranked.questions[: query.limit] if asks else (),
        candidates=ranked.results[:IN_TRAIL],
        certainty=certainty,
        signs=confidence.signs(ranked.standing),
        threshold=least,
        considered=len({result.name for result in (*latest, *ranked.results, *ranked.questions)}),
    )


def _nothing(parsed: ParsedQuery, considered: int, least: float) -> Recollection:
    """An empty recollection, since nothing holds enough of what is asked."""
    _log.info("recall.ranked", words=len(parsed.terms), considered=considered, results=0)
    return Recollection(asked=parsed.asked(), considered=considered, threshold=least, is_covered=False)


def _keep_apart(candidates: Sequence[Candidate]) -> None:
    """Unlinks requests, and questions that Hathi answered: the next message answers none."""
    for c in candidates:
        if isinstance(c.item, Memory) or not ranking.held(c):
            continue
        text = c.item.content
        c.lends = assertions.states(text) if c.hathi_answered else not assertions.only_requests(text)


def _reading(parsed: ParsedQuery, candidates: Sequence[Candidate], zone: str) -> ranking.Read:
    """What tells which of the words stand in what a row states, and what it lacks; asked what was asked, all do."""
    sight = answer_signs.sight(parsed, {candidate.item.author_id for candidate in candidates}, zone)
    asks_of_questions = assertions.asks_what_was_asked(parsed.query.text)

    def read(candidate: Candidate, before: Sequence[str]) -> RowReading:
        text, signs = candidate.item.content, sight(candidate.item, before)
        if candidate.hathi_answered and not asks_of_questions and assertions.is_keywords(text):
            # "Vault code" asks, where Hathi answered it.
            return RowReading(signs=replace(signs, states=False))
        if not signs.asks or not signs.states:
            return RowReading(signs=signs)
        return RowReading(said=_held_in(candidate, assertions.stated(text), parsed.terms), signs=signs)

    return read


def _held_in(candidate: Candidate, told: str, terms: Sequence[Term]) -> int:
    """Of the words a row holds those in that part of it, as far as letters tell: a form is known by its beginning."""
    held, there, stated = ranking.held(candidate), trigrams.words(candidate.item.content), trigrams.words(told)
    for bit, term in enumerate(terms):
        if held >> bit & 1 and _begins(there, term.word) and not _begins(stated, term.word):
            held &= ~(1 << bit)
    return held


def _begins(words: frozenset[str], indexed: str) -> bool:
    """Whether one of the words begins as an indexed one does; some forms have another last letter than the stem."""
    stem = trigrams.folded(indexed)
    start = stem[: max(trigrams.BEGINNING, len(stem) - 1)]
    return any(word.startswith(start) for word in words)


def _counted(found: Sequence[Row], words: int) -> Counts:
    """How many of a few rows hold each word."""
    holding = [row["mask"] for row in found if row["mask"]]
    return Counts(rows=tuple(sum(mask >> bit & 1 for mask in holding) for bit in range(words)), hits=len(holding))


def _counts(found: Sequence[Row], words: int) -> Counts:
    if not found or found[0]["hits"] is None:
        return Counts(rows=(0,) * words, hits=0)
    return Counts(rows=tuple(found[0]["counts"][:words]), hits=found[0]["hits"])


def _candidate(item: Memory | Message, row: Row, loose: Sequence[tuple[int, Term]]) -> Candidate:
    exact = mask = row["mask"]
    alike = 0
    there = [(bit, term) for bit, term in loose if mask >> bit & 1]
    if there:
        text = item.content if isinstance(item, Message) else f"{item.topic} {' '.join(item.tags)} {item.content}"
        words = trigrams.words(text)
        for bit, term in there:
            if term.word in words or trigrams.folded(term.token) in words or (term.also and _begins(words, term.word)):
                continue
            exact &= ~(1 << bit)
            enough = LIKE_ENOUGH_FOR_A_NAME if term.is_proper else LIKE_ENOUGH
            is_another = any(_begins(words, other) for other in term.also)
            if is_another or max((trigrams.similarity(term.token, word) for word in words), default=0.0) >= enough:
                alike |= 1 << bit
    answered = row.get("hathi_answered", False)
    return Candidate(item=item, mask=exact, alike=alike, hathi_answered=answered, length=row["length"])


def _joined(latest: Sequence[Result], results: Sequence[Result], limit: int) -> tuple[Result, ...]:
    """Of a query that only names people: half of what they said last, then where they are spoken of."""
    first = latest[: (limit + 1) // 2] if results else latest
    known = {result.name for result in first}
    return (*first, *(result for result in results if result.name not in known))[:limit]


def _padded(terms: Sequence[Term]) -> list[float]:
    return [*(term.share for term in terms), *[1.0] * (MOST_WORDS - len(terms))]
