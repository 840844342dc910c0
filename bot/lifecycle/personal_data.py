"""Shows, exports and erases one person's data over all spaces they were met in."""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, LiteralString

from bot import log
from bot.db import statements
from bot.db.pool import Database, Row, affected, swept
from bot.domain import ChannelId, MessageId, PersonId, SpaceId, new_id
from bot.lifecycle.discord_edits import BATCH, Deleted, DiscordEdits
from bot.lifecycle.space_erasure import AHEAD, AT_ONCE, COUNTED, Receipt, SpaceErasure
from bot.store import place_settings, reply_sources, reworks, sessions, standing_replies, word_counts
from bot.store.archivist import Archivist
from bot.store.standing_replies import Eraser, NotedReply
from bot.store.word_counts import WordSampler

_log = log.logger(__name__)

PAGE: Final = 500
"""Rows of an export held in memory at a time."""
FILES: Final = 10
"""Texts of files that are: each may be long."""
TRACES: Final = 1000
"""Turns or events that go in one statement."""
MOST_NOTES: Final = 10_000
"""Notes of one space in an export, the latest; a person who has more wrote without pause."""
NEWEST: Final = 5
"""Messages that are shown of all."""
_BEFORE_ALL: Final = -(2**63)
_WHY: Final = "mydata"

Readable = Mapping[SpaceId, Collection[ChannelId]]
"""The channels a person can read now, by space; of a space that is not named, none."""


class Sql:
    """The statements about one person's data."""

    person: Final = statements.named("personal_data.person")
    direct: Final = statements.named("personal_data.direct")
    counts: Final = statements.named("personal_data.counts")
    notes: Final = statements.named("personal_data.notes")
    erase_notes: Final = statements.named("personal_data.erase_notes")
    newest_messages: Final = statements.named("personal_data.newest_messages")
    messages: Final = statements.named("personal_data.messages")
    attachments: Final = statements.named("personal_data.attachments")
    memories: Final = statements.named("personal_data.memories")
    names: Final = statements.named("personal_data.names")
    erasable: Final = statements.named("personal_data.erasable")
    fail_turns: Final = statements.named("personal_data.fail_turns")
    message_ids: Final = statements.named("personal_data.message_ids")
    memory_ids: Final = statements.named("personal_data.memory_ids")
    erase_turns: Final = statements.named("personal_data.erase_turns")
    leave_sessions: Final = statements.named("personal_data.leave_sessions")
    leave_learnings: Final = statements.named("learning.forget_asker")
    erase_names: Final = statements.named("personal_data.erase_names")
    erased: Final = statements.named("personal_data.erased")
    unfinished: Final = statements.named("personal_data.unfinished")
    gone: Final = statements.named("personal_data.gone")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnMessage:
    """One of a person's messages."""

    space_id: SpaceId
    channel_id: ChannelId
    at: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """How much is stored of a person, of each kind and in each space no more than `COUNTED`."""

    messages: Mapping[SpaceId, int]
    memories: Mapping[SpaceId, int]
    """By them, from channels they can read now."""
    by_others: Mapping[SpaceId, int]
    """Memories about them that others said, from channels they can read now."""
    notes: Mapping[SpaceId, int]
    """Living ones of theirs, from channels they can read now."""
    files: Mapping[SpaceId, int]
    """That came with their messages."""
    newest: tuple[OwnMessage, ...]
    opted_out: bool
    direct: frozenset[SpaceId]
    """Which of the spaces are their direct messages."""
    gone: Mapping[SpaceId, datetime]
    """Since when Hathi is in a server no more, of those it is not in."""


class PersonalData:
    """A person's own words, and the memories by and about them; every statement binds its spaces."""

    def __init__(
        self, database: Database, archivist: Archivist, discord_edits: DiscordEdits, erasure: SpaceErasure
    ) -> None:
        self._database = database
        self._archivist = archivist
        self._discord_edits = discord_edits
        self._erasure = erasure
        self._words = WordSampler(database)

    async def spaces(self, person_id: PersonId) -> list[SpaceId]:
        """The spaces they were met in, direct messages included."""
        return [*map(SpaceId, (await self._person(person_id))["spaces"])]

    async def servers(self, person_id: PersonId) -> list[SpaceId]:
        """Those of them that are no direct messages."""
        spaces = await self.spaces(person_id)
        direct = await self._direct(spaces)
        return [space_id for space_id in spaces if space_id not in direct]

    async def overview(self, person_id: PersonId, readable: Readable, *, now: datetime) -> Overview:
        """How much is stored of them, and their newest messages."""
        person = await self._person(person_id)
        spaces = person["spaces"]
        pairs = [(space, channel) for space in spaces for channel in readable.get(SpaceId(space), ())]
        of, channels = [space for space, _ in pairs], [channel for _, channel in pairs]
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.counts, spaces, person_id, of, channels, now, COUNTED)
            newest = await connection.fetch(Sql.newest_messages, spaces, person_id, NEWEST)
        return Overview(
            messages={SpaceId(row["space_id"]): row["messages"] for row in found},
            memories={SpaceId(row["space_id"]): row["memories"] for row in found},
            by_others={SpaceId(row["space_id"]): row["by_others"] for row in found},
            notes={SpaceId(row["space_id"]): row["notes"] for row in found},
            files={SpaceId(row["space_id"]): row["files"] for row in found},
            newest=tuple(
                OwnMessage(space_id=row["space_id"], channel_id=row["channel_id"], at=row["at"], text=row["text"])
                for row in newest
            ),
            opted_out=person["opted_out_at"] is not None,
            direct=frozenset(SpaceId(row["space_id"]) for row in found if row["is_direct"]),
            gone={SpaceId(row["space_id"]): row["gone_at"] for row in found if row["gone_at"] is not None},
        )

    async def exported(
        self, person_id: PersonId, readable: Readable, *, now: datetime
    ) -> AsyncGenerator[dict[str, Any]]:
        """Everything of theirs, one by one: themselves, then by space names, messages, files, memories, notes.

        A page at a time, so what is said meanwhile may be in it. No connection is held while a line is written.
        """
        person = await self._person(person_id)
        yield {
            "kind": "person",
            "person": person_id,
            "spaces": person["spaces"],
            "opted_out_at": _time(person["opted_out_at"]),
            "told_at": _time(person["told_at"]),
            "erased_at": _time(person["erased_at"]),
        }
        direct = await self._direct(person["spaces"])
        for space in person["spaces"]:
            async for row in self._paged(Sql.names, space, person_id, key="name", start=""):
                yield {
                    "kind": "name",
                    "space": space,
                    "text": row["name"],
                    "at": _time(row["first_seen_at"]),
                    "last_seen_at": _time(row["last_seen_at"]),
                }
            async for row in self._paged(Sql.messages, space, person_id, space in direct, key="message_id"):
                yield {
                    "kind": "message",
                    "space": space,
                    "channel": row["channel_id"],
                    "id": row["message_id"],
                    "role": row["role"],
                    "at": _time(row["said_at"]),
                    "edited_at": _time(row["edited_at"]),
                    "text": row["content"],
                }
            async for row in self._paged(
                Sql.attachments, space, person_id, space in direct, key="attachment_id", size=FILES
            ):
                yield {
                    "kind": "attachment",
                    "space": space,
                    "channel": row["channel_id"],
                    "id": row["attachment_id"],
                    "message": row["message_id"],
                    "name": row["name"],
                    "type": row["content_type"],
                    "size": row["size"],
                    "state": row["state"],
                    "text": row["content"],
                }
            channels = _channels(readable, space, direct)
            async for row in self._paged(Sql.memories, space, person_id, channels, key="memory_id"):
                yield {
                    "kind": "memory",
                    "space": space,
                    "channel": row["channel_id"],
                    "id": row["memory_id"],
                    "author": row["author"],
                    "by_you": row["is_own"],
                    "about": row["about"],
                    "at": _time(row["said_at"]),
                    "room": row["room"],
                    "topic": row["topic"],
                    "importance": row["importance"],
                    "tags": row["tags"],
                    "text": row["content"],
                }
            async with self._database.connection() as connection:
                found = await connection.fetch(Sql.notes, space, person_id, channels, now, MOST_NOTES)
            for row in found:
                yield {
                    "kind": "note",
                    "space": space,
                    "channel": row["channel_id"],
                    "id": row["number"],
                    "author": row["author"],
                    "at": _time(row["written_at"]),
                    "expires_at": _time(row["expires_at"]),
                    "text": row["content"],
                }

    async def erasable(self, person_id: PersonId) -> Receipt:
        """What `erase` would take, each counted no further than to `COUNTED` in a space.

        What Hathi answered from them, and summaries, are found only when it is erased.
        """
        spaces = await self.spaces(person_id)
        direct = await self._direct(spaces)
        would = Receipt()
        for space in spaces:
            if space in direct:
                # Its summaries too: nobody else has a part in them.
                would = would.plus(await self._erasure.counts(space))
                continue
            async with self._database.connection() as connection:
                row = await connection.fetchrow(Sql.erasable, space, person_id, COUNTED)
            would = would.plus(Receipt.so_far(dict(row or {})))
        return would

    async def erase(self, person_id: PersonId, *, now: datetime, asking: MessageId | None = None) -> Receipt:
        """Erases all of it at once and for good, in every space they were met in; what was erased.

        Their messages, Hathi's replies to them and those made from them, the memories they made or that rest on their
        words alone, their notes, what is kept of how they were answered, and their names; chat summaries are made again
        without them. Of their direct messages an empty room is left. What stays is that they were met where, were told,
        whether they opted out, and when this was: without that they would be remembered again, or what they said until
        now be quoted from Discord.

        From the first moment none of it is read any more. In batches, each a transaction: begun again after a crash it
        goes on where it stopped, and once it is done it finds nothing. What they say after `now` is not part of it, nor
        is the turn that is `asking` for it. Where Hathi's messages stand on Discord that tell of it is noted, for
        `standing`.
        """
        spaces = await self.spaces(person_id)
        direct = await self._direct(spaces)
        through, eraser = new_id(now + AHEAD), Eraser(person_id=person_id, asking=asking)
        async with self._database.connection() as connection:
            await connection.execute(Sql.erased, person_id, now + AHEAD, now)
        taken = Receipt()
        for space in spaces:
            async with self._database.connection() as connection:
                await standing_replies.note_answers_in(connection, space, eraser, through, now)
            taken = taken.plus(
                await self._erasure.empty(space, now=now, tombstones=True, asking=asking)
                if space in direct
                else await self._erase_in(space, eraser, through, now)
            )
        async with self._database.connection() as connection:
            names = affected(await connection.execute(Sql.erase_names, spaces, person_id))
            for space in spaces:
                await word_counts.drop_words_in(connection, space)
            await connection.execute(Sql.gone, person_id)
        # At once: of a large space all that hold a common word would be read until then.
        await self._words.look(spaces, now=now)
        _log.info("person.erased", spaces=len(spaces), messages=taken.messages, memories=taken.memories)
        return replace(taken, names=taken.names + names)

    async def finish(self, *, before: datetime) -> int:
        """Goes on with what was begun before a moment and is not over: whoever did it has died since; how many."""
        done = 0
        while unfinished := await self._unfinished(before):
            for row in unfinished:
                await self.erase(PersonId(row["person_id"]), now=row["erasing_at"])
            done += len(unfinished)
        return done

    async def _unfinished(self, before: datetime) -> Sequence[Row]:
        async with self._database.connection() as connection:
            return await connection.fetch(Sql.unfinished, before, AT_ONCE)

    async def count_standing(self, person_id: PersonId) -> int:
        """How many of Hathi's messages are noted that stand on Discord and tell of what they erased."""
        spaces = await self.spaces(person_id)
        async with self._database.connection() as connection:
            return await standing_replies.count(connection, spaces, person_id)

    async def standing(self, person_id: PersonId) -> AsyncGenerator[NotedReply]:
        """Those, the oldest first; no connection is held while one is looked at."""
        spaces, last = await self.spaces(person_id), 0
        while True:
            async with self._database.connection() as connection:
                page = await standing_replies.after(connection, spaces, person_id, last)
            if not page:
                return
            for reply in page:
                yield reply
            last = page[-1].message_id

    async def stands_no_more(self, person_id: PersonId, reply: NotedReply) -> None:
        """Forgets one of those, which is gone from Discord."""
        async with self._database.connection() as connection:
            await standing_replies.gone_in(connection, person_id, reply)

    async def _erase_in(self, space: SpaceId, eraser: Eraser, through: int, now: datetime) -> Receipt:
        """Erases what is theirs in a server, but for their names."""
        person_id = eraser.person_id
        in_progress = await self._ids(Sql.fail_turns, space, person_id, now, eraser.asking or 0, through)
        # First what summaries tell, which is read by whoever asks until it is made again without them.
        done = await self._erase_entries(space, eraser, now)
        done = done.plus(await self._erase_words(space, eraser, through, now))
        done = done.plus(await self._discord_edits.made_from(space, person_id, _WHY, now=now, eraser=eraser))
        async with self._database.connection() as connection:
            citing = await reply_sources.replies_to_notes_in(connection, space, person_id, now)
        for start in range(0, len(citing), BATCH):
            gone = await self._retract(space, eraser, now, messages=citing[start : start + BATCH])
            done = done.plus(replace(gone, messages=0, replies=gone.messages + gone.replies))
        async with self._database.connection() as connection:
            notes = affected(await connection.execute(Sql.erase_notes, space, person_id, now))
        # Once more: one may have been made in between.
        done = done.plus(await self._erase_entries(space, eraser, now))
        turns = await self._erase_traces(space, person_id, through)
        self._archivist.changed(space)
        return Receipt(
            messages=done.messages,
            replies=done.replies,
            memories=done.memories,
            summaries=done.summaries,
            notes=notes,
            turns=turns,
            in_progress=tuple(map(MessageId, in_progress)),
        )

    async def _erase_entries(self, space: SpaceId, eraser: Eraser, now: datetime) -> Deleted:
        """Erases entries of ledgers that tell of them, also of words that are kept no longer otherwise."""
        done = Deleted()
        while entries := await sessions.chunks_of(self._database, space, eraser.person_id):
            done = done.plus(
                await self._discord_edits.made_from_entries(space, [*entries], _WHY, now=now, eraser=eraser)
            )
            async with self._database.transaction() as connection:
                await sessions.erase_chunks_in(connection, space, {*entries.values()}, entries, now=now)
        return done

    async def _erase_words(self, space: SpaceId, eraser: Eraser, through: int, now: datetime) -> Deleted:
        """Erases messages in batches; words said later are not looked for, so the loops end."""
        done, person_id = Deleted(), eraser.person_id
        while messages := await self._ids(Sql.message_ids, space, person_id, through, BATCH):
            done = done.plus(await self._retract(space, eraser, now, messages=[*map(MessageId, messages)]))
        while memories := await self._ids(Sql.memory_ids, space, person_id, now + AHEAD, BATCH):
            done = done.plus(await self._retract(space, eraser, now, memories=memories))
        return done

    async def _retract(
        self,
        space: SpaceId,
        eraser: Eraser,
        now: datetime,
        *,
        messages: Sequence[MessageId] = (),
        memories: Sequence[int] = (),
    ) -> Deleted:
        return await self._discord_edits.retract(space, messages, memories, _WHY, now=now, eraser=eraser)

    async def _erase_traces(self, space: SpaceId, person_id: PersonId, through: int) -> int:
        """Erases turns, and the actor in events and resets; returns the turns."""
        async with self._database.connection() as connection:
            turns = await swept(connection, Sql.erase_turns, space, person_id, through, TRACES)
            while await self._archivist.leave_in(connection, space, person_id, TRACES):
                pass
            await swept(connection, Sql.leave_sessions, space, person_id, TRACES)
            await connection.execute(Sql.leave_learnings, space, person_id)
            await reworks.forget_in(connection, space, person_id)
            await place_settings.forget_in(connection, space, person_id)
        return turns

    async def _person(self, person_id: PersonId) -> Mapping[str, Any]:
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.person, person_id)
        return dict(row) if row else {"spaces": [], "opted_out_at": None, "told_at": None, "erased_at": None}

    async def _direct(self, spaces: Collection[int]) -> frozenset[int]:
        return frozenset(await self._ids(Sql.direct, [*spaces]))

    async def _ids(self, statement: LiteralString, *args: object) -> list[int]:
        async with self._database.connection() as connection:
            return [row[0] for row in await connection.fetch(statement, *args)]

    async def _paged(
        self, statement: LiteralString, *args: object, key: str, start: int | str = _BEFORE_ALL, size: int | None = None
    ) -> AsyncGenerator[Row]:
        after: int | str = start
        rows = size or PAGE
        while True:
            async with self._database.connection() as connection:
                page = await connection.fetch(statement, *args, after, rows)
            for row in page:
                yield row
            if len(page) < rows:
                return
            after = page[-1][key]


def _channels(readable: Readable, space: int, direct: Collection[int]) -> list[int]:
    """The channels they can read; their direct messages are one, numbered as the space."""
    return [*readable.get(SpaceId(space), ()), *([space] if space in direct else [])]


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat(timespec="seconds")
