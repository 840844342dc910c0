"""Finds who each fact is about: whoever said it, by "I", or the one person who had the name in it when it was said."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

from bot.db import statements
from bot.db.pool import Connection, Row
from bot.domain import Fact, PersonId, SpaceId
from bot.language.statements import subjects
from bot.language.statements.subjects import Subject, tells_of_writer, told_of
from bot.store.turns import HATHI
from bot.text import normalize

READ: Final = 500
"""The newest memories that tell whether a word is a thing's."""


class Sql:
    """The statements that read who had a name, and what memories say with a word."""

    called: Final = statements.named("names.called")
    held: Final = statements.named("names.held")


def key(text: str, author_id: PersonId | None) -> bytes:
    """What a memory has in common with those that say the same: its words and, where they tell of "I", whose they are.

    16 bytes by `normalize.content_hash`, and 8 more for that person.
    """
    words = normalize.content_hash(text)
    return words if author_id is None or not tells_of_writer(text) else words + author_id.to_bytes(8, signed=True)


async def of(
    connection: Connection, space_id: SpaceId, facts: Sequence[tuple[Fact, str]], now: datetime
) -> list[PersonId | None]:
    """Whom each fact is about, by its cleaned text: the first it tells of that is known for sure; else nobody.

    A name that several people had then is nobody's.
    """
    told = [tuple(told_of(text, fact.mentioned)) for fact, text in facts]
    names = sorted({name for of_fact in told for each in of_fact for name in each.names})
    called: dict[str, list[Row]] = {}
    for row in await connection.fetch(Sql.called, space_id, names) if names else ():
        for name in {row["name"], row["first"]}:
            called.setdefault(name, []).append(row)
    small = {name for of_fact in told for each in of_fact if each.is_small for name in each.names} & called.keys()
    for name in await _things(connection, space_id, small):
        # What is one is so in whatever letters, but for a capital that makes it a name.
        told = [tuple(each for each in of_fact if not (each.is_small and name in each.names)) for of_fact in told]
    return [_first(of_fact, fact, called, now) for of_fact, (fact, _) in zip(told, facts, strict=True)]


async def _things(connection: Connection, space_id: SpaceId, names: Collection[str]) -> set[str]:
    """Of these words those by which memories speak of things: not every storm is somebody's who is called Storm."""
    if not names:
        return set()
    sought = rf"\m({'|'.join(map(re.escape, sorted(names)))})\M"
    texts = [row["content"] for row in await connection.fetch(Sql.held, space_id, READ, sought)]
    return {name for name in names if any(subjects.is_thing(text, name) for text in texts)}


def _first(told: Sequence[Subject], fact: Fact, called: Mapping[str, Sequence[Row]], now: datetime) -> PersonId | None:
    for each in told:
        # What Hathi itself said of itself is about nobody.
        mine = fact.author_id if each.is_writer and fact.author != HATHI else each.person_id
        if mine is not None:
            return mine
        for name in each.names:
            held = {row["person_id"] for row in called.get(name, ()) if _is_held(row, fact.said_at or now)}
            if len(held) == 1:
                return PersonId(held.pop())
            if held:
                break
    return None


def _is_held(row: Row, at: datetime) -> bool:
    """Whether somebody had a name at a moment: from when they were first seen by it, until by another since."""
    if at < row["first_seen_at"]:
        return False
    return at <= row["last_seen_at"] or row["left_at"] is None or at < row["left_at"]
