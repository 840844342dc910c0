"""`!remember`: saves facts given by people or models as memories of the caller's channel."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot import catalogue, errors
from bot.commands.invocation import Invocation
from bot.commands.places import Places, wants_one
from bot.domain import NOBODY, Actor, Caller, Fact, Mentions, Message, MessageId, Reply, Saved, Source
from bot.language.requests import importance
from bot.language.statements import topics
from bot.language.tags import tagging
from bot.presentation import both_sides, render
from bot.store.archivist import Archivist, Author
from bot.text import normalize, pasted_lists

MOST_LISTED: Final = 50
"""Things of a pasted list that are kept at once."""
ASKED_IMPORTANCE: Final = 8
"""Of what a person asks to remember, unless they say otherwise."""


class Remembering:
    """The use cases that save memories."""

    def __init__(
        self, archivist: Archivist, places: Places, registry: tagging.Registry, clock: Callable[[], datetime]
    ) -> None:
        self._archivist = archivist
        self._places = places
        self._registry = registry
        self._clock = clock

    async def remember(self, given: Invocation) -> Reply:
        """Saves the text as one memory, or each item of a pasted list as one. Raises as `save_all` does."""
        caller, args = given.caller, given.args
        is_given = "importance" in args.named
        text, weighs = (args.text, None) if is_given else importance.of_thing(args.text, given.mentioned)
        saved = await self.save_all(
            caller,
            pasted_lists.read(text),
            topic=args.word("topic", ""),
            room=args.word("room", "general"),
            importance=args.number("importance", weighs or ASKED_IMPORTANCE),
            tags=args.words("tags"),
            directive=bool(args.word("source", "")),
            evidence=() if given.said is None else (given.said,),
            mentioned=given.mentioned,
        )
        return Reply(text="\n".join([render.kept(saved), *both_sides.lines(saved, caller)]), saved=saved)

    async def save(
        self,
        caller: Caller,
        text: str,
        *,
        topic: str = "",
        room: str = "general",
        importance: int = ASKED_IMPORTANCE,
        tags: tuple[str, ...] = (),
        directive: bool = False,
        evidence: tuple[MessageId, ...] = (),
        reason: str = "remember",
        mentioned: Mentions = NOBODY,
    ) -> Saved:
        """Saves one fact of the caller's, as `save_all` does several."""
        return (
            await self.save_all(
                caller,
                pasted_lists.Listed(things=(text,)),
                topic=topic,
                room=room,
                importance=importance,
                tags=tags,
                directive=directive,
                evidence=evidence,
                reason=reason,
                mentioned=mentioned,
            )
        )[0]

    async def save_all(
        self,
        caller: Caller,
        found: pasted_lists.Listed,
        *,
        topic: str = "",
        room: str = "general",
        importance: int = ASKED_IMPORTANCE,
        tags: tuple[str, ...] = (),
        directive: bool = False,
        evidence: tuple[MessageId, ...] = (),
        reason: str = "remember",
        mentioned: Mentions = NOBODY,
    ) -> tuple[Saved, ...]:
        """Saves facts of the caller's, for a reason their consent may depend on: all of them or none.

        Those of a list are filed under what stands above it.

        Raises `RefusedText`, and `NotAllowed` where the channel's mode or the caller's wish forbids it.
        """
        if len(found.things) > MOST_LISTED:
            told = catalogue.gettext(
                "That is a list of {count}; I keep at most {most} at once, and kept none of these."
            )
            raise errors.RefusedText(told.format(count=len(found.things), most=MOST_LISTED))
        filed = topic or (normalize.label(found.heading, "") if found.heading else "")
        facts = [
            Fact(
                content=text,
                topic=filed or topics.topic_of(text),
                room=room,
                importance=found.importance or importance,
                source=Source.DIRECTIVE if directive else Source.USER,
                tags=(*self.tags_of(text), *tagging.own(tags)),
                evidence=evidence,
                author_id=caller.person_id,
                author=caller.name,
                mentioned=mentioned,
            )
            for text in found.things
        ]
        return await self.keep(caller, facts, reason=reason)

    async def save_asked(self, caller: Caller, found: pasted_lists.Listed, said: Message) -> tuple[Saved, ...]:
        """Saves what a message asks for in plain words. Raises as `save_all`."""
        return await self.save_all(caller, found, evidence=(said.message_id,), reason="asked", mentioned=said.mentioned)

    async def keep(
        self, caller: Caller, facts: Sequence[Fact], *, actor: Actor = Actor.PERSON, reason: str = "asked"
    ) -> tuple[Saved, ...]:
        """Saves facts in the caller's channel, whoever said them, all or none. Raises as `save` does.

        The last one tells what got no place in Active Memory, or lost it.
        """
        author = Author.of(caller, actor, reason)
        before = await self._places.taken(caller) if any(map(wants_one, facts)) else None
        saved = await self._archivist.save(
            caller.space_id,
            caller.origin_id,
            facts,
            author,
            now=self._clock(),
            given_in=caller.channel_id,
            visible=caller.visible,
        )
        if not saved:
            raise errors.RefusedText(
                catalogue.later("That is small talk or machine output, which is kept only if a person asks for it.")
            )
        if before is not None:
            saved[-1] = replace(saved[-1], notice=await self._places.told(caller, before, saved))
        return tuple(saved)

    def tags_of(self, written: str, *, by: Actor = Actor.PERSON, run: str = "") -> tuple[str, ...]:
        """The tags of what a person wrote, and they or a model want kept; of a workflow that was `run` at it, its own.

        Then what they were at is that, and nothing else of it is inferred but domains.
        """
        if run:
            return self._registry.of_domains(self._registry.domains(written), workflow=run)
        return tuple(self._registry.inferred(written, workflow=_workflow(by)))


def _workflow(actor: Actor) -> str:
    return tagging.NOTE if actor is Actor.PERSON else tagging.SESSION
