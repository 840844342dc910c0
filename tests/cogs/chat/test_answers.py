"""What Hathi answers on Discord and what it leaves alone, over real sockets."""

from collections.abc import AsyncGenerator

import pytest

from bot.commands import hello
from bot.config import RecallSettings, Roles
from bot.db.pool import Database
from bot.domain import NOTHING_FOUND
from bot.presentation import render
from tests import discord_bot
from tests.discord_bot import DiscordBot
from tests.discord_server import posting, wire
from tests.discord_server.drafting import Draft
from tests.discord_server.permissions import CHATTING, Permission
from tests.discord_server.users import User
from tests.model_server import Reply

PINNED, JOINED = 6, 7
"""Kinds of lines that Discord writes itself."""


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    async with discord_bot.running(database) as running:
        yield running


async def test_a_mention_is_answered(bot: DiscordBot) -> None:
    """A mention, wherever it stands, is answered by a reply to the message that asked, and the asker not pinged."""
    ann = bot.person("Ann")
    for text in (f"{bot.discord.bot.mention} how are you?", f"How are you, <@!{bot.discord.bot.user_id}>?"):
        question = await ann.say(bot.channel, text)
        reply = await bot.answer(question)
        assert ("Fine.", []) == (reply.text, reply.mentions)
        assert question is reply.referenced
    assert 2 == len(bot.model.requests)


async def test_a_mention_of_its_role_is_answered(bot: DiscordBot) -> None:
    """A mention of the role Discord made for Hathi is a mention of Hathi; one of another role is not."""
    bot.guild.change_role(bot.guild.everyone, bot.guild.everyone.permissions | Permission.MENTION_EVERYONE)
    ann, other = bot.person("Ann"), bot.guild.role("friends")
    await ann.say(bot.channel, f"<@&{other.role_id}> lunch?")
    question = await ann.say(bot.channel, f"<@&{bot.guild.bot_role.role_id}> how are you?")
    assert "Fine." == (await bot.answer(question)).text
    assert 1 == len(bot.model.requests)


async def test_a_reply_to_it_is_answered(bot: DiscordBot) -> None:
    """A reply to something Hathi said is said to Hathi, without any ping; a reply to somebody else is not."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    first = await bot.asks(ann, bot.channel, "How are you?")
    remark = await ben.say(bot.channel, "I am well too")
    await ann.say(bot.channel, "good", reply_to=remark)
    question = await ben.say(bot.channel, "And tomorrow?", reply_to=first, ping=False)
    assert "Fine." == (await bot.answer(question)).text
    assert 2 == len(bot.model.requests)


async def test_direct_messages_are_answered(bot: DiscordBot) -> None:
    """Everything said in direct messages is said to Hathi, and unknown commands are told there."""
    ann = bot.person("Ann")
    assert "Fine." == (await bot.asks(ann, ann.direct, "How are you?")).text
    unknown = await bot.answer(await ann.say(ann.direct, "!recal cake"))
    assert "!recal" in unknown.text
    assert "!recall" in unknown.text
    assert 1 == len(bot.model.requests)


@pytest.mark.parametrize(
    "said", ["What did we say about the zeppelin?", "!recall zeppelin", "!recall zep strategy:literal"]
)
async def test_a_direct_message_that_finds_nothing_says_where_to_ask(bot: DiscordBot, said: str) -> None:
    """What was said in a server is told nobody in direct messages: they say so in one sentence, a server does not."""
    ann = bot.person("Ann")
    for channel, is_told in ((bot.channel, False), (ann.direct, True)):
        told = (await bot.asks(ann, channel, said)).text
        assert (True, is_told) == (NOTHING_FOUND in told, render.ASK_THERE in told)
        assert is_told == told.startswith(f"{NOTHING_FOUND} {render.ASK_THERE}")


async def test_a_direct_message_that_finds_something_says_only_that(bot: DiscordBot) -> None:
    """Where memory has it, nobody is sent elsewhere."""
    ann = bot.person("Ann")
    await bot.asks(ann, ann.direct, "!remember The zeppelin flies on Sundays.")
    told = (await bot.asks(ann, ann.direct, "!recall zeppelin")).text
    assert (True, False) == ("flies on Sundays" in told, render.ASK_THERE in told)


async def test_an_enabled_channel_is_answered(bot: DiscordBot) -> None:
    """Where an admin enabled a channel everything said is answered, elsewhere nothing that is not said to Hathi."""
    owner, ben, elsewhere = bot.knows(bot.guild.owner), bot.person("Ben"), bot.guild.text_channel("elsewhere")
    await bot.answer(await owner.say(bot.channel, "!channel enable"))
    await ben.say(elsewhere, "Is anybody there?")
    assert "Fine." == (await bot.answer(await ben.say(bot.channel, "Is anybody here?"))).text
    await bot.answer(await owner.say(bot.channel, "!channel disable"))
    await ben.say(bot.channel, "And now?")
    await bot.asks(ben, elsewhere, "Last one?")
    assert ["Is anybody here?", "Last one?"] == [_asked(prompt) for prompt in bot.world.prompts]


async def test_without_a_model_what_people_say_to_each_other_is_acknowledged_once(database: Database) -> None:
    """In a channel where everything is answered: then that is left to them, and never told of who opted out."""
    async with discord_bot.running(database, roles=Roles()) as bot:
        owner, ben = bot.knows(bot.guild.owner), bot.person("Ben")
        await bot.answer(await owner.say(bot.channel, "!channel enable"))
        first = await bot.answer(await ben.say(bot.channel, "We had pizza at the lake"))
        talk = [await ben.say(bot.channel, text) for text in ("Lovely evening, too", "\N{THUMBS UP SIGN}")]
        to_hathi = await bot.asks(ben, bot.channel, "the lake is warm already")
        talk += [await ben.say(bot.channel, text) for text in ("forget about it", "reset the lake, Ann")]
        asked = await bot.answer(await ben.say(bot.channel, "What did I say about pizza?"))
        await bot.answer(await owner.say(bot.channel, "!memory off me"))
        kept_out = await owner.say(bot.channel, "I was at the lake, too")
        last = await bot.answer(await ben.say(bot.channel, "What did I say about the lake?"))
        await bot.settled()
        assert [] == [each.text for said in (*talk, kept_out) for each in bot.world.replies(said)]
    assert hello.HEARD == first.text
    assert hello.HEARD_BRIEFLY == to_hathi.text
    assert ("pizza at the lake" in asked.text, True) == (True, "lake is warm" in last.text)


async def test_a_thread_is_answered_as_its_channel_is(bot: DiscordBot) -> None:
    """What is set in a public thread holds for its channel and for every thread of that, not for a private one."""
    owner, ben = bot.knows(bot.guild.owner), bot.person("Ben")
    thread = await ben.start_thread(bot.channel, "aside")
    alone = await ben.start_thread(bot.channel, "between us", private=True)
    alone.add(bot.discord.bot)
    await bot.answer(await owner.say(thread, "!channel enable"))
    await bot.answer(await ben.say(bot.channel, "Is anybody here?"))
    await bot.answer(await ben.say(await ben.start_thread(bot.channel, "later"), "And in here?"))
    await ben.say(alone, "Between us?")
    told = await bot.answer(await owner.say(thread, "!channel disable"))
    await ben.say(thread, "Just between us")
    await ben.say(bot.channel, "And now?")
    await bot.asks(ben, thread, "Last one?")
    assert "forum this thread is in" in told.text
    asked = [_asked(prompt) for prompt in bot.world.prompts]
    assert ["Is anybody here?", "And in here?", "Last one?"] == asked


async def test_a_private_thread_is_switched_alone(bot: DiscordBot) -> None:
    """It is a place of its own: what is set there holds for nobody outside."""
    owner, ben = bot.knows(bot.guild.owner), bot.person("Ben")
    alone = await owner.start_thread(bot.channel, "between us", private=True)
    alone.add(bot.discord.bot)
    told = await bot.answer(await owner.say(alone, "!channel enable"))
    await bot.answer(await owner.say(alone, "Is anybody here?"))
    await ben.say(bot.channel, "And here?")
    await bot.asks(ben, bot.channel, "Last one?")
    assert told.text.startswith("Everything said in this thread is answered now;")
    assert ["Is anybody here?", "Last one?"] == [_asked(prompt) for prompt in bot.world.prompts]


async def test_a_forum_is_enabled_from_any_of_its_posts(bot: DiscordBot) -> None:
    """Nobody can write in the forum itself: what is said in one post holds for all of them, by both forms."""
    owner, ben = bot.knows(bot.guild.owner), bot.person("Ben")
    forum = bot.guild.forum("ideas")
    post = await ben.post(forum, "An idea", "What if?")
    # When this is answered, what was said before it in the post was heard.
    await bot.asks(ben, post, "Hathi?")
    chosen = await owner.slash(post, "admin channel enable")
    await bot.until(lambda: chosen.original and "forum" in chosen.original.text)
    other = await ben.post(forum, "Another idea", "And what if?")
    await bot.answer(other.messages[0])
    assert ["Hathi?", "And what if?"] == [_asked(prompt) for prompt in bot.world.prompts]


async def test_every_place_to_talk_is_answered(bot: DiscordBot) -> None:
    """Threads, posts of a forum and the chat of a voice channel are answered like any other channel."""
    ann = bot.person("Ann")
    between_us = await ann.start_thread(bot.channel, "between us", private=True)
    between_us.add(bot.discord.bot)
    for place in (
        await ann.start_thread(bot.channel, "aside"),
        between_us,
        await ann.post(bot.guild.forum("ideas"), "An idea", "What if?"),
        bot.guild.voice_channel("Lounge"),
        bot.guild.announcements("news"),
    ):
        assert "Fine." == (await bot.asks(ann, place, "How are you?")).text


async def test_nobody_but_people_is_answered(bot: DiscordBot) -> None:
    """No bot, webhook or line of Discord's own is answered, even with a mention, and Hathi never answers itself."""
    ann = bot.person("Ann")
    robot = bot.discord.world.user("Robot", bot=True)
    bot.guild.join(robot)
    hello = f"{bot.discord.bot.mention} hello"
    await robot.say(bot.channel, hello)
    posting.put(bot.channel, ann, Draft(content=hello), interaction=_by_command(ann))
    for kind in (PINNED, JOINED):
        posting.put(bot.channel, ann, Draft(content=hello), kind=kind)
    await bot.discord.bot.say(bot.channel, hello)
    await bot.asks(ann, bot.channel, "Only me?")
    assert ["Only me?"] == [_asked(prompt) for prompt in bot.world.prompts]


async def test_unknown_commands_are_left_to_other_bots(bot: DiscordBot) -> None:
    """A word behind the prefix that is no command of Hathi's is ignored in a channel, and told when Hathi is named."""
    ann = bot.person("Ann")
    ignored = await ann.say(bot.channel, "!play something")
    told = await bot.answer(await ann.say(bot.channel, f"{bot.discord.bot.mention} !play something"))
    assert "!play" in told.text
    await bot.answer(await ann.say(bot.channel, "!help"))
    assert [] == bot.world.replies(ignored)
    assert [] == bot.model.requests


async def test_talk_that_begins_like_a_command_is_answered_where_it_names_hathi(bot: DiscordBot) -> None:
    """Behind the prefix too, what mentions Hathi further on or calls it by a reply is talk to it, and no command."""
    ann = bot.person("Ann")
    me = bot.discord.bot.mention
    first = await bot.asks(ann, bot.channel, "Hello")
    await bot.answer(await ann.say(bot.channel, f"!wow {me} how are you?"))
    await bot.answer(await ann.say(bot.channel, "!nice one, and what about tea?", reply_to=first))
    quiet = await ann.say(bot.channel, "!translate", reply_to=first, ping=False)
    await bot.asks(ann, bot.channel, "Bye")
    asked = [_asked(prompt) for prompt in bot.world.prompts]
    assert ["Hello", "!wow @Hathi how are you?", "!nice one, and what about tea?"] == asked[:3]
    assert [] == bot.world.replies(quiet)


async def test_a_sticker_or_a_forwarded_message_alone_is_answered(bot: DiscordBot) -> None:
    """What says something without a word of its own reaches the model as text: a sticker, a forwarded message."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    original = await ben.say(bot.channel, f"Lunch in <#{bot.channel.channel_id}>?", files={"menu.txt": b"soup"})
    await bot.answer(await ann.say(ann.direct, stickers=["Wave"]))
    await bot.answer(await ann.say(ann.direct, forwards=original))
    asked = [_asked(prompt) for prompt in bot.world.prompts]
    assert "[sticker: Wave]" == asked[0]
    assert "[forwarded: Lunch in #a-channel?\n  [attachment: menu.txt]]" in bot.world.prompts[1]


async def test_commands_have_two_prefixes(bot: DiscordBot) -> None:
    """A command is typed behind the space's prefix or behind a mention."""
    ann = bot.person("Ann")
    me = bot.discord.bot.mention
    await bot.answer(await ann.say(bot.channel, "!remember The cake is in the cellar topic:cake"))
    for line in ("!recall cake", f"{me} recall cake", f"{me} !recall cake"):
        assert "cellar" in (await bot.answer(await ann.say(bot.channel, line))).text
    assert [] == bot.model.requests


async def test_a_mention_alone_asks_what_can_be_said(bot: DiscordBot) -> None:
    """As "help" does: at length once, then briefly, and no list of every command. It is recorded as what it is."""
    ann = bot.person("Ann")
    told = [await bot.answer(await ann.say(bot.channel, bot.discord.bot.mention)) for _ in range(2)]
    assert [True, True] == [
        reply.text.startswith(text)
        for reply, text in zip(told, (hello.HELP.format(p="!"), hello.HELP_BRIEFLY.format(p="!")), strict=True)
    ]
    async with bot.app.database.connection() as connection:
        said = await connection.fetch("SELECT content FROM message WHERE role = 'person'")
    assert (["@Hathi"] * 2, []) == ([row["content"] for row in said], bot.model.requests)


async def test_the_prefix_of_the_space(bot: DiscordBot) -> None:
    """A space's own prefix replaces the other at once, in all its channels and for everybody."""
    owner, ben, elsewhere = bot.guild.owner, bot.person("Ben"), bot.guild.text_channel("elsewhere")
    await bot.answer(await ben.say(elsewhere, "!status"))
    await bot.answer(await owner.say(bot.channel, "!settings prefix h?"))
    old = await ben.say(elsewhere, "!status")
    assert "database" in (await bot.answer(await ben.say(elsewhere, "h?status"))).text.lower()
    assert [] == bot.world.replies(old)


async def test_both_forms_of_a_command_agree(bot: DiscordBot) -> None:
    """A command chosen from Discord's list and the same one typed reach the same memory and say the same."""
    ann = bot.person("Ann")
    await ann.slash(bot.channel, "remember", {"text": "The cake is in the cellar", "topic": "cake"})
    await bot.stands("cake")
    typed = await bot.answer(await ann.say(bot.channel, "!recall cake"))
    chosen = await ann.slash(bot.channel, "recall", {"query": "cake"})
    await bot.until(lambda: chosen.original and "cellar" in chosen.original.text)
    assert chosen.original is not None
    assert typed.text == chosen.original.text


async def test_nobody_is_pinged(database: Database) -> None:
    """Whatever the model says, no reply pings anybody: no person, no role, not everyone."""
    names: dict[str, str] = {}
    async with discord_bot.running(
        database, answer=lambda _: Reply(text=f"@everyone @here {names['ann']} {names['role']} @Ann @friends!")
    ) as bot:
        rights = CHATTING | Permission.MENTION_EVERYONE
        bot.guild.change_role(bot.guild.bot_role, rights)
        ann, role = bot.person("Ann"), bot.guild.role("friends")
        names |= {"ann": ann.mention, "role": f"<@&{role.role_id}>"}
        reply = await bot.asks(ann, bot.channel, "Whom do you call?")
        assert ann.mention in reply.text
        assert ([], [], False) == (reply.mentions, reply.mention_roles, reply.mention_everyone)


async def test_names_stand_for_marks(database: Database) -> None:
    """Mentions, channels, emoji and times reach the model as text people read, and come back as Discord's marks."""
    said = "Ask @Ben in #general on 2026-03-02 12:00 UTC."
    async with discord_bot.running(database, answer=Reply(text=said)) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        channel = f"<#{bot.channel.channel_id}>"
        reply = await bot.asks(
            ann, bot.channel, f"Invite {ben.mention} into {channel} for <t:1772452800:f> <:wave:12>!"
        )
        assert "Invite @Ben into #general for 2026-03-02 12:00 UTC :wave:!" == _asked(bot.world.prompts[0])
        assert f"Ask {ben.mention} in {channel} on <t:1772452800:f>." == reply.text


async def test_names_of_hidden_channels_stay_hidden(bot: DiscordBot) -> None:
    """The mark of a channel that not everybody can see tells its name to nobody outside of it."""
    ann = bot.person("Ann")
    hidden = bot.guild.private_channel("takeover-plans", seen_by=[ann])
    mark = f"<#{hidden.channel_id}>"
    await bot.asks(ann, bot.channel, f"What is {mark}?")
    await bot.asks(ann, hidden, f"What is {mark}?")
    assert ["What is #a-channel?", "What is #takeover-plans?"] == [_asked(prompt) for prompt in bot.world.prompts]


def _by_command(user: User) -> wire.Json:
    """How Discord marks a webhook's message that answers a command."""
    return {"id": "1", "type": 2, "name": "greet", "user": wire.user(user)}


def _asked(prompt: str) -> str:
    """The question a prompt ends with, without its author."""
    return prompt.rpartition("\n")[2].partition(": ")[2]


async def test_a_channel_nobody_was_heard_in_has_the_prefix_of_its_server(database: Database) -> None:
    """Commands are heard there by that from the first on, and by no other."""
    async with discord_bot.running(database) as bot:
        owner = bot.knows(bot.guild.owner)
        await bot.answer(await owner.say(bot.channel, "!settings prefix ?"))
        fresh = bot.guild.text_channel("fresh")
        silent = await owner.say(fresh, "!help")
        assert "?recall" in (await bot.answer(await owner.say(fresh, "?help"))).text
        assert [] == bot.world.replies(silent)


async def test_a_recollection_names_the_search_as_it_is_typed(database: Database) -> None:
    """What is quoted in it stays as it was said."""
    async with discord_bot.running(database, recall=RecallSettings(reply="verbatim")) as bot:
        owner = bot.knows(bot.guild.owner)
        await bot.answer(await owner.say(bot.channel, "!settings prefix ?"))
        await bot.answer(await owner.say(bot.channel, "?remember Typing !recall kettle finds the blue kettle."))
        told = await bot.asks(owner, bot.channel, "What did I say about the kettle?")
        assert "Typing !recall kettle" in told.text
        assert "?recall shows more" in told.text
