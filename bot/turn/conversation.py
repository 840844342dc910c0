"""The steps of a turn, top to bottom: record, claim, choose who answers, show, close."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final

from bot import catalogue, errors, log
from bot.commands import approvals, run_requests
from bot.commands.commands import Commands
from bot.domain import Message, MessageId, Reply, Role, Saved, Stock, Turn
from bot.grounding import unproven
from bot.infra.ordering import Lanes
from bot.language.requests import approval, closing, plain_words, set_phrases
from bot.language.requests.set_phrases import SetPhrases
from bot.language.statements import assertions
from bot.layers.walk import WalkQuestion
from bot.presentation import both_sides, render
from bot.prompting import evidence, nearby
from bot.prompting.personas import ITSELF, Personas
from bot.recall import asked_times
from bot.recall.librarian import Librarian
from bot.store.turns import HATHI, STOPPED
from bot.text import normalize
from bot.tools.allowance import Allowance
from bot.turn import asked_beside, empty_answer
from bot.turn.delivery import Delivery
from bot.turn.draft import Desk, Draft
from bot.turn.footings import Footings
from bot.turn.miss_answer import MissAnswers
from bot.turn.model_answer import ModelAnswers
from bot.turn.offline import Offline
from bot.turn.prompt_reading import PromptReading
from bot.turn.recall_answer import RecallAnswers
from bot.turn.request_answers import POINTED, RequestAnswers, plain_request
from bot.turn.search_again import SearchAgain
from bot.turn.workflow_answer import WorkflowAnswers

_log = log.logger(__name__)

MOST_DRAFTS: Final = 3
"""Of one turn: it is answered anew where who can read the answer, or what it was made from, changed meanwhile."""
NO_PICTURE: Final = catalogue.later(
    "I see no picture: send it with your question, or reply to the message it came with, and I look at it."
)
FEW_IN_USE: Final = 2
"""Connections up to which is read ahead; in a burst the processor is waited for, and not the commit."""
STEPS: Final = 4
"""Of the event loop, until all that is read at once has been asked for."""
MOST_BEGUN: Final = 20
"""Drafts begun for questions that then were not answered, as their authors asked too many."""
CLAIM_POLL: Final = timedelta(milliseconds=100)
CLAIM_PATIENCE: Final = timedelta(minutes=10)
LOST_ANSWER: Final = timedelta(seconds=2)
"""How long it is tried to find out whether a question was recorded, where only the database's answer was lost."""


class Conversation:
    """Answers turns: records, claims, answers from memory and model, sends, and records the reply."""

    def __init__(
        self,
        desk: Desk,
        librarian: Librarian,
        commands: Commands,
        offline: Offline,
        reasoning: ModelAnswers,
        recall_answers: RecallAnswers,
        miss_answers: MissAnswers,
        lanes: Lanes,
        request_answers: RequestAnswers,
        workflows: WorkflowAnswers,
        personas: Personas,
        search_again: SearchAgain,
    ) -> None:
        self._desk = desk
        self._personas = personas
        self._librarian = librarian
        self._commands = commands
        self._offline = offline
        self._reasoning = reasoning
        self._recall_answers = recall_answers
        self._miss_answers = miss_answers
        self._lanes = lanes
        self._request_answers = request_answers
        self._workflows = workflows
        self._search_again = search_again
        self._footings = Footings()
        self._begun: dict[MessageId, Draft] = {}
        """Drafts for which is read ahead."""

    async def answer(self, turn: Turn, delivery: Delivery) -> None:
        """Record a message, answer it in its channel's order, and record the reply under its question.

        A message recorded before is left to whoever has its turn. Raises `RefusedText` for a message that can't be
        kept, `DatabaseDown` when it could not be recorded, `DatabaseLost` when its reply could not be kept and so was
        not sent, `ChannelBusy` behind 20 others, or behind three of the same person's.
        """
        recorded = await self.record(turn, within=LOST_ANSWER, ahead=delivery)
        if recorded is not None:
            await self.carry_on(recorded, delivery)

    async def record(
        self, turn: Turn, *, behind: bool = False, within: timedelta = timedelta(0), ahead: Delivery | None = None
    ) -> Turn | None:
        """Records the turn; none when its message was recorded before.

        A database that is away is waited for `within` that time, and what only its answer was lost of is found again.
        Whoever calls it sees to it that those of one channel come one after the other: of two at once both could find
        the channel free and be claimed. `behind` says that something said before it may have been missed. For one that
        is delivered at once it is read `ahead` while that is waited for, as if the session were still the one before,
        unless others are answered before it, or many at once.
        """
        normalize.sayable(turn.message.content)
        began, again = time.perf_counter(), False

        is_next = self._lanes.is_free(turn.caller.space_id, turn.caller.channel_id)
        is_idle = self._desk.database.connections["in_use"] <= FEW_IN_USE
        expected = self._footings.of(turn) if is_next and is_idle else None

        async def attempt() -> Turn | None:
            nonlocal again
            is_again, again = again, True
            if is_again:
                # What was read while the database went away may be less than there is.
                self._drop(turn)
            return await self._desk.turns.record(turn, now=self._desk.clock(), behind=behind, again=is_again)

        recording = asyncio.create_task(self._desk.database.keep_trying(attempt, within=within))
        try:
            await _let_run()
            # What is asked is read while the database is at work, and known then.
            has_answer = set_phrases.read(turn.message.content).has_one or plain_request(turn)
            is_run = run_requests.read(turn.message.content, turn.caller) is not None
            if ahead is not None and expected is not None and not (has_answer or is_run):
                self._begin(self._draft(expected.under(turn), ahead, Allowance()))
                await _let_run()
            asked_times.read(turn.message.content, as_of=turn.message.said_at, zone=turn.caller.time_zone)
            recorded = await asyncio.shield(recording)
        except BaseException:
            self._drop(turn)
            if ahead is not None and ahead.is_stopped:
                # Left as it is, it would be answered at the next start.
                with contextlib.suppress(errors.DatabaseDown):
                    await self._close_stopped(await recording)
            recording.cancel()
            raise
        if recorded is None or not self._footings.note(recorded, expected):
            self._drop(turn)
        return recorded and replace(recorded, recorded_in=time.perf_counter() - began)

    def _draft(self, turn: Turn, delivery: Delivery, allowance: Allowance) -> Draft:
        """The reply to be written, by those who speak there; those of a workflow speak for themselves."""
        is_run = run_requests.read(turn.message.content, turn.caller) is not None
        household = ITSELF if is_run else self._personas.of(turn.caller.choices)
        return Draft(desk=self._desk, turn=turn, delivery=delivery, household=household, allowance=allowance)

    def _begin(self, draft: Draft) -> None:
        """Begins a draft of which only is read what its prompt may need; the oldest left by those refused goes."""
        self._begun[draft.turn.message.message_id] = draft
        draft.reading = asyncio.create_task(self._read(draft))
        # Of those that are never asked for, nobody asks why reading failed.
        draft.reading.add_done_callback(lambda read: read.cancelled() or read.exception())
        if len(self._begun) > MOST_BEGUN:
            self._drop(next(iter(self._begun.values())).turn)

    def _drop(self, turn: Turn) -> None:
        begun = self._begun.pop(turn.message.message_id, None)
        if begun is not None and begun.reading is not None:
            begun.reading.cancel()

    async def carry_on(self, turn: Turn, delivery: Delivery) -> None:
        """Answers a turn just recorded, after earlier ones of its channel. Raises as `answer` does."""
        entered = time.perf_counter()
        if not self._lanes.is_free(turn.caller.space_id, turn.caller.channel_id):
            # What it waits for is history then.
            self._drop(turn)
        try:
            # Held from here on: a turn whose lease ran out in the queue would not be waited for by a summary.
            async with (
                self._held(turn),
                self._lanes.place(turn.caller.space_id, turn.caller.channel_id, turn.caller.person_id),
            ):
                await self._answer_held(turn, delivery, waited=time.perf_counter() - entered)
        except errors.ChannelBusy:
            await self._desk.turns.failed(turn, "busy", now=self._desk.clock())
            self._desk.metrics.turn_refused()
            raise
        except asyncio.CancelledError:
            if delivery.is_stopped:
                await self._close_stopped(turn)
            raise
        except errors.DatabaseDown as exc:
            raise errors.DatabaseLost from exc

    async def _close_stopped(self, recorded: Turn | None) -> None:
        """Where nothing of an answer was shown yet; a turn that is closed stays as it is."""
        if recorded is not None:
            await self._desk.turns.failed(recorded, STOPPED, now=self._desk.clock())

    async def resume(self, turn: Turn, delivery: Delivery) -> None:
        """Claims and answers a turn recorded before."""
        async with self._held(turn):
            await self._answer_held(turn, delivery)

    def _held(self, turn: Turn) -> contextlib.AbstractAsyncContextManager[None]:
        """Renews the turn's lease while the block runs."""
        return self._desk.turns.holding(turn.caller.space_id, turn.message.message_id, self._desk.clock)

    async def _answer_held(self, turn: Turn, delivery: Delivery, *, waited: float = 0.0) -> None:
        """Answer a turn whose lease is renewed by the caller; it has `waited` so many seconds in its lane."""
        started = time.perf_counter()
        claimed = turn if turn.claimed else await self._desk.patiently(lambda: self._claimed(turn))
        if claimed is None:
            return
        queued = waited + time.perf_counter() - started
        async with delivery.sink:
            with contextlib.suppress(errors.LeaseLost):
                begun = self._begun.pop(turn.message.message_id, None)
                allowance = Allowance() if begun is None else begun.allowance
                # With the audience of when it was asked: a narrower one is seen before anything is shown.
                for _ in range(MOST_DRAFTS):
                    draft = begun or self._draft(claimed, delivery, allowance)
                    begun = None
                    draft.goes_on(delivery, durations={"record": turn.recorded_in, "queue": queued})
                    try:
                        await self._finished(draft)
                    except errors.AnswerOutdated as exc:
                        _log.info("turn.outdated", turn_id=turn.message.message_id, why=type(exc).__name__)
                        await draft.take_back()
                        now = delivery.venue.audience(claimed.caller)
                        claimed = replace(claimed, caller=now, taken_back=draft.taken_back)
                    else:
                        return
                await self._desk.turns.failed(claimed, "audience", now=self._desk.clock())
                self._desk.metrics.turn_failed()

    async def _finished(self, draft: Draft) -> None:
        """Writes, shows and records the draft; where that fails, closes it as far as it came."""
        draft.delivery.is_whole = False
        try:
            await self._written(draft)
            if draft.is_left_unsaid:
                return await self._desk.turns.failed(draft.turn, "nothing to say", now=self._desk.clock())
            draft.delivery.is_whole = True
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
        """Writes the draft; where that fails, closes it as far as it came."""
        try:
            await self._write(draft)
        except asyncio.CancelledError:
            if draft.delivery.is_stopped:
                await self._stopped(draft)
            raise
        except (errors.LeaseLost, errors.AnswerOutdated, errors.DatabaseDown):
            raise
        except Exception as exc:
            # Or the turn would stay in this worker's hands, and the channel wait for it.
            await draft.give_up(type(exc).__name__)
            raise

    async def _stopped(self, draft: Draft) -> None:
        """Keeps and marks what was shown; cancelled again meanwhile, the turn is left to the next start."""
        try:
            await draft.stop()
        except errors.AnswerOutdated:
            await draft.take_back()
        except asyncio.CancelledError:
            draft.delivery.is_stopped = False
            raise

    async def _write(self, draft: Draft) -> None:
        """Fills the draft: by a workflow, a set phrase or plain request, from memory, a model, or memory alone."""
        run, asking = run_requests.read(draft.turn.message.content, draft.turn.caller), None
        try:
            if run is not None:
                with draft.step("read"):
                    history = await self._talk(draft)
                draft.checks.append(lambda: self._reasoning.check_left(draft, history))
                return await self._workflows.write(draft, run, history)
            with draft.step("phrases"):
                said = await self._request_answer(draft)
            if said is not None:
                return draft.whole(said)
            if (offer := await self._search_again.offered(draft)) is not None:
                with draft.step("read"):
                    history = await self._talk(draft)
                return await self._search_again.write(draft, history, offer)
            can_keep = self._reasoning.can_keep(draft)
            if not can_keep:
                # First: what is asked beside it may be of it.
                await asked_beside.keep(draft, self._commands.remembering)
            with draft.step("read"):
                draft.reading = draft.reading or asyncio.create_task(self._read(draft))
                # What is read is on its way while the question is looked at.
                await asyncio.sleep(0)
                asking = await self._recall_answers.begin(draft)
                read = await draft.reading
            draft.take(read.told)
            history, active = read.history, read.told.active
            draft.checks.append(lambda: self._reasoning.check_left(draft, history))
            is_recalled = asking is not None and await self._recall_answers.write(draft, history, active, asking)
            if not is_recalled:
                if not self._reasoning.possible:
                    return await self._without_model(draft)
                await self._reasoned(draft, history, active, asking)
            if can_keep and (is_recalled or not self._reasoning.can_keep(draft)):
                # Who answered had no tool for it: from memory, or of a server that takes none, as was found only now.
                await asked_beside.keep(draft, self._commands.remembering)
            return None
        finally:
            if draft.reading is not None:
                draft.reading.cancel()
            if asking is not None:
                self._recall_answers.end(asking)

    async def _without_model(self, draft: Draft) -> None:
        """Acknowledges a statement, or says that a request can't be met without a model."""
        if draft.text:
            draft.notes += await self._desk.patiently(lambda: self._offline.under_nothing(draft.turn))
            return
        said = await self._desk.patiently(lambda: self._offline.reply(draft.turn))
        draft.is_left_unsaid = said is None
        if said is not None:
            draft.whole(said)

    async def _read(self, draft: Draft) -> PromptReading:
        """Reads the session so far and, for a model, the Active Memory and all else that it is told, at once.

        And looks at what is asked: while the database is at work there is time.
        """
        history, told, _ = await asyncio.gather(
            self._talk(draft), self._reasoning.read(draft), self._recall_answers.look(draft)
        )
        return PromptReading(history=history, told=told)

    async def _talk(self, draft: Draft) -> Sequence[Message]:
        """The session so far, by people told apart; they are with the context of the question."""
        history, _ = await asyncio.gather(self._history(draft), draft.read_context())
        return await draft.tell_apart(await self._given(draft, history))

    async def _given(self, draft: Draft, history: Sequence[Message]) -> Sequence[Message]:
        """What of it whoever speaks may be shown: to whom nothing of memory is given, no answer that may tell of it."""
        caller, own = draft.turn.caller, {one.message_id for one in history if one.role is Role.HATHI}
        if caller.access.is_given or not own:
            return history
        free = await self._desk.patiently(lambda: self._desk.turns.without_memory(caller, own))
        return [one for one in history if one.message_id in free or one.role is not Role.HATHI]

    async def _request_answer(self, draft: Draft) -> Reply | None:
        """The reply where no model is needed: to closing phrases, approvals, and requests in plain words."""
        turn, phrases = draft.turn, set_phrases.read(draft.turn.message.content)
        if phrases.closes:
            said = closing.acknowledgement(turn.message.message_id, turn.caller.language, turn.message.content)
            return Reply(text=draft.speaker.closing(draft.asker) or said, stock=Stock.CLOSING)
        if unseen := await self._unseen(draft, phrases):
            return Reply(text=unseen, stock=Stock.FAILED)
        if phrases.approves:
            by_whose = turn.message.reply_to is None and approval.names_sayer(turn.message.content)
            said_so = await (self._last_words if by_whose else self._approved)(draft)
            return replace(said_so, stock=Stock.KEPT)
        return await self._request_answers.reply(draft, phrases)

    async def _unseen(self, draft: Draft, phrases: SetPhrases) -> str:
        """Why a picture can't be looked at, where nothing is asked for but what it shows; empty where it can."""
        said, sees = draft.turn.message, self._reasoning.sees(draft.turn.caller)
        none = catalogue.gettext(NO_PICTURE if sees else nearby.NO_PICTURES)
        if normalize.ATTACHED not in said.content and said.reply_to is None:
            return none if phrases.asks_of_picture else ""
        text = normalize.without_attachments(said.content)
        if not plain_words.asks_of_picture(text, has_one=True):
            return ""
        files = (await draft.surroundings()).files
        pictures = [file for file in files if file.is_picture]
        if any(file.picture for file in pictures):
            return ""
        has_one = bool(pictures) and not any(file.text for file in files)
        if not plain_words.asks_of_picture(text, has_one=has_one):
            return ""
        return (nearby.unread(pictures) or none) if sees else none

    async def _reasoned(
        self, draft: Draft, history: Sequence[Message], active: str, asking: WalkQuestion | None
    ) -> None:
        """Streams the model's answer; where it fails before its first word, what memory surely answers, or that."""
        if asking is not None and unproven.asks_fact(asking.question.content):
            # It is looked at whole before anybody reads it; what else is said shows as it comes.
            draft.hold()
        try:
            await self._reasoning.write(draft, history, active)
            self._reasoning.check_nearby(draft, history)
            if asking is not None:
                await self._miss_answers.vouch(draft, history, asking)
            await self._miss_answers.look_over(draft, history)
            await self._miss_answers.without_made_up_quotes(draft, history)
            await self._miss_answers.note_what_stood(draft)
            if not (draft.saved or draft.did or draft.acts):
                told = await self._request_answers.changes_told_of(draft)
                draft.notes += [evidence.small(draft.turn.caller, told)] if told else []
            if not draft.text:
                draft.whole(await empty_answer.reply(draft, self._commands.remembering))
        except errors.ModelError as exc:
            _log.warning("turn.model_failed", error=type(exc).__name__)
            if (draft.begun or not draft.held) and await draft.ended() and draft.text:
                return draft.cut()
            # Whoever asked may have it try again.
            draft.model = draft.model or self._reasoning.name(draft)
            if asking is None or not await self._recall_answers.meanwhile(draft, history, asking, exc):
                draft.whole(self._offline.away(draft.turn.caller, exc))
        return None

    async def _approved(self, draft: Draft) -> Reply:
        """Saves what the message approves of; a reply it refers to may be of an earlier session."""
        turn, refers = draft.turn, draft.turn.message.reply_to
        if refers is not None:
            around = await draft.surroundings()
            pointed = around.replied_to[0] if around.replied_to else None
            if pointed is not None and pointed.role is Role.PERSON:
                return await self._kept(draft, lambda: approvals.save_said(self._commands, draft.keeper, pointed))
            if pointed is None and around.unread:
                draft.notes.clear()
                return Reply(text=around.unread)
        told = await self._just_told(draft) if refers is None else None
        if told is not None:
            return await self._kept(draft, lambda: approvals.save_said(self._commands, draft.keeper, told))
        if refers is None or turn.unkept:
            found = approval.approved(turn.message, await self._history(draft))
        else:
            found = await self._desk.patiently(lambda: self._librarian.reply(draft.asker, refers))
        if found is None:
            return Reply(text=catalogue.gettext(approvals.NOTHING_YET))
        if refers is None and await self._desk.patiently(lambda: self._desk.turns.heard_by_rote(turn, found[1])):
            return Reply(text=catalogue.gettext(approvals.TRIVIAL))
        return await self._kept(draft, lambda: approvals.save(self._commands, draft.keeper, *found, said=turn.message))

    async def _just_told(self, draft: Draft) -> Message | None:
        """The statement just before "remember that", where Hathi only acknowledged it."""
        heard = await self._desk.patiently(lambda: self._desk.turns.just_heard(draft.turn))
        said = () if heard is None else await self._history(draft)
        return next((one for one in said if one.message_id == heard and assertions.states(one.content)), None)

    async def _last_words(self, draft: Draft) -> Reply:
        """Saves what was said last, here, by whoever the message names: "remember my last message"."""
        history, around = await self._history(draft), (await draft.surroundings()).messages
        told = {one.message_id: one for one in (*around, *history)}
        said = approval.last_of(draft.turn.message, [told[key] for key in sorted(told)])
        if said is None:
            return Reply(text=catalogue.gettext(POINTED))
        return await self._kept(draft, lambda: approvals.save_said(self._commands, draft.keeper, said))

    async def _kept(self, draft: Draft, save: Callable[[], Awaitable[Sequence[Saved]]]) -> Reply:
        """Confirms that an earlier message was kept, and tells its author where that is somebody else."""
        caller = draft.keeper
        draft.kept_by_writer()
        try:
            saved = await draft.desk.patiently(save)
        except errors.UserError as exc:
            return Reply(text=exc.said(caller.prefix))
        for one in saved:
            if not one.was_known:
                draft.delivery.venue.tell_author(one, caller)
        is_of_hathi = all(one.memory.author == HATHI for one in saved)
        # An answer of Hathi's stands right above, whole.
        text = "\n".join(map(render.saved_line, saved)) if is_of_hathi else render.kept(saved)
        return Reply(text="\n".join([text, *both_sides.lines(saved, caller)]), saved=tuple(saved))

    async def _claimed(self, turn: Turn) -> Turn | None:
        """Waits until no other turn of the channel is in progress; none when this one is another worker's."""
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
        """The session so far; where nothing is recorded, what Discord or the terminal has of it."""
        turn = draft.turn
        session_id = turn.message.session_id
        assert session_id is not None
        with draft.timed("history"):
            if turn.unkept:
                return await draft.delivery.venue.history(turn)
            return await self._desk.patiently(
                partial(self._librarian.history, turn.caller, session_id, turn.message.message_id)
            )


async def _let_run() -> None:
    """Lets tasks just made go as far as asking for what they read."""
    for _ in range(STEPS):
        await asyncio.sleep(0)
