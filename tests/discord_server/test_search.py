"""The laws of the simulated search of messages, as https://docs.discord.com/developers/resources/message tells it."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any

import aiohttp
import pytest

from tests.discord_server.guilds import Guild
from tests.discord_server.permissions import CHATTING, Overwrite, Permission
from tests.discord_server.server import TOKEN, DiscordServer
from tests.discord_server.users import User
from tests.discord_server.wire import PRIVILEGED, Intent


@pytest.fixture
async def server() -> AsyncGenerator[DiscordServer]:
    async with DiscordServer.started() as started:
        yield started


@pytest.fixture
def guild(server: DiscordServer) -> Guild:
    return server.guild("Elephants")


@pytest.fixture
def ann(server: DiscordServer, guild: Guild) -> User:
    user = server.user("ann")
    guild.join(user)
    return user


async def searched(server: DiscordServer, guild: Guild, *query: tuple[str, str]) -> tuple[int, Any]:
    """Status and body."""
    address = f"{server.api_url}/guilds/{guild.guild_id}/messages/search"
    headers = {"Authorization": f"Bot {TOKEN}"}
    async with aiohttp.ClientSession() as session, session.get(address, params=query, headers=headers) as response:
        return response.status, await response.json()


def texts(body: Any) -> Sequence[str]:
    return [message["content"] for group in body["messages"] for message in group]


async def test_messages_with_all_words_are_found_each_in_a_list_of_its_own(
    server: DiscordServer, guild: Guild, ann: User
) -> None:
    """However far the words are from each other; the newest first, with their number, and without reactions."""
    general = guild.text_channel("general")
    for text in ("The boiler is old", "An old, loud boiler", "The stove is old"):
        await ann.react(await ann.say(general, text), "\N{ELEPHANT}")
    status, body = await searched(server, guild, ("content", "old BOILER"), ("slop", "100"))
    assert (200, [1, 1], 2) == (status, [len(group) for group in body["messages"]], body["total_results"])
    assert ["An old, loud boiler", "The boiler is old"] == texts(body)
    assert [] == [message for group in body["messages"] for message in group if "reactions" in message]


async def test_filters_narrow_it(server: DiscordServer, guild: Guild, ann: User) -> None:
    """Channels, named each by itself; kinds of authors, with a minus those that are left out; and how many."""
    rooms = [guild.text_channel(name) for name in ("a", "b", "c")]
    for room in rooms:
        await ann.say(room, f"tea in {room.name}")
    one, two = (("channel_id", str(room.channel_id)) for room in rooms[:2])
    assert ["tea in b", "tea in a"] == texts((await searched(server, guild, ("content", "tea"), one, two))[1])
    assert [] == texts((await searched(server, guild, ("content", "tea"), ("author_type", "-user")))[1])
    assert 3 == len(texts((await searched(server, guild, ("content", "tea"), ("author_type", "-bot")))[1]))
    limited = (await searched(server, guild, ("content", "tea"), ("limit", "1")))[1]
    assert (["tea in c"], 3) == (texts(limited), limited["total_results"])


async def test_threads_are_found_by_their_parent_and_told_with_the_answer(
    server: DiscordServer, guild: Guild, ann: User
) -> None:
    """Those that are put away too; a private one only where the bot is in it."""
    general = guild.text_channel("general")
    outer, inner = [await ann.start_thread(general, name, private=name == "inner") for name in ("outer", "inner")]
    for thread in (outer, inner):
        await ann.say(thread, f"tea in {thread.name}")
    outer.archive()
    asked = ("content", "tea"), ("channel_id", str(general.channel_id))
    _, body = await searched(server, guild, *asked)
    assert (["tea in outer"], [str(outer.channel_id)]) == (texts(body), [each["id"] for each in body["threads"]])
    (thread,) = body["threads"]
    assert (str(general.channel_id), 11, []) == (thread["parent_id"], thread["type"], body["members"])
    inner.add(server.bot)
    _, body = await searched(server, guild, *asked)
    assert ({"tea in outer", "tea in inner"}, {11, 12}) == ({*texts(body)}, {each["type"] for each in body["threads"]})
    assert [str(inner.channel_id)] == [each["id"] for each in body["members"]]


async def test_nothing_is_found_where_the_bot_may_not_read(server: DiscordServer, guild: Guild, ann: User) -> None:
    """Channels it does not see, or whose history it may not read; age-restricted ones unless they are asked for."""
    hidden = guild.text_channel("hidden", overwrites={server.bot: Overwrite(deny=Permission.VIEW_CHANNEL)})
    closed = guild.text_channel("closed", overwrites={server.bot: Overwrite(deny=Permission.READ_MESSAGE_HISTORY)})
    adult = guild.text_channel("adult", nsfw=True)
    for room in (hidden, closed, adult):
        await ann.say(room, "tea")
    assert [] == texts((await searched(server, guild, ("content", "tea")))[1])
    assert ["tea"] == texts((await searched(server, guild, ("content", "tea"), ("include_nsfw", "true")))[1])


async def test_an_index_that_is_not_there_yet_is_a_202(server: DiscordServer, guild: Guild) -> None:
    """With a code and a time, in place of results; then it is there."""
    server.world.unindexed.append(2)
    status, body = await searched(server, guild, ("content", "tea"))
    assert (202, 110000, 2, False) == (status, body["code"], body["retry_after"], "messages" in body)
    assert 200 == (await searched(server, guild, ("content", "tea")))[0]


async def test_the_right_and_the_intent_are_needed(guild: Guild, server: DiscordServer) -> None:
    """403 without Read Message History, and without the message-content intent."""
    guild.change_role(guild.everyone, Permission.VIEW_CHANNEL)
    guild.change_role(guild.bot_role, CHATTING & ~Permission.READ_MESSAGE_HISTORY)
    status, body = await searched(server, guild, ("content", "tea"))
    assert (403, 50013) == (status, body["code"])
    async with DiscordServer.started(privileged=PRIVILEGED & ~Intent.CONTENT) as blind:
        status, body = await searched(blind, blind.guild("Tigers"), ("content", "tea"))
        assert (403, 50001) == (status, body["code"])


async def test_times_are_ids_of_their_moment(guild: Guild, server: DiscordServer) -> None:
    """Later than the one, earlier than the other."""
    channel = guild.text_channel("general")
    first, second, third = [await guild.owner.say(channel, f"tea {n}") for n in range(3)]
    _, body = await searched(
        server, guild, ("content", "tea"), ("min_id", str(first.message_id)), ("max_id", str(third.message_id))
    )
    assert [second.content] == texts(body)


@pytest.mark.parametrize(
    "query",
    [
        ("content", "x" * 1025),
        ("limit", "26"),
        ("slop", "101"),
        ("sort_by", "beauty"),
        ("author_type", "cat"),
        ("include_nsfw", "maybe"),
        ("channel_id", "general"),
        ("offset", "9976"),
        ("min_id", "then"),
    ],
)
async def test_what_is_out_of_bounds_is_refused(server: DiscordServer, guild: Guild, query: tuple[str, str]) -> None:
    """As Discord does, with the name of the field."""
    status, body = await searched(server, guild, query)
    assert (400, 50035, True) == (status, body["code"], query[0] in body["errors"])


async def test_it_has_a_rate_limit_of_its_own(guild: Guild, server: DiscordServer) -> None:
    """Told with every answer; one request too many is a 429."""
    server.rest.buckets.enabled = True
    server.rest.buckets.limits["GET", "/guilds/{guild_id}/messages/search"] = (1, 5.0)
    statuses = [(await searched(server, guild, ("content", "tea")))[0] for _ in range(2)]
    assert [200, 429] == statuses
