"""The venue of a question on Discord: its channel's history, context and audience."""

from collections.abc import Iterable, Sequence

import discord

from bot.connection.client import Client
from bot.domain import Caller, Message, MessageId, Saved, Surroundings, Turn
from bot.store.spaces import Place
from cogs.access.callers import Callers, Channel
from cogs.chat import history
from cogs.chat.author_notice import AuthorNotice
from cogs.chat.message_texts import MessageTexts
from cogs.chat.question_context import QuestionContext


class DiscordVenue:
    """The venue of one question; `question` is its message, where Discord has just delivered it."""

    def __init__(
        self,
        channel: Channel,
        question: discord.Message | None,
        place: Place,
        *,
        client: Client,
        callers: Callers,
        context: QuestionContext,
        texts: MessageTexts,
        author_notice: AuthorNotice,
    ) -> None:
        self._channel = channel
        self._question = question
        self._place = place
        self._client = client
        self._callers = callers
        self._context = context
        self._texts = texts
        self._author_notice = author_notice

    async def history(self, turn: Turn) -> Sequence[Message]:
        """The messages from the session's start to the question, read from Discord."""
        app, session_id = self._client.app, turn.message.session_id
        assert session_id is not None
        return await history.live(
            self._channel,
            turn.caller,
            me=self._me,
            after=session_id,
            before=turn.message.message_id,
            text_of=self._texts.of,
            librarian=app.librarian,
            people=app.people,
            place=self._place,
            turns=app.turns,
        )

    async def surroundings(self, turn: Turn) -> Surroundings:
        """The context of the question."""
        return await self._context.of(turn, self._channel, self._place, self._question, self._me)

    def stands(self, ids: Iterable[MessageId], since: float) -> bool:
        """Whether none of these messages was deleted or edited since then, as far as is known."""
        return self._context.stands(ids, since)

    def audience(self, caller: Caller) -> Caller:
        """The caller with the audience of this moment."""
        return self._callers.still(caller, self._channel)

    def tell_author(self, saved: Saved, keeper: Caller) -> None:
        """Begins to tell the author of what the keeper had remembered, where that is somebody else."""
        self._client.app.background.spawn(self._author_notice.tell(saved, keeper, self._channel))

    @property
    def _me(self) -> discord.ClientUser:
        assert self._client.user is not None
        return self._client.user
