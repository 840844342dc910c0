"""The laws of what admins choose for places: which choice holds where, and why."""

from dataclasses import replace

import pytest

from bot.db.pool import Database
from bot.domain import Caller, ChannelId, PlaceChoices, PlaceSetting
from bot.store.place_settings import Choosable, Held, HeldBy, PlaceSettings, held
from bot.store.spaces import Spaces
from tests import people
from tests.conftest import Clock
from tests.conversations import room
from tests.rows import rows

ANN = people.caller(admin=True)
MODELS = Choosable(setting=PlaceSetting.MODEL, names=("large", "small", "odd"), default="large", is_set=True)
WORKFLOWS = Choosable(
    setting=PlaceSetting.WORKFLOWS, names=("parlour", "planning", "research"), default="all", are_several=True
)


async def _there(database: Database, clock: Clock, who: Caller) -> PlaceChoices:
    place = await Spaces(database).ensure(who, channel_name="c", mode="all", language="english", now=clock())
    assert place == await Spaces(database).place(who.space_id, who.channel_id)
    return place.settled(who).choices


async def test_a_choice_holds_in_its_channel_with_its_public_threads_or_in_its_whole_space(
    database: Database, clock: Clock
) -> None:
    """A thread of another audience, another channel and another space have none of the channel's; the latest holds."""
    settings = PlaceSettings(database)
    thread = replace(ANN, channel_id=ChannelId(11), origin=ChannelId(10))
    elsewhere, other = people.caller(channel=20), people.caller(space=2, channel=30)
    for who in (ANN, thread, elsewhere, other):
        await _there(database, clock, who)
    await settings.set(thread, PlaceSetting.MODEL, "odd", everywhere=False, now=clock())
    await settings.set(ANN, PlaceSetting.MODEL, "small", everywhere=False, now=clock())
    await settings.set(ANN, PlaceSetting.PERSONA, "household", everywhere=True, now=clock())
    here, everywhere = {"model": "small"}, {"persona": "household"}
    assert PlaceChoices(here=here, everywhere=everywhere) == await _there(database, clock, ANN)
    assert PlaceChoices(here=here, everywhere=everywhere) == await _there(database, clock, thread)
    assert PlaceChoices(everywhere=everywhere) == await _there(database, clock, elsewhere)
    assert PlaceChoices() == await _there(database, clock, other)
    untouched = await Spaces(database).untouched(ANN.space_id, mode="all")
    assert untouched is not None
    assert PlaceChoices(everywhere=everywhere) == untouched.choices


async def test_a_choice_tells_who_made_it_when_and_is_taken_back_where_it_was_made(
    database: Database, clock: Clock
) -> None:
    """What was chosen for the space stays when the channel's choice goes, and the other way round."""
    settings = PlaceSettings(database)
    await settings.set(ANN, PlaceSetting.MODEL, "small", everywhere=True, now=clock())
    chosen_at = clock()
    clock.forward(days=1)
    await settings.set(
        replace(ANN, person_id=people.caller(person=8).person_id),
        PlaceSetting.MODEL,
        "odd",
        everywhere=False,
        now=clock(),
    )
    assert [(HeldBy.CHANNEL, "odd", 8, clock()), (HeldBy.SPACE, "small", 7, chosen_at)] == [
        (one.by, one.value, one.set_by, one.set_at) for one in await settings.of(ANN)
    ]
    await settings.clear(ANN, PlaceSetting.MODEL, everywhere=False)
    assert [(HeldBy.SPACE, "small")] == [(one.by, one.value) for one in await settings.of(ANN)]
    await settings.clear(ANN, PlaceSetting.MODEL, everywhere=True)
    assert [] == await settings.of(ANN)


async def test_direct_messages_and_the_terminal_are_a_space_of_one_channel(database: Database, clock: Clock) -> None:
    """What is chosen there is chosen for the space, however it is asked for."""
    for who in (people.caller(space=0, channel=0), replace(people.caller(space=9, channel=9), is_direct=True)):
        await PlaceSettings(database).set(who, PlaceSetting.MODEL, "small", everywhere=False, now=clock())
        assert [HeldBy.SPACE] == [one.by for one in await PlaceSettings(database).of(who)]


@pytest.mark.parametrize(
    ("here", "everywhere", "value", "by", "gone"),
    [
        (None, None, "large", HeldBy.SETTINGS, ()),
        (None, "small", "small", HeldBy.SPACE, ()),
        ("odd", "small", "odd", HeldBy.CHANNEL, ()),
        ("lost", "small", "small", HeldBy.SPACE, ("lost",)),
        ("lost", None, "large", HeldBy.SETTINGS, ("lost",)),
        ("lost", "gone", "large", HeldBy.SETTINGS, ("lost", "gone")),
        ("small", "gone", "small", HeldBy.CHANNEL, ()),
    ],
)
def test_the_nearest_choice_holds_that_is_still_there(
    here: str | None, everywhere: str | None, value: str, by: HeldBy, gone: tuple[str, ...]
) -> None:
    """The channel's, else the space's, else what the settings say; what is gone is told."""
    expected = Held(value=value, by=by, names=(value,), gone=gone)
    assert expected == held(_choices("model", here, everywhere), MODELS)


def test_where_neither_admins_nor_settings_chose_the_default_holds() -> None:
    """It is told apart from what whoever runs Hathi wrote down."""
    assert HeldBy.DEFAULT is held(PlaceChoices(), replace(MODELS, is_set=False)).by


@pytest.mark.parametrize(
    ("here", "everywhere", "names", "by", "gone"),
    [
        (None, None, WORKFLOWS.names, HeldBy.DEFAULT, ()),
        ("all", "none", WORKFLOWS.names, HeldBy.CHANNEL, ()),
        (None, "none", (), HeldBy.SPACE, ()),
        ("research,parlour", "none", ("research", "parlour"), HeldBy.CHANNEL, ()),
        ("research,lost", "all", ("research",), HeldBy.CHANNEL, ("lost",)),
        ("lost", "all", (), HeldBy.CHANNEL, ("lost",)),
    ],
)
def test_of_several_those_hold_that_are_there_and_never_more(
    here: str | None, everywhere: str | None, names: tuple[str, ...], by: HeldBy, gone: tuple[str, ...]
) -> None:
    """A place that allowed few of them does not come to allow all because those few are gone."""
    found = held(_choices("workflows", here, everywhere), WORKFLOWS)
    assert (names, by, gone) == (found.names, found.by, found.gone)


async def test_whoever_has_what_is_theirs_erased_is_no_more_named_as_who_chose(
    database: Database, clock: Clock
) -> None:
    """The choice stays: it is the place's."""
    async with room(database, clock, who=ANN) as r:
        await PlaceSettings(database).set(ANN, PlaceSetting.MODEL, "small", everywhere=False, now=clock())
        await PlaceSettings(database).set(ANN, PlaceSetting.MODEL, "odd", everywhere=True, now=clock())
        await r.app.personal_data.erase(ANN.person_id, now=clock())
    assert [(10, "small", None), (0, "odd", None)] == await rows(
        database, "SELECT channel_id, value, set_by FROM place_setting ORDER BY channel_id DESC"
    )


def _choices(name: str, here: str | None, everywhere: str | None) -> PlaceChoices:
    return PlaceChoices(
        here={} if here is None else {name: here}, everywhere={} if everywhere is None else {name: everywhere}
    )
