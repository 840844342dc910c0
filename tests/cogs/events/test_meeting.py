"""How Hathi introduces itself: to a community it joins, and to a person it remembers for the first time."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.db.pool import Database
from bot.presentation import introduction
from cogs.events.welcome import NEW, Welcome
from cogs.send import message_requests
from tests import discord_bot
from tests.cogs.commands.test_reply_reasons import private
from tests.discord_bot import DiscordBot
from tests.discord_server.channels import Channel
from tests.discord_server.messages import Message
from tests.discord_server.permissions import CHATTING, Overwrite, Permission

WELCOME = "Hello, I am Hathi, a chat bot that remembers"
_SILENT = Overwrite(deny=Permission.SEND_MESSAGES)


async def test_a_person_is_told_once(database: Database) -> None:
    """Who is remembered for the first time is told so under that answer, once over guilds, channels and restarts."""
    async with discord_bot.world() as place:
        second = place.discord.guild("Tigers")
        there, ann = second.text_channel("lobby"), place.newcomer("Ann")
        second.join(ann)
        async with discord_bot.connected(place, database) as bot:
            assert f"Fine.\n\n{bot.notice()}" == (await bot.asks(ann, bot.channel, "How are you?")).text
            for channel in (bot.channel, there, ann.direct):
                assert "Fine." == (await bot.asks(ann, channel, "And now?")).text
        async with discord_bot.connected(place, database) as bot:
            assert "Fine." == (await bot.asks(ann, bot.channel, "And after a restart?")).text


async def test_who_is_told_first_in_direct_messages_is_told(database: Database) -> None:
    """Direct messages tell it as well as a guild does, and each person for themselves."""
    async with discord_bot.running(database) as bot:
        ann, ben = bot.world.newcomer("Ann"), bot.world.newcomer("Ben")
        assert bot.notice(is_direct=True) in (await bot.asks(ann, ann.direct, "How are you?")).text
        assert bot.notice() in (await bot.asks(ben, bot.channel, "How are you?")).text
        assert "Fine." == (await bot.asks(ann, bot.channel, "And here?")).text


@pytest.mark.parametrize("fault", ["refused", "broken"])
async def test_who_could_not_be_told_under_an_answer_is_told_under_the_next(
    database: Database, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """Where the answer to a first question can't be sent, the next one tells that its author is remembered, once."""
    monkeypatch.setattr(message_requests, "LONGEST_PAUSE", 0.01)
    async with discord_bot.running(database) as bot:
        ann, mute = bot.world.newcomer("Ann"), bot.guild.text_channel("mute")
        path = f"/channels/{mute.channel_id}/messages"
        if fault == "refused":
            bot.discord.faults.fail(20, status=403, code=50013, method="POST", path=path)
        else:
            bot.discord.faults.break_off(20, method="POST", path=path)
        question = await bot.says_to_hathi(ann, mute, "Are you there?")
        await bot.until(lambda: bot.model.requests)
        await bot.answered(question)
        answers = [(await bot.asks(ann, bot.channel, text)).text for text in ("Hello?", "And now?")]
        assert [f"Fine.\n\n{bot.notice()}", "Fine."] == answers


@pytest.mark.parametrize("contradicts", [False, True])
async def test_who_types_a_command_is_told_under_its_reply(database: Database, *, contradicts: bool) -> None:
    """By a line of the reply itself, a text or a message of components; never by another message, and once."""
    async with discord_bot.running(database) as bot:
        ann, ben = bot.world.newcomer("Ann"), bot.person("Ben")
        if contradicts:
            await bot.answer(await ben.say(bot.channel, "!remember The kiln fires at 1240 degrees topic:kiln"))
        replies = list[Message]()
        for text in ("!remember The kiln fires at 1250 degrees topic:kiln", "!remember The shop opens at nine"):
            said = await ann.say(bot.channel, text)
            await bot.answer(said)
            await bot.settled()
            replies += bot.world.replies(said)
        assert [True, False] == [reply.text.endswith(f"\n{bot.notice()}") for reply in replies]
        assert contradicts is any("hathi:holds" in each for each in replies[0].custom_ids)
        assert [] == ann.direct.said_by(bot.discord.bot)


async def test_a_command_that_could_not_be_replied_to_leaves_it_untold(database: Database) -> None:
    """Then the next reply tells it."""
    async with discord_bot.running(database) as bot:
        ann = bot.world.newcomer("Ann")
        path = f"/channels/{bot.channel.channel_id}/messages"
        refused = bot.discord.faults.fail(1, status=403, code=50013, method="POST", path=path)
        await ann.say(bot.channel, "!remember The kettle is blue")
        await bot.until(lambda: refused.met)
        await bot.settled()
        told = await bot.answer(await ann.say(bot.channel, "!remember The shop opens at nine"))
        assert told.text.endswith(f"\n{bot.notice()}")


async def test_who_chose_a_command_is_told_where_only_they_read_it(database: Database) -> None:
    """After a first `/remember` its user alone is told, also where Hathi may not write, and once."""
    async with discord_bot.running(database) as bot:
        ann, mute = bot.world.newcomer("Ann"), bot.guild.text_channel("mute")
        mute.overwrite(bot.discord.bot, _SILENT)
        given = [await ann.slash(mute, "remember", {"text": f"The kettle is {colour}"}) for colour in ("blue", "red")]
        await bot.until(lambda: sum(len(each.messages) for each in given) == 3)
        (told,) = [message for each in given for message in each.messages if bot.notice() == message.text]
        assert told.ephemeral
        assert "Fine." == (await bot.asks(ann, bot.channel, "And now?")).text


async def test_who_fills_in_a_form_is_told_where_only_they_read_it(database: Database) -> None:
    """Who is remembered for the first time by a form they filled in is told so by that interaction."""
    async with discord_bot.running(database) as bot:
        owner = bot.knows(bot.guild.owner)
        await bot.answer(await owner.say(bot.channel, "!remember I drink tea"))
        short = await bot.answer(await owner.say(bot.channel, "!me"))
        listed = await private(await owner.press(short, "hathi:all"))
        bot.chat.consent_notice.told.clear()
        await owner.press(listed, "hathi:open:1")
        await bot.until(lambda: "hathi:mend:1" in listed.custom_ids)
        chosen = await (await owner.press(listed, "hathi:mend:1")).until_answered()
        sent = await owner.submit(chosen, {"text": "I drink coffee"})
        await bot.until(lambda: bot.notice() in [message.text for message in sent.messages if message.ephemeral])
        assert 0 == _times(bot.channel, bot, bot.notice())


async def test_who_is_not_remembered_is_not_told(database: Database) -> None:
    """Nobody is told that they are remembered while they are not; whom Hathi remembers only later is told then."""
    async with discord_bot.running(database) as bot:
        owner, ann, ben = bot.guild.owner, bot.world.newcomer("Ann"), bot.world.newcomer("Ben")
        elsewhere = bot.guild.text_channel("elsewhere")
        await bot.answer(await owner.say(bot.channel, "!memory mode off"))
        await bot.answer(await ben.say(elsewhere, "!memory off me"))
        assert "Fine." == (await bot.asks(ann, bot.channel, "How are you?")).text
        assert "Fine." == (await bot.asks(ben, elsewhere, "How are you?")).text
        assert bot.notice() in (await bot.asks(ann, elsewhere, "And here?")).text


async def test_a_community_is_told_once(database: Database) -> None:
    """A guild that Hathi joins is told once what it remembers, though it leave and come back."""
    async with discord_bot.running(database) as bot:
        guild = bot.discord.guild("Tigers", with_bot=False)
        lobby = guild.text_channel("lobby")
        bot.discord.invite(guild)
        assert introduction.to_community(bot.client.mention("privacy")) == (await bot.stands(WELCOME, lobby)).text
        ann = bot.person("Ann")
        guild.join(ann)
        guild.leave(bot.discord.bot)
        await bot.asks(ann, bot.channel, "Have you left?")
        bot.discord.invite(guild)
        await bot.asks(ann, lobby, "Who are you?")
        assert 1 == _times(lobby, bot, WELCOME)


async def test_it_speaks_where_it_may(database: Database) -> None:
    """The introduction stands in the first channel Hathi may write to; where it may in none, nothing breaks."""
    async with discord_bot.running(database) as bot:
        guild = bot.discord.guild("Tigers", with_bot=False)
        rules = guild.text_channel("rules", overwrites={guild.everyone: _SILENT, bot.discord.bot: _SILENT})
        hidden = guild.private_channel("staff", seen_by=[])
        hidden.set_overwrites({bot.discord.bot: Overwrite(deny=Permission.VIEW_CHANNEL)})
        lobby = guild.text_channel("lobby")
        mute = bot.discord.guild("Lions", with_bot=False)
        mute.text_channel("rules", overwrites={mute.everyone: _SILENT, bot.discord.bot: _SILENT})
        bot.discord.invite(mute)
        bot.discord.invite(guild)
        await bot.stands("Hathi", lobby)
        assert ([], []) == (rules.messages, hidden.messages)
        assert "Fine." == (await bot.asks(bot.person("Ann"), bot.channel, "Still there?")).text


async def test_a_community_joined_while_away_is_told_once(database: Database) -> None:
    """A guild that added Hathi while it did not run is told at the next start, and once; an old one is not."""
    async with discord_bot.world() as place:
        old, new = place.discord.guild("Lions"), place.discord.guild("Tigers")
        old.members[place.discord.bot.user_id].joined_at = datetime.now(UTC) - NEW - timedelta(hours=1)
        forest, lobby = old.text_channel("forest"), new.text_channel("lobby")
        async with discord_bot.connected(place, database) as bot:
            await bot.stands(WELCOME, lobby)
        async with discord_bot.connected(place, database) as bot:
            await _looked(bot)
            assert (1, 0, 0) == tuple(_times(channel, bot, WELCOME) for channel in (lobby, forest, bot.channel))


async def test_it_goes_on_to_where_discord_lets_it_speak(database: Database) -> None:
    """Where Discord refuses the introduction for want of a permission, it stands in the next channel alone."""
    async with discord_bot.running(database) as bot:
        guild = bot.discord.guild("Tigers", with_bot=False)
        rules, lobby, last = (guild.text_channel(name) for name in ("rules", "lobby", "last"))
        bot.discord.faults.fail(status=403, code=50013, method="POST", path=f"/channels/{rules.channel_id}/messages")
        bot.discord.invite(guild)
        await bot.stands(WELCOME, lobby)
        assert (0, 1, 0) == tuple(_times(channel, bot, WELCOME) for channel in (rules, lobby, last))


@pytest.mark.parametrize("after_effect", [False, True])
async def test_a_broken_connection_costs_no_introduction(database: Database, *, after_effect: bool) -> None:
    """It is tried again, and stands there once, also where only Discord's answer was lost."""
    async with discord_bot.running(database) as bot:
        guild = bot.discord.guild("Tigers", with_bot=False)
        lobby = guild.text_channel("lobby")
        path = f"/channels/{lobby.channel_id}/messages"
        broken = bot.discord.faults.break_off(1, method="POST", path=path, after_effect=after_effect)
        bot.discord.invite(guild)
        await bot.stands(WELCOME, lobby)
        await _looked(bot)
        assert (1, 1) == (broken.met, _times(lobby, bot, WELCOME))


@pytest.mark.parametrize("refused", [False, True])
async def test_an_introduction_that_could_not_be_made_is_made_later(
    database: Database, monkeypatch: pytest.MonkeyPatch, *, refused: bool
) -> None:
    """A community nobody could speak to counts as not told: the next session tells it, once."""
    monkeypatch.setattr(message_requests, "LONGEST_PAUSE", 0.01)
    async with discord_bot.world() as place:
        guild = place.discord.guild("Tigers")
        lobby = guild.text_channel("lobby")
        path = f"/channels/{lobby.channel_id}/messages"
        if refused:
            wrong = place.discord.faults.fail(20, status=403, code=50013, method="POST", path=path)
        else:
            wrong = place.discord.faults.break_off(20, method="POST", path=path)
        async with discord_bot.connected(place, database) as bot:
            await _looked(bot)
        assert (True, 0) == (wrong.met > 0, _times(lobby, bot, WELCOME))
        place.discord.faults.clear()
        async with discord_bot.connected(place, database) as bot:
            await bot.stands(WELCOME, lobby)
            await _looked(bot)
            assert 1 == _times(lobby, bot, WELCOME)


async def test_it_speaks_where_everyone_sees_it(database: Database) -> None:
    """A channel only some can see is where it introduces itself last, though it be the first, or that for notices."""
    async with discord_bot.running(database) as bot:
        guild, closed = [bot.discord.guild(name, with_bot=False) for name in ("Tigers", "Lions")]
        staff, alone = [each.private_channel("staff", seen_by=[]) for each in (guild, closed)]
        guild.notices = staff
        lobby = guild.text_channel("lobby")
        for each in (guild, closed):
            bot.discord.invite(each, CHATTING | Permission.ADMINISTRATOR)
        await bot.stands(WELCOME, lobby)
        await bot.stands(WELCOME, alone)
        assert [] == staff.messages


async def _looked(bot: DiscordBot) -> None:
    """Return when what is done on a ready shard has been done once more."""
    welcome = bot.client.get_cog("Welcome")
    assert isinstance(welcome, Welcome)
    await welcome.on_shard_ready(0)


def _times(channel: Channel, bot: DiscordBot, text: str) -> int:
    return sum(text in message.text for message in channel.said_by(bot.discord.bot))
