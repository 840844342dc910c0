"""What a person can read is told alike, whichever process has the shard of a guild."""

from typing import Any, Final

import pytest

from bot.commands.invocation import Reach
from bot.db.pool import Database
from bot.domain import SpaceId
from cogs.access import personal_access
from cogs.access.audience import Audience
from cogs.access.personal_access import PersonalAccess
from tests import discord_bot, people
from tests.discord_bot import DiscordBot, World
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.users import User

FIRST: Final[dict[str, Any]] = {"shard_ids": (0,), "shard_count": 2}
"""A process with the first of two shards, which has every other guild."""


async def _lived(world: World, bot: DiscordBot, ann: User) -> list[SpaceId]:
    """Guilds in which Ann was heard, with channels for everybody, for staff and for nobody, and a private thread.

    She is staff in every other pair, has left the last but one, and Hathi is gone from the last.
    """
    spaces = list[SpaceId]()
    for n in range(6):
        guild = world.discord.guild(f"Guild {n}")
        staff = guild.role("staff", Permission.MANAGE_THREADS)
        guild.join(ann, roles=[staff] if n % 4 > 1 else [])
        lobby = guild.text_channel("lobby")
        for name, opened in (("office", True), ("vault", False)):
            hidden = guild.text_channel(name)
            hidden.overwrite(guild.everyone, Overwrite(deny=Permission.VIEW_CHANNEL))
            if opened:
                hidden.overwrite(staff, Overwrite(allow=Permission.VIEW_CHANNEL))
        thread = await guild.owner.start_thread(lobby, "aside", private=True)
        thread.add(world.discord.bot)
        if n > 3:
            guild.leave(ann if n == 4 else world.discord.bot)
        by = people.caller("Ann", space=guild.guild_id, channel=lobby.channel_id, person=ann.user_id)
        await bot.app.enter(by, channel_name="lobby", mode="all")
        spaces.append(by.space_id)
    return spaces


async def _reach(bot: DiscordBot, ann: User) -> Reach:
    access, channel = PersonalAccess(bot.client, Audience(bot.client.get_guild), bot.app.personal_data), 5
    return await access.of(people.caller("Ann", space=channel, channel=channel, person=ann.user_id))


async def test_every_process_tells_what_a_person_can_read_in_every_server(database: Database) -> None:
    """One with half of the shards asks Discord about the rest: guild, member and channels."""
    async with discord_bot.world(shards=2) as world:
        ann = world.discord.user("Ann")
        async with discord_bot.connected(world, database) as bot:
            spaces = await _lived(world, bot, ann)
        async with discord_bot.connected(world, database) as bot:
            whole = await _reach(bot, ann)
        before = len(world.discord.requested("GET", "/guilds/"))
        async with discord_bot.connected(world, database, **FIRST) as bot:
            assert len(bot.client.guilds) < len(spaces)
            half = await _reach(bot, ann)
        asked = len(world.discord.requested("GET", "/guilds/")) - before
    assert [1, 1, 3, 3] == [len(whole.readable[space]) for space in spaces[:4]]
    assert (whole.readable, whole.names, frozenset()) == (half.readable, half.names, half.unasked)
    assert asked <= 4 * len(spaces)


async def test_no_more_than_so_many_servers_are_asked_about_at_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the rest the answer says that they are left out, and where to ask."""
    monkeypatch.setattr(personal_access, "MOST_ASKED", 1)
    async with discord_bot.world(shards=2) as world:
        ann = world.discord.user("Ann")
        async with discord_bot.connected(world, database) as bot:
            await _lived(world, bot, ann)
        async with discord_bot.connected(world, database, **FIRST) as bot:
            bot.knows(ann)
            reach = await _reach(bot, ann)
            told = (await bot.answer(await ann.say(ann.direct, "!mydata"))).text
    assert 2 == len(reach.unasked)
    assert {"another server"} == {reach.names[space] for space in reach.unasked}
    assert "Memories and notes of 2 more servers are left out" in told
