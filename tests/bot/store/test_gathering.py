"""The laws of the hint that enough was said in a channel."""

from bot.domain import ChannelId, SpaceId
from bot.store import gathering
from bot.store.gathering import Gathering


def test_a_space_is_told_once_enough_was_said_in_one_of_its_channels() -> None:
    """By channel, and once each time."""
    here = Gathering(3)
    for channel in (1, 2, 1, 2):
        here.said(SpaceId(1), ChannelId(channel))
    assert set[SpaceId]() == here.take()
    here.said(SpaceId(1), ChannelId(1))
    assert ({1}, set[SpaceId]()) == (here.take(), here.take())
    for _ in range(2):
        here.said(SpaceId(1), ChannelId(1))
    assert set[SpaceId]() == here.take()


def test_it_holds_no_more_channels_than_it_may() -> None:
    """The one heard longest ago is counted anew."""
    here = Gathering(2)
    for channel in range(gathering.MOST + 1):
        here.said(SpaceId(1), ChannelId(channel))
    here.said(SpaceId(1), ChannelId(0))
    assert set[SpaceId]() == here.take()
    here.said(SpaceId(1), ChannelId(gathering.MOST))
    assert {1} == here.take()
