"""Answers from memory: walks the layers, has the model answer from what was found, checks it, or reports a miss."""

import asyncio
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final, TypedDict

from bot import catalogue, errors, log
from bot.config import RecallSettings
from bot.domain import Caller, ChannelId, Layer, Message, MessageId, Role, Stock, Surroundings, Turn
from bot.grounding import check, proofs, unproven
from bot.grounding import model_words as answers
from bot.language.past import detector
from bot.language.past.detector import Detection
from bot.language.past.space_names import Names
from bot.language.questions import answer_kinds, world_questions
from bot.language.requests import plain_words, set_phrases
from bot.language.statements import assertions
from bot.layers import chain, playbooks
from bot.layers.chain import Chain
from bot.layers.forge.source import ForgeLayer
from bot.layers.guild_search import GuildSearch
from bot.layers.memory_layers import RecallResults, SessionLayer
from bot.layers.playbooks import PlaybookLayer
from bot.layers.walk import Evidence, LayerOutcome, SharedRecall, Walk, WalkQuestion
from bot.presentation import introduction, reasons, render
from bot.prompting import evidence, nearby
from bot.prompting.compose import Texts
from bot.recall.file_search import AttachmentSearch
from bot.recall.known_names import Known, KnownNames
from bot.recall.librarian import Librarian
from bot.store import reply_sources
from bot.store.files import file_types
from bot.store.spaces import Place, Spaces
from bot.store.trail import Detected, Grounded, Step
from bot.store.turns import HATHI
from bot.text import normalize, short_forms
from bot.turn import offline, prompt_evidence
from bot.turn.draft import Draft
from bot.turn.model_answer import ModelAnswers

_log = log.logger(__name__)

CHECKING: Final = catalogue.later("I don't have this in my memory. Let me check the artifacts directly.")
"""What stands in place of an answer while the artifacts take their time."""
FREELY: Final = catalogue.later("Not from memory:")
"""What marks an answer that was made up from general knowledge."""
HEADINGS: Final = 40
"""Tokens of what stands before a quotation: label, title, author, day."""
IN_ITS_WORDS: Final = catalogue.later("I could not put it rightly into words of my own, so I quote it.")
"""What stands over what is quoted where a model's answer did not hold."""
CITE: Final = (
    "Give the same answer again, and put behind each statement in brackets the label of the line it rests on, "
    "as in (#42). Change nothing else."
)
"""What a model is asked that forgot to."""
OF_PICTURES: Final = "What is seen in the pictures that came with the question may be told too."
"""What a model is told where they did, and memory has nothing."""
_KNOWS_NOTHING: Final = re.compile(r"\bI (?:do not|don't|don\u2019t) (?:know|have)\b", re.IGNORECASE)
UNSURE: Final = catalogue.later("I'm not sure that this answers it.")
"""What stands over what only comes nearest to a question."""
NOW: Final = catalogue.later("It is {time}.")
"""What is answered to who asks for the day or the time."""
ANY: Final = "any question"
"""Why it was looked for, where it is not about the past."""
_NAMED: Final = frozenset({"known name"})
"""The cue of a name that memory knows here, such as a topic."""
_OF_AN_ISSUE: Final = (("issue number",), ("issue number", "how we do it"))
"""Cues that say nothing of the past but which issue it is about."""
_GENERAL: Final = "general"
"""How an answer is marked that is from general knowledge though something was found."""
_NONE: Final = Grounded(outcome="none")
"""There was nothing to hold an answer against."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """The result of having a model answer from evidence."""

    text: str | None = None
    """Its answer; none where what was found is quoted instead."""
    cited: tuple[str, ...] = ()
    why: str = ""
    """Why it is quoted, in a sentence."""
    outcome: str
    kinds: tuple[str, ...] = ()


class RecallAnswers:
    """Answers from memory; leaves a question to the model only where no layer has an answer."""

    def __init__(
        self,
        walks: Chain,
        remembered: RecallResults,
        session: SessionLayer,
        procedures: PlaybookLayer,
        forge: ForgeLayer,
        search: GuildSearch,
        names: KnownNames,
        files: AttachmentSearch,
        librarian: Librarian,
        spaces: Spaces,
        reasoning: ModelAnswers,
        texts: Texts,
        settings: RecallSettings,
    ) -> None:
        self._chain = walks
        self._remembered = remembered
        self._session = session
        self._procedures = procedures
        self._forge = forge
        self._search = search
        self._names = names
        self._files = files
        self._librarian = librarian
        self._spaces = spaces
        self._reasoning = reasoning
        self._texts = texts
        self._settings = settings

    async def begin(self, draft: Draft) -> WalkQuestion | None:
        """Starts the recall for the draft's question; none where nothing is asked in words."""
        if not normalize.has_words(draft.turn.message.content) or _is_of_hathi(draft.turn.message.content):
            return None
        has_picture = self._reasoning.sees(draft.turn.caller) and await _has_picture(draft)
        asked = await self._detected(draft, has_picture=has_picture)
        if not asked.recall and not assertions.asks(draft.turn.message.content, asked.plain):
            return None
        _note(draft, asked)
        said = draft.turn.message
        # The names of files that came with it are no words of the question.
        plain = normalize.without_attachments(said.content) or said.content
        question = replace(said, content=short_forms.written_out(plain))
        asking = WalkQuestion(
            caller=draft.turn.caller,
            question=question,
            session_id=question.session_id,
            cues=asked.cues,
            layers=asked.layers,
            apart_from=(question.message_id,),
            strictly=not is_of_the_past(asked, question.content, has_picture=has_picture),
        )
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
        is_of_picture = await self._is_of_picture(draft, asking)
        if is_of_picture or (free and not await self._may_be_here(draft, asking)):
            return False
        placed = await self._placed(draft, history, asking)
        walk = await self._walked(draft, history, placed)
        if not walk.evidence and (loosely := self._loosely(placed)) is not None:
            looked = draft.trail
            near = await self._walked(draft, history, loosely)
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
        nothing = nearby.unread(files) or _at(draft.turn) or _nothing(walk, draft.turn.caller)
        if not asking.strictly and not named:
            await self._miss(draft, history, active, walk, asking, nothing)
            return True
        text, is_alone = asking.question.content, not self._reasoning.possible
        if not named and (assertions.is_keywords(text) or (is_alone and world_questions.is_to_be_made(text))):
            # A few words may have been no question at all, and a request is none to memory.
            return False
        draft.text, draft.stock = nothing, Stock.NOTHING
        draft.trail = replace(draft.trail, grounded=_NONE)
        return bool(named)

    async def meanwhile(self, draft: Draft, history: Sequence[Message], asking: WalkQuestion) -> bool:
        """Whether memory surely answers in place of a model that is away: then it is quoted, as without a model."""
        if asking.strictly and world_questions.may_be(asking.question.content):
            return False
        if await self._is_of_picture(draft, asking):
            return False
        walk = await self._walked(draft, history, await self._placed(draft, history, asking))
        if walk.is_sure:
            said = _Said(why=catalogue.gettext(offline.UNREACHABLE), outcome="unreachable")
            await self._tell(draft, history, walk, asking, said)
        return walk.is_sure

    async def vouch(self, draft: Draft, history: Sequence[Message], asking: WalkQuestion) -> None:
        """Marks a model's own answer that tells of here what nothing shown holds, or tells in its place what is known.

        It does not touch one to a question about the world, of a picture, or one with which something was kept.
        """
        question = asking.question.content
        if not draft.text or draft.stock is not None or draft.saved or draft.pictures or not _is_doubtful(asking):
            return
        turn, here = draft.turn, await self._known(draft)
        shown = prompt_evidence.of(draft, history, (await draft.surroundings()).files)
        shown += prompt_evidence.besides(draft)
        doubt = await asyncio.to_thread(
            unproven.of,
            answers.own_words(draft.said),
            shown,
            question,
            {one.label for one in shown} | {f"#{key}" for key in (*draft.shown, *draft.recalled)},
            community=here.community,
            **_circumstances(draft, here),
        )
        if doubt is None:
            return
        _log.info("turn.unproven", doubt=doubt)
        if doubt is unproven.Doubt.UNHELD:
            draft.head = f"{catalogue.gettext(FREELY)} "
            draft.trail = replace(draft.trail, grounded=Grounded(outcome="free"))
            return
        draft.undone.clear()
        walk = await self._walked(draft, history, await self._placed(draft, history, asking))
        if walk.is_sure:
            said = _Said(why=catalogue.gettext(IN_ITS_WORDS), outcome="verbatim")
            await self._tell(draft, history, walk, asking, said)
        else:
            _leave(draft)
            draft.text, draft.stock = _nothing(walk, turn.caller), Stock.NOTHING
            draft.trail = replace(draft.trail, grounded=_NONE)

    async def _detected(self, draft: Draft, *, has_picture: bool) -> Detection:
        """Runs the recall detector on the question, with the names known here."""
        text = draft.turn.message.content
        if has_picture:
            # A model looks at it: that something came along sends nobody to what was said of it before.
            text = normalize.without_attachments(text)
        if plain_words.asks_where_left_off(text):
            return Detection(recall=True, confidence=1.0, cues=("where we left off",), layers=(Layer.PALACE,))
        found = detector.detect(text, (await self._known(draft)).names)
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
        if not await _has_picture(draft):
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

    async def _standing(self, draft: Draft, history: Sequence[Message], walk: Walk) -> Mapping[MessageId, ChannelId]:
        """Where a link may lead to of what was found.

        A model takes its time, in which somebody may forget or delete what it was shown: raises `EvidenceGone`.
        """
        near = {message.message_id: message for message in (await draft.surroundings()).messages}
        live = {*near, *(message.message_id for message in history if draft.turn.unkept)}
        memories = {one.memory_id for one in walk.evidence if one.memory_id is not None}
        elsewhere = [one for one in walk.evidence if one.elsewhere]
        cited = {one.message[1] for one in walk.evidence if one.message is not None and not one.elsewhere}
        if not draft.nearby_stands([near[key] for key in cited & near.keys()]):
            raise errors.EvidenceGone
        messages, caller = cited - live, draft.turn.caller
        linked = {key for one in walk.evidence for key in one.rests_on}
        places = await draft.desk.patiently(partial(self._librarian.standing, caller, memories, messages, linked))
        if places is None:
            raise errors.EvidenceGone
        if elsewhere and not await draft.desk.patiently(partial(self._search.stand, caller, elsewhere)):
            raise errors.EvidenceGone
        self._reasoning.check_nearby(draft, history)
        return places

    async def _placed(self, draft: Draft, history: Sequence[Message], asking: WalkQuestion) -> WalkQuestion:
        """The question with the layers to begin at, once the session and its context are read."""
        around, text, layers = await draft.surroundings(), asking.question.content, asking.layers
        files = tuple(file for file in around.files if file.text)
        of_files = await draft.desk.patiently(partial(self._files.is_about, asking.caller, asking.question, files))
        if of_files or file_types.names_one(text):
            layers = (Layer.ARTIFACTS, *layers)
        is_of_this = plain_words.asks_where_left_off(text) and not plain_words.names_last_session(text)
        if is_of_this and any(map(prompt_evidence.tells, history)):
            layers = (Layer.SCRATCHPAD,)
        return replace(
            asking,
            layers=layers,
            unkept=tuple(filter(_is_persons, history)) if draft.turn.unkept else (),
            nearby=tuple(filter(_is_persons, _apart(around, history))),
            files=files,
        )

    async def _walked(self, draft: Draft, history: Sequence[Message], asking: WalkQuestion) -> Walk:
        """Walks the layers, and adds newer statements to what an earlier layer found."""
        draft.hold()

        async def slow() -> None:
            # What is not about the past need not be here at all.
            if not asking.strictly:
                await draft.meanwhile(catalogue.gettext(CHECKING))

        with draft.step("walk"):
            walk = await draft.desk.patiently(partial(self._chain.walk, asking, slow))
            if walk.evidence and walk.hit is not Layer.SCRATCHPAD:
                try:
                    newer = await self._session.newer(asking, walk.evidence, history)
                except errors.DatabaseDown:
                    newer = ()
                walk = replace(walk, evidence=tuple(chain.numbered([*newer, *walk.evidence])))
        draft.trail = replace(draft.trail, walk=walk.steps)
        return self._noted(draft, walk)

    def _noted(self, draft: Draft, walk: Walk) -> Walk:
        """The walk, with its evidence recorded for the trail."""
        draft.trail = replace(draft.trail, sources={one.label: one.origin for one in walk.evidence})
        draft.recalled += [one.memory_id for one in walk.evidence if one.memory_id is not None]
        return walk

    async def _answer(
        self, draft: Draft, history: Sequence[Message], active: str, walk: Walk, asking: WalkQuestion
    ) -> bool:
        """The model's answer if there is one and it passes the check; else the evidence, with the reason.

        False, with nothing written, where what was found is to be left alone.
        """
        said = await self._said(draft, history, active, walk, asking)
        if said is not None:
            await self._tell(draft, history, walk, asking, said)
        elif asking.strictly:
            _let_go(draft, catalogue.gettext("what was found does not answer it, says the model"))
        else:
            _leave(draft)
        return said is not None

    async def _tell(
        self, draft: Draft, history: Sequence[Message], walk: Walk, asking: WalkQuestion, said: _Said
    ) -> None:
        """Fills the draft with what is said on the evidence: the answer, or the evidence with the reason."""
        text, cited = said.text, said.cited
        if text is None:
            # What the answer claimed went with it.
            draft.undone.clear()
            text = evidence.verbatim(walk.evidence, asking.question.content, draft.turn.caller.time_zone)
            draft.head = evidence.above(draft.turn.caller, said.why)
            unstored = {message.message_id for message in (*asking.unkept, *asking.nearby)}
            draft.foot = evidence.again(draft.turn.caller, walk.evidence, unstored)
            cited = tuple(one.label for one in walk.evidence[: evidence.MOST_QUOTED])
        draft.text = text
        draft.made_from = _from_elsewhere(draft, walk, cited)
        quoted = {one.message[1] for one in walk.evidence if one.label in cited and one.message is not None}
        context = _apart(await draft.surroundings(), history)
        draft.quotes(message for message in context if message.message_id in quoted)
        if draft.made_from:
            draft.record = evidence.record(draft.turn.caller, draft.made_from)
        draft.trail = replace(draft.trail, grounded=Grounded(outcome=said.outcome, kinds=said.kinds, cited=cited))
        places = await self._standing(draft, history, walk)
        draft.checks.append(partial(self._standing, draft, history, walk))
        if said.outcome != _GENERAL:
            draft.notes += _under(draft, walk, cited, places, is_quoted=said.text is None)

    async def _said(
        self, draft: Draft, history: Sequence[Message], active: str, walk: Walk, asking: WalkQuestion
    ) -> _Said | None:
        """What to say on the evidence; none where the model is to answer freely."""
        is_worldly = asking.strictly and world_questions.may_be(asking.question.content)
        unsure, unreachable = catalogue.gettext(UNSURE), catalogue.gettext(offline.UNREACHABLE)
        if not self._reasoning.possible:
            return _Said(why=unsure if is_worldly or not walk.is_sure else "", outcome="offline")
        if self._settings.reply == "verbatim":
            return None if is_worldly else _Said(why="" if walk.is_sure else unsure, outcome="verbatim")
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
            return _Said(why=unreachable if walk.is_sure else f"{unreachable} {unsure}", outcome="unreachable")
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
    ) -> _Said | None:
        """The answer if it passes the check; else why not.

        To a question about the world it may be one that is from general knowledge alone. None where it may tell of what
        is seen in a picture, which memory knows nothing of.
        """
        verdict, known = await self._verdict(draft, history, shown, said)
        if verdict.kinds == (check.FaultKind.NO_CITATION,):
            again = answers.own_words(await self._reasoning.again(draft, said, CITE))
            again_verdict, known = await self._verdict(draft, history, shown, again)
            said, verdict = (again, again_verdict) if again.strip() and again_verdict.sound else (said, verdict)
        if verdict.sound and said.strip():
            return _Said(text=draft.with_links_told(check.tidied(said, known)), cited=verdict.cited, outcome="checked")
        if is_worldly and said.strip() and await self._claims_nothing(draft, said):
            return _Said(text=draft.with_links_told(said), outcome=_GENERAL)
        if is_seen:
            return None
        _log.info("turn.ungrounded", kinds=verdict.kinds)
        return _Said(why=catalogue.gettext(IN_ITS_WORDS), outcome="verbatim", kinds=verdict.kinds)

    async def _verdict(
        self, draft: Draft, history: Sequence[Message], shown: Sequence[Evidence], said: str
    ) -> tuple[check.Verdict, Sequence[Evidence]]:
        """Whether an answer holds against all that the model was shown of people's words, and what that was."""
        turn, here = draft.turn, await self._known(draft)
        # What did not fit was not shown.
        known = [*shown, *prompt_evidence.of(draft, history, (await draft.surroundings()).files)]
        # In a thread: of a long answer over much that was found it takes longer than others should wait.
        verdict = await asyncio.to_thread(check.check, said, known, turn.message.content, **_circumstances(draft, here))
        return verdict, known

    async def _miss(
        self, draft: Draft, history: Sequence[Message], active: str, walk: Walk, asking: WalkQuestion, head: str
    ) -> None:
        """Answers from what the prompt holds where the walk found nothing, or says by `head` that nothing was found.

        To that is added, where allowed, an answer marked as not from memory.
        """
        allowed = self._settings.on_miss == "say_so_then_answer" and self._reasoning.possible
        allowed = allowed and await self._is_allowed(draft)
        # Of a picture at hand a model is asked as of a text at hand, and not for what it knows in general.
        allowed = allowed or await _has_picture(draft)
        is_plain = any(proofs.has_every_word(one, asking.question.content) for one in walk.evidence)
        may_speak = allowed and not walk.failed and not is_plain
        # What stands before it a model may tell in any space.
        may_know = self._reasoning.possible and bool(draft.beside or any(map(prompt_evidence.tells, history)))
        said = await self._unlooked(draft, history, active) if may_speak or may_know else ""
        if said and await self._held(draft, history, walk, asking, said):
            return None
        if is_plain:
            # Twice a model saw no answer in what has every word of the question.
            self._noted(draft, walk)
            quoted = _Said(why=catalogue.gettext(IN_ITS_WORDS), outcome="verbatim")
            return await self._tell(draft, history, walk, asking, quoted)
        answer = draft.with_links_told(said) if said and may_speak and await self._claims_nothing(draft, said) else ""
        why = catalogue.later("announced as not from memory") if answer else catalogue.later("not allowed here")
        if allowed and not answer:
            nothing = catalogue.later("the model has nothing that holds")
            why = catalogue.later("a source could not be reached") if walk.failed else nothing
        _spoken(draft, catalogue.gettext(why), is_spoken=bool(answer))
        draft.trail = replace(draft.trail, grounded=Grounded(outcome="free") if answer else _NONE)
        # Of the two only the model's words are recorded: a model is never shown the others as its own.
        draft.head = f"{head}\n\n{catalogue.gettext(FREELY)} " if answer else ""
        draft.text = answer or head
        draft.stock = None if answer else Stock.NOTHING
        return None

    async def _held(
        self, draft: Draft, history: Sequence[Message], walk: Walk, asking: WalkQuestion, said: str
    ) -> bool:
        """Fills the draft with an answer that holds against what the prompt holds; whether it does."""
        known = prompt_evidence.of(draft, history, (await draft.surroundings()).files)
        here = await self._known(draft)
        cited = await asyncio.to_thread(proofs.of, said, known, asking.question.content, **_circumstances(draft, here))
        if not cited:
            return False
        shown = self._noted(draft, replace(walk, evidence=tuple(one for one in known if one.label in cited)))
        _spoken(draft, catalogue.gettext("it stands in what the model was shown"), is_spoken=True)
        text = draft.with_links_told(check.tidied(said, known))
        await self._tell(draft, history, shown, asking, _Said(text=text, cited=cited, outcome=reasons.SHOWN))
        return True

    async def _is_allowed(self, draft: Draft) -> bool:
        """Whether the space lets a model answer after a miss; not while the database is away."""
        place = await self._place(draft)
        return place is not None and place.answers

    async def _place(self, draft: Draft) -> Place | None:
        """The settings of the channel; none while the database is away."""
        caller = draft.turn.caller
        try:
            return await self._spaces.place(caller.space_id, caller.channel_id)
        except errors.DatabaseDown:
            return None

    async def _unlooked(self, draft: Draft, history: Sequence[Message], active: str) -> str:
        """What the model says where nothing was found, by its prompt or in general; empty where it has no answer."""
        try:
            rules = f"{self._texts.ungrounded}\n{OF_PICTURES}" if await _has_picture(draft) else self._texts.ungrounded
            said = (await self._reasoning.say(draft, history, rules=rules, active=active)).strip()
        except errors.ModelError as exc:
            _log.warning("turn.model_failed", error=type(exc).__name__)
            return ""
        return "" if answers.says_none(said) or _KNOWS_NOTHING.search(said) else answers.own_words(said)

    async def _claims_nothing(self, draft: Draft, said: str) -> bool:
        """Whether an answer claims nothing about this community."""
        here = await self._known(draft)
        verdict = await asyncio.to_thread(
            check.unfounded, said, draft.turn.message.content, people=here.people, community=here.community
        )
        if not verdict.sound:
            _log.info("turn.ungrounded", kinds=verdict.kinds)
        return verdict.sound

    async def _known(self, draft: Draft) -> Known:
        """The names known where the question was asked; none while the database is away."""
        try:
            return await self._names.known(draft.turn.caller)
        except errors.DatabaseDown:
            return Known(names=Names())


def _under(
    draft: Draft, walk: Walk, cited: Sequence[str], places: Mapping[MessageId, ChannelId], *, is_quoted: bool
) -> list[str]:
    """The small lines under an answer: what it is from, and which source could not be reached."""
    caller, found = draft.turn.caller, {one.label for one in walk.evidence}
    # A memory may be in both, and only what was found knows where it was said.
    known = [*walk.evidence, *(one for one in draft.beside if one.label not in found)]
    line = evidence.source_line(caller, known, cited, places, draft.desk.clock(), is_quoted=is_quoted)
    lines = [line] if line else []
    if walk.failed:
        told = catalogue.gettext("could not be reached: {sources}")
        lines.append(evidence.small(caller, told.format(sources=_listed(walk.failed))))
    return lines


def _apart(surroundings: Surroundings, history: Sequence[Message]) -> list[Message]:
    """The context of the question that is not part of the conversation."""
    known = {message.message_id for message in history}
    return [message for message in surroundings.messages if message.message_id not in known]


def _from_elsewhere(draft: Draft, walk: Walk, cited: Sequence[str]) -> list[Evidence]:
    """The unstored sources of an answer: it cites them, or has telling words only they have."""
    here = [draft.turn.message.content, *(one.content for one in walk.evidence if not one.elsewhere)]
    return [
        one
        for one in walk.evidence
        if one.elsewhere and (one.label in cited or reply_sources.brings_up(draft.text, [one.content], here))
    ]


async def _has_picture(draft: Draft) -> bool:
    """Whether a model is shown a picture with the question."""
    return any(file.picture for file in (await draft.read_context()).files)


def _is_persons(message: Message) -> bool:
    return message.role is Role.PERSON


def _is_doubtful(asking: WalkQuestion) -> bool:
    """Whether a free answer to it may tell of here what nobody said: it is none about the world alone."""
    text = asking.question.content
    return assertions.is_question(text) and not world_questions.may_be(text)


def _is_of_hathi(text: str) -> bool:
    """Whether it only greets, calls, or asks of Hathi itself: that is about nothing that anybody said."""
    phrases = set_phrases.read(text)
    is_said = phrases.word is not None or phrases.asks_why
    return is_said or plain_words.search_words(text).casefold() == HATHI.casefold()


def is_of_the_past(asked: Detection, text: str, *, has_picture: bool = False) -> bool:
    """Whether a question is about the past by more than a name that the world has too, or a picture it came with."""
    if not asked.recall:
        return assertions.asks_what_was_asked(text)
    return not (_NAMED.issuperset(asked.cues) and (has_picture or world_questions.may_be(text)))


class _Circumstances(TypedDict):
    """What an answer is held against besides: when, where and by whom it was asked for, and who is here."""

    asked_at: datetime
    zone: str
    people: Collection[str]
    asker: str


def _circumstances(draft: Draft, here: Known) -> _Circumstances:
    message = draft.turn.message
    return _Circumstances(
        asked_at=message.said_at, zone=draft.turn.caller.time_zone, people=here.people, asker=message.speaker
    )


def _let_go(draft: Draft, why: str) -> None:
    """Leaves the draft to the model alone, without the evidence."""
    _spoken(draft, why, is_spoken=True)
    _leave(draft)
    draft.held = False


def _leave(draft: Draft) -> None:
    """Takes the evidence out of the draft, and what was said on it."""
    draft.trail = replace(draft.trail, sources=None)
    draft.recalled.clear()
    draft.undone.clear()


def _spoken(draft: Draft, why: str, *, is_spoken: bool) -> None:
    """Records in the trail whether the model spoke where no layer answered, and why."""
    outcome = LayerOutcome.SPOKEN if is_spoken else LayerOutcome.SKIPPED
    step = Step(layer=Layer.GENERATION, outcome=outcome, why=why)
    draft.trail = replace(draft.trail, walk=(*draft.trail.walk, step))


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


def _nothing(walk: Walk, caller: Caller) -> str:
    """The sentence that nothing was found, and which sources could not be reached."""
    told = catalogue.gettext("I could not reach {sources}, so it may still be there.")
    return render.nothing_found(caller, *([told.format(sources=_listed(walk.failed))] if walk.failed else []))


def _listed(names: Sequence[str]) -> str:
    return catalogue.both(map(catalogue.gettext, names))
