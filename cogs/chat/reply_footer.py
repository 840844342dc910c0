"""The footer of a reply on Discord: who is told that they are remembered, and the buttons."""

import contextlib
from collections.abc import AsyncGenerator, Sequence

from bot.domain import Reply, Turn
from bot.store.spaces import Place
from cogs.send.message_requests import Components
from cogs.tell.consent_notice import ConsentNotice
from cogs.tell.overheard import Overheard
from cogs.ui import buttons


class ReplyFooter:
    """The footer of the reply to one turn."""

    def __init__(self, turn: Turn, place: Place, consent_notice: ConsentNotice, overheard: Overheard) -> None:
        self._turn = turn
        self._place = place
        self._consent_notice = consent_notice
        self._overheard = overheard
        self._names_some = False

    @contextlib.asynccontextmanager
    async def lines(self) -> AsyncGenerator[Sequence[str]]:
        """What its asker, and who was overheard there, are to be told; they are still to be where the block fails."""
        caller, told, named = self._turn.caller, list[str](), list[str]()
        async with contextlib.AsyncExitStack() as stack:
            if not self._turn.unkept:
                told += await stack.enter_async_context(self._consent_notice.telling(caller))
            if self._place.mode == "all":
                named += await stack.enter_async_context(self._overheard.naming(caller))
            self._names_some = bool(named)
            yield [*told, *named]

    def growing(self) -> Components:
        """What stops it while it is written."""
        return buttons.growing(self._turn.message.message_id)

    def controls(self, reply: Reply | None) -> Components:
        """Buttons to confirm what it asks, undo what it did, explain it, and for who is named to stop it."""
        return buttons.under(
            self._turn.message.message_id, reply, explains=self._place.explains, stops=self._names_some
        )
