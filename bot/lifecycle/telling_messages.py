"""Tells which of Hathi's messages on Discord say what is gone from memory, and what they may say instead."""

from collections.abc import AsyncGenerator, Sequence

from bot.db.pool import Database
from bot.domain import Memory, SpaceId
from bot.store import standing_replies
from bot.store.standing_replies import HATHI_ITSELF, NotedReply


class TellingMessages:
    """What was noted of them for Hathi itself: nobody has to ask that they go."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def standing(self, spaces: Sequence[SpaceId]) -> AsyncGenerator[NotedReply]:
        """Those in these spaces, the oldest first; no connection is held while one is looked at."""
        last = 0
        while True:
            async with self._database.connection() as connection:
                page = await standing_replies.after(connection, spaces, HATHI_ITSELF.person_id, last)
            if not page:
                return
            for reply in page:
                yield reply
            last = page[-1].message_id

    async def left(self, reply: NotedReply) -> Sequence[Memory]:
        """What is still kept of that which it confirmed, in the words of now; nothing where it is to go."""
        async with self._database.connection() as connection:
            return await standing_replies.kept_now(connection, reply)

    async def tells_no_more(self, reply: NotedReply) -> None:
        """Forgets one that is gone from Discord, or says something else."""
        async with self._database.connection() as connection:
            await standing_replies.gone_in(connection, HATHI_ITSELF.person_id, reply)
