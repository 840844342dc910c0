"""Many questions at once: in order, within bounds, and nobody left without a word or flooded with them."""

import asyncio
import itertools
import re
from datetime import timedelta
from typing import Any

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import Caller
from bot.store.spaces import Spaces
from cogs.chat.chat import QUESTIONS
from cogs.send import overload_notice
from tests import discord_bot
from tests.conftest import Clock
from tests.discord_bot import DiscordBot
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.model_server import Reply
from tests.rows import one
from tests.waiting import becomes, eventually

BUSY = str(errors.ChannelBusy())
SHARE = str(errors.ShareTaken())
BURST = 1_000
TOO_MANY = "please wait"


async def test_a_burst_is_answered_in_order_or_told(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 1,000 questions at once in a channel each is answered, in order, or counted in one notice that is edited."""
    monkeypatch.setattr(overload_notice, "TOLD_EVERY", timedelta(seconds=1))
    async with discord_bot.running(database, answer=_echo) as bot:
        people = [bot.person(f"Person {number}") for number in range(BURST // QUESTIONS)]
        asked = [
            await bot.says_to_hathi(people[number % len(people)], bot.channel, f"Question {number}?")
            for number in range(BURST)
        ]
        answered: list[Message] = []

        def is_over() -> bool:
            nonlocal answered
            answered = [message for message in bot.channel.said_by(bot.discord.bot) if "asked" in message.text]
            return len(answered) + _turned_away(bot) >= len(asked)

        await bot.until(is_over)
        assert len(asked) == len(answered) + _turned_away(bot)
        assert 1 == len(_notices(bot, BUSY))
        order = [each.referenced.message_id for each in answered if each.referenced]
        assert len(answered) == len(order) == len(set(order))
        assert all(earlier < later for earlier, later in itertools.pairwise(order))
        assert len(answered) > 20
        await bot.settled()
        async with database.connection() as connection:
            states = {
                row["state"]: row["n"]
                for row in await connection.fetch("SELECT state, count(*) AS n FROM turn GROUP BY state")
            }
        assert {"answered": len(answered), "failed": _turned_away(bot)} == states


async def test_the_first_are_answered_while_others_come_in(database: Database) -> None:
    """Of two hundred questions at once the first is with the model before the rest is recorded."""
    async with discord_bot.running(database) as bot:
        people = [bot.person(f"Person {number}") for number in range(10)]
        rooms = [bot.guild.text_channel(f"room-{number}") for number in range(20)]
        asked = [await bot.says_to_hathi(ann, room, "How are you?") for room in rooms for ann in people]
        await bot.until(lambda: bot.model.requests)
        recorded = await one(database, "SELECT count(*) FROM turn")
        assert recorded < len(rooms)
        for question in asked:
            await bot.answer(question)


async def test_channels_and_people_are_made_known_by_themselves(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once each channel and once each person, not each person in each channel; a change of mode has both looked at."""
    known: list[str] = []
    for name in ("ensure", "meet"):
        done = getattr(Spaces, name)

        async def noted(self: Spaces, caller: Caller, _name: str = name, _done: Any = done, **options: Any) -> Any:
            known.append(_name)
            return await _done(self, caller, **options)

        monkeypatch.setattr(Spaces, name, noted)
    async with discord_bot.running(database) as bot:
        people = [bot.person(f"Person {number}") for number in range(3)]
        rooms = [bot.guild.text_channel(f"room-{number}") for number in range(3)]
        for _ in range(2):
            for ann, room in itertools.product(people, rooms):
                await bot.asks(ann, room, "How are you?")
        assert (3, 2) == (known.count("ensure"), known.count("meet"))
        await bot.answer(await bot.guild.owner.say(rooms[0], "!memory mode explicit"))
        known.clear()
        for ann, room in itertools.product(people, rooms):
            await bot.asks(ann, room, "How are you?")
        assert 3 == known.count("ensure")
    async with database.connection() as connection:
        names = await connection.fetch("SELECT name FROM member WHERE name LIKE 'Person%' ORDER BY name")
    assert [f"Person {number}" for number in range(3)] == [row["name"] for row in names]


async def test_other_channels_run_on(database: Database) -> None:
    """While one channel's answer takes its time, another channel's question is answered."""
    async with discord_bot.running(database) as bot:
        ann, elsewhere, gate = bot.person("Ann"), bot.guild.text_channel("elsewhere"), asyncio.Event()
        bot.model.steps.append(Reply(text="At last.", pieces=2, gate=gate))
        slow = await bot.says_to_hathi(ann, bot.channel, "What takes long?")
        await bot.until(lambda: bot.model.requests)
        behind = await bot.says_to_hathi(ann, bot.channel, "And what comes behind it?")
        assert "Fine." == (await bot.asks(ann, elsewhere, "How are you?")).text
        assert [] == bot.world.replies(slow) + bot.world.replies(behind)
        gate.set()
        assert ("At last.", "Fine.") == ((await bot.answer(slow)).text, (await bot.answer(behind)).text)


async def test_one_person_may_ask_so_often(database: Database, clock: Clock) -> None:
    """Past 20 questions in 30 seconds in a channel, asked while another waits there, one is told, once, to wait."""
    async with discord_bot.running(database, clock=clock) as bot:
        ann, ben, elsewhere = bot.person("Ann"), bot.person("Ben"), bot.guild.text_channel("elsewhere")
        # Of each four, one does not wait and three do.
        for _ in range(QUESTIONS // 3):
            gate = asyncio.Event()
            bot.model.steps.append(Reply(text="Fine.", gate=gate))
            burst = [await bot.says_to_hathi(ann, bot.channel, f"Question {number}?") for number in range(4)]
            await eventually(lambda: bot.client.waiting >= 4)
            gate.set()
            assert ["Fine."] * 4 == [(await bot.answer(question)).text for question in burst]
            await bot.settled()
        gate = asyncio.Event()
        bot.model.steps.append(Reply(text="Fine.", gate=gate))
        asked = [await bot.says_to_hathi(ann, bot.channel, f"Question {number}?") for number in range(11)]
        first, refused = asked[0], asked[1 + QUESTIONS % 3 :]
        told = await bot.stands(TOO_MANY)
        assert (refused[0], []) == (told.referenced, told.mentions)
        assert re.search(r"wait 30 seconds", told.text)
        async with database.connection() as connection:
            failed = "SELECT count(*) FROM turn WHERE state = 'failed'"
            await becomes(len(refused), lambda: connection.fetchval(failed))
        gate.set()
        assert "Fine." == (await bot.answer(first)).text
        assert "Fine." == (await bot.asks(ben, bot.channel, "And I?")).text
        assert "Fine." == (await bot.asks(ann, elsewhere, "And here?")).text
        clock.forward(seconds=31)
        assert "Fine." == (await bot.asks(ann, bot.channel, "And now?")).text
        assert [told] == [each for each in bot.channel.said_by(bot.discord.bot) if TOO_MANY in each.text]
        assert [] == [reply for question in refused[1:] for reply in bot.world.replies(question)]


async def test_one_person_fills_no_channel(database: Database) -> None:
    """Of those waiting three are one person's; they are told of more, once, and another is taken in behind them."""
    async with discord_bot.running(database, answer=_echo) as bot:
        ann, ben, gate = bot.person("Ann"), bot.person("Ben"), asyncio.Event()
        bot.model.steps.append(Reply(text="Fine.", gate=gate))
        hers = [await bot.says_to_hathi(ann, bot.channel, f"Question {number}?") for number in range(7)]
        told = await bot.stands(SHARE)
        his = await bot.says_to_hathi(ben, bot.channel, "And I?")
        await eventually(lambda: bot.client.waiting >= 5)
        gate.set()
        answers = [(await bot.answer(question)).text for question in (*hers[:4], his)]
        assert ["Fine.", *["You asked:"] * 4] == [" ".join(answer.split()[:2]) for answer in answers]
        # Which of those beyond her share is told is the first of which the database has recorded that it was refused.
        assert [told] == [reply for each in hers[4:] for reply in bot.world.replies(each)] == _notices(bot, SHARE)


async def test_who_waits_for_the_answer_is_never_too_fast(database: Database, clock: Clock) -> None:
    """Questions one after the other are each answered, however many they are."""
    async with discord_bot.running(database, clock=clock) as bot:
        ann = bot.person("Ann")
        for number in range(2 * QUESTIONS):
            assert "Fine." == (await bot.asks(ann, bot.channel, f"Question {number}?")).text


async def test_a_crowd_that_was_missed_is_told(database: Database) -> None:
    """Of more questions than a channel's queue takes, asked while Hathi was away, those that are left out are told."""
    async with discord_bot.world(answer=_echo) as place:
        people = [place.newcomer(f"Person {number}") for number in range(30)]
        async with discord_bot.connected(place, database) as bot:
            await bot.asks(people[0], bot.channel, "Are you there?")
        gate = asyncio.Event()
        place.model.steps.append(Reply(text="You asked.", pieces=2, gate=gate))
        asked = [await person.say(place.channel, "And now?", mentions=[place.discord.bot]) for person in people]
        async with discord_bot.connected(place, database) as bot:
            notice = await bot.stands(BUSY)
            gate.set()
            await bot.until(lambda: all(bot.world.replies(question) for question in asked[:20]))
            assert notice.referenced in asked[20:]


async def test_a_crowd_is_told_where_hathi_may_not_reply(database: Database) -> None:
    """Where the history may not be read, the notice stands by itself."""
    async with discord_bot.running(database) as bot:
        bot.channel.overwrite(bot.discord.bot, Overwrite(deny=Permission.READ_MESSAGE_HISTORY))
        gate = asyncio.Event()
        bot.model.steps.append(Reply(text="At last.", pieces=2, gate=gate))
        for number in range(22):
            await bot.says_to_hathi(bot.person(f"Person {number}"), bot.channel, "And now?")
        assert (await bot.stands(BUSY)).reference is None
        gate.set()
        await bot.stands("At last.")


def _echo(body: dict[str, Any]) -> Reply:
    return Reply(text=f"You asked: {body['messages'][-1]['content'][-20:]}", pieces=1)


def _notices(bot: DiscordBot, *why: str) -> list[Message]:
    return [message for message in bot.channel.said_by(bot.discord.bot) if message.text.startswith(why)]


def _turned_away(bot: DiscordBot) -> int:
    """How many questions the notices count."""
    found = (re.search(r"concerns (\d+)", notice.text) for notice in _notices(bot, BUSY, SHARE))
    return sum(int(count[1]) if count else 1 for count in found)
