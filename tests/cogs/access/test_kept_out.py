"""Who is answered on Discord, and what everybody else is told."""

import asyncio
from typing import Any

import pytest

from bot.commands import who
from bot.config import Roles
from bot.db.pool import Database
from bot.domain import KeptOut
from bot.store.spaces import PIN
from tests import discord_bot
from tests.cogs.chat.test_plain_requests import pressable
from tests.cogs.commands.test_reply_reasons import private
from tests.cogs.events.test_meeting import WELCOME
from tests.cogs.events.test_pin_reaction import marks, react
from tests.discord_bot import DiscordBot
from tests.discord_server.channels import Channel
from tests.discord_server.messages import Message
from tests.discord_server.users import User
from tests.model_server import Reply
from tests.rows import column, contents
from tests.waiting import WITHIN

QUESTION = "What is a walrus?"
ANSWER = Reply(text="A big seal.")
_LISTENER = "discord.py: on_message"


def _refused(why: KeptOut) -> str:
    return who.refusal(why).said("!")


async def _heard(bot: DiscordBot, user: User, channel: Channel, text: str, *, to_hathi: bool = True) -> list[str]:
    """What Hathi says to a message, once all is done that follows."""
    heard = bot.client.wait_for("message")
    said = await user.say(channel, text, mentions=[bot.discord.bot] if to_hathi and channel.guild else ())
    async with asyncio.timeout(WITHIN.total_seconds()):
        await heard
        await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == _LISTENER))
    await bot.settled()
    return [message.content for message in bot.world.replies(said)]


async def _chosen(bot: DiscordBot, line: str, channel: Channel | None = None) -> str:
    """What the owner is answered to `!who …`."""
    return (await bot.answer(await bot.guild.owner.say(channel or bot.channel, f"!who {line}"))).content


async def _asked(bot: DiscordBot, user: User, channel: Channel) -> bool:
    """Whether a model answers a question of theirs."""
    before = len(bot.model.requests)
    told = await _heard(bot, user, channel, QUESTION)
    assert (len(bot.model.requests) > before) is any("A big seal." in text for text in told)
    return len(bot.model.requests) > before


async def test_a_blocked_role_is_told_so_once(database: Database) -> None:
    """In each channel; no model is asked for them, and everybody else is answered as ever."""
    async with discord_bot.running(database, answer=ANSWER) as bot:
        muted = bot.guild.role("muted")
        ann, ben, other = bot.person("Ann", held=[muted]), bot.person("Ben"), bot.guild.text_channel("other")
        assert f"<@&{muted.role_id}>" in await _chosen(bot, f"block <@&{muted.role_id}>")
        assert [_refused(KeptOut.ROLE)] == await _heard(bot, ann, bot.channel, QUESTION)
        assert [] == await _heard(bot, ann, bot.channel, "Hello?")
        assert [] == await _heard(bot, ann, bot.channel, "!recall walrus")
        assert [_refused(KeptOut.ROLE)] == await _heard(bot, ann, other, "!recall walrus")
        assert [] == bot.model.requests
        assert await _asked(bot, ben, bot.channel)
        await _chosen(bot, f"clear <@&{muted.role_id}>")
        assert await _asked(bot, ann, bot.channel)


async def test_a_role_or_channel_is_chosen_by_its_name(database: Database) -> None:
    """Where one alone has it, with its sign or without, typed or by slash; else it is said what is taken."""
    async with discord_bot.running(database, answer=ANSWER) as bot:
        muted, twice = bot.guild.role("Muted"), bot.guild.role("kiln")
        kiln, other = bot.guild.text_channel("kiln"), bot.guild.text_channel("other")
        assert f"<@&{muted.role_id}>" in await _chosen(bot, "block muted")
        assert f"<#{other.channel_id}>" in await _chosen(bot, "block other")
        unclear = await _chosen(bot, "block kiln")
        told = await _chosen(bot, "block #kiln")
        assert ("mention" in unclear, f"<#{kiln.channel_id}>" in told, f"{twice.role_id}" in told) == (
            True,
            True,
            False,
        )
        assert "mention" in await _chosen(bot, "block nowhere")


async def test_where_roles_are_allowed_only_they_are_answered(database: Database) -> None:
    """Blocked counts for more than allowed."""
    async with discord_bot.running(database, answer=ANSWER) as bot:
        crew, muted = bot.guild.role("crew"), bot.guild.role("muted")
        people = [bot.person("Ann", held=[crew]), bot.person("Ben"), bot.person("Cid", held=[crew, muted])]
        await _chosen(bot, f"allow <@&{crew.role_id}>")
        await _chosen(bot, f"block <@&{muted.role_id}>")
        assert [True, False, False] == [await _asked(bot, user, bot.channel) for user in people]


@pytest.mark.parametrize("line", ["allow", "block"])
async def test_channels_are_allowed_or_blocked_with_their_threads(database: Database, line: str) -> None:
    """For everyone; a thread is its channel's, and may be chosen by itself."""
    async with discord_bot.running(database, answer=ANSWER) as bot:
        ann, other = bot.person("Ann"), bot.guild.text_channel("other")
        named, not_named = [await ann.start_thread(channel, "seals") for channel in (other, bot.channel)]
        await _chosen(bot, f"{line} <#{other.channel_id}>")
        answered = [await _asked(bot, ann, place) for place in (other, named, bot.channel, not_named)]
        assert ([True] * 2 + [False] * 2 if line == "allow" else [False] * 2 + [True] * 2) == answered
        assert _refused(KeptOut.CHANNEL) in [
            m.content for m in [*bot.channel.said_by(bot.discord.bot), *other.said_by(bot.discord.bot)]
        ]
        await _chosen(bot, "clear")
        await _chosen(bot, f"{line} <#{named.channel_id}>")
        assert (line == "allow", line == "block") == (await _asked(bot, ann, named), await _asked(bot, ann, other))


async def test_what_is_about_oneself_goes_on(database: Database) -> None:
    """Whoever is not answered sees, stops and erases what is remembered of them, typed and chosen."""
    async with discord_bot.running(database) as bot:
        muted = bot.guild.role("muted")
        ann = bot.person("Ann", held=[muted])
        await bot.answer(await ann.say(bot.channel, "!remember The gate code is 4417."))
        await _chosen(bot, f"block <@&{muted.role_id}>")
        for line in ("!mydata see", "!memory", "!forget 1", "!undo", "!memory off me", "!mydata erase confirm"):
            (told,) = await _heard(bot, ann, bot.channel, line, to_hathi=False)
            assert _refused(KeptOut.ROLE) != told
        assert [] == await contents(database)
        assert _refused(KeptOut.ROLE) != (await private(await ann.slash(bot.channel, "privacy"))).text


async def test_a_chosen_command_is_refused_alone_each_time(database: Database) -> None:
    """Discord waits for an answer, that nobody else reads."""
    async with discord_bot.running(database) as bot:
        muted = bot.guild.role("muted")
        ann = bot.person("Ann", held=[muted])
        await _chosen(bot, f"block <@&{muted.role_id}>")
        for _ in range(2):
            told = await private(await ann.slash(bot.channel, "memories"))
            assert _refused(KeptOut.ROLE) == told.content


async def test_a_button_tells_them_nothing(database: Database) -> None:
    """What led to an answer is told to whom questions are answered."""
    async with discord_bot.running(database, roles=Roles()) as bot:
        muted = bot.guild.role("muted")
        ann, ben = bot.person("Ann", held=[muted]), bot.person("Ben")
        await bot.answer(await ben.say(bot.channel, "!remember The walrus lives in the cold north."))
        answer = await bot.asks(ben, bot.channel, "What did I say about the walrus?")
        await _chosen(bot, f"block <@&{muted.role_id}>")
        why = pressable(answer, "reasons")
        assert _refused(KeptOut.ROLE) == (await private(await ann.press(answer, why))).text
        assert _refused(KeptOut.ROLE) != (await private(await ben.press(answer, why))).text


async def test_nor_does_the_form_for_a_question(database: Database) -> None:
    """It is refused before anything stands in the channel."""
    async with discord_bot.running(database, answer=ANSWER) as bot:
        guild = bot.discord.guild("Tigers", with_bot=False)
        muted, lobby = guild.role("muted"), guild.text_channel("lobby")
        bot.discord.invite(guild)
        welcome = await bot.stands(WELCOME, lobby)
        ann = bot.discord.user("Ann")
        guild.join(ann, roles=[muted])
        await bot.answer(await guild.owner.say(lobby, f"!who block <@&{muted.role_id}>"))
        pressed = await ann.press(welcome, "hathi:ask")
        await bot.until(lambda: pressed.modal)
        sent = await ann.submit(pressed, {"text": QUESTION})
        assert _refused(KeptOut.ROLE) == (await private(sent)).content
        assert [] == bot.model.requests


async def test_nor_do_they_mark_anything(database: Database) -> None:
    """A 📌 of theirs is none."""
    async with discord_bot.running(database) as bot:
        muted = bot.guild.role("muted")
        ann = bot.person("Ann", held=[muted])
        await _chosen(bot, f"block <@&{muted.role_id}>")
        said = await ann.say(bot.channel, "The gate code is 4417.")
        await react(bot, ann, said, PIN)
        assert ([], []) == (await contents(database), marks(bot, said))


async def test_managers_are_never_locked_out(database: Database) -> None:
    """Their questions go by what they chose; their commands work all the same, and take it back."""
    async with discord_bot.running(database, answer=ANSWER) as bot:
        crew = bot.guild.role("crew")
        await _chosen(bot, f"allow <@&{crew.role_id}>")
        await _chosen(bot, f"block <#{bot.channel.channel_id}>")
        assert not await _asked(bot, bot.guild.owner, bot.channel)
        assert who.refusal(KeptOut.ROLE).said("!") not in await _chosen(bot, "")
        await _chosen(bot, "clear")
        assert await _asked(bot, bot.guild.owner, bot.channel)


@pytest.mark.parametrize(("mode", "kept"), [("addressed", []), ("all", ["What is a walrus?"])])
async def test_what_they_say_is_talk(database: Database, mode: str, kept: list[str]) -> None:
    """It is recorded where all talk is, and only there."""
    async with discord_bot.running(database) as bot:
        muted = bot.guild.role("muted")
        ann = bot.person("Ann", held=[muted])
        await bot.answer(await bot.guild.owner.say(bot.channel, f"!memory mode {mode}"))
        await _chosen(bot, f"block <@&{muted.role_id}>")
        await _heard(bot, ann, bot.channel, QUESTION)
        assert kept == await column(database, "SELECT content FROM message WHERE author_id = $1", ann.user_id)
    assert [] == await column(database, "SELECT turn_id FROM turn WHERE asker_id = $1", ann.user_id)


async def test_where_everything_is_answered_their_talk_is_let_be(database: Database) -> None:
    """Who does not speak to Hathi is not told that it does not answer."""
    async with discord_bot.running(database) as bot:
        muted = bot.guild.role("muted")
        ann = bot.person("Ann", held=[muted])
        await bot.answer(await bot.guild.owner.say(bot.channel, "!channel enable"))
        await _chosen(bot, f"block <@&{muted.role_id}>")
        assert [] == await _heard(bot, ann, bot.channel, "Lovely weather.", to_hathi=False)
        assert [_refused(KeptOut.ROLE)] == await _heard(bot, ann, bot.channel, QUESTION)


async def test_what_was_asked_while_it_was_away_is_held_to_it_too(database: Database) -> None:
    """Discord is asked for the roles of whoever asked: what was missed does not tell them."""
    async with discord_bot.world(answer=ANSWER) as place:
        muted = place.guild.role("muted")
        async with discord_bot.connected(place, database) as bot:
            ann, ben = bot.person("Ann", held=[muted]), bot.person("Ben")
            for user in (ann, ben):
                await bot.asks(user, bot.channel, QUESTION)
            await _chosen(bot, f"block <@&{muted.role_id}>")
        missed = [await user.say(place.channel, QUESTION, mentions=[place.discord.bot]) for user in (ann, ben)]
        async with discord_bot.connected(place, database) as bot:
            await bot.answer(missed[1])
            await bot.caught_up()
            await bot.settled()
            assert [0, 1] == [len(place.replies(one)) for one in missed]


async def test_each_server_has_its_own(database: Database) -> None:
    """Also after a restart."""
    async with discord_bot.world(answer=ANSWER) as place:
        other = place.discord.guild("Tigers")
        elsewhere = other.text_channel("general")
        async with discord_bot.connected(place, database) as bot:
            ann = bot.person("Ann")
            other.join(ann)
            await _chosen(bot, f"block <#{place.channel.channel_id}>")
        async with discord_bot.connected(place, database) as bot:
            bot.knows(ann)
            assert (False, True) == (await _asked(bot, ann, place.channel), await _asked(bot, ann, elsewhere))


# --- what whoever runs Hathi chose


async def test_other_servers_are_not_served(database: Database) -> None:
    """They are told once, and keep nothing; what is about oneself works, and nobody is introduced to Hathi there."""
    async with discord_bot.world(answer=ANSWER) as place:
        other = place.discord.guild("Tigers")
        elsewhere = other.text_channel("general")
        async with discord_bot.connected(place, database, discord={"servers": (place.guild.guild_id,)}) as bot:
            ann = bot.person("Ann")
            other.join(ann)
            assert await _asked(bot, ann, place.channel)
            assert [_refused(KeptOut.SERVER)] == await _heard(bot, ann, elsewhere, QUESTION)
            assert [] == await _heard(bot, ann, elsewhere, QUESTION)
            assert [_refused(KeptOut.SERVER)] == await _heard(bot, other.owner, elsewhere, "!who")
            told = await private(await ann.slash(elsewhere, "memories"))
            assert _refused(KeptOut.SERVER) == told.content
            await react(bot, ann, elsewhere.messages[0], PIN)
            assert [] == await column(database, "SELECT 1 FROM space WHERE space_id = $1", other.guild_id)
            (shown,) = await _heard(bot, ann, elsewhere, "!mydata see", to_hathi=False)
            assert _refused(KeptOut.SERVER) != shown
            assert [] == [message for message in elsewhere.said_by(bot.discord.bot) if WELCOME in message.content]


async def test_direct_messages_may_be_left_unanswered(database: Database) -> None:
    """They are told once; servers are served."""
    async with discord_bot.running(database, answer=ANSWER, discord={"direct_messages": False}) as bot:
        ann = bot.person("Ann")
        assert [_refused(KeptOut.DIRECT)] == await _heard(bot, ann, ann.direct, QUESTION)
        assert [] == await _heard(bot, ann, ann.direct, QUESTION)
        assert _refused(KeptOut.DIRECT) not in await _heard(bot, ann, ann.direct, "!mydata see")
        assert await _asked(bot, ann, bot.channel)
    assert [] == await column(database, "SELECT content FROM message WHERE channel_id = $1", ann.direct.channel_id)


# --- the command


async def test_who_is_answered_is_told(database: Database) -> None:
    """Each rule in a line; it takes Manage Server, and what is mentioned."""
    async with discord_bot.running(database) as bot:
        crew, ann = bot.guild.role("crew"), bot.person("Ann")
        assert 2 == len((await _chosen(bot, "")).splitlines())
        await _chosen(bot, f"allow <@&{crew.role_id}>")
        told = await _chosen(bot, f"block <#{bot.channel.channel_id}>")
        assert [f"<#{bot.channel.channel_id}>", f"<@&{crew.role_id}>"] == [
            line.rsplit(" ", 1)[1].rstrip(".") for line in told.splitlines()[:-1]
        ]
        # What is chosen anew takes the place of what was chosen before.
        assert 3 == len((await _chosen(bot, f"allow <#{bot.channel.channel_id}>")).splitlines())
        await _chosen(bot, "clear")
        (refused,) = await _heard(bot, ann, bot.channel, "!who clear", to_hathi=False)
        assert "Manage Server" in refused


@pytest.mark.parametrize("given", ["Ann", "<@123456789012345678>", "@everyone", "#nowhere", "<@&{guild}>"])
async def test_only_roles_and_channels_are_chosen(database: Database, given: str) -> None:
    """Nothing changes by anything else, and the role of everyone is no choice."""
    async with discord_bot.running(database, answer=ANSWER) as bot:
        before = await _chosen(bot, "")
        await _chosen(bot, f"block {given.format(guild=bot.guild.guild_id)}")
        assert before == await _chosen(bot, "")


async def test_in_direct_messages_there_is_nothing_to_choose(database: Database) -> None:
    """There is one who is answered."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        (told,) = await _heard(bot, ann, ann.direct, "!who block <#123456789012345678>")
        assert told.startswith("Here I answer you")


async def test_so_many_can_be_chosen_and_no_more(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are chosen already can be chosen otherwise."""
    monkeypatch.setattr("bot.store.answer_rules.MOST", 2)
    async with discord_bot.running(database) as bot:
        first, second, third = (bot.guild.role(name) for name in ("a", "b", "c"))
        for role in (first, second):
            await _chosen(bot, f"block <@&{role.role_id}>")
        assert "At most" in await _chosen(bot, f"block <@&{third.role_id}>")
        assert f"<@&{first.role_id}>" in await _chosen(bot, f"allow <@&{first.role_id}>")


async def test_it_can_be_chosen_as_a_slash_command(database: Database) -> None:
    """By the same words."""
    async with discord_bot.running(database) as bot:
        options: dict[str, Any] = {"whom": f"<#{bot.channel.channel_id}>"}
        await bot.guild.owner.slash(bot.channel, "admin who block", options)
        await bot.until(lambda: _says(bot.channel.messages, f"<#{bot.channel.channel_id}>"))


def _says(messages: list[Message], text: str) -> bool:
    return any(text in message.text for message in messages)
