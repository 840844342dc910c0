"""Looking before speaking: a question about the past, from the walk through the layers to words that may be said."""

import asyncio
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from bot import errors, log, offline, quoting
from bot.commands import grammar
from bot.config import RecallSettings
from bot.domain import NOTHING_FOUND, Message, MessageId, Role, Stock
from bot.draft import Draft
from bot.memory import plain_words, ranking
from bot.memory.librarian import Librarian
from bot.memory.spaces import Place, Spaces
from bot.prompts import Texts
from bot.reasoning import Reasoning
from bot.retrieval import chain, detector, grounding, plain_sentences
from bot.retrieval.chain import Chain
from bot.retrieval.detector import Detection
from bot.retrieval.known_names import Known, KnownNames
from bot.retrieval.layers import Asking, Evidence, Layer, Outcome, Step, Walk
from bot.retrieval.names import Names
from bot.retrieval.playbooks import Procedures
from bot.retrieval.recollected import ThisSession, asks_memory

_log = log.logger(__name__)

CHECKING: Final = f"{NOTHING_FOUND} Let me check the artifacts directly."
"""What stands in place of an answer while the artifacts take their time."""
FREELY: Final = "Not from memory:"
"""What marks an answer that was made up from general knowledge."""
HEADINGS: Final = 40
"""Tokens of what stands before a quotation: label, title, author, day."""
_OF_SESSION: Final = re.compile(r"\bH\d{1,4}\b")
"""The label of something said in the session, which nobody is shown."""
_KNOWS_NOTHING: Final = re.compile(r"\bI (?:do not|don't|don\u2019t) (?:know|have)\b", re.IGNORECASE)
NO_ANSWER: Final = "NOTHING"
"""What the model says where it has none."""
_NONE: Final[dict[str, Any]] = {"outcome": "none", "kinds": [], "cited": []}
"""For the trail: there was nothing to hold an answer against."""


class Looking:
    """Answers questions about the past; never freely while an earlier layer has the answer."""

    def __init__(
        self, walks: Chain, session: ThisSession, procedures: Procedures, names: KnownNames, librarian: Librarian,
        spaces: Spaces, reasoning: Reasoning, texts: Texts, settings: RecallSettings,
    ) -> None:  # fmt: skip
        self._chain = walks
        self._session = session
        self._procedures = procedures
        self._names = names
        self._librarian = librarian
        self._spaces = spaces
        self._reasoning = reasoning
        self._texts = texts
        self._settings = settings

    async def asks(self, draft: Draft) -> Detection:
        """Whether the draft's question asks about the past, by its words and by the names memory knows here."""
        text = draft.turn.message.content
        if plain_words.asks_where_left_off(text):
            found = Detection(recall=True, confidence=1.0, cues=("where we left off",), layers=(Layer.PALACE,))
        else:
            found = detector.detect(text, (await self._known(draft)).names)
        if not found.recall and await self._procedures.is_triggered(draft.turn.caller, text):
            layers = (Layer.PALACE, Layer.PROCEDURES)
            found = Detection(recall=True, confidence=1.0, cues=("a playbook's trigger",), layers=layers)
        if found.recall:
            _note(draft, found)
        return found

    async def write(self, draft: Draft, history: Sequence[Message], asked: Detection) -> None:
        """Fill the draft from the first layer that answers, checked; or with what is true when none does.

        Raises `AudienceChanged` where something of what was found is gone by the time the answer is there.
        """
        walk = await self._walked(draft, history, asked)
        if walk.evidence:
            await self._told(draft, history, walk)
        else:
            await self._miss(draft, history, walk)

    async def finds(self, draft: Draft, history: Sequence[Message]) -> bool:
        """Answer any other question from memory, for want of a model; where nothing is found, say so and be false.

        Not what asks for nothing in particular ("how are you?"): then nothing is written. Raises as `write` does.
        """
        text = draft.turn.message.content
        if not (plain_sentences.read(text).asks and plain_words.search_words(text)):
            return False
        asked = Detection(
            recall=True, confidence=1.0, cues=("any question, as there is no model",), layers=(Layer.PALACE,)
        )
        _note(draft, asked)
        walk = await self._walked(draft, history, asked)
        if walk.evidence:
            await self._told(draft, history, walk)
        else:
            draft.text, draft.stock = _nothing(walk), Stock.NOTHING
            draft.trail["grounded"] = _NONE
        return bool(walk.evidence)

    async def _told(self, draft: Draft, history: Sequence[Message], walk: Walk) -> None:
        await self._answer(draft, history, walk)
        await self._check_it_stands(draft, history, walk)

    async def _check_it_stands(self, draft: Draft, history: Sequence[Message], walk: Walk) -> None:
        """A model takes its time, in which somebody may forget or delete what it was shown."""
        live = {message.message_id for message in history} if draft.turn.unkept else set[MessageId]()
        memories = {one.memory_id for one in walk.evidence if one.memory_id is not None}
        messages = {one.message[1] for one in walk.evidence if one.message is not None} - live
        caller = draft.turn.caller
        if not await draft.desk.patiently(lambda: self._librarian.stand(caller, memories, messages)):
            raise errors.AudienceChanged
        await self._reasoning.check_it_stands(draft, history)

    async def _walked(self, draft: Draft, history: Sequence[Message], asked: Detection) -> Walk:
        """The walk, with what was said since beside what an earlier layer found."""
        draft.hold()
        draft.checked = True
        question = draft.turn.message
        layers = asked.layers
        if plain_words.asks_where_left_off(question.content) and any(map(_tells, history)):
            layers = (Layer.SCRATCHPAD,)
        asking = Asking(
            caller=draft.turn.caller, question=question, session_id=question.session_id, cues=asked.cues,
            layers=layers, apart_from=(question.message_id,),
            unkept=tuple(filter(_is_persons, history)) if draft.turn.unkept else (),
        )  # fmt: skip
        started = time.perf_counter()
        walk = await draft.desk.patiently(
            lambda: self._chain.walk(replace(asking, memo={}), lambda: draft.meanwhile(CHECKING))
        )
        if walk.evidence and walk.hit is not Layer.SCRATCHPAD:
            try:
                newer = await self._session.newer(asking, walk.evidence)
            except errors.DatabaseDown:
                newer = ()
            walk = replace(walk, evidence=tuple(chain.numbered([*newer, *walk.evidence])))
        draft.durations["walk"] = time.perf_counter() - started
        draft.trail["walk"] = [step.as_json() for step in walk.steps]
        draft.trail["sources"] = [one.as_json() for one in walk.evidence]
        draft.recalled += [one.memory_id for one in walk.evidence if one.memory_id is not None]
        return walk

    async def _answer(self, draft: Draft, history: Sequence[Message], walk: Walk) -> None:
        """The model's answer if there is one and it holds; else the recollection itself, saying why."""
        text, cited, why, outcome, kinds = None, (), "", "offline", ()
        if self._reasoning.possible and self._settings.reply == "verbatim":
            outcome = "verbatim"
        elif self._reasoning.possible:
            text, cited, why, outcome, kinds = await self._grounded(draft, history, walk)
        if text is None:
            text = await self._as_typed(draft, quoting.verbatim(walk.evidence, draft.turn.caller.time_zone))
            draft.head = why
            cited = tuple(one.label for one in walk.evidence[: quoting.MOST_QUOTED])
        draft.text = text
        draft.trail["grounded"] = {"outcome": outcome, "kinds": [*kinds], "cited": [*cited]}
        draft.notes += await self._under(draft, walk, cited)

    async def _grounded(
        self, draft: Draft, history: Sequence[Message], walk: Walk
    ) -> tuple[str | None, tuple[str, ...], str, str, tuple[str, ...]]:
        """The checked answer and what it cites; else none, with why in a sentence, and the kinds of what was wrong."""
        turn = draft.turn
        try:
            active = await self._reasoning.active(draft)
            shown = chain.shown(walk.evidence, self._reasoning.room - HEADINGS * len(walk.evidence))
            said = await self._reasoning.say(
                draft, history, rules=self._texts.grounded, active=active,
                found=quoting.found_block(shown, turn.caller.time_zone),
            )  # fmt: skip
        except errors.ModelError as exc:
            _log.warning("turn.model_failed", error=type(exc).__name__)
            return None, (), offline.UNREACHABLE, "unreachable", ()
        # What did not fit was not shown.
        known = [*shown, *_beside(draft, history[draft.trail["left_out"] :])]
        # In a thread: of a long answer over much that was found it takes longer than others should wait.
        verdict = await asyncio.to_thread(
            grounding.check, said, known, turn.message.content, asked_at=turn.message.said_at,
            zone=turn.caller.time_zone, people=(await self._known(draft)).people, asker=turn.caller.name,
        )  # fmt: skip
        if verdict.sound and said.strip():
            return grounding.tidied(said, known), verdict.cited, "", "checked", ()
        _log.info("turn.ungrounded", kinds=verdict.kinds)
        why = _OF_SESSION.sub("what was said here", verdict.reasons[0]) if verdict.reasons else "It said nothing."
        return None, (), f"My answer did not hold against what I found. {why}", "verbatim", verdict.kinds

    async def _miss(self, draft: Draft, history: Sequence[Message], walk: Walk) -> None:
        """That nothing was found; then, where it is allowed, an answer that is marked as not from memory."""
        head = _nothing(walk)
        allowed = self._settings.on_miss == "say_so_then_answer" and self._reasoning.possible
        allowed = allowed and await self._is_allowed(draft)
        answer = await self._freely(draft, history) if allowed and walk.exhausted else None
        why = "announced as not from memory" if answer else "not allowed here"
        if allowed and not answer:
            why = "the model has nothing that holds" if walk.exhausted else "a source could not be reached"
        step = Step(
            layer=Layer.GENERATION, outcome=Outcome.SPOKEN if answer else Outcome.SKIPPED, why=why
        )  # fmt: skip
        draft.trail["walk"].append(step.as_json())
        draft.trail["grounded"] = {**_NONE, "outcome": "free"} if answer else _NONE
        draft.text = f"{head}\n\n{FREELY} {answer}" if answer else head
        draft.stock = None if answer else Stock.NOTHING

    async def _as_typed(self, draft: Draft, text: str) -> str:
        """The text with every command named as it is typed where it was asked, if that can be told."""
        place = await self._place(draft)
        return text if place is None else grammar.prefixed(text, draft.turn.caller.address + place.prefix)

    async def _is_allowed(self, draft: Draft) -> bool:
        """Whether the space lets a model add to a miss; not while nobody can tell."""
        place = await self._place(draft)
        return place is not None and place.answers

    async def _place(self, draft: Draft) -> Place | None:
        """How the place it was asked in is to be treated; none while nobody can tell."""
        caller = draft.turn.caller
        try:
            return await self._spaces.place(caller.space_id, caller.channel_id)
        except errors.DatabaseDown:
            return None

    async def _freely(self, draft: Draft, history: Sequence[Message]) -> str | None:
        """What the model knows in general, if it has an answer and claims nothing about this community."""
        try:
            said = (await self._reasoning.say(draft, history, rules=self._texts.ungrounded)).strip()
        except errors.ModelError as exc:
            _log.warning("turn.model_failed", error=type(exc).__name__)
            return None
        if not said or said.rstrip(".").strip().upper() == NO_ANSWER or _KNOWS_NOTHING.search(said):
            return None
        here = await self._known(draft)
        verdict = await asyncio.to_thread(
            grounding.unfounded, said, draft.turn.message.content, people=here.people, community=here.community
        )
        if not verdict.sound:
            _log.info("turn.ungrounded", kinds=verdict.kinds)
        return said if verdict.sound else None

    async def _under(self, draft: Draft, walk: Walk, cited: Sequence[str]) -> list[str]:
        """The small lines under an answer: what it is from, and which source could not be reached."""
        caller = draft.turn.caller
        ids = {key for one in walk.evidence for key in one.rests_on}
        try:
            places = await self._librarian.places(caller, ids)
        except errors.DatabaseDown:
            places = {}
        found = {one.label for one in walk.evidence}
        # A memory may be in both, and only what was found knows where it was said.
        known = [*walk.evidence, *(one for one in draft.beside if one.label not in found)]
        lines = [quoting.source_line(caller, known, cited, places, draft.desk.clock())]
        if walk.failed:
            lines.append(quoting.small(caller, f"could not be reached: {_listed(walk.failed)}"))
        return lines

    async def _known(self, draft: Draft) -> Known:
        """The names memory knows where the question was asked; none while the database is away."""
        try:
            return await self._names.known(draft.turn.caller)
        except errors.DatabaseDown:
            return Known(names=Names())


def _beside(draft: Draft, history: Sequence[Message]) -> list[Evidence]:
    """What else the model was shown of what people said: Active Memory, and the live session."""
    said = [
        Evidence(label=f"H{n}", layer=Layer.SCRATCHPAD, content=message.content, author=message.author,
                 said_at=message.said_at)
        for n, message in enumerate(history, 1) if _tells(message)
    ]  # fmt: skip
    return [*draft.beside, *said]


def _is_persons(message: Message) -> bool:
    return message.role is Role.PERSON


def _tells(message: Message) -> bool:
    """Whether a person said something with it, and did not only ask."""
    return _is_persons(message) and not ranking.asks(message.content) and not asks_memory(message.content)


def _note(draft: Draft, asked: Detection) -> None:
    """For the trail: why it was looked for."""
    draft.trail["asked"] = {
        "recall": True, "confidence": round(asked.confidence, 3), "cues": [*asked.cues],
        "layers": [layer.value for layer in asked.layers],
    }  # fmt: skip


def _nothing(walk: Walk) -> str:
    """That nothing was found, and what could not be asked."""
    if not walk.failed:
        return NOTHING_FOUND
    return f"{NOTHING_FOUND} I could not reach {_listed(walk.failed)}, so it may still be there."


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
