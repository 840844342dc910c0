"""Walks the layers for a question, and tells in its reply what was found, and where it is from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from bot import catalogue, errors
from bot.domain import ChannelId, Layer, Message, MessageId, Role, Surroundings
from bot.grounding import citations
from bot.grounding.ground import Ground
from bot.language.past.space_names import Names
from bot.language.requests import plain_words
from bot.layers import chain, memory_layers
from bot.layers.chain import Chain
from bot.layers.guild_search import GuildSearch
from bot.layers.memory_layers import SessionLayer
from bot.layers.walk import Evidence, LayerOutcome, Walk, WalkQuestion
from bot.presentation import reasons
from bot.prompting import evidence
from bot.recall import asked_channels
from bot.recall.file_search import AttachmentSearch
from bot.recall.known_names import Known, KnownNames
from bot.recall.librarian import Librarian
from bot.store import reply_sources
from bot.store.files import file_types
from bot.store.trail import Grounded, Step
from bot.text import normalize
from bot.turn import prompt_evidence
from bot.turn.draft import Draft
from bot.turn.model_answer import ModelAnswers

CHECKING: Final = catalogue.later("I don't have this in my memory. Let me check the artifacts directly.")
"""What stands in place of an answer while the artifacts take their time."""
IN_ITS_WORDS: Final = catalogue.later("I could not put it rightly into words of my own, so I quote it.")
"""What stands over what is quoted where a model's answer did not hold."""
GENERAL: Final = "general"
"""How an answer is marked that is from general knowledge though something was found."""
NONE: Final = Grounded(outcome="none")
"""There was nothing to hold an answer against."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundReply:
    """The result of having a model answer from evidence."""

    text: str | None = None
    """Its answer; none where what was found is quoted instead."""
    cited: tuple[str, ...] = ()
    why: str = ""
    """Why it is quoted, in a sentence."""
    outcome: str
    kinds: tuple[str, ...] = ()


class MemoryWalks:
    """The walks of questions through the layers, and the replies that tell what they found."""

    def __init__(
        self,
        walks: Chain,
        session: SessionLayer,
        search: GuildSearch,
        names: KnownNames,
        files: AttachmentSearch,
        librarian: Librarian,
        reasoning: ModelAnswers,
    ) -> None:
        self._chain = walks
        self._session = session
        self._search = search
        self._names = names
        self._files = files
        self._librarian = librarian
        self._reasoning = reasoning

    async def of_channels(self, asking: WalkQuestion) -> WalkQuestion:
        """The question of what was said in the channels it names, and nowhere else, where it names some.

        Its asker sees them, and so does everybody who reads along.
        """
        question = asking.question
        if "#" not in question.content:
            return asking
        names = await self._librarian.channel_names(asking.caller)
        channels, text = asked_channels.named(question.content, names)
        if not channels or not normalize.has_words(text):
            return asking
        caller = replace(asking.caller, visible=channels)
        return replace(asking, caller=caller, question=replace(question, content=text), session_id=None)

    async def placed(self, draft: Draft, history: Sequence[Message], asking: WalkQuestion) -> WalkQuestion:
        """The question with the layers to begin at, once the session and its context are read."""
        around, text, layers = await draft.surroundings(), asking.question.content, asking.layers
        if asking.caller.visible != draft.turn.caller.visible:
            # Of other channels nothing is told that stands in this one.
            return asking
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

    async def walked(self, draft: Draft, history: Sequence[Message], asking: WalkQuestion) -> Walk:
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
                newer = [one for one in newer if not asking.told.has(one)]
                walk = replace(walk, evidence=tuple(chain.numbered(memory_layers.once([*newer, *walk.evidence]))))
        draft.trail = replace(draft.trail, walk=walk.steps)
        return self.noted(draft, walk)

    def noted(self, draft: Draft, walk: Walk) -> Walk:
        """The walk, with its evidence recorded for the trail."""
        draft.trail = replace(draft.trail, sources={one.label: one.origin for one in walk.evidence})
        draft.recalled += [one.memory_id for one in walk.evidence if one.memory_id is not None]
        return walk

    async def tell(
        self, draft: Draft, history: Sequence[Message], walk: Walk, asking: WalkQuestion, said: FoundReply
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
            cited = tuple(one.label for said in evidence.quotations(walk.evidence) for one in said)
        around = draft.speaker.around_found(draft.asker)
        if around is not None and said.outcome != GENERAL:
            draft.head, draft.foot = "\n".join(filter(None, (said.why, around[0]))), around[1]
            if draft.speaker.offers_more:
                again = (*draft.trail.again, draft.turn.message.message_id)
                draft.trail = replace(draft.trail, again=again)
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
        if said.outcome != GENERAL:
            draft.notes += _under(draft, walk, cited, places, is_quoted=said.text is None)

    async def stood(self, draft: Draft, cited: Sequence[Evidence]) -> None:
        """Notes that an answer rests on what stood before the model, and names that under it."""
        labels = tuple(one.label for one in cited)
        sources = {**(draft.trail.sources or {}), **{one.label: one.origin for one in cited}}
        grounded = Grounded(outcome=reasons.SHOWN, cited=labels)
        draft.trail = replace(draft.trail, sources=sources, grounded=grounded)
        caller, linked = draft.turn.caller, {key for one in cited for key in one.rests_on}
        memories = {one.memory_id for one in cited if one.memory_id is not None}
        places = await draft.desk.patiently(partial(self._librarian.standing, caller, memories, frozenset(), linked))
        if places is None:
            raise errors.EvidenceGone
        draft.notes.append(evidence.source_line(caller, cited, labels, places, draft.desk.clock(), said=labels))

    async def known(self, draft: Draft) -> Known:
        """The names known where the question was asked; none while the database is away."""
        try:
            return await self._names.known(draft.turn.caller)
        except errors.DatabaseDown:
            return Known(names=Names())

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


def _under(
    draft: Draft, walk: Walk, cited: Sequence[str], places: Mapping[MessageId, ChannelId], *, is_quoted: bool
) -> list[str]:
    """The small lines under an answer: what it is from, and which source could not be reached."""
    caller, found = draft.turn.caller, {one.label for one in walk.evidence}
    # A memory may be in both, and only what was found knows where it was said.
    known = [*walk.evidence, *(one for one in draft.beside if one.label not in found)]
    said = citations.labels(draft.text)
    line = evidence.source_line(caller, known, cited, places, draft.desk.clock(), said=said, is_quoted=is_quoted)
    lines = [line] if line else []
    if walk.failed:
        told = catalogue.gettext("could not be reached: {sources}")
        lines.append(evidence.small(caller, told.format(sources=listed(walk.failed))))
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


async def has_picture(draft: Draft) -> bool:
    """Whether a model is shown a picture with the question."""
    return any(file.picture for file in (await draft.read_context()).files)


def _is_persons(message: Message) -> bool:
    return message.role is Role.PERSON


def ground(draft: Draft, here: Known, question: str, shown: Sequence[Evidence]) -> Ground:
    """What an answer of the draft's is held against, with the people known here."""
    message = draft.turn.message
    zone = draft.turn.caller.time_zone
    return Ground(question, shown, asked_at=message.said_at, zone=zone, people=here.people, asker=message.speaker)


def leave(draft: Draft) -> None:
    """Takes the evidence out of the draft, and what was said on it."""
    draft.trail = replace(draft.trail, sources=None)
    draft.recalled.clear()
    draft.undone.clear()


def spoken(draft: Draft, why: str, *, is_spoken: bool) -> None:
    """Records in the trail whether the model spoke where no layer answered, and why."""
    outcome = LayerOutcome.SPOKEN if is_spoken else LayerOutcome.SKIPPED
    step = Step(layer=Layer.GENERATION, outcome=outcome, why=why)
    draft.trail = replace(draft.trail, walk=(*draft.trail.walk, step))


def listed(names: Sequence[str]) -> str:
    """Names of sources in a row, as people are told them."""
    return catalogue.both(map(catalogue.gettext, names))
