"""One question and its answer: the story of a turn, top to bottom."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

from bot import errors, log
from bot.commands import Commands, approvals, render
from bot.domain import Caller, Message, Reply, Saved, Stock, Turn
from bot.draft import STOPPED, Desk, Draft, Send
from bot.formulas import Formulas
from bot.lanes import Doors, Lanes
from bot.looking import Looking
from bot.memory import approval, closing, wording, workers
from bot.memory.librarian import Librarian
from bot.offline import UNREACHABLE, Offline
from bot.reasoning import Reasoning

_log = log.logger(__name__)

AUDIENCES: Final = 3
"""Times a turn is answered anew because who can read the answer, or what it was made from, changed meanwhile."""
CLAIM_POLL: Final = timedelta(milliseconds=100)
CLAIM_PATIENCE: Final = timedelta(minutes=10)


class Conversation:
    """Answers turns: recorded, claimed, answered from memory and model, sent, recorded again."""

    def __init__(
        self, desk: Desk, librarian: Librarian, commands: Commands, offline: Offline, reasoning: Reasoning,
        looking: Looking, lanes: Lanes, formulas: Formulas,
    ) -> None:  # fmt: skip
        self._desk = desk
        self._librarian = librarian
        self._commands = commands
        self._offline = offline
        self._reasoning = reasoning
        self._looking = looking
        self._lanes = lanes
        self._formulas = formulas
        self._doors = Doors()

    async def answer(self, turn: Turn, send: Send) -> None:
        """Record a message, answer it in its channel's order, and record the reply under its question.

        A message recorded before is left to whoever has its turn. Raises `RefusedText` for a message that can't be
        kept, `DatabaseDown` when it could not be recorded, `DatabaseLost` when its reply could not be kept and so was
        not sent, `ChannelBusy` behind 20 others.
        """
        recorded = await self.record(turn)
        if recorded is not None:
            await self.carry_on(recorded, send)

    async def record(self, turn: Turn, *, behind: bool = False) -> Turn | None:
        """The turn as recorded, this worker's to answer; none when it was recorded before.

        `behind` says that something said before it may have been missed.
        """
        wording.sayable(turn.message.content)
        # One after the other: of two at once both could find the channel free and be claimed.
        async with self._doors.through(turn.caller.channel_id):
            return await self._desk.turns.record(turn, now=self._desk.clock(), behind=behind)

    async def carry_on(self, turn: Turn, send: Send) -> None:
        """Answer a turn just recorded, after those of its channel that came before. Raises as `answer` does."""
        entered = time.perf_counter()
        try:
            # Held from here on: a turn whose lease ran out in the queue would not be waited for by a summary.
            async with (
                workers.holding(lambda: self._renew(turn)),
                self._lanes.place(turn.caller.space_id, turn.caller.channel_id),
            ):
                await self._answer_held(turn, send, waited=time.perf_counter() - entered)
        except errors.ChannelBusy:
            await self._desk.turns.failed(turn, "busy", now=self._desk.clock())
            self._desk.metrics.turn_refused()
            raise
        except asyncio.CancelledError as stop:
            # Where nothing of an answer was shown yet; a turn that is closed stays as it is.
            if stop.args == (STOPPED,):
                await self._desk.turns.failed(turn, STOPPED, now=self._desk.clock())
            raise
        except errors.DiskFull:
            raise
        except errors.DatabaseDown as exc:
            raise errors.DatabaseLost from exc

    async def resume(self, turn: Turn, send: Send) -> None:
        """Answer a turn that is recorded and this worker's to claim."""
        async with workers.holding(lambda: self._renew(turn)):
            await self._answer_held(turn, send)

    async def _answer_held(self, turn: Turn, send: Send, *, waited: float = 0.0) -> None:
        """Answer a turn whose lease is renewed by the caller; it has `waited` so many seconds in its lane."""
        started = time.perf_counter()
        claimed = turn if turn.claimed else await self._desk.patiently(lambda: self._claimed(turn))
        if claimed is None:
            return
        queued = waited + time.perf_counter() - started
        async with send:
            with contextlib.suppress(errors.LeaseLost):
                # With the audience of when it was asked: a narrower one is seen before anything is shown.
                for _ in range(AUDIENCES):
                    draft = Draft(desk=self._desk, turn=claimed, send=send, durations={"queue": queued})
                    try:
                        await self._finished(draft)
                    except errors.AudienceChanged:
                        _log.info("turn.audience_changed", turn_id=turn.message.message_id)
                        await send.withdraw()
                        claimed = replace(claimed, caller=send.audience(claimed.caller))
                    else:
                        return
                await self._desk.turns.failed(claimed, "audience", now=self._desk.clock())
                self._desk.metrics.turn_failed()

    async def _finished(self, draft: Draft) -> None:
        """The draft written, shown and recorded; where that can't be, closed as far as it came."""
        try:
            await self._written(draft)
            await draft.close()
        except errors.ReplyDeleted:
            # By somebody who may: there is nothing to tell them, and nothing to be written again.
            await self._unsent(draft, "reply deleted")
        except errors.NotSent as exc:
            await self._unsent(draft, "may not write" if isinstance(exc, errors.CannotSpeak) else "not sent")
            raise

    async def _unsent(self, draft: Draft, why: str) -> None:
        _log.info("turn.not_sent", turn_id=draft.turn.message.message_id, why=why)
        await self._desk.turns.failed(draft.turn, why, now=self._desk.clock())
        self._desk.metrics.turn_failed()

    async def _written(self, draft: Draft) -> None:
        """The draft written; where that can't be, closed as far as it came."""
        try:
            await self._write(draft)
        except asyncio.CancelledError as stop:
            if stop.args == (STOPPED,):
                await draft.stop()
            raise
        except (errors.LeaseLost, errors.AudienceChanged, errors.DatabaseDown):
            raise
        except Exception as exc:
            # Or the turn would stay in this worker's hands, and the channel wait for it.
            await draft.give_up(type(exc).__name__)
            raise

    async def _write(self, draft: Draft) -> None:
        """Fill the draft: a formula or a plain request, what a walk found, the model, or memory alone."""
        said = await self._formula(draft)
        if said is not None:
            return draft.whole(said)
        asked = await self._looking.asks(draft)
        if asked.recall:
            return await self._looking.write(draft, await self._history(draft), asked)
        if self._reasoning.possible:
            return await self._reasoned(draft)
        return await self._without_model(draft)

    async def _without_model(self, draft: Draft) -> None:
        """What memory has on a question of any kind; else that it was heard, or can't be done without a model."""
        if await self._looking.finds(draft, await self._history(draft)):
            return
        if draft.text:
            draft.notes += await self._desk.patiently(lambda: self._offline.under_nothing(draft.turn))
        else:
            draft.whole(await self._desk.patiently(lambda: self._offline.reply(draft.turn)))

    async def _formula(self, draft: Draft) -> Reply | None:
        """The reply to what needs no model: a closing phrase, an approval, and other requests in plain words."""
        turn, text = draft.turn, draft.turn.message.content
        if closing.is_closure(text):
            said = closing.acknowledgement(turn.message.message_id, turn.caller.language)
            return Reply(text=said, stock=Stock.CLOSING)
        if approval.is_approval(text):
            return replace(await self._approved(draft), stock=Stock.KEPT)
        return await self._formulas.reply(draft)

    async def _reasoned(self, draft: Draft) -> None:
        """The model's answer as it comes; what memory holds where the model fails before it said anything."""
        # One after the other: what a turn has done by the time it is killed is the same each time.
        history = await self._history(draft)
        active = await self._reasoning.active(draft)
        try:
            await self._reasoning.write(draft, history, active)
            await self._reasoning.check_it_stands(draft, history)
        except errors.ModelError as exc:
            _log.warning("turn.model_failed", error=type(exc).__name__)
            if draft.begun:
                return draft.cut()
            turn = draft.turn
            said = await self._desk.patiently(lambda: self._offline.instead_of_model(turn.caller, turn.message))
            draft.whole(said)
            draft.head = "" if said.stock else UNREACHABLE
        return None

    async def _confirmed(self, caller: Caller, save: Callable[[], Awaitable[Saved]]) -> Reply:
        """The confirmation is the whole reply."""
        try:
            saved = await self._desk.patiently(save)
        except errors.UserError as exc:
            return Reply(text=await self._commands.as_typed(caller, str(exc)))
        return Reply(text=render.saved_line(saved), saved=(saved,))

    async def _approved(self, draft: Draft) -> Reply:
        """What the message approves of is saved; a reply it refers to may be of an earlier session."""
        turn, refers = draft.turn, draft.turn.message.reply_to
        if refers is None or turn.unkept:
            found = approval.approved(turn.message, await self._history(draft))
        else:
            found = await self._desk.patiently(lambda: self._librarian.reply(turn.caller, refers))
        if found is None:
            return Reply(text=approvals.NOTHING_YET)
        if refers is None and await self._desk.patiently(lambda: self._desk.turns.heard_by_rote(turn, found[1])):
            return Reply(text=approvals.TRIVIAL)
        return await self._confirmed(
            turn.caller, lambda: approvals.save(self._commands, turn.caller, *found, said=turn.message)
        )

    async def _claimed(self, turn: Turn) -> Turn | None:
        """The turn with its session once no other of the channel is in hand; none when it is not this worker's."""
        deadline = time.monotonic() + CLAIM_PATIENCE.total_seconds()
        while time.monotonic() < deadline:
            claimed = await self._desk.turns.claim(turn, now=self._desk.clock())
            if claimed is not None:
                return claimed
            if not await self._desk.turns.is_mine(turn):
                return None
            await asyncio.sleep(CLAIM_POLL.total_seconds())
        return None

    async def _history(self, draft: Draft) -> Sequence[Message]:
        """The session so far; where nothing is kept, what the place itself has of it."""
        turn = draft.turn
        session_id = turn.message.session_id
        assert session_id is not None
        if turn.unkept:
            return await draft.send.before(turn.message, session_id)
        return await self._desk.patiently(
            lambda: self._librarian.history(turn.caller, session_id, turn.message.message_id)
        )

    async def _renew(self, turn: Turn) -> None:
        await self._desk.turns.renew(turn.caller.space_id, [turn.message.message_id], now=self._desk.clock())
