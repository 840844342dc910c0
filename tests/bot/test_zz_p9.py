import asyncio, os, sys, signal
from tests import discord_bot
from tests.benchmarks.servers import ROOT
from tests.bot.test_service import _OURS
async def test_one(dsn, tmp_path):
  for code in (4014, 4014, 4004, 4014):
    async with discord_bot.world() as place:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        environment |= {
            "DISCORD_TOKEN": place.discord.token, "DATABASE_URL": dsn,
            "DISCORD_API_URL": place.discord.api_url, "DISCORD_GATEWAY_URL": place.discord.gateway_url,
            "HATHI_DATA_DIR": str(tmp_path),
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-X", "faulthandler", "-c", "import faulthandler,signal;faulthandler.register(signal.SIGUSR1,all_threads=True)\nimport sys;sys.argv=['hathi','run'];from bot.__main__ import main;main()", cwd=ROOT, env=environment, stdin=asyncio.subprocess.DEVNULL)
        await place.until(lambda: place.discord.identifies)
        place.discord.drop(code=code)
        try:
            async with asyncio.timeout(5):
                print(code, await process.wait(), flush=True)
        except TimeoutError:
            print(code, "HANG", flush=True)
            process.send_signal(signal.SIGUSR1)
            await asyncio.sleep(0.5)
            process.kill()
            await process.wait()
