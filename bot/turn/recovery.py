"""Takes over turns that a dead worker left in a channel: completes, answers, lists or closes each of them once.

What people see of a reply goes first where somebody reads along by now who may not know what it was made from, or where
something of that is gone. Where it can't be taken back, the turn is looked at again as one that was left behind.

| people see of the reply | the question is | so the turn is |
|---|---|---|
| something | of any age | answered by what was kept of the reply, marked as cut off where that is not all |
| nothing | answered before, and the reply to be replaced | answered anew, however old it is |
| nothing | ten minutes old or older | closed without an answer, and listed |
| nothing | younger, but not known any more, or its author was told to ask again | closed without an answer |
| nothing | younger | answered anew |

Turns of a channel that is gone are closed. A turn this worker is still at work on is never taken over.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Protocol

from bot import catalogue, errors, log
from bot.domain import Caller, ChannelId, Message, MessageId, Role, Saved, SpaceId, Turn, new_id
from bot.presentation import render
from bot.store.trail import Trail, TurnRecord
from bot.store.turns import ANSWER_WITHIN, HATHI, Turns, Unfinished
from bot.turn.draft import CUT_MARK

_log = log.logger(__name__)


WITHDRAWN_WITHIN: Final = timedelta(days=1)
"""How long it is tried to take back what Discord does not let go."""


async def _nothing() -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingReply:
    """What people see of a reply that was interrupted."""

    text: str = ""
    """Recorded as the reply when nothing of it was kept."""
    message_ids: Sequence[MessageId] = ()
    complete: Callable[[str, Sequence[str]], Awaitable[Sequence[MessageId]]] | None = None
    """Changes it to the full text with notes under it; the ids of its messages. None when it can't be changed any more.

    Raises `NotSent`.
    """
    withdraw: Callable[[], Awaitable[None]] = _nothing
    """Deletes it, where that can be done. Raises `NotSent` and `DiscordDown`."""


class RecoveryChannel(Protocol):
    """The channel in which turns were left unfinished: the terminal, or a Discord channel."""

    async def asker(self, left: Unfinished) -> Caller:
        """The person who asked."""
        ...

    async def standing(self, turn: Turn, left: Unfinished) -> StandingReply | None:
        """What people see of the reply; None when that is nothing, or only a placeholder."""
        ...

    async def take_back_wait(self, left: Unfinished) -> None:
        """Deletes what only told that an answer would come, of a turn nothing was kept of."""
        ...

    async def question(self, turn: Turn) -> Turn | str:
        """The turn with its question, also where nothing of that is stored; or why it is not to be answered."""
        ...

    async def show_kept(self, left: Unfinished, notes: Sequence[str]) -> None:
        """Shows the reply just recorded, with the notes under it, where people don't see it yet."""
        ...

    async def list_expired(self, left: Unfinished) -> None:
        """Says that a question was too old to be answered, where people are told so."""
        ...

    async def answer(self, turn: Turn) -> None:
        """Answers the question anew, at once or after others of its channel."""
        ...


class Recovery:
    """Takes over turns from dead workers; the module's table says what becomes of each."""

    def __init__(
        self,
        turns: Turns,
        *,
        alone: bool,
        clock: Callable[[], datetime],
        saved: Callable[[SpaceId, MessageId], Awaitable[Sequence[Saved]]],
        spoken: Callable[[Caller, str], str] = lambda _, said: said,
        kept: Callable[[Caller, str], str] = lambda _, said: said,
    ) -> None:
        """`alone` says that no other process can be using the database; `saved` tells what models saved in a turn.

        `spoken` puts the name of who speaks first, `kept` that of who keeps things.
        """
        self._turns = turns
        self._saved = saved
        self._kept = kept
        self._spoken = spoken
        self._alone = alone
        self._clock = clock

    async def recover(self, space_id: SpaceId, channel_id: ChannelId, channel: RecoveryChannel | None) -> None:
        """Takes over the turns left behind in a channel, in order; `channel` is None when it no longer exists."""
        taken = await self._turns.left_behind(space_id, channel_id, now=self._clock(), alone=self._alone)
        if taken:
            _log.info("turn.taken_over", channel_id=channel_id, turns=len(taken))
        for left in taken:
            if channel is None:
                await self._turns.close_left(space_id, left.turn_id, "channel gone", now=self._clock())
            else:
                await self._settle(left, channel)

    async def _settle(self, left: Unfinished, channel: RecoveryChannel) -> None:
        """Does what the module's table says."""
        turn, now = _turn_of(left, await channel.asker(left)), self._clock()
        standing = None
        if left.state == "sending":
            standing = await channel.standing(turn, left)
        else:
            await channel.take_back_wait(left)
        if standing is not None and (left.withdrawing or not left.audience <= {*turn.caller.visible}):
            if not await self._is_withdrawn(turn, left, standing):
                return None
            standing, turn = None, replace(turn, replaces=())
        if left.failure is not None:
            return await self._turns.failed(turn, left.failure, now=now)
        if standing is not None:
            return await self._adopt(turn, left, standing, channel)
        if now - left.recorded_at >= ANSWER_WITHIN and not left.replaces:
            await self._turns.failed(turn, "expired", now=now)
            return await channel.list_expired(left)
        asked = await channel.question(turn)
        if isinstance(asked, str):
            return await self._turns.failed(turn, asked, now=now)
        if left.state == "sending":
            await self._turns.reopen(turn)
        return await channel.answer(asked)

    async def _is_withdrawn(self, turn: Turn, left: Unfinished, standing: StandingReply) -> bool:
        """Takes back what people see of a reply; whether that could be done."""
        await self._turns.take_back(turn)
        try:
            await standing.withdraw()
        except (errors.NotSent, errors.DiscordDown) as exc:
            # Looked at again when its lease has run out.
            _log.warning("recovery.not_withdrawn", turn_id=left.turn_id, error=type(exc).__name__)
            if self._clock() - left.recorded_at >= WITHDRAWN_WITHIN:
                await self._turns.failed(turn, "not withdrawn", now=self._clock())
            return False
        return True

    async def _adopt(self, turn: Turn, left: Unfinished, standing: StandingReply, channel: RecoveryChannel) -> None:
        """Records as the reply what people see of it, completed where all of it was saved, with what a model saved."""
        text, sent, now = left.kept or "", standing.message_ids, self._clock()
        notes = await self._notes(turn, left)
        if text and standing.complete is not None:
            try:
                told = text if left.kept_whole else text + catalogue.gettext(CUT_MARK)
                sent = await standing.complete(told if left.is_run else self._spoken(turn.caller, told), notes)
            except errors.NotSent as exc:
                # It won't be taken another time either.
                _log.warning("recovery.not_sent", turn_id=left.turn_id, error=type(exc).__name__)
                return await self._turns.failed(turn, "not sent", now=now)
        reply = Message(
            space_id=turn.caller.space_id,
            channel_id=turn.caller.channel_id,
            message_id=sent[0] if sent else MessageId(new_id(now)),
            role=Role.HATHI,
            author_id=None,
            author=HATHI,
            content=text or standing.text,
            said_at=now,
            reply_to=left.turn_id,
            cut_off=not left.kept_whole,
        )
        await self._turns.answered(turn, reply, TurnRecord(trail=Trail(recovered=True)), sent)
        return await channel.show_kept(left, notes)

    async def _notes(self, turn: Turn, left: Unfinished) -> list[str]:
        """What a model saved before the worker died, a line each."""
        saved = await self._saved(turn.caller.space_id, left.turn_id)
        lines = [render.kept([one]) for one in saved]
        return lines if left.is_run else [self._kept(turn.caller, line) for line in lines]


def _turn_of(left: Unfinished, asker: Caller) -> Turn:
    """The turn left behind, as its asker's."""
    message = Message(
        space_id=asker.space_id,
        channel_id=asker.channel_id,
        message_id=left.turn_id,
        session_id=left.session_id,
        role=Role.PERSON,
        author_id=left.author_id,
        author=left.author or asker.name,
        content=left.question,
        said_at=left.said_at or left.recorded_at,
        reply_to=left.reply_to,
    )
    return Turn(caller=asker, message=message, unkept=left.unkept, replaces=left.replaces)
