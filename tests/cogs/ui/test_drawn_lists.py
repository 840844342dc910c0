"""Listings: what is remembered first and whole, linked to what they quote, paged by buttons that outlive the bot."""

import re
from dataclasses import replace

import discord
import pytest
import simcord
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.recalling import MOST_RESULTS, RESULTS_A_PAGE
from bot.db.pool import Database
from bot.domain import ChannelId, Entry, Listing, MemoryId, MessageId
from cogs.ui import buttons as controls
from cogs.ui import drawn_lists, layouts
from tests import people
from tests.cogs import simulated
from tests.cogs.simulated import answer, buttons, components, shown
from tests.cogs.ui import on_discord
from tests.conftest import Clock

NOW = Clock().now
CAT = Entry(head="", body="the cat is Tom", memory_id=MemoryId(7), who="Ann", at=NOW, place="pets")
FOOTER = re.compile(r"-# (Page \d+ of \d+.*)\Z")


def test_short_entries_leave_room_for_long_ones() -> None:
    """Twenty entries share a message so that a long one is cut only as far as there is no room."""
    short = [Entry(head="#1", body="short")] * 19
    texts = on_discord.texts(
        drawn_lists.drawn(Listing(title="t", entries=(*short, Entry(head="#2", body="x" * 1500))), None)
    )
    assert ("short\n-# #1", "x" * 1023 + "…\n-# #2") == (texts[1], texts[-1])


def test_what_is_remembered_comes_first() -> None:
    """Under it, in small print, who said it, when, where, what else is to be known, and last its number."""
    (title, text) = on_discord.texts(
        drawn_lists.drawn(Listing(title="1 memory", entries=(replace(CAT, marks=("pinned",)),)), 1)
    )
    assert "### 1 memory" == title
    assert f"the cat is Tom\n-# Ann · <t:{int(NOW.timestamp())}:R> · in pets · pinned · #7" == text


@pytest.mark.parametrize("written", ["# b", "### b", "-# b", "  -# b"])
def test_nobody_s_words_look_like_hathi_s(written: str) -> None:
    """A line that Discord would draw as a title or in small print is drawn as it was written."""
    entry = replace(CAT, body=f"a\n{written}")
    (_, text) = on_discord.texts(drawn_lists.drawn(Listing(title="t", entries=(entry,)), 1))
    assert f"  \\{written.lstrip()}".removeprefix("  " * (written[0] != " ")) == text.splitlines()[1]


@pytest.mark.parametrize("count", [1, 6, 7])
def test_each_memory_has_a_button(count: int) -> None:
    """Up to six of them, one each, however often they are listed and whatever else is; more have none."""
    many = [replace(CAT, memory_id=MemoryId(number)) for number in range(1, count + 1)]
    others = replace(CAT, memory_id=MemoryId(1), is_others=True)
    heads = [Entry(head="session 1", body="x")] * 3
    view = drawn_lists.drawn(Listing(title="t", entries=(*heads, *many, *many)), 1)
    expected = [f"hathi:open:{number}" for number in range(1, count + 1)] if count <= 6 else []
    assert expected == on_discord.ids(view)
    assert ["hathi:theirs:1"] == on_discord.ids(drawn_lists.drawn(Listing(title="t", entries=(others,)), 1))


@pytest.mark.parametrize(("guild_id", "where"), [(1, "1"), (None, "@me")])
def test_an_entry_links_to_its_message(guild_id: int | None, where: str) -> None:
    """Who wants to know where it was said gets there by one click, in a guild and in direct messages."""
    link = (ChannelId(2), MessageId(3))
    entries = (replace(CAT, link=link), Entry(head="#1", body="the cat is Tom", link=link))
    (_, named, unnamed) = on_discord.texts(drawn_lists.drawn(Listing(title="t", entries=entries), guild_id))
    address = f"https://discord.com/channels/{where}/2/3"
    assert (True, f"the cat is Tom\n-# #1 · [go to the message]({address})") == (
        f" · [#pets]({address}) · #7" in named,
        unnamed,
    )


@given(
    page=st.integers(1, 999),
    line=st.sampled_from(["cats", "cats limit:2", "Page 3 of 4 · !memories", "a · !b page"]),
    prefix=st.sampled_from(["!", "?", "h!", "hey.!", "·", "€€", "🐘", "@Hathi !", "@the hathi h!"]),
)
def test_the_footer_tells_what_was_asked(page: int, line: str, prefix: str) -> None:
    """What asks for the list again is read from the message alone, whatever the space's prefix is or was."""
    listing = Listing(
        title="t", entries=(Entry(head="h", body="b"),), page=page, pages=page + 1, again=f"recall {line}"
    )
    asked = drawn_lists.PagedBy(page=page, pages=page + 1, name="recall", line=line)
    view = drawn_lists.drawn(listing, 1, prefix=prefix)
    assert f"-# Page {page} of {page + 1} · {prefix}recall {line}" == on_discord.texts(view)[-1]
    assert asked == drawn_lists.asked(on_discord.read(view))


@pytest.mark.parametrize(
    "footer",
    [
        "",
        "Page 1 of 2",
        "Page 1 of 2 · !forget 1",
        "Page 1 of 2 · !nothing x",
        "x Page 1 of 2 · !sessions",
        "Page 1 of 2 · sessions",
        "Page 1 of 2 · ! sessions",
    ],
)
def test_only_a_listing_is_asked_again(footer: str) -> None:
    """A footer that is not a listing's own, or names a command without pages, asks for nothing."""
    assert None is drawn_lists.asked(on_discord.read(on_discord.of_text(f"-# {footer}")))


@pytest.mark.parametrize("again", ["recall " + "x" * 1000, "recall x limit:99", "nothing x", ""])
def test_what_cant_be_asked_again_offers_no_pages(again: str) -> None:
    """A command line that is too long or would not be understood again has no buttons."""
    assert not drawn_lists.can_be_asked_again(Listing(title="t", entries=(), pages=2, again=again))


async def remember(world: simulated.World, count: int) -> None:
    for number in range(count):
        caller = people.caller("ann", space=world.guild.id, channel=world.channel.id, person=world.ann.id)
        world.clock.forward(seconds=1)
        await world.room.app.enter(caller, channel_name="general", mode="addressed")
        await world.room.app.commands.remembering.save(
            caller, f"fact {number} about cats", importance=5, topic=f"topic {number}"
        )


def ids(message: discord.Message | simcord.ResponseMessage) -> list[int]:
    """The numbers of the memories a list shows."""
    return [int(found[1]) for found in re.finditer(r"^-# .* #(\d+)$", shown(message), re.MULTILINE)]


async def whole(world: simulated.World, listed: discord.Message) -> simcord.ResponseMessage:
    """The whole of a list that is short where everyone reads it, as it is shown to one person."""
    (found,) = (await world.press(listed, controls.ALL)).followups
    return found


def ways(message: discord.Message | simcord.ResponseMessage) -> list[str]:
    """The labels of its buttons but those of its memories."""
    return [label for label in buttons(message) if label != drawn_lists.MORE]


def footer(message: discord.Message | simcord.ResponseMessage) -> str:
    """Its last line, which tells the page."""
    found = FOOTER.search(shown(message))
    assert found is not None
    return found[1]


async def test_recall_is_paged(database: Database, clock: Clock) -> None:
    """Five results a page and twenty in all, each once, forth and back in the same message."""
    async with simulated.world(database, clock) as world:
        await remember(world, 22)
        found = await whole(world, await world.say("!recall cats"))
        pages = [(ids(found), ways(found))]
        for label in ("Page 2 ▶", "Page 3 ▶", "Page 4 ▶", "◀ Page 3"):
            await world.press(found, label)
            pages.append((ids(found), ways(found)))
    seen = [number for numbers, _ in pages[:4] for number in numbers]
    assert (MOST_RESULTS, MOST_RESULTS) == (len(seen), len(set(seen)))
    assert all(len(numbers) == RESULTS_A_PAGE for numbers, _ in pages)
    assert pages[2] == pages[4]
    assert [b for _, b in pages] == [
        ["Page 2 ▶", "Why these?"],
        ["◀ Page 1", "Page 3 ▶", "Why these?"],
        ["◀ Page 2", "Page 4 ▶", "Why these?"],
        ["◀ Page 3", "Why these?"],
        ["◀ Page 2", "Page 4 ▶", "Why these?"],
    ]


async def test_arguments_hold_on_every_page(database: Database, clock: Clock) -> None:
    """What was asked for is asked for again as it was, in the slash form too."""
    async with simulated.world(database, clock) as world:
        await remember(world, 6)
        chosen = answer(await world.choose("recall", query="cats", tier="short"))
        first = ids(chosen)
        await world.press(chosen, "Page 2 ▶")
    assert (5, 1) == (len(first), len(ids(chosen)))
    assert set() == set(first) & set(ids(chosen))
    assert "Page 2 of 2 · !recall cats tier:short" == footer(chosen)


async def test_a_list_by_a_tag_of_two_words_is_paged(database: Database, clock: Clock) -> None:
    """The tag is read back from the footer as it was given, of a typed list and of a chosen recall."""
    async with simulated.world(database, clock) as world:
        for number in range(12):
            text = f"fact {number} about the place {'abcdefghijkl'[number] * 5}"
            await world.choose("remember", text=text, tags="new york")
        pages: list[tuple[str, int]] = []
        listed = await whole(world, await world.say('!memories tag:"New York"'))
        await world.press(listed, "Page 2 ▶")
        pages.append((footer(listed), len(ids(listed))))
        found = answer(await world.choose("recall", query="the place", tag="new york"))
        await world.press(found, "Page 2 ▶")
        pages.append((footer(found), len(ids(found))))
    assert pages == [
        ('Page 2 of 2 · !memories tag:"new york"', 6),
        ('Page 2 of 3 · !recall the place tag:"new york"', RESULTS_A_PAGE),
    ]


async def test_a_list_that_cant_be_read_back_has_no_pages(database: Database, clock: Clock) -> None:
    """A tag may hold the very mark that would end it: better no button than one that finds nothing."""
    async with simulated.world(database, clock) as world:
        for number in range(12):
            await world.choose("remember", text=f"fact {number} {'abcdefghijkl'[number] * 5}", tags='12" pipe')
        listed = answer(await world.choose("memories", tag='12" pipe')).message
    assert (6, []) == (len(ids(listed)), ways(listed))


async def test_lists_are_told_as_they_are_typed_in_the_space(database: Database, clock: Clock) -> None:
    """A footer begins with the space's prefix, on every page; one from before it was changed is still understood."""
    async with simulated.world(database, clock) as world:
        await remember(world, 12)
        listed = await whole(world, await world.say("!memories"))
        told = [footer(listed)]
        await world.say("!settings prefix ?")
        await world.press(listed, "Page 2 ▶")
        told.append(footer(listed))
        found = answer(await world.choose("recall", query="cats"))
        told.append(footer(found))
        await world.press(found, "Page 2 ▶")
        told.append(footer(found))
        told.append(footer(await world.say("!recall cats limit:4")))
    assert told == [
        "Page 1 of 2 · !memories",
        "Page 2 of 2 · ?memories",
        "Page 1 of 3 · ?recall cats",
        "Page 2 of 3 · ?recall cats",
        "Page 1 of 3 · ?recall cats limit:4",
    ]


async def test_pages_outlive_the_bot(database: Database, clock: Clock) -> None:
    """After a restart the same message is paged by another client that never saw it before."""
    async with simulated.world(database, clock) as world:
        await remember(world, 12)
        sent = await whole(world, await world.say("!memories sort:new"))
        before = ids(sent)
        await world.restart()
        await world.press(sent, "Page 2 ▶")
    assert (list(range(12, 6, -1)), list(range(6, 0, -1))) == (before, ids(sent))
    assert ["◀ Page 1"] == ways(sent)


async def test_a_page_shows_what_the_channel_may_see_by_then(database: Database, clock: Clock) -> None:
    """A page is asked for anew, with the channel's audience of the moment: what is hidden by then is not in it."""
    async with simulated.world(database, clock) as world:
        await remember(world, 12)
        elsewhere = world.guild.create_text_channel("other")
        sent = await world.say("!memories sort:new")
        await world.ann.send(elsewhere, "!memories sort:new")
        short = elsewhere.last_message
        assert short is not None
        listed = await whole(world, short)
        await world.say("!forget 1")
        home = world.client.get_channel(world.channel.id)
        assert isinstance(home, discord.TextChannel)
        await home.set_permissions(home.guild.default_role, view_channel=False)
        result = await world.press(listed, "Page 2 ▶")
    assert (3, 6) == (len(ids(sent)), len(ids(listed)))
    assert "No memories on page 2." == answer_text(result)


def answer_text(result: object) -> str:
    followups = getattr(result, "followups")  # noqa: B009 - whatever has them
    assert [True] == [message.ephemeral for message in followups]
    return followups[0].content


async def test_a_listing_that_lost_its_footer_says_so(database: Database, clock: Clock) -> None:
    """A button whose list can't be known any more says so to the presser alone."""
    async with simulated.world(database, clock) as world:
        await remember(world, 12)
        sent = await world.say("!memories")
        channel = world.client.get_channel(world.channel.id)
        assert isinstance(channel, discord.TextChannel)
        await channel.get_partial_message(sent.id).edit(view=layouts.told("x", [controls.turn(2, controls.PAGE_ON)]))
        result = await world.press(sent, "Page 2 ▶")
    assert answer_text(result).startswith("I don't know any more")


async def test_results_lead_to_where_they_were_said(database: Database, clock: Clock) -> None:
    """A memory leads to the message it rests on, a message to itself, in the channel or thread where they stand."""
    async with simulated.world(database, clock) as world:
        caller = await world.talk("Remember that the cat is called Tom.", "My dog likes the garden in spring.")
        sent = await world.say("!recall cat garden")
        async with database.connection() as connection:
            rows = await connection.fetch(
                "SELECT message_id FROM message WHERE space_id = $1 AND role = 'person' ORDER BY message_id",
                caller.space_id,
            )
    texts = [part["content"] for part in components(sent) if "](https" in part.get("content", "")]
    values = sorted(texts, key=lambda value: "cat" not in value)
    links = [f"https://discord.com/channels/{world.guild.id}/{world.channel.id}/{row[0]}" for row in rows]
    assert [True, True] == [link in value for link, value in zip(links, values, strict=True)]


async def test_sessions_are_listed_in_parts(database: Database, clock: Clock) -> None:
    """Past sessions are drawn one by one, with their summaries."""
    async with simulated.world(database, clock) as world:
        await world.talk("We decided to paint the house green.")
        await world.say("!reset")
        await world.settled()
        sent = await world.say("!sessions")
    title, summary, *_ = (part["content"] for part in components(sent) if "content" in part)
    assert "### 1 past session of this channel" == title
    assert re.search(r"\n-# <t:\d+:R> · 2 messages · 1 memory · session 1$", summary)
