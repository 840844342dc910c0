"""`Why?` under Hathi's replies, and what can be done with the memories that are told of there and by `!me`."""

import asyncio
import re
from typing import Any

import pytest
from simcord.components import walk_components

from bot.commands import reply_reasons
from bot.config import Roles
from bot.db.pool import Database
from bot.domain import Caller, Right
from tests import discord_bot, people
from tests.discord_bot import DiscordBot
from tests.discord_server.channels import Channel
from tests.discord_server.interactions import Interaction
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.users import User
from tests.model_server import Reply
from tests.rows import rows
from tests.waiting import WITHIN

FORGET, FIX, PIN = "hathi:forget", "hathi:mend", "hathi:pin"
INK = "What did I say about ink?"
"""What memory answers."""
DOES = (FORGET, FIX, PIN)
_NUMBER = re.compile(r"#(\d+)\Z")


async def living(database: Database) -> list[tuple[Any, ...]]:
    return await rows(
        database, "SELECT memory_id, content, pinned FROM memory WHERE forgotten_at IS NULL AND superseded_by IS NULL"
    )


async def private(done: Interaction) -> Message:
    """What only whoever pressed, chose or sent in is told, beside the message they did it in."""

    def told() -> list[Message]:
        return [message for message in done.messages if message is not done.message]

    await done.world.changes.until(told, within=WITHIN)
    (found,) = told()
    assert found.ephemeral
    return found


async def press(user: User, reply: Message) -> Message:
    """What only the presser of "Why?" under a reply is told."""
    return await private(await user.press(reply, f"hathi:reasons:{_question(reply)}"))


async def exactly(user: User, told: Message, reply: Message) -> Message:
    """What only the presser of what tells more under that is told."""
    return await private(await user.press(told, f"hathi:exactly:{_question(reply)}"))


async def whole(user: User, listed: Message) -> Message:
    """The whole of a list that is short where everyone reads it, as it is shown to one person."""
    return await private(await user.press(listed, "hathi:all"))


async def opened(user: User, message: Message, memory_id: int) -> None:
    """Open what can be done with a memory of a list."""
    await user.press(message, f"hathi:open:{memory_id}")
    await user.world.changes.until(lambda: f"{FIX}:{memory_id}" in message.custom_ids, within=WITHIN)


async def do(user: User, message: Message, what: str, memory_id: int) -> Message:
    """What only whoever did something with a memory of a list is told."""
    await opened(user, message, memory_id)
    return await private(await user.press(message, f"{what}:{memory_id}"))


async def form(user: User, message: Message, memory_id: int) -> Interaction:
    """The form that holds a memory of a list."""
    await opened(user, message, memory_id)
    return await (await user.press(message, f"{FIX}:{memory_id}")).until_answered()


async def type_command(
    bot: DiscordBot, user: User, channel: Channel, text: str, *, to: Message | None = None
) -> Message:
    """The reply to a command."""
    said = await user.say(channel, text, reply_to=to)
    await bot.until(lambda: bot.world.replies(said))
    await bot.settled()
    return bot.world.replies(said)[0]


async def choose(user: User, channel: Channel, name: str, **options: Any) -> Message:
    """The answer to a slash command."""
    (told,) = await (await user.slash(channel, name, options)).until_told()
    return told


def fields(message: Message) -> dict[str, str]:
    """The first line of each memory of a list, by its number."""
    found = [part["content"] for part in walk_components(message.components) if "content" in part]
    return {number[0]: text.split("\n")[0] for text in found if (number := _NUMBER.search(text))}


def is_why(message: Message) -> bool:
    """Whether it explains a reply."""
    return message.text.startswith("### Why I said that, ")


def _question(reply: Message) -> str:
    return (reply.reference or {})["message_id"]


async def test_every_reply_can_be_asked_why_after_a_restart_too(database: Database) -> None:
    """The button stands under the reply with the request that sent it; only the presser sees what it tells."""
    async with discord_bot.world(answer=Reply(text="You like blue ink [#1].")) as world:
        async with discord_bot.connected(world, database) as bot:
            ann = bot.person("Ann")
            await type_command(bot, ann, bot.channel, "!remember I like blue ink.")
            reply = await bot.asks(ann, bot.channel, INK)
            await bot.settled()
            assert [f"hathi:{kind}:{_question(reply)}" for kind in ("reasons", "again")] == reply.custom_ids
            assert [] == bot.discord.requested("PATCH")
        async with discord_bot.connected(world, database) as again:
            told = await press(again.knows(ann), reply)
            exact = await exactly(ann, told, reply)
    assert (True, True) == (is_why(told), is_why(exact))
    assert [False, True] == ["Model: scripted" in each.text for each in (told, exact)]
    for each in (told, exact):
        assert fields(each)["#1"] == "I like blue ink."
        assert "hathi:open:1" in each.custom_ids


async def test_what_needs_no_model_can_be_asked_why_too(database: Database) -> None:
    """What memory answers by its button; a word of farewell and a confirmation, which have none, by the command."""
    async with discord_bot.running(database, roles=Roles()) as bot:
        ann = bot.person("Ann")
        kept = await bot.asks(ann, bot.channel, "remember that I like blue ink")
        quoted = await bot.asks(ann, bot.channel, INK)
        closed = await bot.asks(ann, bot.channel, "thank you, that will be all")
        listed = await type_command(bot, ann, bot.channel, "!tags")
        pressed = await press(ann, quoted)
        asked = [await type_command(bot, ann, bot.channel, "!why", to=each) for each in (kept, closed)]
    assert [f"hathi:reasons:{_question(quoted)}"] == quoted.custom_ids
    assert [[], [], []] == [each.custom_ids for each in (kept, closed, listed)]
    assert "word for word" in pressed.text
    assert [True, True] == ["No model took part." in each.text for each in asked]


async def test_a_space_can_do_without_the_button(database: Database) -> None:
    """Its admins switch it off and on; `!why` tells either way."""
    async with discord_bot.running(database, roles=Roles()) as bot:
        owner = bot.knows(bot.guild.owner)
        await type_command(bot, owner, bot.channel, "!remember I like blue ink.")
        await type_command(bot, owner, bot.channel, "!settings why off")
        without = await bot.asks(owner, bot.channel, INK)
        told = await type_command(bot, owner, bot.channel, "!why")
        await type_command(bot, owner, bot.channel, "!settings why on")
        with_it = await bot.asks(owner, bot.channel, INK)
    assert [] == without.custom_ids
    assert is_why(told)
    assert 1 == len(with_it.custom_ids)


async def test_a_reply_is_named_by_replying_to_it_or_by_its_link(database: Database) -> None:
    """Without either it is the last one; what is no reply of Hathi's is told in a sentence."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        bot.model.steps += [Reply(text="First."), Reply(text="Second.")]
        first = await bot.asks(ann, bot.channel, "How are you?")
        second = await bot.asks(ann, bot.channel, "And how are you now?")
        await bot.settled()
        link = f"https://discord.com/channels/{bot.guild.guild_id}/{bot.channel.channel_id}/{first.message_id}"
        last = await type_command(bot, ann, bot.channel, "!why")
        replied = await type_command(bot, ann, bot.channel, "!why", to=first)
        linked = await type_command(bot, ann, bot.channel, f"!why {link}")
        chosen = await choose(ann, bot.channel, "why", reply=str(first.message_id))
        nothing = await type_command(bot, ann, bot.channel, "!why", to=await ann.say(bot.channel, "I see"))
    about_first = ["The question: “How are you?”" in message.text for message in (last, replied, linked, chosen)]
    assert [False, True, True, True] == about_first
    assert "The question: “And how are you now?”" in last.text
    assert "Second." == second.content
    assert chosen.ephemeral
    assert reply_reasons.NOT_KNOWN == nothing.content


async def test_why_is_also_a_word_of_talk(database: Database) -> None:
    """ "@Hathi why do cats purr" is a question; "@Hathi why" alone is the command."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        talk = await bot.asks(ann, bot.channel, "why do cats purr")
        command = await bot.asks(ann, bot.channel, "why")
        await bot.settled()
    assert "Fine." == talk.content
    assert is_why(command)


async def test_what_names_nothing_a_command_takes_is_talk_after_a_mention(database: Database) -> None:
    """ "@Hathi do me a favour" runs no workflow; what names a time or a command is meant so."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann", held=[bot.guild.role("mods", Permission.MANAGE_GUILD)])
        for talk in ("do me a favour", "do we use mirror", "missed you!", "learn to code", "persona 5 is great"):
            assert "Fine." in (await bot.asks(ann, bot.channel, talk)).text, talk
        for command in ("do", "missed last week", "!palace attic", "!memories big kiln", "help recall"):
            assert "Fine." not in (await bot.asks(ann, bot.channel, command)).text, command


async def test_why_said_in_reply_to_an_answer_explains_that_one(database: Database) -> None:
    """In plain words as by the command, though something else was answered since."""
    async with discord_bot.running(database, roles=Roles()) as bot:
        ann = bot.person("Ann")
        for text in ("remember that the key is under the pot", "remember that the bins go out on Thursday"):
            await bot.asks(ann, bot.channel, text)
        first = await bot.asks(ann, bot.channel, "where is the key?")
        await bot.asks(ann, bot.channel, "when do the bins go out?")
        told = await bot.answer(await ann.say(bot.channel, "why?", reply_to=first))
        last = await bot.asks(ann, bot.channel, "how do you know that?")
    assert "where is the key?" in told.text
    assert "where is the key?" in last.text


async def test_what_a_reply_rests_on_is_changed_under_what_explains_it(database: Database) -> None:
    """Each memory has its button there too, though it is told alone, and nothing has to be embedded for it."""
    async with discord_bot.running(database) as bot:
        owner = bot.knows(bot.guild.owner)
        for text in ("I like blue ink.", "I play chess.", "I own a horse.", "I bake.", "I sail.", "I read."):
            await type_command(bot, owner, bot.channel, f"!remember {text}")
        bot.model.steps.append(Reply(text="You like blue ink [#1]."))
        reply = await bot.asks(owner, bot.channel, INK)
        await bot.settled()
        bot.channel.overwrite(bot.discord.bot, Overwrite(deny=Permission.EMBED_LINKS))
        brief = await press(owner, reply)
        assert ["#1"] == [*fields(brief)]
        assert "hathi:open:1" in brief.custom_ids
        told = await exactly(owner, brief, reply)
        assert 6 == len(fields(told)) == len([one for one in told.custom_ids if one.startswith("hathi:open:")])
        forgot = await do(owner, told, FORGET, 1)
        await bot.until(lambda: "hathi:restore:1" in told.custom_ids)
    assert (True, []) == (told.ephemeral, told.embeds)
    assert forgot.text.startswith("[memory] forgotten: #1")
    assert "*forgotten*" == fields(told)["#1"]


async def test_the_last_replies_are_suggested_while_typing(database: Database) -> None:
    """What was said in them finds them; a link is left as it is."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        bot.model.steps += [Reply(text="Tea it is."), Reply(text="Coffee it is.")]
        tea = await bot.asks(ann, bot.channel, "What shall we drink?")
        await bot.asks(ann, bot.channel, "And tomorrow?")
        await bot.settled()
        link = f"https://discord.com/channels/1/2/{tea.message_id}"
        found = [
            await (await ann.autocomplete(bot.channel, "why", "reply", typed)).until_answered()
            for typed in ("", "tea", link)
        ]
    offered = [[choice["value"] for choice in each.choices] for each in found]
    assert 2 == len(offered[0])
    assert [[_question(tea)], [link]] == offered[1:]
    assert found[1].choices[0]["name"].endswith(" Tea it is.")


async def test_what_is_known_of_oneself_can_be_changed_where_it_is_told(database: Database) -> None:
    """Pinned, forgotten with an undo beside it, and put right in a form that holds the text."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        for text in ("I like blue ink.", "I live in Basel.", "I play chess."):
            await type_command(bot, ann, bot.channel, f"!remember {text}")
        listed = await whole(ann, await type_command(bot, ann, bot.channel, "!me"))
        assert {"#3": "“I play chess.”", "#2": "“I live in Basel.”", "#1": "“I like blue ink.”"} == fields(listed)
        pinned = await do(ann, listed, PIN, 1)
        forgot = await do(ann, listed, FORGET, 2)
        assert forgot.text.startswith("[memory] forgotten: #2")
        asked = await form(ann, listed, 3)
        assert "I play chess." == filled(asked)
        fixed = await private(await ann.submit(asked, {"text": "I play go."}))
        after, shown, ids = await living(database), fields(listed), listed.custom_ids
        told = await private(await ann.press(listed, "hathi:restore:2"))
        back = fields(listed)
        await opened(ann, listed, 1)
    assert pinned.content.startswith("[memory] pinned: #1")
    assert "It supersedes #3." in fixed.content
    assert [(1, "I like blue ink.", True), (4, "I play go.", False)] == sorted(after)
    assert {"#1": "“I like blue ink.”", "#2": "*forgotten*", "#4": "I play go."} == shown
    assert ["hathi:open:4", "hathi:restore:2", "hathi:open:1"] == ids
    assert told.text.startswith("[memory] back: #2")
    assert shown | {"#2": "I live in Basel."} == back
    assert "hathi:unpin:1" in listed.custom_ids


async def test_only_who_may_change_a_memory_opens_it(database: Database) -> None:
    """Others get one sentence, alone, and the list is as it was; pressed again, it closes."""
    async with discord_bot.running(database) as bot:
        ann, bob = bot.person("Ann"), bot.person("Bob")
        hidden = bot.guild.private_channel("hidden", seen_by=[ann, bob])
        await type_command(bot, ann, hidden, "!remember I like blue ink.")
        listed = await type_command(bot, ann, hidden, "!me")
        told = await private(await bob.press(listed, "hathi:open:1"))
        before = listed.custom_ids
        await opened(ann, listed, 1)
        open_ids = listed.custom_ids
        await ann.press(listed, "hathi:open:1")
        await bot.until(lambda: before == listed.custom_ids)
    assert [part in told.text for part in ("#1 was said by", Right.MANAGE_GUILD)] == [True, True]
    assert ["hathi:open:1"] == before
    assert ["hathi:open:1", "hathi:forget:1", "hathi:mend:1", "hathi:pin:1"] == open_ids


async def test_what_others_said_of_one_is_asked_to_be_removed(database: Database) -> None:
    """Whoever it is about can ask for that where it is told to them, and change nothing."""
    async with discord_bot.running(database) as bot:
        ann, bob = bot.person("Ann"), bot.person("Bob")
        await type_command(bot, ann, bot.channel, f"!remember {bob.mention} snores.")
        listed = await whole(bob, await type_command(bot, bob, bot.channel, "!me"))
        assert ["hathi:theirs:1"] == listed.custom_ids
        await bob.press(listed, "hathi:theirs:1")
        await bot.until(lambda: listed.custom_ids == ["hathi:theirs:1", "hathi:asks:1"])
        told = await private(await bob.press(listed, "hathi:asks:1"))
        left = await living(database)
        requests = await type_command(bot, bot.knows(bot.guild.owner), bot.channel, "!memory requests")
    assert "asked" in told.text
    assert 1 == len(left)
    assert ["hathi:open:1"] == requests.custom_ids


async def test_a_list_that_was_turned_meanwhile_stays(database: Database) -> None:
    """What was pressed is done and told, though the entry that it stood under is on another page by then."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        for number in range(7):
            await type_command(bot, ann, bot.channel, f"!remember I own {number} horses.")
        listed = await whole(ann, await type_command(bot, ann, bot.channel, "!memories sort:new"))
        await opened(ann, listed, 7)
        gate, forget = asyncio.Event(), bot.app.commands.run

        async def held(caller: Caller, name: str, *args: Any, **named: Any) -> Any:
            if name == "forget":
                await gate.wait()
            return await forget(caller, name, *args, **named)

        bot.app.commands.run = held
        pressed = await ann.press(listed, f"{FORGET}:7")
        await ann.press(listed, "hathi:page:2")
        await bot.until(lambda: "#1" in fields(listed))
        page = listed.text
        gate.set()
        told = await private(pressed)
        left = await living(database)
    assert told.text.startswith("[memory] forgotten: #7")
    assert (6, page) == (len(left), listed.text)


def filled(asked: Interaction) -> str:
    """What the form holds that a choice opened."""
    assert asked.modal is not None
    (row,) = asked.modal["components"]
    return row["component"]["value"]


async def test_buttons_and_forms_outlive_a_restart(database: Database) -> None:
    """A form that was opened before, and the buttons of a message sent before, do what they say."""
    async with discord_bot.world(answer=Reply(text="Fine.")) as world:
        async with discord_bot.connected(world, database) as bot:
            ann = bot.person("Ann")
            hidden = bot.guild.private_channel("hidden", seen_by=[ann])
            await type_command(bot, ann, hidden, "!remember I like blue ink.")
            await type_command(bot, ann, hidden, "!remember I play chess.")
            listed = await type_command(bot, ann, hidden, "!me")
            asked = await form(ann, listed, 1)
        async with discord_bot.connected(world, database) as again:
            again.knows(ann)
            fixed = await private(await ann.submit(asked, {"text": "I like red ink."}))
            forgot = await do(ann, listed, FORGET, 2)
            left = await living(database)
    assert "It supersedes #1." in fixed.content
    assert forgot.text.startswith("[memory] forgotten: #2")
    assert [(3, "I like red ink.", False)] == left


@pytest.mark.parametrize("what", DOES)
async def test_what_another_said_is_not_changed(database: Database, what: str) -> None:
    """By a button that another opened as little as by a command: one sentence, no form, and nothing is done."""
    async with discord_bot.running(database) as bot:
        ann, bob = bot.person("Ann"), bot.person("Bob")
        hidden = bot.guild.private_channel("hidden", seen_by=[ann, bob])
        await type_command(bot, ann, hidden, "!remember I like blue ink.")
        listed = await type_command(bot, ann, hidden, "!me")
        await opened(ann, listed, 1)
        chosen = await bob.press(listed, f"{what}:1")
        told = await private(chosen)
        left = await living(database)
    assert [part in told.content for part in ("#1 was said by", Right.MANAGE_GUILD)] == [True, True]
    assert chosen.modal is None
    assert [(1, "I like blue ink.", False)] == left


async def test_a_form_of_what_is_gone_is_refused(database: Database) -> None:
    """Sent in after the memory was forgotten, by whoever: one sentence, and nothing comes back."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await type_command(bot, ann, bot.channel, "!remember I like blue ink.")
        listed = await whole(ann, await type_command(bot, ann, bot.channel, "!me"))
        asked = await form(ann, listed, 1)
        await type_command(bot, ann, bot.channel, "!forget 1")
        told = await private(await ann.submit(asked, {"text": "I like red ink."}))
        left = await living(database)
    assert told.content.startswith("There is no memory #1 here")
    assert [] == left


async def test_a_memory_longer_than_a_form_is_left_to_the_command(database: Database) -> None:
    """Where its text would be cut, it is not opened at all."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await bot.app.commands.remembering.save(await _caller(bot, ann), f"I own {'🐘' * 2500}")
        listed = await whole(ann, await type_command(bot, ann, bot.channel, "!me"))
        told = await do(ann, listed, FIX, 1)
    assert [part in told.content for part in ("#1 is longer", "!edit 1 …")] == [True, True]


async def _caller(bot: DiscordBot, user: User) -> Caller:
    place, channel = bot.guild.guild_id, bot.channel.channel_id
    found = people.caller(user.display_name, space=place, channel=channel, person=user.user_id, moderator=False)
    return await bot.app.enter(found, channel_name="general", mode="addressed")


async def test_what_is_known_of_oneself_is_private_when_chosen(database: Database) -> None:
    """It is for whoever chose it; a further page is turned to in place, with buttons of its own."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        for number in range(7):
            await type_command(bot, ann, bot.channel, f"!remember I own {number} horses.")
        told = await choose(ann, bot.channel, "memories", show="about me")
        first = [*fields(told)]
        await (await ann.press(told, "hathi:page:2")).until_answered()
        await bot.until(lambda: [*fields(told)] == ["#1"])
    assert told.ephemeral
    assert ["#7", "#6", "#5", "#4", "#3", "#2"] == first
    assert ["hathi:open:1", "hathi:page:1"] == told.custom_ids


async def test_a_list_about_somebody_is_not_turned_into_one_about_another(database: Database) -> None:
    """Where it stands for all to see, whoever turns its page is told of themselves, alone; the list stays."""
    async with discord_bot.running(database) as bot:
        ann, bob = bot.person("Ann"), bot.person("Bob")
        hidden = bot.guild.private_channel("hidden", seen_by=[ann, bob])
        for number in range(7):
            await type_command(bot, ann, hidden, f"!remember I own {number} horses.")
        listed = await type_command(bot, ann, hidden, "!me")
        before = fields(listed)
        hers = await private(await ann.press(listed, "hathi:page:2"))
        his = await private(await bob.press(listed, "hathi:page:2"))
        after = fields(listed)
    assert {"#1": "“I own 0 horses.”"} == fields(hers)
    assert his.content.endswith("on page 2.")
    assert before == after


async def test_nothing_of_a_private_channel_is_told_elsewhere(database: Database) -> None:
    """What somebody said there is told to them there, and not where others read along; nor why it was answered."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        hidden = bot.guild.private_channel("hidden", seen_by=[ann])
        await type_command(bot, ann, hidden, "!remember I am ill.")
        reply = await bot.asks(ann, hidden, "How are you?")
        await bot.settled()
        here = await type_command(bot, ann, bot.channel, "!me")
        there = await type_command(bot, ann, hidden, "!me")
        why = await type_command(bot, ann, bot.channel, f"!why {reply.message_id}")
    assert "I have nothing about you" in here.content
    assert {"#1": "“I am ill.”"} == fields(there)
    assert reply_reasons.NOT_KNOWN == why.content
