"""Makes sessions of messages that were said before Hathi listened, and writes both.

A session is what was said in a channel until seven days of silence or 2,000 messages: as one ends by itself. It waits
for its summary as any other does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from bot.db import statements
from bot.db.pool import Connection, Database
from bot.domain import PersonId, SpaceId, new_id
from bot.store.people import People
from bot.store.sessions import IDLE, MOST_MESSAGES
from bot.text import lookalikes
from bot.transfer.foreign.landing import Landed
from bot.transfer.foreign.neutral import ForeignMessage
from bot.transfer.foreign.tally import FORGOTTEN, HERE, Tally

ROWS: Final = 500
"""Messages a statement writes at most."""
DECLINED: Final = "of somebody who opted out of memory, or had what they said erased"
UNKEPT: Final = "said when it was not to be kept"
_WHY: Final = {"here": HERE, "forgotten": FORGOTTEN, "unkept": UNKEPT}


class Sql:
    """Statements of messages that are taken in."""

    standing: Final = statements.named("foreign.standing")
    declined_names: Final = statements.named("foreign.declined_names")
    lock_channel: Final = statements.named("space.lock_channel")
    point_channel: Final = statements.named("session.point_channel")
    make_room: Final = statements.named("foreign.make_room")
    sessions: Final = statements.named("foreign.sessions")
    messages: Final = statements.named("foreign.messages")
    people: Final = statements.named("foreign.people")
    members: Final = statements.named("foreign.members")
    wake: Final = statements.named("space.wake")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRun:
    """One session to be."""

    landed: Landed
    messages: tuple[ForeignMessage, ...]


class ForeignHistory:
    """The messages of one import on their way into sessions."""

    def __init__(
        self, database: Database, space_id: SpaceId, tally: Tally, *, min_messages: int, now: datetime
    ) -> None:
        self._database = database
        self._people = People(database)
        self._space_id = space_id
        self._tally = tally
        self._min_messages = min_messages
        self._now = now
        self._landed: Landed | None = None
        self._open: list[ForeignMessage] = []
        """Of the session that more may belong to."""

    async def sifted(self, landed: Landed, messages: Sequence[ForeignMessage]) -> list[SessionRun]:
        """The sessions that are whole by now, of the messages that are not here yet and may be."""
        left = await self._sifted(messages)
        for each in left:
            self._tally.come("message", each.said_at)
        runs = self.rest() if self._landed not in {None, landed} else []
        self._landed = landed
        for each in sorted(left, key=lambda message: message.message_id):
            if self._open and (len(self._open) >= MOST_MESSAGES or each.said_at - self._open[-1].said_at > IDLE):
                runs += self.rest()
            self._open.append(each)
        return runs

    def rest(self) -> list[SessionRun]:
        """The session that nothing more belongs to."""
        runs = [SessionRun(landed=self._landed, messages=tuple(self._open))] if self._landed and self._open else []
        self._open = []
        return runs

    async def write(self, connection: Connection, landed: Landed, runs: Sequence[SessionRun]) -> None:
        """Writes sessions of one channel with their messages, inside a transaction."""
        space_id, channel_id = self._space_id, landed.channel_id
        first = await make_room_in(connection, space_id, landed, len(runs))
        rows, messages = list[dict[str, Any]](), list[dict[str, Any]]()
        for number, run in enumerate(runs, first):
            session_id = new_id(run.messages[0].said_at)
            is_kept = len(run.messages) >= self._min_messages
            rows.append(
                {
                    "session_id": session_id,
                    "number": number,
                    "state": "closed" if is_kept else "discarded",
                    "opened_at": run.messages[0].said_at.isoformat(),
                    "closed_at": run.messages[-1].said_at.isoformat(),
                    "first_message_id": run.messages[0].message_id,
                    "last_message_id": run.messages[-1].message_id,
                    "message_count": len(run.messages),
                    "next_attempt_at": self._now.isoformat() if is_kept else None,
                }
            )
            messages += [_row(each, session_id) for each in run.messages]
        await connection.execute(Sql.sessions, space_id, channel_id, rows)
        for at in range(0, len(messages), ROWS):
            await connection.execute(Sql.messages, space_id, channel_id, messages[at : at + ROWS])
        names = _names(each for run in runs for each in run.messages)
        await connection.execute(Sql.people, space_id, sorted({row["person_id"] for row in names}))
        await connection.execute(Sql.members, space_id, names)
        await connection.execute(Sql.wake, space_id, self._now)

    async def _sifted(self, messages: Sequence[ForeignMessage]) -> list[ForeignMessage]:
        named = {(PersonId(each.author_id), each.said_at) for each in messages if each.author_id is not None}
        readable = await self._people.readable(named)
        unnamed = sorted({each.author.lower() for each in messages if each.author_id is None})
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.standing, self._space_id, [each.message_id for each in messages])
            declined = await connection.fetch(Sql.declined_names, self._space_id, unnamed) if unnamed else ()
        standing = {row["message_id"]: row["how"] for row in found}
        names, left = {row["name"] for row in declined}, list[ForeignMessage]()
        for each in messages:
            if each.message_id in standing:
                self._tally.leave("message", _WHY[standing[each.message_id]], each.place)
            elif (
                each.author.lower() in names
                if each.author_id is None
                else (PersonId(each.author_id), each.said_at) not in readable
            ):
                self._tally.leave("message", DECLINED, each.place)
            else:
                standing[each.message_id] = "here"
                left.append(each)
        return left


async def make_room_in(connection: Connection, space_id: SpaceId, landed: Landed, sessions: int) -> int:
    """The first of so many numbers for sessions that come before the open one of the channel."""
    channel = await connection.fetchrow(Sql.lock_channel, space_id, landed.channel_id)
    assert channel is not None
    open_id = channel["open_session_id"]
    first: int = await connection.fetchval(Sql.make_room, space_id, open_id, sessions)
    count = channel["session_count"] + sessions
    await connection.execute(Sql.point_channel, space_id, landed.channel_id, open_id, count)
    return first


def _row(each: ForeignMessage, session_id: int) -> dict[str, Any]:
    return {
        "message_id": each.message_id,
        "session_id": session_id,
        "author_id": each.author_id,
        "author": each.author,
        "content": each.content,
        "reply_to": each.reply_to,
        "said_at": each.said_at.isoformat(),
        "edited_at": each.edited_at and each.edited_at.isoformat(),
    }


def _names(messages: Any) -> list[dict[str, Any]]:
    """Who was called what, from when until when."""
    seen: dict[tuple[int, str], list[datetime]] = {}
    for each in messages:
        if each.author_id is not None:
            span = seen.setdefault((each.author_id, each.author), [each.said_at, each.said_at])
            span[:] = [min(span[0], each.said_at), max(span[1], each.said_at)]
    return [
        {
            "person_id": person_id,
            "name": name,
            "first_seen_at": first.isoformat(),
            "last_seen_at": last.isoformat(),
            "likeness": lookalikes.likeness(name),
        }
        for (person_id, name), (first, last) in sorted(seen.items())
    ]
