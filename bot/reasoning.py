"""What the reasoning model says to a question: its prompt, its rounds of tools, its words as they come."""

import contextlib
import time
from collections.abc import Sequence

from bot import errors, log, prompts
from bot.commands import Commands
from bot.config import Settings
from bot.domain import Message, ModelRole
from bot.draft import Draft
from bot.llm.chat import ChatMessage, Finished, TextDelta, ToolSpec
from bot.llm.client import Models
from bot.memory import plain_words
from bot.memory.librarian import Librarian
from bot.offline import Offline
from bot.tools import MOST_ROUNDS, Toolbox

_log = log.logger(__name__)

_ROLE = ModelRole.REASONING


class Reasoning:
    """Writes drafts with a model."""

    def __init__(
        self, models: Models, librarian: Librarian, commands: Commands, offline: Offline, texts: prompts.Texts,
        settings: Settings,
    ) -> None:  # fmt: skip
        self._models = models
        self._librarian = librarian
        self._commands = commands
        self._offline = offline
        self._texts = texts
        self._settings = settings

    @property
    def possible(self) -> bool:
        """Whether there is a model to ask."""
        return self._models.has(_ROLE)

    async def active(self, draft: Draft) -> str:
        """The Active Memory block for the draft's question; empty when memory can't be read: that costs the block."""
        started = time.perf_counter()
        try:
            return await self._active_block(draft)
        except errors.DatabaseDown:
            _log.warning("turn.recall_failed")
            return ""
        finally:
            draft.durations["memory"] = time.perf_counter() - started

    async def write(self, draft: Draft, history: Sequence[Message], active: str) -> None:
        """Rounds of the model and its tools, at most four, then one without tools.

        Raises `ModelError` when the model failed; what the draft holds by then was shown.
        """
        tools = Toolbox(self._commands, self._models, draft.turn, self._texts.delegate)
        try:
            finished = await self._rounds(draft, await self._prompt(draft, history, active, tools.room(_ROLE)), tools)
        finally:
            draft.saved += tools.saved
            draft.recalled += tools.recalled
            draft.trail["tools"] = tools.calls
            draft.tokens_in += tools.tokens_in
            draft.tokens_out += tools.tokens_out
        if not draft.text:
            # It went on calling tools when it was to answer.
            raise errors.ModelUnreachable
        if finished.cut_off:
            draft.cut()

    async def _rounds(self, draft: Draft, messages: list[ChatMessage], tools: Toolbox) -> Finished:
        for _ in range(MOST_ROUNDS):
            specs = tools.specs(_ROLE)
            finished = await self._round(draft, messages, specs)
            if not finished.tool_calls or not specs:
                return finished
            await tools.carry_on(_ROLE, messages, finished)
            if tools.has_recalled:
                draft.hold()
        return await self._round(draft, messages, ())

    async def _round(self, draft: Draft, messages: Sequence[ChatMessage], specs: Sequence[ToolSpec]) -> Finished:
        started = time.perf_counter()
        apart = "\n\n" if draft.text else ""
        async with contextlib.aclosing(self._models.stream(_ROLE, messages, specs)) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    await draft.more(apart + event.text)
                    apart = ""
                else:
                    draft.model = event.model
                    draft.tokens_in += event.usage.tokens_in
                    draft.tokens_out += event.usage.tokens_out
                    draft.durations["model"] = draft.durations.get("model", 0.0) + time.perf_counter() - started
                    return event
        raise errors.ModelUnreachable

    async def _prompt(self, draft: Draft, history: Sequence[Message], active: str, room: int) -> list[ChatMessage]:
        """The prompt of this turn, at most `room` tokens."""
        turn, found = draft.turn, ""
        try:
            if not history and plain_words.asks_where_left_off(turn.message.content):
                found = prompts.last_summary_block(await self._offline.left_off(turn.caller, history))
        except errors.DatabaseDown:
            _log.warning("turn.recall_failed")
        composed = prompts.compose(
            identity=self._texts.identity,
            active=active,
            found=found,
            history=history,
            question=turn.message,
            max_tokens=room,
        )
        draft.trail |= {"history": len(history), "left_out": composed.left_out}
        return [*composed.messages]

    async def _active_block(self, draft: Draft) -> str:
        settings = self._settings.memory.active
        rows = await self._librarian.active(draft.turn.caller, draft.turn.message.content, settings)
        lines = [
            prompts.Line(
                number=row.memory_id, content=row.content, importance=row.importance, author=row.author,
                said_at=row.said_at,
            )
            for row in rows
        ]  # fmt: skip
        block, shown = prompts.active_block(lines, max_tokens=settings.max_tokens, now=draft.desk.clock())
        draft.shown += [line.number for line in shown]
        return block
