"""Discord's error codes (https://discord.com/developers/docs/topics/opcodes-and-status-codes#json)."""

from typing import Final

MISSING_ACCESS: Final = 50001
MISSING_PERMISSIONS: Final = 50013
CANNOT_DM: Final = 50007
THREAD_CLOSED: Final = 50083
CANNOT_SPEAK: Final = frozenset({MISSING_ACCESS, MISSING_PERMISSIONS, CANNOT_DM, THREAD_CLOSED})
"""With these Discord says that Hathi may not write there, whatever it writes."""
UNKNOWN_INTERACTION: Final = 10062
UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MESSAGE: Final = 10008
HAS_THREAD: Final = 160004
"""Of a message that a thread was made from already."""
CANNOT_REPLY: Final = frozenset({UNKNOWN_MESSAGE, 50035, 160002, 160009})
"""Of a message that is gone, a body that does not fit for that reason, and a history that may not be read."""
