"""Runs the calls of models within the bounds of a turn, and has one model do a task for another."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot import catalogue, errors, log
from bot.domain import Access, ModelRole
from bot.llm import tokens
from bot.llm.messages import ChatMessage, Finished, ToolCall, ToolSpec
from bot.llm.models import Models, fitting
from bot.llm.tokens import MESSAGE_OVERHEAD, estimate, estimate_messages
from bot.prompting import compose
from bot.prompting.prompt_tree import Section
from bot.store.trail import ToolUse
from bot.tools.allowance import MOST_ROUNDS
from bot.tools.definitions import Tool
from bot.tools.tool_context import NOT_DONE, Fingerprint, ToolContext
from bot.tools.toolsets import ToolOffer, Toolsets

_log = log.logger(__name__)

PATIENCE: Final = 10.0
"""Seconds for a tool; what asks a model has the time that is left of the turn."""
TIMEOUT: Final = "timeout"
"""What came of a call that took longer."""
UNSURE: Final = catalogue.later(
    "I gave up waiting for my memory in the middle of a change; I can't tell whether it was made."
)
"""What the asker is told of what writes and took longer."""
UNSURE_ELSEWHERE: Final = catalogue.later("`{tool}` did not answer; I can't tell whether it was done.")
"""The same of what does something elsewhere."""
GIVEN_UP: Final = "Given up, and not known whether it is done: {tool} did not answer. It is not tried again."
"""What a model is told of either, however often it asks for it."""
LONGEST: Final = 20_000
"""Characters of what a tool returns."""
MOST_ALIKE: Final = 2
"""Times that a call is answered; made once more, it ends the rounds."""
TASK: Final = "## Task"
_OVER: Final = "Not done: no further tool may be called in this turn; answer now with what you have."
_SPENT: Final = "the turn has not the tokens left for that; answer now with what you have."
_FULL: Final = "There is no room left for what this returned; answer now."


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of models, and the texts that a model is given a task with."""

    models: Models
    toolsets: Toolsets
    task: Section
    """What a model is told that does a task for another."""

    async def carry_on(
        self, context: ToolContext, offered: ToolOffer, messages: list[ChatMessage], finished: Finished
    ) -> bool:
        """Runs the model's calls, and appends a tool message for each, in order, as far as there is room.

        Returns whether the model may call again: not once the turn's calls, tokens or time are used up, nor where it
        asked the same a third time. A call made before is answered from the first, as long as that holds.
        """
        messages.append(ChatMessage(role="assistant", content=finished.text, tool_calls=finished.tool_calls))
        share = (offered.room - estimate_messages(messages)) // len(finished.tool_calls) - MESSAGE_OVERHEAD
        goes_on = True
        for call in finished.tool_calls:
            alike = _fingerprint(context, offered, call)
            context.made[alike] += 1
            is_third = context.made[alike] > MOST_ALIKE
            if alike in context.answers:
                answer = context.answers[alike]
            elif is_third or context.allowance.is_used_up:
                answer, goes_on = _OVER, False
            else:
                context.allowance.calls -= 1
                answer = await self.answer(context, offered, call)
            goes_on = goes_on and not is_third
            content = tokens.cut_to(answer, share) or _FULL
            messages.append(ChatMessage(role="tool", tool_call_id=call.call_id, content=content))
        return goes_on and not context.allowance.is_used_up

    async def answer(self, context: ToolContext, offered: ToolOffer, call: ToolCall) -> str:
        """What a call returns: what the tool itself answered to the same one, or else it is carried out.

        What reads memory, or has it read, is carried out anew once something may have been written there. What was
        given up and may be done is not, whichever model asks for it.
        """
        alike = _fingerprint(context, offered, call)
        if _act(call) in context.allowance.given_up:
            return GIVEN_UP.format(tool=call.name)
        if alike not in context.answers:
            answer, is_its_own = await self._carried_out(context, offered, call)
            if alike.touches is Access.WRITE:
                context.wrote()
            if not is_its_own:
                return answer
            context.answers[alike] = answer
        return context.answers[alike]

    async def ask(self, context: ToolContext, role: ModelRole, task: str) -> str:
        """What another model reports of a task, which it does with its own tools. Raises `ModelError`."""
        if not self.models.has(role):
            raise errors.BadArgument(f"there is no {role.value} model; llm_list tells which there are.")
        below = replace(context, depth=context.depth + 1)
        try:
            return _cut(await fitting(lambda: self._done(below, role, task)))
        finally:
            context.is_tainted |= below.is_tainted
            context.told = [*context.told, *below.told[len(context.told) :]]

    def listed(self, but: ModelRole) -> str:
        """The models that one may ask, with the sets of tools each has; empty where there is none."""
        others = [role for role in ModelRole if role is not but and self.models.has(role)]
        sets = {role: ", ".join(self.toolsets.named(self.models, role)) or "none" for role in others}
        return "\n".join(f"{role.value}: {self.models.settings(role).model}; tools: {sets[role]}" for role in others)

    async def _carried_out(self, context: ToolContext, offered: ToolOffer, call: ToolCall) -> tuple[str, bool]:
        """What came of a call, and whether that is the tool's own answer."""
        known, outcome, patience = {one.name: one for one in offered.tools}, "done", context.allowance.seconds(PATIENCE)
        try:
            wanted = _named(call.name, known)
            if wanted.is_bounded:
                patience = context.allowance.seconds()
            async with asyncio.timeout(patience):
                answer = await wanted.call(context, call.arguments)
            return answer if wanted.is_bounded else _cut(answer), True
        except TimeoutError:
            outcome = TIMEOUT
            if not known[call.name].acts:
                return f"{NOT_DONE}{call.name} took longer than {patience or 0:.0f} seconds.", False
            unsure = UNSURE_ELSEWHERE if known[call.name].does_elsewhere else UNSURE
            context.allowance.given_up[_act(call)] = catalogue.gettext(unsure).format(tool=call.name)
            return GIVEN_UP.format(tool=call.name), False
        except (errors.UserError, errors.ModelError, errors.DatabaseDown) as exc:
            outcome = type(exc).__name__
            return f"{NOT_DONE}{exc}", False
        except (errors.LeaseLost, errors.AnswerOutdated):
            raise
        except Exception:  # noqa: BLE001 - whatever it was, the model answers without it
            outcome = "failed"
            _log.error("tool.failed", tool=call.name, exc_info=True)
            return f"{NOT_DONE}{call.name} failed.", False
        finally:
            # A name that is no tool's is text the model made up.
            context.calls.append(ToolUse(tool=call.name if call.name in known else "unknown", outcome=outcome))

    async def _done(self, context: ToolContext, role: ModelRole, task: str) -> str:
        offered = self.toolsets.offer(self.models, role, context.caller, saves=context.keeper is not None)
        context.listed = self.listed(role)
        clock = compose.clock_line(context.now(), context.caller.time_zone)
        beside = "\n\n".join(filter(None, (_whole_lines(context.active, offered.room // 2 - estimate(clock)), clock)))
        messages = [
            ChatMessage(role="system", content=self.task.without(offered.missing)),
            ChatMessage(role="user", content=f"{beside}\n\n{TASK}\n{task}"),
        ]
        for _ in range(MOST_ROUNDS):
            finished = await self._finished(context, role, messages, offered.specs)
            if not finished.tool_calls:
                return finished.text
            if not await self.carry_on(context, offered, messages, finished):
                break
        return (await self._finished(context, role, messages, ())).text

    async def _finished(
        self, context: ToolContext, role: ModelRole, messages: Sequence[ChatMessage], specs: tuple[ToolSpec, ...]
    ) -> Finished:
        if not context.allowance.covers(estimate_messages(messages) + self.models.settings(role).max_tokens):
            raise errors.NotAllowed(_SPENT)
        finished = await self.models.complete(role, messages, specs)
        context.allowance.spend(messages, finished)
        context.usages.append(finished.usage)
        return finished


def _fingerprint(context: ToolContext, offered: ToolOffer, call: ToolCall) -> Fingerprint:
    touches = next((one.touches for one in offered.tools if one.name == call.name), None)
    return Fingerprint(offered.role, context.caller.access, call.name, canonical(call.arguments), touches)


def _act(call: ToolCall) -> tuple[str, str]:
    return call.name, canonical(call.arguments)


def _named(name: str, known: Mapping[str, Tool]) -> Tool:
    if name not in known:
        raise errors.BadArgument(f"there is no tool {name[:60]!r}; there are {', '.join(sorted(known))}.")
    return known[name]


def canonical(arguments: str) -> str:
    """Arguments that mean the same as the same text."""
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except (ValueError, RecursionError):
        # What is nested too deep to be read is refused where it is used; here it is only compared.
        return arguments


def _cut(answer: str) -> str:
    if len(answer) <= LONGEST:
        return answer
    return f"{answer[:LONGEST]}\n(Cut here: {len(answer):,} characters in all.)"


def _whole_lines(block: str, most: int) -> str:
    """As many lines of a block as fit, from its beginning; none that only says who said what follows."""
    if estimate(block) <= most:
        return block
    lines = tokens.cut_to(block, most).split("\n")[:-1]
    return "\n".join(lines[:-1] if lines and lines[-1].endswith(":") else lines)
