"""`!do`: which workflows several may answer by, and which of them may be run where somebody asks."""

import difflib
from collections.abc import Mapping
from typing import Final

from bot import catalogue, errors
from bot.commands.invocation import Invocation
from bot.commands.run_requests import COMMAND
from bot.domain import Caller, PlaceSetting, Reply
from bot.lifecycle.workflow_files import WorkflowFile
from bot.store.place_settings import ALL, Choosable, held
from bot.text import normalize

NONE_HERE: Final = catalogue.later("No workflow may be run here.")
_ABOUT: Final = (
    catalogue.later("A short talk of the household on it: an answer, what is known beside, what speaks against."),
    catalogue.later("A plan: what is known of it, a first draft, what it lacks, and the plan put right."),
    catalogue.later("What was said here on something: gathered, questioned, and summed up with its sources."),
    catalogue.later("A judgement of a text or plan: what bears on it, what is weak in it, how to mend it."),
    catalogue.later("A text that is wanted: a first draft, what is wrong with it, and the text written anew."),
    catalogue.later("Everyone has a say: what is known, an answer, what speaks against it, the last word."),
)
"""What the workflows that come with Hathi tell of themselves, for the catalogues."""


class ReplyWorkflows:
    """The workflows of replies, by name."""

    def __init__(self, workflows: Mapping[str, WorkflowFile]) -> None:
        self._workflows = workflows
        self.choosable: Final = Choosable(
            setting=PlaceSetting.WORKFLOWS, names=tuple(workflows), default=ALL, are_several=True
        )
        """Which of them may be chosen for a place."""

    def here(self, caller: Caller) -> Mapping[str, WorkflowFile]:
        """Those that may be run where the caller asks, by name."""
        return {name: self._workflows[name] for name in held(caller.choices, self.choosable).names}

    def named(self, caller: Caller, name: str) -> WorkflowFile:
        """The workflow of a name. Raises `BadArgument` with the nearest where there is none here."""
        here = self.here(caller)
        if name in here:
            return here[name]
        if not here:
            raise errors.BadArgument(NONE_HERE)
        near = "".join(difflib.get_close_matches(name, here, 1, 0.6))
        told = (
            catalogue.later("There is no workflow {name} here; did you mean {near}? {p}do lists those there are.")
            if near
            else catalogue.later("There is no workflow {name} here; {p}do lists those there are.")
        )
        values = {"name": normalize.one_line(name, 40), "near": near}
        raise errors.BadArgument(lambda p: catalogue.gettext(told).format(p=p, **values))

    async def do(self, given: Invocation) -> Reply:
        """Lists those that may be run here; of a name alone, what it takes. Raises as `named` does."""
        caller = given.caller
        if given.args.text:
            workflow = self.named(caller, given.args.text.lower())
            told = catalogue.later("{p}do {name} takes what it is to be done with, as in: {p}do {name} our spring fair")
            raise errors.BadArgument(lambda p: catalogue.gettext(told).format(p=p, name=workflow.name))
        here = self.here(caller)
        if not here:
            return Reply(text=catalogue.gettext(NONE_HERE))
        told = catalogue.gettext("Several answer one after the other, by the workflow you name:")
        command = f"{caller.prefix}{COMMAND}"
        lines = (f"- {command} {workflow.name}: {catalogue.gettext(workflow.about)}" for workflow in here.values())
        return Reply(text="\n".join([told, *lines]))
