"""The footer of a reply on Discord: the consent notice and the buttons."""

import contextlib
from collections.abc import Sequence

from bot import errors
from bot.domain import Reply, Turn
from cogs.access.callers import Callers, Channel
from cogs.send.message_requests import Components
from cogs.tell.consent_notice import ConsentNotice
from cogs.ui import buttons


class ReplyFooter:
    """The footer of the reply to one turn."""

    def __init__(self, turn: Turn, channel: Channel, callers: Callers, consent_notice: ConsentNotice) -> None:
        self._turn = turn
        self._channel = channel
        self._callers = callers
        self._consent_notice = consent_notice

    def lines(self) -> contextlib.AbstractAsyncContextManager[Sequence[str]]:
        """The consent notice, if it is due; it stays due where the block fails."""
        return contextlib.nullcontext(()) if self._turn.unkept else self._consent_notice.telling(self._turn.caller)

    async def controls(self, reply: Reply | None) -> Components:
        """Buttons to confirm what it asks, undo what it did and, where the space allows it, explain it."""
        try:
            explains = (await self._callers.look(self._channel)).explains
        except errors.HathiError:
            explains = True
        return buttons.under(self._turn.message.message_id, reply, explains=explains)
