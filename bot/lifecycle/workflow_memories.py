"""Makes memory of a piece of talk by a workflow: a text of the ledger, or facts.

A workflow may be given what the ledger tells of what was said before. Whatever of that is taken back must be in nothing
that was made later, so nothing is kept of an answer that has a telling word which only the earlier texts have, and
neither these lines nor the operator's prompts.
"""

from collections.abc import Sequence
from typing import Final

from bot import errors
from bot.domain import MemoryPart, Message
from bot.lifecycle import model_facts, workflow_files
from bot.lifecycle.summarizer import MemoryRequests
from bot.lifecycle.transcript_pieces import Lines, PieceMade, halves
from bot.lifecycle.workflow_files import WorkflowFile
from bot.lifecycle.workflow_runs import Given, WorkflowRuns
from bot.llm.messages import Finished
from bot.prompting import compose
from bot.store import reply_sources
from bot.store.chunks import Before
from bot.text import sentences

RECENT: Final = 3
"""Chunks that a workflow is given as `recent_chunks`."""
_MOST_NAMED: Final = 20
"""Foreign words that a model is told of."""


class WorkflowMemory:
    """One workflow at one run of messages; what it is given of the ledger is read once."""

    def __init__(self, runs: WorkflowRuns, workflow: WorkflowFile, before: Before, messages: Sequence[Message]) -> None:
        self._runs = runs
        self._workflow = workflow
        self._given = {
            "recent_chunks": Given(texts=tuple(chunk.text for chunk in before.chunks[-RECENT:])),
            "ledger": Given(texts=tuple(chunk.text for chunk in before.chunks)),
            "summary": Given(texts=() if before.summary is None else (before.summary.text,)),
        }
        prompts = [step.prompt for step in workflow.steps]
        said = [text for message in messages for text in (message.speaker, message.content)]
        self._foreign = frozenset(reply_sources.only_in(before.texts, [*said, *prompts]))

    @property
    def room(self) -> int:
        """How many tokens a piece may have."""
        return self._runs.room(self._workflow, workflow_files.CHUNK)

    async def answered(self, piece: Lines, requests: MemoryRequests) -> Finished:
        """What the last step says of a piece, asked once more where that can't be used, and not for want of room."""
        chunk = Given(texts=(compose.transcript(piece),), is_whole=True)
        ran = await self._runs.run(self._workflow, {**self._given, workflow_files.CHUNK: chunk}, requests)
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
        text = self._own(answer.text)
        if not text:
            raise errors.SummaryUnusable
        return PieceMade(text=text, raw=raw, model=answer.model)

    def _wrong(self, text: str) -> str:
        """What makes an answer unusable, if anything."""
        if self._workflow.makes == MemoryPart.FACTS:
            return model_facts.parse(text)[1]
        foreign = sorted(reply_sources.words_of(text) & self._foreign)[:_MOST_NAMED]
        if foreign:
            return f"only what was said earlier has {', '.join(foreign)}; tell what these lines say, in their words"
        return "" if text else "it is empty"

    def _own(self, text: str) -> str:
        """The text without the sentences that tell of what is in none of these lines."""
        if not self._has_foreign(text):
            return text
        lines = (
            " ".join(one for one in sentences.split(line) if not self._has_foreign(one)) for line in text.splitlines()
        )
        return "\n".join(line for line in lines if line)

    def _has_foreign(self, text: str) -> bool:
        return not reply_sources.words_of(text).isdisjoint(self._foreign)
