"""Commands as people type them: behind the prefix they chose, or said to Hathi in words."""

from bot.commands import grammar, hello
from bot.config import Roles
from bot.db.pool import Database
from tests import discord_bot


async def test_replies_name_commands_by_the_space_s_prefix(database: Database) -> None:
    """Where a space has another prefix, replies, refusals and what buttons say name commands with it, and no other."""
    async with discord_bot.running(database) as bot:
        owner = bot.knows(bot.guild.owner)
        await bot.answer(await owner.say(bot.channel, "!settings prefix ?"))
        saved = await bot.answer(await owner.say(bot.channel, "?remember the lift says !reset when it is stuck"))
        told = [
            (await bot.answer(await owner.say(bot.channel, line))).content
            for line in ("?help", "?help age", "?memories nosuch", "?forget", "?channel enable", "?forget 1")
        ]
    assert "saved" in saved.content
    assert [] == [text for text in told if "!" in text.replace("says !reset when", "")]
    assert ["`?reset`", "`?age [older_than_hours:1-87600]"] == [told[0].split(" ")[0], " ".join(told[1].split(" ")[:2])]
    assert "?recall nosuch looks in the texts." in told[2]
    assert told[3].endswith(": ?forget <id>")
    assert "?channel disable stops that." in told[4]
    assert "?undo brings it back until then." in told[5]


def test_only_commands_take_the_prefix() -> None:
    """What only looks like a command, what people said, and every text under the usual prefix, stays as it is."""
    text = "Hi! !reset, (!help) !!undo x!forget !resetting !play !mydata erase"
    assert "Hi! ?reset, (?help) !!undo x!forget !resetting !play ?mydata erase" == grammar.prefixed(text, "?")
    assert text == grammar.prefixed(text, grammar.PREFIX)
    assert "There is no command ?play; ?help" == grammar.prefixed("There is no command !play; !help", "?")
    said = "[memory] back: #1 it says !help\n    type !help\n  2026-03-02 12:00 UTC · !help me"
    assert f"{said}\n?undo" == grammar.prefixed(f"{said}\n!undo", "?")
    assert r"\1help" == grammar.prefixed("!help", r"\1")


async def test_what_is_said_is_no_command_though_it_begins_as_one(database: Database) -> None:
    """Behind a mention a note to self is a memory and "help" is answered as it is without; commands stay commands."""
    async with discord_bot.running(database, roles=Roles()) as bot:
        ann = bot.person("Ann")
        assert "buy tape" in (await bot.asks(ann, bot.channel, "note to self: buy tape")).content
        helped = (await bot.asks(ann, bot.channel, "help me")).content
        assert hello.CANT not in helped
        assert "!me" not in helped.split("\n")[0]
        assert "[note] N1" in (await bot.asks(ann, bot.channel, "note buy milk")).content
        async with database.connection() as connection:
            assert ["buy tape"] == [row["content"] for row in await connection.fetch("SELECT content FROM memory")]


async def test_a_request_to_remember_is_read_by_its_words(database: Database) -> None:
    """Behind a mention "remember that …" keeps what follows it, and "remember this" the answer before."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        asked = await bot.asks(ann, bot.channel, "remember that the car is red")
        assert "[memory] saved: topic=car red" in asked.content
        assert "nothing in that answer to keep" in (await bot.asks(ann, bot.channel, "remember this")).content
        assert "Fine." == (await bot.asks(ann, bot.channel, "remember when we went to Rome")).content
        assert "topic=bikes" in (await bot.asks(ann, bot.channel, "remember mine is blue topic:bikes")).content
        async with database.connection() as connection:
            rows = await connection.fetch("SELECT content, cardinality(evidence) FROM memory ORDER BY memory_id")
    assert [("the car is red", 1), ("mine is blue", 1)] == [tuple(row) for row in rows]
