"""Who may read what may change at any moment: an answer is for those who read it when it comes."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, Final

import pytest

from bot.db.pool import Database
from tests import house
from tests.discord_server.channels import Channel
from tests.discord_server.permissions import Overwrite, Permission
from tests.house import GUESS, House, holding
from tests.model_server import Reply

MARKERS: Final = ("Quillwort", "Marzipolis", "Brindlewick")
QUESTIONS: Final = {
    "memory": "What is the merger partner called again?",
    "message": "Where did we say the retreat takes place?",
    "attachment": "What is the code of the vaulted undercroft again?",
    "link": "What did we say in {message}?",
    "number": "What did message {number} say?",
    "linked file": "Remind me what {attachment} was about.",
    "linked answer": "What did you say in {answer}?",
}


@pytest.fixture
async def at(database: Database, tmp_path: Path) -> AsyncGenerator[House]:
    async with house.house(database, tmp_path) as found:
        yield found


async def told(at: House, news: Channel) -> dict[str, str]:
    """What is said in a channel, and the ways to ask for it elsewhere."""
    for channel in (at.bot.channel, news):
        await at.runs(at.bot.guild.owner, channel, "!memory mode all")
    await at.runs(at.ann, news, "!remember The merger partner is called Quillwort. importance:2")
    said = await at.ann.say(news, "The retreat takes place in Marzipolis.")
    files = {"cellar.md": b"The code of the vaulted undercroft is Brindlewick.\n"}
    file = await at.ann.say(news, "Please keep this.", mentions=[at.bot.discord.bot], files=files)
    await at.bot.answer(file)
    await at.bot.settled()
    answer = await at.asks(at.ann, news, QUESTIONS["message"])
    links = {"message": said, "attachment": file, "answer": answer}
    named = {name: at.link(message) for name, message in links.items()} | {"number": str(said.message_id)}
    return {kind: question.format(**named) for kind, question in QUESTIONS.items()}


async def shut(at: House, channel: Channel) -> None:
    """From now on the channel is Ann's alone, and Hathi has heard of it."""
    hidden, seen = Overwrite(deny=Permission.VIEW_CHANNEL), Overwrite(allow=Permission.VIEW_CHANNEL)
    channel.set_overwrites({at.bot.guild.everyone: hidden, at.bot.discord.bot: seen, at.ann: seen})
    await at.asks(at.ann, at.ann.direct, "Are you there?")


@pytest.mark.parametrize("kind", QUESTIONS)
async def test_what_was_shut_before_the_answer_is_not_in_it(at: House, kind: str) -> None:
    """An answer made from what not everybody here may read any more is made anew, from nothing of it."""
    news, gate = at.bot.guild.text_channel("news"), asyncio.Event()
    question = (await told(at, news))[kind]
    since = len(at.bot.world.prompts)
    at.bot.model.steps.append(Reply(text=GUESS, pieces=2, gate=gate))
    asked = await at.bot.says_to_hathi(at.bob, at.bot.channel, question)
    await at.bot.until(lambda: len(at.bot.world.prompts) > since)
    await shut(at, news)
    gate.set()
    reply = await at.bot.answer(asked)
    first, *later = at.bot.world.prompts[since:]
    assert ([True], []) == ([bool(holding(first, MARKERS))], holding("\n".join([house.seen(reply), *later]), MARKERS))


async def test_what_was_shut_since_is_told_no_more(at: House) -> None:
    """Neither by asking again, nor by what led to an answer that stands: neither words, links nor names of it."""
    news = at.bot.guild.text_channel("newsroom")
    questions = await told(at, news)
    # Each in a session of its own, or what was answered before would be told again.
    answers = dict[str, Any]()
    for kind, question in questions.items():
        answers[kind] = await at.asks(at.bob, at.bot.channel, question)
        await at.runs(at.bot.guild.owner, at.bot.channel, "!reset")
    assert [] == [kind for kind, answer in answers.items() if not holding(house.seen(answer), MARKERS)]
    await shut(at, news)
    since = at.mark()
    other = at.bot.guild.text_channel("other")
    again = [house.seen(await at.asks(at.bob, other, question)) for question in questions.values()]
    why = [await at.runs(at.bob, at.bot.channel, f"!why {answer.message_id}") for answer in answers.values()]
    pressed = [await at.presses(at.bob, answer, button) for answer in answers.values() for button in answer.custom_ids]
    shown = "\n".join([*again, *why, *pressed])
    for question in questions.values():
        # Which a reason begins with: Bob himself wrote it here, with the link he was given.
        shown = shown.replace(question, "")
    unseen = (*MARKERS, "newsroom", str(news.channel_id))
    assert ([], [], len(answers)) == (holding(since.prompted, MARKERS), holding(shown, unseen), len(pressed))
