"""Messages of the version before go on working: lists were embeds with menus under them, resets texts with buttons."""

import json
from typing import Any

import discord
import pytest

from bot.db.pool import Database
from bot.domain import ChannelId, MessageId, SessionId, SpaceId
from bot.lifecycle.summaries import SummaryDone
from bot.text import notices
from tests import discord_bot
from tests.cogs.commands.test_reply_reasons import filled, living, private, type_command
from tests.discord_bot import DiscordBot
from tests.discord_server.channels import Channel
from tests.discord_server.messages import V2, Message
from tests.discord_server.users import User
from tests.model_server import Reply

FACTS = ("I like blue ink.", "I live in Basel.", "I play chess.")


def _menu(what: str, numbers: range) -> discord.ui.Select[discord.ui.View]:
    options = [discord.SelectOption(label=f"#{number} a fact", value=str(number)) for number in numbers]
    return discord.ui.Select(custom_id=f"hathi:pick:{what}", options=options)


def _button(label: str, custom_id: str) -> discord.ui.Button[discord.ui.View]:
    return discord.ui.Button(label=label, custom_id=custom_id)


async def _sent(bot: DiscordBot, *items: discord.ui.Item[Any], where: Channel | None = None, **said: Any) -> Message:
    """A message of Hathi's, sent as it once was."""
    there = where or bot.channel
    channel = bot.client.get_channel(there.channel_id)
    assert isinstance(channel, discord.TextChannel)
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    sent = await channel.send(view=view, **said)
    return next(each for each in there.said_by(bot.discord.bot) if each.message_id == sent.id)


async def _listed(
    bot: DiscordBot, ann: User, *, again: str = "!memories sort:new", where: Channel | None = None
) -> Message:
    """A list as it was: seven memories, of which it shows three, the menus for them, a page on and why."""
    for text in (*FACTS, "I bake.", "I sail.", "I read.", "I sing."):
        await type_command(bot, ann, where or bot.channel, f"!remember {text}")
    embed = discord.Embed(title="7 memories").set_footer(text=f"Page 1 of 2 · {again}")
    for number, text in enumerate(FACTS, start=1):
        embed.add_field(name=f"#{number} · general", value=text, inline=False)
    menus = [_menu(what, range(1, 4)) for what in ("forget", "fix", "pin")]
    ways = (_button("Page 2 ▶", "hathi:page:2"), _button("Why these?", "hathi:why:1"))
    return await _sent(bot, *menus, *ways, where=where, embed=embed)


def _fields(message: Message) -> list[tuple[str, str]]:
    return [(field["name"], field["value"]) for field in message.embeds[0]["fields"]]


async def test_a_menu_does_what_it_says(database: Database) -> None:
    """It pins, forgets and opens the form that puts right; the embed says what became of each, and stays one."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        listed = await _listed(bot, ann)
        pinned = await private(await ann.select(listed, "hathi:pick:pin", ["1"]))
        forgot = await private(await ann.select(listed, "hathi:pick:forget", ["2"]))
        asked = await (await ann.select(listed, "hathi:pick:fix", ["3"])).until_answered()
        assert "I play chess." == filled(asked)
        fixed = await private(await ann.submit(asked, {"text": "I play go."}))
        await bot.until(lambda: _fields(listed)[2] == ("#3", "replaced by #8"))
        left = [each[0] for each in sorted(await living(database))]
    assert pinned.text.startswith("[memory] pinned: #1")
    assert forgot.text.startswith("[memory] forgotten: #2")
    assert "It supersedes #3." in fixed.text
    assert [1, 4, 5, 6, 7, 8] == left
    assert [("#1 · general", FACTS[0]), ("#2", "forgotten"), ("#3", "replaced by #8")] == _fields(listed)
    assert (0, 5) == (listed.flags & V2, len(listed.custom_ids))


@pytest.mark.parametrize("what", ["forget", "fix", "pin"])
async def test_a_menu_gives_nobody_a_right(database: Database, what: str) -> None:
    """Who may not change a memory is told so alone, and sees no form."""
    async with discord_bot.running(database) as bot:
        ann, bob = bot.person("Ann"), bot.person("Bob")
        listed = await _listed(bot, ann)
        before = await living(database)
        chosen = await bob.select(listed, f"hathi:pick:{what}", ["1"])
        told = await private(chosen)
        assert before == await living(database)
    assert ("#1 was said by" in told.text, None) == (True, chosen.modal)


async def test_a_menu_asks_to_remove_what_others_said(database: Database) -> None:
    """Whoever it is about asks; nothing is done, and the list stays."""
    async with discord_bot.running(database) as bot:
        ann, bob = bot.person("Ann"), bot.person("Bob")
        await type_command(bot, ann, bot.channel, f"!remember {bob.mention} snores.")
        embed = discord.Embed(title="What I know about you").add_field(name="#1 · Ann", value="@Bob snores.")
        listed = await _sent(bot, _menu("remove", range(1, 2)), embed=embed)
        told = await private(await bob.select(listed, "hathi:pick:remove", ["1"]))
        left = await living(database)
    assert ("asked" in told.text, 1, [("#1 · Ann", "@Bob snores.")]) == (True, len(left), _fields(listed))


@pytest.mark.parametrize("restarted", [True, False])
async def test_a_page_button_turns_an_embed_into_a_list_of_today(database: Database, *, restarted: bool) -> None:
    """The page is read from the embed's footer; from then on the message is one of components, and stays that.

    That is so where not everyone reads along; elsewhere the page is for whoever turns it alone.
    """
    async with discord_bot.world() as world:
        async with discord_bot.connected(world, database) as bot:
            ann = bot.person("Ann")
            listed = await _listed(bot, ann, where=bot.guild.private_channel("staff", seen_by=[ann]))
            if not restarted:
                await _turn(bot, ann, listed)
        if restarted:
            async with discord_bot.connected(world, database) as again:
                again.knows(ann)
                await _turn(again, ann, listed)


async def _turn(bot: DiscordBot, ann: User, listed: Message) -> None:
    await ann.press(listed, "hathi:page:2")
    await bot.until(lambda: listed.flags & V2)
    assert ("", [], ["hathi:open:1", "hathi:page:1"]) == (listed.content, listed.embeds, listed.custom_ids)
    assert listed.text.endswith("-# Page 2 of 2 · !memories sort:new")
    await ann.press(listed, "hathi:page:1")
    await bot.until(lambda: listed.custom_ids[-1] == "hathi:page:2")
    await ann.press(listed, "hathi:open:7")
    await bot.until(lambda: "hathi:forget:7" in listed.custom_ids)
    told = await private(await ann.press(listed, "hathi:forget:7"))
    assert told.text.startswith("[memory] forgotten: #7")
    assert ("*forgotten*\n-# #7" in listed.text, listed.embeds, listed.flags & V2) == (True, [], V2)


async def test_what_explains_an_embed_is_told_alone(database: Database) -> None:
    """Why these were found is asked again by the embed's footer, in the prefix it was drawn with; the list stays."""
    async with discord_bot.running(database) as bot:
        owner = bot.knows(bot.guild.owner)
        listed = await _listed(bot, owner, again="!recall chess")
        await type_command(bot, owner, bot.channel, "!settings prefix ?")
        told = await private(await owner.press(listed, "hathi:why:1"))
    assert "I play chess." in told.text
    assert (0, 3) == (listed.flags & V2, len(_fields(listed)))


async def test_a_reset_s_buttons_forget_bring_back_and_undo(database: Database) -> None:
    """The notice stays the text it was with buttons under it, until it says what was undone."""
    async with discord_bot.running(database) as bot:
        owner = bot.knows(bot.guild.owner)
        notice, text = await _reset(bot, owner)
        undo = notice.custom_ids[-1]
        forgot = await private(await owner.press(notice, "hathi:forget:1"))
        await bot.until(lambda: "hathi:restore:1" in notice.custom_ids)
        after = (notice.custom_ids, notice.content, await living(database))
        back = await private(await owner.press(notice, "hathi:restore:1"))
        await bot.until(lambda: "hathi:forget:1" in notice.custom_ids)
        restored = (notice.custom_ids, notice.content)
        await owner.press(notice, undo)
        await bot.until(lambda: not notice.custom_ids)
        left = await living(database)
    assert (["hathi:restore:1", undo], text, []) == after
    assert (["hathi:forget:1", undo], text) == restored
    assert forgot.text.startswith("[memory] forgotten: #1")
    assert back.text.startswith("[memory] back: #1")
    assert ([], 0, True) == (left, notice.flags & V2, notice.content.startswith("[memory] Took back 1 memory"))


async def test_a_late_summary_makes_an_early_notice_one_of_today(database: Database) -> None:
    """A text that said that it is summarizing tells its facts as components, whoever makes the summary."""
    async with discord_bot.running(database) as bot:
        notice = await _sent(bot, content="[memory] Summarizing 4 messages…")
        place = ChannelId(bot.channel.channel_id), MessageId(notice.message_id)
        done = SummaryDone(
            space_id=SpaceId(bot.guild.guild_id),
            channel_id=bot.channel.channel_id,
            session_id=SessionId(1),
            message_count=4,
            notice=place,
        )
        bot.client.dispatch("summary_done", done)
        await bot.until(lambda: notice.flags & V2)
    assert ("", ["hathi:undo:1"]) == (notice.content, notice.custom_ids)
    assert notice.text.splitlines() == ["[memory] Summarized 4 messages → 0 memories saved.", notices.CLEARED]


async def _reset(bot: DiscordBot, owner: User) -> tuple[Message, str]:
    """A reset's notice as it was, of a session with one memory."""
    await bot.asks(owner, bot.channel, "We took Postgres for the shop.")
    fact = {
        "content": "The shop runs on Postgres.",
        "room": "general",
        "topic": "shop",
        "importance": 6,
        "evidence": [1],
    }
    bot.model.steps.append(Reply(text=json.dumps({"summary": "The shop runs on Postgres.", "facts": [fact]})))
    now = await type_command(bot, owner, bot.channel, "!reset")
    await bot.until(lambda: "Summarized" in now.text)
    text = f"[memory] Summarized 2 messages → 1 memory saved.\n[memory] saved: topic=shop (imp=6) #1\n{notices.CLEARED}"
    buttons = (
        _button("Forget #1", "hathi:forget:1"),
        _button("Undo all", next(one for one in now.custom_ids if ":undo:" in one)),
    )
    return await _sent(bot, *buttons, content=text), text
