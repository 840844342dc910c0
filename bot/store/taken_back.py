"""Counts what is taken back of each space (forgotten, erased, edited), so that every process sees it in time."""

from typing import Final

from bot.db import statements
from bot.db.pool import Connection
from bot.domain import SpaceId


class Sql:
    """The statements of the count."""

    count: Final = statements.named("taken_back.count")


async def count_in(connection: Connection, space_id: SpaceId) -> None:
    """Counts that this transaction takes something of the space back; to be called before it looks for what that is.

    Until it commits no answer is recorded in the space, so none escapes its search; and one that is being written is
    compared with what is left before it is shown, whichever process writes it.
    """
    await connection.execute(Sql.count, space_id)
