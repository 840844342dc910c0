"""What was said in a channel before Hathi listened, half of it too long ago to be kept, for processes to die at."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.app import App
from bot.domain import Caller, ChannelId, Message, MessageId, PersonId, Role, SpaceId
from bot.lifecycle import learner
from bot.lifecycle.learner import HistoryPage, PublicThread
from bot.store.learnings import Learning

EPOCH: Final = datetime(2015, 1, 1, tzinfo=UTC)
OLD: Final = datetime(2024, 6, 1, 12, 0, tzinfo=UTC)
BEFORE: Final = OLD - timedelta(minutes=1)
NEW: Final = datetime(2026, 2, 20, 12, 0, tzinfo=UTC)
WORTH_KEEPING: Final = ("We decided to use Rust.", "We decided to use Postgres.")


def message_id(at: datetime) -> MessageId:
    """The same in every process."""
    return MessageId(int((at - EPOCH).total_seconds() * 1000) << 22)


class KnownPast:
    """So many messages of long ago, and as many of lately, a minute apart; three a page."""

    def __init__(self, caller: Caller, count: int, reached: Callable[[str], Awaitable[None]]) -> None:
        self._reached = reached
        self._said = [
            Message(
                space_id=caller.space_id,
                channel_id=caller.channel_id,
                message_id=message_id(begin + timedelta(minutes=n)),
                role=Role.PERSON,
                author_id=PersonId(30 + n % 2),
                author=f"Person {n % 2}",
                content=f"ha ha {n}" if n else worth,
                said_at=begin + timedelta(minutes=n),
            )
            for begin, worth in zip((OLD, NEW), WORTH_KEEPING, strict=True)
            for n in range(count)
        ]

    def serves(self, space_id: SpaceId) -> bool:
        return True

    async def channel(self, caller: Caller, named: str) -> ChannelId:
        return caller.channel_id

    async def is_operator(self, caller: Caller) -> bool:
        return True

    async def page(self, space_id: SpaceId, channel_id: ChannelId, after: MessageId) -> HistoryPage | None:
        await self._reached("page asked")
        found = [said for said in self._said if said.message_id > after][: learner.PAGE]
        await self._reached("page read")
        ids = tuple(said.message_id for said in found)
        return HistoryPage(said=tuple(found), ids=ids, stands=lambda _: True) if found else None

    async def threads(self, space_id: SpaceId, channel_id: ChannelId, since: datetime) -> list[PublicThread]:
        return []

    async def is_open(self, space_id: SpaceId, channel_id: ChannelId) -> bool:
        return True

    async def is_announced(self, learning: Learning) -> bool:
        return True

    async def announce(self, learning: Learning, begins_at: datetime) -> tuple[MessageId, datetime]:
        """Finds where it was announced, as by Discord's nonce it is one message: its id is that of the asking."""
        await self._reached("announced")
        return message_id(learning.asked_at), begins_at - learning.waits

    async def show(self, learning: Learning) -> None:
        await self._reached("shown")


async def learn(app: App, caller: Caller, count: int, reached: Callable[[str], Awaitable[None]]) -> None:
    """Asks for it where that was not done, and goes on until nothing is to be done now."""
    learner.PAGE = 5  # pyright: ignore[reportConstantRedefinition]
    app.learner.connect(KnownPast(caller, count, reached))
    requests = app.commands.learning
    found = await requests.learnings.find(caller.space_id, caller.channel_id)
    if found is None:
        await requests.learnings.ask(caller, caller.channel_id, BEFORE, wait_hours=0, about=2 * count, now=app.clock())
    await requests.learnings.agree(caller, caller.channel_id, now=app.clock())
    await app.learner.work(caller.space_id, caller.channel_id)
