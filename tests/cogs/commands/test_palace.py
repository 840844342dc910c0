"""The palace on Discord: a menu to walk in, a button to walk out, and what is suggested while one types."""

from typing import Any

import discord
import simcord

from bot.commands.palace import PalaceReply
from bot.db.pool import Database
from bot.domain import Entry, Listing
from cogs.ui import buttons as controls
from cogs.ui import drawn_lists, replies
from tests.cogs import simulated
from tests.cogs.simulated import World, answer, buttons, components
from tests.cogs.ui import on_discord
from tests.conftest import Clock


async def furnished(world: World) -> None:
    """Two rooms in the public channel."""
    for text in ("Cone 6 takes 9 hours. topic:kiln", "Celadon wants reduction. topic:glaze"):
        await world.say(f"!remember {text} room:pottery")
    await world.say("!remember We meet on Tuesdays. room:decisions topic:meeting")


async def staffed(world: World) -> simcord.ChannelHandle:
    """A channel that only Ann sees, with a room of its own."""
    overwrites: dict[Any, discord.PermissionOverwrite] = {
        world.guild.default_role: discord.PermissionOverwrite(view_channel=False),
        world.ann: discord.PermissionOverwrite(view_channel=True),
        world.guild.me: discord.PermissionOverwrite(view_channel=True),
    }
    staff = world.guild.create_text_channel("staff", overwrites=overwrites)
    world.clock.forward(seconds=3)
    await world.ann.send(staff, "!remember The raise is 4 percent. room:salaries topic:raise")
    return staff


def choices(message: discord.Message) -> list[str]:
    """What the message's menus offer."""
    return [option["value"] for part in components(message) for option in part.get("options", ())]


def told(message: discord.Message | simcord.ResponseMessage) -> tuple[str, list[str]]:
    """Title and entries of the list."""
    title, *entries = [part["content"] for part in components(message) if "content" in part]
    return title.removeprefix("### "), entries


def ways(message: discord.Message | simcord.ResponseMessage) -> list[str]:
    """The labels of its buttons but those of its memories."""
    return [label for label in buttons(message) if label != drawn_lists.MORE]


async def test_one_walks_in_and_out(database: Database, clock: Clock) -> None:
    """The menu under the rooms leads into one, the button there back out; all in the same message."""
    async with simulated.world(database, clock) as world:
        await furnished(world)
        message = await world.say("!palace")
        rooms = (told(message), choices(message), ways(message))
        clock.forward(seconds=3)
        await world.ann.select(message, ["pottery"])
        inside = (world.last.id, told(world.last)[0], len(told(world.last)[1]), choices(world.last), ways(world.last))
        await world.press(world.last, controls.ALL_ROOMS)
        outside = (world.last.id, told(world.last), choices(world.last), ways(world.last))
    (title, (table,)), *below = rooms
    assert ("Memory has 2 rooms", [["pottery", "decisions"], []]) == (title, below)
    assert [line.split("**")[1] for line in table.splitlines()] == ["pottery", "decisions"]
    # Two memories, and the topics under them.
    assert (message.id, "pottery · 2 memories", 3, [], [controls.ALL, controls.ALL_ROOMS]) == inside
    assert (message.id, *rooms) == outside


async def test_the_ways_outlive_the_bot(database: Database, clock: Clock) -> None:
    """After a restart the menu and the button do what they did; their work stands in them."""
    async with simulated.world(database, clock) as world:
        await furnished(world)
        message = await world.say("!palace")
        await world.restart()
        clock.forward(seconds=3)
        await world.bob.select(message, ["decisions"])
        inside = told(world.last)[0]
        await world.restart()
        await world.press(world.last, controls.ALL_ROOMS, by=world.bob)
        assert ("decisions · 1 memory", "Memory has 2 rooms") == (inside, told(world.last)[0])


async def test_pages_of_a_room_keep_the_way_out(database: Database, clock: Clock) -> None:
    """To the next page and back, and out from each."""
    async with simulated.world(database, clock) as world:
        caller = await world.talk()
        for number in range(11):
            await world.room.app.commands.remembering.save(
                caller, f"Pot {number} is glazed.", room="pots", topic="glaze"
            )
        short = await world.say("!palace pots")
        (message,) = (await world.press(short, controls.ALL)).followups
        first = ways(message)
        await world.press(message, "Page 2 ▶")
        second, (_, shown) = ways(message), told(message)
    assert ["Page 2 ▶", controls.ALL_ROOMS] == first
    assert ["◀ Page 1", controls.ALL_ROOMS] == second
    # Five memories, the topics under them, and the page.
    assert (7, "-# Page 2 of 2 · !palace pots") == (len(shown), shown[-1])


async def test_a_room_that_is_gone_is_told_to_the_presser_alone(database: Database, clock: Clock) -> None:
    """The message stays as it was."""
    async with simulated.world(database, clock) as world:
        await furnished(world)
        message = await world.say("!palace")
        await world.say("!room rename pottery clay")
        clock.forward(seconds=3)
        result = await world.bob.select(message, ["pottery"])
        (followup,) = result.followups
    assert (True, True) == (followup.ephemeral, "no room 'pottery'; !palace" in followup.content)


async def test_a_menu_shows_what_the_channel_may_see_now(database: Database, clock: Clock) -> None:
    """A room of a private channel is offered there, and nowhere else, whoever presses."""
    async with simulated.world(database, clock) as world:
        await furnished(world)
        staff = await staffed(world)
        await world.ann.send(staff, "!palace")
        there = staff.last_message
        here = await world.say("!palace")
    assert there is not None
    assert (["pottery", "decisions", "salaries"], ["pottery", "decisions"]) == (choices(there), choices(here))


async def test_names_that_discord_takes_no_longer_are_left_out_of_the_menu() -> None:
    """An imported room may be called anything; it is listed all the same, and the menu is what fits."""
    listing = Listing(title="x", entries=(Entry(head="a", body="b"),), again="palace")
    names = ("x" * 101, "😀" * 51, "fits", *(f"room {number}" for number in range(30)))
    view = replies.drawn(PalaceReply(text="", listing=listing, rooms=names), None)
    assert view is not None
    offered = on_discord.options(view)
    assert (25, "fits") == (len(offered), offered[0])
    assert [] == controls.of(PalaceReply(text="", listing=listing, rooms=("x" * 101,)))


async def test_a_listing_where_all_can_read_is_for_its_caller(database: Database, clock: Clock) -> None:
    """As with /memories; what was laid out or renamed is told openly."""
    async with simulated.world(database, clock) as world:
        await furnished(world)
        asked: list[dict[str, Any]] = [{}, {"room": "pottery"}, {"room": "pottery", "topic": "kiln"}]
        private = [answer(await world.choose("memories", show="rooms", **chosen)).ephemeral for chosen in asked]
        made = answer(await world.choose("admin room layout", work="code-review"))
        renamed = answer(await world.ann.slash(world.channel, "admin room rename", room="pottery", name="the workshop"))
        merged = answer(await world.choose("admin room merge", room="the workshop", into="decisions"))
    assert [True, True, True] == private
    assert [False, False, False] == [one.ephemeral for one in (made, renamed, merged)]
    assert made.content.startswith("[memory] laid out: code-review")
    assert "'pottery' is called 'the workshop' now, with 2 memories." == renamed.content
    assert "2 memories of 'the workshop' went into 'decisions'." == merged.content


async def test_rooms_and_topics_are_suggested(database: Database, clock: Clock) -> None:
    """Those that are there; topics of the room that is chosen already, of all rooms before."""
    async with simulated.world(database, clock) as world:
        await furnished(world)
        await staffed(world)
        typed: list[tuple[str, str, str, dict[str, Any]]] = [
            ("memories", "room", "", {}),
            ("memories", "room", "de", {}),
            ("admin room merge", "into", "p", {}),
            ("admin room rename", "room", "", {}),
            ("memories", "topic", "", {"room": "pottery"}),
            ("memories", "topic", "gl", {"room": "Pottery"}),
            ("memories", "topic", "m", {}),
            ("memories", "topic", "", {"room": "salaries"}),
        ]
        found = [
            [c["value"] for c in await world.ann.autocomplete(world.channel, name, option, text, **filled)]
            for name, option, text, filled in typed
        ]
    assert [
        ["pottery", "decisions"],
        ["decisions"],
        ["pottery"],
        ["pottery", "decisions"],
        ["glaze", "kiln"],
        ["glaze"],
        ["meeting"],
        [],
    ] == found


async def test_who_hathi_is_is_set_and_told(database: Database, clock: Clock) -> None:
    """Told to whoever asks alone, set openly."""
    async with simulated.world(database, clock) as world:
        made = answer(await world.choose("admin identity set", text="I am the potter."))
        shown = answer(await world.choose("admin identity show"))
        refused = await world.say("!identity reset", by=world.bob)
    assert (False, True) == (made.ephemeral, shown.ephemeral)
    assert "    I am the potter." in shown.content.splitlines()
    assert refused.content.startswith("!identity reset needs the permission Manage Server")


async def test_another_prefix_is_told(database: Database, clock: Clock) -> None:
    """What leads on is told as it is typed here, also to whoever pressed."""
    async with simulated.world(database, clock) as world:
        await furnished(world)
        message = await world.say("!palace")
        await world.say("!room rename pottery clay")
        await world.say("!settings prefix ?")
        clock.forward(seconds=3)
        result = await world.bob.select(message, ["pottery"])
    assert "no room 'pottery'; ?palace" in result.followups[0].content
