"""The laws of workflows on Discord: one message that grows, with a button that stops it."""

import asyncio
from pathlib import Path

import discord
import pytest

from bot.db.pool import Database
from bot.prompting.nearby import NO_PICTURES
from bot.turn import workflow_answer
from cogs.ui import buttons
from tests import discord_bot
from tests.cogs.chat.test_plain_requests import ids, pressable
from tests.conversations import roles
from tests.discord_bot import DiscordBot
from tests.discord_server.channels import Channel
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.users import User
from tests.model_server import Reply
from tests.picture_files import colour_of, picture, shown_in
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


async def _memory(bot: DiscordBot, line: str, channel: Channel | None = None) -> None:
    await bot.answer(await bot.guild.owner.say(channel or bot.channel, f"!memory {line}"))


async def _run(bot: DiscordBot, user: User, channel: Channel, line: str, *said: str) -> Message:
    """The whole answer of a run, whose steps say these."""
    bot.model.steps.extend(map(_reply, said))
    return await bot.answer(await user.say(channel, line))


async def test_where_nothing_is_kept_a_run_keeps_nothing(database: Database) -> None:
    """Nor does one elsewhere tell of what was said there."""
    kept = "SELECT content FROM message UNION SELECT content FROM memory UNION SELECT content FROM note"
    async with discord_bot.running(database) as bot:
        ann, quiet = bot.person("Ann"), bot.guild.text_channel("quiet")
        await _memory(bot, "mode off", quiet)
        await bot.answer(await ann.say(quiet, "The spare key hangs under the quince.", mentions=[bot.discord.bot]))
        await _run(bot, ann, bot.channel, "!do parlour How does one plant bulbs?", *SAID)
        assert not any("quince" in prompt for prompt in bot.world.prompts[1:])
        before, asked = await rows(database, kept), len(bot.model.requests)
        wish = "We plant garlic under the quince on 5 May."
        answer = await _run(bot, ann, quiet, f"!do parlour {wish}", *SAID[:3], wish)
        assert (True, asked + 4) == (wish in answer.text, len(bot.model.requests))
        assert before == await rows(database, kept)
    assert [] == await rows(database, "SELECT content FROM proposal")
    assert [] == [each for each in await rows(database, "SELECT kept, trail::text FROM turn") if "garlic" in str(each)]


@pytest.mark.parametrize("mode", ["all", "off"])
async def test_words_of_who_opted_out_are_in_no_run(database: Database, mode: str) -> None:
    """Neither the talk nor what they answered tells them, whether or not anything is kept there."""
    async with discord_bot.running(database) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        await _memory(bot, f"mode {mode}")
        await bot.answer(await ben.say(bot.channel, "I hid the quince jam.", mentions=[bot.discord.bot]))
        await bot.answer(await ben.say(bot.channel, "!memory off me"))
        asked = len(bot.model.requests)
        await _run(bot, ann, bot.channel, "!do whole-household Where are the bulbs planted?", *SAID)
        prompts = bot.world.prompts[asked:]
        own = await _run(bot, ben, bot.channel, "!do parlour The medlar ripens on 5 May.", *SAID[:3], "It ripens.")
        assert (False, True) == (any("quince" in one for one in prompts), "Alder" in own.text)
    held = "SELECT content FROM message UNION SELECT content FROM memory UNION SELECT content FROM proposal"
    assert [] == [content for (content,) in await rows(database, held) if "medlar" in content or "ripens" in content]


async def test_a_run_tells_what_its_readers_may_know(database: Database) -> None:
    """What is remembered of a closed channel enters a run there, and none elsewhere."""
    async with discord_bot.running(database) as bot:
        owner, staff = bot.guild.owner, bot.guild.text_channel("staff")
        staff.overwrite(bot.guild.everyone, Overwrite(deny=Permission.VIEW_CHANNEL))
        staff.overwrite(bot.discord.bot, Overwrite(allow=Permission.VIEW_CHANNEL))
        await bot.answer(await owner.say(staff, "!remember The bulbs are hidden in the quince chest."))
        told = list[bool]()
        for channel in (bot.channel, staff):
            asked = len(bot.model.requests)
            await _run(bot, owner, channel, "!do parlour How are the bulbs hidden? Write of bulbs.", *SAID)
            told.append(any("quince" in prompt for prompt in bot.world.prompts[asked:]))
    assert [False, True] == told


async def test_it_runs_wherever_one_may_ask(database: Database) -> None:
    """In direct messages, in the form for a question, after a mention; without the prefix "do" is a word of talk."""
    line = "!do parlour How does one plant bulbs?"
    async with discord_bot.running(database) as bot:
        ann, channel = bot.person("Ann"), bot.client.get_channel(bot.channel.channel_id)
        assert isinstance(channel, discord.TextChannel)
        direct = await _run(bot, ann, ann.direct, line, *SAID)
        await channel.send("Hello, I am Hathi.", view=buttons.view([buttons.ask()]))
        bot.model.steps.extend(map(_reply, SAID))
        pressed = await ann.press(await bot.stands("Hello, I am Hathi."), "hathi:ask")
        await bot.until(lambda: pressed.modal)
        await ann.submit(pressed, {"text": line})
        asked = await bot.answer(await bot.stands("asks:\n> !do parlour"))
        named = await _run(bot, ann, bot.channel, f"{bot.discord.bot.mention} {line}", *SAID)
        bot.model.steps.append(_reply("Gladly."))
        talk = await bot.asks(ann, bot.channel, "do me a favour and water the bulbs.")
    assert ([WHOLE] * 3, "Gladly.") == ([direct.text, asked.text, named.text], talk.text)


@pytest.mark.parametrize(("line", "steps"), [("!do parlour Describe this pot.", 4), ("!do critique", 3)])
@pytest.mark.parametrize("sees", [True, False])
async def test_pictures_are_shown_to_steps_that_see(database: Database, line: str, steps: int, *, sees: bool) -> None:
    """To each of them, or it is said in a sentence that none can look at them."""
    async with discord_bot.world() as place:
        models = roles(place.model.base_url, vision=sees)
        async with discord_bot.connected(place, database, roles=models) as bot:
            bot.model.steps.extend(map(_reply, SAID[:steps]))
            asked = await bot.person("Ann").say(bot.channel, line, files={"pot.png": picture()})
            answer = await bot.answer(asked)
        shown = [[colour_of(one) for one in shown_in(request)] for request in place.model.requests]
    assert [["red"] * sees] * steps == shown
    assert (not sees) == (f"-# {NO_PICTURES}" in answer.text)


async def test_only_the_step_that_sees_is_shown_pictures(database: Database, tmp_path: Path) -> None:
    """One whose role has another model is told that there is one, and no more."""
    seeing = 'name = "Iris"\nmemory = "read"\nvoice = "I see."\nrole = "reasoning"\n'
    blind = 'name = "Mole"\nmemory = "prompt"\nvoice = "I dig."\nrole = "execution"\n'
    step = '[[steps]]\nname = "{0}"\npersona = "{1}"\ninputs = ["request"]\nprompt = "Answer {{request}}."\n'
    pair = f'kind = "reply"\nabout = "Two."\n{step.format("look", "iris")}{step.format("dig", "mole")}'
    for name, text in (("personas/iris", seeing), ("personas/mole", blind), ("workflows/pair", pair)):
        file = tmp_path / f"{name}.toml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    async with discord_bot.world() as place:
        models = roles(place.model.base_url, vision=True)
        assert models.reasoning is not None
        models = models.model_copy(update={"execution": models.reasoning.model_copy(update={"vision": False})})
        async with discord_bot.connected(place, database, roles=models, settings_dir=tmp_path) as bot:
            bot.model.steps.extend(map(_reply, SAID[:2]))
            answer = await bot.answer(
                await bot.person("Ann").say(bot.channel, "!do pair What is this?", files={"pot.png": picture()})
            )
        shown = [len(shown_in(request)) for request in place.model.requests]
    assert ([1, 0], False) == (shown, NO_PICTURES in answer.text)
