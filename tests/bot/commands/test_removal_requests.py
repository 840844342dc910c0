"""The laws of asking to have removed what another said about one."""

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import Caller, Reply
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room

ADMIN = people.caller("Cleo", person=9, admin=True, sees=(10, 11))
BOB = people.caller("Bob", person=8)


async def met(r: Room) -> tuple[Caller, Caller]:
    """Bob, about whom Ann says something, and an admin."""
    bob = await r.app.enter(BOB, channel_name="general", mode="all")
    admin = await r.app.enter(ADMIN, channel_name="general", mode="all")
    await r.run("!remember Bob is allergic to nuts.")
    return bob, admin


async def listed(r: Room, by: Caller) -> Reply:
    return await r.app.commands.run(by, "memory", "requests", r.tell_later)


async def test_who_is_spoken_of_asks_and_who_manages_the_server_forgets(database: Database, clock: Clock) -> None:
    """`!me` says how; the request stands in a list with the text and who asks, until the memory is forgotten."""
    async with room(database, clock) as r:
        bob, admin = await met(r)
        mine = await r.run("!me", by=bob)
        assert mine.splitlines()[-1] == "  !mydata remove 1 asks to have it removed"
        told = await r.run("!mydata remove 1", by=bob)
        again = await r.run("!mydata remove 1", by=bob)
        assert (told.startswith("Those who manage this server are asked to remove #1"), told) == (True, again)
        found = await listed(r, admin)
        assert found.text.splitlines() == [
            "1 memory that people ask to have removed",
            "#1 · Bob asks · said by Ann · 2026-03-02 12:00 UTC",
            "    Bob is allergic to nuts.",
            "  !forget 1",
        ]
        await r.run("!forget 1", by=admin)
        assert (await listed(r, admin)).text.startswith("Nobody asks to have anything removed")
        await r.run("!undo", by=admin)
        assert "#1 · Bob asks" in (await listed(r, admin)).text


async def test_nothing_else_can_be_asked_for(database: Database, clock: Clock) -> None:
    """Not what is not there or not seen, not what is about another, and not what is one's own to forget."""
    async with room(database, clock) as r:
        bob, admin = await met(r)
        cleo = await r.app.enter(people.caller("Dora", person=10), channel_name="general", mode="all")
        hidden = await r.app.enter(people.caller(channel=11), channel_name="secret", mode="all")
        await r.run("!remember Bob sings badly.", by=hidden)
        await r.run("!remember I am Bob.", by=bob)
        for line, by, why in (
            ("!mydata remove 7", bob, "There is no memory #7 here"),
            ("!mydata remove 2", bob, "There is no memory #2 here"),
            ("!mydata remove 1", cleo, "#1 is not about you"),
            ("!mydata remove 3", bob, "#3 is yours to remove"),
            ("!mydata remove 1", admin, "#1 is yours to remove"),
        ):
            with pytest.raises(errors.UserError, match=why):
                await r.run(line, by=by)
        assert (await listed(r, admin)).text.startswith("Nobody asks")
        with pytest.raises(errors.NotAllowed, match="Manage Server"):
            await listed(r, bob)


async def test_a_request_is_shown_only_where_the_memory_may_be(database: Database, clock: Clock) -> None:
    """Who manages the server is shown by the channel they ask in, as by every list."""
    async with room(database, clock) as r:
        _, admin = await met(r)
        hidden = await r.app.enter(people.caller(channel=11), channel_name="secret", mode="all")
        there = await r.app.enter(people.caller("Bob", person=8, channel=11), channel_name="secret", mode="all")
        await r.run("!remember Bob sings badly.", by=hidden)
        await r.run("!mydata remove 2", by=there)
        narrow = people.caller("Cleo", person=9, admin=True)
        assert (await listed(r, narrow)).text.startswith("Nobody asks")
        assert "Bob sings badly." in (await listed(r, admin)).text


@pytest.mark.parametrize(
    "said",
    [
        "!forget 1",
        "!edit 1 Bob eats nuts.",
        "forget #1",
        "#1 is not true, forget it",
        "forget what Ann said about me",
        "correct #1: Bob eats nuts",
    ],
)
async def test_who_may_not_forget_what_is_said_of_them_is_told_how_they_ask(
    database: Database, clock: Clock, said: str
) -> None:
    """Typed or spoken; and nobody else is, for whom that is no way."""
    async with room(database, clock) as r:
        bob, _ = await met(r)
        dora = await r.app.enter(people.caller("Dora", person=10), channel_name="general", mode="all")
        told = list[str]()
        for by in (bob, dora):
            try:
                told.append(await r.run(said, by) if said[0] == "!" else (await r.say(said, by)).text)
            except errors.NotAllowed as exc:
                told.append(str(exc))
    assert [True, False] == ["!mydata remove 1 asks those who manage" in each for each in told]
    assert "said by someone else" in told[0]
