"""Who may read what may change at any moment: an answer is for those who read it when it comes."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, Final

import pytest

from bot.db.pool import Database
from bot.domain import Turn
from tests import house
from tests.discord_server.channels import Channel
from tests.discord_server.permissions import Overwrite, Permission
from tests.house import GUESS, House, holding
from tests.model_server import Reply, Status
from tests.rows import column

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
_QUOTED: Final = re.compile(r"“(.+?)”", re.DOTALL)


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


@pytest.mark.parametrize("model", ["there", "away"])
async def test_what_is_shut_while_the_answer_is_kept_is_not_in_it(
    at: House, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    """Who may read it is looked at once more when the database has it: that may have taken a minute."""
    news, sending, kept = at.bot.guild.text_channel("news"), at.bot.app.turns.sending, list[str]()
    question = (await told(at, news))["memory"]
    if model == "away":
        at.bot.model.always = Status(status=400)

    async def slowly(turn: Turn, text: str, **more: Any) -> bool:
        done = await sending(turn, text, **more)
        if "Quillwort" in text and not kept:
            kept.append(text)
            await shut(at, news)
        return done

    monkeypatch.setattr(at.bot.app.turns, "sending", slowly)
    reply = await at.asks(at.bob, at.bot.channel, question)
    assert (1, []) == (len(kept), holding(house.seen(reply), MARKERS))


async def test_what_was_shut_since_is_told_no_more(at: House) -> None:
    """Neither by asking again, nor by what led to an answer that stands: neither words, links nor names of it.

    Nor is it in a summary that is made after that of the sessions in which it was told.
    """
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
    buttons = [(answer, each) for answer in answers.values() for each in answer.custom_ids if ":reasons:" in each]
    pressed = [await at.presses(at.bob, *button) for button in buttons]
    shown = "\n".join([*again, *why, *pressed])
    for question in questions.values():
        # Which a reason begins with: Bob himself wrote it here, with the link he was given.
        shown = shown.replace(question, "")
    unseen = (*MARKERS, "newsroom", str(news.channel_id))
    assert ([], [], len(answers)) == (holding(since.prompted, MARKERS), holding(shown, unseen), len(pressed))


def distilled(body: dict[str, Any]) -> Reply:
    """As the house's model, which makes a fact of all that is quoted in what it is to summarise."""
    if "response_format" not in body:
        return house.answer(body)
    said = body["messages"][1]["content"]
    lines = [int(number) for number in re.findall(r"^\[(\d+)\] ", said, re.MULTILINE)]
    quoted = [" ".join(quotation.split()) for quotation in _QUOTED.findall(said)]
    made = {"room": "general", "topic": "", "importance": 7, "entities": [], "key_phrases": [], "evidence": lines}
    facts = [made | {"content": each} for each in quoted]
    return Reply(text=json.dumps({"summary": f"They asked. {' '.join(quoted)}", "facts": facts}))


@pytest.mark.parametrize("first", ["summary", "shut"])
async def test_what_was_shut_is_in_no_summary_made_elsewhere(at: House, first: str) -> None:
    """Whichever comes first: what was quoted from another channel is distilled where it was said, and there alone."""
    at.bot.model.always = distilled
    news, here = at.bot.guild.text_channel("newsroom"), at.bot.channel
    questions = await told(at, news)
    answers = [await at.asks(at.bob, here, question) for question in questions.values()]
    assert [] == [each.text for each in answers if not holding(house.seen(each), MARKERS)]
    await at.runs(at.ann, here, "!remember The kettle is called Whistlewood. importance:2")
    await at.asks(at.bob, here, "What is the kettle called again?")
    if first == "shut":
        await shut(at, news)
    since = at.mark()
    await at.runs(at.bot.guild.owner, here, "!reset")
    await at.bot.settled()
    if first == "summary":
        await shut(at, news)
    kept = await column(at.database, "SELECT content FROM memory WHERE channel_id <> $1", news.channel_id)
    texts = await column(at.database, "SELECT text FROM chat_summary")
    assert [["Whistlewood"]] * 2 == [holding(str(each), (*MARKERS, "Whistlewood")) for each in (kept, texts)]
    again = [
        house.seen(await at.asks(at.bob, where, question))
        for where in (here, at.bot.guild.text_channel("other"))
        for question in (*questions.values(), "Where did we leave off last time?")
    ]
    assert ([], []) == (holding(since.prompted, MARKERS), holding("\n".join(again), MARKERS))
