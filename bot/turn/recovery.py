"""Takes over turns that a dead worker left in a channel: completes, answers or lists each of them once."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from bot import log
from bot.domain import Caller, Message, MessageId, Role, Turn, TurnRecord, new_id
from bot.store.turns import ANSWER_WITHIN, HATHI, Turns, Unfinished, question_of
from bot.turn.conversation import Conversation
from bot.turn.draft import Send
from bot.turn.recall_answer import CHECKING

_log = log.logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftBehind:
    """One question that was not answered properly, and what is left of its answer."""

    question: str
    kept: str | None = None
    """What had been shown of the reply, now recorded; none when nothing had been."""
    cut_off: bool = False
    answered_now: bool = False


async def recover(
    caller: Caller,
    turns: Turns,
    conversation: Conversation,
    send: Send,
    *,
    show: Callable[[LeftBehind], Awaitable[None]],
    alone: bool,
    clock: Callable[[], datetime],
) -> int:
    """Takes over turns of the caller's channel from workers that are gone; returns how many.

    One killed while sending is not asked again: what was kept is recorded as the reply and shown. One killed before
    is answered now if it is under ten minutes old, else closed and listed.
    """
    found = await turns.left_behind(caller.space_id, caller.channel_id, now=clock(), alone=alone)
    for unfinished in found:
        turn = question_of(unfinished, caller)
        _log.info("turn.taken_over", turn_id=unfinished.turn_id, state=unfinished.state)
        # What stood in place of an answer is none.
        answered = unfinished.state == "sending" and unfinished.kept != CHECKING
        if unfinished.state == "sending" and not answered:
            await turns.reopen(turn)
        if answered:
            await _record_kept(turn, unfinished, turns, clock())
            await show(
                LeftBehind(question=unfinished.question, kept=unfinished.kept or "", cut_off=not unfinished.kept_whole)
            )
        elif unfinished.unkept and not unfinished.question:
            # What was asked is not known any more, and was carried out as a command is.
            await turns.failed(turn, "not kept", now=clock())
        elif clock() - unfinished.recorded_at < ANSWER_WITHIN:
            await show(LeftBehind(question=unfinished.question, answered_now=True))
            await conversation.resume(turn, send)
        else:
            await turns.failed(turn, "expired", now=clock())
            await show(LeftBehind(question=unfinished.question))
    return len(found)


async def _record_kept(turn: Turn, unfinished: Unfinished, turns: Turns, now: datetime) -> None:
    reply = Message(
        space_id=turn.caller.space_id,
        channel_id=turn.caller.channel_id,
        message_id=MessageId(new_id(now)),
        role=Role.HATHI,
        author_id=None,
        author=HATHI,
        content=unfinished.kept or "",
        said_at=now,
        reply_to=unfinished.turn_id,
        cut_off=not unfinished.kept_whole,
    )
    await turns.answered(turn, reply, TurnRecord(trail={"recovered": True}))
