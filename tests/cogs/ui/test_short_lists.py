"""What a list typed where everyone reads along leaves out, and the button that shows it to one person."""

from typing import Any

import discord
import pytest
import simcord

from bot.db.pool import Database
from cogs.ui import button_kinds, drawn_lists
from cogs.ui import buttons as controls
from tests.cogs import simulated
from tests.cogs.simulated import World, buttons, shown
from tests.conftest import Clock

TEXTS = tuple(f"Shelf {number} holds jars." for number in range(8))
OPENS = drawn_lists.MORE


async def furnished(world: World) -> None:
    """A room of memories that everybody may see, and one of Ann's alone."""
    caller = await world.talk()
    for number, text in enumerate(TEXTS):
        world.clock.forward(seconds=1)
        await world.room.app.commands.remembering.save(caller, text, room="pantry", topic=f"shelf {number}")


def private_channel(world: World) -> simcord.ChannelHandle:
    """One that not everyone in the server sees."""
    overwrites: dict[Any, discord.PermissionOverwrite] = {
        world.guild.default_role: discord.PermissionOverwrite(view_channel=False),
        world.ann: discord.PermissionOverwrite(view_channel=True),
        world.guild.me: discord.PermissionOverwrite(view_channel=True),
    }
    return world.guild.create_text_channel("staff", overwrites=overwrites)


def told(message: discord.Message | simcord.ResponseMessage) -> int:
    """How many of the memories a message tells."""
    return sum(text in shown(message) for text in TEXTS)


@pytest.mark.parametrize(
    ("line", "title", "under"),
    [
        ("memories", "8 memories", [controls.ALL]),
        ("memories shelf 1", "1 memory", [controls.ALL]),
        ("palace pantry", "pantry · 8 memories", [controls.ALL, controls.ALL_ROOMS]),
    ],
)
async def test_a_list_in_public_is_short(
    line: str, title: str, under: list[str], database: Database, clock: Clock
) -> None:
    """Its title, three entries, nothing to press beside them, and the command, also where there is one page."""
    async with simulated.world(database, clock) as world:
        await furnished(world)
        sent = await world.say(f"!{line}")
    assert (min(3, int(title.split()[-2])), under) == (told(sent), buttons(sent))
    assert f"### {title}" in shown(sent)
    page = "Page 1 of 2 · " if title.split()[-2] == "8" else ""
    assert f"-# {page}!{line}" == shown(sent).splitlines()[-1]


async def test_notes_in_public_are_short(database: Database, clock: Clock) -> None:
    """As memories are."""
    async with simulated.world(database, clock) as world:
        for text in TEXTS:
            await world.say(f"!note {text}")
        sent = await world.say("!notes")
        (whole,) = (await world.press(sent, controls.ALL, by=world.bob)).followups
    assert (3, [controls.ALL]) == (told(sent), buttons(sent))
    assert (True, 6, ["Page 2 ▶"]) == (whole.ephemeral, told(whole), buttons(whole))


async def test_the_whole_is_for_whoever_presses(database: Database, clock: Clock) -> None:
    """A page of six with all that can be done, also after a restart; the list that everybody reads stays as it is."""
    async with simulated.world(database, clock) as world:
        await furnished(world)
        sent = await world.say("!memories")
        await world.restart()
        result = await world.press(sent, controls.ALL, by=world.bob)
        (whole,) = result.followups
        first = (whole.ephemeral, told(whole), buttons(whole))
        stands = (world.last.id, shown(world.last))
        await world.press(whole, "Page 2 ▶", by=world.bob)
        after = shown(world.last)
    assert (True, 6, [OPENS] * 6 + ["Page 2 ▶"]) == first
    assert (2, [OPENS] * 2 + ["◀ Page 1"]) == (told(whole), buttons(whole))
    assert (sent.id, shown(sent)) == stands
    assert after == stands[1]


async def test_what_one_knows_about_oneself_is_for_oneself(database: Database, clock: Clock) -> None:
    """Whoever presses below another's list sees what is known about them, not about the other."""
    async with simulated.world(database, clock) as world:
        for number in range(4):
            await world.room.app.commands.remembering.save(
                await world.talk(), f"I own {number} jars.", topic=f"jars {number}"
            )
        await world.room.app.commands.remembering.save(
            await world.talk(by=world.bob), "I bring the lids.", topic="lids"
        )
        sent = await world.say("!me")
        (whole,) = (await world.press(sent, controls.ALL, by=world.bob)).followups
    assert (3, [controls.ALL]) == (shown(sent).count(" jars."), buttons(sent))
    assert "### What I know about you: 4 memories" in shown(sent)
    assert (True, False, True) == (whole.ephemeral, "jars" in shown(whole), "I bring the lids." in shown(whole))


async def test_walking_through_the_palace_stays_short(database: Database, clock: Clock) -> None:
    """Into a room from the list of rooms, which is whole, and out again; all in the same message."""
    async with simulated.world(database, clock) as world:
        await furnished(world)
        rooms = await world.say("!palace")
        clock.forward(seconds=3)
        await world.ann.select(rooms, ["pantry"])
        inside = (world.last.id, told(world.last), buttons(world.last))
        (whole,) = (await world.press(world.last, controls.ALL)).followups
        await world.press(world.last, controls.ALL_ROOMS)
        outside = shown(world.last)
    assert (rooms.id, 3, [controls.ALL, controls.ALL_ROOMS]) == inside
    assert (True, 6) == (whole.ephemeral, told(whole))
    assert shown(rooms) == outside


@pytest.mark.parametrize("count", [5, 6])
async def test_a_recall_of_more_than_a_handful_is_short(database: Database, clock: Clock, count: int) -> None:
    """A handful answers everybody, whole; of more the first three do, and whoever presses has all pages of them."""
    async with simulated.world(database, clock) as world:
        for number in range(count):
            await world.room.app.commands.remembering.save(await world.talk(), TEXTS[number], topic=f"shelf {number}")
        sent = await world.say("!recall jars")
        if count == 5:
            assert (5, [OPENS] * 5 + [controls.WHY_THESE]) == (told(sent), buttons(sent))
            return
        (whole,) = (await world.press(sent, controls.ALL, by=world.bob)).followups
        first = (whole.ephemeral, told(whole), buttons(whole))
        await world.press(whole, "Page 2 ▶", by=world.bob)
    assert (3, [controls.ALL]) == (told(sent), buttons(sent))
    assert "### 6 found for 'jars'" in shown(sent)
    assert "-# Page 1 of 2 · !recall jars" == shown(sent).splitlines()[-1]
    assert (True, 5, [OPENS] * 5 + ["Page 2 ▶", controls.WHY_THESE]) == first
    assert (1, [OPENS, "◀ Page 1", controls.WHY_THESE]) == (told(whole), buttons(whole))


async def test_past_sessions_are_short_in_public(database: Database, clock: Clock) -> None:
    """The last three with the beginnings of their summaries; whoever presses has all."""
    async with simulated.world(database, clock) as world:
        for number in range(4):
            await world.talk(f"We decided to paint shelf {number} green.")
            await world.say("!reset")
            await world.settled()
        sent = await world.say("!sessions")
        (whole,) = (await world.press(sent, controls.ALL, by=world.bob)).followups
    assert (3, [controls.ALL]) == (shown(sent).count(" · session "), buttons(sent))
    assert "### 4 past sessions of this channel" in shown(sent)
    assert (True, 4) == (whole.ephemeral, shown(whole).count(" · session "))


async def test_where_not_everyone_reads_a_list_is_whole(database: Database, clock: Clock) -> None:
    """So it is for whoever chose it, whom alone it is shown to."""
    async with simulated.world(database, clock) as world:
        await furnished(world)
        staff = private_channel(world)
        clock.forward(seconds=3)
        await world.ann.send(staff, "!memories")
        chosen = simulated.answer(await world.choose("memories"))
        assert staff.last_message is not None
        typed = staff.last_message
    assert (6, 6) == (told(typed), told(chosen))
    assert [OPENS] * 6 == buttons(typed)[:6] == buttons(chosen)[:6]
    assert controls.ALL not in [*buttons(typed), *buttons(chosen)]


async def test_a_page_of_an_earlier_list_is_for_whoever_turns_it(database: Database, clock: Clock) -> None:
    """Lists that were sent whole in public stay as they are, and their page buttons go on working."""
    async with simulated.world(database, clock) as world:
        await furnished(world)
        channel = world.client.get_channel(world.channel.id)
        assert isinstance(channel, discord.TextChannel)
        embed = discord.Embed(title="8 memories").set_footer(text="Page 1 of 2 · !memories")
        await channel.send(embed=embed, view=controls.view([controls.turn(2, controls.PAGE_ON)]))
        sent = world.last
        (page,) = (await world.press(sent, "Page 2 ▶")).followups
    assert (True, 2, True) == (page.ephemeral, told(page), "Page 2 of 2 · !memories" in shown(page))
    assert [embed] == world.last.embeds


async def test_long_entries_are_cut(database: Database, clock: Clock) -> None:
    """A short list is short whatever its memories are; the whole has them."""
    long = "jars " * 150
    async with simulated.world(database, clock) as world:
        await world.room.app.commands.remembering.save(await world.talk(), long, topic="jars")
        sent = await world.say("!memories")
        (whole,) = (await world.press(sent, controls.ALL)).followups
    assert len(shown(sent)) < drawn_lists.SHORT_ENTRY + 200 < len(long.strip()) < len(shown(whole))


def test_the_button_is_known_after_a_restart() -> None:
    """It is one of those that are registered at a start."""
    assert button_kinds.AllButton in button_kinds.BUTTONS
