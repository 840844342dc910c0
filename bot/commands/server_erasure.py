"""`!memory erase`: everything that stands of a server, counted first and erased when that is confirmed."""

from collections.abc import Callable
from datetime import datetime

from bot import catalogue, errors
from bot.commands.mydata import receipt_text
from bot.domain import Caller, MessageId, Reply
from bot.lifecycle.space_erasure import SpaceErasure


class ServerErasure:
    """Erases what a whole server said, for whoever manages it."""

    def __init__(self, erasure: SpaceErasure, clock: Callable[[], datetime]) -> None:
        self._erasure = erasure
        self._clock = clock

    async def erase(self, caller: Caller, *, confirmed: bool, asking: MessageId | None) -> Reply:
        """Tells what erasing all that was said in the server until now would take or, `confirmed`, took.

        Settings stay. Raises `BadArgument` in direct messages.
        """
        if caller.is_direct:
            told = catalogue.later("That erases what I have of a server; {p}mydata erase tells what I have of you.")
            raise errors.BadArgument(lambda p: catalogue.gettext(told).format(p=p))
        return await (self._done(caller, asking) if confirmed else self._asked(caller))

    async def _asked(self, caller: Caller) -> Reply:
        would = receipt_text(await self._erasure.counts(caller.space_id))
        if not would:
            return Reply(text=catalogue.gettext("I have nothing of this server."))
        told = catalogue.gettext(
            "This would erase, for everyone here and for good: {would}. Nothing brings it back. Settings, modes and "
            "what people forgot before stay as they are. {p}memory erase confirm does it; who removes me from the "
            "server has the rest erased 30 days later."
        )
        return Reply(text=told.format(would=would, p=caller.prefix))

    async def _done(self, caller: Caller, asking: MessageId | None) -> Reply:
        done = await self._erasure.empty(caller.space_id, now=self._clock(), tombstones=False, asking=asking)
        gone = receipt_text(done)
        erased = catalogue.gettext("Erased for good: {gone}.").format(gone=gone)
        text = erased if gone else catalogue.gettext("I had nothing of this server.")
        from_now_on = catalogue.gettext(
            "What is said from now on is kept as each channel has it; {p}memory mode off stops that in a channel."
        )
        return Reply(text=f"{text} {from_now_on.format(p=caller.prefix)}", closed_turns=done.in_progress)
