"""Makes memory of the talk between people before a reset, which is not recorded, where somebody asks for it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot import catalogue, errors, log
from bot.commands.resets import saved_lines
from bot.domain import Caller, Message, MessageId, Reply, Right, SessionId
from bot.lifecycle.discord_edits import DiscordEdits
from bot.lifecycle.distilling import Distiller
from bot.store.unstored import TalkSpan, Unstored
from bot.text import amounts, notices

_log = log.logger(__name__)

INCLUDE: Final = catalogue.later("Include the talk here")
"""What the button says that asks for it."""
MOST: Final = 500
"""Messages that are looked at, the newest; `OLDER` tells it."""
OLDER: Final = catalogue.later("I looked at the newest 500 messages; of what was said before them nothing is included.")
NOT_HERE: Final = catalogue.later("That reset was taken back, or was of another channel; there is no talk to include.")
OTHER_MODE: Final = catalogue.later(
    "Talk can be included only where nothing but what is said to me is recorded: in the mode addressed."
)
NO_TALK: Final = catalogue.later(
    "There is no talk to include that I have not read already: I look back to the last reset, and to when the mode of "
    "this channel was set."
)
NOT_MADE: Final = catalogue.later(
    "Nothing was included: the model gave no answer that can be used. Please press again later."
)
CHANGED: Final = catalogue.later(
    "Nothing was included: something of it was deleted or changed meanwhile. Please press again."
)
NOT_YOURS: Final = catalogue.later("Only whoever had it included can take that back, within 10 minutes.")

Stands = Callable[[Iterable[MessageId]], bool]
"""Whether none of these messages was deleted or edited since they were read, as far as is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IncludedReply(Reply):
    """What talk came to."""

    session_id: SessionId
    is_all: bool
    """Whether there is no older talk that was not looked at."""


class Including:
    """The use cases of talk that is read once and not recorded."""

    def __init__(
        self, unstored: Unstored, distiller: Distiller, discord_edits: DiscordEdits, clock: Callable[[], datetime]
    ) -> None:
        self._unstored = unstored
        self._distiller = distiller
        self._discord_edits = discord_edits
        self._clock = clock

    async def span(self, caller: Caller, session_id: SessionId) -> TalkSpan:
        """Where the talk stands that the caller wants included. Raises `NotAllowed` and `NotFound`."""
        need = Right.MANAGE_MESSAGES
        if not caller.may(need):
            told = catalogue.gettext('"{button}" needs the permission {permission}, which you don\'t have here.')
            raise errors.NotAllowed(told.format(button=catalogue.gettext(INCLUDE), permission=catalogue.gettext(need)))
        span = await self._unstored.span(caller, session_id, now=self._clock())
        if span is None:
            raise errors.NotFound(NOT_HERE)
        if span.mode != "addressed":
            raise errors.NotAllowed(OTHER_MODE)
        return span

    async def include(
        self, caller: Caller, session_id: SessionId, talk: Sequence[Message], stands: Stands, *, is_all: bool
    ) -> IncludedReply:
        """Makes memory of what of this talk may be kept and was not before; whether that `is_all` there is, is told.

        Raises `NotFound` where there is nothing of that, and `UserError` where no memory can be made of it now.
        """
        space_id, channel_id = caller.space_id, caller.channel_id
        left = await self._unstored.left(space_id, talk)
        if not left:
            raise errors.NotFound(NO_TALK if is_all else " ".join(map(catalogue.gettext, (NO_TALK, OLDER))))
        ids = [message.message_id for message in left]

        async def check() -> None:
            if not stands(ids) or await self._unstored.left(space_id, left) != left:
                raise errors.EvidenceGone

        try:
            distilled = await self._distiller.distil_unstored(space_id, left, check, is_asked=True)
            await check()
            saved = await self._unstored.save(
                space_id, channel_id, session_id, left, distilled, now=self._clock(), by=caller.person_id
            )
        except errors.EvidenceGone as exc:
            raise errors.UserError(CHANGED) from exc
        except (errors.ModelError, errors.SummaryUnusable) as exc:
            _log.warning("talk.not_included", session_id=session_id, error=type(exc).__name__)
            raise errors.UserError(NOT_MADE) from exc
        # What was deleted while this was saved was looked for before it was there.
        gone = {message_id for message_id in ids if not stands([message_id])}
        await self._discord_edits.deleted(space_id, gone, self._clock())
        saved = [one for one in saved if gone.isdisjoint(one.memory.evidence)]
        _log.info("talk.included", session_id=session_id, messages=len(left), saved=len(saved), model=distilled.model)
        told = catalogue.gettext("Included {messages} → {memories} saved.")
        told = told.format(messages=amounts.messages(len(left)), memories=amounts.memories(len(saved)))
        lines = [f"{notices.MEMORY} {told}", *saved_lines(saved, caller.prefix)]
        if saved:
            lines.append(catalogue.gettext("{p}forget <id> forgets one.").format(p=caller.prefix))
        if not is_all:
            lines.append(catalogue.gettext(OLDER))
        return IncludedReply(text="\n".join(lines), saved=tuple(saved), session_id=session_id, is_all=is_all)

    async def take_back(self, caller: Caller, session_id: SessionId) -> Reply:
        """Takes back what the caller had included last in a session, within ten minutes. Raises `NotFound`."""
        taken = await self._unstored.take_back(caller, session_id, now=self._clock())
        if taken is None:
            raise errors.NotFound(NOT_YOURS)
        told = catalogue.gettext("Took back {memories} of the talk here.").format(memories=amounts.memories(taken))
        return Reply(text=f"{notices.MEMORY} {told}")
