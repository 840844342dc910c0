"""Files what is no message: memories by the archivist, chat summaries, ledgers, notes and an identity text."""

import binascii
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from bot import errors
from bot.db import statements
from bot.db.pool import Connection
from bot.domain import TERMINAL_PERSON, Fact, SessionId, SpaceId, first_id, new_id
from bot.language.tags import triviality
from bot.store.archivist import Archivist, Became, Inherited, Origins
from bot.store.notes import MOST
from bot.store.turns import HATHI
from bot.text import json_values, normalize
from bot.transfer.foreign.foreign_sessions import make_room_in
from bot.transfer.foreign.landing import Landed
from bot.transfer.foreign.neutral import (
    ForeignChunk,
    ForeignIdentity,
    ForeignMemory,
    ForeignNote,
    ForeignRoll,
    ForeignSummary,
    Found,
    digest,
)
from bot.transfer.foreign.tally import FORGOTTEN, HERE, Tally

UNKNOWN: Final = "unknown"
"""Which model wrote something, where the store does not say."""
OTHER_IDENTITY: Final = "the space has an identity text of its own"
NO_CHUNK: Final = "the last ledger entry it took in is neither in its file nor here"
MOST_NOTES: Final = f"the session has {MOST} notes, and more it can't have"
_OUTPUT: Final = "a program's output"
_TAIL: Final = 22
"""Bits of an id below its time."""


class Sql:
    """Statements of what is no message and no memory."""

    known_sessions: Final = statements.named("foreign.known_sessions")
    sessions: Final = statements.named("foreign.sessions")
    summaries: Final = statements.named("foreign.summaries")
    known_chunks: Final = statements.named("foreign.known_chunks")
    chunks: Final = statements.named("foreign.chunks")
    erase_rolls: Final = statements.named("chunk.erase_rolls")
    known_rolls: Final = statements.named("foreign.known_rolls")
    rolls: Final = statements.named("foreign.rolls")
    known_notes: Final = statements.named("foreign.known_notes")
    notes: Final = statements.named("foreign.notes")
    identity: Final = statements.named("space.identity")
    set_identity: Final = statements.named("space.set_identity")
    lock_space: Final = statements.named("space.lock")


class Keepsakes:
    """What one import files in a channel; without `write` it is only counted."""

    def __init__(self, archivist: Archivist, space_id: SpaceId, tally: Tally, *, now: datetime, write: bool) -> None:
        self._archivist = archivist
        self._space_id = space_id
        self._tally = tally
        self._now = now
        self._write = write
        self._origins = Origins()
        self._sessions: dict[str, SessionId] = {}
        """By what they are called over there."""
        self._chunks: dict[tuple[str, str], int] = {}
        """Ledger entries by discussion and hash."""
        self._discussions: dict[str, int] = {}
        """The session of each."""
        self._last = 0
        """The entry that was filed last: the next stands behind it."""

    async def file(self, connection: Connection, landed: Landed, things: Sequence[Found]) -> None:
        """Files one batch, inside a transaction."""
        await self._summaries(connection, landed, [each for each in things if isinstance(each, ForeignSummary)])
        await self._ledger(connection, landed, [each for each in things if isinstance(each, ForeignChunk)])
        await self._rolls(connection, landed, [each for each in things if isinstance(each, ForeignRoll)])
        await self._memories(connection, landed, [each for each in things if isinstance(each, ForeignMemory)])
        await self._notes(connection, landed, [each for each in things if isinstance(each, ForeignNote)])
        for each in things:
            if isinstance(each, ForeignIdentity):
                await self._identity(connection, each)

    async def _memories(self, connection: Connection, landed: Landed, given: Sequence[ForeignMemory]) -> None:
        kept = list[ForeignMemory]()
        for each in given:
            if fault := _fault(each.content):
                self._tally.leave("memory", fault, each.place)
            else:
                kept.append(each)
        if not kept:
            return
        inherited = [self._inherited(each) for each in kept]
        if self._write or await connection.fetchrow(Sql.lock_space, self._space_id) is not None:
            became = await self._archivist.take_in(
                connection, self._space_id, landed.origin_id, inherited, self._origins, now=self._now, write=self._write
            )
        else:
            became = self._origins.foreseen(inherited)
        for each, what in zip(kept, became, strict=True):
            match what:
                case Became.NEW:
                    self._tally.come("memory")
                case Became.JOINED:
                    self._tally.joined["memory"] += 1
                case Became.HERE:
                    self._tally.leave("memory", HERE, each.place)
                case Became.FORGOTTEN:
                    self._tally.leave("memory", FORGOTTEN, each.place)

    def _inherited(self, each: ForeignMemory) -> Inherited:
        at = each.at or self._now
        return Inherited(
            fact=Fact(
                content=each.content,
                topic=_label(each.topic),
                room=_label(each.room),
                importance=each.importance,
                source=each.source,
                tags=each.tags,
                entities=each.entities,
                key_phrases=each.key_phrases,
                metadata=json_values.stored(each.also),
                said_at=at,
            ),
            origin=json_values.stored(each.origin),
            tier=each.tier,
            at=at,
            last_used_at=each.last_used_at or at,
            aged_at=each.aged_at,
            session_id=self._sessions.get(each.session) if each.session is not None else None,
            is_written=each.is_written,
        )

    async def _summaries(self, connection: Connection, landed: Landed, given: Sequence[ForeignSummary]) -> None:
        """Chat summaries, each of a session of which nothing else is here."""
        ids = {id(each): SessionId(_id(each.at, *each.origin.values())) for each in given}
        known = {
            row["session_id"] for row in await connection.fetch(Sql.known_sessions, self._space_id, [*ids.values()])
        }
        rows = list[dict[str, Any]]()
        for each in given:
            number = self._sessions[each.session] = ids[id(each)]
            if number in known:
                self._tally.leave("chat summary", HERE, each.place)
                continue
            known.add(number)
            self._tally.come("chat summary")
            told = {"text": each.text, "raw": json.dumps({"origin": each.origin}), "model": each.model}
            rows.append(told | _session(number, each.at, each.message_count) | {"created_at": each.at.isoformat()})
        if rows and self._write:
            await self._add_sessions(connection, landed, rows)
            await connection.execute(Sql.summaries, self._space_id, landed.channel_id, rows)

    async def _ledger(self, connection: Connection, landed: Landed, given: Sequence[ForeignChunk]) -> None:
        """Entries of ledgers, behind each other, those of a discussion in a session of its own."""
        hashes = {_bytes(each.last_hash) for each in given}
        found = await connection.fetch(Sql.known_chunks, self._space_id, landed.channel_id, [*hashes]) if given else ()
        known = {(bytes(row["last_hash"]), row["text"]): (row["chunk_id"], row["session_id"]) for row in found}
        rows, begun = list[dict[str, Any]](), list[dict[str, Any]]()
        for each in given:
            key, at = (_bytes(each.last_hash), each.text), each.at
            if key in known:
                number, session_id = known[key]
                self._last = max(self._last, number)
                self._chunks[each.discussion, each.last_hash] = number
                self._discussions.setdefault(each.discussion, session_id)
                self._tally.leave("ledger entry", HERE, each.place)
                continue
            self._last = number = max(self._last + 1, _id(at, each.discussion, each.last_hash))
            if each.discussion not in self._discussions:
                self._discussions[each.discussion] = number
                begun.append(_session(number, at, 0))
            session_id = self._discussions[each.discussion]
            self._chunks[each.discussion, each.last_hash] = number
            known[key] = number, session_id
            self._tally.come("ledger entry")
            rows.append(
                {
                    "chunk_id": number,
                    "session_id": session_id,
                    "last_hash": "\\x" + key[0].hex(),
                    "text": each.text,
                    "model": UNKNOWN,
                    "created_at": at.isoformat(),
                }
            )
        if rows and self._write:
            await self._add_sessions(connection, landed, begun)
            await connection.execute(Sql.chunks, self._space_id, landed.channel_id, rows)
            # A rolling summary that was made without them is made anew.
            await connection.execute(
                Sql.erase_rolls, self._space_id, [landed.channel_id], [min(row["chunk_id"] for row in rows)]
            )

    async def _rolls(self, connection: Connection, landed: Landed, given: Sequence[ForeignRoll]) -> None:
        """Versions of rolling summaries, each behind the last ledger entry it took in."""
        placed = list[tuple[ForeignRoll, int]]()
        for each in given:
            chunk = self._chunks.get((each.discussion, each.last_hash))
            if chunk is None:
                self._tally.leave("rolling summary", NO_CHUNK, each.place)
            else:
                placed.append((each, chunk))
        ids = [chunk for _, chunk in placed]
        found = await connection.fetch(Sql.known_rolls, self._space_id, landed.channel_id, ids) if ids else ()
        known = {(row["chunk_id"], row["text"]) for row in found}
        rows = list[dict[str, Any]]()
        for each, chunk in placed:
            if (chunk, each.text) in known:
                self._tally.leave("rolling summary", HERE, each.place)
                continue
            known.add((chunk, each.text))
            self._tally.come("rolling summary")
            rows.append(
                {
                    "summary_id": new_id(self._now),
                    "chunk_id": chunk,
                    "text": each.text,
                    "model": UNKNOWN,
                    "created_at": each.at.isoformat(),
                }
            )
        if rows and self._write:
            await connection.execute(Sql.rolls, self._space_id, landed.channel_id, rows)

    async def _notes(self, connection: Connection, landed: Landed, given: Sequence[ForeignNote]) -> None:
        if not given:
            return
        found = await connection.fetch(Sql.known_notes, self._space_id, landed.origin_id)
        known, rows = {(row["content"], row["written_at"]) for row in found}, list[dict[str, Any]]()
        room = MOST - len(known)
        for each in given:
            if fault := _fault(each.text):
                self._tally.leave("note", fault, each.place)
            elif (text := normalize.cleaned(each.text), each.written_at) in known:
                self._tally.leave("note", HERE, each.place)
            elif len(rows) >= room:
                self._tally.leave("note", MOST_NOTES, each.place)
            else:
                known.add((text, each.written_at))
                self._tally.come("note")
                times = {"written_at": each.written_at.isoformat(), "expires_at": each.expires_at.isoformat()}
                rows.append({"number": len(rows) + 1, "content": text} | times)
        if rows and self._write:
            # A model's own, and whoever runs Hathi brought it.
            await connection.execute(Sql.notes, self._space_id, landed.channel_id, rows, TERMINAL_PERSON, HATHI)

    async def _identity(self, connection: Connection, each: ForeignIdentity) -> None:
        text = normalize.shown(each.text)
        held = await connection.fetchval(Sql.identity, self._space_id)
        if held is not None:
            self._tally.leave("identity text", HERE if held == text else OTHER_IDENTITY, each.place)
        elif fault := _fault(text):
            self._tally.leave("identity text", fault, each.place)
        else:
            self._tally.come("identity text")
            if self._write:
                await connection.execute(Sql.set_identity, self._space_id, text)

    async def _add_sessions(self, connection: Connection, landed: Landed, rows: list[dict[str, Any]]) -> None:
        """Sessions that ended long ago, numbered before the open one."""
        first = await make_room_in(connection, self._space_id, landed, len(rows))
        numbered = [row | {"number": number} for number, row in enumerate(rows, first)]
        await connection.execute(Sql.sessions, self._space_id, landed.channel_id, numbered)


def _session(number: int, at: datetime, messages: int) -> dict[str, Any]:
    times = {"opened_at": at.isoformat(), "closed_at": at.isoformat()}
    return {"session_id": number, "state": "summarised", "message_count": messages} | times


def _id(at: datetime, *told: object) -> int:
    """An id of that moment, the same for the same thing in every import."""
    return first_id(at) | int(digest(*told), 16) >> (128 - _TAIL)


def _bytes(text: str) -> bytes:
    """A hash as bytes: those its digits stand for, or those of the text."""
    try:
        return binascii.unhexlify(text)
    except (binascii.Error, ValueError):
        return text.encode("utf-8", "replace")


def _label(text: str) -> str:
    """A name something is filed under; none where that is no name."""
    return "" if normalize.is_tool_output(text) else text


def _fault(text: str) -> str:
    """Why a text can't be kept; empty where it can."""
    if len(text) > normalize.MAX_LENGTH:
        return f"longer than {normalize.MAX_LENGTH} characters"
    if normalize.is_tool_output(text):
        return _OUTPUT
    try:
        return _OUTPUT if triviality.is_output(normalize.cleaned(text)) else ""
    except errors.RefusedText:
        return "without text"
