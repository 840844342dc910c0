"""The laws of `!me`: what is known about whoever asks, as it may be shown where they ask, quoted and dated."""

from dataclasses import replace

import pytest

from bot.commands import about_me
from bot.db.pool import Database
from bot.domain import Caller, PersonId, Reply
from bot.presentation import render
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import rows

BOB = people.caller("Bob", person=8)
ADMIN = people.caller(admin=True)


def listed(reply: Reply) -> list[str]:
    """What it quotes."""
    return [] if reply.listing is None else [entry.body for entry in reply.listing.entries]


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
    assert [entry.is_others for entry in reply.listing.entries] == [False] * 3
    assert [(entry.who, entry.place) for entry in reply.listing.entries] == [("Ann", "general")] * 3
    assert reply.shown == (2, 3, 1)


async def test_what_others_said_about_the_person_is_theirs_and_not_the_others(database: Database, clock: Clock) -> None:
    """What they are the subject of, whoever said it; not what they said about others, or about no one."""
    async with room(database, clock) as r:
        bob = await r.app.enter(BOB, channel_name="general", mode="all")
        await r.run("!remember Ann sings well.", by=bob)
        await r.run("!remember I dance.", by=bob)
        await r.run("!remember The market is on Monday.", by=bob)
        await r.run("!remember pats nummer ist 0170 555", by=bob)
        mine, his = await me(r), await me(r, by=bob)
    assert ["“Ann sings well.”"] == listed(mine)
    assert ["“I dance.”"] == listed(his)


@pytest.mark.parametrize(
    "text",
    [
        "my bday is 24 dec lol",
        "allergic to nuts, that's me",
        "ich bin montags im Homeoffice",
        "meine Schicht endet um vier",
        "j'habite à Lyon",
        "je m'appelle Chloé",
        "soy alérgica a las nueces",
        "tengo dos gatos",
        "mi número es el 12",
    ],
)
async def test_who_speaks_of_themselves_is_told_so(database: Database, clock: Clock, text: str) -> None:
    """In the first person of any language that Hathi knows, as people write in a hurry."""
    async with room(database, clock) as r:
        await r.run(f"!remember {text}")
        await r.run("!remember the release is on 18 December, as QA needs another week")
        await r.run("!remember der Schlüssel hängt beim Hausmeister")
        assert [f"“{text}”"] == listed(await me(r))


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Bob is allergic to nuts.", 8),
        ("Our baker Bob Stone is late.", 9),
        ("bob is allergic to nuts.", 8),
        ("I told Bob about it.", 7),
        ("<@8> is allergic to nuts.", 8),
        ("@Bob is allergic to nuts.", 8),
        ("Robert is allergic to nuts.", None),
        ("Kim is allergic to nuts.", None),
        ("Lee is allergic to nuts.", 12),
    ],
)
async def test_a_memory_is_about_the_one_person_who_had_the_name_then(
    database: Database, clock: Clock, text: str, subject: int | None
) -> None:
    """By "I", by a mention, or by a name: not by one that two have, or that somebody takes later."""
    async with room(database, clock) as r:
        await r.app.enter(BOB, channel_name="general", mode="all")
        for name, who in (("Bob Stone", 9), ("Kim", 10), ("Kim", 11), ("Lee", 12), ("Lee", 13)):
            await r.app.enter(people.caller(name, person=who), channel_name="general", mode="all")
        # One of the two is called otherwise by now, and was not seen by the old name since.
        clock.forward(hours=1)
        await r.app.enter(people.caller("Leonie", person=13), channel_name="general", mode="all")
        if "Bob Stone" not in text:
            async with database.connection() as connection:
                await connection.execute("DELETE FROM member WHERE person_id = 9")
        clock.forward(hours=1)
        await r.run(f"!remember {text}")
        clock.forward(hours=1)
        await r.app.enter(people.caller("Robert", person=8), channel_name="general", mode="all")
        assert [(subject,)] == await rows(database, "SELECT subject_id FROM memory")


async def test_whose_name_two_have_is_known_by_a_mention(database: Database, clock: Clock) -> None:
    """Who is mentioned is told with the command or message, beside the name that stands in its text."""
    async with room(database, clock) as r:
        for who in (8, 9):
            await r.app.enter(people.caller("Bob", person=who), channel_name="general", mode="all")
        mentioned = {"Bob": PersonId(9)}
        await r.app.commands.run(r.caller, "remember", "@Bob is allergic.", r.tell_later, mentioned=mentioned)
        assert [(9,)] == await rows(database, "SELECT subject_id FROM memory")


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
    """Six a page, each saying how to go on; past the last it says that there is no more."""
    async with room(database, clock) as r:
        for number in range(7):
            await r.run(f"!remember I own {number} horses.")
        first, second, third = await me(r), await me(r, "page:2"), await me(r, "page:3")
    assert first.text.endswith("Page 1 of 2; go on with !me page:2")
    assert second.listing is not None
    assert (2, 2, 1) == (second.listing.page, second.listing.pages, len(second.listing.entries))
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


async def test_in_direct_messages_it_says_where_else_to_ask(database: Database, clock: Clock) -> None:
    """Where nothing is known, and nothing happened; in a server there is no need to."""
    async with room(database, clock) as r:
        cy = replace(people.caller("Cy", space=9, channel=90, person=9), is_direct=True, reads_alone=True)
        alone = await r.app.enter(cy, channel_name="", mode="addressed")
        told = [(await r.app.commands.run(alone, each, "", r.tell_later)).text for each in ("me", "missed")]
        there = [(await r.app.commands.run(r.caller, each, "", r.tell_later)).text for each in ("me", "missed")]
    assert [True, True] == [text.endswith(render.ASK_THERE) for text in told]
    assert [False, False] == [render.ASK_THERE in text for text in there]


async def test_the_conversation_can_ask_for_the_same(database: Database, clock: Clock) -> None:
    """`about` is the first page, in words."""
    async with room(database, clock) as r:
        await r.run("!remember I am vegan.")
        assert await r.app.commands.about_me.about(r.caller) == await me(r)


async def test_a_name_in_small_letters_is_somebody_who_is_known_here(database: Database, clock: Clock) -> None:
    """But no word that memories have for a thing, nor one that nobody or more than one has for a name."""
    async with room(database, clock) as r:
        people_here = {name: number for number, name in enumerate(("Ingrid M", "Storm", "Lin", "lin"), 20)}
        for name, number in people_here.items():
            caller = people.caller(name, person=number)
            await r.app.enter(caller, channel_name="general", mode="all")
            await r.overhear("hello", caller)
        for text in ("The storm took the shed", "ingrid is always late", "storm is coming on Friday", "lin is tall"):
            await r.run(f"!remember {text}.")
        await r.run("!remember nobodyhere is always early.")
        found = await rows(database, "SELECT content, subject_id FROM memory ORDER BY memory_id")
    assert [None, 20, None, None, None] == [subject for _, subject in found]
