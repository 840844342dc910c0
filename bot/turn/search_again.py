"""Searches again for what was answered, where the answer ended on the offer to, and a yes answers that."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot import catalogue
from bot.domain import Message, MessageId, Stock
from bot.language.requests import set_phrases
from bot.layers.walk import SharedRecall, ToldBefore, Walk, WalkQuestion
from bot.store.trail import Detected, Origin
from bot.store.turn_trails import TurnTrails
from bot.turn import memory_walk
from bot.turn.draft import Draft
from bot.turn.memory_walk import FoundReply, MemoryWalks
from bot.turn.recall_answer import UNSURE

NO_MORE: Final = catalogue.later("I find nothing more on that.")
ASK_AGAIN: Final = catalogue.later("I don't have your question any more; ask it again, and I look.")
CUE: Final = "a yes to searching again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What may be searched for again."""

    question: str | None
    """None where it is kept no more."""
    turns: tuple[MessageId, ...]
    """Those that told of it, the question's first."""
    told: ToldBefore


class SearchAgain:
    """Takes the answers to Hathi's own question whether to search again."""

    def __init__(self, walks: MemoryWalks, trails: TurnTrails) -> None:
        self._walks = walks
        self._trails = trails

    async def offered(self, draft: Draft) -> Offer | None:
        """What the message says yes to: in the reply it refers to, else in the last one to its author here."""
        turn, desk = draft.turn, draft.desk
        if not set_phrases.read(turn.message.content).agrees:
            return None
        named = turn.message.reply_to or await desk.patiently(lambda: desk.turns.before(turn))
        return None if named is None else await desk.patiently(lambda: self._offer(draft, named))

    async def write(self, draft: Draft, history: Sequence[Message], offer: Offer) -> None:
        """Quotes what else is found, of the next layers too; or says that there is nothing more."""
        caller, said = draft.turn.caller, draft.turn.message
        live = (one.content for one in history if draft.turn.unkept and one.message_id == offer.turns[0])
        text = offer.question or next(live, None)
        if not caller.access.reads or text is None:
            draft.text = draft.nothing_found() if not caller.access.reads else catalogue.gettext(ASK_AGAIN)
            draft.stock = Stock.NOTHING
            return None
        asked = Detected(recall=True, confidence=1.0, cues=(CUE,))
        draft.trail = replace(draft.trail, asked=asked, again=offer.turns)
        asking = WalkQuestion(
            caller=caller,
            question=replace(said, content=text),
            session_id=said.session_id,
            cues=(CUE,),
            apart_from=(said.message_id, *offer.turns, *sorted(offer.told.messages)),
            told=offer.told,
        )
        walk = await self._found(draft, history, asking)
        if walk.evidence:
            why = "" if walk.is_sure else catalogue.gettext(UNSURE)
            return await self._walks.tell(draft, history, walk, asking, FoundReply(why=why, outcome="verbatim"))
        failed = catalogue.gettext("I could not reach {sources}, so it may still be there.")
        told = [failed.format(sources=memory_walk.listed(walk.failed))] if walk.failed else []
        draft.text, draft.stock = " ".join([catalogue.gettext(NO_MORE), *told]), Stock.NOTHING
        draft.trail = replace(draft.trail, grounded=memory_walk.NONE, again=())
        return None

    async def _found(self, draft: Draft, history: Sequence[Message], asking: WalkQuestion) -> Walk:
        """What surely answers, else what comes nearest."""
        walk = await self._walks.walked(draft, history, await self._walks.placed(draft, history, asking))
        if walk.evidence:
            return walk
        looked, loosely = draft.trail, replace(asking, loosely=True, shared=SharedRecall())
        near = await self._walks.walked(draft, history, await self._walks.placed(draft, history, loosely))
        draft.trail = draft.trail if near.evidence else looked
        return near if near.evidence else walk

    async def _offer(self, draft: Draft, message_id: MessageId) -> Offer | None:
        """What a reply offers to search for again, by any of its messages or its question; none where it does not."""
        caller = draft.asker
        last = await self._trails.of(caller, message_id)
        if last is None or not last.trail.again:
            return None
        turns = last.trail.again
        before = [one for turn_id in turns[:-1] if (one := await self._trails.of(caller, turn_id)) is not None]
        first, origins = next((one for one in (*before, last) if one.turn_id == turns[0]), None), list[Origin]()
        labels = set[str]()
        for trail in (one.trail for one in (*before, last)):
            told = trail.cited or tuple(trail.found)
            origins += map(trail.origin, told)
            labels |= {label for label in told if trail.origin(label).is_nowhere}
        memories = frozenset(one.memory_id for one in origins if one.memory_id is not None)
        standing = await self._trails.standing(caller, memories, ())
        rested_on = (key for memory in standing.memories.values() for key in memory.evidence)
        return Offer(
            question=None if first is None else first.question,
            turns=turns,
            told=ToldBefore(
                memories=memories,
                messages=frozenset([*rested_on, *(one.message[1] for one in origins if one.message is not None)]),
                sessions=frozenset(one.session_id for one in origins if one.session_id is not None),
                others=frozenset([*labels, *(one.url for one in origins if one.url is not None)]),
            ),
        )
