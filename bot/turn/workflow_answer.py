"""Answers by a workflow: personas speak one after the other in one reply, each with what of memory is open to it."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from bot import catalogue, errors, log
from bot.commands.reply_workflows import ReplyWorkflows
from bot.commands.run_requests import RunRequest
from bot.config import Settings
from bot.domain import Message, ModelRole, Reply, SentFile, Stock
from bot.grounding import model_words, unproven
from bot.lifecycle import workflow_runs
from bot.lifecycle.workflow_files import WorkflowFile, WorkflowStep
from bot.lifecycle.workflow_runs import EDGE, Given
from bot.llm.models import Models, fitting
from bot.llm.tokens import estimate, estimate_messages, of_picture
from bot.presentation import render
from bot.prompting import evidence, nearby
from bot.prompting.compose import Texts
from bot.prompting.personas import Persona
from bot.prompting.placed_models import ModelsByPlace
from bot.recall.retrievers.registry import Retrievers
from bot.store.trail import RunStep, RunTrail
from bot.text import amounts
from bot.tools import retriever_tools
from bot.tools.memory_tools import memory_recall, memory_save
from bot.tools.toolsets import ToolOffer
from bot.turn import prompt_evidence
from bot.turn.draft import LONGEST, Draft
from bot.turn.miss_answer import FREELY, MissAnswers
from bot.turn.model_answer import ModelAnswers
from bot.turn.workflow_steps import Steps

_log = log.logger(__name__)

NO_MODEL: Final = catalogue.later("A workflow needs a model, and none is connected; ask me in your own words instead.")
NO_REQUEST: Final = catalogue.later("I see nothing that it is to be done with: write it behind the name.")
NOTHING_SAID: Final = catalogue.later("I have nothing to say to that.")
NOTHING_KEPT: Final = catalogue.later("There is nothing in it that I would keep.")


class WorkflowAnswers:
    """Fills drafts by workflows."""

    def __init__(
        self,
        workflows: ReplyWorkflows,
        personas: Mapping[str, Persona],
        models: ModelsByPlace,
        reasoning: ModelAnswers,
        misses: MissAnswers,
        retrievers: Retrievers,
        texts: Texts,
        settings: Settings,
    ) -> None:
        self._workflows = workflows
        self._personas = personas
        self._models = models
        self._reasoning = reasoning
        self._misses = misses
        self._takes = {one.name: one.takes for one in retrievers}
        self._tools = (memory_recall, memory_save, *retriever_tools.tools(retrievers))
        self._rules = texts.step
        self._bounds = settings.workflows

    async def write(self, draft: Draft, asked: RunRequest, history: Sequence[Message]) -> None:
        """Runs the workflow that is asked for, or says why not; what breaks it off is told under what was said."""
        try:
            workflow = self._workflows.named(draft.turn.caller, asked.workflow)
            steps = await self._begun(draft, asked, history, workflow)
        except errors.UserError as exc:
            await draft.as_command()
            draft.whole(Reply(text=exc.said(draft.turn.caller.prefix), stock=Stock.FAILED))
            return
        try:
            await self._run(steps, history, workflow)
        finally:
            self._reasoning.settle(draft, history, steps.context)

    async def _begun(
        self, draft: Draft, asked: RunRequest, history: Sequence[Message], workflow: WorkflowFile
    ) -> Steps:
        """What the steps begin with. Raises `BadArgument` where there is no model, or nothing is asked for."""
        models = self._models.of(draft.turn.caller).models
        if not all(models.has(_role(models, self._persona(step))) for step in workflow.steps):
            raise errors.BadArgument(NO_MODEL)
        around = await draft.surroundings()
        request = asked.request or "\n".join(one.content for one in around.replied_to[:1])
        if not request:
            raise errors.BadArgument(NO_REQUEST)
        asker = draft.turn.caller
        # What the person wants, in their own words: what they called to do it is none of it.
        draft.turn = replace(draft.turn, message=replace(draft.turn.message, content=asked.request))
        active = ""
        if any(self._persona(step).memory.reads for step in workflow.steps):
            told = await self._reasoning.read(draft)
            draft.take(told)
            active = told.active
        room = models.settings(ModelRole.REASONING).max_context // 4
        files = self._pictured(draft, around.files, models, workflow)
        beside = await self._reasoning.around(draft, history, files, room)
        context = await self._reasoning.context(draft, history, active)
        # What a step says is a model's text, made of whatever the steps before it were shown.
        context.is_tainted, context.workflow = True, workflow.name
        context.allowance.begin(tokens=self._bounds.tokens, seconds=self._bounds.minutes * 60)
        draft.trail = replace(draft.trail, run=RunTrail(workflow=workflow.name, count=len(workflow.steps)))
        steps = Steps(
            draft=draft,
            asker=asker,
            toolbox=self._reasoning.toolbox(draft),
            context=context,
            active=active,
            request=request,
        )
        steps.begin(history, beside)
        return steps

    def _pictured(
        self, draft: Draft, files: Sequence[SentFile], models: Models, workflow: WorkflowFile
    ) -> tuple[SentFile, ...]:
        """The files, with the pictures that those steps are shown whose models see; where none does, that is told."""
        roles = {_role(models, self._persona(step)) for step in workflow.steps}
        rooms = [one.max_context - one.max_tokens for one in map(models.settings, filter(models.sees, roles))]
        files = nearby.with_pictures_within(files, min(rooms, default=0) // 2)
        draft.pictures = [file for file in files if file.picture]
        # Of what it sees a model may tell in any words.
        draft.quotes(draft.pictured_by)
        if not rooms and any(file.is_picture for file in files):
            draft.notes.append(evidence.small(draft.turn.caller, catalogue.gettext(nearby.NO_PICTURES)))
        return files

    async def _run(self, steps: Steps, history: Sequence[Message], workflow: WorkflowFile) -> None:
        """Has each step speak, within the time and tokens that a run may take."""
        draft, spent, clock = steps.draft, 0, asyncio.timeout(self._bounds.minutes * 60)
        draft.longest = LONGEST // len(workflow.steps)
        try:
            async with clock:
                for number, step in enumerate(workflow.steps, 1):
                    persona = self._persona(step)
                    await draft.begin_part(self._head(draft, number, workflow, persona))
                    spent += await fitting(
                        partial(self._step, steps, history, step, persona, left=self._bounds.tokens - spent),
                        again=lambda: not draft.said,
                    )
        except TimeoutError:
            if not clock.expired():
                raise
            told = catalogue.ngettext(
                "It was ended here: a workflow may take {count} minute.",
                "It was ended here: a workflow may take {count} minutes.",
                self._bounds.minutes,
            )
            self._break_off(draft, told.format(count=self._bounds.minutes))
        except _Spent:
            told = catalogue.gettext("It was ended here: a workflow may take {count} tokens.")
            self._break_off(draft, told.format(count=amounts.number(self._bounds.tokens)))
        except errors.ModelError as exc:
            _log.warning("turn.model_failed", error=type(exc).__name__)
            self._break_off(draft, catalogue.gettext("It was ended here: the model can't be reached."))

    async def _step(
        self, steps: Steps, history: Sequence[Message], step: WorkflowStep, persona: Persona, *, left: int
    ) -> int:
        """Has one step speak, and keeps what it is to keep; the tokens that took.

        Raises `_Spent` where more than are `left` may be needed, and `ModelError`.
        """
        draft, models = steps.draft, steps.toolbox.models
        role = _role(models, persona)
        settings = models.settings(role)
        # A step calls no tools itself.
        rules = "\n\n".join(filter(None, (self._who(persona, steps.toolbox.toolsets.names), self._rules)))
        room = settings.max_context - settings.max_tokens - estimate(rules) - estimate(step.instructions) - EDGE
        offered = ToolOffer(role, self._tools, max(room // 2, 0))
        shown, beside = await steps.look_up(step, persona, self._takes, offered)
        self._note(draft, step, persona, len(draft.found) if persona.memory.reads else None)
        if persona.memory.reads and self._is_unknown(steps, history):
            # Of what is asked of here as of a fact nobody tells what nothing holds.
            draft.part = persona.nothing(steps.asker) or render.nothing_found(steps.asker)
            steps.said[step.name] = Given(texts=(draft.part,))
            return 0
        seen = tuple(file.picture for file in draft.pictures if file.picture) if models.sees(role) else ()
        room -= sum(map(estimate, beside)) + sum(map(of_picture, seen))
        *before, last = workflow_runs.prompt(step, shown, room, rules=rules, beside=beside)
        prompt = [*before, replace(last, pictures=seen)]
        if estimate_messages(prompt) + settings.max_tokens > left:
            raise _Spent
        draft.prompt, used = prompt, draft.usage
        self._reasoning.stand(draft, history)
        # What may tell of here is looked at whole before anybody reads it, as it is where one speaks alone.
        draft.held = persona.memory.reads or unproven.asks_fact(steps.request)
        draft.writes_down = persona.memory.writes
        finished = await self._reasoning.stream(draft, prompt, role=role)
        if not await draft.ended():
            raise errors.ModelSilent
        await self._vouch(steps, history, persona)
        if persona.memory.writes:
            await self._kept(steps, persona, offered)
        elif not draft.part.strip():
            draft.part = catalogue.gettext(NOTHING_SAID)
        steps.said[step.name] = Given(texts=(draft.part,))
        counted = draft.usage.tokens_in + draft.usage.tokens_out - used.tokens_in - used.tokens_out
        return max(counted, estimate_messages(prompt) + estimate(finished.text))

    async def _vouch(self, steps: Steps, history: Sequence[Message], persona: Persona) -> None:
        """Marks what a step tells of here that nothing shown holds, or has it say nothing in place of what it made up.

        What is to be kept is not marked.
        """
        draft = steps.draft
        doubt = await self._misses.doubt(draft, history, steps.request) if draft.part.strip() else None
        if doubt is unproven.Doubt.INVENTED:
            draft.part = ""
        elif doubt is unproven.Doubt.UNHELD and not persona.memory.writes:
            draft.part = f"{catalogue.gettext(FREELY)} {draft.part}"

    async def _kept(self, steps: Steps, persona: Persona, offered: ToolOffer) -> None:
        draft = steps.draft
        if model_words.says_none(draft.said) or not draft.part.strip():
            draft.part = catalogue.gettext(NOTHING_KEPT)
        else:
            failed = await steps.keep(persona, draft.part, offered)
            draft.notes += [render.not_saved(line) for line in failed]

    @staticmethod
    def _is_unknown(steps: Steps, history: Sequence[Message]) -> bool:
        """Whether a fact of here is asked for, and neither memory nor the talk has anything that may hold it."""
        draft = steps.draft
        held = draft.found or draft.entries or draft.beside or draft.nearby or draft.pictures
        return not held and not any(map(prompt_evidence.tells, history)) and unproven.asks_fact(steps.request)

    @staticmethod
    def _break_off(draft: Draft, why: str) -> None:
        """Ends the reply with what was said by then, marked, and why there is no more of it."""
        draft.break_off()
        draft.notes.append(evidence.small(draft.turn.caller, why))

    @staticmethod
    def _note(draft: Draft, step: WorkflowStep, persona: Persona, found: int | None) -> None:
        """Records the step in the trail."""
        run = draft.trail.run
        assert run is not None
        begun = RunStep(name=step.name, persona=persona.name, found=found)
        draft.trail = replace(draft.trail, run=replace(run, steps=(*run.steps, begun)))

    @staticmethod
    def _head(draft: Draft, number: int, workflow: WorkflowFile, persona: Persona) -> str:
        """What stands over a step's words: how far it is, and who speaks."""
        told = catalogue.gettext("{number} of {count}: {step}")
        progress = told.format(number=number, count=len(workflow.steps), step=workflow.steps[number - 1].name)
        caller = draft.turn.caller
        return f"{evidence.small(caller, progress)}\n{persona.spoken(caller, '')}"

    def _persona(self, step: WorkflowStep) -> Persona:
        return self._personas[step.persona]

    @staticmethod
    def _who(persona: Persona, tools: Collection[str]) -> str:
        """Who speaks: its voice, and what stands under the root of its prompt, but for what names these tools."""
        root = "" if persona.root is None else persona.root.without(tools)
        return "\n\n".join(filter(None, (persona.voice, root)))


class _Spent(Exception):
    """A run has not the tokens for its next step."""


def _role(models: Models, persona: Persona) -> ModelRole:
    """The role of a persona; `reasoning` where that has no model."""
    return persona.role if models.has(persona.role) else ModelRole.REASONING
