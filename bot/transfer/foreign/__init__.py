"""Reads the stores of other systems and takes them into a space, a batch at a time, each once.

One module a format gives what it finds in Hathi's words (`neutral`); `taking_in` alone knows the database.
"""

from bot.transfer.foreign.store_forms import is_own
from bot.transfer.foreign.taking_in import Takeover, take_in

__all__ = ["Takeover", "is_own", "take_in"]
