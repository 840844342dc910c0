"""What goes wrong on demand, and what an unmodified discord.py makes of it."""

import asyncio
from datetime import timedelta

import aiohttp
import discord
import pytest

from tests.discord_server.bots import Bot, running
from tests.discord_server.server import DiscordServer

HERE = r"/channels/\d+/messages$"


async def test_rate_limited():
    """A request told to wait by 429 is sent again, and only then takes effect."""
    async with DiscordServer.started() as server:
        channel = server.guild("Elephants").text_channel("general")
        async with running(Bot(server), server) as bot:
            server.faults.limit(2, method="POST", path=HERE, retry_after=timedelta(seconds=0.01))
            await bot.get_partial_messageable(channel.channel_id).send("hello")
            assert [429, 429, 200] == [request.status for request in server.requested("POST", "/messages")]
            assert ["hello"] == [message.content for message in channel.messages]


async def test_limited_everywhere():
    """The global limit holds for every route until it is over."""
    async with DiscordServer.started() as server:
        url, headers = server.api_url + "/users/@me", {"Authorization": f"Bot {server.token}"}
        async with aiohttp.ClientSession(headers=headers) as session:
            server.faults.limit(path="/gateway", retry_after=timedelta(hours=1), everywhere=True)
            first = await (await session.get(server.api_url + "/gateway")).json()
            assert (True, 3600) == (first["global"], first["retry_after"])
            assert 429 == (await session.get(url)).status
            server.faults.clear()
            assert 200 == (await session.get(url)).status


async def test_buckets():
    """With rate limits on, discord.py learns a route's bucket from the headers and never runs into it."""
    async with DiscordServer.started(rate_limits=True) as server:
        server.rest.buckets.limits["POST", "/channels/{channel_id}/messages"] = (5, 0.2)
        channel = server.guild("Elephants").text_channel("general")
        async with running(Bot(server), server) as bot:
            place = bot.get_partial_messageable(channel.channel_id)
            for number in range(12):
                await place.send(str(number))
            assert [200] * 12 == [request.status for request in server.requested("POST", "/messages")]


async def test_more_than_the_bucket_holds():
    """A client that does not heed the headers is told 429 with the seconds to wait."""
    async with DiscordServer.started(rate_limits=True) as server:
        channel = server.guild("Elephants").text_channel("general")
        url = f"{server.api_url}/channels/{channel.channel_id}/messages"
        async with aiohttp.ClientSession(headers={"Authorization": f"Bot {server.token}"}) as session:
            answers = [await session.post(url, json={"content": "hello"}) for _ in range(6)]
            assert [200] * 5 + [429] == [answer.status for answer in answers]
            assert ["4", "3", "2", "1", "0"] == [answer.headers["X-RateLimit-Remaining"] for answer in answers[:5]]
            assert 0 < (await answers[5].json())["retry_after"] <= 5


@pytest.mark.parametrize("after_effect", [False, True])
async def test_failures(after_effect: bool):
    """A failure before the effect leaves nothing behind, one after it a message whose sender knows nothing of it."""
    async with DiscordServer.started() as server:
        channel = server.guild("Elephants").text_channel("general")
        async with running(Bot(server), server) as bot:
            place = bot.get_partial_messageable(channel.channel_id)
            server.faults.fail(status=503, path=HERE, after_effect=after_effect)
            with pytest.raises(discord.DiscordServerError):
                await place.send("hello")
            assert int(after_effect) == len(channel.messages)
            server.faults.break_off(path=HERE, after_effect=after_effect)
            with pytest.raises(aiohttp.ClientConnectionError):
                await place.send("hello")
            assert 2 * after_effect == len(channel.messages)
            assert [503, 0] == [request.status for request in server.requested("POST", "/messages")]


async def test_random_share():
    """A share of failures is the same requests again for the same seed."""

    async def failed(seed: int) -> list[bool]:
        async with DiscordServer.started() as server, aiohttp.ClientSession() as session:
            server.faults.fail(10**9, path="/gateway$", share=0.2, seed=seed)
            answers = [(await session.get(server.api_url + "/gateway")).status for _ in range(200)]
            return [status == 500 for status in answers]

    first = await failed(1)
    assert first == await failed(1)
    assert 20 < sum(first) < 60
    assert first != await failed(2)


async def test_slow():
    """A slow answer does not hold up the others: they overtake it."""
    async with DiscordServer.started() as server, aiohttp.ClientSession() as session:
        server.faults.slow(timedelta(seconds=0.3), path="/gateway$")
        slow = asyncio.create_task(session.get(server.api_url + "/gateway", params={"n": "1"}))
        quick = await session.get(server.api_url + "/gateway/bot")
        slow_answer = await slow
        assert (401, 200) == (quick.status, slow_answer.status)
        assert ["/gateway/bot", "/gateway"] == [request.path for request in server.requests]
