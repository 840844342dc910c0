"""How fast one bot writes."""

import pytest

from bot.domain import ChannelId
from cogs.send.pace import Pace

HERE, THERE = ChannelId(1), ChannelId(2)


@pytest.mark.parametrize(
    ("lately", "is_slow"),
    [
        ([], False),
        ([9.0], False),
        ([9.0, 1.0], True),
        ([0.2, 0.3, 9.0], False),
        ([9.0, 9.0, 9.0, 0.1, 0.2], False),
        ([0.1, 0.1, 5.0, 0.1, 1.0], True),
    ],
)
def test_the_middle_of_the_last_three_answers_tells_whether_answers_are_slow(lately: list[float], is_slow: bool):
    """Answers are slow when the median of the last three took a second, an unknown one counting as quick."""
    pace = Pace()

    for seconds in lately:
        pace.answered(seconds)

    assert is_slow == pace.is_slow


def test_a_channel_may_be_written_to_again_after_a_while():
    """Two edits stand 1.2 seconds apart in one channel, and another channel does not wait for them."""
    pace = Pace()

    pace.wrote(HERE, 10.0)

    waits = [pace.wait(HERE, 10.0), pace.wait(HERE, 11.0), pace.wait(HERE, 11.2), pace.wait(THERE, 10.0)]
    assert pytest.approx([1.2, 0.2, 0.0, 0.0]) == waits


def test_the_channel_written_to_longest_ago_is_forgotten_first():
    """What is known of channels is bounded, and loses the one whose last edit is oldest."""
    pace = Pace(channels=2)

    for at, channel_id in enumerate([HERE, THERE, HERE, ChannelId(3)]):
        pace.wrote(channel_id, 100 + at / 10)

    assert [True, False, True] == [pace.wait(ChannelId(key), 100.4) > 0 for key in (1, 2, 3)]
