"""The laws of workflows on Discord: one message that grows, with a button that stops it."""

import asyncio

import pytest

from bot.db.pool import Database
from bot.turn import workflow_answer
from tests import discord_bot
from tests.cogs.chat.test_plain_requests import ids, pressable
from tests.model_server import Reply
from tests.rows import rows

SAID = ("Dig a hole.", "Water it well.", "All is well.", "NOTHING")
WHOLE = (
    "-# 1 of 4: answer\n**Ferris:** Dig a hole.\n\n-# 2 of 4: addition\n**Sorrel:** Water it well.\n\n"
    "-# 3 of 4: remark\n**Quince:** All is well.\n\n"
    f"-# 4 of 4: entry\n**Alder:** {workflow_answer.NOTHING_KEPT}"
)


async def test_each_step_is_shown_as_it_comes_in_one_message(database: Database) -> None:
    """Whoever speaks is told before they do; in the end the message holds all of it, and no button that stops it."""
    async with discord_bot.running(database) as bot:
        ann, gate = bot.person("Ann"), asyncio.Event()
        bot.slow_lately()
        bot.model.steps.extend([Reply(text=SAID[0]), Reply(text=SAID[1], gate=gate), *map(_reply, SAID[2:])])
        question = await ann.say(bot.channel, "!do parlour How does one plant bulbs?")
        await bot.until(lambda: bot.world.replies(question))
        (reply,) = bot.world.replies(question)
        await bot.until(lambda: "-# 2 of 4: addition\n**Sorrel:**" in reply.text)
        assert (True, ["hathi:halt"]) == ("**Ferris:** Dig a hole." in reply.text, ids(reply))
        # What a crash would leave, to be recorded as the reply and marked, is what stands there.
        assert [("sending", reply.text)] == await rows(database, "SELECT state, rtrim(kept) FROM turn")
        gate.set()
        await bot.until(lambda: reply.text == WHOLE)
        await bot.settled()
        assert [reply] == bot.world.replies(question)
        assert "hathi:halt" not in ids(reply)
    assert [("!do parlour How does one plant bulbs?",), (WHOLE,)] == await rows(
        database, "SELECT content FROM message ORDER BY message_id"
    )


async def test_a_run_can_be_stopped(database: Database) -> None:
    """What was said by then stays and is marked; nobody else is asked any more."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        bot.slow_lately()
        bot.model.steps.extend([Reply(text=SAID[0]), Reply(text=SAID[1], gate=asyncio.Event())])
        question = await ann.say(bot.channel, "!do parlour How does one plant bulbs?")
        await bot.until(lambda: bot.world.replies(question))
        (reply,) = bot.world.replies(question)
        await bot.until(lambda: "**Sorrel:**" in reply.text)
        await ann.press(reply, pressable(reply, "halt"))
        await bot.until(lambda: "[stopped]" in reply.text)
        await bot.settled()
        assert ("Dig a hole." in reply.text, "Quince" in reply.text, 2) == (True, False, len(bot.model.requests))
        assert "hathi:halt" not in ids(reply)
        told = await bot.asks(ann, bot.channel, "!why exactly")
    assert "Workflow parlour, 2 of 4 steps" in told.text
    assert [(True,)] == await rows(database, "SELECT cut_off FROM message WHERE role = 'hathi'")


async def test_a_reply_has_run_what_it_replies_to(database: Database) -> None:
    """Without further words: the message is what it is run at, and none of it tags what is kept."""
    async with discord_bot.running(database) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        said = await ben.say(bot.channel, "We open the garden fair at midnight.")
        bot.model.steps.extend(map(_reply, ("Nothing bears on it.", "Midnight is late.", "Open at noon.")))
        question = await ann.say(bot.channel, "!do critique", reply_to=said)
        await bot.until(lambda: any("Open at noon." in each.text for each in bot.world.replies(question)))
        asked = [message["content"] for message in bot.model.requests[0]["messages"]]
    assert "We open the garden fair at midnight." in asked[-1].partition("## request")[2]


@pytest.mark.parametrize("line", ["!do", "!do parlour"])
async def test_without_a_request_it_is_a_command(database: Database, line: str) -> None:
    """No model is asked: what there is, or what is missing, is told at once."""
    async with discord_bot.running(database) as bot:
        told = await bot.answer(await bot.person("Ann").say(bot.channel, line))
        assert ("!do parlour" in told.text, []) == (True, bot.model.requests)
    assert [] == await rows(database, "SELECT content FROM message")


def _reply(text: str) -> Reply:
    return Reply(text=text)
