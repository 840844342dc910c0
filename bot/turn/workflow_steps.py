"""What each step of a workflow is given, what it may look up, and what of its words is kept."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bot.domain import Caller, Message
from bot.lifecycle.workflow_files import WorkflowStep
from bot.lifecycle.workflow_kinds import REQUEST, TALK
from bot.lifecycle.workflow_runs import Given
from bot.llm import tokens
from bot.llm.messages import ToolCall
from bot.prompting.evidence import FOUND_HEADING
from bot.prompting.personas import Persona
from bot.recall.retrievers.retrieval import Takes
from bot.text import sanitize
from bot.tools.memory_tools import memory_recall, memory_save
from bot.tools.retriever_tools import NAMED
from bot.tools.tool_context import NOT_DONE, ToolContext
from bot.tools.toolbox import Toolbox
from bot.tools.toolsets import ToolOffer
from bot.turn.draft import Draft

MOST_KEPT: Final = 3
"""Things of one step that are kept, or asked for; what else it names is only said."""
MOST_TALK: Final = 20
"""Messages of the conversation that a step is given, the newest."""
_LONGEST_QUERY: Final = 1_000
"""Characters that are looked for in memory."""
_BULLET: Final = "-*• \t"


@dataclass(slots=True, kw_only=True)
class Steps:
    """One run of a workflow: what was asked for, and what its steps said by now."""

    draft: Draft
    asker: Caller
    toolbox: Toolbox
    context: ToolContext
    """What the tools of the run share."""
    active: str
    """The Active Memory of whoever asks, for the steps that may read it."""
    request: str
    said: dict[str, Given] = field(default_factory=dict[str, Given])
    """What is given by name: the request, the talk, and what each step said."""

    def begin(self, talk: Sequence[Message], around: str) -> None:
        """Takes the request and the talk before it, with what stood around it."""
        lines = [f"{sanitize.name(one.speaker)}: {one.content}" for one in talk if one.stock is None][-MOST_TALK:]
        self.said[REQUEST] = Given(texts=(self.request,))
        self.said[TALK] = Given(texts=(*lines, *filter(None, (around,))))

    async def look_up(
        self, step: WorkflowStep, persona: Persona, takes: Mapping[str, Takes], offered: ToolOffer
    ) -> tuple[dict[str, Given], list[str]]:
        """What a step is given by name, and what it is shown beside that of memory; of neither where it may not read.

        It is looked up as by a model's tools: under the audience of whoever asks, noted in the draft, and in its trail.
        """
        self._act_as(persona)
        shown = dict(self.said)
        if not persona.memory.is_given:
            # A message of Hathi's that is replied to may tell of memory.
            shown[REQUEST] = Given(texts=(self.draft.turn.message.content,))
        if not persona.memory.reads:
            return shown, []
        answers = {name: "\n".join(one.texts) for name, one in self.said.items()}
        for name in step.inputs:
            if name not in shown:
                told = await self._call(offered, f"{NAMED}{name}", _arguments(step, takes[name], answers))
                shown[name] = Given(texts=(told,))
        found = await self._call(offered, memory_recall.name, {"topic": self.request[:_LONGEST_QUERY]})
        return shown, [*filter(None, (self.active,)), f"{FOUND_HEADING}\n{found}"]

    async def keep(self, persona: Persona, said: str, offered: ToolOffer) -> list[str]:
        """Keeps what a step says, a line each: what whoever asked said themselves; else they are asked for it.

        Returns the lines of which that failed.
        """
        self._act_as(persona)
        lines = [line for line in (line.strip(_BULLET) for line in said.splitlines()) if line][:MOST_KEPT]
        return [line for line in lines if not await self._is_kept(offered, line)]

    async def _is_kept(self, offered: ToolOffer, line: str) -> bool:
        """Keeps a line; whether it is saved, or asked for."""
        told = await self._call(offered, memory_save.name, {"content": line})
        return not told.startswith(NOT_DONE)

    def _act_as(self, persona: Persona) -> None:
        """What is done from here on is done with what of memory is open to the persona."""
        self.context.turn = replace(self.draft.turn, caller=replace(self.asker, access=persona.memory))

    async def _call(self, offered: ToolOffer, tool: str, arguments: Mapping[str, object]) -> str:
        """What a tool returns. How often it is called the file says, and no model: it counts as no call of one."""
        call = ToolCall(call_id=tool, name=tool, arguments=json.dumps(arguments))
        return tokens.cut_to(await self.toolbox.answer(self.context, offered, call), offered.room)


def _arguments(step: WorkflowStep, takes: Takes, answers: Mapping[str, str]) -> Mapping[str, object]:
    """What a retriever is asked in a step."""
    match takes:
        case Takes.NOTHING:
            return {}
        case Takes.COUNT:
            return {"limit": step.limit}
        case Takes.WORDS:
            return {"keywords": step.words(answers), "limit": step.limit}
        case Takes.MOMENT:
            return {"when": step.when}
