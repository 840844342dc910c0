"""`!memory makes`: what is made of what is said in a channel, and by which workflow."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from bot import catalogue, errors
from bot.commands.invocation import Invocation
from bot.domain import MemoryPart, Reply
from bot.lifecycle import workflow_files, workflow_kinds
from bot.lifecycle.workflow_files import WorkflowFile
from bot.store.makings import Makings
from bot.text import amounts

_TOLD: Final = {MemoryPart.LEDGER: catalogue.later("entries of a ledger"), MemoryPart.FACTS: catalogue.later("facts")}


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
        if name == workflow_kinds.NONE:
            return None
        workflow = self._workflows.get(name)
        if workflow is None:
            known = ", ".join([workflow_kinds.NONE, *sorted(self._workflows)])
            told = catalogue.gettext("There is no workflow {given}; there are {known}.")
            raise errors.BadArgument(told.format(given=repr(given), known=known))
        if workflow.makes not in parts:
            told = catalogue.gettext("The workflow {name} makes {made}: name {part} as well.")
            made = catalogue.gettext(_TOLD[MemoryPart(workflow.makes)])
            raise errors.BadArgument(told.format(name=name, made=made, part=workflow.makes))
        return name

    def _told(self, parts: Collection[MemoryPart], name: str | None) -> str:
        made = catalogue.both(catalogue.gettext(_TOLD[part]) for part in MemoryPart if part in parts)
        text = catalogue.gettext("Of what is said in this channel and its public threads I make {made}.")
        told = [text.format(made=made)]
        workflow = workflow_files.chosen(self._workflows, name, parts)
        if workflow is not None:
            own, steps = catalogue.gettext(_TOLD[MemoryPart(workflow.makes)]), amounts.steps(len(workflow.steps))
            text = (
                catalogue.gettext("The workflow {name} makes the {own}, in {steps}, the rest in one call of a model.")
                if len(parts) > 1
                else catalogue.gettext("The workflow {name} makes the {own}, in {steps}.")
            )
            return " ".join([*told, text.format(name=name, own=own, steps=steps)])
        if name is not None:
            gone = catalogue.gettext("The workflow {name} that was chosen here is not there, or makes none of it.")
            told.append(gone.format(name=name))
        return " ".join([*told, catalogue.gettext("A model does that in one call, or a rule where there is none.")])


def _parts(words: Sequence[str]) -> tuple[MemoryPart, ...]:
    """The parts that words name, in their own order. Raises `BadArgument`."""
    for word in words:
        if word not in [*MemoryPart]:
            told = catalogue.later(
                "makes takes {parts} or one of them, not {word}; where nothing is to be made of what is said, "
                "{p}memory mode off keeps nothing."
            )
            raise errors.BadArgument(
                lambda p, told=told, word=word: catalogue.gettext(told).format(
                    parts=",".join(MemoryPart), word=repr(word[:40]), p=p
                )
            )
    return tuple(part for part in MemoryPart if part in words)
