"""The footer of a reply on Discord: the consent notice and the buttons."""

import contextlib
from collections.abc import Sequence

from bot.domain import Reply, Turn
from cogs.send.message_requests import Components
from cogs.tell.consent_notice import ConsentNotice
from cogs.ui import buttons


class ReplyFooter:
    """The footer of the reply to one turn."""

    def __init__(self, turn: Turn, consent_notice: ConsentNotice, *, explains: bool) -> None:
        """`explains` says whether a button tells what led to it."""
        self._turn = turn
        self._explains = explains
        self._consent_notice = consent_notice

    def lines(self) -> contextlib.AbstractAsyncContextManager[Sequence[str]]:
        """The consent notice, if it is due; it stays due where the block fails."""
        return contextlib.nullcontext(()) if self._turn.unkept else self._consent_notice.telling(self._turn.caller)

    def controls(self, reply: Reply | None) -> Components:
        """Buttons to confirm what it asks, undo what it did and, where the space allows it, explain it."""
        return buttons.under(self._turn.message.message_id, reply, explains=self._explains)
