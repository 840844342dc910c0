"""The laws of Hathi's own messages on Discord: what is deleted or forgotten does not stay to be read in them."""

from datetime import timedelta

import pytest

from bot.db.pool import Database
from cogs.events import withdrawals
from cogs.send import own_messages
from tests import discord_bot
from tests.cogs.commands.test_reply_reasons import choose
from tests.conftest import Clock
from tests.discord_bot import DiscordBot
from tests.discord_server.messages import Message
from tests.model_server import Reply
from tests.rows import column

KEY = "the spare key is under the flowerpot"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_messages, "APART", timedelta(0))


def told(bot: DiscordBot, word: str) -> list[Message]:
    """Hathi's messages in the channel that say this and stand."""
    return [m for m in bot.channel.said_by(bot.discord.bot) if not m.deleted and word in m.text]


async def undo_runs_out(bot: DiscordBot, clock: Clock) -> None:
    """What was forgotten is erased, and looked after on Discord, as both are each minute."""
    clock.forward(minutes=11)
    await bot.app.schedule.tidy()
    cog = bot.client.get_cog("Withdrawals")
    assert isinstance(cog, withdrawals.Withdrawals)
    await cog.look()


@pytest.mark.parametrize(
    ("mode", "line"),
    [
        ("addressed", "remember that"),
        ("addressed", "merk dir, dass"),
        ("addressed", "keep in mind:"),
        ("addressed", "remember these:\n- the kiln is old\n-"),
        ("addressed", "!remember"),
        ("explicit", "!remember"),
    ],
)
async def test_a_confirmation_goes_with_the_message_that_asked(database: Database, mode: str, line: str) -> None:
    """However it was asked, and whether or not the message itself was recorded."""
    async with discord_bot.running(database) as bot:
        ines, other = bot.person("Ines"), bot.person("Tom")
        await bot.answer(await bot.guild.owner.say(bot.channel, f"!memory mode {mode}"))
        await bot.answer(await other.say(bot.channel, "!remember the kiln is hot"))
        text = f"{line} {KEY}"
        said = await (ines.say(bot.channel, text) if line[0] == "!" else bot.says_to_hathi(ines, bot.channel, text))
        receipt = await bot.answer(said)
        assert "flowerpot" in receipt.text
        await bot.settled()
        await ines.delete(said)
        await bot.until(lambda: receipt.deleted)
    assert ([], 1) == (told(bot, "flowerpot"), len(told(bot, "the kiln is hot")))


async def test_an_answer_goes_with_what_it_was_made_from(database: Database) -> None:
    """Whoever asked; what was made from something else stands."""
    async with discord_bot.running(database, answer=Reply(text="Quite so.")) as bot:
        ines, tom = bot.person("Ines"), bot.person("Tom")
        said = await bot.says_to_hathi(ines, bot.channel, f"remember that {KEY}")
        await bot.answer(said)
        other = await bot.asks(tom, bot.channel, "remember that the kiln is hot")
        answer = await bot.asks(tom, bot.channel, "where is the spare key?")
        assert "flowerpot" in answer.text
        await ines.delete(said)
        await bot.until(lambda: answer.deleted and not told(bot, "flowerpot"))
    assert not other.deleted


@pytest.mark.parametrize("forget", ["forget that {0}", "!forget 1"])
async def test_what_is_forgotten_is_read_until_it_can_be_undone_no_more(
    database: Database, clock: Clock, forget: str
) -> None:
    """Neither in what confirmed that it was kept nor in what confirmed that it was forgotten."""
    async with discord_bot.running(database, clock=clock) as bot:
        ines = bot.person("Ines")
        await bot.answer(await ines.say(bot.channel, f"!remember {KEY}"))
        if forget[0] == "!":
            await bot.answer(await ines.say(bot.channel, forget))
        else:
            await bot.asks(ines, bot.channel, forget.format(KEY))
        assert told(bot, "flowerpot")
        await undo_runs_out(bot, clock)
        await bot.until(lambda: not told(bot, "flowerpot"))
    assert [] == await column(database, "SELECT message_id FROM standing_reply")


@pytest.mark.parametrize(
    ("said", "forgets"),
    [
        ("My locker code is heron.", "please forget my locker code"),
        ("remember these:\n- the locker code is heron\n- the locker is heron too", "forget the locker"),
    ],
)
async def test_what_was_only_said_or_takes_a_yes_is_no_more_read(
    database: Database, clock: Clock, said: str, forgets: str
) -> None:
    """In what asked for the yes, and in what told that it is forgotten."""
    async with discord_bot.running(database, clock=clock) as bot:
        ines = bot.person("Ines")
        await bot.asks(ines, bot.channel, said)
        asked = await bot.asks(ines, bot.channel, forgets)
        if "yes" in asked.text:
            await bot.answer(await ines.say(bot.channel, "yes", reply_to=asked))
        assert "heron" in asked.text
        await undo_runs_out(bot, clock)
        await bot.until(lambda: not told(bot, "heron"))


async def test_what_can_be_undone_is_told_until_then_and_stays_when_it_was(database: Database, clock: Clock) -> None:
    """What confirmed it stands for as long as what it confirmed does."""
    async with discord_bot.running(database, clock=clock) as bot:
        ines = bot.person("Ines")
        kept = await bot.asks(ines, bot.channel, f"remember that {KEY}")
        await bot.asks(ines, bot.channel, f"forget that {KEY}")
        await bot.answer(await ines.say(bot.channel, "!undo"))
        await undo_runs_out(bot, clock)
    assert not kept.deleted


async def test_a_restart_forgets_none_of_them(database: Database, clock: Clock) -> None:
    """What was noted while Hathi stopped is seen to by the next."""
    async with discord_bot.world() as world:
        async with discord_bot.connected(world, database, clock=clock) as bot:
            ines = bot.person("Ines")
            await bot.asks(ines, bot.channel, f"remember that {KEY}")
            await bot.asks(ines, bot.channel, f"forget that {KEY}")
        clock.forward(minutes=11)
        async with discord_bot.connected(world, database, clock=clock) as again:
            await undo_runs_out(again, clock)
            await again.until(lambda: not told(again, "flowerpot"))


async def test_a_command_that_was_chosen_is_confirmed_for_as_long(database: Database, clock: Clock) -> None:
    """Also with no message that asked, by `/remember`."""
    async with discord_bot.running(database, clock=clock) as bot:
        ines = bot.person("Ines")
        receipt = await choose(ines, bot.channel, "remember", text=KEY)
        await bot.until(lambda: "flowerpot" in receipt.text)
        await bot.settled()
        await bot.answer(await ines.say(bot.channel, "!forget 1"))
        await undo_runs_out(bot, clock)
        await bot.until(lambda: not told(bot, "flowerpot"))


@pytest.mark.parametrize("line", ["remember that", "merk dir, dass"])
async def test_a_confirmation_follows_an_edit(database: Database, line: str) -> None:
    """It tells what is kept by now, with its number, and goes with that."""
    async with discord_bot.running(database) as bot:
        ines = bot.person("Ines")
        said = await bot.says_to_hathi(ines, bot.channel, f"{line} {KEY}")
        receipt = await bot.answer(said)
        await ines.edit(said, said.content.replace("flowerpot", "doormat"))
        await bot.until(lambda: "doormat" in receipt.text)
        assert ("flowerpot" in receipt.text, "#2" in receipt.text) == (False, True)
        await ines.delete(said)
        await bot.until(lambda: receipt.deleted)


async def test_a_confirmation_goes_when_an_edit_asks_nothing_any_more(database: Database) -> None:
    """Whatever else the message says by then."""
    async with discord_bot.running(database) as bot:
        ines = bot.person("Ines")
        said = await bot.says_to_hathi(ines, bot.channel, f"remember that {KEY}")
        receipt = await bot.answer(said)
        await ines.edit(said, "never mind, thanks")
        await bot.until(lambda: receipt.deleted)
