"""The laws of `!me`: what is known about whoever asks, as it may be shown where they ask, quoted and dated."""

import pytest

from bot.commands import about_me
from bot.db.pool import Database
from bot.domain import Caller, Reply
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room

BOB = people.caller("Bob", person=8)
ADMIN = people.caller(admin=True)


async def me(r: Room, line: str = "", by: Caller | None = None) -> Reply:
    """The whole reply to `!me`."""
    return await r.app.commands.run(by or r.caller, "me", line, r.tell_later)


async def test_what_is_known_is_quoted_with_when_and_by_whom(database: Database, clock: Clock) -> None:
    """The most important first, then the newest; each with its number, day, author, and what can be done with it."""
    async with room(database, clock) as r:
        await r.run("!remember I am vegan. importance:7")
        await r.run("!remember I live in Basel. importance:9")
        await r.run("!remember I play chess. importance:7")
        reply = await me(r)
    assert reply.text.splitlines() == [
        "What I know about you: 3 memories",
        "#2 · 2026-03-02 12:00 UTC · importance 9 · Ann · in general",
        "    “I live in Basel.”",
        "  !forget 2 · !edit 2 … · !pin 2",
        "#3 · 2026-03-02 12:00 UTC · importance 7 · Ann · in general",
        "    “I play chess.”",
        "  !forget 3 · !edit 3 … · !pin 3",
        "#1 · 2026-03-02 12:00 UTC · importance 7 · Ann · in general",
        "    “I am vegan.”",
        "  !forget 1 · !edit 1 … · !pin 1",
    ]
    assert reply.listing is not None
    assert [entry.memory_id for entry in reply.listing.entries] == [2, 3, 1]
    assert reply.listing.changeable
    assert reply.shown == (2, 3, 1)


async def test_what_others_said_about_the_person_is_theirs_too(database: Database, clock: Clock) -> None:
    """What they are the subject of, not what others said about themselves."""
    async with room(database, clock) as r:
        bob = await r.app.enter(BOB, channel_name="general", mode="all")
        await r.run("!remember Ann sings well.", by=bob)
        await r.run("!remember I dance.", by=bob)
        async with database.connection() as connection:
            await connection.execute("UPDATE memory SET subject_id = 7 WHERE memory_id = 1")
        mine, his = await me(r), await me(r, by=bob)
    assert [entry.body for entry in mine.listing.entries] == ["“Ann sings well.”"] if mine.listing else False
    assert [entry.memory_id for entry in his.listing.entries] == [2, 1] if his.listing else False


async def test_nothing_is_told_that_may_not_be_shown_where_it_is_asked(database: Database, clock: Clock) -> None:
    """Not what they said in a channel not everyone here can read, nor what is forgotten or replaced."""
    async with room(database, clock) as r:
        secret = await r.app.enter(people.caller(channel=20), channel_name="secret", mode="all")
        await r.run("!remember I am ill.", by=secret)
        await r.run("!remember I was tall.")
        await r.run("!remember I snore.")
        await r.run("!edit 2 I am tall.")
        await r.run("!forget 3")
        here, there = await me(r), await me(r, by=secret)
    assert [entry.body for entry in here.listing.entries] == ["“I am tall.”"] if here.listing else False
    assert [entry.body for entry in there.listing.entries] == ["“I am ill.”"] if there.listing else False
    assert here.text.startswith("What I know about you: 1 memory\n")


async def test_much_is_told_in_pages(database: Database, clock: Clock) -> None:
    """Five a page, each saying how to go on; past the last it says that there is no more."""
    async with room(database, clock) as r:
        for number in range(7):
            await r.run(f"!remember I own {number} horses.")
        first, second, third = await me(r), await me(r, "page:2"), await me(r, "page:3")
    assert first.text.endswith("Page 1 of 2; go on with !me page:2")
    assert second.listing is not None
    assert (2, 2, 2) == (second.listing.page, second.listing.pages, len(second.listing.entries))
    assert "Page" not in second.text
    assert third.text.endswith("on page 3.")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", about_me.NOTHING),
        ("memory mode off", about_me.NOTHING_KEPT),
        ("memory mode explicit", about_me.NOTHING_SAID),
        ("memory off me", about_me.OPTED_OUT),
    ],
)
async def test_where_nothing_is_known_one_sentence_says_how_to_change_that(
    database: Database, clock: Clock, line: str, sentence: str
) -> None:
    """As the channel's mode and the person's own wish have it."""
    async with room(database, clock, who=ADMIN) as r:
        if line:
            await r.run(f"!{line}")
        reply = await me(r)
    assert sentence.format(p="!") == reply.text
    assert reply.listing is None


async def test_the_conversation_can_ask_for_the_same(database: Database, clock: Clock) -> None:
    """`about` is the first page, in words."""
    async with room(database, clock) as r:
        await r.run("!remember I am vegan.")
        assert await r.app.commands.about_me.about(r.caller) == await me(r)
