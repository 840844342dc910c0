"""Spaces out the edits in each channel, and tells from recent answers whether to stream the next one."""

from collections import OrderedDict, deque
from statistics import median
from typing import Final

from bot.domain import ChannelId

QUICK: Final = 1.0
"""Seconds within which an answer is sent once, and not shown as it grows."""
EDITS_APART: Final = 1.2
"""Seconds between two edits in one channel; Discord takes five in five seconds, of everyone's."""
CHANNELS_KEPT: Final = 4096
"""Channels whose last edit is known; the one written to longest ago is forgotten first."""
_LEARNT_FROM: Final = 3


class Pace:
    """The pace of everything one bot writes. Times are those of the event loop, in seconds."""

    def __init__(self, channels: int = CHANNELS_KEPT) -> None:
        self._channels = channels
        self._written: OrderedDict[ChannelId, float] = OrderedDict()
        self._answers: deque[float] = deque([0.0] * _LEARNT_FROM, maxlen=_LEARNT_FROM)

    @property
    def is_slow(self) -> bool:
        """Whether recent answers took so long that the next is better streamed from the start."""
        return median(self._answers) >= QUICK

    def answered(self, seconds: float) -> None:
        """Records how long a streamed answer took."""
        self._answers.append(seconds)

    def wait(self, channel_id: ChannelId, now: float) -> float:
        """Seconds until the channel may be written to again."""
        written = self._written.get(channel_id)
        return 0.0 if written is None else max(0.0, written + EDITS_APART - now)

    def wrote(self, channel_id: ChannelId, now: float) -> None:
        """Records that the channel is being written to."""
        self._written[channel_id] = now
        self._written.move_to_end(channel_id)
        if len(self._written) > self._channels:
            self._written.popitem(last=False)
