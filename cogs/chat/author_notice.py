"""Tells people that somebody else had their words remembered."""

from dataclasses import replace

from bot import errors
from bot.domain import Caller, Saved
from bot.presentation import introduction
from bot.store.people import People
from cogs.access.callers import Channel
from cogs.chat.question_context import QuestionContext
from cogs.tell.consent_notice import ConsentNotice


class AuthorNotice:
    """Replies to messages that somebody else had remembered."""

    def __init__(self, people: People, context: QuestionContext, consent_notice: ConsentNotice) -> None:
        self._people = people
        self._context = context
        self._consent_notice = consent_notice

    async def tell(self, saved: Saved, keeper: Caller, channel: Channel, *, once: bool = False) -> None:
        """Tells the author of what the keeper had remembered, where that is somebody else.

        `once` leaves out whoever heard of such before in the space, and knows that they are remembered.
        """
        memory = saved.memory
        if memory.author_id in {None, keeper.person_id} or not memory.evidence:
            return
        try:
            knows = once and await self._people.kept_by_others(memory)
        except errors.DatabaseDown:
            knows = once
        said = await self._context.message(channel, memory.evidence[0])
        if said is not None:
            author = replace(keeper, person_id=memory.author_id, name=memory.author or "", is_admin=False)
            await self._consent_notice.reply(
                author,
                said,
                lambda prefix, is_first: (
                    ""
                    if knows and not is_first
                    else introduction.to_author(prefix, keeper.name, memory.memory_id, is_first=is_first)
                ),
            )
