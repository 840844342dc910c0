"""Applies edits and deletions on Discord to messages, memories, replies and summaries."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, LiteralString

from bot import errors, log
from bot.db import statements
from bot.db.pool import Connection, Database, Row, swept
from bot.domain import Actor, ChannelId, MessageId, PersonId, SessionId, Source, SpaceId, ids_in
from bot.facts.outdated import outdating
from bot.language.requests import plain_words
from bot.store import derivation, ledgers, reply_sources, standing_replies, taken_back, wordings
from bot.store.archivist import Archivist, Author
from bot.store.derivation import Derived
from bot.store.files import attachments
from bot.store.sessions import summarise_again_in
from bot.store.standing_replies import Eraser
from bot.text import normalize

_log = log.logger(__name__)

BATCH: Final = 250
"""Messages, or memories, that go in one transaction where all of a channel, or of a person, goes."""
ROWS_A_BATCH: Final = 1000
"""Turns, or summaries, that go in one statement."""
PLACES: Final = 1000
"""Channels of a space that are looked after when something may have been missed, the latest first."""
ANSWERED_WITHIN: Final = timedelta(days=1)
"""After its question the last part of a reply is surely sent."""


class Sql:
    """The statements for edited and deleted messages, and for all that was made from them."""

    before_edit: Final = statements.named("discord_edits.before_edit")
    edit: Final = statements.named("discord_edits.edit")
    whole_replies: Final = statements.named("discord_edits.whole_replies")
    is_touched: Final = statements.named("discord_edits.is_touched")
    is_only_named: Final = statements.named("discord_edits.is_only_named")
    fail_commands: Final = statements.named("discord_edits.fail_commands")
    fail_turns: Final = statements.named("discord_edits.fail_turns")
    said: Final = statements.named("discord_edits.said")
    lock_sessions: Final = statements.named("session.lock")
    erase_messages: Final = statements.named("discord_edits.erase_messages")
    erase_notes: Final = statements.named("discord_edits.erase_notes")
    close_place: Final = statements.named("discord_edits.close_place")
    fail_turns_of_place: Final = statements.named("discord_edits.fail_turns_of_place")
    messages_of_place: Final = statements.named("discord_edits.messages_of_place")
    memories_of_place: Final = statements.named("discord_edits.memories_of_place")
    chunks_of_place: Final = statements.named("chunk.of_place")
    erase_chunks: Final = statements.named("chunk.erase")
    erase_condensations_of_place: Final = statements.named("condensation.erase_of_place")
    erase_turns_of_place: Final = statements.named("discord_edits.erase_turns_of_place")
    erase_summaries_of_place: Final = statements.named("discord_edits.erase_summaries_of_place")
    erase_learnings_of_place: Final = statements.named("learning.erase_of_place")
    lock_place: Final = statements.named("discord_edits.lock_place")
    lock_sessions_of_place: Final = statements.named("discord_edits.lock_sessions_of_place")
    erase_sessions: Final = statements.named("discord_edits.erase_sessions")
    erase_place: Final = statements.named("discord_edits.erase_place")
    recorded: Final = statements.named("discord_edits.recorded")
    elsewhere: Final = statements.named("discord_edits.elsewhere")
    accounted_for: Final = statements.named("discord_edits.accounted_for")
    last_seen: Final = statements.named("discord_edits.last_seen")
    lock_space: Final = statements.named("space.lock")


@dataclass(frozen=True, slots=True, kw_only=True)
class LastSeen:
    """Up to where a channel was heard."""

    space_id: SpaceId
    channel_id: ChannelId
    origin_id: ChannelId | None
    """The channel a thread belongs to, where that is the audience of both."""
    last_message_id: MessageId
    refused_with: int | None
    """What Hathi was allowed to do there when Discord let it see nothing; none where it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """What was deleted along with messages."""

    messages: int = 0
    replies: int = 0
    """Hathi's own, to them or made from them."""
    memories: int = 0
    summaries: int = 0
    """Sessions whose chat summary is made again, or no more."""
    turns: tuple[MessageId, ...] = ()
    """Questions among them that were still being answered: whoever answers one is to stop."""

    def plus(self, more: "Deleted") -> "Deleted":
        """The sum of both."""
        return Deleted(
            messages=self.messages + more.messages,
            replies=self.replies + more.replies,
            memories=self.memories + more.memories,
            summaries=self.summaries + more.summaries,
            turns=self.turns + more.turns,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """How a stretch of a channel's history differs from what is recorded."""

    gone: tuple[MessageId, ...]
    """Recorded, and not on Discord any more."""
    edited: tuple[MessageId, ...]
    """Edited later than was recorded."""
    unrecorded: tuple[MessageId, ...]
    """Not recorded, nor known as a question, a part of a reply, or something forgotten or erased. Only those
    later than `last_seen` were missed: what came before was heard, and not kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edit:
    """A message as it is after an edit."""

    message_id: MessageId
    text: str
    at: datetime
    files: Collection[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edited:
    """What an edit changed."""

    is_recorded: bool
    """Whether the message is, in this version."""
    sessions: Collection[SessionId] = ()
    """Those whose summaries are to be made again."""
    memories: bool = False
    """Whether memories may be others now."""


class DiscordEdits:
    """Applies what happens to messages on Discord after they were recorded."""

    def __init__(self, database: Database, archivist: Archivist) -> None:
        self._database = database
        self._archivist = archivist

    async def edited(
        self,
        space_id: SpaceId,
        message_id: MessageId,
        content: str,
        edited_at: datetime,
        language: str,
        *,
        files: Collection[int] = (),
    ) -> bool:
        """Applies an edit of a person's message, which has these `files` left; whether it is recorded now, as it is.

        An edit that was followed already changes nothing, so it may be repeated where that was not told.

        What it asked to remember, or was kept of it word for word, is remembered in its new words, and not at all when
        it says nothing any more: who mends "remember that the vault is red" means the memory, and who takes a secret
        out of it wants it gone, so the old words are erased and not kept as an older version. What else was made from
        old words that are not there any more, in the text or in a file, goes, and is distilled again from the new ones.
        Where neither may be kept any more, by the channel's mode or as its author wishes, it goes as if it were
        deleted. Of a message that is recorded nowhere, that is whatever was shown it, and what was kept of it.
        """
        async with self._database.transaction() as connection:
            found = await connection.fetchrow(Sql.before_edit, space_id, message_id, edited_at)
            if found is None and not await connection.fetchval(Sql.is_only_named, space_id, message_id):
                return False
            if found is not None and found["is_done"]:
                return True
            edit = _Edit(message_id=message_id, text=content.replace("\0", ""), at=edited_at, files=files)
            may_be_kept = found is None or found["may_be_kept"]
            done = await self._edit_in(connection, space_id, edit, language) if may_be_kept else None
        if done is None:
            await self.deleted(space_id, [message_id], edited_at)
            return False
        if done.memories:
            self._archivist.changed(space_id)
        await self._remake(space_id, done.sessions, edited_at)
        return done.is_recorded

    async def _edit_in(self, connection: Connection, space_id: SpaceId, edit: _Edit, language: str) -> _Edited:
        # Here edits take turns: a later one must not come between the memory and the message.
        await taken_back.count_in(connection, space_id)
        await connection.execute(Sql.lock_space, space_id)
        message_id, text = edit.message_id, edit.text
        found = await connection.fetchrow(Sql.before_edit, space_id, message_id, edit.at)
        if found is not None and found["is_done"]:
            return _Edited(is_recorded=True)
        if found is None:
            rested = await derivation.kept_of(connection, space_id, message_id)
            left, old = text, "\n".join(row["content"] for row in rested)
            # Of a list the lines are memories, and not the whole.
            said = "" if any(row["asked"] for row in rested) else old
            # What was only read had words that are not known any more: whatever was made of it is held against it.
            read = await derivation.unstored_of(connection, space_id, message_id)
            rested, old = [*rested, *read], "\n".join([old, *(row["content"] for row in read)])
        else:
            await self._archivist.unpropose_in(connection, space_id, [message_id])
            said = found["content"]
            gone, kept = await attachments.keep_only_in(connection, space_id, message_id, edit.files)
            old, left = "\n".join([said, *gone, *kept]), "\n".join([text, *kept])
            rested = () if old == left else await derivation.resting_on(connection, space_id, message_id)
        replaced = await self._follow_in(connection, space_id, message_id, said, text, edit.at) if said else ()
        is_outdated, sessions = outdating(old, left), set[SessionId]()
        await standing_replies.note_told_in(
            connection, space_id, standing_replies.HATHI_ITSELF, edit.at, memories=replaced
        )
        if found is None or old != left:
            outdated = [row["memory_id"] for row in rested if any(map(is_outdated, wordings.texts(row)))]
            derived = await derivation.of_words(
                connection, space_id, message_id, outdated, left=left, replaced=replaced
            )
            sessions = await self._disown_in(connection, space_id, derived, edit.at)
            if found is None:
                # Where nothing rests on it any more it may be read again.
                is_free = {row["memory_id"] for row in rested} <= {row["memory_id"] for row in derived.memories}
                await ledgers.erase_in(connection, space_id, [message_id], now=edit.at, with_read=is_free)
        if found is None:
            return _Edited(is_recorded=False, sessions=sessions, memories=bool(rested))
        if found["summary"] and is_outdated(found["summary"]):
            sessions.add(found["session_id"])
        if old != left:
            # Also what was added is to be remembered.
            sessions |= await ledgers.erase_in(connection, space_id, [message_id], now=edit.at)
        changed = await connection.fetchval(Sql.edit, space_id, message_id, text, edit.at, language)
        return _Edited(is_recorded=changed is not None, sessions=sessions, memories=bool(rested or replaced))

    async def _follow_in(
        self, connection: Connection, space_id: SpaceId, message_id: MessageId, old: str, new: str, at: datetime
    ) -> Sequence[Row]:
        """Words anew what was kept of a message word for word: what it asked to remember, or all of it.

        The memory as it was, if it is another one now.
        """
        asked = _asked(old)
        was, now = (_whole(old), _whole(new)) if asked is None else (asked, _asked(new))
        if was is None or was == now:
            return ()
        row = await self._archivist.follow_edit_in(connection, space_id, message_id, was, now, now=at)
        return () if row is None else (row,)

    async def _remake(self, space_id: SpaceId, sessions: Collection[SessionId], now: datetime) -> None:
        """Has the summaries of sessions made again from which a reply was deleted.

        Apart from what took the reply away: that holds the space already, which sessions are locked before.
        """
        if sessions:
            async with self._database.transaction() as connection:
                await connection.fetch(Sql.lock_sessions, space_id, [*sessions])
                await summarise_again_in(connection, space_id, sessions, now=now)

    async def _disown_in(
        self, connection: Connection, space_id: SpaceId, derived: Derived, now: datetime
    ) -> set[SessionId]:
        """Deletes what was made from a message's old words; the sessions in which it stood."""
        if derived.replies or derived.memories:
            author, itself = Author(actor=Actor.PERSON, reason="edited"), standing_replies.HATHI_ITSELF
            await self._archivist.retract_in(connection, space_id, (), derived, author, now=now)
            await standing_replies.note_in(connection, space_id, itself, derived.reply_ids, now)
            await standing_replies.note_told_in(connection, space_id, itself, now, memories=derived.memories)
            await connection.execute(Sql.erase_messages, space_id, derived.reply_ids)
            await ledgers.erase_in(connection, space_id, derived.reply_ids, now=now)
        rows = (*derived.replies, *(row for row in derived.memories if row["source"] == Source.SUMMARY))
        return {SessionId(row["session_id"]) for row in rows if row["session_id"] is not None}

    async def deleted(self, space_id: SpaceId, message_ids: Collection[MessageId], now: datetime) -> Deleted:
        """Erases messages deleted together, for good, with what rests on them: in one transaction, commands before it.

        Memories that rest only on them are erased, the rest lose them from their evidence; Hathi's replies to them, or
        made from them, go too; and the sessions all these stood in wait for a new summary. A reply of Hathi's that is
        deleted just goes. Of a message that is recorded nowhere, the replies go that were shown it.
        """
        if not message_ids:
            return Deleted()
        low, high = min(message_ids), max(message_ids)
        async with self._database.connection() as connection:
            parts = await connection.fetch(
                Sql.whole_replies, space_id, [*message_ids], low - ids_in(ANSWERED_WITHIN), high
            )
            ids = [*{*message_ids, *(MessageId(row["message_id"]) for row in parts)}]
            if not await connection.fetchval(Sql.is_touched, space_id, ids):
                return Deleted()
            failed = await connection.fetch(Sql.fail_commands, space_id, ids, now)
        async with self._database.transaction() as connection:
            done = await self._retract_in(connection, space_id, ids, (), "deleted", now)
        done = done.plus(Deleted(turns=tuple(MessageId(row["turn_id"]) for row in failed)))
        self._archivist.changed(space_id)
        _tell(space_id, done)
        return done

    async def retract(
        self,
        space_id: SpaceId,
        message_ids: Sequence[MessageId],
        memory_ids: Sequence[int],
        reason: str,
        *,
        now: datetime,
        eraser: Eraser | None = None,
    ) -> Deleted:
        """Erases messages and memories for another reason in the same way.

        For an `eraser` it is noted where the replies that go stand on Discord.
        """
        async with self._database.transaction() as connection:
            done = await self._retract_in(connection, space_id, message_ids, memory_ids, reason, now, eraser)
        self._archivist.changed(space_id)
        return done

    async def place_gone(self, space_id: SpaceId, channel_id: ChannelId, now: datetime) -> Deleted:
        """Erases what belongs to a deleted channel or thread and its public threads.

        A place that is an audience of its own takes every memory of that origin with it; a public thread, those that
        rest only on what was said in it. In batches, each a transaction: begun again after a crash it goes on where it
        stopped, and its row goes last.
        """
        async with self._database.transaction() as connection:
            places = await connection.fetch(Sql.close_place, space_id, channel_id)
            channels = [row["channel_id"] for row in places]
            failed = await connection.fetch(Sql.fail_turns_of_place, space_id, channels, now)
        elsewhere = await self.made_from(space_id, channel_id, "place gone", now=now)
        if not places:
            return elsewhere
        done = elsewhere.plus(Deleted(turns=tuple(MessageId(row["turn_id"]) for row in failed)))
        # Each batch takes what it found, and nothing new is kept in a place that is closed: the loops end.
        while messages := await self._ids(Sql.messages_of_place, space_id, channels, BATCH):
            done = done.plus(await self.retract(space_id, [*map(MessageId, messages)], (), "place gone", now=now))
        is_own = any(r["channel_id"] == channel_id and r["origin_id"] in {None, channel_id} for r in places)
        while is_own and (memories := await self._ids(Sql.memories_of_place, space_id, channel_id, BATCH)):
            done = done.plus(await self.retract(space_id, (), memories, "place gone", now=now))
        # First what tells of all the entries, then they.
        await self._swept(Sql.erase_summaries_of_place, space_id, channels)
        await self._swept(Sql.erase_condensations_of_place, space_id, channels)
        while entries := await self._ids(Sql.chunks_of_place, space_id, channels, BATCH):
            done = done.plus(await self.made_from_entries(space_id, entries, "place gone", now=now))
            await self._ids(Sql.erase_chunks, space_id, entries)
        await self._swept(Sql.erase_turns_of_place, space_id, channels)
        while await self._erase_sessions(space_id, channels):
            pass
        # The place itself last: by its row whoever begins again finds the others.
        channels.sort(key=channel_id.__eq__)
        for start in range(0, len(channels), BATCH):
            await self._erase_rows(space_id, channels[start : start + BATCH])
        _tell(space_id, done)
        return done

    async def made_from(
        self, space_id: SpaceId, key: PersonId | ChannelId, reason: str, *, now: datetime, eraser: Eraser | None = None
    ) -> Deleted:
        """Erases Hathi's replies made from unstored messages of a person or channel; noted as by `retract`."""
        done = Deleted()
        while replies := (await self._ids(reply_sources.Sql.made_from, space_id, [key]))[:BATCH]:
            gone = await self.retract(space_id, [*map(MessageId, replies)], (), reason, now=now, eraser=eraser)
            done = done.plus(replace(gone, messages=0, replies=gone.messages + gone.replies))
        return done

    async def made_from_entries(
        self, space_id: SpaceId, chunk_ids: Sequence[int], reason: str, *, now: datetime, eraser: Eraser | None = None
    ) -> Deleted:
        """Erases Hathi's replies made from entries of ledgers, of whose messages some are kept no longer."""
        done = Deleted()
        if not chunk_ids:
            return done
        async with self._database.connection() as connection:
            replies = await reply_sources.replies_to_entries_in(connection, space_id, chunk_ids)
        for start in range(0, len(replies), BATCH):
            batch = replies[start : start + BATCH]
            gone = await self.retract(space_id, batch, (), reason, now=now, eraser=eraser)
            done = done.plus(replace(gone, messages=0, replies=gone.messages + gone.replies))
        return done

    async def elsewhere(self, space_id: SpaceId, most: int) -> list[tuple[ChannelId, MessageId]]:
        """The unstored messages that the newest replies were made from, with their channels."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.elsewhere, space_id, most)
        return [(ChannelId(row["channel_id"]), MessageId(row["message_id"])) for row in found]

    async def missed(
        self,
        space_id: SpaceId,
        channel_id: ChannelId,
        since_id: MessageId,
        seen: Sequence[tuple[MessageId, datetime | None]],
        *,
        until_id: MessageId | None = None,
    ) -> Missing:
        """How the records of a channel differ from its history, from one message to another, both included.

        `seen` is all that Discord has between them, Hathi's own messages too, with the time of the last edit; up to
        `until_id`, else to the newest seen: what is said while the history is read must not look deleted.
        """
        shown = {message_id: edited_at for message_id, edited_at in seen if message_id >= since_id}
        until = max([until_id or since_id, *shown])
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.recorded, space_id, channel_id, since_id, until)
            unknown = [*shown.keys() - {row["message_id"] for row in found}]
            known = await connection.fetch(
                Sql.accounted_for, space_id, unknown, channel_id, since_id - ids_in(ANSWERED_WITHIN), until
            )
        return Missing(
            gone=tuple(sorted(MessageId(row["message_id"]) for row in found if row["message_id"] not in shown)),
            edited=tuple(
                sorted(
                    MessageId(row["message_id"])
                    for row in found
                    if row["role"] == "person" and _is_later(shown.get(row["message_id"]), row["edited_at"])
                )
            ),
            unrecorded=tuple(sorted(set(unknown) - {row["message_id"] for row in known})),
        )

    async def last_seen(self, spaces: Sequence[SpaceId]) -> list[LastSeen]:
        """Up to where each channel of these spaces was heard; of each space the 1,000 heard last."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.last_seen, [*spaces], PLACES)
        return [LastSeen(**{name: row[name] for name in LastSeen.__dataclass_fields__}) for row in found]

    async def _retract_in(
        self,
        connection: Connection,
        space_id: SpaceId,
        messages: Sequence[MessageId],
        memories: Sequence[int],
        reason: str,
        now: datetime,
        eraser: Eraser | None = None,
    ) -> Deleted:
        ids = [*messages]
        await taken_back.count_in(connection, space_id)
        failed = await connection.fetch(Sql.fail_turns, space_id, ids, now)
        said = await connection.fetch(Sql.said, space_id, ids)
        derived = await derivation.of_gone(connection, space_id, ids, memories)
        by_people = [r for r in said if r["role"] == "person"]
        sessions = {r["session_id"] for r in (*by_people, *derived.replies, *derived.memories)} - {None}
        await connection.fetch(Sql.lock_sessions, space_id, [*sessions])
        author = Author(actor=Actor.PERSON, reason=reason)
        erased = await self._archivist.retract_in(connection, space_id, ids, derived, author, now=now)
        # One of Hathi's own that was deleted there is gone already.
        replies = derived.reply_ids if eraser is None else [*ids, *derived.reply_ids]
        noting = eraser or standing_replies.HATHI_ITSELF
        await standing_replies.note_in(connection, space_id, noting, replies, now)
        await standing_replies.note_told_in(connection, space_id, noting, now, answered=ids, memories=derived.memories)
        await connection.execute(Sql.erase_messages, space_id, [*ids, *derived.reply_ids])
        await connection.execute(Sql.erase_notes, space_id, ids)
        await ledgers.erase_in(connection, space_id, [*ids, *derived.reply_ids], now=now)
        remade = await summarise_again_in(connection, space_id, {SessionId(s) for s in sessions}, now=now)
        return Deleted(
            messages=len(said),
            replies=len(derived.replies),
            memories=erased,
            summaries=remade,
            turns=tuple(MessageId(row["turn_id"]) for row in failed),
        )

    async def _erase_sessions(self, space_id: SpaceId, channels: Sequence[int]) -> bool:
        """Erases a batch of sessions that have ended, with their notes; false where there are none."""
        async with self._database.transaction() as connection:
            ended = await connection.fetch(Sql.lock_sessions_of_place, space_id, channels, False, BATCH)
            await connection.execute(Sql.erase_sessions, space_id, [row["session_id"] for row in ended])
        return bool(ended)

    async def _erase_rows(self, space_id: SpaceId, channels: Sequence[int]) -> None:
        """Erases a few channels, with the session of each that is open, and what was just being made meanwhile."""
        async with self._database.transaction() as connection:
            await connection.fetch(Sql.lock_place, space_id, channels)
            await connection.execute(Sql.erase_learnings_of_place, space_id, channels)
            while left := await connection.fetch(Sql.lock_sessions_of_place, space_id, channels, True, BATCH):
                await connection.execute(Sql.erase_sessions, space_id, [row["session_id"] for row in left])
            await connection.execute(Sql.lock_space, space_id)
            await swept(connection, Sql.erase_summaries_of_place, space_id, channels, ROWS_A_BATCH)
            await ledgers.erase_of_place_in(connection, space_id, channels)
            await connection.execute(Sql.erase_place, space_id, channels)

    async def _swept(self, statement: LiteralString, space_id: SpaceId, channels: Sequence[int]) -> None:
        """Erases all of one kind, each batch a commit of its own."""
        async with self._database.connection() as connection:
            await swept(connection, statement, space_id, channels, ROWS_A_BATCH)

    async def _ids(self, statement: LiteralString, *args: object) -> list[int]:
        async with self._database.connection() as connection:
            return [row[0] for row in await connection.fetch(statement, *args)]


def _asked(text: str) -> str | None:
    """What a message asks to remember, as it was kept; none when it asks nothing that can be kept."""
    wanted = plain_words.asked_to_remember(text)
    try:
        return None if wanted is None else normalize.cleaned(wanted)
    except errors.RefusedText:
        return None


def _whole(text: str) -> str | None:
    """All that a message says, as it is kept where somebody asks for it; none where that can't be."""
    try:
        return normalize.cleaned(normalize.without_attachments(text))
    except errors.RefusedText:
        return None


def _is_later(seen: datetime | None, recorded: datetime | None) -> bool:
    return seen is not None and (recorded is None or seen > recorded)


def _tell(space_id: SpaceId, done: Deleted) -> None:
    _log.info(
        "message.deleted",
        space_id=space_id,
        messages=done.messages,
        replies=done.replies,
        memories=done.memories,
        summaries=done.summaries,
        turns=len(done.turns),
    )
