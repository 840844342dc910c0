"""What stands in place of an answer that is still to come: recovery knows it by these words, and takes it away."""

from typing import Final

from bot import catalogue
from bot.turn.memory_walk import CHECKING

WAITING: Final = catalogue.later("My memory takes longer than usual; as soon as it is there I answer here.")
"""While the database does not answer."""
WAITS: Final = frozenset(catalogue.in_all(WAITING))
"""The same in each language."""
PLACEHOLDERS: Final = WAITS.union(catalogue.in_all(CHECKING))
