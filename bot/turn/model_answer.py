"""Asks the reasoning model: builds the prompt, runs the rounds of tool calls, streams the answer."""

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final, TypeVar

from bot import errors, log
from bot.commands.commands import Commands
from bot.config import Settings
from bot.domain import ROOMS, TERMINAL_SPACE, Actor, Caller, Layer, Message, ModelRole, Role, SentFile, Source
from bot.grounding.standing import Standing
from bot.language.questions import wanted_texts
from bot.language.requests import plain_words
from bot.language.statements import assertions, topics
from bot.layers.walk import Evidence, LayerSource
from bot.llm.messages import ChatMessage, Finished, TextDelta, ToolSpec, Usage
from bot.llm.models import fitting
from bot.llm.tokens import estimate_messages, of_picture, picture_area
from bot.prompting import compose, earlier, identity, nearby, personas
from bot.prompting.identity import Identity
from bot.prompting.placed_models import ModelsByPlace, PlacedModels
from bot.prompting.session_start import ActiveRoom, SessionStart
from bot.recall import strategies
from bot.recall.librarian import Librarian
from bot.recall.retrievers.registry import Retrievers
from bot.recall.retrievers.retrieval import MOST, Retrieved, Wanted
from bot.store import reply_sources
from bot.store.files import pictures
from bot.store.trail import Origin
from bot.store.turns import HATHI
from bot.text import sentences
from bot.tools import own_words, toolbox
from bot.tools.allowance import MOST_ROUNDS
from bot.tools.tool_context import ToolContext
from bot.tools.toolbox import Toolbox
from bot.tools.toolsets import ToolOffer, Toolsets
from bot.turn.draft import LONGEST, Draft
from bot.turn.prompt_reading import PromptBlocks

_log = log.logger(__name__)

_ROLE = ModelRole.REASONING
T = TypeVar("T")
_MADE_UP: Final = re.compile(
    r"\b(?:tales?|story|stories|poems?|jokes?|songs?|limericks?|haikus?|riddles?)\b", re.IGNORECASE
)
"""What is asked for that tells of nothing here, whatever a model looked up for it."""
_LATELY: Final = timedelta(days=1)
"""Since when a prompt is told of what happened, where it is."""
_MOST_HELD: Final = 30
"""Messages of the session that an answer is held against, the newest."""


class ModelAnswers:
    """Fills drafts with a model's answers."""

    def __init__(
        self,
        models: ModelsByPlace,
        librarian: Librarian,
        commands: Commands,
        who: Identity,
        wake: SessionStart,
        texts: compose.Texts,
        settings: Settings,
        retrievers: Retrievers,
        tools: Toolsets,
        artifacts: Sequence[LayerSource],
    ) -> None:
        self._models = models
        self.possible = bool(models.choosable.names)
        """Whether a model is configured."""
        self._in_prompt = retrievers.named(settings.prompt.retrieved)
        self._toolsets = tools
        self._artifacts = artifacts
        self._librarian = librarian
        self._commands = commands
        self._who = who
        self._wake = wake
        self._texts = texts
        self._settings = settings

    def sees(self, caller: Caller) -> bool:
        """Whether one of the models that answer there sees pictures."""
        return self._models.of(caller).models.sees(_ROLE)

    async def read(self, draft: Draft) -> PromptBlocks:
        """What a prompt tells beside the session, for whoever begins one; nothing without a model."""
        if not self.possible or not draft.turn.caller.access.reads:
            return PromptBlocks()
        passages = self._retrieved_timed(draft) if not draft.turn.unkept else _none()
        blocks, retrieved = await asyncio.gather(self._blocks(draft), passages)
        return replace(blocks, retrieved=retrieved)

    async def _blocks(self, draft: Draft) -> PromptBlocks:
        """What the session began with, and the Active Memory block for the question.

        Empty when memory can't be read: that costs the blocks, and no more.
        """
        try:
            with draft.timed("memory"):
                woken, active = await asyncio.gather(self._woken(draft), self._active_block(draft))
        except errors.DatabaseDown:
            _log.warning("turn.recall_failed")
            return PromptBlocks()
        return replace(
            woken,
            active="\n\n".join(block for block in (woken.active, active.active) if block),
            shown=(*woken.shown, *active.shown),
            beside=(*woken.beside, *active.beside),
            names=(*woken.names, *active.names),
        )

    async def write(self, draft: Draft, history: Sequence[Message], active: str) -> None:
        """Asks the model in rounds with tools, within the turn's bounds, then in one without.

        Raises `ModelError` when the model failed; what the draft holds by then was shown.
        """
        bounds = self._settings.tools
        draft.allowance.begin(tokens=bounds.max_tokens, seconds=bounds.max_seconds)
        context = await self.context(draft, history, active)
        try:
            finished = await self._fitting(draft, lambda: self._rounds(draft, history, active, context))
        finally:
            self.settle(draft, history, context)
        if any(use.outcome == toolbox.TIMEOUT for use in context.calls):
            await draft.find_saved()
        if not await draft.ended():
            raise errors.ModelLookedOn if finished.tool_calls else errors.ModelSilent
        if finished.cut_off:
            draft.cut()

    @staticmethod
    def settle(draft: Draft, history: Sequence[Message], context: ToolContext) -> None:
        """Notes in the draft what its tools did, and whose words it was shown."""
        draft.trail = replace(draft.trail, tools=tuple(context.calls))
        # What it was shown of them is no citation, but goes with them all the same.
        drawn_on = _drawn_on(draft, history)
        draft.quotes(drawn_on)
        brought = [one.message for one in context.fetched if one.message is not None]
        said = [(m.channel_id, m.message_id) for m in [*context.quoted, *drawn_on]]
        places = dict.fromkeys([*said, *brought])
        sources = {f"M{n}": Origin(message=place) for n, place in enumerate(places, 1)}
        if sources:
            draft.trail = replace(draft.trail, sources=sources)
        draft.usage = sum(context.usages, draft.usage)

    async def context(self, draft: Draft, history: Sequence[Message], active: str) -> ToolContext:
        """What the tools are given, which gather into the draft."""
        box = self.toolbox(draft)
        # Whoever posts a file need not have written it.
        has_files = bool((await draft.surroundings()).files)
        draft.hands = ToolContext(
            commands=self._commands,
            librarian=self._librarian,
            turn=draft.turn,
            keeper=_keeper(draft),
            allowance=draft.allowance,
            now=draft.desk.clock,
            artifacts=self._artifacts,
            ask=box.ask,
            active=active,
            listed=box.listed(self._role(draft)),
            is_tainted=has_files or await _is_tainted(draft, [*history, draft.turn.message]),
            said=() if draft.turn.unkept else history,
            told=[*((one.memory_id, one.content) for one in draft.beside), *((None, name) for name in draft.names)],
            live=history if draft.turn.unkept else None,
            saved=draft.saved,
            not_kept=draft.not_kept,
            done=draft.did,
            acts=draft.acts,
            refused=draft.refused,
            recalled=draft.recalled,
            quoted=draft.quoted,
            looked_up=draft.looked_up,
            found=draft.found,
            entries=draft.entries,
            fetched=draft.fetched,
        )
        return draft.hands

    async def say(
        self, draft: Draft, history: Sequence[Message], *, rules: str, found: str = "", active: str = ""
    ) -> str:
        """What the model says by rules of its own to the draft's question, whole and without tools.

        Nothing of it is shown or put into the draft; what broke off or is too long is nothing. Raises `ModelError`.
        """
        return await self._fitting(draft, lambda: self._said(draft, history, rules=rules, found=found, active=active))

    async def _said(self, draft: Draft, history: Sequence[Message], *, rules: str, found: str, active: str) -> str:
        models, role = self._at(draft).models, self._role(draft)
        settings = models.settings(role)
        room = settings.max_context - settings.max_tokens
        with draft.step("compose"):
            draft.prompt = await self._composed(
                draft,
                history,
                room,
                identity=f"{await self._identity(draft, self._toolsets.names)}\n\n{rules}",
                active=active,
                found=found,
            )
        draft.holds_others |= await _is_tainted(draft, [*history, *draft.nearby])
        with draft.step("model"):
            finished = await models.complete(role, draft.prompt)
        draft.model = finished.model
        draft.usage += finished.usage
        own = draft.speaker.own(finished.text)
        text = "" if finished.cut_off or len(own) > LONGEST else draft.of_what_was_done(own)
        if text and not found:
            # What was found has a check of its own.
            self.stand(draft, history)
            assert draft.standing is not None
            text = await asyncio.to_thread(draft.standing.read, text)
        return text

    async def again(self, draft: Draft, said: str, request: str) -> str:
        """What the model says, asked once more about what it just said; nothing where it fails."""
        talk = [ChatMessage(role="assistant", content=said), ChatMessage(role="user", content=request)]

        models = self._at(draft).models

        def ask() -> Awaitable[Finished]:
            role = self._role(draft)
            settings, whole = models.settings(role), [*draft.prompt, *talk]
            fits = estimate_messages(whole) <= settings.max_context - settings.max_tokens
            # The answer is corrected from what it was made of, the question's own message.
            return models.complete(role, whole if fits else [draft.prompt[0], draft.prompt[-1], *talk])

        try:
            finished = await fitting(ask)
        except errors.ModelError as exc:
            _log.warning("turn.model_failed", error=type(exc).__name__)
            return ""
        draft.usage += finished.usage
        own = draft.speaker.own(finished.text)
        return "" if finished.cut_off or len(own) > LONGEST else draft.of_what_was_done(own)

    def can_keep(self, draft: Draft) -> bool:
        """Whether the model that answers has a tool by which something is kept."""
        models, saves = self._at(draft).models, _keeper(draft) is not None
        return self._toolsets.keeps(models, self._role(draft), draft.turn.caller, saves=saves)

    def name(self, draft: Draft) -> str:
        """What the model is called that answers a draft's question."""
        return self._at(draft).models.settings(self._role(draft)).model

    def check_nearby(self, draft: Draft, history: Sequence[Message]) -> None:
        """Raises `EvidenceGone` where context that the draft draws on is gone, after the time a model took over it."""
        if not draft.nearby_stands(draft.pictured_by):
            raise errors.EvidenceGone
        if not (draft.nearby_stands(draft.nearby) or draft.nearby_stands(_drawn_on(draft, history))):
            raise errors.EvidenceGone

    async def check_left(self, draft: Draft, history: Sequence[Message]) -> None:
        """Raises `ForgottenBroughtUp` where the draft brings up what was forgotten, erased or edited since it began."""
        turn, kept = draft.turn, () if draft.turn.unkept else history
        said = {m.message_id: m.content for m in (*kept, *draft.quoted) if m.role is Role.PERSON}
        # A file goes with the message that brought it.
        brought = {one.message[1] for one in draft.fetched if one.message is not None and not turn.unkept}
        told = {one.memory_id: one.content for one in draft.beside if one.memory_id is not None}
        shown = {*draft.shown, *draft.recalled}
        memories, messages = await draft.desk.patiently(
            lambda: self._librarian.left(turn.caller.space_id, shown, said.keys() | brought)
        )
        entries, space_id = draft.entries, turn.caller.space_id
        if entries and not await draft.desk.patiently(lambda: self._librarian.ledger_stands(space_id, entries)):
            raise errors.ForgottenBroughtUp
        gone = shown - memories
        # Only the words of what was shown unasked are at hand; what a tool showed may be told in any.
        unknown, forgotten = gone - told.keys(), [told[key] for key in gone & told.keys()]
        taken_out = [text for key, text in said.items() if text != messages.get(key)]
        asked = turn.message.content
        if (
            unknown
            or brought - messages.keys()
            or reply_sources.brings_up(draft.text, forgotten, [asked])
            or reply_sources.brings_up(draft.text, taken_out, [asked, *messages.values()])
        ):
            raise errors.ForgottenBroughtUp

    def room(self, caller: Caller) -> int:
        """How many tokens of evidence a prompt has room for where the caller asks."""
        at = self._models.of(caller)
        settings = at.models.settings(_ROLE)
        return min(at.budget.recalled, (settings.max_context - settings.max_tokens) // 2)

    def picture_areas(self, caller: Caller) -> tuple[int, ...]:
        """Pixels that a picture may have which is shown alone, as one of two and so on: together half of a prompt.

        None where no model sees that answers there.
        """
        if not self.sees(caller):
            return ()
        half = self._toolsets.least_room(self._models.of(caller).models, _ROLE) // 2
        return tuple(picture_area(half // count) for count in range(1, pictures.MOST + 1))

    def _at(self, draft: Draft) -> PlacedModels:
        """The models that answer where it was asked."""
        return self._models.of(draft.turn.caller)

    async def _fitting(self, draft: Draft, ask: Callable[[], Awaitable[T]]) -> T:
        """What `ask` returns, which makes its prompt; made anew and asked once more where it was too long.

        Whoever runs Hathi is told at the terminal why there is no answer.
        """
        try:
            return await fitting(ask, again=lambda: not draft.said)
        except (errors.ModelRefused, errors.ModelUnreachable) as exc:
            told = exc.said(draft.turn.caller.prefix)
            if draft.turn.caller.space_id == TERMINAL_SPACE and told not in draft.notes:
                draft.notes.append(told)
            raise

    async def _rounds(self, draft: Draft, history: Sequence[Message], active: str, context: ToolContext) -> Finished:
        box = self.toolbox(draft)
        offered = self._toolsets.offer(box.models, self._role(draft), context.caller, saves=context.keeper is not None)
        with draft.step("compose"):
            messages = await self._prompt(draft, history, active, offered)
        draft.prompt = messages
        # Only now is it known what is shown of the talk around; the ledger holds what others said as well.
        context.is_tainted |= bool(draft.earlier) or await _is_tainted(draft, draft.nearby)
        shown = [*(one.content for one in draft.nearby), *(one.text for one in draft.earlier)]
        context.told = [*context.told, *((None, text) for text in shown)]
        most, allowance, may_take = box.models.settings(offered.role).max_tokens, draft.allowance, None
        for _ in range(MOST_ROUNDS):
            if not allowance.covers(estimate_messages(messages) + most):
                break
            try:
                finished = await self.stream(draft, messages, offered.specs, within=may_take)
            except TimeoutError:
                break
            if not finished.tool_calls or not offered.specs:
                return finished
            may_go_on = await box.carry_on(context, offered, messages, finished)
            self.stand(draft, history)
            if context.looked_up:
                draft.hold()
            if not may_go_on:
                break
            may_take = allowance.seconds()
        return await self.stream(draft, messages)

    async def stream(
        self,
        draft: Draft,
        messages: Sequence[ChatMessage],
        specs: Sequence[ToolSpec] = (),
        role: ModelRole | None = None,
        within: float | None = None,
    ) -> Finished:
        """Puts into the draft what a model says, as it comes, of whoever speaks unless a `role` is given.

        The end of that. Raises `ModelError`, and `TimeoutError` where it says nothing `within` so many seconds: once it
        speaks it is heard.
        """
        apart, models, role = "\n\n" if draft.said else "", self._at(draft).models, role or self._role(draft)
        with draft.step("model"):
            async with (
                asyncio.timeout(within) as clock,
                contextlib.aclosing(models.stream(role, messages, specs)) as events,
            ):
                async for event in events:
                    if isinstance(event, TextDelta):
                        if not clock.expired():
                            clock.reschedule(None)
                        draft.model = draft.model or models.settings(role).model
                        await draft.more(apart + event.text)
                        apart = ""
                        if not draft.is_full:
                            continue
                        model = models.settings(role).model
                        finished = Finished(text=draft.said, tool_calls=(), usage=Usage(), model=model, cut_off=True)
                    else:
                        finished = event
                    draft.model = finished.model
                    draft.usage += finished.usage
                    draft.allowance.spend(messages, finished)
                    return finished
        raise errors.ModelUnreachable

    async def _identity(self, draft: Draft, missing: Collection[str]) -> str:
        """Who speaks and the operator's instructions; the latter alone while the database is away.

        A persona's voice stands in the place of the space's identity. Of `missing` tools they do not speak.
        """
        persona = draft.speaker
        instructions = (persona.root or self._texts.identity).without(missing)
        if persona.voice:
            voice = identity.fitted(persona.voice, self._at(draft).budget.identity)
            return f"{voice}\n{personas.NAMED}\n\n{instructions}"
        if draft.identity is None:
            try:
                draft.identity = await self._who.of(draft.turn.caller.space_id)
            except errors.DatabaseDown:
                draft.identity = ""
        own = identity.fitted(draft.identity, self._at(draft).budget.identity)
        return f"{own}\n\n{instructions}".strip()

    def toolbox(self, draft: Draft) -> Toolbox:
        """The tools of the models that answer where the question was asked."""
        return Toolbox(self._at(draft).models, self._toolsets, self._texts.delegate)

    def _role(self, draft: Draft) -> ModelRole:
        """The role of whoever speaks; `reasoning` where that has no model."""
        role = draft.speaker.role
        return role if self._at(draft).models.has(role) else _ROLE

    async def _prompt(
        self, draft: Draft, history: Sequence[Message], active: str, offered: ToolOffer
    ) -> list[ChatMessage]:
        """The prompt of this turn, which takes as much room as the tools that are offered leave."""
        identity = await self._identity(draft, offered.missing)
        messages = await self._composed(draft, history, offered.room, identity=identity, active=active)
        self.stand(draft, history)
        return [*messages]

    async def _composed(
        self, draft: Draft, history: Sequence[Message], room: int, *, identity: str, active: str, found: str = ""
    ) -> Sequence[ChatMessage]:
        """The prompt of at most `room` tokens; with what is retrieved of more than the messages that fit.

        Pictures may take half of it, and texts have the rest.
        """
        budget = self._at(draft).budget
        files = nearby.with_pictures_within((await draft.surroundings()).files, room // 2)
        draft.pictures = [file for file in files if file.picture]
        # Of what it sees a model may tell in any words.
        draft.quotes(draft.pictured_by)
        shown = tuple(file.picture for file in draft.pictures if file.picture)
        room -= sum(map(of_picture, shown))
        around = await self.around(draft, history, files, room // 4 if found else room // 2)
        compose_ = partial(
            compose.compose,
            identity=identity,
            active=active,
            found=found,
            history=history,
            question=draft.turn.message,
            around=around,
            clock=_clock(draft),
        )
        told, is_live = earlier.ShownEarlier(), draft.turn.unkept
        passages = [] if is_live else self._untold(draft, draft.retrieved)
        if passages or is_live:
            fits = compose_(max_tokens=room - budget.summary - budget.chunks)
            said = [message for message in history if message.stock is None]
            if is_live and fits.left_out:
                passages = self._untold(draft, await self._retrieved(draft, live=said[: fits.left_out]))
            first = next((message.message_id for message in said[fits.left_out :]), None)
            told = earlier.block(passages, first, budget, draft.turn.caller.time_zone)
        composed = compose_(max_tokens=room, earlier=told.text)
        draft.earlier = told.passages
        draft.entries += [one for one in told.entries if one not in draft.entries]
        # What is stored nowhere can't be looked after.
        draft.quoted += () if is_live else told.messages
        draft.shown += told.memories
        draft.unfit("earlier", told.left_out)
        draft.trail = replace(draft.trail, history=len(history), left_out=composed.left_out)
        *before, question = composed.messages
        return [*before, replace(question, pictures=shown)]

    async def _retrieved_timed(self, draft: Draft) -> list[Retrieved]:
        with draft.timed("earlier"):
            return await self._retrieved(draft)

    async def _retrieved(self, draft: Draft, live: Sequence[Message] | None = None) -> list[Retrieved]:
        """What the prompt's retrievers tell of the channel's past; nothing while the database is away.

        Where nothing is kept that is what does not fit of the `live` talk.
        """
        turn, asked = draft.turn, draft.turn.message
        wanted = Wanted(
            caller=turn.caller,
            most=MOST,
            words=";".join(strategies.tokens(asked.content)),
            since=asked.said_at - _LATELY,
            after_reset=True,
            apart_from=(asked.message_id,),
            live=live,
        )
        try:
            found = await asyncio.gather(*(retriever.retrieve(wanted) for retriever in self._in_prompt))
        except errors.DatabaseDown:
            _log.warning("turn.recall_failed")
            return []
        return [passage for one in found for passage in one.passages]

    @staticmethod
    def _untold(draft: Draft, passages: Iterable[Retrieved]) -> list[Retrieved]:
        """Those that tell of no memory which the prompt holds already."""
        known = {*draft.shown, *(one.memory_id for one in draft.beside)}
        return [one for one in passages if one.memory is None or one.memory.memory_id not in known]

    def stand(self, draft: Draft, history: Sequence[Message]) -> None:
        """Has the draft held against what its prompt holds: memories and the session; the rest may be told as well.

        Not where pictures were shown: what is seen in one may be another thing, or have changed.
        """
        turn = draft.turn
        shown = [one for one in history[draft.trail.left_out :] if one.role is Role.PERSON][-_MOST_HELD:]
        session = [_evidence(f"H{n}", one) for n, one in enumerate(shown)]
        states = [said for said, one in zip(session, shown, strict=True) if assertions.states(one.content)]
        around = [_evidence(f"N{n}", one) for n, one in enumerate(draft.nearby)]
        past = [Evidence(label=f"E{n}", layer=Layer.PALACE, content=one.text) for n, one in enumerate(draft.earlier)]
        found = [Evidence(label=f"L{n}", layer=Layer.PALACE, content=one) for n, one in enumerate(draft.looked_up)]
        # Who says so, or wants it written, may be told what they have just said.
        asks = bool(assertions.questions(turn.message.content))
        own = () if asks else (_evidence("Q", turn.message),)
        told = [*draft.beside, *(() if _MADE_UP.search(turn.message.content) else draft.found), *states]
        draft.standing = Standing(
            [] if draft.pictures or wanted_texts.asks(turn.message.content) else told,
            [*session, *around, *past, *found, *own],
            turn.message.content,
            asked_at=turn.message.said_at,
            zone=turn.caller.time_zone,
        )

    async def around(self, draft: Draft, history: Sequence[Message], files: tuple[SentFile, ...], room: int) -> str:
        """The context of the question that is not part of the conversation, with these files, as far as it fits."""
        surroundings, settings = replace(await draft.surroundings(), files=files), self._settings.prompt
        if not draft.turn.caller.access.is_given:
            # An answer of Hathi's may tell of memory.
            surroundings = surroundings.by_people
        known = {message.message_id for message in history}
        shown = nearby.block(
            surroundings,
            known,
            nearby.TokenShares(around=self._at(draft).budget.around, files=settings.file_tokens, whole=room),
            draft.turn.caller.time_zone,
        )
        draft.unfit("around", len({m.message_id for m in surroundings.messages} - known) - len(shown.messages))
        draft.nearby = [message for message in shown.messages if message.message_id not in known]
        draft.trail = replace(draft.trail, around=len(draft.nearby))
        return shown.text

    async def _woken(self, draft: Draft) -> PromptBlocks:
        """What the session was shown at its start, as far as it may still be shown."""
        turn = draft.turn
        assert turn.message.session_id is not None
        woken = await self._wake.load(turn.caller, turn.message.session_id, now=draft.desk.clock())
        memories = [
            Evidence(
                label=f"#{kept.memory_id}",
                layer=Layer.IDENTITY,
                content=kept.content,
                author=kept.author,
                author_id=None if kept.author == HATHI else kept.author_id,
                said_at=kept.made_at,
                memory_id=kept.memory_id,
            )
            for kept in woken.memories
        ]
        notes = [
            Evidence(
                label=note.label,
                layer=Layer.IDENTITY,
                content=note.content,
                author=note.author,
                author_id=note.author_id if note.actor is Actor.PERSON else None,
                said_at=note.written_at,
            )
            for note in woken.notes
        ]
        shown = tuple(kept.memory_id for kept in woken.memories)
        return PromptBlocks(
            active=woken.block,
            shown=shown,
            beside=(*memories, *notes),
            names=tuple(one.name for one in woken.rooms if not _is_own_room(one, turn.caller)),
            identity=woken.identity,
        )

    async def _active_block(self, draft: Draft) -> PromptBlocks:
        settings, budget = self._settings.memory.active, self._at(draft).budget
        rows = await self._librarian.active(draft.turn.caller, draft.turn.message.content, settings)
        block, shown = compose.active_block(
            compose.active_lines(rows), rows=settings.rows, max_tokens=budget.active, now=draft.desk.clock()
        )
        beside = [
            Evidence(
                label=f"#{line.number}",
                layer=Layer.IDENTITY,
                content=line.content,
                author=line.author,
                author_id=line.author_id,
                said_at=line.said_at,
                memory_id=line.number,
            )
            for line in shown
        ]
        return PromptBlocks(
            active=block,
            shown=tuple(line.number for line in shown),
            beside=tuple(beside),
            names=tuple(line.topic for line in shown if not _has_own_topic(line)),
        )


def _keeper(draft: Draft) -> Caller | None:
    """For whom is kept what some sentence asks to remember, by another than who speaks; none where it is not so."""
    if draft.turn.caller.access.writes or not draft.keeper.access.writes:
        return None
    said = sentences.split(draft.turn.message.content)
    return draft.keeper if any(map(plain_words.asked_to_remember, said)) else None


async def _none() -> list[Retrieved]:
    return []


def _evidence(label: str, said: Message) -> Evidence:
    return Evidence(
        label=label, layer=Layer.SCRATCHPAD, content=said.content, author=said.speaker, said_at=said.said_at
    )


def _clock(draft: Draft) -> str:
    """The day and time where the question was asked."""
    return compose.clock_line(draft.desk.clock(), draft.turn.caller.time_zone)


async def _is_tainted(draft: Draft, messages: Sequence[Message]) -> bool:
    """Whether a prompt with these messages holds words of anyone but the asker.

    So may what Hathi said, but for what it is known to have made of theirs alone, and said to them alone.
    """
    caller = draft.turn.caller
    people = [one for one in messages if one.role is Role.PERSON]
    is_told = bool(draft.names) or any(one.author_id != caller.person_id for one in draft.beside)
    if is_told or any(one.author_id != caller.person_id or not own_words.alone(one) for one in people):
        return True
    # Its set texts no prompt holds.
    own = {one.message_id for one in messages if one.role is not Role.PERSON and one.stock is None}
    if not (own and caller.is_direct):
        return bool(own)
    turns = draft.desk.turns
    return bool(own - await draft.desk.patiently(lambda: turns.of_askers_words(caller, own)))


def _is_own_room(room: ActiveRoom, asker: Caller) -> bool:
    """Whether a room's name is nobody else's words: one that there always is, or a word by which the asker files.

    Alone with Hathi it may be of several words, as nobody else names rooms there but a summary, of what they forwarded.
    """
    is_named_by_asker = asker.is_direct and room.source is Source.USER
    return room.name in ROOMS or (
        room.filed_by == asker.person_id and (is_named_by_asker or own_words.is_word(room.name))
    )


def _has_own_topic(line: compose.Line) -> bool:
    """Whether a topic is as good as its memory's author's: a summary names it after what others said as well."""
    is_given = line.source is not Source.SUMMARY or own_words.is_word(line.topic)
    return is_given or bool(topics.found_in([line.topic], [line.content], 1))


def _drawn_on(draft: Draft, history: Sequence[Message]) -> list[Message]:
    """The context messages that the draft used: it has a telling word of theirs that no other source has."""
    if not draft.nearby:
        return []
    shown = [draft.turn.message.content, *(one.content for one in draft.beside), *(m.content for m in history)]
    # All that was said of it: the last sentence may not have been whole yet.
    told = draft.all_said or draft.text
    return [
        message
        for message in draft.nearby
        if reply_sources.brings_up(
            told, [message.content], [*shown, *(m.content for m in draft.nearby if m is not message)]
        )
    ]
