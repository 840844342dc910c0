"""What a recall offers on Discord: the way on, why these, and notes, in messages that outlive the bot."""

from typing import Any

import discord
import pytest
import simcord

from bot.commands import score_breakdown
from bot.db.pool import Database
from bot.domain import Entry, Listing, Reply
from cogs.text import splitting
from cogs.ui import buttons as controls
from cogs.ui import drawn_lists, layouts
from tests import people
from tests.cogs import simulated
from tests.cogs.simulated import World, answer, buttons, components, shown
from tests.cogs.ui import on_discord
from tests.conftest import Clock

NO_VIEW = discord.PermissionOverwrite(view_channel=False)


async def remember(world: World, *texts: str) -> None:
    caller = people.caller("ann", space=world.guild.id, channel=world.channel.id, person=world.ann.id)
    await world.room.app.enter(caller, channel_name="general", mode="addressed")
    for number, text in enumerate(texts):
        world.clock.forward(seconds=1)
        await world.room.app.commands.remembering.save(caller, text, importance=5, topic=f"topic {number}")


def private(result: simcord.InteractionResult) -> str:
    """What only the presser was told."""
    (told,) = result.followups
    assert told.ephemeral
    return told.content


def found_in(message: discord.Message | simcord.ResponseMessage) -> list[str]:
    """The first line of each entry of a list; what is known of it stands below."""
    texts = (str(part.get("content")) for part in components(message))
    return [text.splitlines()[0] for text in texts if "\n-# " in text]


async def test_one_page_of_results_can_be_explained(database: Database, clock: Clock) -> None:
    """Under the results there is one button; what it tells is what `why` tells, and only the presser is told."""
    async with simulated.world(database, clock) as world:
        await remember(world, "the cat is Tom", "a cat likes fish")
        sent = await world.say("!recall cat fish")
        typed = (await world.say("!recall cat fish why")).content
        result = await world.press(sent, "Why these?", by=world.bob)
        stands = world.channel.last_message
    assert [drawn_lists.MORE, drawn_lists.MORE, "Why these?"] == buttons(sent)
    assert "-# !recall cat fish" == shown(sent).splitlines()[-1]
    assert typed == private(result)
    assert typed.startswith("Why these 2 results: 2 looked at, 0 discarded.")
    assert stands is not None
    assert typed == stands.content


async def test_why_tells_of_the_page_it_stands_under(database: Database, clock: Clock) -> None:
    """After searching again it is the next results that are explained, with the arguments they were asked with."""
    async with simulated.world(database, clock) as world:
        await remember(world, *(f"fact {number} about cats" for number in range(7)))
        (found,) = (await world.press(await world.say("!recall cats limit:3 tier:short"), controls.ALL)).followups
        assert [*[drawn_lists.MORE] * 3, "Page 2 ▶", "Why these?"] == buttons(found)
        await world.press(found, "Page 2 ▶")
        assert ["◀ Page 1", "Page 3 ▶", "Why these?"] == buttons(found)[3:]
        told = private(await world.press(found, "Why these?"))
    assert told.startswith("Why results 4 to 6 of 7: 7 looked at, 0 discarded.")


async def test_why_outlives_the_bot(database: Database, clock: Clock) -> None:
    """After a restart the button works in another client that never saw the message: the query is in its footer."""
    async with simulated.world(database, clock) as world:
        await remember(world, "the cat is Tom")
        sent = await world.say("!recall cat strategy:literal")
        await world.restart()
        told = private(await world.press(sent, "Why these?"))
    assert "Literal: " in told
    assert "    the cat is Tom\nScore 1.00: text 1.00." in told


async def test_why_fits_into_one_message(database: Database, clock: Clock) -> None:
    """However long the results are; what is left out is counted."""
    async with simulated.world(database, clock) as world:
        await remember(world, *(f"fact {n} about 🐘 cats {'with a long tail ' * 20}" for n in range(20)))
        (found,) = (await world.press(await world.say("!recall cats limit:20"), controls.ALL)).followups
        told = private(await world.press(found, "Why these?"))
        typed = (await world.say("!recall cats limit:20 why")).content
    assert splitting.size(told) <= score_breakdown.LIMIT
    assert told == typed
    assert "\n… and " in told


async def test_why_shows_what_the_channel_may_see_by_then(database: Database, clock: Clock) -> None:
    """It looks anew with the channel's audience of the moment: what is hidden by then is not explained."""
    async with simulated.world(database, clock) as world:
        await remember(world, "the cat is Tom")
        elsewhere = world.guild.create_text_channel("other")
        await world.ann.send(elsewhere, "!recall cat")
        listed = elsewhere.last_message
        assert listed is not None
        home = world.client.get_channel(world.channel.id)
        assert isinstance(home, discord.TextChannel)
        await home.set_permissions(home.guild.default_role, view_channel=False)
        told = private(await world.press(listed, "Why these?"))
    assert ["the cat is Tom"] == found_in(listed)
    assert told.startswith("Why nothing: ")
    assert "Tom" not in told


async def test_why_of_a_listing_that_lost_its_footer_says_so(database: Database, clock: Clock) -> None:
    """A button whose query can't be known any more says so to the presser alone."""
    async with simulated.world(database, clock) as world:
        await remember(world, "the cat is Tom")
        sent = await world.say("!recall cat")
        channel = world.client.get_channel(world.channel.id)
        assert isinstance(channel, discord.TextChannel)
        await channel.get_partial_message(sent.id).edit(view=layouts.told("x", [controls.why(1)]))
        told = private(await world.press(sent, "Why these?"))
    assert told.startswith("I don't know any more")


async def test_why_names_commands_as_they_are_typed(database: Database, clock: Clock) -> None:
    """What people wrote stays as it is, whatever the prefix."""
    async with simulated.world(database, clock) as world:
        await remember(world, "type !recall cat to find the cat")
        await world.say("!settings prefix ?")
        result = await world.choose("recall", query="cat")
        told = private(await world.press(answer(result).message, "Why these?"))
    assert "    type !recall cat to find the cat" in told


async def test_the_slash_form_takes_strategy_and_tag(database: Database, clock: Clock) -> None:
    """A choice and words; what a button serves better is typed alone, and then text without buttons."""
    async with simulated.world(database, clock) as world:
        await world.say("!remember the cat is Tom tags:pets")
        await world.say("!remember the cat is Kit")
        payload = next(c for c in world.client.tree.get_commands() if c.name == "recall").to_dict(world.client.tree)
        options: dict[str, Any] = {option["name"]: option for option in payload["options"]}
        found = answer(await world.choose("recall", query="cat; Kit", strategy="keywords", tag="pets"))
        told = await world.say("!recall cat strategy:literal why")
    assert ["ranked", "literal", "keywords"] == [choice["value"] for choice in options["strategy"]["choices"]]
    assert {"query", "tier", "tag", "strategy", "as_of"} == {*options}
    assert ["the cat is Tom"] == found_in(found)
    assert told.content.startswith("Why result 1 of 2: 2 looked at, 0 discarded.")
    assert [] == components(told)


@pytest.mark.parametrize(
    "again", ["recall " + "x" * 1000, "recall x limit:99", "nothing x", "", "memories", "sessions"]
)
def test_what_cant_be_explained_offers_no_why(again: str) -> None:
    """A command line that is too long, would not be understood again, or has no reasons, has no such button."""
    assert [] == controls.of(Reply(text="", listing=Listing(title="t", entries=(), again=again)))


async def test_other_listings_keep_their_pages(database: Database, clock: Clock) -> None:
    """To list is not to search: their buttons name the page they lead to, in the whole of what is short in public."""
    async with simulated.world(database, clock) as world:
        await remember(world, *(f"fact {number} about cats" for number in range(12)))
        result = await world.press(await world.say("!memories"), controls.ALL)
    assert [[*[drawn_lists.MORE] * 6, "Page 2 ▶"]] == [buttons(whole) for whole in result.followups]


@pytest.mark.parametrize("notes", [(), ("One thing.", "Another\nthing."), ("x" * 3000,)])
def test_notes_are_small_lines_under_the_entries(notes: tuple[str, ...]) -> None:
    """One line each in small print after the last entry, within Discord's limits."""
    entries = (Entry(head="#1", body="x" * 400),) * 30
    view = drawn_lists.drawn(Listing(title="t", entries=entries, notes=notes), None)
    texts = on_discord.texts(view)
    assert 1 + len(entries) + bool(notes) == len(texts)
    if len(notes) == 2:
        assert "-# One thing.\n-# Another thing." == texts[-1]
