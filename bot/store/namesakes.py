"""Tells people apart who are, or were, called alike: a memory belongs to a person, and not to a name.

Whoever had a name first keeps it bare, those who have it too are numbered, and what somebody said under a name that is
now another's is marked with who that was: `Ann`, `Ann (2)`, `Ann (then Mal's name)`. Hathi had its name first.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from bot.db import statements
from bot.db.pool import Connection, Row
from bot.domain import Memory, Message, PersonId, Role, SpaceId
from bot.store.turns import HATHI
from bot.text import lookalikes, sanitize

MOST: Final = 500
"""People of one name, or of those asked for, that are told apart; those who had it last are not."""
_LONGEST: Final = 20
"""Characters of a name that has a mark: the mark must not be cut off."""
_HATHI: Final = PersonId(-1)
_BOT: Final = PersonId(-2)
"""Whoever speaks beside people and Hathi: other bots, by whatever names."""

NAMESAKE: Final = f"{HATHI} (2)"
"""Whom a person is known as who has Hathi's very name."""

Named = tuple[PersonId, str]
"""A person by the name of then."""
Item = TypeVar("Item", bound=Memory | Message)


class Sql:
    """The statement that reads who is called alike."""

    namesakes: Final = statements.named("names.namesakes")


async def told_apart(connection: Connection, space_id: SpaceId, items: Sequence[Item]) -> list[Item]:
    """The memories or messages, each with what its author is to be called by where the name alone would mislead."""
    called = await of(connection, space_id, filter(None, map(named, items)))
    return [_with(item, called) for item in items]


def told_apart_alone(items: Sequence[Item]) -> list[Item]:
    """The same while the database is away: by the names the items themselves have."""
    called = labels({*filter(None, map(named, items))}, ())
    return [_with(item, called) for item in items]


async def of(connection: Connection, space_id: SpaceId, people: Iterable[Named]) -> Mapping[Named, str]:
    """What people are to be called by, of those whose name alone would mislead."""
    wanted = {*people}
    if not wanted:
        return {}
    keys = {lookalikes.likeness(name) for _, name in wanted}
    ids = {person_id for person_id, _ in wanted}
    return labels(wanted, await connection.fetch(Sql.namesakes, space_id, [*keys], [*ids], MOST))


def labels(people: Collection[Named], rows: Iterable[Row]) -> Mapping[Named, str]:
    """The same, by who has such names now, the first to have had one first."""
    now: dict[PersonId, str] = {}
    holders: dict[str, list[PersonId]] = {lookalikes.likeness(HATHI): [_HATHI]}
    for row in rows:
        now[row["person_id"]] = row["name"]
        holders.setdefault(row["likeness"], []).append(row["person_id"])
    # Of whom no name is kept, the name they are met by is the one they have.
    for person_id, name in sorted(people):
        if person_id == _BOT or person_id not in now:
            now[person_id] = name
            holders.setdefault(lookalikes.likeness(name), []).append(person_id)
    found = {(person_id, name): _label(person_id, name, now, holders) for person_id, name in people}
    return {key: label for key, label in found.items() if label != sanitize.name(key[1])}


def named(item: Memory | Message) -> Named | None:
    """A person by the name of then; none where it is Hathi's own, or nobody's."""
    if isinstance(item, Message):
        return None if item.role is Role.HATHI else (_BOT if item.author_id is None else item.author_id, item.author)
    if item.author_id is None or item.author is None or item.author == HATHI:
        return None
    return item.author_id, item.author


def _with(item: Item, called: Mapping[Named, str]) -> Item:
    key = named(item)
    return item if key is None or key not in called else replace(item, called=called[key])


def _label(person_id: PersonId, name: str, now: Mapping[PersonId, str], holders: Mapping[str, list[PersonId]]) -> str:
    alike = holders.get(lookalikes.likeness(name), [])
    if person_id in alike:
        place = alike.index(person_id) + 1
        return sanitize.name(lookalikes.bare(name)) if place == 1 else f"{_short(name)} ({place})"
    if not alike:
        return sanitize.name(lookalikes.bare(name))
    return f"{_short(name)} (then {_label(person_id, now[person_id], now, holders)}'s name)"


def _short(name: str) -> str:
    return sanitize.one_line(sanitize.name(lookalikes.bare(name)), _LONGEST)
