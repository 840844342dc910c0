"""Who is only overheard, where everything is remembered: how they are told, and how they stop it."""

import functools
from collections.abc import AsyncGenerator

import pytest

from bot.db.pool import Database
from bot.domain import PersonId
from bot.presentation import introduction
from cogs.tell import overheard
from cogs.tell.overheard import Overheard
from cogs.ui import buttons
from tests import discord_bot, people
from tests.discord_bot import DiscordBot
from tests.discord_server.channels import Channel
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.users import User
from tests.rows import column


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    async with discord_bot.running(database) as running:
        yield running


async def listens(bot: DiscordBot, channel: Channel | None = None) -> User:
    """Have everything said in a channel remembered; who did."""
    owner = bot.knows(bot.guild.owner)
    await bot.answer(await owner.say(channel or bot.channel, "!memory mode all"))
    return owner


async def private(bot: DiscordBot, who: User, message: Message) -> str:
    """What pressing *Stop* tells whoever pressed alone."""
    pressed = await who.press(message, "hathi:stop")
    await bot.until(lambda: [one for one in pressed.messages if one.ephemeral])
    return pressed.messages[-1].text


async def test_who_is_overheard_is_named_under_the_next_answer(bot: DiscordBot) -> None:
    """All of them in one line with *Stop*, once each; nothing is said to them before, and nothing directly."""
    owner, ben, cas = await listens(bot), bot.world.newcomer("Ben"), bot.world.newcomer("Cas")
    before = len(bot.channel.said_by(bot.discord.bot))
    for person in (ben, cas, ben):
        await person.say(bot.channel, "Lunch at noon?")
    answer = await bot.asks(owner, bot.channel, "What do you think?")
    line = introduction.to_overheard(["Ben", "Cas"])
    assert (f"Fine.\n\n{line}", ["hathi:stop"]) == (answer.content, answer.custom_ids[1:])
    assert (True, True, 1) == (line.startswith("-# "), "also by Ben and Cas. **Stop**" in line, len(line.splitlines()))
    assert line.endswith("here and anywhere.")
    await ben.say(bot.channel, "Or at one?")
    again = await bot.asks(owner, bot.channel, "And now?")
    assert ("Fine.", []) == (again.content, again.custom_ids[1:])
    assert "Fine." == (await bot.asks(ben, bot.channel, "And of me?")).content
    assert before + 3 == len(bot.channel.said_by(bot.discord.bot))
    assert ([], []) == (ben.direct.said_by(bot.discord.bot), cas.direct.said_by(bot.discord.bot))


async def test_who_is_overheard_and_asks_is_told_for_themselves(bot: DiscordBot) -> None:
    """Who asks is told by a line of their own, and the others by theirs."""
    await listens(bot)
    ben, cas = bot.world.newcomer("Ben"), bot.world.newcomer("Cas")
    for person in (ben, cas):
        await person.say(bot.channel, "Lunch at noon?")
    answer = await bot.asks(ben, bot.channel, "What do you think?")
    assert f"Fine.\n\n{bot.notice('all')}\n{introduction.to_overheard(['Cas'])}" == answer.content


async def test_they_are_named_where_they_were_overheard(bot: DiscordBot) -> None:
    """In that channel or one of its threads, not in another channel, whatever is remembered there."""
    elsewhere = bot.guild.text_channel("elsewhere")
    owner, ben = await listens(bot), bot.world.newcomer("Ben")
    await listens(bot, elsewhere)
    await ben.say(bot.channel, "Lunch at noon?")
    assert "Fine." == (await bot.asks(owner, elsewhere, "What do you think?")).content
    thread = await owner.start_thread(bot.channel, "aside")
    assert "also by Ben." in (await bot.asks(owner, thread, "What do you think?")).content


async def test_many_are_named_a_few_at_a_time(bot: DiscordBot) -> None:
    """Those who do not fit under one answer are under the next."""
    owner = await listens(bot)
    names = [f"Ben{number}" for number in range(overheard.NAMED + 1)]
    for name in names:
        await bot.world.newcomer(name).say(bot.channel, "Lunch at noon?")
    answers = [(await bot.asks(owner, bot.channel, text)).content for text in ("What do you think?", "And now?")]
    assert [[*range(overheard.NAMED)], [overheard.NAMED]] == [
        [number for number, name in enumerate(names) if name in answer] for answer in answers
    ]


async def test_stop_opts_out_whoever_presses_it(bot: DiscordBot, database: Database) -> None:
    """The same as `!memory off me`, told to them alone; nothing of theirs is kept from then on, and of others it is."""
    owner, ben, cas = await listens(bot), bot.world.newcomer("Ben"), bot.person("Cas")
    await ben.say(bot.channel, "Lunch at noon?")
    answer = await bot.asks(owner, bot.channel, "What do you think?")
    assert "From now on nothing you say is kept" in await private(bot, ben, answer)
    for person in (ben, cas):
        await person.say(bot.channel, f"{person.name} is hungry")
    await bot.asks(owner, bot.channel, "Who is hungry?")
    assert ["Cas is hungry"] == await column(database, "SELECT content FROM message WHERE content LIKE '%is hungry'")
    assert [ben.user_id] == await column(database, "SELECT person_id FROM person WHERE opted_out_at IS NOT NULL")
    assert ["hathi:stop"] == answer.custom_ids[1:]


async def test_stop_stands_beside_what_else_an_answer_offers(bot: DiscordBot) -> None:
    """In a row of its own, which stays when another button is pressed."""
    owner, ben = await listens(bot), bot.world.newcomer("Ben")
    await bot.answer(await owner.say(bot.channel, "!remember The kettle is blue"))
    await ben.say(bot.channel, "Lunch at noon?")
    answer = await bot.asks(owner, bot.channel, "Please forget that the kettle is blue.")
    offered, stop = answer.components
    assert ("hathi:restore:1", ["hathi:stop"]) == (
        offered["components"][0]["custom_id"],
        [button["custom_id"] for button in stop["components"]],
    )
    await owner.press(answer, "hathi:restore:1")
    await bot.until(lambda: "hathi:restore:1" not in answer.custom_ids)
    assert ("hathi:forget:1", "hathi:stop") == (answer.custom_ids[0], answer.custom_ids[-1])
    assert "nothing you say is kept" in await private(bot, ben, answer)


async def test_who_opted_out_meanwhile_is_not_named(bot: DiscordBot) -> None:
    """Nothing of theirs is remembered any more; who takes that back is told when something is."""
    owner, ben = await listens(bot), bot.world.newcomer("Ben")
    await ben.say(bot.channel, "Lunch at noon?")
    await bot.answer(await ben.say(bot.channel, "!memory off me"))
    assert "Fine." == (await bot.asks(owner, bot.channel, "What do you think?")).content
    await bot.answer(await ben.say(bot.channel, "!memory on me"))
    await ben.say(bot.channel, "Or at one?")
    assert "also by Ben." in (await bot.asks(owner, bot.channel, "And now?")).content


async def test_they_are_named_under_the_answer_that_can_be_sent(bot: DiscordBot) -> None:
    """Where it could not be, they wait for the next one in that channel."""
    owner, ben = await listens(bot), bot.world.newcomer("Ben")
    await ben.say(bot.channel, "Lunch at noon?")
    path = f"/channels/{bot.channel.channel_id}/messages"
    refused = bot.discord.faults.fail(1, status=403, code=50013, method="POST", path=path)
    question = await bot.says_to_hathi(owner, bot.channel, "What do you think?")
    await bot.until(lambda: refused.met)
    await bot.answered(question)
    await bot.settled()
    assert "also by Ben." in (await bot.asks(owner, bot.channel, "And now?")).content


async def test_where_all_is_remembered_no_more_nobody_is_named(bot: DiscordBot) -> None:
    """What the line would tell is true no more."""
    owner, ben = await listens(bot), bot.world.newcomer("Ben")
    await ben.say(bot.channel, "Lunch at noon?")
    await bot.answer(await owner.say(bot.channel, "!memory mode addressed"))
    assert "Fine." == (await bot.asks(owner, bot.channel, "What do you think?")).content


async def test_after_a_restart_they_are_named_once_they_speak_again(database: Database) -> None:
    """Who waits is known to a process alone; who was named is in the database."""
    async with discord_bot.world() as place:
        ben, cas = place.newcomer("Ben"), place.newcomer("Cas")
        async with discord_bot.connected(place, database) as bot:
            owner = await listens(bot)
            await cas.say(place.channel, "Lunch at noon?")
            await bot.asks(owner, place.channel, "What do you think?")
            await ben.say(place.channel, "Lunch at one?")
            await bot.until(functools.partial(_heard, bot))
            await bot.settled()
        async with discord_bot.connected(place, database) as bot:
            bot.knows(place.guild.owner)
            for person in (ben, cas):
                await person.say(place.channel, "Or at two?")
            answer = await bot.asks(place.guild.owner, place.channel, "And now?")
            assert introduction.to_overheard(["Ben"]) in answer.content


async def test_who_waits_is_bounded(bot: DiscordBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the most people of a channel the later ones are let go, beyond the most channels the earliest."""
    monkeypatch.setattr(overheard, "MOST_CHANNELS", 2)
    monkeypatch.setattr(overheard, "MOST_PEOPLE", 2)
    waiting = Overheard(bot.app.people, bot.chat.consent_notice)
    for channel in (1, 2, 3):
        for person in (11, 12, 13):
            waiting.note(people.caller(f"P{person}", space=5, channel=channel, person=person))
    named = dict[int, list[str]]()
    for channel in (1, 2, 3):
        asker = people.caller("Ann", space=5, channel=channel, person=10)
        async with waiting.naming(asker) as lines:
            named[channel] = [*lines]
        bot.chat.consent_notice.told.clear()
        await bot.app.people.untell([PersonId(11), PersonId(12)], bot.app.clock())
    assert ([], [introduction.to_overheard(["P11", "P12"])]) == (named[1], named[2])


@pytest.mark.parametrize("slash", [False, True])
async def test_a_switch_to_all_is_announced_with_stop(bot: DiscordBot, database: Database, *, slash: bool) -> None:
    """For everyone in the channel to read, also where the command was chosen from Discord's list."""
    owner, ben = bot.knows(bot.guild.owner), bot.person("Ben")
    if slash:
        given = await owner.slash(bot.channel, "admin memory mode", {"mode": "all"})
        (told,) = await given.until_told()
        assert not told.ephemeral
    else:
        told = await bot.answer(await owner.say(bot.channel, "!memory mode all"))
    assert "everything said here is kept. That holds for this channel and its public threads." in told.text
    assert ("**Stop** ends it" in told.text, "anywhere" in told.text) == (True, True)
    assert (["hathi:stop"], "Stop") == (told.custom_ids, buttons.STOP)
    assert "nothing you say is kept" in await private(bot, ben, told)
    assert [ben.user_id] == await column(database, "SELECT person_id FROM person WHERE opted_out_at IS NOT NULL")


async def test_another_mode_is_told_without_stop(bot: DiscordBot) -> None:
    """There is nothing to stop; nor has a direct message others to tell."""
    owner = bot.knows(bot.guild.owner)
    for channel, mode in ((bot.channel, "explicit"), (bot.channel, "addressed"), (owner.direct, "all")):
        assert [] == (await bot.answer(await owner.say(channel, f"!memory mode {mode}"))).custom_ids


async def test_a_switch_in_a_thread_is_announced_in_its_channel(bot: DiscordBot) -> None:
    """Whose mode it is; and in the thread."""
    owner = bot.knows(bot.guild.owner)
    thread = await owner.start_thread(bot.channel, "aside")
    here = await bot.answer(await owner.say(thread, "!memory mode all"))
    there = await bot.stands("everything said here is kept")
    assert (here.text, ["hathi:stop"]) == (there.text, there.custom_ids)


async def test_a_switch_in_a_thread_of_a_closed_channel_breaks_nothing(bot: DiscordBot) -> None:
    """Where Hathi may not write in the channel, the thread alone is told."""
    owner = bot.knows(bot.guild.owner)
    thread = await owner.start_thread(bot.channel, "aside")
    bot.channel.overwrite(bot.discord.bot, Overwrite(deny=Permission.SEND_MESSAGES))
    assert "is kept" in (await bot.answer(await owner.say(thread, "!memory mode all"))).text
    await bot.settled()
    assert [] == bot.channel.said_by(bot.discord.bot)


def _heard(bot: DiscordBot) -> bool:
    return bool(bot.channel.messages)
