"""Finds replies that were made from given messages or memories, so they are deleted with them.

A reply's sources are the texts it cites, and those shown to the model of which the reply repeats a name, a number or a
long word that no other shown text has. The shown texts are the messages and chat summaries its trail names, the
memories of its turn, and the messages of the session before its question. Equal wording alone proves nothing: two
people may say the same independently.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from bot.db import statements
from bot.db.pool import Connection, Row
from bot.domain import MessageId, PersonId, SpaceId, new_id
from bot.text import normalize

STEPS: Final = 5
"""From an answer to one that was made from it, and so on; people seldom ask twice for what was answered."""
WORDS: Final = 100
"""Telling words of one memory that are looked for in replies."""
IN_SIGHT: Final = 400
"""Messages of a session for which one of them is in sight: as many as are read for a prompt."""
LONG: Final = 6
"""Letters of a word that tells something though it is no name."""
_WORD: Final = re.compile(r"\w+(?:['\u2019-]\w+)*")
_POSSESSOR: Final = re.compile(r"['\u2019]s\Z")
Memories = Collection[Mapping[str, Any] | Row]
"""Their rows, with id and text."""
SKEW: Final = timedelta(seconds=1)
"""How far the clock that numbers messages may be from this one."""


class Sql:
    """The statements that read what replies were made from."""

    made_from: Final = statements.named("reply_sources.made_from")
    said: Final = statements.named("reply_sources.said")
    summed_up: Final = statements.named("reply_sources.summed_up")
    entries: Final = statements.named("reply_sources.entries")
    answers: Final = statements.named("reply_sources.answers")
    naming: Final = statements.named("reply_sources.naming")
    replies: Final = statements.named("reply_sources.replies")
    shown: Final = statements.named("reply_sources.shown")
    heard: Final = statements.named("reply_sources.heard")
    also_shown: Final = statements.named("reply_sources.also_shown")
    own_lines: Final = statements.named("reply_sources.own_lines")
    notes: Final = statements.named("reply_sources.notes")
    notes_of: Final = statements.named("reply_sources.notes_of")


async def replies_in(
    connection: Connection,
    space_id: SpaceId,
    messages: Collection[int],
    memories: Memories = (),
    *,
    left: str = "",
    to_them: bool = True,
    whole: bool = False,
) -> list[Row]:
    """Hathi's replies made from these messages, their files or notes, or these memories.

    And those made from such replies. Each has its id and session. `left` is what is left of the one message that was
    edited; `to_them` says whether what was said to the messages is among it, whatever it says. Of a message that is
    recorded nowhere nobody knows the words any more: every reply that was shown it is, and each with a word of what
    ledgers tell of it that was shown that. Of a session that goes as a `whole` only replies in others are looked for.
    """
    search = _Search(connection, space_id, messages, memories)
    said = await connection.fetch(Sql.said, space_id, search.messages) if messages else ()
    unrecorded = sorted({*messages} - {row["message_id"] for row in said})
    if to_them and messages:
        search.find(await connection.fetch(Sql.answers, space_id, search.messages))
    if unrecorded:
        search.find(await connection.fetch(Sql.naming, space_id, unrecorded))
        search.find(await connection.fetch(Sql.made_from, space_id, unrecorded))
    told: dict[int, set[str]] = {}
    for row in said:
        words = {*_telling(row["content"])} - words_of(left) if row["role"] == "person" else set[str]()
        told[row["message_id"]] = words
        # What a chat summary showed of it.
        told[row["session_id"]] = told.get(row["session_id"], set()) | words
    if unrecorded:
        _add_entries(told, await connection.fetch(Sql.summed_up, space_id, unrecorded))
    noted = await connection.fetch(Sql.notes, space_id, search.messages) if messages else ()
    await search.follow({key: words for key, words in told.items() if words}, noted, in_session=not whole)
    return [*search.found.values()]


async def replies_to_entries_in(
    connection: Connection, space_id: SpaceId, chunk_ids: Collection[int]
) -> list[MessageId]:
    """Hathi's replies that were shown these entries of ledgers and hold a word of one that nothing else has."""
    told = dict[int, set[str]]()
    _add_entries(told, await connection.fetch(Sql.entries, space_id, [*chunk_ids]))
    search = _Search(connection, space_id, (), ())
    await search.follow(told)
    return [*map(MessageId, search.found)]


async def replies_to_notes_in(
    connection: Connection, space_id: SpaceId, person_id: PersonId, through: datetime
) -> list[MessageId]:
    """Hathi's replies that cite a note of a person's, written until then."""
    noted = await connection.fetch(Sql.notes_of, space_id, person_id, through)
    if not noted:
        return []
    search = _Search(connection, space_id, (), ())
    await search.follow({}, noted)
    return [*map(MessageId, search.found)]


def brings_up(text: str, gone: Iterable[str], left: Iterable[str]) -> bool:
    """Whether a text has a telling word of what is gone that nothing of what is left has."""
    told = only_in(gone, left)
    return bool(told and words_of(text) & told)


def only_in(gone: Iterable[str], left: Iterable[str]) -> set[str]:
    """The telling words of what is gone that nothing of what is left has."""
    told = {word for each in gone for word in _telling(each)}
    return told.difference(*map(words_of, left)) if told else told


class _Search:
    """The search for replies made from certain messages and memories."""

    def __init__(
        self, connection: Connection, space_id: SpaceId, messages: Collection[int], memories: Memories
    ) -> None:
        self._connection = connection
        self._space_id = space_id
        self.messages = [*messages]
        self._memories = {
            row["memory_id"]: [f"#{row['memory_id']}", *_telling(row["content"], most=WORDS)] for row in memories
        }
        self.found: dict[int, Row] = {}

    def find(self, rows: Iterable[Row]) -> None:
        """These go, unless they are among the messages already."""
        self.found |= {row["message_id"]: row for row in rows if row["message_id"] not in self.messages}

    async def follow(
        self, told: Mapping[int, set[str]], noted: Collection[Row] = (), *, in_session: bool = True
    ) -> None:
        """Find what was made from what is told by these ids, then what was made from that, and so on.

        Of a reply that goes only the words of what goes with it lead on: the rest of it may be its own.
        """
        words = set[str]().union(*told.values(), *self._memories.values())
        reminded = await self._reminded()
        cited = [*self.messages]
        for step in range(STEPS):
            before = {*self.found} if step else set[int]()
            brought_up = reminded + await self._heard(told, in_session=in_session or bool(step))
            self.find(await self._citing(cited, noted if step == 0 else (), memories=step == 0))
            await self._judge(brought_up)
            cited = [key for key in self.found if key not in before]
            if not cited:
                break
            told = {key: words_of(self.found[key]["content"]) & words for key in cited}
            told, reminded = {key: those for key, those in told.items() if those}, []

    async def _citing(self, cited: list[int], noted: Collection[Row], *, memories: bool) -> Sequence[Row]:
        numbers = [*self._memories] if memories else []
        if not (cited or numbers or noted):
            return []
        channels, labels = [row["channel_id"] for row in noted], [f"N{row['number']}" for row in noted]
        since = [new_id(row["written_at"] - SKEW) for row in noted]
        return await self._connection.fetch(Sql.replies, self._space_id, cited, numbers, channels, labels, since)

    async def _reminded(self) -> list[tuple[Row, str]]:
        """Replies that were shown a memory and hold a telling word of it."""
        pairs = [(key, word) for key, words in self._memories.items() for word in words]
        if not pairs:
            return []
        ids, words = [key for key, _ in pairs], [word for _, word in pairs]
        found = await self._connection.fetch(Sql.shown, self._space_id, ids, words, [*self._memories])
        return [
            (row, row["word"])
            for row in found
            if re.search(rf"(?<!\w){re.escape(row['word'])}(?!\w)", row["content"], re.IGNORECASE)
        ]

    async def _heard(self, told: Mapping[int, set[str]], *, in_session: bool) -> list[tuple[Row, str]]:
        """Replies that were shown one of these messages, in their session or by a recall, and hold a word of it."""
        if not told:
            return []
        rows = list(await self._connection.fetch(Sql.naming, self._space_id, [*told]))
        if in_session:
            rows += await self._connection.fetch(Sql.heard, self._space_id, [*told], IN_SIGHT)
        return [
            (row, word)
            for row in rows
            for word in words_of(row["content"]) & set[str]().union(*(told.get(key, ()) for key in row["heard"]))
        ]

    async def _judge(self, brought_up: Collection[tuple[Row, str]]) -> None:
        """Keeps those replies with a word that no other source of theirs has; the earliest first.

        A line of Hathi's own is something else only where it stays.
        """
        rows = {row["message_id"]: row for row, _ in brought_up if row["message_id"] not in self.found}
        pairs = sorted({(row["message_id"], word) for row, word in brought_up if row["message_id"] in rows})
        fetch, space_id, gone = self._connection.fetch, self._space_id, self.messages
        if pairs:
            also = await fetch(
                Sql.also_shown, space_id, [key for key, _ in pairs], [w for _, w in pairs], gone, [*self._memories]
            )
            pairs = sorted({*pairs} - {(row["reply_id"], row["word"]) for row in also})
        if not pairs:
            return
        lines: dict[tuple[int, str], set[int]] = {}
        for row in await fetch(Sql.own_lines, space_id, [key for key, _ in pairs], [word for _, word in pairs], gone):
            lines.setdefault((row["reply_id"], row["word"]), set()).add(row["line"])
        for key, word in pairs:
            if lines.get((key, word), set()) <= {*self.found, *gone}:
                self.find([rows[key]])


def _add_entries(told: dict[int, set[str]], entries: Iterable[Row]) -> None:
    """Adds what entries tell to what is told by their sessions: by these a trail knows them."""
    for row in entries:
        words = told.get(row["session_id"], set[str]()) | {*_telling(row["text"])}
        if words:
            told[row["session_id"]] = words


def words_of(text: str) -> set[str]:
    """The words of a text, in lower case."""
    return {_POSSESSOR.sub("", word).lower() for word in _WORD.findall(text)}


def _telling(text: str, *, most: int | None = None) -> list[str]:
    """A text's names, numbers and long words, in lower case."""
    said = [_POSSESSOR.sub("", word) for word in _WORD.findall(text)]
    words = [word for word in said if word.lower() not in normalize.DULL and len(word) > 1]
    # The first has its capital from the sentence.
    names = {word.lower() for n, word in enumerate(words) if (n and word[0].isupper()) or not word.isalpha()}
    return [*dict.fromkeys(word.lower() for word in words if len(word) >= LONG or word.lower() in names)][:most]
