"""Searches the texts of files for a question, and finds the passage of each that matches it best."""

import asyncio
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from bot import log
from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import Caller, ChannelId, Message, MessageId, SentFile
from bot.recall import parsing, passages
from bot.recall.passages import Passage
from bot.recall.query import ParsedQuery, Query, Term
from bot.store import namesakes
from bot.store.files import file_types

_log = log.logger(__name__)

TOGETHER: Final = 2
"""Telling words that a passage shares with a question it answers."""
HALF: Final = 0.5
"""Of what the question's telling words weigh: a file that holds less only comes nearest."""
RARE: Final = 3
"""Files, and messages, that hold a word at most which is enough by itself."""
CANDIDATES: Final = 8
"""Files that are read for the best passage, of those that are named and of those that hold most words."""


class Sql:
    """The statements that read files."""

    of_messages: Final = statements.named("attachment.of_messages")
    named: Final = statements.named("attachment.named")
    holding: Final = statements.named("attachment.holding")
    said: Final = statements.named("attachment.said")
    contents: Final = statements.named("attachment.contents")
    words: Final = statements.named("recall.words")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file with a stored text, and the passage that matches the query."""

    attachment_id: int
    message_id: MessageId
    place_id: ChannelId
    """Where the message stands that it came with."""
    name: str
    author: str
    said_at: datetime
    passage: str
    score: float
    """What the passage holds of all that the question's telling words weigh; 1 where the question names the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """The result of a search of files."""

    attachments: tuple[Attachment, ...] = ()
    """Best first."""
    considered: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FileQuery:
    """A query to the files, prepared."""

    terms: tuple[Term, ...]
    names: tuple[str, ...]
    """What in it may name a file."""
    weights: Mapping[str, float]
    rare: frozenset[str] = field(default_factory=frozenset[str])
    """The words of which one is enough."""


class AttachmentSearch:
    """Searches files; every read binds the space and the caller's channels, and joins the message."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_messages(self, caller: Caller, question: Message, ids: Iterable[MessageId]) -> FoundFile:
        """The files that came with these messages, with what each says of a question; the beginning, where nothing."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.of_messages, caller.space_id, caller.visible, sorted({*ids}), CANDIDATES)
            terms = await _terms(connection, caller, question) if found else ()
        names = file_types.names_in(question.content)
        wanted = FileQuery(terms=terms, names=(*names,), weights={term.word: 1.0 for term in terms})
        told = await self._told(caller, wanted, found)
        return FoundFile(attachments=tuple(attachment for attachment, _ in told), considered=len(found))

    async def in_files(self, caller: Caller, question: Message, files: Sequence[SentFile]) -> list[Attachment]:
        """What each of these files says of a question, whether it is kept or not; the beginning, where nothing."""
        there = [
            {
                "attachment_id": -number,
                "message_id": file.message.message_id,
                "place_id": file.message.channel_id,
                "name": file.name,
                "author": file.message.author,
                "author_id": file.message.author_id,
                "said_at": file.message.said_at,
                "content": file.text,
            }
            for number, file in enumerate(files, 1)
            if file.text
        ]
        if not there:
            return []
        async with self._database.connection() as connection:
            terms = await _terms(connection, caller, question)
        wanted = FileQuery(terms=terms, names=(), weights={term.word: 1.0 for term in terms})
        return [attachment for attachment, _ in await self._told(caller, wanted, there)]

    async def is_about(self, caller: Caller, question: Message, files: Sequence[SentFile]) -> bool:
        """Whether a question is about one of these files: names it, points at it, or asks what it covers.

        So does one without a telling word: it asks of nothing else.
        """
        if not files:
            return False
        text = question.content
        if file_types.points_at_one(text) or any(file_types.is_named(file.name, text) for file in files):
            return True
        return any(one.score >= HALF for one in await self.in_files(caller, question, files))

    async def search(
        self,
        caller: Caller,
        question: Message,
        *,
        parsed: ParsedQuery | None = None,
        apart_from: Iterable[MessageId] = (),
    ) -> FoundFile:
        """The files that answer a question, best first; of equals the newest. Its own are among them.

        One does that has a passage with two of the question's telling words or with a rare one, or that the question
        names: a long text holds two words of any question, though seldom beside each other. `parsed` is the question as
        the space reads it, where it was read.
        """
        apart = {*apart_from, question.message_id}
        without = [*apart - {question.message_id}]
        async with self._database.connection() as connection:
            terms = await _terms(connection, caller, question) if parsed is None else _of_no_file(parsed)
            queries, names = [term.query for term in terms], file_types.names_in(question.content)
            named = await connection.fetch(Sql.named, caller.space_id, caller.visible, names, without, CANDIDATES)
            holding = await connection.fetch(Sql.holding, caller.space_id, caller.visible, queries, without, CANDIDATES)
            if not (named or holding):
                return FoundFile()
            counts = dict(zip(terms, holding[0]["counts"], strict=True)) if holding else {}
            few = [term for term, n in counts.items() if 0 < n <= RARE]
            said = await connection.fetch(
                Sql.said,
                caller.space_id,
                caller.visible,
                [term.query for term in few],
                RARE + 1,
                [*apart],
                [term.word for term in few],
            )
            keys = [*dict.fromkeys((row["message_id"], row["attachment_id"]) for row in (*named, *holding))]
            found = await connection.fetch(
                Sql.contents, caller.space_id, caller.visible, [key for key, _ in keys], [key for _, key in keys]
            )
        considered = max(len(keys), holding[0]["considered"] if holding else 0)
        wanted = FileQuery(
            terms=terms,
            names=(*names,),
            weights={term.word: math.log(1 + considered / max(1, counts.get(term, 0))) for term in terms},
            rare=frozenset(term.word for term, row in zip(few, said, strict=True) if row["messages"] <= RARE),
        )
        told = await self._told(caller, wanted, found)
        hits = [one for one, held in told if one.score == 1.0 or len(held) >= TOGETHER or held & wanted.rare]
        hits.sort(key=lambda one: (-round(one.score, 9), -one.message_id, one.attachment_id))
        _log.info("attachment.searched", words=len(terms), considered=considered, results=len(hits))
        return FoundFile(attachments=tuple(hits), considered=considered)

    async def _told(
        self, caller: Caller, wanted: FileQuery, found: Sequence[Row | Mapping[str, Any]]
    ) -> list[tuple[Attachment, frozenset[str]]]:
        """Each file with its best passage, and the words that it holds."""
        if not found:
            return []
        texts: list[str] = [row["content"] for row in found]
        # Beside the loop: eight long texts are a million characters.
        alike = await asyncio.to_thread(passages.alike, texts, wanted.terms)
        async with self._database.connection() as connection:
            read = await connection.fetch(Sql.words, caller.language, alike) if alike else ()
            sent_by = [(row["author_id"], row["author"]) for row in found if row["author_id"] is not None]
            called = await namesakes.of(connection, caller.space_id, sent_by)
        forms = {row["token"]: tuple(row["words"]) for row in read}
        tables = [file_types.is_table(row["name"]) for row in found]
        best = await asyncio.to_thread(_passages, texts, tables, wanted, forms)
        return [
            (_attachment(row, called.get((row["author_id"], row["author"]), row["author"]), one, wanted), one.held)
            for row, one in zip(found, best, strict=True)
        ]


async def _terms(connection: Connection, caller: Caller, question: Message) -> tuple[Term, ...]:
    """The telling words of a question, but for those that only say that a file is meant."""
    query = Query(text=question.content, as_of=question.said_at)
    return _of_no_file(await parsing.parse(connection, caller, query))


def _of_no_file(parsed: ParsedQuery) -> tuple[Term, ...]:
    return tuple(term for term in parsed.telling if term.token not in file_types.OF_FILES)


def _passages(
    texts: Sequence[str], tables: Sequence[bool], wanted: FileQuery, forms: Mapping[str, Sequence[str]]
) -> list[Passage]:
    """The best of each text, of which some are `tables`."""
    return [
        (passages.best_rows if is_table else passages.best)(
            text, passages.spots(text, wanted.terms, forms), wanted.weights
        )
        for text, is_table in zip(texts, tables, strict=True)
    ]


def _attachment(row: Row | Mapping[str, Any], author: str, passage: Passage, wanted: FileQuery) -> Attachment:
    is_named = not set(file_types.called(row["name"])).isdisjoint(wanted.names)
    held, of = sum(wanted.weights[word] for word in passage.held), sum(wanted.weights.values())
    return Attachment(
        attachment_id=row["attachment_id"],
        message_id=MessageId(row["message_id"]),
        place_id=ChannelId(row["place_id"]),
        name=row["name"],
        author=author,
        said_at=row["said_at"],
        passage=passage.text,
        # Below that of a file that is named, however much it holds; of no words it holds all.
        score=1.0 if is_named else 0.99 * (held / of if of else 1.0),
    )
