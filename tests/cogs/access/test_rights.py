"""What Discord's permissions mean for an answer: where Hathi may write, and what it may show to whom."""

import asyncio
import re
from collections.abc import MutableMapping, Sequence
from datetime import timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot import app, errors
from bot.db.pool import Database
from tests import discord_bot
from tests.discord_bot import DiscordBot
from tests.discord_server.permissions import Overwrite, Permission
from tests.model_server import Reply
from tests.rows import one
from tests.waiting import becomes, eventually

SECRET = "The merger is called Nightjar"
_TOLD = {"discord.error", "discord.refused"}
_SILENT = Overwrite(deny=Permission.SEND_MESSAGES)
_HIDDEN = Overwrite(deny=Permission.VIEW_CHANNEL)
_NO_HISTORY = Overwrite(deny=Permission.READ_MESSAGE_HISTORY)
_SEEN = Overwrite(allow=Permission.VIEW_CHANNEL)


async def test_where_it_may_not_write(database: Database) -> None:
    """A question where Hathi may not write closes its turn; its author is told privately, the log in a line."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        mute = bot.guild.text_channel("mute", overwrites={bot.discord.bot: _SILENT})
        with capture_logs() as lines:
            question = await bot.says_to_hathi(ann, mute, "Are you there?")
            told = await bot.stands("Send Messages", ann.direct)
        assert 1 == len({line["incident"] for line in lines if line["log_level"] == "warning"})
        assert "incident" not in told.text
        assert "mute" in told.text or str(mute.channel_id) in told.text
        assert "discord.error" in [line["event"] for line in lines if line["log_level"] == "warning"]
        assert [question] == mute.messages
        assert "failed" == await one(database, "SELECT state FROM turn WHERE turn_id = $1", question.message_id)
        mute.overwrite(bot.discord.bot, None)
        assert "Fine." == (await bot.asks(ann, mute, "And now?")).text


@pytest.mark.parametrize("where", ["channel", "direct"])
async def test_what_discord_refuses_is_no_missing_right(database: Database, where: str) -> None:
    """An answer Discord refuses for what it says closes its turn, and its author is told that it was not taken."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        room = bot.channel if where == "channel" else ann.direct
        path = f"/channels/{room.channel_id}/messages$"
        bot.discord.faults.fail(status=400, code=240000, method="POST", path=path)
        question = await bot.says_to_hathi(ann, room, "Are you there?")
        told = await bot.answer(question)
        assert re.fullmatch(rf"{re.escape(str(errors.NotSent()))} \(incident [0-9a-f]+\)", told.text)
        assert "not sent" == await one(database, "SELECT failure FROM turn WHERE turn_id = $1", question.message_id)
        assert "Fine." == (await bot.asks(ann, room, "And now?")).text


async def test_what_discord_refuses_of_a_reply_left_behind_closes_its_turn(database: Database) -> None:
    """The next start brings the rest of a reply; what is refused then would be refused each time it is looked at."""
    async with discord_bot.world() as place:
        ann = place.newcomer("Ann")
        async with discord_bot.connected(place, database) as bot:
            await bot.asks(bot.knows(ann), place.channel, "Are you there?")
        async with database.connection() as connection:
            await connection.execute("DELETE FROM message WHERE role = 'hathi'")
            await connection.execute(
                "UPDATE turn SET state = 'sending', kept = 'Fine. And you?', kept_whole = true, worker = 'dead', "
                "lease_until = recorded_at, reply_ids = '{}', answered_at = NULL"
            )
        place.discord.faults.fail(10**6, status=400, code=240000, method="PATCH", path="/messages/")
        async with discord_bot.connected(place, database) as bot, database.connection() as connection:
            await becomes("not sent", lambda: connection.fetchval("SELECT failure FROM turn"))
            place.discord.faults.clear()
            assert "Fine." == (await bot.asks(bot.knows(ann), place.channel, "And now?")).text


@pytest.mark.parametrize("code", [None, 160002, 160009])
@pytest.mark.parametrize("where", ["channel", "thread"])
async def test_where_it_may_not_reply(database: Database, where: str, code: int | None) -> None:
    """Where Hathi may not read the history what it has to say stands by itself, be it an answer, what came of a
    command, or why it was refused; and nothing is asked of Discord that it is known to refuse.
    """
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        room = bot.channel if where == "channel" else await ann.start_thread(bot.channel, "aside")
        path = f"/channels/{room.channel_id}/messages$"
        if code is None:
            bot.channel.overwrite(bot.discord.bot, _NO_HISTORY)
        question = f"{bot.discord.bot.mention} How are you?"
        for words, expected in (("!remember it is blue", "#1"), ("!age", "Manage Server"), (question, "Fine.")):
            if code is not None:
                bot.discord.faults.fail(status=403, code=code, method="POST", path=path)
            await ann.say(room, words)
            told = await bot.stands(expected, room)
            assert (None, []) == (told.reference, told.mentions)
        await bot.settled()
        assert (3, []) == (len(room.said_by(bot.discord.bot)), ann.direct.messages)
        assert (0 if code is None else 3) == len([each for each in bot.discord.requests if each.status == 403])


async def test_where_it_may_not_write_nobody_is_asked(database: Database) -> None:
    """Whatever is said where Hathi may not write costs no model call and no refused request, and one word an hour."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        mute = bot.guild.text_channel("mute", overwrites={bot.discord.bot: _SILENT})
        closed = bot.guild.text_channel(
            "closed", overwrites={bot.discord.bot: Overwrite(deny=Permission.SEND_MESSAGES_IN_THREADS)}
        )
        thread = await ann.start_thread(closed, "aside")
        with capture_logs() as lines:
            asked = [await bot.says_to_hathi(ann, place, f"{n}?") for place in (mute, thread) for n in range(4)]
            given = [await ann.say(mute, line) for line in ("!status", "!remember Cake is in the cellar", "!undo #9")]
            await _logged(lines, _TOLD, len(asked) + len(given))
            told = [await bot.stands(where, ann.direct) for where in ("#mute", "#aside")]
        assert (0, []) == (len(bot.client.refusals.times), bot.model.requests)
        assert all("Send Messages" in message.text for message in told)
        assert 2 == len(ann.direct.said_by(bot.discord.bot))
        async with database.connection() as connection:
            query = "SELECT state, failure FROM turn WHERE turn_id = ANY ($1::bigint[])"
            found = await connection.fetch(query, [question.message_id for question in asked])
        assert [("failed", "may not write")] * len(asked) == [(*row,) for row in found]


async def test_where_nothing_is_taken_it_is_not_tried_again_at_once(database: Database) -> None:
    """Where Discord takes nothing though permissions say it would, as of who takes no messages, it is left alone."""
    later = timedelta(0)
    async with discord_bot.running(database, clock=lambda: app.utc_now() + later) as bot:
        ann = bot.person("Ann")
        path = f"/{ann.direct.channel_id}/messages$"
        bot.discord.faults.fail(method="POST", path=path, status=403, code=50007, times=2)
        with capture_logs() as lines:
            await ann.say(ann.direct, "Are you there?")
            await _logged(lines, {"discord.not_told"}, 1)
            for number, text in enumerate(("And now?", "!status", "Now?"), 2):
                await ann.say(ann.direct, text)
                await _logged(lines, _TOLD, number)
        assert ([], 2, 1) == (
            ann.direct.said_by(bot.discord.bot),
            len(bot.client.refusals.times),
            len(bot.model.requests),
        )
        later = timedelta(minutes=1)
        assert "Fine." == (await bot.asks(ann, ann.direct, "And after a minute?")).text


async def test_where_it_may_write_no_more(database: Database) -> None:
    """Where the right to write goes in the middle of an answer, the turn closes and the next question is answered."""
    async with discord_bot.running(database) as bot:
        ann, gate = bot.person("Ann"), asyncio.Event()
        bot.model.steps.append(Reply(text="At last.", pieces=2, gate=gate))
        await bot.says_to_hathi(ann, bot.channel, "What takes long?")
        await bot.until(lambda: bot.model.requests)
        bot.channel.overwrite(bot.discord.bot, _SILENT)
        gate.set()
        await bot.stands("Send Messages", ann.direct)
        bot.channel.overwrite(bot.discord.bot, None)
        assert "Fine." == (await bot.asks(ann, bot.channel, "And now?")).text


async def test_a_private_channels_memory_stays_there(database: Database) -> None:
    """What is remembered in a private channel is shown to the model there, and neither in a public one nor directly."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        staff = bot.guild.private_channel("staff", seen_by=[ann])
        await bot.answer(await ann.say(staff, f"!remember {SECRET} topic:merger importance:9"))
        for channel in (bot.channel, ann.direct, staff):
            await bot.asks(ann, channel, "What is the merger called?")
            recalled = await bot.answer(await ann.say(channel, "!recall merger"))
            assert (channel is staff) is ("Nightjar" in recalled.text)
        assert [False, False, True] == ["Nightjar" in prompt for prompt in bot.world.prompts]


async def test_a_public_channels_memory_is_shown_everywhere_in_its_guild(database: Database) -> None:
    """What is remembered in a public channel is shown in its guild's private ones and threads, in no other guild."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        staff, other = bot.guild.private_channel("staff", seen_by=[ann]), bot.discord.guild("Tigers")
        other.join(ann)
        foreign = other.text_channel("general")
        await bot.answer(await ann.say(bot.channel, f"!remember {SECRET} topic:merger importance:9"))
        thread = await ann.start_thread(bot.channel, "aside")
        for channel in (staff, thread, foreign):
            await bot.asks(ann, channel, "What is the merger called?")
        assert [True, True, False] == ["Nightjar" in prompt for prompt in bot.world.prompts]


async def test_the_audience_may_change_meanwhile(database: Database) -> None:
    """An answer made from what not everybody here may know any more is made anew without it, and never shown."""
    async with discord_bot.running(database) as bot:
        ann, gate = bot.person("Ann"), asyncio.Event()
        news = bot.guild.text_channel("news")
        await bot.answer(await ann.say(news, f"!remember {SECRET} topic:merger importance:9"))
        bot.model.steps.append(Reply(text="It is called Nightjar.", pieces=2, gate=gate))
        question = await bot.says_to_hathi(ann, bot.channel, "What is the merger called?")
        await bot.until(lambda: bot.model.requests)
        assert "Nightjar" in bot.world.prompts[0]
        news.set_overwrites({bot.guild.everyone: _HIDDEN, bot.discord.bot: _SEEN, ann: _SEEN})
        await _heard(bot)
        gate.set()
        assert "Fine." == (await bot.answer(question)).text
        # The second is asked for the labels that the first forgot.
        assert [True, True, False] == ["Nightjar" in prompt for prompt in bot.world.prompts]
        said = bot.channel.said_by(bot.discord.bot)
        assert [["Fine."]] == [[edit.content for edit in message.edits] for message in said]


async def test_what_was_shown_is_taken_back(database: Database) -> None:
    """An answer already in sight when its audience changes is deleted, and made anew without what it rested on."""
    async with discord_bot.running(database) as bot:
        ann, gate = bot.person("Ann"), asyncio.Event()
        bot.slow_lately()
        news = bot.guild.text_channel("news")
        await bot.answer(await ann.say(news, f"!remember {SECRET} topic:merger importance:9"))
        shown = "It is called Nightjar, as everybody in the house knows by now."
        bot.model.steps.append(Reply(text=f"{shown} {shown}", pieces=2, gate=gate))
        question = await bot.says_to_hathi(ann, bot.channel, "Write a toast to the merger.")
        first = await bot.stands("Nightjar", bot.channel)
        news.set_overwrites({bot.guild.everyone: _HIDDEN, bot.discord.bot: _SEEN, ann: _SEEN})
        await _heard(bot)
        gate.set()
        await bot.until(lambda: first.deleted)
        await bot.stands("Fine.")
        assert ["Fine."] == [reply.text for reply in bot.world.replies(question)]


async def _heard(bot: DiscordBot) -> None:
    """Return when Hathi has heard of all that has happened so far: a later event, in another channel, was answered."""
    ben = bot.person("Ben")
    await bot.answer(await ben.say(bot.guild.text_channel("elsewhere"), "!help"))


async def _logged(lines: Sequence[MutableMapping[str, Any]], events: set[str], times: int) -> None:
    """Return when the log has so many lines of these events."""
    await eventually(lambda: len([line for line in lines if line["event"] in events]) >= times)
