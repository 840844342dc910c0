"""What a prompt is shown of a channel of which nothing is kept: read on Discord, less what nobody is to be shown."""

from collections.abc import AsyncGenerator, Sequence
from datetime import timedelta
from typing import Final

import discord
import pytest

from bot import app
from bot.db.pool import Database
from bot.domain import Message, MessageId, PersonId, SessionId, SpaceId, new_id
from bot.recall.librarian import Librarian
from bot.store.people import People
from bot.store.spaces import Place, Spaces
from bot.text import notices
from cogs.chat import history
from tests import discord_bot, outages, people
from tests.conftest import Clock
from tests.discord_bot import DiscordBot
from tests.discord_server.users import User
from tests.model_server import Reply

FINCH, SONG, TEA = "zebrafinch", "quokkasong", "walrustea"
"""Words that stand nowhere else."""
PLACE: Final = Place(mode="addressed", enabled=False, prefix="!", language="english", time_zone="UTC")


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    async with discord_bot.running(database, answer=Reply(text=f"It is a {SONG}.")) as running:
        yield running


async def shown(bot: DiscordBot, asker: User, *, librarian: Librarian | None = None) -> str:
    """All that a prompt of theirs would be shown."""
    return "\n".join(message.content for message in await _live(bot, asker, librarian or bot.app.librarian))


async def _live(bot: DiscordBot, asker: User, librarian: Librarian) -> Sequence[Message]:
    channel, me = bot.client.get_channel(bot.channel.channel_id), bot.client.user
    assert isinstance(channel, discord.TextChannel)
    assert me is not None
    caller = people.caller(asker.name, space=bot.guild.guild_id, channel=channel.id, person=asker.user_id)
    return await history.live(
        channel,
        caller,
        me=me,
        after=SessionId(0),
        before=MessageId(new_id(app.utc_now() + timedelta(hours=1))),
        text_of=bot.chat.texts.of,
        librarian=librarian,
        people=bot.app.people,
        place=PLACE,
    )


@pytest.mark.parametrize("erased", [False, True])
async def test_what_was_forgotten_is_not_shown(bot: DiscordBot, *, erased: bool) -> None:
    """Neither the message a forgotten memory rested on nor the answer to it, before it is erased and after."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    await bot.asks(ann, bot.channel, f"What sings {TEA}?")
    await bot.asks(ann, bot.channel, f"Remember that the {FINCH} sings.")
    before = await shown(bot, ben)
    await bot.answer(await ann.say(bot.channel, "!forget 1"))
    if erased:
        await bot.app.archivist.erase([SpaceId(bot.guild.guild_id)], now=app.utc_now() + timedelta(hours=1))
    after = await shown(bot, ben)
    assert (True, True) == (FINCH in before, TEA in before)
    assert (False, True, True) == (FINCH in after, TEA in after, SONG in after)


async def test_others_who_opted_out_are_not_shown(bot: DiscordBot) -> None:
    """Neither their words nor the answers to them, however long, to anybody but themselves."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    bot.model.always = Reply(text=f"{FINCH} " * 400)
    await bot.asks(ann, bot.channel, f"What is a {TEA}?")
    bot.model.always = Reply(text=f"It is a {SONG}.")
    await bot.asks(ben, bot.channel, "And what is this?")
    await bot.app.people.opt_out(PersonId(ann.user_id), app.utc_now())
    theirs, own = await shown(bot, ben), await shown(bot, ann)
    assert (False, False, True) == (FINCH in theirs, TEA in theirs, SONG in theirs)
    assert (True, True, True) == (FINCH in own, TEA in own, SONG in own)


async def test_what_somebody_erased_is_not_shown(bot: DiscordBot) -> None:
    """To nobody, themselves included, nor what it was answered; Discord has it still."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    await bot.asks(ann, bot.channel, f"What is a {TEA}?")
    await bot.answer(await ann.say(bot.channel, "!mydata erase confirm"))
    assert ["", ""] == [await shown(bot, each) for each in (ann, ben)]


async def test_commands_are_not_shown(bot: DiscordBot) -> None:
    """Neither what was typed as a command nor what it was answered; talk is."""
    ann = bot.person("Ann")
    await bot.answer(await ann.say(bot.channel, f"!remember The {FINCH} sings."))
    await bot.answer(await bot.says_to_hathi(ann, bot.channel, f"!recall {FINCH}"))
    await bot.asks(ann, bot.channel, f"What is a {TEA}?")
    found = await shown(bot, ann)
    assert (False, True, True) == (FINCH in found, TEA in found, SONG in found)


@pytest.mark.parametrize("line", ["!reset", "!reset discard"])
async def test_it_ends_where_a_reset_cleared_it(bot: DiscordBot, line: str) -> None:
    """Whatever session it began in: the notice of a reset says so, in texts among its components."""
    ann, owner = bot.person("Ann"), bot.guild.owner
    await bot.asks(ann, bot.channel, f"What sings {FINCH}?")
    notice = await bot.answer(await owner.say(bot.channel, line))
    await bot.until(lambda: notice.text.endswith(notices.CLEARED))
    await bot.asks(ann, bot.channel, f"What is a {TEA}?")
    found = await shown(bot, ann)
    assert (True, "") == (bool(notice.components), notice.content)
    assert (False, True) == (FINCH in found, TEA in found)


@pytest.mark.parametrize("mode", ["off", "explicit"])
async def test_a_reset_clears_what_is_not_recorded(bot: DiscordBot, mode: str) -> None:
    """Also where what stood before it is of another mode, and is summarized."""
    ann, owner = bot.person("Ann"), bot.guild.owner
    await bot.asks(ann, bot.channel, f"What sings {FINCH}?")
    await bot.answer(await owner.say(bot.channel, f"!memory mode {mode}"))
    await bot.asks(ann, bot.channel, "And what else sings?")
    before = bot.world.prompts[-1]
    notice = await bot.answer(await owner.say(bot.channel, "!reset"))
    await bot.until(lambda: notice.text.endswith(notices.CLEARED))
    await bot.asks(ann, bot.channel, f"What is a {TEA}?")
    await bot.asks(ann, bot.channel, "Hm, really?")
    assert (True, False) == (FINCH in before, FINCH in bot.world.prompts[-1])
    assert TEA in bot.world.prompts[-1]


async def test_nothing_is_shown_while_the_database_is_away(bot: DiscordBot, dsn: str) -> None:
    """What may not be shown can't be told then, so nothing is."""
    ann = bot.person("Ann")
    await bot.asks(ann, bot.channel, f"What is a {TEA}?")
    there = await shown(bot, ann)
    async with outages.frail(dsn) as (frail, wire):
        await wire.cut()
        away = await shown(bot, ann, librarian=Librarian(frail))
    assert (True, "") == (TEA in there, away)


async def test_the_withheld_are_those_of_one_space(database: Database, clock: Clock) -> None:
    """Hidden, or in the evidence of what was forgotten, in the space asked of and among the messages asked of."""
    for space in (1, 2):
        who = people.caller(space=space, channel=10 * space)
        await Spaces(database).ensure(who, channel_name="c", mode="all", language="english", now=clock())
    async with database.connection() as connection:
        for space, message_id, hidden in ((1, 5, clock()), (1, 6, None), (2, 6, clock()), (1, 7, clock())):
            await connection.execute(
                "INSERT INTO message (space_id, message_id, channel_id, session_id, role, author, content, said_at,"
                " hidden_at, search) VALUES ($1, $2, 10, 1, 'person', 'Ann', 'x', now(), $3, '')",
                space,
                message_id,
                hidden,
            )
        await connection.execute(
            "INSERT INTO tombstone VALUES (1, 1, 10, '{8,9}', '', now()), (2, 1, 20, '{3}', '', now())"
        )
    found = [
        await Librarian(database).withheld(SpaceId(space), map(MessageId, asked))
        for space, asked in ((1, (3, 5, 6, 8)), (2, (3, 5, 6, 8)), (1, ()))
    ]
    assert [{5, 8}, {3, 6}, set()] == found


async def test_of_many_those_who_opted_out(database: Database, clock: Clock) -> None:
    """Whoever opted out among those asked of, and nobody else."""
    known = People(database)
    for person in (1, 2):
        await known.opt_out(PersonId(person), clock())
    await known.opt_in(PersonId(2))
    found = [await known.declined(map(PersonId, asked)) for asked in ((1, 2, 3), (2, 3), ())]
    assert [{1}, set(), set()] == found
