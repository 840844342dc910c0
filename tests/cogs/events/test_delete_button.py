"""The laws of the button under a receipt, by which Hathi's own messages on Discord go that tell of what was erased."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.commands.mydata import DELETE_THEM
from bot.db.pool import Database
from cogs.events import delete_button
from cogs.send import own_messages
from tests import discord_bot
from tests.cogs.chat.test_plain_requests import ids, pressable
from tests.cogs.commands.test_reply_reasons import choose, private
from tests.discord_bot import DiscordBot
from tests.discord_server.channels import Channel
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.users import User
from tests.model_server import Reply
from tests.rows import column, one

ERASE = "!mydata erase confirm"
DELETE = "hathi:delete"
LONG = "\n".join(f"{number}. A chapter about the mill, which is old, and its wheel." for number in range(60))


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_messages, "APART", timedelta(0))


def standing(bot: DiscordBot, *channels: Channel) -> list[Message]:
    return [message for channel in channels for message in channel.said_by(bot.discord.bot)]


async def erased(bot: DiscordBot, who: User, channel: Channel) -> Message:
    """The receipt that they get there."""
    receipt = await bot.answer(await who.say(channel, ERASE))
    assert "Erased for good" in receipt.text
    return receipt


async def deleted(who: User, receipt: Message) -> str:
    """What pressing the button told."""
    return (await private(await who.press(receipt, pressable(receipt, "delete")))).text


def counts(receipt: Message, number: int) -> bool:
    """Whether it tells of so many messages, and has the button."""
    messages = "1 message" if number == 1 else f"{number} messages"
    return f"still told by {messages} of mine on Discord; “{DELETE_THEM}”" in receipt.text and DELETE in ids(receipt)


async def noted(database: Database) -> list[Any]:
    return await column(database, "SELECT message_id FROM standing_reply ORDER BY message_id")


async def test_whoever_erased_has_them_deleted_also_after_a_restart(database: Database) -> None:
    """Answers to them in any channel and mode with all their parts, and others' made from their words; no more."""
    async with discord_bot.world(answer=Reply(text=LONG)) as world:
        async with discord_bot.connected(world, database) as bot:
            ann, bob, secret = bot.person("Ann"), bot.person("Bob"), bot.guild.text_channel("secret")
            await bot.answer(await bot.guild.owner.say(secret, "!memory mode off"))
            before = standing(bot, bot.channel, secret)
            await bot.asks(ann, bot.channel, "Tell of the mill.")
            await bot.asks(ann, bot.channel, "Remember that the vault is in the zqloft.")
            await bot.asks(ann, secret, "Hello?")
            await bot.asks(ann, ann.direct, "And here?")
            await bot.asks(bob, bot.channel, "Where is the vault?")
            theirs = [m for m in standing(bot, bot.channel, secret, ann.direct) if m not in before]
            assert any("zqloft" in m.text for m in world.replies(bot.channel.said_by(bob)[0]))
            kept = await bot.asks(bob, bot.channel, "Tell of the sea.")
            kept_parts = [m for m in standing(bot, bot.channel) if m not in [*before, *theirs]]
            receipt = await erased(bot, ann, bot.channel)
            assert counts(receipt, len(theirs))
            assert await deleted(bob, receipt) == delete_button.ERASERS_ALONE
            assert all(not message.deleted for message in theirs)
        async with discord_bot.connected(world, database) as again:
            told = await deleted(again.knows(ann), receipt)
    assert told == f"Deleted {len(theirs)} of {len(theirs)} messages of mine."
    assert kept in kept_parts
    assert ([True], [False]) == ([*{m.deleted for m in theirs}], [*{m.deleted for m in [*before, *kept_parts]}])
    assert ([], []) == (receipt.custom_ids, await noted(database))


async def test_a_receipt_shown_to_the_asker_alone_has_it_too(database: Database) -> None:
    """Of a slash command; pressed when nothing is noted any more it says so."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await bot.asks(ann, bot.channel, "How are you?")
        receipt = await choose(ann, bot.channel, "privacy")
        for does in ("erase", "erase-all", "erase-for-good"):
            await bot.until(lambda button=f"hathi:own:{does}": button in receipt.custom_ids)
            await ann.press(receipt, f"hathi:own:{does}")
        await bot.until(lambda: counts(receipt, 1))
        assert receipt.ephemeral
        assert counts(receipt, 1)
        button = pressable(receipt, "delete")
        assert "Deleted 1 of 1 message of mine." == await deleted(ann, receipt)
        assert answer.deleted
        again = await erased_nothing(bot, ann)
        assert "on Discord" not in again.text
        await bot.asks(ann, bot.channel, "How are you?")
        receipt = await erased(bot, ann, bot.channel)
        async with database.connection() as connection:
            await connection.execute("DELETE FROM standing_reply")
        assert button == pressable(receipt, "delete")
        assert delete_button.NONE_NOTED == await deleted(ann, receipt)


async def test_another_button_of_the_panel_leaves_it_there(database: Database) -> None:
    """As long as anything is noted; and a panel that is opened later offers it too."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await bot.asks(ann, bot.channel, "How are you?")
        await erased(bot, ann, bot.channel)
        panel = await choose(ann, bot.channel, "privacy")
        await bot.until(lambda: DELETE in ids(panel))
        await ann.press(panel, "hathi:own:see")
        await bot.until(lambda: "nothing of yours" in panel.text)
        assert "Deleted 1 of 1 message of mine." == await deleted(ann, panel)
    assert answer.deleted


async def erased_nothing(bot: DiscordBot, who: User) -> Message:
    receipt = await bot.answer(await who.say(bot.channel, ERASE))
    assert not receipt.custom_ids
    return receipt


async def test_the_receipt_itself_is_none_of_them(database: Database) -> None:
    """Where the question whether to erase becomes the receipt, by a button or a yes, it stays to be pressed."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await bot.asks(ann, ann.direct, "How are you?")
        asked = await bot.asks(ann, ann.direct, "delete everything you know about me")
        await ann.press(asked, pressable(asked, "agree"))
        await bot.until(lambda: counts(asked, 1))
        assert "Deleted 1 of 1 message of mine." == await deleted(ann, asked)
        assert (True, False) == (answer.deleted, asked.deleted)
        answer = await bot.asks(ann, bot.channel, "How are you?")
        asked = await bot.asks(ann, bot.channel, "delete everything you know about me")
        receipt = await bot.asks(ann, bot.channel, "yes")
        assert "2 messages of mine" in receipt.text
        assert "Deleted 2 of 2 messages of mine." == await deleted(ann, receipt)
        assert [True, True, False] == [message.deleted for message in (answer, asked, receipt)]


async def test_what_discord_refuses_is_told_and_tried_again(database: Database) -> None:
    """What stands no more is told too; a message that is somebody else's is never deleted."""
    async with discord_bot.running(database) as bot:
        ann, closed, lost = bot.person("Ann"), bot.guild.text_channel("closed"), bot.guild.text_channel("lost")
        answers = [await bot.asks(ann, place, "How are you?") for place in (bot.channel, closed, closed, lost)]
        hers = await ann.say(bot.channel, "I am well.")
        receipt = await erased(bot, ann, ann.direct)
        assert counts(receipt, 4)
        async with database.connection() as connection:
            await connection.execute(
                "UPDATE standing_reply SET message_id = $1 WHERE message_id = $2",
                hers.message_id,
                answers[0].message_id,
            )
        bot.guild.change_role(bot.guild.bot_role, bot.guild.bot_role.permissions | Permission.MANAGE_MESSAGES)
        lost.delete()
        closed.overwrite(bot.discord.bot, Overwrite(deny=Permission.READ_MESSAGE_HISTORY))
        told = await deleted(ann, receipt)
        assert told == "Deleted 0 of 4 messages of mine; 2 stood no more; Discord did not let me delete 2."
        assert [False] * 3 == [message.deleted for message in (hers, *answers[1:3])]
        closed.overwrite(bot.discord.bot, None)
        assert "Deleted 2 of 2 messages of mine." == await deleted(ann, receipt)
    assert [False, True, True] == [message.deleted for message in (hers, *answers[1:3])]


async def test_what_one_press_does_not_end_the_next_goes_on_with(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Out of time, or while Discord fails: what is left is told, and the button stays."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answers = [await bot.asks(ann, bot.channel, "How are you?") for _ in range(3)]
        receipt = await erased(bot, ann, ann.direct)
        with monkeypatch.context() as patch:
            patch.setattr(delete_button, "LONGEST", timedelta(seconds=-1))
            assert "Deleted 0 of 3 messages of mine; 3 still to go: press again to go on." == await deleted(
                ann, receipt
            )
        bot.discord.faults.fail(method="GET", path=f"/messages/{answers[0].message_id}", status=404, code=10008)
        bot.discord.faults.fail(method="GET", path=f"/messages/{answers[2].message_id}", status=401)
        told = await deleted(ann, receipt)
        assert "Deleted 1 of 3 messages of mine; 1 stood no more; 1 still to go: press again to go on." == told
        assert [DELETE] == ids(receipt)
        assert "Deleted 1 of 1 message of mine." == await deleted(ann, receipt)
        assert [False, True, True] == [message.deleted for message in answers]


async def test_one_press_is_seen_to_at_a_time(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another meanwhile is told so; where Hathi stops meanwhile, the first tells how far it came."""
    begun, go_on = asyncio.Event(), asyncio.Event()
    async with discord_bot.running(database) as bot:
        ann, look_at = bot.person("Ann"), bot.client.http.get_message

        async def held(channel_id: int, message_id: int) -> Any:
            begun.set()
            await go_on.wait()
            return await look_at(channel_id, message_id)

        answers = [await bot.asks(ann, bot.channel, "How are you?") for _ in range(2)]
        receipt = await erased(bot, ann, ann.direct)
        monkeypatch.setattr(bot.client.http, "get_message", held)
        first = await ann.press(receipt, pressable(receipt, "delete"))
        await begun.wait()
        assert delete_button.AT_IT == await deleted(ann, receipt)
        stopping = asyncio.create_task(bot.chat.drain())
        go_on.set()
        told = await private(first)
        await stopping
    assert "Deleted 1 of 2 messages of mine; 1 still to go: press again to go on." == told.text
    assert [True, False] == [message.deleted for message in answers]


async def test_they_are_noted_by_ids_alone(database: Database) -> None:
    """Where each stands, with who erased."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await bot.asks(ann, bot.channel, "How are you?")
        await erased(bot, ann, ann.direct)
    row = await one(database, "SELECT (space_id, person_id, place_id, message_id) FROM standing_reply")
    assert (bot.guild.guild_id, ann.user_id, bot.channel.channel_id, answer.message_id) == row
