"""Runs the steps of a workflow one after the other, each within the context of its model."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from bot.domain import ModelRole
from bot.lifecycle.summarizer import MemoryRequests
from bot.lifecycle.workflow_files import WorkflowFile, WorkflowStep, heading
from bot.llm.messages import ChatMessage, Finished
from bot.llm.models import Models, fitting
from bot.llm.tokens import cut_to, estimate
from bot.text import normalize, sanitize

EDGE: Final = 64
"""Tokens of a context that are left alone: what frames its messages."""
_LEAST: Final = 200
"""Tokens that what is never cut has in any context."""
_NOTHING: Final = "(nothing)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a variable of a workflow holds."""

    texts: tuple[str, ...]
    """In order; where not all fit the first are left out, and the last is cut at its end."""
    is_whole: bool = False
    """Whether it is text of lines that can't be mistaken for others already, and is never cut."""


Retrieve = Callable[[WorkflowStep, Mapping[str, Given]], Awaitable[Mapping[str, Given]]]
"""What memory holds for a step, by its inputs, of all that is not given already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """How a workflow ended."""

    answer: Finished
    """Of its last step; cut off where that of any step is."""
    role: ModelRole
    asked: tuple[ChatMessage, ...]


class WorkflowRuns:
    """Runs workflows by the models of their steps' roles; one without a model has the summarizer's."""

    def __init__(self, models: Models) -> None:
        self._models = models

    def has_models(self, workflow: WorkflowFile) -> bool:
        """Whether each step has a model to be asked."""
        return all(self._models.has(self._role(step)) for step in workflow.steps)

    def room(self, workflow: WorkflowFile, name: str) -> int:
        """How many tokens a variable that is never cut may have: half of the room where a step is given more."""
        rooms = (
            self._room(step) // (2 if len(step.inputs) > 1 else 1) for step in workflow.steps if name in step.inputs
        )
        return max(_LEAST, min(rooms))

    async def run(
        self, workflow: WorkflowFile, given: Mapping[str, Given], retrieve: Retrieve, requests: MemoryRequests
    ) -> Ran:
        """The answer of the last step; each is told what is there of the past when its turn comes.

        Raises `ModelError`, `PromptTooLong` where what is never cut does not fit, and what the requests raise.
        """
        said, all_ran = dict(given), list[Ran]()
        for step in workflow.steps:
            shown = {**said, **await retrieve(step, said)}
            ran = await fitting(partial(self._stepped, step, shown, requests))
            said[step.name] = Given(texts=(ran.answer.text,))
            all_ran.append(ran)
        last, is_cut = all_ran[-1], any(ran.answer.cut_off for ran in all_ran)
        return replace(last, answer=replace(last.answer, cut_off=is_cut))

    async def again(self, ran: Ran, why: str, requests: MemoryRequests) -> Finished:
        """The last step's answer once more, which is told what was wrong with it."""
        repair = (
            *ran.asked,
            ChatMessage(role="assistant", content=ran.answer.text or _NOTHING),
            ChatMessage(role="user", content=f"That can't be used: {why}. Send all of it again, put right."),
        )
        return (await self._asked(ran.role, repair, requests)).answer

    async def _stepped(self, step: WorkflowStep, said: Mapping[str, Given], requests: MemoryRequests) -> Ran:
        return await self._asked(self._role(step), prompt(step, said, self._room(step)), requests)

    @staticmethod
    async def _asked(role: ModelRole, asked: Sequence[ChatMessage], requests: MemoryRequests) -> Ran:
        answer = await requests.complete(asked, role=role)
        return Ran(answer=replace(answer, text=normalize.shown(answer.text).strip()), role=role, asked=tuple(asked))

    def _role(self, step: WorkflowStep) -> ModelRole:
        return step.role if self._models.has(step.role) else ModelRole.SUMMARIZER

    def _room(self, step: WorkflowStep) -> int:
        """Tokens that a step's inputs may have together."""
        settings = self._models.settings(self._role(step))
        return settings.max_context - settings.max_tokens - estimate(step.instructions) - EDGE


def prompt(
    step: WorkflowStep, said: Mapping[str, Given], room: int, *, rules: str = "", beside: Sequence[str] = ()
) -> tuple[ChatMessage, ...]:
    """The step's instructions behind the `rules`, and apart from them what it is given, each under its heading.

    What stands `beside` that goes before it as it is, and is no part of the `room`, in tokens.
    """
    left = room - sum(estimate(heading(name)) + 2 for name in step.inputs)
    shown = dict[str, str]()
    # What there is least of to choose from comes first: of a whole ledger the rest is taken.
    for name in sorted(step.inputs, key=lambda name: (not said[name].is_whole, len(said[name].texts))):
        held = said[name]
        shown[name] = "\n".join(held.texts) if held.is_whole else "\n".join(_newest(held.texts, left))
        left -= estimate(shown[name])
    data = "\n\n".join([*beside, *(f"{heading(name)}\n{shown[name] or _NOTHING}" for name in step.inputs)])
    told = "\n\n".join(filter(None, (rules, step.instructions)))
    instructions = ChatMessage(role="system" if data else "user", content=told)
    return (instructions, ChatMessage(role="user", content=data)) if data else (instructions,)


def _newest(texts: Sequence[str], room: int) -> list[str]:
    """The last texts that fit, each set in under a mark; of one that is too long alone its beginning."""
    kept = list[str]()
    for item in map(_item, reversed(texts)):
        room -= estimate(item) + 1
        if room < 0:
            return [*reversed(kept)] or [*_cut(item, room + estimate(item))]
        kept.append(item)
    return [*reversed(kept)]


def _item(text: str) -> str:
    return f"- {sanitize.set_in(text, '  ')}"


def _cut(item: str, room: int) -> Iterator[str]:
    if room > 0:
        yield cut_to(item, room)
