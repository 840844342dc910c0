"""`!memory makes`: what is made of what is said in a channel, and by which workflow."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from bot import errors
from bot.commands.invocation import Invocation
from bot.domain import MemoryPart, Reply
from bot.lifecycle import workflow_files
from bot.lifecycle.workflow_files import WorkflowFile
from bot.store.makings import Makings
from bot.text.sanitize import counted

_TOLD: Final = {MemoryPart.LEDGER: "entries of a ledger", MemoryPart.FACTS: "facts"}


class MemoryMaking:
    """The use cases of what is made of talk."""

    def __init__(self, makings: Makings, workflows: Mapping[str, WorkflowFile], makes: Sequence[MemoryPart]) -> None:
        """`makes` is for channels that chose nothing."""
        self._makings = makings
        self._workflows = workflows
        self._makes = makes

    async def makes(self, given: Invocation) -> Reply:
        """Shows or sets it. Raises `BadArgument` for parts or a workflow there are none of, and `NotFound`."""
        caller, args = given.caller, given.args
        making = await self._makings.of(caller)
        parts, workflow = making.parts, making.workflow
        if args.named:
            parts = _parts(args.words("makes")) or parts
            workflow = self._chosen(args.word("workflow", ""), workflow, parts or self._makes)
            await self._makings.set(caller, parts, workflow)
        return Reply(text=self._told(parts or self._makes, workflow))

    def _chosen(self, given: str, before: str | None, parts: Collection[MemoryPart]) -> str | None:
        """The workflow that is wanted from now on: the one that is given, or the one before where it still fits."""
        name = given.lower()
        if not name:
            is_used = workflow_files.chosen(self._workflows, before, parts) or before not in self._workflows
            return before if is_used else None
        if name == workflow_files.NONE:
            return None
        workflow = self._workflows.get(name)
        if workflow is None:
            known = ", ".join([workflow_files.NONE, *sorted(self._workflows)])
            raise errors.BadArgument(f"There is no workflow {given!r}; there are {known}.")
        if workflow.makes not in parts:
            raise errors.BadArgument(
                f"The workflow {name} makes {_TOLD[MemoryPart(workflow.makes)]}: name {workflow.makes} as well."
            )
        return name

    def _told(self, parts: Collection[MemoryPart], name: str | None) -> str:
        made = " and ".join(_TOLD[part] for part in MemoryPart if part in parts)
        text = f"Of what is said in this channel and its public threads I make {made}."
        workflow = workflow_files.chosen(self._workflows, name, parts)
        if workflow is not None:
            own, steps = _TOLD[MemoryPart(workflow.makes)], counted(len(workflow.steps), "step")
            rest = ", the rest in one call of a model" * (len(parts) > 1)
            return f"{text} The workflow {name} makes the {own}, in {steps}{rest}."
        gone = f" The workflow {name} that was chosen here is not there, or makes none of it." * (name is not None)
        return f"{text}{gone} A model does that in one call, or a rule where there is none."


def _parts(words: Sequence[str]) -> tuple[MemoryPart, ...]:
    """The parts that words name, in their own order. Raises `BadArgument`."""
    for word in words:
        if word not in [*MemoryPart]:
            raise errors.BadArgument(
                lambda p, word=word: (
                    f"makes takes {','.join(MemoryPart)} or one of them, not {word[:40]!r}; where "
                    f"nothing is to be made of what is said, {p}memory mode off keeps nothing."
                )
            )
    return tuple(part for part in MemoryPart if part in words)
