"""Says why a number names no memory that stands: another one replaced that, or there is none where the caller reads."""

from typing import Final

from bot import catalogue, errors
from bot.db import statements
from bot.db.pool import Connection
from bot.domain import Caller, MemoryId

NONE: Final = catalogue.later("There is no memory #{number} here; {p}memories lists what there is.")
REPLACED: Final = catalogue.later("#{number} was replaced by #{other}, which stands in its place.")


class Sql:
    """The statement that follows what replaced a memory."""

    replaced_by: Final = statements.named("librarian.replaced_by")


async def missing(connection: Connection, caller: Caller, memory_id: MemoryId) -> errors.NotFound:
    """What to raise for a number of which no memory stands that the caller may see."""
    other = await connection.fetchval(Sql.replaced_by, caller.space_id, memory_id, caller.visible)
    told = NONE if other is None else REPLACED
    return errors.NotFound(lambda p: catalogue.gettext(told).format(number=memory_id, other=other, p=p))
