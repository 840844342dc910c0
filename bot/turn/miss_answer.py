"""Answers where memory has none: from what the prompt holds, or freely and marked so; and vouches for free answers."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot import catalogue, errors, log
from bot.config import RecallSettings
from bot.domain import Message, Stock
from bot.grounding import check, citations, drafts, proofs, standing, texts, unproven
from bot.grounding import model_words as answers
from bot.grounding.ground import Ground
from bot.language.questions import wanted_texts, world_questions
from bot.language.statements import assertions
from bot.layers.walk import Walk, WalkQuestion
from bot.presentation import reasons
from bot.prompting import evidence
from bot.prompting.compose import Texts
from bot.store.spaces import Place, Spaces
from bot.store.trail import Grounded
from bot.turn import memory_walk, prompt_evidence
from bot.turn.draft import Draft
from bot.turn.memory_walk import FoundReply, MemoryWalks
from bot.turn.model_answer import ModelAnswers

_log = log.logger(__name__)

FREELY: Final = catalogue.later("Not from memory:")
"""What marks an answer that was made up from general knowledge."""
MADE_UP: Final = catalogue.later("Made up, nobody here said this:")
"""What marks what has a member say something because that was asked for."""
OF_PICTURES: Final = "What is seen in the pictures that came with the question may be told too."
"""What a model is told where they did, and memory has nothing."""
_KNOWS_NOTHING: Final = re.compile(r"\bI (?:do not|don't|don\u2019t) (?:know|have)\b", re.IGNORECASE)


class MissAnswers:
    """Answers what no layer of memory did."""

    def __init__(
        self, walks: MemoryWalks, spaces: Spaces, reasoning: ModelAnswers, texts: Texts, settings: RecallSettings
    ) -> None:
        self._walks = walks
        self._spaces = spaces
        self._reasoning = reasoning
        self._texts = texts
        self._settings = settings

    async def write(
        self, draft: Draft, history: Sequence[Message], active: str, walk: Walk, asking: WalkQuestion, head: str
    ) -> None:
        """Answers from what the prompt holds where the walk found nothing, or says by `head` that nothing was found.

        To that is added, where allowed, an answer marked as not from memory.
        """
        allowed = self._settings.on_miss == "say_so_then_answer" and self._reasoning.possible
        allowed = allowed and await self._is_allowed(draft)
        # Of a picture at hand a model is asked as of a text at hand, and not for what it knows in general.
        allowed = allowed or await memory_walk.has_picture(draft)
        is_plain = any(proofs.has_every_word(one, asking.question.content) for one in walk.evidence)
        may_speak = allowed and not walk.failed and not is_plain
        # What stands before it a model may tell in any space.
        may_know = self._reasoning.possible and bool(draft.beside or any(map(prompt_evidence.tells, history)))
        said = await self._unlooked(draft, history, active) if may_speak or may_know else ""
        if said and await self._held(draft, history, walk, asking, said):
            return None
        if is_plain:
            # Twice a model saw no answer in what has every word of the question.
            self._walks.noted(draft, walk)
            quoted = FoundReply(why=catalogue.gettext(memory_walk.IN_ITS_WORDS), outcome="verbatim")
            return await self._walks.tell(draft, history, walk, asking, quoted)
        if await self._quoted(draft, history, walk, asking, said):
            return None
        answer = draft.with_links_told(said) if said and may_speak and await self.claims_nothing(draft, said) else ""
        why = catalogue.later("announced as not from memory") if answer else catalogue.later("not allowed here")
        if allowed and not answer:
            nothing = catalogue.later("the model has nothing that holds")
            why = catalogue.later("a source could not be reached") if walk.failed else nothing
        memory_walk.spoken(draft, catalogue.gettext(why), is_spoken=bool(answer))
        draft.trail = replace(draft.trail, grounded=Grounded(outcome="free") if answer else memory_walk.NONE)
        # Of the two only the model's words are recorded: a model is never shown the others as its own.
        draft.head = f"{head}\n\n{catalogue.gettext(FREELY)} " if answer else ""
        draft.text = answer or head
        draft.stock = None if answer else Stock.NOTHING
        return None

    async def vouch(self, draft: Draft, history: Sequence[Message], asking: WalkQuestion) -> None:
        """Marks a model's own answer that tells of here what nothing shown holds, or tells in its place what is known.

        One to what asks of nothing here may tell of the world, but has no member say what nothing shown holds. It does
        not touch what was to be made up, an answer of a picture, or one with which something was kept.
        """
        if not draft.text or draft.stock is not None or draft.saved:
            return
        doubt = await self.doubt(draft, history, asking.question.content)
        if doubt is None:
            return
        if doubt is unproven.Doubt.UNHELD:
            draft.head = f"{catalogue.gettext(FREELY)} "
            draft.trail = replace(draft.trail, grounded=Grounded(outcome="free"))
            return
        draft.undone.clear()
        answer = draft.text
        walk = await self._walks.walked(draft, history, await self._walks.placed(draft, history, asking))
        if walk.is_sure:
            said = FoundReply(why=catalogue.gettext(memory_walk.IN_ITS_WORDS), outcome="verbatim")
            await self._walks.tell(draft, history, walk, asking, said)
        elif not await self._quoted(draft, history, walk, asking, answer):
            memory_walk.leave(draft)
            draft.text, draft.stock = nothing(draft, walk), Stock.NOTHING
            draft.trail = replace(draft.trail, grounded=memory_walk.NONE)

    async def without_made_up_quotes(self, draft: Draft, history: Sequence[Message]) -> None:
        """Takes away a model's answer that quotes a member with what nothing recorded holds, whatever was asked.

        What was asked to be made up stays, and is marked.
        """
        if not draft.text or draft.stock is not None or draft.pictures or not unproven.QUOTED.search(draft.text):
            return
        here = await self._walks.known(draft)
        shown = prompt_evidence.of(draft, history, (await draft.surroundings()).files)
        held = [*(one.content for one in (*shown, *prompt_evidence.besides(draft))), draft.turn.message.content]
        if not await asyncio.to_thread(unproven.quotes_unheld, draft.text, held, here.people):
            return
        _log.info("turn.unproven", doubt=unproven.Doubt.INVENTED)
        draft.undone.clear()
        asked = draft.turn.message.content
        if world_questions.is_to_be_made(asked) or unproven.asks_for_fiction(asked):
            draft.head = f"{catalogue.gettext(MADE_UP)} "
        else:
            draft.text, draft.stock = draft.nothing_found(), Stock.NOTHING

    async def note_what_stood(self, draft: Draft) -> None:
        """Notes what an answer cites of what stood before the model, with a line that leads there.

        One that says nothing of it has no source.
        """
        if not draft.text or draft.stock is not None or draft.trail.grounded is not None or draft.saved:
            return
        labels = citations.labels(" ".join(found[0] for found in citations.GROUP.finditer(draft.text)))
        cited = [one for one in draft.beside if one.label in labels]
        if cited:
            await self._walks.stood(draft, cited)

    async def doubt(self, draft: Draft, history: Sequence[Message], question: str) -> unproven.Doubt | None:
        """What is wrong with what a model said of its own; none to what was to be made up, or of pictures."""
        if draft.pictures or wanted_texts.asks(question):
            return None
        here = await self._walks.known(draft)
        asked_of = unproven.asked_of_members(question, here.people)
        is_of_here = bool(asked_of) or _is_doubtful(question)
        if not is_of_here and world_questions.is_to_be_made(question):
            return None
        shown = prompt_evidence.of(draft, history, (await draft.surroundings()).files)
        shown += prompt_evidence.besides(draft)
        said = answers.own_words(draft.said)
        ground = await asyncio.to_thread(memory_walk.ground, draft, here, question, shown)
        if is_of_here:
            labels = {one.label for one in shown} | {f"#{key}" for key in (*draft.shown, *draft.recalled)}
            doubt = await asyncio.to_thread(
                unproven.of, said, ground, labels, community=here.community, asked_of=asked_of
            )
        else:
            puts_words = await asyncio.to_thread(unproven.puts_words, said, ground)
            doubt = unproven.Doubt.INVENTED if puts_words else None
        if doubt is not None:
            _log.info("turn.unproven", doubt=doubt)
        return doubt

    async def look_over(self, draft: Draft, history: Sequence[Message]) -> None:
        """Looks a model's text over that somebody wanted written; one that makes up what a member said is not told."""
        if not draft.text or draft.stock is not None or not wanted_texts.asks(draft.turn.message.content):
            return
        known = prompt_evidence.of(draft, history, (await draft.surroundings()).files)
        here, question = await self._walks.known(draft), draft.turn.message.content
        ground = await asyncio.to_thread(memory_walk.ground, draft, here, question, known)
        if not await self.may_be_told(draft, answers.own_words(draft.said), ground):
            draft.undone.clear()
            draft.text, draft.stock = draft.nothing_found(), Stock.NOTHING

    async def may_be_told(self, draft: Draft, said: str, ground: Ground) -> bool:
        """Whether a text that was wanted may be told: it puts no words into a member's mouth.

        What is recorded otherwise than it says will stand under it: it is for whoever asked to put that right.
        """
        if await asyncio.to_thread(unproven.puts_words, said, ground):
            _log.info("turn.unproven", doubt=unproven.Doubt.INVENTED)
            return False
        # What was just said is no record; it is what the text is to tell.
        records = [one.evidence for one in ground.shown if one.evidence.memory_id is not None]
        asked, asker = draft.turn.message.content, draft.turn.message.speaker
        against = await asyncio.to_thread(drafts.contradicted, said, records, asked, asker=asker)
        draft.notes += [evidence.small(draft.turn.caller, standing.quotation(one)) for one in against]
        return True

    async def claims_nothing(self, draft: Draft, said: str) -> bool:
        """Whether an answer claims nothing about this community."""
        here, asked = await self._walks.known(draft), draft.turn.message.content
        verdict = await asyncio.to_thread(check.unfounded, said, asked, people=here.people, community=here.community)
        if not verdict.sound:
            _log.info("turn.ungrounded", kinds=verdict.kinds)
        asker = draft.turn.caller.name
        return verdict.sound and not unproven.tells_of_people(said, asked, people=here.people, asker=asker)

    async def _held(
        self, draft: Draft, history: Sequence[Message], walk: Walk, asking: WalkQuestion, said: str
    ) -> bool:
        """Fills the draft with an answer that holds against what the prompt holds; whether it does."""
        known = prompt_evidence.of(draft, history, (await draft.surroundings()).files)
        here = await self._walks.known(draft)
        ground = await asyncio.to_thread(memory_walk.ground, draft, here, asking.question.content, known)
        cited = await asyncio.to_thread(proofs.of, said, ground)
        if not cited:
            return False
        shown = self._walks.noted(draft, replace(walk, evidence=tuple(one for one in known if one.label in cited)))
        memory_walk.spoken(draft, catalogue.gettext("it stands in what the model was shown"), is_spoken=True)
        text = draft.with_links_told(check.tidied(said, ground.labels))
        await self._walks.tell(draft, history, shown, asking, FoundReply(text=text, cited=cited, outcome=reasons.SHOWN))
        return True

    async def _quoted(
        self, draft: Draft, history: Sequence[Message], walk: Walk, asking: WalkQuestion, said: str
    ) -> bool:
        """Fills the draft with the rows that an answer that does not hold names for what was asked; whether there are.

        They stood before the model: that nothing is known of it would not be true.
        """
        labels, asked = citations.labels(said), set(texts.stems(texts.folded(asking.question.content)))
        named = (one for one in draft.beside if one.label in labels)
        cited = tuple(one for one in named if not asked.isdisjoint(texts.stems(texts.folded(one.content))))
        if not cited:
            return False
        shown = self._walks.noted(draft, replace(walk, evidence=cited))
        quoted = FoundReply(why=catalogue.gettext(memory_walk.IN_ITS_WORDS), outcome="verbatim")
        await self._walks.tell(draft, history, shown, asking, quoted)
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
            rules = (
                f"{self._texts.ungrounded}\n{OF_PICTURES}"
                if await memory_walk.has_picture(draft)
                else self._texts.ungrounded
            )
            said = (await self._reasoning.say(draft, history, rules=rules, active=active)).strip()
        except errors.ModelError as exc:
            _log.warning("turn.model_failed", error=type(exc).__name__)
            return ""
        return "" if answers.says_none(said) or _KNOWS_NOTHING.search(said) else answers.own_words(said)


def _is_doubtful(question: str) -> bool:
    """Whether a free answer to it may tell of here what nobody said: it is none about the world alone."""
    return assertions.is_question(question) and not world_questions.may_be(question)


def nothing(draft: Draft, walk: Walk) -> str:
    """The sentence that nothing was found, and which sources could not be reached."""
    told = catalogue.gettext("I could not reach {sources}, so it may still be there.")
    return draft.nothing_found(*([told.format(sources=memory_walk.listed(walk.failed))] if walk.failed else []))
