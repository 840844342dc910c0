"""Answers from memory: walks the layers, has the model answer from what was found, and checks it."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot import catalogue, errors, log
from bot.config import RecallSettings
from bot.domain import Layer, Message, Role, Stock, Turn
from bot.grounding import check
from bot.grounding import model_words as answers
from bot.grounding.ground import Ground
from bot.language.past import detector
from bot.language.past.detector import Detection
from bot.language.questions import answer_kinds, judgements, wanted_texts, world_questions
from bot.language.requests import plain_words, set_phrases
from bot.language.statements import assertions
from bot.layers import chain, playbooks
from bot.layers.forge.source import ForgeLayer
from bot.layers.guild_search import GuildSearch
from bot.layers.memory_layers import RecallResults
from bot.layers.playbooks import PlaybookLayer
from bot.layers.walk import Evidence, SharedRecall, Walk, WalkQuestion
from bot.presentation import introduction, reasons, render
from bot.prompting import evidence, nearby
from bot.prompting.compose import Texts
from bot.store.files import file_types
from bot.store.trail import Detected
from bot.store.turns import HATHI
from bot.text import normalize, sentences, short_forms
from bot.turn import memory_walk, miss_answer, offline, prompt_evidence
from bot.turn.draft import Draft
from bot.turn.memory_walk import FoundReply, MemoryWalks
from bot.turn.miss_answer import MissAnswers
from bot.turn.model_answer import ModelAnswers

_log = log.logger(__name__)

MOST_PARTS: Final = 12
"""Sentences of an answer that are checked one by one, where it does not hold as a whole."""
HEADINGS: Final = 40
"""Tokens of what stands before a quotation: label, title, author, day."""
CITE: Final = (
    "Give the same answer again, and put behind each statement in brackets the label of the line it rests on, "
    "as in (#42). Change nothing else."
)
"""What a model is asked that forgot to."""
UNSURE: Final = catalogue.later("I'm not sure that this answers it.")
"""What stands over what only comes nearest to a question."""
NOW: Final = catalogue.later("It is {time}.")
"""What is answered to who asks for the day or the time."""
LOOK_AT_IT: Final = catalogue.later("Not all numbers, days and names of this are in my memory; please look it over.")
"""What stands under a text that was asked for, where it has some of its own."""
_VALUES: Final = frozenset({check.FaultKind.NUMBER, check.FaultKind.DATE, check.FaultKind.NAME})
ANY: Final = "any question"
"""Why it was looked for, where it is not about the past."""
_NAMED: Final = frozenset({"known name"})
"""The cue of a name that memory knows here, such as a topic."""
_OF_AN_ISSUE: Final = (("issue number",), ("issue number", "how we do it"))
"""Cues that say nothing of the past but which issue it is about."""


class RecallAnswers:
    """Answers from memory; leaves a question to the model only where no layer has an answer."""

    def __init__(
        self,
        walks: MemoryWalks,
        misses: MissAnswers,
        remembered: RecallResults,
        procedures: PlaybookLayer,
        forge: ForgeLayer,
        search: GuildSearch,
        reasoning: ModelAnswers,
        texts: Texts,
        settings: RecallSettings,
    ) -> None:
        self._walks = walks
        self._misses = misses
        self._remembered = remembered
        self._procedures = procedures
        self._forge = forge
        self._search = search
        self._reasoning = reasoning
        self._texts = texts
        self._settings = settings

    async def look(self, draft: Draft) -> Detection | None:
        """Whether the draft's question is about the past, looked at once; none where nothing is asked in words."""
        if draft.asked is None:
            draft.asked = asyncio.create_task(self._look(draft))
        return await draft.asked

    async def _look(self, draft: Draft) -> Detection | None:
        text = draft.turn.message.content
        if not normalize.has_words(text) or _is_of_hathi(text):
            return None
        return await self._detected(draft, has_picture=await self._has_picture(draft))

    async def begin(self, draft: Draft) -> WalkQuestion | None:
        """Starts the recall for the draft's question; none where nothing is asked in words."""
        asked = await self.look(draft)
        if asked is None:
            return None
        if self._reasoning.possible and _is_at_hand(draft.turn.message.content):
            # It lies before the model, and before everybody: no memory holds what it came to.
            return None
        has_picture = await self._has_picture(draft)
        if not asked.recall and not assertions.asks(draft.turn.message.content, asked.plain):
            return None
        _note(draft, asked)
        said = draft.turn.message
        # The names of files that came with it are no words of the question.
        text = plain_words.beside_things_asked_for(said.content)
        plain = plain_words.without_pleasantries(normalize.without_attachments(text) or text)
        asked_for = assertions.run_on(assertions.without_fetching(plain))
        question = replace(said, content=short_forms.written_out(asked_for))
        asking = WalkQuestion(
            caller=draft.turn.caller,
            question=question,
            session_id=question.session_id,
            cues=asked.cues,
            layers=asked.layers,
            apart_from=(question.message_id,),
            strictly=not is_of_the_past(asked, question.content, has_picture=has_picture),
        )
        asking = await draft.desk.patiently(lambda: self._walks.of_channels(asking))
        self._remembered.begin(asking)
        return asking

    def end(self, asking: WalkQuestion) -> None:
        """Cancels a recall that nobody waits for any more."""
        self._remembered.end(asking)

    async def write(self, draft: Draft, history: Sequence[Message], active: str, asking: WalkQuestion) -> bool:
        """Fills the draft from the first layer that answers, checked; otherwise says that nothing was found.

        False where that is no whole answer: on a question that is not about the past, and that nothing found surely
        answers. Raises `EvidenceGone` where something of what was found is gone by the time the answer is there, and
        `ForgottenBroughtUp`.
        """
        files = (await draft.surroundings()).files
        named = nearby.unread(f for f in files if file_types.is_named(f.name, asking.question.content))
        free = asking.strictly and self._reasoning.possible and not named
        is_beside = await self._is_of_picture(draft, asking) or (
            free and _answers_hathi(asking.question.content, history)
        )
        if is_beside or (free and not await self._may_be_here(draft, asking)):
            return False
        placed = await self._walks.placed(draft, history, asking)
        walk = await self._walks.walked(draft, history, placed)
        if not walk.evidence and (loosely := self._loosely(placed)) is not None:
            looked = draft.trail
            near = await self._walks.walked(draft, history, loosely)
            walk = near if near.evidence else walk
            draft.trail = draft.trail if near.evidence else looked
        if walk.evidence:
            told = await self._answer(draft, history, active, walk, asking)
            if told or asking.strictly:
                draft.head = f"{named}\n{draft.head}" if named else draft.head
                return told
        if draft.turn.caller.is_admin:
            # Who may not switch it on would read it in vain.
            needed = introduction.needed(step.why for step in walk.steps)
            draft.notes += [evidence.small(draft.turn.caller, need) for need in needed]
        if free:
            _let_go(draft, catalogue.gettext("nothing that was found is told here"))
            return False
        nothing = nearby.unread(files) or _at(draft.turn) or miss_answer.nothing(draft, walk)
        if not asking.strictly and not named:
            await self._misses.write(draft, history, active, walk, asking, nothing)
            return True
        text, is_alone = asking.question.content, not self._reasoning.possible
        said = normalize.without_attachments(draft.turn.message.content)
        if not named and (assertions.is_keywords(said) or (is_alone and world_questions.is_to_be_made(text))):
            # A few words may have been no question at all, and a request is none to memory.
            return False
        draft.text, draft.stock = nothing, Stock.NOTHING
        draft.trail = replace(draft.trail, grounded=memory_walk.NONE)
        return bool(named)

    async def meanwhile(
        self, draft: Draft, history: Sequence[Message], asking: WalkQuestion, failure: errors.ModelError
    ) -> bool:
        """Whether memory surely answers in place of a model that failed so: then it is quoted, as without a model."""
        if asking.strictly and world_questions.may_be(asking.question.content):
            return False
        if await self._is_of_picture(draft, asking):
            return False
        walk = await self._walks.walked(draft, history, await self._walks.placed(draft, history, asking))
        if walk.is_sure:
            said = FoundReply(why=offline.instead(failure), outcome="unreachable")
            await self._walks.tell(draft, history, walk, asking, said)
        return walk.is_sure

    async def _has_picture(self, draft: Draft) -> bool:
        """Whether a model that sees is shown a picture with the question."""
        return self._reasoning.sees(draft.turn.caller) and await memory_walk.has_picture(draft)

    async def _detected(self, draft: Draft, *, has_picture: bool) -> Detection:
        """Runs the recall detector on the question, with the names known here."""
        text = plain_words.beside_things_asked_for(draft.turn.message.content)
        if has_picture:
            # A model looks at it: that something came along sends nobody to what was said of it before.
            text = normalize.without_attachments(text)
        if plain_words.asks_where_left_off(text):
            return Detection(recall=True, confidence=1.0, cues=("where we left off",), layers=(Layer.PALACE,))
        found = detector.detect(text, (await self._walks.known(draft)).names)
        # "How do we analyze issue #31?" asks for the way, not for the issue.
        is_of_a_way = found.cues in _OF_AN_ISSUE and playbooks.asks_for_a_way(text)
        if (is_of_a_way or not found.recall) and await self._procedures.is_triggered(draft.turn.caller, text):
            first = Layer.PROCEDURES if is_of_a_way else Layer.PALACE
            return Detection(
                recall=True, confidence=1.0, cues=("a playbook's trigger",), layers=(first, Layer.PROCEDURES)
            )
        # What speaks against the past speaks against the forge, "what does CI stand for?", but not against a search.
        if not found.recall and self._forge.is_asked(draft.turn.caller, text, outright=found.is_spoken_against):
            layers = (Layer.PALACE, Layer.ARTIFACTS)
            return Detection(recall=True, confidence=1.0, cues=("the forge",), layers=layers)
        return found if found.recall else replace(found, cues=(ANY,), layers=(Layer.PALACE,))

    def _loosely(self, asking: WalkQuestion) -> WalkQuestion | None:
        """The question by which what only comes near is found: what it asks, without what it tells beside that.

        None where a model answers, or general knowledge may, and where nothing else would be looked for.
        """
        text = asking.question.content
        if self._reasoning.possible or world_questions.may_be(text) or assertions.is_keywords(text):
            return None
        asked = " ".join(assertions.questions(text)) or text
        if not asking.strictly and asked == text and not answer_kinds.is_yes_or_no(text):
            return None
        question = replace(asking.question, content=asked)
        return replace(asking, question=question, loosely=True, shared=SharedRecall())

    async def _may_be_here(self, draft: Draft, asking: WalkQuestion) -> bool:
        """Whether memory surely has it, or Discord's search may.

        It may have what is asked of as known here: to ask it costs every answer time, and Discord bounds how often. A
        reply and words that came with a file are about what stands beside them, not about what was said before.
        """
        if await self._is_certain(draft, asking):
            return True
        said = draft.turn.message
        hangs_on_more = said.reply_to is not None or normalize.ATTACHED in said.content
        return not hangs_on_more and world_questions.is_of_here(said.content) and await self._search.serves(asking)

    async def _is_of_picture(self, draft: Draft, asking: WalkQuestion) -> bool:
        """Whether it asks what is seen in a picture that came with it: of that memory knows nothing."""
        text = asking.question.content
        if not await memory_walk.has_picture(draft):
            return False
        is_of_it = asking.strictly and file_types.points_at_one(text)
        return is_of_it or plain_words.asks_of_picture(text, has_one=True)

    async def _is_certain(self, draft: Draft, asking: WalkQuestion) -> bool:
        """Whether memory surely has it; not while the database is away."""
        try:
            with draft.step("look"):
                async with asyncio.timeout(chain.PATIENCE[Layer.PALACE].total_seconds()):
                    found = await self._remembered.recall(asking)
        except (errors.HathiError, TimeoutError) as exc:
            _log.warning("turn.recall_failed", error=type(exc).__name__)
            return False
        certainty = f"certainty {found.certainty:.2f} of {found.threshold:.2f}"
        cue = f"{ANY} ({certainty if found.is_covered else 'nothing holds half of it'})"
        assert draft.trail.asked is not None
        draft.trail = replace(draft.trail, asked=replace(draft.trail.asked, cues=(cue,)))
        return bool(found)

    async def _answer(
        self, draft: Draft, history: Sequence[Message], active: str, walk: Walk, asking: WalkQuestion
    ) -> bool:
        """The model's answer if there is one and it passes the check; else the evidence, with the reason.

        False, with nothing written, where what was found is to be left alone.
        """
        said = await self._said(draft, history, active, walk, asking)
        if said is not None:
            await self._walks.tell(draft, history, walk, asking, said)
        elif asking.strictly:
            _let_go(draft, catalogue.gettext("what was found does not answer it, says the model"))
        else:
            memory_walk.leave(draft)
        return said is not None

    async def _said(
        self, draft: Draft, history: Sequence[Message], active: str, walk: Walk, asking: WalkQuestion
    ) -> FoundReply | None:
        """What to say on the evidence; none where the model is to answer freely."""
        is_worldly = asking.strictly and world_questions.may_be(asking.question.content)
        unsure = catalogue.gettext(UNSURE)
        if not self._reasoning.possible:
            return FoundReply(why=unsure if is_worldly or not walk.is_sure else "", outcome="offline")
        if self._settings.reply == "verbatim":
            return None if is_worldly else FoundReply(why="" if walk.is_sure else unsure, outcome="verbatim")
        try:
            room = self._reasoning.room(draft.turn.caller)
            shown = chain.shown(walk.evidence, room - HEADINGS * len(walk.evidence))
            draft.unfit("recalled", len(walk.evidence) - len(shown))
            said = await self._reasoning.say(
                draft,
                history,
                rules=self._texts.looked if asking.strictly else self._texts.grounded,
                active=active,
                found=evidence.found_block(shown, draft.turn.caller.time_zone),
            )
        except errors.ModelError as exc:
            _log.warning("turn.model_failed", error=type(exc).__name__)
            if asking.strictly and (is_worldly or not walk.is_sure):
                return None
            why = offline.instead(exc)
            return FoundReply(why=why if walk.is_sure else f"{why} {unsure}", outcome="unreachable")
        if answers.says_none(said):
            return None
        is_seen = asking.strictly and bool(draft.pictures)
        own = answers.own_words(said)
        return await self._checked(draft, history, shown, own, is_worldly=is_worldly, is_seen=is_seen)

    async def _checked(
        self,
        draft: Draft,
        history: Sequence[Message],
        shown: Sequence[Evidence],
        said: str,
        *,
        is_worldly: bool,
        is_seen: bool,
    ) -> FoundReply | None:
        """The answer if it passes the check, or is a text that was asked for; else why not.

        To a question about the world it may be one that is from general knowledge alone. None where it may tell of what
        is seen in a picture, which memory knows nothing of.
        """
        ground = await self._ground(draft, history, shown)
        verdict = await asyncio.to_thread(check.check, said, ground)
        if said.strip() and wanted_texts.asks(draft.turn.message.content):
            return await self._drafted(draft, ground, said, verdict)
        if verdict.kinds == (check.FaultKind.NO_CITATION,) and (file := await self._file_of(draft, shown, said)):
            text = draft.with_links_told(check.tidied(said, ground.labels))
            return FoundReply(text=text, cited=(file.label,), outcome="checked")
        if verdict.kinds == (check.FaultKind.NO_CITATION,):
            again = answers.own_words(await self._reasoning.again(draft, said, CITE))
            again_verdict = await asyncio.to_thread(check.check, again, ground)
            said, verdict = (again, again_verdict) if again.strip() and again_verdict.sound else (said, verdict)
        if not verdict.sound and (rest := await asyncio.to_thread(_held_alone, said, ground)):
            said = rest
            verdict = await asyncio.to_thread(check.check, said, ground)
        if verdict.sound and said.strip():
            return FoundReply(
                text=draft.with_links_told(check.tidied(said, ground.labels)), cited=verdict.cited, outcome="checked"
            )
        if is_worldly and said.strip() and await self._misses.claims_nothing(draft, said):
            return FoundReply(text=draft.with_links_told(said), outcome=memory_walk.GENERAL)
        if is_seen:
            return None
        _log.info("turn.ungrounded", kinds=verdict.kinds)
        return FoundReply(why=catalogue.gettext(memory_walk.IN_ITS_WORDS), outcome="verbatim", kinds=verdict.kinds)

    async def _file_of(self, draft: Draft, shown: Sequence[Evidence], said: str) -> Evidence | None:
        """What was found of the file at hand that holds each sentence of an answer, which cites nothing.

        It is held against the whole file, of which what was found is a passage.
        """
        files = {file.message.message_id: file.text for file in (await draft.surroundings()).files if file.text}
        here, question = await self._walks.known(draft), draft.turn.message.content
        for one in shown:
            text = files.get(one.message[1]) if one.message is not None else None
            if text is None:
                continue
            cited = " ".join(f"{each.rstrip(' .')} ({one.label})." for each in sentences.split(said))
            whole = await asyncio.to_thread(memory_walk.ground, draft, here, question, [replace(one, content=text)])
            if (await asyncio.to_thread(check.check, cited, whole)).sound:
                return one
        return None

    async def _drafted(self, draft: Draft, ground: Ground, said: str, verdict: check.Verdict) -> FoundReply:
        """A text that was wanted, unless it may not be told; that nothing holds all of its values stands under it."""
        if not await self._misses.may_be_told(draft, said, ground):
            return FoundReply(why=catalogue.gettext(memory_walk.IN_ITS_WORDS), outcome="verbatim", kinds=verdict.kinds)
        if not _VALUES.isdisjoint(verdict.kinds):
            draft.notes.append(evidence.small(draft.turn.caller, catalogue.gettext(LOOK_AT_IT)))
        text = draft.with_links_told(check.tidied(said, ground.labels))
        return FoundReply(text=text, cited=verdict.cited, outcome=reasons.DRAFTED, kinds=verdict.kinds)

    async def _ground(self, draft: Draft, history: Sequence[Message], shown: Sequence[Evidence]) -> Ground:
        """What an answer is held against: all that the model was shown of people's words."""
        here, question = await self._walks.known(draft), draft.turn.message.content
        # What did not fit was not shown.
        known = [*shown, *prompt_evidence.of(draft, history, (await draft.surroundings()).files)]
        # In a thread, as every check: of a long answer over much that was found others would wait too long.
        return await asyncio.to_thread(memory_walk.ground, draft, here, question, known)


def _held_alone(said: str, ground: Ground) -> str:
    """An answer without the sentences that don't hold by themselves; empty where no others are left.

    "Be there fifteen minutes early" goes, and not the hour that stands before it.
    """
    parts = sentences.split(said)
    if not 1 < len(parts) <= MOST_PARTS:
        return ""
    faults = [frozenset(check.check(part, ground).kinds) for part in parts]
    rest = said
    for part, found in zip(parts, faults, strict=True):
        rest = rest if found <= {check.FaultKind.NO_CITATION} else rest.replace(part, "", 1)
    return rest.strip() if rest != said else ""


def _is_of_hathi(text: str) -> bool:
    """Whether it only greets, calls, or asks of Hathi itself: that is about nothing that anybody said."""
    phrases = set_phrases.read(text)
    is_said = phrases.word is not None or phrases.asks_why
    return is_said or plain_words.search_words(text).casefold() == HATHI.casefold()


def _is_at_hand(text: str) -> bool:
    """Whether it asks what the talk came to, or what to think of what it points at, and names nothing else."""
    return set_phrases.read(text).asks_of_talk or judgements.only_judges(normalize.without_attachments(text))


def _answers_hathi(text: str, history: Sequence[Message]) -> bool:
    """Whether a few words, by which one might search too, answer what Hathi has just asked: "on what?", "on Linux"."""
    last = history[-1] if history else None
    has_asked = last is not None and last.role is Role.HATHI and last.content.rstrip().endswith("?")
    return has_asked and assertions.is_keywords(text)


def is_of_the_past(asked: Detection, text: str, *, has_picture: bool = False) -> bool:
    """Whether a question is about the past by more than a name that the world has too, or a picture it came with."""
    if not asked.recall:
        return assertions.asks_what_was_asked(text)
    return not (_NAMED.issuperset(asked.cues) and (has_picture or world_questions.may_be(text)))


def _let_go(draft: Draft, why: str) -> None:
    """Leaves the draft to the model alone, without the evidence."""
    memory_walk.spoken(draft, why, is_spoken=True)
    memory_walk.leave(draft)
    draft.held = False


def _note(draft: Draft, asked: Detection) -> None:
    """Records in the trail why the question was looked up."""
    layers = tuple(layer.value for layer in asked.layers)
    noted = Detected(recall=asked.recall, confidence=asked.confidence, cues=asked.cues, layers=layers)
    draft.trail = replace(draft.trail, asked=noted)


def _at(turn: Turn) -> str:
    """The day and time of a question that asks for no more than those; empty for any other."""
    if not world_questions.is_of_the_clock(turn.message.content):
        return ""
    return catalogue.gettext(NOW).format(time=render.time(turn.message.said_at, turn.caller.time_zone))
