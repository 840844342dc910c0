"""`python -m tests.discord_server`: a small guild to point a bot at, until interrupted."""

import argparse
import asyncio
import contextlib

from tests.discord_server.server import TOKEN, DiscordServer


async def _serve(port: int, shards: int) -> None:
    async with DiscordServer.started(port=port, shards=shards) as server:
        guild = server.guild("Loopback")
        guild.text_channel("general")
        ann = server.user("ann")
        guild.join(ann)
        guild.private_channel("staff", seen_by=[ann])
        guild.forum("ideas")
        print(f"DISCORD_API_URL={server.api_url}")
        print(f"DISCORD_GATEWAY_URL={server.gateway_url}")
        print(f"DISCORD_TOKEN={TOKEN}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.discord_server", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--shards", type=int, default=1)
    given = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(given.port, given.shards))
