"""Makes memory of a piece of talk by a workflow: a text of the ledger, or facts.

Its steps may be given what retrievers tell of what was said before in the channel. Whatever of that is taken back must
be in nothing that was made later, so nothing is kept of an answer that has a telling word which only the earlier texts
have, and neither these lines nor the operator's prompts.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from bot import errors
from bot.domain import Caller, MemoryPart, Message, id_time
from bot.lifecycle import model_facts, workflow_kinds
from bot.lifecycle.summarizer import MemoryRequests
from bot.lifecycle.transcript_pieces import Lines, PieceMade, halves
from bot.lifecycle.workflow_files import WorkflowFile, WorkflowStep
from bot.lifecycle.workflow_runs import Given, WorkflowRuns
from bot.llm.messages import Finished
from bot.presentation import retrieved
from bot.prompting import compose
from bot.recall.retrievers import retrieval
from bot.recall.retrievers.registry import Retrievers
from bot.recall.retrievers.retrieval import Retrieved, Takes, Wanted
from bot.store import reply_sources
from bot.text import sentences

_MOST_NAMED: Final = 20
"""Foreign words that a model is told of."""


class WorkflowMemory:
    """One workflow at one run of messages, piece by piece."""

    def __init__(
        self,
        runs: WorkflowRuns,
        retrievers: Retrievers,
        workflow: WorkflowFile,
        audience: Caller,
        messages: Sequence[Message],
    ) -> None:
        """`audience` is that of the channel: its steps are told nothing that was said to others."""
        self._runs = runs
        self._retrievers = retrievers
        self._workflow = workflow
        self._audience = audience
        self._before = id_time(min(message.message_id for message in messages))
        prompts = [text for step in workflow.steps for text in (step.prompt, step.keywords)]
        self._own = (*(text for message in messages for text in (message.speaker, message.content)), *prompts)
        self.read_before = list[Retrieved]()
        """What the steps were given of the past, for the piece in hand."""
        self._foreign = frozenset[str]()

    @property
    def room(self) -> int:
        """How many tokens a piece may have."""
        return self._runs.room(self._workflow, workflow_kinds.CHUNK)

    async def answered(self, piece: Lines, requests: MemoryRequests) -> Finished:
        """What the last step says of a piece, asked once more where that can't be used, and not for want of room."""
        self.read_before.clear()
        self._foreign = frozenset()
        chunk = Given(texts=(compose.transcript(piece),), is_whole=True)
        ran = await self._runs.run(self._workflow, {workflow_kinds.CHUNK: chunk}, self._retrieved, requests)
        wrong = self._wrong(ran.answer.text)
        if not wrong or (ran.answer.cut_off and halves(piece, self.room)):
            return ran.answer
        return await self._runs.again(ran, wrong, requests)

    def read(self, answer: Finished, piece: Lines) -> PieceMade:
        """What is kept of an answer. Raises `SummaryUnusable`."""
        # What is stored word for word goes with the messages of these lines alone.
        raw = "" if self._foreign else answer.text
        if self._workflow.makes == MemoryPart.FACTS:
            parsed, _ = model_facts.parse(answer.text)
            if parsed is None:
                raise errors.SummaryUnusable
            facts = model_facts.checked(parsed.facts, dict(piece), self._foreign)
            return PieceMade(facts=facts, raw=raw, model=answer.model)
        text = self._own_of(answer.text)
        if not text:
            raise errors.SummaryUnusable
        return PieceMade(text=text, raw=raw, model=answer.model)

    def give(self, passages: Sequence[Retrieved]) -> tuple[str, ...]:
        """A line of each, oldest first; nothing that only they tell is kept."""
        self.read_before += passages
        # When it was said is told of them too; that alone tells nothing of anybody.
        texts = [f"{one.text}\n{_speaker(one)}" for one in passages]
        self._foreign |= reply_sources.only_in(texts, self._own)
        in_order = sorted(passages, key=lambda one: one.through_at)
        return tuple(retrieved.line(one, self._audience.time_zone) for one in in_order)

    async def _retrieved(self, step: WorkflowStep, said: Mapping[str, Given]) -> dict[str, Given]:
        """What the retrievers among a step's inputs give of what was said before the run, since a person's reset."""
        answers, found = {name: "\n".join(one.texts) for name, one in said.items()}, dict[str, Given]()
        for name in step.inputs:
            if name not in said:
                passages = await self._passages(name, step, step.words(answers))
                # Off the event loop: every word of them is held against those of the messages.
                found[name] = Given(texts=await asyncio.to_thread(self.give, passages))
        return found

    async def _passages(self, name: str, step: WorkflowStep, words: str) -> Sequence[Retrieved]:
        most = workflow_kinds.RECENT_AS.get(name, step.limit)
        retriever = self._retrievers[workflow_kinds.RECENT if name in workflow_kinds.RECENT_AS else name]
        wanted = Wanted(caller=self._audience, most=most, words=words, until=self._before, after_reset=True)
        then = retrieval.within(wanted, step.when, self._before) if retriever.takes is Takes.MOMENT else wanted
        return () if then is None else (await retriever.retrieve(then)).passages

    def _wrong(self, text: str) -> str:
        """What makes an answer unusable, if anything."""
        if self._workflow.makes == MemoryPart.FACTS:
            return model_facts.parse(text)[1]
        foreign = sorted(reply_sources.words_of(text) & self._foreign)[:_MOST_NAMED]
        if foreign:
            return f"only what was said earlier has {', '.join(foreign)}; tell what these lines say, in their words"
        return "" if text else "it is empty"

    def _own_of(self, text: str) -> str:
        """The text without the sentences that tell of what is in none of these lines."""
        if not self._has_foreign(text):
            return text
        lines = (
            " ".join(one for one in sentences.split(line) if not self._has_foreign(one)) for line in text.splitlines()
        )
        return "\n".join(line for line in lines if line)

    def _has_foreign(self, text: str) -> bool:
        return not reply_sources.words_of(text).isdisjoint(self._foreign)


def _speaker(passage: Retrieved) -> str:
    """Who said it; nobody where it is summed up."""
    if passage.memory is not None:
        return passage.memory.speaker or ""
    return "" if passage.message is None else passage.message.speaker
