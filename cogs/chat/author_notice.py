"""Tells people that somebody else had their words remembered."""

from dataclasses import replace

from bot.domain import Caller, Saved
from bot.presentation import introduction
from cogs.access.callers import Channel
from cogs.chat.question_context import QuestionContext
from cogs.tell.consent_notice import ConsentNotice


class AuthorNotice:
    """Replies to messages that somebody else had remembered."""

    def __init__(self, context: QuestionContext, consent_notice: ConsentNotice) -> None:
        self._context = context
        self._consent_notice = consent_notice

    async def tell(self, saved: Saved, keeper: Caller, channel: Channel) -> None:
        """Tells the author of what the keeper had remembered, where that is somebody else."""
        memory = saved.memory
        if memory.author_id in {None, keeper.person_id} or not memory.evidence:
            return
        said = await self._context.message(channel, memory.evidence[0])
        if said is not None:
            author = replace(keeper, person_id=memory.author_id, name=memory.author or "", is_admin=False)
            await self._consent_notice.reply(
                author,
                said,
                lambda prefix, is_first: introduction.to_author(
                    prefix, keeper.name, memory.memory_id, is_first=is_first
                ),
            )
