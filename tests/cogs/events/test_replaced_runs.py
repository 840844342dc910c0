"""The laws of "Regenerate" under what a workflow answered: all of the run is done anew, and all that it kept undone."""

import asyncio

import pytest

from bot.db.pool import Database
from bot.turn import workflow_answer
from tests import discord_bot
from tests.cogs.chat.test_plain_requests import ids, living, pressable
from tests.cogs.commands.test_reply_reasons import private
from tests.cogs.events.test_replace_button import again, recorded
from tests.discord_bot import DiscordBot
from tests.discord_server.messages import Message
from tests.discord_server.users import User
from tests.model_server import Reply, Status
from tests.rows import column, rows

PLAN = "The spring fair opens on 5 May."
LINE = f"!do parlour {PLAN}"
OLD = ("Dig a hole.", "Water it well.", "All is well.", f"- {PLAN}")
NEW = ("Dig two holes.", "Water them well.", "All is better.", "NOTHING")


def saying(*texts: str) -> list[Reply]:
    return [Reply(text=text) for text in texts]


def whole(texts: tuple[str, ...], entry: str) -> str:
    """The answer of four steps, with what stands for the last."""
    heads = ("answer\n**Ferris:**", "addition\n**Sorrel:**", "remark\n**Quince:**", "entry\n**Alder:**")
    steps = zip(heads, (*texts[:3], entry), strict=True)
    return "\n\n".join(f"-# {number} of 4: {head} {text}" for number, (head, text) in enumerate(steps, 1))


async def run(bot: DiscordBot, user: User, line: str = LINE, said: tuple[str, ...] = OLD) -> Message:
    """The whole answer of a run whose steps say these."""
    bot.model.steps.extend(saying(*said))
    return await bot.answer(await user.say(bot.channel, line))


async def test_the_run_is_done_anew_in_its_place(database: Database) -> None:
    """Every step again, shown none of the old words; what it kept is undone."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await run(bot, ann)
        assert [PLAN] == await living(database)
        assert "hathi:again" in ids(answer)
        await again(bot, ann, answer, *saying(*NEW))
        assert whole(NEW, workflow_answer.NOTHING_KEPT) == answer.text
        assert [answer] == bot.channel.said_by(bot.discord.bot)
        assert (8, False) == (len(bot.model.requests), any("Dig a hole" in one for one in bot.world.prompts[4:]))
        assert all("spring fair" in prompt for prompt in bot.world.prompts[4:])
        assert ["hathi:again"] == ids(answer)
    assert [] == await living(database)
    assert [("person", LINE), ("hathi", whole(NEW, workflow_answer.NOTHING_KEPT))] == await recorded(database)
    assert [(4, "parlour")] == await rows(
        database, "SELECT jsonb_array_length(trail #> '{run,steps}'), trail #>> '{run,workflow}' FROM turn"
    )


async def test_what_it_keeps_again_is_kept_once(database: Database) -> None:
    """As often as it is done."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await run(bot, ann)
        for _ in range(2):
            await again(bot, ann, answer, *saying(*OLD))
            assert [PLAN] == await living(database)
    assert [1] == await column(database, "SELECT seen_count FROM memory WHERE forgotten_at IS NULL")


async def test_what_it_would_have_kept_is_asked_for_no_more(database: Database) -> None:
    """The question under the old answer goes with it: nobody can say yes to what a model said that is gone."""
    entry = "The bulbs go into the ground in October."
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await run(bot, ann, "!do parlour When do gardens get bulbs?", (*OLD[:3], entry))
        assert [entry] == await column(database, "SELECT content FROM proposal")
        await again(bot, ann, answer, *saying(*NEW))
        assert [] == await column(database, "SELECT content FROM proposal")
        assert (False, ["hathi:again"]) == (entry in answer.text, ids(answer))
    assert [] == await living(database)


async def test_only_who_asked_for_it_may(database: Database) -> None:
    """Somebody else is told so alone, and no step is asked."""
    async with discord_bot.running(database) as bot:
        answer = await run(bot, bot.person("Ann"))
        told = await private(await bot.person("Bob").press(answer, pressable(answer, "again")))
        assert "Only who asked" in told.text
        assert 4 == len(bot.model.requests)


async def test_it_can_be_stopped_and_done_again(database: Database) -> None:
    """What was said by then stays until it is."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await run(bot, ann)
        bot.slow_lately()
        bot.model.steps.extend([Reply(text=NEW[0]), Reply(text=NEW[1], gate=asyncio.Event())])
        await ann.press(answer, pressable(answer, "again"))
        await bot.until(lambda: "**Sorrel:**" in answer.text and NEW[0] in answer.text)
        await ann.press(answer, pressable(answer, "halt"))
        await bot.until(lambda: "[stopped]" in answer.text)
        await bot.settled()
        assert (True, False, []) == (NEW[0] in answer.text, OLD[0] in answer.text, await living(database))
        await again(bot, ann, answer, *saying(*OLD))
        assert (True, [PLAN]) == (OLD[2] in answer.text, await living(database))


async def test_where_a_step_fails_it_can_be_tried_again(database: Database) -> None:
    """It says so in the place of the old answer."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await run(bot, ann)
        await again(bot, ann, answer, Reply(text=NEW[0]), Status(status=401))
        assert (True, True) == ("[cut off]" in answer.text, "the model can't be reached" in answer.text)
        await again(bot, ann, answer, *saying(*NEW))
        assert whole(NEW, workflow_answer.NOTHING_KEPT) == answer.text


@pytest.mark.parametrize("others", [False, True])
async def test_it_is_done_at_what_the_command_replies_to(database: Database, *, others: bool) -> None:
    """The message is read again, whoever said it; a run without the archivist keeps nothing of it."""
    async with discord_bot.running(database) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        said = await (ben if others else ann).say(bot.channel, "We open the garden fair at midnight.")
        bot.model.steps.extend(saying("Nothing bears on it.", "Midnight is late.", "Open at noon."))
        question = await ann.say(bot.channel, "!do critique", reply_to=said)
        answer = await bot.answer(question)
        await again(bot, ann, answer, *saying("It bears on that.", "Midnight is dark.", "Open at one."))
        assert ("Open at one." in answer.text, "Open at noon." in answer.text) == (True, False)
        assert all("open the garden fair at midnight" in prompt for prompt in bot.world.prompts[3:])
    assert [] == await living(database)
