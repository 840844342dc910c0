"""What Hathi answered from: the replies that say, by what they cite, that they were made from something that goes."""

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from bot.db import statements
from bot.db.pool import Connection, Row
from bot.domain import MessageId, PersonId, SpaceId, new_id
from bot.memory import wording

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
    """The statements that read what replies cite."""

    made_from: Final = statements.named("drawn.made_from")
    shown: Final = statements.named("drawn.shown")
    said: Final = statements.named("drawn.said")
    heard: Final = statements.named("drawn.heard")
    looked_up: Final = statements.named("drawn.looked_up")
    also_said: Final = statements.named("drawn.also_said")
    replies: Final = statements.named("drawn.replies")
    notes: Final = statements.named("drawn.notes")
    notes_of: Final = statements.named("drawn.notes_of")


async def replies_in(
    connection: Connection, space_id: SpaceId, messages: Collection[int], memories: Memories = (), *, since: int,
    left: str = "", whole: bool = False,
) -> list[Row]:  # fmt: skip
    """Hathi's replies that cite these messages, what came with them, the notes they gave, or these memories.

    And those that were made from one of them though it is not stored, or with one of them in sight and have a telling
    word of it: of a memory one that the question has not, of a message one that neither what is `left` of it has nor
    anything else said in that session. And those that cite such replies. `since` is an id none of them is older than;
    each has its id and session. Of a session that goes as a `whole` only replies in others are looked for.
    """
    noted = await connection.fetch(Sql.notes, space_id, [*messages]) if messages else ()
    heard = await _heard(connection, space_id, messages, left, since, whole=whole)
    made_from = await connection.fetch(Sql.made_from, space_id, [*messages]) if messages else ()
    heard |= {row["message_id"]: row for row in made_from}
    return await _citing(connection, space_id, messages, memories, noted, since, heard)


async def replies_to_notes_in(
    connection: Connection, space_id: SpaceId, person_id: PersonId, through: datetime, *, all_of: bool
) -> list[MessageId]:
    """Hathi's replies that cite a note of a person's, written until then; `all_of` the space's where it is theirs."""
    noted = await connection.fetch(Sql.notes_of, space_id, person_id, all_of, through)
    if not noted:
        return []
    since = new_id(min(row["written_at"] for row in noted) - SKEW)
    found = await _citing(connection, space_id, (), (), noted, since)
    return [MessageId(row["message_id"]) for row in found]


async def _citing(
    connection: Connection, space_id: SpaceId, messages: Collection[int],
    memories: Memories, noted: Collection[Row], since: int, heard: Mapping[int, Row] | None = None,
) -> list[Row]:  # fmt: skip
    channels, labels = [row["channel_id"] for row in noted], [f"N{row['number']}" for row in noted]
    numbers = [f"#{row['memory_id']}" for row in memories]
    found = {**(heard or {}), **await _reminded(connection, space_id, memories, since)}
    cited = {*messages, *found}
    for _ in range(STEPS):
        if not (cited or numbers or labels):
            break
        more = await connection.fetch(Sql.replies, space_id, [*cited], numbers, channels, labels, since)
        cited = {row["message_id"] for row in more} - found.keys() - {*messages}
        found |= {row["message_id"]: row for row in more}
        numbers, channels, labels = [], [], []
    return [row for key, row in found.items() if key not in messages]


async def _reminded(
    connection: Connection, space_id: SpaceId, memories: Memories, since: int
) -> dict[int, Row]:  # fmt: skip
    """Replies that cite nothing, and yet have a telling word, as a whole, of a memory that the model was shown."""
    words = [
        (row["memory_id"], word) for row in memories for word in (f"#{row['memory_id']}", *_telling(row["content"]))
    ]  # fmt: skip
    if not words:
        return {}
    ids, told = [key for key, _ in words], [word for _, word in words]
    found = await connection.fetch(Sql.shown, space_id, ids, told, since)
    return {
        row["message_id"]: row for row in found
        if re.search(rf"(?<!\w){re.escape(row['word'])}(?!\w)", row["content"], re.IGNORECASE)
    }  # fmt: skip


async def _heard(
    connection: Connection, space_id: SpaceId, messages: Collection[int], left: str, since: int, *, whole: bool
) -> dict[int, Row]:  # fmt: skip
    """Replies that cite nothing, and yet have a telling word of a message that the model was shown.

    It was in the session before their question, or a tool looked it up.
    """
    said = await connection.fetch(Sql.said, space_id, [*messages]) if messages else ()
    told = {row["message_id"]: {*_telling(row["content"])} - _words(left) for row in said}
    ids = [key for key, words in told.items() if words]
    if not ids:
        return {}
    rows = list(await connection.fetch(Sql.looked_up, space_id, ids, since))
    if not whole:
        rows += await connection.fetch(Sql.heard, space_id, ids, IN_SIGHT)
    brought_up = [
        (row, word)
        for row in rows
        for word in _words(row["content"]) & set[str]().union(*(told.get(key, ()) for key in row["heard"]))
    ]
    if not brought_up:
        return {}
    pairs = sorted({(row["session_id"], word) for row, word in brought_up})
    sessions, words = [session for session, _ in pairs], [word for _, word in pairs]
    also = {tuple(row) for row in await connection.fetch(Sql.also_said, space_id, sessions, words, [*messages])}
    return {row["message_id"]: row for row, word in brought_up if (row["session_id"], word) not in also}


def brings_up(text: str, gone: Iterable[str], left: Iterable[str]) -> bool:
    """Whether a text has a telling word of what is gone that nothing of what is left has."""
    told = {word for each in gone for word in _telling(each)}
    return bool(told and _words(text) & told.difference(*map(_words, left)))


def _words(text: str) -> set[str]:
    return {_POSSESSOR.sub("", word).lower() for word in _WORD.findall(text)}


def _telling(text: str) -> list[str]:
    """Its names, its numbers and its long words, in lower case; who brings one of them up has it from there."""
    said = [_POSSESSOR.sub("", word) for word in _WORD.findall(text)]
    words = [word for word in said if word.lower() not in wording.DULL and len(word) > 1]
    # The first has its capital from the sentence.
    names = {word.lower() for n, word in enumerate(words) if (n and word[0].isupper()) or not word.isalpha()}
    return [*dict.fromkeys(word.lower() for word in words if len(word) >= LONG or word.lower() in names)][:WORDS]
