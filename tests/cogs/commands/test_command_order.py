"""Commands among what is said: in their order, once, and never without a word."""

import asyncio

from bot import errors
from bot.db.pool import Database
from tests import discord_bot
from tests.model_server import Reply
from tests.rows import one


async def test_what_is_said_after_a_command_finds_it_done(database: Database) -> None:
    """A message right behind `!memory mode off` is not kept, and one right behind `!reset` begins anew."""
    async with discord_bot.running(database) as bot:
        owner = bot.knows(bot.guild.owner)
        await bot.asks(owner, bot.channel, "The parrot is called Lorito.")
        await owner.say(bot.channel, "!reset")
        await bot.asks(owner, bot.channel, "What now?")
        await owner.say(bot.channel, "!memory mode off")
        await bot.asks(owner, bot.channel, "The vault code is heron.")
        await bot.settled()
        async with database.connection() as connection:
            kept = [row["content"] for row in await connection.fetch("SELECT content FROM message ORDER BY message_id")]
        talk = [prompt for prompt in bot.world.prompts if prompt.endswith("What now?")]
    assert 1 == len(talk)
    assert "Lorito" not in talk[0]
    assert not any("heron" in text for text in kept)


async def test_two_workers_carry_a_command_out_once(database: Database) -> None:
    """While one worker takes over from another both hear a command; one of them does it and answers."""
    async with (
        discord_bot.world() as place,
        discord_bot.connected(place, database) as one,
        discord_bot.connected(place, database) as two,
    ):
        owner = one.knows(two.knows(place.guild.owner))
        commands = [await owner.say(place.channel, f"!remember the fact number {n}") for n in range(5)]
        await place.until(lambda: all(place.replies(command) for command in commands))
        await one.settled()
        await two.settled()
        assert [1] * 5 == [len(place.replies(command)) for command in commands]


async def test_a_command_that_was_missed_is_not_carried_out_and_told(database: Database) -> None:
    """Whoever gave it while nobody listened is asked to give it again, once."""
    async with discord_bot.world() as place:
        owner = place.guild.owner
        async with discord_bot.connected(place, database) as bot:
            await bot.asks(bot.knows(owner), place.channel, "Are you there?")
        command = await owner.say(place.channel, "!remember the kettle is blue")
        async with discord_bot.connected(place, database) as bot:
            said = await bot.answer(command)
            await bot.settled()
            count = await one(database, "SELECT count(*) FROM memory")
        async with discord_bot.connected(place, database) as bot:
            await bot.asks(bot.knows(owner), place.channel, "And now?")
            await bot.settled()
    assert (str(errors.Missed()), 0) == (said.content, count)
    assert 1 == len(place.replies(command))


async def test_a_first_memory_by_command_is_told_of(database: Database) -> None:
    """Who is remembered for the first time by `!remember` is told so once, as by any other message."""
    async with discord_bot.running(database) as bot:
        ann = bot.world.newcomer("Ann")
        for text in ("!remember I drink tea", "!remember I drink coffee"):
            await bot.answer(await ann.say(bot.channel, text))
            await bot.settled()
        said = [message.text for message in bot.channel.said_by(bot.discord.bot)]
        # Under the reply to the first, and nowhere else.
        assert [True, False] == [text.endswith(f"\n{bot.notice()}") for text in said]


async def test_nothing_is_kept_of_whoever_says_nothing_to_hathi(database: Database) -> None:
    """Talk that is not for Hathi leaves no name and no person behind, said, edited or missed."""
    async with discord_bot.world() as place:
        owner, ben = place.guild.owner, place.newcomer("Ben")
        async with discord_bot.connected(place, database) as bot:
            said = await ben.say(place.channel, "Lunch at noon?")
            await ben.edit(said, "Lunch at one?")
            await bot.asks(bot.knows(owner), place.channel, "Are you there?")
        await ben.say(place.channel, "Or at two?")
        async with discord_bot.connected(place, database) as bot:
            await bot.asks(bot.knows(owner), place.channel, "And now?")
            await bot.settled()
            async with database.connection() as connection:
                people = {row["person_id"] for row in await connection.fetch("SELECT person_id FROM person")}
                names = {row["name"] for row in await connection.fetch("SELECT name FROM member")}
    assert ({owner.user_id}, False) == (people, "Ben" in names)


async def test_a_database_away_costs_the_first_words_only(database: Database) -> None:
    """An outage just when a person is to be told does not end the answer."""
    async with discord_bot.running(database, answer=Reply(text="Fine.")) as bot:
        ann = bot.world.newcomer("Ann")

        async def away(*_: object) -> bool:
            await asyncio.sleep(0)
            raise errors.DatabaseDown

        bot.app.people.tell = away  # pyright: ignore[reportAttributeAccessIssue]
        assert "Fine." == (await bot.asks(ann, bot.channel, "How are you?")).content


async def test_a_memory_goes_with_the_command_that_made_it(database: Database) -> None:
    """Who deletes their `!remember` takes the memory back, whether Hathi listens or is away."""
    async with discord_bot.world() as place:
        owner = place.guild.owner
        async with discord_bot.connected(place, database) as bot:
            bot.knows(owner)
            live, away, stays = [
                await owner.say(place.channel, f"!remember the kettle is {colour}")
                for colour in ("blue", "green", "red")
            ]
            await bot.answer(stays)
            await owner.delete(live)
            await bot.asks(owner, place.channel, "And now?")
            await bot.settled()
        await owner.delete(away)
        async with discord_bot.connected(place, database) as bot:
            await bot.asks(bot.knows(owner), place.channel, "And then?")
            await bot.caught_up()
            await bot.settled()
            async with database.connection() as connection:
                left = [row["content"] for row in await connection.fetch("SELECT content FROM memory")]
    assert ["the kettle is red"] == left
