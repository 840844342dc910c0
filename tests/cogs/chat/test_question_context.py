"""What a question is asked amid, over real sockets: the message it replies to, the talk before it, files of either."""

import re
from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any, Final

import discord
import pytest

from bot import app
from bot.commands import approvals
from bot.db.pool import Database
from bot.domain import PersonId, SpaceId
from bot.prompting import nearby
from bot.prompting.nearby import NO_PICTURES
from bot.text import notices
from bot.turn.offline import UNREACHABLE
from cogs.chat import incoming_files, question_context
from cogs.chat.recent_messages import RecentMessages
from tests import discord_bot
from tests.discord_bot import DiscordBot
from tests.discord_server import drafting, posting
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.users import User
from tests.discord_server.wire import Intent
from tests.model_server import Reply, Status
from tests.rows import rows

STALL: Final = "The stall costs 45 euros, Quillwort told me."


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    async with discord_bot.running(database) as running:
        yield running


async def _asks_of(bot: DiscordBot, asker: User, of: Message, text: str, **more: Any) -> str:
    """What Hathi answers to a question that replies to a message."""
    asked = await asker.say(of.channel, text, reply_to=of, ping=False, mentions=[bot.discord.bot], **more)
    return (await bot.answer(asked)).text


def _quoted(text: str) -> list[str]:
    """What an answer quotes, in its order."""
    return re.findall("\u201c(.*?)\u201d", text, re.DOTALL)


def _block(prompt: str, heading: str) -> str:
    """What stands under a heading of a prompt."""
    _, _, rest = prompt.partition(heading)
    return rest.partition("\n\n")[0]


# --- what Hathi said itself ------------------------------------------------------------------------------------------

KEY: Final = "the mill key is pimpernelle"


async def test_a_list_of_which_nothing_tells_whether_it_stands_is_not_read(bot: DiscordBot) -> None:
    """What a command tells that names no memory and links to no message, like the summaries of sessions."""
    told = await bot.answer(await bot.guild.owner.say(bot.channel, "!status"))
    before = len(bot.world.prompts)
    await _asks_of(bot, bot.person("Ben"), told, "what does this say?")
    assert not any(nearby.POINTED_HEADING in prompt for prompt in bot.world.prompts[before:])


@pytest.mark.parametrize("listing", ["!recall mill key", "!memories", "!forget 1", "!remember " + KEY])
@pytest.mark.parametrize("is_over", [False, True])
async def test_what_is_forgotten_is_not_read_in_what_stands_of_it(bot: DiscordBot, listing: str, is_over: bool) -> None:
    """Hathi's own messages on Discord are read only while all that they tell of is there."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    await bot.answer(await ann.say(bot.channel, f"!remember {KEY}"))
    told = await bot.answer(await ann.say(bot.channel, listing))
    assert "pimpernelle" in told.text
    if listing != "!forget 1":
        await _asks_of(bot, ben, told, "what does this say?")
        assert "pimpernelle" in _block(bot.world.prompts[-1], nearby.POINTED_HEADING)
        await bot.answer(await ann.say(bot.channel, "!forget 1"))
    if is_over:
        later = app.utc_now() + timedelta(minutes=11)
        await bot.app.archivist.erase([SpaceId(bot.guild.guild_id)], now=later)
    before = len(bot.world.prompts)
    await _asks_of(bot, ben, told, "what does this say?")
    assert not any("pimpernelle" in _block(prompt, nearby.POINTED_HEADING) for prompt in bot.world.prompts[before:])


async def test_a_list_is_read_whatever_its_channel_is_called(bot: DiscordBot) -> None:
    """The name of a channel is no number of a memory that may be forgotten."""
    ann, plans = bot.person("Ann"), bot.guild.text_channel("2024-plans")
    await bot.answer(await ann.say(plans, f"!remember {KEY}"))
    told = await bot.answer(await ann.say(plans, "!memories"))
    await _asks_of(bot, ann, told, "what does this say?")
    assert (True, "") == ("[#2024-plans](https://" in told.text, told.content)
    assert "pimpernelle" in _block(bot.world.prompts[-1], nearby.POINTED_HEADING)


async def test_a_list_that_was_forwarded_is_read(bot: DiscordBot) -> None:
    """With the texts of its components, in the message that forwards it."""
    ann = bot.person("Ann")
    await bot.answer(await ann.say(bot.channel, f"!remember {KEY}"))
    told = await bot.answer(await ann.say(bot.channel, "!memories"))
    said = await ann.say(bot.channel, "Look:", forwards=told)
    await _asks_of(bot, ann, said, "what does this say?")
    assert "pimpernelle" in _block(bot.world.prompts[-1], nearby.POINTED_HEADING)


# --- the message replied to -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["off", "explicit", "addressed", "all"])
async def test_the_message_replied_to_is_in_the_prompt(bot: DiscordBot, database: Database, mode: str) -> None:
    """With who wrote it, and when; what is recorded of it is what the channel's mode says."""
    await bot.answer(await bot.guild.owner.say(bot.channel, f"!memory mode {mode}"))
    ann, ben = bot.person("Ann"), bot.person("Ben")
    said = await ann.say(bot.channel, STALL)
    await _asks_of(bot, ben, said, "can you explain this to me?")
    pointed = _block(bot.world.prompts[-1], nearby.POINTED_HEADING)
    assert f"{said.created_at:%Y-%m-%d %H:%M} UTC] Ann: {STALL}" in pointed
    await bot.settled()
    kept = await rows(database, f"SELECT 1 FROM message WHERE content = '{STALL}'")
    assert (mode == "all") == bool(kept)


async def test_a_question_of_what_was_meant_is_asked_with_the_message_it_replies_to(bot: DiscordBot) -> None:
    """Though memory is looked through for it: every prompt it makes has that message."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    await bot.answer(await bot.guild.owner.say(bot.channel, "!channel around 0"))
    before = len(bot.world.prompts)
    await _asks_of(bot, ben, await ann.say(bot.channel, STALL), "what does she mean?")
    pointed = [_block(prompt, nearby.POINTED_HEADING) for prompt in bot.world.prompts[before:]]
    assert [True] == [f"Ann: {STALL}" in block for block in pointed]


async def test_what_that_replied_to_is_there_too_four_deep(bot: DiscordBot) -> None:
    """The message pointed at and up to four before it; the one before those is not read."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    said = await ann.say(bot.channel, "step 0")
    for number in range(1, 7):
        said = await ben.say(bot.channel, f"step {number}", reply_to=said)
    await bot.answer(await bot.guild.owner.say(bot.channel, "!channel around 0"))
    await _asks_of(bot, ann, said, "what is this about?")
    pointed = _block(bot.world.prompts[-1], nearby.POINTED_HEADING)
    assert [f"step {number}" in pointed for number in range(7)] == [False, False, True, True, True, True, True]


async def test_all_that_people_read_in_it_is_there(bot: DiscordBot) -> None:
    """Its text, the text of its files, its embeds, what it forwards, and texts in components."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    elsewhere = bot.guild.text_channel("lounge")
    other = await ann.say(elsewhere, "The forwarded Brindlewick.")
    said = await ann.say(bot.channel, "Look:", forwards=other, files={"plan.md": b"The filed Marzipolis."})
    said.embeds = [{"title": "The embedded Osterquill", "fields": [{"name": "Price", "value": "Tarnhelm"}]}]
    said.components = [
        {"type": 17, "components": [{"type": 10, "id": 2, "content": "The composed Hrimgast."}], "id": 1}
    ]
    await _asks_of(bot, ben, said, "what do you make of it?")
    prompt = bot.world.prompts[-1]
    names = ("Brindlewick", "Marzipolis", "Osterquill", "Tarnhelm", "Hrimgast")
    assert names == tuple(name for name in names if name in prompt)


async def test_what_other_bots_wrote_can_be_pointed_at(bot: DiscordBot) -> None:
    """A notice of another bot's is a message like any other."""
    ben, builder = bot.person("Ben"), bot.discord.world.user("Builder", bot=True)
    bot.guild.join(builder)
    said = posting.send(bot.channel, builder, drafting.Draft(content="Build 77 failed: Quillwort is missing."))
    await _asks_of(bot, ben, said, "why did that fail?")
    assert "Builder: Build 77 failed: Quillwort is missing." in bot.world.prompts[-1]


async def test_nothing_is_read_of_who_opted_out(bot: DiscordBot) -> None:
    """Neither where it is pointed at nor in the talk before; whoever points at it is told why."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    said = await ann.say(bot.channel, STALL)
    await bot.app.people.opt_out(PersonId(ann.user_id), app.utc_now())
    told = await _asks_of(bot, ben, said, "can you explain this to me?")
    assert (False, True) == ("Quillwort" in "".join(bot.world.prompts), question_context.DECLINED in told)


async def test_what_was_deleted_is_not_read(bot: DiscordBot) -> None:
    """A message that is gone by the time it is asked about is not in the prompt, nor is what was before it edited."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    await bot.asks(ben, bot.channel, "Are you there?")
    said, changed = await ann.say(bot.channel, STALL), await ann.say(bot.channel, "It is called Tarnhelm.")
    await ann.edit(changed, "It is called Osterquill.")
    await ann.delete(said)
    await bot.asks(ben, bot.channel, "What is up?")
    prompt = bot.world.prompts[-1]
    assert (False, False, True) == ("Quillwort" in prompt, "Tarnhelm" in prompt, "Osterquill" in prompt)


async def test_what_was_replied_to_and_then_edited_is_read_as_it_is_now(bot: DiscordBot) -> None:
    """The reply brings along how it was; the next question is not answered from that."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    await bot.asks(ben, bot.channel, "Are you there?")
    said = await ann.say(bot.channel, "The airship Tarnhelm leaves on Sunday.")
    await _asks_of(bot, ben, said, "can you explain this to me?")
    await ann.edit(said, "The airship Osterquill leaves on Sunday.")
    await bot.asks(ben, bot.channel, "And what is up now?")
    prompt = bot.world.prompts[-1]
    assert (False, True) == ("Tarnhelm" in prompt, "Osterquill" in prompt)


@pytest.mark.parametrize("model", [True, False])
async def test_what_is_asked_about_it_is_answered_from_it(database: Database, *, model: bool) -> None:
    """A question about what was said that replies to a message is answered with that, with a model or without."""
    roles: dict[str, Any] = {} if model else {"roles": {}}
    async with discord_bot.running(database, answer=Reply(text="Quillwort told her that (M1)."), **roles) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        told = await _asks_of(bot, ben, await ann.say(bot.channel, STALL), "who did she say told her?")
        assert "Quillwort" in told


# --- remember this --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Remember this", "save that please", "can you remember this message?", "keep that"])
async def test_anybodys_message_can_be_remembered(bot: DiscordBot, database: Database, text: str) -> None:
    """Filed under whoever wrote it, resting on that message; its author is told, in reply to it, and may forget it."""
    ann, ben = bot.world.newcomer("Ann"), bot.person("Ben")
    said = await ann.say(bot.channel, STALL)
    told = await _asks_of(bot, ben, said, text)
    assert "[memory] saved: " in told
    assert [(STALL, "Ann", ann.user_id, [said.message_id], 8, "user")] == await rows(
        database, "SELECT content, author, author_id, evidence, importance, source FROM memory"
    )
    notice = await bot.stands("Ben had me remember this message of yours as #1")
    assert said.message_id == int((notice.reference or {})["message_id"])
    assert "forgotten: #1" in (await bot.answer(await ann.say(bot.channel, "!forget 1"))).text


async def test_its_author_is_told_once(bot: DiscordBot) -> None:
    """Of each message of theirs that is kept, and of the same one no second time; what they can do only at first."""
    ann, ben = bot.world.newcomer("Ann"), bot.person("Ben")
    first, second = await ann.say(bot.channel, STALL), await ann.say(bot.channel, "The fair is on 9 May.")
    for said in (first, second, second):
        await _asks_of(bot, ben, said, "remember this")
    await bot.settled()
    told = [[reply.text for reply in bot.world.replies(said)] for said in (first, second)]
    assert [1, 1] == [len(said) for said in told]
    assert [True, False] == ["!mydata" in said[0] for said in told]
    assert all(f"!forget {n}" in said[0] for n, said in enumerate(told, 1))


async def test_an_author_who_knows_hathi_is_told_too(bot: DiscordBot) -> None:
    """That something of theirs may be kept was said to them; that this was kept, and by whom, was not."""
    ann, ben = bot.world.newcomer("Ann"), bot.person("Ben")
    await bot.asks(ann, bot.channel, "Hello!")
    said = await ann.say(bot.channel, STALL)
    await _asks_of(bot, ben, said, "remember this")
    assert said.message_id == int(
        ((await bot.stands("Ben had me remember this message of yours as #1")).reference or {})["message_id"]
    )


async def test_whoever_had_it_kept_may_forget_it_too(bot: DiscordBot, database: Database) -> None:
    """Who had it remembered by mistake takes it back; anybody else needs the right."""
    ann, ben, eve = bot.person("Ann"), bot.person("Ben"), bot.person("Eve")
    await _asks_of(bot, ben, await ann.say(bot.channel, STALL), "remember this")
    refused = (await bot.answer(await eve.say(bot.channel, "!forget 1"))).text
    changed = (await bot.answer(await ben.say(bot.channel, "!edit 1 The stall is free."))).text
    forgotten = (await bot.answer(await ben.say(bot.channel, "!forget 1"))).text
    assert (True, True, True) == (
        "said by someone else" in refused,
        "said by someone else" in changed,
        "forgotten: #1" in forgotten,
    )


async def test_nothing_of_who_opted_out_is_remembered_by_anybody(bot: DiscordBot, database: Database) -> None:
    """Pointed at by somebody else, it is refused with the reason."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    said = await ann.say(bot.channel, STALL)
    await bot.app.people.opt_out(PersonId(ann.user_id), app.utc_now())
    assert question_context.DECLINED == await _asks_of(bot, ben, said, "remember this")
    assert [] == await rows(database, "SELECT 1 FROM memory")


async def test_it_goes_when_the_message_goes(bot: DiscordBot, database: Database) -> None:
    """A message recorded nowhere, deleted on Discord, takes the memory with it that rests on it."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    said = await ann.say(bot.channel, STALL)
    await _asks_of(bot, ben, said, "remember this")
    await ann.delete(said)
    await bot.asks(ben, bot.channel, "Are you there?")
    assert [] == await rows(database, "SELECT 1 FROM memory")


async def test_a_picture_without_a_word_can_not_be_remembered(bot: DiscordBot) -> None:
    """There is nothing to keep in it, and it is said so."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    said = await ann.say(bot.channel, files={"pot.png": b"\x89PNG"})
    assert approvals.NO_TEXT == await _asks_of(bot, ben, said, "remember this")


async def test_an_answer_that_quotes_keeps_who_said_it(database: Database) -> None:
    """Approved of, what it quotes is kept as its author's; the same memory is no second one."""
    async with discord_bot.running(database, roles={}) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        await bot.asks(ann, bot.channel, f"By the way: {STALL}")
        told = await bot.asks(ben, bot.channel, "What does the stall cost?")
        assert STALL in told.text
        await _asks_of(bot, ben, told, "keep that")
    ((content, author, author_id),) = await rows(database, "SELECT content, author, author_id FROM memory")
    assert (True, "Ann", ann.user_id) == (STALL in content, author, author_id)


# --- the talk before it ---------------------------------------------------------------------------------------------


async def test_the_talk_before_a_mention_is_in_the_prompt(bot: DiscordBot, database: Database) -> None:
    """The last twelve messages of the channel before it, oldest first, and recorded nowhere in mode `addressed`."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    for number in range(20):
        await ann.say(bot.channel, f"remark {number:02}")
    await ben.say(bot.channel, "I say the kiln is at 1200 degrees.")
    await bot.asks(ann, bot.channel, "who is right, Ben or me?")
    talk = _block(bot.world.prompts[-1], nearby.TALK_HEADING)
    expected = [f"remark {number:02}" for number in range(9, 20)]
    assert expected == [line.rpartition(": ")[2] for line in talk.splitlines() if "remark" in line]
    assert "Ben: I say the kiln is at 1200 degrees." in talk
    await bot.settled()
    assert [] == await rows(database, "SELECT 1 FROM message WHERE content LIKE '%remark%'")


async def test_it_is_followed_as_it_goes_on(bot: DiscordBot) -> None:
    """Read once, then heard: what others and bots say later is there without reading the history again."""
    ann, ben, builder = bot.person("Ann"), bot.person("Ben"), bot.discord.world.user("Builder", bot=True)
    bot.guild.join(builder)
    await bot.asks(ben, bot.channel, "Are you there?")
    before = len(bot.discord.requested("GET", "/messages"))
    await ann.say(bot.channel, STALL)
    posting.send(bot.channel, builder, drafting.Draft(content="Build 77 failed."))
    await bot.asks(ben, bot.channel, "What happened?")
    talk = _block(bot.world.prompts[-1], nearby.TALK_HEADING)
    assert (True, True) == (STALL in talk, "Builder: Build 77 failed." in talk)
    assert before == len(bot.discord.requested("GET", "/messages"))


@pytest.mark.parametrize("is_followed", [True, False])
async def test_it_goes_back_to_where_it_was_cleared(bot: DiscordBot, is_followed: bool) -> None:
    """The notice of a reset says so in a text among its components, whether it is heard or read in the history."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    await bot.asks(ben, bot.channel, "Are you there?")
    await ann.say(bot.channel, STALL)
    notice = await bot.answer(await bot.guild.owner.say(bot.channel, "!reset discard"))
    if not is_followed:
        # As after another session of the gateway began.
        bot.client.dispatch("shard_ready", 0)
    await ann.say(bot.channel, "The kiln is warm.")
    asked = await bot.asks(ben, bot.channel, "What happened?")
    recent, channel = bot.client.get_cog("RecentMessages"), bot.client.get_channel(bot.channel.channel_id)
    assert isinstance(recent, RecentMessages)
    assert isinstance(channel, discord.TextChannel)
    said = [message.content for message in await recent.before(channel, asked.message_id, 12)]
    assert (True, "") == (notice.text.endswith(notices.CLEARED), notice.content)
    assert ["The kiln is warm.", "What happened?"] == [text.rpartition("> ")[2] for text in said]


@pytest.mark.parametrize("around", [0, 2])
async def test_a_channel_sets_how_much(bot: DiscordBot, around: int) -> None:
    """As many as its admins say; none for 0."""
    await bot.answer(await bot.guild.owner.say(bot.channel, f"!channel around {around}"))
    ann = bot.person("Ann")
    for number in range(4):
        await ann.say(bot.channel, f"remark {number}")
    await bot.asks(ann, bot.channel, "well?")
    assert around == sum(f"remark {number}" in bot.world.prompts[-1] for number in range(4))


async def test_it_takes_its_tokens_and_no_more(database: Database) -> None:
    """Of long messages the newest that fit are shown whole."""
    async with discord_bot.running(database, prompt={"budget": {"around": 200}}) as bot:
        ann = bot.person("Ann")
        for number in range(4):
            await ann.say(bot.channel, f"remark {number}: " + "the kiln is warm " * 25)
        await bot.asks(ann, bot.channel, "well?")
        assert [False, False, False, True] == [f"remark {n}" in bot.world.prompts[-1] for n in range(4)]


async def test_where_the_history_may_not_be_read_there_is_none(bot: DiscordBot) -> None:
    """The question is answered without it, and Discord is not asked for what it refuses."""
    bot.channel.overwrite(bot.discord.bot, Overwrite(deny=Permission.READ_MESSAGE_HISTORY))
    ann = bot.person("Ann")
    await ann.say(bot.channel, STALL)
    await bot.says_to_hathi(ann, bot.channel, "well?")
    await bot.stands("Fine.")
    assert ("Quillwort" in bot.world.prompts[-1], []) == (False, bot.discord.requested("GET", "/messages"))


async def test_a_reset_clears_it(bot: DiscordBot) -> None:
    """What was said before the reset is in no prompt after it."""
    ann = bot.person("Ann")
    await bot.asks(ann, bot.channel, "Are you there?")
    await ann.say(bot.channel, STALL)
    await bot.answer(await bot.guild.owner.say(bot.channel, "!reset"))
    await bot.settled()
    await ann.say(bot.channel, "The fair is on 9 May.")
    await bot.asks(ann, bot.channel, "well?")
    assert (False, True) == ("Quillwort" in bot.world.prompts[-1], "The fair is on 9 May." in bot.world.prompts[-1])


async def test_what_somebody_just_said_is_found_in_it(database: Database) -> None:
    """It is of the scratchpad: asked what Ann just said, her words are quoted, and the line under it leads there."""
    async with discord_bot.running(database, roles={}) as bot:
        ann, ben, eve = bot.person("Ann"), bot.person("Ben"), bot.person("Eve")
        said = await ann.say(bot.channel, STALL)
        await ben.say(bot.channel, "I like turtles.")
        told = (await bot.asks(eve, bot.channel, "what did Ann just say?")).text
        assert (True, False) == (STALL in told, "turtles" in told)
        assert f"/{bot.channel.channel_id}/{said.message_id}" in told


async def test_an_answer_from_it_holds_before_the_check(database: Database) -> None:
    """A model that tells what Ann said, citing it, is believed."""
    answer = Reply(text="Ann said that the stall costs 45 euros (M1).")
    async with discord_bot.running(database, answer=answer) as bot:
        ann, eve = bot.person("Ann"), bot.person("Eve")
        await ann.say(bot.channel, STALL)
        told = (await bot.asks(eve, bot.channel, "what did Ann just say about the stall?")).text
        assert told.startswith("Ann said that the stall costs 45 euros")


async def test_an_answer_goes_with_the_talk_it_was_made_from(database: Database) -> None:
    """A message recorded nowhere, deleted, takes the answer with it that has a name of it."""
    async with discord_bot.running(database, answer=Reply(text="Quillwort knows the price.")) as bot:
        ann, eve = bot.person("Ann"), bot.person("Eve")
        said, other = await ann.say(bot.channel, STALL), await ann.say(bot.channel, "I like turtles.")
        await bot.asks(eve, bot.channel, "Hello you")
        answers = "SELECT content FROM message WHERE role = 'hathi' AND content LIKE '%Quillwort%'"
        for gone, left in ((other, 1), (said, 0)):
            await ann.delete(gone)
            bot.model.always = Reply(text="Fine.")
            await bot.asks(eve, bot.channel, "Are you there")
            await bot.settled()
            assert left == len(await rows(database, answers))


async def test_without_the_intent_it_is_said_once_what_works(database: Database) -> None:
    """Discord shows nothing of the talk: the first answer says so, the next does not."""
    async with discord_bot.running(database, server={"privileged": Intent.NONE}) as bot:
        ann, eve = bot.person("Ann"), bot.person("Eve")
        await ann.say(bot.channel, STALL)
        first = (await bot.asks(eve, bot.channel, "well?")).text
        second = (await bot.asks(eve, bot.channel, "and now?")).text
        assert (True, False) == (question_context.UNSEEN in first, question_context.UNSEEN in second)


# --- files and pictures ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["off", "addressed"])
async def test_the_text_of_a_file_is_in_the_prompt_whatever_is_asked(bot: DiscordBot, mode: str) -> None:
    """Of the message itself, and of the one it replies to."""
    await bot.answer(await bot.guild.owner.say(bot.channel, f"!memory mode {mode}"))
    ann, ben = bot.person("Ann"), bot.person("Ben")
    files = {"b2.txt": b"The vault was painted red."}
    await bot.answer(await ann.say(bot.channel, "translate this to French", mentions=[bot.discord.bot], files=files))
    assert '- b2.txt, sent by Ann: "The vault was painted red."' in bot.world.prompts[-1]
    said = await ann.say(bot.channel, "Here:", files={"c3.txt": b"The cellar is damp."})
    await _asks_of(bot, ben, said, "translate this to French")
    assert '- c3.txt, sent by Ann: "The cellar is damp."' in bot.world.prompts[-1]


async def test_files_take_their_tokens_and_no_more(database: Database) -> None:
    """Each has its share, what one leaves over the next may have, and a cut is marked."""
    async with discord_bot.running(database, prompt={"file_tokens": 300}) as bot:
        ann = bot.person("Ann")
        files = {"short.txt": b"The vault was painted red.", "long.txt": b"the kiln is warm " * 400}
        await bot.answer(await ann.say(bot.channel, "translate this", mentions=[bot.discord.bot], files=files))
        block = _block(bot.world.prompts[-1], nearby.FILES_HEADING)
        assert ("painted red" in block, "…" in block, 300 < len(block) < 1500) == (True, True, True)


async def test_a_file_just_sent_is_answered_from_its_text(database: Database) -> None:
    """Not from its name or from the remark it came with, in the same session; named or pointed at."""
    async with discord_bot.running(database, roles={}) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        plan = {"plan.md": b"# Plan\nThe vault will be painted red in May.\n"}
        said = await ann.say(bot.channel, "Here is the plan for the vault", mentions=[bot.discord.bot], files=plan)
        await bot.answer(said)
        await bot.settled()
        for question in ("What does plan.md say about the vault?", "What does the plan say about painting the vault?"):
            assert "painted red in May" in _quoted((await bot.asks(ben, bot.channel, question)).text)[0]
        assert "painted red in May" in _quoted(await _asks_of(bot, ben, said, "when will the vault be painted?"))[0]


@pytest.mark.parametrize(
    ("question", "text", "first"),
    [
        ("Who repaired the kettle?", b"nothing of use here.", "Brindle repaired the kettle"),
        ("What does the file say of the kettle?", b"nothing of use here.", "nothing of use here."),
        ("Who repaired this kettle?", b"nothing of use here.", "nothing of use here."),
        ("What does b2.txt say of the kettle?", b"nothing of use here.", "nothing of use here."),
        ("Who repaired the kettle?", b"Wexford repaired the old kettle.", "Wexford repaired the old kettle."),
    ],
)
async def test_a_file_beside_a_question_is_asked_first_only_where_it_is_asked_about(
    database: Database, question: str, text: bytes, first: str
) -> None:
    """The question names it, points at it, or asks what it speaks of; else what is remembered answers."""
    async with discord_bot.running(database, roles={}) as bot:
        ann = bot.person("Ann")
        await bot.answer(await ann.say(bot.channel, "!remember Brindle repaired the kettle topic:kettle"))
        asked = await ann.say(bot.channel, question, mentions=[bot.discord.bot], files={"b2.txt": text})
        assert first in _quoted((await bot.answer(asked)).text)[0]


_UNREAD: Final = {
    "big.txt": (b"x" * (2**20 + 1), "larger than 1 MiB"),
    "broken.pdf": (b"%PDF-1.4", "no text in it"),
    "sheet.xlsx": (b"PK", "no text in it"),
    "pot.png": (b"\x89PNG", "it is a picture"),
}


@pytest.mark.parametrize("name", [*_UNREAD])
@pytest.mark.parametrize("model", [False, True])
async def test_a_file_that_can_not_be_read_is_told_with_why(database: Database, *, name: str, model: bool) -> None:
    """Not that memory has nothing: sent with the question, or named further down, above what memory has of it."""
    (data, why), settings = _UNREAD[name], dict[str, Any]({} if model else {"roles": {}})
    async with discord_bot.running(database, **settings) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        question = f"What does {name} say?"
        asked = await ann.say(bot.channel, question, mentions=[bot.discord.bot], files={name: data})
        told = [(await bot.answer(asked)).text]
        assert [] == bot.model.requests
        told.append((await bot.asks(ben, bot.channel, question)).text)
        beginnings = [text.partition(".\n")[0] for text in told]
        assert [True, True] == [text.startswith(f"I could not read {name}: ") and why in text for text in beginnings]


async def test_a_file_that_discord_does_not_hand_over_is_told_so(database: Database) -> None:
    """Another time it may."""
    async with discord_bot.running(database, roles={}) as bot:
        bot.discord.files_status = 500
        files = {"plan.md": b"The vault will be painted red in May."}
        asked = await bot.person("Ann").say(
            bot.channel, "What does plan.md say?", mentions=[bot.discord.bot], files=files
        )
        assert "I could not read plan.md: Discord did not" in (await bot.answer(asked)).text


async def test_a_file_that_is_not_read_yet_is_told_so(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord may be slow, or others of the same person be read before it."""
    monkeypatch.setattr(incoming_files, "ARRIVING", timedelta(milliseconds=50))
    async with discord_bot.running(database, roles={}) as bot:
        bot.discord.files_open.clear()
        files = {"plan.md": b"The vault will be painted red in May."}
        asked = await bot.person("Ann").say(
            bot.channel, "What does plan.md say?", mentions=[bot.discord.bot], files=files
        )
        told = (await bot.answer(asked)).text
        bot.discord.files_open.set()
        assert "I could not read plan.md: I am still at it" in told


async def test_a_file_beside_another_question_is_none_of_its_answer(bot: DiscordBot) -> None:
    """It is told all the same, and a question that does not name it is answered by the model, which learns so too."""
    ann = bot.person("Ann")
    asked = await ann.say(
        bot.channel, "What is a kiln?", mentions=[bot.discord.bot], files={"big.txt": _UNREAD["big.txt"][0]}
    )
    told = (await bot.answer(asked)).text
    assert (True, True) == (told.startswith("I could not read big.txt: "), told.endswith("Not from memory: Fine."))
    assert "- big.txt, sent by Ann: it is larger" in bot.world.prompts[-1]


@pytest.mark.parametrize("mode", ["off", "addressed"])
async def test_a_file_sent_further_up_is_read_when_it_is_named(database: Database, mode: str) -> None:
    """Though it was not sent to Hathi and nothing of it is kept; only what is named, and nothing of a cleared talk."""
    async with discord_bot.running(database, roles={}) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        await bot.answer(await bot.guild.owner.say(bot.channel, f"!memory mode {mode}"))
        files = {"plan.md": b"The vault will be painted red in May.", "other.md": b"The cellar is damp."}
        await ann.say(bot.channel, "Here it is", files=files)
        await ben.say(bot.channel, "Thanks!")
        await ben.say(bot.channel, "I will look at it later.")
        assert "painted red in May" in (await bot.asks(ben, bot.channel, "What does plan.md say?")).text
        assert (["plan.md", "other.md"], []) == (bot.discord.fetched, await rows(database, "SELECT 1 FROM attachment"))
        await bot.answer(await bot.guild.owner.say(bot.channel, "!reset"))
        assert "painted red" not in (await bot.asks(ben, bot.channel, "What does plan.md say?")).text


async def test_a_file_sent_in_direct_messages_is_told_of_later_too(database: Database) -> None:
    """That it could not be read, some messages further down; there talk is no surroundings, but files are."""
    async with discord_bot.running(database, roles={}) as bot:
        ann = bot.person("Ann")
        await bot.answer(await ann.say(ann.direct, "Here it is", files={"broken.pdf": _UNREAD["broken.pdf"][0]}))
        await bot.asks(ann, ann.direct, "The kiln is warm.")
        told = (await bot.asks(ann, ann.direct, "What does broken.pdf say?")).text
        assert told.startswith("I could not read broken.pdf: there is no text")


async def test_nothing_is_read_of_a_file_whose_sender_opted_out(database: Database) -> None:
    """As nothing is of what they say."""
    async with discord_bot.running(database, roles={}) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        await bot.answer(await ann.say(bot.channel, "!memory off me"))
        await ann.say(bot.channel, "Here it is", files={"plan.md": b"The vault will be painted red in May."})
        assert "painted red" not in (await bot.asks(ben, bot.channel, "What does plan.md say?")).text
        assert [] == bot.discord.fetched


async def test_recall_finds_what_stands_in_files(bot: DiscordBot) -> None:
    """As said by whoever sent the file, with a link to its message."""
    ann = bot.person("Ann")
    files = {"plan.md": b"# Plan\nThe vault will be painted red in May.\n"}
    said = await ann.say(bot.channel, "Here is something", mentions=[bot.discord.bot], files=files)
    await bot.answer(said)
    await bot.settled()
    told = await bot.answer(await ann.say(bot.channel, "!recall vault painted"))
    assert ("painted red in May" in told.text, str(said.message_id) in told.text) == (True, True)


async def test_a_model_that_looks_something_up_finds_what_stands_in_files(bot: DiscordBot) -> None:
    """As a person does who asks for it by command."""
    ann = bot.person("Ann")
    files = {"plan.md": b"# Plan\nThe vault will be painted red in May.\n"}
    await bot.answer(await ann.say(bot.channel, "Here is something", mentions=[bot.discord.bot], files=files))
    await bot.settled()
    bot.model.steps.append(Reply(calls=(("memory_recall", {"query": "vault painted"}),)))
    await bot.asks(ann, bot.channel, "write me a poem")
    assert [False, True] == ["painted red in May" in prompt for prompt in bot.world.prompts[-2:]]


@pytest.mark.parametrize("text", ["what is in this picture?", "what is this?", "describe this photo please", ""])
async def test_a_picture_gets_one_plain_sentence(bot: DiscordBot, text: str) -> None:
    """No model sees pictures: it is said, and none is asked; that asks nothing about the past."""
    ann = bot.person("Ann")
    files = {"pot.png": b"\x89PNG"}
    told = await bot.answer(await ann.say(bot.channel, text, mentions=[bot.discord.bot], files=files))
    assert (NO_PICTURES, 0) == (told.text, len(bot.model.requests))


async def test_a_picture_beside_a_question_is_named_to_the_model(bot: DiscordBot) -> None:
    """It learns that there is one it can't look at."""
    ann = bot.person("Ann")
    files = {"pot.png": b"\x89PNG"}
    await bot.answer(await ann.say(bot.channel, "write me a caption", mentions=[bot.discord.bot], files=files))
    assert "- pot.png, sent by Ann: it is a picture" in bot.world.prompts[-1]


@pytest.mark.parametrize("mode", ["addressed", "all"])
async def test_what_an_edit_quotes_is_in_no_record_and_no_talk(bot: DiscordBot, database: Database, mode: str) -> None:
    """Not of the command, though it is given wrongly; nor of the one that had the words remembered."""
    ann = bot.person("Ann")
    await bot.answer(await bot.guild.owner.say(bot.channel, f"!memory mode {mode}"))
    for line in (
        "!remember The vault is Quillfeather",
        '!edit 1 "The vault is blue", not "Quillfeather"',
        '!edit "The vault is Quillfeather" The vault is blue',
        "!edit 2 The vault is blue",
    ):
        await bot.answer(await ann.say(bot.channel, line))
    await bot.asks(ann, bot.channel, "How are you?")
    assert "Quillfeather" not in bot.world.prompts[-1]
    assert [("How are you?",)] == await rows(database, "SELECT content FROM message WHERE role = 'person'")


async def test_what_is_forgotten_is_in_no_talk(bot: DiscordBot, database: Database) -> None:
    """A message on which a forgotten memory rested is read by no later question, recorded or not."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    said = await ann.say(bot.channel, STALL)
    await _asks_of(bot, ben, said, "remember this")
    await bot.answer(await ann.say(bot.channel, "!forget 1"))
    await bot.app.archivist.erase([SpaceId(bot.guild.guild_id)], now=app.utc_now())
    await bot.asks(ben, bot.channel, "well?")
    assert "Quillwort" not in bot.world.prompts[-1]


@pytest.mark.parametrize("then", ["nothing", "erased", "undone"])
async def test_what_a_reset_discarded_is_not_read_where_somebody_replies_to_it(
    bot: DiscordBot, database: Database, then: str
) -> None:
    """Neither it nor the answer to it, however many messages that took; nor is it remembered. Undo brings it back."""
    owner, ben = bot.guild.owner, bot.person("Ben")
    bot.model.always = Reply(text=f"Fennimore is with her. {'And so on. ' * 250}")
    said = await owner.say(bot.channel, STALL, mentions=[bot.discord.bot])
    answer = await bot.answer(said)
    await bot.settled()
    rest = bot.channel.said_by(bot.discord.bot)[-1]
    bot.model.always = Reply(text="I see.")
    await bot.answer(await owner.say(bot.channel, "!reset discard"))
    if then == "erased":
        assert await bot.app.archivist.erase([SpaceId(bot.guild.guild_id)], now=app.utc_now() + timedelta(hours=1))
    elif then == "undone":
        await bot.answer(await owner.say(bot.channel, "!undo"))

    for one in (said, answer, rest):
        await _asks_of(bot, ben, one, "what is this?")
    read = [
        word in prompt
        for word, prompt in zip(("Quillwort", "Fennimore", "And so on"), bot.world.prompts[-3:], strict=True)
    ]
    await _asks_of(bot, ben, said, "remember this")
    kept = bool(await rows(database, "SELECT 1 FROM memory"))

    assert (answer is not rest, [then == "undone"] * 4) == (True, [*read, kept])


# --- what Hathi said where the model was away ------------------------------------------------------------------------

AWAY: Final = Status(status=401)
"""Of a model's server that takes no key any more."""


@pytest.mark.parametrize("mode", ["addressed", "explicit"])
async def test_that_there_was_no_answer_is_not_read_where_somebody_replies_to_it(bot: DiscordBot, mode: str) -> None:
    """A model would take it for its own words; what it replied to is read, and as a question still open."""
    ann = bot.person("Ann")
    await bot.answer(await bot.guild.owner.say(bot.channel, f"!memory mode {mode}"))
    answer, bot.model.always = bot.model.always, AWAY
    failed = await bot.asks(ann, bot.channel, "Write a poem about a zebrafinch")
    bot.model.always = answer
    await _asks_of(bot, ann, failed, "try again")
    prompt = bot.world.prompts[-1]
    assert "can't be reached" in failed.text
    assert "Ann: Write a poem about a zebrafinch" in _block(prompt, nearby.POINTED_HEADING)
    assert (False, False) == ("can't be reached" in prompt, "dealt with already" in prompt)


async def test_what_stood_above_an_answer_is_not_read_where_somebody_replies_to_it(bot: DiscordBot) -> None:
    """Of its own answers a model is shown what was recorded."""
    ann = bot.person("Ann")
    await bot.answer(await ann.say(bot.channel, "!remember The mill key is pimpernelle."))
    answer, bot.model.always = bot.model.always, AWAY
    told = await bot.asks(ann, bot.channel, "What is the mill key?")
    bot.model.always = answer
    await _asks_of(bot, ann, told, "are you sure?")
    pointed = _block(bot.world.prompts[-1], nearby.POINTED_HEADING)
    assert (True, True) == (UNREACHABLE in told.text, "pimpernelle" in told.text)
    assert (False, True) == (UNREACHABLE in pointed, "pimpernelle" in pointed)
